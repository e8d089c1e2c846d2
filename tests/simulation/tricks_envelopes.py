"""Tricks with envelopes: their chains, stages, heads and signatures, chat, resignations, and the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol.asks.together import COMMIT, OPEN, TogetherMachine
from kimberley.protocol.chain import MOST_EARLY, MOST_TALK
from kimberley.protocol.closing import CLOSE, SHOW, VERDICT, Closing
from kimberley.protocol.crypto import coin, signatures
from kimberley.protocol.crypto.eddsa import compress, expand, hashed
from kimberley.protocol.crypto.edwards import base_multiple
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CHAT, CLOSING, LEAVE, MOST_TEXT, RESIGN, REVISION, STAGE, Envelope
from kimberley.protocol.log import Deviation
from tests.simulation.cheating import ACCUSED, AUDITED, NOTHING, REFUSED, WAITED, Bent, Cheater, Trick
from tests.simulation.tricks_choices import AT_ONCE, OTHER_SEED
from tests.support.cheats import mangled
from tests.support.tables import identity

TWO_SEATS: Final = ("diamond", "diamond-trust")
"""Games that nobody can leave."""

Sent = Sequence[bytes | Envelope]
Wire = Callable[[Cheater, int, Envelope], Sent]


def sign(peer: Cheater) -> Callable[[str, bytes], bytes]:
    return partial(signatures.sign, identity(peer.seat or 0))


def again(peer: Cheater, envelope: Envelope, **fields: Any) -> Envelope:
    """The envelope with some fields changed, signed."""
    return replace(envelope, **fields, signature=b"").signed(sign(peer))


def after(peer: Cheater, envelope: Envelope, kind: int, body: Plain, **fields: Any) -> Envelope:
    """Another envelope, after that one in the chain."""
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
        if "sent" in peer.kept or envelope.kind == CHAT:
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


def at_close(make: Callable[[Cheater, Envelope], Sent]) -> Wire:
    """Replaces the signature under the result."""

    def at(peer: Cheater, envelope: Envelope) -> Sent | None:
        return make(peer, envelope) if envelope.kind == CLOSING and envelope.stage == CLOSE else None

    return instead(at)


def two_for_one(peer: Cheater, envelope: Envelope) -> Sent:
    return [envelope, again(peer, envelope, body=mangled(envelope.body, peer.rng))]


def another_revision(peer: Cheater, envelope: Envelope) -> Sent:
    fields = [envelope.game, envelope.seat, envelope.number, envelope.previous, envelope.step, envelope.stage]
    unsigned = pack((REVISION + 1, *fields, envelope.head, envelope.kind, envelope.body))
    return [pack((unsigned, sign(peer)("envelope", unsigned)))]


def padded(peer: Cheater, envelope: Envelope) -> Sent:
    """A number in more bytes than it needs, with a signature over that. A lenient reader would accept it."""
    start = pack((REVISION,))[1:]
    unsigned = envelope.unsigned.replace(start, b"\xcc" + start, 1)
    return [pack((unsigned, sign(peer)("envelope", unsigned)))]


def too_deep(peer: Cheater, envelope: Envelope) -> Sent:
    """A body of arrays within arrays."""
    body = b"\x91" * 40 + b"\xc0"
    unsigned = envelope.unsigned[: -len(pack(envelope.body))] + body
    return [pack((unsigned, sign(peer)("envelope", unsigned)))]


def opened_too_early(peer: Cheater, envelope: Envelope) -> Sent | None:
    """The seat's opening right after its commitment, whatever the others commit to."""
    machine = peer.play.machine
    if envelope.kind != STAGE or not isinstance(machine, TogetherMachine) or envelope.slot != (machine.step, COMMIT):
        return None
    opening = machine.body(OPEN, peer.play.choices[-1])
    return [envelope, after(peer, envelope, STAGE, opening, stage=1)]


def signed_otherwise(peer: Cheater, envelope: Envelope) -> Sent:
    """The same bytes with a second valid signature, made with another nonce than that of RFC 8032 (M-ENV-4)."""
    secret, _ = expand(identity(peer.seat or 0))
    nonce = peer.rng.randrange(1, signatures.ORDER)
    R = compress(base_multiple(nonce))
    A = signatures.public(identity(peer.seat or 0))
    k = hashed(R, A, signatures.prefixed("envelope", envelope.unsigned))
    S = (nonce + k * secret) % signatures.ORDER
    other = replace(envelope, signature=R + S.to_bytes(32, "little"))
    return [envelope, other] if peer.rng.random() < 0.5 else [other, envelope]


