"""A hostile player: its program is an honest one, except for its tricks."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament.messages import ENROL
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.channel import ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import Envelope
from tests.simulation.evenings.players import Player
from tests.simulation.evenings.tricks import TRICKS, Trick
from tests.simulation.evenings.wires import Wire, Wires

T = TypeVar("T")

LOOK_SECONDS: Final = 0.2
"""Time between two checks of what a trick waits for."""


class HostilePlayer(Player):
    """A player with tricks. It is the meddler of its own connections."""

    wires: Wires

    def begin(self, wires: Wires) -> None:
        """Makes the player hostile from now on."""
        self.wires = wires
        self.host = wires.hosts[self.key]
        self.envelopes = 0
        """How many envelopes of its own its program has wanted to send to the opponents."""
        self.puppets: list[bytes] = []
        self._tricks = [TRICKS[name] for name in self.guest.tricks]
        self._since = {
            trick.name: self.rng.choice((0.0, 0.0, self.plan.begins + self.rng.uniform(0, 60)))
            for trick in self._tricks
        }
        self._picked: dict[str, Any] = {}
        self._counts: Counter[str] = Counter()
        wires.meddlers[self.key] = self
        for trick in self._tricks:
            if trick.acts is not None:
                self.tasks.start(self._act(trick))

    async def _act(self, trick: Trick) -> None:
        assert trick.acts is not None
        await asyncio.sleep(max(self._since[trick.name], self.guest.comes + 1))
        await trick.acts(self)

    # -- what its program sends ------------------------------------------------------------------------------

    def sends(self, channel: Wire, frame: Frame, send: Callable[[Frame], int]) -> int:
        loop = asyncio.get_running_loop()
        for trick in self._tricks:
            if trick.sends is None or loop.time() < self._since[trick.name]:
                continue
            if (instead := trick.sends(self, channel, frame)) is not None:
                for seconds, one in instead:
                    if seconds:
                        loop.call_later(seconds, send, one)
                    else:
                        send(one)
                return 0
        if frame[0] == "envelope" and channel.purpose[0] == "seat":
            self.envelopes += 1
        return send(frame)

    # -- for tricks ----------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table | None:
        return self.client.table if self.client is not None else None

    @property
    def game_id(self) -> bytes | None:
        return self.table.game_id if self.table is not None else None

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, what: str, among: Sequence[T]) -> T:
        """Returns one of these, always the same one."""
        if what not in self._picked:
            self._picked[what] = self.rng.choice(among)
        picked: T = self._picked[what]
        return picked

    def count(self, what: str) -> int:
        """Counts this, and returns how often it was counted before."""
        self._counts[what] += 1
        return self._counts[what] - 1

    def about(self, deadline: float) -> float:
        """Returns a time near a deadline, in seconds: mostly just before it."""
        near = (deadline / 2, deadline - 3, deadline - 1, deadline - 0.3, deadline + 1, 2 * deadline - 1)
        return max(0.0, self.rng.choice(near))

    def changed(self, plain: Plain) -> Plain:
        """Returns something else of the same shape."""
        if isinstance(plain, bytes):
            return self.rng.randbytes(len(plain))
        if isinstance(plain, tuple) and plain:
            at = self.rng.randrange(len(plain))
            return (*plain[:at], self.changed(plain[at]), *plain[at + 1 :])
        return self.rng.choice((0, 1, -1, "", b"", None)) if plain is None or isinstance(plain, int) else plain

    def is_own(self, frame: Frame) -> bool:
        people = self.client.people if self.client is not None else ()
        try:
            return self.key in people and Envelope.unpack(frame[1]).seat == people.index(self.key)  # type: ignore[arg-type]
        except Malformed:
            return False

    async def until(self, condition: Callable[[], object]) -> None:
        while not condition():  # noqa: ASYNC110 - what is waited for knows nothing of tricks
            await asyncio.sleep(LOOK_SECONDS)

    def say(self, kind: str, *rest: Plain) -> None:
        """Says something to the referee about the player's own table, as it is."""
        channel, place = (self.client._channel, self.client.place) if self.client is not None else (None, None)
        if isinstance(channel, Wire) and place is not None:
            channel.send_as_is((kind, place.round, place.table, *rest))

    async def knock(self, identity: Identity | None = None, name: str | None = None) -> Wire | None:
        """Connects to the referee once more, as a player that knows nothing yet."""
        with contextlib.suppress(UserError, ChannelClosed):
            host, port = parse_address(self.where())
            channel = await self.wires.dial(host, port, identity or self.identity, (ENROL,))
            assert isinstance(channel, Wire)
            channel.send_as_is((ENROL, name or self.guest.name, 0, False))
            self.keep(channel)
            return channel
        return None

    async def enroll_puppet(self, number: int, name: str) -> None:
        puppet = Identity.of(hashlib.sha256(f"{self.key.hex()} {number}".encode()).digest())
        self.wires.hosts[puppet.public] = self.host
        if puppet.public not in self.puppets:
            self.puppets.append(puppet.public)
        await self.knock(puppet, name)

    def keep(self, channel: Any) -> None:
        """Reads what comes, for as long as something does."""
        self.tasks.start(_read(channel))

    def doors_of_others(self) -> list[tuple[str, int]]:
        """Returns where the others at the player's own table listen."""
        addresses = self.client._addresses if self.client is not None else {}
        return [where for key, where in addresses.items() if key != self.key]

    def ports_of_others(self) -> list[int]:
        return [port for _, port in self.doors_of_others()]

    def false_attestation(self) -> Plain:
        own = Attestation(self.key, self.rng.randrange(3), 0, bytes(32), (self.rng.randrange(2),))
        return own.signed(self.game_id or bytes(32), self.identity.sign).plain()


async def _read(channel: Any) -> None:
    with contextlib.suppress(ChannelClosed):
        while True:
            await channel.receive()
