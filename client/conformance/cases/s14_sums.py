"""Section 14: keys that cancel, and shuffles that are not over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import case, expect, present
from client.conformance.cases.scripts import DECK, Script
from client.conformance.group import L
from client.conformance.hashing import Secrets

DEALT: Final[Script] = (("roll", (6, 20)), ("shuffle", "deck", DECK), ("show", (0, 1), ((0, None), (1, 0))))


@dataclass(frozen=True)
class Opposite(Secrets):
    """A seat whose keys are the negatives of another seat's, as only who knows that one's seed can have them."""

    other: Secrets | None = None

    def key(self, purpose: str) -> int:
        return L - present(self.other).key(purpose)


@case(
    "14-28",
    "Keys that cancel: the joint key and the roll's point are the identity",
    covers=("M-GRP-3", "M-ROL-1", "M-SHU-1"),
    expect="no error: the game is played on, and only the audit finds keys that are not their seed's",
)
async def keys_cancel(bench: Bench) -> None:
    async with bench.table(DEALT) as table:
        own, other = table.play.seats[1], table.play.seats[0].secrets
        own.secrets = Opposite(own.secrets.game, 1, own.secrets.seed, other)
        table.deviations = ((0, 0, 1),)
        await table.finish("unfair")


@case(
    "14-29",
    "Nothing is shown before all have shuffled",
    covers=("M-SHU-2", "M-KEY-2"),
    expect="no share before the last stage of the shuffle",
)
async def shown_too_early(bench: Bench) -> None:
    async with bench.table(DEALT) as table:
        await table.until(2, 1)
        await table.sync()
        expect(all(one.step <= 2 for one in table.chain), "the target showed an item that is not shuffled yet")
        await table.finish()
