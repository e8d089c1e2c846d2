"""How strong players have shown themselves in this cup: the Plackett-Luce model of Weng and Lin (JMLR 12, 2011).

Computed by openskill from every table that was played, round by round; shown as a whole number, 1500 for who has shown
nothing. Ratings are for reading: they decide no pairing and no tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from p2p.referee.field import Player, Round, Table

START: Final = 1500
SPREAD: Final = 200
"""What the model's standard deviation of a new player is shown as."""


def histories(players: Iterable[Player], rounds: Sequence[Round]) -> dict[bytes, tuple[int, ...]]:
    """Each player's rating before the first round and after each, so far as its tables are decided."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    now = {player.identity: model.rating() for player in players}
    scale = SPREAD / model.sigma
    shown = {identity: [START] for identity in now}
    for one in rounds:
        for table in one.tables:
            if table.played:
                rated = model.rate([[now[identity]] for identity in table.seats], ranks=_ranks(table))
                now |= {identity: team[0] for identity, team in zip(table.seats, rated, strict=True)}
        for identity, rating in now.items():
            shown[identity].append(START + round(scale * (rating.mu - model.mu)))
    return {identity: tuple(values) for identity, values in shown.items()}


def _ranks(table: Table) -> list[float]:
    """By seat; who lost by ruling comes last."""
    assert table.decided is not None
    return [float(place or len(table.seats) + 1) for place in table.decided.places]
