"""Finished games as the page shows them: audited from their records, moment by moment.

An audit takes up to some seconds, so each game is audited once, one at a time, in the background. Pictures are drawn
once, and kept.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from markupsafe import Markup

from kimberley.p2p.base.platform import in_background
from kimberley.p2p.tournament.page_games import PageGame, PageGames, SeatMark
from kimberley.referee.pages.packed_cache import PackedCache

MOST_GAMES: Final = 16
"""Games whose positions are kept."""
MOST_PICTURES: Final = 16 << 20
"""Bytes of their pictures, compressed."""


class ReplayedGame:
    """A finished game, with pictures that are kept."""

    def __init__(self, digest: bytes, drawn: PageGame, pictures: PackedCache) -> None:
        self.drawn = drawn
        self._digest, self._pictures = digest, pictures

    def picture(self, at: int) -> Markup:
        """Returns a position."""
        return self._kept("wide", at, self.drawn.picture)

    def tall(self, at: int) -> Markup:
        """Returns a position for a phone; empty if the board has no such form."""
        return self._kept("tall", at, self.drawn.tall)

    def _kept(self, form: str, at: int, draw: Callable[[int], Markup]) -> Markup:
        kept = self._pictures.made((self._digest, at, form), None, lambda: draw(at).encode())
        assert kept is not None
        return Markup(kept.body.decode())


class ReplayedGames:
    """The finished games of a tournament, by the digest of their records."""

    def __init__(self, record: Callable[[bytes], bytes | None], games: PageGames) -> None:
        """Takes `record`, which returns the record with a SHA-256, or None, and `games`, which draws them."""
        self._record, self._drawn_games = record, games
        self._games: OrderedDict[bytes, ReplayedGame] = OrderedDict()
        self._marks: dict[bytes, tuple[SeatMark, ...]] = {}
        self._pictures = PackedCache(MOST_PICTURES)
        self._turn = asyncio.Lock()

    async def load(self, digest: bytes) -> ReplayedGame | None:
        """Returns the game of a record, audited unless it is kept; None if there is no such record. The event loop goes
        on meanwhile.
        """
        async with self._turn:
            if digest not in self._games:
                if (data := self._record(digest)) is None:
                    return None
                drawn = await in_background(self._drawn_games.finished, data)
                self._games[digest], self._marks[digest] = ReplayedGame(digest, drawn, self._pictures), drawn.marks
                while len(self._games) > MOST_GAMES:
                    self._games.popitem(last=False)
            self._games.move_to_end(digest)
            return self._games[digest]

    def marks(self, digest: bytes | None) -> Sequence[SeatMark]:
        """Returns how the board marks the seats of a game, if it was ever loaded."""
        return self._marks.get(digest, ()) if digest is not None else ()
