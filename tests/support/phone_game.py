"""A player on a phone held upright, by touch alone: a seat of the game that `whole_game` plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.support.phone import PATIENCE, Phone

MAP: Final = slice(6, 24)
CARD: Final = slice(24, None)
"""The rows of the map, and those of the card and the buttons."""


class PhoneSeat:
    """One side of Diamond Trust (`whole_game.TrustSeat`)."""

    def __init__(self, phone: Phone, agent: str) -> None:
        """Takes `agent`, the sign of the player's first agent."""
        self.phone, self.agent = phone, agent

    def wait(self, shown: str, patience: float) -> None:
        """Waits for a text. What is played back meanwhile is shown at once, and each card is left."""
        self.phone.wait_through(shown, max(patience, PATIENCE))

    def done(self) -> None:
        """Touches Done, and confirms if asked."""
        before = phase(self.phone.wait("Done"))
        self.phone.touch("Done")
        text = self.phone.wait(lambda text: "Finish" in text or "Done" not in text or phase(text) != before)
        if "Finish" in text:
            self.phone.touch("Finish")
            self.phone.wait(lambda text: "Finish" not in text)

    def send(self, name: str, payment: int) -> None:
        """Sends the first agent to a region, for a payment. Bribes the Inspector with nothing if he is there."""
        self.send_to_any((name,), payment)

    def send_to_any(self, names: Sequence[str], payment: int) -> None:
        """Does so with the first of these regions whose name can be read: a note of the guide may cover some."""
        self.phone.touch(self.agent, CARD)
        self.phone.wait("Select a region")
        text = self.phone.wait(lambda text: bool(readable(names, text)))
        self.phone.touch(readable(names, text)[0], MAP)
        self._amount(payment)
        if "Inspector?" in sentence(self.phone.text):
            self._amount(0)

    def bribe(self, badge: str, amount: int) -> None:
        """Bribes the other side's agent where one of the player's own meets it."""
        self.phone.touch(f"{badge} bribe")
        self._amount(amount)

    def sell(self) -> None:
        """Sells nothing."""
        self.done()

    def dossier(self, patience: float) -> None:
        """Goes on from the end of the game to the dossier."""
        self.wait("FAIR ✓", patience)

    def _amount(self, amount: int) -> None:
        """Sets an amount by its arrow."""
        for number in range(amount):
            self.phone.wait(f"$ {number}")
            self.phone.touch("▸")
        asked = sentence(self.phone.wait(f"$ {amount}"))
        self.phone.touch("Set")
        self.phone.wait(lambda text: sentence(text) != asked)


def readable(names: Sequence[str], text: str) -> list[str]:
    """Returns those of some regions whose names can be read on the map."""
    rows = "\n".join(text.splitlines()[MAP])
    return [name for name in names if name in rows]


def sentence(text: str) -> str:
    """Returns what the player is asked, below the phase."""
    return " ".join(text.splitlines()[4:6])


def phase(text: str) -> str:
    """Returns the phase, from the strip."""
    return text.splitlines()[3].split("  ")[0].strip()
