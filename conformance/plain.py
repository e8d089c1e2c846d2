"""Plain values, written as JSON (SPEC.md, section 27): bytes are `{"bytes": hex}`, large integers are text."""

from __future__ import annotations

import json
from typing import Any, Final

from kimberley.games.table import Plain

SAFE: Final = 1 << 53
"""From here on, numbers in JSON are not exact everywhere."""


def to_json(value: Any) -> Any:
    """Returns a plain value as JSON. Raises TypeError."""
    match value:
        case bool() | str() | None:
            return value
        case int():
            return value if abs(value) < SAFE else {"integer": str(value)}
        case bytes():
            return {"bytes": value.hex()}
        case tuple() | list():
            return [to_json(entry) for entry in value]
    raise TypeError(f"{value!r} is not a plain value")


def spelled(value: Any) -> str:
    """Returns a plain value as SPEC.md writes it; a value of JSON as JSON."""
    match value:
        case None:
            return "nil"
        case bool():
            return "true" if value else "false"
        case bytes():
            return f"<{value.hex() if len(value) <= 32 else f'{value[:16].hex()}... {len(value)} bytes'}>"
        case tuple():
            return f"({', '.join(map(spelled, value))})"
        case list():
            return f"[{', '.join(map(spelled, value))}]"
        case int():
            return str(value)
        case _:
            return json.dumps(value)


def from_json(value: Any) -> Plain:
    """Returns the plain value that JSON stands for. Raises ValueError."""
    match value:
        case bool() | str() | int() | None:
            return value
        case list():
            return tuple(from_json(entry) for entry in value)
        case {"bytes": str() as spelled}:
            return bytes.fromhex(spelled)
        case {"integer": str() as spelled}:
            return int(spelled)
    raise ValueError(f"{json.dumps(value)[:80]} is not a plain value")
