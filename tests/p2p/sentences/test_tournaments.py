"""Tournaments in words: what is unusual at their tables, and what follows a round."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.sentences.tournaments import (
    NOTHING_LOST,
    OUT_OF_KNOCKOUT,
    after_game,
    between_games,
    describe_early_end,
    describe_events,
    describe_next_round,
    describe_order,
    describe_order_to,
    describe_settings,
    ends_next,
    final_sentence,
    is_out_of_knockout,
    options_in_short,
    outcome_sentence,
    points_text,
    round_title,
    table_place,
    withdrawal_warning,
    without_table,
)
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE
from kimberley.p2p.tournament.events import (
    ORGANIZER,
    EndCalled,
    PlayerBanned,
    PlayerEnrolled,
    PlayerWithdrew,
    RoundScheduled,
    TournamentEnded,
)
from tests.support.pretend_source import LATER, PretendSource
from tests.support.tournaments import Evening, by_number, settings_of, someone


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("land", {"map": "kimberley", GRACE: 60}, ""),
        ("land", {"map": "small", GRACE: 60}, "Horseshoe, 12 by 12"),
        ("land", {"map": "small", GRACE: 120}, "Horseshoe, 12 by 12, time to return 2 min"),
        ("diamond-trust", {FINAL_ADJUSTMENT: 20}, ""),
        ("diamond-trust", {FINAL_ADJUSTMENT: 60}, "adjust time 60 s"),
        ("no-such-game", {"map": "small"}, ""),
    ],
)
def test_only_what_is_unusual_at_the_tables_is_said(game: str, options: dict[str, Plain], said: str) -> None:
    assert options_in_short(game, options) == said


def test_the_settings_name_the_unusual_options() -> None:
    source = PretendSource.open("land", options={"turns": 25}, clock=None)
    assert describe_settings(source.settings) == "Swiss system, no clocks. Options: 25 turns each."


def evening(played: int, people: int = 4, **settings: int) -> tuple[Evening, list[bytes], list[str]]:
    """Returns a tournament of three rounds after some of them, and its players with their names, in the order of the
    standings.
    """
    found = Evening.of(settings_of("swiss", **{"rounds": 3, **settings}), map(someone, range(people)))
    for _ in range(played):
        found.round(by_number)
    ranked = [one.player.identity for one in found.tournament.standings()]
    return found, ranked, list(map(found.tournament.name, ranked))


@pytest.mark.parametrize(("people", "rounds", "early"), [(2, 3, True), (2, 1, False), (4, 3, False)])
def test_an_end_before_the_planned_rounds_is_explained_where_everyone_has_met(
    people: int, rounds: int, early: bool
) -> None:
    found, _, _ = evening(1, people, rounds=rounds)
    found.add(TournamentEnded(found.at))
    assert bool(describe_early_end(found.tournament)) == early


@pytest.mark.parametrize(
    ("played", "left", "said"),
    [
        (3, 0, "{0} won."),
        (0, 4, "Nobody won: no player was left at the end."),
        (2, 4, "Nobody won: no player was left at the end."),
        (2, 1, "{1} won. {0} ranked higher, but is out of the tournament."),
        (2, 2, "{2} won. {0} and {1} ranked higher, but are out of the tournament."),
        (3, 4, "{0} won."),
    ],
)
def test_the_winner_is_the_best_of_those_who_stayed_to_the_end(played: int, left: int, said: str) -> None:
    """Whoever goes home after the last round, before the organizer has ended the tournament, has still won it."""
    found, ranked, names = evening(played)
    for identity in ranked[:left]:
        found.add(PlayerWithdrew(found.at, identity))
    found.add(TournamentEnded(found.at))
    said = said.format(*names)
    assert outcome_sentence(found.tournament) == said
    assert final_sentence(found.tournament) == f"The tournament is over. {said}"


def test_who_is_banned_has_not_won() -> None:
    found, (best, *_), names = evening(3)
    found.add(PlayerBanned(found.at, best, "Another program chose the moves."))
    assert (
        outcome_sentence(found.tournament) == f"{names[1]} won. {names[0]} ranked higher, but is out of the tournament."
    )


def test_a_last_round_in_which_nobody_played_makes_no_winner_of_those_who_left() -> None:
    found, ranked, _ = evening(0, people=2, rounds=1)
    found.proceed()
    (table,) = found.tournament.rounds[-1].tables
    found.absent(table, 1)
    for identity in ranked:
        found.add(PlayerWithdrew(found.at, identity))
    assert outcome_sentence(found.tournament) == "Nobody won: no player was left at the end."


@pytest.mark.parametrize(("left", "wins"), [(1, True), (2, True), (4, False)])
def test_an_arena_is_won_by_who_left_early_if_somebody_stayed(left: int, wins: bool) -> None:
    found = Evening.of(settings_of("arena"), map(someone, range(4)))
    found.round(by_number)
    ranked = [one.player.identity for one in found.tournament.standings()]
    for identity in ranked[:left]:
        found.add(PlayerWithdrew(found.at, identity))
    best = found.tournament.name(ranked[0])
    assert (outcome_sentence(found.tournament) == f"{best} won.") == wins


def test_a_team_wins_while_one_of_it_is_left() -> None:
    found, *_ = evening(1, boards=2)
    first, second = found.tournament.team_standings()
    found.add(PlayerWithdrew(found.at, first.team.members[0]))
    assert outcome_sentence(found.tournament) == f"{first.team.name} won."
    found.add(PlayerWithdrew(found.at, first.team.members[1]))
    assert outcome_sentence(found.tournament).startswith(f"{second.team.name} won.")


def test_nobody_wins_where_nobody_came() -> None:
    assert outcome_sentence(Evening.of(settings_of()).tournament) == "Nobody took part."


def test_a_player_hears_what_follows_as_it_is_now() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), rounds=2)
    own = source.tournament.players[0].identity
    source.add(RoundScheduled(LATER, None))
    assert describe_next_round(source.tournament) == "The first round begins when the organizer says so."
    assert (
        describe_next_round(source.tournament, waits_until="you type next")
        == "The first round begins when you type next."
    )
    source.pair()
    assert after_game(source.tournament, own) == "Waiting for the other games to end."
    source.decide(1, 0, (1, 2))
    assert after_game(source.tournament, own) == "Waiting for the other games to end."
    source.decide(1, 1, (1, 2))
    assert after_game(source.tournament, own) == "The next round begins soon."
    source.add(RoundScheduled(LATER, None))
    assert after_game(source.tournament, own) == "The next round begins when the organizer says so."
    source.pair()
    assert after_game(source.tournament, own) == "Your game is over. This is the last round."
    late = bytes([9]) * 32
    source.add(PlayerEnrolled(LATER, late, "eva"))
    assert without_table(source.tournament, late) == "You are not paired in this last round."
    source.add(RoundScheduled(LATER, int(time.time()) - 60))
    assert describe_next_round(source.tournament) == "The tournament ends when all games of this round are over."
    source.add(RoundScheduled(LATER, None))
    source.decide(2, 0, (1, 2))
    source.decide(2, 1, (1, 2))
    assert (
        describe_next_round(source.tournament, waits_until="you type next") == "The tournament ends when you type next."
    )


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (1, "at 23:00:00"),
        (10, "at 23:00:00"),
        (22.5, "at 23:00:00"),
        (23.5, "tomorrow at 23:00"),
        (47, "on Dec 1 at 23:00"),
    ],
)
def test_a_round_begins_at_a_full_minute_and_the_day_is_told(
    monkeypatch: pytest.MonkeyPatch, hours: float, said: str
) -> None:
    source = PretendSource.open(names=("ana", "ben"))
    moment = time.mktime((2026, 12, 1, 23, 0, 0, 0, 0, 0)) - 1e-4
    monkeypatch.setattr("kimberley.p2p.sentences.tournaments.wall_time", lambda: moment - 3600 * hours)
    assert describe_next_round(source.tournament, moment) == f"The first round begins {said}."


@pytest.mark.parametrize(
    ("form", "ends"), [("swiss", True), ("accelerated-swiss", True), ("double-round-robin", False)]
)
def test_no_round_is_promised_where_everyone_has_met(form: str, ends: bool) -> None:
    source = PretendSource.open(names=("ana", "ben"), format=form, rounds=3 if ends else 0)
    source.pair()
    source.decide(1, 0, (1, 2))
    what = "Everyone has met: the tournament ends" if ends else "The next round"
    follows = after_game(source.tournament, source.tournament.players[0].identity)
    assert follows == (f"{what}." if ends else f"{what} begins soon.")
    source.add(RoundScheduled(LATER, None))
    said = describe_next_round(source.tournament, waits_until="you type next")
    assert said == f"{what} {'' if ends else 'begins '}when you type next."
    assert isinstance(source.tournament.proceed(LATER), TournamentEnded) == ends


@pytest.mark.parametrize("boards", [0, 2])
def test_no_round_is_promised_where_teams_have_met_or_too_few_are_left(boards: int) -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), rounds=3, boards=boards)
    source.pair()
    for table in (0, 1):
        source.decide(1, table, (1, 2))
    source.add(RoundScheduled(LATER, None))
    met = "All teams have met: the tournament ends" if boards else "The next round begins"
    assert describe_next_round(source.tournament) == f"{met} when the organizer says so."
    assert ends_next(source.tournament) == bool(boards)
    first, *others = source.tournament.players
    team = next((one.members for one in source.tournament.teams if first.identity in one.members), ())
    for one in others:
        if one.identity not in team:
            source.add(PlayerWithdrew(LATER, one.identity))
    who = "teams" if boards else "players"
    few = f"Too few {who}: the tournament ends"
    assert describe_next_round(source.tournament) == f"{few} when the organizer says so."
    source.add(TournamentEnded(LATER))
    assert describe_early_end(source.tournament) == [f"No more rounds could be paired: too few {who} were left."]


def test_who_has_lost_in_a_knockout_is_out_before_the_round_is_over() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), format="knockout", rounds=0)
    loser, winner = source.pair().tables[0]

    def follows(identity: bytes) -> str:
        return between_games(source.tournament, identity)

    source.decide(1, 0, (2, 1))
    assert (follows(loser), follows(winner)) == (OUT_OF_KNOCKOUT, "Waiting for the other games to end.")
    source.decide(1, 1, (1, 1))
    assert (follows(loser), follows(winner)) == (OUT_OF_KNOCKOUT, "The next round begins soon.")
    ahead, behind = sorted(source.tournament.rounds[0].tables[1].seats, key=numbered(source))
    assert (follows(ahead), follows(behind)) == ("The next round begins soon.", "The next round begins soon.")
    source.pair()
    assert follows(loser) == OUT_OF_KNOCKOUT
    assert follows(winner) == "Drawn games are replayed in this round. You play in the next one."
    source.decide(2, 0, (1, 1))
    assert not is_out_of_knockout(source.tournament, ahead)
    assert follows(behind) == OUT_OF_KNOCKOUT
    source.pair()
    source.decide(3, 0, (2, 1))
    assert follows(source.tournament.rounds[2].tables[0].seats[0]) == "The last round is over."


def numbered(source: PretendSource) -> Callable[[bytes], int]:
    numbers = {player.identity: player.number for player in source.tournament.players}
    return numbers.__getitem__


def test_points_agree_with_their_number() -> None:
    numbers = (Fraction(0), Fraction(1, 6), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2))
    assert [points_text(number) for number in numbers] == [
        "0 points",
        "⅙ point",
        "½ point",
        "1 point",
        "1½ points",
        "2 points",
    ]


def test_an_arena_has_no_rounds_in_words() -> None:
    found = Evening.of(settings_of("arena"), map(someone, range(4)))
    found.round(by_number)
    said = describe_events(found.tournament, found.events)
    assert not any("ound" in line for line in said), said
    assert [line.split()[-1] for line in said].count("play.") == 2
    assert any(line.startswith("Table 2 is finished. ") for line in said)
    assert table_place(found.tournament, 1, 1) == "Table 2"


def test_an_arena_has_no_first_round() -> None:
    for form, rounds, minutes, begins in (("arena", 0, 30, "The arena"), ("swiss", 3, 0, "The first round")):
        source = PretendSource.open(names=("ana", "ben"), format=form, rounds=rounds, minutes=minutes)
        source.add(RoundScheduled(LATER, None))
        assert describe_next_round(source.tournament) == f"{begins} begins when the organizer says so."


@pytest.mark.parametrize(
    ("more", "waits"),
    [
        ({"game": "diamond-trust"}, "The first round begins now."),
        ({"game": "piecepack", "seats": 3}, "The first round begins once enough players are here."),
        ({"boards": 2}, "The first round begins once enough players are here."),
    ],
    ids=["for two", "for three", "teams"],
)
def test_a_start_that_is_due_waits_for_as_many_as_a_table_or_two_teams_need(more: dict[str, Any], waits: str) -> None:
    source = PretendSource.open(names=("ana", "ben"), **more)
    source.add(RoundScheduled(LATER, 0))
    assert describe_next_round(source.tournament) == waits


@pytest.mark.parametrize(("form", "rounds"), [("swiss", 1), ("arena", 0)])
def test_nobody_is_told_to_join_again_after_the_last_game(form: str, rounds: int) -> None:
    source = PretendSource.open(names=("ana", "ben"), format=form, rounds=rounds, minutes=60 if form == "arena" else 0)
    source.pair()
    ana = source.tournament.players[0].identity
    pairs = "You will not be paired unless you join again. You keep your points. "
    assert withdrawal_warning(source.tournament, ana, "quit").startswith(pairs)
    source.decide(1, 0, (1, 2))
    said = withdrawal_warning(source.tournament, ana, "quit")
    assert (said == NOTHING_LOST) == (form == "swiss")
    assert said.startswith(pairs) == (form == "arena")


@pytest.mark.parametrize(("people", "said"), [(2, None), (1, "The first round begins once two players are here.")])
def test_players_are_not_told_that_a_round_begins_now(people: int, said: str | None) -> None:
    source = PretendSource.open(names=("ana", "ben")[:people])
    source.add(RoundScheduled(LATER, 0))
    assert describe_order_to(source.tournament, source.tournament.players[0].identity, source.events[-1]) == said


def test_an_arena_that_ends_early_is_not_said_to_last_until_its_time() -> None:
    source = PretendSource.open(names=("ana", "ben"), format="arena", rounds=0, minutes=60)
    source.pair()
    assert round_title(source.tournament).startswith("Arena until ")
    source.add(EndCalled(LATER))
    assert round_title(source.tournament) == "Arena"


def test_a_tournament_that_ended_early_has_no_rounds_ahead() -> None:
    source = PretendSource.open(names=("ana", "ben"), rounds=3)
    source.pair()
    source.decide(1, 0, (1, 2))
    assert round_title(source.tournament) == "Round 1 of 3"
    source.add(TournamentEnded(LATER + 100))
    assert round_title(source.tournament) == "Round 1 of 1"


def test_an_end_between_two_rounds_is_not_told_as_one_after_the_round() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), rounds=3)
    source.pair()
    during = source.tournament
    for table in range(2):
        source.decide(1, table, (1, 2))
    source.add(EndCalled(LATER))
    assert describe_order(during, source.events[-1]) == "The organizer ends the tournament after this round."
    assert describe_order(source.tournament, source.events[-1]) is None


def test_no_round_of_a_knockout_is_promised_where_nobody_is_left_for_it() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), format="knockout", rounds=0)
    source.pair()
    source.decide(1, 0, (1, 2))
    winner = source.tournament.rounds[0].tables[0].seats[0]
    assert after_game(source.tournament, winner) == "Waiting for the other games to end."
    source.decide(1, 1, (0, 0), ORGANIZER, "Nobody won, by decision of the organizer: lights out.")
    for one in source.tournament.players:
        assert after_game(source.tournament, one.identity) == "Too few players: the tournament ends."
    assert ends_next(source.tournament)
    assert isinstance(source.tournament.proceed(LATER), TournamentEnded)


def test_after_the_round_a_player_with_a_bye_reads_what_follows() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla"), rounds=2)
    source.pair()
    (bye,) = source.tournament.rounds[0].byes
    assert between_games(source.tournament, bye) == "You have a bye this round: it counts as a win."
    source.decide(1, 0, (1, 2))
    assert between_games(source.tournament, bye) == "The next round begins soon."
    source.add(RoundScheduled(LATER, None))
    assert between_games(source.tournament, bye) == "The next round begins when the organizer says so."
