"""Vectors of whole records."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kimberley.conformance.script import SCRIPT
from kimberley.conformance.table.offline import OfflineGame
from kimberley.games.table import Plain
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import replay
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, RESIGN, REVISION, STAGE, Envelope, next_head
from kimberley.protocol.record import MAGIC, Record
from kimberley.protocol.roster import SignedRoster
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.played import ASKS, Played, signed
from tests.conformance.vectors.values import flipped
from tests.support.exchange import Exchange
from tests.support.tables import identity


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
        """Returns the record up to an envelope, which is included with another body."""
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
