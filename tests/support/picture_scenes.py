"""What the pictures in docs/pictures show: situations of seeded games and pretended networks, on a clock that stands.

A scene is a coroutine that returns an app. What this app paints is the picture. To add a picture, write a scene below,
run `python -m tests.tools.pictures NAME`, and refer to the picture from a page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from kimberley.client.boards.registry import find_board
from kimberley.client.screens.app import App
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.network_advice import SILENT_SECONDS
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.watch import WatchScreen
from kimberley.client.session.services import JoinedTournament, KeptGame, RecordFinding
from kimberley.games import lookup
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State as TrustState
from kimberley.games.table import Result
from kimberley.p2p.table.common_options import UNTIL_DONE
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.transport.table_card import TournamentCard
from tests.support import capture_diagrams
from tests.support.angola import LOOK, MOXICO, PLAN, TOLD, Script
from tests.support.angola import table as trust_table
from tests.support.asyncs import until
from tests.support.board_snapshots import Clock, Scenario, topic_of
from tests.support.pretend import PretendServices, PretendTable, listed, open_table, press, pretend_app, shown
from tests.support.pretend_source import PretendSource
from tests.support.pretend_tournament import PretendClient
from tests.support.recorded_table import RECORD, RecordedTable
from tests.support.whole_game_table import WholeGameTable, WholeGameWatch

Size = tuple[int, int]
SMALL: Final = (80, 24)
LARGE: Final = (120, 40)
CLOCK: Final = 100.0
NOON: Final = 1_763_640_000.0
"""Noon of a day of another year: lists show it with its year, whenever the picture is drawn."""
DAY: Final = 86_400.0
WORDS: Final = ("cavalry", "delta", "refuge", "timber")


@dataclass(frozen=True)
class Scene:
    """A picture: what it shows, the size of the terminal, and how the app gets there."""

    shows: str
    size: Size
    play: Callable[[], Awaitable[App]]


SCENES: Final[dict[str, Scene]] = {}
"""All pictures by their names."""

Play = Callable[[], Awaitable[App]]


def scene(name: str, shows: str, size: Size = SMALL) -> Callable[[Play], Play]:
    """Adds a scene of that name."""

    def add(play: Play) -> Play:
        SCENES[name] = Scene(shows, size, play)
        return play

    return add


def started(services: PretendServices | None = None, clock: Clock | None = None) -> App:
    """Returns the title screen of an app whose clock stands, unless the scene moves it."""
    app = pretend_app(services)
    app.now = (clock or Clock(CLOCK)).now  # type: ignore[method-assign]
    app.push(TitleScreen(app))
    return app


def at_table(table: PretendTable, *keys: str, clock: Clock | None = None) -> App:
    """Returns the screen of a table, on which these keys were pressed."""
    app = started(PretendServices(table), clock)
    app.take_seat(table)
    app.paint(*SMALL, app.now())
    while app.stack[-1].skip(app.now()):
        app.paint(*SMALL, app.now())
    press(app, *keys)
    return app


def advanced(scenario: Scenario, topic: str, count: int, seat: int | None = None) -> WholeGameTable:
    """Returns a game up to where that topic is asked for the `count`th time: of a seat, or of anybody."""
    table = scenario.table(Clock(CLOCK))
    while not isinstance(ask := table.ask, Result):
        if topic_of(ask) == topic and ask.choosers and seat in (None, *ask.choosers):
            count -= 1
            if not count:
                return table
        table.answer()
    raise LookupError(f"{topic} is not asked that often")


def played(scenario: Scenario, topic: str, count: int) -> WholeGameTable:
    """Returns a game up to where this seat is asked that topic for the `count`th time."""
    table = advanced(scenario, topic, count, seat=0)
    table.offer()
    return table


def watched(scenario: Scenario, topic: str, count: int) -> App:
    """Returns the screen of a spectator when that topic is asked for the `count`th time."""
    app = started()
    app.push(WatchScreen(app, WholeGameWatch(advanced(scenario, topic, count))))
    return app


# -- around the games --------------------------------------------------------------------------------------------------


@scene("title", "The title screen")
async def title() -> App:
    tables = (listed("ben"), listed("carla", title="Diamond Mine", game="mine", total=4, taken=2))
    app = started(PretendServices(tables=tables))
    await until(lambda: "2 tables" in shown(app))
    return app


@scene("records", "Finished games")
async def records() -> App:
    trust, fair = ("diamond-trust", "Diamond Trust of London"), "every seat was run again from its seed"
    rows: tuple[tuple[tuple[str, str], tuple[str, ...], tuple[int, ...], str, str], ...] = (
        (trust, ("ana", "ben"), (1, 2), "fair", "ana won against ben: London has more diamonds, 14 to 11"),
        (trust, ("ben", "ana"), (1, 2), "fair", "ben won against ana: London has more diamonds, 9 to 7"),
        (("mine", "Diamond Mine"), ("ana", "ben", "carla", "dan"), (2, 1, 4, 3), "fair", "ben won"),
        (("piecepack", "Blood Diamonds: Piecepack"), ("carla", "ana", "ben"), (1, 2, 3), "fair", "carla won"),
        (("diamond", "Diamond"), ("ana", "carla"), (1, 2), "unfair", ""),
        (("land", "Blood Diamonds: Land"), ("ana", "ben"), (1, 2), "fair", "ana won"),
        (trust, ("ana", "dan"), (), "incomplete", ""),
    )
    services = PretendServices()
    services.kept = tuple(
        KeptGame(Path(f"/home/ana/records/{names[0]}-{names[1]}.kdt"), 328_456 - 40_000 * day, NOON - DAY * day,
                 str(day),
                 *game, names, names.index("ana"), RecordFinding(verdict, fair, result, places))
        for day, (game, names, places, verdict, result) in enumerate(rows)
    )  # fmt: skip
    app = started(services)
    press(app, "r")
    await until(lambda: "7 games" in shown(app))
    return app


@scene("join", "Tables on this network")
async def join() -> App:
    cup = TournamentCard("Friday Cup", "swiss", 3, 0, 3, False)
    app = started(PretendServices(tables=(
        listed("carla", title="Diamond Mine", game="mine", total=4, taken=2),
        listed("ben", key="met", rtt=0.001),
        listed("Friday Cup", tournament=cup, taken=0, total=0, address="192.168.1.31", rtt=0.021),
    )))  # fmt: skip
    screen = JoinScreen(app)
    app.push(screen)
    screen.on_tables_changed()
    press(app, "down", "down")
    return app


@scene("nothing-found", "A table that does not answer, and what to try")
async def nothing_found() -> App:
    services = PretendServices()
    services.silent = 1
    app = started(services)
    screen = JoinScreen(app)
    app.push(screen)
    screen.on_tables_changed()
    now = app.now() + SILENT_SECONDS
    app.now = lambda: now  # type: ignore[method-assign]
    return app


@scene("setup", "The options of an open table")
async def setup() -> App:
    table = open_table(lookup.find("mine"))
    app = started(PretendServices(table))
    app.take_seat(table)
    press(app, "o", "right")
    return app


def mine_table(phase: str, taken: int, seat: int) -> PretendTable:
    """Returns a table of Diamond Mine before its game begins."""
    return PretendTable(
        game=lookup.find("mine"), phase=phase, seats=4, seat=seat, host=seat == 0, asks_ready=True,
        names=("carla", "ben", "ana", "gita")[:taken], readiness=(False, True, True, True)[:taken], phrase=WORDS,
        acquaintance=tuple("you" if each == seat else "new" for each in range(taken)),
        agreed=(True, True, False, False)[:taken], options={"flawless": False},
    )  # fmt: skip


@scene("host", "An open table")
async def host() -> App:
    return at_table(mine_table("open", 3, 0))


async def offering(size: Size) -> App:
    """Returns a table for two, whose host has a friend without a copy."""
    table = PretendTable(phase="open", names=("ana",), readiness=(False,), acquaintance=("you",), agreed=(False,))
    app = at_table(table, "f")
    await until(lambda: "Your friend types this" in shown(app, *size))
    return app


@scene("host-copy", "For a friend without Kimberley: the line to type")
async def host_copy() -> App:
    return await offering(SMALL)


@scene("host-copy-120x40", "For a friend without Kimberley, in a larger terminal", LARGE)
async def host_copy_large() -> App:
    return await offering(LARGE)


@scene("lobby", "The four words")
async def lobby() -> App:
    return at_table(mine_table("words", 4, 2))


@scene("rules", "F1: the rules of the game")
async def rules() -> App:
    return at_table(trust_table(), "f1", "tab")


@scene("banner", "A lost connection and a chat message")
async def banner() -> App:
    table = played(DIAMOND, "move", 12)
    app = at_table(table)
    table.put(lines=(*table.chat.lines, ChatLine(1, "my laptop sleeps soon, one minute")))
    table.change(table.chat.lines[-1])
    table.change(away={1: CLOCK - 30.0})
    return app


@scene("cup", "A tournament between its rounds")
async def cup() -> App:
    source = PretendSource.open(names=("ana", "ben", "carla", "dmitri", "eva", "finn"))
    source.pair()
    for table in range(3):
        source.decide(1, table, (1, 2) if table else (2, 1))
    source.pair()
    source.decide(2, 2, (1, 2))
    app = started()
    client = PretendClient(source, "ana")
    app.take_seat(JoinedTournament(client))
    client.change("event", phase="seated")
    return app


# -- Diamond Trust of London -------------------------------------------------------------------------------------------

INSPECTED: Final[Script] = {**LOOK, (2, RoundStep.MOVE): PLAN, (2, RoundStep.INSPECT): MOXICO}
"""A second round in which ana turns (1) and moves the agents as planned."""
TURNING: Final[Script] = {(2, RoundStep.PAY): (6, 0)}
"""A second round in which ben turns [1]."""
BOTS: Final = Scenario("diamond-trust", 2, 1, {}, bots=True)


def trust(mine: Script, theirs: Script, *keys: str) -> App:
    return at_table(trust_table(mine, theirs, now=lambda: CLOCK - 2.0, times=UNTIL_DONE), *keys)


@scene("pay", "Paying agents in Diamond Trust of London")
async def pay() -> App:
    return at_table(trust_table(), "tab", "2", "enter", "tab", "3")


@scene("pay-120x40", "Paying an agent, at 120 by 40", LARGE)
async def pay_large() -> App:
    return await pay()


@scene("guide", "The guide: a note on the first month")
async def guide() -> App:
    table = played(Scenario("diamond-trust", 2, 1, {}), "pay", 1)
    table.put(acquaintance=("you", "bot"))
    app = started(PretendServices(table))
    app.take_seat(table, guide_from=0)
    app.paint(*SMALL, app.now())
    press(app, "f3")
    return app


@scene("last-look", "Reveal and adjust: the double agent (1) has revealed its plan")
async def last_look() -> App:
    return trust(LOOK, TOLD)


@scene("adjusted", "A move, adjusted to a plan that a double agent revealed")
async def adjusted() -> App:
    return trust(LOOK, TOLD, "1", "enter", "4")


@scene("told", "The double agent (1) reveals that it bribed [1]")
async def told() -> App:
    return trust({(2, RoundStep.PAY): LOOK[2, RoundStep.PAY]}, TURNING, "1")


@scene("treason", "One of your agents is a double agent for the opponent")
async def treason() -> App:
    clock = Clock(CLOCK)
    table = trust_table({}, TURNING, now=lambda: CLOCK - 2.0, times=UNTIL_DONE)
    app = at_table(table, "tab", "6", "enter", "tab", "1", "enter", "d", clock=clock)
    clock.time += find_board("diamond-trust").game.key_delay
    press(app, "enter")
    return app


@scene("month", "What happened this month")
async def month() -> App:
    paid = {(2, RoundStep.PAY): LOOK[2, RoundStep.PAY]}
    rest = {(2, step): script[2, step] for script in (INSPECTED,) for step in (RoundStep.MOVE, RoundStep.INSPECT)}
    return trust({**paid, **rest}, TOLD, "d", "y")


@scene("sale", "The sale")
async def sale() -> App:
    return trust(INSPECTED, TOLD, "right")


@cache
def whole_game() -> tuple[WholeGameTable, Clock]:
    """Plays a game to its end, with bots."""
    clock = Clock(CLOCK)
    table = BOTS.table(clock)
    while not isinstance(table.ask, Result):
        table.answer()
    return table, clock


@scene("end", "The end: how the game went")
async def end() -> App:
    return await ended(*whole_game())


async def ended(table: WholeGameTable, clock: Clock) -> App:
    """Returns what the screen shows when a game is over and its audit is done."""
    game = table.audited_game()
    app = at_table(table, clock=clock)
    record = Path("~/.local/share/kimberley/records/2026-11-20-ana-ben.kdt")
    table.change(phase="done", audited=game, verdict=game.verdict, record=record)
    await until(lambda: "rematch" in shown(app).lower())
    return app


@scene("dossier", "The dossier")
async def dossier() -> App:
    app = await end()
    press(app, "d")
    return app


@scene("log", "The log of a game")
async def log() -> App:
    return at_table(played(BOTS, "pay", 4), "l")


@scene("watch-diamond-trust", "Watching Diamond Trust")
async def watch_diamond_trust() -> App:
    return watched(BOTS, "move", 3)


# -- the other games ---------------------------------------------------------------------------------------------------

DIAMOND: Final = Scenario("diamond", 2, 10, {}, bots=True)
LAND: Final = Scenario("land", 3, 1, {}, {"turns": 25}, bots=True)
MINE: Final = Scenario("mine", 4, 6, {}, bots=True)
PIECEPACK: Final = Scenario("piecepack", 3, 4, {}, bots=True)


@scene("diamond", "Diamond: a piece is selected")
async def diamond() -> App:
    return at_table(played(DIAMOND, "move", 5), "tab", "right", "down", "enter")


@scene("diamond-captures", "Five moves of Diamond: one captures, four do not", capture_diagrams.SIZE)
async def diamond_captures() -> App:
    app = started()
    app.push(capture_diagrams.CaptureDiagrams(app))
    return app


@scene("land", "Blood Diamonds: Land")
async def land() -> App:
    return at_table(played(LAND, "turn", 9), "b", "1", "4", "0")


@scene("land-120x40", "Blood Diamonds: Land, at 120 by 40", LARGE)
async def land_large() -> App:
    return await land()


@scene("mine", "Diamond Mine: a path is chosen")
async def mine() -> App:
    return at_table(played(MINE, "move", 5), "tab")


@scene("watch-mine", "Watching Diamond Mine")
async def watch_mine() -> App:
    return watched(MINE, "move", 14)


@scene("piecepack", "Blood Diamonds: Piecepack: a tile is drawn")
async def piecepack() -> App:
    return at_table(played(PIECEPACK, "place", 4))


@scene("piecepack-120x40", "Blood Diamonds: Piecepack, at 120 by 40", LARGE)
async def piecepack_large() -> App:
    return await piecepack()


@scene("log-piecepack", "The log of a game of Piecepack")
async def log_piecepack() -> App:
    return at_table(played(PIECEPACK, "action", 4), "l")


# -- the picture that moves --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MovingScene:
    """One frame of a picture that moves: how the app gets there, the caption below it, and its seconds."""

    play: Play
    caption: str
    seconds: float


class Recorded:
    """The recorded game at its player's screen, up to where `step` of a month is asked."""

    def __init__(self, month: int, step: RoundStep) -> None:
        self.clock = Clock(CLOCK)
        self.table = RecordedTable(RECORD, self.clock.now)
        while (self.state.round(), self.state.step) != (month, step):
            self.table.answer()
        self.table.offer()

    @property
    def state(self) -> TrustState:
        state = self.table.all_seats.arena.truth
        assert isinstance(state, TrustState)
        return state

    def screen(self, *keys: str) -> App:
        """Returns the screen, after these keys."""
        return at_table(self.table, *keys, clock=self.clock)


