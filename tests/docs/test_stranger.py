"""What guides somebody who knows nothing here and wants to change one thing: the rows of CONTRIBUTING.md, and one place
for each number, key, color and order.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from kimberley.client.ui import keys
from kimberley.client.ui.palette import ROLES
from kimberley.p2p.tournament.standings import TIE_BREAKS
from kimberley.p2p.transport import ports
from tests.docs.test_one_place import FOLDERS, modules
from tests.support.effort import first_is_quick
from tests.support.paths import ROOT
from tests.tools.house import parsed

GAMES: Final = sorted(path.parent.name for path in (ROOT / "games").glob("*/game.py"))
ROWS: Final = re.findall(
    r"^\| (.+?) \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("| Change | Files |")[2], re.M
)
MOST_ROWS: Final = 150
"""The most lines of CONTRIBUTING.md: nobody reads more."""
PAGES: Final = (
    "client/browser/page/index.html",
    "client/browser/page/page.css",
    "client/session/share_page.html",
    "client/web/static/style.css",
    "client/web/templates/review.html",
    "referee/pages/plots.py",
    "referee/pages/wall.py",
)
"""What types colors, because it cannot import them."""
OWN_COLORS: Final = {"client/session/share_page.html": {"8fb8ff"}}
FUNCTION_KEYS: Final = re.compile(r"\bF(\d\d?)\b|^f(\d\d?)$")
KEYS_ELSEWHERE: Final = re.compile(
    r"client/(audio|ui/(key_sequences|terminal_\w+)\.py|screens/banner\.py|.*/suite\.py)"
)
"""Chords, what terminals send, and the answers of banners."""


def paths(token: str, beside: list[Path]) -> list[Path]:
    """Returns the files and folders that a row means by a word; those without a folder lie beside the ones before."""
    words = [token.replace("<game>", game) for game in GAMES] if "<game>" in token else [token]
    found = []
    for word in words:
        pattern = re.sub(r"<\w+>", "*", word)
        for folder in (ROOT, *beside):
            if there := sorted(folder.glob(pattern)):
                found += there
                break
    return found


def named(cell: str) -> Iterator[tuple[str, list[Path]]]:
    """Yields each word of a row that looks like a path, and what it means."""
    beside: list[Path] = []
    for token in re.findall(r"`([\w<>./-]+)`", cell):
        if "/" in token or re.search(r"\.(py|md|js|html|css|json|toml|tsv|txt)$", token):
            found = paths(token, beside)
            beside = [*(path if path.is_dir() else path.parent for path in found), *beside]
            yield token, found


def test_a_row_names_what_is_there() -> None:
    for change, files in ROWS:
        there = dict(named(files))
        assert there or "](" in files, change
        assert [token for token, found in there.items() if not found] == [], change
        texts = [path.read_text("utf-8") for found in there.values() for path in found if path.suffix == ".py"]
        for constant in re.findall(r"`([A-Z][A-Z_]{3,})`", files):
            assert any(re.search(rf"^ *{constant}\b.*=", text, re.M) for text in texts), (change, constant)


def test_the_rows_are_few_enough_to_be_read() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines()) <= MOST_ROWS


def typed(path: Path) -> Iterator[tuple[int, object]]:
    """Yields the constants of a module, without what documents it."""
    tree = parsed(path)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in said:
            yield node.lineno, node.value


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


@pytest.mark.slow
@pytest.mark.nightly
def test_ports_are_typed_in_one_place() -> None:
    numbers = {value for name, value in vars(ports).items() if name.endswith("_PORT")}
    in_text = re.compile(rf"\b({ports.DEFAULT_PORT}|{ports.SHARE_PORT})\b")
    found = [
        where(path, line)
        for path in modules(*FOLDERS)
        if path != Path(ports.__file__).resolve()
        for line, value in typed(path)
        if (type(value) is int and value in numbers) or (isinstance(value, str) and in_text.search(value))
    ]
    assert found == [], "use kimberley.p2p.transport.ports"
    page = (ROOT / "docs" / "networks.md").read_text("utf-8")
    for said in (f"TCP {ports.DEFAULT_PORT}", f"TCP {ports.SHARE_PORT}", f"UDP {ports.MDNS_PORT}"):
        assert said in page


@pytest.mark.slow
def test_function_keys_are_typed_in_one_place() -> None:
    taken = {value[1:] for name, value in vars(keys).items() if name.endswith("_KEY") and value[1:].isdigit()}
    assert taken, "keys"
    found = [
        f"{where(path, line)}: {value}"
        for path in modules("client")
        if path != Path(keys.__file__).resolve() and not KEYS_ELSEWHERE.match(str(path.relative_to(ROOT)))
        for line, value in typed(path)
        if isinstance(value, str) and any((a or b) in taken for a, b in FUNCTION_KEYS.findall(value))
    ]
    assert found == [], "use kimberley.client.ui.keys"


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_the_colors_of_the_palette(page: str) -> None:
    roles = {name: "{:02x}{:02x}{:02x}".format(*role.rgb) for name, role in ROLES.items()}
    text = (ROOT / page).read_text("utf-8").partition("@media print")[0]
    for name, color in re.findall(r"--(\w+): #([0-9a-f]{6})\b", text):
        assert roles.get(name, color) == color, name
    typed_colors = set(re.findall(r"#([0-9a-f]{6})\b", text))
    assert typed_colors - set(roles.values()) == OWN_COLORS.get(page, set())


def constants(path: Path) -> Iterator[tuple[str, str]]:
    """Yields the names of a module that stand for literals, with these."""
    for node in parsed(path).body:
        match node:
            case ast.AnnAssign(
                target=ast.Name(id=name), value=ast.Constant() | ast.UnaryOp() | ast.Tuple() | ast.Dict() as value
            ):
                yield name, ast.unparse(value)


@pytest.mark.parametrize("game", first_is_quick(*GAMES))
def test_a_board_types_no_number_of_its_rules(game: str) -> None:
    rules = {one for path in (ROOT / "games" / game).glob("*.py") for one in constants(path)}
    board = [(path, one) for path in (ROOT / "client" / "boards" / game).glob("*.py") for one in constants(path)]
    assert [f"{path.name}: {one[0]}" for path, one in board if one in rules] == []


def test_the_tie_breaks_are_told_in_the_order_in_which_they_decide() -> None:
    page = (ROOT / "docs" / "formats.md").read_text("utf-8").partition("## Points and tie-breaks")[2]
    told = re.findall(r"^\d\. \*\*(.+?)\*\*", page, re.M)
    names = {"wins": "tables won"}
    assert [one.lower() for one in told] == [
        *(names.get(one.name, one.name.lower()) for one in TIE_BREAKS),
        "starting number",
    ]
