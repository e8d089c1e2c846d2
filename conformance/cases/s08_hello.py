"""Section 8: the hello, and looking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, expect_refusal, hosting
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.hello import MutateHello
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack

REFUSED: Final = "it is refused, and the connection ends"
ENDS: Final = "the connection ends, and the target goes on for others"


def joiner(
    id: str, title: str, covers: Sequence[str], make: Callable[[SuiteIdentity, Frame, bytes, bytes], Frame]
) -> None:
    """Adds a case in which `make` gives a joiner's m3, from its identity, m2, its nonce and the certificate."""

    @case(id, title, covers=(*covers, "M-HEL-2", "M-ERR-1"), expect=REFUSED)
    async def _(harness: Harness) -> None:
        port = await hosting(harness)
        connection, identity, nonce = await harness.connect(port), harness.identity(), digest("a nonce of a joiner")
        m1 = ("hello", (3,), "suite", identity.public, digest("hello nonce", nonce))
        connection.send(*m1)
        m2 = await harness.receive(connection)
        connection.send(*make(identity, m2, nonce, connection.certificate))
        await expect_refusal(harness, connection)
        await expect_card(harness, port)


def prove(
    identity: SuiteIdentity,
    m2: Frame,
    nonce: bytes,
    certificate: bytes,
    *,
    role: str = "joiner",
    revealed: bytes | None = None,
    purpose: Frame = ("seat",),
    signed: Frame = ("seat",),
    signer: SuiteIdentity | None = None,
    kind: str = "hello",
) -> Frame:
    m1 = ("hello", (3,), "suite", identity.public, digest("hello nonce", nonce))
    data = pack((role, m1, m2, nonce, signed, certificate))
    return "prove", nonce if revealed is None else revealed, purpose, (signer or identity).sign(kind, data)


joiner(
    "08-01",
    "A nonce that does not open the commitment",
    ("M-HEL-1",),
    lambda i, m2, n, c: prove(i, m2, n, c, revealed=bytes(32)),
)
joiner("08-02", "A nonce of 31 bytes", ("M-HEL-1",), lambda i, m2, n, c: prove(i, m2, n, c, revealed=n[:31]))
joiner("08-03", "A signature over another certificate", (), lambda i, m2, n, c: prove(i, m2, n, bytes(32)))
joiner("08-04", "A signature over another purpose", (), lambda i, m2, n, c: prove(i, m2, n, c, purpose=("watch",)))
joiner("08-05", "A signature over another m2", (), lambda i, m2, n, c: prove(i, (*m2[:4], bytes(32)), n, c))
joiner("08-06", "A signature as if by the host", (), lambda i, m2, n, c: prove(i, m2, n, c, role="host"))
joiner(
    "08-07",
    "A signature by another identity",
    (),
    lambda i, m2, n, c: prove(i, m2, n, c, signer=SuiteIdentity(bytes(32))),
)
joiner(
    "08-08",
    "A signature for another purpose of signing",
    ("M-SIG-3",),
    lambda i, m2, n, c: prove(i, m2, n, c, kind="roster"),
)
joiner("08-09", "A second hello for m3", (), lambda i, m2, n, c: ("hello", (3,), "suite", i.public, bytes(32)))
joiner("08-10", "A purpose that is not an array", (), lambda i, m2, n, c: (*prove(i, m2, n, c)[:2], "seat", bytes(64)))


@case("08-11", "An unknown purpose", covers=("M-HEL-2", "M-LNK-9"), expect=REFUSED)
async def odd_purpose(harness: Harness) -> None:
    port = await hosting(harness)
    for purpose in (("dance",), (), ("seat", 5), ("seat", bytes(32)), ("seat", bytes(32), 1), (None,)):
        connection = await harness.connect_seat(port, harness.identity(), purpose)
        await expect_refusal(harness, connection)
    await expect_card(harness, port)


@case("08-12", "The target's own identity", covers=("M-HEL-3",), expect=REFUSED)
async def own_identity(harness: Harness) -> None:
    port = await hosting(harness)
    card = await expect_card(harness, port)
    connection = await harness.connect(port)
    connection.send("hello", (3,), "suite", card[3], bytes(32))
    await expect_refusal(harness, connection)


@case("08-13", "No revision in common", covers=("M-HEL-4",), expect="m2 ends after `software`, and a refusal follows")
async def no_revision(harness: Harness) -> None:
    port = await hosting(harness)
    for revisions in ((2,), (), ("3",), (1, 2, 4), (True,), (*range(100, 116), 3)):
        connection = await harness.connect(port)
        connection.send("hello", revisions, "suite of another time", bytes(32), bytes(32), "and more")
        m2 = await harness.receive(connection)
        if m2[0] != "hello" or len(m2) != 3 or 3 not in m2[1]:  # type: ignore[operator]
            raise Failed(f"the target answers {spelled(m2)} to the revisions {spelled(revisions)}")
        await expect_refusal(harness, connection)
    await expect_card(harness, port)


