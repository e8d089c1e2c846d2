"""What is known about a game: the interface for everything that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kimberley.games.table import Answer, Ask, Result, State

if TYPE_CHECKING:
    from kimberley.protocol.roster import SignedRoster


class SeenGame(Protocol):
    """What somebody knows about a running game: a part of a `protocol.peer.Peer`, or of its view."""

    @property
    def first_state(self) -> State:
        """The first state of the game: all that is in it is public."""

    @property
    def state(self) -> State: ...
    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]: ...
    @property
    def waiting(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> Result | None: ...


class SpectatedGame(SeenGame, Protocol):
    """What a spectator knows: a part of a peer without a seat."""

    @property
    def table(self) -> SignedRoster: ...
