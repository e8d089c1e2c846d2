"""A fake table and a fake network, for tests of what screens show, in which no game is played."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from prompt_toolkit.application import application
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.output import DummyOutput

from kimberley.client.screens.app import App
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.copy_offer import CopyOffer, SharedTable
from kimberley.client.session.interfaces import SpectatorLike
from kimberley.client.session.services import KeptGame, ListedTable, NearbyTables, Stop, UnfinishedGame
from kimberley.client.session.settings import Settings
from kimberley.client.session.sharing import copy_offer
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.games import lookup
from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Answer, Ask, Decide, Game, Plain, Result, State
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sharing.archive import SharedFile
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.table import Table
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.transport.ports import SHARE_PORT
from kimberley.protocol.events import Asked

S = TypeVar("S", bound=State)

# Keys of prompt_toolkit's own, of which the program uses none. Each app would make them anew, in 16 ms.
vars(application)["load_key_bindings"] = cache(load_key_bindings)


class PretendPeer(Generic[S]):
    """What a seat knows about a game in which one seat at a time decides: what clients read of a
    `p2p.table.runner.PeerView`, without a protocol.
    """

    def __init__(self, seat: int, state: S) -> None:
        self.first_state, self.state, self._seat = state, state, seat
        self.story: tuple[tuple[Ask, Answer], ...] = ()

    @property
    def result(self) -> Result | None:
        ask = self.state.ask()
        return ask if isinstance(ask, Result) else None

    @property
    def asked(self) -> Asked | None:
        ask = self.state.ask()
        return Asked(len(self.story), ask, ask.space) if isinstance(ask, Decide) and ask.seat == self._seat else None

    @property
    def waiting(self) -> tuple[int, ...]:
        ask = self.state.ask()
        return (ask.seat,) if isinstance(ask, Decide) else ()

    def apply(self, answer: Answer) -> None:
        """Applies the table's answer to the pending ask."""
        ask = self.state.ask()
        assert not isinstance(ask, Result)
        self.story = (*self.story, (ask, answer))
        self.state = cast(S, self.state.apply(answer))


FRESH: Final[Mapping[str, Any]] = {
    "game": GAME,
    "host": True,
    "host_seat": 0,
    "seat": 0,
    "seats": 2,
    "names": ("ana", "ben"),
    "options": {"last_look": 12},
    "phase": "words",
    "readiness": (False, False),
    "asks_ready": False,
    "called_bots": (),
    "phrase": ("amber", "canyon", "piano", "velvet"),
    "acquaintance": ("you", "new"),
    "agreed": (False, False),
    "queue": (),
    "addresses": ("192.168.1.7",),
    "port": 7411,
}
"""What a test sees at a table for which it sets nothing."""

ROOM: Final = "kimberley.p2p.table."
"""Where the parts of a table are defined."""


class PretendTable(Table):
    """A table without a network: a test sets what its parts show. `done` records what the player does."""

    def __init__(self, **values: Any) -> None:
        given = {**FRESH, **values}
        given.setdefault("partners", frozenset(range(len(given["names"]))) - {given["seat"]})
        game, seats = given["game"], given["seats"]
        super().__init__(game, Identity.fresh(), None, host=given["host"], headless=False, spectators=0)
        numbers = tuple(number for number in game.seats if number <= seats)
        terms = TableTerms("", 0, (), seats)
        self.occupants.lobby = HostLobby(
            self.identity, "ana", terms, numbers, self.on_roster_signed, self.seating.on_people_changed
        )
        self.done: list[tuple[Any, ...]] = []
        self.listeners: list[Callable[[Any], None]] = []
        super().subscribe(self.change)
        for part, name, act in (
            (self.seating, "ready", self._on_ready),
            (self.words, "answer", self._on_answer),
            (self.hosting, "change_options", self.change_options),
            (self.hosting, "open_again", self._on_open_again),
            (self.hosting, "send_away", self._on_send_away),
            (self.play, "choose", self.take_choice),
            (self.play, "resign", partial(self._note, "resign")),
            (self.chat, "say", self._on_say),
            (self.rematch, "want", self._on_again),
            (self.adjournment, "vote", partial(self._note, "aside")),
            (self.abandonment, "declare", partial(self._note, "abandon")),
            (self.departures, "leave", partial(self._note, "leave")),
        ):
            put(part, name, act)
        self.put(**given)

    def put(self, **values: Any) -> None:
        """Sets what the parts show. Each name is that of a member of one of the parts."""
        inside = (one for one in vars(self).values() if type(one).__module__.startswith(ROOM))
        # `words` shows a warning of the `trust`.
        parts = (self, *(one for one in inside if one is not self.trust))
        for name, value in values.items():
            part = next(part for part in parts if hasattr(type(part), name) or name in getattr(part, "__dict__", ()))
            put(part, name, distinct_names(value) if name == "names" else value)

    def change(self, event: Any = None, **values: Any) -> None:
        """Sets what the parts show and notifies the listeners."""
        self.put(**values)
        for listener in list(self.listeners):
            listener(event)

    def subscribe(self, callback: Callable[[Any], None]) -> Stop:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    async def suspend(self, problem: str = "") -> None:
        self._note("suspend")

    async def close(self) -> None:
        self._note("close")

    # -- what the player does ------------------------------------------------------------------------------------------

    def take_choice(self, plain: Plain, *, final: bool = True) -> None:
        del final
        self._note("choose", plain)

    def change_options(self, options: Mapping[str, Plain], seats: int, game: Game | None = None) -> None:
        self._note("options", dict(options), seats, *([] if game in (None, self.game) else [game]))
        self.put(game=game or self.game)
        numbers = tuple(number for number in self.game.seats if number <= seats)
        self.change(options=dict(options), seats=seats, numbers=numbers, readiness=(False,) * len(self.occupants.names))

    def _on_ready(self, yes: bool) -> None:
        self._note("ready", yes)
        self.change(readiness=self._with_own(self.occupants.readiness, yes))

    def _on_answer(self, yes: bool) -> None:
        self._note("same", yes)
        self.change(agreed=self._with_own(self.words.agreed, yes))

    def _on_open_again(self) -> None:
        self._note("open again")
        self.change(phase="open", readiness=(False,) * len(self.occupants.names))

    def _on_send_away(self, seat: int) -> None:
        self._note("away", seat)
        there = self.occupants
        words = self.words
        kept = {"names": there.names, "readiness": there.readiness, "agreed": words.agreed}
        kept["acquaintance"] = words.acquaintance
        self.change(**{name: (*value[:seat], *value[seat + 1 :]) for name, value in kept.items()})

    def _on_say(self, text: str) -> None:
        line = ChatLine(self.occupants.seat, text)
        self.change(line, lines=(*self.chat.lines, line))

    def _on_again(self) -> None:
        self._note("again")
        self.change(again_from=self.rematch.again_from | {self.occupants.seat})

    def _with_own(self, said: tuple[bool, ...], yes: bool) -> tuple[bool, ...]:
        """Returns what all have said, with what this seat says."""
        return tuple(yes if seat == self.occupants.seat else before for seat, before in enumerate(said))

    def _note(self, *what: Any) -> None:
        self.done.append(what)


