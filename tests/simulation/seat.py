"""A seat on the virtual network: a Peer, its journal in memory, its sent envelopes, and its player.

It does what `table.runner`, `table.match` and `table.catch_up` do, without threads, sockets and files, and with the
program's own `table.sync`. Each input goes into the journal with its effects before anything is sent. Evidence against
a caught seat goes to all. A seat that returns from a crash takes in nothing before all others have said what they have
from it: its journal may be an old copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.runner import apply
from kimberley.p2p.table.sync import Have, Sync, convicting, have_frame, have_of, read_have
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Asked, AuditDue, Caught, Event, OutdatedState, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from tests.simulation.network import Clock, Network

THINKS: Final = (0.001, 0.3)
"""The shortest and the longest time, in seconds, that a player takes for a choice."""

"""The most messages a player sends in one game."""


class MemoryJournal:
    """The part of a journal that survives a crash: the synced frames. Later frames are lost with the process."""

    def __init__(self) -> None:
        self.frames: list[tuple[Entry, ...]] = []
        self.synced = 0

    def write(self, entries: Sequence[Entry], *, sync: bool) -> None:
        self.frames.append(tuple(entries))
        if sync:
            self.synced = len(self.frames)

    def crash(self) -> None:
        del self.frames[self.synced :]

    def forget(self, count: int) -> None:
        """Restores an old copy, without the last `count` frames with envelopes and everything after them."""
        signed = [number for number, frame in enumerate(self.frames) if any(entry[0] == "sent" for entry in frame)]
        if signed:
            del self.frames[signed[-count:][0] :]


class Broken(Exception):
    """A law was broken. `law` names it."""

    def __init__(self, law: str, what: str) -> None:
        super().__init__(f"{law}: {what}")
        self.law = law


class Crashed(Exception):
    """The process of a seat has ended in the middle of its work."""


class _Wire:
    """The way to another end. What this seat signs goes through `Seat.outgoing`, once for each envelope."""

    unsent = 0

    def __init__(self, seat: Seat, other: int) -> None:
        self._seat, self._other = seat, other
        self._outgoing: dict[tuple[int, bytes], Sequence[bytes]] = {}
        """By number and envelope: with an old copy of its journal, a seat may sign another one with the same number."""

    def send_all(self) -> None:
        """Sends everything again that went this way because of what the seat has signed."""
        for _, envelopes in sorted(self._outgoing.items()):
            for envelope in envelopes:
                self._seat.send(self._other, ("envelope", envelope))

    def send(self, frame: Frame) -> None:
        match frame:
            case ("envelope", bytes() as data) if (own := Envelope.unpack(data)).seat == self._seat.number:
                if (own.number, data) not in self._outgoing:
                    self._outgoing[own.number, data] = self._seat.outgoing(self._other, data)
                for envelope in self._outgoing[own.number, data]:
                    self._seat.send(self._other, ("envelope", envelope))
            case _:
                self._seat.send(self._other, frame)


class Seat:
    """One end. `number` is its seat; the spectator's number is above all seats.

    `make` creates its Peer again after a crash. `step` is called after each input with its events. `crash_after` are
    the counts of its inputs after which it crashes.
    """

    def __init__(
        self,
        number: int,
        make: Callable[[], Peer],
        clock: Clock,
        network: Network,
        rng: Random,
        step: Callable[[Seat, Sequence[Event]], None],
        crash_after: Sequence[int] = (),
    ) -> None:
        self.number = number
        self.peer = make()
        self.journal = MemoryJournal()
        self.alive = True
        self.crashes = 0
        self.stopped = False
        """Whether it has signed more than its journal holds, and therefore signs nothing more."""
        self.goes_after: int | None = None
        self.old = 0
        """How many frames with envelopes its journal lacks when it first returns."""
        self.watched_by: int | None = None
        """The spectator to which this seat passes on all that it accepts."""
        self._make = make
        self._clock = clock
        self._network = network
        self._rng = rng
        self._step = step
        self._crash_after = list(crash_after)
        self._inputs = 0
        self._chosen = 0
        self._life = 0
        self._wires: dict[int, _Wire] = {}
        self._syncs: dict[int, Sync] = {}
        """By end, what it has: of each other seat, and of the spectator that this seat shows the game to."""
        self._accused: set[int] = set()
        self._awaited: set[int] = set()
        """The seats that must answer before this one takes anything in."""
        self._held: list[Entry] = []
        self._due: tuple[Event, ...] = ()
        network.sit(number, self)

    @property
    def known(self) -> int:
        """How many envelopes its Peer knows."""
        return sum(chain.number for chain in self.peer.chains)

    def begin(self) -> None:
        """Begins the game: all are connected."""
        self._connect()
        self._say_have()
        self.give("started")

    # -- input -----------------------------------------------------------------------------------------------------

    def give(self, *entry: Plain) -> None:
        """Handles one input: writes it to the journal with its effects, and only then sends. Crashes if a crash is
        due.
        """
        if self._awaited:
            self._hold(entry)
            return
        try:
            self._give(entry)
        except Crashed:
            self._crash()

    def _give(self, entry: Entry) -> None:
        self._inputs += 1
        crashing = bool(self._crash_after) and self._inputs >= self._crash_after[0]
        moment = self._rng.randrange(3) if crashing else None
        needed = self.take_in(entry)
        events = self.peer.take()
        if any(isinstance(event, OutdatedState) for event in events):
            self.stop()
        if self.stopped:
            return
        if moment == 0:
            raise Crashed
        sent = [event.envelope for event in events if isinstance(event, Send)]
        if needed:
            self.journal.write([entry, *(("sent", envelope) for envelope in sent)], sync=bool(sent))
        if moment == 1:
            raise Crashed
        for sync in self._syncs.values():
            sync.flush()
        self._step(self, events)
        if moment == 2:
            raise Crashed
        self._happened(events)

    def take_in(self, entry: Entry) -> bool:
        """Gives one input to the Peer. Returns whether the journal needs it. An honest Peer never fails."""
        try:
            return apply(self.peer, entry)
        except Exception as error:
            raise Broken("failure", f"seat {self.number + 1} at {entry[0]!r}, {self.peer.slot}: {error!r}") from error

    def _happened(self, events: Sequence[Event]) -> None:
        life = self._life
        for event in events:
            if life != self._life:
                return
            match event:
                case Asked() if self.peer.asked is event:
                    self._think(event)
                case AuditDue() if self.peer.seat is not None:
                    self.give("concluded")
                case Caught(seat=seat) if self.peer.seat is not None:
                    self._accuse(seat)

    def _think(self, asked: Asked) -> None:
        life = self._life

        def choose() -> None:
            if life != self._life or self.peer.asked is not asked:
                return
            if self.goes_after is not None and self._chosen >= self.goes_after:
                self.give("resigned")
                return
            self._chosen += 1
            self.give("chose", asked.step, asked.space.pick(self._rng))

        self._clock.after(self._rng.uniform(*THINKS), choose)

    # -- crashing and returning ------------------------------------------------------------------------------------

    def _crash(self) -> None:
        self._crash_after.pop(0)
        self.alive = False
        self.crashes += 1
        self._life += 1
        self.journal.crash()
        if self.old and self.crashes == 1:
            self.journal.forget(self.old)
        self._network.down(self.number)
        self._clock.after(self._rng.uniform(0.5, 20.0), self._come_back)

    def stop(self) -> None:
        """Stops a seat that has signed more than its journal holds."""
        if not self.old:
            raise Broken("resume", f"seat {self.number + 1} is shown an envelope of its own that it does not know")
        self.stopped, self.alive = True, False
        self._life += 1

    def _come_back(self) -> None:
        """Replays the journal. The seat must sign the same envelopes again, to the byte."""
        frames, self.journal = self.journal.frames, MemoryJournal()
        self.peer = self._make()
        self.alive = True
        self._accused.clear()
        self._held = [] if frames else [("started",)]
        pending: dict[type[Event], Event] = {}
        events: list[Event] = []
        for frame in frames:
            entry, *rest = frame
            try:
                apply(self.peer, entry)
            except NotAllowed as error:
                raise Broken("resume", f"seat {self.number + 1} cannot replay {entry[0]!r}: {error}") from error
            events = self.peer.take()
            sent = [("sent", event.envelope) for event in events if isinstance(event, Send)]
            if sent != rest:
                raise Broken(
                    "resume", f"seat {self.number + 1} signed something else at {entry[0]!r}, {self.peer.slot}"
                )
            self.journal.write(frame, sync=True)
            pending |= {type(event): event for event in events if isinstance(event, AuditDue | Asked | Caught)}
            if entry == ("concluded",):
                pending.pop(AuditDue, None)
        # The process may have ended before anybody saw the effects of its last input.
        self._step(self, events)
        self._due = tuple(pending.values())
        self._connect()
        self._awaited = self._others_present() if not self.peer.finished else set()
        self._network.back(self.number)
        if not self._awaited:
            self._go_on()

    def _others_present(self) -> set[int]:
        """The seats that have not left this seat's game."""
        left = {self.number, *self.peer.play.crypto.departed}
        return set(range(len(self.peer.chains))) - left

    def _hold(self, entry: Entry) -> None:
        """Holds an input that comes before all others have said what they have. An envelope that ends the game counts
        at once.
        """
        match entry:
            case ("received", bytes() as envelope) if self.peer.ends_with(envelope):
                self._held.insert(0, entry)
                self._awaited.clear()
                self._go_on()
            case _:
                self._held.append(entry)

    def _go_on(self) -> None:
        """Handles what is due, and what arrived in the meantime."""
        life, held = self._life, (*self._held,)
        self._held.clear()
        for entry in held:
            if life == self._life:
                self.give(*entry)
        if life == self._life:
            self._happened(self._due)

    # -- output ----------------------------------------------------------------------------------------------------

    def outgoing(self, receiver: int, envelope: bytes) -> Sequence[bytes]:
        """Returns the data sent to another end when this seat signs an envelope. An honest seat sends just the
        envelope.
        """
        return [envelope]

    def send(self, other: int, frame: Frame) -> None:
        """Sends a frame to another end, if the connection is up."""
        self._network.send(self.number, other, frame)

    def _connect(self) -> None:
        """Begins with nothing known of what the others have."""
        if self.peer.seat is None:
            return
        seats = range(len(self.peer.chains))
        clock = lambda: self._clock.now  # noqa: E731
        for other in {*seats, self.watched_by} - {self.number, None}:
            assert other is not None
            wire = self._wires.setdefault(other, _Wire(self, other))
            live, signer = ((self.number,), other) if other in seats else (seats, None)
            self._syncs[other] = Sync(self.peer, wire, clock, live=live, signer=signer)

    def _say_have(self) -> None:
        for other in self._network.ends:
            if other != self.number:
                self.send(other, self._have)

    @property
    def _have(self) -> Frame:
        return have_frame(self.peer.table.game_id, have_of(self.peer))

    def _accuse(self, seat: int) -> None:
        """Shows everybody the envelopes that convict a seat."""
        if seat in self._accused:
            return
        self._accused.add(seat)
        for other in self._network.ends:
            if other != self.number:
                self._show_convicting(other)

    def _show_convicting(self, other: int) -> None:
        for envelope in convicting(self.peer):
            self.send(other, ("envelope", envelope.pack()))

    # -- the network -----------------------------------------------------------------------------------------------

    def heard(self, sender: int, frame: Frame) -> None:
        if not self.alive:
            return
        match frame:
            case ("envelope", bytes() as envelope):
                self.give("received", envelope)
            case ("have", *_) if sender in self._syncs:
                have = read_have(frame, self.peer.table.game_id, len(self.peer.chains))
                assert have is not None
                self._take_have(sender, have)

    def _take_have(self, sender: int, have: Have) -> None:
        """Handles what another end has."""
        if have[self.number][0] > self.peer.chains[self.number].number:
            self._lacks_own()
        elif sender in self._awaited:
            self._awaited.discard(sender)
            if not self._awaited:
                self._go_on()
        self._syncs[sender].on_have(have)

    def _lacks_own(self) -> None:
        """Called when another end has more of what this seat has signed than the seat itself."""
        if not self.old:
            raise Broken("resume", f"seat {self.number + 1} no longer has what it sent")

    def lost(self, other: int) -> None:
        """Does nothing: what was sent counts only once the other end says that it has it."""

    def joined(self, other: int) -> None:
        if other in self._syncs:
            self._syncs[other].reset()
        self.send(other, self._have)
        if self.peer.caught is not None and self.peer.seat is not None:
            self._show_convicting(other)

    def beat(self) -> None:
        """Sends a heartbeat with what this end has."""
        if self.alive:
            self._say_have()
