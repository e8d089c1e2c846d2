"""Vectors of tables: rosters, envelopes, what is done with each that arrives, and whole records."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from kimberley.conformance.script import SCRIPT
from kimberley.conformance.table.offline import OfflineGame
from kimberley.games.table import Plain
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import replay
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CHAT, CLOSING, LEAVE, MOST_TEXT, RESIGN, REVISION, STAGE, Envelope, next_head
from kimberley.protocol.record import MAGIC, Record
from kimberley.protocol.roster import SignedRoster
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.primitives import REFUSE, flipped
from tests.support.exchange import Exchange
from tests.support.tables import Wire, identity, peer_of, signed_roster

SALT: Final = "vectors"
DECK: Final = (("heart", 1), ("spade", 2), ("spade", 1), ("heart", 2))
ASKS: Final = (
    ("shuffle", "deck", DECK),
    ("show", (2, 0), ((0, None), (1, 1), (1, 0))),
    ("together", (0, 1, 2), 9),
    ("decide", 2, 9),
    ("shuffle", "deck", (0, 3, ("club", 3))),
    ("show", (4,), ((0, None), (1, None))),
    ("seal", (0, 1), 9),
    ("roll", (6, 6)),
)
LEAVES: Final = 4
"""The step, a decision of the last of three seats, in which it leaves."""


class Played:
    """A script played by honest seats. With three of them the last leaves."""

    def __init__(self, seats: int, asks: Plain) -> None:
        self.table = signed_roster(SCRIPT, seats, SALT, {"asks": asks})
        self.table.check()
        peers = [peer_of(SCRIPT, self.table, seat, SALT) for seat in range(seats)]
        wire = Wire(peers, [lambda peer, _: peer.play.step + (peer.seat or 0)] * seats)
        wire.start()
        if seats > 2:
            wire.run(lambda: peers[2].play.step == LEAVES)
            peers[2].resign()
        wire.run()
        assert all(peer.finished for peer in peers)
        self.record = peers[0].record()
        self.envelopes = peers[0].transcript

    def until(self, slot: tuple[int, int], seat: int, kind: int = STAGE) -> tuple[list[Envelope], Envelope]:
        """The envelopes before one of the transcript, and that one."""
        for number, envelope in enumerate(self.envelopes):
            if (envelope.slot, envelope.seat, envelope.kind) == (slot, seat, kind):
                return self.envelopes[:number], envelope
        raise LookupError((slot, seat, kind))


def signed(envelope: Envelope, **changes: Any) -> Envelope:
    """The envelope with other fields, signed anew by its seat."""
    names = ("game", "seat", "number", "previous", "step", "stage", "head", "kind", "body")
    fields = {name: getattr(envelope, name) for name in names}
    return Envelope(**{**fields, **changes}).signed(partial(signatures.sign, identity(envelope.seat)))


def fields_of(envelope: Envelope) -> tuple[Any, ...]:
    """The entries of a body."""
    assert isinstance(envelope.body, tuple)
    return envelope.body


def next_of(envelope: Envelope, **changes: Any) -> Envelope:
    """An envelope that follows this one in the chain of its seat."""
    return signed(envelope, number=envelope.number + 1, previous=envelope.hash, **changes)


def bare(fields: tuple[object, ...]) -> bytes:
    """Bytes in the shape of an envelope of seat 0, whatever the fields."""
    unsigned = pack(fields)
    return pack((unsigned, signatures.sign(identity(0), "envelope", unsigned)))


def rosters() -> Book:
    book = Book(
        "rosters",
        "9",
        "Signed rosters with their nonces, the game id and the words.",
        {
            "NotSigned": ("A seat's signature is missing, or of another roster.", "Do not play; nobody is blamed."),
            "OtherNonce": ("A nonce is missing, or does not open its commitment.", "Do not play; nobody is blamed."),
            "Malformed": ("It is no roster: a field, an order or a number is wrong.", REFUSE),
            "OtherRevision": ("It is of another revision of the protocol.", "It cannot be judged."),
        },
    )
    for comment, seats, begins in (("2 seats, the second begins", 2, 1), ("6 seats", 6, None)):
        table = signed_roster(SCRIPT, seats, SALT, {"asks": (), "last_look": 0}, begins=begins)
        good = {"roster": table.roster.packed, "signatures": list(table.signatures), "nonces": list(table.nonces)}
        book.add("seat_table", comment, good)
    ones, nonces = list(table.signatures), list(table.nonces)
    book.add("seat_table", "", {**good, "signatures": ones[:-1]}, "NotSigned")
    book.add("seat_table", "", {**good, "signatures": [ones[1], ones[0], *ones[2:]]}, "NotSigned")
    book.add("seat_table", "", {**good, "signatures": [flipped(ones[0], 40), *ones[1:]]}, "NotSigned")
    book.add("seat_table", "", {**good, "nonces": nonces[:-1]}, "OtherNonce")
    book.add("seat_table", "", {**good, "nonces": [flipped(nonces[0]), *nonces[1:]]}, "OtherNonce")
    places = tuple((p.identity, p.nickname, p.nonce_commitment, p.seed_hash) for p in table.roster.seats)
    options = (("asks", ()), ("last_look", 0))
    named = (places[0][0], "n" * 25, *places[0][2:])
    short = (places[0][0][:31], *places[0][1:])
    whole = (REVISION, "script", 1, options, places, None)

    def other(place: int, value: Plain) -> tuple[Plain, ...]:
        """The roster with another field."""
        return *whole[:place], value, *whole[place + 1 :]

    for comment, fields in {
        "options out of order": other(3, options[::-1]),
        "an option twice": other(3, (*options, options[-1])),
        "33 options": other(3, tuple((f"{number:02}", 0) for number in range(33))),
        "an option without a value": other(3, (("asks",),)),
        "one seat": other(4, places[:1]),
        "seven seats": other(4, (*places, (bytes(32), "seventh", *places[0][2:]))),
        "one identity at two seats": other(4, (places[0], places[0])),
        "a nickname of 25 characters": other(4, (named, *places[1:])),
        "no nickname": other(4, ((places[0][0], "", *places[0][2:]), *places[1:])),
        "an identity of 31 bytes": other(4, (short, *places[1:])),
        "a negative revision of the rules": other(2, -1),
        "a truth value for a number": other(2, True),
        "a seat begins that is not there": other(5, len(places)),
        "a truth value for the seat that begins": other(5, True),
        "not said who begins": whole[:-1],
        "a field too many": (*whole, ()),
    }.items():
        book.add("seat_table", comment, {**good, "roster": pack(fields)}, "Malformed")
    book.add("seat_table", "", {**good, "roster": pack(other(0, REVISION + 1))}, "OtherRevision")
    return book


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
    text = "x" * MOST_TEXT
    for comment, envelope in {
        "chat": next_of(first, kind=CHAT, body=text),
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
        "chat of 501 characters": (*fields[:8], CHAT, text + "x"),
        "chat that is no text": (*fields[:8], CHAT, b"text"),
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
    chat = next_of(sent[0], step=0, kind=CHAT, body="hello")
    add("chat, which is in the next head", [sent[0], chat, sent[1]])
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


def records() -> Book:
    guilt = "Unfair: the seats named, at the earliest slot that has any."
    book = Book(
        "records",
        "17, 18, 21",
        "Whole records with the verdict: a game of Diamond Trust, and scripts.",
        {
            "Deviation": ("A seat signed what its seed and choices do not give.", guilt),
            "BadBody": ("A seat signed a body that everybody could refuse.", guilt),
            "Equivocation": ("A seat signed two envelopes for one slot.", guilt),
            "FalseVerdict": ("A seat signed a verdict that the record does not bear out.", guilt),
            "Damaged": ("The file was changed or cut after it was written.", "Damaged: nobody is blamed."),
            "Incomplete": ("What seats owe is missing.", "Incomplete: they are named as absent, as the others claim."),
            "OtherRevision": ("Another revision, an unknown game, or options that it does not have.", "Unknown."),
        },
    )
    played = Played(3, ASKS)
    table = played.table

    def add(comment: str, code: str, record: Record | bytes, *flags: str) -> None:
        data = record if isinstance(record, bytes) else record.pack()
        assert book.add("judge", comment, {"record": data}, *flags)["verdict"] == code, comment

    def cut(slot: tuple[int, int], seat: int, kind: int, change: Callable[[Any], Plain]) -> Record:
        """The record up to an envelope, and that with another body."""
        before, envelope = played.until(slot, seat, kind)
        return Record(table, (*before, signed(envelope, body=change(envelope.body))))

    add("Diamond Trust, with a resignation", "fair", Exchange().peers[0].record())
    add("three seats, of which one leaves", "fair", played.record)
    data = played.record.pack()
    closing = played.envelopes[-1].step
    wrong = cut((1, 1), 1, STAGE, lambda body: (body[0][128:] + body[0][:128], body[1]))
    add("a shuffle whose items were swapped after the proof", "unfair", wrong, "BadBody")
    _, first = played.until((1, 0), 0)
    add("the shuffle of another seat", "unfair", cut((1, 1), 1, STAGE, lambda _: first.body), "BadBody")
    wrong = cut((2, 0), 2, STAGE, lambda body: (flipped(body[0]), body[1]))
    add("a wrong share to all", "unfair", wrong, "BadBody")
    wrong = cut((2, 0), 2, STAGE, lambda body: (body[0], (body[1][0], (1, flipped(body[1][1][1])))))
    add("a wrong share to one seat alone", "unfair", wrong, "BadBody")
    wrong = cut((2, 0), 2, STAGE, lambda body: (body[0], body[1][:1]))
    add("no share to one seat alone", "unfair", wrong, "BadBody")
    wrong = cut((closing, 0), 0, CLOSING, lambda body: ((2, 1, 1), *body[1:]))
    add("a result that the game did not have", "unfair", wrong, "BadBody")
    wrong = cut((closing, 1), 1, CLOSING, lambda body: (bytes(32), body[1]))
    add("a seed of another hash", "unfair", wrong, "BadBody")
    wrong = cut((closing, 1), 1, CLOSING, lambda body: (body[0], (body[1][0] + 1, *body[1][1:])))
    add("other choices than it committed to", "unfair", wrong, "Deviation")
    wrong = cut((closing, 1), 1, CLOSING, lambda body: (body[0], (*body[1], 0)))
    add("a choice too many", "unfair", wrong, "Deviation")
    wrong = cut((closing, 2), 1, CLOSING, lambda body: ("unfair", ((1, 0, 0),)))
    add("a false verdict", "unfair", wrong, "FalseVerdict")
    before, bid = played.until((3, 0), 1)
    two = Record(table, (*before, bid), (signed(bid, body=(bytes(32),)),))
    add("two commitments", "unfair", two, "Equivocation")
    middle = len(played.envelopes) // 2
    add("cut in the middle", "incomplete", Record(table, tuple(played.envelopes[:middle])), "Incomplete")
    add("without the last verdict", "incomplete", Record(table, tuple(played.envelopes[:-1])), "Incomplete")
    add("no envelope", "incomplete", Record(table, ()), "Incomplete")
    silent = Record(table, tuple(played.envelopes[:-1]))
    peer, _ = replay(SCRIPT, silent)
    (waiting,) = peer.waiting

    def attested(comment: str, code: str, witness: int, absent: tuple[int, ...], *, head: bytes = peer.head) -> None:
        made = Attestation(signatures.public(identity(witness)), *peer.slot, head, absent)
        made = made.signed(table.game_id, partial(signatures.sign, identity(witness)))
        if code == "damaged":
            made = replace(made, absent=(0, 1, 2))
        add(comment, code, replace(silent, attestations=(made,)), code.capitalize())

    other = next(seat for seat in peer.play.crypto.present if seat != waiting)
    attested("another seat attests who is silent", "incomplete", other, (waiting,))
    attested("a seat attests that of one whose step is there", "incomplete", waiting, (other,))
    attested("an attestation of another past", "incomplete", other, (waiting,), head=bytes(32))
    attested("an attestation that its witness did not sign", "damaged", other, (waiting,))
    missing = tuple(e for e in played.envelopes if e is not played.envelopes[4])
    add("an envelope left out", "damaged", Record(table, missing), "Damaged")
    twice = (*played.envelopes, played.envelopes[-1])
    add("an envelope twice", "damaged", Record(table, twice), "Damaged")
    nonces = (bytes(32), *table.nonces[1:])
    unopened = Record(SignedRoster(table.roster, table.signatures, nonces), ())
    add("another nonce", "damaged", unopened, "Damaged")
    for comment, spoiled in (("a bit", flipped(data, 1000)), ("the end", data[:-1]), ("no record", b"something else")):
        add(comment, "damaged", spoiled, "Damaged")
    revised = MAGIC + pack((REVISION + 1, table.plain(), (), ()))
    add("another revision", "unknown", revised + hashlib.sha256(revised).digest(), "OtherRevision")
    _add_resigned(add)
    return book


def _add_resigned(add: Callable[..., None]) -> None:
    """Adds records of a script in which seat 1 resigns before anybody signs step 2."""
    close: Plain = ((1, 2), ((1,), (2,)), (1,))

    def begun() -> tuple[OfflineGame, Envelope]:
        game = OfflineGame(asks=(("seal", (0, 1), 9), ("decide", 1, 9))).until(2)
        return game, game.sign(1, RESIGN, None, (2, 0))

    game, _ = begun()
    add("a resignation that is not answered", "incomplete", game.record, "Incomplete")
    game.sign(0, CLOSING, close, (3, 1))
    add("a resignation, answered in a later stage of closing", "incomplete", game.record, "Incomplete")
    game, _ = begun()
    game.head = bytes(32)
    game.sign(0, CLOSING, close, (3, 0))
    add("a resignation, answered over another past", "damaged", game.record, "Damaged")
    game, resigned = begun()
    first, second = (game.sign(seat, CLOSING, close, (3, 0)) for seat in (0, 1))
    game.head = next_head(game.head, 3, 0, (first.hash, resigned.hash, second.hash))
    game.sign(0, CLOSING, (game.seeds[0], (*game.play.seats[0].choices, 0)), (3, 1))
    add("a choice too many, where nobody signed the stage cut short", "unfair", game.record, "Deviation")


def books() -> Iterator[Book]:
    yield from (rosters(), envelopes(), chains(), records())
