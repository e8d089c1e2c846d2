"""Seats that cheat: peers whose machine, body or envelope is bent at one place."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from games.table import Plain, Tally
from protocol.asks.disclose import DiscloseMachine
from protocol.crypto import signatures
from protocol.envelope import Envelope
from protocol.peer import Peer
from protocol.play import Play
from tests.support.tables import identity

Bend = Callable[[Peer, Plain], Plain]


class Cheat(Peer):
    """Signs what `bend` makes of each body that an honest seat would sign. `mute` stops it from signing at all."""

    bend: Bend = staticmethod(lambda peer, body: body)
    mute: Callable[[Peer], bool] = staticmethod(lambda peer: False)

    def _game_body(self) -> Plain:
        body = super()._game_body()
        return None if body is None or self.mute(self) else type(self).bend(self, body)

    def _give(self) -> bool:
        return not self.mute(self) and super()._give()

    def _advance(self) -> None:
        """A cheat may trip over its own lies; what matters is what it sent before."""
        with suppress(Exception):
            super()._advance()

    def force(self, choice: Plain) -> None:
        """Chooses without asking the rules."""
        self.play.choices.append(choice)
        self.play._chosen = True
        self.asked = None
        self._advance()


def cheat(bend: Bend) -> type[Cheat]:
    """A kind of seat whose bodies are bent."""
    return type("Bent", (Cheat,), {"bend": staticmethod(bend)})


def silent(when: Callable[[Peer], bool]) -> type[Cheat]:
    """A kind of seat that stops signing as soon as `when` holds, for good."""
    stopped: set[int] = set()

    def mute(peer: Peer) -> bool:
        if when(peer):
            stopped.add(id(peer))
        return id(peer) in stopped

    return type("Silent", (Cheat,), {"mute": staticmethod(mute)})


def telling(play: Play, kind: str) -> DiscloseMachine | None:
    """The pending disclosure of a kind in which this seat has something to tell."""
    machine = play._machine
    if isinstance(machine, DiscloseMachine) and machine._of(play.seat or 0) and machine.tells[0].kind == kind:
        return machine
    return None


def rebody(peer: Peer) -> Plain:
    """The body that the seat's machine gives now, after something in it was bent."""
    return peer.play.body()


def with_opening(peer: Peer, tally: Tally, opening: tuple[int, int]) -> Plain:
    """The body as it would be if this seat's opening of a tally were another."""
    openings = peer.play.desk.openings
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
    """Another envelope of the same seat for the same place in its chain."""
    fields = {name: getattr(envelope, name) for name in Envelope.__dataclass_fields__}
    return Envelope(**(fields | {"body": body})).signed(partial(signatures.sign, identity(envelope.seat)))
