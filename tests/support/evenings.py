"""Whole tournaments in one process: a referee at its desk, and players who are bots, over real sockets."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from client.competing import compete
from games.table import Bot, Game, Plain
from p2p.common_options import GRACE, LAST_LOOK
from p2p.entrant import Entrant
from p2p.identity import Identity
from p2p.referee.bundle import Bundle, ranked
from p2p.referee.cup import Clock, Cup
from p2p.referee.desk import Desk, News, Plan
from p2p.referee.events import Decided
from p2p.referee.proof import Finding, ResultClaim, check, follow
from p2p.referee.store import Reader, Store
from p2p.referee.wire import Place
from tests.support.asyncs import until
from tests.support.seated import LOOPBACK

SEED = bytes(range(32))
PLAYERS = ("ana", "ben", "cleo", "dan", "eva", "finn", "gus", "hal")


class Evening:
    """A cup in a folder: its referee, which can be stopped and started, and who plays."""

    def __init__(self, folder: Path, game: Game, plan: Plan, cup: Mapping[str, Any]) -> None:
        self.folder = folder
        self.game = game
        self.plan = plan
        self.identity = Identity.load_or_create(folder / "referee")
        self.entrants: dict[str, Entrant] = {}
        self.news: list[News] = []
        self.desk: Desk
        self._cup = cup
        self._playing: dict[str, asyncio.Task[None]] = {}

    def find(self, game: str) -> Game:
        if game != self.game.id:
            raise LookupError(game)
        return self.game

    def cup(self) -> Cup:
        settled: dict[str, Plain] = {option.name: option.values[0][0] for option in self.game.options}
        settled |= dict(self.game.quick) | {LAST_LOOK: 0} | dict(self._cup.get("options", {}))
        seats = self._cup.get("seats", min(self.game.seats))
        return Cup.of(
            self.identity.public, "Friday Cup",
            game=self.game.id, rules=self.game.revision, options=settled, format=self._cup.get("format", "swiss"),
            rounds=self._cup.get("rounds", 0), seats=seats, allowed=self.game.seats, clock=self._cup.get("clock"),
            seed=SEED,
        )  # fmt: skip

    async def open_announced(self) -> Desk:
        """The referee sits down anew, and says so on the network of this machine."""
        await self.desk.close()
        return await self.open(announce=True)

    async def open(self, *, announce: bool = False) -> Desk:
        """The referee sits down, at the same port as before where that is free."""
        data = self.folder / "referee"
        store = Store.open(data) if Store.exists(data) else Store.create(data, self.cup(), SEED)
        former = self.desk.port if hasattr(self, "desk") else None
        self.desk = await Desk.open(
            store,
            self.find,
            self.identity,
            self.plan,
            port=None if former else 0,
            former=former,
            bind=LOOPBACK,
            announce=announce,
        )
        self.desk.subscribe(self.news.append)
        return self.desk

    async def enter(
        self, name: str, *, plays: bool = True, bot: Callable[[], Bot] | None = None, seek: bool = False,
        headless: bool = True, nickname: str | None = None,
    ) -> Entrant:  # fmt: skip
        """Somebody enrols, or is back, and plays. One that is not `headless` compares words first."""
        data = self.folder / name
        entrant = await Entrant.enter(
            f"{LOOPBACK}:{self.desk.port}", self.find,
            nickname=nickname or name, identity=Identity.load_or_create(data), data=data, headless=headless,
            bind=LOOPBACK, seek=seek,
        )  # fmt: skip
        self.entrants[name] = entrant
        if plays:
            seed = len(self._playing)
            self._playing[name] = asyncio.create_task(compete(entrant, bot or (lambda: self.game.bot(1, seed))))
        return entrant

    async def leave(self, name: str) -> None:
        """Somebody's program ends, as if it were killed."""
        if (playing := self._playing.pop(name, None)) is not None:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        await self.entrants.pop(name).close()

    async def all(self, names: Sequence[str]) -> None:
        for name in names:
            await self.enter(name)

    async def end(self, seconds: float = 60) -> list[Decided]:
        """Waits until the cup is over for everybody. Returns its results, which whoever checks them finds in order."""
        await until(lambda: self.desk.over or self.desk.problem, seconds)
        assert self.desk.problem is None
        await until(lambda: all(one.phase in ("over", "withdrawn", "failed") for one in self.entrants.values()))
        assert await asyncio.to_thread(self._findings) == []
        return self.results

    def _findings(self) -> list[Finding]:
        """What a check of the cup's bundle finds wrong."""
        store = self.desk.store
        happened = tuple(store.events())
        sizes = tuple(0 for event in happened if isinstance(event, Decided) and event.record is not None)
        _, claims = follow(Bundle(store.cup, happened, sizes, ranked(store.tournament), 0))
        records = (
            store.record(claim.event.record) if isinstance(claim, ResultClaim) and claim.event.record else None
            for claim in claims
        )
        found = (check(claim, record, self.find) for claim, record in zip(claims, records, strict=True))
        return [finding for finding in found if finding is not None]

    @property
    def results(self) -> list[Decided]:
        return [event for event in self.desk.history(0) if isinstance(event, Decided)]

    def stored(self, place: Place) -> Plain:
        """What is stored of the clocks of a table, while the referee is away."""
        with Reader(self.folder / "referee") as reader:
            return reader.clocks()[place.round, place.table]

    def names(self, identities: Sequence[bytes]) -> tuple[str, ...]:
        return tuple(self.desk.tournament.name(identity) for identity in identities)

    async def close(self) -> None:
        for name in tuple(self.entrants):
            await self.leave(name)
        if hasattr(self, "desk"):
            await self.desk.close()


@asynccontextmanager
async def evening(folder: Path, game: Game, plan: Plan | None = None, **cup: Any) -> AsyncIterator[Evening]:
    """An evening with a cup; the keywords are those of the cup that are not as usual."""
    held = Evening(folder, game, plan or Plan(players=2, pause=0.0), cup)
    try:
        await held.open()
        yield held
    finally:
        await held.close()
        shutil.rmtree(folder, ignore_errors=True)


def clock(main: int, increment: int = 0) -> dict[str, Any]:
    """A cup with clocks."""
    return {"clock": Clock(main, increment)}


def grace(seconds: int) -> dict[str, Any]:
    """A cup whose referee waits for the silent for so long."""
    return {"options": {GRACE: seconds}}