def out_of_stage(peer: Cheater, envelope: Envelope) -> Sent | None:
    """Another envelope for a stage that is over."""
    over = [key for key in peer.heads if not key[0]]
    if not over or envelope.kind != STAGE:
        return None
    _, step, stage = key = peer.rng.choice(over)
    late = after(peer, envelope, STAGE, envelope.body, step=step, stage=stage, head=peer.heads[key])
    return [envelope, late]


def playing_on(peer: Cheater, envelope: Envelope) -> Sent:
    resigned = after(peer, envelope, RESIGN, None)
    return [envelope, resigned, after(peer, resigned, STAGE, envelope.body)]


def talking(peer: Cheater, envelope: Envelope) -> Sent:
    talk: list[Envelope] = [envelope]
    while len(talk) <= MOST_TALK + 1:
        talk.append(after(peer, talk[-1], CHAT, "I say"))
    return talk


def flooding(peer: Cheater, envelope: Envelope) -> Sent:
    """Many envelopes, of which the first never arrives."""
    flood = [again(peer, envelope, number=envelope.number + 1)]
    while len(flood) < MOST_EARLY + 5:
        flood.append(after(peer, flood[-1], STAGE, None))
    return flood


def junk(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """Invalid or old data beside every envelope."""
    rng, data = peer.rng, envelope.pack()
    place = rng.randrange(len(data))
    flipped = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
    more: list[bytes] = [b"", rng.randbytes(40), flipped, data[:place], data + b"\0", data]
    if peer.transcript:
        more.append(rng.choice(peer.transcript).pack())
    strange = replace(envelope, game=bytes(32), signature=b"").signed(sign(peer))
    more.append(strange.pack())
    peer.done = peer.done or [envelope.slot]
    return [*rng.sample(more, 2), data, *rng.sample(more, 2)]


def two_faces(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """One share of a roll for some seats, another for the others. Both are valid."""
    if "number" not in peer.kept and peer.kept.get("asked") != envelope.number and _is_share(envelope):
        peer.kept["asked"] = envelope.number
        if peer.dares():
            context = peer.play.crypto.context(envelope.step, envelope.stage, envelope.seat)
            share = coin.share(peer.group, OTHER_SEED, context, peer.play.crypto.coin_key.secret, 0)
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
    """Nothing for one seat. The others pass on what it lacks."""
    out = peer.kept.setdefault("out", ((peer.seat or 0) + 1) % peer.play.crypto.seats)
    if receiver != out:
        return [envelope]
    peer.done = peer.done or [envelope.slot]
    return []


def _owes(peer: Cheater) -> bool:
    """Whether the seat has not yet signed what it owes to the current stage."""
    return peer.seat in peer.owing and peer.chains[peer.seat or 0].given is None


class Elsewhere(Cheater):
    """Chats in a transcript that nobody has."""

    def give(self) -> bool:
        if not self.done and self.closing is None and _owes(self) and self.dares():
            self.did()
            right, self.head = self.head, bytes(32)
            self.sign_next(CHAT, "hello")
            self.head = right
            return True
        return super().give()


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

    def judge(self) -> tuple[Deviation, ...]:
        self.did()
        return (Deviation(1, 0, ((self.seat or 0) + 1) % len(self.table.roster.seats), "it looked at me"),)


# -- the end -------------------------------------------------------------------------------------------------------


def another_result(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return (body[0], body[1], (*body[2], 0)) if closing.stage == CLOSE else body


def truth_for_a_number(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return (tuple(place == 1 or place for place in body[0]), *body[1:]) if closing.stage == CLOSE else body


def another_seed(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return (bytes(32), body[1]) if closing.stage == SHOW else body


def nothing_shown(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return None if closing.stage != SHOW else ()


def a_choice_too_few(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return (body[0], body[1][:-1]) if closing.stage == SHOW else body


def a_choice_too_many(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return (body[0], (*body[1], 1)) if closing.stage == SHOW else body


def other_choices(peer: Cheater, closing: Closing, body: Any) -> Bent:
    if closing.stage != SHOW or not body[1]:
        return body
    choices = list(body[1])
    place = peer.rng.randrange(len(choices))
    choices[place] = mangled(choices[place], peer.rng)
    return body[0], tuple(choices)


def no_verdict(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return ("guilty",) if closing.stage == VERDICT else body


TWICE: Final = "two different messages with one number"
PLAYED_ON: Final = "played on after they had resigned, left or closed the game"
OUT: Final = "they signed a message out of turn"
ENVELOPES: Final = (
    Trick("two envelopes with one number", "M-ENV-3", REFUSED, wire=in_game(two_for_one)),
    Trick("one envelope for some, another for others", "M-ENV-3", REFUSED, TWICE, least_seats=3, wire=two_faces),
    Trick("a number left out", "M-ENV-2", WAITED, wire=in_game(lambda p, e: [again(p, e, number=e.number + 1)])),
    Trick(
        "another previous one", "M-ENV-2", WAITED, wire=in_game(lambda p, e: [again(p, e, previous=bytes([1] * 32))])
    ),
    Trick("another transcript", "M-STG-2", WAITED, wire=in_game(lambda p, e: [again(p, e, head=bytes(32))])),
    Trick("a stage that has not come", "M-STG-1", WAITED, wire=in_game(lambda p, e: [again(p, e, step=e.step + 9)])),
    Trick(
        "a bad signature", "M-SIG-2", WAITED, wire=in_game(lambda p, e: [replace(e, signature=bytes(64))], silent=False)
    ),
    Trick(
        "a signature of small order",
        "M-SIG-1",
        WAITED,
        wire=in_game(lambda p, e: [replace(e, signature=bytes([1]) + bytes(63))], silent=False),
    ),
    Trick("a number in too many bytes", "M-ENC-1", WAITED, wire=in_game(padded)),
    Trick("arrays too deep", "M-ENC-2", WAITED, wire=in_game(too_deep)),
    Trick("an opening before all have committed", "M-TOG-3", WAITED, games=AT_ONCE, wire=instead(opened_too_early)),
    Trick("talk in another transcript", "M-STG-6", NOTHING, kind=Elsewhere),
    Trick("another revision", "M-GEN-4", WAITED, wire=in_game(another_revision)),
    Trick(
        "too much talk at once",
        "M-ENV-1",
        WAITED,
        wire=in_game(lambda p, e: [again(p, e, kind=CHAT, body="x" * (MOST_TEXT + 1))]),
    ),
    Trick("a flood of what cannot follow", "M-ENV-2", WAITED, wire=in_game(flooding)),
    Trick(
        "a second signature over the same bytes",
        "M-ENV-4",
        NOTHING,
        wire=instead(lambda p, e: signed_otherwise(p, e), silent=False),
    ),
    Trick("junk beside every envelope", "M-GEN-2", NOTHING, wire=junk),
    Trick("nothing for one of the others", "M-LNK-1", NOTHING, least_seats=3, wire=one_left_out),
    Trick("something for a stage that is over", "M-ENV-3", REFUSED, OUT, wire=instead(out_of_stage)),
    Trick("what another seat owes", "M-STG-5", REFUSED, OUT, kind=Intruder),
    Trick("leaving where nobody can", "M-LEA-1", REFUSED, "that nobody could leave", TWO_SEATS, kind=Unasked),
    Trick("resigning where one can leave", "M-RES-1", REFUSED, OUT, ("land", "piecepack"), 3, kind=Resigner),
    Trick(
        "resigning in another transcript",
        "M-RES-1",
        WAITED,
        games=TWO_SEATS,
        wire=in_game(lambda p, e: [again(p, e, kind=RESIGN, body=None, head=bytes(32))]),
    ),
    Trick("playing on after resigning", "M-TLK-2", REFUSED, PLAYED_ON, TWO_SEATS, wire=in_game(playing_on)),
    Trick("talk without end", "M-TLK-1", REFUSED, "they talked more than", TWO_SEATS, wire=in_game(talking)),
    Trick("silence", "M-LEA-4", WAITED, kind=Silent),
    Trick(
        "closing a game that runs",
        "M-CLO-1",
        WAITED,
        wire=in_game(lambda p, e: [again(p, e, kind=CLOSING, step=e.step + 1, stage=0)]),
    ),
    Trick(
        "its seed before the result is signed",
        "M-CLO-1",
        WAITED,
        wire=at_close(lambda p, e: [again(p, e, stage=SHOW, body=(p.seed, tuple(p.play.choices)))]),
    ),
    Trick(
        "playing on after closing",
        "M-TLK-2",
        REFUSED,
        PLAYED_ON,
        wire=at_close(lambda p, e: [e, after(p, e, STAGE, ())]),
    ),
    Trick("another result", "M-CLO-1", REFUSED, "a result that the game did not have", closing=another_result),
    Trick("true for one in the result", "M-ENC-4", REFUSED, "a result that the game did", closing=truth_for_a_number),
    Trick("another seed at the end", "16", REFUSED, "is not the one whose hash", closing=another_seed),
    Trick("a choice too few at the end", "17", AUDITED, "they showed no choice", closing=a_choice_too_few),
    Trick("a choice too many at the end", "17", AUDITED, "more choices", closing=a_choice_too_many),
    Trick("other choices at the end", "17", AUDITED, closing=other_choices),
    Trick("no verdict", "16", REFUSED, "it did not sign a verdict", closing=no_verdict),
    Trick("a false verdict", "M-CLO-2", ACCUSED, "does not bear out", kind=Accuser),
    Trick("silence at the end", "16", WAITED, kind=SilentAtTheEnd),
)
