"""Every cheat with bags, at tables of three and six, ends with the seat named, or with the one that is waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar, cast

import pytest

from kimberley.games.table import Game, Plain
from kimberley.protocol.asks.base import Machine
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.closing import SHOW
from kimberley.protocol.crypto import coin, elgamal, shares, shuffle
from kimberley.protocol.crypto.elgamal import Item, Pair
from kimberley.protocol.crypto.group import POINT_SIZE
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
    found_by_the_audit,
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
    """A table at which one seat bends the first body that it gives to this topic, played as far as it goes.

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


ELSEWHERE: dict[str, Callable[[Context], Context]] = {
    "another game": lambda where: replace(where, game=bytes(32)),
    "another step": lambda where: replace(where, step=where.step + 1),
    "another stage": lambda where: replace(where, stage=where.stage + 1),
    "another seat": lambda where: replace(where, seat=where.seat - 1),
}
elsewhere = pytest.mark.parametrize("where", ELSEWHERE.values(), ids=list(ELSEWHERE))


# -- shuffles ------------------------------------------------------------------------------------------------------


def shuffled(peer: Peer, items: Sequence[Item] | None = None, where: Context | None = None) -> tuple[Shuffled, bytes]:
    """A shuffle of these items, with a proof that is good for them in this place; not the one that the seed gives."""
    machine, context = machine_of(peer, ShuffleMachine), where or here(peer)
    given = machine.items if items is None else items
    made = shuffle.shuffle(RISTRETTO, OTHER_SEED, context, machine.bag, machine.key, given)
    return made, shuffle.prove(RISTRETTO, OTHER_SEED, context, machine.bag, machine.key, given, made)


def moved(peer: Peer, change: Callable[[list[Item]], None], proven: bool) -> Plain:
    """The items of a shuffle with something changed; the proof is made before, or after as well as it can be."""
    machine = machine_of(peer, ShuffleMachine)
    made, proof = shuffled(peer)
    items = list(made.items)
    change(items)
    if proven:
        bent = Shuffled(tuple(items), made.order, made.masks)
        proof = shuffle.prove(RISTRETTO, OTHER_SEED, here(peer), machine.bag, machine.key, machine.items, bent)
    return elgamal.encode_items(items), proof


def doubled(items: list[Item]) -> None:
    items[0] = items[1]


def swapped(items: list[Item]) -> None:
    items[0], items[1] = items[1], items[0]


def parts_mixed(items: list[Item]) -> None:
    items[0], items[1] = (items[0][SUIT], items[1][VALUE]), (items[1][SUIT], items[0][VALUE])


def remasked(items: list[Item]) -> None:
    (a, b), value = items[0]
    items[0] = (RISTRETTO.add(a, RISTRETTO.base(3)), b), value


def other_value(items: list[Item]) -> None:
    a, b = items[0][VALUE]
    items[0] = items[0][SUIT], (a, RISTRETTO.add(b, RISTRETTO.base(9)))


def halves_exchanged(items: list[Item]) -> None:
    (a, b), value = items[0]
    items[0] = (b, a), value


@sizes
@pytest.mark.parametrize("proven", [False, True], ids=["proof before", "proof after"])
@pytest.mark.parametrize("change", [doubled, swapped, parts_mixed, remasked, other_value, halves_exchanged])
def test_items_changed_in_a_shuffle_are_refused_on_the_spot(
    change: Callable[[list[Item]], None], proven: bool, seats: int, who: int
) -> None:
    caught_by_all(table_with(lambda peer, body: moved(peer, change, proven), "shuffle", seats, who), who, BAD_SHUFFLE)


@sizes
@pytest.mark.parametrize(
    "take",
    [
        lambda items: items[1:],
        lambda items: (items[0], *items),
        lambda items: (items[0], items[0], *items[2:]),
        lambda items: items[:1],
        lambda items: tuple(item[:1] for item in items),
        lambda items: tuple((*item, item[0]) for item in items),
    ],
    ids=["one dropped", "one more", "one doubled", "all but one dropped", "a part dropped", "a part more"],
)
def test_a_sound_shuffle_of_other_items_is_refused_on_the_spot(
    take: Callable[[tuple[Item, ...]], tuple[Item, ...]], seats: int, who: int
) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        made, proof = shuffled(peer, take(machine_of(peer, ShuffleMachine).items))
        return elgamal.encode_items(made.items), proof

    caught_by_all(table_with(bend, "shuffle", seats, who), who, BAD_SHUFFLE)


@elsewhere
def test_a_shuffle_proven_in_another_place_is_refused_on_the_spot(where: Callable[[Context], Context]) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        made, proof = shuffled(peer, where=where(here(peer)))
        return elgamal.encode_items(made.items), proof

    caught_by_all(table_with(bend, "shuffle"), 1, BAD_SHUFFLE)


def test_the_shuffle_of_the_seat_before_is_refused_on_the_spot() -> None:
    caught_by_all(table_with(lambda peer, body: peer.transcript[-1].body, "shuffle"), 1, BAD_SHUFFLE)


