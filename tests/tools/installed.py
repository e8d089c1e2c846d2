"""Installs the built wheels in an environment of their own, and plays: bots every game, and two people at a table.

    .venv/bin/python -m tests.tools.installed                    # with the newest release of every dependency
    .venv/bin/python -m tests.tools.installed --oldest           # with the oldest allowed that need no compiler
    .venv/bin/python -m tests.tools.installed --python 3.13      # on another Python than the one that runs this

It needs uv, and the network for what is not in uv's cache. It ends with an error if anything fails.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from kimberley.games import lookup
from tests.support.paths import ROOT
from tests.support.terminal import Terminal, address_of

EXTRAS: Final = ("dask", "far", "music", "referee")
"""The extras of players that an index has."""
WHEELS: Final = ("--only-binary", ":all:")
"""What is older than a Python often has no wheel for it: then the oldest release with one is the minimum there."""
IMPORT_ALL: Final = """\
import importlib, pkgutil, kimberley
names = [module.name for module in pkgutil.walk_packages(kimberley.__path__, "kimberley.", onerror=lambda name: None)]
names = [name for name in names if not name.startswith("kimberley.client.browser") and "__main__" not in name]
for name in names:
    importlib.import_module(name)
print(len(names), "modules can be imported.")
"""
"""Modules of the browser seat need the page that they run in."""
REPLACE: Final = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
"""Becomes another program: how a terminal of the tests runs what is installed elsewhere."""


def install(work: Path, python: str, *, oldest: bool) -> Path:
    """Installs the wheels in the folder `work`. Returns the folder of the programs. Raises CalledProcessError."""
    uv = shutil.which("uv")
    if uv is None:
        raise SystemExit("Install uv first.")
    rooms = [path.parent for path in ROOT.glob("*/pyproject.toml")]
    for project in (ROOT, *rooms):
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work], cwd=project, check=True)
    wheel = next(work.glob("kimberley-*.whl"))
    programs = work / "venv" / "bin"
    subprocess.run([uv, "venv", "-q", "--python", python, work / "venv"], check=True)
    into: list[str | Path] = [uv, "pip", "install", "-q", "--python", programs / "python"]
    if oldest:
        # The requirements of a named wheel would not count as direct, so they are compiled separately.
        extras = [word for name in EXTRAS for word in ("--extra", name)]
        compiled: list[str | Path] = [
            uv,
            "pip",
            "compile",
            "-q",
            "--resolution",
            "lowest-direct",
            *WHEELS,
            "--python",
            programs / "python",
        ]
        subprocess.run([*compiled, *extras, ROOT / "pyproject.toml", "-o", work / "oldest.txt"], check=True)
        subprocess.run([*into, *WHEELS, "-r", work / "oldest.txt"], check=True)
        subprocess.run([*into, "--no-deps", wheel], check=True)
    else:
        subprocess.run([*into, f"{wheel}[{','.join(EXTRAS)}]"], check=True)
    # What these need is there: tests/docs/test_dependencies.py checks that they ask for nothing else, and nothing
    # newer.
    subprocess.run([*into, "--no-deps", *(set(work.glob("*.whl")) - {wheel})], check=True)
    return programs


def play(programs: Path, work: Path) -> None:
    """Imports every module, lets bots play every game and two people begin one, from a folder outside of the checkout.

    Raises CalledProcessError, AssertionError.
    """
    subprocess.run([programs / "python", "-W", "error", "-c", IMPORT_ALL], cwd=work, check=True)
    kimberley = programs / "kimberley"
    for game in lookup.ids():
        command: list[str | Path] = [kimberley, "demo", game, "--seed", "1", "--json", "--data", work / game]
        ended = json.loads(subprocess.run(command, cwd=work, check=True, stdout=subprocess.PIPE, text=True).stdout)
        assert ended["verdict"] == "fair", ended
        subprocess.run([kimberley, "verify", ended["record"]], cwd=work, check=True, stdout=subprocess.DEVNULL)
        print(f"{game}: {ended['result']}")
    program = ("-c", REPLACE, str(kimberley))
    with Terminal("host", "--nickname", "ana", data=work / "ana", program=program) as ana:
        address = address_of(ana)
        with Terminal("join", address, "--nickname", "ben", data=work / "ben", program=program) as ben:
            ben.wait("not verified")
            ana.press("y")
            ana.wait("Waiting for ben.")
            ben.touch("Same y")
            print(ana.wait(" PAY "))
            ben.wait(" PAY ")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="which Python runs it, such as 3.13")
    parser.add_argument("--oldest", action="store_true", help="with the oldest packages allowed that have a wheel")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        play(install(Path(work), wanted.python, oldest=wanted.oldest), Path(work))


if __name__ == "__main__":
    main()
