"""docs/performance.md has the rows that `python -m tests.benchmarks` writes."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

import pytest

from tests.benchmarks.page import BENCHMARKS, PAGE, PLOT, RATIOS, TABLES, plotted, rewritten, rows_of
from tests.support.effort import tries
from tests.support.paths import ROOT

BY_CI: Final = ["start", "keys"]
"""`.ci/run` measures these anyway."""


@pytest.mark.parametrize("name", TABLES)
def test_page_has_exactly_these_rows(name: str) -> None:
    heads, *rows = rows_of(PAGE.read_text("utf-8"), name)
    assert heads == list(TABLES[name].heads)
    fixed = [row.fixed for row in TABLES[name].rows]
    assert [[had if was is not None else None for had, was in zip(row, of, strict=True)]
            for row, of in zip(rows, fixed, strict=True)] == fixed  # fmt: skip


def test_page_has_no_other_tables_of_figures() -> None:
    comments = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("<!--")]
    assert comments == ["<!-- machine -->", *(f"<!-- {name} -->" for name in TABLES)]


def test_rows_that_are_not_measured_keep_their_figures() -> None:
    page = PAGE.read_text("utf-8")
    assert rewritten(page, {}) == page


def test_measured_rows_change_and_others_stay() -> None:
    page = PAGE.read_text("utf-8")
    changed = rewritten(page, {"wire": [{"most_bytes": 1_234_567}]})
    before, after = (rows_of(text, "at the table") for text in (page, changed))
    assert [row for row in after if row not in before] == [
        ["A whole game of Diamond Trust on the wire, both directions", "3 MB", "1.23 MB at most", "`bench_wire`"]
    ]


def test_every_benchmark_fills_a_row() -> None:
    assert {row.benchmark for table in TABLES.values() for row in table.rows} == set(BENCHMARKS)


def test_picture_shows_the_ratios_of_the_page() -> None:
    assert plotted(PAGE.read_text("utf-8")) == PLOT.read_text("utf-8")


def measured(*names: str) -> list[str]:
    """Runs these benchmarks at their smallest size. Returns the ratios that are printed."""
    only = [part for name in names for part in ("--only", name)]
    command = [sys.executable, "-m", "tests.benchmarks", "--quick", *only]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reveal", "verify", "games", *tries([], BY_CI)])
@pytest.mark.nightly
def test_quick_run_measures_every_ratio(name: str) -> None:
    lines = measured(name)
    assert len(lines) == len([row for row in TABLES[RATIOS].rows if row.benchmark == name])
    assert all(re.search(r": (\d|.* is not installed$)", line) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["network", "slow", "wire", "install"])
@pytest.mark.nightly
def test_quick_run_measures(name: str) -> None:
    assert measured(name) == []
