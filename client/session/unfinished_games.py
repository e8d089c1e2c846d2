"""Unfinished games in the journals: listing them, choosing one, describing it. Imported only when needed."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kimberley.client.session.game_lists import title_of, written_when
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.journal import read_journal
from kimberley.p2p.table import resume

if TYPE_CHECKING:
    from kimberley.client.session.services import UnfinishedGame
    from kimberley.games.table import Plain

DEFAULT_LEVEL: Final = 5


def list_unfinished(data: Path, identity: bytes) -> tuple[UnfinishedGame, ...]:
    """Returns the unfinished games of an identity in a data folder, the latest first."""
    from kimberley.client.session.services import UnfinishedGame

    return tuple(
        UnfinishedGame(
            str(kept.path),
            title_of(kept.game),
            kept.others,
            kept.choices,
            kept.written,
            kept.problem,
            kept.game,
            kept.period,
            kept.alone,
        )
        for kept in resume.list_resumable_games(data, identity)
    )


def find_journal(data: Path, identity: bytes, wanted: str | None) -> Path:
    """Returns the journal that the user means: a file, a game's id or a nickname; None for the latest. Raises
    UserError.
    """
    if wanted is not None and ("/" in wanted or wanted.endswith(".journal")):
        with contextlib.suppress(RuntimeError):  # The home of an unknown user.
            return Path(wanted).expanduser()
        return Path(wanted)
    return resume.choose_game(resume.list_resumable_games(data, identity), wanted).path


def was_alone(path: Path) -> bool:
    """Returns whether the user plays alone in the game of a journal. False for a journal that cannot be read."""
    try:
        return resume.played_alone(read_journal(path))
    except StorageError:
        return False


def bot_settings(note: Plain) -> tuple[int, int]:
    """Returns a bot's level and seed, as kept in the journal."""
    match note:
        case (int() as level, int() as seed):
            return level, seed
    return DEFAULT_LEVEL, 0


def describe_game(game: UnfinishedGame) -> str:
    """Describes an unfinished game in a sentence."""
    if game.problem is not None and not game.others:
        return game.problem
    how_far = as_sentence(choices_played(game))
    sentence = f"{game.title} against {join_names(game.others)}. {how_far} Last played: {written_when(game.written)}."
    return f"{sentence} {game.problem}" if game.problem is not None else sentence


def choices_played(game: UnfinishedGame) -> str:
    """Says how far the game got; if it counts nothing, how many moves the player has made. Says nothing of a game that
    cannot be read.
    """
    if game.period or not game.others:
        return game.period
    return f"you made {count_of(game.choices, 'move') if game.choices else 'no moves'}"
