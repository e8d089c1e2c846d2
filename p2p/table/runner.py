"""Runs a Peer: inputs in order; each is written to the journal with its envelopes, and then these are sent.

The Peer computes on a thread, one input at a time, so that screens and heartbeats do not wait for proofs. Others read
its `PeerView`, which changes on the event loop only.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from kimberley.games.table import Answer, Ask, Plain, Result, State, SupportsPeriod
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks, report_error
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.journal import Entry, Journal
from kimberley.p2p.table.shared_audits import share_audit
from kimberley.p2p.table.sync import Have, have_of
from kimberley.protocol.events import Asked, AuditDue, Caught, Dropped, Event, OutdatedState, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.record import Record
from kimberley.protocol.roster import SignedRoster

log = logging.getLogger(__name__)

FORGOTTEN: Final = (
    "Your seat has signed moves that this program does not know, and there is no saved game to resume. The program "
    "stops here: it might sign two different messages for one move, which counts as cheating."
)

MOST_WAITING: Final = 8
"""Waiting inputs. Above this nothing more is read from other seats."""
MOST_HELD_BYTES: Final = 16 << 20
"""The same while inputs are held back, in bytes of envelopes: what the hold waits for may come behind them on the same
connection, relayed for another seat.
"""


def apply(peer: Peer, entry: Entry) -> bool:
    """Gives a Peer one input, as the journal names it. Other journal entries change nothing.

    Returns whether the journal needs it: False for an envelope that does not count. Raises NotAllowed for a choice that
    cannot be made.
    """
    match entry:
        case ("started",):
            peer.start()
        case ("received", bytes() as envelope):
            return peer.receive(envelope)
        case ("chose", _, choice):
            peer.choose(choice)
        case ("resigned",):
            peer.resign()
        case ("concluded",):
            peer.audit()
    return True


class PeerView:
    """What a seat knows, as of the last published events. One view lasts a whole game."""

    seat: int | None
    state: State
    public: State
    story: tuple[tuple[Ask, Answer], ...]
    asked: Asked | None
    waiting: tuple[int, ...]
    waiting_since: dict[int, float]
    """For each seat that is waited for: the loop's time when that began."""
    left: tuple[int, ...]
    """The seats that have left the game."""
    choices: tuple[Plain, ...]
    """What the seat has chosen so far."""
    result: Result | None
    caught: Caught | None
    finished: bool
    ask: Ask | None
    """What the table does next, once the keys are there."""
    slot: tuple[int, int]
    head: bytes
    have: Have
    """How many envelopes of each seat there are, and the hash of the last."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.slot, self.waiting_since = peer.slot, {}
        self.refresh()

    @property
    def table(self) -> SignedRoster:
        """The roster that all seats have signed: who plays, and with which options."""
        return self._peer.table

    @property
    def first_state(self) -> State:
        """The first state of the game."""
        return self._peer.first_state

    def refresh(self) -> None:
        """Takes over what the Peer knows now. To be called when no other thread uses the Peer."""
        peer = self._peer
        before = self.waiting_since if self.slot == peer.slot else {}
        now = asyncio.get_running_loop().time()
        self.waiting_since = {seat: before.get(seat, now) for seat in peer.waiting}
        self.seat, self.state, self.public, self.story = peer.seat, peer.state, peer.public, peer.story
        self.asked, self.waiting, self.result = peer.asked, peer.waiting, peer.result
        self.choices = tuple(peer.play.choices)
        self.left = tuple(sorted(peer.play.crypto.departed))
        self.caught, self.finished = peer.caught, peer.finished
        self.ask, self.slot, self.head, self.have = peer.play.ask, peer.slot, peer.head, have_of(peer)

    def record(self) -> Record:
        """Returns the record so far; incomplete while the game is unfinished."""
        return self._peer.record()


class RunnerCallbacks(Protocol):
    """What a runner calls, always on the event loop."""

    def send(self, envelope: bytes) -> None:
        """Called when the envelope is in the journal and may be sent."""

    def on_event(self, event: Event, since: float) -> None:
        """Called when something happened; the view already shows it. `since` is the loop's time when its cause
        arrived.
        """

    def on_applied(self) -> None:
        """Called when an input was handled, and its events were published."""

    def on_failure(self, error: UserError) -> None:
        """Called when the journal cannot be written, or this program is at fault. Everything sent is in the journal,
        and nothing more will be sent.
        """


class Runner:
    """One game of one seat. `journal` is None for a seat that need not survive a crash."""

    def __init__(self, peer: Peer, journal: Journal | None, listener: RunnerCallbacks) -> None:
        self.view = PeerView(peer)
        self._peer = peer
        self._journal = journal
        self._callbacks = listener
        self._inputs: deque[tuple[Entry | Callable[[], None], float]] = deque()
        self._wakeup = asyncio.Event()
        self._has_room = asyncio.Event()
        self._free = asyncio.Event()
        self._came_early: set[bytes] = set()
        """The envelopes that have come while inputs are held back."""
        self._early_bytes = 0
        self._dropped = RateLimitedLog(log)
        self._loop = asyncio.get_running_loop()
        self._tasks = BackgroundTasks()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False
        self._noted_period = ""
        """How far the game was when the journal last noted it."""

    def start(self) -> None:
        """Begins the game."""
        self.submit("started")
        self.release_hold()
        self._task = self._tasks.start(self._run())

    def resume(self, due: Sequence[Entry]) -> None:
        """Continues a game from its journal, with the inputs that are `due`, once `release_hold` is called."""
        self._inputs.extend((entry, self._loop.time()) for entry in due)
        self._task = self._tasks.start(self._run())

    def release_hold(self) -> None:
        """Lets inputs be handled from now on."""
        self._free.set()
        self._came_early.clear()
        self._has_room.set()

    @property
    def held(self) -> bool:
        """Whether inputs are still held back."""
        return not self._free.is_set()

    def end_with(self, envelope: bytes) -> None:
        """Handles this envelope first: after it the seat signs nothing more."""
        self._inputs.appendleft((("received", envelope), self._loop.time()))
        self.release_hold()
        self._wakeup.set()

    @property
    def started(self) -> bool:
        return self._task is not None

    @property
    def handles_inputs(self) -> bool:
        """Whether the game has begun, and has neither stopped nor failed."""
        return self._task is not None and not self._task.done() and not self._stopped

    def submit(self, kind: str, *what: Plain) -> None:
        """Queues an input for the Peer, as the journal names it."""
        self._inputs.append(((kind, *what), self._loop.time()))
        self._wakeup.set()

    def receive(self, envelope: bytes) -> None:
        """Queues an envelope that has come. While inputs are held back, each is queued once, however often it comes."""
        if self.held:
            if envelope in self._came_early:
                return
            self._came_early.add(envelope)
            self._early_bytes += len(envelope)
        self.submit("received", envelope)

    async def wait_for_room(self) -> None:
        """Returns when few inputs are waiting, or the game has stopped."""
        while self._full and self.handles_inputs:
            self._has_room.clear()
            await self._has_room.wait()

    @property
    def _full(self) -> bool:
        return self._early_bytes > MOST_HELD_BYTES if self.held else len(self._inputs) > MOST_WAITING

    def call_after(self, callback: Callable[[], None]) -> None:
        """Calls back, on the event loop, once all inputs so far are handled; at once while inputs are held back."""
        if self.held or (self.started and not self.handles_inputs):
            callback()
            return
        self._inputs.append((callback, self._loop.time()))
        self._wakeup.set()

    async def stop(self) -> None:
        """Ends after the current input. Nothing more is sent or published."""
        self._stopped = True
        for event in (self._free, self._wakeup, self._has_room):
            event.set()
        # A thread cannot be canceled: the Peer is still being used until it returns.
        await self._tasks.wait()

    def close(self, reason: str) -> None:
        """Notes in the journal that this table is given up, and releases it. Raises StorageError."""
        if self._journal is not None:
            try:
                self._journal.write([("closed", reason)], sync=True)
            finally:
                self._journal.close()

    def release(self, *, forget: bool) -> None:
        """Releases the journal, and deletes it if it is no longer needed."""
        if self._journal is not None:
            if forget:
                self._journal.remove()
            else:
                self._journal.close()

    async def _run(self) -> None:
        await self._free.wait()
        try:
            await self._apply_all()
        except StorageError as error:
            self._fail(error)
        except Exception as error:
            log.exception("the game’s machine failed")
            self._fail(InternalError.of(error))

    async def _apply_all(self) -> None:
        """Handles every input in turn, until this seat must not sign anything more."""
        while not self._stopped:
            while self._inputs and not self._stopped:
                entry, since = self._inputs.popleft()
                if len(self._inputs) <= MOST_WAITING:
                    self._has_room.set()
                if not isinstance(entry, tuple):
                    entry()
                    continue
                try:
                    events = await in_background(self._apply, entry)
                except NotAllowed as error:
                    # Meanwhile the table asks for something else, for example after a resignation.
                    log.info("a choice came too late: %s", error)
                    continue
                if self._stopped:
                    return
                for event in events:
                    if isinstance(event, OutdatedState):
                        self._fail(self._outdated(event))
                        return
                self._publish(events, since)
            self._wakeup.clear()
            if not self._stopped:
                await self._wakeup.wait()

    def _apply(self, entry: Entry) -> list[Event]:
        """Handles one input, in the background, and writes it to the journal with its envelopes. Raises NotAllowed,
        StorageError.
        """
        if entry == ("concluded",):
            share_audit(self._peer)
        # A seat whose game is finished signs nothing more, and its journal may be gone.
        finished = self._peer.finished
        needed = apply(self._peer, entry) and not finished
        events = self._peer.take()
        # Otherwise a flood of nonsense would fill the disk.
        if self._journal is not None and needed:
            sent: list[Entry] = [("sent", event.envelope) for event in events if isinstance(event, Send)]
            # The choices of the others can end a month after the last one of this seat.
            period = self._period
            counted: list[Entry] = [("period", period)] if period != self._noted_period else []
            self._noted_period = period
            self._journal.write([entry, *counted, *sent], sync=bool(sent))
        return events

    @property
    def _period(self) -> str:
        """How far the game is; empty if the game does not count that."""
        state = self._peer.state
        return state.period() if isinstance(state, SupportsPeriod) else ""

    def _outdated(self, event: OutdatedState) -> UserError:
        """Returns why this seat must not continue: it has forgotten an envelope."""
        if self._journal is None:
            return UserError(FORGOTTEN)
        return self._journal.outdated(event.number, event.envelope)

    def _fail(self, error: UserError) -> None:
        self._has_room.set()
        if self._stopped:
            report_error("the game’s machine failed as it was stopped", error)
        else:
            self._callbacks.on_failure(error)

    def _publish(self, events: Sequence[Event], since: float) -> None:
        self.view.refresh()
        for event in events:
            if isinstance(event, Send):
                self._callbacks.send(event.envelope)
        for event in events:
            match event:
                case Send():
                    pass
                case Dropped(reason):
                    self._dropped.log(f"dropped: {clean(reason)}")
                case AuditDue():
                    # Before all other inputs: by the time those are handled, the others may have gone.
                    self._inputs.appendleft((("concluded",), self._loop.time()))
                    self._callbacks.on_event(event, since)
                case _:
                    self._callbacks.on_event(event, since)
        self._callbacks.on_applied()
