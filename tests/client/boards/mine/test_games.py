"""Whole games of Diamond Mine on its board, by keys alone and by clicks alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from kimberley.client.boards.mine.form import MineForm
from kimberley.client.boards.mine.form_take import TakeForm
from kimberley.games.bots.levels import make_bot
from kimberley.games.mine import GAME
from kimberley.games.mine.squares import name
from kimberley.games.table import Observation, Plain, Result
from tests.support.mine_player import Player, playing
from tests.support.mine_table import MineTable


def bots() -> Callable[[Observation], Plain]:
    """Returns the others, each a quick bot."""
    players = {seat: make_bot(GAME, 1, seat) for seat in range(4)}

    def choose(known: Observation) -> Plain:
        return players[known.seat].choose(known)

    return choose


def wanted(table: MineTable) -> Plain:
    """Returns what a bot would choose in the person's place."""
    return make_bot(GAME, 1, 9).choose(table.all_seats.observation(table.occupants.seat))


@pytest.mark.slow
def test_a_whole_game_by_keys_alone() -> None:
    seats = 4
    player = playing(seats=seats, begins=None, seed=seats, others=bots())
    table = player.table
    for _ in range(1000):
        if isinstance(table.state.ask(), Result):
            break
        choice, done = quiet(wanted(table)), len(table.chosen)
        match choice:
            case int(there):
                _walk(player, there)
            case (int(card), bool()):
                player.press(str(card))
            case (int(there), (), ()):
                while _form(player).cursor.square != there:
                    player.press("tab")
            case gems:
                form = _form(player)
                assert isinstance(form, TakeForm)
                while form.offers[form.at] != gems:
                    player.press("right")
        player.press("enter")
        assert table.chosen[done:] == [choice]
    assert isinstance(table.state.ask(), Result)
    assert "THE END" in player.text()


def quiet(choice: Plain) -> Plain:
    """Returns the choice without what has to be confirmed, and without what is done on the way."""
    match choice:
        case (int(card), bool()):
            return card, False
        case (int(there), tuple(), tuple()):
            return there, (), ()
    return choice


def _form(player: Player) -> MineForm:
    form = player.screen.form(player.ui.time)
    assert isinstance(form, MineForm)
    return form


def _walk(player: Player, there: int) -> None:
    here = _form(player).cursor.square
    assert here is not None
    player.press(" ".join(["right" if there % 8 > here % 8 else "left"] * abs(there % 8 - here % 8)))
    player.press(" ".join(["up" if there // 8 > here // 8 else "down"] * abs(there // 8 - here // 8)))


@pytest.mark.slow
def test_a_whole_game_by_clicks_alone() -> None:
    seats = 2
    player = playing(seats=seats, begins=None, seed=seats, others=bots())
    table, rng = player.table, Random(4)
    for _ in range(1000):
        if isinstance(table.state.ask(), Result):
            break
        choice, done = wanted(table), len(table.chosen)
        match choice:
            case int(there):
                player.click_squares(name(there))
                if len(table.chosen) == done:
                    player.click_squares(name(there)) if rng.random() < 0.5 else player.touch("Place it Enter")
            case (int(card), bool()):
                player.card(card)
                player.touch("Play it Enter")
            case (int(there), tuple(), tuple()):
                player.click_squares(name(there))
                player.click_squares(name(there)) if rng.random() < 0.5 else player.touch("Go Enter")
            case _:
                player.touch("Enter")
        assert len(table.chosen) == done + 1
    assert isinstance(table.state.ask(), Result)
    assert "THE END" in player.text()
