"""What a cup and its events are: said once, signed, and read from strangers without harm."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.games import lookup
from kimberley.games.table import Plain
from kimberley.p2p.sentences.tournaments import describe_early_end
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    ABSENT,
    CHEATING,
    PLAYED,
    SILENCE,
    TIME,
    VOID,
    DecisionUndone,
    EndCalled,
    GameSeated,
    LotsDrawn,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    TableDecided,
    TableReplayed,
    TablesOpened,
    TournamentEnded,
    TournamentEvent,
    decide,
)
from kimberley.p2p.tournament.settings import (
    ACCELERATED_SWISS,
    ARENA,
    BY_NUMBER,
    CURRENT_PAIRING,
    FORMATS,
    MOST_PLAYERS,
    ROUND_ROBIN,
    SWISS,
    TimeControl,
    TournamentSettings,
    commit_lots,
)
from kimberley.p2p.tournament.tournament import BETWEEN, ENROLLING, OVER, PLAYING, Tournament, is_last_round
from kimberley.p2p.tournament.verification import PairingClaim, check_claim
from kimberley.protocol.audit import UNFAIR
from kimberley.protocol.encoding import Malformed, pack, unpack
from tests.support.plain import CHARACTERS
from tests.support.tournaments import PEOPLE, REFEREE, SEED, Evening, by_number, settings_of

ANA, BEN, CARLA, DAN = PEOPLE[:4]

plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(CHARACTERS, max_size=5)
    | st.binary(max_size=33),
    lambda inner: st.lists(inner, max_size=12).map(tuple),
    max_leaves=20,
)


def said(**changed: Any) -> TableDecided:
    what: dict[str, Any] = {
        "at": 1,
        "round": 1,
        "table": 0,
        "places": (1, 2),
        "how": PLAYED,
        "sentence": "Ana won.",
        "game": bytes(32),
        "record": b"a record",
    }
    return decide(REFEREE, settings_of(), (ANA, BEN), **(what | changed))


UNSIGNED = (bytes(64),) * 2

EVENTS: list[TournamentEvent] = [
    PlayerEnrolled(1, ANA, "Ana"),
    PlayerWithdrew(2, ANA),
    PlayerReturned(3, ANA),
    LotsDrawn(4, SEED),
    RoundPaired(5, 1, ((ANA, BEN),), (CARLA,)),
    GameSeated(6, 1, 0, bytes(32), UNSIGNED),
    said(),
    said(places=(0, 1), how=TIME, game=None, record=None),
    TournamentEnded(8),
    TableReplayed(9, 1, 0, "The lights went out.", bytes(64)),
    DecisionUndone(10, 1, 0, "The wrong name.", bytes(64)),
]


# -- cups --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "main", "increment", "shown"),
    [
        ("20m+10s", 1200, 10, "20m+10s"),
        ("90s", 90, 0, "90s"),
        ("1h", 3600, 0, "1h"),
        (" 60m+5 ", 3600, 5, "1h+5s"),
        ("120s", 120, 0, "2m"),
    ],
)
def test_a_clock_is_written_as_players_write_it(text: str, main: int, increment: int, shown: str) -> None:
    assert TimeControl.read(text) == TimeControl(main, increment)
    assert str(TimeControl.read(text)) == shown


@pytest.mark.parametrize("text", ["", "20", "m", "20m+", "20m+10m", "0m", "25h", "1m+3601s", "20m+10s+5s", "-1m"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="clock"):
        TimeControl.read(text)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"format": "ladder"}, "Choose one of swiss"),
        ({"rounds": 65}, "1 to 64 rounds"),
        ({"format": "knockout", "rounds": 3}, "leave out --rounds"),
        ({"seats": 5, "allowed": (2, 4)}, "cannot be played by 5"),
        ({"seats": 7, "allowed": (2, 7)}, "cannot be played by 7"),
        ({"seats": 1, "allowed": (1,)}, "cannot be played by 1"),
        ({"options": {f"option {number}": number for number in range(33)}}, "32 options"),
        ({"clock": TimeControl(0)}, "clock"),
        ({"seed": b"short"}, "32 bytes"),
        ({"options": {"what": 1.5}}, "plain value"),
        ({"game": ""}, "id of a game"),
        ({"format": ARENA, "rounds": 3}, "An arena has no rounds"),
        ({"format": ARENA, "minutes": 1441}, "An arena lasts 1 to 1440 minutes"),
        ({"format": ARENA, "seats": 3}, "two players"),
        ({"minutes": 5}, "leave out --minutes"),
        ({"boards": 17}, "A team has 2 to 16 boards"),
        ({"boards": 2, "seats": 3}, "Teams play at tables of two"),
        ({"boards": 2, "format": ARENA}, "Teams play at tables of two"),
    ],
)
def test_a_cup_that_cannot_be_played_is_refused_with_the_reason(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        settings_of(**changed)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"referee": bytes(31)}, "A tournament needs a referee and a draw."),
        ({"lots": bytes(33)}, "A tournament needs a referee and a draw."),
        ({"rules": -1}, "A tournament needs a referee and a draw."),
        ({"sizes": (2, 2)}, "The numbers of seats must ascend."),
        ({"sizes": (1, 2)}, "The game cannot be played by 2 players."),
        ({"rounds": -1}, "A tournament has 1 to 64 rounds; 0 lets the format decide."),
        ({"game": "x" * 41}, "The id of a game has 1 to 40 characters."),
        ({"options": (("b", 1), ("a", 1))}, "A tournament has at most 32 options, each once."),
        ({"options": (("a", 1), ("a", 2))}, "A tournament has at most 32 options, each once."),
        (
            {"clock": TimeControl(60, 3601)},
            "A clock can be one second to one day, plus up to one hour per choice.",
        ),
    ],
)
def test_what_another_referee_announces_is_refused_with_the_reason(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        replace(settings_of(), **changed).check()
    replace(settings_of(), rules=0, game="x" * 40, referee=bytes(32)).check()


@pytest.mark.parametrize("name", ["", "x" * 41, "two\nlines", " spaced ", "\x1b[31mred"])
def test_a_cups_name_can_be_shown(name: str) -> None:
    with pytest.raises(ValueError, match="visible"):
        replace(settings_of(), name=name).check()


@pytest.mark.parametrize("changed", [{"format": ARENA, "minutes": 60}, {"boards": 4}])
def test_what_only_some_cups_say_travels(changed: dict[str, Any]) -> None:
    settings = settings_of(**changed)
    assert len(settings.plain()) == 12  # type: ignore[arg-type]
    assert TournamentSettings.read(unpack(pack(settings.plain()))) == settings


@pytest.mark.parametrize("format", [one for one in FORMATS if one != ARENA])
def test_a_cup_travels(format: str) -> None:
    settings = settings_of(format, seats=4, allowed=(2, 4, 6), options={"map": "small", "last-look": 0}, clock=None)
    again = TournamentSettings.read(unpack(pack(settings.plain())))
    assert again == settings
    assert again.id == settings.id
    assert again.sizes == (2, 4)
    assert TournamentSettings.read(replace(settings, clock=TimeControl(60, 1)).plain()).clock == TimeControl(60, 1)


def test_any_change_makes_another_cup() -> None:
    settings = settings_of()
    changes: list[dict[str, Any]] = [
        {"name": "Saturday Cup"},
        {"rounds": 4},
        {"clock": None},
        {"referee": ANA},
        {"lots": commit_lots(bytes(32))},
        {"rules": 2},
        {"options": (("map", 1),)},
    ]
    assert len({settings.id, *(replace(settings, **change).id for change in changes)}) == len(changes) + 1


@given(plain_values)
def test_what_is_no_cup_is_malformed(plain: Plain) -> None:
    with pytest.raises(Malformed):
        TournamentSettings.read(plain)


@given(st.integers(0, 11), plain_values)
def test_a_cup_with_a_part_replaced_is_one_or_malformed(index: int, part: Plain) -> None:
    fields = settings_of().plain()
    assert isinstance(fields, tuple)
    try:
        settings = TournamentSettings.read((*fields[:index], part, *fields[index + 1 :]))
    except Malformed:
        return
    assert settings.plain() == (*fields[:index], part, *fields[index + 1 :])


@pytest.mark.parametrize(
    ("index", "part", "reason"),
    [
        (0, "referee", "not the settings of a tournament"),
        (3, True, "a number is malformed"),
        (6, False, "a number is malformed"),
        (7, True, "a number is malformed"),
        (8, (2, "3"), "a number is malformed"),
        (8, (True,), "a number is malformed"),
        (4, (("map",),), "an option or the clock is malformed"),
        (4, ((1, "map"),), "an option or the clock is malformed"),
        (4, ("ab",), "an option or the clock is malformed"),
        (9, (60, True), "an option or the clock is malformed"),
        (9, (60,), "not the settings of a tournament"),
        (11, (), "it has an unknown part"),
        (11, (("boards", 0),), "it has an unknown part"),
        (11, (("minutes", True),), "it has an unknown part"),
        (11, (("pairing", 1), ("boards", 2)), "it has an unknown part"),
        (11, (("pairing", 1), ("prizes", 3)), "it has an unknown part"),
        (11, (("pairing", 3),), "its pairings are of revision 3, this program knows 2"),
        (11, (("minutes", 60),), "Only an arena has a time limit: leave out --minutes"),
        (5, "league", 'No format "league". Choose one of ' + ", ".join(FORMATS)),
    ],
)
def test_what_is_wrong_with_settings_is_named(index: int, part: Plain, reason: str) -> None:
    fields = settings_of().plain()
    assert isinstance(fields, tuple)
    with pytest.raises(Malformed) as found:
        TournamentSettings.read((*fields[:index], part, *fields[index + 1 :]))
    assert str(found.value).endswith(reason)


def pairs_in(packed: Plain) -> tuple[Plain, ...]:
    """Returns the last part of packed settings, if they have one."""
    assert isinstance(packed, tuple)
    last = packed[11] if len(packed) > 11 else ()
    assert isinstance(last, tuple)
    return last


@pytest.mark.parametrize(
    ("what", "pairing"),
    [
        ({"format": SWISS}, CURRENT_PAIRING),
        ({"format": ACCELERATED_SWISS, "boards": 2}, CURRENT_PAIRING),
        ({"format": SWISS, "seats": 3}, BY_NUMBER),
        ({"format": ROUND_ROBIN}, BY_NUMBER),
    ],
)
def test_only_a_swiss_at_tables_of_two_names_how_it_is_paired(what: dict[str, Any], pairing: int) -> None:
    settings = settings_of(**what)
    assert settings.pairing == pairing
    assert TournamentSettings.read(settings.plain()) == settings
    assert (("pairing", CURRENT_PAIRING) in pairs_in(settings.plain())) == (pairing == CURRENT_PAIRING)


def test_a_swiss_of_a_later_revision_is_refused() -> None:
    with pytest.raises(ValueError, match="This program cannot pair tournaments of revision 3"):
        replace(settings_of(), pairing=CURRENT_PAIRING + 1).check()


def test_a_round_robin_is_not_paired_by_a_revision_of_the_swiss() -> None:
    with pytest.raises(ValueError, match="This program cannot pair tournaments of revision 2"):
        replace(settings_of(ROUND_ROBIN), pairing=CURRENT_PAIRING).check()


# -- events ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_travels(event: TournamentEvent) -> None:
    assert events.read(unpack(pack(events.plain(event)))) == event


PARTS = [part for event in EVENTS for part in cast(tuple[Plain, ...], events.plain(event))]


@pytest.mark.slow
@given(st.sampled_from(EVENTS), st.integers(0, 9), st.sampled_from(PARTS) | plain_values)
def test_an_event_with_a_part_replaced_is_one_or_malformed(event: TournamentEvent, index: int, part: Plain) -> None:
    fields = events.plain(event)
    assert isinstance(fields, tuple)
    changed = (*fields[:index], part, *fields[index + 1 :])
    try:
        found = events.read(changed)
    except Malformed:
        return
    assert events.plain(found) == changed


@pytest.mark.slow
@given(plain_values)
def test_what_is_no_event_is_malformed(plain: Plain) -> None:
    with pytest.raises(Malformed):
        events.read(plain)


def test_a_result_is_signed_with_all_that_it_says() -> None:
    settings, seats, result = settings_of(), (ANA, BEN), said()
    assert result.holds(settings, seats)
    assert not result.holds(settings, (BEN, ANA))
    assert not result.holds(replace(settings, name="Saturday Cup"), seats)
    changes: list[dict[str, Any]] = [
        {"at": 2},
        {"round": 2},
        {"table": 1},
        {"places": (2, 1)},
        {"how": VOID},
        {"sentence": "Ben won."},
        {"game": bytes(31) + b"\1"},
        {"record": bytes(32)},
        {"signature": bytes(64)},
    ]
    for change in changes:
        assert not replace(result, **change).holds(settings, seats), change
    assert not decide(
        Identity.fresh(), settings, seats, at=1, round=1, table=0, places=(1, 1), how=VOID, sentence="Nothing."
    ).holds(settings, seats)


@pytest.mark.parametrize(
    "changed",
    [
        {"how": "luck"},
        {"places": (1,)},
        {"places": (1, 3)},
        {"places": (0, 1)},
        {"places": (2, 2)},
        {"record": None},
        {"game": None},
        {"how": TIME},
        {"how": CHEATING, "places": (0, 1), "record": None},
        {"how": VOID},
        {"sentence": ""},
    ],
)
def test_a_result_that_contradicts_itself_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        said(**changed)


def test_what_is_wrong_with_a_result_is_named_where_it_is_read() -> None:
    packed = events.plain(said())
    assert isinstance(packed, tuple)
    without_sentence = tuple("" if field == said().sentence else field for field in packed)
    with pytest.raises(Malformed, match="a result has a sentence of"):
        events.read(without_sentence)


# -- what can happen when ----------------------------------------------------------------------------------------------


def test_a_cup_goes_through_its_phases() -> None:
    evening = Evening.of(settings_of())
    assert evening.tournament.phase == ENROLLING
    for number in range(4):
        evening.add(PlayerEnrolled(1, PEOPLE[number], f"player{number}"))
    evening.add(LotsDrawn(2, SEED))
    assert evening.tournament.phase == BETWEEN
    assert sorted(player.number for player in evening.tournament.players) == [1, 2, 3, 4]
    evening.proceed()
    assert evening.tournament.phase == PLAYING
    tournament = evening.play(by_number)
    assert tournament.phase == OVER
    assert len(tournament.rounds) == tournament.planned == 2
    assert Tournament.fold(tournament.settings, evening.events) == tournament


def test_lots_are_those_that_the_cup_committed_to() -> None:
    evening = Evening.of(settings_of())
    evening.add(PlayerEnrolled(1, ANA, "Ana"))
    with pytest.raises(ValueError, match=r"^This is not the draw that the tournament committed to"):
        evening.add(LotsDrawn(2, bytes(32)))


def test_lots_follow_from_the_seed_and_the_cup() -> None:
    def drawn(**changed: Any) -> list[int]:
        return [player.number for player in Evening.of(settings_of(**changed), PEOPLE[:20]).tournament.players]

    assert drawn() == drawn()
    assert drawn(seed=SEED) != drawn(rounds=3)


def test_who_comes_late_follows_those_who_were_there() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:4])
    evening.round(by_number)
    evening.add(PlayerEnrolled(9, PEOPLE[4], "late"))
    late = evening.tournament.player(PEOPLE[4])
    assert late is not None
    assert late.number == 5
    assert evening.tournament.standings()[-1].points == 0
    evening.proceed()
    tables = evening.tournament.rounds[-1]
    assert PEOPLE[4] in [one for table in tables.tables for one in table.seats] + list(tables.byes)


def refused(evening: Evening, event: TournamentEvent, sentence: str) -> None:
    before = evening.tournament
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        evening.add(event)
    assert evening.tournament is before


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:5])
    refused(evening, PlayerEnrolled(1, ANA, "Ana again"), "You have already joined.")
    refused(evening, LotsDrawn(1, SEED), "The draw has already been made.")
    refused(evening, PlayerReturned(1, ANA), "player1 is in.")
    refused(evening, PlayerWithdrew(1, PEOPLE[9]), "A player who has not joined can neither withdraw nor return.")
    refused(evening, GameSeated(1, 1, 0, bytes(32), UNSIGNED), "Round 1 is not the current round.")
    refused(evening, RoundPaired(1, 2, ((ANA, BEN),), ()), "This round does not follow the last one.")
    refused(evening, RoundPaired(1, 1, ((ANA, ANA),), ()), "A player cannot sit at two tables.")
    refused(evening, RoundPaired(1, 1, ((ANA, BEN),), (BEN,)), "A player cannot sit at two tables.")
    refused(evening, RoundPaired(1, 1, ((ANA, PEOPLE[9]),), ()), "Only players who are present can be paired.")
    refused(evening, RoundPaired(1, 1, ((ANA, BEN, CARLA),), ()), "A table of this tournament has 2 seats.")
    evening.proceed()
    refused(evening, TournamentEnded(1), "The tournament cannot end while a table is open.")
    refused(evening, RoundPaired(1, 2, ((ANA, BEN),), ()), "No round can begin now: the tournament is playing.")
    refused(evening, said(table=2, game=None, how=VOID, places=(1, 1), record=None), "Round 1 has no table 3.")
    refused(evening, said(round=2), "Round 2 is not the current round.")
    refused(evening, said(places=(1, 2, 3)), "A result needs a place for each seat.")
    refused(evening, said(), "A result names the game of its table.")
    for how in (TIME, SILENCE):
        refused(
            evening,
            said(places=(0, 1), how=how, game=None, record=None),
            f"A table without a game does not end by {how!r}.",
        )
    evening.add(GameSeated(1, 1, 0, bytes(32), UNSIGNED))
    refused(evening, GameSeated(1, 1, 0, bytes([1]) * 32, UNSIGNED), "This table already has a game.")
    refused(evening, GameSeated(1, 1, 1, bytes(32), UNSIGNED), "This game is played at another table.")
    refused(evening, said(game=None, how=VOID, places=(1, 1), record=None), "A result names the game of its table.")
    refused(
        evening, said(how=ABSENT, places=(0, 1), record=None), "A player cannot be absent from a game that has begun."
    )
    evening.decide(evening.tournament.rounds[-1].tables[0], (1, 2))
    refused(evening, said(), "Table 1 of round 1 already has a result.")
    with pytest.raises(ValueError, match="can be paired now"):
        evening.tournament.proceed(1)


def test_nobody_loses_on_time_without_a_clock() -> None:
    evening = Evening.of(settings_of(clock=None), PEOPLE[:2])
    evening.proceed()
    evening.add(GameSeated(1, 1, 0, bytes(32), UNSIGNED))
    refused(evening, said(how=TIME, places=(0, 1)), "A player cannot lose on time without a clock.")


def test_a_cup_of_nobody_cannot_begin() -> None:
    alone = Evening.of(settings_of(), PEOPLE[:1])
    with pytest.raises(ValueError, match="too few"):
        alone.proceed()
    with pytest.raises(ValueError, match="enrolling"):
        Evening.of(settings_of()).proceed()


def test_a_cup_that_has_ended_is_over() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:2])
    evening.play(by_number)
    refused(evening, PlayerEnrolled(1, PEOPLE[5], "late"), "The tournament has ended.")


def test_a_cup_is_full_at_last() -> None:
    evening = Evening.of(settings_of())
    for number in range(MOST_PLAYERS):
        evening.add(PlayerEnrolled(1, number.to_bytes(32), "player"))
    refused(evening, PlayerEnrolled(1, ANA, "Ana"), "The tournament is full (1024 players).")


@pytest.mark.parametrize(
    ("format", "count", "sentence"),
    [
        ("knockout", 5, "The bracket of this knockout is fixed: nobody can join now."),
        ("round-robin", 4, "The pairings of this round-robin are fixed, and every place is taken."),
    ],
)
def test_where_the_tables_are_drawn_nobody_can_enter(format: str, count: int, sentence: str) -> None:
    evening = Evening.of(settings_of(format), PEOPLE[:count])
    refused(evening, PlayerEnrolled(1, PEOPLE[70], "late"), sentence)


def test_who_left_before_the_lots_comes_in_late() -> None:
    evening = Evening.of(settings_of())
    for number in range(3):
        evening.add(PlayerEnrolled(1, PEOPLE[number], "player"))
    evening.add(PlayerWithdrew(2, ANA))
    evening.add(LotsDrawn(3, SEED))
    assert evening.tournament.players[0].number == 0
    evening.add(PlayerReturned(4, ANA))
    assert evening.tournament.players[0].number == 3


def test_a_proven_cheat_stays_out() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:4])
    evening.proceed()
    first, second = evening.tournament.rounds[-1].tables
    evening.decide(first, (0, 1), CHEATING)
    evening.decide(second, (1, 2))
    cheat = first.seats[0]
    player = evening.tournament.player(cheat)
    assert player is not None
    assert player.state == "disqualified"
    refused(evening, PlayerReturned(1, cheat), f"{player.nickname} is disqualified.")
    refused(evening, PlayerWithdrew(1, cheat), f"{player.nickname} is disqualified.")
    while evening.round(by_number):
        assert all(cheat not in table.seats for table in evening.tournament.rounds[-1].tables)
        assert cheat not in evening.tournament.rounds[-1].byes
    line = next(one for one in evening.tournament.standings() if one.player.identity == cheat)
    assert line.points == 0


def test_names_that_could_be_taken_for_each_other_are_told_apart() -> None:
    evening = Evening.of(settings_of())
    for identity, nickname in ((ANA, "Ana"), (BEN, "ana"), (CARLA, "Carla")):
        evening.add(PlayerEnrolled(1, identity, nickname))
    tournament = evening.tournament
    assert tournament.name(CARLA) == "Carla"
    assert tournament.name(ANA) == f"Ana {ANA.hex()[:4]}"
    assert tournament.name(BEN) == f"ana {BEN.hex()[:4]}"


def test_a_table_is_found_as_long_as_it_is_played() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:2])
    assert evening.tournament.table_of(ANA) is None
    evening.proceed()
    table = evening.tournament.table_of(ANA)
    assert table is not None
    assert set(table.seats) == {ANA, BEN}
    evening.decide(table, (1, 2))
    assert evening.tournament.table_of(ANA) is None


@pytest.mark.parametrize("format", ["swiss", "arena"])
def test_once_the_organizer_ends_it_nothing_else_is_paired(format: str) -> None:
    evening = Evening.of(settings_of(format), PEOPLE[:4])
    what = "arena" if format == "arena" else "first round"
    refused(evening, EndCalled(evening.at), f"The {what} has not started.")
    evening.round(by_number)
    evening.at += 20
    due = evening.tournament.proceed(evening.at)
    assert isinstance(due, RoundPaired | TablesOpened)
    evening.add(events.read(events.plain(EndCalled(evening.at))))
    ends = "The tournament already ends after the games in progress."
    refused(evening, EndCalled(evening.at), ends if format == "arena" else "This is the last round already.")
    assert is_last_round(evening.tournament)
    assert isinstance(evening.tournament.proceed(evening.at), TournamentEnded)
    finding = check_claim(PairingClaim(evening.tournament, due), None, lookup.find)
    assert finding is not None
    assert finding.code == UNFAIR
    evening.add(TournamentEnded(evening.at))
    assert describe_early_end(evening.tournament) == ["The organizer ended the tournament early."]
