"""Addresses as people type them."""

import ipaddress

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.transport.address import format_address, own_addresses, parse_address, reachable_at
from kimberley.p2p.transport.ports import DEFAULT_PORT


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.7", "192.168.1.7", DEFAULT_PORT),
        (" 192.168.1.7:7412 ", "192.168.1.7", 7412),
        ("ana-laptop.local", "ana-laptop.local", DEFAULT_PORT),
        ("localhost:1", "localhost", 1),
        ("::1", "::1", DEFAULT_PORT),
        ("[::1]:7500", "::1", 7500),
        ("[fe80::1%eth0]", "fe80::1%eth0", DEFAULT_PORT),
        ("fe80::1%eth0", "fe80::1%eth0", DEFAULT_PORT),
        (f"{'a' * 63}.b-c.local:1", f"{'a' * 63}.b-c.local", 1),
        (f"fe80::1%{'e' * 15}", f"fe80::1%{'e' * 15}", DEFAULT_PORT),
    ],
)
def test_addresses_are_read_and_shown(text: str, host: str, port: int) -> None:
    assert parse_address(text) == (host, port)
    assert parse_address(format_address(host, port)) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        "１９２．１６８．１．７：７４１２",
        "192。168。1。7:7412",
        "١٩٢.١٦٨.١.٧:٧٤١٢",
        "١٩٢٫١٦٨٫١٫٧:7412",
        "१९२.१६८.१.७:7412",
    ],
)
def test_addresses_are_read_from_other_keyboards(text: str) -> None:
    assert parse_address(text) == ("192.168.1.7", 7412)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "192.168.1.7:", "192.168.1.7:0", "ana:70000", "[ana]:7411", "a b"),
        *("1:2:3:zz", "[::1", "-x", "ana:x"),
        *("a..b", ".a", "a" * 64, f"ana.{'a' * 64}.local", "a." * 127 + "b"),
        *(f"fe80::1%{'e' * 16}", "fe80::1%a..b"),
    ],
)
def test_what_is_no_address_says_how_one_looks(text: str) -> None:
    with pytest.raises(UserError, match=r"is not an address\. Type it as on the host’s screen, such as 192\.168\.1\.7"):
        parse_address(text)


def test_own_addresses_can_be_typed_in_elsewhere() -> None:
    for address in own_addresses():
        assert parse_address(address) == (address, DEFAULT_PORT)
        assert not ipaddress.ip_address(address).is_loopback


def test_what_listens_at_all_addresses_is_reached_at_this_machines_own() -> None:
    four, six = reachable_at("0.0.0.0"), reachable_at("::")
    assert [*four, *six] == reachable_at(None) == own_addresses()
    assert all("." in address for address in four)
    assert all(":" in address for address in six)
    assert reachable_at("192.0.2.1") == ["192.0.2.1"]
