"""A canvas as HTML, and the boards of running games as a web page shows them."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import TALL_COLUMNS
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.web.drawn_games import DrawnGames
from kimberley.client.web.picture import board_html, canvas_html, position_html, sentences, tall_board_html
from kimberley.games import lookup
from tests.support.effort import one_is_quick
from tests.support.tables import Wire
from tests.support.watching import SEATS, bots_at


def begun(game: str, length: int) -> Wire:
    """Returns a game between bots that has come this far, with a spectator behind the seats."""
    wire = bots_at(game)
    wire.run(lambda: len(wire.peers[-1].story) >= length)
    return wire


class Reader(HTMLParser):
    """What a browser would show: the text, and whether every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[str] = []
        self.label = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.rows += [""] * (tag == "b")
        self.label = self.label or dict(attrs).get("aria-label") or ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.rows[-1] += data

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self.rows)


def test_a_canvas_is_escaped_and_keeps_its_colours_and_wide_characters() -> None:
    canvas = Canvas(12, 2)
    canvas.put(0, 0, '<&">', "money", bold=True)
    canvas.put(5, 0, "鑽石x")
    canvas.put(0, 1, "plain", underline=True)
    page = canvas_html(canvas, 'a "label" <b>')
    read = Reader(page)
    assert read.open == []
    assert [cell_width(row) for row in read.rows] == [12, 12]
    assert read.rows[0].rstrip() == '<&"> 鑽石x'
    assert read.label == 'a "label" <b>'
    assert '<i class="w">鑽</i><i class="w">石</i>' in page
    assert 'color:#f0cf6b;background:#0e1118;font-weight:700">&lt;&amp;&quot;&gt;</span>' in page
    assert "text-decoration:underline" in page


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("piecepack", SEATS))
def test_every_board_is_a_picture_and_sentences_of_what_a_spectator_knows(game: str) -> None:
    spectator = begun(game, 30).peers[-1]
    for columns, rows in ((80, 22), (100, 34)):
        read = Reader(board_html(game, spectator, columns, rows))
        lines = read.rows
        assert read.open == []
        assert [cell_width(line) for line in lines] == [columns] * rows
        assert "Help" not in lines[0]
        assert "player1" in read.text
        assert read.label.startswith(lookup.find(game).title.split(",")[0])
    words = sentences(game, spectator)
    assert words
    assert all(line.endswith((".", ":")) for line in words)
    assert any("player1" in line for line in words)


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("piecepack", SEATS))
def test_every_board_has_a_form_for_a_phone_and_no_picture_offers_a_control(game: str) -> None:
    spectator = begun(game, 30).peers[-1]
    tall, wide = Reader(tall_board_html(game, spectator)), Reader(board_html(game, spectator))
    assert {cell_width(row) for row in tall.rows} == {TALL_COLUMNS}
    assert tall.label == wide.label
    for seat in range(1, SEATS[game] + 1):
        assert f"player{seat}" in tall.text
    timeline = find_board(game).timeline(spectator.first_state, [f"player{seat}" for seat in range(SEATS[game])])
    timeline.refresh(spectator.story, spectator.result)
    positions = [Reader(position_html(timeline, at)) for at in range(len(timeline.steps) + 1)]
    for read in (tall, wide, *positions):
        assert not re.search(r"switches|Continue|\bl log\b|\bv *$", read.text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", SEATS))
def test_seats_are_marked_as_on_their_board(game: str) -> None:
    spectator = begun(game, 30).peers[-1]
    drawn = board_html(game, spectator)
    for mark in DrawnGames().marks(game, spectator)[: SEATS[game]]:
        assert mark.sign in Reader(drawn).text
        assert mark.color.startswith("#")


def test_what_lots_give_out_is_not_marked_before_they_are_drawn() -> None:
    drawn = DrawnGames()
    assert [mark.sign for mark in drawn.marks("diamond-trust", None)] == ["[ ]", "( )"]
    assert [mark.sign for mark in drawn.marks("land", None)][:2] == ["▲A", "■B"]
    assert not drawn.marks("diamond", None)
    assert not drawn.marks("piecepack", None)


def test_names_cannot_break_out_of_the_page() -> None:
    canvas = Canvas(80, 1)
    canvas.put(0, 0, "</pre><script>alert(1)</script>")
    page = canvas_html(canvas, "'><script>")
    assert not re.search(r"<script", page)
    assert "<script>" in unescape(page)


def test_a_game_that_is_not_installed_has_no_picture() -> None:
    spectator = begun("diamond", 3).peers[-1]
    with pytest.raises(LookupError):
        board_html("chess", spectator)


def test_blocks_are_grounds_and_signs_that_fonts_may_lack_keep_their_cell() -> None:
    canvas = Canvas(9, 1)
    canvas.put(0, 0, "▀▀", "money", "ice")
    canvas.put(2, 0, "▐", "money", "ice")
    canvas.put(3, 0, "█", "money", "ice")
    canvas.put(4, 0, "⠤é")
    page = canvas_html(canvas, "blocks")
    assert '<span style="background:linear-gradient(#f0cf6b 50%,#9be7f5 50%)">  </span>' in page
    assert "linear-gradient(90deg,#9be7f5 50%,#f0cf6b 50%) 0 0/1ch" in page
    assert '<span style="background:#f0cf6b"> </span>' in page
    assert "<i>⠤</i>é   </span>" in page
