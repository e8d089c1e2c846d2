"""Frames: lengths, limits, and bytes that are no frame."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.p2p.transport.frames import MOST_FRAME, BadFrame, FrameDecoder, encode
from kimberley.protocol.encoding import pack


@pytest.mark.slow
@given(st.lists(st.tuples(st.just("kind"), st.integers(0, 1 << 40), st.binary(max_size=300)), max_size=5), st.data())
def test_frames_arrive_as_they_were_sent_however_the_bytes_are_cut(
    frames: list[tuple[str, int, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(encode(frame) for frame in frames)
    cutter, received = FrameDecoder(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        cutter.feed(stream[:size])
        stream = stream[size:]
        while (frame := cutter.next()) is not None:
            received.append(frame)
    assert received == frames
    assert len(cutter) == 0


def test_a_length_above_the_limit_is_refused_before_its_body_comes() -> None:
    for size in (MOST_FRAME + 1, 1 << 31, (1 << 32) - 1):
        cutter = FrameDecoder()
        cutter.feed(size.to_bytes(4, "big"))
        with pytest.raises(BadFrame, match=f"a frame of {size} bytes"):
            cutter.next()


def test_the_largest_frame_passes_and_one_byte_more_does_not() -> None:
    room = MOST_FRAME - len(pack(("kind", bytes(70_000)))) + 70_000
    data = encode(("kind", bytes(room)))
    assert len(data) == 4 + MOST_FRAME
    cutter = FrameDecoder()
    cutter.feed(data)
    assert cutter.next() == ("kind", bytes(room))
    with pytest.raises(BadFrame, match="1048576 at most"):
        encode(("kind", bytes(room + 1)))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\x90",
        b"\xa4kind",
        b"\x91\x01",
        b"\x92\xa4kind\xcd\x00\x01",
        b"\x91\xa4kind\x00",
        b"\x81\xa4kind\x01",
        b"\x92\xa4kind\xcb" + bytes(8),
    ],
    ids=["nothing", "reserved", "empty", "text", "number first", "long integer", "more behind", "map", "float"],
)
def test_a_body_that_is_no_canonical_array_with_a_kind_is_refused(body: bytes) -> None:
    cutter = FrameDecoder()
    cutter.feed(len(body).to_bytes(4, "big") + body)
    with pytest.raises(BadFrame):
        cutter.next()


WHOLE = [encode(("beat",)), encode(("number", 7, b"x"))]


@given(st.lists(st.sampled_from(WHOLE) | st.binary(max_size=100), max_size=4))
def test_arbitrary_bytes_raise_nothing_but_bad_frame(parts: list[bytes]) -> None:
    cutter = FrameDecoder(limit=150)
    cutter.feed(b"".join(parts))
    try:
        while (frame := cutter.next()) is not None:
            assert isinstance(frame[0], str)
    except BadFrame:
        pass