def test_ones_own_shuffle_of_an_earlier_step_is_refused_on_the_spot() -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        mine = [e.body for e in peer.transcript if e.seat == 1 and isinstance(e.body, tuple) and len(e.body) == 2]
        return mine[0] if peer.play.step > 1 else body

    wire = table_with(bend, "shuffle", acts=("draw", "return", "draw"), game=CARDS)
    caught_by_all(wire, 1, BAD_SHUFFLE)
    assert wire.peers[0].caught is not None
    assert wire.peers[0].caught.step > 1


@sizes
def test_a_sound_shuffle_that_is_not_of_its_seed_is_found_by_the_audit(seats: int, who: int) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        made, proof = shuffled(peer)
        return elgamal.encode_items(made.items), proof

    wire = table_with(bend, "shuffle", seats, who)
    verdict = found_by_the_audit(wire, who, "their shuffle is not the one that their seed gives (shuffle)")
    assert (verdict.step, verdict.stage) == (1, who)


# -- what is shown -------------------------------------------------------------------------------------------------


def shown(peer: Peer, change: Callable[[bytes, list[tuple[int, bytes]]], Plain], body: Plain) -> Plain:
    """What comes of shares for all and of shares for one seat alone, if there are both."""
    to_all, mail = cast(tuple[bytes, tuple[tuple[int, bytes], ...]], body)
    return change(to_all, list(mail)) if to_all and mail else body


def pairs_of(peer: Peer, part: int, item: int | None = None) -> list[Pair]:
    """A part of the item that is shown, or of another."""
    machine = machine_of(peer, ShowMachine)
    return [peer.play.crypto.items[machine.ask.items[0] if item is None else item][part]]


def other_item(peer: Peer) -> int:
    shown_now = machine_of(peer, ShowMachine).ask.items
    return next(item for item in range(len(peer.play.crypto.items)) if item not in shown_now)


def bag_key(peer: Peer) -> int:
    return peer.play.crypto.bag_key.secret


def share_of(peer: Peer, key: int, pairs: list[Pair], where: Context | None = None) -> bytes:
    return shares.share(RISTRETTO, OTHER_SEED, where or here(peer), key, pairs)


def mail_of(peer: Peer, to: int, key: int, pairs: list[Pair], where: Context | None = None) -> bytes:
    mailbox = peer.play.crypto.public_keys[to].mailbox
    return shares.mail(RISTRETTO, OTHER_SEED, where or here(peer), key, mailbox, pairs)


ShareBend = Callable[[Peer, bytes], bytes]
WRONG_SHARES: dict[str, ShareBend] = {
    "of another key": lambda peer, honest: share_of(peer, bag_key(peer) + 1, pairs_of(peer, SUIT)),
    "of another item": lambda peer, honest: share_of(peer, bag_key(peer), pairs_of(peer, SUIT, other_item(peer))),
    "of another part": lambda peer, honest: share_of(peer, bag_key(peer), pairs_of(peer, VALUE)),
    "of more than was asked": lambda peer, honest: share_of(
        peer, bag_key(peer), pairs_of(peer, SUIT) + pairs_of(peer, VALUE)
    ),
    "another point": lambda peer, honest: RISTRETTO.base(7) + honest[POINT_SIZE:],
    "none": lambda peer, honest: b"",
    "zeros": lambda peer, honest: bytes(len(honest)),
    "of the coin key": lambda peer, honest: share_of(peer, peer.play.crypto.coin_key.secret, pairs_of(peer, SUIT)),
}


@sizes
@pytest.mark.parametrize("wrong", WRONG_SHARES.values(), ids=list(WRONG_SHARES))
def test_wrong_shares_for_all_are_refused_on_the_spot(wrong: ShareBend, seats: int, who: int) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        return shown(peer, lambda to_all, mail: (wrong(peer, to_all), tuple(mail)), body)

    caught_by_all(table_with(bend, "show", seats, who), who, BAD_SHARES)


@elsewhere
def test_shares_proven_in_another_place_are_refused_on_the_spot(where: Callable[[Context], Context]) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        replayed = share_of(peer, bag_key(peer), pairs_of(peer, SUIT), where(here(peer)))
        return shown(peer, lambda _, mail: (replayed, tuple(mail)), body)

    caught_by_all(table_with(bend, "show"), 1, BAD_SHARES)


def test_the_shares_of_an_earlier_step_are_refused_on_the_spot() -> None:
    kept: list[bytes] = []

    def bend(peer: Peer, body: Plain) -> Plain:
        def change(to_all: bytes, mail: list[tuple[int, bytes]]) -> Plain:
            kept.append(to_all)
            return kept[0], tuple(mail)

        return shown(peer, change, body)

    caught_by_all(table_with(bend, "show"), 1, BAD_SHARES)


MailBend = Callable[[Peer, int, bytes], bytes]


