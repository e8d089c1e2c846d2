"""Cases for peers that are nearly right: each finds a fault that others let pass (docs/conformance.md, "Mutants")."""

from __future__ import annotations

from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import case, expect, typed
from client.conformance.cases.bending import at, foul, high_bit, octets, put
from client.conformance.cases.hosting import ends, hosting, refused
from client.conformance.cases.scripts import Script, amounts
from client.conformance.codec import pack
from client.conformance.hashing import digest
from client.conformance.plain import Plain, spelled
from client.conformance.roster import REVISION
from client.conformance.table import Table
from client.conformance.tally_asks import AskedDisclose
from client.conformance.tells import seal_plain

TELL: Final[Script] = (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4))
OPEN: Final[Script] = (amounts(2), ("open", ((0, "a"), (1, "a")), 4))


@case(
    "03-60",
    "A number that is spelled too long, in a frame that is right otherwise",
    covers=("M-ENC-1", "M-FRM-3"),
    expect="no answer, and the connection ends",
)
async def long_ping(bench: Bench) -> None:
    port = await hosting(bench)
    for number in (b"\xcc\x05", b"\xcd\x00\x05", b"\xcf" + bytes(7) + b"\x05"):
        line = await bench.connect(port)
        line.send("look")
        await bench.receive(line, "card")
        line.frames.clear()
        line.taken = 0
        line.send_body(b"\x92" + pack("ping") + number)
        await ends(bench, line, f"for the number {number.hex()}")


@case(
    "08-60",
    "Another nonce than was committed to, with a signature that holds",
    covers=("M-HEL-1", "M-HEL-2"),
    expect="refused, the connection ends",
)
async def chosen_nonce(bench: Bench) -> None:
    line, identity = await bench.connect(await hosting(bench)), bench.identity()
    committed, shown = digest("a nonce"), digest("another nonce, chosen when m2 was there")
    m1 = ("hello", (REVISION,), "suite", identity.public, digest("hello nonce", committed))
    line.send(*m1)
    m2 = await bench.receive(line)
    signed = pack(("joiner", m1, m2, shown, ("seat",), line.certificate))
    line.send("prove", shown, ("seat",), identity.sign("hello", signed))
    await refused(bench, line)


def _with_top_bit(table: Table, seat: int, body: Plain) -> Plain:
    offer = octets(at(body, 0, 0))
    return put(body, high_bit(offer[:32]) + offer[32:], 0, 0)


def _true_for_one(table: Table, seat: int, body: Plain) -> Plain:
    if at(body, 0, 0) != 1:
        raise ValueError("the total of this case is to be 1")
    return put(body, True, 0, 0)


foul("14-60", "Pads whose A has its top bit set", ("M-DIS-1", "M-GRP-1"), TELL, (2, 0), _with_top_bit)


@case(
    "14-61",
    "Dice for which words are passed over",
    covers=("M-GEN-1",),
    expect="the dice that the target prints are those due",
)
async def words_passed_over(bench: Bench) -> None:
    async with bench.table([("roll", (2**63 + 1,) * 24)]) as table:
        await table.finish()
        (answered,) = table.job.all("answered")
        rolled = [int(one["integer"]) if isinstance(one, dict) else one for one in answered["answer"]]
        expect(rolled == list(table.play.answers[1][None]), f"the target rolled {spelled(rolled)}")


@case(
    "14-63",
    "Two items are shown to another seat alone",
    covers=("M-GEN-5", "M-SHW-2"),
    expect="the mail of the target is, byte for byte, the one due",
)
async def two_mailed(bench: Bench) -> None:
    async with bench.table([("shuffle", "deck", (("heart",), ("spade",))), ("show", (1, 0), ((0, 1),))]) as table:
        await table.finish()


SPOILED: Final[dict[str, bytes]] = {
    "padding that is not zero": (1).to_bytes(4, "big") + bytes([1, 0, 0, 1]),
    "a number that is spelled too long": (2).to_bytes(4, "big") + bytes([0xCC, 1, 0, 0]),
    "a number that its space forbids": (1).to_bytes(4, "big") + bytes([99, 0, 0, 0]),
    "text": (2).to_bytes(4, "big") + bytes([0xA1, 0x31, 0, 0]),
    "a length beyond its width": (5).to_bytes(4, "big") + bytes([1, 0, 0, 0]),
}
"""Payloads that a receiver can open, and takes for nothing."""


@case(
    "14-62",
    "Payloads that can be opened, and are nothing",
    covers=("M-DIS-2", "M-HID-2"),
    expect="each is NOTHING to the target, in silence",
)
async def spoiled_payloads(bench: Bench) -> None:
    tells = (1, 0, "a", "b"), *((1, 0, "a", "b") for _ in SPOILED)
    async with bench.table([amounts(2), ("disclose", tells, 4)]) as table:
        table.choices |= {(1, 0): (5, 0), (1, 1): (0, 2)}
        await table.until(2)
        asked, own = typed(table.play.asked, AskedDisclose), table.play.seats[1]
        body = table.body(1)
        first, tell = asked.owned(1)[0]
        key, context = asked.key(own, first, tell), own.secrets.context(2)
        for index, plain in enumerate(SPOILED.values(), 1):
            body = put(body, seal_plain(key, tell.kind, context, index, tell.size, plain), index, 1)
        table.give(1, body)
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")
        answer = next(event["answer"] for event in table.job.all("answered") if event["step"] == 2)
        for comment, seen in zip(("what is true", *SPOILED), answer, strict=True):
            due = 2 if comment == "what is true" else {"nothing": True}
            expect(seen == due, f"the target took {spelled(seen)} from a payload that holds {comment}")


@case("03-61", "True for a total of 1", covers=("M-OPN-1", "M-ENC-4"), expect="the seat is found guilty at this stage")
async def true_for_one(bench: Bench) -> None:
    async with bench.table(OPEN) as table:
        table.choices[1, 1] = 1, 0
        await table.until(2)
        await table.catches(1, _true_for_one(table, 1, table.body(1)))


@case(
    "17-60",
    "The earliest deviation decides, of two seats",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names the seat that deviated first",
)
async def earliest_of_two(bench: Bench) -> None:
    async with bench.table((("seal", (0, 1, 2), 9), ("seal", (0, 1, 2), 9)), seats=3) as table:
        for step, seat in ((1, 2), (2, 1)):
            await table.until(step)
            body = octets(at(table.body(seat), 0))
            table.give(seat, (bytes([body[0] ^ 1]) + body[1:],))
        table.deviations = ((1, 0, 2),)
        await table.finish("unfair")
