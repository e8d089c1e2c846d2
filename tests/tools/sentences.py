"""`python -m tests.tools.sentences`: every sentence that the program can show, in the order in which people meet them,
with samples in the place of names and numbers.

Sentences are found in the sources: all text that is not a docstring, a log line or a key. `tests/data/sentences.txt`
has a digest of each one that an editor has read. `--new` prints those that are missing there, `--read` adds them.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import html.parser
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

READ: Final = ROOT / "tests/data/sentences.txt"
"""Digests of the sentences that an editor has read, sorted."""
ORDER: Final = (
    "client/screens", "client/session", "client/ui", "client/boards/[a-z_]*.py", "client/boards/diamond_trust",
    "client/boards/diamond/", "client/boards/land", "client/boards/mine", "client/boards/piecepack", "games",
    "p2p/table", "p2p/discovery", "p2p/transport", "p2p/sharing", "p2p/far", "p2p/storage", "p2p/base", "p2p/sentences",
    "client/plain", "client/audio", "client/browser", "p2p/tournament", "referee", "client/web", "client/cli",
    "protocol",
)  # fmt: skip
"""From the title screen through a game and its end to tournaments and commands."""
SAMPLES: Final = (
    (r"count_of\(.*'(\w+)'\)", r"3 \1s"), (r"dollars|money|cash|price", "$7"), (r"names|people|players", "ana and ben"),
    (r"name|nick|who|player|owner|other|host|seat", "ana"), (r"path|file|folder", "FILE"), (r"port", "7411"),
    (r"address|where|url|link", "192.0.2.7"), (r"error|reason|problem|why|said", "a reason"), (r".*", "3"),
)  # fmt: skip
"""What stands for an expression in a sentence, by what is in it; the first that fits."""
SILENT: Final = ("debug", "info", "warning", "error", "exception", "critical")
"""The methods of a log, whose lines are not sentences for people."""
SENTENCE: Final = re.compile(r"[A-Za-z’']{2,}.* .*[A-Za-z’']{2,}|^ *[A-Z][a-z’]+( [a-z]+)?[.:]? *$")
"""Two words, or one that begins like a button."""
LONGEST: Final = 5_000
"""Characters; what is longer is a list of words."""
NO_SENTENCE: Final = re.compile(
    r"^[\w./:{}%&=?*\[\]-]+$|\\[dwsSb]|^\W*$|[<>]=|</|/>|\(\?|^(PRAGMA|SELECT|INSERT|CREATE|UPDATE|DELETE|BEGIN) "
)
"""Paths, patterns, markup and queries."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: `text` with samples, and `shape` with `{}` in the place of each expression."""

    text: str
    shape: str
    path: str
    line: int

    @property
    def digest(self) -> str:
        """Identifies the sentence, wherever it stands."""
        return hashlib.sha256(" ".join(self.shape.split()).encode()).hexdigest()[:10]


def sentences() -> list[Sentence]:
    """Returns all sentences that players, spectators and organizers can see, in the order in which they meet them."""
    files = [path for room in ORDER for path in _files(room)]
    return [found for path in dict.fromkeys(files) for found in _sentences_in(path)]


def unread(found: list[Sentence]) -> list[Sentence]:
    """Returns those that no editor has read yet."""
    known = set(READ.read_text("utf-8").split())
    return [one for one in found if one.digest not in known]


def _files(room: str) -> list[Path]:
    if "*" in room:
        return sorted(ROOT.glob(room))
    return sorted(path for path in (ROOT / room).rglob("*") if path.suffix in {".py", ".html", ".js"})


def _sentences_in(path: Path) -> Iterator[Sentence]:
    where = path.relative_to(ROOT).as_posix()
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        page = _Page()
        page.feed(re.sub(r"\{\{.*?\}\}", "{}", re.sub(r"\{[%#].*?[%#]\}", "", text, flags=re.DOTALL), flags=re.DOTALL))
        found = [(line, said, said) for line, said in page.said]
    elif path.suffix == ".js":
        found = [
            (text.count("\n", 0, match.start()) + 1, match[2], re.sub(r"\$\{[^}]*\}", "{}", match[2]))
            for match in re.finditer(r"([\"'`])((?:(?!\1)[^\\\n])+)\1", text)
        ]
    else:
        finder = _Finder()
        finder.visit(ast.parse(text))
        found = finder.said
    for line, said, shape in found:
        if len(shape) < LONGEST and SENTENCE.search(shape) and not NO_SENTENCE.search(shape.strip()):
            yield Sentence(said, shape, where, line)


class _Finder(ast.NodeVisitor):
    """The text in a module, in its order."""

    def __init__(self) -> None:
        self.said: list[tuple[int, str, str]] = []

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # Otherwise it is a docstring.
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skips what an assertion says, which nobody is shown."""

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        logs = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "log" and called in SILENT
        if not logs and called not in {"AssertionError", "TypeError", "compile", "TypeVar", "Malformed"}:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.said.append((node.lineno, node.value, node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        said = shape = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                said, shape = said + str(part.value), shape + str(part.value)
            elif isinstance(part, ast.FormattedValue):
                said, shape = said + _sample(ast.unparse(part.value)), shape + "{}"
                self.visit(part.value)
        self.said.append((node.lineno, said, shape))


def _sample(expression: str) -> str:
    for pattern, sample in SAMPLES:
        if (found := re.search(pattern, expression)) is not None:
            return found.expand(sample)
    return ""


class _Page(html.parser.HTMLParser):
    """The text of a page, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[int, str]] = []
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden = tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.said.append((self.getpos()[0], " ".join(data.split())))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.sentences", description="Prints every sentence that the program can show."
    )
    parser.add_argument("--new", action="store_true", help="only those that no editor has read yet")
    parser.add_argument("--read", action="store_true", help="print nothing, and note that all have been read")
    typed = parser.parse_args()
    found = sentences()
    if typed.read:
        READ.write_text("".join(f"{digest}\n" for digest in sorted({one.digest for one in found})), "utf-8")
        return 0
    path = ""
    for one in unread(found) if typed.new else found:
        if one.path != path:
            print(f"\n{one.path}")
            path = one.path
        print(f"{one.line:5}  {' '.join(one.text.split())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
