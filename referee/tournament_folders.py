"""Where the tournaments of this person are: each has a folder of its own, and continues by its name wherever the folder
is.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.p2p.base.errors import NoHomeError, UserError
from kimberley.p2p.base.platform import data_folder, state_folder
from kimberley.p2p.storage.archive import slug
from kimberley.p2p.storage.files import StorageError, make_folder, read, replace
from kimberley.referee.store import Store, StoreReader

CUPS: Final = "cups"
"""Folder of the tournaments, in the data folder."""
PLACES: Final = "cups.json"
"""File in the state folder: all folders in which a referee of this machine has begun a tournament, the latest last."""
MOST_PLACES: Final = 64
"""Folders that are remembered."""
MOST_PLACES_BYTES: Final = 1 << 20


class TournamentFolders:
    """The folders of the tournaments of one name."""

    def __init__(self, data: Path | None, name: str) -> None:
        """Takes `data`, the data folder, if one was typed."""
        self._name = name
        self._data = data

    @property
    def usual(self) -> Path:
        """Returns where it is unless the command says otherwise. Raises NoHomeError."""
        return (self._data or data_folder()) / CUPS / slug(self._name)

    def choose(self, typed: Path | None) -> Path:
        """Returns the folder to go on in, or to begin in: what was typed, otherwise where an unfinished tournament of
        this name is. Raises UserError if there are several.
        """
        if typed is not None:
            return typed
        if Store.exists(self.usual) or not (elsewhere := self.others(self.usual)):
            return self.usual
        if len(elsewhere) > 1:
            known = join_names([f"--data {folder}" for folder in elsewhere], "or")
            raise UserError(f'There are several unfinished tournaments "{self._name}". Say which one: add {known}.')
        return elsewhere[0]

    def others(self, folder: Path) -> list[Path]:
        """Returns the other folders with an unfinished tournament of this name."""
        places = dict.fromkeys(place.absolute() for place in self._places())
        with contextlib.suppress(NoHomeError):
            places = {self.usual.absolute(): None, **places}
        places.pop(folder.absolute(), None)
        return [place for place in places if self._is_unfinished(place)]

    def remember(self, folder: Path) -> None:
        """Remembers where the tournament is. Raises StorageError, NoHomeError."""
        place = folder.absolute()
        places = [one for one in self._places() if one != place][1 - MOST_PLACES :]
        replace(make_folder(state_folder()) / PLACES, json.dumps([*map(str, places), str(place)]).encode())

    def _places(self) -> list[Path]:
        with contextlib.suppress(StorageError, NoHomeError, ValueError, RecursionError):
            match json.loads(read(state_folder() / PLACES, MOST_PLACES_BYTES) or b"[]"):
                case [*texts]:
                    return [Path(text) for text in texts[-MOST_PLACES:] if isinstance(text, str)]
        return []

    def _is_unfinished(self, folder: Path) -> bool:
        with contextlib.suppress(StorageError), StoreReader(folder) as reader:
            return slug(reader.settings.name) == slug(self._name) and not reader.tournament().ended
        return False
