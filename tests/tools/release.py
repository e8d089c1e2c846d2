"""Builds what a release has, the same bytes each time.

    .venv/bin/python -m tests.tools.release --out dist

It makes the wheel and the source of each distribution, `kimberley.pyz` for friends who have only Python, with this
environment's packages in it, a list of the packages that a player installs (`kimberley.cdx.json`, CycloneDX), and
`SHA256SUMS`. The same commit, Python and packages give the same bytes. Files carry the time of the commit, or
SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from tests.support.paths import ROOT

NAME: Final = "kimberley"
EPOCH: Final = "SOURCE_DATE_EPOCH"
SUMS: Final = "SHA256SUMS"
BILL: Final = f"{NAME}.cdx.json"
ONE_FILE: Final = f"{NAME}.pyz"
SHARE: Final = """\
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from kimberley.p2p.sharing import archive
assert archive.__file__.startswith(sys.argv[1]), archive.__file__
Path(sys.argv[2]).write_bytes(archive.build_archive().data)
"""
"""Builds the one file from the wheel that is unpacked in a folder, and not from this checkout."""


def release(out: Path) -> list[Path]:
    """Builds all files in a folder, which must be empty or missing. Returns them. Raises CalledProcessError."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise SystemExit(f"{out} is not empty.")
    environ = os.environ | {EPOCH: os.environ.get(EPOCH) or commit_time()}
    for project in (ROOT, *(path.parent for path in ROOT.glob("*/pyproject.toml"))):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(out.absolute())]
        subprocess.run(command, cwd=project, env=environ, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        with zipfile.ZipFile(next(out.glob(f"{NAME}-*.whl"))) as wheel:
            wheel.extractall(work / "wheel")
        subprocess.run([sys.executable, "-c", SHARE, work / "wheel", out.absolute() / ONE_FILE], cwd=work, check=True)
        list_packages(work, out / BILL, environ)
    files = sorted(out.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (out / SUMS).write_text("".join(sums), "utf-8")
    return [*files, out / SUMS]


def commit_time() -> str:
    """Returns the time of the last commit, in seconds since 1970."""
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def list_packages(work: Path, bill: Path, environ: dict[str, str]) -> None:
    """Writes the packages that a player installs here, as CycloneDX, from what they say about themselves.

    They are put into an environment with nothing else, so nothing is fetched, and no tool of ours is listed.
    """
    venv.create(work / "environment", symlinks=True)
    place = next((work / "environment").rglob("site-packages"))
    info = next((work / "wheel").glob("*.dist-info"))
    shutil.copytree(info, place / info.name)
    for name in sorted(needed()):
        found = distribution(name)
        folder = place / f"{name.replace('-', '_')}-{found.version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(found.read_text("METADATA") or "", "utf-8")
    subprocess.run(
        [
            sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--mc-type", "application",
            "--pyproject", ROOT / "pyproject.toml", "-o", bill, work / "environment",
        ],
        env=environ, check=True,
    )  # fmt: skip


def needed() -> set[str]:
    """Returns the packages that a player installs on this system, without this one."""
    found: set[str] = set()
    waiting = [NAME]
    while waiting:
        for line in distribution(waiting.pop()).requires or []:
            one = Requirement(line)
            if one.name not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
                found.add(one.name)
                waiting.append(one.name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="an empty folder, or a new one")
    for file in release(parser.parse_args().out):
        print(f"{file}, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
