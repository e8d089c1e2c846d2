"""Games as shown on the pages of a tournament: a `p2p.tournament.page_games.PageGames`."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from markupsafe import Markup

from kimberley.client.boards.game_board import dossier_of
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.registry import seat_marks, timeline_of
from kimberley.client.boards.report import Dossier, GameCurve
from kimberley.client.session.reviewing import ReviewTrouble, check_reviewable, is_whole
from kimberley.client.ui.palette import Color
from kimberley.client.web.picture import (
    HEIGHT,
    WIDTH,
    board_html,
    css_color,
    position_html,
    sentences,
    spans_html,
    tall_board_html,
    tall_html,
)
from kimberley.games import lookup
from kimberley.games.bots.judge_levels import NORMAL_LEVEL
from kimberley.p2p.table.spectated_game import SpectatedGame
from kimberley.p2p.tournament.page_games import CourseMeasure, DossierLine, GameCourse, Moment, SeatMark
from kimberley.protocol.audit import AuditedGame, CannotBeAudited, Verdict, audit

LEVEL: Final = NORMAL_LEVEL
"""The level of `kimberley review`, so that both say the same."""
DOSSIER_COLUMNS: Final = 100
"""The columns of a dossier."""
SIZE: Final = (WIDTH, HEIGHT)


class DrawnGames:
    """Draws games with their boards."""

    def style_sheet(self) -> bytes:
        return files("kimberley.client.web").joinpath("static/style.css").read_bytes()

    def picture(self, game: str, view: SpectatedGame, size: tuple[int, int] | None = None) -> Markup:
        return Markup(board_html(game, view, *(size or SIZE)))

    def tall(self, game: str, view: SpectatedGame) -> Markup:
        return Markup(tall_board_html(game, view))

    def words(self, game: str, view: SpectatedGame) -> tuple[str, ...]:
        return tuple(sentences(game, view))

    def marks(self, game: str, view: SpectatedGame | None) -> Sequence[SeatMark]:
        return _marks(seat_marks(game, view.state if view else None))

    def finished(self, record: bytes) -> DrawnGame:
        try:
            audited = audit(record, lookup.find)
        except CannotBeAudited as error:
            return DrawnGame(error.verdict, None, False)
        return DrawnGame(audited.verdict, _timeline(audited), _reviewable(audited))

    def review_command(self, record: Path, nice: int) -> tuple[str, ...]:
        return (*_module("web.review_job"), str(record), str(LEVEL), str(nice))

    def verify_command(self, file: Path) -> tuple[str, ...]:
        return (*_module("cli.main"), "verify", "--json", str(file))


class DrawnGame:
    """A `p2p.tournament.page_games.PageGame`."""

    def __init__(self, verdict: Verdict, timeline: GameTimeline | None, reviewable: bool) -> None:
        self.verdict = verdict
        self.reviewable = reviewable
        self.shown = timeline is not None
        self.last = 0
        self.unit = ""
        self.marks: tuple[SeatMark, ...] = ()
        self.words: tuple[str, ...] = ()
        self.moments: tuple[Moment, ...] = ()
        self.course: GameCourse | None = None
        self.headings: tuple[str, ...] = ()
        self.dossier: tuple[DossierLine, ...] = ()
        self.called = ""
        self.hides = False
        self._timeline = timeline
        if timeline is not None:
            self.last = len(timeline.steps)
            self.unit = timeline.unit
            self.marks = _marks(timeline.game.marks(timeline.latest))
            self.words = tuple(timeline.describe_end())
            self.moments = tuple(_moments(timeline))
            curve = timeline.curve()
            self.course = None if curve is None else _course(timeline, curve)
            if timeline.result is not None:
                dossier = dossier_of(timeline)
                # The moments are a list of all moves already.
                if dossier.called != f"{timeline.unit}s":
                    self.headings, self.dossier = _dossier(timeline, dossier)
                self.called, self.hides = dossier.called, timeline.game.hides

    def picture(self, at: int) -> Markup:
        return Markup(position_html(self._positions, at))

    def tall(self, at: int) -> Markup:
        return Markup(tall_html(self._positions, at))

    def told(self, at: int) -> str:
        return self._positions.describe_event(at) if at else "The game begins."

    @property
    def _positions(self) -> GameTimeline:
        assert self._timeline is not None
        return self._timeline


def _module(name: str) -> tuple[str, ...]:
    """Returns the command that runs a module of the client. -P: imports nothing from the folder in which it runs."""
    return sys.executable, "-P", "-m", f"kimberley.client.{name}"


def _marks(marks: Sequence[tuple[str, Color]]) -> tuple[SeatMark, ...]:
    return tuple(SeatMark(sign, css_color(color)) for sign, color in marks)


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
    moments, before = [], ""
    for at in range(1, len(timeline.steps) + 1):
        heading = timeline.heading(at)
        moments.append(Moment(at, heading if heading != before else "", tuple(map(spans_html, timeline.spans(at)))))
        before = heading
    return moments


def _course(timeline: GameTimeline, curve: GameCurve) -> GameCourse:
    return GameCourse(
        curve.unit,
        tuple(sample.label for sample in curve.samples),
        tuple(bisect_right(timeline.steps, sample.step) for sample in curve.samples),
        tuple(CourseMeasure(one.sign, one.name, css_color(one.fg), one.unit) for one in curve.measures),
        curve.amounts,
        _marks(curve.marks),
        curve.names,
        curve.turn,
        curve.how,
        "" if curve.turn is None else curve.drawn(curve.turn),
    )


def _dossier(timeline: GameTimeline, dossier: Dossier) -> tuple[tuple[str, ...], tuple[DossierLine, ...]]:
    """Returns the headings and the lines of the dossier."""
    table, rows = dossier.build(DOSSIER_COLUMNS)
    lines: list[DossierLine] = []
    before: int | None = None
    for row in rows:
        cells = tuple(map(spans_html, row.cells))
        if lines and row.step == before and sum(map(bool, cells)) == 1:
            # Lines that a board has put below each other are one cell here.
            both = zip(lines[-1].cells, cells, strict=True)
            lines[-1] = lines[-1]._replace(cells=tuple(Markup("<br>").join(filter(None, parts)) for parts in both))
        else:
            lines.append(DossierLine(None if row.step is None else bisect_right(timeline.steps, row.step), cells))
        before = row.step
    return tuple(column.heading for column in table.columns), tuple(lines)
