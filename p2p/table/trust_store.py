"""How far this player trusts the keys at a table: which were met before, and which words were agreed on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Final, Literal, TypeAlias

from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import KeyStatus, KnownKeys

log = logging.getLogger(__name__)

MANY_ABORTED: Final = 2
"""Tables given up at their words. From this number on the player is warned."""

TrustLevel: TypeAlias = Literal["you", "bot", "named bot", "host bot"] | KeyStatus
"""How well this player knows the player at a seat. A "bot" sits in this program. A "named bot" is one by the word of a
tournament's referee, which names its key, a "host bot" one by the word of a host whose key was met before; other bots
are judged like anybody.
"""

TRUSTED: Final = ("you", "bot", "named bot", "host bot", "met")
"""The levels at which nobody is asked to compare words."""


class TrustStore:
    """What the player with the key `own` knows of others. `headless`: nobody compares words; keys are only pinned."""

    def __init__(self, own: bytes, data: Path | None, *, headless: bool) -> None:
        """Raises StorageError."""
        self._own = own
        self._headless = headless
        self.bots: set[bytes] = set()
        """The keys of the bots in this program."""
        self.named_bots: frozenset[bytes] = frozenset()
        """The keys of the bots that a referee has named."""
        self._known = KnownKeys(data)
        self._agreed: dict[bytes, str] = {}
        """The keys agreed on at this table, with their nicknames."""

    def trust_level(self, key: bytes, nickname: str) -> TrustLevel:
        """Returns how well this player knows the key. A key agreed on here is met, unless it now uses another known
        name.
        """
        if key == self._own:
            return "you"
        if key in self.bots:
            return "bot"
        if key in self.named_bots:
            return "named bot"
        if self._agreed.get(key) == nickname:
            return "met"
        known = self._known.status_of(nickname, key)
        return "met" if known == "new" and key in self._agreed else known

    @property
    def warning(self) -> str | None:
        """What the player should keep in mind while comparing words; None for nothing."""
        if self._known.aborted < MANY_ABORTED:
            return None
        return (
            f"The last {self._known.aborted} comparisons of words were broken off. "
            "Someone may be tampering with your connection: compare every word."
        )

    def remember_agreed(self, people: Mapping[bytes, str], called_bots: Set[bytes]) -> None:
        """Remembers these keys as those with which all agreed on the words. Raises StorageError if that cannot be
        stored.

        Keys of bots are forgotten after this table, including those that the host or a referee calls bots: a bot may
        have a new key at each table, and people would be warned about its name.
        """
        self._agreed.update(people)
        forgotten = called_bots | self.bots | self.named_bots | {self._own}
        lasting = {key: name for key, name in people.items() if key not in forgotten}
        if lasting:
            self._known.remember(lasting, verified=not self._headless)

    def count_aborted(self) -> None:
        """Counts a table that was given up at its words."""
        try:
            self._known.count_aborted()
        except StorageError as error:
            log.warning("%s", error)
