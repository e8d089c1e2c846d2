"""Sections 10.1 and 10.2: through a third seat, and onlookers."""

from __future__ import annotations

from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect, present
from client.conformance.cases.hosting import hosting
from client.conformance.cases.scripts import Script
from client.conformance.codec import pack
from client.conformance.envelope import Envelope
from client.conformance.hashing import digest
from client.conformance.hello import THROUGH_RELAY, welcome
from client.conformance.meeting import SCRIPT
from client.conformance.plain import spelled, to_json
from client.conformance.record import all_bytes
from client.conformance.relayed import RelayedLine
from client.conformance.roster import Roster, Signed
from client.conformance.table import Table
from client.conformance.wire import Frame
from client.conformance.written import ASKS, Written

GAME: Final[Script] = (("roll", (6,)), ("decide", 0, 9), ("together", (0, 1, 2), 9))


# -- the target passes on ----------------------------------------------------------------------------------------------


@case(
    "10-31", "The target passes frames on", covers=("M-RLY-2",), expect="packed frames as they are, from whom they are"
)
async def passes_on(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(1)
        ana, ben = table.chairs[1], table.chairs[2]
        packed = pack(("hello", (2,), "by way of a third", ana.identity.public, bytes(32)))
        ana.wire.send("pass", ben.identity.public, packed)
        await bench.wait(lambda: ben.wire.count("passed"), "what a third seat passes on")
        passed = next(frame for frame in ben.wire.frames if frame[0] == "passed")
        expect(passed == ("passed", ana.identity.public, packed), f"the target passes on {spelled(passed)}")
        await table.finish()


@case("10-32", "To whom the target does not reach", covers=("M-RLY-2", "S-RLY-3"), expect="`lost`")
async def not_reached(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(1)
        line = table.chairs[1].wire
        for stranger in (bench.identity().public, table.target_identity):
            line.send("pass", stranger, b"\x91\xa1x")
            await bench.wait(lambda who=stranger: ("lost", who) in line.frames, "`lost`")  # type: ignore[misc]
        await table.finish()


# -- the target is reached through a third seat ------------------------------------------------------------------------


async def relayed(bench: Bench, table: Table) -> RelayedLine:
    """The target joins at seat 2, does not reach seat 1, and comes to it by way of the host."""
    await table.gather()
    await table.settle()
    chair = table.chairs[1]
    line = RelayedLine("ben, relayed", table.chairs[0].wire, chair.identity, table.target_identity, bench.stir)
    m1, m2 = await welcome(line, lambda: bench.receive(line), chair.identity, THROUGH_RELAY)
    if line.purpose != table.purpose:
        raise Failed(f"the target comes through a relay with the purpose {spelled(line.purpose)}")
    line.established(m1, m2)
    line.beat()
    chair.line = line
    line.send("have", 0)
    await table.begin()
    return line


@case(
    "10-33",
    "A game through a third seat",
    covers=("M-RLY-5", "M-LNK-3"),
    expect="the hello with zeros for a certificate, signed frames, a fair end",
)
async def through_third(bench: Bench) -> None:
    async with bench.table(GAME, target="join", seats=3, play=False, unreachable=True) as table:
        line = await relayed(bench, table)
        await table.finish()
        expect(not line.problem, line.problem)


async def ends_channel(bench: Bench, frame: Frame, line: RelayedLine, table: Table) -> None:
    """After this frame nothing more may go over the channel: the target begins a new one, or waits."""
    line.pass_on(pack(frame))
    await bench.wait(lambda: line.problem or any(one[0] == "hello" for one in line.frames), "a new hello of the target")
    expect(not table.job.all("guilty"), "a seat was blamed for what a relay passes on")


@case("10-34", "A number out of order through a relay", covers=("M-RLY-1",), expect="the channel ends")
async def out_of_order(bench: Bench) -> None:
    async with bench.table(GAME, target="join", seats=3, play=False, unreachable=True) as table:
        line = await relayed(bench, table)
        inner, number = pack(("beat",)), line.sent + 1
        signature = line.own.sign("relay", pack((present(line.session), number, inner)))
        await ends_channel(bench, ("signed", number, inner, signature), line, table)


@case("10-35", "A signature that does not hold through a relay", covers=("M-RLY-1",), expect="the channel ends")
async def bad_relayed(bench: Bench) -> None:
    async with bench.table(GAME, target="join", seats=3, play=False, unreachable=True) as table:
        line = await relayed(bench, table)
        await ends_channel(bench, ("signed", line.sent, pack(("bye", "gone")), bytes(64)), line, table)


@case(
    "10-36",
    "A hello through a relay that is not completed",
    covers=("M-RLY-4",),
    expect="the channel that there is stays",
)
async def incomplete_hello(bench: Bench) -> None:
    async with bench.table(GAME, target="join", seats=3, play=False, unreachable=True) as table:
        line = await relayed(bench, table)
        await table.until(1)
        own = line.own.public
        line.pass_on(pack(("hello", (2,), "another one", own, digest("hello nonce", bytes(32)))))
        await bench.wait(lambda: line.count("hello"), "m2 of the target")
        line.send("beat")
        line.pass_on(pack(("prove", bytes(32), table.purpose, bytes(64))))
        await table.finish()


# -- onlookers ---------------------------------------------------------------------------------------------------------


@case(
    "10-37",
    "An onlooker from the start",
    covers=("M-ONL-1", "M-STG-7"),
    expect="`watching`, the signed roster, and every envelope, each chain in its order",
)
async def watches(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        line = await bench.seat_line(table.port, bench.identity(), ("watch",), "onlooker")
        frame = await bench.receive(line)
        expect(frame == ("watching",), f"the target says {spelled(frame)} to an onlooker whom it lets in")
        await table.finish()
        await bench.wait(lambda: line.count("envelope") >= len(table.transcript), "every envelope for the onlooker")
        check_shown(table, line.frames[1:])


@case(
    "10-38", "An onlooker who comes late", covers=("M-ONL-1", "M-STG-7"), expect="everything from the first envelope on"
)
async def watches_late(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        await table.until(3)
        line = await bench.seat_line(table.port, bench.identity(), ("watch",), "onlooker")
        await table.finish()
        await bench.wait(lambda: line.count("envelope") >= len(table.transcript), "every envelope for the onlooker")
        check_shown(table, line.frames[1:])


def check_shown(table: Table, frames: list[Frame]) -> None:
    """Raises Failed unless an onlooker was shown all of a game."""
    match frames[0]:
        case ("signed", bytes() as roster, tuple() as signatures, tuple() as nonces):
            signed = Signed(Roster.read(roster), roster, all_bytes(signatures), all_bytes(nonces))
            if signed != table.signed:
                raise Failed("the onlooker is shown another roster")
        case frame:
            raise Failed(f"the onlooker is shown {spelled(frame)}")
    envelopes = [Envelope.read(frame[1]) for frame in frames[1:] if isinstance(frame[1], bytes)]
    if {one.packed for one in envelopes} != {one.packed for one in table.transcript}:
        raise Failed("the onlooker is not shown what stands in the transcript")
    for seat in range(table.seats):
        numbers = [one.number for one in envelopes if one.seat == seat]
        if numbers != list(range(len(numbers))):
            raise Failed(f"the envelopes of seat {seat} come in the order {numbers}")


@case("10-39", "An onlooker who speaks", covers=("M-ONL-2",), expect="its connection ends, the game goes on")
async def onlooker_speaks(bench: Bench) -> None:
    async with bench.table(GAME, seats=3) as table:
        for frame in (("say", "hello"), ("envelope", b"x"), ("watching",), ("bye", "gone")):
            line = await bench.seat_line(table.port, bench.identity(), ("watch",), "onlooker")
            await bench.receive(line, "watching")
            line.send(*frame)
            await bench.closed(line, f"for the frame {spelled(frame)} of an onlooker")
        await table.finish()


@case("10-40", "Nine onlookers", covers=("S-LIM-2",), expect="eight are let in, the ninth is refused")
async def nine_onlookers(bench: Bench) -> None:
    port = await hosting(bench)
    for number in range(9):
        line = await bench.seat_line(port, bench.identity(), ("watch",), f"onlooker {number}")
        frame = await bench.receive(line)
        if (frame[0] == "watching") != (number < 8):
            raise Failed(f"onlooker {number + 1} gets {spelled(frame[0])}")


async def shown_to_target(bench: Bench, frames: list[Frame]) -> None:
    """The target looks on, is shown these frames, and must not take them for a game."""
    door = await bench.door()
    job = await bench.job("watch", port=door.port)
    line = await bench.guest(door, bench.identity())
    expect(line.purpose == ("watch",), f"the target looks on with the purpose {spelled(line.purpose)}")
    line.send("watching")
    for frame in frames:
        line.send(*frame)
    await bench.event(job, "problem")
    expect(not job.all("answered"), "the target shows answers of a game whose roster does not hold")


@case(
    "10-41",
    "An onlooker is shown a roster that not all have signed",
    covers=("M-ONL-1",),
    expect="the target does not follow the game",
)
async def unsigned_roster(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),)) as table:
        signed = table.signed
        await shown_to_target(bench, [("signed", signed.packed, (bytes(64), signed.signatures[1]), signed.nonces)])


@case(
    "10-42",
    "An onlooker is shown nonces that do not open",
    covers=("M-ONL-1", "M-SEA-5"),
    expect="the target does not follow the game",
)
async def other_nonces(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),)) as table:
        signed = table.signed
        await shown_to_target(bench, [("signed", signed.packed, signed.signatures, signed.nonces[::-1])])


@case("10-43", "An onlooker is shown something else", covers=("M-ONL-1", "M-FRM-6"), expect="the target does not go on")
async def other_frames(bench: Bench) -> None:
    await shown_to_target(bench, [("table", SCRIPT)])


@case(
    "10-44",
    "An onlooker is shown a guilty seat by one who is not",
    covers=("M-ONL-1", "M-STG-7"),
    expect="the target finds the seat guilty by its envelopes alone",
)
async def shown_guilt(bench: Bench) -> None:
    written = Written().until(1)
    written.sign(1, 0, (b"short",), (1, 0))
    door = await bench.door()
    job = await bench.job("watch", port=door.port, options={"asks": to_json(ASKS)})
    line = await bench.guest(door, bench.identity())
    line.send("watching")
    line.send("signed", written.signed.packed, written.signed.signatures, written.signed.nonces)
    for envelope in written.envelopes:
        line.send("envelope", envelope.packed)
    guilty = await bench.event(job, "guilty")
    expect((guilty["seat"], guilty["step"], guilty["stage"]) == (1, 1, 0), f"the target finds {spelled(guilty)}")
