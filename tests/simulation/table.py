"""One simulated table: played until nothing moves any more, then judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from kimberley.protocol.audit import FAIR, INCOMPLETE, UNFAIR, Verdict, verify
from kimberley.protocol.crypto import signatures
from kimberley.protocol.events import Event
from kimberley.protocol.peer import Peer
from tests.simulation.catalogue import CATALOGUE
from tests.simulation.cheating import ACCUSED, AUDITED, NOTHING, REFUSED, Cheater, CheatingSeat
from tests.simulation.network import Clock, Network
from tests.simulation.plan import Focus, Plan, plan
from tests.simulation.seat import Broken, Seat
from tests.simulation.watch import Watch
from tests.support.tables import identity, seed, signed_roster

IDLE_SECONDS: Final = 2.0
"""Virtual time without messages after which seats send heartbeats (SPEC.md, section 7)."""
QUIET_BEATS: Final = 4
"""Rounds of heartbeats without a change, after which nothing will change."""
LATE_SHARE: Final = 0.2
"""The share of tables at which a spectator arrives after the end."""
MOST_EVENTS: Final = 100_000
"""The number of events after which a table counts as endless."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a table, for the figures. `broken` says which law was broken, and how; empty if none."""

    number: int
    game: str
    seats: int
    group: str
    tricks: tuple[str, ...]
    cheated: tuple[str, ...]
    """The tricks that were actually performed."""
    verdict: str
    steps: int
    envelopes: int
    frames: int
    crashes: int
    gone: int
    virtual_seconds: float
    broken: str = ""
    seconds: float = 0.0
    """Computing time."""


