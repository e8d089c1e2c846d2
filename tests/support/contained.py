"""Checks that no seat knows anything false: its state is contained in every state that knows more."""

from __future__ import annotations

from kimberley.games.table import HIDDEN


def first_difference(less: object, more: object) -> str | None:
    """Returns None if `less` is `more` with some leaves HIDDEN; else the place in the state where they differ."""
    return Contained().difference(less, more)


class Contained:
    """Compares the states of a game, step by step. Pairs of objects that were found in order before are skipped."""

    def __init__(self) -> None:
        self._in_order: dict[tuple[int, int], tuple[object, object]] = {}

    def difference(self, less: object, more: object) -> str | None:
        """Returns what `first_difference` does."""
        where = self._differ(less, more)
        return None if where is None else f"state{where}"

    def _differ(self, less: object, more: object) -> str | None:
        if less is HIDDEN or less is more:
            return None
        names = getattr(less, "__dataclass_fields__", ()) if type(less) is type(more) else ()
        arrays = isinstance(less, tuple) and isinstance(more, tuple) and len(less) == len(more)
        if not names and not arrays:
            return None if type(less) is type(more) and less == more else f": {less!r} is not {more!r}"
        pair = id(less), id(more)
        if pair in self._in_order:
            return None
        if names:
            for name in names:
                if (where := self._differ(getattr(less, name), getattr(more, name))) is not None:
                    return f".{name}{where}"
        elif isinstance(less, tuple) and isinstance(more, tuple):
            for index, (a, b) in enumerate(zip(less, more, strict=True)):
                if (where := self._differ(a, b)) is not None:
                    return f"[{index}]{where}"
        self._in_order[pair] = less, more
        return None
