"""What is photographed of each game: a whole game with one seat's screen, its replay, its spectator, its sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import pytest
from syrupy.assertion import SnapshotAssertion

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.screens.app import App
from kimberley.client.ui.screen import Screen
from kimberley.games import lookup
from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Ask, Observation, Plain, Result
from kimberley.p2p.table.events import ChatLine
from kimberley.protocol.audit import AuditedGame
from tests.support import board_screens
from tests.support.asyncs import run
from tests.support.pretend import press, pretend_app
from tests.support.screen_text import depths_text, frame_text
from tests.support.whole_game_table import Choices, WholeGameTable, WholeGameWatch, at_random

SIZES: Final = {"80x24": (80, 24), "120x40": (120, 40)}
PORTRAIT_SIZE: Final = (40, 40)
MOVING: Final = (0.2, 0.8, 1.6)
"""Seconds after an answer at which what moves is photographed."""
QUIET: Final = 4.0
"""Seconds by which the clock advances with every ask: toasts are gone then."""
POSITIONS: Final = 5
"""How many positions of each replay are photographed, from the start to the end."""
PROMPTS: Final = 3
"""How many prompts of each kind of ask are kept."""


@dataclass(frozen=True, eq=False)
class Scenario:
    """A game to photograph, and the keys pressed when a topic is asked for the first time, one picture for each
    group.
    """

    game: str
    seats: int
    seed: int
    keys: Mapping[str, Sequence[str]]
    options: Mapping[str, Plain] = field(default_factory=dict)
    bots: bool = False
    """Whether bots of level 1 choose, rather than chance."""

    def table(self, clock: Clock) -> WholeGameTable:
        choices = bots_choose(self) if self.bots else at_random(self.seed)
        return WholeGameTable(self.game, self.seats, self.seed, choices, clock.now, self.options)


@dataclass
class Clock:
    """A clock that a test sets."""

    time: float = 100.0

    def now(self) -> float:
        return self.time


Pictures: TypeAlias = "Callable[[Scenario, tuple[int, int], Frame], dict[str, str]]"


class Frame(Protocol):
    """How a frame is kept as text."""

    def __call__(self, app: App, size: tuple[int, int], *, depths: bool) -> str: ...


@dataclass
class Album:
    """Pictures by their names, in the order in which they were taken."""

    app: App
    size: tuple[int, int]
    frame: Frame
    clock: Clock
    pictures: dict[str, str] = field(default_factory=dict)

    @property
    def small(self) -> bool:
        """Whether the screen has its least size. What changes only with the course of a game is photographed there
        alone.
        """
        return self.size == SIZES["80x24"]

    def take(self, name: str, *, depths: bool = False) -> None:
        """Takes a picture, in lower `depths` of color as well if it stands for others of its kind."""
        again = sum(each.partition(" #")[0] == name for each in self.pictures)
        self.pictures[f"{name} #{again + 1}" if again else name] = self.frame(self.app, self.size, depths=depths)


LEVELS: Final = {"diamond-trust": 8}
"""The levels of the bots whose games are photographed, where that is not the lowest."""


def bots_choose(scenario: Scenario) -> Choices:
    """Returns one of the game's bots for each seat."""
    level = LEVELS.get(scenario.game, 1)
    bots = [make_bot(lookup.find(scenario.game), level, scenario.seed * 10 + seat) for seat in range(scenario.seats)]

    def choose(observation: Observation) -> Plain:
        return bots[observation.seat].choose(observation)

    return choose


def topic_of(ask: Ask) -> str:
    return ask.topic if hasattr(ask, "topic") else type(ask).__name__.lower()


@cache
def finished_game(scenario: Scenario) -> AuditedGame:
    """Returns the game of a scenario, played to its end without a screen."""
    table = scenario.table(Clock())
    while not isinstance(table.ask, Result):
        table.answer()
    return table.audited_game()


