"""A phone that has found no table: its player plays alone in the page of Chromium, by touch, against bots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from kimberley.games.diamond_trust.angola import REGIONS
from kimberley.p2p.sharing.room import Room
from kimberley.p2p.sharing.server import FileServer, site_of
from tests.support.browser_seat import page_program
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.diamond_game import places
from tests.support.phone import Phone, open_phone
from tests.support.phone_game import CARD, MAP, PhoneSeat

pytestmark = pytest.mark.e2e

AGENT: Final = "[1]"
POINTS: Final = ("c7", "f3")


@contextmanager
def in_empty_room(chromium: Chromium) -> Iterator[Phone]:
    """Yields a phone in a room where nobody has opened a table, back at the title screen."""
    room, program = Room(), page_program()
    files = program.served_by(room.host_key)
    server = FileServer(lambda _: files, handed_over=room.handed_over)
    chromium.wait_for(server.open(0, LOOPBACK))
    try:
        with open_phone(chromium, program.link(site_of(LOOPBACK, server.port), room.host_key), "ben") as ben:
            ben.wait("What happened")
            ben.touch("Back")
            ben.wait("Play alone")
            yield ben
            assert ben.problems == []
    finally:
        chromium.wait_for(server.close())


def test_a_guided_month_and_a_game_against_a_bot_are_played_in_the_page(chromium: Chromium) -> None:
    with in_empty_room(chromium) as ben:
        ben.touch("Play alone")
        ben.guided = True
        ben.touch("Guide me")
        ben.wait("Your goal")
        ben.touch("next")
        ben.wait("Your agents")
        play_guided_month(ben)
        resign(ben)
        ben.touch("Title")
        ben.touch(" Diamond  ")
        ben.wait("Place twelve pieces")
        ben.touch("Play alone")
        ben.touch("Just play")
        ben.wait("Apprentice")
        ben.touch("Play")
        place_a_piece(ben)
        resign(ben)


def play_guided_month(ben: Phone) -> None:
    """Plays a month of Diamond Trust as its notes say: a salary, a trip, an offer, no sale."""
    seat = PhoneSeat(ben, AGENT)
    ben.touch(AGENT, MAP)
    ben.wait("A salary")
    ben.touch("▸", CARD)
    ben.wait("$ 1")
    ben.touch("Set")
    seat.done()
    seat.wait("A trip", 0)
    seat.send_to_any(REGIONS, 1)
    ben.wait("An offer")
    seat.done()
    seat.wait("The sale", 0)
    seat.sell()
    seat.wait("month 2 of 9", 0)


def place_a_piece(ben: Phone) -> None:
    """Places a piece of Diamond on a free point. The bot answers."""
    taken = re.findall(r"Last: (\w\d)", ben.wait("your move"))
    point = next(point for point in POINTS if point not in taken)
    ben.tap(*places()[point])
    ben.wait(f"Place on {point}?")
    ben.touch("Go")
    ben.wait(lambda text: f"Place on {point}?" not in text)
    ben.wait(lambda text: "your move" in text and f"Last: {point}" not in text)


def resign(ben: Phone) -> None:
    """Ends a game at once. It is audited all the same."""
    ben.touch("Menu")
    ben.touch("Resign")
    ben.wait("Keep playing")
    ben.touch("Resign")
    ben.wait(lambda text: "Keep playing" not in text)
    ben.wait_through("FAIR ✓")
