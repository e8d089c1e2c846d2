"""The payments of the last month: the best of a search are compared by the worth of the last round after each.

In that round both sides play the equilibrium of some of their orders (`games.diamond_trust.bots.last_round`). The other
side pays nobody in that month, as its policy does.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, SEATS
from kimberley.games.diamond_trust.bots.last_round import LastPlans, last_values
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Rows, distinct
from kimberley.games.diamond_trust.bots.simulator import Games

WORLDS: Final = 48
FINALISTS: Final = 4


def last_payments(rows: Rows, worlds: Games, seat: int, rollout: Rollout) -> MixedStrategy:
    """Returns the best of the payments `rows` of `seat`, or no payments. The worlds are sorted by the other side's
    cash.
    """
    rows = distinct(np.concatenate([np.zeros((1, AGENTS), np.int16), rows]), len(rows) + 1)
    worth = [float(last_values(LastPlans(_paid(worlds, seat, row), seat, rollout)).mean()) for row in rows]
    # What is paid stays hidden, so it need not be mixed.
    return [(rows[int(np.argmax(worth))].tolist(), 1.0)]


def _paid(worlds: Games, seat: int, row: Rows) -> Games:
    games = worlds.pick(np.arange(worlds.size))
    amounts = np.zeros((SEATS, AGENTS, games.size), np.int16)
    amounts[seat] = row[:, None]
    games.pay(amounts, games.meetings())
    return games
