"""Plain values as JSON has them (SPEC.md, "Vectors"): bytes are `{"bytes": hex}`, large integers are text."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

Plain: TypeAlias = "bool | int | str | bytes | tuple[Plain, ...] | None"

SAFE: Final = 1 << 53
"""From here on JSON's numbers are not exact everywhere."""


def to_json(value: Any) -> Any:
    """What JSON writes for a plain value."""
    match value:
        case bool() | str() | None:
            return value
        case int():
            return value if abs(value) < SAFE else {"integer": str(value)}
        case bytes():
            return {"bytes": value.hex()}
        case tuple() | list():
            return [to_json(entry) for entry in value]
    raise TypeError(f"{value!r} is no plain value")


def spelled(value: Any) -> str:
    """A plain value as SPEC.md writes it, or what JSON holds as JSON does."""
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
    """The plain value that JSON spells. Raises ValueError."""
    match value:
        case bool() | str() | int() | None:
            return value
        case list():
            return tuple(from_json(entry) for entry in value)
        case {"bytes": str() as spelled}:
            return bytes.fromhex(spelled)
        case {"integer": str() as spelled}:
            return int(spelled)
    raise ValueError(f"{json.dumps(value)[:80]} spells no plain value")
