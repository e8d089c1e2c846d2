"""Pictures that follow each other, as one SVG picture."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.terminal_svg import UNIT, color_code, drawing, escaped, opening


def moving_svg(frames: Sequence[tuple[Canvas, str, float]], title: str) -> str:
    """Returns an SVG in which pictures of one size follow each other again and again, with captions and seconds.

    They change by CSS, without scripts, so they also move as an image of a page. Where motion is not wanted, the first
    one stays.
    """
    width, height = frames[0][0].width * UNIT, (frames[0][0].height + 2) * 2 * UNIT
    whole, begins = sum(seconds for _, _, seconds in frames), 0.0
    rules, drawn = [], []
    for number, (canvas, caption, seconds) in enumerate(frames):
        first, last = 100 * begins / whole, 100 * (begins + seconds) / whole
        begins += seconds
        shown = "1" if number == 0 else "0"
        rules.append(
            f".f{number}{{opacity:{shown};animation:k{number} {whole:g}s step-end infinite}}"
            f"@keyframes k{number}{{0%{{opacity:{shown}}}{first:.3f}%{{opacity:1}}{last:.3f}%,to{{opacity:0}}}}"
        )
        at = f'x="{2 * UNIT}" y="{height - 1.5 * UNIT:g}"'
        text = f'<text {at} fill="{color_code(canvas, "text")}">{escaped(caption)}</text>'
        ground = f'<path fill="{color_code(canvas, "raised")}" d="M0 {height - 4 * UNIT}h{width}v{4 * UNIT}H0z"/>'
        drawn += [f'<g class="f{number}">', *drawing(canvas), ground, text, "</g>"]
    rules.append("@media (prefers-reduced-motion:reduce){g{animation:none!important}}")
    return "\n".join((opening(width, height, title), f"<style>{''.join(rules)}</style>", *drawn, "</svg>")) + "\n"
