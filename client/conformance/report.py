"""What a run says: for people, as JSON, as JUnit. The page is `client.conformance.page`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from xml.etree import ElementTree

from client.conformance.case import Verdict
from client.conformance.codec import Malformed, unpack
from client.conformance.plain import Plain
from client.conformance.roster import REVISION
from client.conformance.runner import Outcome

VERDICTS: Final[tuple[Verdict, ...]] = ("ok", "non-strict", "failed", "unimplemented", "informational")
MOST_HEX: Final = 2048
"""Bytes of one frame that a report shows."""
MOST_PLAIN: Final = 300
"""Characters of what a frame says."""


@dataclass(frozen=True)
class Run:
    """All outcomes of a run. `expected` are the ids of cases that may fail."""

    target: str
    outcomes: Sequence[Outcome]
    strict: bool = False
    expected: frozenset[str] = field(default_factory=frozenset)

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(outcome.verdict for outcome in self.outcomes)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @property
    def failures(self) -> list[Outcome]:
        """What counts against the target."""
        return [one for one in self.outcomes if one.fails(strict=self.strict) and one.case.id not in self.expected]

    @property
    def surprises(self) -> list[Outcome]:
        """Cases that were expected to fail, and are ok."""
        return [one for one in self.outcomes if one.verdict == "ok" and one.case.id in self.expected]

    @property
    def passed(self) -> bool:
        return not self.failures and not (self.strict and self.surprises)


def in_words(run: Run) -> str:
    """A few lines for a person."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in run.counts.items() if count)
    lines = [f"{len(run.outcomes)} cases: {counts or 'none'}."]
    lines += [f"{one.case.id} was expected to fail, and is ok." for one in run.surprises]
    if run.failures:
        lines.append(f"{len(run.failures)} count against the target: {' '.join(one.case.id for one in run.failures)}")
    return "\n".join(lines)


def line(outcome: Outcome) -> str:
    """One outcome, for a person."""
    said = [f"{outcome.case.id}  {outcome.verdict:13}  {outcome.case.title}"]
    said += [f"       {outcome.reason}"] if outcome.reason else []
    said += [f"       it says: {outcome.complaint.splitlines()[-1]}"] if outcome.complaint.strip() else []
    return "\n".join(said)


def as_json(run: Run) -> str:
    """Everything."""
    plain = {
        "revision": REVISION,
        "target": run.target,
        "strict": run.strict,
        "passed": run.passed,
        "counts": run.counts,
        "cases": [_plain(one, run) for one in run.outcomes],
    }
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def _plain(outcome: Outcome, run: Run) -> dict[str, Any]:
    case = outcome.case
    plain: dict[str, Any] = {
        "id": case.id,
        "title": case.title,
        "expect": case.expect,
        "covers": list(case.covers),
        "verdict": outcome.verdict,
        "reason": outcome.reason,
        "seconds": round(outcome.seconds, 3),
        "expected_to_fail": case.id in run.expected,
    }
    if outcome.verdict != "ok":
        plain["traffic"] = [
            {
                "line": name,
                "direction": "sent" if way == ">" else "received",
                "size": len(data),
                "says": says(data),
                "hex": shown(data),
            }
            for name, way, data in outcome.traffic.frames
        ]
        plain["events"] = list(outcome.events)
        plain["stderr"] = outcome.complaint
    return plain


def as_junit(run: Run) -> str:
    """For programs that show tests."""
    failures = {id(one) for one in run.failures}
    suite = ElementTree.Element(
        "testsuite",
        name="kimberley conform",
        tests=str(len(run.outcomes)),
        failures=str(len(failures)),
        time=f"{sum(one.seconds for one in run.outcomes):.3f}",
    )
    for one in run.outcomes:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"section {one.case.section}",
            name=f"{one.case.id} {one.case.title}",
            time=f"{one.seconds:.3f}",
        )
        if id(one) in failures:
            failure = ElementTree.SubElement(case, "failure", message=_printable(one.reason), type=one.verdict)
            failure.text = _printable("\n".join([f"expected: {one.case.expect}", *traffic_lines(one)]))
        elif one.verdict != "ok":
            ElementTree.SubElement(case, "skipped", message=_printable(f"{one.verdict}: {one.reason}"))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def traffic_lines(outcome: Outcome) -> list[str]:
    """What went over the wire, a line for each frame."""
    return [
        f"{way} {name}, {len(data)} bytes: {says(data)}\n  {shown(data)}" for name, way, data in outcome.traffic.frames
    ]


def shown(data: bytes) -> str:
    """Bytes in hex, cut where they are many."""
    return data[:MOST_HEX].hex() + ("..." if len(data) > MOST_HEX else "")


def says(data: bytes) -> str:
    """What a frame says, as far as it can be read."""
    try:
        text = spelled(unpack(data[4:]))
    except Malformed as error:
        return f"({error})"
    return text if len(text) <= MOST_PLAIN else f"{text[:MOST_PLAIN]}..."


def spelled(value: Plain) -> str:
    """A plain value as SPEC.md writes it."""
    match value:
        case None:
            return "nil"
        case bool():
            return "true" if value else "false"
        case bytes():
            return f"<{value.hex() if len(value) <= 32 else f'{value[:16].hex()}... {len(value)} bytes'}>"
        case str():
            return json.dumps(value)
        case tuple():
            return f"({', '.join(map(spelled, value))})"
        case _:
            return str(value)


def _printable(text: str) -> str:
    """Text that XML can hold."""
    return "".join(one if one.isprintable() or one in "\n\t" else "?" for one in text)
