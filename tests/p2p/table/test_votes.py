"""What all at a table decide together: one frame for every question."""

import asyncio
import logging
import re
from pathlib import Path
from random import Random

import pytest

from kimberley.games.table import Plain
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.effort import spread
from tests.support.inside import links_of
from tests.support.seated import circle_of_tables, pair_of_tables, play
from tests.support.spec import section

SPEC_ROW = re.compile(r"^\| `(\w+)` \|.*\|$", re.MULTILINE)


def test_the_specification_has_a_row_for_every_question(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            written = section(9).partition("### 9.6 ")[2]
            assert set(SPEC_ROW.findall(written)) == set(tables.host.votes.questions)

    run(story())


@pytest.mark.parametrize(
    "entries",
    spread(4, map(pytest.param, [
        (), ("aside",), ("aside", 1), ("aside", None), ("aside", True, True), ("again", False), ("tea", True),
        (b"aside", True), ("same", True), ("same", (b"", 1)), ("same", (True, b"")),
    ])),
)  # fmt: skip
def test_a_vote_about_something_else_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, entries: tuple[Plain, ...]
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            for link in links_of(tables.host).values():
                link.send(("vote", *entries))
                link.send(("vote", "aside", True))
            await until(lambda: tables.guest.adjournment.adjourn_from == {0})
            assert tables.guest.phase == "playing"
            assert not tables.guest.rematch.again_from
            assert "sent an unknown frame: vote" in caplog.text

    with caplog.at_level(logging.INFO):
        run(story())


@pytest.mark.slow
def test_a_vote_counts_for_nobody_but_its_sender(tmp_path: Path) -> None:
    """At three seats two votes of one do not make up for the third."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            first, second, third = circle.tables
            for _ in range(3):
                for link in links_of(second).values():
                    link.send(("vote", "aside", True))
            first.adjournment.vote(True)
            await until(lambda: third.adjournment.adjourn_from == {0, 1})
            assert not any(table.adjournment.adjourned for table in circle.tables)
            third.adjournment.vote(False)
            await until(lambda: not first.adjournment.adjourn_from and not second.adjournment.adjourn_from)
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(circle.tables)))

    run(story())
