"""What the vectors of connections call: frames, the hello, and what goes through a third seat."""

from __future__ import annotations

from games.table import Plain
from p2p.frames import BadFrame, Frame, Frames
from p2p.hello import Host, Joiner, Refused, Speaker
from p2p.identity import Identity
from protocol.crypto import signatures
from protocol.crypto.group import Group
from protocol.crypto.hashing import digest
from protocol.encoding import pack, unpack
from protocol.envelope import REVISION
from tests.support.vector_functions import FUNCTIONS, Given, Values, function

__all__ = ["FUNCTIONS"]


@function("data:bytes limit:integer", "frames:list rest:bytes")
def cut(g: Group, v: Values) -> Given:
    """The bodies of the frames that are whole, and the bytes behind them."""
    frames = Frames(v["limit"])
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


def _joiner(v: Values) -> Joiner:
    speaker = Speaker((REVISION,), v["software"])
    joiner = Joiner(Identity.of(v["joiner"]), v["purpose"], v["certificate"], speaker)
    joiner._nonce = v["nonce"]
    return joiner


@function(
    "joiner:bytes host:bytes nonce:bytes host_nonce:bytes software:text purpose:plain certificate:bytes",
    "frames:list",
)
def greet(g: Group, v: Values) -> Given:
    """The four frames of a hello, of two identities given by their secrets."""
    joiner, host = _joiner(v), Identity.of(v["host"])
    m1: Plain = joiner.first()
    m2: Frame = ("hello", (REVISION,), v["software"], host.public, v["host_nonce"])
    m3 = joiner.second(m2)
    signed = pack(("host", m1, m2, v["nonce"], v["purpose"], v["certificate"]))
    m4: Frame = ("proven", host.sign("hello", signed))
    joiner.done(m4)
    return {"frames": [pack(frame) for frame in (m1, m2, m3, m4)]}


@function("host:bytes frame:bytes", "")
def check_m1(g: Group, v: Values) -> Given:
    """Whether the host goes on with the hello."""
    try:
        Host(Identity.of(v["host"]), bytes(32), Speaker((REVISION,), "")).first(_frame(v["frame"]))
    except Refused:
        return None
    return {}


@function("host:bytes frames:list certificate:bytes", "purpose:plain")
def check_m3(g: Group, v: Values) -> Given:
    """Whether the host, which has given m2, takes m3, and the purpose of the connection."""
    host = Host(Identity.of(v["host"]), v["certificate"], Speaker((REVISION,), ""))
    m1, m2, m3 = map(_frame, v["frames"])
    try:
        host.first(m1)
        host._m2 = m2
        host.second(m3)
    except Refused:
        return None
    return {"purpose": host.purpose}


@function("joiner:bytes nonce:bytes purpose:plain software:text frames:list certificate:bytes", "host:bytes")
def check_m4(g: Group, v: Values) -> Given:
    """Whether the joiner takes m2 and m4, and who the host is."""
    joiner = _joiner(v)
    m2, m4 = map(_frame, v["frames"])
    try:
        joiner.second(m2)
        joiner.done(m4)
    except Refused:
        return None
    return {"host": joiner.peer}


@function("secret:bytes m1:bytes m2:bytes number:integer frame:bytes", "session:bytes signature:bytes")
def pass_on(g: Group, v: Values) -> Given:
    """What a side signs of a frame that a third seat passes on."""
    session = digest("relay", v["m1"], v["m2"])
    signed = signatures.sign(v["secret"], "relay", pack((session, v["number"], v["frame"])))
    return {"session": session, "signature": signed}
