"""One simulated evening: a tournament, played until it is over, then judged."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from math import ceil, log2
from pathlib import Path
from random import Random
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE
from kimberley.p2p.tournament.events import LotsDrawn, RoundPaired, TableDecided, TournamentEvent
from kimberley.p2p.tournament.settings import DOUBLE_ROUND_ROBIN, KNOCKOUT, ROUND_ROBIN, TournamentSettings
from kimberley.p2p.tournament.tournament import PLAYING
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.server import RoundTiming, ServerEvent, TournamentServer
from kimberley.referee.store import Store
from tests.simulation.evenings.hostile import HostilePlayer
from tests.simulation.evenings.laws import check_delay, judge
from tests.simulation.evenings.plan import Focus, Plan, plan
from tests.simulation.evenings.platform import number_tasks, platform_of
from tests.simulation.evenings.players import Player, killed
from tests.simulation.evenings.spectators import Spectator
from tests.simulation.evenings.wires import Wires
from tests.simulation.seat import Broken
from tests.support.stones import MANY_STONES, STONES
from tests.support.threadless import BEGINNING, run_virtually

LOOK_SECONDS: Final = 0.25
FAREWELL_SECONDS: Final = 60.0
"""Time for all honest players to hear that the tournament is over."""
LOTS: Final = bytes(range(32))


@dataclass(frozen=True)
class Outcome:
    """What came of an evening, for the figures. `broken` says which law was broken, and how; empty if none."""

    number: int
    format: str
    players: int
    hostile: int
    tricks: tuple[str, ...]
    tables: int
    rulings: Mapping[str, int]
    events: int
    frames: int
    virtual_seconds: float
    broken: str = ""
    seconds: float = 0.0
    """Computing time."""


class Evening:
    """A referee and its players, some of them hostile, in one process."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.game: Game = STONES if plan.seats == 2 else MANY_STONES
        self.wires = Wires(self.draw("wires"))
        self.identity = self._identity("referee")
        self.wires.add_host(self.identity.public)
        self.news: list[ServerEvent] = []
        self.failures: list[str] = []
        """What was logged as an error."""
        self.server: TournamentServer
        self.players = [self._player(number) for number in range(len(plan.guests))]
        self.spectators = [self._spectator(f"spectator {number}") for number in range(plan.spectators)]
        self.ended_at: float | None = None
        self.free_since: float | None = None
        """When the latest result came, or the lots were drawn; None while nothing is decided since the last pairing."""

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def honest(self) -> dict[bytes, Player]:
        """The honest players, by identity."""
        return {one.key: one for one in self.players if not one.guest.tricks}

    @property
    def hostile(self) -> list[HostilePlayer]:
        return [one for one in self.players if isinstance(one, HostilePlayer)]

    @property
    def folder_of_referee(self) -> Path:
        return self.folder / "referee"

    @property
    def events(self) -> list[TournamentEvent]:
        return self.server.history(0)

    @property
    def longest(self) -> float:
        """The seconds after which the evening has to be over, whatever hostile players do."""
        plan, size = self.plan, len(self.plan.guests)
        circle = size + size % 2 - 1
        games = {KNOCKOUT: 2 * ceil(log2(size)) + 1, ROUND_ROBIN: circle, DOUBLE_ROUND_ROBIN: 2 * circle}
        rounds = min(plan.rounds or 64, games.get(plan.format, 64)) if plan.format != KNOCKOUT else games[KNOCKOUT]
        if plan.minutes:
            rounds = 1
        table = plan.seats * (6 * plan.come + 2 * plan.clock.main + 12 * plan.grace)
        return plan.begins + 60 * plan.minutes + rounds * (table + plan.pause + 30)

    @property
    def _all_have_heard(self) -> bool:
        """Whether the programs of all honest players who were let in know that the tournament is over."""
        came = [player for key, player in self.honest.items() if self.server.tournament.player(key) is not None]
        return all(one.client is not None and one.client.phase in ("over", "failed", "withdrawn") for one in came)

    def draw(self, what: str) -> Random:
        return Random(f"kimberley evening {self.plan.number} {what}")

    def where(self) -> str:
        """Returns what players type to join."""
        return f"{self.wires.hosts[self.identity.public]}:{self.server.port}"

    # -- what happens --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Plays until the tournament is over. Raises Broken."""
        number_tasks()
        loop = asyncio.get_running_loop()
        await self._open()
        for player in self.players:
            if isinstance(player, HostilePlayer):
                player.begin(self.wires)
            player.start()
        for spectator in self.spectators:
            spectator.start()
        restarts = list(self.plan.referee_restarts)
        try:
            while not self.server.over and self.server.problem is None:
                if loop.time() > self.longest:
                    self._must_be_over()
                    break
                check_delay(self)
                if restarts and loop.time() >= restarts[0]:
                    restarts.pop()
                    async with killed(self.folder_of_referee) if self.draw("restart").random() < 0.5 else nullcontext():
                        await self.server.close()
                    await self._open()
                await asyncio.sleep(LOOK_SECONDS)
            self.ended_at = loop.time()
            farewell = loop.time() + FAREWELL_SECONDS
            while self.server.over and loop.time() < farewell and not self._all_have_heard:  # noqa: ASYNC110
                await asyncio.sleep(LOOK_SECONDS)
            judge(self)
        finally:
            for spectator in self.spectators:
                await spectator.close()
            for player in self.players:
                await player.close()
            await self.server.close()

    def _must_be_over(self) -> None:
        """Raises Broken, unless one honest player is alone between rounds: there is nobody to play with while the
        others are gone.
        """
        phase = self.server.tournament.phase
        if phase == PLAYING or len(self.honest) > 1:
            raise Broken("end", f"the tournament is {phase} after {self.longest:.0f} seconds")

    async def _open(self) -> None:
        data, former = self.folder_of_referee, self.server.port if hasattr(self, "server") else None
        create = partial(Store.create, data, self._settings(), LOTS)
        store = await AsyncStore.open(partial(Store.open, data) if Store.exists(data) else create)
        timing = RoundTiming(
            start=BEGINNING + self.plan.begins, pause=self.plan.pause, come=self.plan.come, teams=self.plan.teams
        )
        self.server = await TournamentServer.open(
            store, lambda _: self.game, self.identity, timing, port=None if former else 0, former=former, announce=False
        )
        self.server.subscribe(self._on_event)

    def _on_event(self, event: ServerEvent) -> None:
        self.news.append(event)
        if isinstance(event, LotsDrawn | TableDecided):
            self.free_since = asyncio.get_running_loop().time()
        elif isinstance(event, RoundPaired):
            self.free_since = None

    def _settings(self) -> TournamentSettings:
        plan = self.plan
        options: dict[str, Plain] = {"rounds": 1, FINAL_ADJUSTMENT: 0, GRACE: plan.grace}
        return TournamentSettings.of(
            self.identity.public, "Friday Cup",
            game=self.game.id, rules=self.game.revision, options=options, format=plan.format, rounds=plan.rounds,
            seats=plan.seats, allowed=self.game.seats, clock=plan.clock, seed=LOTS, minutes=plan.minutes,
            boards=plan.boards,
        )  # fmt: skip

    def _player(self, number: int) -> Player:
        guest = self.plan.guests[number]
        kind, own = HostilePlayer if guest.tricks else Player, self._identity(guest.name)
        self.wires.add_host(own.public)
        return kind(guest, self.plan, own, self.folder / guest.name, self.game, self.where, self.draw(guest.name))

    def _spectator(self, name: str) -> Spectator:
        return Spectator(self, self._identity(name), self.draw(name))

    def _identity(self, who: str) -> Identity:
        return Identity.of(hashlib.sha256(f"{self.plan.number} {who}".encode()).digest())


