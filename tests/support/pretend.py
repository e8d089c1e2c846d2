"""A fake table and a fake network, for tests of what screens show, in which no game is played."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from prompt_toolkit.application import application
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.output import DummyOutput

from kimberley.client.screens.app import App
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.copy_offer import CopyOffer, SharedTable
from kimberley.client.session.ports import PeerLike, SpectatorLike, TableLike, VerdictLike
from kimberley.client.session.services import KeptGame, ListedTable, NearbyTables, Stop, UnfinishedGame
from kimberley.client.session.settings import Settings
from kimberley.client.session.sharing import copy_offer
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.games import lookup
from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Answer, Ask, Decide, Game, Plain, Result, State
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.far.door import FarDoor
from kimberley.p2p.sharing.archive import SharedFile
from kimberley.p2p.sharing.server import SHARE_PORT
from kimberley.p2p.table.events import ChatLine, TableChanged
from kimberley.p2p.table.page_seats import PageSeats
from kimberley.p2p.table.table import Notice
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.events import Asked

S = TypeVar("S", bound=State)

# Keys of prompt_toolkit's own, of which the program uses none. Each app would make them anew, in 16 ms.
vars(application)["load_key_bindings"] = cache(load_key_bindings)


class PretendPeer(Generic[S]):
    """What a seat knows about a game in which one seat at a time decides: `client.session.ports.PeerLike`, without a
    protocol.
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


class PretendTable:
    """A table whose attributes a test can all set. `done` records the calls."""

    def __init__(self, **values: Any) -> None:
        self.game: Game = GAME
        self.options: Mapping[str, Plain] = {"last_look": 12}
        self.seats = 2
        self.host_seat = 0
        self.warning: str | None = None
        self.unannounced: str | None = None
        self.away: dict[int, float] = {}
        self.not_come: frozenset[int] = frozenset()
        self.addresses: tuple[str, ...] = ("192.168.1.7",)
        self.port = 7411
        self.bind: str | None = None
        self.page_seats = PageSeats(lambda channel: None)
        self.far = FarDoor(lambda: ("localhost", self.port), lambda: self.change(TableChanged("far")))
        self.nicknames: tuple[str, ...] = ("ana", "ben")
        self.queue: tuple[str, ...] = ()
        self.seat = 0
        self.host = True
        self.phase = "words"
        self.readiness: tuple[bool, ...] = (False, False)
        self.asks_ready = self.begins = False
        self.problem: str | None = None
        self.phrase: tuple[str, ...] | None = ("amber", "canyon", "piano", "velvet")
        self.acquaintance: tuple[str, ...] = ("you", "new")
        self.called_bots: tuple[bool, ...] = ()
        self.resumable = self.can_adjourn = self.adjourned = False
        self.adjourn_from: frozenset[int] = frozenset()
        self.abandon_from: frozenset[int] = frozenset()
        self.absent: tuple[int, ...] = ()
        self.grace = 120
        self.agreed: tuple[bool, ...] = (False, False)
        self.peer: PeerLike | None = None
        self.final_adjustment_until: float | None = None
        self.talk: list[ChatLine] = []
        self.verdict: VerdictLike | None = None
        self.audited: AuditedGame | None = None
        self.record: Path | None = None
        self.again_from: frozenset[int] = frozenset()
        self.done: list[tuple[Any, ...]] = []
        self.listeners: list[Callable[[Any], None]] = []
        for name, value in values.items():
            setattr(self, name, value)
        self.numbers: tuple[int, ...] = tuple(number for number in self.game.seats if number <= self.seats)

    @property
    def names(self) -> tuple[str, ...]:
        return distinct_names(self.nicknames)

    @names.setter
    def names(self, nicknames: tuple[str, ...]) -> None:
        self.nicknames = nicknames

    def change(self, event: Any = None, **values: Any) -> None:
        """Sets attributes and notifies the listeners."""
        for name, value in values.items():
            setattr(self, name, value)
        for listener in list(self.listeners):
            listener(event)

    def ready(self, yes: bool) -> None:
        self.done.append(("ready", yes))
        self.change(readiness=tuple(yes if seat == self.seat else said for seat, said in enumerate(self.readiness)))

    @property
    def hosting(self) -> PretendTable:
        return self

    def change_options(self, options: Mapping[str, Plain], seats: int, game: Game | None = None) -> None:
        self.done.append(("options", dict(options), seats, *([] if game in (None, self.game) else [game])))
        self.game = game or self.game
        numbers = tuple(number for number in self.game.seats if number <= seats)
        self.change(options=dict(options), seats=seats, numbers=numbers, readiness=(False,) * len(self.names))

    async def seat_bot(self, nickname: str, note: Plain = None) -> TableLike:
        raise AssertionError("services seat bots")

    def open_again(self) -> None:
        self.done.append(("open again",))
        self.change(phase="open", readiness=(False,) * len(self.names))

    def send_away(self, seat: int) -> None:
        self.done.append(("away", seat))
        kept = {name: getattr(self, name) for name in ("names", "acquaintance", "readiness")}
        self.change(**{name: (*value[:seat], *value[seat + 1 :]) for name, value in kept.items()})

    def same(self, yes: bool) -> None:
        self.done.append(("same", yes))
        self.change(agreed=tuple(yes if seat == self.seat else said for seat, said in enumerate(self.agreed)))

    def choose(self, plain: Plain, *, final: bool = True) -> None:
        del final
        self.done.append(("choose", plain))

    def say(self, text: str) -> None:
        self.talk.append(ChatLine(self.seat, text))
        self.change(self.talk[-1])

    def resign(self) -> None:
        self.done.append(("resign",))

    def again(self, yes: bool) -> None:
        self.done.append(("again", yes))
        self.change(again_from=self.again_from | {self.seat} if yes else self.again_from - {self.seat})

    def adjourn(self, yes: bool) -> None:
        self.done.append(("aside", yes))

    def abandon(self) -> None:
        self.done.append(("abandon",))

    def leave(self) -> None:
        self.done.append(("leave",))

    def subscribe(self, callback: Callable[[Any], None]) -> Stop:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def notify(self, text: str) -> None:
        self.change(Notice(text))

    async def suspend(self, problem: str = "") -> None:
        self.done.append(("suspend",))

    async def close(self) -> None:
        self.done.append(("close",))