def shifted(place: int, honest: bytes) -> bytes:
    """A mail in which one point is another; 0 is E, 1 is F."""
    start = place * POINT_SIZE
    point = RISTRETTO.add(honest[start : start + POINT_SIZE], RISTRETTO.base(1))
    return honest[:start] + point + honest[start + POINT_SIZE :]


WRONG_MAIL: dict[str, MailBend] = {
    "decrypts to another point": lambda peer, to, honest: shifted(1, honest),
    "under another mask": lambda peer, to, honest: shifted(0, honest),
    "of another key": lambda peer, to, honest: mail_of(peer, to, bag_key(peer) + 1, pairs_of(peer, VALUE)),
    "of another item": lambda peer, to, honest: mail_of(
        peer, to, bag_key(peer), pairs_of(peer, VALUE, other_item(peer))
    ),
    "of another part": lambda peer, to, honest: mail_of(peer, to, bag_key(peer), pairs_of(peer, SUIT)),
    "for another mailbox": lambda peer, to, honest: mail_of(peer, 2, bag_key(peer), pairs_of(peer, VALUE)),
    "of more than was asked": lambda peer, to, honest: mail_of(
        peer, to, bag_key(peer), pairs_of(peer, VALUE) + pairs_of(peer, SUIT)
    ),
    "in the clear": lambda peer, to, honest: share_of(peer, bag_key(peer), pairs_of(peer, VALUE)),
    "none": lambda peer, to, honest: b"",
    "zeros": lambda peer, to, honest: bytes(len(honest)),
}


@sizes
@pytest.mark.parametrize("wrong", WRONG_MAIL.values(), ids=list(WRONG_MAIL))
def test_a_mailed_share_that_is_another_is_refused_before_anybody_opens_it(
    wrong: MailBend, seats: int, who: int
) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        return shown(peer, lambda to_all, mail: (to_all, tuple((to, wrong(peer, to, m)) for to, m in mail)), body)

    wire = table_with(bend, "show", seats, who)
    caught_by_all(wire, who, BAD_MAIL)
    assert wire.peers[0].caught is not None
    assert "their separate shares for seat 1" in wire.peers[0].caught.reason


@elsewhere
def test_mail_proven_in_another_place_is_refused_on_the_spot(where: Callable[[Context], Context]) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        def change(to_all: bytes, mail: list[tuple[int, bytes]]) -> Plain:
            to = mail[0][0]
            return to_all, ((to, mail_of(peer, to, bag_key(peer), pairs_of(peer, VALUE), where(here(peer)))),)

        return shown(peer, change, body)

    caught_by_all(table_with(bend, "show"), 1, BAD_MAIL)


ADDRESSES: dict[str, Callable[[list[tuple[int, bytes]]], Plain]] = {
    "to nobody": lambda mail: (),
    "to another": lambda mail: ((2, mail[0][1]),),
    "to a friend, too": lambda mail: (*mail, (2, mail[0][1])),
    "twice": lambda mail: (*mail, *mail),
    "to true": lambda mail: ((True, mail[0][1]),),
    "to no seat": lambda mail: ((-1, mail[0][1]),),
    "as text": lambda mail: (("0", mail[0][1]),),
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=list(ADDRESSES))
def test_mail_to_others_than_those_to_be_shown_is_refused_on_the_spot(
    address: Callable[[list[tuple[int, bytes]]], Plain],
) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        return shown(peer, lambda to_all, mail: (to_all, address(mail)), body)

    caught_by_all(table_with(bend, "show"), 1, "separate shares")


def test_showing_to_all_what_is_for_one_is_refused_on_the_spot() -> None:
    """A peek is for one seat alone: shares for all were not asked."""

    def bend(peer: Peer, body: Plain) -> Plain:
        to_all, mail = cast(tuple[bytes, Plain], body)
        return body if to_all else (share_of(peer, bag_key(peer), pairs_of(peer, VALUE)), mail)

    caught_by_all(table_with(bend, "show"), 1, BAD_SHARES)


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


@pytest.mark.parametrize(
    "body",
    [
        (),
        7,
        b"",
        (b"",),
        (b"", b""),
        ((), ()),
        (b"", ((),)),
        (b"", (b"",)),
        (b"", ((0,),)),
        ("", ""),
        (None, None),
    ],
)
@pytest.mark.parametrize("topic", ["shuffle", "show", "roll"])
def test_a_body_of_any_other_shape_is_refused_and_raises_nothing(topic: str, body: Plain) -> None:
    wire = table_with(lambda peer, honest: body, topic, acts=("roll", "draw", "peek"))
    caught_by_all(wire, 1, f"({topic})")


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


@elsewhere
def test_a_share_of_a_roll_proven_in_another_place_is_refused_on_the_spot(where: Callable[[Context], Context]) -> None:
    def bend(peer: Peer, body: Plain) -> Plain:
        return (coin.share(RISTRETTO, OTHER_SEED, where(here(peer)), peer.play.crypto.coin_key.secret, 0),)

    wire = table_with(bend, "roll", acts=("roll",))
    caught_by_all(wire, 1, "their share of the roll is not the one that their coin key fixes")


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
