"""A game's stages as a table goes through them (SPEC.md, sections 12, 13 and 16): who owes what, and what is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from client.conformance.asks import (
    Asked,
    AskedDecide,
    AskedKeys,
    AskedRoll,
    AskedTogether,
    allowed,
    array,
    octets,
)
from client.conformance.bag_asks import AskedShow, AskedShuffle
from client.conformance.codec import Malformed, pack, unpack
from client.conformance.desk import Bodies, Desk, Foul, Seat, public_keys
from client.conformance.envelope import Slot
from client.conformance.escrow import leave_behind, open_together, well_formed
from client.conformance.group import BadElement, base, read_scalar, scalar_bytes
from client.conformance.hashing import Context, Secrets, digest
from client.conformance.plain import Plain
from client.conformance.roster import Signed
from client.conformance.tally_asks import AskedDisclose, AskedOpen, AskedSeal
from games.table import (
    Ask,
    Decide,
    Disclose,
    Game,
    Leavable,
    Leave,
    Open,
    Result,
    Roll,
    Seal,
    Show,
    Shuffle,
    Space,
    State,
    Together,
    after,
    asked,
)

LEAST_TO_LEAVE: Final = 3

CLOSE, SHOW, VERDICT = range(3)


@dataclass(frozen=True)
class Stage:
    """A stage that is complete, or was cut short: bodies by seat, and those of leaves."""

    slot: Slot
    bodies: Bodies
    left: Bodies


@dataclass(frozen=True)
class Departure:
    """What a seat left behind, for whom, and where."""

    seat: int
    context: Context
    others: tuple[int, ...]
    secret: bytes


class Play:
    """The stages of the game of one table. `seats` are those whose secrets the suite has."""

    def __init__(self, game: Game, signed: Signed, secrets: Sequence[Secrets]) -> None:
        names = {option.name for option in game.options}
        options = {name: value for name, value in signed.roster.options if name in names}
        self.game = game
        self.signed = signed
        start = game.start(len(signed.roster.places), options, signed.roster.begins)
        self.desk = Desk(signed.game_id, len(signed.roster.places))
        self.public: State = start
        self.seats = {one.seat: Seat(one, start) for one in secrets}
        self.step, self.stage = 0, 0
        self.ask: Ask | None = None
        self.result: Result | None = None
        self.log: list[Stage] = []
        self.departed: list[Departure] = []
        self.answers: dict[int, dict[int | None, Any]] = {}
        """By step, then by seat (None: an onlooker)."""
        self._leaving: dict[int, tuple[int, int]] = {}
        self.asked: Asked = AskedKeys(self.desk, 0)

    @property
    def slot(self) -> Slot:
        return self.step, self.stage

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a body in the stage at hand."""
        if self.result is not None:
            return ()
        return tuple(seat for seat in self.asked.owing(self.stage) if seat not in self.desk.left)

    def space(self, seat: int) -> Space | None:
        """The space from which a seat chooses in this step, as it knows it itself, or as all do."""
        if self.ask is None:
            return None
        state = self.seats[seat].state if seat in self.seats else self.public
        return asked(state.ask(), seat)

    def body(self, seat: int) -> Plain:
        """What a seat of the suite signs."""
        return self.asked.body(self.stage, self.seats[seat])

    def check(self, seat: int, body: Plain) -> None:
        """Raises Foul."""
        try:
            self.asked.check(self.stage, seat, body)
        except (ValueError, TypeError) as error:
            raise Foul(str(error)) from error

    def complete(self, bodies: Bodies, left: Bodies | None = None) -> None:
        """All bodies of the stage are there."""
        self.log.append(Stage(self.slot, dict(bodies), dict(left or {})))
        for seat, body in sorted((left or {}).items()):
            coin, bag, secret = map(octets, array(body, 3))
            self._leaving[seat] = read_scalar(coin), read_scalar(bag)
            self.departed.append(Departure(seat, self._context(seat), self._others(seat), secret))
        self.desk.left.update(self._leaving)
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
        return self.step > 0 and len(self.desk.present) >= LEAST_TO_LEAVE and isinstance(self.public, Leavable)

    def leave_body(self, seat: int) -> Plain:
        """What a seat of the suite signs instead of what it owes, to leave."""
        own = self.seats[seat]
        keys = [(other, self.desk.keys[other].bag) for other in self._others(seat)]
        secret = pack((own.secrets.seed, tuple(own.choices)))
        left = leave_behind(own.secrets, self._context(seat), keys, secret)
        return scalar_bytes(own.secrets.key("coin")), scalar_bytes(own.secrets.key("bag")), left

    def check_leave(self, seat: int, body: Plain) -> None:
        """Raises Foul."""
        if not self.leavable:
            raise Foul("nobody can leave here")
        try:
            coin, bag, secret = map(octets, array(body, 3))
            fits = base(read_scalar(coin)) == self.desk.keys[seat].coin
            fits = fits and base(read_scalar(bag)) == self.desk.keys[seat].bag
        except (BadElement, ValueError) as error:
            raise Foul(str(error)) from error
        if not fits or not well_formed(len(self._others(seat)), secret):
            raise Foul("what it leaves behind is not what section 13.2 asks")

    # -- the audit -----------------------------------------------------------------------------------------------------

    def recovered(self, shown: Mapping[int, Plain]) -> tuple[dict[int, Plain], list[tuple[int, int, int]], list[int]]:
        """What seats that left have shown by now; who of them deviates, and where; whose audit is missing."""
        bags = {seat: keys[1] for seat, keys in self.desk.left.items()}
        for seat, body in shown.items():
            secrets = Secrets(self.desk.game, seat, octets(array(body)[0]))
            if public_keys(secrets).bag == self.desk.keys[seat].bag:
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
            self.public = self.public.tell(public)
            for seat in self.seats.values():
                told[seat.number] = self.asked.answer(seat)
                seat.state = seat.state.tell(told[seat.number])
        for number in sorted(self._leaving):
            if not isinstance(self.public.ask(), Result):
                for seat in self.seats.values():
                    seat.state = after(seat.state, Leave(number), None)
                self.public = after(self.public, Leave(number), None)
        self._leaving.clear()
        self.step, self.stage = self.step + 1, 0
        ask = self.public.ask()
        if isinstance(ask, Result):
            self.result, self.ask = ask, None
        else:
            self.ask = ask
            self.asked = _asked(self.desk, self.step, ask)

    def _others(self, seat: int) -> tuple[int, ...]:
        return tuple(other for other in self.desk.present if other != seat)

    def _context(self, seat: int) -> Context:
        return self.desk.context(self.step, self.stage, seat)


def _asked(desk: Desk, step: int, ask: Ask) -> Asked:
    match ask:
        case Decide():
            return AskedDecide(desk, step, ask)
        case Together():
            return AskedTogether(desk, step, ask)
        case Seal():
            return AskedSeal(desk, step, ask)
        case Disclose():
            return AskedDisclose(desk, step, ask)
        case Open():
            return AskedOpen(desk, step, ask)
        case Roll():
            return AskedRoll(desk, step, ask)
        case Shuffle():
            return AskedShuffle(desk, step, ask)
        case Show():
            return AskedShow(desk, step, ask)
    raise TypeError(f"no table is asked {ask}")


def _seed_and_choices(secret: bytes | None) -> tuple[bytes, tuple[Plain, ...]] | None:
    try:
        match unpack(secret or b""):
            case (bytes() as seed, tuple() as choices) if len(seed) == 32:
                return seed, choices
    except Malformed:
        pass
    return None


def audit(
    game: Game, signed: Signed, log: Sequence[Stage], seat: int, seed: bytes, choices: Sequence[Plain]
) -> Slot | None:
    """Re-executes a seat (section 17): where it first signed another body than the one due; None if it nowhere did."""
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
                    allowed(space, own.choices[-1])
                except Foul:
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