class PretendSharing:
    """A copy of the program for friends, which nobody serves: at the first address of the table, or 192.168.1.7."""

    def __init__(self, table: TableLike) -> None:
        self._table = table
        self.closed = False

    def offer(self) -> CopyOffer:
        host = next(iter(self._table.addresses), "192.168.1.7")
        table = SharedTable(self._table.port, self._table.game.title, tuple(self._table.numbers))
        return copy_offer("ana", host, SHARE_PORT, SharedFile("kimberley.pyz", b"the program"), None, table)

    async def close(self) -> None:
        self.closed = True


class PretendServices:
    """Returns `table`, lists `tables`, and fails with `trouble` if it is set."""

    only_host: str | None = None
    serves_pages = False
    may_host = True

    def __init__(self, table: TableLike | None = None, tables: tuple[ListedTable, ...] = (), trouble: str = "") -> None:
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

    async def _give(self, *asked: Any) -> TableLike:
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
    ) -> TableLike:
        return await self._give("host", game, dict(options), seats)

    def invite_far(self, table: TableLike, *, anew: bool = False) -> None:
        self.asked.append(("invite_far", *(["anew"] if anew else [])))
        if self.trouble:
            raise UserError(self.trouble)

    async def join(self, where: ListedTable | str, queued: Callable[[str], None] = lambda sentence: None) -> TableLike:
        return await self._give("join", where if isinstance(where, str) else where.name)

    async def spectate(self, where: ListedTable | str) -> SpectatorLike:
        self.asked.append(("spectate", where if isinstance(where, str) else where.name))
        if self.trouble or self.watch_like is None:
            raise UserError(self.trouble or "nobody plays")
        return self.watch_like

    async def keep(self, names: Sequence[str], record: bytes) -> Path:
        self.asked.append(("keep", tuple(names), len(record)))
        return Path("/home/ana/records/kept.kdt")

    async def alone(self, game: str, options: Mapping[str, Plain], seats: int, level: int) -> TableLike:
        return await self._give("alone", game, dict(options), seats, level)

    async def take_back(self, table: TableLike, choices: int) -> TableLike:
        return await self._give("take back", choices)

    async def unfinished(self) -> tuple[UnfinishedGame, ...]:
        return self.waiting

    async def records(self) -> tuple[KeptGame, ...]:
        return self.kept

    async def judge(self, game: KeptGame) -> KeptGame:
        self.asked.append(("judge", game.path.name))
        return self.judged.get(game.digest, game)

    async def resume(self, which: UnfinishedGame | str | None) -> TableLike:
        return await self._give("resume", which.key if isinstance(which, UnfinishedGame) else which)

    async def seat_bot(self, table: TableLike, level: int) -> None:
        await self._give("bot", level)
        pretend = self.table
        assert isinstance(pretend, PretendTable)
        pretend.change(
            names=(*pretend.names, f"Orlov {len(pretend.names)}"),
            acquaintance=(*pretend.acquaintance, "bot"),
            called_bots=(*[False] * len(pretend.names), *pretend.called_bots[len(pretend.names) :], True),
            readiness=(*pretend.readiness, True),
        )

    async def share(self, table: TableLike, picture: str) -> PretendSharing:
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
    """An open table of a game, for as few as can play it, at which its host sits alone."""
    options = {option.name: option.values[0][0] for option in game.options} | {"last_look": 20 * game.last_looks}
    given = {"game": game, "options": options, "seats": game.seats[0], "phase": "open", "names": ("ana",),
             "acquaintance": ("you",), "agreed": (False,), "readiness": (False,), "phrase": None}  # fmt: skip
    return PretendTable(**(given | values))


def set_up(app: App, game: Game, table: TableLike | str) -> SetupScreen:
    """The options of a game that is played "alone", or of an open table: this one, or one of the "host" alone."""
    at = open_table(game) if table == "host" else None if table == "alone" else table
    assert not isinstance(at, str)
    return SetupScreen(app, game, at)


def listed(host: str, **values: Any) -> ListedTable:
    """A table in the list."""
    given: dict[str, Any] = {
        "name": host, "game": "diamond-trust", "title": "Diamond Trust of London", "host": host, "taken": 1,
        "total": 2, "key": "new", "address": "192.168.1.23", "versions": None, "rtt": 0.002,
    }  # fmt: skip
    return ListedTable(**(given | values))


def pretend_app(services: PretendServices | None = None, **settings: Any) -> App:
    """The app without a terminal. `App.paint` paints its screens. Needs a running event loop."""
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
    """What the app's screens show now, as text."""
    return "\n".join(app.paint(columns, rows, app.now()).lines())


def noted_copies(app: App) -> list[str]:
    """Everything that the app copies from now on."""
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
