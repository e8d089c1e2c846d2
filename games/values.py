"""What choices, options and answers are made of."""

from __future__ import annotations

from typing import Any, Final, NoReturn, TypeAlias, final

Plain: TypeAlias = "bool | int | str | bytes | tuple[Plain, ...] | None"
"""What choices, options and results are made of. Plain values travel as they are (SPEC.md, "Canonical encoding")."""


class Unreadable(ValueError):
    """Plain data that does not spell a choice of the space; the message says what was expected."""


@final
class Hidden:
    """The single unknown: no arithmetic, no order, no truth value; equal only to itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "HIDDEN"

    def __bool__(self) -> NoReturn:
        raise TypeError("HIDDEN has no truth value: ask `is HIDDEN` first")

    def __copy__(self) -> Hidden:
        return self

    def __deepcopy__(self, memo: object) -> Hidden:
        return self

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = Hidden()


@final
class Nothing:
    """What the receiver of a tell gets where its tally was not above the other, or where it could not read what
    arrived.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "NOTHING"


NOTHING: Final = Nothing()


Answer: TypeAlias = Any
"""What the table answers to an ask: see each ask."""
