"""Swiss evenings from a seed, with all that a report for chess managers must say: who came late, left, came back or
stayed away, tables without a game, and names of any length and script.
"""

from __future__ import annotations

from random import Random
from typing import Final

from kimberley.p2p.tournament.events import (
    ORGANIZER,
    VOID,
    ByeGranted,
    LotsDrawn,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
)
from kimberley.p2p.tournament.players import IN, WITHDRAWN, TournamentTable
from kimberley.p2p.tournament.tournament import Tournament
from tests.support.tournaments import PEOPLE, SEED, Evening, by_chance, settings_of

NAMES: Final = (
    "Jörg Müßiggänger", "Æthelþryð", "Ольга", "王小明", "Zoë 💎", "a", "Maximiliane-Charlotte von und zu Hohenstein",
)  # fmt: skip


def swiss_evening(number: int, *, half: bool = False, byes: bool = False) -> Evening:
    """Plays the Swiss evening that an integer stands for. With `half`, it stops in the middle of its last round; with
    `byes`, players ask for half-point byes, and some evenings give them to those who come late.
    """
    rng = Random(number)
    count = rng.randint(6, 20)
    rounds = rng.randint(3, max(3, count // 2))
    evening = Evening(Tournament(settings_of(rounds=rounds, late=rng.randint(0, 2) if byes else 0)))
    for place, identity in enumerate(PEOPLE[:count]):
        evening.add(PlayerEnrolled(evening.at, identity, NAMES[place] if place < len(NAMES) else f"player{place}"))
    evening.add(LotsDrawn(evening.at, SEED))
    late = PEOPLE[count : count + 3]
    for played in range(rounds):
        if played:
            late = _come_and_go(evening, rng, late)
        if byes:
            _ask_for_byes(evening, rng)
        if not isinstance(evening.proceed(), RoundPaired):
            break
        tables = evening.tournament.rounds[-1].tables
        last = half and played == rounds - 1
        for table in tables[: len(tables) // 2] if last else tables:
            _end(evening, rng, table)
    return evening


def _come_and_go(evening: Evening, rng: Random, late: list[bytes]) -> list[bytes]:
    """Lets players come late, leave and return before a round. Returns those who are still to come."""
    if late and rng.random() < 0.2:
        evening.add(PlayerEnrolled(evening.at, late.pop(), f"late{len(late)}"))
    for player in evening.tournament.players:
        present = sum(1 for one in evening.tournament.players if one.state == IN)
        if player.state == IN and present > 4 and rng.random() < 0.06:
            evening.add(PlayerWithdrew(evening.at, player.identity))
        elif player.state == WITHDRAWN and rng.random() < 0.3:
            evening.add(PlayerReturned(evening.at, player.identity))
    return late


def _ask_for_byes(evening: Evening, rng: Random) -> None:
    """Gives players half-point byes in this round or a later one, and takes some back."""
    now = evening.tournament
    for player in now.players:
        if player.state == IN and rng.random() < 0.05:
            number = rng.randint(len(now.rounds) + 1, now.planned)
            granted = (player.identity, number) not in now.granted
            evening.add(ByeGranted(evening.at, player.identity, number, granted))


def _end(evening: Evening, rng: Random, table: TournamentTable) -> None:
    """Ends a table, mostly by a game."""
    how = rng.random()
    if how < 0.06:
        evening.absent(table, rng.randrange(2))
    elif how < 0.08:
        evening.absent(table, 0, 1)
    elif how < 0.1:
        evening.say(table, (1, 1), rng.choice([VOID, ORGANIZER]), None)
    else:
        evening.decide(table, by_chance(rng)(evening.tournament, table))
