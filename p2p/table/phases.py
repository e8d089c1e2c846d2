"""The phases of a table at one seat (SPEC.md, section 9.4): an object for each, which holds the game of that phase and
says what the table does in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, Literal, TypeAlias

from kimberley.games.table import Plain
from kimberley.p2p.table.match import Match
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.play import NotAllowed

PhaseName: TypeAlias = Literal["open", "words", "playing", "closing", "done", "failed"]


class NoCatchUp:
    """What a table has in place of a `CatchUp` without a game: there are no envelopes."""

    unbegun: Final = False

    def on_reconnect(self, link: Link) -> None: ...
    def on_have(self, link: Link, frame: Frame) -> bool:
        return False

    def on_referee_has(self, frame: Frame) -> bool:
        return False

    def has_begun(self, link: Link) -> bool:
        return False

    def proof(self) -> tuple[Frame, ...]:
        return ()


class NoMatch:
    """What a table has in place of a `Match` before any roster is signed: nothing is asked, nobody has left, and what
    arrives belongs to no game.
    """

    game_id: Final = None
    phrase: Final = None
    asked: Final = None
    final_adjustment: Final = None
    begun: Final = False
    resumed: Final = False
    practice: Final = False
    resigned: Final = False
    held_back: Final = False
    unsaved: Final = False
    left: Final[tuple[int, ...]] = ()
    people: Final[tuple[tuple[bytes, str], ...]] = ()
    catch_up: Final = NoCatchUp()

    def __init__(self) -> None:
        self.attestations: dict[bytes, Attestation] = {}

    def needs(self, seat: int) -> bool:
        return False

    def choose(self, choice: Plain, *, final: bool = True) -> None:
        raise NotAllowed("it is not your turn")

    def resign(self) -> None: ...
    def receive(self, envelope: bytes) -> None: ...
    async def wait_for_room(self) -> None: ...
    def call_after(self, callback: Callable[[], None]) -> None:
        callback()

    async def stop(self) -> None: ...
    def discard(self, *, kept: bool = False) -> None: ...
    def release(self, *, kept: bool) -> None: ...


class Phase:
    """Where a table stands, at one seat."""

    name: ClassVar[PhaseName]
    """The name for people and logs."""
    is_open: ClassVar[bool] = False
    """Whether seats are given, and their players say whether they are ready."""
    before_game: ClassVar[bool] = False
    """Whether no game has begun, so that a player who leaves only frees a seat."""
    plays: ClassVar[bool] = False
    """Whether the game goes on: its players choose, and can leave it or adjourn it."""
    is_over: ClassVar[bool] = False
    """Whether a game is over, so that all can agree on another one."""
    between_games: ClassVar[bool] = False
    """Whether the host may begin a round of seating."""
    compared: Match | None = None
    """The game whose words are being compared."""
    played: Match | None = None
    """The game that is being played, until all have signed its verdict."""

    def __init__(self, match: Match | NoMatch) -> None:
        self.match = match
        """The game whose roster is signed. It stays until the next one: seats that are behind still need it."""


class OpenPhase(Phase):
    """Players come and go, until all have signed a roster. The `match` is the last game."""

    name = "open"
    is_open = before_game = between_games = True


class WordsPhase(Phase):
    """All have signed, and compare the words."""

    name = "words"
    before_game = True

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.compared = match


class GamePhase(Phase):
    """The game has begun, and not all have signed its verdict yet."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.played = match


class PlayingPhase(GamePhase):
    """The game has no result yet."""

    name = "playing"
    plays = True


class ClosingPhase(GamePhase):
    """The game has its result. All seats publish what they hid, and sign the verdict."""

    name = "closing"


class DonePhase(Phase):
    """The game is over, and its record is kept."""

    name = "done"
    is_over = between_games = True


class FailedPhase(Phase):
    """The table has ended for this seat."""

    name = "failed"
