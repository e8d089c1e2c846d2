"""The phone at a table of the chaos: Chromium on a host of the test network, whose player touches what is shown."""

from __future__ import annotations

import shlex
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from playwright.async_api import Error as PageTrouble

from tests.support.chromium import Chromium, installed_chromium, open_chromium
from tests.support.diamond_game import places
from tests.support.phone import ASTRAY, GO_ON, READING, STOP_GUIDE, Phone, Touch, open_phone, place
from tests.support.phone_tables import PLAYERS, VERDICT
from tests.support.seat_page import UPRIGHT
from tests.support.terminal import TimedOut

NAME: Final = "phone"
LOBBY: Final[tuple[Touch, ...]] = ("Same", ("Press Ready when", "Ready"), ("Waiting for you.", "Ready"))
TRUST: Final[tuple[Touch, ...]] = ("Finish", "Set", "Done")
"""Pays nothing, sends nobody and sells nothing."""
ROUNDS: Final = 3
"""Rounds after which the player agrees to end a game, where players can."""
PATIENCE: Final = 3.0
"""Seconds without a change after which the player checks whether the page is still there."""


class PhoneGuest(threading.Thread):
    """Sits down by a link, plays to the end, and saves the record. All of it is done on a thread of its own."""

    def __init__(self, inside: list[str], folder: Path, link: str, game: str, rng: Random) -> None:
        """`inside` is the command that runs another one on the phone's host. `folder` gets pictures and a log."""
        super().__init__(daemon=True)
        self.record: bytes | None = None
        self.problems: list[str] = []
        self.failure = ""
        """Why the phone did not come to the end, if it did not."""
        self._inside, self._folder, self._link, self._game, self._rng = inside, folder, link, game, rng
        self._reload = threading.Event()
        self._ended = threading.Event()
        self._shown = ""

    def reload(self) -> None:
        """Has the player reload the page, soon."""
        self._reload.set()

    def stop(self) -> None:
        """Ends the browser."""
        self._ended.set()
        self.join()

    def run(self) -> None:
        try:
            with open_chromium(str(self._browser())) as chromium:
                size = PLAYERS[self._game].size if self._game in PLAYERS else UPRIGHT
                with open_phone(chromium, self._link, NAME, size) as phone:
                    try:
                        self._play(chromium, phone)
                    finally:
                        self.problems = phone.problems
                        with suppress(PageTrouble):
                            phone.picture(self._folder / "phone.png")
        except Exception as error:  # A finding, which the game reports.
            self.failure = f"{type(error).__name__}: {error}"
        (self._folder / "phone.log").write_text(f"{self.failure}\n{self.problems}\n{self._shown}\n", "utf-8")

    def _browser(self) -> Path:
        """A program that runs the browser on the phone's host."""
        script = self._folder / "chromium"
        script.write_text(f'#!/bin/sh\nexec {shlex.join([*self._inside, installed_chromium()])} "$@"\n')
        script.chmod(0o755)
        return script

    def _play(self, chromium: Chromium, phone: Phone) -> None:
        """Plays until the record is saved, or the phone is stopped."""
        of_game = PLAYERS[self._game].touches(ROUNDS) if self._game in PLAYERS else TRUST
        touches: tuple[Touch, ...] = (*GO_ON, STOP_GUIDE, VERDICT, *ASTRAY, *LOBBY, *of_game)
        pairs = [(each, each) if isinstance(each, str) else each for each in touches]
        while not self._ended.is_set():
            try:
                if self._reload.is_set():
                    self._reload.clear()
                    chromium.wait_for(phone.page.reload())
                self._shown = text = phone.text
                if chromium.wait_for(phone.page.locator("#again").is_visible()):
                    chromium.wait_for(phone.page.locator("#again").click())
                    time.sleep(1)
                    continue
            except PageTrouble:
                time.sleep(1)  # The host does not answer: the player tries once more.
                self._reload.set()
                continue
            possible = [(seen, touched) for seen, touched in pairs if seen in text and touched in text]
            if possible and possible[0][0] == VERDICT:
                self.record = phone.download("Export record")
                return
            with suppress(TimedOut, PageTrouble, ValueError):
                if possible:
                    self._touch(phone, *possible[0])
                elif self._game == "diamond" and "your move" in text:
                    self._place(phone)
                phone.wait(lambda now, before=text: now != before, PATIENCE)  # type: ignore[misc]

    @staticmethod
    def _touch(phone: Phone, seen: str, touched: str) -> None:
        if seen in GO_ON:
            time.sleep(READING)
        phone.tap(*place(touched, phone.text))

    def _place(self, phone: Phone) -> None:
        """Touches any point of Diamond's board, and what then makes the turn."""
        phone.tap(*self._rng.choice(list(places().values())))
        time.sleep(0.3)
        if "Go" in (text := phone.text):
            phone.tap(*place("Go", text))
