"""Section 9.3: what a person is told about the players at the table. For targets that claim `person`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.connection import Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.seating_frames import TableDescription
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain

ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)
ALIKE: Final = (
    "rnodern lone",
    "m\u043edern Ione",
    "modern l\u03bfne",
    "modern I\u0585ne",
    "mo\u0501ern Ione",
    "\U0001d426odern Ione",
    "modern \u2160one",
    "modern Io\u0578e",
)
"""Nicknames that look like "modern Ione": by digraphs, Cyrillic, Greek, Armenian, mathematical and Roman characters."""
FOLDER: Final = "data of one person"


async def at_words(harness: Harness, table: TargetTable) -> dict[str, Any]:
    """Brings a table to its words. Returns the event in which the target shows them."""
    await table.sit()
    table.prepare()
    return await harness.await_event(table.job, "words")


def job_of(harness: Harness, *, person: bool = True) -> dict[str, Any]:
    """Returns the job of a target whose person always has the same folder."""
    return {"person": person, "data": str(harness.folder / FOLDER)}


async def meets(
    harness: Harness, identity: SuiteIdentity, nickname: str = "ben", *, person: bool = True, same: bool = True
) -> dict[str, Any]:
    """Plays as this identity at a table of the target, or says that the words differ. Returns the event in which the
    target shows the words.
    """
    async with open_table(harness, ROLL, play=False, seeded=False, job=job_of(harness, person=person)) as table:
        table.suite_seats[1].identity, table.suite_seats[1].nickname = identity, nickname
        event = await at_words(harness, table)
        if same:
            table.job.do("same", yes=True)
            await table.say_same()
            await table.finish()
        else:
            await table.say_same(False)
            await harness.await_event(table.job, "over")
        for connection in table.connections:
            connection.abort()
    return event


def knows(event: dict[str, Any], due: str) -> None:
    """Raises Failed unless the target tells its person this about the other seat."""
    expect(event.get("known") == ["you", due], f"the target says {spelled(event)}, but the other seat is `{due}`")


@case(
    "09-80",
    "Words that a person has not compared yet",
    covers=("M-WRD-1",),
    expect="they are shown, and the target does not say `same` by itself",
)
async def compared_by_a_person(harness: Harness) -> None:
    async with open_table(harness, ROLL, play=False, job={"person": True}) as table:
        knows(await at_words(harness, table), "new")
        table.suite_seat.wire.send("vote", "same", (table.signed.game_id, True))
        await harness.pause(0.5)
        expect(not table.suite_seat.wire.count("same"), "the target says `same` although its person has not")
        expect(not table.job.all("began"), "the game began although the target's person has not said `same`")
        table.job.do("same", yes=True)
        await harness.receive(table.suite_seat.wire, "same", due="`same`, since the person has said so")
        table.say_have()
        await table.finish()


@case(
    "09-81",
    "Somebody whose words were compared, and somebody else with that name",
    covers=("S-WRD-2",),
    expect="the first is `met` from then on; the second is warned of, also under a nickname that looks alike",
)
async def another_of_that_name(harness: Harness) -> None:
    ben, other = harness.identity(), harness.identity()
    knows(await meets(harness, ben), "new")
    knows(await meets(harness, ben), "met")
    for nickname in ("ben", "BEN", "b\u0435n"):
        knows(await meets(harness, other, nickname, same=False), "changed")


@case(
    "09-86",
    "Somebody with a name that looks like a known one in some other way",
    covers=("S-WRD-2",),
    expect="the person is warned of each of them: letters of other scripts, two that look like one, other forms",
)
async def looks_alike(harness: Harness) -> None:
    knows(await meets(harness, harness.identity(), "modern Ione"), "new")
    for nickname in ALIKE:
        knows(await meets(harness, harness.identity(), nickname, same=False), "changed")


@case(
    "09-82",
    "Tables that are given up at their words",
    covers=("S-WRD-2",),
    expect="they are counted, and after three the person is warned",
)
async def given_up(harness: Harness) -> None:
    events = [await meets(harness, harness.identity(), name, same=False) for name in ("ana", "cleo", "dan", "eva")]
    warned = [one.get("warned") for one in events]
    expect(
        (warned[0], warned[-1]) == (False, True), f"after each of the tables the person is warned: {spelled(warned)}"
    )


@case(
    "09-83",
    "Somebody with whom nobody has compared words",
    covers=("S-WRD-3",),
    expect="a player whom only a seat without a person has met is `new` to the person",
)
async def met_by_nobody(harness: Harness) -> None:
    ben = harness.identity()
    async with open_table(harness, ROLL, play=False, seeded=False, job=job_of(harness, person=False)) as table:
        table.suite_seats[1].identity, table.suite_seats[1].nickname = ben, "ben"
        await table.sit()
        await table.begin()
        await table.finish()
        for connection in table.connections:
            connection.abort()
    knows(await meets(harness, ben), "new")


def calls_bot(frame: Frame) -> Frame:
    """Returns the host's frame in which the player at seat 2 is called a bot."""
    table = TableDescription.read(frame)
    sitting = tuple((*one[:1], seat == 2, *one[2:]) for seat, one in enumerate(table.sitting))
    return replace(table, sitting=sitting).frame()


@case(
    "09-84",
    "A host that calls another seat a bot",
    covers=("M-WRD-6",),
    expect="its identity is `new`, and the words wait for the person",
)
async def called_bot(harness: Harness) -> None:
    async with open_table(
        harness, ROLL, target="join", seats=3, seat=1, play=False, job={"person": True}, mutations={"table": calls_bot}
    ) as table:
        event = await at_words(harness, table)
        expect(
            event.get("known") == ["new", "you", "new"],
            f"the target says {spelled(event)} about two players whom it has never met",
        )
        for suite_seat in table.suite_seats.values():
            suite_seat.wire.send("vote", "same", (table.signed.game_id, True))
        await harness.pause(0.5)
        votes = sum(connection.count("same") for connection in table.connections)
        expect(not votes, "the target says `same` although its person has not")


@case(
    "09-85",
    "A host that takes a known nickname for another game",
    covers=("M-WRD-1", "S-WRD-2"),
    expect="the person is warned and compares words again, although they compared words with this identity before",
)
async def renamed_for_another_game(harness: Harness) -> None:
    knows(await meets(harness, harness.identity(), "cleo"), "new")
    job = {"games": 2, **job_of(harness)}
    async with open_table(harness, ROLL, target="join", play=False, seeded=False, job=job) as table:
        host = table.suite_seat
        await at_words(harness, table)
        table.job.do("same", yes=True)
        await table.say_same()
        await table.finish()
        host.nickname = "cleo"
        await table.lead_next_game()
        await harness.wait_until(lambda: len(table.job.all("words")) == 2, "the words of the second game")
        event = table.job.all("words")[-1]
        due = ["you", "changed"]
        expect(event.get("known") == due, f"the target says {spelled(event)}, and {spelled(due)} is due")
        host.wire.send("vote", "same", (table.signed.game_id, True))
        await harness.pause(0.5)
        expect(host.wire.count("same") == 1, "the target says `same` although its person has not")
        expect(len(table.job.all("began")) == 1, "the game began although the target's person has not said `same`")
