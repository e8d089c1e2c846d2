"""Every cheat ends with the seat, the step and the reason named, and no honest seat is ever blamed."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Plain, Seal, Together
from kimberley.protocol.asks.together import TogetherMachine, choice_nonce
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.closing import SHOW, Closing
from kimberley.protocol.crypto import ranges
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.envelope import CLOSING, Envelope
from kimberley.protocol.events import Asked, Send
from kimberley.protocol.log import Deviation
from kimberley.protocol.peer import Peer
from tests.support.cheats import Cheat, cheat, rebody, signed_again, silent, telling
from tests.support.effort import tries
from tests.support.tables import Chooser, Wire, at_random, by_bots, peer_of, seed, signed_roster

pytestmark = pytest.mark.slow

CHEAT, HONEST = 1, 0


def table_with(cls: type[Peer], choosers: list[Chooser] | None = None) -> Wire:
    """Returns a table of one honest seat and one that cheats, played as far as it goes."""
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, HONEST), peer_of(GAME, table, CHEAT, cls=cls)]
    wire = Wire(peers, choosers or [at_random(Random(11)), at_random(Random(12))])
    wire.start()
    wire.run()
    return wire


def judged(wire: Wire) -> Verdict:
    verdict = verify(wire.peers[HONEST].record().pack(), lambda _: GAME)
    assert HONEST not in verdict.seats
    return verdict


def caught_on_the_spot(wire: Wire, reason: str) -> None:
    caught = wire.peers[HONEST].caught
    assert caught is not None
    assert caught.seat == CHEAT
    assert reason in caught.reason
    verdict = judged(wire)
    assert verdict.code == "unfair"
    assert [(found.seat, found.step, found.stage) for found in verdict.deviations] == [
        (CHEAT, caught.step, caught.stage)
    ]
    assert reason in verdict.reason
    assert "player2" in verdict.reason


def found_by_the_audit(wire: Wire, topic: str, reason: str) -> Verdict:
    honest = wire.peers[HONEST]
    assert honest.caught is None
    assert honest.finished
    verdict = judged(wire)
    assert verdict.code == "unfair"
    assert honest.verdicts[HONEST] == ("unfair", ((verdict.step, verdict.stage, CHEAT),))
    assert verdict.seats == (CHEAT,)
    assert reason in verdict.reason
    assert f"({topic})" in verdict.reason
    return verdict


def test_a_move_that_costs_more_than_the_cash_is_refused_on_the_spot() -> None:
    class Spender(Cheat):
        def choose(self, plain: Plain) -> None:
            ask = self.play.ask
            if isinstance(ask, Seal) and ask.topic == "pay":
                plain = (18, 0, 0)
            self.force(plain)

    def moves(peer: Peer, asked: Asked) -> Plain:
        return ((0, 9, 0), (1, 0, 0), (2, 0, 0)) if isinstance(asked.ask, (Seal, Together)) else 0

    class Bent(Spender):
        def game_body(self) -> Plain:
            try:
                return super().game_body()
            except ValueError:
                context = self.play.crypto.context(self.play.step, 1, CHEAT)
                proof = ranges.prove(RISTRETTO, b"s" * 32, context, "within", 8, 0, 0, 0)
                machine = self.play.machine
                assert isinstance(machine, TogetherMachine)
                choice = self.play.choices[-1]
                return choice_nonce(machine, choice), choice, proof

    caught_on_the_spot(table_with(Bent, [at_random(Random(1)), moves]), "within its limit")


def opens(peer: Peer) -> bool:
    return isinstance(peer.play.ask, Together) and peer.play.stage == 1


class Adjuster(Cheat):
    """Moves in another way than planned, whether or not it may."""

    def choose(self, plain: Plain) -> None:
        ask = self.play.ask
        if isinstance(ask, Together) and ask.topic == "move":
            plain = tuple((at, 0, 0) for at in self.state.places(CHEAT))  # type: ignore[attr-defined]
            if plain == self.play.choices[-1]:
                plain = ((6, 0, 0),) * 3
        self.force(plain)


def test_adjusting_without_the_right_to_is_found_by_the_audit() -> None:
    wire = table_with(Adjuster, [at_random(Random(1)), at_random(Random(2))])
    verdict = found_by_the_audit(wire, "move", "they made a choice they had no right to make: your orders stand")
    assert verdict.stage == 0


def test_adjusting_and_showing_other_choices_is_found_by_the_audit() -> None:
    class Liar(Adjuster):
        def closing_body(self, closing: Closing) -> Plain:
            body = super().closing_body(closing)
            if closing.stage != SHOW:
                return body
            seed, shown = cast(tuple[bytes, tuple[Plain, ...]], body)
            choices = list(shown)
            for index in range(1, len(choices)):
                if isinstance(choices[index], tuple) and isinstance(choices[index - 1], tuple):
                    before, now = cast(tuple[Plain, ...], choices[index - 1]), cast(tuple[Plain, ...], choices[index])
                    if before and now and isinstance(before[0], tuple) and isinstance(now[0], tuple):
                        choices[index] = before
                        break
            return seed, tuple(choices)

    wire = table_with(Liar, [at_random(Random(1)), at_random(Random(2))])
    found_by_the_audit(wire, "move", "a different choice than they showed at the audit")


def test_two_different_envelopes_for_one_stage_are_evidence() -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.start()
    wire.run(lambda: peers[HONEST].play.step == 5)
    signed = next(e for e in peers[HONEST].transcript if e.seat == CHEAT and e.step == 3)
    assert isinstance(signed, Envelope)
    peers[HONEST].receive(signed_again(signed, (bytes(32),)).pack())
    caught_on_the_spot(wire, "two different messages")


@pytest.mark.parametrize("early", [False, True])
def test_playing_on_after_resigning_is_refused_in_any_order_of_arrival(early: bool) -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, HONEST), peer_of(GAME, table, CHEAT, cls=Cheat)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))], silent={HONEST, CHEAT})
    wire.start()
    wire.run()
    bent = peers[CHEAT]
    bent.resign()
    bent.resigners = lambda: ()  # type: ignore[method-assign]
    assert bent.asked is None
    bent.ask_player()
    assert isinstance(bent, Cheat)
    bent.force((0, 0, 0))
    sent = [event.envelope for event in bent.take() if isinstance(event, Send)]
    assert len(sent) == 2
    for envelope in sent[::-1] if early else sent:
        peers[HONEST].receive(envelope)
    caught_on_the_spot(wire, "played on after they had resigned")


def test_two_different_envelopes_before_their_turn_are_evidence_too() -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.start()
    wire.run(lambda: peers[HONEST].play.step == 5)
    signed = [e for e in peers[HONEST].transcript if e.seat == CHEAT][-1]
    fresh = peer_of(GAME, table, HONEST)
    fresh.start()
    wire.peers[HONEST] = fresh
    fresh.receive(signed.pack())
    fresh.receive(signed_again(signed, (bytes(32),)).pack())
    caught_on_the_spot(wire, "two different messages")


def test_a_loser_who_signs_another_transcript_leaves_the_result_standing() -> None:
    class Sore(Cheat):
        def sign_next(self, kind: int, body: Plain) -> None:
            if kind == CLOSING:
                self.head = bytes(32)
            super().sign_next(kind, body)

    wire = table_with(Sore)
    verdict = judged(wire)
    assert (verdict.code, verdict.absent) == ("incomplete", (CHEAT,))
    assert verdict.result == wire.peers[HONEST].result is not None


def test_two_envelopes_of_a_seat_that_is_stuck_are_evidence_in_the_file_too() -> None:
    class Lost(Cheat):
        def sign_next(self, kind: int, body: Plain) -> None:
            if kind == CLOSING:
                self.head = bytes(32)
            super().sign_next(kind, body)

    wire = table_with(Lost)
    stuck = wire.peers[HONEST].chains[CHEAT].queue[0]
    wire.peers[HONEST].receive(signed_again(stuck, None).pack())
    caught_on_the_spot(wire, "two different messages")


def test_a_false_accusation_falls_back_on_who_signs_it() -> None:
    class Accuser(Cheat):
        def audit(self) -> None:
            self.findings = (Deviation(4, 0, HONEST, "it looked at me"),)
            self.advance()

    verdict = judged(table_with(Accuser))
    assert (verdict.code, verdict.seats) == ("unfair", (CHEAT,))
    assert "does not bear out" in verdict.reason


def test_refusing_to_open_is_incomplete_and_names_the_absent_step() -> None:
    wire = table_with(silent(opens))
    honest = wire.peers[HONEST]
    assert honest.caught is None
    assert honest.waiting == (CHEAT,)
    verdict = judged(wire)
    assert (verdict.code, verdict.absent) == ("incomplete", (CHEAT,))
    assert "the game stopped while waiting for seat 2 (player2)" in verdict.reason
    assert verdict.result is None


def test_refusing_the_audit_is_incomplete_and_the_result_stands() -> None:
    wire = table_with(silent(lambda peer: peer.closing is not None and peer.closing.stage == 1))
    verdict = judged(wire)
    assert (verdict.code, verdict.absent) == ("incomplete", (CHEAT,))
    assert "the fairness check stopped while waiting for seat 2 (player2)" in verdict.reason
    assert verdict.result == wire.peers[HONEST].result is not None


def test_no_seed_is_shown_before_all_have_signed_the_result() -> None:
    wire = table_with(silent(lambda peer: peer.closing is not None))
    assert wire.peers[HONEST].slot[1] == 0
    assert all(seed(HONEST) not in data for seat, data in wire.sent if seat == HONEST)


def test_an_honest_seat_that_reacted_to_lies_is_never_blamed() -> None:
    told = 0

    def bend(peer: Peer, body: Plain) -> Plain:
        nonlocal told
        machine = telling(peer.play, "plan")
        if machine is None:
            return body
        told += 1
        machine.says = tuple((0, 2, 0) for _ in machine.says)
        for _, tell in machine.tells_of(CHEAT):
            crypto = peer.play.crypto
            crypto.given[tell.more, tell.than] = crypto.given.get((tell.more, tell.than), bytes(32))
        return rebody(peer)

    for salt in range(tries(1, 3)):
        wire = table_with(cheat(bend), by_bots(GAME, 2, salt=salt))
        assert judged(wire).seats in ((CHEAT,), ())
    assert told
