"""Our own peer with other habits, each of which SPEC.md allows: the conformance suite has to pass them.

python -m tests.conformance.liberties NAME        is `kimberley peer` with that habit, a target for the suite
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, Final

from kimberley.conformance.target import peer
from kimberley.p2p.table import departures, lobby, seats
from kimberley.p2p.transport import handshake, mesh
from kimberley.p2p.transport.handshake import ConnectionRejected, refusal_frame
from tests.conformance.mutant import Mutant


def _ready_at_first(right: Any) -> Any:
    """A host that is ready before anybody sits."""

    def made(self: Any, *args: Any) -> None:
        right(self, *args)
        self.sitting = (replace(self.sitting[0], ready=True),)

    return made


def _says_twice(right: Any) -> Any:
    """A host that says everything of its table twice."""

    def tell(self: Any) -> None:
        for link in self.links.values():
            link.send(self.table_frame())
        right(self)

    return tell


def _never_ready(right: Any) -> Any:
    """A joiner that does not say `ready` where nobody waits for it."""

    def ready(self: Any, yes: bool) -> None:
        if self._table.host or self._table.occupants.seats > 2:
            right(self, yes)

    return ready


def _refuses_strangers(right: Any) -> Any:
    """A seat that says `refused` to anybody other than the seat it looks for."""

    async def dial(host: str, port: int, identity: Any, purpose: Any, *, expected: bytes | None = None) -> Any:
        made = await right(host, port, identity, purpose)
        if expected is not None and made.peer != expected:
            made.send(refusal_frame("You are somebody else."))
            await made.close()
            raise ConnectionRejected("Somebody else is there.")
        return made

    return dial


def _stops_at_m2(right: Any) -> Any:
    """A spectator that refuses anybody other than the seat it watched as soon as m2 names them."""
    seen: list[bytes] = []

    def on_hello(self: Any, frame: Any) -> Any:
        answer = right(self, frame)
        seen.append(self.peer)
        if self.peer != seen[0]:
            raise ConnectionRejected("You are somebody else.")
        return answer

    return on_hello


def _says_more(right: Any) -> Any:
    """A target with events and entries of its own."""

    def emit(line: dict[str, Any]) -> None:
        right({"event": "weather", "sky": "clear"})
        right({**line, "mood": None})

    return emit


def _from_the_last(right: Any) -> Any:
    """A target whose verdicts name the seats from the last to the first."""

    def emit(line: dict[str, Any]) -> None:
        turned = {name: line[name][::-1] for name in ("seats", "absent") if name in line}
        right(line | turned)

    return emit


def _ends_at_once(right: Any) -> Any:
    """A seat that ends the connection on which `bye` came before it looks at anything else."""

    def said_bye(self: Any, link: Any, reason: str) -> None:
        link.drop("it said bye")
        right(self, link, reason)

    return said_bye


LIBERTIES: Final[dict[str, Mutant]] = {
    "seating: a host that is ready from the start": Mutant(lobby.HostLobby, "__init__", _ready_at_first, "09-71"),
    "seating: a host that says everything twice": Mutant(lobby.HostLobby, "_broadcast", _says_twice, "10-16"),
    "seating: a joiner that says nothing where nobody waits": Mutant(seats.Seats, "ready", _never_ready, "09-73"),
    "links: a seat that refuses strangers": Mutant(mesh, "dial", _refuses_strangers, "10-09"),
    "links: a spectator that refuses strangers at m2": Mutant(
        handshake.JoinerHandshake, "on_hello", _stops_at_m2, "10-85"
    ),
    "links: a seat that ends the connection at a `bye` at once": Mutant(
        departures.Departures, "_on_bye", _ends_at_once, "13-25"
    ),
    "targets: more events and entries than SPEC.md names": Mutant(peer, "emit", _says_more, "29-02"),
    "targets: a verdict that names seats from the last": Mutant(peer, "emit", _from_the_last, "18-52"),
}


def main() -> int:
    LIBERTIES[sys.argv[1]].put_in()
    return peer.main()


if __name__ == "__main__":
    sys.exit(main())
