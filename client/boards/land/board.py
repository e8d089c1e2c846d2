"""What the game brings to the client."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.game_ui import GameText, GameUI, Pace
from kimberley.client.boards.land import help_text
from kimberley.client.boards.land.advice import advise, advise_next
from kimberley.client.boards.land.choice_words import choice_words
from kimberley.client.boards.land.dossier import account_sheet_lines, dossier
from kimberley.client.boards.land.events import GameEvent, TurnPlayed, read, river_losses, span
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.boards.land.guide import GUIDE
from kimberley.client.boards.land.pacing import pace
from kimberley.client.boards.land.parcel_style import light, mark
from kimberley.client.boards.land.phrases import explain_changes, loss_sentence, nameless, sentence
from kimberley.client.boards.land.view import LandView
from kimberley.client.boards.land.words import describe, respond
from kimberley.client.boards.next_best import NextBest
from kimberley.client.boards.report import Dossier, Measure
from kimberley.client.boards.subject import reason_told, subject
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.layout import SEAT_MARKS
from kimberley.client.ui.palette import Color
from kimberley.games.land import GAME
from kimberley.games.land.account_sheet import read_sheet, story_from_sheet
from kimberley.games.land.money import K
from kimberley.games.land.rules import LEFT, State
from kimberley.games.table import Answer, Ask, Plain, Result
from kimberley.p2p.sentences.notices import as_sentence


class LandUI(GameUI[State, GameEvent]):
    """The land game: its turns, one an event. Nothing in it is ever hidden."""

    title = help_text.TITLE
    unit = "turn"
    chapter_unit = "round"
    about = help_text.ABOUT
    rules = help_text.RULES
    stepping_help = help_text.TIMELINE
    take_back = "The dice fall as before, but bots choose again."
    guide = GUIDE
    hides = False

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return read(step, before, ask, answer, after)

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        return (sentence(event, names, you), *_losses(event, names, you))

    def describe_change(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        if isinstance(event, TurnPlayed) and not event.dealt:
            whose = subject(names, event.seat, you).whose
            return (as_sentence(f"{whose} turn began with {explain_changes(event.opening)}", names),)
        # The chart has what was left, in whole numbers.
        return (sentence(event, names, you, left=False), *_losses(event, names, you))

    def typed_lines(self, state: State) -> Sequence[str]:
        return help_text.typed(state)

    def remark(self, before: State, after: State, names: Sequence[str], you: int | None) -> Sequence[str]:
        sentences = []
        if before.first is None and after.first is not None:
            who = subject(names, after.first, you)
            sentences.append(f"{who} {who.does('begins')}.")
        for seat, why in after.gone[len(before.gone) :]:
            # The table tells that somebody has left.
            if why == LEFT and before.land.of(seat):
                sentences.append(f"The government takes {subject(names, seat, you).whose} land.")
        result = after.ask()
        if before.over is None and isinstance(result, Result):
            sentences.append(as_sentence(reason_told(result, names, you), names))
        return sentences

    def label(self, event: GameEvent) -> str:
        return mark(event.seat)

    def chapter(self, event: GameEvent) -> str:
        return f"Round {event.number if isinstance(event, TurnPlayed) else event.before.turn}"

    def chapter_number(self, state: State) -> int:
        return state.turn

    def span(self, event: GameEvent) -> tuple[State, State]:
        return span(event)

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        return (Sound.COIN,) if isinstance(event, TurnPlayed) and event.dealt else ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        return pace(event, you)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        return LandView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        assert isinstance(view, LandView)
        return TurnForm(context, view.cursor)

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
        return respond(words, shown)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        return dossier(shown)

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        return choice_words(state, seat, choice, beside)

    def measures(self, state: State) -> Sequence[Measure]:
        # Cut toward zero, as in the ledger, so that no debt looks deeper than it is.
        cash = [int(amount / K) for amount in state.cash]
        note, out = "not counting land", frozenset(state.out)
        return (Measure("K", "cash", "money", cash, "K", note, invested=True, out=out),)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        return [(mark(seat), light(seat)) for seat in range(len(SEAT_MARKS))]

    def sheet(self, start: State, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> Sequence[str]:
        return account_sheet_lines(start, story, result)

    def read_text(self, text: str) -> GameText:
        sheet = read_sheet(text)
        last = sheet.states()[-1]
        end = last.ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resignation_result(last, sheet.resigned)
        names = [nameless(seat) for seat in range(sheet.seats)]
        return GameText(sheet.start(), story_from_sheet(sheet), result, names)

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.land.music import MUSIC

        return MUSIC


def _losses(event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
    return [loss_sentence(loss, names, you) for loss in river_losses(event)]
