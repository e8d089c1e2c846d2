"""A socket that lets a test decide which addresses this machine has."""

from __future__ import annotations

import errno


class WillingSocket:
    """A socket of a machine that has every address."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> WillingSocket:
        return self

    def __exit__(self, *_: object) -> None: ...

    def fileno(self) -> int:
        raise OSError(errno.ENODEV, "no such interface")

    def setsockopt(self, *_: object) -> None: ...

    def bind(self, *_: object) -> None: ...

    def connect(self, where: tuple[object, ...]) -> None:
        if where[1] == 9:
            raise OSError(errno.ENETUNREACH, "no default route")
