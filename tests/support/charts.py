"""The sequence charts of SPEC.md: real tables of two and three seats on a network within the process, frame by frame.

    python -m tests.support.charts            prints the charts as they stand in docs/spec-exchange.md
    python -m tests.support.charts --write    writes them there

Identities, seeds and nonces are fixed, nothing waits for a clock, and every channel keeps its order, so each run is the
same. The table of two seats is the one of the worked exchange (`tests.support.exchange`).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from unittest import mock

import kimberley.p2p.table.session
import kimberley.p2p.transport.mesh
from kimberley.games.diamond_trust import GAME as DIAMOND_TRUST
from kimberley.games.land import GAME as LAND
from kimberley.games.table import Game, Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import Channel, MemoryChannel
from kimberley.p2p.transport.frames import Frame
from tests.support.exchange import NONCES, SECRETS, SEEDS
from tests.support.spec import BESIDE

BEGIN: Final = "<!-- charts begin -->"
END: Final = "<!-- charts end -->"
NAMES: Final = ("ana", "ben", "cleo")
IDENTITIES: Final = tuple(Identity.of(secret) for secret in (*SECRETS, bytes([0x77]) * 32))
DRAWN: Final = tuple(zip((*SEEDS, bytes([0x88]) * 32), (*NONCES, bytes([0x99]) * 32), strict=True))
PORTS: Final = (7411, 7412, 7413)
TURNS: Final = 200
"""Turns of the event loop after which all effects of a step have happened."""


class Cable(MemoryChannel):
    """One end of a connection between two machines. `sent` is called with each frame it sends."""

    local = False

    def __init__(self, peer: bytes, purpose: Frame, address: str, sent: Callable[[Frame], None]) -> None:
        super().__init__(peer, purpose)
        self.address = address
        self._sent = sent

    def send(self, frame: Frame) -> int:
        self._sent(frame)
        return super().send(frame)


class Network:
    """Machines with one address and one port each, and a log of the frames between them."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, list[str], str]] = []
        """(sender, receivers, text of the frame)."""
        self._announced: Frame = ()
        self._doors: dict[int, Callable[[Channel], None]] = {}
        self._keys = {identity.public: name for identity, name in zip(IDENTITIES, NAMES, strict=True)}

    def front(self, identity: Identity, welcome: Callable[[Channel], None], *_: Any, **__: Any) -> Any:
        """Returns a machine's endpoint, in place of `discovery.endpoint.Endpoint`."""
        seat = IDENTITIES.index(identity)
        self._doors[PORTS[seat]] = welcome
        return mock.AsyncMock(port=PORTS[seat], addresses=(), update_card=lambda: None, withdraw=lambda: None)

    async def dial(self, host: str, port: int, identity: Identity, purpose: Frame, **_: Any) -> Channel:
        """Returns a connection after its hello, in place of `transport.dial.dial`."""
        here, there = IDENTITIES.index(identity), PORTS.index(port)
        self.lines.append((NAMES[here], [NAMES[there]], f"connects to port {port}, purpose {self.shown(purpose)}"))
        own, other = self._end(here, there, purpose), self._end(there, here, purpose)
        own.join(other)
        self._doors[port](other)
        return own

    def _end(self, seat: int, other: int, purpose: Frame) -> Cable:
        def sent(frame: Frame) -> None:
            if frame[0] != "envelope":
                self._note(NAMES[seat], NAMES[other], self._told(frame))

        return Cable(IDENTITIES[other].public, purpose, f"192.0.2.{other + 1}", sent)

    def _note(self, sender: str, receiver: str, said: str) -> None:
        if self.lines and (self.lines[-1][0], self.lines[-1][2]) == (sender, said):
            self.lines[-1][1].append(receiver)
        else:
            self.lines.append((sender, [receiver], said))

    def _told(self, frame: Frame) -> str:
        """Returns a frame as text; of a `table` frame, only what differs from the one before."""
        if frame[0] != "table" or frame[:5] != self._announced:
            self._announced = frame[:5] if frame[0] == "table" else self._announced
            return self.shown(frame)
        return f'("table", ..., {", ".join(map(self.shown, frame[5:]))})'

    def shown(self, value: Plain) -> str:
        """Returns a value as SPEC.md writes it, with names for identities and only the first bytes of byte strings."""
        match value:
            case bytes():
                more = f"..{len(value)}" if len(value) != 32 else ".."
                return f"<{self._keys.get(value) or value[:4].hex() + more}>"
            case tuple():
                return f"({', '.join(map(self.shown, value))}{',' if len(value) == 1 else ''})"
            case str():
                return f'"{value}"'
            case None | bool():
                return {None: "nil", True: "true", False: "false"}[value]
        return str(value)


def secrets_of(seat: int) -> Callable[[int], bytes]:
    """Returns a source of the seed, then of the nonce of the only round in which a seat takes part."""
    drawn: Iterator[bytes] = iter(DRAWN[seat])
    return lambda size: next(drawn)


async def rest() -> None:
    """Waits until all effects of the last step have happened."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def seated(game: Game, seats: int, options: dict[str, Plain], *, ready: Sequence[int]) -> list[str]:
    """Returns the frames of a table from its first newcomer to the words. Players say `ready` in this order."""
    network = Network()
    with (
        mock.patch.object(kimberley.p2p.table.session, "Endpoint", network.front),
        mock.patch.object(kimberley.p2p.table.table, "dial", network.dial),
        mock.patch.object(kimberley.p2p.transport.mesh, "dial", network.dial),
    ):
        alike: dict[str, Any] = {"data": None}
        own: dict[str, Any] = {"nickname": NAMES[0], "identity": IDENTITIES[0], "draw": secrets_of(0)}
        tables = [await Table.open(game, seats=seats, options=options, announce=False, **own, **alike)]
        for seat in range(1, seats):
            own = {"nickname": NAMES[seat], "identity": IDENTITIES[seat], "draw": secrets_of(seat)}
            where = f"192.0.2.1:{PORTS[0]}"
            tables.append(await Table.join(where, lambda _: game, seek=False, **own, **alike))
            await rest()
        for seat in ready:
            tables[seat].seating.ready(True)
            await rest()
        for table in tables:
            table.words.answer(True)
            await rest()
        lines = [f"{sender:4} > {', '.join(receivers):9} {said}" for sender, receivers, said in network.lines]
        for table in tables:
            await table.close()
    return lines


def charts() -> str:
    """Returns the text between the two marks."""
    two = asyncio.run(seated(DIAMOND_TRUST, 2, {"last_look": 0}, ready=()))
    three = asyncio.run(seated(LAND, 3, {}, ready=(1, 2, 0)))
    return "\n".join(
        [
            "Two seats, at the table of 28.1. Nobody waits for a `ready`, so people send none.",
            "",
            *("```chart", *two, "```"),
            "",
            "Three seats, playing `land`. Two could play as well, so all send `ready`, the host last; only a `table`",
            "shows that. Then cleo connects to ben, whose door `table` has announced.",
            "",
            *("```chart", *three, "```"),
        ]
    )


def main() -> None:
    made = charts()
    if sys.argv[1:] == ["--write"]:
        page = BESIDE["28"]
        text = page.read_text("utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        page.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", "utf-8")
    else:
        sys.stdout.write(f"{made}\n")


if __name__ == "__main__":
    main()
