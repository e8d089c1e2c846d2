"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat, Written
    from client.moments import Moments
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.land.rules import State
    from games.table import Answer, Ask, Result
    from games.table import State as TableState
    from protocol.record import Record


class LandBoard:
    """The board of Blood Diamonds, the land game: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.land.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """All turns of a record: what they cost and brought, and what was dealt."""
        from client.boards.land.dossier import dossier

        return dossier(*_played(record), names, seat)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from client.screens.stepping import ReplayScreen

        start, story, result = _played(record)
        return ReplayScreen(self.moments(start, names), story, result, ui, step)

    def moments(self, start: TableState, names: Sequence[str]) -> Moments:
        """The game moment by moment: `client.board.Unfolds`."""
        from client.boards.land.moments import LandMoments
        from games.land.rules import State

        assert isinstance(start, State)
        return LandMoments(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.land.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.land.helps import ABOUT

        return ABOUT

    def written(self, text: str) -> Written:
        """The game on an account sheet. Raises ValueError."""
        from client.board import Written
        from client.boards.land.dossier import dossier
        from client.screens.stepping import ReplayScreen
        from games.land import GAME
        from games.land.rules import SEAT_NAMES
        from games.land.sheet import read_sheet, story_of
        from games.table import Result

        sheet = read_sheet(text)
        start, story, last = sheet.start(), story_of(sheet), sheet.states()[-1]
        end = last.ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resigned(last, sheet.resigned)
        names = tuple(f"player {SEAT_NAMES[seat]}" for seat in range(sheet.seats))
        lines = dossier(start, story, result, names, None).lines
        return Written(lambda ui, step: ReplayScreen(self.moments(start, names), story, result, ui, step), lines)


def _played(record: Record) -> tuple[State, list[tuple[Ask, Answer]], Result | None]:
    """The first state of a record, its story, in which nothing was ever hidden, and how it ended."""
    from client.boards.land.course import start_of
    from games.land import GAME
    from protocol import audit

    roster = record.table.roster
    onlooker, _ = audit.replay(GAME, record)
    start = start_of(len(roster.seats), dict(roster.options), roster.begins)
    return start, list(onlooker.story), onlooker.result
