"""Finding the games that are installed."""

from __future__ import annotations

import pytest

from kimberley.games.lookup import UnknownGame, find, ids


def test_a_game_is_found_by_its_id() -> None:
    assert {"diamond", "diamond-trust", "land", "mine", "piecepack"} <= {*ids()}
    assert [find(id).id for id in ids()] == sorted(ids())


def test_what_is_not_installed_is_refused_with_what_is() -> None:
    with pytest.raises(UnknownGame, match=f"^there is no game 'chess' here; installed: {', '.join(ids())}$"):
        find("chess")
