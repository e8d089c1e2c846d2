"""What the doctor says of hosts that cannot be asked."""

from __future__ import annotations

import asyncio
import re

import pytest

from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery.network_checkup import check_host
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.servers import reserve_port
from tests.support.asyncs import run


@pytest.mark.parametrize("host", ["fe80::1", "FE80::1234:5678", "fe80::1%nowhere", "fe80::1%99"])
def test_an_address_lacks_its_interface_for_the_doctor_as_for_who_joins(host: str) -> None:
    (found,) = run(check_host(host, 7411))
    with pytest.raises(UserError) as refused:
        run(Table.join(host, lookup.find, nickname="ben", identity=Identity.fresh(), data=None))
    assert (found.what, found.ok, found.advice) == (host, False, str(refused.value))
    with pytest.raises(UserError, match=re.escape(found.advice)):
        run(reserve_port(asyncio.Protocol, 7411, bind=host))
    address, _, scope = host.partition("%")
    began = f"This computer has no network interface called {scope}." if scope else f"{address} also needs the network"
    assert found.advice.startswith(began)
    assert f"Type {address}%" in found.advice
