"""What a seat may not learn is in nothing that it gets.

Not in content, size, count or order of envelopes, and not in what it is asked or shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import cast

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Amounts, Decide, Plain, Seal, Together
from kimberley.protocol.asks.disclose import DiscloseMachine
from kimberley.protocol.crypto import disclosure
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Asked, Event, Send
from kimberley.protocol.peer import Peer
from tests.support.cheats import cheat, rebody, telling, with_opening
from tests.support.tables import Chooser, Wire, peer_of, signed_roster

OWNER, BRIBER = 0, 1
ROUNDS_OF_TRIPS = (((0, 0, 0), (1, 0, 0), (6, 0, 0)), ((0, 0, 0), (2, 0, 0), (6, 0, 0)))
HOME_TRIPS = (((6, 0, 0), (1, 0, 0), (6, 0, 0)), ((0, 0, 0), (2, 0, 0), (6, 0, 0)))


def scripted(pay: Callable[[State, int, int], int], owner_moves_home: bool = True) -> list[Chooser]:
    """Returns players who meet in Uige and stay; `pay` says what a seat pays into slot `index`. Public choices never
    differ.
    """

    def choose(peer: Peer, asked: Asked) -> Plain:
        seat = cast(int, peer.seat)
        state = cast(State, peer.state)
        if isinstance(asked.space, Amounts):
            return tuple(pay(state, seat, index) for index in range(len(asked.space.slots)))
        ask = asked.ask
        if isinstance(ask, (Seal, Together)) and "sale" in ask.topic:
            return 0
        if isinstance(ask, Decide):
            return state.inspector
        home = owner_moves_home and state.round() >= 3
        return (HOME_TRIPS if home else ROUNDS_OF_TRIPS)[seat]

    return [choose, choose]


def play(pay: Callable[[State, int, int], int], cls: type[Peer] = Peer) -> tuple[Wire, list[list[Event]]]:
    table = signed_roster(GAME, salt="hidden")
    peers = [peer_of(GAME, table, OWNER, "hidden", cls), peer_of(GAME, table, BRIBER, "hidden")]
    wire = Wire(peers, scripted(pay))
    wire.start()
    wire.run()
    return wire, [[event for index, event in wire.events if index == seat] for seat in (0, 1)]


def shape(wire: Wire) -> list[tuple[int, int, int, int, int, int]]:
    """Returns the public traffic before the audit: sender, number, step, stage, kind and size of every envelope, in
    order.
    """
    shapes = []
    for sender, data in wire.sent:
        envelope = Envelope.unpack(data)
        if wire.peers[0].closing and envelope.step < wire.peers[0].closing.step:
            shapes.append((sender, envelope.number, envelope.step, envelope.stage, envelope.kind, len(data)))
    return shapes


def paying(bribe: int, salary: int) -> Callable[[State, int, int], int]:
    """Returns what seats pay: the briber `bribe` in round 2, the owner `salary` at the start."""

    def pay(state: State, seat: int, index: int) -> int:
        if seat == BRIBER and state.round() == 2 and state.slots(seat)[index].bribe:
            return bribe
        if seat == OWNER and state.round() == 1:
            return salary
        return 0

    return pay


@cache
def paid(bribe: int, salary: int) -> tuple[Wire, list[list[Event]]]:
    """Returns the same honest game for all tests; nothing may change it."""
    return play(paying(bribe, salary))


def turned(wire: Wire) -> bool:
    """Returns whether anything was told to the briber."""
    return any(
        told
        for ask, answer in wire.peers[BRIBER].story
        if type(ask).__name__ == "Disclose"
        for tell, told in zip(ask.tells, answer, strict=True)  # type: ignore[attr-defined]
        if tell.receiver == BRIBER
    )


@pytest.mark.slow
def test_the_public_traffic_of_games_that_differ_only_in_hidden_amounts_has_one_shape() -> None:
    games = [paid(bribe, salary)[0] for bribe, salary in ((0, 0), (1, 0), (9, 0), (1, 1), (3, 4), (4, 3))]
    assert [turned(wire) for wire in games] == [False, True, True, False, False, True]
    assert all(peer.finished for wire in games for peer in wire.peers)
    shapes = [shape(wire) for wire in games]
    assert len(shapes[0]) > 60
    assert all(other == shapes[0] for other in shapes)


def until_the_end(events: list[Event]) -> list[object]:
    """Returns what a seat saw and was asked before the closing stages, its own signatures aside."""
    seen: list[object] = []
    for event in events:
        if type(event).__name__ == "Ended":
            break
        seen.append("sends" if isinstance(event, Send) else event)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("salary", [0, 2])
def test_the_owner_sees_and_is_asked_the_same_whether_or_not_its_agent_is_turned(salary: int) -> None:
    loyal, (owner_of_loyal, _) = paid(0, salary)
    sold, (owner_of_sold, _) = paid(salary + 1, salary)
    assert (turned(loyal), turned(sold)) == (False, True)
    # The totals that are opened at the end tell what was spent, so the comparison stops where they are opened.
    before = [until_the_open(until_the_end(events)) for events in (owner_of_loyal, owner_of_sold)]
    assert len(before[0]) > 150
    assert before[0] == before[1]


def until_the_open(seen: list[object]) -> list[object]:
    place = next((i for i, event in enumerate(seen) if type(getattr(event, "ask", None)).__name__ == "Open"), len(seen))
    return seen[:place]


def wrong_pads(peer: Peer, body: Plain) -> Plain:
    told = cast(tuple[tuple[bytes, bytes], ...], body)
    return tuple((offer[:32] + bytes(len(offer) - 32) if offer else b"", sealed) for offer, sealed in told)


def wrong_threshold(peer: Peer, body: Plain) -> Plain:
    machine = telling(peer.play, "pay")
    if machine is None:
        return body
    tally = machine.tells_of(OWNER)[0][1].than
    return with_opening(peer, tally, (255, peer.play.crypto.opening(tally)[1]))


def cut_payload(peer: Peer, body: Plain) -> Plain:
    told = cast(tuple[tuple[bytes, bytes], ...], body)
    return tuple((offer, bytes(len(sealed))) for offer, sealed in told)


def sealed_payload(payload: bytes) -> Callable[[Peer, Plain], Plain]:
    """Returns, under the right key, something that may not be told."""

    def bend(peer: Peer, body: Plain) -> Plain:
        machine = peer.play.machine
        assert isinstance(machine, DiscloseMachine)
        told: list[tuple[bytes, bytes]] = []
        for index, tell in machine.tells_of(OWNER):
            key = machine.key(index, tell) if machine.padded[index] else peer.play.crypto.given[tell.more, tell.than]
            offer = cast(tuple[tuple[bytes, bytes], ...], body)[len(told)][0]
            context = machine.context(0, OWNER)
            told.append((offer, disclosure.seal_payload(key, tell.kind, context, index, payload, tell.size)))
        return tuple(told)

    return bend


FAILURES = {
    "pads of garbage": wrong_pads,
    "the key out of reach": wrong_threshold,
    "a payload that does not authenticate": cut_payload,
    "a payload that is no encoding": sealed_payload(b"\xc1"),
    "a payload that cannot be read": sealed_payload(pack("x")),
    "a payload out of its space": sealed_payload(pack(250)),
    "an empty payload": sealed_payload(b""),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", FAILURES)
def test_whatever_fails_in_a_payload_shows_in_nothing_before_the_audit(way: str) -> None:
    bend = FAILURES[way]

    def bent(peer: Peer, body: Plain) -> Plain:
        return bend(peer, body) if isinstance(peer.play.machine, DiscloseMachine) else body

    honest, (seen, _) = paid(0, 0)
    broken, (seen_broken, receiver) = play(paying(4, 0), cheat(bent))
    assert not turned(broken)
    assert shape(broken) == shape(honest)
    assert [type(event) for event in until_the_end(seen)] == [type(event) for event in until_the_end(seen_broken)]
    assert not [event for event in receiver if type(event).__name__ in ("Caught", "Dropped")]
    audited = broken.peers[BRIBER]
    assert audited.finished
    assert cast(tuple[str, Plain], audited.verdicts[BRIBER])[0] == "unfair"


@pytest.mark.slow
def test_told_lies_of_any_kind_change_nothing_that_the_owner_sees() -> None:
    """Payloads that contradict everything known are believed or not, in silence."""
    rng = Random(7)

    def bent(peer: Peer, body: Plain) -> Plain:
        machine = peer.play.machine
        if not isinstance(machine, DiscloseMachine):
            return body
        machine.says = tuple(
            tell.what.pick(rng) if tell.owner == OWNER else says
            for tell, says in zip(machine.tells, machine.says, strict=True)
        )
        return rebody(peer)

    truthful, (seen, _) = paid(4, 0)
    lying, (seen_lying, _) = play(paying(4, 0), cheat(bent))
    assert turned(lying)
    assert shape(lying) == shape(truthful)
    assert [type(event) for event in until_the_end(seen)] == [type(event) for event in until_the_end(seen_lying)]
    assert lying.peers[BRIBER].finished
