"""A seat leaves, at any moment, and the others play on; whoever leaves in a way that is not allowed is named."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.table import Game, Leave, Plain, Result
from kimberley.protocol.audit import AuditedGame, audit, verify
from kimberley.protocol.closing import SHOW, Closing
from kimberley.protocol.crypto import escrow
from kimberley.protocol.crypto.elgamal import MAILBOX, SeatKey
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN, STAGE, Envelope, Sign
from kimberley.protocol.events import Answered, Dropped, SeatDeparted
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.record import Record
from kimberley.protocol.roster import SignedRoster
from tests.support.cards import CARDS, FEW_CARDS, preferring
from tests.support.cheats import (
    Cheat,
    broadcast,
    caught_by_all,
    forged,
    found_by_the_audit,
    judged,
    leaver,
    leaves_with,
    silent,
    waited_for,
)
from tests.support.effort import spread
from tests.support.tables import Wire, seated, seed

orders = st.integers(0, 2**32).map(Random)


def settled(wire: Wire, *went: int) -> None:
    """Checks that the game is over for all, including those that went, and that its record is fair."""
    seats = len(wire.peers) - 1
    for peer in wire.peers:
        assert peer.caught is None
        assert peer.finished, f"seat {peer.seat} waits at {peer.slot} for {peer.waiting}"
        assert {seat: shown[0] for seat, shown in peer.shown.items()} == {s: seed(s) for s in range(seats)}
        assert peer.gone == (peer.seat in went)
        assert {seat for seat in range(seats) if seat in peer.play.crypto.departed} == set(went)
        told = [ask.seat for ask, _ in peer.story if isinstance(ask, Leave)]
        last = {envelope.seat for envelope in peer.transcript if envelope.slot >= (peer.log[-1].step, 0)}
        assert {*went} - last <= {*told} <= {*went}
    assert not [event for _, event in wire.events if isinstance(event, Dropped)]
    assert len({peer.head for peer in wire.peers}) == 1
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    record, game = wire.peers[0].record().pack(), wire.peers[0].game
    verdict = verify(record, lambda _: game)
    assert (verdict.code, verdict.result) == ("fair", wire.peers[-1].result), verdict.reason
    assert len({AuditedGame.by(peer, peer.record()) for peer in wire.peers} | {audit(record, lambda _: game)}) == 1


def departed(wire: Wire) -> tuple[int, ...]:
    """Returns who has left by an envelope in the transcript, in its order."""
    return tuple(envelope.seat for envelope in wire.peers[-1].transcript if envelope.kind == LEAVE)


def at_rest(seats: int) -> Wire:
    """Returns a table that waits for the first choice of its first seat."""
    wire = seated(CARDS, seats)
    wire.run(lambda: wire.peers[0].play.topic == "bid" and wire.peers[0].play.stage == 1)
    wire.silent = {0}
    wire.run()
    assert (wire.peers[1].play.topic, wire.peers[1].waiting) == ("act", (0,))
    return wire


# -- at any moment -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=5)
@given(st.sampled_from((3, 3, 4, 6)), st.floats(0, 1), st.integers(0, 5), orders)
def test_the_others_finish_whoever_leaves_whenever(seats: int, moment: float, who: int, order: Random) -> None:
    wire = seated(FEW_CARDS, seats, order=order)
    wire.run(lambda: len(wire.sent) >= 16 * seats * moment)
    wire.peers[who % seats].resign()
    wire.run()
    settled(wire, *departed(wire))


@pytest.mark.slow
@settings(max_examples=5)
@given(st.sampled_from((3, 4, 5)), st.lists(st.floats(0, 1), min_size=2, max_size=4), st.randoms(), orders)
def test_one_after_the_other_may_go_or_all_at_once(seats: int, at: list[float], who: Random, order: Random) -> None:
    wire = seated(FEW_CARDS, seats, order=order)
    goers = who.sample(range(seats), min(len(at), seats))
    for goer, moment in zip(goers, sorted(at), strict=False):
        wire.run(lambda moment=moment: len(wire.sent) >= 16 * seats * moment)  # type: ignore[misc]
        wire.peers[goer].resign()
    wire.run()
    assert {*departed(wire)} <= {*goers}
    settled(wire, *departed(wire))


WHEN = [
    ("the shuffle", "shuffle", 1),
    ("a later shuffle stage", "shuffle", 2),
    ("a show", "show", 0),
    ("a roll", "roll", 0),
    ("the commitments", "bid", 0),
    ("the openings", "bid", 1),
    ("a decision", "act", 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("topic", "stage"), spread(3, [pytest.param(*when[1:], id=when[0]) for when in WHEN]))
def test_whatever_is_under_way_is_finished_first(topic: str, stage: int) -> None:
    seats = 4
    who = stage if topic == "shuffle" else seats - 1
    kind = leaver(lambda peer: (peer.play.topic, peer.play.stage) == (topic, stage))
    choosers = [preferring("draw", "roll", "peek") for _ in range(seats)]
    wire = seated(CARDS, seats, choosers=choosers, cheats={who: kind})
    wire.run()
    settled(wire, who)
    (envelope,) = (envelope for envelope in wire.peers[-1].transcript if envelope.kind == LEAVE)
    assert (envelope.seat, envelope.stage) == (who, stage)
    spectator = [event for index, event in wire.events if index == seats]
    step = [event for event in spectator if isinstance(event, Answered | SeatDeparted) and event.step == envelope.step]
    assert [type(event) for event in step] == ([SeatDeparted] if topic == "act" else [Answered, SeatDeparted])
    if topic == "bid":
        assert isinstance(step[0], Answered)
        assert [bid is None for bid in step[0].answer] == [seat == who for seat in range(seats)]


@pytest.mark.slow
def test_two_who_leave_in_the_same_stage_are_both_judged() -> None:
    kind = leaver(lambda peer: peer.play.topic == "roll")
    wire = seated(CARDS, 5, cheats={1: kind, 3: kind})
    wire.run()
    settled(wire, 1, 3)
    assert departed(wire) == (1, 3)
    assert len({envelope.slot for envelope in wire.peers[0].transcript if envelope.kind == LEAVE}) == 1


@pytest.mark.parametrize("goers", [(0, 1), (0, 1, 2)])
def test_all_but_one_may_leave_at_once_and_even_all(goers: tuple[int, ...]) -> None:
    kind = leaver(lambda peer: peer.play.topic == "bid")
    wire = seated(CARDS, 3, cheats=dict.fromkeys(goers, kind))
    wire.run()
    settled(wire, *goers)
    assert isinstance(wire.peers[2].result, Result)


def test_down_to_two_seats_whoever_goes_resigns() -> None:
    wire = seated(CARDS, 4)
    for step, goer in ((3, 1), (7, 3), (9, 0)):
        wire.run(lambda step=step: wire.peers[2].play.step >= step)  # type: ignore[misc]
        wire.peers[goer].resign()
    wire.run()
    settled(wire, 1, 3)
    assert [e.seat for e in wire.peers[0].transcript if e.kind == RESIGN] == [0]
    assert wire.peers[0].closing is not None
    assert wire.peers[0].closing.resigned == (0,)
    assert wire.peers[0].result is not None
    assert wire.peers[0].result.winners == (2,)


def test_who_cannot_leave_since_another_just_did_resigns_instead() -> None:
    wire = seated(CARDS, 3, cheats={1: leaver(lambda peer: (peer.play.topic, peer.play.stage) == ("bid", 0))})
    wire.run(lambda: wire.peers[0].play.topic == "bid" and wire.peers[0].asked is None)
    wire.peers[0].resign()
    assert [Envelope.unpack(data).kind for seat, data in wire.sent if seat == 0][-1] == STAGE
    wire.run()
    settled(wire, 1)
    assert [e.seat for e in wire.peers[2].transcript if e.kind == RESIGN] == [0]
    assert wire.peers[2].result is not None
    assert wire.peers[2].result.winners == (2,)


def test_the_last_two_may_resign_at_once_and_neither_has_won() -> None:
    wire = seated(CARDS, 3, cheats={1: leaver(lambda peer: peer.play.step >= 5)})
    wire.run(lambda: all(1 in peer.play.crypto.departed for peer in wire.peers))
    wire.peers[0].resign()
    wire.peers[2].resign()
    wire.run()
    settled(wire, 1)
    result = wire.peers[0].result
    assert result is not None
    assert (result.places, result.reason) == ((1, 3, 1), "the last two resigned")


@pytest.mark.parametrize("first", [LEAVE, RESIGN])
def test_a_resignation_that_overtakes_a_leave_waits_for_it(first: int) -> None:
    """Seat 3 hears of seat 2's leaving only after seat 1, who knew of it, has resigned; or before."""
    goer = leaver(lambda peer: peer.play.topic == "act" and peer.play.step > 5)
    wire = seated(CARDS, 3, cheats={1: goer})
    held: list[bytes] = []

    def hold(sender: int, receiver: int, data: bytes) -> bytes | None:
        if receiver != 2 or Envelope.unpack(data).kind != first:
            return data
        held.append(data)
        return None

    wire.alter = hold
    wire.run(lambda: bool(wire.peers[0].play.crypto.departed))
    wire.peers[0].resign()
    wire.run()
    for data in held:
        wire.peers[2].receive(data)
    wire.run()
    settled(wire, 1)
    assert wire.peers[2].result is not None
    assert wire.peers[2].result.winners == (2,)


