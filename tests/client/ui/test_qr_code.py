"""QR codes: what a terminal shows is what the encoder made, dark on light, and only where it can be read."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import pytest
import segno

from kimberley.client.ui import qr_code
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.qr_code import QUIET, can_show_codes, code_lines, draw_code, printed_code

COMMAND = "kimberley join 192.168.1.7"


@pytest.mark.parametrize("text", [COMMAND, "kimberley join [fe80::5054:ff:fe12:3456%eth0]:7412"])
def test_each_half_of_a_cell_is_a_module(text: str) -> None:
    made = segno.make(text, error="l", micro=False, boost_error=False)
    modules = [list(row) for row in made.matrix_iter(border=QUIET)]
    upper, lower = {"█", "▀"}, {"█", "▄"}
    shown = [[cell in half for cell in line] for line in code_lines(text) for half in (upper, lower)]
    assert shown[: len(modules)] == [[bool(module) for module in row] for row in modules]
    assert not any(any(row) for row in shown[len(modules) :])
    quiet = [row[:QUIET] + row[-QUIET:] for row in shown] + shown[:QUIET] + shown[-QUIET:]
    assert not any(any(row) for row in quiet)


@pytest.mark.parametrize("depth", [depth for depth in Depth if depth is not Depth.NONE])
def test_it_is_ink_on_paper_at_every_depth(depth: Depth) -> None:
    canvas = Canvas(80, 24, Palette(depth))
    assert can_show_codes(canvas)
    lines = code_lines(COMMAND)
    draw_code(canvas, 0, 0, lines)
    assert canvas.lines()[: len(lines)] == [line.rstrip() for line in lines]
    palette = canvas.palette
    assert sum(palette.rgb("ink")) < sum(palette.rgb("paper")) / 4


def test_it_is_not_shown_where_nobody_could_read_it() -> None:
    assert not can_show_codes(Canvas(80, 24, Palette(Depth.NONE)))
    assert not can_show_codes(Canvas(80, 24, Palette(Depth.TRUE), ascii_only=True))
    assert printed_code(COMMAND) == []


@pytest.mark.parametrize(("columns", "rows", "fits"), [(80, 24, True), (32, 24, False), (80, 17, False)])
def test_it_is_printed_only_where_it_fits(columns: int, rows: int, fits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True, fileno=lambda: 1))
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((columns, rows)))
    monkeypatch.setattr(qr_code, "needs_ascii", lambda: False)
    monkeypatch.setattr(qr_code, "detect_depth", lambda: Depth.INDEXED)
    assert bool(printed_code(COMMAND)) == fits
