"""Every cheat ends with the seat, the step and the reason named, and no honest seat is ever blamed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Amounts, Open, Plain, Seal, Together
from kimberley.protocol.asks.keys import PURPOSES
from kimberley.protocol.asks.together import TogetherMachine, choice_nonce
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.chain import MOST_TALK
from kimberley.protocol.closing import CLOSE, SHOW, Closing
from kimberley.protocol.crypto import disclosure, ranges
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CHAT, CLOSING, Envelope
from kimberley.protocol.events import Asked, Send
from kimberley.protocol.log import Deviation
from kimberley.protocol.peer import Peer
from tests.support.cheats import Cheat, cheat, rebody, signed_again, silent, telling, with_opening
from tests.support.effort import tries
from tests.support.tables import Chooser, Wire, at_random, by_bots, peer_of, seed, signed_roster

pytestmark = pytest.mark.slow

CHEAT, HONEST = 1, 0


def table_with(cls: type[Peer], choosers: list[Chooser] | None = None) -> Wire:
    """A table of one honest seat and one that cheats, played as far as it goes."""
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


def sealing(peer: Peer) -> Amounts | None:
    ask = peer.play.ask
    space = ask.spaces[peer.seat or 0] if isinstance(ask, Seal) else None
    return space if isinstance(space, Amounts) else None


def sealed_instead(peer: Peer, body: Plain, amounts: list[int]) -> Plain:
    """The seal of other amounts, with proofs as good as a cheat can make them."""
    space = sealing(peer)
    if space is None:
        return body
    context = peer.play.crypto.context(peer.play.step, 0, CHEAT)
    commitments = tuple(pedersen(RISTRETTO, amount, 7) for amount in amounts)
    proofs = tuple(
        ranges.prove(RISTRETTO, b"s" * 32, context, "amount", 8, max(amount, 0), 7, index)
        for index, amount in enumerate(amounts)
    )
    left = max(space.within.limit - sum(amounts), 0)
    within = ranges.prove(RISTRETTO, b"s" * 32, context, "within", 8, left, -7 * len(amounts), 0)
    return commitments, proofs, within


def test_spending_more_than_one_has_is_refused_on_the_spot() -> None:
    wire = table_with(cheat(lambda peer, body: sealed_instead(peer, body, [18, 1, 0])))
    caught_on_the_spot(wire, "does not prove that it stays within its limit of 18")


def test_a_negative_amount_is_refused_on_the_spot() -> None:
    wire = table_with(cheat(lambda peer, body: sealed_instead(peer, body, [-5, 9, 9])))
    caught_on_the_spot(wire, "not proven to be from 0 to 255")


def test_a_seal_of_other_amounts_than_shown_at_the_audit_is_found_there() -> None:
    class Frugal(Cheat):
        def closing_body(self, closing: Closing) -> Plain:
            body = super().closing_body(closing)
            if closing.stage != SHOW:
                return body
            seed, choices = cast(tuple[bytes, tuple[Plain, ...]], body)
            return seed, ((0, 0, 1), *choices[1:])

    found_by_the_audit(table_with(Frugal), "pay", "they sealed a different choice than they showed at the audit")


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


def test_an_opening_that_does_not_fit_is_refused_on_the_spot() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        if not opens(peer):
            return body
        nonce, _, proof = cast(tuple[Plain, ...], body)
        return nonce, ((6, 0, 0),) * 3, proof

    caught_on_the_spot(table_with(cheat(bend)), "the opening does not match the commitment (move)")


def test_a_share_of_another_roll_is_refused_on_the_spot() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        if peer.play.topic != "roll":
            return body
        share = cast(tuple[bytes], body)[0]
        return (bytes([share[0] ^ 1]) + share[1:],)

    caught_on_the_spot(table_with(cheat(bend)), "their share of the roll")


@pytest.mark.parametrize("which", range(3))
def test_a_key_without_its_proof_is_refused_on_the_spot(which: int) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        if peer.play.step:
            return body
        keys = list(cast(tuple[tuple[bytes, bytes], ...], body))
        keys[which] = RISTRETTO.base(5), keys[which][1]
        return tuple(keys)

    caught_on_the_spot(table_with(cheat(bend)), f"know their {PURPOSES[which]} key")


@pytest.mark.parametrize(
    "body", [(), (1, 2), ((b"",), (b"",), None), (b"x" * 31,), (b"x" * 32, None, None), (True,), ("",) * 3]
)
@pytest.mark.parametrize("topic", ["keys", "roll", "pay", "plan", "move", "agents’ reports"])
def test_a_body_of_any_other_shape_is_refused_and_raises_nothing(topic: str, body: Plain) -> None:
    def bend(peer: Peer, honest: Plain) -> Plain:
        return body if topic in peer.play.topic and (topic != "move" or opens(peer)) else honest

    wire = table_with(cheat(bend))
    caught = wire.peers[HONEST].caught
    assert caught is not None
    assert caught.seat == CHEAT
    assert judged(wire).seats == (CHEAT,)


def test_a_plan_told_that_is_not_the_plan_sealed_is_found_by_the_audit() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        machine = telling(peer.play, "plan")
        if machine is None:
            return body
        machine.says = tuple((6, 0, 0) if says != (6, 0, 0) else (0, 1, 0) for says in machine.says)
        return rebody(peer)

    found_by_the_audit(table_with(cheat(bend)), "agents’ reports on the plan", "is not what they sealed and chose")


def test_a_salary_told_that_is_not_the_one_paid_is_found_by_the_audit() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        machine = telling(peer.play, "pay")
        if machine is None:
            return body
        machine.says = tuple((150, (None,) * 3, says[2]) if isinstance(says, tuple) else says for says in machine.says)
        return rebody(peer)

    found_by_the_audit(table_with(cheat(bend)), "agents’ reports on the pay", "is not what they sealed and chose")


def test_pads_of_garbage_are_found_by_the_audit() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        if telling(peer.play, "pay") is None:
            return body
        told = cast(tuple[tuple[bytes, bytes], ...], body)
        return tuple((offer[:32] + bytes(len(offer) - 32) if offer else b"", sealed) for offer, sealed in told)

    found_by_the_audit(table_with(cheat(bend)), "agents’ reports on the pay", "the pads of tell")


@pytest.mark.parametrize("threshold", [0, 3, 200])
def test_pads_with_the_key_at_the_wrong_threshold_are_found_by_the_audit(threshold: int) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        machine = telling(peer.play, "pay")
        if machine is None:
            return body
        tally = machine.tells_of(CHEAT)[0][1].than
        total, blinding = peer.play.crypto.opening(tally)
        return body if total == threshold else with_opening(peer, tally, (threshold, blinding))

    found_by_the_audit(table_with(cheat(bend)), "agents’ reports on the pay", "the key above the threshold")


OPENINGS: dict[str, tuple[Callable[[int, bytes], Plain], str]] = {
    "too great a total": (lambda total, scalar: (256, scalar), "is not a total and a blinding"),
    "less than nothing": (lambda total, scalar: (-1, scalar), "is not a total and a blinding"),
    "a truth for a total": (lambda total, scalar: (True, scalar), "is not a total and a blinding"),
    "a total alone": (lambda total, scalar: (total,), "is not a total and a blinding"),
    "no scalar": (lambda total, scalar: (total, scalar[:31]), "scalar"),
    "another total": (lambda total, scalar: (total + 1, scalar), "does not match what was sealed"),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_an_opening_that_is_not_what_was_sealed_is_refused_on_the_spot(name: str) -> None:
    change, reason = OPENINGS[name]

    def bend(peer: Peer, body: Plain) -> Plain:
        if not isinstance(peer.play.ask, Open):
            return body
        (total, scalar), *others = cast("tuple[tuple[int, bytes], ...]", body)
        return (change(total, scalar), *others)

    caught_on_the_spot(table_with(cheat(bend)), reason)


@pytest.mark.parametrize("body", [(), 7], ids=repr)
def test_opening_fewer_totals_than_asked_is_refused_on_the_spot(body: Plain) -> None:
    wire = table_with(cheat(lambda peer, honest: body if isinstance(peer.play.ask, Open) else honest))
    caught_on_the_spot(wire, "it does not open")


class Adjuster(Cheat):
    """Moves otherwise than planned, whether or not it may."""

    def choose(self, plain: Plain) -> None:
        ask = self.play.ask
        if isinstance(ask, Together) and ask.topic == "move":
            plain = tuple((at, 0, 0) for at in self.state.places(CHEAT))  # type: ignore[attr-defined]
            if plain == self.play.choices[-1]:
                plain = ((6, 0, 0),) * 3
        self.force(plain)


def test_adjusting_without_the_right_to_is_found_by_the_audit() -> None:
    wire = table_with(Adjuster, [at_random(Random(1)), at_random(Random(2))])
    verdict = found_by_the_audit(wire, "move", "they chose what they had no right to: your orders stand")
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


def test_a_second_envelope_for_a_stage_that_is_over_is_refused() -> None:
    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, seat) for seat in (0, 1)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))], silent={CHEAT})
    wire.start()
    wire.run()
    honest = peers[HONEST]
    chain = honest.chains[CHEAT]
    first = honest.transcript[1]
    assert first.seat == CHEAT
    fields = {name: getattr(first, name) for name in Envelope.__dataclass_fields__}
    late = Envelope(**(fields | {"number": chain.number, "previous": chain.previous}))
    honest.receive(signed_again(late, first.body).pack())
    caught_on_the_spot(wire, "out of turn")


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


def test_talking_too_much_is_refused() -> None:
    class Chatter(Cheat):
        def say(self, text: str) -> None:
            self.sign_next(CHAT, text)

    table = signed_roster(GAME)
    peers = [peer_of(GAME, table, HONEST), peer_of(GAME, table, CHEAT, cls=Chatter)]
    wire = Wire(peers, [at_random(Random(1)), at_random(Random(2))])
    wire.start()
    for _ in range(MOST_TALK + 1):
        peers[CHEAT].say("hello")
    wire.run()
    caught_on_the_spot(wire, f"talked more than {MOST_TALK} times")


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


def test_a_result_that_the_game_did_not_have_is_refused_on_the_spot() -> None:
    class Winner(Cheat):
        def closing_body(self, closing: Closing) -> Plain:
            body = super().closing_body(closing)
            if closing.stage != CLOSE:
                return body
            places, scores, resigned = cast(tuple[tuple[int, ...], Plain, Plain], body)
            return places[::-1], scores, resigned

    caught_on_the_spot(table_with(Winner), "a result that the game did not have")


def test_a_truth_value_for_a_number_is_no_spelling_of_it() -> None:
    class Truthful(Cheat):
        def closing_body(self, closing: Closing) -> Plain:
            body = super().closing_body(closing)
            if closing.stage != CLOSE:
                return body
            places, scores, resigned = cast(tuple[tuple[int, ...], Plain, Plain], body)
            return tuple(place == 1 or place for place in places), scores, resigned

    caught_on_the_spot(table_with(Truthful), "a result that the game did not have")


def test_another_seed_at_the_audit_is_refused_on_the_spot() -> None:
    class Forgetful(Cheat):
        def closing_body(self, closing: Closing) -> Plain:
            body = super().closing_body(closing)
            return (bytes(32), ()) if closing.stage == SHOW else body

    caught_on_the_spot(table_with(Forgetful), "not the one whose hash they signed")


def test_a_false_accusation_falls_back_on_who_signs_it() -> None:
    class Accuser(Cheat):
        def judge(self) -> tuple[Deviation, ...]:
            return (Deviation(4, 0, HONEST, "it looked at me"),)

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
    assert "seat 2 (player2) has not sent the opening of the choice" in verdict.reason
    assert verdict.result is None


def test_refusing_the_audit_is_incomplete_and_the_result_stands() -> None:
    wire = table_with(silent(lambda peer: peer.closing is not None and peer.closing.stage == 1))
    verdict = judged(wire)
    assert (verdict.code, verdict.absent) == ("incomplete", (CHEAT,))
    assert "the seed and choices" in verdict.reason
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


def test_what_fails_inside_a_payload_is_nothing_and_raises_nothing() -> None:
    payloads: list[bytes] = [b"", b"\xc1", pack(None), pack((1, 2)), pack("x" * 5), bytes(6)]
    for payload in payloads:

        def bend(peer: Peer, body: Plain, payload: bytes = payload) -> Plain:
            machine = telling(peer.play, "plan")
            if machine is None:
                return body
            told = list(cast(tuple[tuple[bytes, bytes], ...], body))
            for place, (index, tell) in enumerate(machine.tells_of(CHEAT)):
                key = peer.play.crypto.given.get((tell.more, tell.than))
                if key is not None:
                    context = machine.context(0, CHEAT)
                    sealed = disclosure.seal_payload(key, tell.kind, context, index, payload, tell.size)
                    told[place] = told[place][0], sealed
            return tuple(told)

        found_by_the_audit(table_with(cheat(bend)), "agents’ reports on the plan", "is not what they sealed")
