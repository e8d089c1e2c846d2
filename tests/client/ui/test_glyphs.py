"""Widths, cutting, wrapping, and the spelling in ASCII."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.client.ui.glyphs import ASCII, apart, cell_width, needs_ascii, to_ascii, truncate, wrap
from tests.support.plain import CHARACTERS

EMOJI_OR_FONT_DEPENDENT = "▶◀♟☀✔░▒▓▁▂▃▅▆▇"


def test_every_glyph_has_a_spelling_of_one_cell() -> None:
    for glyph, spelled in ASCII.items():
        assert cell_width(glyph) == cell_width(spelled) == 1
        assert spelled.isascii()
    assert not set(EMOJI_OR_FONT_DEPENDENT) & set(ASCII)


def test_suits_have_letters_of_their_own() -> None:
    assert to_ascii("☼☾♣♦♥♠") == "SMCDHP"


def test_what_is_right_and_what_is_frozen_are_spelled_apart() -> None:
    assert to_ascii(" ✓ ") == " ok"
    assert to_ascii(" FAIR ✓ ") == " FAIR ok"
    assert to_ascii(" ✗4 ") == " #4 "
    assert len({to_ascii("✓"), to_ascii("✗"), to_ascii("×")}) == 3


@given(st.text(CHARACTERS, max_size=30))
def test_ascii_is_ascii_and_as_wide(text: str) -> None:
    spelled = to_ascii(text)
    assert spelled.isascii()
    assert spelled.isprintable()
    assert cell_width(spelled) == cell_width(text)


@given(st.text(CHARACTERS, max_size=40), st.integers(0, 30))
def test_fitted_text_fits_and_says_where_it_was_cut(text: str, room: int) -> None:
    shown = truncate(text, room)
    assert cell_width(shown) <= room
    assert cell_width(text) <= room or room == 0 or shown.endswith("…")


@given(st.text(CHARACTERS, max_size=80), st.integers(2, 30))
def test_wrapped_lines_fit_and_lose_nothing(text: str, room: int) -> None:
    lines = wrap(text, room)
    assert all(cell_width(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_words_stay_whole_where_they_can() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("", 8) == [""]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrap("one two three", 8, 1) == ["one two…"]
    assert wrap("one two three", 8, 0) == []


@pytest.mark.parametrize(
    ("environ", "needed"),
    [
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "en_US.ISO-8859-1"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "de_DE.utf8"}, False),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, True),
        ({"LANG": "en_US.UTF-8", "TERM": "dumb"}, True),
        ({"LANG": "en_US.UTF-8", "TERM": "linux"}, True),
    ],
)
def test_the_locale_says_what_can_be_shown(environ: dict[str, str], needed: bool) -> None:
    assert needs_ascii(environ) is needed


def test_without_a_locale_the_encoding_decides() -> None:
    assert not needs_ascii({}, "utf-8")
    assert needs_ascii({}, "ANSI_X3.4-1968")


def test_a_path_is_broken_before_the_name_of_its_file() -> None:
    assert wrap("Saved: /home/ana/games/records/ana-ben.kdt.", 24) == [
        "Saved:",
        "/home/ana/games/records/",
        "ana-ben.kdt.",
    ]
    assert wrap("/home/ana/games/records/ana-ben.kdt", 20) == ["/home/ana/games/reco", "rds/", "ana-ben.kdt"]


def test_a_long_word_is_broken_into_pieces_of_the_room() -> None:
    assert wrap("日" * 7, 5) == ["日日", "日日", "日日", "日"]
    assert wrap("ab " + "x" * 7 + " c", 3) == ["ab", "xxx", "xxx", "x c"]
    assert wrap("日日", 1) == ["日", "日"]
    assert wrap("", 5) == [""]


def test_excerpts_of_two_texts_that_begin_alike_show_the_difference() -> None:
    one, other = "places it above, half to the left, next to moon null", "places it above, next to moon null"
    assert apart(one, other, 26) == ("…half to the left, …", "…next to moon null")
    assert apart(one, one, 26) == ("places it above, …", "places it above, …")
    assert apart("rests", other, 26) == ("rests", "places it above, …")
    assert apart(other, f"{other} and a very long tail", 30) == ("…null", "…and a very long tail")
