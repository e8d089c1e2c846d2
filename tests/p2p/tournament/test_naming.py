"""What players are called: each by a name that no other one has."""

from __future__ import annotations

from kimberley.p2p.base.confusables import confusable
from kimberley.p2p.tournament.naming import DRAW, NOBODY, display_names
from kimberley.p2p.tournament.players import TournamentPlayer
from tests.support.tournaments import PEOPLE, called, with_key


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


def test_a_name_is_shown_without_the_signs_that_end_one_in_commands() -> None:
    players = called("ana", "ana:", "ben, ana", ",", "a:b")
    assert list(display_names(players).values()) == [
        "ana", f"ana {with_key(1)}", f"ben ana {with_key(2)}", with_key(3), f"a b {with_key(4)}",
    ]  # fmt: skip
