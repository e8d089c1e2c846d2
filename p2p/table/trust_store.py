"""The company at a table, as one knows it: who was met before, and who vouched for the words."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Final, Literal, TypeAlias

from p2p.files import StorageTrouble
from p2p.identity import Acquaintance, KnownKeys

log = logging.getLogger(__name__)

MANY_ABORTED: Final = 2
"""Tables given up at their words, from which on a person is warned."""

Standing: TypeAlias = Literal["you", "bot"] | Acquaintance
"""How one knows who sits at a seat. A "bot" sits in this program: what others call a bot is judged like anybody."""


class Company:
    """`own` is one's own identity key; `headless`: nobody is there to compare words, so keys are only pinned."""

    def __init__(self, own: bytes, data: Path | None, *, headless: bool) -> None:
        """Raises StorageTrouble."""
        self._own = own
        self._headless = headless
        self.bots: set[bytes] = set()
        """The keys of the bots that this program has seated."""
        self._known = KnownKeys(data)
        self._agreed: dict[bytes, str] = {}
        """The keys that were agreed on here, with their nicknames."""

    def standing(self, key: bytes, nickname: str) -> Standing:
        """How one knows this key. With whom one has agreed here is met, unless it now takes a name that is known."""
        if key == self._own:
            return "you"
        if key in self.bots:
            return "bot"
        if self._agreed.get(key) == nickname:
            return "met"
        known = self._known.judge(nickname, key)
        return "met" if known == "new" and key in self._agreed else known

    @property
    def warning(self) -> str | None:
        """Something that a person should think of while comparing words."""
        if self._known.aborted < MANY_ABORTED:
            return None
        return (
            f"{self._known.aborted} tables were given up at their words lately. "
            "Somebody may be trying to get between you: compare every word."
        )

    def agreed(self, people: Mapping[bytes, str], called_bots: Set[bytes]) -> None:
        """All agreed on the words with these keys. Raises StorageTrouble if that cannot be kept.

        Keys that the host calls bots are not remembered after this table: a bot has a new key at each, and people would
        be warned of its name.
        """
        self._agreed.update(people)
        lasting = {key: name for key, name in people.items() if key not in called_bots | self.bots | {self._own}}
        if lasting:
            self._known.remember(lasting, verified=not self._headless)

    def aborted(self) -> None:
        """A table was given up at its words."""
        try:
            self._known.count_aborted()
        except StorageTrouble as error:
            log.warning("%s", error)
