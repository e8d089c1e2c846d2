"""Section 10.8: chat."""

from __future__ import annotations

from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.s10_third import show
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import expect
from kimberley.conformance.harness.connection import Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.table.offline import ASKS, OfflineGame
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.envelope import CLOSING, STAGE

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
    """Returns what the target has heard, without what it has said itself."""
    return [(one["seat"], one["text"]) for one in table.job.all("said") if one["seat"] != table.target]


def chat_frames(table: TargetTable, seat: int) -> list[Frame]:
    """Returns the frames with chat that the target has sent to a seat."""
    return [frame for frame in table.suite_seats[seat].wire.frames if frame[0] == "say"]


def key(table: TargetTable, seat: int) -> bytes:
    return table.target_identity if seat == table.target else table.suite_seats[seat].identity.public


def line(table: TargetTable, seat: int, text: str) -> Frame:
    """Returns the frame with what a seat says."""
    return "say", key(table, seat), text


def say(table: TargetTable, seat: int, text: str) -> None:
    """Says something to the target as a seat of the suite."""
    table.suite_seats[seat].wire.send(*line(table, seat, text))


async def play_on(table: TargetTable) -> None:
    """Plays to the end. Raises Failed if the target has signed anything but its stages."""
    await table.begin()
    await table.finish()
    expect_unsigned(table)


def expect_unsigned(table: TargetTable) -> None:
    expect(all(one.kind in (STAGE, CLOSING) for one in table.chain), "the target has signed what was said")


@case(
    "10-71",
    "Chat before a game, the target being host",
    covers=("S-SAY-1", "S-SAY-6"),
    expect="what a seat says goes on to the others; the host says its own to all, and signs none",
)
async def host_passes_on(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3, play=False) as table:
        await table.sit()
        say(table, 1, "hello")
        await heard(harness, table, 1, "hello")
        due = line(table, 1, "hello")
        await harness.wait_until(lambda: chat_frames(table, 2), "`say`, since another seat has said something")
        expect(chat_frames(table, 2) == [due], f"the target passes on {spelled(tuple(chat_frames(table, 2)))}")
        expect(not chat_frames(table, 1), "the target sends a seat what that seat has said")
        table.job.do("say", text="welcome")
        for seat in (1, 2):
            await harness.wait_until(
                lambda seat=seat: chat_frames(table, seat)[-1:] == [line(table, 0, "welcome")],  # type: ignore[misc]
                "`say`, since the target's player says something",
            )
        await play_on(table)


@case(
    "10-72",
    "Chat before and in a game, the target being a joiner",
    covers=("S-SAY-1",),
    expect="what its player says goes to the host alone, and in the game to all; nothing of it is signed",
)
async def joiner_says(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False) as table:
        await table.sit()
        # The target could say it to the other seat, too: their link stands.
        say(table, 1, "here")
        await heard(harness, table, 1, "here")
        table.job.do("say", text="hello")
        await harness.wait_until(lambda: chat_frames(table, 0), "`say`, since the target's player says something")
        due = line(table, table.target, "hello")
        expect(chat_frames(table, 0) == [due], f"it sends {spelled(tuple(chat_frames(table, 0)))}")
        say(table, 0, "welcome")
        await heard(harness, table, 0, "welcome")
        await table.begin()
        table.job.do("say", text="in the game")
        await harness.wait_until(lambda: chat_frames(table, 1), "`say` to every seat, once the game has begun")
        frames, due = tuple(chat_frames(table, 1)), line(table, table.target, "in the game")
        expect(frames == (due,), f"to a seat, to which the host passes on, the target sends {spelled(frames)}")
        await table.finish()
        expect_unsigned(table)


