"""What each ask asks of the seats of a table (SPEC.md, section 15, but for bags): bodies, checks and answers."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from client.conformance.desk import PURPOSES, Bodies, Desk, Foul, Keys, Pair, Seat, check_within, prove_within
from client.conformance.group import (
    IDENTITY,
    BadElement,
    base,
    hash_to_group,
    mul,
    pedersen,
    read_point,
    read_scalar,
    scalar_bytes,
    total,
)
from client.conformance.hashing import GROUP, Context, digest, message
from client.conformance.plain import Plain
from client.conformance.proofs import check_dleq, check_range, prove_dleq, prove_range
from client.conformance.tells import offer, seal, take, tell_key, unseal
from games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Decide,
    Disclose,
    Open,
    Roll,
    Seal,
    Space,
    Tally,
    Tell,
    Together,
    Unreadable,
)


class Asked(ABC):
    """One ask on its way to its answer."""

    stages = 1

    def __init__(self, desk: Desk, step: int) -> None:
        self.desk = desk
        self.step = step

    @abstractmethod
    def owing(self, stage: int) -> Sequence[int]:
        """The seats that owe a body, as if none had left."""

    @abstractmethod
    def body(self, stage: int, seat: Seat) -> Plain:
        """What a correct seat signs; where it was asked, its latest choice is the one for this ask."""

    @abstractmethod
    def check(self, stage: int, seat: int, body: Plain) -> None:
        """Raises Foul, also as a ValueError or TypeError where the shape is wrong."""

    @abstractmethod
    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        """The stage is complete; of seats that left there is no body."""

    def answer(self, seat: Seat | None) -> Any:
        """As a seat, or an onlooker, sees it."""
        raise NotImplementedError

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        return True

    def context(self, stage: int, seat: int) -> Context:
        return self.desk.context(self.step, stage, seat)


class AskedKeys(Asked):
    """Step 0."""

    def owing(self, stage: int) -> Sequence[int]:
        return range(self.desk.seats)

    def body(self, stage: int, seat: Seat) -> Plain:
        secrets = seat.secrets
        return tuple(
            (base(x), prove_dleq(secrets, f"key {purpose}", secrets.context(0), 0, x, ()))
            for purpose, x in ((purpose, secrets.key(purpose)) for purpose in PURPOSES)
        )

    def check(self, stage: int, seat: int, body: Plain) -> None:
        for purpose, (key, proof) in zip(PURPOSES, entries(body, 3, 2), strict=True):
            if not check_dleq(f"key {purpose}", self.context(0, seat), read_point(key), (), (), octets(proof)):
                raise Foul(f"its {purpose} key is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        for seat, body in bodies.items():
            keys = [octets(key) for key, _ in entries(body, 3, 2)]
            self.desk.keys[seat] = Keys(*keys)

    @property
    def answered(self) -> bool:
        return False


class AskedDecide(Asked):
    """One seat chooses."""

    def __init__(self, desk: Desk, step: int, ask: Decide) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.choice: tuple[Plain, ...] = ()

    def owing(self, stage: int) -> Sequence[int]:
        return (self.ask.seat,)

    def body(self, stage: int, seat: Seat) -> Plain:
        return (seat.choices[-1],)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        (choice,) = array(body, 1)
        allowed(self.ask.space, choice)

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        self.choice = tuple(entry for body in bodies.values() for entry in array(body, 1))

    def answer(self, seat: Seat | None) -> Any:
        return self.choice[0]

    @property
    def answered(self) -> bool:
        return bool(self.choice)


class AskedTogether(Asked):
    """Seats choose, commit and open."""

    stages = 2

    def __init__(self, desk: Desk, step: int, ask: Together) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.commitments: dict[int, Plain] = {}
        self.choices: dict[int, Plain] = {}

    def owing(self, stage: int) -> Sequence[int]:
        asked = [seat for seat, space in enumerate(self.ask.spaces) if space is not None]
        return asked if stage == 0 else [seat for seat in asked if seat in self.commitments]

    def body(self, stage: int, seat: Seat) -> Plain:
        choice = seat.choices[-1]
        if stage == 0:
            return commit(seat, self.step, choice)
        within = self.ask.within[seat.number] if self.ask.within else None
        proof = None
        if within is not None:
            proof = prove_within(seat, self.context(1, seat.number), within, (0, 0), self._cost(seat.number, choice))
        return choice_nonce(seat, self.step, choice), choice, proof

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if stage == 0:
            check_commitment(body)
            return
        nonce, choice, proof = array(body, 3)
        due = digest("choice", self.desk.game, self.step, seat, octets(nonce, 32), choice)
        if self.commitments[seat] != (due,):
            raise Foul("the opening does not fit the commitment")
        space = self.ask.spaces[seat]
        assert space is not None
        allowed(space, choice)
        within = self.ask.within[seat] if self.ask.within else None
        if within is not None:
            check_within(self.desk, self.context(1, seat), within, IDENTITY, self._cost(seat, choice), proof)
        elif proof is not None:
            raise Foul("it carries a proof that is not asked for")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        if stage == 0:
            self.commitments = dict(bodies)
        else:
            self.choices = {seat: array(body, 3)[1] for seat, body in bodies.items()}

    def answer(self, seat: Seat | None) -> Any:
        return tuple(self.choices.get(place) for place in range(self.desk.seats))

    def _cost(self, seat: int, choice: Plain) -> int:
        space = self.ask.spaces[seat]
        assert space is not None
        return space.cost(choice)


class AskedSeal(Asked):
    """Seats choose and open nothing."""

    def __init__(self, desk: Desk, step: int, ask: Seal) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.gave: frozenset[int] = frozenset()

    def owing(self, stage: int) -> Sequence[int]:
        return [seat for seat, space in enumerate(self.ask.spaces) if space is not None]

    def body(self, stage: int, seat: Seat) -> Plain:
        space, choice = self.ask.spaces[seat.number], seat.choices[-1]
        if not isinstance(space, Amounts):
            return commit(seat, self.step, choice)
        amounts = [amount for amount in choice if isinstance(amount, int)] if isinstance(choice, tuple) else []
        return self.amounts_body(seat, space, amounts)

    def amounts_body(self, seat: Seat, space: Amounts, amounts: Sequence[int]) -> Plain:
        """The body that seals these amounts, legal or not."""
        context = seat.secrets.context(self.step)
        drawn = self.blindings(seat, space, amounts)
        proofs = tuple(
            prove_range(seat.secrets, "amount", context, index, slot.bits, amount % (1 << slot.bits), r)
            for index, (slot, amount, r) in enumerate(zip(space.slots, amounts, drawn, strict=True))
        )
        within = prove_within(seat, context, space.within, (sum(amounts), sum(drawn)), 0)
        return tuple(map(pedersen, amounts, drawn)), proofs, within

    def blindings(self, seat: Seat, space: Amounts, amounts: Sequence[int]) -> list[int]:
        context = seat.secrets.context(self.step)
        return [
            seat.secrets.scalar("blinding", context, index, slot.name, slot.bits, amount)
            for index, (slot, amount) in enumerate(zip(space.slots, amounts, strict=True))
        ]

    def check(self, stage: int, seat: int, body: Plain) -> None:
        space = self.ask.spaces[seat]
        if not isinstance(space, Amounts):
            check_commitment(body)
            return
        commitments, proofs, within = array(body, 3)
        count, context = len(space.slots), self.context(0, seat)
        points = [read_point(point) for point in array(commitments, count)]
        for slot, point, proof in zip(space.slots, points, array(proofs, count), strict=True):
            if not check_range("amount", context, slot.bits, point, octets(proof)):
                raise Foul("a sealed amount is not proven")
        check_within(self.desk, context, space.within, total(points), 0, within)

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        desk, self.gave = self.desk, frozenset(bodies)
        for number, body in bodies.items():
            space = self.ask.spaces[number]
            if not isinstance(space, Amounts):
                continue
            for slot, point in zip(space.slots, array(array(body, 3)[0], len(space.slots)), strict=True):
                for tally in (slot, space.within.tally):
                    desk.tallies[tally] = total((desk.commitment(tally), octets(point)))
                desk.sealed[slot] = desk.sealed.get(slot, 0) + 1
        for seat in seats:
            space = self.ask.spaces[seat.number]
            if not isinstance(space, Amounts) or seat.number not in bodies:
                continue
            choice = seat.choices[-1]
            amounts = [amount for amount in choice if isinstance(amount, int)] if isinstance(choice, tuple) else []
            for slot, amount, r in zip(space.slots, amounts, self.blindings(seat, space, amounts), strict=True):
                seat.add(slot, amount, r)
                seat.add(space.within.tally, amount, r)

    def answer(self, seat: Seat | None) -> Any:
        return tuple(
            None
            if place not in self.gave
            else seat.choices[-1]
            if seat is not None and seat.number == place
            else HIDDEN
            for place in range(self.desk.seats)
        )


class AskedDisclose(Asked):
    """Owners tell receivers."""

    def __init__(self, desk: Desk, step: int, ask: Disclose) -> None:
        super().__init__(desk, step)
        self.tells = ask.tells
        self.read: dict[int, list[Any]] = {}
        made = dict(desk.padded)
        self.padded = []
        for tell in self.tells:
            self.padded.append(made.get(_pair(tell)) != desk.counts(_pair(tell)))
            made[_pair(tell)] = desk.counts(_pair(tell))

    def owing(self, stage: int) -> Sequence[int]:
        return sorted({tell.owner for tell in self.tells})

    def owned(self, seat: int) -> list[tuple[int, Tell]]:
        return [(index, tell) for index, tell in enumerate(self.tells) if tell.owner == seat]

    def body(self, stage: int, seat: Seat) -> Plain:
        keys, told = dict(seat.given), []
        own = seat.state.ask()
        assert isinstance(own, Disclose)
        for index, tell in self.owned(seat.number):
            pads = b""
            if self.padded[index]:
                keys[_pair(tell)] = self.key(seat, index, tell)
                pads = self.offered(seat, index, tell, seat.opening(tell.than))
            says = own.tells[index].says
            assert says is not HIDDEN
            context = seat.secrets.context(self.step)
            told.append((pads, seal(keys[_pair(tell)], tell.kind, context, index, tell.size, _plain(says))))
        return tuple(told)

    def key(self, seat: Seat, index: int, tell: Tell) -> bytes:
        more, than = self.desk.commitment(tell.more), self.desk.commitment(tell.than)
        return tell_key(seat.secrets, self.step, index, more, than)

    def offered(self, seat: Seat, index: int, tell: Tell, than: tuple[int, int]) -> bytes:
        """The pads of a tell, as if the owner's tally were opened so."""
        more = self.desk.commitment(tell.more)
        return offer(seat.secrets, self.step, index, tell.more.bits, more, than, self.key(seat, index, tell))

    def check(self, stage: int, seat: int, body: Plain) -> None:
        owned = self.owned(seat)
        for (index, tell), (pads, sealed) in zip(owned, entries(body, len(owned), 2), strict=True):
            octets(sealed, tell.size + 20)
            if self.padded[index]:
                read_point(octets(pads, 32 + (32 << tell.more.bits))[:32])
            elif pads != b"":
                raise Foul("it carries pads although others stand")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        by_number = {seat.number: seat for seat in seats}
        self.read = {number: [HIDDEN] * len(self.tells) for number in by_number}
        places = {number: iter(array(body)) for number, body in bodies.items()}
        for index, tell in enumerate(self.tells):
            if tell.owner not in places:
                for number in by_number:
                    if number == tell.receiver:
                        self.read[number][index] = NOTHING
                continue
            pads, sealed = array(next(places[tell.owner]), 2)
            pair, context = _pair(tell), self.context(0, tell.owner)
            if tell.receiver in by_number:
                receiver = by_number[tell.receiver]
                if self.padded[index]:
                    more, than = map(self.desk.commitment, pair)
                    opening = receiver.opening(tell.more)
                    receiver.taken[pair] = take(context, index, tell.more.bits, more, than, opening, octets(pads))
                payload = unseal(receiver.taken[pair], tell.kind, context, index, tell.size, octets(sealed))
                self.read[tell.receiver][index] = _told(tell.what, payload)
            if self.padded[index]:
                self.desk.padded[pair] = self.desk.counts(pair)
                if tell.owner in by_number:
                    by_number[tell.owner].given[pair] = self.key(by_number[tell.owner], index, tell)

    def answer(self, seat: Seat | None) -> Any:
        return tuple(self.read[seat.number]) if seat is not None else tuple(HIDDEN for _ in self.tells)


