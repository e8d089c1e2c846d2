"""What the players of a tournament are called, and whom somebody means who types a name.

A player is a key, and a nickname is only what it is called: others can take the same one, or one that looks like it.
So lists show each player by a name that no other player has, and a name that fits several is never resolved silently.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from kimberley.p2p.base.confusables import confusable, skeletons
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import fingerprint, nickname_from
from kimberley.p2p.tournament.players import TournamentPlayer

DRAW, NOBODY = "draw", "nobody"
"""What an organizer types in place of a winner's name."""
LEAST_DIGITS: Final = 4
"""Hex digits of a key that mean its player."""

_DIGITS: Final = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},64}}")
_SIGNS: Final = re.compile(r"\s*[:,][\s:,]*")
"""The signs that end a name in the organizer's commands. No name in a list has one: typed in a command, a part of it
would mean somebody else.
"""


class UnclearName(Exception):
    """Nobody has that name, or several do. The text is a sentence that says what to type."""


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
        while not taken.isdisjoint(found := skeletons(name := _with_key(player, digits))):
            digits = 2 * digits or LEAST_DIGITS
        names[player.identity] = name
        taken |= found
    return names


def _with_key(player: TournamentPlayer, digits: int) -> str:
    """Returns the nickname without signs that end a name, and with this many digits of the key."""
    name = _SIGNS.sub(" ", player.nickname).strip()
    return f"{name} {player.identity.hex()[:digits]}".strip() if digits else name


def _is_misleading(nickname: str, keys: Collection[str]) -> bool:
    """Returns whether a nickname reads like the beginning of somebody's key, holds a sign that ends a name in the
    organizer's commands, or is a word of theirs.
    """
    key = _DIGITS.fullmatch(nickname.casefold()) is not None and nickname.casefold()[:LEAST_DIGITS] in keys
    return key or _SIGNS.search(nickname) is not None or any(confusable(nickname, word) for word in (DRAW, NOBODY))


def namesakes(players: Sequence[TournamentPlayer], nickname: str) -> list[TournamentPlayer]:
    """Returns the players with this nickname, or with one that a person could take for it, in the order of
    enrollment.
    """
    wanted = nickname_from(nickname)
    return [player for player in players if confusable(player.nickname, wanted)]


def is_called(player: TournamentPlayer, nickname: str) -> bool:
    """Returns whether a player has this very nickname. Case makes no difference."""
    return player.nickname.casefold() == nickname_from(nickname).casefold()


def find_player(
    players: Sequence[TournamentPlayer],
    names: Mapping[bytes, str],
    typed: str,
    among: Collection[bytes] | None = None,
    where: str = "here",
) -> bytes:
    """Returns the player that somebody means: by the name that lists show, by a nickname that only one player has, or
    by the beginning of the key.

    Args:
        players: All players of the tournament.
        names: What lists call them (`display_names`).
        typed: What was typed.
        among: Those who can be meant, such as the players of a table; None for all. A nickname that another player has
            is unclear nevertheless.
        where: What to say in place of "here", such as "at table 2".

    Raises:
        UnclearName: Nobody is meant, or several could be.

    """
    wanted = clean(typed).casefold()
    meant = [player for player in players if names[player.identity].casefold() == wanted] or [
        player for player in players if confusable(player.nickname, clean(typed)) or _means_key(player, wanted)
    ]
    if len(meant) > 1:
        known = ", ".join(names[player.identity] for player in meant[:8])
        raise UnclearName(
            f'Several players could be meant by "{clean(typed, 40)}". Type one of these names in full: {known}.'
        )
    if not meant or (among is not None and meant[0].identity not in among):
        raise UnclearName(f'No player "{clean(typed, 40)}" {where}. Type the name as in the list of players.')
    return meant[0].identity


def _means_key(player: TournamentPlayer, wanted: str) -> bool:
    """Returns whether this is the beginning of a player's key, alone or after the nickname."""
    name, _, digits = wanted.rpartition(" ")
    begins = _DIGITS.fullmatch(digits) is not None and player.identity.hex().startswith(digits)
    return begins and name.strip() in ("", player.nickname.casefold())
