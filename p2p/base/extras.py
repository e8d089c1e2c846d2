"""Packages that only some commands need. They are installed as extras of this one (pyproject.toml)."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.installation import MORE_THAN_SHARED, shared_file

NAME: Final = "kimberley"
REFEREE: Final = "referee"
DASK: Final = "dask"
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    REFEREE: ("caissify_pairings", "jinja2", "networkx", "openskill", "starlette", "uvicorn"),
    DASK: ("distributed",),
}
"""The modules that each extra brings."""
TOOLS: Final[Mapping[str, str]] = {
    "pipx_metadata.json": "pipx install --force",
    "uv-receipt.toml": "uv tool install",
}
"""What installs into an environment that one of these tools made, by the file that it leaves there."""


class MissingExtra(UserError):
    """Packages are missing. The message says the line to type."""


def is_installed(*modules: str) -> bool:
    """Whether all of these modules can be imported. Imports none of them."""
    return all(find_spec(module) is not None for module in modules)


def require(extra: str, doing: str) -> None:
    """Raises MissingExtra, with what it is needed for, if a module of an extra is missing. A shared copy lacks all."""
    if shared_file() is not None:
        raise MissingExtra(f"{doing} {MORE_THAN_SHARED}")
    if not is_installed(*EXTRAS[extra]):
        raise MissingExtra(f"{doing} needs more packages. Install them: {install_line(extra)}")


def install_line(extra: str) -> str:
    """What to type to install an extra: from the folder that this program was installed from, if it was one."""
    for receipt, command in TOOLS.items():
        if Path(sys.prefix, receipt).exists():
            return f"{command} {_source(extra)}"
    return f"{_quoted(sys.executable)} -m pip install {_source(extra)}"


def _source(extra: str) -> str:
    try:
        told = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        told = {}
    url = urlsplit(told.get("url", ""))
    where = url2pathname(url.path) if url.scheme == "file" else NAME
    editable = "-e " if told.get("dir_info", {}).get("editable") else ""
    return f'{editable}"{where}[{extra}]"'


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path
