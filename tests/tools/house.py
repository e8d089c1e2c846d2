"""The house as it is: its rooms, what imports what, and what should be otherwise.

    .venv/bin/python -m tests.tools.house              # figures, and where each circle and each shared name is
    .venv/bin/python -m tests.tools.house --picture    # the picture in docs/architecture.md, as Mermaid
    .venv/bin/python -m tests.tools.house --write      # puts it there
    .venv/bin/python -m tests.tools.house --bytes      # also what each folder adds to a player's installation

A room is a folder of `client` or `p2p`, or the whole of `conformance`, `referee`, `protocol` or `games`. Every import
counts, even those inside functions and those only for type checkers.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import networkx as nx

from tests.support.paths import ROOT

PACKAGE: Final = "kimberley"
LAYERS: Final = ("client", "conformance", "referee", "p2p", "protocol", "games")
WITH_ROOMS: Final = ("client", "p2p")
CARRIED: Final = ("client", "p2p", "protocol", "games")
"""What the wheel of a player has (`tool.hatch.build.targets.wheel`)."""
ENTRIES: Final = ("__init__", "__main__", "conftest")
PAGE: Final = ROOT / "docs" / "architecture.md"
PICTURE: Final = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)
OWN_IN_EACH_GAME: Final = "State"
NO_ASKS: Final = {"__init__", "Base", "Leave"}
MAY_NAME_ASKS: Final = (
    "games.asks",
    "games.table",
    "protocol.asks",
    "conformance.asks",
    "conformance.cases",
)
"""Where types of asks are named: their modules, what games import them from, and cases of scripts that ask them."""

BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where statements have statements, handlers of exceptions or cases in them."""
AUDIT: Final = tuple(f"{PACKAGE}.protocol.{module}" for module in ("audit", "log", "peer", "record"))
"""Modules that play records and seats again."""


def modules() -> dict[str, Path]:
    """Returns all modules by their name below `kimberley`, and their files."""
    found = {}
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields everything in a module except its expressions, which are most of it: quicker than `ast.walk`."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for name in BLOCKS:
            left += getattr(node, name, ())


