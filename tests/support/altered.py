"""What becomes of messages on their way (`web_seat.Between`): they are dropped, repeated, reordered and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kimberley.p2p.transport.signed_channel import unpacked
from kimberley.protocol.encoding import pack
from tests.support.web_seat import Alter, nothing


def repeat(message: bytes) -> Iterable[bytes]:
    return (message, message)


def change(message: bytes) -> Iterable[bytes]:
    """Changes what was signed, but keeps its form."""
    frame = unpacked(message)
    match frame:
        case ("signed", number, bytes() as packed, signature):
            return (pack(("signed", number, packed[:-1] + bytes([packed[-1] ^ 1]), signature)),)
    return (message[:-1] + bytes([message[-1] ^ 1]),)


class Reorder:
    """Sends each second message before the first."""

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def __call__(self, message: bytes) -> Iterable[bytes]:
        if not self._held:
            self._held.append(message)
            return ()
        return (message, self._held.pop())


ALTERED: dict[str, Callable[[], Alter]] = {
    "drops": lambda: nothing,
    "repeats": lambda: repeat,
    "reorders": Reorder,
    "changes": lambda: change,
}


def after(count: int, alter: Alter, times: int) -> Alter:
    """Alters `times` messages after the first `count`."""
    seen = 0

    def altered(message: bytes) -> Iterable[bytes]:
        nonlocal seen
        seen += 1
        return alter(message) if count < seen <= count + times else (message,)

    return altered
