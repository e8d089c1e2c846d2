"""Section 9.3: what a person is told of those who sit there. Targets that claim `person`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from client.conformance.bench import Bench
from client.conformance.case import case, expect
from client.conformance.hashing import Identity
from client.conformance.plain import Plain, spelled
from client.conformance.seating import TableFrame
from client.conformance.table import Table
from client.conformance.wire import Frame

ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)
FOLDER: Final = "data of one person"


async def at_words(bench: Bench, table: Table) -> dict[str, Any]:
    """All sit, and the words are on the target's screen. Returns what it says of them."""
    await table.sit()
    table.prepare()
    return await bench.event(table.job, "words")


def job_of(bench: Bench, *, person: bool = True) -> dict[str, Any]:
    """Of a target whose person has one folder all the time."""
    return {"person": person, "data": str(bench.folder / FOLDER)}


async def meets(
    bench: Bench, identity: Identity, nickname: str = "ben", *, person: bool = True, same: bool = True
) -> dict[str, Any]:
    """The target hosts, and this identity plays with it, or says that the words differ. Returns what the target said of
    the words.
    """
    async with bench.table(ROLL, play=False, seeded=False, job=job_of(bench, person=person)) as table:
        table.chairs[1].identity, table.chairs[1].nickname = identity, nickname
        told = await at_words(bench, table)
        if same:
            table.job.do("same", yes=True)
            await table.say_same()
            await table.finish()
        else:
            await table.say_same(False)
            await bench.event(table.job, "over")
        for line in table.lines:
            line.cut()
    return told


def knows(told: dict[str, Any], due: str) -> None:
    """Raises Failed unless the target says this of the seat that it plays with."""
    expect(told.get("known") == ["you", due], f"the target says {spelled(told)}, and the other seat is `{due}`")


@case(
    "09-80",
    "Words that a person has not compared yet",
    covers=("M-WRD-1",),
    expect="they are shown, and the target does not say `same` by itself",
)
async def compared_by_a_person(bench: Bench) -> None:
    async with bench.table(ROLL, play=False, job={"person": True}) as table:
        knows(await at_words(bench, table), "new")
        table.chair.wire.send("same", table.signed.game_id, True)
        await bench.pause(0.5)
        expect(not table.chair.wire.count("same"), "the target says `same`, and its person has not")
        expect(not table.job.all("began"), "the game began, and the target's person has not said `same`")
        table.job.do("same", yes=True)
        await bench.receive(table.chair.wire, "same", due="`same`, since the person has said so")
        await table.finish()


@case(
    "09-81",
    "Somebody whose words were compared, and another one of that name",
    covers=("S-WRD-2",),
    expect="the first is `met` from then on, the second is warned of, also with a nickname that looks like it",
)
async def another_of_that_name(bench: Bench) -> None:
    ben, other = bench.identity(), bench.identity()
    knows(await meets(bench, ben), "new")
    knows(await meets(bench, ben), "met")
    for nickname in ("ben", "BEN", "b\u0435n"):
        knows(await meets(bench, other, nickname, same=False), "changed")


@case(
    "09-82",
    "Tables that are given up at their words",
    covers=("S-WRD-2",),
    expect="they are counted, and after three the person is warned",
)
async def given_up(bench: Bench) -> None:
    told = [await meets(bench, bench.identity(), name, same=False) for name in ("ana", "cleo", "dan", "eva")]
    warned = [one.get("warned") for one in told]
    expect((warned[0], warned[-1]) == (False, True), f"the target's person is warned so: {spelled(warned)}")


@case(
    "09-83",
    "Somebody whom nobody has compared words with",
    covers=("S-WRD-3",),
    expect="whom a seat without a person has met is `new` to the person",
)
async def met_by_nobody(bench: Bench) -> None:
    ben = bench.identity()
    async with bench.table(ROLL, play=False, seeded=False, job=job_of(bench, person=False)) as table:
        table.chairs[1].identity, table.chairs[1].nickname = ben, "ben"
        await table.sit()
        await table.begin()
        await table.finish()
        for line in table.lines:
            line.cut()
    knows(await meets(bench, ben), "new")


def calls_bot(frame: Frame) -> Frame:
    """The host calls whoever sits at seat 2 a bot."""
    table = TableFrame.read(frame)
    sitting = tuple((*one[:1], seat == 2, *one[2:]) for seat, one in enumerate(table.sitting))
    return replace(table, sitting=sitting).frame()


@case(
    "09-84",
    "A host that calls another seat a bot",
    covers=("M-WRD-6",),
    expect="its identity is `new`, and the words wait for the person",
)
async def called_bot(bench: Bench) -> None:
    async with bench.table(
        ROLL, target="join", seats=3, seat=1, play=False, job={"person": True}, bends={"table": calls_bot}
    ) as table:
        told = await at_words(bench, table)
        expect(told.get("known") == ["new", "you", "new"], f"the target says {spelled(told)} of two whom it never met")
        for chair in table.chairs.values():
            chair.wire.send("same", table.signed.game_id, True)
        await bench.pause(0.5)
        said = sum(line.count("same") for line in table.lines)
        expect(not said, "the target says `same`, and its person has not")


@case(
    "09-85",
    "A host that takes a known nickname for another game",
    covers=("M-WRD-1", "S-WRD-2"),
    expect="the person is warned, and compares words again although those of this identity were compared before",
)
async def renamed_for_another_game(bench: Bench) -> None:
    knows(await meets(bench, bench.identity(), "cleo"), "new")
    job = {"games": 2, **job_of(bench)}
    async with bench.table(ROLL, target="join", play=False, seeded=False, job=job) as table:
        host = table.chair
        await at_words(bench, table)
        table.job.do("same", yes=True)
        await table.say_same()
        await table.finish()
        host.nickname = "cleo"
        await table.lead_next_game()
        await bench.wait(lambda: len(table.job.all("words")) == 2, "the words of the second game")
        told = table.job.all("words")[-1]
        due = ["you", "changed"]
        expect(told.get("known") == due, f"the target says {spelled(told)}, and {spelled(due)} is due")
        host.wire.send("same", table.signed.game_id, True)
        await bench.pause(0.5)
        expect(host.wire.count("same") == 1, "the target says `same`, and its person has not")
        expect(len(table.job.all("began")) == 1, "the game began, and the target's person has not said `same`")
