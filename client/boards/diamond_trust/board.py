"""What the game brings to the client."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.diamond_trust import help_text
from kimberley.client.boards.diamond_trust.advice import advise, advise_next
from kimberley.client.boards.diamond_trust.choice_words import choice_aloud, choice_words
from kimberley.client.boards.diamond_trust.dossier import dossier
from kimberley.client.boards.diamond_trust.events import (
    AgentTurned,
    AuctionHeld,
    DiamondsConfiscated,
    GameEvent,
    PlayedStep,
    SaleMade,
    read_step,
)
from kimberley.client.boards.diamond_trust.form import TrustForm
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.guide import GUIDE
from kimberley.client.boards.diamond_trust.narration import Narrator, describe_event, gain, label, month
from kimberley.client.boards.diamond_trust.pacing import pace
from kimberley.client.boards.diamond_trust.phrases import colored
from kimberley.client.boards.diamond_trust.view import DiamondTrustView
from kimberley.client.boards.diamond_trust.words import describe, respond
from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.next_best import NextBest
from kimberley.client.boards.report import Dossier, Measure
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.diamond_trust.angola import SEATS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Answer, Ask, Hidden, Leave, Plain


class DiamondTrustUI(GameUI[State, GameEvent]):
    """Diamond Trust of London: each payment, trip, auction and sale is an event of its own."""

    title = help_text.TITLE
    unit = "event"
    chapter_unit = "month"
    key_delay = 0.7
    about = help_text.ABOUT
    rules = help_text.RULES
    stepping_help = help_text.TIMELINE
    typed_help = help_text.TYPED
    take_back = "What your opponent chose at the same time stays; after that, they choose again."
    guide = GUIDE

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return [] if isinstance(ask, Leave) else read_step(PlayedStep(step, before, answer, after))

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        return describe_event(event, names, you)

    def spans(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[Spans]:
        return [colored(sentence) for sentence in Narrator(names, you).sentences(event)]

    def decided(self, kind: str) -> str:
        return "Inspector" if kind == RoundStep.INSPECT.value else kind

    def chapter(self, event: GameEvent) -> str:
        return month(event)

    def label(self, event: GameEvent) -> str:
        return label(event)

    def gain(self, event: GameEvent, names: Sequence[str], you: int | None) -> Span | None:
        return gain(event, you)

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        """Returns what an event sounds like. What was paid and planned in secret has no sound."""
        match event:
            case AgentTurned(turned=True):
                return (Sound.AGENT_TURNED,)
            case DiamondsConfiscated():
                return (Sound.STAMP,)
            case AuctionHeld(agent=int()):
                return (Sound.DIAMOND,)
            case SaleMade(income=income) if any(income):
                return (Sound.COIN,)
        return ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        return pace(event, you)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        return DiamondTrustView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        assert isinstance(view, DiamondTrustView)
        match context.state.step:
            case RoundStep.PAY:
                return PayForm(context, view.selection)
            case RoundStep.PLAN:
                return MoveForm(context, view.selection)
            case RoundStep.MOVE:
                return LastLookForm(context, view.selection)
            case RoundStep.INSPECT:
                return InspectorForm(context, view.selection)
        return SaleForm(context, view.selection)

    def automatic(self, ask: Ask, state: State, seat: int, unobserved: bool) -> tuple[Plain] | None:
        """Returns no sale for an empty vault, which both sides see; at a last look, the plan, if nobody can have been
        told anything: then there is no look. Against bots without a clock, it is enough that this seat was told
        nothing: answering at once then gives nothing away.
        """
        if state.step is RoundStep.SALE_PLAN and not state.vault[seat]:
            return (0,)
        if state.step not in (RoundStep.MOVE, RoundStep.SALE):
            return None
        if ask.last_look and not (unobserved and state.right[seat] is False):
            return None
        plan = state.plan[seat] if state.step is RoundStep.MOVE else state.sale_plan[seat]
        assert not isinstance(plan, Hidden), "a seat knows its own plan"
        return (plan,)

    def advise(
        self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str], other: Plain | None = None
    ) -> str:
        return advise(state, seat, choice, other)

    def advise_next(
        self, state: State, seat: int, choice: Plain, other: Plain, names: Sequence[str]
    ) -> NextBest | None:
        return advise_next(state, seat, choice, other)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you)

    def describe_end(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe(state, names, you, over=True)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        form = shown.form if isinstance(shown.form, TrustForm) else None
        return respond(words, shown.state, shown.names, shown.you, form)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        return dossier(shown)

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        return choice_words(state, seat, choice, beside)

    def choice_aloud(self, state: State, seat: int, choice: Plain, beside: Plain, names: Sequence[str]) -> str:
        return choice_aloud(state, seat, choice, beside)

    def measures(self, state: State) -> Sequence[Measure]:
        return (
            Measure(
                "◆",
                "diamonds",
                "ice",
                [state.diamonds_of(seat) for seat in range(SEATS)],
                note="in the vault and with agents",
            ),
            Measure("$", "money", "money", [state.cash(seat) for seat in range(SEATS)]),
        )

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        return (("[ ]", "london_light"), ("( )", "antwerp_light"))

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.diamond_trust.music import MUSIC

        return MUSIC
