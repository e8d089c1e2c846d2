"""The outcomes of a run: as text for people, as JSON and as JUnit. `page` makes them HTML."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from xml.etree import ElementTree

from kimberley.conformance.case import Verdict
from kimberley.conformance.harness.traffic import SENT, TrafficEntry
from kimberley.conformance.runner import CaseOutcome
from kimberley.protocol.envelope import REVISION

VERDICTS: Final[tuple[Verdict, ...]] = ("ok", "non-strict", "failed", "unimplemented", "informational", "not claimed")


@dataclass(frozen=True)
class SuiteRun:
    """All outcomes of a run. `expected` are the ids of cases that may fail, and `unknown` the names that no case has.
    With `full`, reports also show the traffic of cases that are ok.
    """

    target: str
    outcomes: Sequence[CaseOutcome]
    strict: bool = False
    expected: frozenset[str] = field(default_factory=frozenset)
    unknown: Sequence[str] = ()
    full: bool = False

    @property
    def counts(self) -> dict[str, int]:
        counter = Counter(outcome.verdict for outcome in self.outcomes)
        return {verdict: counter[verdict] for verdict in VERDICTS}

    @property
    def failures(self) -> list[CaseOutcome]:
        """The outcomes that count against the target."""
        return [one for one in self.outcomes if one.fails(strict=self.strict) and one.case.id not in self.expected]

    @property
    def surprises(self) -> list[CaseOutcome]:
        """The outcomes that are ok although they were expected to fail."""
        return [one for one in self.outcomes if one.verdict == "ok" and one.case.id in self.expected]

    def shows(self, outcome: CaseOutcome) -> bool:
        """Returns whether reports show the traffic of an outcome."""
        return outcome.verdict != "not claimed" if self.full else outcome.verdict not in ("ok", "not claimed")

    @property
    def passed(self) -> bool:
        return not self.failures and not (self.strict and self.surprises)


def summary(run: SuiteRun) -> str:
    """Returns the run as a few lines for people."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in run.counts.items() if count)
    lines = [f"{len(run.outcomes)} {'case' if len(run.outcomes) == 1 else 'cases'}: {counts or 'none'}."]
    lines += [f"{one.case.id} was expected to fail, but is ok." for one in run.surprises]
    if lacks := sorted({one.lacks for one in run.outcomes if one.lacks}):
        lines.append(f"The target's profile does not name {', '.join(lacks)}: the cases that need it were not run.")
    lines += [unknown_case(name) for name in run.unknown]
    if run.failures:
        lines.append(f"Against the target ({len(run.failures)}): {' '.join(one.case.id for one in run.failures)}")
    return "\n".join(lines)


def unknown_case(name: str) -> str:
    """Returns the sentence about a name that no case has."""
    return f'No case is called "{name}": kimberley conform --list shows all.'


def describe_outcome(outcome: CaseOutcome) -> str:
    """Returns one outcome, for people."""
    lines = [f"{outcome.case.id}  {outcome.verdict:13}  {outcome.case.title}"]
    lines += [f"       expected: {outcome.case.expect}"] if outcome.verdict in ("failed", "non-strict") else []
    lines += [f"       {outcome.reason}"] if outcome.reason else []
    lines += [f"       its standard error ends: {end[-1]}"] if (end := outcome.stderr.strip().splitlines()) else []
    return _printable("\n".join(lines))


def as_json(run: SuiteRun) -> str:
    """Returns the run as JSON in ASCII: no control character from a hostile target reaches a terminal."""
    plain = {
        "revision": REVISION,
        "target": run.target,
        "strict": run.strict,
        "passed": run.passed,
        "counts": run.counts,
        "unknown": list(run.unknown),
        "cases": [_plain(one, run) for one in run.outcomes],
    }
    return json.dumps(plain, indent=1) + "\n"


def _plain(outcome: CaseOutcome, run: SuiteRun) -> dict[str, Any]:
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
    if run.shows(outcome):
        plain["traffic"] = [_entry(entry) for entry in outcome.traffic.entries]
        plain["traffic_left_out"] = outcome.traffic.left_out
        plain["stderr"] = outcome.stderr
    return plain


def _entry(entry: TrafficEntry) -> dict[str, Any]:
    plain = {
        "seconds": round(entry.seconds, 3),
        "line": entry.name,
        "direction": "sent" if entry.way == SENT else "received",
    }
    if isinstance(entry.data, str):
        return {**plain, "says": entry.data}
    return {**plain, "size": len(entry.data), "says": entry.says, "hex": entry.hex}


def as_junit(run: SuiteRun) -> str:
    """Returns the run as JUnit's XML, for programs that show tests."""
    failures = {id(one) for one in run.failures}
    suite = ElementTree.Element(
        "testsuite",
        name="kimberley conform",
        tests=str(len(run.outcomes) + len(run.unknown)),
        failures=str(len(failures)),
        errors=str(len(run.unknown)),
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
            failure.text = _printable("\n".join([f"expected: {one.case.expect}", *one.traffic.lines]))
        elif one.verdict != "ok":
            ElementTree.SubElement(case, "skipped", message=_printable(f"{one.verdict}: {one.reason}"))
        if run.full and one.verdict == "ok":
            ElementTree.SubElement(case, "system-out").text = _printable("\n".join(one.traffic.lines))
    for name in run.unknown:
        missing = ElementTree.SubElement(suite, "testcase", classname="unknown", name=name)
        ElementTree.SubElement(missing, "error", message=unknown_case(name))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """Returns the text without characters that XML cannot hold or that control a terminal."""
    return "".join(one if one.isprintable() or one in "\n\t" else "?" for one in text)
