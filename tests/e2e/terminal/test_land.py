"""Whole short land games on a real terminal of 80 by 24, against bots: one with the keyboard only, one with the
mouse.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kimberley.client.boards.land.form_turn import WHY_BUY
from tests.support.program import PATIENCE
from tests.support.terminal import Terminal, address_of, at_the_end, own_turn

TITLE = "Blood Diamonds: Land"
TURNS = 25
HOME = "\x1b[H"
MOST_VALUES = 30
"""More than any option has."""


def row_of(terminal: Terminal, text: str) -> tuple[int, str]:
    """Returns the first row that shows a text, and its content."""
    return next((y, line) for y, line in enumerate(terminal.text.splitlines()) if text in line)


def governments(text: str) -> tuple[int, int] | None:
    """Returns column and row of a parcel of the sector that the government owns; None if there is none."""
    lines = text.splitlines()
    for row in (14, 10, 6, 2):
        for kind in re.finditer(r"desert|farm|coal|diamond", lines[row][:52]):
            if not lines[row + 1][kind.start() : kind.start() + 10].strip():
                return kind.start(), row
    return None


@dataclass
class Hands:
    """A player with only the keyboard (`keyboard`), or only the mouse."""

    terminal: Terminal
    keyboard: bool

    def set_up(self) -> None:
        """Goes from the title screen to a table of three on the small map, with 25 turns each."""
        t = self.terminal
        t.wait("Play alone a")
        t.wait(TITLE)
        if self.keyboard:
            t.press_until("down", f"▸ {TITLE}")
            t.press("a")
        else:
            t.touch(TITLE)
            t.wait(f"▸ {TITLE}")
            t.touch("Play alone a")
        t.wait("Length")
        self._choose("Seats", "3 players")
        self._choose("Map", "12 by 12")
        self._choose("Length", f"{TURNS} turns each")
        if self.keyboard:
            t.press("enter")
        else:
            t.touch("Play Enter")

    def _choose(self, label: str, value: str) -> None:
        """Sets a row of the setup to a value."""
        t = self.terminal
        if self.keyboard:
            t.press_until("down", f"▸ {label}")
        for _ in range(MOST_VALUES):
            y, line = row_of(t, label)
            if value in line:
                return
            before = t.text
            if self.keyboard:
                t.press("right")
            else:
                t.click(line.rindex("▸"), y)
            t.wait(lambda now, before=before: now != before)  # type: ignore[misc]
        raise AssertionError(f"{label} never was {value!r}:\n{t.text}")

    def do(self, key: str, text: str, shown: str | Callable[[str], bool], patience: float = PATIENCE) -> str:
        """Presses the key, or clicks on the text in the last row. Then waits for the result."""
        if self.keyboard:
            self.terminal.press(key)
        else:
            self.terminal.touch(text)
        return self.terminal.wait(shown, patience)

    def done(self, number: int) -> str:
        """Ends a turn, and waits for the next one, or for the end. Returns the screen's text."""

        def over(text: str) -> bool:
            return at_the_end(text) or (f"round {number + 1} of" in text and own_turn(text))

        def told(text: str) -> bool:
            return "Press d again to end your turn" in text or "End the turn?" in text

        text = self.do("d", "End turn d", lambda text: over(text) or told(text))
        if "End the turn?" in text:
            # Unlucky revenue: the tax has taken all cash, and the others play on without this seat.
            return self.do("x", "Go bankrupt x", at_the_end, patience=3 * PATIENCE)
        return text if over(text) else self.do("d", "End turn d", over)


def cash(text: str) -> float:
    """Returns the player's own balance, from the ledger."""
    found = re.search(r"A (?:ana, )?you\s+(-?[\d.]+)K", text)
    assert found
    return float(found[1])


