"""Tricks with envelopes: their chains, stages, heads and signatures, chat, resignations, and the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from kimberley.conformance.forgeries import ENVELOPES as FORGED
from kimberley.conformance.forgeries import EnvelopeForgery, envelopes
from kimberley.conformance.forgeries.envelopes import MALFORMED, OUT, SAME
from kimberley.conformance.forging import OTHER
from kimberley.games.table import Plain
from kimberley.protocol.asks.together import COMMIT, OPEN, TogetherMachine
from kimberley.protocol.chain import MOST_EARLY
from kimberley.protocol.closing import CLOSE
from kimberley.protocol.crypto import coin, signatures
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN, STAGE, Envelope
from kimberley.protocol.log import Deviation
from tests.simulation.cheating import ACCUSED, NOTHING, REFUSED, WAITED, Cheater, Trick
from tests.simulation.tricks_bodies import AT_ONCE
from tests.support.due_envelopes import due_envelope
from tests.support.tables import identity

TWO_SEATS: Final = ("diamond", "diamond-trust")
"""Games that nobody can leave."""

Sent = Sequence[bytes | Envelope]
Wire = Callable[[Cheater, int, Envelope], Sent]


def sign(peer: Cheater) -> Callable[[str, bytes], bytes]:
    return partial(signatures.sign, identity(peer.seat or 0))


def again(peer: Cheater, envelope: Envelope, **fields: Any) -> Envelope:
    """Returns the envelope with some fields changed, signed."""
    return replace(envelope, **fields, signature=b"").signed(sign(peer))


def after(peer: Cheater, envelope: Envelope, kind: int, body: Plain, **fields: Any) -> Envelope:
    """Returns another envelope, after that one in the chain."""
    fields = {"number": envelope.number + 1, "previous": envelope.hash} | fields
    return again(peer, envelope, kind=kind, body=body, **fields)


def instead(
    make: Callable[[Cheater, Envelope], Sent | None], *, silent: bool = True
) -> Callable[[Cheater, int, Envelope], Sent]:
    """Sends something else to all, once. With `silent`, the seat then signs nothing more, because its chain no longer
    fits.
    """

    def bend(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
        if "sent" in peer.kept and peer.kept["number"] == envelope.number:
            return peer.kept["sent"]  # type: ignore[no-any-return]
        if "sent" in peer.kept:
            return [] if peer.kept.get("mute") else [envelope]
        peer.kept.setdefault("decided", {})
        if envelope.number not in peer.kept["decided"]:
            sent = make(peer, envelope)
            peer.kept["decided"][envelope.number] = sent
            if sent is not None and peer.dares():
                peer.done.append(envelope.slot)
                peer.kept |= {"sent": sent, "number": envelope.number, "mute": silent}
                return sent
        return [envelope]

    return bend


def in_game(make: Callable[[Cheater, Envelope], Sent], *, silent: bool = True) -> Wire:
    """Replaces an envelope of the game."""
    return instead(lambda peer, envelope: make(peer, envelope) if envelope.kind == STAGE else None, silent=silent)


def opened_too_early(peer: Cheater, envelope: Envelope) -> Sent | None:
    """Sends the seat's opening right after its commitment, whatever the others commit to."""
    machine = peer.play.machine
    if envelope.kind != STAGE or not isinstance(machine, TogetherMachine) or envelope.slot != (machine.step, COMMIT):
        return None
    opening = machine.body(OPEN, peer.play.choices[-1])
    return [envelope, after(peer, envelope, STAGE, opening, stage=1)]


def flooding(peer: Cheater, envelope: Envelope) -> Sent:
    """Sends many envelopes, the first of which never arrives."""
    flood = [again(peer, envelope, number=envelope.number + 1)]
    while len(flood) < MOST_EARLY + 5:
        flood.append(after(peer, flood[-1], STAGE, None))
    return flood


