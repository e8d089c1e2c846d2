"""What a person must be told."""

from __future__ import annotations

from p2p.text import clean


class Trouble(Exception):
    """Something went wrong outside of the game. The message is a sentence for a person; it says what to do."""


class Fault(Trouble):
    """This program is at fault: an error that nobody foresaw."""

    @classmethod
    def of(cls, error: BaseException) -> Fault:
        """The sentence for an error, whose traceback belongs in the log."""
        return cls(f"This program is at fault ({clean(repr(error), 120)}); its log says more. Please report it.")