@case("08-14", "Another revision beside the common one", covers=("M-HEL-4",), expect="the hello goes on")
async def more_revisions(harness: Harness) -> None:
    port = await hosting(harness)
    for revisions in ((1, 2, 3), (7, 3), (*range(100, 115), 3)):
        connection = await harness.connect(port)
        connection.send("hello", revisions, "suite", harness.identity().public, bytes(32))
        m2 = await harness.receive(connection)
        expect(
            (m2[0], len(m2)) == ("hello", 5), f"the target answers {spelled(m2)} to the revisions {spelled(revisions)}"
        )
        connection.abort()


@case("08-15", "Frames that are not a hello", covers=("M-FRM-6", "M-ERR-1"), expect=REFUSED)
async def no_hello(harness: Harness) -> None:
    port = await hosting(harness)
    key = harness.identity().public
    for frame in (
        ("hello",),
        ("hello", 2, "x", key, bytes(32)),
        ("hello", (3,), 5, key, bytes(32)),
        ("hello", (3,), "x", key),
        ("hello", (3,), "x", key, bytes(31)),
        ("prove", bytes(32), ("seat",), bytes(64)),
        ("table",),
        ("beat",),
    ):
        connection = await harness.connect(port)
        connection.send(*frame)
        await expect_refusal(harness, connection)
    connection = await harness.connect(port)
    connection.send("hello", (3,), "suite", key, bytes(32))
    await harness.receive(connection, "hello")
    connection.send("beat")
    await expect_refusal(harness, connection)
    await expect_card(harness, port)