class AskedOpen(Asked):
    """Totals are opened."""

    def __init__(self, desk: Desk, step: int, ask: Open) -> None:
        super().__init__(desk, step)
        self.tallies = ask.tallies
        self.totals: dict[Tally, Plain] = {}

    def owing(self, stage: int) -> Sequence[int]:
        return sorted({tally.seat for tally in self.tallies})

    def body(self, stage: int, seat: Seat) -> Plain:
        opened = [seat.opening(tally) for tally in self._of(seat.number)]
        return tuple((amount, scalar_bytes(blinding)) for amount, blinding in opened)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        tallies = self._of(seat)
        for tally, (amount, blinding) in zip(tallies, entries(body, len(tallies), 2), strict=True):
            if type(amount) is not int or not 0 <= amount < 1 << tally.bits:
                raise Foul("a total is out of its bounds")
            if pedersen(amount, read_scalar(octets(blinding))) != self.desk.commitment(tally):
                raise Foul("a total does not fit what was sealed")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        for seat, body in bodies.items():
            tallies = self._of(seat)
            for tally, (amount, _) in zip(tallies, entries(body, len(tallies), 2), strict=True):
                self.totals[tally] = amount

    def answer(self, seat: Seat | None) -> Any:
        return tuple(self.totals.get(tally) for tally in self.tallies)

    def _of(self, seat: int) -> list[Tally]:
        return [tally for tally in self.tallies if tally.seat == seat]


