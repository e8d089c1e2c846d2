"""JSON Schema 2020-12, as far as the schemas of this project go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "string": str,
    "array": list,
    "object": dict,
}
KEYWORDS: Final = {
    *("$ref", "anyOf", "type", "const", "enum", "pattern", "items", "prefixItems", "minItems", "maxItems"),
    *("properties", "required", "additionalProperties", "description", "$defs", "$schema", "title"),
}


def has_type(value: object, name: str) -> bool:
    return isinstance(value, TYPES[name]) and (name != "integer" or not isinstance(value, bool))


def fault(schema: Mapping[str, Any], value: Any, root: Mapping[str, Any], path: str = "$") -> str | None:
    """Where a value breaks a schema, or None; references lead into the `root`."""
    unknown = set(schema) - KEYWORDS
    assert not unknown, unknown
    if "$ref" in schema:
        return fault(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, root, path)
    if "anyOf" in schema:
        faults = [fault(one, value, root, path) for one in schema["anyOf"]]
        return None if None in faults else f"{path}: {faults}"
    names = schema.get("type", [])
    if names and not any(has_type(value, name) for name in ([names] if isinstance(names, str) else names)):
        return f"{path} is no {names}"
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        return f"{path} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{path} is none of {schema['enum']}"
    if isinstance(value, str):
        return None if re.search(schema.get("pattern", ""), value) else f"{path} is no {schema['pattern']}"
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        if len(value) < schema.get("minItems", 0):
            return f"{path} is too short"
        if len(value) > schema.get("maxItems", len(value)):
            return f"{path} is too long"
        pairs = [*zip(first, value, strict=False), *((schema.get("items", {}), entry) for entry in value[len(first) :])]
        return next(
            (f for at, (one, entry) in enumerate(pairs) if (f := fault(one, entry, root, f"{path}[{at}]"))), None
        )
    if isinstance(value, dict):
        if missing := set(schema.get("required", [])) - set(value):
            return f"{path} lacks {missing}"
        others = schema.get("additionalProperties", True)
        for key, entry in value.items():
            one = schema.get("properties", {}).get(key, others)
            if one is False:
                return f"{path} must not have {key}"
            if one is not True and (found := fault(one, entry, root, f"{path}.{key}")):
                return found
    return None
