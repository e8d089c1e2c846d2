"""What the land game says over whole games is true where it stands: examples, offers and advice can be followed."""

from __future__ import annotations

import re
from random import Random

import pytest

from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.boards.line_mode import LineMode
from kimberley.games.land.money import K
from kimberley.games.table import Plain
from tests.support.effort import first_is_quick
from tests.support.land_player import Player
from tests.support.land_table import LandTable

TURNS = 15
"""The player's own turns that are looked at in a game: enough for a reckless player to be below zero."""
MAPS = ("small", "kimberley", "rolled-small")


def told(form: TurnForm, player: Player) -> None:
    """Asserts that the sentence above the board can be followed."""
    strip = player.lines()[1]
    if (offer := re.search(r"buy (?:it|them together) for ([\d.]+)K", strip)) is not None:
        assert float(offer[1]) <= form.now.cash / K, "what is offered can be paid"
    saved = form.now.cash + sum(map(form.now.gain, form.now.own())) >= 0
    if form.now.cash < 0:
        assert ("Sell until you are back at zero" in strip) is saved
        assert "would earn" not in "".join(player.lines()[18:21])


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(*range(1, 9)))
def test_what_a_player_is_offered_can_be_done(seed: int) -> None:
    chance = Random(seed)
    options: dict[str, Plain] = {"map": MAPS[seed % len(MAPS)], "turns": 25}
    table = LandTable(2 + seed % 3, options=options, level=1 + seed, salt=seed)
    player = Player(table)
    for _ in range(TURNS):
        if table.own.asked is None:
            break
        form = player.turn
        told(form, player)
        for _ in range(4):
            player.press(chance.choice(("a", "space", "left", "down", "b")))
            told(form, player)
        # The same in text mode, where the turn is then completed.
        text = LineMode(LandUI(), table)
        last = text.prompt()[-1]
        for typed in re.findall(r"such as (.+)\. Then", last):
            assert "Not possible" not in "".join(text.submit(typed).lines)
            assert "Undone" in "".join(text.submit("undo").lines)
        where = re.findall(r"(look (?:\d,\d|[a-x]\d+)):", "\n".join(text.help()))
        assert len(where) == 2
        for typed in where:
            assert "sector" in "".join(text.submit(typed).lines).lower()
        table.play.choose(table.own.asked.space.pick(chance))
