"""What the pages about the games give as samples is true: the programs read the notation, and the levels play as
stated.
"""

from __future__ import annotations

import re

import pytest

from kimberley.games import lookup
from kimberley.games.bots.levels import levels_of
from kimberley.games.diamond.notation import read_position, read_turn
from kimberley.games.land.account_sheet import read_sheet
from tests.support.paths import ROOT


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def notation(name: str) -> str:
    """Returns the section of a game's page about its notation."""
    return page(name).partition("## Notation\n")[2].partition("\n## ")[0]


def test_the_game_on_the_page_of_the_land_game_can_be_played_and_has_the_turn_above_it() -> None:
    text = notation("land")
    (written,) = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    turns = [turn.split(" ", 3)[3] for turn in re.findall(r"^\d+ [A-F] .+$", written, re.MULTILINE)]
    assert len(read_sheet(written).events) == 1 + 2 * len(turns)
    assert set(re.findall(r"`((?:buy|sell|price) [^`]+|pass)`", text)) <= set(turns)


def test_turns_and_positions_on_the_page_of_diamond_can_be_read() -> None:
    rows = re.findall(r"^\| (`.+?) \|", notation("diamond"), re.MULTILINE)
    turns = [turn for row in rows for turn in re.findall(r"`([^`]+)`", row) if turn != "resigns"]
    assert len(turns) > 5
    for turn in turns:
        read_turn(turn)
    positions = re.findall(r"`(\S+/\S+ [bw] \d+s?)`", page("diamond"))
    assert len(positions) > 3
    for position in positions:
        read_position(position)


@pytest.mark.parametrize("game", lookup.ids())
def test_the_weakest_and_the_strongest_level_play_as_the_page_says(game: str) -> None:
    (row,) = re.findall(rf"^\| {re.escape(lookup.find(game).title)} \| (.*) \|$", page("opponent"), re.MULTILINE)
    levels = levels_of(lookup.find(game))
    told = [f"{level.about[0].lower()}{level.about[1:]}".rstrip(".") for level in (levels[0], levels[-1])]
    assert row.split(" | ") == [f"1 to {len(levels)}", *told]
