"""Section 15: bodies with a wrong shape, and choices that the target must refuse."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.mutations import (
    AS_GUILT,
    GUILTY,
    MutateBody,
    at,
    entries,
    flipped,
    forbidden_body,
    forged,
    octets,
)
from kimberley.conformance.cases.scripts import DECK, Asks, amounts
from kimberley.conformance.forging import forget_spending, proof_for_commitment, put
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table

ROLL: Final[Asks] = (("roll", (6,)),)

# -- shapes of every ask -----------------------------------------------------------------------------------------------

SHAPES: Final[dict[str, MutateBody]] = {
    "nil": lambda table, seat, body: (),
    "one entry too many": lambda table, seat, body: (*entries(body), None),
    "text for its first entry": lambda table, seat, body: put(body, "x", 0),
}
ASKS: Final[dict[str, tuple[Asks, tuple[int, int]]]] = {
    "Decide": ((("decide", 1, 9),), (1, 0)),
    "Together, commitment": ((("together", (0, 1), 9),), (1, 0)),
    "Together, opening": ((("together", (0, 1), 9),), (1, 1)),
    "Seal of choices": ((("seal", (0, 1), 9),), (1, 0)),
    "Seal of amounts": ((amounts(2),), (1, 0)),
    "Disclose": ((amounts(2), ("disclose", ((1, 0, "a", "b"),), 4)), (2, 0)),
    "Open": ((amounts(2), ("open", ((1, "a"),), 4)), (2, 0)),
    "Roll": (ROLL, (1, 0)),
    "Shuffle": ((("shuffle", "deck", DECK),), (1, 1)),
    "Show": ((("shuffle", "deck", DECK), ("show", (0,), ((0, None),))), (2, 0)),
}
for _number, (_ask, (_script, _slot)) in enumerate(ASKS.items()):
    for _more, (_shape, _bend) in enumerate(SHAPES.items()):
        forbidden_body(
            f"15-{21 + 3 * _number + _more}",
            f"{_ask}: a body with {_shape}" if _more else f"{_ask}: an empty body",
            ("M-ASK-1",),
            _script,
            _slot,
            _bend,
        )

# -- Decide and Together -----------------------------------------------------------------------------------------------

DECIDE: Final[Asks] = (("decide", 1, 9),)
TOGETHER: Final[Asks] = (("together", (0, 1), 9),)
WITHIN: Final[Asks] = (amounts(2, 12), ("within", (0, 1), 4, 12))

forbidden_body("15-51", "A choice beyond its space", ("M-DEC-1",), DECIDE, (1, 0), lambda t, s, b: (9,))
forbidden_body(
    "15-52", "A boolean for a number", ("M-DEC-1", "M-ENC-4", "M-GAM-2"), DECIDE, (1, 0), lambda t, s, b: (True,)
)
forbidden_body("15-53", "A negative choice", ("M-DEC-1",), DECIDE, (1, 0), lambda t, s, b: (-1,))
forbidden_body(
    "15-54", "A commitment of 31 bytes", ("M-ASK-1",), TOGETHER, (1, 0), lambda t, s, b: (octets(at(b, 0))[:31],)
)
forbidden_body(
    "15-55",
    "An opening of another choice",
    ("M-TOG-1",),
    TOGETHER,
    (1, 1),
    lambda t, s, b: put(b, (int(str(at(b, 1))) + 1) % 9, 1),
)
forbidden_body(
    "15-56", "An opening with another nonce", ("M-TOG-1",), TOGETHER, (1, 1), lambda t, s, b: flipped(b, 0, 0)
)
forbidden_body(
    "15-57",
    "A forbidden choice that was committed to",
    ("M-TOG-1", "M-DEC-1"),
    TOGETHER,
    (1, 1),
    lambda t, s, b: b,
    chosen=9,
)
forbidden_body(
    "15-58", "A proof where none is asked for", ("M-TOG-2",), TOGETHER, (1, 1), lambda t, s, b: put(b, b"", 2)
)
forbidden_body(
    "15-59", "No proof where one is asked for", ("M-TOG-2",), WITHIN, (2, 1), lambda t, s, b: put(b, None, 2), chosen=1
)
forbidden_body(
    "15-60",
    "A proof of a limit with a bit changed",
    ("M-TOG-2", "M-RNG-1"),
    WITHIN,
    (2, 1),
    lambda t, s, b: flipped(b, 200, 2),
    chosen=1,
)


@case("15-61", "A cost beyond the limit", covers=("M-TOG-2", *AS_GUILT), expect=GUILTY)
async def beyond_limit(harness: Harness) -> None:
    async with open_table(harness, WITHIN) as table:
        table.choices[2, 1] = 12
        await table.until(2, 1)
        forget_spending(table.play.seats[1])
        await table.expect_caught(1, table.body(1))


forbidden_body(
    "15-62",
    "A proof in the context of the commitment",
    ("M-TOG-2",),
    WITHIN,
    (2, 1),
    forged(proof_for_commitment),
    chosen=1,
)
