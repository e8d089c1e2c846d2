"""Who plays in the teams that an organizer has named."""

from __future__ import annotations

from kimberley.p2p.tournament.events import LotsDrawn, PlayerBanned, PlayerEnrolled, PlayerWithdrew, TeamFormed
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee.named_teams import named_teams, unclear_members
from tests.support.tournaments import PEOPLE, SEED, settings_of, with_key

TEAMS = {"Reds": ("ana", "Ben"), "Blues": ("cleo", "dan")}


def enrolled(*nicknames: str) -> Tournament:
    now = Tournament(settings_of(boards=2))
    for number, nickname in enumerate(nicknames):
        now = now.after(PlayerEnrolled(number, PEOPLE[number], nickname))
    return now


def members(now: Tournament) -> dict[str, tuple[bytes, ...]]:
    return {event.name: event.members for event in named_teams(TEAMS, now, 9)}


def test_a_place_in_a_team_is_of_the_first_to_come_under_its_name_and_the_organizer_is_asked() -> None:
    now = enrolled("ana", "ben", "cleo", "dan")
    assert members(now) == {"Reds": tuple(PEOPLE[:2]), "Blues": tuple(PEOPLE[2:4])}
    assert unclear_members(TEAMS, now) == []
    now = now.after(PlayerEnrolled(5, PEOPLE[5], "BEN"))
    assert members(now) == {"Reds": tuple(PEOPLE[:2]), "Blues": tuple(PEOPLE[2:4])}
    (question,) = unclear_members(TEAMS, now)
    assert question.endswith(f"before round 1, type: team Reds: ana, BEN {with_key(5)}")
    assert unclear_members(TEAMS, now, "cleo") == []
    # Also when the first one is away; only the organizer gives the place to another one.
    assert members(now.after(PlayerWithdrew(6, PEOPLE[1])))["Reds"] == tuple(PEOPLE[:2])
    banned = now.after(PlayerBanned(6, PEOPLE[1], "No."))
    assert members(banned)["Reds"] == (PEOPLE[0], PEOPLE[5])
    assert unclear_members(TEAMS, banned) == []
    formed = now.after(TeamFormed(6, "Reds", (PEOPLE[0], PEOPLE[5])))
    assert members(formed) == {"Blues": tuple(PEOPLE[2:4])}
    assert unclear_members(TEAMS, formed) == []


def test_who_is_in_a_team_that_the_organizer_has_formed_is_in_no_other_one() -> None:
    now = enrolled("ana", "ben", "cleo", "dan").after(TeamFormed(5, "Greens", (PEOPLE[1], PEOPLE[3])))
    assert members(now) == {"Reds": (PEOPLE[0],), "Blues": (PEOPLE[2],)}
    for event in named_teams(TEAMS, now, 6):
        now = now.after(event)
    assert len(now.after(LotsDrawn(7, SEED)).teams) == 3
