"""Errors whose message is written for a person."""

from __future__ import annotations

from kimberley.p2p.base.text import clean


class UserError(Exception):
    """Something outside the game went wrong. The message is a sentence for a person and says what to do."""


class NotRetryable(UserError):
    """The same error comes if the same is tried again."""


class NoHomeError(UserError):
    """The system knows no home folder of this user, as in some containers, so there is no usual place for files."""

    def __init__(self) -> None:
        super().__init__("This user has no home folder. Choose a folder for your games with --data, or set HOME.")


class InternalError(UserError):
    """A fault of this program that nobody foresaw."""

    @classmethod
    def of(cls, error: BaseException) -> InternalError:
        """Returns the error to show for `error`. Its traceback belongs in the log."""
        return cls(
            f"Something went wrong in the program ({clean(repr(error), 120)}); the log has details. Please report it."
        )


def reason_of(error: BaseException) -> str:
    """Returns why something failed, for a log. The error of a timeout has no text."""
    return clean(str(error)) or "it took too long"


def sentence_of(error: BaseException) -> str:
    """Returns what to tell a person about an error that nobody handled."""
    return str(error if isinstance(error, UserError) else InternalError.of(error))
