"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.diamond import help_text
from kimberley.client.boards.diamond.events import GameEvent
from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.report import Measure
from kimberley.client.boards.subject import subject
from kimberley.games.diamond.rules import State
from kimberley.games.table import Answer, Ask, Decide, Plain, Result

if TYPE_CHECKING:
    from kimberley.client.boards.form import Form, FormContext
    from kimberley.client.boards.game_board import WrittenGame
    from kimberley.client.boards.game_music import AnyGameMusic
    from kimberley.client.boards.guide import GuideStep
    from kimberley.client.boards.report import Dossier
    from kimberley.client.boards.view import BoardView, Shown
    from kimberley.client.ui.palette import Color
    from kimberley.client.ui.screen import Help


class DiamondUI(GameUI[State, GameEvent]):
    """Diamond: its moves, one an event. Nothing in it is ever hidden."""

    title = help_text.TITLE
    summary = "Place twelve pieces, then move and capture: all four corners of a square win."
    unit = "move"
    typed_help = help_text.TYPED

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return [GameEvent(step, before, answer, after)] if isinstance(ask, Decide) else []

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        from kimberley.client.boards.diamond.events import describe_event

        return (describe_event(event, subject(names, event.seat, you)),)

    def remark(self, before: State, after: State, names: Sequence[str], you: int | None) -> Sequence[str]:
        if before.first is not None or after.first is None:
            return ()
        who = subject(names, after.first, you)
        return (f"{who} {who.does('begins')}, as Black.",)

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        return (Sound.DIAMOND,) if event.captured else ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        return Pace() if you is None else Pace(lasting=0.0)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        from kimberley.client.boards.diamond.view import DiamondView

        return DiamondView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        from kimberley.client.boards.diamond.form import TurnForm
        from kimberley.client.boards.diamond.view import DiamondView

        assert isinstance(view, DiamondView)
        return TurnForm(context, view.cursor)

    def advise(self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str]) -> str:
        from kimberley.client.boards.diamond.advice import advise

        return advise(state, choice)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        from kimberley.client.boards.diamond.words import describe

        return describe(state, names, you)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        from kimberley.client.boards.diamond.words import look

        match words:
            case ["look"]:
                return self.describe(shown.state, shown.names, shown.you)
            case ["look", point]:
                return look(shown.state, point)
        return None

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        from kimberley.client.boards.diamond.dossier import dossier

        return dossier(shown.events, shown.names, shown.you, shown.result)

    def measures(self, state: State) -> Sequence[Measure]:
        if state.first is None:
            return ()
        return (Measure("■", "pieces", "text", [state.position.material(state.color(seat)) for seat in (0, 1)]),)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        from kimberley.client.boards.diamond.scene import sign_of

        if state is None or state.first is None:
            return ()
        return [sign_of(state.color(seat)) for seat in (0, 1)]

    def about(self) -> Help:
        return help_text.ABOUT

    def rules(self) -> Help:
        return help_text.RULES

    def guide(self) -> Sequence[GuideStep]:
        from kimberley.client.boards.diamond.guide import GUIDE

        return GUIDE

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.diamond.music import MUSIC

        return MUSIC

    def stepping_help(self) -> Help:
        return help_text.TIMELINE


class DiamondBoard(GameBoard):
    """The board of Diamond. It also reads score sheets: `client.boards.game_board.ReadsText`."""

    def __init__(self) -> None:
        super().__init__(DiamondUI())

    def read_text(self, text: str) -> WrittenGame:
        """The game on a score sheet. Raises ValueError."""
        from kimberley.client.boards.diamond.dossier import dossier
        from kimberley.client.boards.diamond.events import read_events, start_of
        from kimberley.client.boards.game_board import WrittenGame
        from kimberley.client.boards.stepping import ReplayScreen
        from kimberley.games.diamond import GAME
        from kimberley.games.diamond.position import COLORS
        from kimberley.games.diamond.score_sheet import read_sheet

        sheet = read_sheet(text)
        states = sheet.states()
        end = states[-1].ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resignation_result(states[-1], [states[-1].color(color) for color in sheet.resigned])
        asks = [ask for state in states if not isinstance(ask := state.ask(), Result)]
        story: list[tuple[Ask, Answer]] = list(zip(asks, sheet.turns, strict=False))
        names = (COLORS[states[-1].color(0)], COLORS[states[-1].color(1)])
        lines = dossier(read_events(story), names, None, result).lines
        return WrittenGame(
            lambda ui, step: ReplayScreen(self.timeline(start_of(story), names), story, result, ui, step), lines
        )
