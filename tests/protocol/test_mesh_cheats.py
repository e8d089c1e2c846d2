"""What hostile seats do with envelopes where more than two sit: out of their chain, stage or table, or too many."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.table import Plain
from kimberley.protocol.audit import verify
from kimberley.protocol.chain import MOST_EARLY, MOST_QUEUED
from kimberley.protocol.closing import CLOSE, SHOW
from kimberley.protocol.crypto import signatures
from kimberley.protocol.envelope import CLOSING, LEAVE, STAGE, Envelope
from kimberley.protocol.events import Dropped
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import BadRoster, Roster, SignedRoster
from tests.fuzz.target import mangled
from tests.support.cards import CARDS, FEW_CARDS, preferring
from tests.support.cheats import (
    Cheat,
    broadcast,
    caught_by_all,
    cheat,
    forged,
    judged,
    leaves_with,
    silent,
    waited_for,
)
from tests.support.tables import Wire, identity, seated, secret, seed, signed_roster

# -- chains and stages --------------------------------------------------------------------------------------------


def at_rest(seats: int = 3) -> Wire:
    """Returns a table that waits for the first choice of its first seat."""
    wire = seated(CARDS, seats)
    wire.run(lambda: wire.peers[0].play.topic == "bid" and wire.peers[0].play.stage == 1)
    wire.silent = {0}
    wire.run()
    return wire


CHOICE = (("roll", 0, 0),)


@pytest.mark.parametrize("seats", [3, pytest.param(6, marks=pytest.mark.slow)])
def test_leaving_some_and_playing_on_with_others_is_found_as_soon_as_these_exchange_what_they_have(seats: int) -> None:
    bodies: list[Plain] = []

    def keep(peer: Peer, body: Plain) -> Plain:
        bodies.append(peer.play.body())
        return body

    def two_faced(sender: int, receiver: int, data: bytes) -> bytes:
        envelope = Envelope.unpack(data)
        if envelope.kind != LEAVE or receiver != 2:
            return data
        return replace(envelope, kind=STAGE, body=bodies[0]).signed(partial(signatures.sign, identity(1))).pack()

    choosers = [preferring("roll") for _ in range(seats)]
    goer = leaves_with(lambda peer: peer.play.topic == "roll", keep)
    wire = seated(CARDS, seats, choosers=choosers, cheats={1: goer})
    wire.alter = two_faced
    wire.run()
    first, second = wire.peers[0], wire.peers[2]
    assert 1 in first.play.crypto.departed
    assert 1 not in second.play.crypto.departed
    for peer in wire.peers:
        assert peer.caught is None
    for envelope in second.record().envelopes:
        for peer in (first, *wire.peers[3:]):
            peer.receive(envelope.pack())
    for envelope in first.record().envelopes:
        second.receive(envelope.pack())
    caught_by_all(wire, 1, "they signed two different messages with one number")


# -- the end, too early --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [CLOSE, SHOW])
def test_asking_for_seeds_while_others_still_play_gets_none(stage: int) -> None:
    wire = at_rest()
    body: Plain = (seed(0), ()) if stage == SHOW else ((1, 2, 3), ((0,), (0,), (0,)), ())
    broadcast(wire, forged(wire.peers[1], 0, CLOSING, body, slot=(wire.peers[1].play.step, stage)))
    waited_for(wire, 0, "the choice")
    assert all(seed(seat) not in data for seat, data in wire.sent)
    broadcast(wire, forged(wire.peers[1], 0, STAGE, CHOICE))
    caught_by_all(wire, 0, "they played on after they had resigned, left or closed the game")


def test_no_seed_is_shown_before_all_have_signed_the_result_whoever_shows_first() -> None:
    wire = seated(CARDS, 3, cheats={2: silent(lambda peer: peer.closing is not None)})
    wire.run()
    closing = wire.peers[0].closing
    assert closing is not None
    for peer in wire.peers:
        if peer.seat != 1:
            peer.receive(forged(wire.peers[0], 1, CLOSING, (seed(1), ()), (closing.step, SHOW)).pack())
    wire.run()
    assert all(seed(seat) not in data for seat, data in wire.sent)
    assert wire.peers[0].waiting == (2,)
    assert judged(wire.peers[0], 2).absent == (2,)


# -- floods --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_goes_on_through_a_flood_of_what_is_none_of_it() -> None:
    rng = Random(3)
    elsewhere = seated(CARDS, 3, "elsewhere")
    elsewhere.run(lambda: len(elsewhere.sent) > 20)
    strangers = [data for _, data in elsewhere.sent]
    wire = seated(CARDS, 3)

    def flooded(sender: int, receiver: int, data: bytes) -> bytes:
        place = rng.randrange(len(data))
        broken = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
        for junk in (b"", rng.randbytes(300), broken, rng.choice(strangers), data[:place], data + b"\0"):
            wire.peers[receiver].receive(junk)
        return data

    wire.alter = flooded
    wire.run()
    assert all(peer.finished for peer in wire.peers)
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    assert judged(wire.peers[0]).code == "fair"


def chained(peer: Peer, seat: int, count: int, kind: int, body: Plain) -> list[Envelope]:
    """Returns envelopes that follow one another, for a stage that never comes."""
    made = [forged(peer, seat, kind, body, (99, 0))]
    while len(made) < count:
        after = replace(made[-1], number=made[-1].number + 1, previous=made[-1].hash)
        made.append(after.signed(partial(signatures.sign, identity(seat))))
    return made


def test_a_flood_of_signed_envelopes_is_kept_within_bounds_and_holds_nobody_up() -> None:
    wire = at_rest()
    wire.alter = lambda sender, receiver, data: None if sender == 2 else data
    flood = [envelope.pack() for envelope in chained(wire.peers[1], 2, MOST_QUEUED + 50, STAGE, CHOICE)]
    for peer in wire.peers[:2]:
        assert sum(map(peer.receive, flood)) == MOST_QUEUED + MOST_EARLY
    wire.silent = set()
    wire.peers[0].choose(CHOICE[0])
    wire.run()
    for peer in wire.peers[:2]:
        assert (peer.caught, peer.waiting) == (None, (2,))


def test_a_flood_of_envelopes_whose_predecessors_never_come_is_kept_within_bounds() -> None:
    wire = at_rest()
    _, *early = chained(wire.peers[1], 2, MOST_EARLY + 50, STAGE, CHOICE)
    assert sum(wire.peers[0].receive(envelope.pack()) for envelope in early) == MOST_EARLY
    assert wire.peers[0].caught is None


# -- anything at all -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.sampled_from((3, 4)), st.integers(0, 30), st.integers(0, 2**32), st.booleans(), st.booleans())
def test_whatever_a_seat_signs_it_alone_is_named(seats: int, number: int, salt: int, goes: bool, leaves: bool) -> None:
    """One seat changes anything in one envelope, and it or another may leave; nothing raises."""
    rng = Random(salt)

    class Mangling(Cheat):
        def sign_next(self, kind: int, body: Plain) -> None:
            chosen = self.chains[1].number == number or kind == LEAVE
            super().sign_next(kind, mangled(body, rng) if chosen else body)

    wire = seated(FEW_CARDS, seats, cheats={1: Mangling}, order=rng)
    wire.run(lambda: len(wire.sent) >= rng.randrange(20 * seats))
    if goes:
        wire.peers[1].resign()
    if leaves:
        wire.peers[0].resign()
    wire.run()
    for peer in wire.peers:
        if peer.seat == 1:
            continue
        assert peer.caught is None or peer.caught.seat == 1
        assert peer.caught is not None or peer.finished or peer.waiting == (1,)
        judged(peer, 1)


@pytest.mark.parametrize("body", [(), (CHOICE[0], CHOICE[0]), 7], ids=repr)
def test_a_decision_that_is_not_one_choice_is_refused_on_the_spot(body: Plain) -> None:
    def bend(peer: Peer, honest: Plain) -> Plain:
        return body if peer.play.topic == "act" else honest

    wire = seated(CARDS, 3, cheats={0: cheat(bend)})
    wire.run()
    caught_by_all(wire, 0, "it is not one choice")


# -- the roster ----------------------------------------------------------------------------------------------------


def test_a_roster_shown_differently_to_two_joiners_is_no_table() -> None:
    """The host shows each joiner another third seat. Each signs what it saw; no table can be made of that."""
    true, false = (signed_roster(CARDS, 3, salt).roster for salt in ("", "b"))
    shown = Roster(true.game, true.rules, true.options, (*true.seats[:2], false.seats[2]))
    nonces = tuple(secret(f"nonce {seat} ") for seat in range(3))

    def sign(roster: Roster, seat: int) -> bytes:
        return roster.signature(partial(signatures.sign, identity(seat)))

    for roster, stranger in ((true, 2), (shown, 1)):
        signed = [sign(roster, seat) for seat in range(3)]
        signed[stranger] = sign(shown if roster is true else true, stranger)
        table = SignedRoster(roster, tuple(signed), nonces)
        with pytest.raises(BadRoster, match=f"seat {stranger + 1} has not signed this roster"):
            table.check()
        assert verify(Peer(CARDS, table, None).record().pack(), lambda _: CARDS).code == "damaged"


def test_two_rosters_that_the_host_signed_share_neither_words_nor_envelopes() -> None:
    one, other = signed_roster(CARDS, 3, "one"), signed_roster(CARDS, 3, "two")
    assert one.phrase != other.phrase
    assert one.game_id != other.game_id
    there = seated(CARDS, 3, "two")
    there.run(lambda: len(there.sent) > 30)
    wire = seated(CARDS, 3, "one")
    for _, data in there.sent:
        wire.peers[1].receive(data)
    assert {event.reason for event in wire.peers[1].take() if isinstance(event, Dropped)} == {
        "an envelope of another table"
    }
    wire.run()
    assert wire.peers[1].caught is None
