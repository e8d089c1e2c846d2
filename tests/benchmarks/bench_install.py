"""What an installation takes: how many packages, and how many MB without compiled bytecode, as installed here.

.venv/bin/python -m tests.benchmarks.bench_install
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from kimberley import client, games, p2p, protocol
from tests.benchmarks.common import report

OWN = "kimberley"


def needed(name: str, extras: set[str], found: set[str]) -> set[str]:
    """Adds to `found` the package and all packages that it needs with these extras."""
    found.add(name)
    for line in distribution(name).requires or ():
        one = Requirement(line)
        wanted = one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in {"", *extras})
        if wanted and (one.name not in found or one.extras):
            needed(one.name, one.extras, found)
    return found


def files(name: str) -> Iterator[Path]:
    """Yields the files of a package. Ours is installed as a link to the sources."""
    if name == OWN:
        for part in (client, games, p2p, protocol):
            for folder in part.__path__:
                yield from Path(folder).rglob("*")
    else:
        yield from (Path(str(one.locate())) for one in distribution(name).files or ())


def taken(*extras: str) -> dict[str, object]:
    packages = needed(OWN, set(extras), set())
    sizes = [one.stat().st_size for name in packages for one in files(name) if one.is_file() and one.suffix != ".pyc"]
    return {"packages": len(packages), "mb": round(sum(sizes) / 1_000_000)}


def main() -> None:
    report({"player": taken(), "organizer": taken("referee")})


if __name__ == "__main__":
    main()
