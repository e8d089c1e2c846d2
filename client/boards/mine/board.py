"""What the game brings to the client."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.mine import help_text
from kimberley.client.boards.mine.advice import advise, advise_next
from kimberley.client.boards.mine.choice_words import choice_words
from kimberley.client.boards.mine.dossier import dossier
from kimberley.client.boards.mine.events import GameEvent, describe_event, read_events
from kimberley.client.boards.mine.form_card import CardForm
from kimberley.client.boards.mine.form_move import MoveForm
from kimberley.client.boards.mine.form_place import PlaceForm
from kimberley.client.boards.mine.form_take import TakeForm
from kimberley.client.boards.mine.guide import GUIDE
from kimberley.client.boards.mine.pacing import pace
from kimberley.client.boards.mine.stones import player_mark, player_paint
from kimberley.client.boards.mine.view import MineView
from kimberley.client.boards.mine.words import describe, respond
from kimberley.client.boards.next_best import NextBest
from kimberley.client.boards.report import Dossier, Measure, absent
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace
from kimberley.games.table import Answer, Ask, Plain


class MineUI(GameUI[State, GameEvent]):
    """Diamond Mine: lots, nests, and in each round cards, moves and veins."""

    title = help_text.TITLE
    chapter_unit = "round"
    about = help_text.ABOUT
    rules = help_text.RULES
    stepping_help = help_text.TIMELINE
    squares_typed = True
    typed_help = help_text.TYPED
    take_back = "Cards that bots chose at the same time stay, and so do hidden gems; after that, bots choose again."
    guide = GUIDE
    unjudged = "where nests are placed"

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return read_events(step, before, ask, answer, after)

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        return describe_event(event, names, you)

    def seat_color(self, event: GameEvent, seat: int) -> Color:
        return player_paint(event.after, seat)

    def chapter(self, event: GameEvent) -> str:
        return f"Round {event.before.round}" if event.before.round else ""

    def gain(self, event: GameEvent, names: Sequence[str], you: int | None) -> Span | None:
        return Span(f"+{event.points}", "money", True) if event.kind == "moved" and event.unloaded else None

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        match event.kind:
            case "took":
                return (Sound.DIAMOND,)
            case "moved" if event.unloaded:
                return (Sound.COIN,)
        return ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        return pace(event)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        return MineView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        assert isinstance(view, MineView)
        match context.space:
            case NestSpace():
                return PlaceForm(context, view.cursor)
            case CardSpace():
                return CardForm(context, view.cursor)
            case PawnMoveSpace():
                return MoveForm(context, view.cursor)
        return TakeForm(context, view.cursor)

    def advise(
        self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str], other: Plain | None = None
    ) -> str:
        return advise(state, seat, choice)

    def advise_next(self, state: State, seat: int, choice: Plain, other: Plain, names: Sequence[str]) -> NextBest:
        return advise_next(state, seat, choice, other)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you)

    def describe_end(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you, over=True)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        return respond(words, shown.state, shown.names, shown.you, over=shown.result is not None)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        return dossier(shown)

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        return choice_words(state, seat, choice, beside)

    def measures(self, state: State) -> Sequence[Measure]:
        points = [state.score(seat) if state.colors else 0 for seat in range(state.seats)]
        return (Measure("•", "points", "money", points, out=absent(state.present)),)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        if state is None:
            return ()
        return [(player_mark(seat), player_paint(state, seat)) for seat in range(state.seats)]

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.mine.music import MUSIC

        return MUSIC
