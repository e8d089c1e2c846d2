"""The standings with their tie-breaks: each number says how it is counted."""

from __future__ import annotations

import asyncio
import re

from kimberley.p2p.tournament.events import ORGANIZER, TIME
from tests.support.pages import LOOPBACK, get, open_page
from tests.support.pretend_source import PretendSource


def wins(source: PretendSource) -> dict[str, tuple[str, str]]:
    """Returns the wins of each player as a tie-break, and what is said about them."""

    async def look() -> str:
        async with open_page(source, LOOPBACK, 0) as (where, *_):
            return (await get(f"{where}/crosstable")).text

    found = {}
    for row in re.findall(r"<tr.*?</tr>", asyncio.run(look()).partition("<tbody>")[2].partition("</tbody>")[0], re.S):
        name = re.sub(r"<[^>]*>", "", row.partition('<th scope="row">')[2].partition("</th>")[0])
        cell = re.findall(r'<td class="number wide">(.*?)</td>', row)[-1]
        value, _, note = cell.partition("</summary>")
        found[name] = re.sub(r"<[^>]*>", "", value), re.sub(r"<[^>]*>", "", note)
    return found


def test_a_win_that_does_not_count_as_a_tie_break_is_named_at_the_number() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan", "eve", "fay", "gus"))
    source.pair()
    source.decide(1, 0, (1, 0), ORGANIZER, "A decision.")
    source.decide(1, 1, (1, 2))
    source.decide(1, 2, (1, 0), TIME, "Out of time.")
    (out,) = source.tournament.rounds[0].byes
    found = wins(source)
    for table, expected in enumerate([("0", "not counted: 1 win by ruling"), ("1", ""), ("1", "")]):
        winner, loser = source.names(1, table)
        assert (found[winner], found[loser]) == (expected, ("0", ""))
    assert found[source.tournament.name(out)] == ("0", "not counted: 1 bye")
