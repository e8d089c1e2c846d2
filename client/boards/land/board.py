"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import GameUI, Pace
from kimberley.client.boards.land import help_text
from kimberley.client.boards.land.events import GameEvent, TurnPlayed, read, river_losses
from kimberley.client.boards.report import Measure
from kimberley.client.boards.subject import subject
from kimberley.games.land.money import K
from kimberley.games.land.rules import LEFT, State
from kimberley.games.table import Answer, Ask, Plain, Result

if TYPE_CHECKING:
    from kimberley.client.boards.form import Form, FormContext
    from kimberley.client.boards.game_board import WrittenGame
    from kimberley.client.boards.game_music import AnyGameMusic
    from kimberley.client.boards.guide import GuideStep
    from kimberley.client.boards.report import Dossier
    from kimberley.client.boards.view import BoardView, Shown
    from kimberley.client.ui.palette import Color
    from kimberley.client.ui.screen import Help
    from kimberley.protocol.audit import AuditedGame


class LandUI(GameUI[State, GameEvent]):
    """The land game: its turns, one an event. Nothing in it is ever hidden."""

    title = help_text.TITLE
    summary = "Buy and sell land where the dice say. The first to have 1000K in cash wins."
    unit = "turn"
    chapter_unit = "round"
    typed_help = help_text.TYPED

    def read(self, step: int, before: State, ask: Ask, answer: Answer, after: State) -> Sequence[GameEvent]:
        return read(step, before, ask, answer, after)

    def describe_event(self, event: GameEvent, names: Sequence[str], you: int | None) -> Sequence[str]:
        from kimberley.client.boards.land.phrases import loss_sentence, sentence

        return (sentence(event, names, you), *(loss_sentence(loss, names, you) for loss in river_losses(event)))

    def remark(self, before: State, after: State, names: Sequence[str], you: int | None) -> Sequence[str]:
        from kimberley.client.boards.land.phrases import ended

        said = []
        if before.first is None and after.first is not None:
            who = subject(names, after.first, you)
            said.append(f"{who} {who.does('begins')}.")
        for seat, why in after.gone[len(before.gone) :]:
            # The table tells that somebody has left.
            if why == LEFT and before.land.of(seat):
                said.append(f"The government takes the land of {names[seat]}.")
        result = after.ask()
        if before.over is None and isinstance(result, Result):
            said.append(f"{ended(result.reason, names)}.")
        return said

    def label(self, event: GameEvent) -> str:
        from kimberley.client.boards.land.parcel_style import mark

        return mark(event.seat)

    def chapter(self, event: GameEvent) -> str:
        return f"Round {event.number if isinstance(event, TurnPlayed) else event.before.turn}"

    def sounds(self, event: GameEvent) -> Sequence[Sound]:
        return (Sound.COIN,) if isinstance(event, TurnPlayed) and event.dealt else ()

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        from kimberley.client.boards.land.pacing import pace

        return pace(event, you)

    def view(self, names: Sequence[str], you: int | None) -> BoardView[State, GameEvent]:
        from kimberley.client.boards.land.view import LandView

        return LandView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, GameEvent]) -> Form[State]:
        from kimberley.client.boards.land.form_turn import TurnForm
        from kimberley.client.boards.land.view import LandView

        assert isinstance(view, LandView)
        return TurnForm(context, view.cursor)

    def advise(self, state: State, ask: Ask, seat: int, choice: Plain, names: Sequence[str]) -> str:
        from kimberley.client.boards.land.advice import advise

        return advise(state, seat, choice)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        from kimberley.client.boards.land.words import describe

        return describe(state, names, you)

    def respond(self, words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
        from kimberley.client.boards.land.words import respond

        return respond(words, shown)

    def report(self, shown: Shown[State, GameEvent]) -> Dossier:
        from kimberley.client.boards.land.dossier import dossier

        return dossier(shown.events, shown.state, shown.result, shown.names, shown.you)

    def choice_words(self, state: State, seat: int, choice: Plain, beside: Plain) -> str:
        from kimberley.client.boards.land.choice_words import choice_words

        return choice_words(state, seat, choice, beside)

    def measures(self, state: State) -> Sequence[Measure]:
        return (Measure("K", "cash", "money", [cash // K for cash in state.cash], "K"),)

    def marks(self, state: State | None) -> Sequence[tuple[str, Color]]:
        from kimberley.client.boards.land.parcel_style import light, mark
        from kimberley.client.ui.layout import SEAT_MARKS

        return [(mark(seat), light(seat)) for seat in range(len(SEAT_MARKS))]

    def about(self) -> Help:
        return help_text.ABOUT

    def rules(self) -> Help:
        return help_text.RULES

    def guide(self) -> Sequence[GuideStep]:
        from kimberley.client.boards.land.guide import GUIDE

        return GUIDE

    def music(self) -> AnyGameMusic:
        from kimberley.client.boards.land.music import MUSIC

        return MUSIC

    def stepping_help(self) -> Help:
        return help_text.TIMELINE


class LandBoard(GameBoard):
    """The board of the land game. It also writes and reads account sheets: `client.boards.game_board.ReadsText`."""

    def __init__(self) -> None:
        super().__init__(LandUI())

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        from kimberley.client.boards.land.dossier import account_sheet_lines

        found = super().dossier(audited, names, seat)
        sheet = account_sheet_lines(cast("State", audited.start), audited.story, audited.result)
        return replace(found, lines=(*found.lines, *sheet))

    def read_text(self, text: str) -> WrittenGame:
        """The game on an account sheet. Raises ValueError."""
        from kimberley.client.boards.game_board import WrittenGame
        from kimberley.client.boards.game_timeline import GameTimeline
        from kimberley.client.boards.stepping import ReplayScreen
        from kimberley.games.land import GAME
        from kimberley.games.land.account_sheet import read_sheet, story_from_sheet, write_sheet
        from kimberley.games.land.rules import SEAT_NAMES

        sheet = read_sheet(text)
        start, story, last = sheet.start(), story_from_sheet(sheet), sheet.states()[-1]
        end = last.ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resignation_result(last, sheet.resigned)
        names = tuple(f"player {SEAT_NAMES[seat]}" for seat in range(sheet.seats))
        timeline = GameTimeline(self.game, start, names)
        timeline.refresh(story, result)
        lines = self.game.report(timeline.shown(len(timeline.steps))).lines
        return WrittenGame(
            lambda ui, step: ReplayScreen(self.timeline(start, names), story, result, ui, step),
            (*lines, *write_sheet(sheet).splitlines()),
        )
