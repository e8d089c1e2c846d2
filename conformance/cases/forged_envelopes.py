"""The forged envelopes of the catalogue, sent by a seat of the suite."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.errors import expect
from kimberley.conformance.forgeries import CHEAT, ENVELOPES, DueEnvelope, EnvelopeForgery
from kimberley.conformance.forgeries.envelopes import DROPPED, REFUSED, SAME, WAITED
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import open_table
from kimberley.protocol.envelope import Envelope

EXPECTED: Final = {
    DROPPED: "the bytes are dropped, nobody is blamed, and the game comes to a fair end",
    SAME: "what is known already changes nothing, and the game comes to a fair end",
    WAITED: "nobody is blamed, and the target keeps waiting for the seat",
    REFUSED: "the target finds the seat guilty and signs nothing more, and its record proves the guilt",
}
DUTIES: Final = {
    DROPPED: ("M-ENV-5", "M-GEN-2", "M-GEN-3"),
    SAME: ("M-ENV-5",),
    WAITED: ("M-GEN-3",),
    REFUSED: ("M-GEN-3", "M-REC-3"),
}


def on_the_wire(forgery: EnvelopeForgery) -> None:
    """Adds a case in which a seat of the suite sends a forged envelope at a table with the target."""
    moment = forgery.moment
    covers = (*forgery.rules.split(), *forgery.duties.split(), *DUTIES[forgery.reaction])

    async def run(harness: Harness) -> None:
        async with open_table(harness, moment.asks) as table:
            while table.slot < moment.slot:
                await table.complete()
            due = table.sign(CHEAT, moment.kind, table.body(CHEAT), kept=False)
            secret = table.suite_seats[CHEAT].identity.secret
            sent = forgery.sent(DueEnvelope(due, secret, table.seats, table.chain[-1], table.heads))
            for data in sent:
                table.suite_seats[CHEAT].wire.send("envelope", data)
            if forgery.reaction in (DROPPED, SAME):
                await table.finish()
            elif forgery.reaction == WAITED:
                await table.expect_waiting(CHEAT)
            else:
                signed = [Envelope.unpack(data) for data in sent]
                record = await table.expect_guilty(CHEAT, signed[-1].slot)
                kept = {*record.envelopes, *record.evidence}
                expect(set(signed) <= kept, "the record lacks an envelope that proves the guilt")

    case(forgery.case, forgery.name, covers=covers, expect=EXPECTED[forgery.reaction])(run)


for _forgery in ENVELOPES:
    on_the_wire(_forgery)
