"""What the players of a tournament are called.

A player is a key, and a nickname is only what it is called: others can take the same one, or one that looks like it.
So lists show each player by a name that no other player has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from kimberley.p2p.base.confusables import confusable, skeletons
from kimberley.p2p.storage.identity import fingerprint
from kimberley.p2p.tournament.players import TournamentPlayer

DRAW, NOBODY = "draw", "nobody"
"""What an organizer types in place of a winner's name."""
LEAST_DIGITS: Final = 4
"""Hex digits of a key that mean its player."""

KEY_DIGITS: Final = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},64}}")
"""The beginning of a key, as it is typed."""
_SIGNS: Final = re.compile(r"\s*[:,][\s:,]*")
"""The signs that end a name in the organizer's commands. No name in a list has one: typed in a command, a part of it
would mean somebody else.
"""


def display_names(players: Sequence[TournamentPlayer]) -> dict[bytes, str]:
    """Returns what lists call each player, by identity: the nickname, with the beginning of the key if another player's
    looks like it, or if it could be taken for something else. No person could take one of these names for another.
    """
    looks = Counter(look for player in players for look in skeletons(player.nickname))
    with_keys = {
        look: player.identity
        for player in players
        for look in skeletons(f"{player.nickname} {fingerprint(player.identity)}")
    }
    keys = {player.identity.hex()[:LEAST_DIGITS] for player in players}
    names: dict[bytes, str] = {}
    taken: set[str] = set()
    for player in players:
        nickname, own = player.nickname, skeletons(player.nickname)
        unclear = any(looks[look] > 1 or with_keys.get(look, player.identity) != player.identity for look in own)
        digits = LEAST_DIGITS if unclear or _is_misleading(nickname, keys) else 0
        while not taken.isdisjoint(shapes := skeletons(name := _with_key(player, digits))):
            digits = 2 * digits or LEAST_DIGITS
        names[player.identity] = name
        taken |= shapes
    return names


def _with_key(player: TournamentPlayer, digits: int) -> str:
    """Returns the nickname without signs that end a name, and with this many digits of the key."""
    name = _SIGNS.sub(" ", player.nickname).strip()
    return f"{name} {player.identity.hex()[:digits]}".strip() if digits else name


def _is_misleading(nickname: str, keys: Collection[str]) -> bool:
    """Returns whether a nickname reads like the beginning of somebody's key, holds a sign that ends a name in the
    organizer's commands, or is a word of theirs.
    """
    key = KEY_DIGITS.fullmatch(nickname.casefold()) is not None and nickname.casefold()[:LEAST_DIGITS] in keys
    return key or _SIGNS.search(nickname) is not None or any(confusable(nickname, word) for word in (DRAW, NOBODY))