# -- what it is to have left ---------------------------------------------------------------------------------------


def test_a_seat_that_owes_nothing_waits_until_it_does() -> None:
    wire = at_rest(3)
    goer = wire.peers[2]
    goer.resign()
    goer.resign()
    assert not goer.take()
    wire.silent = set()
    wire.peers[0].choose(("roll", 0, 0))
    wire.run()
    settled(wire, 2)


@pytest.mark.slow
def test_who_has_left_follows_on_but_cannot_play() -> None:
    wire = seated(CARDS, 3, cheats={0: leaver(lambda peer: peer.play.step >= 5)})
    wire.run(lambda: wire.peers[0].gone)
    goer = wire.peers[0]
    goer.resign()
    with pytest.raises(NotAllowed, match="nothing is asked"):
        goer.choose(("roll", 0, 0))
    wire.run()
    settled(wire, 0)
    assert len([event for _, event in wire.events if isinstance(event, SeatDeparted)]) == 4
    assert goer.play.step == wire.peers[1].play.step


def test_who_resigns_before_the_keys_are_there_leaves_right_after_them() -> None:
    wire = seated(CARDS, 3, cheats={1: leaver(lambda peer: True)})
    wire.run()
    settled(wire, 1)
    assert [e.kind for e in wire.peers[0].transcript if e.seat == 1] == [STAGE, LEAVE]


