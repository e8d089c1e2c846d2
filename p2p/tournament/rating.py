"""Ratings of the players in this tournament: the Plackett-Luce model of Weng and Lin (JMLR 12, 2011).

openskill computes them from every table that was played, round by round. They are shown as whole numbers; a player
without games has 1500. Ratings are only for information: they decide neither pairings nor ties. A player who lacks
openskill sees none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kimberley.p2p.base.extras import is_installed
from kimberley.p2p.tournament.players import TournamentPlayer, TournamentRound, TournamentTable

START: Final = 1500
SPREAD: Final = 200
"""The shown value of the model's standard deviation for a new player."""


def can_rate() -> bool:
    """Returns whether openskill is installed."""
    return is_installed("openskill")


def rating_histories(
    players: Iterable[TournamentPlayer], rounds: Sequence[TournamentRound]
) -> dict[bytes, tuple[int, ...]]:
    """Returns each player's rating before the first round and after each round, by the tables that are decided."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    now = {player.identity: model.rating() for player in players}
    scale = SPREAD / model.sigma
    ratings = {identity: [START] for identity in now}
    for one in rounds:
        for table in one.tables:
            if table.played:
                rated = model.rate([[now[identity]] for identity in table.seats], ranks=_ranks(table))
                now |= {identity: team[0] for identity, team in zip(table.seats, rated, strict=True)}
        for identity, rating in now.items():
            ratings[identity].append(START + round(scale * (rating.mu - model.mu)))
    return {identity: tuple(values) for identity, values in ratings.items()}


def _ranks(table: TournamentTable) -> list[float]:
    """Returns the ranks by seat; a player who lost by ruling comes last."""
    assert table.decided is not None
    return [float(place or len(table.seats) + 1) for place in table.decided.places]
