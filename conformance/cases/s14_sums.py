"""Section 14: keys of others, keys that cancel each other, and shuffles that have not ended."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.forged import AS_GUILT, GUILTY
from kimberley.conformance.cases.scripts import DECK, Asks
from kimberley.conformance.errors import expect
from kimberley.conformance.forging import at, negate_keys, put
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table
from kimberley.protocol.crypto.ristretto import RISTRETTO

DEALT: Final[Asks] = (("roll", (6, 20)), ("shuffle", "deck", DECK), ("show", (0, 1), ((0, None), (1, 0))))


@case("14-09", "A key that another seat announced", covers=("M-KEY-1", "M-ASK-1", *AS_GUILT), expect=GUILTY)
async def key_of_another(harness: Harness) -> None:
    async with open_table(harness, DEALT) as table:
        given = table.given.get(table.target)
        coin_key = (RISTRETTO.base(1), bytes(64)) if given is None else at(given.body, 0)
        await table.expect_caught(1, put(table.body(1), coin_key, 0))


@case(
    "14-28",
    "Keys that cancel: the joint key and the roll's point are the identity",
    covers=("M-GRP-3", "M-ROL-1", "M-SHU-1"),
    expect="no error: the game goes on, and only the audit finds that the keys do not follow from the seed",
)
async def keys_cancel(harness: Harness) -> None:
    async with open_table(harness, DEALT) as table:
        negate_keys(table.play.seats[1], table.play.seats[0])
        table.deviations = ((0, 0, 1),)
        await table.finish("unfair")


@case(
    "14-29",
    "Nothing is shown before all have shuffled",
    covers=("M-SHU-2", "M-KEY-2"),
    expect="no share before the last stage of the shuffle has ended",
)
async def shown_too_early(harness: Harness) -> None:
    async with open_table(harness, DEALT) as table:
        await table.until(2, 1)
        await table.sync()
        expect(all(one.step <= 2 for one in table.chain), "the target showed an item that is not shuffled yet")
        await table.finish()
