"""Decided tables that are opened again, by a replay or because the organizer undoes a decision."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    ABSENT,
    ORGANIZER,
    PLAYED,
    DecisionUndone,
    PlayerWithdrew,
    TableReopened,
    TableReplayed,
)
from kimberley.p2p.tournament.settings import ARENA, MOST_REPLAYS, MOST_TABLES
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.encoding import pack, unpack
from tests.support.tournaments import PEOPLE, REFEREE, Evening, settings_of

HOW = (PLAYED, ORGANIZER, ABSENT)
REOPENED: dict[str, type[TableReopened]] = {"replay": TableReplayed, "undo": DecisionUndone}


def opened(kind: str, evening: Evening, number: int) -> TableReopened:
    """Returns the signed event that opens a table again."""
    now, table = evening.tournament, evening.tournament.rounds[-1].tables[number]
    event = REOPENED[kind](evening.at, now.rounds[-1].number, table.id, "A mistake.", b"")
    return events.reopen(REFEREE, now.settings, table.seats, event)


def evening_of(people: int) -> Evening:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:people])
    evening.proceed()
    return evening


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from([*HOW, *REOPENED]), st.integers(0, 1), st.booleans()), max_size=40))
def test_of_whatever_is_decided_undone_and_replayed_the_last_results_count(
    steps: list[tuple[str, int, bool]],
) -> None:
    evening = evening_of(4)
    how: dict[int, str | None] = {0: None, 1: None}
    former, winner, ids = [0, 0], [0, 0], set()
    for kind, number, second in steps:
        now = evening.tournament
        table = now.rounds[0].tables[number]
        if kind in HOW:
            if how[number] is None:
                ids.add((number, table.id))
                last = 2 if kind == PLAYED else 0
                places = (1, last) if second else (last, 1)
                evening.decide(table, places, kind)
                how[number], winner[number] = kind, places.index(1)
            continue
        event = opened(kind, evening, number)
        possible = how[number] is not None and (kind == "replay" or how[number] == ORGANIZER)
        if not possible or former[number] == MOST_REPLAYS:
            with pytest.raises(ValueError, match=r"no result|did not decide|can be replayed at most"):
                now.after(event)
            continue
        evening.add(event)
        how[number] = None
        former[number] += 1
        with pytest.raises(ValueError, match="is being replayed"):
            evening.tournament.after(event)
    now = evening.tournament
    assert len({id for _, id in ids}) == len(ids) == sum(former) + sum(one is not None for one in how.values())
    for number, table in enumerate(now.rounds[0].tables):
        assert (table.id, len(table.former)) == (number + former[number] * MOST_TABLES, former[number])
    points = {row.player.identity: row.points for row in now.standings()}
    for number, table in enumerate(now.rounds[0].tables):
        won = [Fraction(int(how[number] is not None and seat == winner[number])) for seat in range(2)]
        assert [points[identity] for identity in table.seats] == won
    stored = [events.read(unpack(pack(events.plain(event)))) for event in evening.events]
    assert Tournament.fold(now.settings, stored) == now


@pytest.mark.parametrize("kind", REOPENED)
def test_a_table_is_not_opened_again_where_its_players_are_no_longer(kind: str) -> None:
    evening = evening_of(2)
    table = evening.tournament.rounds[0].tables[0]
    evening.decide(table, (1, 0), ORGANIZER)
    evening.add(PlayerWithdrew(evening.at, table.seats[0]))
    with pytest.raises(ValueError, match="A player of this table has left the tournament"):
        evening.tournament.after(opened(kind, evening, 0))


@pytest.mark.parametrize("kind", REOPENED)
def test_in_an_arena_a_table_is_not_opened_again_while_its_players_play_elsewhere(kind: str) -> None:
    evening = Evening.of(settings_of(ARENA), PEOPLE[:2])
    evening.proceed()
    evening.decide(evening.tournament.rounds[0].tables[0], (1, 0), ORGANIZER)
    evening.proceed()
    assert len(evening.tournament.rounds[0].open) == 1
    with pytest.raises(ValueError, match="A player of this table is playing at another one"):
        evening.tournament.after(opened(kind, evening, 0))


@pytest.mark.parametrize("kind", REOPENED)
def test_what_opens_a_table_again_holds_for_its_players_and_purpose_alone(kind: str) -> None:
    evening = evening_of(4)
    first, second = (table.seats for table in evening.tournament.rounds[0].tables)
    settings, event = evening.tournament.settings, opened(kind, evening, 0)
    other = TableReplayed if kind == "undo" else DecisionUndone
    assert events.is_reopened(settings, first, event)
    assert not events.is_reopened(settings, first[::-1], event)
    assert not events.is_reopened(settings, second, event)
    assert not events.is_reopened(settings, first, other(*(getattr(event, name) for name in type(event).__slots__)))