@case("08-16", "A refusal", covers=("M-FRM-7",), expect=ENDS)
async def a_refusal(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect(port)
    connection.send("hello", (3,), "suite", harness.identity().public, bytes(32))
    await harness.receive(connection, "hello")
    connection.send("refused", "not today\x1b[2J" + "x" * 2000)
    await harness.expect_closed(connection, "after a refusal")
    await expect_card(harness, port)


@case("08-17", "Fresh nonces of the host", covers=("M-HEL-1",), expect="a new nonce in each m2")
async def fresh_nonces(harness: Harness) -> None:
    port = await hosting(harness)
    seen = []
    for _ in range(3):
        connection = await harness.connect(port)
        connection.send("hello", (3,), "suite", harness.identity().public, bytes(32))
        seen.append((await harness.receive(connection, "hello"))[4])
        connection.abort()
    expect(len(set(seen)) == 3, "the host used a nonce twice")


@case(
    "08-18",
    "A connection that says nothing",
    covers=("S-HEL-6", "S-TIM-1"),
    expect="the target drops it after 8 s",
    seconds=60,
)
async def says_nothing(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect(port)
    began = asyncio.get_running_loop().time()
    await harness.expect_closed(connection, "without a hello", 15)
    waited = asyncio.get_running_loop().time() - began
    expect(waited > 5, f"the target gave up after {waited:.1f} s")
    await expect_card(harness, port)


@case(
    "08-19",
    "Many connections that say nothing",
    covers=("S-HEL-6", "S-HEL-7", "S-LIM-2"),
    expect="at most 8 connections of one address wait at the same time; a new one replaces the oldest",
    seconds=60,
)
async def many_silent(harness: Harness) -> None:
    port = await hosting(harness)
    connections: list[Connection] = []
    for _ in range(12):
        try:
            connections.append(await harness.connect(port))
        except OSError:
            continue
    await harness.pause(0.5)
    waiting = [connection for connection in connections if not connection.closed]
    expect(len(waiting) <= 8, f"{len(waiting)} connections wait for their hello")
    await expect_card(harness, port)
    for connection in connections:
        connection.abort()
    await harness.pause(0.5)
    await expect_card(harness, port)


# -- the target joins --------------------------------------------------------------------------------------------------


def host(id: str, title: str, covers: Sequence[str], mutate: MutateHello) -> None:
    """Adds a case in which the host's side of the hello is wrong: the target must not go on."""

    @case(id, title, covers=(*covers, "M-HEL-2"), expect="the target refuses and tells its player")
    async def _(harness: Harness) -> None:
        listener = await harness.listen()
        job = await harness.start_job("join", port=listener.port, options={"asks": []})
        try:
            await harness.accept(listener, harness.identity(), mutate)
            connection = listener.connections[0]
            connection.send(
                "table", "script", 1, (("asks", ()), ("last_look", 0)), 2, ((bytes(32), "x"),), ((True, False, "", 0),)
            )
        except Failed:
            connection = listener.connections[0]
        await harness.expect_closed(connection, "for a host that cannot be trusted")
        await harness.await_event(job, "problem")
        expect(not connection.count("sit"), "the target sat down")


host(
    "08-20",
    "m4 with a signature that does not hold",
    (),
    lambda name, frame: ("proven", bytes(64)) if name == "m4" else frame,
)
host("08-21", "m4 of another kind", (), lambda name, frame: ("welcome",) if name == "m4" else frame)
host(
    "08-22",
    "m2 with a nonce of 33 bytes",
    ("M-FRM-6",),
    lambda name, frame: (*frame[:4], bytes(33)) if name == "m2" else frame,
)
host(
    "08-23",
    "m2 with an identity of small order",
    ("M-SIG-1", "M-HEL-3"),
    lambda name, frame: (*frame[:3], bytes(32), frame[4]) if name == "m2" else frame,
)
host(
    "08-24",
    "m2 with another revision",
    ("M-HEL-4",),
    lambda name, frame: ("hello", (3,), "suite of another time") if name == "m2" else frame,
)


@case("08-25", "The host shows the joiner's own identity", covers=("M-HEL-3",), expect="the target refuses")
async def mirror(harness: Harness) -> None:
    listener = await harness.listen()
    job = await harness.start_job("join", port=listener.port, options={"asks": []})
    await harness.wait_until(lambda: listener.connections, "a connection of the target", 40)
    connection = listener.connections[0]
    m1 = await harness.receive(connection)
    connection.send("hello", (3,), "suite", m1[3], bytes(32))
    await harness.expect_closed(connection, "for its own identity")
    await harness.await_event(job, "problem")


@case("08-26", "Fresh nonces of the joiner", covers=("M-HEL-1",), expect="a new commitment in each m1")
async def fresh_commitments(harness: Harness) -> None:
    seen = set()
    for _ in range(2):
        listener = await harness.listen()
        await harness.start_job("join", port=listener.port, options={"asks": []})
        await harness.wait_until(lambda listener=listener: listener.connections, "a connection of the target", 40)  # type: ignore[misc]
        seen.add((await harness.receive(listener.connections[0]))[4])
        listener.connections[0].abort()
    expect(len(seen) == 2, "the joiner used a nonce twice")


# -- looking -----------------------------------------------------------------------------------------------------------


@case("08-27", "The card", covers=("M-FRM-6",), expect="game, rules, seats, options and names as in section 8.2")
async def card(harness: Harness) -> None:
    port = await hosting(harness, seats=3, nickname="host of all")
    match await expect_card(harness, port):
        case (
            "card",
            (3,),
            str(),
            bytes() as key,
            "host of all",
            "script",
            1,
            1,
            3,
            (("asks", ()), ("last_look", 0)),
            ("host of all",),
            *_,
        ) if len(key) == 32:
            return
        case frame:
            raise Failed(f"the card is {spelled(frame)}")


@case(
    "08-28",
    "A card that changes",
    covers=("M-LOO-1", "M-LOO-3"),
    expect="the looker gets a new card, and pongs for its pings",
)
async def changing_card(harness: Harness) -> None:
    port = await hosting(harness, seats=3)
    connection = await harness.connect(port, "looker")
    connection.send("look")
    await harness.receive(connection, "card")
    for number in (1, 2**40, 2):
        connection.send("beat")
        connection.send("ping", number)
        expect(await harness.receive(connection) == ("pong", number), "the pong does not have the number of the ping")
    seat = await harness.connect_seat(port, harness.identity())
    seat.send("sit", "ana", 0)
    changed = await harness.receive(connection, "card")
    expect((changed[7], changed[10][1:]) == (2, ("ana",)), f"the new card is {spelled(changed)}")  # type: ignore[index]


@case("08-29", "A looker may only ping", covers=("M-LOO-1", "M-FRM-1"), expect=REFUSED)
async def only_pings(harness: Harness) -> None:
    port = await hosting(harness)
    for frame in (("look",), ("sit", "ana", 0), ("ping",), ("hello", (3,), "x", bytes(32), bytes(32))):
        connection = await harness.connect(port, "looker")
        connection.send("look")
        await harness.receive(connection, "card")
        connection.send(*frame)
        await harness.expect_closed(connection, f"for the frame {spelled(frame)} of a looker")
    await expect_card(harness, port)


@case(
    "08-30", "A looker that says nothing more", covers=("S-LOO-2",), expect="the connection ends after 15 s", seconds=60
)
async def idle_looker(harness: Harness) -> None:
    port = await hosting(harness)
    connection = await harness.connect(port, "looker")
    connection.send("look")
    await harness.receive(connection, "card")
    await harness.expect_closed(connection, "without pings", 25)


@case(
    "08-31",
    "Nine lookers",
    covers=("S-LOO-2", "S-HEL-7", "S-LIM-2"),
    expect="eight of one address are allowed; the ninth replaces the first",
)
async def nine_lookers(harness: Harness) -> None:
    port = await hosting(harness)
    connections: list[Connection] = []
    for number in range(9):
        connections.append(await harness.connect(port, f"looker {number}"))
        connections[-1].send("look")
        await harness.receive(connections[-1], "card")
    await harness.expect_closed(connections[0], "since eight others look")
