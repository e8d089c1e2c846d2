"""Section 8: the hello, and looking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.hosting import ends, hosting, looks, refused
from client.conformance.codec import pack
from client.conformance.hashing import Identity, digest
from client.conformance.hello import Bend
from client.conformance.plain import spelled
from client.conformance.wire import Frame, Line

REFUSED: Final = "refused, the connection ends"
ENDS: Final = "the connection ends, and the target goes on for others"


def joiner(id: str, title: str, covers: Sequence[str], make: Callable[[Identity, Frame, bytes, bytes], Frame]) -> None:
    """A case in which a joiner's m3 is what is made of its identity, m2, its nonce and the certificate."""

    @case(id, title, covers=(*covers, "M-HEL-2", "M-ERR-1"), expect=REFUSED)
    async def _(bench: Bench) -> None:
        port = await hosting(bench)
        line, identity, nonce = await bench.connect(port), bench.identity(), digest("a nonce of a joiner")
        m1 = ("hello", (2,), "suite", identity.public, digest("hello nonce", nonce))
        line.send(*m1)
        m2 = await bench.receive(line)
        line.send(*make(identity, m2, nonce, line.certificate))
        await refused(bench, line)
        await looks(bench, port)


def prove(
    identity: Identity,
    m2: Frame,
    nonce: bytes,
    certificate: bytes,
    *,
    role: str = "joiner",
    shown: bytes | None = None,
    purpose: Frame = ("seat",),
    signed: Frame = ("seat",),
    signer: Identity | None = None,
    kind: str = "hello",
) -> Frame:
    m1 = ("hello", (2,), "suite", identity.public, digest("hello nonce", nonce))
    data = pack((role, m1, m2, nonce, signed, certificate))
    return "prove", nonce if shown is None else shown, purpose, (signer or identity).sign(kind, data)


joiner(
    "08-01",
    "A nonce that does not open the commitment",
    ("M-HEL-1",),
    lambda i, m2, n, c: prove(i, m2, n, c, shown=bytes(32)),
)
joiner("08-02", "A nonce of 31 bytes", ("M-HEL-1",), lambda i, m2, n, c: prove(i, m2, n, c, shown=n[:31]))
joiner("08-03", "A signature over another certificate", (), lambda i, m2, n, c: prove(i, m2, n, bytes(32)))
joiner("08-04", "A signature over another purpose", (), lambda i, m2, n, c: prove(i, m2, n, c, purpose=("watch",)))
joiner("08-05", "A signature over another m2", (), lambda i, m2, n, c: prove(i, (*m2[:4], bytes(32)), n, c))
joiner("08-06", "A signature as if by the host", (), lambda i, m2, n, c: prove(i, m2, n, c, role="host"))
joiner(
    "08-07", "A signature by another identity", (), lambda i, m2, n, c: prove(i, m2, n, c, signer=Identity(bytes(32)))
)
joiner(
    "08-08",
    "A signature for another purpose of signing",
    ("M-SIG-3",),
    lambda i, m2, n, c: prove(i, m2, n, c, kind="roster"),
)
joiner("08-09", "A second hello for m3", (), lambda i, m2, n, c: ("hello", (2,), "suite", i.public, bytes(32)))
joiner("08-10", "A purpose that is no array", (), lambda i, m2, n, c: (*prove(i, m2, n, c)[:2], "seat", bytes(64)))


@case("08-11", "A purpose that there is not", covers=("M-HEL-2", "M-LNK-9"), expect=REFUSED)
async def odd_purpose(bench: Bench) -> None:
    port = await hosting(bench)
    for purpose in (("dance",), (), ("seat", 5), ("seat", bytes(32)), ("seat", bytes(32), 1), (None,)):
        line = await bench.seat_line(port, bench.identity(), purpose)
        await refused(bench, line)
    await looks(bench, port)


@case("08-12", "The target's own identity", covers=("M-HEL-3",), expect=REFUSED)
async def own_identity(bench: Bench) -> None:
    port = await hosting(bench)
    card = await looks(bench, port)
    line = await bench.connect(port)
    line.send("hello", (2,), "suite", card[3], bytes(32))
    await refused(bench, line)


