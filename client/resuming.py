"""Games that wait in the journals: which there are, which one is meant, and how they are told. Loaded when needed."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.people import in_a_row
from games import lookup
from p2p import resume
from p2p.text import clean

if TYPE_CHECKING:
    from client.services import Unfinished
    from games.table import Plain

DEFAULT_LEVEL: Final = 5


def listed(data: Path, identity: bytes) -> tuple[Unfinished, ...]:
    """The games of an identity that wait in a data folder, the latest first."""
    from client.services import Unfinished

    return tuple(
        Unfinished(str(kept.path), title_of(kept.game), kept.others, kept.choices, kept.written, kept.problem)
        for kept in resume.kept(data, identity)
    )


def title_of(game: str) -> str:
    """A game's title, as far as it is installed."""
    return lookup.find(game).title if game in lookup.ids() else clean(game, 40) or "A game"


def find_journal(data: Path, identity: bytes, wanted: str | None) -> Path:
    """The journal that is meant: a file, the id of a game, a nickname; None for the latest. Raises Trouble."""
    if wanted is not None and ("/" in wanted or wanted.endswith(".journal")):
        return Path(wanted).expanduser()
    return resume.choose(resume.kept(data, identity), wanted).path


def bot_settings(note: Plain) -> tuple[int, int]:
    """Level and seed of a bot, as its journal keeps them."""
    match note:
        case (int() as level, int() as seed) if 1 <= level <= 20:
            return level, seed
    return DEFAULT_LEVEL, 0


def told(game: Unfinished) -> str:
    """A game that waits, in a sentence."""
    if game.problem is not None and not game.others:
        return game.problem
    said = f"{game.title} against {in_a_row(game.others)}, {played(game)}, last on {when(game.written)}."
    return f"{said} {game.problem}" if game.problem is not None else said


def played(game: Unfinished) -> str:
    """How far one has come."""
    return {0: "no choice made yet", 1: "1 choice made"}.get(game.choices, f"{game.choices} choices made")


def when(written: float) -> str:
    """A day and a time of this machine's clock."""
    day = datetime.datetime.fromtimestamp(written)
    return f"{day.day} {day:%b %H:%M}"
