"""Unfinished games, as the journals in the data folder show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.client.session.unfinished_games import choices_played, list_unfinished, was_alone
from kimberley.games.table import Plain
from kimberley.p2p.storage.journal import Journal
from kimberley.p2p.table.peer_addresses import KIND, PeerAddresses
from kimberley.protocol.envelope import LEAVE, STAGE, Envelope
from tests.support.stones import STONES
from tests.support.tables import seed, signed_roster


@pytest.mark.parametrize(
    ("port", "bots", "alone"), [(0, (1, 2), True), (0, (1,), False), (0, (), False), (7000, (1, 2), False)]
)
def test_a_player_was_alone_where_all_others_are_bots_at_a_table_that_did_not_listen(
    port: int, bots: tuple[int, ...], alone: bool, tmp_path: Path
) -> None:
    table = signed_roster(STONES, 3)
    people = [place.identity for place in table.roster.seats]
    places = PeerAddresses(people[0], 3, 1, port, {}, frozenset(people[seat] for seat in bots))
    journal = Journal.create(tmp_path, table, 0, seed(0))
    journal.write([(KIND, *places.plain())], sync=False)
    journal.close()
    assert was_alone(journal.path) is alone


def test_a_journal_that_cannot_be_read_tells_of_nobody_who_was_alone(tmp_path: Path) -> None:
    path = tmp_path / "damaged.journal"
    path.write_bytes(b"nothing of this kind")
    assert not was_alone(path)


@pytest.mark.parametrize(
    ("period", "said"),
    [
        (("month 3 of 9", "month 4 of 9"), "month 4 of 9"),
        ((), "you made 1 move"),
        ((3,), "you made 1 move"),
        (("\x1b" + "x" * 99,), "xxx"),
    ],
)
def test_a_saved_game_says_how_far_it_was_or_how_often_the_player_chose(
    period: tuple[Plain, ...], said: str, tmp_path: Path
) -> None:
    journal = Journal.create(tmp_path, signed_roster(STONES, 2), 0, seed(0))
    journal.write([("chose", 0, 1), *(("period", text) for text in period)], sync=False)
    journal.close()
    (game,) = list_unfinished(tmp_path, signed_roster(STONES, 2).roster.seats[0].identity)
    assert choices_played(game).startswith(said)
    assert "\x1b" not in choices_played(game)
    assert len(choices_played(game)) < 30


def test_of_a_saved_game_that_cannot_be_read_nothing_is_said_to_have_been_played(tmp_path: Path) -> None:
    (tmp_path / "journals").mkdir()
    (tmp_path / "journals" / "0011223344556677-1.journal").write_bytes(b"garbage")
    (game,) = list_unfinished(tmp_path, bytes(32))
    assert game.problem is not None
    assert choices_played(game) == ""


def test_who_has_left_for_good_is_not_named(tmp_path: Path) -> None:
    table = signed_roster(STONES, 3, names=("ana", "ben", "Koh-i-Noor"))
    journal = Journal.create(tmp_path, table, 0, seed(0))
    envelopes = [Envelope(table.game_id, seat, 0, bytes(32), 1, 0, bytes(32), kind, None, bytes(64)).pack()
                 for seat, kind in ((1, STAGE), (2, LEAVE))]  # fmt: skip
    journal.write([("received", data) for data in (*envelopes, b"no envelope")], sync=False)
    journal.close()
    assert [game.others for game in list_unfinished(tmp_path, table.roster.seats[0].identity)] == [("ben",)]


@pytest.mark.parametrize(("bots", "alone"), [((1, 2), True), ((1,), False)])
def test_a_game_against_bots_is_listed_as_one_also_if_its_table_listened(
    bots: tuple[int, ...], alone: bool, tmp_path: Path
) -> None:
    table = signed_roster(STONES, 3)
    people = [place.identity for place in table.roster.seats]
    places = PeerAddresses(people[0], 3, 1, 7000, {}, frozenset(people[seat] for seat in bots))
    journal = Journal.create(tmp_path, table, 0, seed(0))
    journal.write([(KIND, *places.plain())], sync=False)
    journal.close()
    assert [game.alone for game in list_unfinished(tmp_path, people[0])] == [alone]