def test_what_is_left_behind_shows_neither_seed_nor_mailbox_key_before_the_end() -> None:
    wire = seated(CARDS, 3, cheats={1: leaver(lambda peer: peer.play.step >= 5)})
    wire.run()
    crypto = wire.peers[1].play.crypto
    mailbox = SeatKey.derive(RISTRETTO, crypto.seed, crypto.context(0, 0, 1), MAILBOX).secret
    for _, data in wire.sent:
        assert crypto.seed not in data
        assert RISTRETTO.encode_scalar(mailbox) not in data
    (departure,) = wire.peers[-1].play.departed
    keys = {seat: wire.peers[seat].play.crypto.bag_key.secret for seat in (0, 2)}
    opened = escrow.open_together(RISTRETTO, departure.context, keys, departure.secret)
    assert opened == pack((crypto.seed, tuple(wire.peers[1].play.choices)))
    for seat in keys:
        assert escrow.open_together(RISTRETTO, departure.context, keys | {seat: 7}, departure.secret) is None
        assert escrow.open_together(RISTRETTO, departure.context, {seat: keys[seat]}, departure.secret) is None


def test_a_record_without_the_end_still_tells_who_left() -> None:
    wire = seated(CARDS, 3, cheats={1: leaver(lambda peer: peer.play.step >= 5)})
    wire.run()
    whole = wire.peers[0].record()
    place = next(number for number, envelope in enumerate(whole.envelopes) if envelope.kind == CLOSING)
    verdict = verify(Record(whole.table, whole.envelopes[: place + 4]).pack(), lambda _: CARDS)
    assert (verdict.code, verdict.result) == ("incomplete", wire.peers[0].result)
    assert verdict.absent == (0, 2)


# -- hostile leaving -----------------------------------------------------------------------------------------------

GOER = 1


def goes(peer: Peer) -> bool:
    return peer.play.step >= 4


def test_one_that_leaves_later_cannot_spoil_the_audit_of_one_that_left_before() -> None:
    def nothing(peer: Peer, body: Plain) -> Plain:
        assert isinstance(body, tuple)
        crypto = peer.play.crypto
        bags = {seat: crypto.public_keys[seat].bag for seat in crypto.present if seat != GOER}
        return (*body[:2], escrow.leave_behind(crypto.group, crypto.seed, peer.play.context(GOER), bags, b""))

    early = leaver(lambda peer: peer.play.step == 3)
    late = leaves_with(lambda peer: peer.play.step >= 9, nothing)
    wire = seated(CARDS, 4, cheats={0: early, GOER: late})
    wire.run()
    assert departed(wire) == (0, GOER)
    found_by_the_audit(wire, GOER, "does not open")


@pytest.mark.slow
def test_one_whose_bag_key_is_not_of_its_seed_cannot_put_the_blame_on_who_left() -> None:
    class OtherKeys(Cheat):
        def __init__(self, game: Game, table: SignedRoster, seat: int, own: bytes, sign: Sign) -> None:
            super().__init__(game, table, seat, bytes(32), sign)
            self.signed_seed = own

        def closing_body(self, closing: Closing) -> Plain:
            return (self.signed_seed, ()) if closing.stage == SHOW else super().closing_body(closing)

    wire = seated(CARDS, 3, cheats={0: leaver(goes), 2: OtherKeys})
    wire.run()
    assert wire.peers[1].closing is not None
    assert wire.peers[1].closing.absent == (0,)
    assert found_by_the_audit(wire, 2, "(the keys)").step == 0


