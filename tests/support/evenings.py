"""Whole tournaments in one process: a referee and bots as players, over real sockets."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from kimberley.client.session.tournament_bot import play_tournament
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Game, Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE
from kimberley.p2p.tournament.bundle import Bundle, ranked
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.tournament.events import TableDecided, TournamentEvent
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.settings import TimeControl, TournamentSettings
from kimberley.p2p.tournament.verification import Finding, ResultClaim, check_claim, replay_bundle
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.organizer import Organizer
from kimberley.referee.server import RoundTiming, ServerEvent, TournamentServer
from kimberley.referee.store import Store, StoreReader
from tests.support.asyncs import until
from tests.support.seated import LOOPBACK
from tests.support.web_seat import served_from

SEED = bytes(range(32))
PLAYERS = ("ana", "ben", "cleo", "dan", "eva", "finn", "gus", "hal")


class Evening:
    """A tournament in a folder: its referee, which can be stopped and started, and its players."""

    def __init__(self, folder: Path, game: Game, plan: RoundTiming, settings: Mapping[str, Any]) -> None:
        self.folder = folder
        self.game = game
        self.plan = plan
        self.identity = Identity.load_or_create(folder / "referee")
        self.clients: dict[str, TournamentClient] = {}
        self.news: list[ServerEvent] = []
        self.server: TournamentServer
        self._settings = settings
        self._playing: dict[str, asyncio.Task[None]] = {}

    def find(self, game: str) -> Game:
        if game != self.game.id:
            raise LookupError(game)
        return self.game

    def settings(self) -> TournamentSettings:
        settled: dict[str, Plain] = {option.name: option.values[0][0] for option in self.game.options}
        settled |= dict(self.game.quick) | {FINAL_ADJUSTMENT: 0} | dict(self._settings.get("options", {}))
        seats = self._settings.get("seats", min(self.game.seats))
        return TournamentSettings.of(
            self.identity.public, self._settings.get("name", "Friday Cup"),
            game=self.game.id, rules=self.game.revision, options=settled, format=self._settings.get("format", "swiss"),
            rounds=self._settings.get("rounds", 0), seats=seats, allowed=self.game.seats,
            clock=self._settings.get("clock"), seed=SEED,
            minutes=self._settings.get("minutes", 0), boards=self._settings.get("boards", 0),
        )  # fmt: skip

    async def open_announced(self) -> TournamentServer:
        """Restarts the referee and announces it on this machine's network."""
        await self.server.close()
        return await self.open(announce=True)

    async def start(self) -> None:
        """Begins the first round, as the organizer does."""
        assert await Organizer(self.server, self.identity).schedule(0) is None

    async def reopen(self) -> TournamentServer:
        """Restarts the referee."""
        await self.server.close()
        return await self.open()

    async def open(self, *, announce: bool = False) -> TournamentServer:
        """Starts the referee, at the same port as before if that is free."""
        data = self.folder / "referee"
        opened = partial(Store.open, data) if Store.exists(data) else partial(Store.create, data, self.settings(), SEED)
        store = await AsyncStore.open(opened)
        former = self.server.port if hasattr(self, "server") else None
        self.server = await TournamentServer.open(
            store,
            self.find,
            self.identity,
            self.plan,
            port=None if former else 0,
            former=former,
            bind=LOOPBACK,
            announce=announce,
        )
        self.server.subscribe(self.news.append)
        return self.server

    async def enter(
        self, name: str, *, plays: bool = True, bot: Callable[[], Bot] | None = None, seek: bool = False,
        headless: bool = True, nickname: str | None = None, announced: bool = False,
    ) -> TournamentClient:  # fmt: skip
        """Enrolls a player, or brings one back, and plays for it. A player that is not `headless` compares words
        first, but not with a bot that is `announced` as one.
        """
        data = self.folder / name
        client = await TournamentClient.enter(
            f"{LOOPBACK}:{self.server.port}", self.find,
            nickname=nickname or name, identity=Identity.load_or_create(data), data=data, headless=headless,
            bot=announced, bind=LOOPBACK, seek=seek,
        )  # fmt: skip
        self.clients[name] = client
        if plays:
            self.play(name, bot)
        return client

    async def enter_by_page(self, name: str, port: int, *, plays: bool = True) -> TournamentClient:
        """Enrolls a player, or brings one back, whose program came from the page that the referee serves at a port, and
        plays for it.
        """
        data = self.folder / name
        with served_from(port):
            client = await TournamentClient.enter(
                f"{LOOPBACK}:{port}", self.find,
                nickname=name, identity=Identity.load_or_create(data), data=data, headless=True,
                expected=self.identity.public, listen=False, seek=False,
            )  # fmt: skip
            self.clients[name] = client
            if plays:
                self.play(name)
        return client

    def play(self, name: str, bot: Callable[[], Bot] | None = None) -> None:
        """Plays for a player from now on."""
        seed = len(self._playing)
        work = play_tournament(self.clients[name], bot or (lambda: make_bot(self.game, 1, seed)))
        self._playing[name] = asyncio.create_task(work)

    async def leave(self, name: str) -> None:
        """Ends a player's program as if it were killed."""
        if (playing := self._playing.pop(name, None)) is not None:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        await self.clients.pop(name).close()

    async def all(self, names: Sequence[str]) -> None:
        for name in names:
            await self.enter(name)

    async def end(self, seconds: float = 60) -> list[TableDecided]:
        """Waits until the tournament is over for all players. Returns its results, after a check of the bundle."""
        await until(lambda: self.server.over or self.server.problem, seconds)
        assert self.server.problem is None
        await until(lambda: all(one.phase in ("over", "withdrawn", "failed") for one in self.clients.values()))
        assert await asyncio.to_thread(self._findings) == []
        return self.results

    def _findings(self) -> list[Finding]:
        """Returns the faults found by a check of the tournament's bundle."""
        with StoreReader(self.folder / "referee") as store:
            happened = tuple(store.events())
            sizes = tuple(0 for event in happened if isinstance(event, TableDecided) and event.record is not None)
            _, claims = replay_bundle(Bundle(store.settings, happened, sizes, ranked(store.tournament()), 0))
            records = (
                store.record(claim.event.record) if isinstance(claim, ResultClaim) and claim.event.record else None
                for claim in claims
            )
            findings = (check_claim(claim, record, self.find) for claim, record in zip(claims, records, strict=True))
            return [finding for finding in findings if finding is not None]

    def events(self) -> list[TournamentEvent]:
        """Returns the stored events."""
        with StoreReader(self.folder / "referee") as reader:
            return reader.events()

    def record(self, digest: bytes) -> bytes | None:
        """Returns a stored record."""
        with StoreReader(self.folder / "referee") as reader:
            return reader.record(digest)

    @property
    def results(self) -> list[TableDecided]:
        return [event for event in self.server.history(0) if isinstance(event, TableDecided)]

    def stored(self, place: TableId) -> Plain:
        """Returns the stored clocks of a table, while the referee is away."""
        with StoreReader(self.folder / "referee") as reader:
            return reader.clocks()[place.round, place.table]

    def names(self, identities: Sequence[bytes]) -> tuple[str, ...]:
        return tuple(self.server.tournament.name(identity) for identity in identities)

    async def close(self) -> None:
        for name in tuple(self.clients):
            await self.leave(name)
        if hasattr(self, "server"):
            await self.server.close()


@asynccontextmanager
async def evening(folder: Path, game: Game, plan: RoundTiming | None = None, **settings: Any) -> AsyncIterator[Evening]:
    """Holds an evening with a tournament. The keywords are settings that differ from the defaults."""
    held = Evening(folder, game, plan or RoundTiming(players=2, pause=0.0), settings)
    try:
        await held.open()
        yield held
    finally:
        await held.close()
        shutil.rmtree(folder, ignore_errors=True)


def clock(main: int, increment: int = 0) -> dict[str, Any]:
    """Returns settings for a tournament with clocks: seconds for the game and per choice."""
    return {"clock": TimeControl(main, increment)}


def grace(seconds: int) -> dict[str, Any]:
    """Returns settings for a tournament whose referee waits that many seconds for a silent player."""
    return {"options": {GRACE: seconds}}
