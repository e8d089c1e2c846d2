"""SPEC.md says what the code does: its exchange, its words, its limits; and its requirements can be cited."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import REGIONS
from kimberley.games.diamond_trust.position import BITS, BRIBE, SALARY, SPENT
from kimberley.games.diamond_trust.rules import SIZES
from kimberley.p2p.discovery import mdns, peer_rediscovery
from kimberley.p2p.table import chat, common_options
from kimberley.p2p.tournament import events, seat_reports
from kimberley.p2p.transport import frames, handshake, listener, table_card
from kimberley.protocol import record
from kimberley.protocol.asks import MACHINES
from kimberley.protocol.crypto import coin, disclosure, elgamal, escrow, ranges, shares, shuffle, signatures
from kimberley.protocol.crypto.group import PEDERSEN_LABEL
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.envelope import REVISION
from kimberley.protocol.words import WORDS
from tests.conformance.vectors.files import FOLDER
from tests.conformance.vectors.functions import FUNCTIONS
from tests.support.exchange import Exchange, block, parse
from tests.support.paths import ROOT
from tests.support.spec import BESIDE, SPEC, section, whole

TEXT: Final = whole()
REQUIREMENT: Final = re.compile(r"^- \*\*\[([MS]-[A-Z]{3}-\d+)\]\*\* (.*(?:\n  .*)*)", re.MULTILINE)
LIMIT: Final = re.compile(r"^\| ([a-z][^|]*) \| (\d+)(?: \([^|]*\))? \|$", re.MULTILINE)
MOST_WORDS: Final = 18500
BOUNDS: Final = section(24) + BESIDE["10.5"].read_text("utf-8").partition("**Limits and times**")[2]
"""All limits and times, those of referees among them."""

MARKED: Final = re.compile(
    r"^(?:class (?P<owner>\w+)|(?P<indent> *)(?P<name>\w+)\b.*  # SPEC: (?P<rows>[a-zA-Z', ]+)$)"
)
"""A constant, or a field with its default, that says in a comment which rows of section 24 have its value."""
WORKED_OUT: Final[dict[str, Any]] = {
    "fewest seats": 2,
    "pings answered a second": 1 / listener.ListenerLimits().ping,
    "seconds of a last look": common_options.UNTIL_DONE.most,
    "seconds of a quiet time": common_options.UNTIL_DONE.quiet,
    "fewest seconds of grace": common_options.GRACE_RANGE[0],
    "most seconds of grace": common_options.GRACE_RANGE[-1],
    "chat": 1 / chat.LINES_A_SECOND,
    "unseen": seat_reports.MOST_LOOKS * seat_reports.LOOK_SECONDS,
}
"""The rows for which there is no constant by itself."""

ELSEWHERE: Final = {"journal", "resume", "runner", "peer_addresses", "refereeing"}
"""Modules of p2p/, its tournament aside, that match what is in a file, or frames of section 10.5."""


@pytest.fixture(scope="module")
def sections() -> list[tuple[str, list[tuple[str, str]]]]:
    return [(title, lines) for title, _, lines in Exchange().sections()]


def test_every_line_of_the_worked_exchange_is_what_the_code_gives(
    sections: list[tuple[str, list[tuple[str, str]]]],
) -> None:
    written = parse(TEXT)
    assert [len(lines) for lines in written] == [len(lines) for _, lines in sections]
    for (title, computed), lines in zip(sections, written, strict=True):
        assert f" {title}\n" in TEXT
        for (name, value), (other_name, other) in zip(computed, lines, strict=True):
            assert (title, other_name, other) == (title, name, value)


def test_the_parser_reads_what_the_exchange_writes(sections: list[tuple[str, list[tuple[str, str]]]]) -> None:
    for _, lines in sections:
        assert parse(f"```exchange\n{block(lines)}\n```\n") == [lines]


def test_every_requirement_has_a_number_of_its_own() -> None:
    numbers = [found[1] for found in REQUIREMENT.finditer(TEXT)]
    assert len(numbers) == len(set(numbers)) > 90
    areas: dict[str, list[int]] = {}
    for number in numbers:
        _, area, count = number.split("-")
        areas.setdefault(area, []).append(int(count))
    for area, counts in areas.items():
        assert counts == list(range(1, len(counts) + 1)), area


@pytest.mark.slow
def test_must_and_should_stand_in_numbered_requirements_only() -> None:
    for number, words in ((found[1], found[2]) for found in REQUIREMENT.finditer(TEXT)):
        must, should = bool(re.search(r"\bMUST\b", words)), bool(re.search(r"\bSHOULD\b", words))
        assert (must, should) == (number[0] == "M", number[0] == "S"), number
    rest = REQUIREMENT.sub("", TEXT.replace(section(1).split("\n\n")[1], ""))
    assert not re.findall(r".*\b(?:MUST|SHOULD)\b.*", rest)


def test_requirements_and_sections_that_are_cited_exist() -> None:
    numbers = {found[1] for found in REQUIREMENT.finditer(TEXT)}
    assert set(re.findall(r"\[([MS]-[A-Z]{3}-\d+)\]", TEXT)) == numbers
    core = SPEC.read_text("utf-8")
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^## (.*)$", core, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]*)\)", core)) == anchors


def marked() -> Iterator[tuple[str, Any]]:
    """Yields the rows of section 24 that the code names, each with the value there."""
    for path in sorted(path for room in ("protocol", "p2p", "referee") for path in (ROOT / room).rglob("*.py")):
        if "  # SPEC: " not in (text := path.read_text("utf-8")):
            continue
        module = import_module(".".join(("kimberley", *path.relative_to(ROOT).with_suffix("").parts)))
        owner = ""
        for found in filter(None, map(MARKED.match, text.splitlines())):
            if found["owner"]:
                owner = found["owner"]
                continue
            holder = getattr(module, owner)() if found["indent"] else module
            for row in found["rows"].split(", "):
                yield row, getattr(holder, found["name"])


def test_limits_and_times_are_those_of_the_code() -> None:
    limits = [(name, (int(value),)) for name, value in LIMIT.findall(BOUNDS)]
    timers = re.findall(r"^\| ([a-z ]+) \| ([^|\n]*) \|(?:[^|\n]*\|){3}$", BOUNDS, re.MULTILINE)
    times = [(name, tuple(map(float, value.split(", ")))) for name, value in timers if re.fullmatch(r"[\d., ]+", value)]
    assert {name for name, _ in timers} - {name for name, _ in times} == {"timer", "last look", "quiet time", "grace"}
    code = [(row, value if isinstance(value, tuple) else (value,)) for row, value in (*marked(), *WORKED_OUT.items())]
    assert sorted(code) == sorted([*limits, *times])


def matched(path: Path) -> set[str]:
    """Returns the kinds of frames that a module takes."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.MatchSequence) and node.patterns:
            first = node.patterns[0]
            for one in first.patterns if isinstance(first, ast.MatchOr) else [first]:
                if isinstance(one, ast.MatchValue) and isinstance(one.value, ast.Constant):
                    found.add(str(one.value.value))
    return found


