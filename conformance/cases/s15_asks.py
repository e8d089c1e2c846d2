"""Section 15: every ask, played correctly, at tables of two to six seats."""

from __future__ import annotations

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import DECK, Asks, amounts, tells, whole
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain

BY_THE_BOOK = "every envelope of the target is, byte for byte, the one due, and the verdict is fair"

ALL = ("M-GEN-1", "M-GEN-5", "M-STG-1", "M-ASK-1", "M-TEL-2", "M-SEL-2", "M-HID-1", "M-GAM-1")


def _at(number: int, title: str, hosts: bool, seats: int, seat: int) -> None:
    @case(f"15-{number:02}", title, covers=ALL, expect=BY_THE_BOOK)
    async def _(harness: Harness) -> None:
        target = "host" if hosts else "join"
        async with open_table(harness, whole(seats), target=target, seats=seats, seat=seat) as table:
            await table.finish()


for _number, (_hosts, _seats, _seat) in enumerate(
    ((True, 2, 0), (False, 2, 1), (True, 3, 0), (False, 3, 1), (False, 4, 3), (True, 5, 0), (False, 6, 2)), 1
):
    _role = "hosts" if _hosts else f"joins at seat {_seat}"
    _at(_number, f"All asks at a table of {_seats}, the target {_role}", _hosts, _seats, _seat)


@case("15-08", "A commitment is not opened before all are there", covers=("M-TOG-3",), expect="no opening before")
async def opens_late(harness: Harness) -> None:
    async with open_table(harness, [("together", (0, 1), 9)]) as table:
        await table.until(1)
        await table.await_target()
        await table.sync()
        expect(
            all(one.slot == (1, 0) for one in table.chain[1:]),
            "the target opened its commitment before all had committed",
        )
        await table.finish()


@case(
    "15-09",
    "A seat that is asked nothing signs nothing",
    covers=("M-STG-5", "M-HID-1"),
    expect="it signs no envelope for a stage",
)
async def asked_nothing(harness: Harness) -> None:
    async with open_table(
        harness, [("decide", 1, 9), ("seal", (1,), 9), ("together", (1,), 9), ("decide", 0, 3)]
    ) as table:
        await table.finish()
        signed = [one.step for one in table.chain if one.kind == 0]
        expect(signed == [0, 4], f"the target signed for the steps {spelled(signed)}, but owed for 0 and 4")


@case(
    "15-10",
    "Nobody is asked less because one choice is left",
    covers=("M-HID-3",),
    expect="the seat still answers every ask",
)
async def one_choice(harness: Harness) -> None:
    async with open_table(
        harness, [("decide", 0, 1), ("together", (0, 1), 1), ("seal", (0, 1), 1), ("roll", (1,))]
    ) as table:
        await table.finish()
        signed = [one.slot for one in table.chain if one.kind == 0]
        due = [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (4, 0)]
        expect(signed == due, f"the target signed for the slots {spelled(signed)}, but owed for {spelled(due)}")


@case("15-11", "Zeros are sealed like other amounts", covers=("M-SEL-2", "M-SEL-1"), expect=BY_THE_BOOK)
async def zeros(harness: Harness) -> None:
    async with open_table(harness, [amounts(2), tells(2), ("open", ((0, "a"), (1, "spent"), (0, "b")), 4)]) as table:
        table.choices |= {(1, 0): (0, 0), (1, 1): (0, 0)}
        await table.finish()


@case(
    "15-12",
    "What is told can be read above the tally, and only there",
    covers=("M-TEL-1", "M-DIS-2"),
    expect="the target reports the answers that are due",
)
async def told_above(harness: Harness) -> None:
    async with open_table(harness, [amounts(2), ("disclose", ((1, 0, "a", "b"), (1, 0, "b", "a")), 4)]) as table:
        table.choices |= {(1, 0): (5, 4), (1, 1): (4, 4)}
        await table.finish()
        answered = {event["step"]: event["answer"] for event in table.job.all("answered")}
        expect(answered[2] == [4, {"nothing": True}], f"the target read {spelled(answered[2])}")


@case("15-13", "A tell at the threshold is nothing", covers=("M-DIS-2",), expect="equal totals give NOTHING")
async def told_at(harness: Harness) -> None:
    async with open_table(harness, [amounts(2), ("disclose", ((1, 0, "a", "b"),), 4)]) as table:
        table.choices |= {(1, 0): (3, 0), (1, 1): (0, 3)}
        await table.finish()
        answered = {event["step"]: event["answer"] for event in table.job.all("answered")}
        expect(answered[2] == [{"nothing": True}], f"the target read {spelled(answered[2])}")


