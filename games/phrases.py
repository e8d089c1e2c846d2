"""The grammar of lists and plurals, for every sentence that is put together."""

from __future__ import annotations

from collections.abc import Sequence


def join_names(names: Sequence[str], last: str = "and") -> str:
    """Returns the names in a sentence: "ana, ben and carla". `last` stands before the last one."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def count_of(number: int, what: str) -> str:
    """Returns a number of things in words: "1 seat", "2 seats"."""
    return f"{number} {what}{'s' * (number != 1)}"


__all__ = ["count_of", "join_names"]
