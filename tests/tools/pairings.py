"""`python -m tests.tools.pairings CHECKER [--evenings 500] [--seed 0]`: Swiss evenings from a seed as reports,
judged by bbpPairings, which FIDE endorses and which shares no line with what pairs ours.

`CHECKER` is the program, built from https://github.com/BieremaBoyzProgramming/bbpPairings with `make`. It pairs every
round again by what came before, and prints where it would have paired otherwise. Three differences are expected. A
report cannot say who met at a table that was drawn without a game: the checker leaves these players out, and does not
number them, until it sees them paired. Nor does it number those who begin with a half-point bye, which changes the
seats of others in their first game. And in the last round the Dutch rules allow leaders a seat that ours do not.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from kimberley.p2p.tournament.events import RoundPaired
from kimberley.p2p.tournament.pairing import dutch, sound
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee import trf
from tests.support.swiss_evenings import swiss_evening
from tests.support.tournaments import Evening

OTHERWISE: Final = ("Checker pairings", "No valid pairing")
"""What the checker prints after a round's headline if it would have paired otherwise."""
SAME, DRAWN, SEATS = "as the checker", "by a draw without a game", "by a leader's seat"
RESTING, OTHER = "by a half-point bye at first", "without an explanation"


def judge(checker: Path, number: int, file: Path) -> list[str]:
    """Has the checker pair an evening again. Returns how each round compares; OTHER alone for a report it refuses."""
    evening = swiss_evening(number, half=number % 5 == 0, byes=number % 2 == 1)
    file.write_text(trf.report(evening.tournament), encoding="utf-8", newline="")
    ran = subprocess.run([checker, "--dutch", file, "-c"], capture_output=True, text=True, check=False, timeout=60)
    heard = ran.stdout.split("Round #")[1:]
    if ran.returncode or not heard:
        print(f"evening {number}: {ran.stderr.strip()}")
        return [OTHER]
    drawn, seats = drawn_without_a_game(evening.tournament), with_other_seats(evening)
    resting = with_a_bye_at_first(evening.tournament)
    found = []
    for round, text in enumerate(heard, 1):
        differs = any(line in text for line in OTHERWISE)
        reasons = ((DRAWN, drawn), (SEATS, seats), (RESTING, resting))
        found.append(next((why for why, rounds in reasons if round in rounds), OTHER) if differs else SAME)
    return found


def drawn_without_a_game(tournament: Tournament) -> set[int]:
    """Returns the rounds in which somebody has no pairing in the report after a draw without a game."""
    unseen: set[bytes] = set()
    rounds = set()
    for one in tournament.rounds:
        for table in one.tables:
            if table.game is None and table.points is not None and 0 < table.points[0] < 1:
                unseen.update(table.seats)
                rounds.add(one.number)
            else:
                unseen.difference_update(table.seats)
        if unseen:
            rounds.add(one.number)
            rounds.add(one.number + 1)
    return rounds


def with_a_bye_at_first(tournament: Tournament) -> set[int]:
    """Returns the rounds in which somebody with a half-point bye had been at no table before, and two met who had
    played no game: their numbers decide their seats.
    """
    rested: set[bytes] = set()
    paired: set[bytes] = set()
    played: set[bytes] = set()
    rounds = set()
    for one in tournament.rounds:
        rested |= {*one.half_byes}
        if rested - paired and any(played.isdisjoint(table.seats) for table in one.tables):
            rounds.add(one.number)
        for table in one.tables:
            paired.update(table.seats)
            played.update(table.seats if table.game is not None else ())
    return rounds


def with_other_seats(evening: Evening) -> set[int]:
    """Returns the rounds whose pairs by the Dutch rules ours do not allow."""
    rounds = set()
    for at, event in enumerate(evening.events):
        if isinstance(event, RoundPaired):
            before = Tournament.fold(evening.tournament.settings, evening.events[:at])
            entries = [*before.field_of_players.present.values()]
            if not sound(dutch(entries, event.round, before.planned), entries):
                rounds.add(event.round)
    return rounds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checker", type=Path)
    parser.add_argument("--evenings", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(wanted.seed, wanted.seed + wanted.evenings):
            rounds = judge(wanted.checker.absolute(), number, Path(folder, "evening.trf"))
            found.update(rounds)
            if OTHER in rounds:
                print(f"evening {number}, round {rounds.index(OTHER) + 1}: {OTHER}")
    print(
        f"{found.total()} rounds of {wanted.evenings} evenings:", ", ".join(f"{n} {what}" for what, n in found.items())
    )
    return bool(found[OTHER])


if __name__ == "__main__":
    sys.exit(main())