@case("08-13", "No revision in common", covers=("M-HEL-4",), expect="m2 ends after `software`, and a refusal follows")
async def no_revision(bench: Bench) -> None:
    port = await hosting(bench)
    for revisions in ((3,), (), ("2",), (1, 3, 4), (True,), (*range(100, 116), 2)):
        line = await bench.connect(port)
        line.send("hello", revisions, "suite of another time", bytes(32), bytes(32), "and more")
        m2 = await bench.receive(line)
        if m2[0] != "hello" or len(m2) != 3 or 2 not in m2[1]:  # type: ignore[operator]
            raise Failed(f"the target answers {spelled(m2)} to the revisions {spelled(revisions)}")
        await refused(bench, line)
    await looks(bench, port)


@case("08-14", "Another revision beside the common one", covers=("M-HEL-4",), expect="the hello goes on")
async def more_revisions(bench: Bench) -> None:
    port = await hosting(bench)
    for revisions in ((1, 2, 3), (7, 2), (*range(100, 115), 2)):
        line = await bench.connect(port)
        line.send("hello", revisions, "suite", bench.identity().public, bytes(32))
        m2 = await bench.receive(line)
        expect(
            (m2[0], len(m2)) == ("hello", 5), f"the target answers {spelled(m2)} to the revisions {spelled(revisions)}"
        )
        line.cut()


@case("08-15", "Frames that are no hello", covers=("M-FRM-6", "S-HEL-6"), expect=ENDS)
async def no_hello(bench: Bench) -> None:
    port = await hosting(bench)
    key = bench.identity().public
    for frame in (
        ("hello",),
        ("hello", 2, "x", key, bytes(32)),
        ("hello", (2,), 5, key, bytes(32)),
        ("hello", (2,), "x", key),
        ("hello", (2,), "x", key, bytes(31)),
        ("prove", bytes(32), ("seat",), bytes(64)),
        ("table",),
    ):
        line = await bench.connect(port)
        line.send(*frame)
        await ends(bench, line, f"for the frame {spelled(frame)}")
    await looks(bench, port)