def junk(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """Sends invalid or old data along with every envelope."""
    rng, data, due = peer.rng, envelope.pack(), due_envelope(peer, envelope)
    place = rng.randrange(len(data))
    flipped = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
    more: list[bytes] = [rng.randbytes(40), flipped, data[:place], data + b"\0", data]
    if peer.transcript:
        more.append(rng.choice(peer.transcript).pack())
    with suppress(LookupError):
        more += rng.choice(MALFORMED).sent(due)
    peer.done = peer.done or [envelope.slot]
    return [*rng.sample(more, 2), data, *rng.sample(more, 2)]


def two_faces(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """Sends one share of a roll to some seats, another to the others. Both are valid."""
    if "number" not in peer.kept and peer.kept.get("asked") != envelope.number and _is_share(envelope):
        peer.kept["asked"] = envelope.number
        if peer.dares():
            context = peer.play.crypto.context(envelope.step, envelope.stage, envelope.seat)
            share = coin.share(peer.group, OTHER, context, peer.play.crypto.coin_key.secret, 0)
            peer.kept |= {"other": again(peer, envelope, body=(share,)), "number": envelope.number}
            peer.done.append(envelope.slot)
    if peer.kept.get("number") == envelope.number and (receiver == (envelope.seat + 1) % peer.play.crypto.seats):
        return [peer.kept["other"]]
    return [envelope]


def _is_share(envelope: Envelope) -> bool:
    match envelope.body:
        case (bytes() as share,) if envelope.kind == STAGE and len(share) == coin.SHARE_SIZE:
            return True
    return False


def one_left_out(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """Sends nothing to one seat. The others pass on what it lacks."""
    out = peer.kept.setdefault("out", ((peer.seat or 0) + 1) % peer.play.crypto.seats)
    if receiver != out:
        return [envelope]
    peer.done = peer.done or [envelope.slot]
    return []


def _owes(peer: Cheater) -> bool:
    """Whether the seat has not yet signed what it owes to the current stage."""
    return peer.seat in peer.owing and peer.chains[peer.seat or 0].given is None


class Intruder(Cheater):
    """Signs what others owe."""

    def give(self) -> bool:
        quiet = self.closing is None and self.play.result is None and self.seat not in self.owing
        if quiet and self.play.step and not self.done and self.dares():
            self.did()
            self.sign_next(STAGE, (None,))
            self.kept["mute"] = True
            return True
        return super().give()


class Unasked(Cheater):
    """Signs an envelope of a kind that is not allowed there."""

    kind: int = LEAVE

    def complete(self) -> bool:
        """Stops after the trick: nobody checks the seat's own game then, and it might never end."""
        return not self.kept.get("mute") and super().complete()

    def give(self) -> bool:
        if (
            self.closing is None
            and self.play.result is None
            and _owes(self)
            and self.play.step
            and not self.done
            and self._forbidden()
            and self.dares()
        ):
            self.did()
            self.sign_next(self.kind, self._unasked())
            self.kept["mute"] = True
            return True
        return super().give()

    def _forbidden(self) -> bool:
        return not self.resignations.can_leave(self.slot)

    def _unasked(self) -> Plain:
        return self.play.leave_body()


class Resigner(Unasked):
    """Resigns when it could only leave."""

    kind = RESIGN

    def _forbidden(self) -> bool:
        return self.resignations.can_leave(self.slot)

    def _unasked(self) -> Plain:
        return None


class Silent(Cheater):
    """Signs nothing more, from some point on."""

    def give(self) -> bool:
        if not self.done and _owes(self) and self._moment() and self.dares():
            self.did()
            self.kept["mute"] = True
        return super().give()

    def _moment(self) -> bool:
        return self.closing is None


class SilentAtTheEnd(Silent):
    """May sign the result, but nothing after it."""

    def _moment(self) -> bool:
        return self.closing is not None


class Accuser(Cheater):
    """Reports a deviation that does not exist."""

    def audit(self) -> None:
        self.did()
        self.findings = (Deviation(1, 0, ((self.seat or 0) + 1) % len(self.table.roster.seats), "it looked at me"),)
        self.advance()


def forged(forgery: EnvelopeForgery) -> Trick:
    """Returns the trick of a seat that sends a forged envelope once where it owes one of the kind."""

    def make(peer: Cheater, envelope: Envelope) -> Sent | None:
        if envelope.kind != forgery.moment.kind or (envelope.kind == CLOSING and envelope.stage != CLOSE):
            return None
        try:
            sent = forgery.sent(due_envelope(peer, envelope))
        except LookupError:
            return None
        return peer.rng.sample(sent, len(sent)) if forgery.reaction == SAME else sent

    return Trick(
        forgery.name,
        forgery.rules,
        OUTCOMES[forgery.reaction],
        forgery.reason if forgery.reaction == envelopes.REFUSED else "",
        TWO_SEATS if forgery.pair else (),
        wire=instead(make, silent=forgery.reaction != SAME),
    )


OUTCOMES: Final = {
    envelopes.DROPPED: WAITED,
    envelopes.SAME: NOTHING,
    envelopes.WAITED: WAITED,
    envelopes.REFUSED: REFUSED,
}
ENVELOPES: Final = (
    *(forged(forgery) for forgery in FORGED),
    Trick(
        "one envelope for some, another for others",
        "M-ENV-3",
        REFUSED,
        "with one number",
        least_seats=3,
        wire=two_faces,
    ),
    Trick("an opening before all have committed", "M-TOG-3", WAITED, games=AT_ONCE, wire=instead(opened_too_early)),
    Trick("a flood of what cannot follow", "M-ENV-2", WAITED, wire=in_game(flooding)),
    Trick("junk beside every envelope", "M-GEN-2", NOTHING, wire=junk),
    Trick("nothing for one of the others", "M-LNK-1", NOTHING, least_seats=3, wire=one_left_out),
    Trick("what another seat owes", "M-STG-5", REFUSED, OUT, kind=Intruder),
    Trick("leaving where nobody can", "M-LEA-1", REFUSED, "that nobody could leave", TWO_SEATS, kind=Unasked),
    Trick("resigning where one can leave", "M-RES-1", REFUSED, OUT, ("land", "piecepack"), 3, kind=Resigner),
    Trick("silence", "M-LEA-4", WAITED, kind=Silent),
    Trick("a false verdict", "M-CLO-2", ACCUSED, "does not bear out", kind=Accuser),
    Trick("silence at the end", "16", WAITED, kind=SilentAtTheEnd),
)
