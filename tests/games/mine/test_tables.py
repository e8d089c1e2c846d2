"""Whole tables of Diamond Mine in memory: fair games, seats that cheat, seats that go, and veins that stay shut."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import cast

import pytest

from kimberley.games.mine import GAME
from kimberley.games.mine.rules import COLOR, State
from kimberley.games.table import HIDDEN, Decide, Plain, Roll, Show, Shuffle, Together
from kimberley.protocol.asks.base import CryptoContext
from kimberley.protocol.audit import verify
from kimberley.protocol.crypto import elgamal, shares
from kimberley.protocol.crypto.elgamal import BAG, Pair, SeatKey
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Answered, Dropped
from kimberley.protocol.peer import Peer
from tests.support.cheats import Cheat, caught_by_all, cheat, judged, leaver, silent, waited_for
from tests.support.effort import first_is_quick, spread
from tests.support.tables import Wire, by_bots, seated, seed, whole_story

fewest_are_quick = pytest.mark.parametrize("seats", first_is_quick(*GAME.seats))
WHO = 1


def table(seats: int, cheats: dict[int, type[Peer]] | None = None) -> Wire:
    """Returns a table of quick bots, played as far as it goes: the same game until somebody cheats or goes."""
    wire = seated(GAME, seats, choosers=by_bots(GAME, seats), cheats=cheats)
    wire.run()
    return wire


@cache
def honest_table(seats: int) -> Wire:
    """Returns the game of `table` without cheats, for tests that only look at it."""
    return table(seats)


def opened(wire: Wire) -> int:
    """Returns how many veins have been opened at a table."""
    return sum(cast(State, wire.peers[-1].state).mine.opened)


# -- fair games --------------------------------------------------------------------------------------------------------


@fewest_are_quick
def test_a_whole_game_is_played_closed_and_fair(seats: int) -> None:
    wire = honest_table(seats)
    assert all(peer.finished for peer in wire.peers)
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    assert not [event for _, event in wire.events if isinstance(event, Dropped)]
    verdict = verify(wire.peers[0].record().pack(), lambda _: GAME)
    assert (verdict.code, verdict.result) == ("fair", wire.peers[0].result)
    kinds = {type(ask) for ask, _ in wire.peers[0].story}
    assert kinds == {Shuffle, Show, Roll, Together, Decide}
    assert opened(wire) >= 6


@fewest_are_quick
def test_a_gem_is_known_to_all_from_when_its_vein_is_opened_and_to_nobody_before(seats: int) -> None:
    wire = honest_table(seats)
    for _, event in wire.events:
        if isinstance(event, Answered):
            state = cast(State, event.state)
            mine = state.mine
            open_gems = {gem for nest, seen in enumerate(mine.opened) if seen for gem in (nest, mine.each + nest)}
            for item in state.items:
                assert (item.parts[COLOR] is not HIDDEN) == (item.handle in open_gems)


@fewest_are_quick
def test_gems_that_were_never_drawn_are_seen_at_the_audit(seats: int) -> None:
    wire = honest_table(seats)
    state = GAME.start(seats, {})
    for ask, answer in whole_story(wire.peers[0]):
        assert state.ask() == ask
        state = state.apply(answer)
    assert state.ask() == wire.peers[0].result
    for size in (state.items[: state.mine.each], state.items[state.mine.each :]):
        assert sorted(item.parts for item in size) == [(color,) for color in range(4) for _ in range(5)]


# -- veins that nobody has opened --------------------------------------------------------------------------------------


def keys_of(crypto: CryptoContext) -> list[int]:
    """Returns the secret bag keys of all seats, which only a test can know."""
    return [
        SeatKey.derive(crypto.group, seed(seat), crypto.context(0, 0, seat), BAG).secret for seat in range(crypto.seats)
    ]


def shares_of(crypto: CryptoContext, keys: list[int], pair: Pair) -> list[bytes]:
    return [shares.open_share(crypto.group, key, [pair])[0] for key in keys]


@fewest_are_quick
def test_no_coalition_short_of_all_seats_can_open_a_vein(seats: int) -> None:
    wire = seated(GAME, seats, choosers=by_bots(GAME, seats))
    wire.run(lambda: cast(State, wire.peers[0].state).phase == "cards")
    peer = wire.peers[0]
    crypto, state = peer.play.crypto, cast(State, peer.state)
    assert not any(state.mine.opened)
    keys = keys_of(crypto)
    colors = crypto.values[COLOR]
    for gem in (gem for gems in state.mine.inside for gem in gems):
        assert state.color(gem) is HIDDEN
        pair = crypto.items[gem][COLOR]
        points = shares_of(crypto, keys, pair)
        for number in range(seats):
            for coalition in combinations(points, number):
                assert elgamal.plaintext(crypto.group, pair, coalition) not in colors
        assert elgamal.plaintext(crypto.group, pair, points) in colors


@fewest_are_quick
def test_nothing_that_was_sent_before_a_landing_opens_the_vein(seats: int) -> None:
    """Not even by any points that were on the wire: no share of a gem is out before its vein is shown."""
    wire = seated(GAME, seats, choosers=by_bots(GAME, seats))
    wire.run(lambda: isinstance(wire.peers[0].play.ask, Show))
    crypto, state = wire.peers[0].play.crypto, cast(State, wire.peers[0].state)
    keys = keys_of(crypto)
    before = b"".join(data for _, data in wire.sent if Envelope.unpack(data).step < wire.peers[0].play.step)
    assert len(before) > 10_000
    for gem in (gem for gems in state.mine.inside for gem in gems):
        for share in shares_of(crypto, keys, crypto.items[gem][COLOR]):
            assert share not in before


@fewest_are_quick
def test_all_but_one_who_refuses_its_share_cannot_open_a_vein_by_waiting(seats: int) -> None:
    stopped = silent(lambda peer: isinstance(peer.play.ask, Show))
    wire = table(seats, {WHO: stopped})
    waited_for(wire, WHO, "the shares of what is shown")
    assert opened(wire) == 0


# -- seats that cheat --------------------------------------------------------------------------------------------------


def cheating(seats: int, topic: str, bend: Callable[[Peer, Plain], Plain]) -> Wire:
    """Returns a table at which one seat bends the first body that it gives to a topic."""
    bent: list[int] = []

    def once(peer: Peer, body: Plain) -> Plain:
        if peer.play.topic != topic or bent:
            return body
        bent.append(peer.play.step)
        return bend(peer, body)

    wire = table(seats, {WHO: cheat(once)})
    assert bent, f"nothing was bent: there was no {topic}"
    return wire


def other_choice(seats: int, topic: str, choice: Plain) -> Wire:
    """Returns a table at which one seat chooses, once, what the rules forbid."""

    class Lawless(Cheat):
        def choose(self, plain: Plain) -> None:
            if self.play.topic == topic:
                self.force(choice)
            else:
                super().choose(plain)

    return table(seats, {WHO: Lawless})


@pytest.mark.parametrize(
    ("topic", "choice", "reason"),
    [
        ("placing", 63, "you cannot place a nest on a home"),
        ("placing", True, "a nest is placed on a square"),
        ("move", (0, (), ()), "in a straight line"),
        ("move", None, "expected a square"),
        ("take", (0, 1, 2, 3), "each once, in ascending order"),
        ("take", "all", "expected the gems to take"),
    ],
)
def test_who_chooses_what_the_rules_forbid_is_refused_on_the_spot(topic: str, choice: Plain, reason: str) -> None:
    caught_by_all(other_choice(2, topic, choice), WHO, reason)


@pytest.mark.parametrize("card", [(4, False), (0, True), (2, 1), 2])
def test_a_card_that_is_none_is_refused_when_it_is_shown(card: Plain) -> None:
    caught_by_all(other_choice(2, "card", card), WHO, "card")


@fewest_are_quick
def test_a_share_that_shows_another_color_is_refused_on_the_spot(seats: int) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        to_all, mail = cast(tuple[bytes, Plain], body)
        return to_all[32:64] + to_all[:32] + to_all[64:], mail

    wire = cheating(seats, "show", bend)
    caught_by_all(wire, WHO, "their shares are not those that their bag key fixes")
    assert opened(wire) == 0


# -- seats that go -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("topic", spread(2, ["card", "take", "move", "placing"]))
def test_one_of_four_leaves_and_the_others_play_to_a_fair_end(topic: str) -> None:
    goer = leaver(lambda peer: peer.play.topic == topic and peer.play.step > 5)
    wire = table(4, {WHO: goer})
    others = [peer for peer in wire.peers if peer.seat != WHO]
    assert all(peer.finished for peer in others)
    state = cast(State, wire.peers[-1].state)
    assert state.present == (True, False, True, True)
    assert state.mine.pawns[WHO] is None
    verdict = judged(others[0])
    assert (verdict.code, verdict.result) == ("fair", others[0].result)
    assert others[0].result is not None
    assert others[0].result.places[WHO] == 4


@pytest.mark.slow
def test_two_of_four_leave_and_the_last_two_end_it_when_one_resigns() -> None:
    going: dict[int, type[Peer]] = {
        0: leaver(lambda peer: peer.play.step > 14),
        2: leaver(lambda peer: peer.play.step > 22),
    }
    wire = seated(GAME, 4, choosers=by_bots(GAME, 4), cheats=going)
    wire.run(lambda: wire.peers[WHO].play.step > 40)
    wire.peers[3].resign()
    wire.run()
    assert_won_by(wire, WHO)
    assert cast(State, wire.peers[WHO].state).present == (False, True, False, True)


def test_of_two_whoever_resigns_loses() -> None:
    wire = seated(GAME, 2, choosers=by_bots(GAME, 2))
    wire.run(lambda: wire.peers[0].play.step > 20)
    wire.peers[WHO].resign()
    wire.run()
    assert_won_by(wire, 0)


def assert_won_by(wire: Wire, winner: int) -> None:
    stayed = wire.peers[winner]
    assert stayed.finished
    assert stayed.result is not None
    assert stayed.result.winners == (winner,)
    assert judged(stayed).code == "fair"


# -- what it costs -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_turn_takes_as_few_envelopes_as_it_can() -> None:
    """A round of four: two from each for the cards, one for each move, four to open a vein, one to take from it."""
    wire = honest_table(4)
    story = wire.peers[-1].story
    sent = [Envelope.unpack(data) for _, data in wire.sent]
    for step, (ask, _) in enumerate(story, 1):
        count = sum(envelope.step == step for envelope in sent)
        assert count == {Together: 8, Decide: 1, Show: 4, Shuffle: 4, Roll: 4}[type(ask)]
