"""The land game between three hosts, from the title screen to the dossier.

ana has only a keyboard, ben and carla only a mouse. All make deals. Then carla leaves the game, which goes on, and ben
resigns.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.protocol.envelope import LEAVE, RESIGN
from kimberley.protocol.record import Record
from tests.support.at_the_lan import choose_game, player, records, verified, words
from tests.support.lan import Lan
from tests.support.terminal import Terminal, own_turn

NAMES = ("ana", "ben", "carla")


def settle(terminal: Terminal, label: str, value: str) -> None:
    """Sets an option of the setup to a value, by keys."""
    terminal.press_until("down", f"▸ {label}")
    terminal.press_until("right", value)


def do(terminal: Terminal, key: str, text: str) -> None:
    """Presses the key if there is one, else clicks on the text."""
    if key:
        terminal.press(key)
    else:
        terminal.touch(text)


def take_turn(terminal: Terminal, *, keyboard: bool) -> None:
    """Buys a parcel if possible, and ends the turn."""
    do(terminal, "b" if keyboard else "", "Buy b")
    terminal.wait(lambda text: "Bought" in text or "! " in text)
    do(terminal, "d" if keyboard else "", "End turn d")
    if "Press d again" in terminal.wait(lambda text: "Press d again" in text or not own_turn(text)):
        do(terminal, "d" if keyboard else "", "End turn d")
    terminal.wait(lambda text: not own_turn(text))


@pytest.mark.nightly
def test_three_hosts_deal_in_land_until_one_is_left(tmp_path: Path) -> None:
    with (
        Lan(3) as lan,
        player(lan, 1, "ana", tmp_path) as ana,
        player(lan, 2, "ben", tmp_path) as ben,
        player(lan, 3, "carla", tmp_path) as carla,
    ):
        seats = (ana, ben, carla)
        choose_game(ana, "Blood Diamonds: Land")
        ana.press("h")
        ana.wait("How to join")
        ana.press("o")
        ana.wait("Length")
        settle(ana, "Seats", "3 players")
        settle(ana, "Map", "Horseshoe, 12 by 12")
        settle(ana, "Length", "25 turns each")
        ana.press("enter")
        assert "kimberley join 10.77.0.1" in ana.wait("How to join")
        for number, joiner in ((2, ben), (3, carla)):
            joiner.touch("Join j")
            assert "Horseshoe, 12 by 12, 25 turns each" in joiner.wait("ana’s table")
            joiner.touch("Join Enter")
            ana.wait(f"{number} of 3 seats taken")
        ben.touch("Ready r")
        carla.touch("Ready r")
        ana.wait("Waiting for you.")
        ana.press("r")
        assert words(ana) == words(ben) == words(carla)
        ana.press("y")
        ben.touch("Same y")
        carla.touch("Same y")

        for seat in seats:
            seat.wait(lambda text: own_turn(text) or "’s turn in sector" in text)
        first = next(number for number, seat in enumerate(seats) if own_turn(seat.text))
        for number in range(4):
            # Counterclockwise: from each seat to the one before it.
            whose = (first - number) % 3
            for seat in seats:
                seat.wait(own_turn if seat is seats[whose] else f"It is {NAMES[whose]}’s turn in sector")
            take_turn(seats[whose], keyboard=whose == 0)

        turn = seats[(first - 4) % 3]
        for seat in seats:
            seat.wait(own_turn if seat is turn else "’s turn in sector")
        carla.touch("F10 Menu")
        carla.touch("Resign")
        carla.touch("Resign x")
        # A seat leaves at the next ask for all seats: the dice of the next turn.
        present = [seat for seat in seats if seat is not carla]
        if turn is not carla:
            take_turn(turn, keyboard=turn is ana)
        for seat in present:
            seat.wait(lambda text: "carla" in text and ("left" in text or "out" in text))
        ben.touch("F10 Menu")
        ben.touch("Resign")
        ben.touch("Resign x")
        for seat in seats:
            others = "ben and carla" if seat is ana else f"you and {'carla' if seat is ben else 'ben'}"
            assert f"won: {others} resigned" in " ".join(seat.dossier().split())
        ana.press("esc", "y")
        ana.wait("Play alone")
        for seat in seats:
            if seat is not ana:
                seat.wait("ana left the table")
                seat.press("esc")
                seat.wait("Play alone")

    (record,) = records(tmp_path, *NAMES)
    assert verified(record) == "fair"
    signed = Record.unpack(record.read_bytes())
    assert [envelope.seat for envelope in signed.envelopes if envelope.kind == LEAVE] == [2]
    assert [envelope.seat for envelope in signed.envelopes if envelope.kind == RESIGN] == [1]
    assert dict(signed.table.roster.options) == {"map": "small", "turns": 25, "last_look": 0}
