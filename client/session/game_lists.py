"""What the lists of unfinished and of finished games say of each: its title, and when it was written."""

from __future__ import annotations

import datetime

from kimberley.games import lookup
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.base.text import clean


def title_of(game: str) -> str:
    """Returns a game's title, or its id if the game is not installed."""
    return lookup.find(game).title if game in lookup.ids() else clean(game, 40) or "A game"


def kept_when(written: float) -> str:
    """Returns a day in local time, in 12 columns: with the time if it is today, with the year if it is not
    this year's.
    """
    day, now = datetime.datetime.fromtimestamp(written), datetime.datetime.fromtimestamp(wall_time())
    if day.date() == now.date():
        return f"today {day:%H:%M}"
    return f"{day:%b} {day.day}" if day.year == now.year else f"{day:%b} {day.day}, {day.year}"


def written_when(written: float) -> str:
    """Returns a day and time in local time."""
    day = datetime.datetime.fromtimestamp(written)
    return f"{day:%b} {day.day}, {day:%H:%M}"