class _Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._kept.append(f"{record.getMessage()}: {error!r}" if error is not None else record.getMessage())


@contextmanager
def _errors_kept(kept: list[str]) -> Iterator[None]:
    root, handler = logging.getLogger(), _Errors(kept)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


def simulate(number: int, focus: Focus | None = None) -> Outcome:
    """Plays and judges the evening of an integer. A broken law is part of the outcome."""
    wanted = plan(number, focus)
    with tempfile.TemporaryDirectory(dir=_quick_folder()) as name, platform_of(number, Path(name)):
        evening, broken = Evening(wanted, Path(name)), ""
        with evening.wires.plugged_in(), _errors_kept(evening.failures):
            try:
                run_virtually(evening.run())
            except Broken as error:
                broken = str(error)
            except Exception as error:
                # An error in the simulation itself must not end a long run. Its integer is kept too.
                broken = f"simulation: {error!r}"
        return _outcome(evening, broken)


def _outcome(evening: Evening, broken: str) -> Outcome:
    plan = evening.plan
    happened = evening.events if hasattr(evening, "server") else []
    rulings = Counter(event.how for event in happened if isinstance(event, TableDecided))
    return Outcome(
        plan.number,
        plan.format if not plan.boards else f"{plan.format}, teams",
        len(plan.guests),
        len(evening.hostile),
        tuple(sorted({name for guest in plan.guests for name in guest.tricks})),
        sum(rulings.values()),
        dict(rulings),
        len(happened),
        sum(evening.wires.frames.values()),
        evening.ended_at or 0.0,
        broken,
    )


def _quick_folder() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
