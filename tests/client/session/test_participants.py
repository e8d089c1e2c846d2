"""Who is at a table, as the screens and the line mode see it."""

from __future__ import annotations

import pytest

from kimberley.client.session.participants import only_bots
from tests.support.pretend import PretendTable


@pytest.mark.parametrize(
    ("phase", "known", "alone"),
    [
        ("open", ("you", "bot"), False), ("playing", ("you", "bot"), True), ("playing", ("you", "met"), False),
        ("open", ("you", "bot", "bot"), True), ("playing", ("you",), False),
    ],
)  # fmt: skip
def test_a_game_with_a_free_seat_is_one_against_bots_once_nobody_can_join(
    phase: str, known: tuple[str, ...], alone: bool
) -> None:
    names = ("ana", "Sancy", "Cullinan")[: len(known)]
    table = PretendTable(phase=phase, seats=3, names=names, acquaintance=known)
    assert only_bots(table) is alone