def check_pictures(snapshot: SnapshotAssertion, take: Pictures, scenario: Scenario, size: tuple[int, int]) -> None:
    """Compares the pictures with those that are kept. All that differ are named; the first one is shown."""
    pictures = _taken(take, scenario, size, frame_text)
    changed = [name for name, picture in pictures.items() if picture != snapshot(name=name)]
    assert snapshot.session.update_snapshots or kept_names(snapshot) <= pictures.keys(), "some are kept but not taken"
    for name in changed:
        assert pictures[name] == snapshot(name=name), f"{len(changed)} pictures differ: {', '.join(changed)}"


def kept_names(snapshot: SnapshotAssertion) -> set[str]:
    """Returns the pictures of this test that are kept. syrupy overlooks those not taken where marks leave tests out."""
    where = snapshot.test_location
    file = Path(snapshot.extension.get_location(test_location=where, index=0))
    return set(re.findall(rf"^# name: {re.escape(where.snapshot_name)}\[(.*)\]$", file.read_text("utf-8"), re.M))


def check_depths(snapshot: SnapshotAssertion, take: Pictures, scenario: Scenario, size: tuple[int, int]) -> None:
    """Compares digests of all pictures in the other depths."""
    pictures = _taken(take, scenario, size, depths_text)
    assert "\n".join(f"{name}: {digests}" for name, digests in pictures.items()) == snapshot


def _taken(take: Pictures, scenario: Scenario, size: tuple[int, int], frame: Frame) -> dict[str, str]:
    async def taken() -> dict[str, str]:
        return take(scenario, size, frame)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm-256color")
        return run(taken())


def app_at(clock: Clock) -> App:
    app = pretend_app(calm=False)
    app.now = clock.now  # type: ignore[method-assign]
    return app


def settle(album: Album, screen: Screen) -> None:
    """Lets everything that moves come to its end, and goes on where the playback stops."""
    album.app.paint(*album.size, album.app.now())
    while screen.skip(album.app.now()):
        album.app.paint(*album.size, album.app.now())
    while isinstance(screen, GameScreen) and screen.busy(album.clock.time):
        screen.key("enter")
        if screen.busy(album.clock.time):
            album.clock.time += 1.0


def live_pictures(scenario: Scenario, size: tuple[int, int], frame: Frame) -> dict[str, str]:
    """Returns a whole game on seat 0's screen: each kind of ask the first time, and what moves after its answer."""
    clock = Clock()
    album = Album(app_at(clock), size, frame, clock)
    table = scenario.table(clock)
    screen = board_screens.live_screen(table, album.app)
    album.app.push(screen)
    album.take("start", depths=True)
    seen: set[str] = set()
    quarter = len(finished_game(scenario).story) // 4
    while not isinstance(ask := table.ask, Result):
        clock.time += QUIET
        if album.small and len(table.story) in (quarter, 2 * quarter, 3 * quarter):
            settle(album, screen)
            album.take(f"ask {len(table.story)}")
        _ask(scenario, table, screen, album, seen)
        table.answer()
        kind = f"after {topic_of(ask)}{' of others' if table.occupants.seat not in ask.choosers else ''}"
        if _first(kind, seen):
            _moving(kind, screen, album, clock)
        screen.skip(clock.time)
    _moving("the end", screen, album, clock)
    settle(album, screen)
    album.take("the end", depths=True)
    return album.pictures


def _first(kind: str, seen: set[str]) -> bool:
    new = kind not in seen
    seen.add(kind)
    return new


def _ask(scenario: Scenario, table: WholeGameTable, screen: Screen, album: Album, seen: set[str]) -> None:
    """Offers the pending ask. Photographs its form, and the wait for others, if that is the first of its kind."""
    ask = table.ask
    assert not isinstance(ask, Result)
    topic = topic_of(ask)
    table.offer()
    asked = table.arena_peer.asked is not None
    if not ask.choosers:
        return
    if _first(f"{topic} {asked}", seen):
        settle(album, screen)
        album.take(topic if asked else f"{topic} of others", depths=asked)
        if "banners" not in seen and asked:
            seen.add("banners")
            _banners(table, album)
        if asked:
            _press(scenario.keys.get(topic, ()), screen, album, topic)
        if asked and len(ask.choosers) > 1:
            table.commit()
            album.take(f"{topic}, done")


