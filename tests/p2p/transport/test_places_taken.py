"""Places behind the door that are held by peers who say nothing more: they make way for those who come."""

from __future__ import annotations

from kimberley.p2p.transport.connection_limits import choose_eviction


def test_the_oldest_goes_of_the_origin_that_has_most() -> None:
    came = ["10.0.0.1", "2001:db8::1", "10.0.0.2", "2001:db8::2", "10.0.0.3"]
    assert choose_eviction(came, str) == "2001:db8::1"
    assert choose_eviction(came[2:], str) == "10.0.0.2"