def put(part: Any, name: str, value: Any) -> None:
    """Sets what a part of a table shows, even if it works that out itself."""
    if isinstance(getattr(type(part), name, None), property):
        part.__class__ = type(type(part).__name__, (type(part),), {"__module__": type(part).__module__, name: value})
    else:
        setattr(part, name, value)


class PretendSharing:
    """A copy of the program for friends, which nobody serves: at the first address of the table, or 192.168.1.7."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.closed = False

    def offer(self) -> CopyOffer:
        host = next(iter(self._table.addresses), "192.168.1.7")
        table = SharedTable(self._table.port, self._table.game.title, tuple(self._table.occupants.numbers))
        return copy_offer("ana", host, SHARE_PORT, SharedFile("kimberley.pyz", b"the program"), None, table)

    async def close(self) -> None:
        self.closed = True


class PretendServices:
    """Returns `table`, lists `tables`, and fails with `trouble` if it is set."""

    only_host: str | None = None
    in_tournament = False
    serves_pages = False
    may_host = True

    def __init__(self, table: Table | None = None, tables: tuple[ListedTable, ...] = (), trouble: str = "") -> None:
        self.table = table or PretendTable()
        self.tables = tables
        self.trouble = trouble
        self.asked: list[tuple[Any, ...]] = []
        self.watchers: list[Callable[[], None]] = []
        self.silent = 0
        self.waiting: tuple[UnfinishedGame, ...] = ()
        self.kept: tuple[KeptGame, ...] = ()
        self.judged: dict[str, KeptGame] = {}
        self.watch_like: SpectatorLike | None = None
        self.sharing: PretendSharing | None = None
        self.built = asyncio.Event()
        """A copy is shared only once this is set."""
        self.built.set()

    async def _give(self, *asked: Any) -> Table:
        self.asked.append(asked)
        if self.trouble:
            raise UserError(self.trouble)
        return self.table

    async def host(
        self,
        game: str,
        options: Mapping[str, Plain],
        seats: int,
        *,
        port: int | None = None,
        bind: str | None = None,
        far: bool = False,
    ) -> Table:
        return await self._give("host", game, dict(options), seats)

    def invite_far(self, table: Table, *, anew: bool = False) -> None:
        self.asked.append(("invite_far", *(["anew"] if anew else [])))
        if self.trouble:
            raise UserError(self.trouble)

    async def join(self, where: ListedTable | str, queued: Callable[[str], None] = lambda sentence: None) -> Table:
        return await self._give("join", where if isinstance(where, str) else where.name)

    async def spectate(self, where: ListedTable | str) -> SpectatorLike:
        self.asked.append(("spectate", where if isinstance(where, str) else where.name))
        if self.trouble or self.watch_like is None:
            raise UserError(self.trouble or "nobody plays")
        return self.watch_like

    async def keep(self, names: Sequence[str], record: bytes) -> Path:
        self.asked.append(("keep", tuple(names), len(record)))
        return Path("/home/ana/records/kept.kdt")

    async def alone(self, game: str, options: Mapping[str, Plain], seats: int, level: int) -> Table:
        return await self._give("alone", game, dict(options), seats, level)

    async def take_back(self, table: Table, choices: int) -> Table:
        return await self._give("take back", choices)

    async def unfinished(self) -> tuple[UnfinishedGame, ...]:
        return self.waiting

    async def records(self) -> tuple[KeptGame, ...]:
        return self.kept

    async def verify(self, game: KeptGame) -> KeptGame:
        self.asked.append(("verify", game.path.name))
        return self.judged.get(game.digest, game)

    async def resume(self, which: UnfinishedGame | str | None) -> Table:
        return await self._give("resume", which.key if isinstance(which, UnfinishedGame) else which)

    async def seat_bot(self, table: Table, level: int) -> None:
        await self._give("bot", level)
        pretend = self.table
        assert isinstance(pretend, PretendTable)
        pretend.change(
            names=(*pretend.occupants.names, f"Orlov {len(pretend.occupants.names)}"),
            acquaintance=(*pretend.words.acquaintance, "bot"),
            called_bots=(
                *[False] * len(pretend.occupants.names),
                *pretend.occupants.called_bots[len(pretend.occupants.names) :],
                True,
            ),
            readiness=(*pretend.occupants.readiness, True),
        )

    async def share(self, table: Table, picture: str) -> PretendSharing:
        self.asked.append(("share",))
        await self.built.wait()
        if self.trouble:
            raise UserError(self.trouble)
        self.sharing = PretendSharing(table)
        return self.sharing

    def nearby(self) -> NearbyTables:
        return NearbyTables(self.tables, self.silent)

    def watch(self, changed: Callable[[], None]) -> Stop:
        self.watchers.append(changed)
        return lambda: self.watchers.remove(changed)

    async def addresses(self) -> tuple[str, ...]:
        return ("192.168.1.12",)

    async def warm(self) -> None:
        return None

    async def close(self) -> None:
        return None


def open_table(game: Game = GAME, **values: Any) -> PretendTable:
    """Returns an open table of a game, for as few as can play it, at which its host sits alone."""
    options = {option.name: option.values[0][0] for option in game.options} | {"last_look": 20 * game.last_looks}
    given = {"game": game, "options": options, "seats": game.seats[0], "phase": "open", "names": ("ana",),
             "acquaintance": ("you",), "agreed": (False,), "readiness": (False,), "phrase": None}  # fmt: skip
    return PretendTable(**(given | values))


def set_up(app: App, game: Game, table: Table | str) -> SetupScreen:
    """Returns the options of a game that is played "alone", or of an open table: this one, or one of the "host"."""
    at = open_table(game) if table == "host" else None if table == "alone" else table
    assert not isinstance(at, str)
    return SetupScreen(app, game, at)


def listed(host: str, **values: Any) -> ListedTable:
    """Returns a table in the list."""
    given: dict[str, Any] = {
        "name": host, "game": "diamond-trust", "title": "Diamond Trust of London", "host": host, "taken": 1,
        "total": 2, "key": "new", "address": "192.168.1.23", "versions": None, "rtt": 0.002,
    }  # fmt: skip
    return ListedTable(**(given | values))


def pretend_app(services: PretendServices | None = None, **settings: Any) -> App:
    """Returns the app without a terminal. `App.paint` paints its screens. Needs a running event loop."""
    given: dict[str, Any] = {
        "nickname": "ana", "colours": "24-bit", "theme": "dark", "glyphs": "full", "calm": True,
        "guided": list(lookup.ids()),
    }  # fmt: skip
    chosen = Settings(**(given | settings))
    open_window = partial(TerminalWindow, input=DummyInput(), output=DummyOutput())
    return App(chosen, services or PretendServices(), open_window)


def running(test: Callable[[App], Awaitable[None]], services: PretendServices | None = None) -> None:
    """Runs a test on the event loop, with the title screen of an app."""

    async def main() -> None:
        app = pretend_app(services)
        app.push(TitleScreen(app))
        await test(app)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def shown(app: App, columns: int = 80, rows: int = 24) -> str:
    """Returns what the app's screens show now, as text."""
    return "\n".join(app.paint(columns, rows, app.now()).lines())


def noted_copies(app: App) -> list[str]:
    """Returns a list that gets everything that the app copies from now on."""
    copied = list[str]()
    app.copy = copied.append  # type: ignore[method-assign, assignment]
    return copied


def press(app: App, *keys: str) -> None:
    """Sends keys as the terminal would."""
    for key in keys:
        app.key(key)


def touch(app: App, text: str, columns: int = 80, rows: int = 24) -> None:
    """Clicks on a text, at its last occurrence in the first row that has it."""
    lines = app.draw(columns, rows).lines()
    y = next(number for number, line in enumerate(lines) if text in line)
    app.touch(lines[y].rindex(text), y, "left")
