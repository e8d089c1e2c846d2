"""Every cheat with bags, at tables of three and six, ends with the seat named, or waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

import pytest

from kimberley.games.table import Game, Plain
from kimberley.protocol.asks.base import Machine
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.closing import SHOW
from kimberley.protocol.crypto import elgamal, shares, shuffle
from kimberley.protocol.crypto.elgamal import Item, Pair
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.crypto.shuffle import Shuffled
from kimberley.protocol.envelope import STAGE, Envelope
from kimberley.protocol.events import Dropped
from kimberley.protocol.peer import Peer
from tests.support.cards import CARDS, FEW_CARDS, SUIT, VALUE, preferring
from tests.support.cheats import (
    Bend,
    broadcast,
    caught_by_all,
    cheat,
    forged,
    judged,
    signed_again,
    silent,
    waited_for,
)
from tests.support.effort import tries
from tests.support.tables import Wire, seated, secret

pytestmark = pytest.mark.slow

OTHER_SEED = secret("another seed")
BAD_SHUFFLE = "their shuffle does not prove that it changed only the order and the masks"
BAD_SHARES = "their shares are not those that their bag key fixes"
BAD_MAIL = "their separate shares for seat"
M = TypeVar("M", bound=Machine)

sizes = pytest.mark.parametrize(("seats", "who"), tries([(3, 1)], [(3, 1), (6, 5)]))


def table_with(
    bend: Bend,
    topic: str,
    seats: int = 3,
    who: int = 1,
    acts: Sequence[str] = ("draw", "peek", "show"),
    game: Game = FEW_CARDS,
) -> Wire:
    """Returns a table at which one seat bends the first body that it gives to this topic, played as far as it goes.

    `acts` are what each seat would like to do first.
    """
    bent: list[int] = []

    def once(peer: Peer, body: Plain) -> Plain:
        if peer.play.topic != topic or bent:
            return body
        other = bend(peer, body)
        if other != body:
            bent.append(peer.play.step)
        return other

    choosers = [preferring(*acts) for _ in range(seats)]
    wire = seated(game, seats, choosers=choosers, cheats={who: cheat(once)})
    wire.run()
    assert bent, f"nothing was bent: there was no {topic}"
    return wire


def machine_of(peer: Peer, kind: type[M]) -> M:
    machine = peer.play.machine
    assert isinstance(machine, kind)
    return machine


def here(peer: Peer) -> Context:
    return peer.play.context(cast(int, peer.seat))


# -- shuffles ------------------------------------------------------------------------------------------------------


def shuffled(peer: Peer, items: Sequence[Item] | None = None, where: Context | None = None) -> tuple[Shuffled, bytes]:
    """Returns a shuffle of these items, with a proof that is good for them in this place; not the one that the seed
    gives.
    """
    machine, context = machine_of(peer, ShuffleMachine), where or here(peer)
    given = machine.items if items is None else items
    made = shuffle.shuffle(RISTRETTO, OTHER_SEED, context, machine.bag, machine.key, given)
    return made, shuffle.prove(RISTRETTO, OTHER_SEED, context, machine.bag, machine.key, given, made)


def test_ones_own_shuffle_of_an_earlier_step_is_refused_on_the_spot() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        mine = [e.body for e in peer.transcript if e.seat == 1 and isinstance(e.body, tuple) and len(e.body) == 2]
        return mine[0] if peer.play.step > 1 else body

    wire = table_with(bend, "shuffle", acts=("draw", "return", "draw"), game=CARDS)
    caught_by_all(wire, 1, BAD_SHUFFLE)
    assert wire.peers[0].caught is not None
    assert wire.peers[0].caught.step > 1


# -- what is shown -------------------------------------------------------------------------------------------------


def shown(peer: Peer, change: Callable[[bytes, list[tuple[int, bytes]]], Plain], body: Plain) -> Plain:
    """Returns what comes of shares for all and of shares for one seat alone, if there are both."""
    to_all, mail = cast(tuple[bytes, tuple[tuple[int, bytes], ...]], body)
    return change(to_all, list(mail)) if to_all and mail else body


def pairs_of(peer: Peer, part: int, item: int | None = None) -> list[Pair]:
    """Returns a part of the item that is shown, or of another."""
    machine = machine_of(peer, ShowMachine)
    return [peer.play.crypto.items[machine.ask.items[0] if item is None else item][part]]


def bag_key(peer: Peer) -> int:
    return peer.play.crypto.bag_key.secret


def share_of(peer: Peer, key: int, pairs: list[Pair], where: Context | None = None) -> bytes:
    return shares.share(RISTRETTO, OTHER_SEED, where or here(peer), key, pairs)


@sizes
def test_shares_that_nobody_asked_for_are_refused_on_the_spot(seats: int, who: int) -> None:
    wire = seated(CARDS, seats)
    wire.run(lambda: wire.peers[0].play.topic == "bid" and wire.peers[0].play.stage == 1)
    wire.silent = {0}
    wire.run()
    hostile = wire.peers[who]
    assert (hostile.play.topic, hostile.waiting) == ("act", (0,))
    pairs = [hostile.play.crypto.items[0][VALUE]]
    broadcast(wire, forged(wire.peers[0], who, STAGE, (share_of(hostile, bag_key(hostile), pairs), ())))
    caught_by_all(wire, who, "they signed a message out of turn")


def test_shares_with_other_nonces_are_found_by_the_audit_and_name_both() -> None:
    """Deviations in one stage name every seat concerned."""

    def bend(peer: Peer, body: Plain) -> Plain:
        if peer.play.topic != "show":
            return body
        return shown(peer, lambda _, mail: (share_of(peer, bag_key(peer), pairs_of(peer, SUIT)), tuple(mail)), body)

    kind = cheat(bend)
    wire = seated(CARDS, 4, choosers=[preferring("draw") for _ in range(4)], cheats={1: kind, 3: kind})
    wire.run()
    for honest in (0, 2, 4):
        verdict = judged(wire.peers[honest], 1, 3)
        assert (verdict.code, verdict.seats) == ("unfair", (1, 3))
        assert verdict.reason.count("their shares of what is shown are not those that their seed gives") == 2


# -- silence -------------------------------------------------------------------------------------------------------


@sizes
@pytest.mark.parametrize(
    ("topic", "stage", "owed"),
    [
        ("the keys", 0, "the keys"),
        ("shuffle", None, "the shuffle"),
        ("bid", 0, "the choice"),
        ("bid", 1, "the opening of the choice"),
        ("act", 0, "the choice"),
        ("show", 0, "the shares of what is shown"),
        ("roll", 0, "the share of the roll"),
    ],
)
def test_who_is_silent_is_the_one_waited_for(topic: str, stage: int | None, owed: str, seats: int, who: int) -> None:
    def when(peer: Peer) -> bool:
        return peer.play.topic == topic and stage in (None, peer.play.stage) and who in peer.play.owing

    choosers = [preferring("draw", "roll") for _ in range(seats)]
    wire = seated(CARDS, seats, choosers=choosers, cheats={who: silent(when)})
    wire.run()
    verdict = waited_for(wire, who, owed)
    assert verdict.result is None
    assert f"seat {who + 1} (player{who + 1})" in verdict.reason


def test_the_result_stands_though_one_seat_refuses_the_audit() -> None:
    wire = seated(CARDS, 3, cheats={2: silent(lambda peer: peer.closing is not None and peer.closing.stage == SHOW)})
    wire.run()
    verdict = waited_for(wire, 2, "the seed and choices")
    assert verdict.result == wire.peers[0].result is not None


# -- two faces -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("topic", ["shuffle", "show"])
def test_two_bodies_sent_to_two_peers_are_found_as_soon_as_these_exchange_what_they_have(
    topic: str, seats: int
) -> None:
    others: dict[tuple[int, int], Plain] = {}

    def bend(peer: Peer, body: Plain) -> Plain:
        if peer.play.topic == topic and not others:
            made: Plain = body
            if topic == "shuffle":
                again, proof = shuffled(peer)
                made = elgamal.encode_items(again.items), proof
            else:
                _, mail = cast(tuple[bytes, Plain], body)
                made = share_of(peer, bag_key(peer), pairs_of(peer, SUIT)), mail
            others[peer.slot] = made
        return body

    def two_faced(sender: int, receiver: int, data: bytes) -> bytes:
        envelope = Envelope.unpack(data)
        if sender == 1 and receiver == 2 and envelope.slot in others:
            return signed_again(envelope, others[envelope.slot]).pack()
        return data

    wire = seated(CARDS, seats, choosers=[preferring("draw") for _ in range(seats)], cheats={1: cheat(bend)})
    wire.alter = two_faced
    wire.run()
    assert others
    first, second, spectator = wire.peers[0], wire.peers[2], wire.peers[-1]
    assert first.head == spectator.head != second.head
    dropped = [event.reason for index, event in wire.events if isinstance(event, Dropped) and index in (0, 2)]
    assert any("different transcript" in reason or "does not follow" in reason for reason in dropped)
    for peer in (first, second, spectator):
        assert peer.caught is None
        assert judged(peer, *range(seats)).code != "unfair"
    for envelope in first.record().envelopes:
        second.receive(envelope.pack())
    for envelope in second.record().envelopes:
        for peer in (first, spectator, *wire.peers[3:]):
            peer.receive(envelope.pack())
    caught_by_all(wire, 1, "they signed two different messages with one number")
    assert {len(peer.record().evidence) for peer in (first, second, spectator)} == {1}
