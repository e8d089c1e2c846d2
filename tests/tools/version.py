"""Sets the version, everywhere it is written: projects, CHANGELOG.md, packages of systems, the picture of the title.

    .venv/bin/python -m tests.tools.version 1.2.3

It installs this checkout again, without fetching anything: programs and tests read the version of what is installed.
What is `Unreleased` in CHANGELOG.md becomes this version, as of today.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

NUMBER: Final = r"\d+\.\d+\.\d+"
PLACES: Final = (
    ("pyproject.toml", '^version = "{}"$'),
    *(
        (str(path.relative_to(ROOT)), text)
        for path in sorted(ROOT.glob("*/pyproject.toml"))
        for text in ('^version = "{}"$', r'^    "kimberley(?:\[\w+\])?=={}",$')
    ),
    ("packages/README.md", "^version={}$"),
    ("packages/debian/changelog", r"\Akimberley \({}-1\)"),
    ("packages/homebrew/kimberley.rb", "/download/v{}/kimberley-{}.tar.gz"),
)
"""Files, and where in them the version is: a pattern that has `{}` for it."""
CHANGES: Final = "CHANGELOG.md"
DATED: Final = (
    ("packages/debian/changelog", "(?<=<kimberley@packages.debian.org>  ).+", "{rfc}"),
    (CHANGES, r"(?<=\A# Changes\n\n## )(?:Unreleased|{version} - .+)", "{version} - {date}"),
)
"""Files, what in them is replaced, and with what."""


def changed(version: str, now: datetime, root: Path = ROOT) -> dict[Path, str]:
    """Returns the new text of every file that has the version. Raises ValueError where one has no place for it."""
    found: dict[Path, str] = {}

    def replace(name: str, pattern: str, by: str | None) -> None:
        path = root / name
        text = found.get(path) or path.read_text("utf-8")

        def new(match: re.Match[str]) -> str:
            return re.sub(NUMBER, version, match[0]) if by is None else by

        found[path], times = re.subn(pattern, new, text, flags=re.MULTILINE)
        if times != 1:
            raise ValueError(f"{name} has {times} places that match {pattern}, not 1.")

    for name, text in PLACES:
        replace(name, text.replace("{}", NUMBER), None)
    values = {"version": version, "date": f"{now:%Y-%m-%d}", "rfc": format_datetime(now)}
    for name, pattern, by in DATED:
        replace(name, pattern.replace("{version}", re.escape(version)), by.format(**values))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version", help="such as 1.2.3")
    version = parser.parse_args().version
    if not re.fullmatch(NUMBER, version):
        parser.error(f"a version is three numbers, not {version}")
    try:
        files = changed(version, datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0))
    except ValueError as error:
        raise SystemExit(str(error)) from None
    for path, text in files.items():
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))
    install = ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "-e", str(ROOT)]
    for command in (install, ["-m", "tests.tools.pictures", "title"]):
        subprocess.run([sys.executable, *command], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
