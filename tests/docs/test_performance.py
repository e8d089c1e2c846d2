"""docs/performance.md has the rows that `tests.benchmarks.report` writes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.benchmarks.report import BENCHMARKS, PAGE, TABLES, rewritten, rows_of
from tests.support.paths import ROOT


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


@pytest.mark.slow
def test_quick_run_measures_every_row_of_a_benchmark() -> None:
    command = [sys.executable, "-m", "tests.benchmarks.report", "--quick", "--only", "wire", "--only", "bench"]
    page = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    heads, *rows = rows_of(page, "bag")
    assert all(float(cell) for row in rows for cell in row[: len(heads)])
    assert rows != rows_of(PAGE.read_text("utf-8"), "bag")[1:]
