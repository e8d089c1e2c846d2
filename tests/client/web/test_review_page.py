"""The page of a review has a line, a sign and a list of decisions for each player; with two players, the first has the
line.
"""

from __future__ import annotations

import re

import pytest

from kimberley.client.web.review_page import render
from tests.support.effort import first_is_quick
from tests.support.reviewed import UNITS, made_up_report


@pytest.mark.slow
def test_each_of_many_players_has_a_line_of_their_own() -> None:
    report = made_up_report("piecepack")
    page = render(report)
    lines = re.findall(r'<polyline .*?stroke="(.*?)" .*?stroke-dasharray="(.*?)" points="(.*?)"', page)
    assert len({points for *_, points in lines}) == 6
    assert len({dashes for _, dashes, _ in lines}) == 6, "lines are not told apart by color alone"
    assert "Each player’s chance to win" in page
    for name, (sign, _) in zip(report.names, report.marks, strict=True):
        assert page.count(sign) >= 2, "on the line, and beside the name"
        assert f"{name}’s {len(report.lines_of(report.names.index(name)))} decisions" in page


@pytest.mark.parametrize("name", first_is_quick(*UNITS))
def test_the_chances_in_numbers_add_up(name: str) -> None:
    page = render(made_up_report(name))
    table = page[page.index("The chances in numbers") :].partition("</table>")[0]
    rows = [list(map(int, re.findall(r">(\d+)%<", row))) for row in table.splitlines() if "%" in row]
    assert rows
    assert {sum(row) for row in rows} == {100}


def test_of_two_players_the_first_has_the_line() -> None:
    page = render(made_up_report("diamond"))
    assert page.count("<polyline") == 1
    assert "player1’s chance to win" in page
    assert "Each player" not in page
