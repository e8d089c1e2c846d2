"""The levels of every game: each has a name and a line, and a bot."""

from __future__ import annotations

import pytest

from kimberley.games.bots.levels import find_level, level_label, levels_of, make_bot, nearest_level
from kimberley.games.lookup import find, ids

GAMES = ids()


@pytest.mark.parametrize("id", GAMES)
def test_a_level_is_a_name_and_a_sentence_of_its_own(id: str) -> None:
    levels = levels_of(find(id))
    assert len({(level.name, level.about) for level in levels}) == len(levels)
    for level in levels:
        assert 0 < len(level.name) <= 20
        assert level.about[0].isupper()
        assert level.about.endswith(".")


@pytest.mark.parametrize("id", GAMES)
def test_every_level_has_a_bot_and_no_other_number(id: str) -> None:
    game = find(id)
    for number in range(1, len(levels_of(game)) + 1):
        make_bot(game, number, 5)
    for number in (0, len(levels_of(game)) + 1):
        with pytest.raises(ValueError, match=f"{game.title} has levels 1 to {len(levels_of(game))}, not {number}"):
            make_bot(game, number, 5)


def test_levels_of_diamond_trust_have_names_of_their_own() -> None:
    levels = levels_of(find("diamond-trust"))
    assert len({level.name for level in levels}) == len(levels) == 11


def test_levels_are_found_by_number() -> None:
    trust, diamond = find("diamond-trust"), find("diamond")
    assert find_level(trust, 1).name == "First-timer"
    assert level_label(diamond, 8) == "8 Trader"
    assert [nearest_level(trust, number) for number in (0, 7, 20)] == [1, 7, 11]