@case(
    "10-45",
    "Chat in a game",
    covers=("S-SAY-1", "M-SAY-2", "M-SAY-3", "S-SAY-6"),
    expect="its player's line goes to every seat, cut to 500 characters; nothing is passed on, or signed",
)
async def in_a_game(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(1)
        say(table, 1, "good luck")
        await heard(harness, table, 1, "good luck")
        table.job.do("say", text="y" * 800)
        due = line(table, 0, "y" * 500)
        for seat in (1, 2):
            await harness.wait_until(lambda seat=seat: chat_frames(table, seat), "`say` in a game")  # type: ignore[misc]
            expect(chat_frames(table, seat) == [due], f"it sends {spelled(tuple(chat_frames(table, seat)))}")
        await table.finish()
        expect_unsigned(table)


@case(
    "10-46",
    "A line said before a seat has begun",
    covers=("S-SAY-6",),
    expect="the host passes on what came before the seat's `have`, and nothing that came after it",
)
async def crossing(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3, play=False, kind=SlowTable) as table:
        await table.sit()
        say(table, 1, "early")
        await harness.wait_until(lambda: chat_frames(table, 2), "`say`, since another seat has said something")
        await table.begin()
        # The game has begun for the host, and the seat does not know it yet.
        say(table, 1, "crossing")
        await harness.wait_until(lambda: len(chat_frames(table, 2)) > 1, "`say` of a seat that has not said `have`")
        TargetTable.say_have(table)
        # The seat says this to all itself.
        say(table, 1, "late")
        await heard(harness, table, 1, "late")
        await table.finish()
        due = [line(table, 1, text) for text in ("early", "crossing")]
        expect(chat_frames(table, 2) == due, "the target passes on what was said in the game")


class SlowTable(TargetTable):
    """A table at which the seats of the suite do not say what they have as soon as the game begins."""

    def say_have(self) -> None:
        pass


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
        ana.wire.send(*line(table, 0, "from the host"))
        for speaker in (table.target_identity, bytes(32)):
            ana.wire.send("say", speaker, "from somebody")
            host.wire.send("say", speaker, "from somebody")
        for seat in (host, ana):
            seat.wire.send(*line(table, 1, "x" * 501))
            seat.wire.send("say", ana.identity.public)
            seat.wire.send("say", "text", ana.identity.public)
            seat.wire.send(*line(table, 1, "with more"), True)
        ana.wire.send(*line(table, 1, "mine"))
        host.wire.send(*line(table, 1, "passed on"))
        await play_on(table)
        wrong = [one for one in lines(table) if one not in ((1, "mine"), (1, "passed on"))]
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
            say(table, 1, f"{number}")
        await play_on(table)
        passed, count = len(chat_frames(table, 2)), len(lines(table))
        expect(0 < count <= MOST_HEARD, f"of {MANY} lines at once the target has heard {count}")
        expect(0 < passed <= MOST_HEARD, f"of {MANY} lines at once the target has passed on {passed}")


@case(
    "10-47",
    "A seat that says too much in a game",
    covers=("S-SAY-4", "M-ERR-2"),
    expect="most of it is ignored, nobody is blamed, and the game comes to a fair end",
)
async def too_much_in_a_game(harness: Harness) -> None:
    async with open_table(harness, GAME) as table:
        await table.until(1)
        for number in range(MANY):
            say(table, 1, f"{number}")
        await table.finish()
        count = len(lines(table))
        expect(0 < count <= MOST_HEARD, f"of {MANY} lines at once the target has heard {count}")


@case(
    "10-48",
    "A spectator hears the chat",
    covers=("S-SAY-6",),
    expect="what was said before it came, and then each line, in the names of the speakers",
)
async def spectator_hears(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(1)
        say(table, 1, "good luck")
        await heard(harness, table, 1, "good luck")
        connection = await harness.connect_spectator(table.port)
        await harness.wait_until(lambda: connection.count("say"), "`say` for a spectator")
        table.job.do("say", text="welcome")
        await harness.wait_until(lambda: connection.count("say") > 1, "`say` for a spectator")
        lines = [frame for frame in connection.frames if frame[0] == "say"]
        due = [line(table, 1, "good luck"), line(table, 0, "welcome")]
        expect(lines == due, f"the spectator is sent {spelled(tuple(lines))}")
        await table.finish()


@case(
    "10-49",
    "A spectator is told what was said",
    covers=("S-SAY-1", "M-SAY-2"),
    expect="the watching target reports each line once, also after a lost connection, and none of a stranger",
)
async def target_hears(harness: Harness) -> None:
    written, listener = OfflineGame().closed(), await harness.listen()
    job = await harness.start_job("watch", port=listener.port, options={"asks": to_json(ASKS)})
    host = harness.identity()
    ana = written.identities[1].public
    chat: list[Frame] = [("say", ana, "0"), ("say", bytes(32), "let me in"), ("say", ana, "1"), ("say", ana, "2")]
    for at, frames in enumerate((chat[:2], chat)):
        connection = await harness.accept(listener, host, at=at)
        await show(harness, connection, written, slice(3), chat=frames)
        connection.send("have", written.game_id, ((0, bytes(32)),) * 2)
        due = [{"event": "said", "seat": 1, "text": frame[2]} for frame in frames if frame[1] == ana]
        await harness.wait_until(lambda due=due: job.all("said") == due, "the event `said`")  # type: ignore[misc]
        connection.abort()
