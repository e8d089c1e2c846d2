"""A player on a phone held upright, by touch alone: a seat of the game that `whole_game` plays."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from tests.support.phone import Phone
from tests.support.terminal import TimedOut

MAP: Final = slice(6, 24)
CARD: Final = slice(24, None)
"""The rows of the map, and those of the card and the buttons."""
GO_ON: Final = ("Go on", "at once")
"""The buttons of what is played back, and of what stays until it is read."""


class PhoneSeat:
    """One side of Diamond Trust (`whole_game.TrustSeat`)."""

    def __init__(self, phone: Phone, agent: str) -> None:
        """`agent` is the sign of the player's first agent."""
        self.phone, self.agent = phone, agent

    def wait(self, shown: str, patience: float) -> None:
        """Waits for a text. What is played back meanwhile is shown at once, and each card is left."""
        awaited = (*GO_ON, shown)
        while True:
            text = self.phone.wait(lambda text: any(each in text for each in awaited), patience)
            label = next((each for each in GO_ON if each in text), None)
            if label is None:
                return
            # The first moments of what is shown take no touch.
            with suppress(TimedOut):
                self.phone.touch(label)
                self.phone.wait(lambda now, before=text: now != before, 1.0)  # type: ignore[misc]

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
        self.phone.touch(self.agent, CARD)
        self.phone.wait("Select a region")
        self.phone.touch(name, MAP)
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


def sentence(text: str) -> str:
    """What the player is asked, below the phase."""
    return " ".join(text.splitlines()[4:6])


def phase(text: str) -> str:
    """The phase, from the strip."""
    return text.splitlines()[3].split("  ")[0].strip()
