"""Section 9: seating, with the target as host."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, expect_reason, expect_refusal, hosting, newcomer
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.connection import Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.seating_frames import MutateFrame, TableDescription, read_packed
from kimberley.conformance.table.table import open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.roster import Roster

FREED: Final = "it is refused, and the seat is free for others"
ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u2800\u3164\ufe0f\uffa0\U000e0100")
"""Some of the characters that section 9.1 forbids although their category is not C."""


def visible(nickname: str) -> bool:
    """Returns whether a nickname has the form of section 9.1."""
    fine = 1 <= len(nickname) <= 24 and nickname == unicodedata.normalize("NFC", nickname) == nickname.strip()
    return fine and not any(
        unicodedata.category(one)[0] == "C" or one in INVISIBLE or (one.isspace() and one != " ") for one in nickname
    )


# -- the target hosts --------------------------------------------------------------------------------------------------


@case(
    "09-01",
    "The table that a host announces",
    covers=("M-SEA-10",),
    expect="game, rules, options, seats, people and sitting as in section 9.1",
)
async def announced(harness: Harness) -> None:
    port = await hosting(harness, seats=3)
    _, table = await newcomer(harness, port, listener=4242)
    expect((table.game, table.rules, table.seats) == ("script", 1, 3), f"the table is {spelled(table.frame())}")
    expect(table.options == (("asks", ()), ("last_look", 0)), f"the options are {spelled(table.options)}")
    expect([name for _, name in table.people] == ["target", "ana"], f"the people are {spelled(table.people)}")
    ready, bot, address, listener = table.sitting[1]
    expect(
        (ready, bot, address, listener) == (False, False, "", 4242),
        f"the player who sat down is {spelled(table.sitting[1])}",
    )


@case(
    "09-02",
    "Nicknames of another form",
    covers=("M-SEA-10", "M-DSC-4", "M-FRM-7"),
    expect="the host gives them the form of section 9.1",
)
async def nicknames(harness: Harness) -> None:
    for nickname in (
        "x" * 40,
        "  spaced \t out ",
        "a\x07\x1b[31mb",
        "right‮left",
        "zero​width",
        "é",
        "",
        "\x00",
        "a" + "́" * 9,
        "a".join(sorted(INVISIBLE)),
        "\u3164",
    ):
        port = await hosting(harness)
        _, table = await newcomer(harness, port, nickname)
        if not visible(table.people[1][1]):
            raise Failed(f"the host passes {spelled(nickname)} on as {spelled(table.people[1][1])}")


@case(
    "09-87",
    "Nicknames with characters that Unicode 14.0 does not assign",
    covers=("M-SEA-10",),
    expect="the host leaves those out, whatever later versions say",
)
async def later_characters(harness: Harness) -> None:
    for later in ("\u0cf3", "\u1c89", "\U0001fae8"):
        port = await hosting(harness)
        _, table = await newcomer(harness, port, f"a{later}b")
        if later in table.people[1][1]:
            raise Failed(f"the host passes {spelled(table.people[1][1])} on")


def bad_sit(id: str, title: str, frames: Sequence[Frame]) -> None:
    @case(id, title, covers=("M-SEA-18", "M-ERR-1", "M-FRM-6"), expect=FREED)
    async def _(harness: Harness) -> None:
        port = await hosting(harness)
        for frame in frames:
            connection = await harness.connect_seat(port, harness.identity())
            await harness.receive(connection, "table")
            connection.send(*frame)
            await expect_reason(harness, connection, f"for the frame {spelled(frame)} of a newcomer")
        await newcomer(harness, port)


bad_sit(
    "09-03",
    "Newcomers who sit down incorrectly",
    [("sit",), ("sit", "ana"), ("sit", b"ana", 0), ("sit", "ana", -1), ("sit", "ana", 65536), ("vote", "ready", True)],
)
bad_sit(
    "09-04",
    "Newcomers who speak as if a game ran",
    [
        ("place", 1, bytes(32), bytes(32)),
        ("envelope", b"x"),
        ("have", bytes(32), ()),
        ("vote", "same", (bytes(32), True)),
        ("vote", "again", True),
    ],
)


@case(
    "09-05",
    "A newcomer who does not sit",
    covers=("S-SEA-2", "S-TIM-1"),
    expect="the target drops it after 10 s",
    seconds=60,
)
async def does_not_sit(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect_seat(port, harness.identity())
    await harness.receive(connection, "table")
    await harness.expect_closed(connection, "for not sitting down", 20)


@case("09-06", "One identity twice", covers=("M-SEA-6",), expect="the second connection is refused")
async def twice(harness: Harness) -> None:
    port = await hosting(harness, seats=3)
    identity = harness.identity()
    first = await harness.connect_seat(port, identity)
    await harness.receive(first, "table")
    first.send("sit", "ana", 0)
    await harness.receive(first, "table")
    second = await harness.connect_seat(port, identity)
    await expect_refusal(harness, second)
    expect(not first.closed, "the first connection was ended")


@case(
    "09-07",
    "A table that is full",
    covers=("M-ERR-1",),
    expect="the newcomer is refused, and the card shows no free seat",
)
async def full(harness: Harness) -> None:
    async with open_table(harness, ROLL) as table:
        await table.until(1)
        connection = await harness.connect_seat(table.port, harness.identity())
        await expect_refusal(harness, connection)
        card = await expect_card(harness, table.port)
        expect(card[7] == card[8], f"the card is {spelled(card)}")
        await table.finish()


@case(
    "09-08",
    "Nine newcomers",
    covers=("S-SEA-13",),
    expect="eight wait at the same time; the ninth replaces the first",
)
async def newcomers(harness: Harness) -> None:
    port = await hosting(harness, seats=6)
    connections = []
    for number in range(9):
        connection = await harness.connect_seat(port, harness.identity(), name=f"newcomer {number}")
        connections.append(connection)
        frame = await harness.receive(connection)
        if frame[0] != "table":
            raise Failed(f"newcomer {number + 1} gets {spelled(frame[0])}")
    await expect_refusal(harness, connections[0])


@case(
    "09-75",
    "A newcomer at a full table",
    covers=("S-SEA-19",),
    expect="it is told its place in the queue, and sits down when the seat is free; one that knows no queue is refused",
)
async def queues(harness: Harness) -> None:
    port = await hosting(harness)
    first, _ = await newcomer(harness, port)
    await harness.receive(first, "prepare")
    waiting = []
    for place in (1, 2):
        connection = await harness.connect_seat(port, harness.identity(), name=f"in the queue {place}")
        await harness.receive(connection, "table")
        connection.send("sit", "ben", 0)
        description = TableDescription.read(await harness.receive(connection, "table"))
        expect(len(description.people) == 2, f"the table is {spelled(description.frame())}, and its seats were taken")
        connection.send("queue")
        frame = await harness.receive(connection, "queue")
        expect(frame == ("queue", place), f"the target says {spelled(frame)} to number {place} in its queue")
        waiting.append(connection)
    silent = await harness.connect_seat(port, harness.identity(), name="knows no queue")
    await harness.receive(silent, "table")
    silent.send("sit", "cleo", 0)
    await expect_reason(harness, silent, "for not saying that it waits")
    first.abort()
    seated = TableDescription.read(await harness.receive(waiting[0], "table"))
    expect([name for _, name in seated.people] == ["target", "ben"], f"the table is {spelled(seated.frame())}")
    frame = await harness.receive(waiting[1], "queue")
    expect(frame == ("queue", 1), f"the target says {spelled(frame)} to the one that is left in its queue")


@case(
    "09-76",
    "A seat that was lost for a wrong answer, and the next one of that identity",
    covers=("S-SEA-21",),
    expect="the free seat is kept from it for a while: it waits in the queue",
)
async def shut_out(harness: Harness) -> None:
    port = await hosting(harness, seats=3)
    identity = harness.identity()
    connection = await harness.connect_seat(port, identity)
    await harness.receive(connection, "table")
    connection.send("sit", "ana", 0)
    connection.send("sit", "ana", 0)
    await expect_reason(harness, connection, "for sitting down twice")
    again = await harness.connect_seat(port, identity)
    await harness.receive(again, "table")
    again.send("sit", "ana", 0)
    description = TableDescription.read(await harness.receive(again, "table"))
    expect(
        len(description.people) == 1,
        f"the table is {spelled(description.frame())}, and the seat should be kept from ana",
    )
    again.send("queue")
    await harness.receive(again, "queue")


def bad_answer(id: str, title: str, covers: Sequence[str], mutations: Mapping[str, MutateFrame]) -> None:
    """Adds a case in which a seat gives a wrong answer in the round."""

    @case(id, title, covers=(*covers, "M-SEA-18", "M-ERR-1"), expect=FREED)
    async def _(harness: Harness) -> None:
        async with open_table(harness, ROLL, play=False, mutations=mutations) as table:
            with suppress(Failed):
                await table.sit()
            await expect_reason(harness, table.suite_seat.wire, "for a wrong answer in the round")
            await newcomer(harness, table.port)


bad_answer("09-09", "A nonce commitment of 31 bytes", ("M-FRM-6",), {"place": lambda f: (*f[:2], bytes(31), f[3])})
bad_answer("09-10", "A place that is too short", ("M-FRM-6",), {"place": lambda f: f[:3]})
bad_answer("09-11", "A signature that does not hold", ("M-SEA-4",), {"signature": lambda f: (*f[:2], bytes(64))})
bad_answer(
    "09-12", "A seat whose nonce does not open its commitment", ("M-SEA-5",), {"nonce": lambda f: (*f[:2], bytes(32))}
)
bad_answer(
    "09-13",
    "A frame of the round other than the one due",
    ("M-SEA-11",),
    {"signature": lambda f: ("nonce", f[1], bytes(32))},
)


@case("09-14", "Answers of another round", covers=("M-SEA-11",), expect="they are ignored")
async def other_round(harness: Harness) -> None:
    async with open_table(harness, ROLL, play=False) as table:
        await table.seat_everybody()
        table.suite_seat.wire.send("place", 99, bytes(32), bytes(32))
        table.suite_seat.wire.send("nonce", 98, bytes(32))
        await table.sign_roster()
        await table.mesh()
        await table.begin()
        await table.finish()


@case(
    "09-15",
    "Secrets are fresh in every round",
    covers=("M-SEA-7", "M-SIG-4"),
    expect="a new nonce and a new seed when the round is run again",
)
async def fresh_rounds(harness: Harness) -> None:
    port = await hosting(harness)
    seen: list[tuple[bytes, bytes]] = []
    for number in range(3):
        connection, _ = await newcomer(harness, port)
        asked = await harness.receive(connection, "prepare")
        connection.send("place", asked[1], digest("nonce", bytes([number])), digest("seed", bytes(32)))
        roster = read_packed(await harness.receive(connection, "roster"))
        own = Roster.unpack(roster).seats[0]
        seen += [(own.nonce_commitment, own.seed_hash)]
        connection.abort()
        await harness.pause(0.2)
    drawn = [one for pair in seen for one in pair]
    expect(len(set(drawn)) == len(drawn), "the target uses a nonce or a seed in two rounds")


@case(
    "09-16",
    "A seat that keeps the round waiting",
    covers=("S-SEA-8", "S-TIM-1"),
    expect="the target drops it after 20 s",
    seconds=90,
)
async def keeps_waiting(harness: Harness) -> None:
    port = await hosting(harness)
    connection, _ = await newcomer(harness, port)
    await harness.receive(connection, "prepare")
    await harness.expect_closed(connection, "for not answering the round", 35)


@case(
    "09-17",
    "The round goes on in its order",
    covers=("M-SEA-4",),
    expect="no signatures before all have signed, and no nonces before all have opened theirs",
)
async def order(harness: Harness) -> None:
    async with open_table(harness, ROLL, play=False, seats=3) as table:
        await table.seat_everybody()
        for suite_seat in table.suite_seats.values():
            suite_seat.wire.send("vote", "ready", True)
        number = (await harness.receive(table.suite_seats[1].wire, "prepare"))[1]
        for suite_seat in table.suite_seats.values():
            suite_seat.wire.send("place", number, *suite_seat.place)
        roster = read_packed(await harness.receive(table.suite_seats[1].wire, "roster"))
        table.suite_seats[1].wire.send("signature", number, table.suite_seats[1].identity.sign("roster", roster))
        await harness.pause(0.3)
        expect(not table.suite_seats[1].wire.count("signatures"), "signatures came before all had signed")
        table.suite_seats[2].wire.send("signature", number, table.suite_seats[2].identity.sign("roster", roster))
        await harness.receive(table.suite_seats[2].wire, "signatures")
        table.suite_seats[1].wire.send("nonce", number, table.suite_seats[1].nonce)
        await harness.pause(0.3)
        expect(not table.suite_seats[1].wire.count("nonces"), "nonces came before all had opened theirs")
