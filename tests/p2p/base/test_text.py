"""Text of other people is made safe to show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.p2p.base.text import clean
from kimberley.p2p.base.unassigned import is_assigned
from kimberley.p2p.storage.identity import nickname_from


def test_what_moves_the_cursor_or_turns_the_direction_is_gone() -> None:
    assert clean("a\x1b[2Jb\x07c\x9bd") == "a[2Jbcd"
    assert clean("abc\u202edef\u2066ghi\u200f") == "abcdefghi"
    assert clean("zero\u200bwidth\ufeff") == "zerowidth"
    assert clean("\U000e0041tag") == "tag"


IGNORABLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u200b\u2060\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff0"
    "\U0001bca0\U0001d173\U000e0100\U000e01ef"
)


@pytest.mark.parametrize("character", IGNORABLE, ids=ascii)
def test_characters_that_leave_no_trace_are_gone(character: str) -> None:
    assert clean(f"{character}a{character}na{character}") == "ana"
    assert nickname_from(character) == "player"


@pytest.mark.parametrize("character", ["\U0001fae8", "\u0cf3", "\u1c89", "\uffff"], ids=ascii)
def test_a_nickname_is_the_same_whatever_version_of_unicode_python_has(
    character: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    category = unicodedata.category
    monkeypatch.setattr(unicodedata, "category", lambda one: "So" if one == character else category(one))
    assert nickname_from(f"a{character}b") == "ab"


@pytest.mark.slow
def test_what_unicode_14_assigns_is_assigned_here() -> None:
    lacking = [point for point in range(0x110000) if unicodedata.category(chr(point)) == "Cn"]
    if unicodedata.unidata_version == "14.0.0":
        assert lacking == [point for point in range(0x110000) if not is_assigned(chr(point))]
    assert not any(is_assigned(chr(point)) for point in lacking)


def test_it_stays_on_one_line() -> None:
    assert clean(" one\r\ntwo\tthree\u2028four\u2029five  ") == "one two three four five"


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("Ana", "Ægir & Þóra", "キンバリー", "Лондон!", "5 < 6", "é"):
        assert clean(text) == text


def test_marks_do_not_pile_up() -> None:
    assert len(clean("x" + "\u0301\u0316" * 40)) <= 3


@given(st.text(), st.integers(1, 40))
def test_any_text_is_short_visible_and_clean_already_afterwards(text: str, limit: int) -> None:
    cleaned = clean(text, limit)
    assert len(cleaned) <= limit
    assert all(unicodedata.category(character)[0] != "C" for character in cleaned)
    assert "  " not in cleaned
    assert cleaned == cleaned.strip()
    assert clean(cleaned, limit) == cleaned
