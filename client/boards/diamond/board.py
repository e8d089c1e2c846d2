"""What the game brings to the client."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.diamond import help_text
from kimberley.client.boards.diamond.advice import advise, advise_next
from kimberley.client.boards.diamond.dossier import dossier
from kimberley.client.boards.diamond.events import GameEvent, describe_event, start_of
from kimberley.client.boards.diamond.form import TurnForm
from kimberley.client.boards.diamond.guide import GUIDE
from kimberley.client.boards.diamond.scene import sign_of
from kimberley.client.boards.diamond.view import DiamondView
from kimberley.client.boards.diamond.words import describe, look
from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.game_ui import GameText, GameUI, Pace
from kimberley.client.boards.next_best import NextBest
from kimberley.client.boards.report import Dossier
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.palette import Color
from kimberley.games.diamond import GAME
from kimberley.games.diamond.notation import OFFER
from kimberley.games.diamond.position import COLORS
from kimberley.games.diamond.rules import State
from kimberley.games.diamond.score_sheet import read_sheet
from kimberley.games.table import Answer, Ask, Decide, Plain, Result


class DiamondUI(GameUI[State, GameEvent]):
    """Diamond: each move is an event. Nothing in it is ever hidden."""

    title = help_text.TITLE
    unit = "move"
    about = help_text.ABOUT
    rules = help_text.RULES
    stepping_help = help_text.TIMELINE
    squares_typed = True
    typed_help = help_text.TYPED
    take_back = "Your opponent then chooses again."
    guide = GUIDE
    hides = False
    unjudged = "the first placement of each color, and the swap"

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return [GameEvent(step, before, answer, after)] if isinstance(ask, Decide) else []

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
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
        return DiamondView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        assert isinstance(view, DiamondView)
        return TurnForm(context, view.cursor)

    def advise(
        self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str], other: Plain | None = None
    ) -> str:
        return advise(state, choice, other)

    def advise_next(self, state: State, seat: int, choice: Plain, other: Plain, names: Sequence[str]) -> NextBest:
        return advise_next(state, choice, other)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you)

    def describe_end(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you, over=True)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        match words:
            case ["look"]:
                return describe(shown.state, shown.names, shown.you, over=shown.result is not None)
            case ["look", point]:
                return look(shown.state, point, over=shown.result is not None)
        return None

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        return "accepts the draw" if choice == OFFER else str(choice)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        return dossier(shown)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        if state is None or state.first is None:
            return ()
        return [sign_of(state.color(seat)) for seat in (0, 1)]

    def read_text(self, text: str) -> GameText:
        sheet = read_sheet(text)
        states = sheet.states()
        last = states[-1]
        end = last.ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resignation_result(last, [last.color(color) for color in sheet.resigned])
        asks = [ask for state in states if not isinstance(ask := state.ask(), Result)]
        story = list(zip(asks, sheet.turns, strict=False))
        return GameText(start_of(story), story, result, [COLORS[last.color(seat)] for seat in (0, 1)])

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.diamond.music import MUSIC

        return MUSIC