def _press(keys: Sequence[str], screen: Screen, album: Album, topic: str) -> None:
    for group in keys:
        press(album.app, *(" " if name == "space" else name for name in group.split()))
        album.take(f"{topic}, {group}")
        album.app.pop(album.app.stack[1]) if len(album.app.stack) > 1 else None
        screen.skip(album.app.now())


def _banners(table: WholeGameTable, album: Album) -> None:
    """Takes pictures of what concerns the table: help, chat, an offer to put the game aside, a lost connection."""
    press(album.app, "f1")
    album.take("help")
    press(album.app, "esc")
    if album.small:
        table.change(adjourn_from=frozenset({1}))
        album.take("an offer to put the game aside")
        table.change(adjourn_from=frozenset())
    table.put(lines=(*table.chat.lines, ChatLine(1, "shall we?")))
    table.change(table.chat.lines[-1])
    album.take("chat")
    table.change(away={1: album.app.now() - 30.0})
    album.take("a lost connection")
    table.change(away={})


def _moving(kind: str, screen: Screen, album: Album, clock: Clock) -> None:
    """Takes pictures of what moves, at fixed times."""
    if not album.small:
        return
    album.app.paint(*album.size, clock.time)
    begun = clock.time
    for after in MOVING:
        clock.time = begun + after
        if screen.next_frame(clock.time) is not None:
            album.take(f"{kind}, {after} s")


def other_pictures(scenario: Scenario, size: tuple[int, int], frame: Frame) -> dict[str, str]:
    """Returns the replay at some positions, a spectator twice, the dossier, and the game in short."""
    clock = Clock()
    album = Album(app_at(clock), size, frame, clock)
    game = finished_game(scenario)
    names = scenario.table(clock).occupants.names
    count = len(board_screens.position_lines(game, names)) - 2
    for at in sorted({round(count * part / (POSITIONS - 1)) for part in range(POSITIONS)}):
        with _on_stack(album, board_screens.replay_screen(game, names, album.app, at)):
            album.take(f"replay {at}", depths=at == count)
    for part in (3, 1):
        table = scenario.table(clock)
        while not isinstance(table.ask, Result) and len(table.story) < len(game.story) // part:
            table.answer()
        with _on_stack(album, board_screens.watch_screen(WholeGameWatch(table), album.app)):
            album.take(f"watched at {len(table.story)}", depths=part > 1)
    with _on_stack(album, board_screens.dossier_screen(game, names, 0, album.app)):
        album.take("the end", depths=True)
        press(album.app, "d")
        album.take("dossier", depths=True)
    with _on_stack(album, board_screens.about_screen(scenario.game, album.app)):
        album.take("about")
    return album.pictures


@contextmanager
def _on_stack(album: Album, screen: Screen) -> Iterator[None]:
    album.app.push(screen)
    yield
    album.app.pop(screen)


def told_live(scenario: Scenario) -> str:
    """Returns a whole game in the line mode of seat 0: what is said of events, and the first prompts of each kind."""
    table = scenario.table(Clock())
    seat = board_screens.plain_seat(table)
    said = ["-- help --", *seat.help(), "-- start --", *seat.describe()]
    table.subscribe(lambda event: said.extend(seat.on_event(event)) if event is not None else None)
    prompts: dict[str, int] = {}
    while not isinstance(ask := table.ask, Result):
        table.offer()
        topic = topic_of(ask)
        if table.arena_peer.asked is not None and prompts.setdefault(topic, 0) < PROMPTS:
            prompts[topic] += 1
            said += [f"-- {topic} --", *seat.describe(), "?", *seat.prompt()]
            said += ["> nonsense", *seat.submit("nonsense").lines, "--"]
        table.answer()
    return "\n".join([*said, "-- end --", *seat.describe()])


def told_after(scenario: Scenario) -> str:
    """Returns the positions of the replay, and the dossier, in sentences."""
    game, names = finished_game(scenario), scenario.table(Clock()).occupants.names
    positions = board_screens.position_lines(game, names)
    return "\n".join([*positions, "-- dossier --", *board_screens.dossier_lines(game, names, 0)])
