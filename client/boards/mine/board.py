"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.mine import help_text
from kimberley.client.boards.mine.events import GameEvent
from kimberley.client.boards.report import Measure
from kimberley.client.ui.palette import Color
from kimberley.client.ui.widgets import StyledText
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace
from kimberley.games.table import Answer, Ask, Plain

if TYPE_CHECKING:
    from kimberley.client.boards.form import Form, FormContext
    from kimberley.client.boards.game_music import AnyGameMusic
    from kimberley.client.boards.guide import GuideStep
    from kimberley.client.boards.report import Dossier
    from kimberley.client.boards.view import BoardView, Shown
    from kimberley.client.ui.screen import Help


class MineUI(GameUI[State, GameEvent]):
    """Diamond Mine: lots, nests, and in each round cards, moves and veins."""

    title = help_text.TITLE
    summary = "Open veins, fetch gems, rob the others: what is at home in the end counts."
    chapter_unit = "round"
    typed_help = help_text.TYPED

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        from kimberley.client.boards.mine.events import read_events

        return read_events(step, before, ask, answer, after)

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        from kimberley.client.boards.mine.events import describe_event

        return describe_event(event, names, you)

    def seat_color(self, event: GameEvent, seat: int) -> Color:
        from kimberley.client.boards.mine.stones import player_paint

        return player_paint(event.after, seat)

    def chapter(self, event: GameEvent) -> str:
        return f"Round {event.before.round}" if event.before.round else ""

    def gain(self, event: GameEvent, names: Sequence[str], you: int | None) -> StyledText | None:
        return StyledText(f"+{event.points}", "money", True) if event.kind == "moved" and event.unloaded else None

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        match event.kind:
            case "took":
                return (Sound.DIAMOND,)
            case "moved" if event.unloaded:
                return (Sound.COIN,)
        return ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        from kimberley.client.boards.mine.pacing import pace

        return pace(event)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        from kimberley.client.boards.mine.view import MineView

        return MineView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        from kimberley.client.boards.mine.form_card import CardForm
        from kimberley.client.boards.mine.form_move import MoveForm
        from kimberley.client.boards.mine.form_place import PlaceForm
        from kimberley.client.boards.mine.form_take import TakeForm
        from kimberley.client.boards.mine.view import MineView

        assert isinstance(view, MineView)
        match context.space:
            case NestSpace():
                return PlaceForm(context, view.cursor)
            case CardSpace():
                return CardForm(context, view.cursor)
            case PawnMoveSpace():
                return MoveForm(context, view.cursor)
        return TakeForm(context, view.cursor)

    def advise(self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str]) -> str:
        from kimberley.client.boards.mine.advice import advise

        return advise(state, seat, choice)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        from kimberley.client.boards.mine.words import describe

        return describe(state, names, you)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        from kimberley.client.boards.mine.words import respond

        return respond(words, shown.state, shown.names, shown.you)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        from kimberley.client.boards.mine.dossier import dossier

        return dossier(shown.events, shown.state, shown.result, shown.names, shown.you)

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        from kimberley.client.boards.mine.choice_words import choice_words

        return choice_words(state, seat, choice, beside)

    def measures(self, state: State) -> Sequence[Measure]:
        points = [state.score(seat) if state.colors else 0 for seat in range(state.seats)]
        return (Measure("•", "points", "money", points),)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        from kimberley.client.boards.mine.stones import player_mark, player_paint

        if state is None:
            return ()
        return [(player_mark(seat), player_paint(state, seat)) for seat in range(state.seats)]

    def about(self) -> Help:
        return help_text.ABOUT

    def rules(self) -> Help:
        return help_text.RULES

    def guide(self) -> Sequence[GuideStep]:
        from kimberley.client.boards.mine.guide import GUIDE

        return GUIDE

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.mine.music import MUSIC

        return MUSIC

    def stepping_help(self) -> Help:
        return help_text.TIMELINE
