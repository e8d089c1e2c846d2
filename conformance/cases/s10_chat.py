"""Section 10.8: chat outside of a game."""

from __future__ import annotations

from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.connection import Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain
from kimberley.protocol.envelope import CHAT

GAME: Final[Asks] = (("roll", (6,)), ("decide", 0, 9))
MANY: Final = 200
MOST_SAID: Final = 45
"""Lines of such a player that may be sent: those at once, and one for each second that a slow machine takes."""
MOST_HEARD: Final = 60
"""Lines of a flood that may count: those that are heard at once, and one for each second that a slow machine takes."""


async def heard(harness: Harness, table: TargetTable, seat: int, text: str) -> None:
    """Waits until the target has heard this line of a seat."""
    await harness.wait_until(lambda: (seat, text) in lines(table), f"the event `said` of seat {seat}")


def lines(table: TargetTable) -> list[Any]:
    """What the target has heard, without what it has said itself."""
    return [(one["seat"], one["text"]) for one in table.job.all("said") if one["seat"] != table.target]


def chat_frames(table: TargetTable, seat: int) -> list[Frame]:
    """The frames with chat that the target has sent to a seat."""
    return [frame for frame in table.suite_seats[seat].wire.frames if frame[0] in ("say", "said")]


async def play_on(table: TargetTable) -> None:
    """Plays to the end. Raises Failed if the target has signed a chat."""
    await table.begin()
    await table.finish()
    expect(all(one.kind != CHAT for one in table.chain), "the target has signed what was said before the game")


@case(
    "10-71",
    "Chat before a game, the target being host",
    covers=("S-SAY-1",),
    expect="what a seat says goes on to the others, if it asks for that; the host says its own to all, and signs none",
)
async def host_passes_on(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3, play=False) as table:
        await table.sit()
        ana = table.suite_seats[1]
        ana.wire.send("say", "not for all", False)
        ana.wire.send("say", "hello", True)
        await heard(harness, table, 1, "hello")
        due: Plain = "said", ana.identity.public, "hello"
        await harness.wait_until(lambda: chat_frames(table, 2), "`said`, since a seat asks the host to pass it on")
        expect(chat_frames(table, 2) == [due], f"the target passes on {spelled(tuple(chat_frames(table, 2)))}")
        expect(not chat_frames(table, 1), "the target sends a seat what that seat has said")
        table.job.do("say", text="welcome")
        for seat in (1, 2):
            await harness.wait_until(
                lambda seat=seat: chat_frames(table, seat)[-1:] == [("say", "welcome", False)],  # type: ignore[misc]
                "`say` with false, since the target's player says something",
            )
        await play_on(table)


@case(
    "10-72",
    "Chat before a game, the target being a joiner",
    covers=("S-SAY-1",),
    expect="what its player says goes to the host alone, to be passed on, and nothing of it is signed",
)
async def joiner_says(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False) as table:
        await table.sit()
        host, ana = table.suite_seats[0].wire, table.suite_seats[1].wire
        # The target could say it to the other seat, too: their link stands.
        ana.send("say", "here", False)
        await heard(harness, table, 1, "here")
        table.job.do("say", text="hello")
        await harness.wait_until(lambda: chat_frames(table, 0), "`say`, since the target's player says something")
        expect(chat_frames(table, 0) == [("say", "hello", True)], f"it sends {spelled(tuple(chat_frames(table, 0)))}")
        host.send("say", "welcome", False)
        await heard(harness, table, 0, "welcome")
        # What it sent to the other seat has arrived there by the end of a game.
        await play_on(table)
        expect(not chat_frames(table, 1), "the target sends to a seat what the host is to pass on")


@case(
    "10-73",
    "Chat in the name of others, and of wrong lengths",
    covers=("M-SAY-2", "M-SAY-3", "M-FRM-6", "M-ERR-1"),
    expect="the target ignores all of it, the game comes to a fair end, and the target has signed no chat",
)
async def in_other_names(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False) as table:
        await table.sit()
        host, ana = table.suite_seats[0], table.suite_seats[1]
        ana.wire.send("said", host.identity.public, "from the host")
        ana.wire.send("said", ana.identity.public, "from myself")
        ana.wire.send("say", "x" * 501, False)
        for key in (table.target_identity, host.identity.public, bytes(32)):
            host.wire.send("said", key, "from somebody")
        host.wire.send("said", ana.identity.public, "x" * 501)
        host.wire.send("say", "without an end")
        ana.wire.send("say", "mine", False)
        host.wire.send("said", ana.identity.public, "passed on")
        await play_on(table)
        wrong = [line for line in lines(table) if line not in ((1, "mine"), (1, "passed on"))]
        expect(not wrong, f"the target has heard {spelled(tuple(wrong))}")


@case(
    "10-68",
    "A player who says a lot",
    covers=("S-SAY-4",),
    expect="the target says five lines at once, and one a second after that",
)
async def says_a_lot(harness: Harness) -> None:
    async with open_table(harness, GAME, play=False, job={"person": True}) as table:
        await table.sit()
        for number in range(MANY):
            table.job.do("say", text=f"{number}")
        await harness.await_event(table.job, "words")
        # A slow target reads this after all lines: only then can its game begin.
        table.job.do("same", yes=True)
        await harness.wait_until(lambda: chat_frames(table, 1), "`say`, since the target's player says something")
        await play_on(table)
        count = len(chat_frames(table, 1))
        expect(count <= MOST_SAID, f"of {MANY} lines that its player says at once the target has sent {count}")


@case(
    "10-74",
    "A seat that says too much",
    covers=("S-SAY-4",),
    expect="most of it is ignored and not passed on, and the game comes to a fair end",
)
async def too_much(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3, play=False) as table:
        await table.sit()
        for number in range(MANY):
            table.suite_seats[1].wire.send("say", f"{number}", True)
        await play_on(table)
        passed, count = len(chat_frames(table, 2)), len(lines(table))
        expect(0 < count <= MOST_HEARD, f"of {MANY} lines at once the target has heard {count}")
        expect(0 < passed <= MOST_HEARD, f"of {MANY} lines at once the target has passed on {passed}")
