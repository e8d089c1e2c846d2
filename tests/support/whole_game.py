"""Two players: nine rounds of Diamond Trust on two real terminals, or on one and a phone, as a script.

Round 1: both send [1] and (1) to Uige. Round 2: London bribes (1), which turns it, learns its plan and adjusts its own.
Round 3: Antwerp bribes [1], and (1) tells London. Then quiet rounds to the end. London plays with the keyboard, Antwerp
with the mouse or with fingers.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from tests.support.terminal import Terminal, TimedOut

MAP_TOP: Final = 6
LOOK: Final = 40.0
"""The most seconds to wait for the end of a last look."""


def region(terminal: Terminal, name: str) -> tuple[int, int]:
    """Returns a cell of a region's name on the map, not in the card above it."""
    rows = terminal.wait(lambda text: any(name in row for row in text.splitlines()[MAP_TOP:])).splitlines()
    return next((row.index(name), y) for y, row in enumerate(rows) if y >= MAP_TOP and name in row)


PLAYED: Final = "skip to the end"
"""What the key bar says while events are played back."""
GO_ON: Final = "continue"
"""What the key bar says while something stays until it is read."""


class TrustSeat(Protocol):
    """One player of Diamond Trust, by any means."""

    def wait(self, shown: str, patience: float) -> None: ...
    def done(self) -> None: ...
    def send(self, name: str, payment: int) -> None: ...
    def bribe(self, badge: str, amount: int) -> None: ...
    def sell(self) -> None: ...
    def dossier(self, patience: float) -> None: ...


@dataclass
class Seat:
    """One player, who uses only the keyboard, or only the mouse."""

    terminal: Terminal
    keyboard: bool
    agent: str
    """The sign of the player's first agent on the map."""

    def wait(self, shown: str, patience: float) -> None:
        """Waits for a text. What is played back meanwhile is shown at once, and each card is left."""
        awaited = (PLAYED, GO_ON, shown)
        while True:
            text = self.terminal.wait(lambda text: any(each in text for each in awaited), patience)
            label = next((each for each in (GO_ON, PLAYED) if each in text), None)
            if label is None:
                return
            # The first moments of what is shown take no key.
            with suppress(TimedOut):
                self._button("enter", label)
                self.terminal.wait(lambda now, before=text: now != before, 1.0)  # type: ignore[misc]

    def done(self) -> None:
        """Presses Done, and confirms if asked."""
        text = self.terminal.wait(lambda text: "Done d" in text)
        before = strip(text)
        self._button("d", "Done d")
        # Not "done ✓": the other side may have been done before.
        text = self.terminal.wait(lambda text: "Finish y" in text or "Done d" not in text or strip(text) != before)
        if "Finish y" in text:
            self._button("y", "Finish y")
            self.terminal.wait(lambda text: "Finish y" not in text)

    def send(self, name: str, payment: int) -> None:
        """Sends the first agent to a region, for a payment. Bribes the Inspector with nothing if he is there."""
        t = self.terminal
        if self.keyboard:
            t.press("1")
            t.wait("Select a region")
        else:
            t.click(*region(t, self.agent))
            t.wait("Select a region")
        t.click(*region(t, name)) if not self.keyboard else self._walk(name)
        t.wait("Offer by")
        self._amount(payment)
        if "Inspector bribe" in t.wait(lambda text: "Offer by" not in text):
            self._amount(0)
            t.wait(lambda text: "Inspector bribe" not in text)

    def bribe(self, badge: str, amount: int) -> None:
        """Bribes the other side's agent where one of the player's own meets it."""
        t = self.terminal
        if self.keyboard:
            for _ in range(6):
                t.press("tab")
                if f"Bribe {badge}" in t.wait(lambda text: "leaves you" in text):
                    break
        else:
            t.click(*region(t, badge))
        t.wait(f"Bribe {badge}")
        self._amount(amount)
        t.wait(lambda text: f"Bribe {badge}" not in text)

    def sell(self) -> None:
        """Sells nothing."""
        self.done()

    def dossier(self, patience: float) -> None:
        """Goes on from the end of the game to the dossier."""
        self.terminal.dossier(patience)

    def _walk(self, name: str) -> None:
        """Moves to a region's name with the arrow keys, until the name is marked as focused."""
        t = self.terminal
        for key in ("", "right", "down", "left", "up", "right", "right", "down", "down"):
            if key:
                t.press(key)
            if f"▸{name}◂" in t.wait(lambda text: "Select a region" in text):
                break
        t.wait(f"▸{name}◂")
        t.press("enter")

    def _amount(self, amount: int) -> None:
        t = self.terminal
        t.wait(" ✓ ")
        if self.keyboard:
            t.press(*str(amount), "enter")
            return
        for _ in range(amount):
            t.touch(" ▸ ")
        t.wait(f"$ {amount}")
        t.touch(" ✓ ")

    def _button(self, key: str, text: str) -> None:
        if self.keyboard:
            self.terminal.press(key)
        else:
            self.terminal.touch(text)


def strip(text: str) -> str:
    """Returns the phase, from the strip."""
    return text.splitlines()[5].split("  ")[0].strip()


def both(seats: tuple[TrustSeat, ...], shown: str, patience: float = 20.0) -> None:
    for seat in seats:
        seat.wait(shown, patience)


def on_terminals(ana: Terminal, ben: Terminal) -> tuple[Seat, Seat]:
    """Returns both players, London with the keyboard and Antwerp with the mouse."""
    return Seat(ana, True, "[1]"), Seat(ben, False, "(1)")


def play(london: Seat, antwerp: TrustSeat, look: Callable[[str], None] = lambda name: None) -> None:
    """Plays from the first pay phase to the dossier. `look` is called at moments worth a picture."""
    seats, ana = (london, antwerp), london.terminal
    for number in range(1, 10):
        both(seats, f"month {number} of 9")
        both(seats, " PAY ")
        if number == 2:
            london.bribe("(1)", 3)
        if number == 3:
            antwerp.bribe("[1]", 2)
        look(f"pay{number}")
        for seat in seats:
            seat.done()
        both(seats, " MOVE ")
        if number == 3:
            # (1) has told London that it bribed [1], and with how much.
            ana.press("1")
            ana.wait("by (1)")
            ana.press("esc")
            look("told")
        if number <= 3:
            london.send("Uige", number)
            antwerp.send("Uige", 1)
        look(f"move{number}")
        for seat in seats:
            seat.done()
        if number == 2:
            both(seats, "ADJUST")
            ana.wait("(1)♥ reports: stays in Uige, offers $1")
            look("look")
            london.send("Uige", 4)
            look("adjusted")
        if number < 9:
            both(seats, " SALE ", LOOK)
            look(f"sale{number}")
            for seat in seats:
                seat.sell()
    for seat in seats:
        seat.dossier(LOOK)
    look("dossier")
