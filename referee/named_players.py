"""Which player an organizer means by a typed name. A name that fits several is never resolved silently."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kimberley.p2p.base.confusables import confusable
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import nickname_from
from kimberley.p2p.tournament.naming import KEY_DIGITS
from kimberley.p2p.tournament.players import TournamentPlayer


class UnclearName(Exception):
    """Nobody has that name, or several do. The text is a sentence that says what to type."""


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
            f'More than one player matches "{clean(typed, 40)}". Type one of these names in full: {known}.'
        )
    if not meant or (among is not None and meant[0].identity not in among):
        raise UnclearName(f'No player "{clean(typed, 40)}" {where}. Type the name as in the list of players.')
    return meant[0].identity


def _means_key(player: TournamentPlayer, wanted: str) -> bool:
    """Returns whether this is the beginning of a player's key, alone or after the nickname."""
    name, _, digits = wanted.rpartition(" ")
    begins = KEY_DIGITS.fullmatch(digits) is not None and player.identity.hex().startswith(digits)
    return begins and name.strip() in ("", player.nickname.casefold())
