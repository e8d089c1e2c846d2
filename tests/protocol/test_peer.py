"""Whole games between honest peers in memory."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.diamond import GAME as DIAMOND
from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Result, State, state_after
from kimberley.protocol.audit import verify
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Answered, Dropped, GameEnded, RecordComplete
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from tests.support.contained import first_difference
from tests.support.tables import Wire, at_random, peer_of, played, signed_roster, whole_story


@cache
def whole_game() -> Wire:
    """Returns a game that has been played; nothing may change it."""
    return played(GAME)


@cache
def heads_in_order() -> tuple[bytes, ...]:
    """Returns the last heads of both seats and a spectator, where every envelope arrives in the order in which it was
    sent.
    """
    return heads(None)


def heads(order: Random | None) -> tuple[bytes, ...]:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1, None)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))], order)
    wire.start()
    wire.run()
    assert all(peer.finished for peer in peers)
    return tuple(peer.head for peer in peers)


def test_a_whole_game_is_played_closed_and_fair() -> None:
    wire = whole_game()
    ana, ben = wire.peers
    assert ana.finished
    assert ben.finished
    assert isinstance(ana.result, Result)
    assert ana.result == ben.result
    assert ana.head == ben.head
    assert ana.record().pack() == ben.record().pack()
    verdict = verify(ana.record().pack(), lambda _: GAME)
    assert (verdict.code, verdict.result) == ("fair", ana.result)
    assert not [event for _, event in wire.events if isinstance(event, Dropped)]


def test_every_answer_comes_with_the_state_that_it_leads_to() -> None:
    wire = whole_game()
    for peer in wire.peers:
        state: State = GAME.start(2, {})
        answers = [event for own, event in wire.events if own == peer.seat and isinstance(event, Answered)]
        for event, (ask, answer) in zip(answers, peer.story, strict=True):
            state = state_after(state, ask, answer)
            assert (event.ask, event.answer, event.state) == (ask, answer, state)


@pytest.mark.slow
@settings(max_examples=2)
@given(st.integers(0, 2**32))
def test_the_order_of_arrival_changes_no_byte(salt: int) -> None:
    assert len({*heads_in_order(), *heads(Random(salt))}) == 1


@pytest.mark.slow
def test_the_states_of_all_seats_are_one_truth_with_parts_hidden() -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1, None)]
    wire = Wire(peers, [at_random(Random(5)), at_random(Random(6))])
    wire.start()
    wire.run()
    spectator = peers[2]
    for peer in peers[:2]:
        assert first_difference(spectator.state, peer.public) is None
        assert first_difference(spectator.state, peer.state) is None
    assert len(spectator.story) == len(peers[0].story) == len(peers[1].story)


def test_the_true_story_holds_what_every_seat_knew() -> None:
    wire = whole_game()
    story = whole_story(wire.peers[0])
    assert story == whole_story(wire.peers[1])
    state = GAME.start(2, {})
    for ask, answer in story:
        assert state.ask() == ask
        state = state.apply(answer)
    assert state.ask() == wire.peers[0].result
    for peer in wire.peers:
        assert first_difference(peer.state, state) is None


def test_a_spectator_who_comes_late_has_the_same_transcript() -> None:
    wire = whole_game()
    late = Peer(GAME, wire.peers[0].table, None)
    late.start()
    for envelope in wire.peers[0].record().envelopes:
        late.receive(envelope.pack())
    assert late.finished
    assert late.head == wire.peers[0].head


@pytest.mark.parametrize("step", [1, 4, 7, 20])
def test_who_resigns_loses_and_the_record_says_fair(step: int) -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.start()
    wire.run(lambda: peers[1].play.step == step)
    peers[1].resign()
    wire.run()
    for peer in peers:
        assert peer.finished
        assert peer.result is not None
        assert peer.result.places == (1, 2)
    assert peers[0].record().pack() == peers[1].record().pack()
    assert verify(peers[0].record().pack(), lambda _: GAME).code == "fair"


def test_who_does_not_answer_a_resignation_owes_close_and_nothing_of_the_stage_cut_short() -> None:
    table = signed_roster(DIAMOND)
    peers = [peer_of(DIAMOND, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.start()
    wire.run(lambda: peers[1].play.step > 0 and peers[1].owing == (1,))
    step = peers[1].play.step
    peers[1].resign()
    verdict = verify(peers[1].record().pack(), lambda _: DIAMOND)
    assert (verdict.code, verdict.absent) == ("incomplete", (0,))
    assert (verdict.step, verdict.stage) == (step + 1, 0)


@pytest.mark.parametrize("step", [2, 5, 9])
def test_two_resignations_that_cross_are_a_draw(step: int) -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.start()
    wire.run(lambda: min(peer.play.step for peer in peers) >= step)
    peers[0].resign()
    peers[1].resign()
    wire.run()
    assert all(peer.finished for peer in peers)
    assert [peer.result.places for peer in peers if peer.result] == [(1, 1), (1, 1)]
    assert verify(peers[0].record().pack(), lambda _: GAME).code == "fair"


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(1, 90), st.integers(0, 1), st.booleans(), st.integers(0, 2**32))
def test_a_resignation_at_any_moment_ends_the_same_for_all(at: int, who: int, both: bool, salt: int) -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1, None)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))], Random(salt))
    wire.start()
    wire.run(lambda: len(wire.sent) >= at)
    peers[who].resign()
    if both:
        peers[1 - who].resign()
    wire.run()
    assert all(peer.finished for peer in peers), [(peer.slot, peer.waiting) for peer in peers]
    assert len({peer.head for peer in peers}) == 1
    assert len({peer.result for peer in peers}) == 1
    assert len([event for _, event in wire.events if isinstance(event, GameEnded)]) == 3
    assert len([event for _, event in wire.events if isinstance(event, RecordComplete)]) == 3
    assert verify(peers[2].record().pack(), lambda _: GAME).code == "fair"


def test_an_illegal_choice_is_refused_with_the_rule_and_nothing_is_signed() -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.silent = {0, 1}
    wire.start()
    wire.run()
    peers[0].take()
    with pytest.raises(NotAllowed, match="there is only"):
        peers[0].choose((18, 18, 18))
    with pytest.raises(NotAllowed, match="whole number"):
        peers[0].choose((True, 0, 0))
    assert peers[0].take() == []
    assert peers[0].asked is not None


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=400))
def test_bytes_that_are_no_envelope_are_dropped(data: bytes) -> None:
    peer = peer_of(GAME, signed_roster(GAME), 0)
    peer.start()
    peer.take()
    peer.receive(data)
    assert [type(event) for event in peer.take()] == [Dropped]
    assert peer.caught is None


@pytest.mark.slow
def test_envelopes_of_another_table_or_with_a_changed_byte_blame_nobody() -> None:
    wire = played(GAME, salt="a")
    other = peer_of(GAME, signed_roster(GAME, salt="b"), 0, "b")
    other.start()
    own = peer_of(GAME, signed_roster(GAME, salt="a"), 0, "a")
    own.start()
    for envelope in wire.peers[1].record().envelopes[:6]:
        other.receive(envelope.pack())
        data = bytearray(envelope.pack())
        data[-70] ^= 1
        own.receive(bytes(data))
    assert other.caught is None
    assert own.caught is None
    assert isinstance(Envelope.unpack(wire.peers[0].record().envelopes[0].pack()), Envelope)
