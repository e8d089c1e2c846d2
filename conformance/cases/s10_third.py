"""Sections 10.1 and 10.2: connections through a third seat, and spectators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import hosting
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import entries, put
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.hello import THROUGH_RELAY, welcome
from kimberley.conformance.harness.profile import RELAY, SPECTATORS
from kimberley.conformance.harness.relayed import RelayedConnection
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.table.offline import ASKS, OfflineGame
from kimberley.conformance.table.seating import SCRIPT
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.roster import SignedRoster

GAME: Final[Asks] = (("roll", (6,)), ("decide", 0, 9), ("together", (0, 1, 2), 9))

BEATS: Final = 3
"""Heartbeats during which the game goes on."""


# -- the target passes on ----------------------------------------------------------------------------------------------


@case(
    "10-31",
    "The target passes frames on",
    covers=("M-RLY-2",),
    expect="the packed frames unchanged, with the identity of their sender",
)
async def passes_on(harness: Harness) -> None:
    await harness.require(RELAY)
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(1)
        ana, ben = table.suite_seats[1], table.suite_seats[2]
        packed = pack(("hello", (3,), "by way of a third", ana.identity.public, bytes(32)))
        ana.wire.send("pass", ben.identity.public, packed)
        await harness.wait_until(lambda: ben.wire.count("passed"), "the frame that the target passes on")
        passed = next(frame for frame in ben.wire.frames if frame[0] == "passed")
        expect(passed == ("passed", ana.identity.public, packed), f"the target passes on {spelled(passed)}")
        await table.finish()


@case("10-32", "Seats that the target does not reach", covers=("M-RLY-2", "S-RLY-3"), expect="`lost`")
async def not_reached(harness: Harness) -> None:
    await harness.require(RELAY)
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(1)
        connection = table.suite_seats[1].wire
        for stranger in (harness.identity().public, table.target_identity):
            connection.send("pass", stranger, b"\x91\xa1x")
            await harness.wait_until(lambda who=stranger: ("lost", who) in connection.frames, "`lost`")  # type: ignore[misc]
        await table.finish()


# -- the target is reached through a third seat ------------------------------------------------------------------------


async def relayed(harness: Harness, table: TargetTable) -> RelayedConnection:
    """Has the target join at seat 2, not reach seat 1, and connect to it through the host. Raises NotClaimed."""
    await harness.require(RELAY)
    await table.seat_everybody()
    await table.sign_roster()
    suite_seat = table.suite_seats[1]
    connection = RelayedConnection(
        "ben, relayed", table.suite_seats[0].wire, suite_seat.identity, table.target_identity, harness.notify
    )
    m1, m2 = await welcome(connection, lambda: harness.receive(connection), suite_seat.identity, THROUGH_RELAY)
    if connection.purpose != table.purpose:
        raise Failed(f"the target connects through a relay with the purpose {spelled(connection.purpose)}")
    connection.established(m1, m2)
    connection.beat()
    suite_seat.connection = connection
    connection.send(*table.nothing())
    await table.begin()
    return connection


@case(
    "10-33",
    "A game through a third seat",
    covers=("M-RLY-5", "M-LNK-3"),
    expect="a hello with zeros for the certificate, signed frames, and a fair end",
)
async def through_third(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False, unreachable=True) as table:
        connection = await relayed(harness, table)
        await table.finish()
        expect(not connection.problem, connection.problem)


@case(
    "10-66",
    "Heartbeats and frames through a third seat",
    covers=("M-RLY-5", "M-RLY-6"),
    expect="one number after the other, whatever falls due while a frame is signed",
    seconds=60,
)
async def beats_between(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False, unreachable=True) as table:
        connection = await relayed(harness, table)
        for done in range(1, BEATS + 1):
            await harness.wait_until(
                lambda done=done: connection.problem or len(connection.beats) >= done,  # type: ignore[misc]
                "a heartbeat of the target",
            )
            await table.until(done)
        await table.finish()
        expect(not connection.problem, connection.problem)


async def ends_channel(harness: Harness, packed: bytes, connection: RelayedConnection, table: TargetTable) -> None:
    """Expects that after this packed frame the target does not use the channel: it begins a new one, or waits."""
    connection.pass_on(packed)
    await harness.wait_until(
        lambda: connection.problem or any(one[0] == "hello" for one in connection.frames), "a new hello of the target"
    )
    expect(not table.job.all("guilty"), "a seat was blamed for what a relay passes on")


@case("10-34", "A number out of order through a relay", covers=("M-RLY-1",), expect="the channel ends")
async def out_of_order(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False, unreachable=True) as table:
        connection = await relayed(harness, table)
        inner, number = pack(("beat",)), connection.sent + 1
        await ends_channel(harness, connection.signed(number, inner), connection, table)


@case("10-35", "A signature that does not hold through a relay", covers=("M-RLY-1",), expect="the channel ends")
async def bad_relayed(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False, unreachable=True) as table:
        connection = await relayed(harness, table)
        await ends_channel(
            harness, pack(("signed", connection.sent, pack(("bye", "gone")), bytes(64))), connection, table
        )


@case(
    "10-36",
    "A hello through a relay that is not completed",
    covers=("M-RLY-4",),
    expect="the existing channel stays",
)
async def incomplete_hello(harness: Harness) -> None:
    async with open_table(harness, GAME, target="join", seats=3, play=False, unreachable=True) as table:
        connection = await relayed(harness, table)
        await table.until(1)
        own = connection.own.public
        connection.pass_on(pack(("hello", (3,), "another one", own, digest("hello nonce", bytes(32)))))
        await harness.wait_until(lambda: connection.count("hello"), "m2 of the target")
        connection.send("beat")
        connection.pass_on(pack(("prove", bytes(32), table.purpose, bytes(64))))
        await table.finish()


# -- spectators --------------------------------------------------------------------------------------------------------


@case(
    "10-37",
    "A spectator from the start",
    covers=("M-ONL-1", "M-STG-6"),
    expect="`watching`, the signed roster, and every envelope, each chain in its order",
)
async def watches(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        connection = await harness.connect_spectator(table.port)
        frame = await harness.receive(connection)
        expect(frame == ("watching",), f"the target answers a spectator with {spelled(frame)}")
        await table.finish()
        await harness.wait_until(
            lambda: connection.count("envelope") >= len(table.transcript), "every envelope for the spectator"
        )
        check_shown(table, connection.frames[1:])


@case(
    "10-38", "A spectator who comes late", covers=("M-ONL-1", "M-STG-6"), expect="everything from the first envelope on"
)
async def watches_late(harness: Harness) -> None:
    async with open_table(harness, GAME, seats=3) as table:
        await table.until(3)
        connection = await harness.connect_spectator(table.port)
        await table.finish()
        await harness.wait_until(
            lambda: connection.count("envelope") >= len(table.transcript), "every envelope for the spectator"
        )
        check_shown(table, connection.frames[1:])


def check_shown(table: TargetTable, frames: list[Frame]) -> None:
    """Raises Failed unless a spectator was shown all of a game."""
    match frames[0]:
        case ("game", *signed):
            if tuple(signed) != table.signed.plain():
                raise Failed("the spectator is shown another roster")
        case frame:
            raise Failed(f"the spectator is shown {spelled(frame)}")
    envelopes = [
        Envelope.unpack(frame[1]) for frame in frames[1:] if frame[0] == "envelope" and isinstance(frame[1], bytes)
    ]
    if set(envelopes) != set(table.transcript):
        raise Failed("the spectator is not shown exactly the envelopes of the transcript")
    for seat in range(table.seats):
        numbers = [one.number for one in envelopes if one.seat == seat]
        if numbers != list(range(len(numbers))):
            raise Failed(f"the envelopes of seat {seat} come in the order {numbers}")


async def show(
    harness: Harness,
    connection: Connection,
    written: OfflineGame,
    envelopes: slice = slice(None),
    chat: Sequence[Frame] = (),
) -> None:
    """Sends a spectator what a seat shows of a game: its `chat`, and what the spectator lacks of these envelopes."""
    connection.send("watching")
    connection.send("game", *entries(written.signed.plain()))
    for frame in chat:
        connection.send(*frame)
    await harness.wait_until(lambda: connection.haves or connection.closed, "`have` of the spectator")
    rows = read_have(connection.haves[-1], written.signed) if connection.haves else ()
    for envelope in written.envelopes[envelopes]:
        if rows and envelope.number >= rows[envelope.seat][0]:
            connection.send("envelope", envelope.pack())


def read_have(frame: Frame, signed: SignedRoster) -> tuple[tuple[int, bytes], ...]:
    """Returns the rows of a `have`. Raises Failed unless it is one of this game."""
    match frame:
        case ("have", bytes() as game_id, tuple() as rows) if game_id == signed.game_id:
            have = [row for row in rows if isinstance(row, tuple) and list(map(type, row)) == [int, bytes]]
            if len(have) == len(rows) == len(signed.roster.seats):
                return tuple(have)
    raise Failed(f"the spectator says {spelled(frame)} instead of what it has of the game that it is shown")


@case("10-39", "A spectator who speaks", covers=("M-ONL-2",), expect="its connection ends, and the game goes on")
async def spectator_speaks(harness: Harness) -> None:
    await harness.require(SPECTATORS)
    async with open_table(harness, GAME, seats=3) as table:
        for frame in (("say", bytes(32), "hello"), ("envelope", b"x"), ("watching",), ("bye", "gone")):
            connection = await harness.connect_seat(table.port, harness.identity(), ("watch",), "spectator")
            await harness.receive(connection, "watching")
            connection.send(*frame)
            await harness.expect_closed(connection, f"for the frame {spelled(frame)} of a spectator")
        await table.finish()


@case("10-40", "Nine spectators", covers=("S-LIM-2",), expect="eight are let in, and the ninth is refused")
async def nine_spectators(harness: Harness) -> None:
    await harness.require(SPECTATORS)
    port = await hosting(harness)
    for number in range(9):
        connection = await harness.connect_seat(port, harness.identity(), ("watch",), f"spectator {number}")
        frame = await harness.receive(connection)
        if (frame[0] == "watching") != (number < 8):
            raise Failed(f"spectator {number + 1} gets {spelled(frame[0])}")


async def shown_to_target(harness: Harness, frames: list[Frame]) -> None:
    """Shows these frames to a target that watches, and that must not follow them."""
    listener = await harness.listen()
    job = await harness.start_job("watch", port=listener.port)
    connection = await harness.accept(listener, harness.identity())
    expect(connection.purpose == ("watch",), f"the target watches with the purpose {spelled(connection.purpose)}")
    connection.send("watching")
    for frame in frames:
        connection.send(*frame)
    await harness.await_event(job, "problem")
    expect(not job.all("answered"), "the target reports answers of a game whose roster does not verify")


@case(
    "10-41",
    "A spectator is shown a roster that not all have signed",
    covers=("M-ONL-1",),
    expect="the target does not follow the game",
)
async def unsigned_roster(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),)) as table:
        await shown_to_target(harness, [("game", *entries(put(table.signed.plain(), bytes(64), 1, 0)))])


@case(
    "10-42",
    "A spectator is shown nonces that do not open",
    covers=("M-ONL-1", "M-SEA-5"),
    expect="the target does not follow the game",
)
async def other_nonces(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),)) as table:
        await shown_to_target(harness, [("game", *entries(put(table.signed.plain(), table.signed.nonces[::-1], 2)))])


@case("10-43", "A spectator is shown something else", covers=("M-ONL-1", "M-FRM-6"), expect="the target does not go on")
async def other_frames(harness: Harness) -> None:
    await shown_to_target(harness, [("table", SCRIPT)])


@case(
    "10-44",
    "A spectator is shown a guilty seat by one who is not",
    covers=("M-ONL-1", "M-STG-6"),
    expect="the target finds the seat guilty from its envelopes alone",
)
async def shown_guilt(harness: Harness) -> None:
    written = OfflineGame().until(1)
    written.sign(1, 0, (b"short",), (1, 0))
    listener = await harness.listen()
    job = await harness.start_job("watch", port=listener.port, options={"asks": to_json(ASKS)})
    connection = await harness.accept(listener, harness.identity())
    await show(harness, connection, written)
    guilty = await harness.await_event(job, "guilty")
    expect((guilty["seat"], guilty["step"], guilty["stage"]) == (1, 1, 0), f"the target finds {spelled(guilty)}")
