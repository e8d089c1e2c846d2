"""Section 10: connections between seats, that are lost and come back; further games."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect, present
from client.conformance.cases.hosting import refused
from client.conformance.cases.scripts import Script
from client.conformance.hashing import Identity
from client.conformance.plain import spelled
from client.conformance.table import Table

GAME: Final[Script] = (("decide", 1, 9), ("roll", (6,)), ("decide", 1, 9), ("roll", (6,)))
GOES_ON: Final = "both go on with the envelopes that the other lacks, and the verdict is fair"


async def lose(bench: Bench, table: Table, seat: int) -> None:
    """A connection breaks without a word."""
    table.absorb()
    table.chairs[seat].wire.cut()
    await bench.pause(0.1)


@case("10-01", "A seat that lost its connection comes back", covers=("M-LNK-1", "M-LNK-8"), expect=GOES_ON)
async def comes_back(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(3)
        await lose(bench, table, 1)
        its = await table.come_back(1)
        expect(its == len(table.sent[1]), f"the target says that it has {its} envelopes of {len(table.sent[1])}")
        await table.finish()


@case(
    "10-02",
    "A seat that comes back lacks envelopes",
    covers=("M-LNK-1", "M-LNK-8"),
    expect="the target sends its envelopes from that number on",
)
async def lacks_some(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(3)
        await lose(bench, table, 1)
        await table.come_back(1, known=1)
        await bench.wait(
            lambda: table.chairs[1].wire.count("envelope") >= len(table.chain) - 1, "the envelopes from number 1 on"
        )
        await table.finish()


@case(
    "10-03", "Envelopes that were signed while the connection was lost", covers=("M-LNK-1", "M-STG-1"), expect=GOES_ON
)
async def signed_meanwhile(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(3)
        await lose(bench, table, 1)
        table.give(1, quiet=True)
        await table.come_back(1)
        await table.finish()


@case("10-04", "A claim of more envelopes than there are", covers=("M-LNK-2",), expect="the connection ends")
async def claims_more(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(3)
        await lose(bench, table, 1)
        await table.come_back(1, known=99)
        await bench.closed(table.chairs[1].wire, "for a claim of envelopes that were never sent")
        await table.come_back(1)
        await table.finish()


@case("10-05", "`have` a second time", covers=("M-LNK-8",), expect="the connection ends")
async def have_twice(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(3)
        await lose(bench, table, 1)
        await table.come_back(1)
        table.chairs[1].wire.send("have", 0)
        await bench.closed(table.chairs[1].wire, "for saying `have` twice")


@case(
    "10-06",
    "A new connection takes the place of the one that there is",
    covers=("M-RET-4",),
    expect="the old one ends, the game goes on over the new one",
)
async def takes_place(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(3)
        old = table.chairs[1].wire
        await table.come_back(1)
        await bench.closed(old, "when another one has taken its place")
        await table.finish()


@case(
    "10-07",
    "Who comes back to another game, or is none of its seats",
    covers=("M-LNK-9", "M-HEL-5"),
    expect="refused, the connection ends",
)
async def stranger_comes_back(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(2)
        for identity, game in ((bench.identity(), table.signed.game_id), (table.chairs[1].identity, bytes(32))):
            line = await bench.seat_line(table.port, identity, ("seat", game))
            await refused(bench, line)
        await table.finish()


@case("10-08", "The target comes back to a host that it lost", covers=("M-LNK-8", "M-HEL-1"), expect=GOES_ON)
async def target_comes_back(bench: Bench) -> None:
    async with bench.table(GAME, target="join", seats=3, seat=1) as table:
        await table.until(3)
        await lose(bench, table, 0)
        await table.redialled(0, 1)
        await table.finish()


@case(
    "10-09",
    "Somebody else at the door of a lost seat",
    covers=("M-LNK-5", "M-HEL-5"),
    expect="the target does not go on with it, and tries again",
)
async def somebody_else(bench: Bench) -> None:
    async with bench.table(GAME, target="join") as table:
        await table.until(3)
        await lose(bench, table, 0)
        door = present(table.chairs[0].door)
        await bench.wait(lambda: len(door.lines) > 1, "another connection of the target", 20.0)
        # It may end with m2, which names somebody else, or after the hello; with `refused` or without.
        with suppress(Failed):
            await bench.guest(door, bench.identity(), at=1)
        await bench.closed(door.lines[1], "to an identity that is not the host's")
        expect(not door.lines[1].count("have"), "the target goes on with somebody else")
        await table.redialled(0, 2)
        await table.finish()


@case(
    "10-10",
    "A refusal where a lost seat was",
    covers=("M-RET-6", "M-LNK-11"),
    expect="it is not taken for the end of the game: the target tries again",
)
async def refusal_at_door(bench: Bench) -> None:
    async with bench.table(GAME, target="join", seats=3, seat=1) as table:
        await table.until(3)
        await lose(bench, table, 0)
        door = present(table.chairs[0].door)
        line = await bench.guest(door, table.chairs[0].identity, at=1)
        line.send("refused", "Another game is played here.")
        await bench.closed(line, "after a refusal")
        await table.redialled(0, 2)
        await table.finish()


@case(
    "10-11",
    "One of two says bye",
    covers=("M-LNK-11", "M-ERR-2"),
    expect="the table ends; nothing is signed for it, the record is incomplete",
)
async def bye_of_two(bench: Bench) -> None:
    async with bench.table(GAME) as table:
        await table.until(1)
        table.chair.wire.send("bye", "has to go")
        await table.judged("incomplete", [1])
        table.absorb()
        expect(all(one.kind == 0 for one in table.chain), "the target signed something because of a bye")


@case("10-12", "One of three says bye, and comes back", covers=("M-LNK-11", "M-LEA-4"), expect=GOES_ON)
async def bye_of_three(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(2)
        table.chairs[1].wire.send("bye", "has to go")
        await bench.closed(table.chairs[1].wire, "after a bye")
        await table.come_back(1)
        await table.finish()


@case(
    "10-13",
    "Envelopes before the words are agreed on",
    covers=("S-LNK-10",),
    expect="they are kept, and taken in when play begins",
)
async def early_envelopes(bench: Bench) -> None:
    async with bench.table(GAME, play=False) as table:
        await table.sit()
        table.prepare()
        await bench.event(table.job, "words")
        table.give(1)
        await bench.pause(0.2)
        await table.say_same()
        await bench.event(table.job, "began")
        await table.finish()


@case("10-14", "A seat that stays behind", covers=("S-LNK-6",), expect="the target passes on what it may lack")
async def stays_behind(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("decide", 1, 9), ("roll", (6,))), seats=3) as table:
        await table.until(2)
        line, head = table.chairs[2].wire, table.heads[1, 0]
        present(line.beating).cancel()
        due = {one.packed for one in table.transcript if one.step == 1 and one.seat == 1}

        def helped() -> bool:
            passed = {frame[1] for frame in line.frames if frame[0] == "relay"}
            return due <= passed

        for _ in range(4):
            line.send("beat", table.signed.game_id, 1, 0, head)
            await bench.pause(0.3)
        await bench.wait(helped, "the envelopes of a third seat, passed on")


@case(
    "10-15",
    "Another game",
    covers=("M-LNK-12", "M-SEA-7", "M-SIG-4"),
    expect="a new round, everybody moved up one seat, fresh secrets",
)
async def another_game(bench: Bench) -> None:
    async with bench.table(GAME, job={"games": 2}) as table:
        await table.finish()
        first = table.signed
        await table.next_game()
        await table.begin_again()
        expect(table.signed.game_id != first.game_id, "another game at the table has the id of the first one")
        await table.finish()


@case("10-16", "Another game of three", covers=("M-LNK-12",), expect="a new round, everybody moved up one seat")
async def another_of_three(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),), seats=3, job={"games": 2}) as table:
        await table.finish()
        await table.next_game()
        await table.begin_again()
        await table.finish()


@case(
    "10-17",
    "The host leaves after the game",
    covers=("M-LNK-12", "M-ERR-1"),
    expect="the table ends, the verdict stands",
)
async def host_leaves(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),), target="join", job={"games": 2}) as table:
        await table.finish()
        table.chairs[0].wire.send("bye", "has to go")
        await bench.event(table.job, "over")
        expect(not table.job.all("guilty"), "somebody was blamed")


@case("10-18", "Who comes back to a game that was given up", covers=("M-RET-6",), expect="the door says bye")
async def given_up(bench: Bench) -> None:
    async with bench.table(GAME, job={"linger": 10}) as table:
        await table.until(2)
        table.job.do("bye")
        await bench.event(table.job, "problem")
        line = await bench.seat_line(table.port, table.chairs[1].identity, table.purpose)
        frame = await bench.receive(line, "bye", "have", "refused")
        expect(frame[0] == "bye", f"the door answers {spelled(frame)}")


@case(
    "10-19",
    "Who comes back to a game that ended in guilt",
    covers=("M-RET-7", "M-REC-3"),
    expect="`have`, the envelopes that convict, and bye",
)
async def ended_in_guilt(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,))), seats=3, job={"linger": 10}) as table:
        await table.until(1)
        await lose(bench, table, 2)
        wrong = table.give(1, (b"short",))
        table.give(2, quiet=True)
        await table.guilty(1)
        line = await bench.seat_line(table.port, table.chairs[2].identity, table.purpose)
        await bench.receive(line, "bye")
        kinds = [str(frame[0]) for frame in line.frames]
        expect(kinds[0] == "have", f"the door says {spelled(kinds)}")
        expect(("relay", wrong.packed) in line.frames, "the envelope that convicts was not shown")


@case(
    "10-20", "A seat that a mesh does not know knocks at the target's own door", covers=("M-LNK-9",), expect="refused"
)
async def own_door(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,))), target="join", seats=3, seat=1) as table:
        await table.until(1)
        line = await bench.seat_line(table.port, Identity(bytes(32)), table.purpose)
        await refused(bench, line)
        await table.finish()
