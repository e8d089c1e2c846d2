"""The tables on the network, in rows that stay where they are."""

from __future__ import annotations

from kimberley.client.session.services import ListedTable
from kimberley.client.session.table_list import SORTING_SECONDS, TableList
from kimberley.p2p.transport.table_card import TournamentCard
from tests.support.pretend import listed

ANA, BEN, CARLA, DAN = (listed(name) for name in ("ana", "ben", "carla", "dan"))
FULL = listed("eve", taken=2)
CUP = listed("Friday Cup", tournament=TournamentCard("Friday Cup", "swiss", 6, 2, 5, False))
OVER = listed("Monday Cup", tournament=TournamentCard("Monday Cup", "swiss", 6, 5, 5, True))


def names(tables: TableList) -> list[str]:
    return [f"{table.name} is gone" if table.gone else table.name for table in tables.rows]


def after(*steps: tuple[ListedTable, ...], focus: int = 0) -> TableList:
    """Returns a list that has been shown these tables, one after another, each for a while."""
    tables = TableList()
    for number, step in enumerate(steps):
        tables.update(step, focus, number * SORTING_SECONDS)
    return tables


def test_tables_that_can_be_joined_come_first_and_tournaments_last() -> None:
    tables = TableList()
    tables.update((CUP, FULL), 0, 0)
    tables.update((CUP, FULL, ANA), 0, SORTING_SECONDS / 2)
    assert names(tables) == ["ana", "eve", "Friday Cup"]


def test_tables_of_friends_come_before_those_of_strangers() -> None:
    friend, full = listed("finn", key="met"), listed("gita", key="met", taken=2)
    assert names(after((CUP, full, ANA, friend))) == ["finn", "ana", "gita", "Friday Cup"]


def test_a_tournament_that_is_over_is_not_offered() -> None:
    assert names(after((OVER, ANA))) == ["ana"]
    assert not after((OVER,)).rows


def test_later_tables_follow_at_the_end() -> None:
    assert names(after((ANA, CUP), (BEN, ANA, CUP, CARLA))) == ["ana", "Friday Cup", "ben", "carla"]


def test_nothing_moves_once_the_list_is_used() -> None:
    tables = after((CUP,))
    tables.fix()
    tables.update((ANA, CUP), 0, 0)
    assert names(tables) == ["Friday Cup", "ana"]


def test_a_table_that_closes_keeps_its_row_and_gets_it_back() -> None:
    tables = after((ANA, BEN, CARLA), (CARLA,))
    assert names(tables) == ["ana is gone", "ben is gone", "carla"]
    assert tables.count == 1
    tables.update((BEN, CARLA, DAN), 0, SORTING_SECONDS)
    assert names(tables) == ["ana is gone", "ben", "carla", "dan"]


def test_rows_below_all_that_is_left_or_in_use_disappear() -> None:
    assert names(after((ANA, BEN, CARLA), (ANA,), focus=1)) == ["ana", "ben is gone"]
    assert names(after((ANA, BEN, CARLA), (ANA,))) == ["ana"]


def test_once_all_are_gone_the_list_starts_anew() -> None:
    tables = after((ANA, CUP), (), (CUP,))
    assert names(tables) == ["Friday Cup"]
    tables.update((CUP, ANA), 0, 2.5 * SORTING_SECONDS)
    assert names(tables) == ["ana", "Friday Cup"]
