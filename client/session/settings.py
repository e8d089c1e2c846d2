"""What a user has chosen once: kept as JSON beside the identity, in the user's data folder or where --data says.

A file that cannot be read or holds something else is no reason to fail: what is wrong in it counts as not chosen.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import tempfile
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from p2p.common_options import GRACE_RANGE, GRACE_SECONDS, LAST_LOOK_SECONDS

FILE: Final = "settings.json"
NICKNAME_LIMIT: Final = 24
COLOURS: Final = ("auto", "24-bit", "8-bit", "4-bit", "none")
GLYPHS: Final = ("auto", "full", "ascii")


@dataclass
class Settings:
    """One field for each choice. `path` is where `save` writes; None keeps nothing (tests, a read-only home)."""

    nickname: str = ""
    colours: str = "auto"
    glyphs: str = "auto"
    calm: bool = False
    bell: bool = False
    window_title: bool = False
    level: int = 5
    game: str = "diamond-trust"
    seats: int = 2
    last_look: int = LAST_LOOK_SECONDS
    grace: int = GRACE_SECONDS
    options: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each game, by its id, the options as they were last chosen: name and value as they are typed."""
    path: Path | None = field(default=None, compare=False)
    overridden: dict[str, tuple[Any, Any]] = field(default_factory=dict, compare=False, repr=False)
    """What holds for this run only: for each name what is kept, and what replaces it."""

    def override(self, **values: Any) -> None:
        """Chooses for this run only: `save` keeps what was there, unless it is changed once more."""
        for name, value in values.items():
            self.overridden[name] = (getattr(self, name), value)
            setattr(self, name, value)

    def save(self) -> None:
        """Writes the file whole or not at all. A folder that cannot be written to is no error: nothing is kept."""
        if self.path is None:
            return
        kept = {each.name: getattr(self, each.name) for each in fields(self) if each.compare}
        for name, (before, override) in self.overridden.items():
            if kept[name] == override:
                kept[name] = before
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".settings-")
            try:
                with open(handle, "w", encoding="utf-8") as file:
                    json.dump(kept, file, indent=1, ensure_ascii=False)
                os.replace(name, self.path)
            except OSError:
                os.unlink(name)
                raise

    @property
    def name(self) -> str:
        """The nickname: the login name until it is changed."""
        return self.nickname or login_name()


def login_name() -> str:
    """The name of the user's account, "player" where there is none."""
    try:
        return clean_nickname(getpass.getuser()) or "player"
    except (KeyError, OSError, ImportError):
        return "player"


def clean_nickname(text: str) -> str:
    """`text` without control and invisible characters and spaces at its ends, and not too long."""
    return " ".join("".join(c for c in text if c.isprintable()).split())[:NICKNAME_LIMIT]


def data_folder(given: Path | None = None) -> Path:
    """Where identity, settings, journals and records lie: the folder given, or the user's."""
    if given is not None:
        return given
    import platformdirs

    return Path(platformdirs.user_data_dir("kimberley", appauthor=False))


def load(folder: Path) -> Settings:
    """The settings kept in `folder`; a choice that is absent or makes no sense is its default."""
    settings = Settings(path=folder / FILE)
    try:
        kept: Any = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return settings
    if not isinstance(kept, dict):
        return settings
    for each in fields(settings):
        value = kept.get(each.name)
        if each.compare and type(value) is type(getattr(settings, each.name)) and _sensible(each.name, value):
            setattr(settings, each.name, value)
    settings.nickname = clean_nickname(settings.nickname)
    return settings


def _sensible(name: str, value: Any) -> bool:
    match name:
        case "colours":
            return value in COLOURS
        case "glyphs":
            return value in GLYPHS
        case "level":
            return bool(1 <= value <= 20)
        case "seats":
            return bool(2 <= value <= 6)
        case "last_look":
            return bool(0 <= value <= 120)
        case "grace":
            return value in GRACE_RANGE
        case "options":
            each = [pair for kept in value.values() if isinstance(kept, dict) for pair in kept.items()]
            kinds = {type(kept) for kept in value.values()} | {type(text) for pair in each for text in pair}
            return kinds <= {dict, str}
        case _:
            return True
