"""Vectors of attestations: who says that a step is absent."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from kimberley.games.table import Plain
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.crypto import signatures
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import GAME, REFUSE, flipped
from tests.support.tables import identity


def attestations() -> Book:
    book = Book(
        "attestations",
        "18.1",
        "Who says that a step is absent.",
        {
            "NotSigned": ("The witness has not signed it, or for another table or purpose.", "The record is damaged."),
            "Malformed": ("It is no attestation: a type, a length or an order is wrong.", REFUSE),
        },
    )
    for absent in ((1,), (0, 2)):
        given = {"secret": identity(3), "game": GAME, "step": 7, "stage": 1, "head": bytes(range(32)), "absent": absent}
        plain = book.add("attest", "", given)["attestation"]
        book.add("read_attestation", "", {"game": GAME, "attestation": plain})
    book.add("read_attestation", "for another table", {"game": bytes(32), "attestation": plain}, "NotSigned")
    witness, step, stage, _, absent, signature = plain
    other = signatures.public(identity(1))
    one = Attestation(*plain)
    for comment, changed in {
        "of another witness": (other, *plain[1:]),
        "of another step": (witness, step + 1, *plain[2:]),
        "of another stage": (witness, step, stage + 1, *plain[3:]),
        "of another head": (*plain[:3], bytes(32), absent, signature),
        "of other seats": (*plain[:4], (2,), signature),
        "another signature": (*plain[:5], flipped(signature)),
        "signed as an envelope": replace(
            one, signature=signatures.sign(identity(3), "envelope", one.message(GAME))
        ).plain(),
    }.items():
        book.add("read_attestation", comment, {"game": GAME, "attestation": changed}, "NotSigned")

    def signed(**fields: Any) -> Plain:
        return replace(one, **fields).signed(GAME, partial(signatures.sign, identity(3))).plain()

    for comment, changed in {
        "nobody absent": signed(absent=()),
        "seats in descending order": signed(absent=(2, 0)),
        "a seat twice": signed(absent=(1, 1)),
        "a seat that no table has": signed(absent=(6,)),
        "a truth value for a seat": signed(absent=(True,)),
        "a negative step": signed(step=-1),
        "a truth value for the stage": signed(stage=True),
        "a head of 31 bytes": signed(head=bytes(31)),
        "a short signature": (*plain[:5], signature[:63]),
        "a field too many": (*plain, ()),
        "no array": b"",
    }.items():
        book.add("read_attestation", comment, {"game": GAME, "attestation": changed}, "Malformed")
    return book
