"""A canvas as SVG: nothing of it is lost, and areas meet without gaps."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.terminal_svg import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(canvas: Canvas) -> ElementTree.Element:
    return ElementTree.fromstring(svg(canvas, "a <test>"))


def pixels(picture: ElementTree.Element, width: int, height: int) -> dict[tuple[int, int], str]:
    """Returns the color of each half cell. Fails where two areas overlap."""
    found: dict[tuple[int, int], str] = {}
    for path in picture.findall(f"{NAMESPACE}g/{NAMESPACE}path"):
        for x, y, wide, high in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", path.attrib["d"]):
            for column in range(int(x), int(x) + int(wide)):
                for row in range(int(y), int(y) + int(high)):
                    assert (column, row) not in found
                    found[column, row] = path.attrib["fill"]
    assert len(found) == width * height * 2
    return found


def test_backgrounds_and_half_blocks_cover_the_canvas_once() -> None:
    canvas = Canvas(7, 3)
    canvas.fill(1, 0, 3, 2, "panel")
    canvas.put(2, 0, "▀▄█", "ice")
    found = pixels(drawn(canvas), 7, 3)
    ice, panel, ink = "#9be7f5", "#181d28", "#0e1118"
    assert [found[x, 0] for x in range(7)] == [ink, panel, ice, panel, ice, ink, ink]
    assert [found[x, 1] for x in range(7)] == [ink, panel, panel, ice, ice, ink, ink]
    assert [found[x, 2] for x in range(7)] == [ink, panel, panel, panel, ink, ink, ink]


def test_every_letter_stands_in_its_cell() -> None:
    canvas = Canvas(20, 2)
    canvas.put(1, 1, "ab <c>", "money", bold=True)
    first, second = drawn(canvas).findall(f"{NAMESPACE}text")
    assert (first.text, first.attrib["x"], first.attrib["font-weight"]) == ("ab", "10 20", "bold")
    assert (second.text, second.attrib["x"], second.attrib["fill"]) == ("<c>", "40 50 60", "#f0cf6b")


def test_lines_and_braille_are_shapes() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "─╮⠁⣿", "line")
    picture = drawn(canvas)
    lines, dots = picture.findall(f"{NAMESPACE}path")
    assert not picture.findall(f"{NAMESPACE}text")
    assert lines.attrib["d"] == "M0 0m0 10h10M10 0m0 10q5 0 5 5v5"
    assert dots.attrib["d"].count("M") == 1 + 8
