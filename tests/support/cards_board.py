"""A small board for the game of tests.support.cards, and a way to install both for a program that a test starts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from kimberley.client.boards.api import BoardScreen, Dossier, DossierRow, PlainSeat, Span
from kimberley.client.boards.form import Reply
from kimberley.client.boards.standings import draw_standings
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import Help, Screen, Section, Ui
from kimberley.client.ui.widgets import Column, Hint, Scroll, key_bar, phase_strip, title_bar
from kimberley.games.table import Hidden, Plain, space_for
from kimberley.protocol.audit import AuditedGame
from kimberley.protocol.events import Event
from tests.support.cards import FEW_CARDS, Among, CardGame, Cards
from tests.support.choosy import CHOOSY
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
    """A choice as a player types it: "bid 2", "draw", "pass 3 2" (card 3 to seat 2)."""
    match choice:
        case ("roll" | "draw" as act, _, _):
            return act
        case ("show" | "return" as act, int(card), _):
            return f"{act} {card}"
        case (str(act), int(card), int(seat)):
            return f"{act} {card} {seat + 1}"
    return f"bid {choice!r}"


def offered(table: TableLike) -> list[Plain]:
    """The choices that this seat has now."""
    peer = table.peer
    space = None if peer is None or peer.asked is None else space_for(peer.asked.ask, table.seat)
    return list(space.choices) if isinstance(space, Among) else []


def describe_state(table: TableLike) -> list[str]:
    """The round, scores and hands (suit and value of each card), as this seat knows them."""
    state = table.peer.state if table.peer is not None else None
    assert isinstance(state, Cards)
    lines = [f"Round {state.round + 1}"]
    for seat, name in enumerate(table.names):
        parts = [state.items[card].parts for card in state.hands[seat]]
        cards = ["".join("?" if isinstance(part, Hidden) else repr(part) for part in each) for each in parts]
        here = "" if state.alive[seat] else " (left)"
        lines.append(f"{name}{here}: {state.scores[seat]} points, {' '.join(cards) or 'no cards'}")
    return lines


class CardsScreen(BoardScreen):
    """The table in lines, and a list of the choices."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self.scroll = Scroll()

    def draw(self, canvas: Canvas, now: float) -> None:
        choices = offered(self._table)
        title_bar(canvas, "Cards")
        phase_strip(canvas, 1, "PLAY", "Choose." if choices else "Wait.", *self.waits.strip_text(now, 40))
        for y, line in enumerate(describe_state(self._table), start=3):
            canvas.put(1, y, line)
        for number, index in enumerate(self.scroll.shown(len(choices), 8)):
            mark = "▸" if index == self.scroll.focus else " "
            canvas.put(1, 12 + number, f"{mark} {spelled(choices[index])}")
            canvas.hit(1, 12 + number, 20, 1, ("choice", index))
        key_bar(canvas, [Hint("Enter", "choose"), Hint("F10", "menu")])

    def key(self, name: str) -> bool:
        choices = offered(self._table)
        if name == "enter" and choices:
            self._table.choose(choices[min(self.scroll.focus, len(choices) - 1)])
            return True
        return self.scroll.key(name, len(choices))

    def next_frame(self, now: float) -> float | None:
        return self.waits.next_frame(now)


class CardsSeat:
    """The game in sentences."""

    def __init__(self, table: TableLike) -> None:
        self._table = table

    def describe(self) -> list[str]:
        return describe_state(self._table)

    def on_event(self, event: Event) -> list[str]:
        del event
        return []

    def prompt(self) -> list[str]:
        return [f"Type one of: {', '.join(map(spelled, offered(self._table)))}."]

    def submit(self, text: str) -> Reply:
        for choice in offered(self._table):
            if spelled(choice) == text:
                return Reply(("Done.",), choice, True)
        return Reply(tuple(self.prompt()))

    def help(self) -> list[str]:
        return ["Cards are drawn, passed and shown."]


class CardsBoard:
    """The client's part of the game."""

    def __init__(self, game: CardGame) -> None:
        self.game = game

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        return CardsScreen(table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        result = audited.verdict.result
        assert result is not None
        scores = [f"{score[0]}" for score in result.scores]
        rows = tuple(DossierRow(((Span(name),), (Span(score),))) for name, score in zip(names, scores, strict=True))
        columns = (Column("Seat", 0, 30), Column("Points", 31, 8, right=True))
        head = partial(draw_standings, names=names, result=result, seat=seat)
        return Dossier("Cards", head, lambda _: (columns, rows), (f"Over: {result.reason}.",))

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        raise NotImplementedError("the cards are not replayed")

    def plain(self, table: TableLike) -> PlainSeat:
        return CardsSeat(table)

    def about(self) -> Help:
        return Help("Cards", (Section("Cards", "A small game for tests."),))


BOARD, CHOOSY_BOARD = CardsBoard(FEW_CARDS), CardsBoard(CHOOSY)
