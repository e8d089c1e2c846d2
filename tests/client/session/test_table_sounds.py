"""The sounds of a table: each when the screen shows the same thing, and once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from kimberley.client.audio.port import NoAudio
from kimberley.client.audio.sound import Sound
from kimberley.client.session.seat_session import session_of
from kimberley.client.session.table_sounds import TableSounds
from kimberley.p2p.table.events import ChatLine
from tests.support.pretend import PretendTable


class Ear(NoAudio):
    def __init__(self) -> None:
        self.sounds: list[Sound] = []

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)


def followed(**values: Any) -> tuple[Any, TableSounds, Ear]:
    table, ear = PretendTable(**values), Ear()
    return table, TableSounds(table, ear), ear


def test_who_joins_is_heard_and_who_leaves_is_not() -> None:
    table, sounds, ear = followed(phase="open", names=("ana",))
    for names in (("ana", "ben"), ("ana", "ben"), ("ana",), ("ana", "carla")):
        table.put(names=names)
        sounds.on_event(None)
    assert ear.sounds == [Sound.JOINED, Sound.JOINED]


def test_a_connection_is_heard_when_it_is_lost_and_when_it_is_back() -> None:
    table, sounds, ear = followed(phase="playing")
    for away in ({1: 5.0}, {1: 5.0}, {}, {}):
        table.put(away=away)
        sounds.on_event(None)
    assert ear.sounds == [Sound.LOST, Sound.BACK]


def test_messages_of_others_are_heard() -> None:
    _, sounds, ear = followed(seat=0)
    sounds.on_event(ChatLine(0, "hello"))
    assert ear.sounds == []
    sounds.on_event(ChatLine(1, "hello"))
    assert ear.sounds == [Sound.CHAT]


def test_each_of_the_last_seconds_is_heard_once() -> None:
    table, sounds, ear = followed(final_adjustment_until=20.0)
    for now in (0.0, 9.9, 10.0):
        sounds.tick(now)
    assert ear.sounds == []
    for now in (10.1, 10.4, 10.9, 11.1, 19.5, 19.9, 20.0, 25.0):
        sounds.tick(now)
    assert ear.sounds == [Sound.CLOCK] * 3
    table.put(final_adjustment_until=None)
    sounds.tick(30.0)
    assert len(ear.sounds) == 3


def test_only_ones_own_clock_is_heard_and_only_while_it_runs() -> None:
    def clock(left: float, runs: bool) -> Any:
        return SimpleNamespace(left=lambda now: left - now, runs=runs, away=False)

    table, sounds, ear = followed(seat=0)
    keeper = SimpleNamespace(clocks=[clock(100.0, True), clock(5.0, True)], away_since=None, paused=False)
    session_of(table).clock_keeper = keeper
    sounds.tick(0.0)
    assert ear.sounds == []
    sounds.tick(95.5)
    assert ear.sounds == [Sound.CLOCK]
    keeper.clocks[0].runs = False
    sounds.tick(97.0)
    assert ear.sounds == [Sound.CLOCK]
