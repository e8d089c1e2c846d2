"""What others type to join a table by its address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.p2p.transport.address import format_address, parse_address

INTERFACE: Final = "INTERFACE"
"""Stands for the interface of somebody else's computer in an address that needs one."""
NEEDS_INTERFACE: Final = f"For {INTERFACE}, others type their own network interface, such as eth0 or wlan0."

FAR_WAITS: Final = "Asking for a code."
BY_PHONE: Final = "Your friend is far away: compare the words over the phone."


def far_line(code: str) -> str:
    """Returns what to tell a friend who is far away."""
    return f"Tell one friend far away: kimberley join {code}"


def addresses_for_others(addresses: Sequence[str]) -> tuple[str, ...]:
    """Returns the addresses that others can type. If all need a network interface, which has another name on each
    computer, `INTERFACE` stands for it.
    """
    return tuple(one for one in addresses if "%" not in one) or tuple(dict.fromkeys(map(_without_interface, addresses)))


def needs_interface(addresses: Sequence[str]) -> bool:
    """Returns whether others must replace `INTERFACE` in these addresses."""
    return any(f"%{INTERFACE}" in one for one in addresses)


def _without_interface(address: str) -> str:
    host, port = parse_address(address)
    return format_address(f"{host.partition('%')[0]}%{INTERFACE}", port)
