"""The land game at the table: the laws, and whole games between peers who do not trust each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.land import GAME
from kimberley.games.land.deals import Deals
from kimberley.games.land.rules import TOPIC, DealSpace, State
from kimberley.games.table import Ask, Decide, Game, Leave, Plain, Result, Roll, SupportsLeave, space_for
from kimberley.protocol.audit import verify
from kimberley.protocol.envelope import LEAVE, STAGE
from kimberley.protocol.events import Asked
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from tests.support.cheats import Cheat, cheat
from tests.support.effort import first_is_quick, spread, tries
from tests.support.land import OPTIONS
from tests.support.laws import check_bot, check_space, check_spectator_allows, check_views, pick, spaces
from tests.support.plain import PLAIN
from tests.support.seated_arena import SeatedArena
from tests.support.tables import Chooser, Wire, at_random, by_bots, peer_of, signed_roster

every_number = pytest.mark.parametrize("seats", first_is_quick(*tries((GAME.seats[0], GAME.seats[-1]), GAME.seats)))
few = settings(max_examples=3)
salts = st.integers(0, 2**32)
options = st.sampled_from(OPTIONS)
SHORT: dict[str, Plain] = {"map": "rolled-small", "turns": 25}
strange = PLAIN | st.floats() | st.lists(st.integers()) | st.dictionaries(st.integers(), st.none())


# -- the laws of the table ---------------------------------------------------------------------------------------------


def steps(seats: int, rng: Random, options: Mapping[str, Plain]) -> Iterator[tuple[SeatedArena, Ask | Result]]:
    """Yields a game by reckless players, with the Result last."""
    table = SeatedArena(GAME, seats, rng, options)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        yield table, ask
        table.apply(table.arena.answer(ask, {seat: pick(ask, seat, rng) for seat in ask.choosers}))
    yield table, ask


def test_the_game_is_one_that_the_table_knows() -> None:
    game: Game = GAME
    assert (game.id, game.seats, game.last_looks) == ("land", (2, 3, 4, 5, 6), False)
    assert isinstance(game.start(2, {}), SupportsLeave)
    assert GAME.start(6, dict(game.quick)).limit == 25
    for option in game.options:
        assert len(option.label) <= 20
        assert all(len(label) <= 30 for _, label in option.values)


@every_number
@few
@given(salts, options)
def test_nothing_is_hidden_and_all_see_the_same(seats: int, salt: int, options: Mapping[str, Plain]) -> None:
    rng = Random(salt)
    for table, ask in steps(seats, rng, options):
        check_views(table)
        assert all(view == table.arena.truth for view in (*table.views, table.spectator))
        hash(table.arena.truth)
        assert ask == table.spectator.ask()
        assert isinstance(ask, Roll | Decide | Result)
        if not isinstance(ask, Result):
            check_spectator_allows(table, ask, {seat: pick(ask, seat, rng) for seat in ask.choosers})


@every_number
@few
@given(salts, st.lists(strange, min_size=8, max_size=8), options)
def test_spaces_judge_any_data(seats: int, salt: int, data: list[Any], options: Mapping[str, Plain]) -> None:
    rng = Random(salt)
    for table, ask in steps(seats, rng, options):
        for space in spaces(ask):
            check_space(space, data, rng)
            assert space.violation(()) is None
        assert table.arena.truth == table.spectator


@every_number
@settings(max_examples=4, deadline=None)
@given(salts, options, st.sampled_from((1, 7, 20)))
def test_bots_choose_legally_wherever_a_game_has_come(
    seats: int, salt: int, options: Mapping[str, Plain], level: int
) -> None:
    for table, ask in steps(seats, Random(salt), options):
        for seat in () if isinstance(ask, Result) else ask.choosers:
            check_bot(GAME, table.observation(seat), salt, level)


@every_number
@few
@given(salts, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5)), max_size=4))
def test_a_seat_may_leave_at_any_moment(seats: int, salt: int, leaves: list[tuple[float, int]]) -> None:
    rng = Random(salt)
    state: State = GAME.start(seats, SHORT)
    leaving = sorted((round(60 * at), who % seats) for at, who in leaves)
    number = 0
    while not isinstance(ask := state.ask(), Result):
        if leaving and number >= leaving[0][0]:
            state = state.leave(leaving.pop(0)[1])
        else:
            answer = tuple(map(rng.randrange, ask.sides)) if isinstance(ask, Roll) else pick(ask, ask.choosers[0], rng)
            state = state.apply(answer)
        number += 1
        after = state.ask()
        assert isinstance(after, Result) or all(map(state.alive, after.choosers))
    assert sorted(ask.places) == sorted(1 + sum(other > score for other in ask.scores) for score in ask.scores)


# -- whole games between peers -----------------------------------------------------------------------------------------


def seated(
    seats: int,
    choosers: Sequence[Chooser],
    options: Mapping[str, Plain],
    *,
    salt: str = "land",
    kinds: Mapping[int, type[Peer]] | None = None,
    begins: int | None = None,
    order: Random | None = None,
) -> Wire:
    """Returns a table of the land game that has started, with a spectator behind its seats."""
    table = signed_roster(GAME, seats, salt, options, begins=begins)
    peers = [peer_of(GAME, table, seat, salt, (kinds or {}).get(seat, Peer)) for seat in range(seats)]
    wire = Wire([*peers, peer_of(GAME, table, None)], choosers, order)
    wire.start()
    return wire


def bots(seats: int, level: int = 5) -> list[Chooser]:
    return by_bots(GAME, seats, level)


def reckless(seats: int, salt: int = 0) -> list[Chooser]:
    return [at_random(Random(f"{salt} {seat}")) for seat in range(seats)]


def fair(wire: Wire) -> Result:
    """Checks that all have finished with one transcript, which the audit finds fair."""
    assert all(peer.finished for peer in wire.peers), [(peer.slot, peer.waiting) for peer in wire.peers]
    assert len({peer.head for peer in wire.peers}) == 1
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    verdict = verify(wire.peers[0].record().pack(), lambda _: GAME)
    assert verdict.code == "fair", verdict.reason
    assert verdict.result is not None
    assert verdict.result == wire.peers[-1].result
    return verdict.result


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "clever"), spread(2, [(2, True), (3, True), (4, False), (5, False), (6, True)]))
def test_a_short_game_is_played_and_found_fair(seats: int, clever: bool) -> None:
    wire = seated(seats, bots(seats) if clever else reckless(seats), SHORT)
    wire.run()
    result = fair(wire)
    state = wire.peers[-1].state
    assert isinstance(state, State)
    assert state.ask() == result
    turns = sum(state.played)
    stages = [envelope for envelope in wire.peers[-1].transcript if envelope.kind == STAGE and envelope.step]
    # A turn is one share of the dice from each seat, and one choice; before the first, one more roll.
    assert len(stages) == turns * (seats + 1) + seats
    assert turns >= seats


@pytest.mark.parametrize("options", first_is_quick(*OPTIONS), ids=lambda options: str(options.get("map", "default")))
def test_a_game_on_every_map_is_found_fair(options: Mapping[str, Plain]) -> None:
    wire = seated(3, reckless(3), options)
    wire.run()
    fair(wire)


def test_who_begins_a_rematch_is_in_the_roster() -> None:
    wire = seated(3, reckless(3), {"map": "small"}, begins=2)
    wire.run()
    fair(wire)
    state = wire.peers[-1].state
    assert isinstance(state, State)
    assert GAME.starting_seat(state) == 2
    assert wire.peers[0].story[0][0] == Roll((6, 6))


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(salts)
def test_the_order_of_arrival_changes_nothing(salt: int) -> None:
    def head(order: Random | None) -> bytes:
        wire = seated(3, reckless(3), SHORT, salt="order", order=order)
        wire.run()
        fair(wire)
        return wire.peers[0].head

    assert head(None) == head(Random(salt))


# -- leaving and resigning ---------------------------------------------------------------------------------------------


def goes(wire: Wire, step: int, seat: int) -> None:
    wire.run(lambda: wire.peers[-1].play.step >= step)
    wire.peers[seat].resign()


@pytest.mark.slow
@pytest.mark.parametrize("seats", first_is_quick(3, 4))
def test_one_leaves_and_the_others_play_on(seats: int) -> None:
    # In this game nobody is rich before the last turn.
    wire = seated(seats, bots(seats), SHORT, salt="leaves")
    goes(wire, 4 * seats, 1)
    wire.run()
    result = fair(wire)
    assert [envelope.seat for envelope in wire.peers[-1].transcript if envelope.kind == LEAVE] == [1]
    state = wire.peers[-1].state
    assert isinstance(state, State)
    assert (1, "left") in state.gone
    assert state.land.of(1) == ()
    assert state.total() == seats * 2_500_000
    assert 1 not in result.winners
    assert any(isinstance(ask, Leave) for ask, _ in wire.peers[0].story)
    assert max(state.played) == 25
    assert state.over == "most cash after 25 turns each"


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.sampled_from((3, 4)), salts, st.lists(st.tuples(st.integers(1, 40), st.integers(0, 3)), max_size=3))
def test_whoever_goes_whenever_the_game_is_fair(seats: int, salt: int, leaves: list[tuple[int, int]]) -> None:
    wire = seated(seats, reckless(seats, salt), {"map": "small"}, salt=str(salt), order=Random(salt))
    for step, seat in sorted(leaves):
        goes(wire, step, seat % seats)
    wire.run()
    fair(wire)


def test_with_two_seats_who_goes_resigns_and_loses() -> None:
    wire = seated(2, bots(2), SHORT)
    goes(wire, 20, 0)
    wire.run()
    assert fair(wire).winners == (1,)


@pytest.mark.slow
def test_a_bankrupt_seat_may_go_and_the_others_play_on() -> None:
    def waster(peer: Peer, space_for: Asked) -> Plain:
        """Buys all that it can and asks the highest price, so that it cannot pay the tax."""
        draft = cast(DealSpace, space_for.space).draft()
        while (parcels := draft.buyable()) and len(draft.dealt) < 16:
            draft = draft.then(("buy", parcels[0], 99900))
        return draft.deals

    wire = seated(4, [waster, *bots(4)[1:]], SHORT)
    wire.run(lambda: 0 in cast(State, wire.peers[-1].state).out)
    wire.peers[0].resign()
    wire.run()
    result = fair(wire)
    assert result.places[0] == 4
    state = wire.peers[-1].state
    assert isinstance(state, State)
    assert state.gone[0] == (0, "bankrupt")


# -- peers that break the rules ----------------------------------------------------------------------------------------


SELL_HERE: Final = "sell the first parcel of the sector in play"


def hostile(choice: Plain) -> type[Cheat]:
    """Returns a seat that signs this turn instead of its own, its first one excepted."""

    def bend(peer: Peer, body: Plain) -> Plain:
        space = space_for(cast(Ask, peer.play.ask), cast(int, peer.seat)) if peer.play.topic == TOPIC else None
        if space is None or peer.play.step <= 8:
            return body
        here = cast(DealSpace, space).parcels[0]
        return (((("sell", here),) if choice == SELL_HERE else choice),)

    return cheat(bend)


ILLEGAL: dict[str, tuple[Plain, str]] = {
    "land of the government": (SELL_HERE, "it is the government’s"),
    "land elsewhere": (tuple(("buy", parcel, 1) for parcel in (0, 8)), "is outside the sector in play"),
    "a parcel off the map": ((("buy", 600, 1),), "no such parcel"),
    "no deal": ((("give", 0),), "a deal is sell, buy or price"),
    "too many deals": ((("price", 0, 1),) * 65, "at most 64 deals"),
    "no turn": (7, "a turn is a tuple of deals"),
}


@pytest.mark.parametrize(("choice", "reason"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_turn_from_a_peer_is_refused_with_the_rule(choice: Plain, reason: str) -> None:
    def nothing(peer: Peer, space_for: Asked) -> Plain:
        return ()

    wire = seated(3, [nothing] * 3, {"map": "small"}, kinds={1: hostile(choice)})
    wire.run()
    for honest in (wire.peers[0], wire.peers[2], wire.peers[3]):
        assert honest.caught is not None
        assert honest.caught.seat == 1
        assert reason in honest.caught.reason
    verdict = verify(wire.peers[0].record().pack(), lambda _: GAME)
    assert (verdict.code, verdict.seats) == ("unfair", (1,))
    assert reason in verdict.reason


def test_more_than_the_cash_buys_is_refused_from_a_peer() -> None:
    """It buys what it sells at half the price, until it has spent more than it has."""

    def spends(peer: Peer, body: Plain) -> Plain:
        ask = peer.play.ask
        if not isinstance(ask, Decide) or ask.seat != peer.seat:
            return body
        space = cast(DealSpace, ask.space)
        dearest = max(space.parcels, key=space.map.base)
        again: Deals = (("buy", dearest, 1), ("sell", dearest)) * 11
        return (again,)

    def nothing(peer: Peer, space_for: Asked) -> Plain:
        return ()

    wire = seated(2, [nothing] * 2, {"map": "small"}, kinds={1: cheat(spends)})
    wire.run()
    caught = wire.peers[0].caught
    assert caught is not None
    assert caught.seat == 1
    assert re.search(r"their choice breaks a rule: \w+ costs \d+\.00K; you have \d+(\.\d+)?K", caught.reason)


def test_a_seat_refuses_its_own_players_illegal_turn() -> None:
    wire = seated(2, reckless(2), {"map": "small"})
    wire.silent = {0, 1}
    wire.run()
    turn = next(peer for peer in wire.peers if peer.asked is not None)
    with pytest.raises(NotAllowed, match="no such parcel"):
        turn.choose((("sell", -1),))
    assert turn.asked is not None