class AskedRoll(Asked):
    """All seats roll."""

    def __init__(self, desk: Desk, step: int, ask: Roll) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.rolled: tuple[int, ...] = ()
        self.point = hash_to_group(message("coin point", desk.game, step, 0))

    def owing(self, stage: int) -> Sequence[int]:
        return range(self.desk.seats)

    def body(self, stage: int, seat: Seat) -> Plain:
        y, context = seat.secrets.key("coin"), seat.secrets.context(self.step)
        return (mul(y, self.point) + prove_dleq(seat.secrets, "coin share", context, 0, y, (self.point,)),)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        share = octets(array(body, 1)[0], 96)
        public, context = self.desk.keys[seat].coin, self.context(0, seat)
        if not check_dleq("coin share", context, public, (self.point,), (share[:32],), share[32:]):
            raise Foul("its share of the roll is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[Seat]) -> None:
        points = [
            octets(array(bodies[seat], 1)[0])[:32] if seat in bodies else mul(self.desk.left[seat][0], self.point)
            for seat in range(self.desk.seats)
        ]
        self.rolled = dice(points, self.ask.sides)

    def answer(self, seat: Seat | None) -> Any:
        return self.rolled


# -- what they share ---------------------------------------------------------------------------------------------------


def dice(points: Sequence[bytes], sides: Sequence[int]) -> tuple[int, ...]:
    """The roll of these shares."""
    material = digest("coin", GROUP, total(points))
    words: list[int] = []
    counter = 0
    shown = []
    for n in sides:
        while True:
            if not words:
                block = hashlib.sha256(message("dice", material, counter)).digest()
                words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)]
                counter += 1
            word = words.pop(0)
            if word < 2**64 - 2**64 % n:
                break
        shown.append(word % n)
    return tuple(shown)


