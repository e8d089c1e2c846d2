"""The stages of a game, who owes what in each, and which bodies are right (SPEC.md, sections 12, 13 and 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kimberley.client.conformance.asks import ASKS
from kimberley.client.conformance.asks.base import PendingAsk, array, check_choice, octets
from kimberley.client.conformance.asks.keys import PendingKeys
from kimberley.client.conformance.asks.knowledge import Bodies, KnownSeat, ProtocolViolation, PublicFacts, public_keys
from kimberley.client.conformance.crypto.escrow import leave_behind, open_together, well_formed
from kimberley.client.conformance.crypto.group import BadElement, base, read_scalar, scalar_bytes
from kimberley.client.conformance.crypto.hashing import Context, Secrets, digest
from kimberley.client.conformance.documents.envelope import Slot
from kimberley.client.conformance.documents.roster import SignedRoster
from kimberley.client.conformance.encoding.codec import Malformed, pack, unpack
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import (
    Ask,
    Game,
    Leave,
    Result,
    Space,
    State,
    SupportsLeave,
    space_for,
    state_after,
)

LEAST_TO_LEAVE: Final = 3

CLOSE, SHOW, VERDICT = range(3)


@dataclass(frozen=True)
class CompletedStage:
    """A stage that ended: by seat the bodies, and in `left` the bodies of seats that left in it."""

    slot: Slot
    bodies: Bodies
    left: Bodies


@dataclass(frozen=True)
class Departure:
    """What a seat left behind: where it left, for which seats, and the sealed secret."""

    seat: int
    context: Context
    others: tuple[int, ...]
    secret: bytes


class Play:
    """One table's game, stage by stage. `seats` are the seats whose secrets the suite has."""

    def __init__(self, game: Game, signed: SignedRoster, secrets: Sequence[Secrets]) -> None:
        names = {option.name for option in game.options}
        options = {name: value for name, value in signed.roster.options if name in names}
        self.game = game
        self.signed = signed
        start = game.start(len(signed.roster.places), options, signed.roster.begins)
        self.facts = PublicFacts(signed.game_id, len(signed.roster.places))
        self.public: State = start
        self.seats = {one.seat: KnownSeat(one, start) for one in secrets}
        self.step, self.stage = 0, 0
        self.ask: Ask | None = None
        self.result: Result | None = None
        self.log: list[CompletedStage] = []
        self.departed: list[Departure] = []
        self.answers: dict[int, dict[int | None, Any]] = {}
        """By step, then by seat (None for an onlooker)."""
        self._leaving: dict[int, tuple[int, int]] = {}
        self.asked: PendingAsk = PendingKeys(self.facts, 0)

    @property
    def slot(self) -> Slot:
        return self.step, self.stage

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a body in the stage at hand."""
        if self.result is not None:
            return ()
        return tuple(seat for seat in self.asked.owing(self.stage) if seat not in self.facts.left)

    def space(self, seat: int) -> Space | None:
        """The space from which a seat chooses in this step, as it sees it itself if known, or else as all do."""
        if self.ask is None:
            return None
        state = self.seats[seat].state if seat in self.seats else self.public
        return space_for(state.ask(), seat)

    def body(self, seat: int) -> Plain:
        """The body that a known seat signs."""
        return self.asked.body(self.stage, self.seats[seat])

    def check(self, seat: int, body: Plain) -> None:
        """Checks a body for the stage at hand. Raises ProtocolViolation."""
        try:
            self.asked.check(self.stage, seat, body)
        except (ValueError, TypeError) as error:
            raise ProtocolViolation(str(error)) from error

    def complete(self, bodies: Bodies, left: Bodies | None = None) -> None:
        """All bodies of the stage at hand are there: goes on to the next stage."""
        self.log.append(CompletedStage(self.slot, dict(bodies), dict(left or {})))
        for seat, body in sorted((left or {}).items()):
            coin, bag, secret = map(octets, array(body, 3))
            self._leaving[seat] = read_scalar(coin), read_scalar(bag)
            self.departed.append(Departure(seat, self._context(seat), self._others(seat), secret))
        self.facts.left.update(self._leaving)
        self.asked.complete(self.stage, bodies, tuple(self.seats.values()))
        self.stage += 1
        if self.stage == self.asked.stages:
            self._answer()

    @property
    def leaving(self) -> tuple[int, ...]:
        """The seats that left during this step."""
        return tuple(sorted(self._leaving))

    # -- leaving -------------------------------------------------------------------------------------------------------

    @property
    def leavable(self) -> bool:
        """Whether a seat may leave now."""
        return self.step > 0 and len(self.facts.present) >= LEAST_TO_LEAVE and isinstance(self.public, SupportsLeave)

    def leave_body(self, seat: int) -> Plain:
        """The body that a known seat signs to leave, instead of what it owes."""
        own = self.seats[seat]
        keys = [(other, self.facts.keys[other].bag) for other in self._others(seat)]
        secret = pack((own.secrets.seed, tuple(own.choices)))
        left = leave_behind(own.secrets, self._context(seat), keys, secret)
        return scalar_bytes(own.secrets.key("coin")), scalar_bytes(own.secrets.key("bag")), left

    def check_leave(self, seat: int, body: Plain) -> None:
        """Checks the body of a leave. Raises ProtocolViolation."""
        if not self.leavable:
            raise ProtocolViolation("nobody can leave here")
        try:
            coin, bag, secret = map(octets, array(body, 3))
            fits = base(read_scalar(coin)) == self.facts.keys[seat].coin
            fits = fits and base(read_scalar(bag)) == self.facts.keys[seat].bag
        except (BadElement, ValueError) as error:
            raise ProtocolViolation(str(error)) from error
        if not fits or not well_formed(len(self._others(seat)), secret):
            raise ProtocolViolation("what it leaves behind does not have the form of section 13.2")

    # -- the audit -----------------------------------------------------------------------------------------------------

    def recovered(self, shown: Mapping[int, Plain]) -> tuple[dict[int, Plain], list[tuple[int, int, int]], list[int]]:
        """For the audit of seats that left, once these seats have `shown` their seeds: what was recovered by seat, the
        deviations (step, stage, seat) of seats whose secret is spoiled, and the seats whose secret cannot be opened.
        """
        bags = {seat: keys[1] for seat, keys in self.facts.left.items()}
        for seat, body in shown.items():
            secrets = Secrets(self.facts.game, seat, octets(array(body)[0]))
            if public_keys(secrets).bag == self.facts.keys[seat].bag:
                bags[seat] = secrets.key("bag")
        found: dict[int, Plain] = {}
        spoiled, absent = [], []
        for one in self.departed:
            if any(other not in bags for other in one.others):
                absent.append(one.seat)
                continue
            secret = open_together(one.context, {other: bags[other] for other in one.others}, one.secret)
            opened = _seed_and_choices(secret)
            if opened is None or digest("seed", opened[0]) != self.signed.roster.places[one.seat].seed_hash:
                spoiled.append((one.context[1], one.context[2], one.seat))
            else:
                found[one.seat] = opened
        return found, spoiled, absent

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _answer(self) -> None:
        if self.ask is not None and self.asked.answered:
            public = self.asked.answer(None)
            told = self.answers[self.step] = {None: public}
            self.public = self.public.apply(public)
            for seat in self.seats.values():
                told[seat.number] = self.asked.answer(seat)
                seat.state = seat.state.apply(told[seat.number])
        for number in sorted(self._leaving):
            if not isinstance(self.public.ask(), Result):
                for seat in self.seats.values():
                    seat.state = state_after(seat.state, Leave(number), None)
                self.public = state_after(self.public, Leave(number), None)
        self._leaving.clear()
        self.step, self.stage = self.step + 1, 0
        ask = self.public.ask()
        if isinstance(ask, Result):
            self.result, self.ask = ask, None
        else:
            self.ask = ask
            self.asked = _asked(self.facts, self.step, ask)

    def _others(self, seat: int) -> tuple[int, ...]:
        return tuple(other for other in self.facts.present if other != seat)

    def _context(self, seat: int) -> Context:
        return self.facts.context(self.step, self.stage, seat)


def _asked(facts: PublicFacts, step: int, ask: Ask) -> PendingAsk:
    if type(ask) not in ASKS:
        raise TypeError(f"not an ask: {ask}")
    return ASKS[type(ask)].pending(facts, step, ask)


def _seed_and_choices(secret: bytes | None) -> tuple[bytes, tuple[Plain, ...]] | None:
    try:
        match unpack(secret or b""):
            case (bytes() as seed, tuple() as choices) if len(seed) == 32:
                return seed, choices
    except Malformed:
        pass
    return None


def audit(
    game: Game, signed: SignedRoster, log: Sequence[CompletedStage], seat: int, seed: bytes, choices: Sequence[Plain]
) -> Slot | None:
    """Plays a seat again from its seed (section 17). Returns the slot of its first wrong body, or None."""
    play = Play(game, signed, [Secrets(signed.game_id, seat, seed)])
    own, rest = play.seats[seat], list(choices)
    chosen = -1
    for stage in log:
        if seat in stage.bodies:
            space = play.space(seat)
            if space is not None and chosen != play.step:
                chosen = play.step
                if not rest:
                    return stage.slot
                own.choices.append(rest.pop(0))
                try:
                    check_choice(space, own.choices[-1])
                except ProtocolViolation:
                    return stage.slot
            if pack(play.body(seat)) != pack(stage.bodies[seat]):
                return stage.slot
        if seat in stage.left:
            if pack(play.leave_body(seat)) != pack(stage.left[seat]):
                return stage.slot
            break
        if any(one not in stage.bodies and one not in stage.left for one in play.owing):
            break
        play.complete(stage.bodies, stage.left)
    return log[-1].slot if rest else None
