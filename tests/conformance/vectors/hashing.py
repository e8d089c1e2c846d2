"""Vectors of hashes, of challenges, and of what a seed gives."""

from __future__ import annotations

from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import HERE, PARTS, SEED, elsewhere


def hashing() -> Book:
    book = Book("hashing", "4", "What is hashed, challenges, and what a seed gives.")
    book.add("hashes", "", {"label": "label", "parts": PARTS})
    book.add("hashes", "no parts", {"label": "seed", "parts": ()})
    for where in (HERE, *elsewhere(HERE).values()):
        book.add("challenged", "", {"label": "label", "context": where, "parts": PARTS})
        given = {"seed": SEED, "label": "label", "context": where, "index": 7, "parts": PARTS, "size": 80, "count": 3}
        book.add("derived", "", given)
    return book