@case("08-16", "A refusal", covers=("M-FRM-7",), expect=ENDS)
async def a_refusal(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.connect(port)
    line.send("hello", (2,), "suite", bench.identity().public, bytes(32))
    await bench.receive(line, "hello")
    line.send("refused", "not today\x1b[2J" + "x" * 2000)
    await bench.closed(line, "after a refusal")
    await looks(bench, port)


@case("08-17", "Fresh nonces of the host", covers=("M-HEL-1",), expect="another nonce in each m2")
async def fresh_nonces(bench: Bench) -> None:
    port = await hosting(bench)
    seen = []
    for _ in range(3):
        line = await bench.connect(port)
        line.send("hello", (2,), "suite", bench.identity().public, bytes(32))
        seen.append((await bench.receive(line, "hello"))[4])
        line.cut()
    expect(len(set(seen)) == 3, "the host used a nonce twice")


@case(
    "08-18",
    "A connection that says nothing",
    covers=("S-HEL-6", "S-TIM-1"),
    expect="it is dropped after 8 s",
    seconds=60,
)
async def says_nothing(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.connect(port)
    began = asyncio.get_running_loop().time()
    await bench.closed(line, "without a hello", 15)
    waited = asyncio.get_running_loop().time() - began
    expect(waited > 5, f"the target gave up after {waited:.1f} s")
    await looks(bench, port)


@case(
    "08-19",
    "Many connections that say nothing",
    covers=("S-HEL-6", "S-HEL-7", "S-LIM-2"),
    expect="not more than 8 of one address wait at a time, and who comes then is let in for the oldest",
    seconds=60,
)
async def many_silent(bench: Bench) -> None:
    port = await hosting(bench)
    lines: list[Line] = []
    for _ in range(12):
        try:
            lines.append(await bench.connect(port))
        except OSError:
            continue
    await bench.pause(0.5)
    waiting = [line for line in lines if not line.closed]
    expect(len(waiting) <= 8, f"{len(waiting)} connections wait for their hello")
    await looks(bench, port)
    for line in lines:
        line.cut()
    await bench.pause(0.5)
    await looks(bench, port)


# -- the target joins --------------------------------------------------------------------------------------------------


def host(id: str, title: str, covers: Sequence[str], bend: Bend) -> None:
    """A case in which the host's side of the hello is bent: the target must not go on."""

    @case(id, title, covers=(*covers, "M-HEL-2"), expect="the target refuses, and tells its player")
    async def _(bench: Bench) -> None:
        door = await bench.door()
        job = await bench.job("join", port=door.port, options={"asks": []})
        try:
            await bench.guest(door, bench.identity(), bend)
            line = door.lines[0]
            line.send(
                "table", "script", 1, (("asks", ()), ("last_look", 0)), 2, ((bytes(32), "x"),), ((True, False, "", 0),)
            )
        except Failed:
            line = door.lines[0]
        await bench.closed(line, "for a host that cannot be trusted")
        await bench.event(job, "problem")
        expect(not line.count("sit"), "the target sat down")


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
async def mirror(bench: Bench) -> None:
    door = await bench.door()
    job = await bench.job("join", port=door.port, options={"asks": []})
    await bench.wait(lambda: door.lines, "a connection of the target", 40)
    line = door.lines[0]
    m1 = await bench.receive(line)
    line.send("hello", (2,), "suite", m1[3], bytes(32))
    await bench.closed(line, "for its own identity")
    await bench.event(job, "problem")


@case("08-26", "Fresh nonces of the joiner", covers=("M-HEL-1",), expect="another commitment in each m1")
async def fresh_commitments(bench: Bench) -> None:
    seen = set()
    for _ in range(2):
        door = await bench.door()
        await bench.job("join", port=door.port, options={"asks": []})
        await bench.wait(lambda door=door: door.lines, "a connection of the target", 40)  # type: ignore[misc]
        seen.add((await bench.receive(door.lines[0]))[4])
        door.lines[0].cut()
    expect(len(seen) == 2, "the joiner used a nonce twice")


# -- looking -----------------------------------------------------------------------------------------------------------


@case("08-27", "The card", covers=("M-FRM-6",), expect="game, rules, seats, options and names, as section 8.2 has them")
async def card(bench: Bench) -> None:
    port = await hosting(bench, seats=3, nickname="host of all")
    match await looks(bench, port):
        case (
            "card",
            (2,),
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
    expect="a new card for who looks, and pongs for pings",
)
async def changing_card(bench: Bench) -> None:
    port = await hosting(bench, seats=3)
    line = await bench.connect(port, "looker")
    line.send("look")
    await bench.receive(line, "card")
    for number in (1, 2**40, 2):
        line.send("ping", number)
        expect(await bench.receive(line) == ("pong", number), "a ping is not answered with its number")
    seat = await bench.seat_line(port, bench.identity())
    seat.send("sit", "ana", 0)
    changed = await bench.receive(line, "card")
    expect((changed[7], changed[10][1:]) == (2, ("ana",)), f"the new card is {spelled(changed)}")  # type: ignore[index]


@case("08-29", "Who looks may only ping", covers=("M-LOO-1", "M-FRM-1"), expect=REFUSED)
async def only_pings(bench: Bench) -> None:
    port = await hosting(bench)
    for frame in (("look",), ("sit", "ana", 0), ("ping",), ("hello", (2,), "x", bytes(32), bytes(32))):
        line = await bench.connect(port, "looker")
        line.send("look")
        await bench.receive(line, "card")
        line.send(*frame)
        await bench.closed(line, f"for the frame {spelled(frame)} of who looks")
    await looks(bench, port)


@case(
    "08-30", "Who looks and says nothing more", covers=("S-LOO-2",), expect="the connection ends after 15 s", seconds=60
)
async def idle_looker(bench: Bench) -> None:
    port = await hosting(bench)
    line = await bench.connect(port, "looker")
    line.send("look")
    await bench.receive(line, "card")
    await bench.closed(line, "without pings", 25)


@case(
    "08-31",
    "Nine who look",
    covers=("S-LOO-2", "S-HEL-7", "S-LIM-2"),
    expect="eight of one address may; the ninth ends the first",
)
async def nine_lookers(bench: Bench) -> None:
    port = await hosting(bench)
    lines: list[Line] = []
    for number in range(9):
        lines.append(await bench.connect(port, f"looker {number}"))
        lines[-1].send("look")
        await bench.receive(lines[-1], "card")
    await bench.closed(lines[0], "since another eight look")
