"""Seats that cheat: peers with an altered machine, body or envelope."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from kimberley.games.table import Plain, Tally
from kimberley.protocol.asks.disclose import DiscloseMachine
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.crypto import signatures
from kimberley.protocol.envelope import LEAVE, STAGE, Envelope
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import Play
from tests.support.tables import Wire, identity

Bend = Callable[[Peer, Plain], Plain]


class Cheat(Peer):
    """Signs what `bend` makes of each body that an honest seat would sign. `mute` stops it from signing at all."""

    bend: Bend = staticmethod(lambda peer, body: body)
    mute: Callable[[Peer], bool] = staticmethod(lambda peer: False)

    def game_body(self) -> Plain:
        body = super().game_body()
        return None if body is None or self.mute(self) else type(self).bend(self, body)

    def give(self) -> bool:
        return not self.mute(self) and super().give()

    def advance(self) -> None:
        """Ignores errors: a cheat may fail on its own lies. Only what it sent before matters."""
        with suppress(Exception):
            super().advance()

    def force(self, choice: Plain) -> None:
        """Makes a choice without asking the rules."""
        self.play.choices.append(choice)
        self.play.chosen = True
        self.asked = None
        self.advance()


def cheat(bend: Bend) -> type[Cheat]:
    """Returns a kind of seat whose bodies are altered by `bend`."""
    return type("Bent", (Cheat,), {"bend": staticmethod(bend)})


def silent(when: Callable[[Peer], bool]) -> type[Cheat]:
    """Returns a kind of seat that stops signing for good as soon as `when` holds."""
    stopped: set[int] = set()

    def mute(peer: Peer) -> bool:
        if when(peer):
            stopped.add(id(peer))
        return id(peer) in stopped

    return type("Silent", (Cheat,), {"mute": staticmethod(mute)})


class Double(Cheat):
    """Signs one envelope for the others, and shows another one to spectators."""

    instead: dict[int, Envelope]
    """What it shows to spectators, by number."""

    def sign_next(self, kind: int, body: Plain) -> None:
        assert self.seat is not None
        assert self._sign is not None
        chain = self.chains[self.seat]
        super().sign_next(kind, body)
        if kind == STAGE and self.slot == (1, 0):
            first = chain.known[chain.number - 1]
            fields = {name: getattr(first, name) for name in Envelope.__dataclass_fields__}
            self.instead = {first.number: Envelope(**(fields | {"body": (bytes(32),)})).signed(self._sign)}


class Leaver(Peer):
    """An honest seat whose player gives up when the seat owes something and `goes` holds."""

    goes: Callable[[Peer], bool] = staticmethod(lambda peer: True)

    def give(self) -> bool:
        if self.closing is None and self.seat in self.owing and self.goes(self):
            self.resigning = True
            self.asked = None
        return super().give()


def leaver(goes: Callable[[Peer], bool]) -> type[Leaver]:
    """Returns a kind of seat that leaves when `goes` holds."""
    return type("Going", (Leaver,), {"goes": staticmethod(goes)})


def leaves_with(goes: Callable[[Peer], bool], bend: Bend) -> type[Cheat]:
    """Returns a kind of seat that leaves when `goes` holds, with a leave body altered by `bend`."""

    class Bent(Leaver, Cheat):
        def sign_next(self, kind: int, body: Plain) -> None:
            super().sign_next(kind, bend(self, body) if kind == LEAVE else body)

    return type("Bent", (Bent,), {"goes": staticmethod(goes)})


def telling(play: Play, kind: str) -> DiscloseMachine | None:
    """Returns the pending disclosure of a kind in which this seat has something to disclose."""
    machine = play.machine
    if isinstance(machine, DiscloseMachine) and machine.tells_of(play.seat or 0) and machine.tells[0].kind == kind:
        return machine
    return None


def rebody(peer: Peer) -> Plain:
    """Returns the body that the seat's machine makes now, after something in it was altered."""
    return peer.play.body()


