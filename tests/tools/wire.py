"""The wire in figures: what an implementer has to read and to build, now and at an earlier commit.

.venv/bin/python -m tests.tools.wire              # frame kinds, requirements, words, members of a table
.venv/bin/python -m tests.tools.wire ce1f76f0     # the same at that commit, beside it
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections.abc import Callable
from typing import Final

from tests.support.paths import ROOT

CATALOGUE: Final = "### 7.1 Catalogue of frames"
REFEREE: Final = "docs/spec-referee.md"
CORE: Final = (*range(1, 21), 22)
"""The sections from terms to hidden information."""
TABLES: Final = {
    "Table": "p2p/table/table.py",
    "TableSession": "p2p/table/session.py",
    "TableView": "p2p/table/view.py",
    "TableLike": "client/session/ports.py",
    "PretendTable": "tests/support/pretend.py",
}
"""The classes that list what a table can do, now or at an earlier commit, and their files."""

Read = Callable[[str], str]


def now(path: str) -> str:
    """Returns a file as it is; one that is not there is empty."""
    return (ROOT / path).read_text("utf-8") if (ROOT / path).exists() else ""


def at(commit: str) -> Read:
    """Returns a reader of files as they were at a commit; one that was not there is empty."""

    def read(path: str) -> str:
        done = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=ROOT, capture_output=True, text=True)
        return done.stdout

    return read


def documents(read: Read, names: list[str]) -> str:
    """Returns the text of the specification."""
    return "\n".join(read(name) for name in ("SPEC.md", *names))


def words(text: str) -> int:
    return len(text.split())


def core(spec: str) -> str:
    """Returns the sections of the core in SPEC.md."""
    sections = re.split(r"^(?=## \d+ )", spec, flags=re.MULTILINE)[1:]
    return "".join(one for one in sections if int(one.split()[1]) in CORE)


def kinds(spec: str) -> set[str]:
    """Returns the kinds of frames in the catalogue."""
    catalogue = spec.partition(CATALOGUE)[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \|", catalogue, re.MULTILINE)
    return {kind for row in rows for kind in re.findall(r"`(\w+)`", row)}


def referee_kinds(text: str) -> set[str]:
    """Returns the kinds of frames between a referee and its players."""
    return set(re.findall(r'^\| (?:player|referee) \| `\("(\w+)"', text, re.MULTILINE))


def requirements(text: str) -> set[str]:
    return set(re.findall(r"\*\*\[([MS]-[A-Z]{3}-\d+)\]\*\*", text))


def members(source: str, name: str) -> int:
    """Returns how many public members a class lists itself: 0 if there is no such class."""
    classes = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    if name not in classes:
        return 0
    found = classes[name]
    listed = {node.name for node in found.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    listed |= {
        node.target.id for node in found.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    for node in ast.walk(found):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        listed |= {
            one.attr
            for one in targets
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self"
        }
    return sum(not one.startswith("_") for one in listed)


def figures(read: Read, names: list[str]) -> dict[str, int]:
    """Returns all figures of one state."""
    spec, whole = read("SPEC.md"), documents(read, names)
    return {
        "frame kinds (7.1)": len(kinds(spec)),
        "frame kinds between referee and player (10.5)": len(referee_kinds(read(REFEREE))),
        "requirements, MUST": sum(one.startswith("M-") for one in requirements(whole)),
        "requirements, SHOULD": sum(one.startswith("S-") for one in requirements(whole)),
        "words of the core (1 to 20, 22)": words(core(spec)),
        "words of SPEC.md": words(spec),
        "words of the documents beside it": words(whole) - words(spec),
        **{f"members of {name}": members(read(path), name) for name, path in TABLES.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints figures of the wire: python -m tests.tools.wire [COMMIT]")
    parser.add_argument("commit", nargs="?", help="print the figures of this commit, too")
    commit = parser.parse_args().commit
    names = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("spec-*.md"))]
    found = figures(now, names)
    before = figures(at(commit), names) if commit else {}
    for name, figure in found.items():
        print(f"{name:48}", *([f"{before[name]:7}  ->"] if before else []), f"{figure:7}")


if __name__ == "__main__":
    main()
