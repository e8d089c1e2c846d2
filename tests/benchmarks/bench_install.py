"""What an installation takes: how many packages, and how many MB without compiled bytecode, as installed here.

.venv/bin/python -m tests.benchmarks.bench_install
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType
from typing import Final

from packaging.requirements import Requirement

from kimberley import client, games, p2p, protocol, referee
from tests.benchmarks.common import report

OWN: Final = "kimberley"
PLAYER: Final = (client, games, p2p, protocol)


def needed(name: str, extras: set[str], found: set[str]) -> set[str]:
    """Adds to `found` the package and all packages that it needs with these extras."""
    found.add(name)
    for line in distribution(name).requires or ():
        one = Requirement(line)
        wanted = one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in {"", *extras})
        if wanted and (one.name not in found or one.extras):
            needed(one.name, one.extras, found)
    return found


def files(name: str, rooms: Sequence[ModuleType]) -> Iterator[Path]:
    """Yields the files of a package. Our rooms are installed as links to the sources."""
    if name == OWN:
        for part in rooms:
            for folder in part.__path__:
                yield from Path(folder).rglob("*")
    else:
        yield from (Path(str(one.locate())) for one in distribution(name).files or ())


def taken(rooms: Sequence[ModuleType], extras: set[str], more: int = 0) -> dict[str, object]:
    """Returns what an installation takes; `more` distributions are rooms of our own."""
    packages = needed(OWN, extras, set())
    installed = (one for name in packages for one in files(name, rooms))
    sizes = [one.stat().st_size for one in installed if one.is_file() and one.suffix != ".pyc"]
    return {"packages": len(packages) + more, "mb": round(sum(sizes) / 1_000_000)}


def main() -> None:
    report({"player": taken(PLAYER, set()), "organizer": taken((*PLAYER, referee), {"referee"}, 1)})


if __name__ == "__main__":
    main()
