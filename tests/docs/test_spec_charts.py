"""The sequence charts of SPEC.md are what the program sends."""

from __future__ import annotations

from tests.support.charts import BEGIN, END, charts
from tests.support.spec import whole


def test_every_line_of_the_charts_is_what_the_program_sends() -> None:
    written = whole().split(BEGIN)[1].split(END)[0]
    assert written.strip() == charts(), "python -m tests.support.charts --write"
