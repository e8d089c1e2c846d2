"""Section 10: connections between seats that are lost and come back, and further games."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_refusal
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect, present
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.envelope import START

GAME: Final[Asks] = (("decide", 1, 9), ("roll", (6,)), ("decide", 1, 9), ("roll", (6,)))
GOES_ON: Final = "each side sends the envelopes that the other lacks, and the verdict is fair"


async def lose(harness: Harness, table: TargetTable, seat: int) -> None:
    """Breaks the connection of a seat without a word."""
    table.read_envelopes()
    table.suite_seats[seat].wire.abort()
    await harness.pause(0.1)


@asynccontextmanager
async def leaving_while_one_is_away(harness: Harness) -> AsyncIterator[TargetTable]:
    """Opens a table of three at which the target leaves while seat 2 is away, and has signed its share of a roll."""
    async with open_table(harness, (("roll", (6,)), ("decide", 0, 9), ("roll", (6,))), seats=3) as table:
        await table.until(2)
        await lose(harness, table, 2)
        table.chose.add((2, 0))
        table.job.do("bye")
        await table.await_target()
        yield table


@case("10-01", "A seat that lost its connection comes back", covers=("M-LNK-1", "M-LNK-8"), expect=GOES_ON)
async def comes_back(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        await lose(harness, table, 1)
        its = await table.reconnect(1)
        expect(its == len(table.sent[1]), f"the target says that it has {its} of {len(table.sent[1])} envelopes")
        await table.finish()


@case(
    "10-02",
    "A seat that comes back lacks envelopes",
    covers=("M-LNK-1", "M-LNK-8"),
    expect="the target sends its envelopes from that number on",
)
async def lacks_some(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        await lose(harness, table, 1)
        await table.reconnect(1, known=1)
        await harness.wait_until(
            lambda: table.suite_seats[1].wire.count("envelope") >= len(table.chain) - 1,
            "the envelopes from number 1 on",
        )
        await table.finish()


@case(
    "10-03", "Envelopes that were signed while the connection was lost", covers=("M-LNK-1", "M-STG-1"), expect=GOES_ON
)
async def signed_meanwhile(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(3)
        await lose(harness, table, 1)
        table.give(1, quiet=True)
        await table.reconnect(1)
        await table.finish()


@case(
    "10-04",
    "A claim of more envelopes than there are",
    covers=("M-LNK-2", "M-ERR-2"),
    expect="the connection ends, and the game goes on when the peer comes back",
)
async def claims_more(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        await lose(harness, table, 1)
        await table.reconnect(1, known=99)
        await harness.expect_closed(table.suite_seats[1].wire, "for a claim of envelopes that were never sent")
        await table.reconnect(1)
        await table.finish()


@case(
    "10-05",
    "A seat that lacks what the target has sent it",
    covers=("S-LNK-6",),
    expect="the target sends it again once two `have` say so",
    seconds=60,
)
async def sent_again(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(3)
        connection = table.suite_seats[1].wire
        connection.heartbeat = lambda: table.have(1)
        before = connection.count("envelope")
        await harness.wait_until(
            lambda: connection.count("envelope") >= before + len(table.chain) - 1,
            "the envelopes from number 1 on",
            20.0,
        )
        connection.heartbeat = table.have
        await table.finish()


@case(
    "10-06",
    "A new connection replaces the existing one",
    covers=("M-RET-4",),
    expect="the old connection ends, and the game goes on over the new one",
)
async def takes_place(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(3)
        old = table.suite_seats[1].wire
        await table.reconnect(1)
        await harness.expect_closed(old, "since another one has replaced it")
        await table.finish()


@case(
    "10-07",
    "A peer that comes back to another game, or is none of its seats",
    covers=("M-LNK-9", "M-HEL-5"),
    expect="it is refused, and the connection ends",
)
async def stranger_comes_back(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(2)
        for identity, game in ((harness.identity(), table.signed.game_id), (table.suite_seats[1].identity, bytes(32))):
            connection = await harness.connect_seat(table.port, identity, ("seat", game))
            await expect_refusal(harness, connection)
        await table.finish()


@case("10-08", "The target comes back to a host that it lost", covers=("M-LNK-8", "M-HEL-1"), expect=GOES_ON)
async def target_comes_back(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, seat=1) as table:
        await table.until(3)
        await lose(harness, table, 0)
        await table.await_reconnect(0, 1)
        await table.finish()


@case(
    "10-09",
    "Somebody else at the door of a lost seat",
    covers=("M-LNK-5", "M-HEL-5"),
    expect="the target does not go on with it, and tries again",
)
async def somebody_else(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join") as table:
        await table.until(3)
        await lose(harness, table, 0)
        listener = present(table.suite_seats[0].listener)
        await harness.wait_until(lambda: len(listener.connections) > 1, "another connection of the target", 20.0)
        # The target may stop after m2, which names somebody else, or after the hello; with `refused` or without.
        with suppress(Failed):
            await harness.accept(listener, harness.identity(), at=1)
        await harness.expect_closed(listener.connections[1], "to an identity that is not the host's")
        expect(not listener.connections[1].haves, "the target goes on with somebody else")
        await table.await_reconnect(0, 2)
        await table.finish()


@case(
    "10-69",
    "A seat that says nothing where it was found again",
    covers=("S-TIM-1",),
    expect="the target waits 20 s for its first frame, and tries again",
    seconds=120,
)
async def says_nothing(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join") as table:
        await table.until(3)
        await lose(harness, table, 0)
        silent = await harness.accept(present(table.suite_seats[0].listener), table.suite_seats[0].identity, at=1)
        await harness.expect_closed(silent, "on which no `have` has come for 20 s", 30.0)
        await table.await_reconnect(0, 2)
        await table.finish()


@case(
    "10-10",
    "A refusal where a lost seat was",
    covers=("M-RET-6", "M-LNK-11"),
    expect="it does not end the game: the target tries again",
)
async def refusal_at_door(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, seat=1) as table:
        await table.until(3)
        await lose(harness, table, 0)
        listener = present(table.suite_seats[0].listener)
        connection = await harness.accept(listener, table.suite_seats[0].identity, at=1)
        connection.send("refused", "Another game is played here.")
        await harness.expect_closed(connection, "after a refusal")
        await table.await_reconnect(0, 2)
        await table.finish()


@case(
    "10-11",
    "One of two says bye",
    covers=("M-LNK-11", "M-ERR-2"),
    expect="the table ends without another signature, and the record is incomplete",
)
async def bye_of_two(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        table.suite_seat.wire.send("bye", "has to go")
        await table.expect_verdict("incomplete", [1])
        table.read_envelopes()
        expect(all(one.kind == 0 for one in table.chain), "the target signed something because of a bye")


@case("10-12", "One of three says bye, and comes back", covers=("M-LNK-11", "M-LEA-4"), expect=GOES_ON)
async def bye_of_three(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(2)
        table.suite_seats[1].wire.send("bye", "has to go")
        await harness.expect_closed(table.suite_seats[1].wire, "after a bye")
        await table.reconnect(1)
        await table.finish()


@case(
    "10-13",
    "Envelopes before the words are agreed on",
    covers=("S-LNK-10",),
    expect="they are kept, and count when the game begins",
)
async def early_envelopes(harness: Harness) -> None:
    async with open_table(harness, GAME, play=False) as table:
        await table.sit()
        table.prepare()
        await harness.await_event(table.job, "words")
        table.give(1)
        await harness.pause(0.2)
        await table.say_same()
        await harness.await_event(table.job, "began")
        await table.finish()


@case(
    "10-14",
    "A seat that falls behind",
    covers=("S-LNK-6",),
    expect="the target passes on the envelopes that it may lack",
)
async def stays_behind(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 1, 9), ("roll", (6,))), seats=3) as table:
        await table.until(2)
        connection = table.suite_seats[2].wire
        present(connection.beating).cancel()
        due = {one for one in table.transcript if one.step == 1 and one.seat == 1}
        for _ in range(4):
            connection.send(*table.have(seat1=(0, START)))
            await harness.pause(0.3)
        await harness.wait_until(
            lambda: due <= set(table.relayed_envelopes()), "the envelopes of a third seat, passed on"
        )


@case(
    "10-15",
    "Another game",
    covers=("M-LNK-12", "M-SEA-7", "M-SIG-4"),
    expect="a new round, in which everybody has moved up one seat and has fresh secrets",
)
async def another_game(harness: Harness) -> None:
    async with open_table(harness, GAME, job={"games": 2}) as table:
        await table.finish()
        first = table.signed
        await table.next_game()
        await table.begin_again()
        expect(table.signed.game_id != first.game_id, "another game at the table has the id of the first one")
        await table.finish()


@case(
    "10-16",
    "Another game of three",
    covers=("M-LNK-12",),
    expect="a new round, in which everybody has moved up one seat",
)
async def another_of_three(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), seats=3, job={"games": 2}) as table:
        await table.finish()
        await table.next_game()
        await table.begin_again()
        await table.finish()


@case(
    "10-17",
    "The host leaves after the game",
    covers=("M-LNK-12", "M-ERR-1"),
    expect="the table ends, and the verdict stands",
)
async def host_leaves(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), target="join", job={"games": 2}) as table:
        await table.finish()
        table.suite_seats[0].wire.send("bye", "has to go")
        await harness.await_event(table.job, "over")
        expect(not table.job.all("guilty"), "somebody was blamed")


@case(
    "10-18",
    "A seat that comes back to a game that was given up",
    covers=("M-RET-6",),
    expect="the target answers with `bye`",
)
async def given_up(harness: Harness) -> None:
    async with open_table(harness, GAME, job={"linger": 10}) as table:
        await table.until(2)
        table.job.do("bye")
        await harness.await_event(table.job, "problem")
        connection = await harness.connect_seat(table.port, table.suite_seats[1].identity, table.purpose)
        frame = await harness.receive(connection, "bye", "refused")
        expect(frame[0] == "bye" and not connection.haves, f"the target answers {spelled(frame)}")


@case(
    "10-19",
    "A seat that comes back to a game that ended in guilt",
    covers=("M-RET-7", "M-REC-3"),
    expect="`have`, the envelopes that prove the guilt, and `bye`",
)
async def ended_in_guilt(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,))), seats=3, job={"linger": 10}) as table:
        await table.until(1)
        await lose(harness, table, 2)
        wrong = table.give(1, (b"short",))
        table.give(2, quiet=True)
        await table.expect_guilty(1)
        connection = await harness.connect_seat(table.port, table.suite_seats[2].identity, table.purpose)
        await harness.receive(connection, "bye")
        expect(connection.haves, "the target says nothing of what it has")
        expect(
            ("envelope", wrong.pack()) in connection.frames,
            "the target did not show the envelope that proves the guilt",
        )


@case(
    "10-20", "A seat that a mesh does not know knocks at the target's own door", covers=("M-LNK-9",), expect="refused"
)
async def own_door(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("roll", (6,))), target="join", seats=3, seat=1) as table:
        await table.until(1)
        connection = await harness.connect_seat(table.port, SuiteIdentity(bytes(32)), table.purpose)
        await expect_refusal(harness, connection)
        await table.finish()
