"""A seat that dies again and again and resumes from its journal each time, for whole tables in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.platform import state_folder
from kimberley.p2p.storage.high_water_mark import FOLDER
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Entry, Journal
from kimberley.p2p.table.resume import restore_seat
from kimberley.p2p.table.runner import apply
from kimberley.protocol.crypto import signatures
from kimberley.protocol.events import Asked, Event, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from tests.support.tables import identity, seed


class Mortal:
    """A Peer with a journal, for `tests.support.tables.Wire`. It dies at each envelope that it signs.

    It dies in one of two ways, by turns: when the frame is on the disk but nothing is sent, or when only half of the
    frame is, and no mark. With `torn` it begins with the second.
    """

    def __init__(self, game: Game, table: SignedRoster, seat: int, salt: str, data: Path, torn: bool) -> None:
        self._game, self._torn = game, torn
        self._identity = Identity(identity(seat), signatures.public(identity(seat)))
        self._journal = Journal.create(data, table, seat, seed(seat, salt))
        (self._mark,) = (state_folder() / FOLDER).glob(f"{table.game_id.hex()}-{seat + 1}.*")
        self._peer = Peer(game, table, seat, seed(seat, salt), partial(signatures.sign, identity(seat)))
        self._events: list[Event] = []
        self.deaths = self.signed = 0
        """How often it has died, and the number of envelopes just signed at those times."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._peer, name)

    def start(self) -> None:
        self._input(("started",))

    def receive(self, envelope: bytes) -> None:
        self._input(("received", envelope))

    def choose(self, choice: Plain) -> None:
        assert self._peer.asked is not None
        self._input(("chose", self._peer.asked.step, choice))

    def resign(self) -> None:
        self._input(("resigned",))

    def audit(self) -> None:
        self._input(("concluded",))
        assert self._peer.findings == ()

    def take(self) -> list[Event]:
        events, self._events = self._events, []
        # A restored peer has a new ask.
        return [self._peer.asked if isinstance(event, Asked) and self._peer.asked else event for event in events]

    def close(self) -> None:
        self._journal.close()

    def _input(self, entry: Entry) -> None:
        size, mark = self._journal.path.stat().st_size, self._mark.read_bytes()
        events = self._apply(entry)
        if any(isinstance(event, Send) for event in events):
            self.deaths += 1
            self.signed += len(_sent(events))
            torn, self._torn = self._torn, not self._torn
            whole, before = self._journal.path.read_bytes(), self._sent
            self._journal.close()
            if torn:
                self._journal.path.write_bytes(whole[: size + (len(whole) - size) // 2])
                self._mark.write_bytes(mark)
            back = restore_seat(self._journal.path, lambda _: self._game, self._identity)
            assert back.journal is not None
            self._journal, self._peer = back.journal, back.peer
            if torn:
                # Nothing of it was sent. The others send again, and the player chooses again.
                again = self._apply(entry)
                assert _sent(again) == _sent(events)
            assert self._sent == before, "the seat has signed the same again"
        self._events += events

    def _apply(self, entry: Entry) -> list[Event]:
        apply(self._peer, entry)
        events = self._peer.take()
        sent: list[Entry] = [("sent", envelope) for envelope in _sent(events)]
        self._journal.write([entry, *sent], sync=bool(sent))
        return events

    @property
    def _sent(self) -> tuple[bytes, ...]:
        assert self._peer.seat is not None
        return tuple(envelope.pack() for envelope in self._peer.chain(self._peer.seat, 0))


def _sent(events: Sequence[Event]) -> list[bytes]:
    return [event.envelope for event in events if isinstance(event, Send)]
