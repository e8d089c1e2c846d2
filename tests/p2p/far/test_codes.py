"""Codes as they are typed, and the keys that are kept from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.p2p.far.codes import (
    FILE,
    MOST_BYTES,
    MOST_KEYS,
    FarKey,
    is_mailbox,
    is_relay,
    keep_key,
    load_keys,
    read_code,
    relay_address,
)


def key(number: int, letter: bytes = b"k") -> FarKey:
    return FarKey(f"{number}-velvet-harbor", letter * 32, "tcp:relay.example:4001")


@pytest.mark.parametrize(
    "typed", ["7-velvet-harbor", " 7-Velvet-Harbor ", "7 velvet harbor", "７－velvet－harbor", "7 - velvet - harbor"]
)
def test_a_code_is_read_however_it_is_typed(typed: str) -> None:
    assert read_code(typed) == "7-velvet-harbor"


@pytest.mark.parametrize(
    "typed", ["", "7", "7-velvet", "velvet-harbor-7", "192.168.1.7", "7-velvet-harbor:7411", "ana", "0-velvet-harbor"]
)
def test_addresses_and_names_are_no_codes(typed: str) -> None:
    assert read_code(typed) is None


def test_servers_are_read_as_they_are_typed() -> None:
    assert relay_address("tcp:relay.example:4001") == ("relay.example", 4001)
    assert relay_address("tcp:[2001:db8::1]:4001") == ("2001:db8::1", 4001)
    assert is_relay("tcp:10.77.0.3:4001")
    assert not any(map(is_relay, ("relay.example:4001", "tcp:relay.example", "tcp:relay.example:70000", "")))
    assert is_mailbox("ws://mailbox.example:4000/v1")
    assert is_mailbox("wss://mailbox.example/v1")
    assert not any(map(is_mailbox, ("http://mailbox.example", "ws://", "mailbox.example", "")))


def test_the_latest_keys_are_kept_one_for_each_code(tmp_path: Path) -> None:
    assert load_keys(tmp_path) == []
    for number in range(1, MOST_KEYS + 3):
        keep_key(tmp_path, key(number))
    keep_key(tmp_path, key(9))
    keep_key(tmp_path, key(9, b"l"))
    found = load_keys(tmp_path)
    assert found[:2] == [key(9, b"l"), key(MOST_KEYS + 2)]
    assert len(found) == MOST_KEYS
    assert (tmp_path / FILE).stat().st_size < MOST_BYTES
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[1, {}]", b'[{"code": "7-velvet-harbor"}]', b"[" * 9999])
def test_a_file_that_makes_no_sense_has_no_keys(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert load_keys(tmp_path) == []
