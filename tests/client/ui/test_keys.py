"""What a key does."""

from __future__ import annotations

import pytest

from kimberley.client.ui.keys import key_name


@pytest.mark.parametrize(
    ("shown", "name"),
    [("Enter", "enter"), ("d", "d"), ("F10", "f10"), ("Esc", "esc"), ("↑ ↓", "down"), ("←", "left"), ("Space", " "),
     ("PgDn", "pagedown"), ("R", "R"), ("0-9", "0-9")],
)  # fmt: skip
def test_a_hint_names_its_key(shown: str, name: str) -> None:
    assert key_name(shown) == name
