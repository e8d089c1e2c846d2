"""How a case ends if it does not simply pass, and the checks that end it."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Failed(Exception):
    """The target does not do what the case expects; the sentence says what it did."""


class Late(Failed):
    """The target did not do in time what the case waits for."""


def expect(holds: object, failure: str) -> None:
    """Raises Failed unless something holds. `failure` says what the target did instead."""
    if not holds:
        raise Failed(failure)


def typed(value: object, kind: type[T]) -> T:
    """Returns a value of the suite itself, narrowed to a type. Raises TypeError: the suite is wrong, not the target."""
    if not isinstance(value, kind):
        raise TypeError(f"a {type(value).__name__} where the suite needs a {kind.__name__}")
    return value


def present(value: T | None) -> T:
    """Returns a value of the suite that must be set by now. Raises TypeError: the suite is wrong, not the target."""
    if value is None:
        raise TypeError("the suite needs a value that is not set yet")
    return value


class NotClaimed(Exception):
    """The target's profile does not name what the case needs."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the target's profile does not name `{name}`")
        self.name = name


class Unimplemented(Exception):
    """The target says that it lacks what the case needs."""


class Noted(Exception):
    """Nothing is required here. The sentence says what the target does."""
