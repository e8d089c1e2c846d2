"""Sections 16 and 17: closing, the audit and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.mutations import MutateBody, at, entries, flipped, forged, octets
from kimberley.conformance.cases.scripts import DECK, Asks, amounts
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import (
    Bend,
    key_above,
    other_key,
    other_proofs,
    other_range,
    put,
    reseeded,
    says,
    says_bytes,
    shuffled,
)
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.elgamal import MAILBOX
from kimberley.protocol.envelope import CLOSING

GUILTY: Final = "the target finds the seat guilty and signs nothing more, and its record proves the guilt"
FOUND: Final = (
    "the audit finds it: the target signs `unfair` with this seat, step and stage, and its record says the same"
)
ROLL: Final[Asks] = (("roll", (6,)),)
TOGETHER: Final[Asks] = (("together", (0, 1), 9),)
SEAL: Final[Asks] = (amounts(2),)
TELL: Final[Asks] = (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4), ("roll", (6,)))
SEALED: Final = 3
"""What seat 1 seals into `b` in it."""
SHUFFLE: Final[Asks] = (("shuffle", "deck", DECK),)
SHOW: Final[Asks] = (*SHUFFLE, ("show", (0,), ((0, None), (1, 0))))
AUDITED: Final = ("M-CLO-2", "M-AUD-1", "M-GEN-5")


# -- what the audit finds ----------------------------------------------------------------------------------------------


def deviates(
    id: str,
    title: str,
    asks: Asks,
    slot: tuple[int, int],
    mutate: MutateBody,
    covers: Sequence[str] = (),
    chosen: Plain = None,
) -> None:
    """A case in which a seat signs a body that everybody accepts but that does not follow from its seed and choices."""

    @case(id, title, covers=(*covers, *AUDITED), expect=FOUND)
    async def _(harness: Harness) -> None:
        async with open_table(harness, asks) as table:
            if chosen is not None:
                table.choices[slot[0], 1] = chosen
            await table.until(*slot)
            table.give(1, mutate(table, 1, table.body(1)))
            table.deviations = ((*slot, 1),)
            await table.finish("unfair")
            expect(
                not table.job.all("guilty"), "the target found guilt before the audit, which only the audit can find"
            )


def one_entry(bend: Bend, *path: int) -> MutateBody:
    """Replaces one entry of the body by that of what a bend makes of it."""
    return lambda table, seat, body: put(body, at(bend(table.play.seats[seat], body), *path), *path)


deviates("17-01", "A proof of possession with another nonce", ROLL, (0, 0), one_entry(other_proofs, 0, 1))
deviates("17-02", "A mailbox key that is not its seed's", ROLL, (0, 0), forged(other_key(MAILBOX)))
deviates("17-03", "A share of a roll with another nonce", ROLL, (1, 0), forged(reseeded))
deviates("17-04", "A sealed choice under another nonce", (("seal", (0, 1), 9),), (1, 0), forged(reseeded))
deviates(
    "17-05",
    "A sealed choice that is not the one shown",
    (("seal", (0, 1), 9),),
    (1, 0),
    lambda t, s, b: flipped(b, 0, 0),
)
deviates("17-06", "A range proof with other nonces", SEAL, (1, 0), forged(other_range))
deviates(
    "17-07",
    "Pads that open at the threshold",
    TELL,
    (2, 0),
    forged(key_above(SEALED - 1)),
    ("M-TEL-3", "M-DIS-1", "M-HID-2"),
)
deviates(
    "17-08",
    "Pads that nobody can open",
    TELL,
    (2, 0),
    lambda t, s, b: put(b, octets(at(b, 0, 0))[:32] + bytes(512), 0, 0),
    ("M-DIS-1", "M-HID-2"),
)
deviates("17-09", "A payload that lies", TELL, (2, 0), forged(says(15)), ("M-DIS-2", "M-HID-4"))
deviates("17-10", "A payload that its space forbids", TELL, (2, 0), forged(says(99)), ("M-DIS-2", "M-HID-2"))
deviates(
    "17-11",
    "A payload that is not canonical",
    TELL,
    (2, 0),
    forged(says_bytes(b"\xcc\x01")),
    ("M-DIS-2", "M-HID-2"),
)
deviates(
    "17-12",
    "A payload with bytes behind its value",
    TELL,
    (2, 0),
    forged(says_bytes(b"\x01\x00\x00\x01")),
    ("M-DIS-2", "M-HID-2"),
)
deviates(
    "17-13",
    "A payload that does not authenticate",
    TELL,
    (2, 0),
    lambda t, s, b: flipped(b, 0, 0, 1),
    ("M-DIS-2", "M-HID-2"),
)
deviates("17-14", "A shuffle in another order than the seed gives", SHUFFLE, (1, 1), forged(shuffled(turn=True)))
deviates("17-15", "A shuffle with other masks", SHUFFLE, (1, 1), forged(reseeded))
deviates("17-16", "Shares with another nonce", SHOW, (2, 0), one_entry(reseeded, 0))
deviates("17-17", "Mail with other masks", SHOW, (2, 0), one_entry(reseeded, 1, 0, 1))


@case("17-18", "A choice that only the seat's own state can judge", covers=AUDITED, expect=FOUND)
async def no_right(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1), 9), ("again", (0, 1), 9), ("roll", (6,)))) as table:
        table.choices |= {(1, 1): 3, (2, 1): 4}
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")


@case(
    "17-19",
    "The earliest deviation decides",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names the earlier of two slots",
)
async def earliest(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1), 9), ("seal", (0, 1), 9))) as table:
        for step in (1, 2):
            await table.until(step)
            table.give(1, flipped(table.body(1), 0, 0))
        table.deviations = ((1, 0, 1),)
        await table.finish("unfair")


@case(
    "17-20",
    "Two seats deviate in one stage",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names both seats, in order",
)
async def both_deviate(harness: Harness) -> None:
    async with open_table(harness, (("seal", (0, 1, 2), 9),), seats=3) as table:
        await table.until(1)
        for seat in (2, 1):
            table.give(seat, flipped(table.body(seat), 0, 0))
        table.deviations = ((1, 0, 1), (1, 0, 2))
        await table.finish("unfair")


# -- closing -----------------------------------------------------------------------------------------------------------


def closes(id: str, title: str, stage: int, mutate: Callable[[Plain], Plain], covers: Sequence[str]) -> None:
    """A case in which a seat signs a wrong body in closing."""

    @case(id, title, covers=(*covers, "M-CLO-3"), expect=GUILTY)
    async def _(harness: Harness) -> None:
        async with open_table(harness, TOGETHER) as table:
            await table.until(2)
            while table.closing is None or table.closing < stage:
                await table.complete()
            await table.expect_caught(1, mutate(table.body(1)))


closes("16-01", "CLOSE with other places", 0, lambda body: put(body, 2, 0, 0), ("M-CLO-1",))
closes("16-02", "CLOSE with other scores", 0, lambda body: put(body, (7,), 1, 1), ("M-CLO-1",))
closes("16-03", "CLOSE that says that a seat resigned", 0, lambda body: put(body, (0,), 2), ("M-CLO-1",))
closes("16-04", "CLOSE with a boolean for a place", 0, lambda body: put(body, True, 0, 0), ("M-CLO-1", "M-ENC-4"))
closes("16-05", "SHOW with another seed", 1, lambda body: flipped(body, 5, 0), ("M-CLO-2",))
closes("16-06", "SHOW with a seed of 31 bytes", 1, lambda body: put(body, bytes(31), 0), ("M-CLO-2",))
closes("16-07", "SHOW without choices", 1, lambda body: entries(body)[:1], ("M-CLO-2",))
closes("16-08", "VERDICT of another shape", 2, lambda body: ("fair",), ("M-CLO-2",))
closes("16-09", "VERDICT unfair, of nobody", 2, lambda body: ("unfair", ()), ("M-CLO-2",))


@case("16-10", "The seed is not shown before all have signed CLOSE", covers=("M-CLO-1",), expect="no SHOW before")
async def shows_late(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        await table.until(2)
        await table.await_target()
        await table.sync()
        expect([one.stage for one in table.chain if one.kind == CLOSING] == [0], "the target showed its seed too early")
        await table.finish()


def shown(id: str, title: str, mutate: Callable[[Plain], Plain], slot: tuple[int, int]) -> None:
    """A case in which a seat shows other choices than those that it made."""

    @case(id, title, covers=AUDITED, expect=FOUND)
    async def _(harness: Harness) -> None:
        async with open_table(harness, (("seal", (0, 1), 9), ("decide", 1, 9))) as table:
            await table.until(3)
            await table.complete()
            table.give(1, mutate(table.body(1)))
            table.deviations = ((*slot, 1),)
            await table.finish("unfair")


shown("16-11", "SHOW with another choice", lambda body: put(body, 8 if at(body, 1, 0) != 8 else 7, 1, 0), (1, 0))
shown("16-12", "SHOW with a choice too few", lambda body: put(body, entries(at(body, 1))[:1], 1), (2, 0))
shown("16-13", "SHOW with a choice too many", lambda body: put(body, (*entries(at(body, 1)), 0), 1), (2, 0))
shown("16-14", "SHOW with a choice that its space forbids", lambda body: put(body, 99, 1, 0), (1, 0))


@case(
    "16-15",
    "Another seat signs a false verdict",
    covers=("M-CLO-3", "M-AUD-1"),
    expect="the record is unfair, and names the seat that signed the false verdict",
)
async def false_verdict(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        await table.until(2)
        while table.closing is None or table.closing < 2:
            await table.complete()
        table.give(1, ("unfair", ((1, 0, 0),)))
        await table.complete()
        verdict = await harness.await_event(table.job, "verdict")
        if verdict["code"] != "unfair" or verdict["seats"] != [1]:
            raise Failed(f"the target's verdict is {spelled(verdict)}, but seat 1 signed a false one")


@case(
    "16-16",
    "A seat does not show its seed",
    covers=("M-AUD-2", "M-ERR-2"),
    expect="incomplete: the verdict names the seat that is absent",
)
async def shows_nothing(harness: Harness) -> None:
    async with open_table(harness, TOGETHER) as table:
        await table.until(2)
        await table.complete()
        await table.await_target()
        table.suite_seat.wire.send("bye", "had enough")
        await table.expect_verdict("incomplete", [1])


@case(
    "16-17",
    "The result and the places",
    covers=("M-CLO-1",),
    expect="the target reports the result that everybody signs",
)
async def result(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.leave(2)
        await table.finish()
        told = await harness.await_event(table.job, "result")
        expect((told["places"], told["scores"]) == ([1, 1, 2], [[1], [1], [2]]), f"the target reports {spelled(told)}")