@pytest.mark.slow
def test_every_frame_stands_in_the_catalogue() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| .* \| [\d., ]+ \|$", section(7), re.MULTILINE)
    written = {kind for row in rows for kind in re.findall(r"\w+", row)}
    rooms = Path(frames.__file__).parents[1]
    modules = [path for path in rooms.rglob("*.py") if path.stem not in ELSEWHERE and path.parent.name != "tournament"]
    taken = set().union(*map(matched, modules)) - {"seat", "watch"}
    assert taken <= written
    literals = {text for path in modules for text in re.findall(r'"(\w+)"', path.read_text())}
    assert written <= literals
    assert written - taken == {"look", "pong", "watching", "beat"}


def test_every_frame_and_event_of_a_referee_stands_in_its_section() -> None:
    text = BESIDE["10.5"].read_text("utf-8")
    folder = Path(frames.__file__).parents[2]
    modules = ("p2p/tournament/client.py", "p2p/tournament/enrollment.py", "referee/player_connections.py")
    taken = set[str]().union(*(matched(folder / name) for name in modules))
    assert set(re.findall(r'^\| (?:player|referee) \| `\("(\w+)"', text, re.MULTILINE)) == taken
    kinds = set(events.KINDS.values())
    assert set(re.findall(r'`\("(\w+)", at', text)) == kinds
    assert set(re.findall(r"^\| `(\w+)` \| ", text, re.MULTILINE)) == {"how", *events.HOW}


def test_every_body_stands_in_the_catalogue() -> None:
    table = section(15).split("### 15.10")[1]
    asks = {row.split(",")[0].split(" ")[0] for row in re.findall(r"^\| ([A-Z]\w+[^|]*) \|", table, re.MULTILINE)}
    assert asks == {kind.__name__ for kind in MACHINES} | {
        "Keys",
        "CLOSE",
        "SHOW",
        "VERDICT",
    }