def with_opening(peer: Peer, tally: Tally, opening: tuple[int, int]) -> Plain:
    """Returns the body as it would be if this seat had another opening of a tally."""
    openings = peer.play.crypto.openings
    kept = openings.get(tally)
    openings[tally] = opening
    try:
        return peer.play.body()
    finally:
        if kept is None:
            del openings[tally]
        else:
            openings[tally] = kept


def signed_again(envelope: Envelope, body: Plain) -> Envelope:
    """Returns another envelope of the same seat with the same number in its chain."""
    fields = {name: getattr(envelope, name) for name in Envelope.__dataclass_fields__}
    return Envelope(**(fields | {"body": body})).signed(partial(signatures.sign, identity(envelope.seat)))


def forged(peer: Peer, seat: int, kind: int, body: Plain, slot: tuple[int, int] | None = None) -> Envelope:
    """Returns the next envelope of a seat's chain, as far as `peer` knows it, for this stage or the one of `slot`."""
    chain = peer.chains[seat]
    step, stage = slot or peer.slot
    unsigned = Envelope(peer.table.game_id, seat, chain.number, chain.previous, step, stage, peer.head, kind, body)
    return unsigned.signed(partial(signatures.sign, identity(seat)))


def broadcast(wire: Wire, envelope: Envelope) -> None:
    """Hands an envelope to all peers except its own seat."""
    for peer in wire.peers:
        if peer.seat != envelope.seat:
            peer.receive(envelope.pack())
    wire.run()


# -- expected outcomes ---------------------------------------------------------------------------------------------


def judged(peer: Peer, *guilty: int) -> Verdict:
    """Returns the verdict on a seat's record. It must name no seats other than these."""
    verdict = verify(peer.record().pack(), lambda _: peer.game)
    assert set(verdict.seats) <= set(guilty), verdict.reason
    return verdict


def caught_by_all(wire: Wire, cheat: int, reason: str) -> None:
    """Asserts that all other seats and the spectator caught the cheat by the same envelope, and that their records
    prove it.
    """
    others = [peer for peer in wire.peers if peer.seat != cheat]
    for peer in others:
        assert peer.caught is not None, f"seat {peer.seat} has caught nobody at {peer.slot}"
        assert peer.caught == others[0].caught
        assert peer.caught.seat == cheat
        assert reason in peer.caught.reason
        verdict = judged(peer, cheat)
        assert verdict.code == "unfair"
        (deviation,) = verdict.deviations
        assert (deviation.seat, deviation.step, deviation.stage) == (cheat, peer.caught.step, peer.caught.stage)
        assert reason in verdict.reason


def found_by_the_audit(wire: Wire, cheat: int, reason: str) -> Verdict:
    """Asserts that the game went to its end, and that every honest seat then signed what the cheat did."""
    others = [peer for peer in wire.peers if peer.seat != cheat]
    for peer in others:
        assert (peer.caught, peer.finished) == (None, True)
        verdict = judged(peer, cheat)
        assert (verdict.code, verdict.seats) == ("unfair", (cheat,))
        assert reason in verdict.reason
        for seat, signed in peer.verdicts.items():
            assert seat == cheat or signed == ("unfair", ((verdict.step, verdict.stage, cheat),))
    return verdict


def owed_by(peer: Peer) -> str:
    """Returns what the seats that are waited for have to send, as the protocol calls it."""
    if peer.closing is not None:
        return peer.closing.owed
    assert peer.play.machine is not None
    return peer.play.machine.owed(peer.play.stage)


def waited_for(wire: Wire, silent: int, owed: str) -> Verdict:
    """Asserts that nobody is blamed, that all others wait for what this seat owes, and that their records say so."""
    for peer in wire.peers:
        if peer.seat != silent:
            assert peer.caught is None
            assert peer.waiting == (silent,)
            verdict = judged(peer, silent)
            assert (verdict.code, verdict.absent) == ("incomplete", (silent,))
            assert owed_by(peer) == owed
            who = rf"seat {silent + 1} \(\w+\)"
            assert re.search(rf" (waiting|waited) for {who}|; {who} still had to play", verdict.reason)
    return verdict
