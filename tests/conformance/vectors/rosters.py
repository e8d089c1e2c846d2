"""Vectors of rosters."""

from __future__ import annotations

from kimberley.conformance.script import SCRIPT
from kimberley.games.table import Plain
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import REVISION
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.played import SALT
from tests.conformance.vectors.values import REFUSE, flipped
from tests.support.tables import signed_roster


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
        """Returns the roster with one field changed."""
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
