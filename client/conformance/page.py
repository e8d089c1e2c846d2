"""The report as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import Final

from client.conformance.report import Run, in_words
from client.conformance.runner import Outcome

SECTIONS: Final = {
    3: "Canonical encoding",
    5: "Identities and signatures",
    6: "Discovery",
    7: "Transport",
    8: "Hello",
    9: "Seating",
    10: "Between seats",
    11: "Envelopes and chains",
    12: "Stages and the transcript",
    13: "Talk, resignation, leaving",
    14: "Cryptographic primitives",
    15: "Asks",
    16: "Closing",
    17: "Audit and verdicts",
    18: "Records",
    20: "The last look",
    21: "The games",
    22: "Hidden information",
    23: "Errors",
    29: "Targets",
}

STYLE: Final = """
:root { color-scheme: light dark; --ok: #2f7d4f; --bad: #b3342c; --mid: #9a6b12; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .3rem .6rem; }
tr { border-top: 1px solid var(--line); } td.id { white-space: nowrap; }
.verdict { white-space: nowrap; font-weight: 600; } .ok { color: var(--ok); }
.failed { color: var(--bad); } .non-strict, .unimplemented, .informational, .claimed { color: var(--mid); }
.covers, .expect { opacity: .75; font-size: 13px; } details { margin: .4rem 0; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; white-space: pre-wrap; word-break: break-all; }
"""


def as_page(run: Run) -> str:
    """The page."""
    verdict = "passed" if run.passed else "not passed"
    parts = [
        "<!doctype html>",
        '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>Conformance: {verdict}</title><style>{STYLE}</style>",
        f"<h1>Conformance: {verdict}{', strict' if run.strict else ''}</h1>",
        f"<p>Target: <code>{escape(run.target)}</code></p>",
        f"<p>{escape(in_words(run)).replace(chr(10), '<br>')}</p>",
    ]
    ordered = sorted(run.outcomes, key=lambda one: one.case.id)
    for section, outcomes in groupby(ordered, key=lambda one: one.case.section):
        parts.append(f"<h2>{section} {SECTIONS.get(section, '')}</h2>")
        parts.append(_table(run, outcomes))
    return "\n".join(parts) + "\n"


def _table(run: Run, outcomes: Iterable[Outcome]) -> str:
    rows = "".join(_row(run, outcome) for outcome in outcomes)
    return f"<table><tr><th>case</th><th>verdict</th><th>what is asked</th></tr>{rows}</table>"


def _row(run: Run, outcome: Outcome) -> str:
    case = outcome.case
    expected = " (expected to fail)" if case.id in run.expected else ""
    what = [escape(case.title), f'<div class="expect">Expected: {escape(case.expect)}.</div>']
    if case.covers:
        what.append(f'<div class="covers">{escape(", ".join(case.covers))}</div>')
    if outcome.reason:
        what.append(f"<p>{escape(outcome.reason)}</p>")
    if run.shows(outcome):
        what.append(_evidence(outcome))
    return (
        f'<tr id="c{case.id}"><td class="id"><code>{case.id}</code></td>'
        f'<td class="verdict {outcome.verdict}">{outcome.verdict}{expected}</td><td>{"".join(what)}</td></tr>'
    )


def _evidence(outcome: Outcome) -> str:
    """What was sent and received."""
    traffic = "\n".join(outcome.traffic.lines)
    told = [
        ("What was sent (&gt;) and received (&lt;), with the seconds since the case began", escape(traffic)),
        ("The target's standard error", escape(outcome.complaint)),
    ]
    return "".join(f"<details><summary>{title}</summary><pre>{text}</pre></details>" for title, text in told if text)
