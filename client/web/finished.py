"""Finished games as the page shows them: audited from their records, with nothing hidden any more, moment by moment.

An audit takes up to some seconds, so each game is audited once, one at a time, in the background. Pictures are drawn
once, and kept.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from kimberley.client.boards.game_board import dossier_of
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.registry import timeline_of
from kimberley.client.boards.report import Dossier, GameCurve
from kimberley.client.session.reviewing import ReviewTrouble, check_reviewable, is_whole
from kimberley.client.web.boards import SeatMark
from kimberley.client.web.packed_cache import PackedCache
from kimberley.client.web.picture import css_color, position_html, spans_html, tall_html
from kimberley.client.web.review_work import LEVEL
from kimberley.games import lookup
from kimberley.p2p.base.platform import in_background
from kimberley.protocol.audit import AuditedGame, CannotBeAudited, Verdict, audit

MOST_GAMES: Final = 16
"""Games whose positions are kept."""
MOST_PICTURES: Final = 16 << 20
"""Bytes of their pictures, compressed."""
DOSSIER_COLUMNS: Final = 100
"""Columns for which a board lays out its dossier."""


class Moment(NamedTuple):
    """What happened before a position. `heading` begins a chapter, and is empty within it."""

    at: int
    heading: str
    lines: tuple[Markup, ...]


class DossierLine(NamedTuple):
    """A line of the dossier, with the position that it is about."""

    at: int | None
    cells: tuple[Markup, ...]

    def continued(self, cells: Sequence[Markup]) -> DossierLine:
        """This line with more in its cells."""
        return self._replace(
            cells=tuple(Markup(" ").join(filter(None, both)) for both in zip(self.cells, cells, strict=True))
        )


class ReplayedGame:
    """A finished game: its verdict, and all positions with what led to them; no positions if nothing can be shown."""

    def __init__(
        self,
        digest: bytes,
        verdict: Verdict,
        timeline: GameTimeline | None,
        reviewable: bool,
        pictures: PackedCache,
    ) -> None:
        self.verdict = verdict
        self.reviewable = reviewable
        """Whether each choice can be judged here."""
        self.last = len(timeline.steps) if timeline is not None else 0
        """The number of the last position. The start is number 0."""
        self.marks: tuple[SeatMark, ...] = ()
        self.curve: GameCurve | None = None
        self.moments: tuple[Moment, ...] = ()
        self.dossier: Dossier | None = None
        self._digest, self._timeline, self._pictures = digest, timeline, pictures
        if timeline is not None:
            marks = timeline.game.marks(timeline.latest)
            self.marks = tuple(SeatMark(sign, css_color(color)) for sign, color in marks)
            self.curve = timeline.curve()
            self.moments = tuple(_moments(timeline))
            self.dossier = dossier_of(timeline) if timeline.result is not None else None

    @property
    def shown(self) -> bool:
        """Returns whether there are positions to show."""
        return self._timeline is not None

    @property
    def unit(self) -> str:
        """The word for one position: "move"."""
        return "" if self._timeline is None else self._timeline.unit

    def picture(self, at: int) -> Markup:
        """Returns a position."""
        return self._drawn(position_html, at)

    def tall(self, at: int) -> Markup:
        """Returns a position for a phone; empty if the board has no such form."""
        return self._drawn(tall_html, at)

    def _drawn(self, draw: Callable[[GameTimeline, int], str], at: int) -> Markup:
        timeline = self._timeline
        assert timeline is not None
        kept = self._pictures.made((self._digest, at, draw), None, lambda: draw(timeline, at).encode())
        assert kept is not None
        return Markup(kept.body.decode())

    def told(self, at: int) -> str:
        """Returns what happened before a position, as plain text."""
        if self._timeline is None or not at:
            return "The game begins."
        return self._timeline.describe_event(at)

    def leap(self, at: int, way: int) -> int:
        """Returns the position a chapter further (+1) or back (-1)."""
        assert self._timeline is not None
        return min(max(0, self._timeline.leap(at, way)), self.last)

    def position_of(self, step: int) -> int:
        """Returns the position after a step of the record."""
        return bisect_right(self._timeline.steps, step) if self._timeline is not None else 0

    def words(self) -> Sequence[str]:
        """Returns the last position in sentences."""
        return () if self._timeline is None else self._timeline.describe()

    def dossier_table(self) -> tuple[tuple[str, ...], tuple[DossierLine, ...]]:
        """Returns the headings and the lines of the dossier; both are empty if there is none."""
        if self.dossier is None:
            return (), ()
        columns, rows = self.dossier.build(DOSSIER_COLUMNS)
        lines: list[DossierLine] = []
        before: int | None = None
        for row in rows:
            cells = tuple(map(spans_html, row.cells))
            if lines and row.step == before and sum(map(bool, cells)) == 1:
                # What a board breaks into lines is one cell here.
                lines[-1] = lines[-1].continued(cells)
            else:
                lines.append(DossierLine(None if row.step is None else self.position_of(row.step), cells))
            before = row.step
        return tuple(column.heading for column in columns), tuple(lines)


class ReplayedGames:
    """The finished games of a tournament, by the digest of their records."""

    def __init__(self, record: Callable[[bytes], bytes | None]) -> None:
        """`record` returns the record with a SHA-256, or None."""
        self._record = record
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
                game = ReplayedGame(digest, *await in_background(_audited, data), self._pictures)
                self._games[digest], self._marks[digest] = game, game.marks
                while len(self._games) > MOST_GAMES:
                    self._games.popitem(last=False)
            self._games.move_to_end(digest)
            return self._games[digest]

    def marks(self, digest: bytes | None) -> Sequence[SeatMark]:
        """Returns how the board marks the seats of a game, if it was ever loaded."""
        return self._marks.get(digest, ()) if digest is not None else ()


def _audited(data: bytes) -> tuple[Verdict, GameTimeline | None, bool]:
    """The verdict on a record, its game with all that the audit opens, and whether that can be reviewed."""
    try:
        audited = audit(data, lookup.find)
    except CannotBeAudited as error:
        return error.verdict, None, False
    return audited.verdict, _timeline(audited), _reviewable(audited)


def _reviewable(audited: AuditedGame) -> bool:
    if not is_whole(audited):
        return False
    try:
        check_reviewable(audited, LEVEL)
    except ReviewTrouble:
        return False
    return True


def _timeline(audited: AuditedGame) -> GameTimeline:
    roster = audited.record.table.roster
    timeline = timeline_of(roster.game, roster)
    timeline.refresh(audited.story, audited.result)
    return timeline


def _moments(timeline: GameTimeline) -> list[Moment]:
    found, before = [], ""
    for at in range(1, len(timeline.steps) + 1):
        heading = timeline.heading(at)
        found.append(Moment(at, heading if heading != before else "", tuple(map(spans_html, timeline.spans(at)))))
        before = heading
    return found
