"""The laws that hold at every step of a simulated table, whatever the network does and no matter who cheats.

agreement    honest seats at one position have one transcript and one public state, unless a cheat signed two things
blame        no honest seat is ever blamed
knowledge    a seat sees of an answer only what `games.table.seen` allows, and the values are the true ones
secrets      nothing an honest seat signs shows a secret before its time, or has a size that leaks information
freshness    no two commitments, proofs or ciphertexts of an honest seat are ever equal
resume       a seat that returns from a crash has signed nothing else before (seat.py)
failure      no honest seat's machine fails (seat.py)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Answer,
    Ask,
    Decide,
    Disclose,
    Open,
    Plain,
    Roll,
    Seal,
    Show,
    Shuffle,
    Tally,
    Tell,
    Together,
)
from kimberley.protocol.closing import SHOW
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import CLOSING, LEAVE, STAGE, Envelope
from kimberley.protocol.events import Answered, Caught, Event, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from tests.simulation.plan import Plan
from tests.simulation.seat import Broken, Seat
from tests.simulation.shapes import KEYS, Foreteller, shape
from tests.support.contained import first_difference


class Watch:
    """Observes everything at one table."""

    def __init__(self, plan: Plan, table: SignedRoster) -> None:
        self.steps = 0
        self.caught: dict[int, Caught] = {}
        """The seat that each honest seat has caught."""
        self.forked = False
        """Whether a cheat has signed two envelopes with one number."""
        self.asks: dict[int, Ask] = {}
        """Every answered ask, by step. Its facts are public."""
        self._plan = plan
        self._table = table
        self._common: dict[tuple[object, ...], tuple[object, set[int | None]]] = {}
        """Values on which all seats must agree, by their key: the value, and the seats that have reached it."""
        self._signed: dict[tuple[int, int], bytes] = {}
        self._leaves: dict[bytes, tuple[int, int, int]] = {}
        self._checked: dict[int, int] = {}
        self._sealed: dict[tuple[int, int], Mapping[Tally, int]] = {}
        """What each honest seat sealed, by seat and step."""
        self._says: dict[tuple[int, int], tuple[Tell, int]] = {}
        """What honest owners disclose, with their sums, by step and index."""
        self._reads: dict[tuple[int, int], tuple[Tell, int, Answer]] = {}
        """What honest receivers read, with their sums."""

    def step(self, seat: Seat, events: Sequence[Event]) -> None:
        """Checks the laws after one input of an honest seat, or of the spectator."""
        self.steps += 1
        peer = seat.peer
        self._no_honest_blamed(peer)
        if peer.caught is not None:
            self.caught[seat.number] = peer.caught
        self._agree(peer)
        for event in events:
            match event:
                case Answered(step, ask, answer, _):
                    self._knows(peer, step, ask, answer)
                case Send(data):
                    self._keeps_secrets(peer, Envelope.unpack(data))
        if self._checked.get(seat.number) != peer.play.step:
            self._checked[seat.number] = peer.play.step
            self._same_public(peer)

    def forgotten(self, seat: int) -> None:
        """Forgets what only this seat had reached, because it returned from an old copy of its journal."""
        self._common = {what: (value, by) for what, (value, by) in self._common.items() if by != {seat}}

    def _alike(self, peer: Peer, value: object, *what: object) -> bool:
        """Returns whether a seat has the same value as all others that have it; True in any case after a cheat has
        signed two things.
        """
        first, by = self._common.setdefault(what, (value, set()))
        by.add(peer.seat)
        return self.forked or first == value

    def cheat_signed(self, data: bytes) -> None:
        """Records an envelope of a cheat, and whether it is the second of two with one number."""
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return
        seats = self._table.roster.seats
        if envelope.game != self._table.game_id or envelope.seat >= len(seats):
            return
        if envelope.signed_by(seats[envelope.seat].identity):
            key = envelope.seat, envelope.number
            self.forked |= self._signed.setdefault(key, envelope.hash) != envelope.hash

    # -- blame and agreement ---------------------------------------------------------------------------------------

    def _no_honest_blamed(self, peer: Peer) -> None:
        if peer.caught is not None and peer.caught.seat not in self._plan.tricks:
            raise Broken("blame", f"{_name(peer)} has caught honest {peer.caught}")
        for deviation in peer.findings or ():
            if deviation.seat not in self._plan.tricks:
                raise Broken("blame", f"{_name(peer)} finds honest {deviation}")

    def _agree(self, peer: Peer) -> None:
        key = peer.closing is not None, *peer.slot
        if not self._alike(peer, peer.head, "head", *key):
            raise Broken("agreement", f"{_name(peer)} has another transcript at {key}")

    def _same_public(self, peer: Peer) -> None:
        if self.forked:
            return
        if not self._alike(peer, peer.public, "public", peer.play.step):
            raise Broken("agreement", f"{_name(peer)} has another public state at step {peer.play.step}")
        if (wrong := first_difference(peer.public, peer.state)) is not None:
            raise Broken("knowledge", f"{_name(peer)} does not know what is public: {wrong}")

    # -- what seats know -------------------------------------------------------------------------------------------

    def _knows(self, peer: Peer, step: int, ask: Ask, answer: Answer) -> None:
        """Checks that the answer as this seat saw it is true, and is no more than it may see."""
        me = peer.seat
        self.asks.setdefault(step, ask)
        match ask:
            case Decide() | Together() | Roll() | Open():
                if not self._alike(peer, answer, "answer", step):
                    raise Broken("agreement", f"{_name(peer)} has another answer at step {step}")
            case Seal():
                self._hidden(peer, step, [one for seat, one in enumerate(answer) if seat != me and one is not None])
                self._seals(peer, step, ask, answer)
            case Disclose():
                self._told(peer, step, ask, answer)
            case Shuffle():
                self._hidden(peer, step, [part for item in answer for part in item.parts])
            case Show():
                self._shown(peer, step, ask, answer)

    def _hidden(self, peer: Peer, step: int, values: Sequence[object]) -> None:
        if any(value is not HIDDEN for value in values):
            raise Broken("knowledge", f"{_name(peer)} sees what it may not at step {step}: {values}")

    def _shown(self, peer: Peer, step: int, ask: Show, answer: Answer) -> None:
        for item, values in zip(ask.items, answer, strict=True):
            for value, (part, to) in zip(values, ask.parts, strict=True):
                if to is not None and to != peer.seat:
                    self._hidden(peer, step, [value])
                elif not self._alike(peer, value, "value", item, part):
                    raise Broken("knowledge", f"{_name(peer)} sees another value of item {item} at step {step}")

    def _seals(self, peer: Peer, step: int, ask: Seal, answer: Answer) -> None:
        space = ask.spaces[peer.seat] if peer.seat is not None else None
        if isinstance(space, Amounts) and peer.seat is not None and answer[peer.seat] is not None:
            self._sealed[peer.seat, step] = dict(zip(space.slots, answer[peer.seat], strict=True))

    def _told(self, peer: Peer, step: int, ask: Disclose, answer: Answer) -> None:
        """Checks that honest receivers read what honest owners disclose if the sealed sums allow it; else NOTHING."""
        for index, (tell, told) in enumerate(zip(ask.tells, answer, strict=True)):
            if tell.receiver != peer.seat:
                self._hidden(peer, step, [told])
            else:
                self._reads[step, index] = tell, self._total(tell.more, step), told
            if tell.owner == peer.seat:
                self._says[step, index] = tell, self._total(tell.than, step)
            if (step, index) in self._reads and (step, index) in self._says and not self.forked:
                _, more, read = self._reads[step, index]
                said, than = self._says[step, index]
                due: Any = said.says if more > than else NOTHING
                if read is not due and read != due:
                    raise Broken("knowledge", f"{read!r} was read in tell {index} of step {step}, not {due!r}")

    def _total(self, tally: Tally, step: int) -> int:
        """What an honest seat has sealed into a tally before a step."""
        return sum(
            amounts.get(tally, 0) for (seat, at), amounts in self._sealed.items() if seat == tally.seat and at < step
        )

    # -- what seats sign -------------------------------------------------------------------------------------------

    def _keeps_secrets(self, peer: Peer, envelope: Envelope) -> None:
        assert peer.seat is not None
        crypto, data = peer.play.crypto, envelope.unsigned
        shows = envelope.kind == CLOSING and envelope.stage >= SHOW
        if shows:
            return
        encode = crypto.group.encode_scalar
        secrets = [crypto.seed, encode(crypto.mailbox_key.secret)]
        if envelope.kind != LEAVE:
            secrets += [encode(crypto.coin_key.secret), encode(crypto.bag_key.secret)]
        if any(secret in data for secret in secrets):
            raise Broken("secrets", f"{_name(peer)} signs a secret in the clear at {envelope.slot}")
        if envelope.kind == STAGE and not isinstance(self._ask_at(peer, envelope), Open | Decide):
            for leaf in _leaves(envelope.body):
                where = envelope.seat, *envelope.slot
                if self._leaves.setdefault(leaf, where) != where:
                    raise Broken(
                        "freshness", f"{_name(peer)} signs at {envelope.slot} what stood at {self._leaves[leaf]}"
                    )

    def _ask_at(self, peer: Peer, envelope: Envelope) -> Ask | None:
        return peer.play.ask if peer.play.step == envelope.step else self.asks.get(envelope.step)

    def shapes(self, peer: Peer) -> None:
        """Checks at the end that every body of an honest seat has the shape that public facts predict."""
        foreteller = Foreteller(self._plan.seats)
        for entry in peer.log:
            bodies = {seat: body for seat, body in entry.bodies.items() if seat in self._plan.honest}
            ask = self.asks.get(entry.step)
            if ask is None and entry.step > 0:
                return
            for seat, body in bodies.items():
                due = KEYS if ask is None else foreteller.shape(ask, entry.stage, seat, body)
                if shape(body) != due:
                    raise Broken("secrets", f"the shape of seat {seat + 1}'s body at {entry.step, entry.stage} tells")
            if ask is not None and entry.stage == _last_stage(ask, self._plan.seats):
                foreteller.answered(ask, tuple(entry.bodies))


def _last_stage(ask: Ask, seats: int) -> int:
    match ask:
        case Together():
            return 1
        case Shuffle():
            return seats - 1
    return 0


def _name(peer: Peer) -> str:
    return "the spectator" if peer.seat is None else f"seat {peer.seat + 1}"


def _leaves(body: Plain) -> list[bytes]:
    """Every byte string in a body that is at least as long as a point."""
    if isinstance(body, bytes):
        return [body] if len(body) >= 32 else []
    return [leaf for part in body for leaf in _leaves(part)] if isinstance(body, tuple) else []