@pytest.mark.nightly
def test_a_short_game_by_the_keyboard_alone(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        hands = Hands(terminal, keyboard=True)
        hands.set_up()
        text = terminal.wait(own_turn)
        terminal.wait(WHY_BUY)
        terminal.press("t")
        terminal.wait("Start of your turn: 500 + 0 sales - 0 tax + 0 revenue = 500K")
        terminal.press("esc")
        terminal.wait("Buy b")
        for number in range(1, TURNS + 1):
            if number <= 3:
                before = cash(terminal.text)
                terminal.press("a")
                if "Selected:" in terminal.wait(lambda text: "Selected:" in text or "Nothing selected" in text):
                    hands.do("b", "Buy b", lambda text: "Bought" in text or "! " in text)
                    terminal.press("2")
                    terminal.wait("Set price Enter")
                    terminal.press("enter")
                    terminal.wait(lambda text: "Priced" in text or "! " in text)
                    assert cash(terminal.text) <= before
            if number == 2:
                hands.do("u", "u undo", "Undone.")
                terminal.press("left", "right", "o")
                terminal.wait(lambda text: "the government’s" in text or "Nobody owns land" in text)
                terminal.press("esc")
                terminal.wait("End turn d")
            text = hands.done(number)
            if at_the_end(text):
                break
        terminal.dossier()
        terminal.press("enter")
        terminal.wait("· replay")
        # Beside a long sentence there is no room for the turn's number; the start has a short one.
        terminal.press(HOME)
        terminal.wait(lambda text: re.search(r"turn 0 of \d+", text) is not None)
        terminal.press("esc")
        terminal.dossier()
        assert len(list((tmp_path / "records").iterdir())) == 1


def test_a_short_game_by_the_mouse_alone(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        hands = Hands(terminal, keyboard=False)
        hands.set_up()
        terminal.wait(own_turn)
        for number in range(1, TURNS + 1):
            if number <= 3 and (place := governments(terminal.text)):
                terminal.click(*place)
                hands.do("b", "Buy b", lambda text: "Bought " in text or "! " in text)
                terminal.touch("Set price p")
                terminal.wait("Price of ")
                price, line = row_of(terminal, "Price of ")
                terminal.click(line.index("▸", line.index("◂")), price)
                terminal.touch("Set price Enter")
                terminal.wait(lambda text: "Priced " in text or "! " in text)
            if number == 1:
                terminal.touch("u undo")
                terminal.wait("Undone.")
                terminal.touch("o overview")
                terminal.wait(lambda text: "the government’s" in text or "Nobody owns land" in text)
                terminal.touch(" price ")
                terminal.wait("<1K")
                terminal.touch("Close Esc")
                terminal.wait("End turn d")
                # A parcel of a sector that is not in play this turn.
                terminal.click(*((70, 9) if "Sector 1,1" in terminal.text else (56, 5)))
                terminal.wait("in play: ")
            if at_the_end(hands.done(number)):
                break
        text = terminal.dossier()
        assert "Every move was replayed" in text


def test_two_seats_see_each_others_deals(tmp_path: Path) -> None:
    with Terminal("host", "land", "--seats", "2", "--nickname", "ana", "--calm", data=tmp_path / "ana") as ana:
        address = address_of(ana)
        with Terminal("join", address, "--nickname", "ben", "--calm", data=tmp_path / "ben") as ben:
            for terminal in (ana, ben):
                terminal.touch("Same y")
            text = ana.wait(lambda text: own_turn(text) or "’s turn in sector" in text)
            first, second = (ana, ben) if own_turn(text) else (ben, ana)
            names = ("ana", "ben") if first is ana else ("ben", "ana")
            first.wait(own_turn)
            first.press("b")
            first.wait(lambda text: "Bought" in text or "! " in text)
            first.press("d")
            first.wait(lambda text: "Press d again" in text or not own_turn(text))
            if "Press d again" in first.text:
                first.press("d")
            text = second.wait(own_turn)
            assert "buys " in text or "makes no deals" in text
            second.press("f10")
            second.touch("Resign")
            second.touch("Resign x")
            assert f"{names[1]} resigned" in first.dossier()
            assert "you resigned" in second.dossier()