@case("15-14", "Pads stand until a tally of their pair is sealed into", covers=("M-TEL-1",), expect=BY_THE_BOOK)
async def pads_stand(harness: Harness) -> None:
    one, other = (
        ("disclose", ((0, 1, "a", "b"), (0, 1, "a", "b"), (1, 0, "b", "a")), 4),
        ("disclose", ((0, 1, "a", "b"),), 4),
    )
    script: Asks = (
        amounts(2),
        one,
        other,
        ("amounts", (0,), ("c",), 4, 10),
        other,
        ("amounts", (1,), ("a",), 4, 10),
        other,
    )
    async with open_table(harness, script) as table:
        table.choices |= {(1, 0): (1, 1), (1, 1): (2, 2), (4, 0): (1,), (6, 1): (1,)}
        await table.finish()


@case(
    "15-15",
    "What is shown to one seat is for that seat alone",
    covers=("M-SHW-3", "M-SHW-2"),
    expect="other seats do not see it",
)
async def shown_to_one(harness: Harness) -> None:
    script: Asks = (("shuffle", "deck", DECK), ("show", (1,), ((0, 1),)), ("show", (0,), ((0, 0), (1, None))))
    async with open_table(harness, script) as table:
        await table.finish()
        answered = {event["step"]: event["answer"] for event in table.job.all("answered")}
        expect(answered[2] == [[{"hidden": True}]], f"the target saw {spelled(answered[2])}")
        due = [list(row) for row in table.play.seats[0].story[2][1]]
        expect(answered[3] == due, f"the target saw {spelled(answered[3])}, but was shown {spelled(due)}")


@case("15-16", "The only receiver owes no share to itself", covers=("M-SHW-1",), expect=BY_THE_BOOK)
async def sole_receiver(harness: Harness) -> None:
    async with open_table(harness, [("shuffle", "deck", DECK), ("show", (3,), ((0, 0), (1, 0)))]) as table:
        await table.finish()
        signed = [one for one in table.chain if one.step == 2 and one.kind == 0]
        expect(not signed, "the target signed shares of what is shown to it alone")


@case(
    "15-17",
    "Dice of the largest number of sides",
    covers=("M-ROL-1",),
    expect="the target reports the roll that is due",
)
async def many_sides(harness: Harness) -> None:
    async with open_table(harness, [("roll", (2**64 - 1, 1, 2**63 + 1, 5, 4, 3, 2, 1)), ("roll", (6,))]) as table:
        await table.finish()
        answered = {event["step"]: event["answer"] for event in table.job.all("answered")}
        first, *rest = answered[1]
        rolled = [int(one["integer"]) if isinstance(one, dict) else one for one in (first, *rest)]
        due = list(table.play.story[0][1])
        expect(rolled == due, f"the target rolled {spelled(rolled)}, and {spelled(due)} is due")


@case("15-18", "Two rolls of one table differ in their points", covers=("M-ROL-2",), expect=BY_THE_BOOK)
async def two_rolls(harness: Harness) -> None:
    async with open_table(harness, [("roll", (2**60,)), ("roll", (2**60,))]) as table:
        await table.finish()
        shares = [one.body for one in table.chain if one.kind == 0][1:]
        expect(shares[0] != shares[1], "the target used one share for two rolls")


@case(
    "15-19",
    "The target refuses a forbidden choice of its own player",
    covers=("M-DEC-1", "M-ERR-1"),
    expect="nothing is signed, and the next choice counts",
)
async def own_choice_forbidden(harness: Harness) -> None:
    async with open_table(harness, [("decide", 0, 3), ("decide", 1, 3)]) as table:
        await table.until(1)
        for wrong in (3, -1, True, "x", None, [0]):
            table.job.do("choose", choice=wrong)
        await harness.wait_until(lambda: len(table.job.all("forbidden")) == 6, "the word that a choice is forbidden")
        await table.finish()


@case("15-20", "A shuffle of one item, and of many", covers=("M-BAG-1", "M-SHF-2"), expect=BY_THE_BOOK)
async def sizes_of_shuffles(harness: Harness) -> None:
    many: Plain = tuple((n, n % 3, "x") for n in range(24))
    script: Asks = (
        ("shuffle", "one", (("only",),)),
        ("show", (0,), ((0, None),)),
        ("shuffle", "many", many),
        ("show", (1, 24), ((0, None), (2, 0))),
    )
    async with open_table(harness, script) as table:
        await table.finish()