def test_bodies_have_the_lengths_that_are_written() -> None:
    table = section(15).split("### 15.10")[1]
    n, parts, m, bits, size, others = 7, 2, 5, 8, 12, 3
    for written, length in {
        "b96": coin.SHARE_SIZE - 96,
        "b(128 t)": ranges.proof_size(bits) - 128 * bits,
        "b(32 + 32*2^t)": disclosure.offer_size(bits) - (32 + 32 * 2**bits),
        "b(size + 20)": disclosure.sealed_size(size) - (size + 20),
        "b(64 n P)": n * parts * elgamal.PAIR_SIZE - 64 * n * parts,
        "b(64 (n - 1) + 32 (3 + P + n))": shuffle.proof_size(n, parts) - (64 * (n - 1) + 32 * (3 + parts + n)),
        "b(32 m + 64)": shares.share_size(m) - (32 * m + 64),
        "b(64 m_j + 96)": shares.mail_size(m) - (64 * m + 96),
    }.items():
        assert written in table
        assert length == 0, written
    bags = {seat: PURE.base(seat + 1) for seat in range(others)}
    left = escrow.leave_behind(PURE, bytes(32), Context(bytes(32), 1, 0, 3), bags, b"secret")
    assert "b(48 + 32*(others present) + 4096 k)" in table
    assert len(left) == 48 + 32 * others + escrow.BLOCK_SIZE


def test_the_core_can_be_read_in_an_evening() -> None:
    """Sections 1 to 20 and 22, without what the documents beside SPEC.md hold."""
    core = re.findall(r"^## (\d+) (.*?)(?=^## |\Z)", SPEC.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert sum(len(text.split()) for number, text in core if int(number) <= 20 or number == "22") <= MOST_WORDS


def test_constants_are_those_of_the_code() -> None:
    assert RISTRETTO.order == 2**252 + 27742317777372353535851937790883648493
    assert "2^252 + 27742317777372353535851937790883648493" in TEXT
    assert f"e = {signatures.ORDER_EIGHT:#x}" in TEXT
    assert f'hash_to_group("{PEDERSEN_LABEL.decode()}"), the {len(PEDERSEN_LABEL)} bytes' in TEXT
    assert mdns.SERVICE.rstrip(".") in section(6)
    assert peer_rediscovery.SERVICE.rstrip(".") in section(6)
    assert set(re.findall(r"^\| `(\w+)` \|", section(6), re.M)) == set(
        mdns.txt_record(table_card.TableCard(bytes(32), "ana", GAME.id, 1, 1, 2, handshake.PeerVersion.own()))
    )
    assert disclosure.PAD_PREFIX.decode() in section(14)
    assert f"up to a multiple of {escrow.BLOCK_SIZE} bytes" in section(14)
    assert f"| Revision of the protocol | {REVISION} |" in TEXT
    assert record.MAGIC.decode().strip() in section(18)


def test_the_words_are_the_list() -> None:
    found = re.search(r"^```words\n(.*?)\n```$", section(26), re.DOTALL | re.MULTILINE)
    assert found is not None
    assert tuple(found[1].split()) == WORDS


def test_diamond_trust_is_encoded_as_section_21_says() -> None:
    text = section(21)
    for kind, size in SIZES.items():
        assert f"| `{kind}` | {size} |" in text
    assert REGIONS == ("Uige", "Lunda", "Malanje", "Moxico", "Huila", "Cuando Cubango")
    assert {tally.bits for tally in (*SPENT, *SALARY[0], *BRIBE[1])} == {BITS} == {8}
    assert [tally.name for tally in (*SALARY[0], *BRIBE[0], SPENT[0])] == [
        *(f"salary {agent}" for agent in range(3)),
        *(f"bribe {agent}" for agent in range(3)),
        "spent",
    ]


def test_the_files_and_functions_that_section_27_names_are_those_of_the_vectors() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`.*) \|$", section(27).split("### 27.1")[0], re.M)
    named = {file: set(re.findall(r"`(\w+)`", functions)) & set(FUNCTIONS) for file, functions in rows}
    there = {path.stem: json.loads(path.read_text()) for path in FOLDER.glob("*.json") if path.stem != "schema"}
    assert named == {file: {test["function"] for test in book["tests"]} for file, book in there.items()}
    assert set().union(*named.values()) == set(FUNCTIONS)


def test_long_values_are_quoted_by_their_hash() -> None:
    exchange = Exchange()
    quoted = dict(line for _, _, lines in exchange.sections() for line in lines)["record"]
    packed = exchange.peers[1].record().pack()
    assert quoted == f"sha256 {hashlib.sha256(packed).hexdigest()}, {len(packed)} bytes"
