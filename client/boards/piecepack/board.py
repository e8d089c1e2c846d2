"""What the game brings to the client."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.guide import open_form
from kimberley.client.boards.next_best import NextBest
from kimberley.client.boards.piecepack import help_text
from kimberley.client.boards.piecepack.advice import advise, advise_next
from kimberley.client.boards.piecepack.choice_words import choice_words
from kimberley.client.boards.piecepack.dossier import dossier
from kimberley.client.boards.piecepack.events import GameEvent, Narrator, read_events
from kimberley.client.boards.piecepack.form_act import ActForm
from kimberley.client.boards.piecepack.form_defend import DefendForm
from kimberley.client.boards.piecepack.form_move import MoveForm
from kimberley.client.boards.piecepack.form_peek import PeekForm
from kimberley.client.boards.piecepack.form_place import PlaceForm
from kimberley.client.boards.piecepack.form_theft import TheftForm
from kimberley.client.boards.piecepack.guide import GUIDE
from kimberley.client.boards.piecepack.phrases import in_signs
from kimberley.client.boards.piecepack.suits import SUITS, seat_marks
from kimberley.client.boards.piecepack.view import PiecepackView
from kimberley.client.boards.piecepack.words import describe, respond
from kimberley.client.boards.report import Dossier, Measure, absent
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace, HeartSpace, LootSpace, PathSpace, PeekSpace, TileSpace
from kimberley.games.table import Answer, Ask, Plain
from kimberley.p2p.sentences.notices import NOTHING_TO_DO

ORDINARY: Final = 0.8
PACE: Final = {"lay": 0.9, "sell": 1.6, "steal": 1.6, "lose": 1.4, "club": 1.4, "peek": 1.2, "lots": 2.0, "leave": 1.6,
               "deal": 0.0}  # fmt: skip
"""How long an event is shown, in seconds; ORDINARY for a kind that is not listed."""
OWN_PACE: Final = {"lots": 2.0, "sell": 1.6, "lose": 1.4}
"""The same for what the player did, and does not need to wait to see."""


class PiecepackUI(GameUI[State, GameEvent]):
    """The piecepack game: everything that warlords do. The values of coins are known to those who have seen them."""

    title = help_text.TITLE
    chapter_unit = "turn"
    about = help_text.ABOUT
    rules = help_text.RULES
    stepping_help = help_text.TIMELINE
    typed_help = help_text.TYPED
    take_back = "The same choices draw the same tiles and coins again; after different ones, bots choose again."
    guide = GUIDE
    unjudged = "what a spy peeks at"

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return read_events(step, before, ask, answer, after)

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        return (Narrator(names, you, signs=False).describe_event(event),)

    def seat_color(self, event: GameEvent, seat: int) -> Color:
        suits = event.after.suits
        return SUITS[suits[seat]].light if suits else super().seat_color(event, seat)

    def chapter(self, event: GameEvent) -> str:
        return f"Turn {event.turn + 1}" if event.in_turns else "The start"

    def chapter_number(self, state: State) -> int:
        # The end of a turn is not an event.
        return state.turns + 1

    def gain(self, event: GameEvent, names: Sequence[str], you: int | None) -> Span | None:
        return Span(f"+{event.amount}", "money", True) if event.kind == "sell" else None

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        match event.kind:
            case "sell" | "steal" | "trade":
                return (Sound.COIN,)
            case "mine":
                return (Sound.DIAMOND,)
        return ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        own = you is not None and event.seat == you
        return Pace(lasting=OWN_PACE.get(event.kind, 0.0) if own else PACE.get(event.kind, ORDINARY))

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        return PiecepackView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        assert isinstance(view, PiecepackView)
        match context.space:
            case TileSpace() as space:
                return PlaceForm(context, view.display, space)
            case ActionSpace() as space:
                return ActForm(context, view.display, space)
            case PathSpace() as space:
                return MoveForm(context, view.display, space)
            case HeartSpace() as space:
                return DefendForm(context, view.display, space)
            case LootSpace() as space:
                return TheftForm(context, view.display, space)
            case PeekSpace() as space:
                return PeekForm(context, view.display, space)
        raise AssertionError(context.space)

    def advise(
        self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str], other: Plain | None = None
    ) -> str:
        return advise(state, seat, choice, names)

    def in_signs(self, text: str) -> str:
        return in_signs(text)

    def advise_next(self, state: State, seat: int, choice: Plain, other: Plain, names: Sequence[str]) -> NextBest:
        return advise_next(state, seat, choice, other, names)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you)

    def describe_end(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you, over=True)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        if words[:1] == ["can"]:
            return form.prompt() if (form := open_form(shown)) is not None else [NOTHING_TO_DO]
        return respond(words, shown.state, shown.names, shown.you, over=shown.result is not None)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        return dossier(shown)

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        return choice_words(state, seat, choice)

    def choice_aloud(self, state: State, seat: int, choice: Plain, beside: Plain, names: Sequence[str]) -> str:
        return choice_words(state, seat, choice, names)

    def measures(self, state: State) -> Sequence[Measure]:
        return (Measure("•", "points", "money", state.scores, out=absent(state.present)),)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        return seat_marks(state) if state is not None else ()

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.piecepack.music import MUSIC

        return MUSIC
