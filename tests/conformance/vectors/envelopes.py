"""Vectors of envelopes."""

from __future__ import annotations

from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN, REVISION, STAGE
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.played import Played, bare, next_of
from tests.conformance.vectors.values import REFUSE, flipped


def envelopes() -> Book:
    book = Book(
        "envelopes",
        "11, 12",
        "Envelopes by themselves, and the heads of a transcript.",
        {
            "Malformed": ("It is no envelope.", REFUSE),
            "NotSigned": ("The signature is not the seat's, or of other bytes.", REFUSE),
            "OtherRevision": ("It is of another revision of the protocol.", "It cannot be judged."),
        },
    )
    played = Played(2, (("decide", 0, 9),))
    first = played.envelopes[0]
    good = {"identity": played.table.roster.seats[0].identity, "envelope": first.pack()}
    book.add("read_envelope", "the keys of seat 0", good)
    for comment, envelope in {
        "a resignation": next_of(first, kind=RESIGN, body=None),
        "a closing stage": next_of(first, kind=CLOSING, body=("fair", ())),
        "a leave": next_of(first, kind=LEAVE, body=(bytes(32), bytes(32), b"left")),
    }.items():
        book.add("read_envelope", comment, {**good, "envelope": envelope.pack()})
    fields = (REVISION, first.game, 0, 0, bytes(32), 0, 0, first.head, STAGE, ())
    for comment, changed in {
        "a field too many": (*fields, 0),
        "a field too few": fields[:-1],
        "a truth value for the seat": (*fields[:2], True, *fields[3:]),
        "a negative step": (*fields[:5], -1, *fields[6:]),
        "a game id of 31 bytes": (REVISION, first.game[:31], *fields[2:]),
        "a previous hash of 33 bytes": (*fields[:4], bytes(33), *fields[5:]),
        "a kind that does not exist": (*fields[:8], 5, ()),
        "kind 1, which does not exist either": (*fields[:8], 1, "text"),
        "a resignation with a body": (*fields[:8], RESIGN, ()),
    }.items():
        book.add("read_envelope", comment, {**good, "envelope": bare(changed)}, "Malformed")
    whole = first.pack()
    book.add("read_envelope", "", {**good, "envelope": whole + b"\0"}, "Malformed")
    book.add("read_envelope", "", {**good, "envelope": pack((first.unsigned, first.signature[:63]))}, "Malformed")
    book.add("read_envelope", "", {**good, "envelope": pack((first.unsigned,))}, "Malformed")
    book.add("read_envelope", "", {**good, "envelope": flipped(whole)}, "NotSigned")
    other = played.table.roster.seats[1].identity
    book.add("read_envelope", "of another seat", {**good, "identity": other}, "NotSigned")
    revised = {**good, "envelope": bare((REVISION + 1, *fields[1:]))}
    book.add("read_envelope", "", revised, "OtherRevision")
    stages = ((0, 0, (first.hash, first.hash)), (1, 0, ()), (1, 1, (bytes(32),)))
    book.add("heads", "", {"game": played.table.game_id, "stages": stages})
    return book