def signed_by_a_goer(kind: int, body: Plain = None) -> Wire:
    """Returns a table at which one seat has left, and then signs this."""
    wire = seated(CARDS, 3, cheats={GOER: leaver(goes)})
    wire.run(lambda: all(GOER in peer.play.crypto.departed for peer in wire.peers))
    broadcast(wire, forged(wire.peers[0], GOER, kind, body))
    return wire


@pytest.mark.parametrize("kind", [STAGE, LEAVE, RESIGN])
def test_leaving_twice_or_playing_on_after_it_is_refused_on_the_spot(kind: int) -> None:
    caught_by_all(signed_by_a_goer(kind), GOER, "they played on after they had resigned, left or closed the game")


def test_closing_a_game_that_one_left_is_refused_on_the_spot() -> None:
    wire = seated(CARDS, 3, cheats={GOER: leaver(goes)})
    wire.run(lambda: wire.peers[0].closing is not None)
    closing = wire.peers[0].closing
    assert closing is not None
    broadcast(wire, forged(wire.peers[0], GOER, CLOSING, closing.close_body()))
    caught_by_all(wire, GOER, "out of turn")


def test_closing_a_game_that_still_runs_after_leaving_it_stops_nobody() -> None:
    wire = signed_by_a_goer(CLOSING, (seed(GOER), ()))
    assert all(peer.finished for peer in wire.peers)
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    assert judged(wire.peers[0]).code == "fair"


@pytest.mark.parametrize("kind", [LEAVE, RESIGN])
def test_leaving_or_resigning_out_of_turn_is_refused_on_the_spot(kind: int) -> None:
    wire = at_rest(3)
    leave = wire.peers[GOER].play.leave_body() if kind == LEAVE else None
    broadcast(wire, forged(wire.peers[0], GOER, kind, leave))
    caught_by_all(wire, GOER, "they signed a message out of turn")


def test_resigning_where_one_can_only_leave_is_refused_even_by_who_owes() -> None:
    wire = at_rest(3)
    broadcast(wire, forged(wire.peers[1], 0, RESIGN, None))
    caught_by_all(wire, 0, "they signed a message out of turn")


def test_leaving_a_table_of_two_is_refused_on_the_spot() -> None:
    wire = at_rest(2)
    broadcast(wire, forged(wire.peers[1], 0, LEAVE, wire.peers[0].play.leave_body()))
    caught_by_all(wire, 0, "they left a table that nobody could leave then")


def test_leaving_before_the_keys_are_there_is_refused_on_the_spot() -> None:
    wire = seated(CARDS, 3, cheats={GOER: silent(lambda peer: True)})
    wire.run()
    broadcast(wire, forged(wire.peers[0], GOER, LEAVE, (bytes(32), bytes(32), b"")))
    caught_by_all(wire, GOER, "they left a table that nobody could leave then")


@pytest.mark.parametrize("kind", [LEAVE, RESIGN])
def test_leaving_in_a_stage_that_has_not_come_is_silence(kind: int) -> None:
    wire = at_rest(3)
    leave = wire.peers[0].play.leave_body() if kind == LEAVE else None
    broadcast(wire, forged(wire.peers[1], 0, kind, leave, slot=(9, 0)))
    waited_for(wire, 0, "the choice")


def test_a_seat_that_is_silent_after_another_left_is_the_one_waited_for() -> None:
    kinds = {
        GOER: leaver(goes),
        2: silent(lambda peer: GOER in peer.play.crypto.departed and peer.play.topic == "roll"),
    }
    wire = seated(CARDS, 4, cheats=kinds)
    wire.run()
    waited_for(wire, 2, "the share of the roll")


def test_both_that_resign_before_their_keys_and_show_choices_are_judged_without_an_error() -> None:
    class Hasty(Cheat):
        def start(self) -> None:
            self.resigning = True
            super().start()

        def closing_body(self, closing: Closing) -> Plain:
            return (self.seed, (1,)) if closing.stage == SHOW else super().closing_body(closing)

    wire = seated(CARDS, 2, cheats={0: Hasty, 1: Hasty})
    wire.run()
    spectator = wire.peers[2]
    assert spectator.log == []
    verdict = verify(spectator.record().pack(), lambda _: CARDS)
    assert (verdict.code, verdict.seats) == ("unfair", (0, 1))
    assert "more choices" in verdict.reason
