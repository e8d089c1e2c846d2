"""Seats that cheat, and what must come of each trick.

A trick bends one seat at one kind of place. Most bend a body that an honest seat would sign; others bend what leaves
for another seat, or what is signed at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from games.table import Game, Plain
from p2p.journal import Entry
from protocol.closing import Closing
from protocol.crypto.group import Group
from protocol.encoding import pack
from protocol.envelope import Envelope
from protocol.events import Event
from protocol.peer import Peer
from tests.simulation.network import Clock, Network
from tests.simulation.seat import Seat
from tests.support.cheats import Cheat

REFUSED: Final = "refused"
"""Every honest seat refuses it on the spot, and names the cheat."""
AUDITED: Final = "audited"
"""The game goes to its end, where every honest seat's audit names the cheat."""
ACCUSED: Final = "accused"
"""The game goes to its end, honest seats sign that all was fair, and the record names the cheat."""
WAITED: Final = "waited for"
"""Nobody is blamed; the cheat is the one that is waited for."""
NOTHING: Final = "nothing"
"""It changes nothing: the game goes to its end, and is fair."""
ANY: Final = "any"
"""Whatever comes of it: nobody but the cheat is ever named."""

Bent: TypeAlias = Any
"""A bent body, or a function that makes it, where that changes something in the cheat itself."""
BodyBend: TypeAlias = "Callable[[Cheater, Any], Bent]"
ClosingBend: TypeAlias = "Callable[[Cheater, Closing, Any], Bent]"
WireBend: TypeAlias = "Callable[[Cheater, int, Envelope], Sequence[bytes | Envelope]]"
Choice: TypeAlias = "Callable[[Cheater, Plain], Plain]"


@dataclass(frozen=True)
class Trick:
    """One thing that SPEC.md forbids, or something at random.

    `rule` is the requirement that it breaks; `outcome` what must come of it, for `reason`. `games` are those in which
    it is possible, all if empty. A hook returns what it was given where it has nothing to bend.
    """

    name: str
    rule: str
    outcome: str
    reason: str = ""
    games: tuple[str, ...] = ()
    least_seats: int = 2
    body: BodyBend | None = None
    closing: ClosingBend | None = None
    wire: WireBend | None = None
    choose: Choice | None = None
    kind: type[Cheater] | None = None

    def possible(self, game: Game) -> bool:
        return (not self.games or game.id in self.games) and max(game.seats) >= self.least_seats


class Cheater(Cheat):
    """Plays honestly but for its trick. `done` tells at which slots it has cheated."""

    trick: Trick
    rng: Random
    eager: bool
    again: bool
    mute = staticmethod(lambda peer: peer.kept.get("mute", False))

    def equip(self, trick: Trick, rng: Random, eager: bool) -> None:
        """`eager` seats cheat at the first opportunity, others at any. It may cheat once or whenever it can."""
        self.trick, self.rng, self.eager = trick, rng, eager
        self.done: list[tuple[int, int]] = []
        self.kept: dict[str, Any] = {}
        """What a trick remembers. "mute" ends all that the seat signs."""
        self.again = rng.random() < 0.3
        self._skips = 0 if eager else rng.choice((0, 0, 1, 2, 5))

    @property
    def group(self) -> Group:
        return self._group

    def dares(self) -> bool:
        """Whether it takes an opportunity."""
        if self.done and not self.again:
            return False
        self._skips -= 1
        return self._skips < 0

    def did(self) -> None:
        self.done.append(self.slot)

    def _game_body(self) -> Plain:
        body = super()._game_body()
        if body is None or self.trick.body is None:
            return body
        bent = self.trick.body(self, body)
        return self._bent(body, bent)

    def _closing_body(self, closing: Closing) -> Plain:
        body = super()._closing_body(closing)
        if body is None or self.trick.closing is None:
            return body
        return self._bent(body, self.trick.closing(self, closing, body))

    def _bent(self, body: Plain, bent: Bent) -> Plain:
        if (not callable(bent) and pack(bent) == pack(body)) or not self.dares():
            return body
        made: Plain = bent() if callable(bent) else bent
        if pack(made) == pack(body):
            return body
        self.did()
        return made


class CheatingSeat(Seat):
    """The end of a seat that cheats."""

    peer: Cheater

    def __init__(
        self,
        number: int,
        make: Callable[[], Peer],
        clock: Clock,
        network: Network,
        rng: Random,
        step: Callable[[Seat, Sequence[Event]], None],
        spy: Callable[[bytes], None],
    ) -> None:
        super().__init__(number, make, clock, network, rng, step)
        self._spy = spy

    def take_in(self, entry: Entry) -> bool:
        """A cheat may trip over its own lies."""
        match entry:
            case ("chose", _, choice) if self.peer.trick.choose is not None and self.peer.asked is not None:
                forced = self.peer.trick.choose(self.peer, choice)
                if pack(forced) != pack(choice) and self.peer.dares():
                    self.peer.did()
                    self.peer.force(forced)
                    return True
        with suppress(Exception):
            super().take_in(entry)
        return True

    def stop(self) -> None:
        """It does not mind that it has signed more than it knows."""

    def _relay(self, other: int, since: tuple[int, int]) -> None:
        """A cheat passes nothing on: it would show what it has signed for others."""

    def _show_convicting(self, other: int, seat: int) -> None:
        """It accuses nobody either."""

    def outgoing(self, receiver: int, envelope: bytes) -> Sequence[bytes]:
        if self.peer.trick.wire is None:
            sent: list[bytes] = [envelope]
        else:
            bent = self.peer.trick.wire(self.peer, receiver, Envelope.unpack(envelope))
            sent = [one.pack() if isinstance(one, Envelope) else one for one in bent]
        for data in sent:
            self._spy(data)
        return sent
