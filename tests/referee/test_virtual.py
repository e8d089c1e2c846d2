"""A club evening of 64 in virtual time: seven rounds of Swiss, with results drawn from the players' strength in the
arena.

`tests/data/arena_levels.jsonl` holds how often searches of Diamond Trust of London win against each other, size by
size:

    for pair in "2 1" "4 2" "8 4" "16 8"; do
        set -- $pair; python -m tests.lab arena search:$1 search:$2 --pairs 20 --json
    done > tests/data/arena_levels.jsonl

A size's strength is the sum of the logits of those win rates from size 1 up (Bradley and Terry 1952).
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import WITHDREW, PlayerEnrolled, PlayerReturned, PlayerWithdrew
from kimberley.p2p.tournament.pairing import MOST_LEAN
from kimberley.p2p.tournament.players import IN, TournamentRound, TournamentTable
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.encoding import pack
from tests.support.effort import tries
from tests.support.paths import DATA
from tests.support.tournaments import PEOPLE, Evening, Judge, by_chance, byes, leans, meetings, settings_of

ARENA = DATA / "arena_levels.jsonl"
PLAYERS = tries(32, 64)
DRAWS = 0.1
"""Of the tables: the arena counts a draw as half a win, and does not say how many there were."""


def strengths() -> dict[int, float]:
    """Returns the strength of each size of the search, in logits above size 1."""
    found = {1: 0.0}
    for line in ARENA.read_text("utf-8").splitlines():
        contest = json.loads(line)
        better, worse = (int(contest[side].removeprefix("search:")) for side in "ab")
        rate = contest["win_rate"]
        found[better] = found[worse] + math.log(rate / (1 - rate))
    return found


def as_in_the_arena(levels: dict[bytes, int], rng: Random) -> Judge:
    """Returns who wins at a table of two, by the levels of those who sit there."""
    strength = strengths()

    def judge(tournament: Tournament, table: TournamentTable) -> Sequence[int]:
        one, other = (strength[levels[identity]] for identity in table.seats)
        if rng.random() < DRAWS:
            return 1, 1
        return (1, 2) if rng.random() < 1 / (1 + math.exp(other - one)) else (2, 1)

    return judge


def test_the_arena_says_that_higher_levels_are_stronger() -> None:
    found = strengths()
    assert list(found) == [1, 2, 4, 8, 16]
    assert list(found.values()) == sorted(found.values())


def check_pairing(tournament: Tournament, there: set[bytes], before: dict[bytes, Fraction]) -> None:
    """Checks the rules of the Dutch system that can be seen from outside."""
    latest = tournament.rounds[-1]
    sitting = [identity for table in latest.tables for identity in table.seats]
    assert Counter((*sitting, *latest.byes)) == Counter(there)
    assert len(latest.byes) == len(there) % 2
    assert max(byes(tournament).values(), default=1) == 1
    assert set(meetings(tournament).values()) == {1}
    assert max(map(abs, leans(tournament).values())) <= MOST_LEAN
    check_groups(latest, before)


def check_groups(latest: TournamentRound, before: dict[bytes, Fraction]) -> None:
    """Checks that those with equal points meet; at most one of each group has to look into another one, which is the
    next.
    """
    groups = sorted({before[identity] for table in latest.tables for identity in table.seats})
    floats = [tuple(sorted(before[one] for one in table.seats)) for table in latest.tables]
    floats = [pair for pair in floats if pair[0] != pair[1]]
    assert len(floats) < max(2, len(groups))
    assert all(abs(groups.index(one) - groups.index(other)) <= 2 for one, other in floats)
    assert sorted(latest.tables, key=lambda table: -sum(before[one] for one in table.seats)) == list(latest.tables)


@pytest.mark.nightly
@pytest.mark.slow
def test_many_play_seven_rounds() -> None:
    rng = Random(64)
    levels = {identity: rng.choice((1, 2, 4, 8, 16)) for identity in PEOPLE}
    judge = as_in_the_arena(levels, rng)
    evening = Evening.of(settings_of(rounds=7), PEOPLE[:PLAYERS])
    late = iter(PEOPLE[PLAYERS:])
    while True:
        tournament = evening.tournament
        before = {one.player.identity: one.points for one in tournament.standings()}
        there = {player.identity for player in tournament.players if player.state == IN}
        evening.proceed()
        if evening.tournament.ended:
            break
        check_pairing(evening.tournament, there, before)
        for table in evening.tournament.rounds[-1].open:
            fate = rng.random()
            if fate < 0.01:
                evening.absent(table, rng.randrange(2))
            elif fate < 0.02:
                evening.add(PlayerWithdrew(evening.at, table.seats[0]))
                evening.decide(table, (0, 1), WITHDREW)
            else:
                evening.decide(table, judge(evening.tournament, table))
        number = len(evening.tournament.rounds)
        if number in (1, 2, 4):
            evening.add(PlayerEnrolled(evening.at, next(late), f"late{number}"))
        left = [player for player in evening.tournament.players if player.state != IN]
        if left and number % 2 == 0:
            evening.add(PlayerReturned(evening.at, left[0].identity))
        if number in (2, 5):
            evening.add(PlayerWithdrew(evening.at, rng.choice(sorted(there))))
    assert len(evening.tournament.rounds) == 7
    assert sum(len(round.byes) for round in evening.tournament.rounds) >= 2
    lines = evening.tournament.standings()
    assert [one.points for one in lines] == sorted((one.points for one in lines), reverse=True)
    quarter = PLAYERS // 4
    best, worst = ([levels[one.player.identity] for one in part] for part in (lines[:quarter], lines[-quarter:]))
    assert sum(map(strengths().__getitem__, best)) > sum(map(strengths().__getitem__, worst))


PAIRED = "from tests.referee.test_virtual import fingerprint_of_a_cup; print(fingerprint_of_a_cup())"


def fingerprint_of_a_cup() -> str:
    """Returns the fingerprint of all the events of a cup of 19, with the pairings that were made."""
    evening = Evening.of(settings_of(rounds=5), PEOPLE[:19])
    evening.play(by_chance(Random(19)))
    return hashlib.sha256(pack(tuple(pack(events.plain(event)) for event in evening.events))).hexdigest()


@pytest.mark.nightly
@pytest.mark.slow
def test_every_process_pairs_alike() -> None:
    """Nothing depends on how a process orders its sets: whoever checks a cup makes its pairings again."""
    found = {
        subprocess.run(
            [sys.executable, "-c", PAIRED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in tries(("1",), ("1", "2", "3"))
    }
    assert found == {fingerprint_of_a_cup()}
