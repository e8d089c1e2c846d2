"""What players are called, and whom a name means: a key, and never silently one of two who are called alike."""

from __future__ import annotations

import pytest

from kimberley.p2p.base.confusables import confusable
from kimberley.p2p.tournament.events import LotsDrawn, PlayerBanned, PlayerEnrolled, PlayerWithdrew, TeamFormed
from kimberley.p2p.tournament.named_teams import named_teams, unclear_members
from kimberley.p2p.tournament.naming import DRAW, NOBODY, UnclearName, display_names, find_player
from kimberley.p2p.tournament.players import TournamentPlayer
from kimberley.p2p.tournament.tournament import Tournament
from tests.support.tournaments import PEOPLE, SEED, settings_of

TEAMS = {"Reds": ("ana", "Ben"), "Blues": ("cleo", "dan")}


def called(*nicknames: str) -> list[TournamentPlayer]:
    return [TournamentPlayer(PEOPLE[number], nickname) for number, nickname in enumerate(nicknames)]


def found(players: list[TournamentPlayer], typed: str, among: list[bytes] | None = None) -> bytes:
    return find_player(players, display_names(players), typed, among)


def with_key(number: int, digits: int = 4) -> str:
    return PEOPLE[number].hex()[:digits]


def test_a_name_alone_is_shown_as_it_is_and_those_alike_with_their_keys() -> None:
    players = called("ana", "Ben", "BEN", "b\u0435n")
    assert list(display_names(players).values()) == [
        "ana", f"Ben {with_key(1)}", f"BEN {with_key(2)}", f"b\u0435n {with_key(3)}",
    ]  # fmt: skip


def test_no_player_can_be_shown_as_another_one() -> None:
    # The second has chosen what the first one is called with its key; the last two have keys that begin alike.
    twin = TournamentPlayer(PEOPLE[4][:4] + bytes(28), "eva")
    players = [*called("ben", f"ben {with_key(0)}", "ben", "dan", "eva"), twin]
    names = list(display_names(players).values())
    assert not any(confusable(one, other) for at, one in enumerate(names) for other in names[:at])
    assert names[1].startswith(f"ben {with_key(0)} ")
    assert names[4:] == [f"eva {with_key(4)}", f"eva {with_key(4, 8)}"]


def test_who_has_a_name_that_commands_use_is_shown_with_its_key() -> None:
    for number, nickname in enumerate((DRAW, NOBODY.upper(), with_key(7))):
        players = [TournamentPlayer(PEOPLE[number], nickname), TournamentPlayer(PEOPLE[7], "zoe")]
        assert display_names(players)[PEOPLE[number]] == f"{nickname} {with_key(number)}"


def test_what_is_invisible_in_a_typed_name_makes_no_difference() -> None:
    players = called("I \u2665 NY", "ana", "ana")
    assert found(players, "I \u2665\ufe0f NY") == PEOPLE[0]
    assert found(players, f"an\u200ba\ufe0f {with_key(1)}") == PEOPLE[1]


def test_a_name_is_shown_without_the_signs_that_end_one_in_commands() -> None:
    players = called("ana", "ana:", "ben, ana", ",", "a:b")
    assert list(display_names(players).values()) == [
        "ana", f"ana {with_key(1)}", f"ben ana {with_key(2)}", with_key(3), f"a b {with_key(4)}",
    ]  # fmt: skip
    for number, name in enumerate(display_names(players).values()):
        assert found(players, name) == PEOPLE[number]


def test_a_name_of_one_player_means_that_player() -> None:
    players = called("ana", "ben", "cleo")
    for typed in ("ana", " ANA ", f"ana {with_key(0)}", with_key(0), with_key(0, 64)):
        assert found(players, typed) == PEOPLE[0]


@pytest.mark.parametrize("typed", ["ben", "BEN", "b\u0435n"])
def test_a_name_of_two_players_is_asked_about(typed: str) -> None:
    players = called("ben", "ana", "Ben")
    with pytest.raises(UnclearName, match=f"in full: ben {with_key(0)}, Ben {with_key(2)}"):
        found(players, typed)
    # Also where only one of them sits.
    with pytest.raises(UnclearName, match="Several players"):
        found(players, typed, PEOPLE[:2])
    assert found(players, f"ben {with_key(2)}") == PEOPLE[2]


def test_nobody_is_meant_by_another_name_or_at_another_table() -> None:
    players = called("ana", "ben")
    for typed, among in (("dan", None), ("ana", [PEOPLE[1]]), ("", None), ("0", None)):
        with pytest.raises(UnclearName, match="No player"):
            found(players, typed, among)


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
