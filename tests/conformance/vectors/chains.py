"""Vectors of what is done with each envelope that arrives."""

from __future__ import annotations

from typing import Any

from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import LEAVE, RESIGN, STAGE, Envelope
from kimberley.protocol.roster import SignedRoster
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.played import ASKS, LEAVES, Played, fields_of, next_of, signed
from tests.conformance.vectors.values import flipped


def chains() -> Book:
    drop = "Drop it; nobody is blamed."
    guilt = "Its seat is guilty: sign nothing more, keep what proves it."
    book = Book(
        "chains",
        "11, 12, 13",
        "What a spectator of a script does with each envelope that arrives.",
        {
            "Dropped": ("An envelope of another table or seat, not signed, or not following its chain.", drop),
            "Equivocation": ("Two envelopes with one number, or two for one slot.", guilt),
            "OutOfStage": ("The seat did not owe the stage, or had left, or resigned where it could leave.", guilt),
            "BadBody": ("The body is not what the ask demands, or does not prove what it must.", guilt),
            "OtherHead": ("It names another transcript.", "Wait: the chain is stuck, and nobody is blamed."),
        },
    )
    asks = (("decide", 0, 9), ("together", (0, 1), 9), ("roll", (6,)))
    played = Played(2, asks)
    sent = played.envelopes

    def add(comment: str, arriving: list[Envelope], *flags: str, table: SignedRoster = played.table) -> Any:
        data = [envelope.pack() for envelope in arriving]
        return book.add("follow", comment, {"table": table.plain(), "envelopes": data}, *flags)

    add("a whole game", sent)
    add("seat by seat", [e for seat in (0, 1) for e in sent if e.seat == seat][:16])
    add("each twice", [e for envelope in sent[:6] for e in (envelope, envelope)])
    add("the second of a seat before its first", [sent[2], sent[0], sent[1]])
    other = Played(2, (("decide", 0, 9),))
    keys = sent[:2]
    before, decided = played.until((1, 0), 0)
    add("another table", [*keys, other.envelopes[2]], "Dropped")
    add("a seat that is not there", [*keys, signed(sent[0], seat=2)], "Dropped")
    add("another signature", [Envelope.unpack(pack((sent[0].unsigned, bytes(64))))], "Dropped")
    add("another previous hash", [*keys, signed(decided, previous=bytes(32))], "Dropped")
    add("seventeen ahead of its chain", [signed(decided, number=2 + number) for number in range(17)], "Dropped")
    add("one number, two bodies", [*before, decided, signed(decided, body=(8,))], "Equivocation")
    add(
        "one number, the second before its turn",
        [signed(decided, number=5), signed(decided, number=5, body=(8,))],
        "Equivocation",
    )
    add("one slot, two numbers", [*before, decided, next_of(decided, body=(8,))], "Equivocation")
    add("a decision of the other seat", [*keys, next_of(sent[1], step=1, head=decided.head, body=(1,))], "OutOfStage")
    add("another kind", [*keys, signed(decided, kind=LEAVE, body=(b"", b"", b""))], "BadBody")
    add("a choice that is forbidden", [*keys, signed(decided, body=(9,))], "BadBody")
    add("a body of another shape", [*keys, signed(decided, body=7)], "BadBody")
    before, opened = played.until((2, 1), 1)
    nonce, choice, _ = fields_of(opened)
    add("an opening of another choice", [*before, signed(opened, body=(nonce, choice + 1, None))], "BadBody")
    add("a proof where none is asked", [*before, signed(opened, body=(nonce, choice, b""))], "BadBody")
    before, shared = played.until((3, 0), 1)
    (share,) = fields_of(shared)
    add("a share of another step", [*before, signed(shared, body=(flipped(share),))], "BadBody")
    stuck = signed(decided, head=bytes(32))
    add("another head", [*keys, stuck, next_of(stuck, step=2)], "OtherHead")
    resigned = next_of(sent[0], kind=RESIGN, step=1, head=decided.head, body=None)
    add("played on after a resignation", [*keys, resigned, next_of(resigned, kind=STAGE, body=(1,))], "OutOfStage")
    three = Played(3, ASKS)
    first = three.envelopes[:3]
    _, shuffled = three.until((1, 0), 0)
    gone = next_of(first[0], kind=RESIGN, step=1, head=shuffled.head, body=None)
    add("a resignation where the seat could leave", [*first, gone], "OutOfStage", table=three.table)
    before, left = three.until((LEAVES, 0), 2, LEAVE)
    coin, bag, secret = fields_of(left)
    for comment, body in {
        "a leave with another coin key": (flipped(coin, 0), bag, secret),
        "a leave without a key": (coin, secret),
        "a leave whose secret is cut": (coin, bag, secret[:-1]),
    }.items():
        add(comment, [*before, signed(left, body=body)], "BadBody", table=three.table)
    again = next_of(left, kind=STAGE, step=LEAVES + 1, stage=2, body=())
    add("played on after it had left", [*before, left, again], "OutOfStage", table=three.table)
    return book
