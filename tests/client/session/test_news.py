"""What a part of a table tells its player: a class of news that no client knows is told by all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from kimberley.client.audio.port import NO_AUDIO
from kimberley.client.plain.table_news import TableNews
from kimberley.client.plain.watch import PlainWatch
from kimberley.client.screens.app import App
from kimberley.client.screens.watch import WatchScreen
from kimberley.p2p.sentences.table_events import notice_of
from kimberley.p2p.table.events import ChatLine, News, Notice, TableChanged
from kimberley.protocol.events import Caught, SeatDeparted
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.diamond_table import DiamondTable
from tests.support.pretend import PretendServices, PretendTable, running, shown
from tests.support.typed import Typed
from tests.support.watching import WireWatch, bots_at


@dataclass(frozen=True)
class Bowed(News):
    """A part's own news."""

    seat: int

    def notice(self, names: Sequence[str]) -> Notice:
        return Notice(f"{names[self.seat]} bows.", bad=False)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Bowed(0), Notice("ana bows.", bad=False)),
        (Notice("The disk is full."), Notice("The disk is full.")),
        (SeatDeparted(3, 1, CARDS.start(3, {})), Notice("ben resigned; the game goes on without them.", bad=False)),
        (Caught(1, 2, 0, "it lied"), Notice("ben was caught cheating: it lied.")),
        (ChatLine(0, "hello"), None),
        (TableChanged("people"), None),
        (None, None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_event_is_told_in_a_sentence_or_not_at_all(event: object, told: Notice | None) -> None:
    assert notice_of(event, ("ana", "ben")) == told


def test_a_resumed_game_in_which_something_has_happened_does_not_begin() -> None:
    table = DiamondTable()

    async def first() -> str:
        lines = Typed()
        await TableNews(table, lines, NO_AUDIO).follow()
        return lines.said[0]

    assert asyncio.run(first()) == "The game begins: Diamond, with ana and ben."
    table.apply("a1")
    table.put(resumed=True)
    assert asyncio.run(first()) == "You are back in Diamond."


def test_players_are_told_news_of_any_class() -> None:
    async def test(app: App) -> None:
        table, lines = PretendTable(), Typed()
        TableNews(table, lines, NO_AUDIO).on_event(Bowed(1))
        assert lines.said == ["ben bows."]
        app.take_seat(table)
        table.change(Bowed(1))
        assert "ben bows." in shown(app)
        assert "! ben" not in shown(app)

    running(test)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_that_is_over_is_not_said_to_go_on_without_who_resigned(seat: int) -> None:
    async def story() -> list[str]:
        table, lines = PretendTable(phase="closing"), Typed()
        TableNews(table, lines, NO_AUDIO).on_event(SeatDeparted(3, seat, CARDS.start(3, {})))
        return lines.said

    assert asyncio.run(story()) == []


def test_spectators_are_told_news_of_any_class() -> None:
    async def on_a_screen(app: App) -> None:
        watch = WireWatch(bots_at("diamond"))
        app.push(WatchScreen(app, watch))
        watch.tell(Bowed(1))
        assert "player2 bows." in shown(app)

    async def in_text_mode() -> None:
        lines, watch = Typed(), WireWatch(bots_at("diamond"))
        following = asyncio.create_task(PlainWatch(watch, PretendServices(), lines).follow())
        await until(lambda: watch.listeners)
        watch.tell(Bowed(1))
        await until(lambda: "player2 bows." in lines.said)
        lines.type("leave")
        await following

    running(on_a_screen)
    run(in_text_mode())
