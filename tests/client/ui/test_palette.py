"""Colors at every depth, and that they can be read."""

from __future__ import annotations

import pytest

from kimberley.client.ui.palette import (
    ROLES,
    Depth,
    Dimmed,
    Palette,
    contrast,
    depth_named,
    detect_depth,
    indexed_rgb,
    mix,
    nearest_index,
)  # fmt: skip

GROUNDS = ("ink", "panel", "raised", "button")
TEXTS = ("text", "soft", "ice", "money", "ok", "warning", "heart", "london_light", "antwerp_light")
PAIRS = [(text, ground) for ground in GROUNDS for text in TEXTS]
PAIRS += [(f"seat{n}", ground) for n in range(1, 7) for ground in GROUNDS]
PAIRS += [("ink", ground) for ground in ("paper", "ice", "ok", "money")]
PAIRS += [("faded", "paper"), ("london_text", "london"), ("antwerp_text", "antwerp"), ("bright", "alarm")]
PAIRS += [("bright", region) for region in ("uige", "lunda", "malanje", "moxico", "huila", "cuando_cubango")]
PAIRS += [("text", "line")]
SUITS = ("sun", "moon", "club", "diamond", "heart", "spade")
PAIRS += [(f"{suit}_ink", ground) for suit in SUITS for ground in ("sand", "paper")]
PAIRS += [("bright", f"{suit}_badge") for suit in SUITS]
PAIRS += [(f"{suit}_light", ground) for suit in SUITS for ground in GROUNDS]
PAIRS += [("sand_ink", "sand"), ("sand_ink", "paper"), ("ok", "ghost"), ("ink", "sand"), ("bright", "ghost")]


def test_text_reaches_wcag_aa_on_its_ground() -> None:
    close = [
        (text, ground)
        for text, ground in PAIRS
        if contrast(ROLES[text].rgb, ROLES[ground].rgb) < 4.5
        or contrast(indexed_rgb(ROLES[text].indexed), indexed_rgb(ROLES[ground].indexed)) < 4.5
    ]
    assert close == []


def test_text_is_never_drawn_in_its_ground_in_sixteen_colours() -> None:
    for text, ground in PAIRS:
        assert ROLES[text].basic != ROLES[ground].basic, (text, ground)


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Depth.TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, Depth.TRUE),
        ({"TERM": "xterm-direct"}, Depth.TRUE),
        ({"TERM": "xterm-256color"}, Depth.INDEXED),
        ({"TERM": "screen-256color", "COLORTERM": ""}, Depth.INDEXED),
        ({"TERM": "xterm"}, Depth.BASIC),
        ({"TERM": "linux"}, Depth.BASIC),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Depth.NONE),
        ({"TERM": "vt100"}, Depth.NONE),
        ({}, Depth.NONE),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Depth.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Depth.INDEXED),
    ],
)
def test_the_depth_is_what_the_environment_says(environ: dict[str, str], depth: Depth) -> None:
    assert detect_depth(environ) is depth


def test_a_setting_names_a_depth() -> None:
    assert depth_named("8-bit") is Depth.INDEXED
    assert depth_named("auto") is None


def test_styles_at_each_depth() -> None:
    assert Palette(Depth.TRUE).style("ice", "ink", True) == "bold fg:#9be7f5 bg:#0e1118"
    assert Palette(Depth.INDEXED).style("ice", "ink") == "fg:#afffff bg:#121212"
    assert Palette(Depth.BASIC).style("london_text", "london") == "fg:ansiwhite bg:ansiblue"
    assert Palette(Depth.NONE).style("ink", "paper", True) == "bold reverse"
    assert Palette(Depth.NONE).style("text", "panel", underline=True) == "underline"


def test_a_mixture_shows_only_where_it_can() -> None:
    true, indexed = Palette(Depth.TRUE), Palette(Depth.INDEXED)
    tint = true.mixed("bright", "ink", 0.5, "line")
    assert true.rgb(tint) == mix((255, 255, 255), (14, 17, 24), 0.5)
    assert true.style(tint, "ink").startswith("fg:#{:02x}{:02x}{:02x}".format(*true.rgb(tint)))
    assert indexed.style(tint, "ink") == indexed.style("line", "ink")
    assert Palette(Depth.NONE).style("ink", true.mixed("paper", "ink", 0.2)) == "reverse"


def test_dimming_goes_half_way_to_the_ink() -> None:
    true = Palette(Depth.TRUE)
    assert true.rgb(Dimmed("bright")) == mix((255, 255, 255), (14, 17, 24), 0.5)
    assert true.rgb(Dimmed("ink", 62)) == ROLES["ink"].rgb
    assert Palette(Depth.BASIC).style(Dimmed("money"), Dimmed("paper")) == "fg:ansibrightblack bg:ansiblack"
    assert "reverse" not in Palette(Depth.NONE).style("ink", Dimmed("paper"))


def test_the_nearest_index_of_an_index_is_itself() -> None:
    for index in range(16, 256):
        assert indexed_rgb(nearest_index(indexed_rgb(index))) == indexed_rgb(index)


def test_an_unknown_role_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        Palette(Depth.TRUE).style("mauve", "ink")
