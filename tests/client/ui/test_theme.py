"""Themes: what can be read in the dark theme can be read in all, and the terminal's background chooses one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.client.ui.palette import ROLES, Depth, Dimmed, Palette, Tint, indexed_rgb
from kimberley.client.ui.theme import (
    DARK,
    HIGH,
    LIGHT,
    QUERY,
    THEMES,
    Rgb,
    Theme,
    asks,
    background_in,
    contrast,
    luminance,
    theme_for,
    told_by,
)
from tests.client.ui.test_palette import PAIRS

EVERY = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
LEAST = {DARK: 4.5, LIGHT: 4.5, HIGH: 7.0}
REGIONS = ("uige", "lunda", "malanje", "moxico", "huila", "cuando_cubango", "sea")
SUITS = ("sun", "moon", "club", "diamond", "heart", "spade")
LANDS = ("desert", "farm", "coal", "gems", "river")
SEATS = tuple(f"seat{number}" for number in range(1, 7))
SIGNS = tuple(tuple(f"{suit}_{kind}" for suit in SUITS) for kind in ("ink", "badge", "light"))
APART = (REGIONS, LANDS, SEATS, ("london", "antwerp"), *SIGNS)
"""Colors that a board uses side by side."""
colors = st.tuples(*[st.integers(0, 255)] * 3)


@EVERY
def test_text_reaches_its_contrast_on_its_ground_in_every_theme(theme: Theme) -> None:
    palette, few = Palette(Depth.TRUE, theme), Palette(Depth.INDEXED, theme)
    close = [
        (text, ground)
        for text, ground in PAIRS
        if contrast(palette.rgb(text), palette.rgb(ground)) < LEAST[theme]
        or contrast(indexed_rgb(few.indexed(text)), indexed_rgb(few.indexed(ground))) < 4.5
    ]
    assert close == []


@EVERY
def test_no_text_is_drawn_in_its_ground_in_sixteen_colors(theme: Theme) -> None:
    palette = Palette(Depth.BASIC, theme)
    for text, ground in PAIRS:
        assert palette.basic(text) != palette.basic(ground), (text, ground)


@EVERY
@pytest.mark.parametrize("group", APART, ids=lambda group: group[0])
def test_what_lies_side_by_side_on_a_board_stays_apart(theme: Theme, group: tuple[str, ...]) -> None:
    palette = Palette(Depth.TRUE, theme)
    for number, one in enumerate(group):
        for other in group[number + 1 :]:
            distance = sum((a - b) ** 2 for a, b in zip(palette.rgb(one), palette.rgb(other), strict=True))
            assert distance >= 18**2, (one, other)


@given(colors, colors)
def test_the_light_theme_keeps_every_ratio_of_contrast(one: Rgb, other: Rgb) -> None:
    before, after = contrast(one, other), contrast(LIGHT.rgb(one), LIGHT.rgb(other))
    assert after == pytest.approx(before, rel=0.06)
    assert (luminance(one) > luminance(other)) <= (luminance(LIGHT.rgb(one)) <= luminance(LIGHT.rgb(other)) + 0.01)


@given(colors)
def test_high_contrast_moves_no_color_towards_the_middle(rgb: Rgb) -> None:
    black, white = (0, 0, 0), (255, 255, 255)
    before, after = (
        contrast(rgb, black) / contrast(rgb, white),
        contrast(HIGH.rgb(rgb), black) / contrast(HIGH.rgb(rgb), white),
    )
    assert after <= before * 1.05 if before < 1 else after >= before * 0.95


def test_the_dark_theme_is_the_palette_as_it_is_written() -> None:
    palette = Palette(Depth.TRUE)
    for role, color in ROLES.items():
        assert palette.rgb(role) == color.rgb
    assert palette.rgb(Tint(1, 2, 3, "ink")) == (1, 2, 3)


def test_mixtures_and_dimmed_colors_follow_the_theme() -> None:
    light = Palette(Depth.TRUE, LIGHT)
    assert luminance(light.rgb("ink")) > 0.8
    assert light.rgb(light.mixed("ink", "text", 0.0)) == light.rgb("ink")
    faint = contrast(light.rgb(Dimmed("text")), light.rgb("ink"))
    assert 1 < faint < contrast(light.rgb("text"), light.rgb("ink"))


def test_a_black_piece_is_black_in_every_theme() -> None:
    for theme in THEMES.values():
        palette = Palette(Depth.TRUE, theme)
        assert palette.rgb("black_piece") == (0, 0, 0)
        assert luminance(palette.rgb("white_piece")) > 0.8


# -- the terminal's background -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "ground"),
    [
        ("11;rgb:ffff/ffff/ffff", (255, 255, 255)),
        ("11;rgb:00/2b/36", (0, 43, 54)),
        ("11;rgb:f/f/f", (255, 255, 255)),
        ("11;rgba:1e1e/1e1e/1e1e/ffff", (30, 30, 30)),
        ("11;rgb:fffff/0/0", None),
        ("11;rgb:ff/ff", None),
        ("11;?", None),
        ("10;rgb:f/f/f", None),
    ],
)
def test_an_answer_tells_the_background(answer: str, ground: Rgb | None) -> None:
    assert background_in(answer) == ground


def test_a_background_chooses_the_theme() -> None:
    assert theme_for((255, 255, 255)) is LIGHT
    assert theme_for((253, 246, 227)) is LIGHT
    assert theme_for((0, 43, 54)) is DARK
    assert told_by({"COLORFGBG": "0;15"}) is LIGHT
    assert told_by({"COLORFGBG": "15;default;0"}) is DARK
    assert told_by({"COLORFGBG": "default"}) is None
    assert told_by({}) is None


@pytest.mark.parametrize("term", ["linux", "dumb", "vt100", "", "ansi"])
def test_terminals_that_might_show_the_question_are_not_asked(term: str) -> None:
    assert not asks({"TERM": term})
    assert asks({"TERM": "tmux-256color"})
    assert not asks({"TERM": "xterm-256color", "NO_COLOR": "1"})
    assert QUERY.startswith("\x1b]11;?")
