"""Section 9: seating, with the target as host."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.hosting import hosting, looks, newcomer, refused
from client.conformance.hashing import digest
from client.conformance.plain import Plain, spelled
from client.conformance.roster import Roster
from client.conformance.seating import BendFrame, read_packed
from client.conformance.wire import Frame

GIVES_UP: Final = "the target gives the table up, and signs nothing"
FREED: Final = "the connection ends, the seat is free again, and others can sit"
ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u2800\u3164\ufe0f\uffa0\U000e0100")
"""Some of those that section 9.1 forbids although they are not of category C."""


def visible(nickname: str) -> bool:
    """Whether a nickname has the form of section 9.1."""
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
async def announced(bench: Bench) -> None:
    port = await hosting(bench, seats=3)
    _, table = await newcomer(bench, port, door=4242)
    expect((table.game, table.rules, table.seats) == ("script", 1, 3), f"the table is {spelled(table.frame())}")
    expect(table.options == (("asks", ()), ("last_look", 0)), f"the options are {spelled(table.options)}")
    expect([name for _, name in table.people] == ["target", "ana"], f"the people are {spelled(table.people)}")
    ready, bot, address, door = table.sitting[1]
    expect((ready, bot, address, door) == (False, False, "", 4242), f"who sits is {spelled(table.sitting[1])}")


@case(
    "09-02",
    "Nicknames of another form",
    covers=("M-SEA-10", "M-DSC-4", "M-FRM-7"),
    expect="the host gives them the form of section 9.1",
)
async def nicknames(bench: Bench) -> None:
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
        port = await hosting(bench)
        _, table = await newcomer(bench, port, nickname)
        if not visible(table.people[1][1]):
            raise Failed(f"the host passes on {spelled(table.people[1][1])} for {spelled(nickname)}")


def bad_sit(id: str, title: str, frames: Sequence[Frame]) -> None:
    @case(id, title, covers=("M-ERR-1", "M-FRM-6"), expect=FREED)
    async def _(bench: Bench) -> None:
        port = await hosting(bench)
        for frame in frames:
            line = await bench.seat_line(port, bench.identity())
            await bench.receive(line, "table")
            line.send(*frame)
            await bench.closed(line, f"for the frame {spelled(frame)} of a newcomer")
        await newcomer(bench, port)


bad_sit(
    "09-03",
    "Newcomers who do not sit down as one does",
    [("sit",), ("sit", "ana"), ("sit", b"ana", 0), ("sit", "ana", -1), ("sit", "ana", 65536), ("ready", True)],
)
bad_sit(
    "09-04",
    "Newcomers who speak as if a game ran",
    [("place", 1, bytes(32), bytes(32)), ("envelope", b"x"), ("same", bytes(32), True), ("again", True)],
)


@case("09-05", "A newcomer who does not sit", covers=("S-SEA-2", "S-TIM-1"), expect="dropped after 10 s", seconds=60)
async def does_not_sit(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.seat_line(port, bench.identity())
    await bench.receive(line, "table")
    await bench.closed(line, "for not sitting down", 20)


@case("09-06", "One identity twice", covers=("M-SEA-6",), expect="the second connection is refused")
async def twice(bench: Bench) -> None:
    port = await hosting(bench, seats=3)
    identity = bench.identity()
    first = await bench.seat_line(port, identity)
    await bench.receive(first, "table")
    first.send("sit", "ana", 0)
    await bench.receive(first, "table")
    second = await bench.seat_line(port, identity)
    await refused(bench, second)
    expect(not first.closed, "the first connection was ended")


@case("09-07", "A table that is full", covers=("M-ERR-1",), expect="refused, and the card shows no free seat")
async def full(bench: Bench) -> None:
    async with bench.table(ROLL) as table:
        await table.until(1)
        line = await bench.seat_line(table.port, bench.identity())
        await refused(bench, line)
        card = await looks(bench, table.port)
        expect(card[7] == card[8], f"the card is {spelled(card)}")
        await table.finish()


@case(
    "09-08",
    "Nine newcomers",
    covers=("S-SEA-13",),
    expect="eight wait at a time; the ninth is let in, and the first one ends",
)
async def newcomers(bench: Bench) -> None:
    port = await hosting(bench, seats=6)
    lines = []
    for number in range(9):
        line = await bench.seat_line(port, bench.identity(), name=f"newcomer {number}")
        lines.append(line)
        frame = await bench.receive(line)
        if frame[0] != "table":
            raise Failed(f"newcomer {number + 1} gets {spelled(frame[0])}")
    await refused(bench, lines[0])


def bad_answer(id: str, title: str, covers: Sequence[str], bends: Mapping[str, BendFrame]) -> None:
    """A case in which a seat answers the round as none does."""

    @case(id, title, covers=(*covers, "M-ERR-1"), expect=FREED)
    async def _(bench: Bench) -> None:
        async with bench.table(ROLL, play=False, bends=bends) as table:
            with suppress(Failed):
                await table.sit()
            await bench.closed(table.chair.wire, "for a wrong answer in the round")
            await newcomer(bench, table.port)


bad_answer("09-09", "A nonce commitment of 31 bytes", ("M-FRM-6",), {"place": lambda f: (*f[:2], bytes(31), f[3])})
bad_answer("09-10", "A place that is too short", ("M-FRM-6",), {"place": lambda f: f[:3]})
bad_answer("09-11", "A signature that does not hold", ("M-SEA-4",), {"signature": lambda f: (*f[:2], bytes(64))})
bad_answer(
    "09-12", "A seat whose nonce does not open its commitment", ("M-SEA-5",), {"nonce": lambda f: (*f[:2], bytes(32))}
)
bad_answer(
    "09-13",
    "Another frame of the round than the one due",
    ("M-SEA-11",),
    {"signature": lambda f: ("nonce", f[1], bytes(32))},
)


@case("09-14", "Answers of another round", covers=("M-SEA-11",), expect="they are ignored")
async def other_round(bench: Bench) -> None:
    async with bench.table(ROLL, play=False) as table:
        await table.gather()
        table.chair.wire.send("place", 99, bytes(32), bytes(32))
        table.chair.wire.send("nonce", 98, bytes(32))
        await table.settle()
        await table.mesh()
        await table.begin()
        await table.finish()


@case(
    "09-15",
    "Secrets are fresh in every round",
    covers=("M-SEA-7", "M-SIG-4"),
    expect="another nonce and another seed when the round is run again",
)
async def fresh_rounds(bench: Bench) -> None:
    port = await hosting(bench)
    seen: list[tuple[bytes, bytes]] = []
    for number in range(3):
        line, _ = await newcomer(bench, port)
        asked = await bench.receive(line, "prepare")
        line.send("place", asked[1], digest("nonce", bytes([number])), digest("seed", bytes(32)))
        roster = read_packed(await bench.receive(line, "roster"))
        own = Roster.read(roster).places[0]
        seen += [(own.nonce_commitment, own.seed_hash)]
        line.cut()
        await bench.pause(0.2)
    drawn = [one for pair in seen for one in pair]
    expect(len(set(drawn)) == len(drawn), "a nonce or a seed serves two rounds")


@case(
    "09-16",
    "A seat that keeps the round waiting",
    covers=("S-SEA-8", "S-TIM-1"),
    expect="dropped after 20 s",
    seconds=90,
)
async def keeps_waiting(bench: Bench) -> None:
    port = await hosting(bench)
    line, _ = await newcomer(bench, port)
    await bench.receive(line, "prepare")
    await bench.closed(line, "for not answering the round", 35)


@case(
    "09-17",
    "The round goes on in its order",
    covers=("M-SEA-4",),
    expect="no signatures before all have signed, no nonces before all have opened",
)
async def order(bench: Bench) -> None:
    async with bench.table(ROLL, play=False, seats=3) as table:
        await table.gather()
        for chair in table.chairs.values():
            chair.wire.send("ready", True)
        number = (await bench.receive(table.chairs[1].wire, "prepare"))[1]
        for chair in table.chairs.values():
            chair.wire.send("place", number, *chair.place)
        roster = read_packed(await bench.receive(table.chairs[1].wire, "roster"))
        table.chairs[1].wire.send("signature", number, table.chairs[1].identity.sign("roster", roster))
        await bench.pause(0.3)
        expect(not table.chairs[1].wire.count("signatures"), "signatures came before all had signed")
        table.chairs[2].wire.send("signature", number, table.chairs[2].identity.sign("roster", roster))
        await bench.receive(table.chairs[2].wire, "signatures")
        table.chairs[1].wire.send("nonce", number, table.chairs[1].nonce)
        await bench.pause(0.3)
        expect(not table.chairs[1].wire.count("nonces"), "nonces came before all had opened")
