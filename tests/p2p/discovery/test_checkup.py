"""What the doctor says of a host without asking it."""

from __future__ import annotations

import pytest

from kimberley.p2p.discovery.checkup import check_host
from tests.support.asyncs import run


@pytest.mark.parametrize("host", ["fe80::1", "FE80::1234:5678"])
def test_a_link_local_address_needs_an_interface(host: str) -> None:
    (found,) = run(check_host(host, 7411))
    assert (found.what, found.ok) == (host, False)
    assert f"{host}%" in found.advice
