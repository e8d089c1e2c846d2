"""Cases for peers that are nearly right: each finds a fault that other cases miss (docs/conformance.md, "Mutants")."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_end, expect_refusal, hosting
from kimberley.conformance.cases.scripts import Asks, amounts
from kimberley.conformance.errors import expect
from kimberley.conformance.forging import at, octets, payload, put
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import REVISION

OPEN: Final[Asks] = (amounts(2), ("open", ((0, "a"), (1, "a")), 4))


@case(
    "03-60",
    "A number that is spelled too long, in a frame that is right otherwise",
    covers=("M-ENC-1", "M-FRM-3"),
    expect="no answer, and the connection ends",
)
async def long_ping(harness: Harness) -> None:
    port = await hosting(harness)
    for number in (b"\xcc\x05", b"\xcd\x00\x05", b"\xcf" + bytes(7) + b"\x05"):
        connection = await harness.connect(port)
        connection.send("look")
        await harness.receive(connection, "card")
        connection.frames.clear()
        connection.taken = 0
        connection.send_body(b"\x92" + pack("ping") + number)
        await expect_end(harness, connection, f"for the number {number.hex()}")


@case(
    "08-60",
    "Another nonce than was committed to, with a signature that holds",
    covers=("M-HEL-1", "M-HEL-2"),
    expect="it is refused, and the connection ends",
)
async def chosen_nonce(harness: Harness) -> None:
    connection, identity = await harness.connect(await hosting(harness)), harness.identity()
    committed, chosen = digest("a nonce"), digest("another nonce, chosen when m2 was there")
    m1 = ("hello", (REVISION,), "suite", identity.public, digest("hello nonce", committed))
    connection.send(*m1)
    m2 = await harness.receive(connection)
    signed = pack(("joiner", m1, m2, chosen, ("seat",), connection.certificate))
    connection.send("prove", chosen, ("seat",), identity.sign("hello", signed))
    await expect_refusal(harness, connection)


def _true_for_one(table: TargetTable, seat: int, body: Plain) -> Plain:
    if at(body, 0, 0) != 1:
        raise ValueError("this case needs a total of 1")
    return put(body, True, 0, 0)


@case(
    "14-61",
    "Dice for which words are passed over",
    covers=("M-GEN-1",),
    expect="the target prints the dice that are due",
)
async def words_passed_over(harness: Harness) -> None:
    async with open_table(harness, [("roll", (2**63 + 1,) * 24)]) as table:
        await table.finish()
        (answered,) = table.job.all("answered")
        rolled = [int(one["integer"]) if isinstance(one, dict) else one for one in answered["answer"]]
        expect(rolled == list(table.play.story[0][1]), f"the target rolled {spelled(rolled)}")


@case(
    "14-63",
    "Two items are shown to another seat alone",
    covers=("M-GEN-5", "M-SHW-2"),
    expect="the target's mail is, byte for byte, the one due",
)
async def two_mailed(harness: Harness) -> None:
    async with open_table(
        harness, [("shuffle", "deck", (("heart",), ("spade",))), ("show", (1, 0), ((0, 1),))]
    ) as table:
        await table.finish()


SPOILED: Final[dict[str, bytes]] = {
    "padding that is not zero": (1).to_bytes(4, "big") + bytes([1, 0, 0, 1]),
    "a number that is spelled too long": (2).to_bytes(4, "big") + bytes([0xCC, 1, 0, 0]),
    "a number that its space forbids": (1).to_bytes(4, "big") + bytes([99, 0, 0, 0]),
    "text": (2).to_bytes(4, "big") + bytes([0xA1, 0x31, 0, 0]),
    "a length beyond its width": (5).to_bytes(4, "big") + bytes([1, 0, 0, 0]),
}
"""Payloads that a receiver can open, but that tell it nothing."""


@case(
    "14-62",
    "Payloads that can be opened, and are nothing",
    covers=("M-DIS-2", "M-HID-2"),
    expect="the target takes each for NOTHING, and says nothing about it",
)
async def spoiled_payloads(harness: Harness) -> None:
    tells = (1, 0, "a", "b"), *((1, 0, "a", "b") for _ in SPOILED)
    async with open_table(harness, [amounts(2), ("disclose", tells, 4)]) as table:
        table.choices |= {(1, 0): (5, 0), (1, 1): (0, 2)}
        await table.until(2)
        body = table.body(1)
        for place, plain in enumerate(SPOILED.values(), 1):
            body = payload(plain, place)(table.play.seats[1], body)
        table.give(1, body)
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")
        answer = next(event["answer"] for event in table.job.all("answered") if event["step"] == 2)
        for comment, seen in zip(("what is true", *SPOILED), answer, strict=True):
            due = 2 if comment == "what is true" else {"nothing": True}
            expect(seen == due, f"the target took {spelled(seen)} from a payload that holds {comment}")


@case(
    "03-61",
    "True for a total of 1",
    covers=("M-OPN-1", "M-ENC-4"),
    expect="the target finds the seat guilty at this stage",
)
async def true_for_one(harness: Harness) -> None:
    async with open_table(harness, OPEN) as table:
        table.choices[1, 1] = 1, 0
        await table.until(2)
        await table.expect_caught(1, _true_for_one(table, 1, table.body(1)))


@case(
    "17-60",
    "The earliest deviation decides, of two seats",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names the seat that deviated first",
)
async def earliest_of_two(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1, 2), 9), ("seal", (0, 1, 2), 9)), seats=3) as table:
        for step, seat in ((1, 2), (2, 1)):
            await table.until(step)
            body = octets(at(table.body(seat), 0))
            table.give(seat, (bytes([body[0] ^ 1]) + body[1:],))
        table.deviations = ((1, 0, 2),)
        await table.finish("unfair")
