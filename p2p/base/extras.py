"""Packages that only some commands need. They are installed as extras of this one (pyproject.toml)."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any, Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.installation import MORE_THAN_SHARED, shared_file

NAME: Final = "kimberley"
BROWSER: Final = "browser"
REFEREE: Final = "referee"
DASK: Final = "dask"
FAR: Final = "far"
MUSIC: Final = "music"
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    BROWSER: ("kimberley_browser_runtime", "websockets"),
    REFEREE: ("caissify_pairings", "jinja2", "networkx", "openskill", "starlette", "uvicorn"),
    DASK: ("distributed",),
    FAR: ("noise", "wormhole"),
    MUSIC: ("miniaudio", "numpy", "soundfile"),
}
"""The modules that each extra brings."""
BROWSER_INSTALL: Final = "browser install"
"""The command that builds what the extra `browser` needs, and installs it."""
TOOLS: Final[Mapping[str, tuple[str, str]]] = {
    "pipx_metadata.json": ("pipx install --force", f"pipx inject {NAME}"),
    "uv-receipt.toml": ("uv tool install", f"uv tool install {NAME} --with"),
}
"""For each tool that makes environments, by the file that it leaves there: the command that installs this program
again, and the one that adds a package to it.
"""


class MissingExtra(UserError):
    """Packages are missing. The message says the `line` to type; it is empty where nothing can be installed."""

    def __init__(self, doing: str, line: str = "") -> None:
        super().__init__(f"{doing} {line}" if line else doing)
        self.line = line


def is_installed(*modules: str) -> bool:
    """Returns whether all of these modules can be imported. Imports none of them."""
    return all(map(_is_module, modules))


def has(extra: str) -> bool:
    """Returns whether all of an extra is there. A shared copy lacks all."""
    return shared_file() is None and is_installed(*EXTRAS[extra]) and all(map(_is_met, requirements(extra)))


def require(extra: str, doing: str) -> None:
    """Raises MissingExtra, with what it is needed for, if something of an extra is missing."""
    if has(extra):
        return
    if shared_file() is not None:
        raise MissingExtra(f"{doing} {MORE_THAN_SHARED}")
    raise MissingExtra(f"{doing} needs more packages. Install them:", install_line(extra))


def _is_module(name: str) -> bool:
    """Returns whether there is more than a folder, which an uninstalled package may leave behind."""
    try:
        spec = find_spec(name)
    except ImportError:
        # A module that is hidden from imports may be hidden from this search, too.
        return False
    return spec is not None and spec.origin is not None


def requirements(extra: str) -> list[str]:
    """Returns this installation's requirements for the packages of an extra, such as "jinja2>=3.1"."""
    try:
        required = distribution(NAME).requires or []
    except PackageNotFoundError:
        return []
    parted = [one.replace('"', "'").partition(";") for one in required]
    return [requirement.strip() for requirement, _, marker in parted if f"extra == '{extra}'" in marker]


def _is_met(requirement: str) -> bool:
    """Returns whether a package is there, in this version or a later one."""
    name, _, least = requirement.replace("==", ">=").partition(">=")
    try:
        return _release(version(name)) >= _release(least)
    except PackageNotFoundError:
        return False


def _release(text: str) -> list[int]:
    """Returns the numbers of a version, such as 3, 1 and 6."""
    return [int(number) for number in re.split(r"[^\d.]", text)[0].split(".") if number]


def install_line(extra: str) -> str:
    """Returns what to type to install an extra: the command that does it, if there is one. Otherwise the extra comes
    from the folder from which this program was installed, if there was one. If that has moved, the line is for the
    folder where it is now.
    """
    if extra == BROWSER:
        return f"{_command()} {BROWSER_INSTALL}"
    again, _ = _installers()
    return f"{again} {_source(extra)}"


def missing_room(room: str, doing: str) -> MissingExtra:
    """Returns the error for something that needs a room that is installed separately, such as the conformance suite."""
    if shared_file() is not None:
        return MissingExtra(f"{doing} {MORE_THAN_SHARED}")
    return MissingExtra(f"{doing} is not installed. Type:", _room_line(room))


def _room_line(room: str) -> str:
    """Returns what to type to install a room: from a checkout, its folder."""
    folder = _folder(_origin())
    inside = folder / room if folder is not None else None
    source = f"{NAME}-{room}" if inside is None or not (inside / "pyproject.toml").is_file() else str(inside)
    _, more = _installers()
    return f'{more} "{source}"'


def _installers() -> tuple[str, str]:
    """Returns the command that installs this program again here, and the one that adds a package to it."""
    pip = f"{_quoted(sys.executable)} -m pip install"
    return next((both for receipt, both in TOOLS.items() if Path(sys.prefix, receipt).exists()), (pip, pip))


def _command() -> str:
    """Returns how this program is started: by its name, if the shell finds it under that name."""
    program = Path(sys.executable).with_name(NAME)
    path = which(NAME)
    return NAME if path is not None and Path(path).resolve() == program.resolve() else _quoted(str(program))


def _source(extra: str) -> str:
    origin = _origin()
    folder = _folder(origin)
    where = NAME if folder is None else str(folder)
    moved = folder is not None and not folder.exists()
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f'{editable}"{"." if moved else where}[{extra}]"{" (in the folder of your checkout)" if moved else ""}'


def _origin() -> dict[str, Any]:
    """Returns where this program was installed from, as recorded by pip; empty if nothing is recorded."""
    try:
        origin: dict[str, Any] = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return origin


def _folder(origin: Mapping[str, Any]) -> Path | None:
    """Returns the folder from which this program was installed, which may have moved; None if there was none."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    url = urlsplit(origin.get("url", ""))
    return Path(url2pathname(url.path)) if url.scheme == "file" else None


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path
