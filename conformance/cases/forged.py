"""The forged bodies of the catalogue, signed by a seat of the suite."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.errors import expect
from kimberley.conformance.forgeries import CHEAT, FORGERIES, Forgery
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain
from kimberley.protocol.envelope import LEAVE

GUILTY: Final = "the target finds the seat guilty at this stage and signs nothing more, and its record proves the guilt"
FOUND: Final = (
    "the audit finds it: the target signs `unfair` with this seat, step and stage, and its record says the same"
)
AS_GUILT: Final = ("M-STG-3", "M-STG-4", "M-ERR-2")
AUDITED: Final = ("M-CLO-2", "M-AUD-1", "M-GEN-5")


def on_the_wire(forgery: Forgery) -> None:
    """Adds a case in which a seat of the suite signs a forged body at a table with the target."""
    moment = forgery.moment
    covers = [rule for rule in forgery.breaks if rule[:2] == "M-"]

    async def run(harness: Harness) -> None:
        async with open_table(harness, moment.asks, seats=moment.seats) as table:
            table.choices |= moment.choices
            while table.slot < moment.slot:
                await table.complete()

            def forged(body: Plain) -> Plain:
                return forgery.body(table.play.seats[CHEAT], body)

            if moment.kind == LEAVE:
                table.leave(CHEAT, forged)
            elif not forgery.audited:
                await table.expect_caught(CHEAT, forged(table.body(CHEAT)))
                return
            else:
                table.give(CHEAT, forged(table.body(CHEAT)))
            if not forgery.audited:
                await table.expect_guilty(CHEAT)
                return
            table.deviations = ((*(forgery.found or moment.slot), CHEAT),)
            await table.finish("unfair")
            expect(
                not table.job.all("guilty"), "the target found guilt before the audit, which only the audit can find"
            )

    more, due = (AUDITED, FOUND) if forgery.audited else (AS_GUILT, GUILTY)
    case(forgery.case, forgery.name, covers=(*covers, *more), expect=due)(run)


for _forgery in FORGERIES:
    if _forgery.case:
        on_the_wire(_forgery)
