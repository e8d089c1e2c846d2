"""Whole short land games on a real terminal of 80 by 24, against bots: one with the keyboard only, one with the
mouse.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.program import PATIENCE
from tests.support.terminal import Terminal, at_the_end

TITLE = "Blood Diamonds: Land"
TURNS = 25
HOME = "\x1b[H"
MOST_VALUES = 30
"""More than any option has."""


def row_of(terminal: Terminal, text: str) -> tuple[int, str]:
    """The first row that shows a text, and its content."""
    return next((y, line) for y, line in enumerate(terminal.text.splitlines()) if text in line)


@dataclass
class Hands:
    """A player with only the keyboard (`keyboard`), or only the mouse."""

    terminal: Terminal
    keyboard: bool

    def set_up(self) -> None:
        """From the title screen to a table of three on the small map, with 25 turns each."""
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
            if self.keyboard:
                t.press("right")
            else:
                t.click(line.rindex("▸"), y)
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
            return at_the_end(text) or (f"round {number + 1} of" in text and "your turn" in text)

        def told(text: str) -> bool:
            return "Press d again to end your turn" in text or "End the turn?" in text

        dealt = "deals: " in self.terminal.text or "deal: " in self.terminal.text
        text = self.do("d", "Done d", (lambda text: over(text) or told(text)) if dealt else told)
        if "End the turn?" in text:
            # Unlucky revenue: the tax has taken all cash, and the others play on without this seat.
            return self.do("y", "Go bankrupt y", at_the_end, patience=3 * PATIENCE)
        return text if over(text) else self.do("d", "Done d", over)


def cash(text: str) -> float:
    """Your own balance, from the ledger."""
    found = re.search(r"ana, you\s+(-?[\d.]+)K", text)
    assert found
    return float(found[1])


def test_a_short_game_by_the_keyboard_alone(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        hands = Hands(terminal, keyboard=True)
        hands.set_up()
        text = terminal.wait("your turn")
        assert "Your start: 500 + 0 sales - 0 tax + 0 revenue = 500" in text
        for number in range(1, TURNS + 1):
            if number <= 3:
                before = cash(terminal.text)
                terminal.press("a")
                if "Selected:" in terminal.wait(lambda text: "Selected:" in text or "Nothing selected" in text):
                    hands.do("b", "b buy", lambda text: "Bought" in text or "! " in text)
                    terminal.press("2")
                    terminal.wait("2  ▸")
                    terminal.press("enter")
                    terminal.wait(lambda text: "Priced" in text or "! " in text)
                    assert cash(terminal.text) <= before
            if number == 2:
                hands.do("u", "u undo", "Undone.")
                terminal.press("left", "right", "o", "tab")
                terminal.wait("own this land")
            text = hands.done(number)
            if at_the_end(text):
                break
        terminal.dossier()
        terminal.press("enter")
        text = terminal.wait("· replay")
        assert re.search(r"turn \d+ of \d+", text)
        terminal.press(HOME)
        terminal.wait("turn 0 of")
        terminal.press("esc")
        terminal.dossier()
        assert len(list((tmp_path / "records").iterdir())) == 1


def test_a_short_game_by_the_mouse_alone(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        hands = Hands(terminal, keyboard=False)
        hands.set_up()
        terminal.wait("your turn")
        for number in range(1, TURNS + 1):
            if number <= 3 and terminal.text.count(" gov") > 1:
                # The cursor is on a parcel of your own, or else on the first one. It is never on the government's last
                # one.
                y, line = [(y, line) for y, line in enumerate(terminal.text.splitlines()) if " gov" in line][-1]
                x = line.rindex("gov")
                terminal.click(x, y)
                terminal.click(x, y)
                terminal.wait("1 selected")
                hands.do("b", "b buy", lambda text: "Bought " in text or "! " in text)
                price, line = row_of(terminal, "shows ")
                terminal.click(line.index("▸", line.index("◂")), price)
                terminal.click(line.rindex("✓"), price)
                terminal.wait(lambda text: "Priced " in text or "! " in text)
            if number == 1:
                terminal.touch("u undo")
                terminal.wait("Undone.")
                terminal.touch(" owner ")
                terminal.wait("own this land")
                # A parcel of a sector that is not in play this turn.
                terminal.click(*((22, 9) if "Sector 1,1" in terminal.text else (5, 6)))
                terminal.wait("not in play")
            if at_the_end(hands.done(number)):
                break
        text = terminal.dossier()
        assert "Every move was replayed" in text


def test_two_seats_see_each_others_deals(tmp_path: Path) -> None:
    with Terminal("host", "land", "--seats", "2", "--nickname", "ana", "--calm", data=tmp_path / "ana") as ana:
        port = re.search(r"TCP (\d+)", ana.wait("TCP"))
        assert port
        address = f"127.0.0.1:{port[1]}"
        with Terminal("join", address, "--nickname", "ben", "--calm", data=tmp_path / "ben") as ben:
            for terminal in (ana, ben):
                terminal.touch("Same y")
            text = ana.wait(lambda text: "your turn" in text or "is playing in sector" in text)
            first, second = (ana, ben) if "your turn" in text else (ben, ana)
            names = ("ana", "ben") if first is ana else ("ben", "ana")
            first.wait("your turn")
            first.press("b")
            first.wait(lambda text: "Bought" in text or "! " in text)
            first.press("d")
            first.wait(lambda text: "Press d again" in text or "your turn" not in text)
            if "Press d again" in first.text:
                first.press("d")
            text = second.wait("your turn")
            assert f"{names[0]} " in text.splitlines()[22]
            second.press("f10")
            second.touch("Resign")
            second.touch("Resign x")
            for terminal in (first, second):
                assert f"{names[0]} is the last player left" in terminal.dossier()