class Table:
    """All participants of one table, their network, and the watch that checks the laws."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        salt = str(plan.number)
        self.clock = Clock()
        self.network = Network(self.clock, self._draw("network"), plan.weather)
        self.roster = signed_roster(plan.game, plan.seats, salt, plan.options, begins=plan.begins)
        self.watch = Watch(plan, self.roster)
        self.seats = [self._seat(seat, salt) for seat in range(plan.seats)]
        self.spectator = Seat(
            plan.seats,
            lambda: Peer(plan.game, self.roster, None, group=plan.group),
            self.clock,
            self.network,
            self._draw("spectator"),
            self._step,
        )
        # A seat with an old journal may stop for good, and then shows nothing more.
        self._draw("door").choice([seat for seat in self.honest if not seat.old]).watched_by = plan.seats
        self._signs_of_life: tuple[object, ...] = ()
        self._forgot: set[int] = set()

    @property
    def honest(self) -> list[Seat]:
        return [self.seats[seat] for seat in self.plan.honest]

    @property
    def stopped(self) -> set[int]:
        """The seats that have signed more than their journals hold, and have stopped."""
        return {seat.number for seat in self.seats if seat.stopped}

    @property
    def cheats(self) -> list[Cheater]:
        return [seat.peer for seat in self.seats if isinstance(seat, CheatingSeat)]

    def run(self) -> None:
        """Plays until nothing moves any more. Raises Broken as soon as a law is broken."""
        for end in (self.spectator, *self.seats):
            end.begin()
        self._weather()
        quiet = events = 0
        while quiet < QUIET_BEATS:
            while self.clock.step():
                events += 1
                if events > MOST_EVENTS:
                    raise Broken("progress", f"{events} events, and no end: {self.seats[0].peer.slot}")
            quiet = quiet + 1 if self._life() == self._signs_of_life else 0
            self._signs_of_life = self._life()
            if all(seat.peer.finished or seat.stopped for seat in self.honest) and self.spectator.peer.finished:
                break
            self.clock.after(IDLE_SECONDS, self._beat)

    def outcome(self) -> Outcome:
        """Returns the outcome. Raises Broken."""
        verdict = self.judge()
        tricks = [self.plan.tricks[seat] for seat in sorted(self.plan.tricks)]
        return Outcome(
            self.plan.number,
            self.plan.game.id,
            self.plan.seats,
            self.plan.group.name,
            tuple(tricks),
            tuple(peer.trick.name for peer in self.cheats if peer.done),
            verdict.code,
            self.watch.steps,
            verdict.envelopes,
            self.network.frames,
            sum(seat.crashes for seat in self.seats),
            len(self.honest[0].peer.play.crypto.departed),
            self.clock.now,
        )

    # -- judgement -------------------------------------------------------------------------------------------------

    def judge(self) -> Verdict:
        """Checks everything that must hold at the end."""
        first = self._draw("judge").choice([seat for seat in self.honest if not seat.stopped])
        verdict = verify(first.peer.record().pack(), lambda _: self.plan.game, self.plan.group)
        wrong = set(verdict.seats) - set(self.plan.tricks)
        if wrong and not (verdict.code == INCOMPLETE and wrong <= self.stopped):
            law = "end" if verdict.code == INCOMPLETE else "blame"
            raise Broken(law, f"the record names honest seats {sorted(wrong)}: {verdict.code}, {verdict.reason}")
        self.watch.shapes(first.peer)
        for end in (*self.honest, self.spectator):
            if not end.stopped:
                self._settled(end.peer)
        self._all_alike()
        if self._draw("late").random() < LATE_SHARE:
            self._same_if_late(first.peer)
        if len(self.cheats) == 1:
            self._as_forbidden(self.cheats[0], verdict)
        elif not any(peer.done for peer in self.cheats) and not self.stopped and verdict.code != FAIR:
            raise Broken("end", f"nobody cheated, and the record is {verdict.code}: {verdict.reason}")
        return verdict

    def _settled(self, peer: Peer) -> None:
        """Checks that the game has ended for this seat, or that it waits for a cheat or a stopped seat."""
        if peer.finished or peer.caught is not None:
            return
        if not peer.waiting or not set(peer.waiting) & (set(self.plan.tricks) | self.stopped):
            who = "the spectator" if peer.seat is None else f"seat {peer.seat + 1}"
            raise Broken("end", f"{who} waits for {peer.waiting} at {peer.slot}")

    def _same_if_late(self, peer: Peer) -> None:
        """Checks that a late spectator gets the same transcript, in any order of the chains (M-STG-6)."""
        late, rng = Peer(self.plan.game, self.roster, None, group=self.plan.group), self._draw("arrival")
        late.start()
        chains = [peer.chain(seat, 0) for seat in range(self.plan.seats)]
        while waiting := [chain for chain in chains if chain]:
            late.receive(rng.choice(waiting).pop(0).pack())
        if late.head != peer.head and peer.caught is None and not self.watch.forked:
            raise Broken("agreement", f"who comes late is at {late.slot}, not at {peer.slot}")

    def _all_alike(self) -> None:
        """Checks that all honest seats that finished have one record, and signed one verdict."""
        done = [end.peer for end in (*self.honest, self.spectator) if end.peer.finished]
        if len({peer.record().pack() for peer in done if not peer.evidence}) > 1:
            raise Broken("agreement", "seats that finished have different records")
        for peer in done:
            signed = {repr(peer.verdicts[seat]) for seat in self.plan.honest if seat in peer.verdicts}
            if len(signed) > 1:
                raise Broken("agreement", f"honest seats signed different verdicts: {signed}")

    def _as_forbidden(self, cheat: Cheater, verdict: Verdict) -> None:
        """Checks that the only trick at this table had its required outcome."""
        trick, named = cheat.trick, {cheat.seat}
        if not cheat.done:
            if verdict.code != FAIR and trick.outcome in (REFUSED, AUDITED, ACCUSED, NOTHING):
                raise Broken("end", f"nobody cheated, and the record is {verdict.code}: {verdict.reason}")
            return
        caught = [self.watch.caught.get(seat.number) for seat in self.honest]
        told = f"{trick.name!r} ({trick.rule}) at {cheat.done[0]} should be {trick.outcome}, but is {verdict.code}"
        match trick.outcome:
            case "refused":
                fits = None not in caught and all(one and trick.reason in one.reason for one in caught)
                fits = fits and verdict.code == UNFAIR and trick.reason in verdict.reason
                if any(waits_for_close(seat.peer) for seat in self.honest):
                    # After the stage that a resignation cuts short, nothing is judged before the CLOSE that is due.
                    fits = fits or (verdict.code == INCOMPLETE and set(verdict.absent) == named and not any(caught))
            case "audited":
                fits = verdict.code == UNFAIR and trick.reason in verdict.reason and not any(caught)
                fits = fits and all(named_by(seat.peer, cheat.seat) for seat in self.honest)
            case "accused":
                fits = verdict.code == UNFAIR and set(verdict.seats) == named and trick.reason in verdict.reason
            case "waited for":
                step = cheat.done[0][0]
                fits = verdict.code == INCOMPLETE and set(verdict.absent) == named and not any(caught)
                fits = fits and all(step in (seat.peer.slot[0], awaited_step(seat.peer)) for seat in self.honest)
                # An envelope for a running game may reach a seat whose game a resignation has ended.
                fits = fits or (bool(self.plan.goes) and verdict.code == UNFAIR and set(verdict.seats) == named)
            case "nothing":
                fits = verdict.code == FAIR
            case _:
                fits = True
        if not fits:
            raise Broken("cheat", f"{told}: {verdict.reason or 'no reason'}; caught {[str(one) for one in caught]}")

    # -- what happens ----------------------------------------------------------------------------------------------

    def _step(self, seat: Seat, events: Sequence[Event]) -> None:
        if seat.old and seat.crashes and seat.number not in self._forgot:
            self._forgot.add(seat.number)
            self.watch.forgotten(seat.number)
        if not isinstance(seat, CheatingSeat):
            self.watch.step(seat, events)

    def _life(self) -> tuple[object, ...]:
        """A value that changes whenever an honest seat or the spectator learns something."""
        ends = (*self.honest, self.spectator)
        return tuple((end.alive, end.peer.slot, end.peer.caught, end.known) for end in ends)

    def _beat(self) -> None:
        for end in (self.spectator, *self.seats):
            end.beat()

    def _weather(self) -> None:
        """Schedules cuts and partitions in the first minutes of virtual time."""
        rng, ends = self._draw("cuts"), len(self.seats) + 1
        for _ in range(self.plan.weather.cuts):
            pair = rng.sample(range(ends), 2)
            self.clock.after(rng.expovariate(1 / 10), partial(self.network.cut, *pair))
        for _ in range(self.plan.weather.partitions):
            side = set(rng.sample(range(ends), rng.randint(1, ends - 1)))
            self.clock.after(rng.expovariate(1 / 10), partial(self.network.part, side, rng.uniform(1, 60)))

    def _seat(self, number: int, salt: str) -> Seat:
        plan = self.plan
        trick = CATALOGUE[plan.tricks[number]] if number in plan.tricks else None
        kind = Peer if trick is None else trick.kind or Cheater
        rng = self._draw(f"seat {number}")

        def make() -> Peer:
            sign = partial(signatures.sign, identity(number))
            peer = kind(plan.game, self.roster, number, seed(number, salt), sign, plan.group)
            if isinstance(peer, Cheater) and trick is not None:
                peer.equip(trick, rng, plan.eager)
            return peer

        if trick is not None:
            return CheatingSeat(number, make, self.clock, self.network, rng, self._step, spy=self.watch.cheat_signed)
        crashes = plan.crashes.get(number, ())
        seat = Seat(number, make, self.clock, self.network, rng, self._step, crashes)
        seat.goes_after, seat.old = plan.goes.get(number), plan.old.get(number, 0)
        return seat

    def _draw(self, what: str) -> Random:
        return Random(f"kimberley simulation {self.plan.number} {what}")


def awaited_step(peer: Peer) -> int:
    """Returns the step that this seat waits for. If a resignation ends the game, it is the next step."""
    return peer.slot[0] + waits_for_close(peer)


def waits_for_close(peer: Peer) -> bool:
    """Returns whether a resignation is about to end the game for this seat, once the others have closed it."""
    return peer.closing is None and bool(peer.resigners())


def named_by(peer: Peer, seat: int | None) -> bool:
    """Returns whether this seat has finished, and its own audit named only that seat."""
    findings = peer.findings
    return peer.finished and findings is not None and [one.seat for one in findings] == [seat]


def simulate(number: int, focus: Focus | None = None) -> Outcome:
    """Plays and judges the table of an integer. A broken law is part of the outcome."""
    wanted = plan(number, focus)
    try:
        table = Table(wanted)
        table.run()
        return table.outcome()
    except Exception as broken:
        # An error in the simulation itself must not end a long run. Its integer is kept too.
        told = str(broken) if isinstance(broken, Broken) else f"simulation: {broken!r}"
        tricks = tuple(wanted.tricks[seat] for seat in sorted(wanted.tricks))
        who = number, wanted.game.id, wanted.seats, wanted.group.name
        return Outcome(*who, tricks, (), "broken", 0, 0, 0, 0, 0, 0.0, told)
