"""The picture of how a game may begin, on the page that invites to it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from kimberley.client.boards.opening_picture import opening_picture, table_picture
from kimberley.games.lookup import find, ids
from tests.support.cards import CARDS
from tests.support.pretend import PretendTable


@pytest.mark.parametrize("game", ids())
def test_every_game_has_one_and_it_needs_no_style_of_its_own(game: str) -> None:
    known = find(game)
    options = {option.name: option.values[0][0] for option in known.options}
    drawn = opening_picture(game, ["ana", *["?"] * (min(known.seats) - 1)], options)
    picture = ElementTree.fromstring(drawn)
    assert picture.tag.endswith("svg")
    assert len(list(picture.iter())) > 5
    assert "style" not in drawn


@pytest.mark.parametrize("game", ids())
def test_an_open_table_has_the_picture_of_its_game(game: str) -> None:
    known = find(game)
    options = {option.name: option.values[0][0] for option in known.options}
    open_table = PretendTable(game=known, seats=min(known.seats), names=("ana",), options={**options, "last_look": 12})
    names = ["ana", *["?"] * (min(known.seats) - 1)]
    assert table_picture(open_table) == opening_picture(game, names, options)


def test_a_game_without_a_board_has_none() -> None:
    assert table_picture(PretendTable(game=CARDS, names=("ana",))) == ""


@pytest.mark.parametrize(("game", "seats", "pending"), [("diamond", 2, "rolled"), ("piecepack", 3, "Lots decide")])
def test_what_chance_decides_first_is_decided(game: str, seats: int, pending: str) -> None:
    options = {option.name: option.values[0][0] for option in find(game).options}
    drawn = opening_picture(game, ["ana", *["?"] * (seats - 1)], options)
    assert pending not in drawn
    assert ">ana<" in drawn


def test_the_map_of_diamond_trust_is_all_of_it() -> None:
    known = find("diamond-trust")
    drawn = opening_picture("diamond-trust", ["ana", "?"], {one.name: one.values[0][0] for one in known.options})
    for name in ("Uige", "Malanje", "Lunda", "Moxico", "Huila"):
        assert name in drawn
    assert "START" not in drawn
    assert "month 1" not in drawn
