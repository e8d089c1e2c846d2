"""Section 14: keys that cancel each other, and shuffles that have not ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kimberley.client.conformance.case import case
from kimberley.client.conformance.cases.scripts import DECK, Asks
from kimberley.client.conformance.crypto.group import L
from kimberley.client.conformance.crypto.hashing import Secrets
from kimberley.client.conformance.errors import expect, present
from kimberley.client.conformance.harness.harness import Harness
from kimberley.client.conformance.table.table import open_table

DEALT: Final[Asks] = (("roll", (6, 20)), ("shuffle", "deck", DECK), ("show", (0, 1), ((0, None), (1, 0))))


@dataclass(frozen=True)
class NegatedSecrets(Secrets):
    """The secrets of a seat whose keys are the negatives of another seat's, which takes that seat's seed."""

    other: Secrets | None = None

    def key(self, purpose: str) -> int:
        return L - present(self.other).key(purpose)


@case(
    "14-28",
    "Keys that cancel: the joint key and the roll's point are the identity",
    covers=("M-GRP-3", "M-ROL-1", "M-SHU-1"),
    expect="no error: the game goes on, and only the audit finds that the keys do not follow from the seed",
)
async def keys_cancel(harness: Harness) -> None:
    async with open_table(harness, DEALT) as table:
        own, other = table.play.seats[1], table.play.seats[0].secrets
        own.secrets = NegatedSecrets(own.secrets.game, 1, own.secrets.seed, other)
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
