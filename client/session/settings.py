"""The user's settings: kept as JSON beside the identity, in the user's data folder or the one that --data names.

Settings that cannot be read or make no sense have their default. What a later version has set, and this one does not
know, stays in the file. Anything that is not a file, or is too large for settings, is not overwritten: a sentence asks
the user to move it away.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from kimberley.client.ui.theme import THEME_NAMES
from kimberley.p2p.base import platform
from kimberley.p2p.base.text import name_form
from kimberley.p2p.far.codes import is_mailbox, is_relay
from kimberley.p2p.storage.files import StorageError, UnfitFileError, make_folder, read_file, replace, storage_error
from kimberley.p2p.table.common_options import GRACE_RANGE, GRACE_SECONDS, NO_LIMIT, UNTIL_DONE, AdjustTimes
from kimberley.protocol.roster import MOST_NICKNAME

FILE: Final = "settings.json"
MOST_BYTES: Final = 256 << 10
COLOURS: Final = ("auto", "24-bit", "8-bit", "4-bit", "none")
NOTICES: Final = ("away", "always", "never")
"""While the terminal does not have the focus, each time, or never."""
GLYPHS: Final = ("auto", "full", "ascii")
AUDIO: Final = ("auto", "on", "off")
"""Music and sounds where they disturb nobody (`client.session.audio`), everywhere, or nowhere."""
MOST_VOLUME: Final = 10
NO_NAMES: Final = re.compile(
    "root|admin|administrator|user|username|player|guest|pi|me|owner|home|test|student|default|nobody|anonymous|"
    r"ubuntu|debian|fedora|centos|kali|ec2-user|azureuser|vagrant|docker|node|web_user|runner|codespace|gitpod|u\d+_a\d+"
)
"""Login names that many people have: of systems, of programs, and those that Android gives."""


@dataclass
class Settings:
    """One field for each setting. `save` writes to `path`; with None it writes nothing (tests, a read-only home)."""

    nickname: str = ""
    colours: str = "auto"
    theme: str = "auto"
    glyphs: str = "auto"
    calm: bool = False
    """Whether nothing moves by itself."""
    quiet: bool = False
    """The stricter setting of calm: there is no sound, either."""
    audio: str = "auto"
    """Whether music and sounds are heard: see AUDIO."""
    music_volume: int = 5
    sound_volume: int = 7
    """Each from 0 to MOST_VOLUME."""
    notices: str = "away"
    """When the bell, the window's title and a notice on the desktop announce the user's move: see NOTICES."""
    level: int = 1
    game: str = "diamond-trust"
    seats: int = 2
    adjust: str = UNTIL_DONE.text
    """How long plans can be adjusted between people, as `AdjustTimes.read` takes it."""
    adjust_alone: str = NO_LIMIT.text
    """The same against bots. They need no clock: they take the same time whether or not they were told something."""
    grace: int = GRACE_SECONDS
    mailbox: str = ""
    relay: str = ""
    """The servers that connect players who are far apart: empty means those of magic-wormhole."""
    options: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each game id, the options last chosen: name and value as they are typed."""
    guided: list[str] = field(default_factory=list)
    """The ids of the games whose guide is no longer offered: it was once, or the user has finished such a game."""
    path: Path | None = field(default=None, compare=False)
    renamed: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """A sentence for the user, if others see another nickname than was typed for this run; none if not."""
    overridden: dict[str, tuple[Any, Any]] = field(default_factory=dict, compare=False, repr=False)
    """Settings for this run only. For each name: the saved value, and the one that replaces it."""
    unknown: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What else the file has: the settings of other versions."""

    def override(self, **values: Any) -> None:
        """Sets values for this run only. `save` keeps the old value, unless the setting is changed again."""
        for name, value in values.items():
            self.overridden[name] = (getattr(self, name), value)
            setattr(self, name, value)

    def skip_guide(self, game: str) -> None:
        """Stops offering the guide of a game."""
        if game not in self.guided:
            self.guided = [*self.guided, game]
            self.save()

    def save(self) -> None:
        """Writes the file completely or not at all. If the folder cannot be written to, nothing is saved and nothing is
        raised.
        """
        if self.path is None:
            return
        kept = self.unknown | {setting.name: getattr(self, setting.name) for setting in fields(self) if setting.compare}
        for name, (before, override) in self.overridden.items():
            if kept[name] == override:
                kept[name] = before
        with contextlib.suppress(StorageError):
            make_folder(self.path.parent)
            replace(self.path, json.dumps(kept, indent=1, ensure_ascii=False).encode())

    @property
    def name(self) -> str:
        """The nickname; the login name until the user changes it."""
        return self.nickname or login_name()

    @property
    def has_name(self) -> bool:
        """Whether the nickname tells the user from others: they chose it, or it is a login name of their own."""
        return bool(self.nickname) or not NO_NAMES.fullmatch(login_name().casefold())


def login_name() -> str:
    """Returns the user's login name, or "player" if there is none."""
    try:
        return nickname_form(getpass.getuser()) or "player"
    except (KeyError, OSError, ImportError):
        return "player"


def nickname_form(text: str) -> str:
    """Returns a nickname as everybody sees it; empty if nothing of it is left."""
    return name_form(text, MOST_NICKNAME)


def data_folder(given: Path | None = None) -> Path:
    """Returns the folder for identity, settings, journals and records: the given one, or the user's default."""
    return given if given is not None else platform.data_folder()


def load(folder: Path) -> Settings:
    """Loads the settings from `folder`. Missing or invalid settings have their default.

    Raises StorageError if something else is in the place of their file.
    """
    path = folder / FILE
    settings = Settings(path=path)
    try:
        kept: Any = json.loads(read_file(path, MOST_BYTES))
    except UnfitFileError as error:
        raise storage_error(error, path, "read") from error
    except (OSError, ValueError, RecursionError):
        return settings
    if not isinstance(kept, dict):
        return settings
    settings.unknown = {name: kept[name] for name in kept.keys() - {setting.name for setting in fields(settings)}}
    for setting in fields(settings):
        value = kept.get(setting.name)
        if setting.compare and type(value) is type(getattr(settings, setting.name)) and _sensible(setting.name, value):
            setattr(settings, setting.name, value)
    settings.nickname = nickname_form(settings.nickname)
    return settings


def _sensible(name: str, value: Any) -> bool:
    match name:
        case "theme":
            return value in THEME_NAMES
        case "colours":
            return value in COLOURS
        case "glyphs":
            return value in GLYPHS
        case "notices":
            return value in NOTICES
        case "audio":
            return value in AUDIO
        case "music_volume" | "sound_volume":
            return bool(0 <= value <= MOST_VOLUME)
        case "level":
            return bool(1 <= value <= 20)
        case "seats":
            return bool(2 <= value <= 6)
        case "adjust" | "adjust_alone":
            with contextlib.suppress(ValueError):
                return bool(AdjustTimes.read(value))
            return False
        case "grace":
            return value in GRACE_RANGE
        case "mailbox":
            return not value or is_mailbox(value)
        case "relay":
            return not value or is_relay(value)
        case "options":
            pairs = [pair for kept in value.values() if isinstance(kept, dict) for pair in kept.items()]
            kinds = {type(kept) for kept in value.values()} | {type(text) for pair in pairs for text in pair}
            return kinds <= {dict, str}
        case "guided":
            return all(isinstance(game, str) for game in value)
        case _:
            return True
