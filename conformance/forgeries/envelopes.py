"""What is forged of envelopes: their bytes, fields, signatures, chains and stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kimberley.conformance.forgeries.forgery import Asks, SigningMoment
from kimberley.conformance.forging import OTHER, entries, put
from kimberley.games.table import Plain
from kimberley.protocol.closing import SHOW
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.eddsa import compress, expand, hashed
from kimberley.protocol.crypto.edwards import base_multiple
from kimberley.protocol.encoding import pack, unpack
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN, REVISION, STAGE, Envelope

DROPPED: Final = "dropped"
"""It counts for nothing: nobody is blamed, and the envelope due counts once it comes."""
SAME: Final = "the same"
"""The envelope due is there as well, and nothing else changes anything."""
WAITED: Final = "waited for"
"""Nobody is blamed, and the others wait for the seat: its chain goes on from what it signed."""
REFUSED: Final = "refused"
"""All find the seat guilty, at the slot of the last envelope."""

_ASKS: Final[Asks] = (("decide", 1, 9), ("roll", (6,)), ("decide", 0, 9))
DUE: Final = SigningMoment("envelope", _ASKS, (1, 0))
LATER: Final = SigningMoment("envelope later on", _ASKS, (2, 0))
CLOSE: Final = SigningMoment("close", (("together", (0, 1), 9),), (2, 0), kind=CLOSING)

Sent = Sequence[Envelope | bytes]


@dataclass(frozen=True)
class DueEnvelope:
    """An envelope that a seat owes, and what it takes to forge it.

    Args:
        envelope: As an honest seat signs it.
        secret: The seat's identity key.
        seats: How many the table has.
        last: The last envelope of the next seat, if it has signed any.
        heads: The heads of stages, by (step, stage).
    """

    envelope: Envelope
    secret: bytes
    seats: int
    last: Envelope | None
    heads: Mapping[tuple[int, int], bytes]

    def sign(self, purpose: str, data: bytes) -> bytes:
        return signatures.sign(self.secret, purpose, data)

    def over(self, unsigned: bytes) -> bytes:
        """Returns these bytes, signed as an envelope."""
        return pack((unsigned, self.sign("envelope", unsigned)))

    def altered(self, **fields: Any) -> Envelope:
        """Returns the envelope with other fields, signed."""
        return replace(self.envelope, **fields).signed(self.sign)

    def following(self, before: Envelope, **fields: Any) -> Envelope:
        """Returns the envelope with other fields, after `before` in the chain."""
        return self.altered(**{"number": before.number + 1, "previous": before.hash} | fields)


@dataclass(frozen=True)
class EnvelopeForgery:
    """What a seat sends in place of an envelope that it owes, or after it.

    Args:
        name: What is forged: the title of its case, and the name of its trick.
        rules: The requirements that it breaks, with spaces between them.
        reaction: What all others must do.
        make: Makes it. Raises LookupError where there is nothing of the kind that is forged.
        case: The id of its case on the wire.
        moment: Where it is forged.
        reason: What our own peer says of it, in part.
        duties: The requirements that say what others must do then, besides those of their reaction.
        pair: Whether it is a forgery only at tables of two.
    """

    name: str
    rules: str
    reaction: str
    make: Callable[[DueEnvelope], Sent]
    case: str
    moment: SigningMoment = DUE
    reason: str = ""
    duties: str = ""
    pair: bool = False

    def sent(self, due: DueEnvelope) -> list[bytes]:
        """Returns what travels. Raises LookupError."""
        return [one if isinstance(one, bytes) else one.pack() for one in self.make(due)]


def _dropped(
    case: str,
    name: str,
    make: Callable[[DueEnvelope], Envelope | bytes],
    more: str = "",
    reason: str = "not an envelope",
    duties: str = "",
) -> EnvelopeForgery:
    """Returns a forgery that is not an envelope of the table."""
    rules = f"M-ENV-1 {more}".rstrip()
    return EnvelopeForgery(name, rules, DROPPED, lambda due: [make(due)], case, DUE, reason, duties)


def _altered(**fields: Any) -> Callable[[DueEnvelope], Sent]:
    """Sends the envelope with other fields."""
    return lambda due: [due.altered(**fields)]


def _fields(change: Callable[[tuple[Plain, ...]], Plain]) -> Callable[[DueEnvelope], bytes]:
    """Changes the fields, by their places."""
    return lambda due: due.over(pack(change(entries(unpack(due.envelope.unsigned)))))


def _signature(change: Callable[[DueEnvelope], bytes]) -> Callable[[DueEnvelope], bytes]:
    """Replaces the signature."""
    return lambda due: pack((due.envelope.unsigned, change(due)))


def _in_another_name(due: DueEnvelope) -> Envelope:
    """Returns the next envelope of another seat, which never signed it."""
    if due.last is None:
        raise LookupError("it has signed nothing yet")
    return due.following(due.last, seat=due.last.seat)


def _wide(due: DueEnvelope) -> bytes:
    """Encodes the step in three bytes."""
    envelope = due.envelope
    short, step = envelope.previous + pack(envelope.step), envelope.step.to_bytes(2, "big")
    return due.over(envelope.unsigned.replace(short, envelope.previous + b"\xcd" + step, 1))


def _deep(due: DueEnvelope) -> bytes:
    """Ends in arrays within arrays."""
    envelope = due.envelope
    return due.over(envelope.unsigned[: -len(pack(envelope.body))] + b"\x91" * 40 + b"\xc0")


def _behind_nothing(kind: int) -> Callable[[DueEnvelope], Sent]:
    """Names a hash that no envelope of the chain has."""

    def make(due: DueEnvelope) -> Sent:
        return [due.altered(kind=kind, body=None if kind == RESIGN else due.envelope.body, previous=bytes([1] * 32))]

    return make


def _signed_otherwise(due: DueEnvelope) -> Sent:
    """Signs the same bytes with another nonce than that of RFC 8032; both signatures are valid."""
    secret, _ = expand(due.secret)
    nonce = int.from_bytes(OTHER, "little") % signatures.ORDER
    R = compress(base_multiple(nonce))
    k = hashed(R, signatures.public(due.secret), signatures.prefixed("envelope", due.envelope.unsigned))
    S = (nonce + k * secret) % signatures.ORDER
    return due.envelope, replace(due.envelope, signature=R + S.to_bytes(32, "little"))


def _wrapped(due: DueEnvelope) -> Plain:
    """Returns a body that is not the one due, whatever that is."""
    return (due.envelope.body,)


def _over(pick: Callable[[list[tuple[int, int]]], tuple[int, int]]) -> Callable[[DueEnvelope], Sent]:
    """Returns the envelope due, and another one for a stage that is over."""

    def make(due: DueEnvelope) -> Sent:
        slots = [slot for slot in due.heads if slot < due.envelope.slot]
        if not slots:
            raise LookupError("no stage is over")
        step, stage = slot = pick(slots)
        return due.envelope, due.following(due.envelope, step=step, stage=stage, head=due.heads[slot])

    return make


def _plays_on(due: DueEnvelope) -> Sent:
    resigned = due.altered(kind=RESIGN, body=None)
    return resigned, due.following(resigned)


PLAYED_ON: Final = "played on after they had resigned, left or closed the game"
OUT: Final = "they signed a message out of turn"
OTHER_SEAT: Final = "did not sign"
ELSEWHERE: Final = "a different transcript from the one at hand"
CHAIN: Final = "does not follow its previous one"
MALFORMED: Final = (
    _dropped("11-01", "Bytes that are not an envelope", lambda due: b"\x92\xc4\x00"),
    _dropped("11-02", "No bytes at all", lambda due: b""),
    _dropped("11-03", "An envelope of another table", lambda d: d.altered(game=bytes(32)), reason="of another table"),
    _dropped(
        "11-04",
        "An envelope of a seat that the table does not have",
        lambda due: due.altered(seat=due.seats),
        reason="which this table does not have",
    ),
    _dropped(
        "11-05",
        "A signature by another identity",
        _signature(lambda due: replace(due, secret=bytes(32)).sign("envelope", due.envelope.unsigned)),
        "M-SIG-2",
        OTHER_SEAT,
    ),
    _dropped(
        "11-06",
        "A signature for another purpose",
        _signature(lambda due: due.sign("roster", due.envelope.unsigned)),
        reason=OTHER_SEAT,
        duties="M-SIG-3",
    ),
    _dropped("11-07", "A signature of 63 bytes", _signature(lambda due: due.envelope.signature[:63])),
    _dropped("11-30", "A signature of zeros", _signature(lambda due: bytes(64)), "M-SIG-2", OTHER_SEAT),
    _dropped(
        "11-31",
        "A signature whose R is of small order",
        _signature(lambda due: bytes([1]) + bytes(63)),
        "M-SIG-1 M-SIG-2",
        OTHER_SEAT,
    ),
    _dropped("11-08", "Another revision", _fields(lambda it: (2, *it[1:])), "M-GEN-4"),
    _dropped("11-32", "A revision to come", _fields(lambda it: (REVISION + 1, *it[1:])), "M-GEN-4"),
    _dropped("11-09", "A field too many", _fields(lambda it: (*it, None))),
    _dropped("11-10", "A field too few", _fields(lambda it: it[:-1])),
    _dropped("11-11", "A boolean for the number of the stage", _fields(lambda it: put(it, False, 6)), "M-ENC-4"),
    _dropped("11-12", "A negative step", _fields(lambda it: put(it, -1, 5))),
    _dropped("11-13", "An unknown kind", _fields(lambda it: put(it, 5, 8))),
    _dropped("11-14", "A head of 31 bytes", _fields(lambda it: put(it, bytes(31), 7))),
    _dropped("11-15", "The kind that there is not", _fields(lambda it: (*it[:8], 1, "hello"))),
    _dropped("11-17", "A resignation with a body", _fields(lambda it: (*it[:8], RESIGN, 0))),
    _dropped("11-18", "An envelope in the name of another seat", _in_another_name, "", OTHER_SEAT, "M-RET-3"),
    _dropped("11-19", "A step in more bytes than it needs", _wide, "M-ENC-1"),
    _dropped("11-33", "A body of arrays that are too deep", _deep, "M-ENC-2"),
)
"""What is not an envelope of the table."""

CHAINS_AND_STAGES: Final = (
    *(
        EnvelopeForgery(f"{what} of no earlier envelope", "M-ENV-2", DROPPED, _behind_nothing(kind), case, reason=CHAIN)
        for what, kind, case in (
            ("A hash", STAGE, "11-20"),
            ("A resignation with a hash", RESIGN, "11-36"),
            ("A leave with a hash", LEAVE, "11-37"),
            ("A closing with a hash", CLOSING, "11-38"),
        )
    ),
    EnvelopeForgery(
        "The same envelope again, with another signature",
        "M-ENV-4",
        SAME,
        lambda due: [due.envelope, replace(due.envelope, signature=bytes(64))],
        "11-21",
    ),
    EnvelopeForgery("A second signature that is valid", "M-ENV-4", SAME, _signed_otherwise, "11-34"),
    # A seat that gets the second one first finds it wrong on its own, hence no reason.
    EnvelopeForgery(
        "Two envelopes with one number",
        "M-ENV-3",
        REFUSED,
        lambda due: [due.envelope, due.altered(body=_wrapped(due))],
        "11-22",
    ),
    EnvelopeForgery(
        "Two envelopes for one stage",
        "M-ENV-3",
        REFUSED,
        lambda due: [due.envelope, due.following(due.envelope, body=_wrapped(due))],
        "11-25",
        reason=OUT,
        duties="M-STG-7",
    ),
    EnvelopeForgery(
        "A number left out", "M-ENV-2", WAITED, lambda d: [d.altered(number=d.envelope.number + 1)], "11-35"
    ),
    EnvelopeForgery("Another head", "M-STG-2", WAITED, _altered(head=bytes(32)), "12-05", reason=ELSEWHERE),
    EnvelopeForgery(
        "A wrong body under another head",
        "M-STG-2",
        WAITED,
        lambda due: [due.altered(head=bytes(32), body=_wrapped(due))],
        "12-06",
        reason=ELSEWHERE,
    ),
    *(
        EnvelopeForgery(f"An envelope for {stage}", "M-ENV-3", REFUSED, _over(pick), case, LATER, OUT, "M-STG-7")
        for stage, pick, case in (("a stage that is over", max, "12-07"), ("the first stage of all", min, "12-18"))
    ),
    EnvelopeForgery(
        "A stage that has not come", "M-STG-1", WAITED, lambda due: [due.altered(step=due.envelope.step + 9)], "12-16"
    ),
    EnvelopeForgery(
        "An envelope of closing in the game",
        "M-CLO-1",
        WAITED,
        _altered(kind=CLOSING, body=()),
        "12-10",
        duties="M-STG-7",
    ),
    EnvelopeForgery(
        "A result of a game that runs",
        "M-CLO-1",
        WAITED,
        lambda due: [due.altered(kind=CLOSING, step=due.envelope.step + 1, stage=0)],
        "12-17",
    ),
    EnvelopeForgery(
        "A resignation with another head",
        "M-RES-1",
        WAITED,
        _altered(kind=RESIGN, body=None, head=bytes(32)),
        "13-30",
        reason=ELSEWHERE,
    ),
    EnvelopeForgery(
        "An envelope of the game after a resignation", "M-TLK-1", REFUSED, _plays_on, "13-32", DUE, PLAYED_ON, pair=True
    ),
    EnvelopeForgery(
        "A seed before the result is signed",
        "M-CLO-1",
        WAITED,
        _altered(stage=SHOW, body=(bytes(32), ())),
        "16-18",
        CLOSE,
    ),
    EnvelopeForgery(
        "An envelope of the game after CLOSE",
        "M-TLK-1",
        REFUSED,
        lambda due: [due.envelope, due.following(due.envelope, kind=STAGE, body=())],
        "16-19",
        CLOSE,
        PLAYED_ON,
    ),
)
"""What takes no place in the chain, a second one, or the wrong one."""

ENVELOPES: Final = (*MALFORMED, *CHAINS_AND_STAGES)
