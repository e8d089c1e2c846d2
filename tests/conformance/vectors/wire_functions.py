"""What the vectors of connections call: frames, the hello, and what goes through a third seat."""

from __future__ import annotations

from kimberley.games.table import Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.frames import BadFrame, Frame, FrameDecoder
from kimberley.p2p.transport.handshake import ConnectionRejected, HostHandshake, JoinerHandshake, PeerVersion
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack, unpack
from kimberley.protocol.envelope import REVISION
from tests.conformance.vectors.functions import FUNCTIONS, Given, Values, function

__all__ = ["FUNCTIONS"]


@function("data:bytes limit:integer", "frames:list rest:bytes")
def cut(g: Group, v: Values) -> Given:
    """Returns the bodies of the frames that are whole, and the bytes after them."""
    frames = FrameDecoder(v["limit"])
    frames.feed(v["data"])
    found = []
    try:
        while (frame := frames.next()) is not None:
            found.append(pack(frame))
    except BadFrame:
        return None
    return {"frames": found, "rest": v["data"][sum(len(body) + 4 for body in found) :]}


def _frame(data: bytes) -> Frame:
    frame = unpack(data)
    assert isinstance(frame, tuple)
    return frame


def _joiner(v: Values) -> JoinerHandshake:
    speaker = PeerVersion((REVISION,), v["software"])
    joiner = JoinerHandshake(Identity.of(v["joiner"]), v["purpose"], v["certificate"], speaker)
    joiner.nonce = v["nonce"]
    return joiner


@function(
    "joiner:bytes host:bytes nonce:bytes host_nonce:bytes software:text purpose:plain certificate:bytes",
    "frames:list",
)
def greet(g: Group, v: Values) -> Given:
    """Returns the four frames of a hello, of two identities given by their secrets."""
    joiner, host = _joiner(v), Identity.of(v["host"])
    m1: Plain = joiner.hello()
    m2: Frame = ("hello", (REVISION,), v["software"], host.public, v["host_nonce"])
    m3 = joiner.on_hello(m2)
    signed = pack(("host", m1, m2, v["nonce"], v["purpose"], v["certificate"]))
    m4: Frame = ("proven", host.sign("hello", signed))
    joiner.on_proof(m4)
    return {"frames": [pack(frame) for frame in (m1, m2, m3, m4)]}


@function("host:bytes frame:bytes", "")
def check_m1(g: Group, v: Values) -> Given:
    """Returns whether the host goes on with the hello."""
    try:
        HostHandshake(Identity.of(v["host"]), bytes(32), PeerVersion((REVISION,), "")).on_hello(_frame(v["frame"]))
    except ConnectionRejected:
        return None
    return {}


@function("host:bytes frames:list certificate:bytes", "purpose:plain")
def check_m3(g: Group, v: Values) -> Given:
    """Returns whether the host, which has given m2, takes m3, and the purpose of the connection."""
    host = HostHandshake(Identity.of(v["host"]), v["certificate"], PeerVersion((REVISION,), ""))
    m1, m2, m3 = map(_frame, v["frames"])
    try:
        host.on_hello(m1)
        host.m2 = m2
        host.on_proof(m3)
    except ConnectionRejected:
        return None
    return {"purpose": host.purpose}


@function("joiner:bytes nonce:bytes purpose:plain software:text frames:list certificate:bytes", "host:bytes")
def check_m4(g: Group, v: Values) -> Given:
    """Returns whether the joiner takes m2 and m4, and who the host is."""
    joiner = _joiner(v)
    m2, m4 = map(_frame, v["frames"])
    try:
        joiner.on_hello(m2)
        joiner.on_proof(m4)
    except ConnectionRejected:
        return None
    return {"host": joiner.peer}


@function("secret:bytes m1:bytes m2:bytes number:integer frame:bytes", "session:bytes signature:bytes")
def pass_on(g: Group, v: Values) -> Given:
    """Returns what a side signs of a frame that a third seat passes on."""
    session = digest("session", v["m1"], v["m2"])
    signed = signatures.sign(v["secret"], "frame", pack((session, v["number"], v["frame"])))
    return {"session": session, "signature": signed}
