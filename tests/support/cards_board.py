"""A small board for the game of tests.support.cards, and a way to install both for a program that a test starts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kimberley.client.boards.form import Form, FormContext, Reply
from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import Pace
from kimberley.client.boards.report import Dossier, DossierRow
from kimberley.client.boards.standings import draw_standings
from kimberley.client.boards.story import StoryEvent, StoryUI, StoryView
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.lists import Scroll
from kimberley.client.ui.screen import Help, Section
from kimberley.client.ui.spans import Span
from kimberley.games.table import Hidden, Plain, State
from kimberley.p2p.sentences.notices import as_sentence
from tests.support.cards import Among, Cards
from tests.support.paths import ROOT

POINTS = """\
[kimberley.games]
cards = tests.support.cards:FEW_CARDS
choosy = tests.support.choosy:CHOOSY

[kimberley.boards]
cards = tests.support.cards_board:BOARD
choosy = tests.support.cards_board:CHOOSY_BOARD
"""


def installed(folder: Path) -> dict[str, str]:
    """Writes the metadata by which others find the entry points of an installed package. Returns the environment in
    which a program finds it and can import the tests' own modules.
    """
    info = folder / "cards-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cards\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def spelled(choice: Plain) -> str:
    """Returns a choice as a player types it: "bid 2", "draw", "pass 3 2" (card 3 to seat 2)."""
    match choice:
        case ("roll" | "draw" as act, _, _):
            return act
        case ("show" | "return" as act, int(card), _):
            return f"{act} {card}"
        case (str(act), int(card), int(seat)):
            return f"{act} {card} {seat + 1}"
    return f"bid {choice!r}"


class CardsForm(Form[State]):
    """A list of the choices."""

    phase = "PLAY"

    def __init__(self, context: FormContext[State]) -> None:
        super().__init__(context)
        self.scroll = Scroll()

    @property
    def choices(self) -> list[Plain]:
        space = self.context.space
        return list(space.choices) if isinstance(space, Among) else []

    def sentence(self, room: int) -> str:
        return "Choose."

    def hints(self) -> list[Hint]:
        return [Hint("Enter", "choose")]

    def key(self, name: str) -> bool:
        choices = self.choices
        if name == "enter" and choices:
            self.context.send(choices[min(self.scroll.focus, len(choices) - 1)])
            return True
        return self.scroll.key(name, len(choices))

    def prompt(self) -> list[str]:
        return [f"Type one of: {', '.join(map(spelled, self.choices))}."]

    def type(self, text: str) -> Reply:
        for choice in self.choices:
            if spelled(choice) == text:
                return Reply(("Done.",), choice, True)
        return Reply(tuple(self.prompt()))


class CardsView(StoryView):
    """The table in lines, and the choices."""

    def strip(self, shown: Shown[State, Any], room: int) -> tuple[str, str]:
        if shown.result is not None:
            return "THE END", as_sentence(shown.result.reason)
        return "PLAY", shown.form.sentence(room) if shown.form is not None else "Wait."

    def draw(self, canvas: Canvas, shown: Shown[State, Any]) -> None:
        for y, line in enumerate(describe_state(shown.state, self.names), start=3):
            canvas.put(1, y, line)
        form = shown.form
        if isinstance(form, CardsForm):
            for number, index in enumerate(form.scroll.shown(len(form.choices), 8)):
                mark = "▸" if index == form.scroll.focus else " "
                canvas.put(1, 12 + number, f"{mark} {spelled(form.choices[index])}")
                canvas.hit(1, 12 + number, 20, 1, ("choice", index))


def describe_state(state: State, names: Sequence[str]) -> list[str]:
    """Returns the round, scores and hands (suit and value of each card), as this seat knows them."""
    assert isinstance(state, Cards)
    lines = [f"Round {state.round + 1}"]
    for seat, name in enumerate(names):
        parts = [state.items[card].parts for card in state.hands[seat]]
        cards = ["".join("?" if isinstance(part, Hidden) else repr(part) for part in each) for each in parts]
        here = "" if state.alive[seat] else " (left)"
        lines.append(f"{name}{here}: {state.scores[seat]} points, {' '.join(cards) or 'no cards'}")
    return lines


class CardsUI(StoryUI):
    """The client's part of the game: it tells its story as any game does, and shows the cards at once."""

    typed_help = ("Cards are drawn, passed and shown.",)

    def __init__(self) -> None:
        super().__init__("Cards")
        self.about = Help("Cards", (Section("Cards", "A small game for tests."),))

    def pace(self, event: StoryEvent, you: int | None) -> Pace:
        return Pace(lasting=0.0)

    def view(self, names: Sequence[str], you: int | None) -> CardsView:
        return CardsView(names, you)

    def form(self, context: FormContext[State], view: BoardView[State, StoryEvent]) -> CardsForm:
        return CardsForm(context)

    def describe(self, state: State, names: Sequence[str], you: int | None) -> list[str]:
        return describe_state(state, names)

    def report(self, shown: Shown[State, StoryEvent]) -> Dossier:
        result = shown.result
        assert result is not None
        scores = [f"{score[0]}" for score in result.scores]
        named = zip(shown.names, scores, strict=True)
        rows = tuple(DossierRow(((Span(name),), (Span(score),))) for name, score in named)
        columns = (Column("Seat", 30), Column("Points", 8, right=True))
        head = partial(draw_standings, names=shown.names, result=result, seat=shown.you)
        return Dossier("Cards", head, lambda width: (TableColumns(columns, width), rows), (f"Over: {result.reason}.",))


BOARD, CHOOSY_BOARD = GameBoard(CardsUI), GameBoard(CardsUI)
