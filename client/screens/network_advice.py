"""What may keep two computers from finding each other: when a screen says so, and what it says."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.panels import paragraph

ADVICE_SECONDS: Final = 20.0
"""How long a screen waits for somebody before it gives advice, unless something fails."""
SILENT_SECONDS: Final = 8.0
"""Until then a table that is announced but does not answer may only be slow."""


def connection_tips(canvas: Canvas, x: int, y: int, port: int) -> int:
    """Draws reasons why two machines may not find each other. Returns the row after them."""
    for label, text in (
        ("Network", "the same one for both, not guest Wi-Fi"),
        ("Firewall", f"allow UDP 5353; on the host also TCP {port}"),
        ("Isolation", "some Wi-Fi keeps devices apart"),
    ):
        canvas.put(x, y, label, "text", bold=True)
        y = paragraph(canvas, x + 12, y, [text])
    return y
