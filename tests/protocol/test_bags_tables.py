"""Whole games with bags, by two to six honest seats in memory: what all agree on, and what each may know."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.lookup import UnknownGame, find
from kimberley.games.table import (
    HIDDEN,
    Decide,
    Item,
    Plain,
    Result,
    Roll,
    Show,
    Shuffle,
    Together,
)
from kimberley.protocol.asks.base import CryptoContext
from kimberley.protocol.audit import verify
from kimberley.protocol.crypto import elgamal, shares
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX, PAIR_SIZE, Pair, SeatKey
from kimberley.protocol.crypto.group import Point
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Answered, Dropped
from kimberley.protocol.peer import Peer
from tests.support.cards import CARDS, FEW_CARDS, VALUE, Cards
from tests.support.contained import first_difference
from tests.support.effort import first_is_quick, tries
from tests.support.laws import (
    TwoTruths,
    check_bot,
    check_same_ask,
    check_space,
    check_spectator_allows,
    check_views,
    pick,
    spaces,
    steps,
)
from tests.support.plain import PLAIN
from tests.support.tables import Wire, seated, seed, whole_story

pytestmark = pytest.mark.slow

every_number = pytest.mark.parametrize("seats", tries((2, 4), CARDS.seats))
salts = st.integers(0, 2**32)


def played(seats: int, order: Random | None = None) -> Wire:
    """Returns a whole game that ended fair for all."""
    wire = seated(CARDS, seats, order=order)
    wire.run()
    assert all(peer.finished for peer in wire.peers), [(peer.slot, peer.waiting) for peer in wire.peers]
    return wire


# -- one transcript ------------------------------------------------------------------------------------------------


@every_number
def test_a_whole_game_is_played_closed_and_fair(seats: int) -> None:
    wire = played(seats)
    assert len({peer.head for peer in wire.peers}) == 1
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    assert not [event for _, event in wire.events if isinstance(event, Dropped)]
    verdict = verify(wire.peers[0].record().pack(), lambda _: CARDS)
    assert (verdict.code, verdict.result) == ("fair", wire.peers[0].result)
    kinds = {type(ask) for ask, _ in wire.peers[0].story}
    rolls = {Roll} if seats > 2 else set()  # Two players need not roll.
    assert kinds == {Shuffle, Show, Together, Decide} | rolls


@settings(max_examples=tries(3, 6), deadline=None)
@given(st.sampled_from((2, 3, 6)), salts)
def test_the_order_of_arrival_changes_no_byte(seats: int, salt: int) -> None:
    def heads(order: Random | None) -> set[bytes]:
        wire = seated(FEW_CARDS, seats, "order", order=order)
        wire.run()
        assert all(peer.finished for peer in wire.peers)
        return {peer.head for peer in wire.peers}

    assert len(heads(None) | heads(Random(salt))) == 1


@every_number
def test_a_spectator_who_comes_late_has_the_same_transcript(seats: int) -> None:
    wire = seated(CARDS, seats, "late")
    wire.run(lambda: wire.peers[0].play.step == 8)
    late = Peer(CARDS, wire.peers[0].table, None)
    late.start()
    for envelope in wire.peers[0].record().envelopes:
        late.receive(envelope.pack())
    assert late.head == wire.peers[0].head
    wire.peers.append(late)
    for under_way in [data for (_, to), line in wire.lines.items() if to == seats for data in line]:
        late.receive(under_way)
    wire.run()
    assert late.finished
    assert {peer.head for peer in wire.peers} == {late.head}


# -- what each knows -----------------------------------------------------------------------------------------------


@every_number
def test_the_true_story_is_one_and_each_saw_its_own_part_of_it(seats: int) -> None:
    wire = played(seats)
    story = whole_story(wire.peers[0])
    assert all(whole_story(peer) == story for peer in wire.peers)
    state: Cards = CARDS.start(seats, {})
    for ask, answer in story:
        assert state.ask() == ask
        told = state.apply(answer)
        assert isinstance(told, Cards)
        state = told
    assert state.ask() == wire.peers[0].result
    first = next(answer for ask, answer in story if isinstance(ask, Shuffle))
    assert sorted(item.parts for item in first) == sorted(state.deck)
    for peer in wire.peers:
        assert first_difference(wire.peers[-1].state, peer.state) is None
        assert first_difference(peer.state, state) is None
        assert [answer for _, answer in peer.story] == [ask.visible_answer(answer, peer.seat) for ask, answer in story]


@every_number
def test_nobody_holds_a_value_that_it_was_not_shown(seats: int) -> None:
    wire = played(seats)
    private = 0
    for index, event in wire.events:
        seat = wire.peers[index].seat
        if not isinstance(event, Answered):
            continue
        assert isinstance(event.state, Cards)
        for item in event.state.items:
            check_known(item, seat, seats)
        if isinstance(event.ask, Show):
            for values in event.answer:
                for value, (_, to) in zip(values, event.ask.parts, strict=True):
                    assert (value is not HIDDEN) == (to is None or to == seat)
                    private += to is not None and to == seat
        if isinstance(event.ask, Shuffle):
            assert all(item.parts == (HIDDEN, HIDDEN) for item in event.answer)
    assert private
    for peer in wire.peers:
        opened = {handle for ask, _ in peer.story if isinstance(ask, Show) for handle in ask.items}
        assert isinstance(peer.state, Cards)
        assert all(item.parts == (HIDDEN, HIDDEN) for item in peer.state.items if item.handle not in opened)


def check_known(item: Item, seat: int | None, seats: int) -> None:
    """Checks who knows each part, which is written on the item: a seat what its bit says, a spectator what all were
    shown.
    """
    for value, mask in zip(item.parts, item.seen, strict=True):
        if seat is None:
            assert value is HIDDEN or mask == (1 << seats) - 1
        else:
            assert (value is not HIDDEN) == bool(mask >> seat & 1)


def keys_of(crypto: CryptoContext, purpose: str) -> list[int]:
    """Returns the secret keys of all seats, which only a test can know."""
    return [
        SeatKey.derive(crypto.group, seed(seat), crypto.context(0, 0, seat), purpose).secret
        for seat in range(crypto.seats)
    ]


def opens(crypto: CryptoContext, part: int, pair: Pair, points: Sequence[Point]) -> bool:
    """Returns whether these shares open a part to any value that it can have."""
    return elgamal.plaintext(crypto.group, pair, points) in crypto.values[part]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_coalition_short_of_all_seats_can_open_an_item(seats: int) -> None:
    crypto = played(seats).peers[-1].play.crypto
    keys = keys_of(crypto, BAG)
    for item in crypto.items:
        for part, pair in enumerate(item):
            points = [shares.open_share(crypto.group, key, [pair])[0] for key in keys]
            assert opens(crypto, part, pair, points)
            for number in range(seats):
                for coalition in combinations(points, number):
                    assert not opens(crypto, part, pair, coalition)


@pytest.mark.parametrize("seats", first_is_quick(3, 6))
def test_what_one_seat_is_shown_can_be_read_with_its_own_two_keys_alone(seats: int) -> None:
    wire = played(seats)
    spectator = wire.peers[-1]
    crypto = spectator.play.crypto
    bags, mailboxes = keys_of(crypto, BAG), keys_of(crypto, MAILBOX)
    read = 0
    for step, (ask, _) in enumerate(spectator.story, 1):
        if not isinstance(ask, Show) or ask.parts[-1][1] is None:
            continue
        to = ask.parts[-1][1]
        pair = crypto.items[ask.items[0]][VALUE]
        mailed = {e.seat: mail_for(to, e) for e in spectator.transcript if e.step == step and e.seat != to}
        assert len(mailed) == seats - 1
        from_all = [shares.read_mail(crypto.group, mailboxes[to], [mail])[0] for mail in mailed.values()]
        own = shares.open_share(crypto.group, bags[to], [pair])[0]
        of_others = [shares.open_share(crypto.group, bags[seat], [pair])[0] for seat in mailed]
        assert from_all == of_others
        assert opens(crypto, VALUE, pair, [*from_all, own])

        assert not opens(crypto, VALUE, pair, of_others)
        for seat in mailed:
            strange = [shares.read_mail(crypto.group, mailboxes[seat], [mail])[0] for mail in mailed.values()]
            assert not {*strange} & {*of_others, own}
            assert not opens(crypto, VALUE, pair, [*strange, own])
            for point in strange:
                assert not opens(crypto, VALUE, pair, [*of_others, point])
        read += 1
    assert read


def mail_for(to: int, envelope: Envelope) -> Pair:
    """Returns the one encrypted share in an envelope that is for a seat."""
    match envelope.body:
        case (_, ((int() as named, bytes() as sent),)) if named == to:
            return sent[: PAIR_SIZE // 2], sent[PAIR_SIZE // 2 : PAIR_SIZE]
    raise AssertionError(f"no mail for seat {to} in {envelope.body!r}")


# -- the laws of the table, for the game itself --------------------------------------------------------------------


@every_number
@settings(max_examples=6, deadline=None)
@given(salts)
def test_every_state_is_the_truth_with_what_it_may_not_know_hidden(seats: int, salt: int) -> None:
    rng = Random(salt)
    for table, ask in steps(CARDS, seats, rng):
        check_views(table)
        check_same_ask(table.arena.truth.ask(), table.spectator.ask(), None)
        if not isinstance(ask, Result):
            check_spectator_allows(table, ask, {seat: pick(ask, seat, rng) for seat in ask.choosers})


@settings(max_examples=6, deadline=None)
@given(salts, st.lists(PLAIN, min_size=6, max_size=6))
def test_spaces_judge_any_data(salt: int, data: list[Plain]) -> None:
    rng = Random(salt)
    for table, _ in steps(FEW_CARDS, 3, rng):
        for state in (table.arena.truth, *table.views, table.spectator):
            for space in spaces(state.ask()):
                check_space(space, data, rng)


@every_number
@settings(max_examples=6, deadline=None)
@given(salts, st.data())
def test_two_truths_show_a_seat_the_same(seats: int, salt: int, data: st.DataObject) -> None:
    watcher = data.draw(st.sampled_from((None, *range(seats))))
    pair = TwoTruths(CARDS, seats, watcher, Random(salt))
    pair.run()
    assert pair.differed


def test_bots_choose_legally() -> None:
    for table, ask in steps(CARDS, 4, Random(1)):
        for seat in () if isinstance(ask, Result) else ask.choosers:
            check_bot(CARDS, table.observation(seat), 5)


def test_the_game_of_the_tests_is_not_installed() -> None:
    with pytest.raises(UnknownGame):
        find(CARDS.id)
    with pytest.raises(ValueError, match="2 to 6 players"):
        CARDS.start(7, {})
