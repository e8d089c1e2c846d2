"""What has happened at a table is told before the question that follows it."""

from __future__ import annotations

import pytest

from kimberley.client.audio.port import NO_AUDIO
from kimberley.client.plain.table_news import TableNews
from tests.support.asyncs import run
from tests.support.board_snapshots import Clock
from tests.support.typed import Typed
from tests.support.whole_game_table import WholeGameTable, at_random


@pytest.mark.parametrize(("begins", "told"), [(None, " as Black."), (1, "ben places a piece on ")])
def test_what_has_happened_is_told_before_the_question_even_if_its_event_is_still_on_the_way(
    begins: int | None, told: str
) -> None:
    async def test() -> None:
        table, lines = WholeGameTable("diamond", 2, 1, at_random(1), Clock().now, {}, begins=begins), Typed()
        news = TableNews(table, lines, NO_AUDIO)
        await news.follow()
        while True:
            table.offer()
            if table.arena_peer.asked is not None:
                break
            table.answer()
        await news.follow()
        happened = next(number for number, line in enumerate(lines.said) if told in line)
        asked = next(number for number, line in enumerate(lines.said) if line.startswith("You are "))
        assert happened < asked

    run(test())