def imports(path: Path) -> Iterator[tuple[str, str | None]]:
    """Yields what a file imports of the package: modules, and what is taken from each."""
    for node in statements(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                yield node.module, alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None


@cache
def import_graph() -> nx.DiGraph[str]:
    """Returns the modules, and an arrow from each to every module that it imports."""
    known = modules()
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(known)
    for module, path in known.items():
        for source, name in imports(path):
            inner = source.removeprefix(f"{PACKAGE}.")
            target = f"{inner}.{name}" if f"{inner}.{name}" in known else inner
            if source.startswith(PACKAGE) and target in known and target != module:
                graph.add_edge(module, target)
    return graph


def room(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in WITH_ROOMS and len(parts) > 1 else parts[0]


def room_graph(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """Returns the rooms, and an arrow from each to every room that one of its files imports from."""
    rooms: nx.DiGraph[str] = nx.DiGraph()
    rooms.add_nodes_from(room(module) for module in graph if module not in WITH_ROOMS)
    rooms.add_edges_from((room(a), room(b)) for a, b in graph.edges if room(a) != room(b))
    return rooms


def circles(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Returns the groups of modules that import each other in a circle."""
    return sorted(sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1)


def floors(rooms: nx.DiGraph[str]) -> int:
    """Returns how many rooms are on top of each other at most."""
    longest: int = nx.dag_longest_path_length(nx.condensation(rooms))
    return longest + 1


def loose() -> list[str]:
    """Returns the modules that are in no room: directly in client/, p2p/ or tests/."""
    return [
        str(path.relative_to(ROOT))
        for folder in (*WITH_ROOMS, "tests")
        for path in sorted((ROOT / folder).glob("*.py"))
        if path.stem not in ENTRIES
    ]


def shared_names() -> dict[str, list[str]]:
    """Returns the class names in more than one room, and where; a role that each game has for itself is one thing."""
    places = defaultdict(set)
    for module, path in modules().items():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name != OWN_IN_EACH_GAME:
                places[node.name].add(module)
    games = _games()
    found = {}
    for name, where in sorted(places.items()):
        kinds = {_kind(module, games) for module in where}
        if len(kinds) > 1 or len(where) > len({module.rpartition(".")[0] for module in where}):
            found[name] = sorted(where)
    return found


def _games() -> set[str]:
    """Returns the folders of games."""
    return {rules.parent.name for rules in (ROOT / "games").glob("*/game.py")}


def _kind(module: str, games: set[str]) -> str:
    """Returns a module's room, and for code of one game the role of the code, whichever game it is of."""
    parts = module.split(".")
    return ".".join("GAME" if part in games else part for part in parts[:3]) if games & set(parts) else room(module)


def ask_users() -> list[str]:
    """Returns the modules that name a type of ask, though they are neither an ask's own nor a registry nor a game's."""
    asks = {path.stem.capitalize() for path in (ROOT / "games/asks").glob("*.py")} - NO_ASKS
    games = _games()
    return [
        module
        for module, path in modules().items()
        if not module.startswith(MAY_NAME_ASKS) and not games & set(module.split(".")) and asks & set(_named(path))
    ]


def boards_that_audit() -> list[str]:
    """Returns the modules of boards that take more from the audit than the type of what it has found."""
    return [
        module
        for module, path in modules().items()
        if module.startswith("client.boards")
        and any(source in AUDIT and name != "AuditedGame" for source, name in imports(path))
    ]


def _named(path: Path) -> Iterator[str]:
    """Yields what a file takes from the games, by import or as an attribute."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}.games"):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


def classes(layer: str) -> dict[str, ast.ClassDef]:
    """Returns all classes of a layer by name."""
    return {
        node.name: node
        for module, path in modules().items()
        if module.partition(".")[0] == layer
        for node in statements(parsed(path))
        if isinstance(node, ast.ClassDef)
    }


def lineage(name: str, known: dict[str, ast.ClassDef]) -> list[str]:
    """Returns the longest line of base classes of a class, itself first; classes from elsewhere are left out."""
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in known[name].bases]
    above = [lineage(base.id, known) for base in bases if isinstance(base, ast.Name) and base.id in known]
    return [name, *max(above, key=len, default=[])]


def methods(node: ast.ClassDef) -> list[str]:
    """Returns the methods and properties of a class, without those it inherits."""
    return [part.name for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]


def picture(rooms: nx.DiGraph[str]) -> str:
    """Returns the rooms as a Mermaid flowchart. An arrow is left out where others lead to the same room."""
    arrows = nx.transitive_reduction(rooms)
    lines = ["flowchart TD"]
    for layer in LAYERS:
        inside = sorted(name for name in rooms if name.partition(".")[0] == layer)
        if layer in WITH_ROOMS:
            lines += [f"    subgraph {layer}", *(f"        {_box(name)}" for name in inside), "    end"]
        else:
            lines += [f"    {_box(name)}" for name in inside]
    lines += [f"    {a} --> {b}" for a, b in sorted(arrows.edges)]
    return "\n".join(["```mermaid", *lines, "```", ""])


def _box(name: str) -> str:
    return f"{name}[{name.rpartition('.')[2]}/]"


def lines(*patterns: str) -> int:
    """Returns the number of lines of Python in the folders that these patterns name."""
    files = {path for pattern in patterns for folder in ROOT.glob(pattern) for path in folder.rglob("*.py")}
    return sum(path.read_bytes().count(b"\n") for path in files)


def carried() -> dict[str, int]:
    """Returns the bytes of the files that a player's installation has of ours, by folder: the code, and `share`."""
    folders = [ROOT / "share", *(path for part in CARRIED for path in (ROOT / part).iterdir() if path.is_dir())]
    files = {path: [file for file in path.rglob("*") if file.is_file() and file.suffix != ".pyc"] for path in folders}
    loose = {ROOT / part: [file for file in (ROOT / part).glob("*") if file.is_file()] for part in CARRIED}
    return {
        str(path.relative_to(ROOT)): size
        for path, inside in {**files, **loose}.items()
        if (size := sum(file.stat().st_size for file in inside))
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure and draw how the code is laid out.")
    parser.add_argument("--picture", action="store_true", help="print the picture of the rooms")
    parser.add_argument("--write", action="store_true", help=f"put the picture into {PAGE.name}")
    parser.add_argument("--bytes", action="store_true", help="name the bytes of each folder that a player installs")
    wanted = parser.parse_args()
    graph = import_graph()
    rooms = room_graph(graph)
    if wanted.picture:
        print(picture(rooms), end="")
        return 0
    if wanted.write:
        PAGE.write_text(PICTURE.sub(lambda _: picture(rooms), PAGE.read_text("utf-8"), count=1), "utf-8")
        return 0
    for layer in WITH_ROOMS:
        inside = rooms.subgraph([name for name in rooms if name.startswith(f"{layer}.")])
        print(f"{layer}: {len(inside)} rooms on {floors(inside)} floors, {inside.number_of_edges()} arrows")
    bots = lines("games/bots", "games/*/bots")
    core = lines("games", "protocol", "p2p") - lines("p2p/tournament") - bots
    print(f"lines: {core} of the core and {bots} of bots, {lines(*LAYERS)} of source, {lines('tests')} of tests")
    sizes = carried()
    print(f"bytes that a player installs of ours: {sum(sizes.values())}")
    for folder, size in sorted(sizes.items(), key=lambda pair: -pair[1]) if wanted.bytes else ():
        print(f"  {size:9} {folder}")
    print(f"files: {len(graph)}, import circles: {len(circles(graph))}, loose modules: {len(loose())}")
    for circle in circles(graph):
        print("  circle:", ", ".join(circle))
    for path in loose():
        print("  loose:", path)
    for module in ask_users():
        print("  names a type of ask:", module)
    known = classes("p2p")
    longest = max((lineage(name, known) for name in known), key=len)
    largest = max(known.values(), key=lambda node: len(methods(node)))
    print(f"p2p: deepest inheritance {len(longest) - 1} ({' < '.join(longest)})", end=", ")
    print(f"most methods {len(methods(largest))} ({largest.name})")
    shared = shared_names()
    print(f"class names that stand for more than one thing: {len(shared)}")
    for name, where in shared.items():
        print(f"  {name}:", ", ".join(where))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