def choice_nonce(seat: Seat, step: int, choice: Plain) -> bytes:
    return seat.secrets.derive("choice nonce", seat.secrets.context(step), 0, choice)


def commit(seat: Seat, step: int, choice: Plain) -> tuple[bytes]:
    """The body that commits to a choice."""
    return (digest("choice", seat.secrets.game, step, seat.number, choice_nonce(seat, step, choice), choice),)


def check_commitment(body: Plain) -> None:
    """Raises Foul."""
    octets(array(body, 1)[0], 32)


def allowed(space: Space, choice: Plain) -> None:
    """Raises Foul for a choice that a space does not read or forbids."""
    try:
        reason = space.why_not(space.read(choice))
    except Unreadable as error:
        reason = str(error)
    if reason is not None:
        raise Foul(reason)


def _told(space: Space, payload: tuple[Plain] | None) -> Any:
    """What a receiver takes a payload for."""
    try:
        if payload is not None:
            allowed(space, payload[0])
            return payload[0]
    except Foul:
        pass
    return NOTHING


def _pair(tell: Tell) -> Pair:
    return tell.more, tell.than


def _plain(value: Any) -> Plain:
    plain: Plain = value
    return plain


def octets(plain: Plain, size: int | None = None) -> bytes:
    if not isinstance(plain, bytes) or size not in (None, len(plain)):
        raise BadElement("expected bytes of another length" if isinstance(plain, bytes) else "expected bytes")
    return plain


def array(plain: Plain, size: int | None = None) -> tuple[Plain, ...]:
    if not isinstance(plain, tuple) or size not in (None, len(plain)):
        raise BadElement("expected an array of another length" if isinstance(plain, tuple) else "expected an array")
    return plain


def entries(plain: Plain, size: int, each: int) -> list[tuple[Plain, ...]]:
    return [array(entry, each) for entry in array(plain, size)]
