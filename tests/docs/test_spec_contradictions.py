"""The specification contradicts itself nowhere: what it says, it says once, and what it names, it has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import pytest

from tests.support.effort import first_is_quick
from tests.support.spec import whole

TEXT: Final = whole()
ID: Final = r"[MS]-[A-Z]{3}-\d+"
PURPOSES: Final = {"seat", "watch", "enrol", "joiner", "host"}
"""What begins an array that is no frame."""
RULED: Final = {"11", "12", "17", "21", "23", "24", "25", "27", "29"}
"""Sections whose tables say what happens to bytes, records, choices and jobs, or when time is up."""
REACTION: Final = re.compile(
    r"\b(ends|refuses|ignores|ignored|drops?|dropped|given up)\b|ends the connection|`refused`"
)
SPAN: Final = re.compile(r"(?<![-*^\d.])\b(\d+(?:\.\d+)?) (?:s|seconds?|minutes?|hours?)\b")
LARGE: Final = 300
"""A number that is at least this large and equal to a limit is taken for that limit wherever it is written."""
QUOTED: Final = re.compile(r"^```.*?^```|^    .*?$|\"[^\"\n]*\"|`[^`\n]*`", re.MULTILINE | re.DOTALL)
REFERENCE: Final = r"\d+(?:\.\d+)?(?:(?:, | and | to | or )\d+(?:\.\d+)?)*"
CITED: Final = re.compile(rf"\((?:sections? )?({REFERENCE})\)|\bsections? ({REFERENCE})")


def parts(text: str) -> dict[str, str]:
    """Returns the sections and subsections, by number; each without its subsections."""
    found = re.split(r"^#+ (\d+(?:\.\d+)?) ", text, flags=re.MULTILINE)
    held: dict[str, str] = {}
    for number, body in zip(found[1::2], found[2::2], strict=True):
        held[number] = held.get(number, "") + body
    return held


def rows(text: str) -> Iterator[list[str]]:
    """Yields the rows of all tables, headings among them."""
    for line in text.splitlines():
        if line.startswith("|") and not line.startswith("|---"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def entries(text: str) -> int:
    """Returns how many entries an array has, by its commas outside of inner arrays."""
    depth, count = 0, 1 if text.strip() else 0
    for character in text:
        depth += (character in "([<") - (character in ")]>")
        count += character == "," and depth == 0
    return count


def bounds(text: str) -> list[tuple[str, str]]:
    """Returns all limits and times, with what their tables say of each."""
    held = parts(text)
    tables = held["24"] + held["24.1"] + held["24.2"] + held["24.3"] + held["10.5"].partition("**Limits and times**")[2]
    return [(row[0], row[1]) for row in rows(tables) if len(row) in (2, 5) and row[0] not in ("limit", "timer")]


def ids(text: str) -> Iterator[str]:
    """Returns requirements that share a number, and those that are cited and do not exist."""
    defined = Counter(re.findall(rf"^- \*\*\[({ID})\]\*\*", text, re.MULTILINE))
    yield from (f"{name} is defined {count} times" for name, count in defined.items() if count > 1)
    yield from (f"{name} is cited and not defined" for name in sorted(set(re.findall(ID, text)) - set(defined)))


def sections(text: str) -> Iterator[str]:
    """Sections that are cited and do not exist."""
    there = set(parts(text))
    for found in CITED.finditer(QUOTED.sub("", text)):
        numbers = re.findall(r"\d+(?:\.\d+)?", found[1] or found[2])
        if "0" not in numbers:
            yield from (f"{found[0]}: there is no section {number}" for number in numbers if number not in there)
    for number, body in parts(text).items():
        for table in re.findall(r"(?:^\|.*\n)+", body, re.MULTILINE):
            heading, *others = rows(table)
            if heading[-1] == "section":
                cited = {one: row[0] for row in others for one in re.findall(r"[1-9][\d.]*", row[-1])}
                yield from (
                    f"{number}: {row}: there is no section {one}" for one, row in cited.items() if one not in there
                )


def limits(text: str) -> Iterator[str]:
    """Limits and times with two numbers, or with a number outside of their table; and names that no table has."""
    named = bounds(text)
    counts = Counter(name for name, _ in named)
    yield from (f'"{name}" has {count} rows' for name, count in counts.items() if count > 1)
    held = parts(text)
    apart = ("24", "21", "27", "28", "29")
    prose = {number: body for number, body in held.items() if number.split(".")[0] not in apart}
    prose["10.5"] = held["10.5"].partition("**Limits and times**")[0]
    large = {value for _, value in named if value.isdecimal() and int(value) >= LARGE}
    for number, body in prose.items():
        plain = QUOTED.sub("", body)
        for line in plain.splitlines():
            yield from (f'{number}: "{found[0]}" belongs into section 24' for found in SPAN.finditer(line))
            quoted = set(re.findall(r"(?<![\d^.*])\b\d+\b(?![*^])", line)) & large - {"4096"}
            yield from (f"{number}: {value} belongs into section 24" for value in sorted(quoted))
        wanted = re.findall(r"(?<![*\w])\*([a-z][^*\n]+)\*(?![*\w(])", plain)
        yield from (f"{number}: no table has *{name}*" for name in wanted if name not in counts)
    value = dict(named)
    seats = f"{value['fewest seats']}..{value['most seats']}"
    if not any(row[0] == "`table`" and f" {seats}," in row[2] for row in rows(held["7.1"])):
        yield f"7.1: the seats of a `table` are not {seats}"
    if not any(row[0] == "`card`" and f"0..{value['seats on a card']}," in row[2] for row in rows(held["7.1"])):
        yield "7.1: the seats of a `card` are not those of section 24"


def reactions(text: str) -> Iterator[str]:
    """Yields tables outside of those about errors that say how a peer reacts; and events that section 23 has twice."""
    for number, body in parts(text).items():
        if number.split(".")[0] in RULED or number == "10.5":
            continue
        for row in rows(body):
            if len(row) > 2 and REACTION.search(row[-1]):
                yield f"{number}: {' | '.join(row)}: section 23 has all reactions"
    table = [row for row in rows(parts(text)["23"]) if len(row) == 3]
    events = Counter((pair, event.strip()) for pair, what, _ in table for event in re.split(r"; |, or ", what))
    yield from (f"23: {pair}: {event}: two reactions" for (pair, event), count in events.items() if count > 1)
    cited = Counter(name for row in table for name in re.findall(ID, row[1]))
    yield from (f"23: a breach of {name}: two reactions" for name, count in cited.items() if count > 1)


def frames(text: str) -> Iterator[str]:
    """Yields frames that the text names, and the catalogue lacks or has with other entries; events of targets
    likewise.
    """
    held = parts(text)
    catalogue: dict[str, set[int]] = {}
    for row in rows(held["7.1"]):
        for kind in re.findall(r"`(\w+)`", row[0]):
            given = row[2].partition(", and what")[0].replace("nothing", "")
            catalogue.setdefault(kind, set()).update(map(entries, given.split("; or ")))
    for number, body in held.items():
        if number.split(".")[0] not in ("7", "8", "9", "10") or number == "10.5":
            continue
        for kind, given in re.findall(r"`\(\"(\w[\w ]*)\",?((?:[^`])*)\)`", body):
            count = entries(given)
            if kind in PURPOSES or given.strip() == "...":
                continue
            if kind not in catalogue:
                yield f"{number}: the catalogue has no `{kind}`"
            elif count not in catalogue[kind]:
                yield f"{number}: `{kind}` has {count} entries, in the catalogue {sorted(catalogue[kind])}"
    chapters = [list(rows(part)) for part in held["29"].split("\n\n")]
    told = {row[0].strip("`") for table in chapters if table and table[0][0] == "event" for row in table}
    for table in chapters:
        if table and table[0][0] == "`do`":
            for row in table[1:]:
                yield from (f"29: no event `{name}`" for name in re.findall(r"`(\w+)`", row[-1]) if name not in told)


def findings(text: str) -> list[str]:
    return [found for search in (ids, sections, limits, reactions, frames) for found in search(text)]


def test_the_text_does_not_contradict_itself() -> None:
    assert findings(TEXT) == []


def test_sections_stand_in_their_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in parts(TEXT)]
    assert all(first < second for first, second in pairwise(numbers))


PLANTED: Final = {
    "a requirement twice": ("- **[M-GEN-2]**", "- **[M-GEN-1]**", r"M-GEN-1 is defined 2 times"),
    "a requirement that is gone": ("- **[M-ESC-1]** What", "What", r"M-ESC-1 is cited and not defined"),
    "a section that does not exist": ("(14.11)", "(14.12)", r"there is no section 14\.12"),
    "a chapter that does not exist": ("section 24 has", "section 34 has", r"there is no section 34"),
    "a section that a table names": (
        "| `bye` | any | text | leaves; why | 10 |",
        "| `bye` | any | text | leaves; why | 10.40 |",
        r"7\.1: `bye`: there is no section 10\.40",
    ),
    "a limit in the text": ("*characters of a line of chat*", "500 characters", r"500 belongs into section 24"),
    "a time in the text": ("in time (*newcomer*)", "within 12 s", r'"12 s" belongs into section 24'),
    "a limit twice": ("| newcomers | 8 |", "| newcomers | 8 |\n| newcomers | 9 |", r'"newcomers" has 2 rows'),
    "a time twice": ("| queue | 2 |", "| hello | 2 |", r'"hello" has 2 rows'),
    "a limit that no table has": ("*depth of arrays*", "*depth of lists*", r"no table has \*depth of lists\*"),
    "more seats in a frame": (" 2..6,", " 2..8,", r"the seats of a `table` are not 2\.\.6"),
    "a reaction in another table": (
        "### 10.7 ",
        "| event | from | action |\n|---|---|---|\n| a second `sit` | seat | is ignored |\n\n### 10.7 ",
        r"10\.6: a second `sit` .* section 23 has all reactions",
    ),
    "a reaction twice": (
        "| looker, host | a heartbeat | ignores it |",
        "| looker, host | a heartbeat | ignores it |\n| looker, host | a heartbeat | ends |",
        r"looker, host: a heartbeat: two reactions",
    ),
    "a breach twice": (
        "a WebSocket that [M-WEB-1]",
        "a WebSocket that [M-SEA-14]",
        r"a breach of M-SEA-14: two reactions",
    ),
    "a frame that the catalogue lacks": ('`("prepare", n)`', '`("begin", n)`', r"the catalogue has no `begin`"),
    "a frame with other entries": ('`("prepare", n)`', '`("prepare", n, m)`', r"`prepare` has 2 entries"),
    "an event that no table has": ("`problem`, `over`, no `verdict` |", "`stopped` |", r"29: no event `stopped`"),
}
"""Contradictions, by what they are: a text, another one in its place, and what is to be found."""


@pytest.mark.parametrize("name", first_is_quick(*PLANTED))
def test_it_is_found(name: str) -> None:
    text, other, found = PLANTED[name]
    assert text in TEXT
    assert re.search(found, "\n".join(findings(TEXT.replace(text, other, 1)))), findings(TEXT.replace(text, other, 1))