BRIBE: Final = ("1", "9")
BRIBES: Final = (*BRIBE, "enter", "2", "4", "enter", "d")
CHANGES: Final = ("1", "enter", "9", "enter", "4", "enter", "3", "enter", "3", "enter")
"""What the keys choose is what the record has, or `RecordedTable` does not go on."""


async def recorded_bribe() -> App:
    return Recorded(3, RoundStep.PAY).screen(*BRIBE)


async def recorded_heart() -> App:
    game = Recorded(3, RoundStep.PAY)
    app = game.screen(*BRIBES)
    game.table.answer()
    game.table.answer()
    return app


async def recorded_plan() -> App:
    return Recorded(4, RoundStep.MOVE).screen()


async def recorded_change() -> App:
    return Recorded(4, RoundStep.MOVE).screen(*CHANGES)


async def recorded_month() -> App:
    game = Recorded(4, RoundStep.MOVE)
    app = game.screen(*CHANGES, "d")
    game.table.answer()
    game.table.answer()
    while "This month" not in shown(app):
        app.paint(*SMALL, app.now())
        game.clock.time += 1.0
    return app


async def recorded_end() -> App:
    game = Recorded(1, RoundStep.INSPECTOR)
    while not isinstance(game.table.ask, Result):
        game.table.answer()
    return await ended(game.table, game.clock)


async def recorded_dossier() -> App:
    app = await recorded_end()
    press(app, "d")
    return app


MOVING: Final[dict[str, tuple[MovingScene, ...]]] = {
    "game": (
        MovingScene(recorded_bribe, "Month 3. In secret, ana offers (1) a bribe of $9.", 3.0),
        MovingScene(recorded_heart, "Its salary is $6, so the bribe wins it over. Now (1) reports to ana.", 3.0),
        MovingScene(recorded_plan, "Month 4. (1) reveals its plan: it stays in Huila and offers $7, as ana does.", 3.5),
        MovingScene(recorded_change, "ana adjusts her plan: $9 in Huila, and $4 for the Inspector.", 3.5),
        MovingScene(recorded_month, "ben had learned of her $7 and offered $8. Her $9 takes them: 16 this month.", 2.5),
        MovingScene(recorded_end, "In the end every secret is open: how it went, and where it turned.", 2.0),
        MovingScene(recorded_dossier, "Who paid whom, what it revealed, and the proof that it was fair.", 2.5),
    )
}
"""Pictures that move. Each shows one recorded game, from one seat."""
