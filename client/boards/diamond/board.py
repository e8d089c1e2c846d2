"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat, Written
    from client.moments import Moments
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.table import Answer, Ask, Result
    from games.table import State as TableState
    from protocol.record import Record


class DiamondBoard:
    """The board of Diamond: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.diamond.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """All moves of a record, and what each did."""
        from client.boards.diamond.dossier import dossier

        story, result = _played(record)
        return dossier(story, names, seat, result)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from client.boards.diamond.course import opening
        from client.screens.stepping import ReplayScreen

        story, result = _played(record)
        return ReplayScreen(self.moments(opening(story), names), story, result, ui, step)

    def moments(self, start: TableState, names: Sequence[str]) -> Moments:
        """The game moment by moment: `client.board.Unfolds`."""
        from client.boards.diamond.moments import DiamondMoments
        from games.diamond.rules import State

        assert isinstance(start, State)
        return DiamondMoments(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.diamond.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.diamond.helps import ABOUT

        return ABOUT

    def written(self, text: str) -> Written:
        """The game on a score sheet. Raises ValueError."""
        from client.board import Written
        from client.boards.diamond.course import opening
        from client.boards.diamond.dossier import dossier
        from client.screens.stepping import ReplayScreen
        from games.diamond import GAME
        from games.diamond.position import COLOURS
        from games.diamond.sheet import read_sheet
        from games.table import Result

        sheet = read_sheet(text)
        states = sheet.states()
        end = states[-1].ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resigned(states[-1], [states[-1].colour(colour) for colour in sheet.resigned])
        asks = [ask for state in states if not isinstance(ask := state.ask(), Result)]
        story: list[tuple[Ask, Answer]] = list(zip(asks, sheet.turns, strict=False))
        names = (COLOURS[states[-1].colour(0)], COLOURS[states[-1].colour(1)])
        lines = dossier(story, names, None, result).lines
        return Written(
            lambda ui, step: ReplayScreen(self.moments(opening(story), names), story, result, ui, step), lines
        )


def _played(record: Record) -> tuple[list[tuple[Ask, Answer]], Result | None]:
    """The story of a record, in which nothing was ever hidden, and how it ended."""
    from games.diamond import GAME
    from protocol import audit

    onlooker, _ = audit.replay(GAME, record)
    return list(onlooker.story), onlooker.result
