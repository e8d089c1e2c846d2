"""The report as one page of HTML that needs no other file."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from kimberley.conformance.report.report import SuiteRun, summary

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
    13: "Resignation and leaving",
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

TEMPLATES: Final = Environment(
    loader=PackageLoader("kimberley.conformance"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def as_html(run: SuiteRun) -> str:
    """Returns the report as a page of HTML."""
    ordered = sorted(run.outcomes, key=lambda one: one.case.id)
    grouped = groupby(ordered, key=lambda one: one.case.section)
    sections = [(section, SECTIONS.get(section, ""), list(outcomes)) for section, outcomes in grouped]
    page = TEMPLATES.get_template("report.html")
    return page.render(run=run, summary=summary(run).splitlines(), sections=sections)
