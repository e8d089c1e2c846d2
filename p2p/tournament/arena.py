"""Pairs the players of an arena, in the form that lichess made popular: free players play each other until the time is
over.

A pairing depends on nothing but the results so far and the time, so anybody can repeat it (docs/formats.md, "Arena").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from kimberley.p2p.tournament.pairing import Pairing, in_seat_order, pair_down
from kimberley.p2p.tournament.players import PlayerHistory, TournamentRound
from kimberley.p2p.tournament.settings import TournamentSettings

REST_SECONDS: Final = 3
"""Time between the end of a player's game and its next pairing."""
REMATCH_SECONDS: Final = 15
"""How long two players who have just met wait for others to be free, before they meet again."""


def is_arena_over(settings: TournamentSettings, rounds: Sequence[TournamentRound], at: int) -> bool:
    """Returns whether no more tables open. Those that are open are played to their end."""
    return bool(rounds) and at >= rounds[0].begun + 60 * settings.minutes


def pair_free_players(entries: Iterable[PlayerHistory], rounds: Sequence[TournamentRound], at: int) -> Pairing:
    """Returns the tables that open now: the best of the free players meets the next one, and so on down the standings.

    Two who have just met play again only if nobody else is free for them, and both have waited for a while. The last of
    an odd number waits.
    """
    games = _latest_games(rounds)
    rested = [entry for entry in entries if games.get(entry.identity, NO_GAME).over + REST_SECONDS <= at]
    waiting = sorted(rested, key=lambda entry: (-entry.points, entry.number))

    def fresh(one: PlayerHistory, other: PlayerHistory) -> bool:
        latest = games.get(one.identity, NO_GAME), games.get(other.identity, NO_GAME)
        return latest[0].opponent != other.identity and latest[1].opponent != one.identity

    def patient(entry: PlayerHistory) -> bool:
        return games.get(entry.identity, NO_GAME).over + REMATCH_SECONDS <= at

    pairs, left = pair_down(waiting, fresh)
    pairs += [
        (one, other) for one, other in zip(left[::2], left[1::2], strict=False) if patient(one) and patient(other)
    ]
    return Pairing(tuple((one.identity, other.identity) for one, other in (in_seat_order(*pair) for pair in pairs)))


@dataclass(frozen=True, slots=True)
class _Game:
    """A player's latest game: against whom, and when it was decided; infinity while it is played."""

    opponent: bytes
    over: float


NO_GAME: Final = _Game(b"", -inf)


def _latest_games(rounds: Sequence[TournamentRound]) -> dict[bytes, _Game]:
    games: dict[bytes, _Game] = {}
    for table in (table for one in rounds for table in one.tables):
        over = inf if table.decided is None else table.decided.at
        one, other = table.seats
        games |= {one: _Game(other, over), other: _Game(one, over)}
    return games
