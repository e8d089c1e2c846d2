"""Runs a Peer: inputs in order, each on the journal with what it led to, then the envelopes go out.

The Peer computes on a thread, one input at a time, so that screens and heartbeats do not wait for proofs. What others
read of it is a `View`, which changes on the event loop only.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from games.table import Answer, Ask, Plain, Result, State
from p2p.files import StorageTrouble
from p2p.journal import Entry, Journal
from p2p.seldom import Seldom
from p2p.text import clean
from p2p.trouble import Fault, Trouble
from protocol.events import Asked, AuditDue, Caught, Dropped, Event, Forgot, Send
from protocol.peer import Peer
from protocol.play import Refused
from protocol.record import Record
from protocol.roster import SignedRoster

log = logging.getLogger(__name__)

FORGOTTEN: Final = (
    "This seat has signed more than its journal holds: an old copy of it, perhaps. Put back the latest one; with this "
    "one it might contradict itself, so it goes no further."
)

MOST_WAITING: Final = 8
"""Inputs that wait for their turn, from which on nothing more is read from other seats."""


def apply(peer: Peer, entry: Entry) -> bool:
    """Gives a Peer one input, as the journal names it. What is no input, but stands in journals, changes nothing.

    Returns whether the journal needs it: False for an envelope that does not count. Raises Refused for a choice that
    cannot be made.
    """
    match entry:
        case ("started",):
            peer.start()
        case ("received", bytes() as envelope):
            return peer.receive(envelope)
        case ("chose", _, choice):
            peer.choose(choice)
        case ("said", str() as text):
            peer.say(text)
        case ("resigned",):
            peer.resign()
        case ("concluded",):
            peer.conclude(peer.judge())
    return True


class View:
    """What a seat knows, as of the last events that were published. One of them lasts a whole game."""

    seat: int | None
    state: State
    public: State
    story: tuple[tuple[Ask, Answer], ...]
    asked: Asked | None
    waiting: tuple[int, ...]
    waiting_since: dict[int, float]
    """For each seat that is waited for: the loop's time since when."""
    owed: str
    """What the seats waited for owe, for a person."""
    left: tuple[int, ...]
    """The seats that have left the game."""
    result: Result | None
    caught: Caught | None
    finished: bool
    ask: Ask | None
    """What the table must do next, once the keys are there."""
    slot: tuple[int, int]
    head: bytes

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.slot, self.waiting_since = peer.slot, {}
        self.refresh()

    @property
    def table(self) -> SignedRoster:
        """Who plays what, and by which options: what all seats have signed."""
        return self._peer.table

    def refresh(self) -> None:
        """Takes over what the Peer knows by now. To be called when no other thread uses the Peer."""
        peer = self._peer
        before = self.waiting_since if self.slot == peer.slot else {}
        now = asyncio.get_running_loop().time()
        self.waiting_since = {seat: before.get(seat, now) for seat in peer.waiting}
        self.seat, self.state, self.public, self.story = peer.seat, peer.state, peer.public, peer.story
        self.asked, self.waiting, self.owed, self.result = peer.asked, peer.waiting, peer.owed, peer.result
        self.left = tuple(sorted(peer.play.desk.left))
        self.caught, self.finished = peer.caught, peer.finished
        self.ask, self.slot, self.head = peer.play.ask, peer.slot, peer.head

    def record(self) -> Record:
        """The record as it stands; of an unfinished game an incomplete one."""
        return self._peer.record()


class Listener(Protocol):
    """Whom a runner tells. All is called on the event loop."""

    def send(self, envelope: bytes) -> None:
        """The envelope is on the journal and may go out."""

    def happened(self, event: Event, since: float) -> None:
        """Something happened; the view shows it already. `since` is the loop's time when its cause arrived."""

    def taken(self) -> None:
        """An input was taken, and what it led to was told."""

    def broke(self, error: Trouble) -> None:
        """The journal cannot be written, or this program is at fault. Nothing was sent that is not on the journal, and
        nothing more will be.
        """


class Runner:
    """One game of one seat. `journal` is None for a seat that need not survive its process."""

    def __init__(self, peer: Peer, journal: Journal | None, listener: Listener) -> None:
        self.view = View(peer)
        self._peer = peer
        self._journal = journal
        self._listener = listener
        self._inputs: deque[tuple[Entry | Callable[[], None], float]] = deque()
        self._news = asyncio.Event()
        self._roomy = asyncio.Event()
        self._free = asyncio.Event()
        self._dropped = Seldom(log)
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._step: asyncio.Future[list[Event]] | None = None

    def start(self) -> None:
        """Begins the game."""
        self.give("started")
        self.release_hold()
        self._task = self._loop.create_task(self._run())

    def take_up(self, due: Sequence[Entry]) -> None:
        """Goes on with a game from its journal, with the inputs that are `due`, once `release_hold` is called."""
        self._inputs.extend((entry, self._loop.time()) for entry in due)
        self._task = self._loop.create_task(self._run())

    def release_hold(self) -> None:
        """From now on inputs are taken."""
        self._free.set()

    @property
    def held(self) -> bool:
        """Whether no input is taken yet."""
        return not self._free.is_set()

    def end_with(self, envelope: bytes) -> None:
        """Takes up an envelope after which this seat signs nothing more, before anything else."""
        self._inputs.appendleft((("received", envelope), self._loop.time()))
        self.release_hold()
        self._news.set()

    @property
    def started(self) -> bool:
        return self._task is not None

    def give(self, kind: str, *what: Plain) -> None:
        """An input for the Peer, as the journal names it; it is taken in its turn."""
        self._inputs.append(((kind, *what), self._loop.time()))
        self._news.set()

    async def room(self) -> None:
        """Returns when few inputs wait for their turn, or the game has stopped."""
        while len(self._inputs) > MOST_WAITING and self._task is not None and not self._task.done():
            self._roomy.clear()
            await self._roomy.wait()

    def after(self, callback: Callable[[], None]) -> None:
        """Calls back, on the event loop, once all that was given so far is taken; at once while nothing is."""
        if self.held or (self._task is not None and self._task.done()):
            callback()
            return
        self._inputs.append((callback, self._loop.time()))
        self._news.set()

    async def stop(self) -> None:
        """Ends after the input at hand. Nothing is sent or published any more."""
        if self._task is not None:
            self._task.cancel()
            self._roomy.set()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._step is not None:
            # A thread cannot be cancelled: the Peer is still being used until it returns.
            await asyncio.gather(self._step, return_exceptions=True)

    def close(self, reason: str) -> None:
        """Notes in the journal that this table is given up, and lets go of it. Raises StorageTrouble."""
        if self._journal is not None:
            try:
                self._journal.write([("closed", reason)], sync=True)
            finally:
                self._journal.close()

    def release(self, *, forget: bool) -> None:
        """Lets go of the journal, and deletes it if it is not needed any more."""
        if self._journal is not None:
            if forget:
                self._journal.remove()
            else:
                self._journal.close()

    async def _run(self) -> None:
        await self._free.wait()
        try:
            await self._take_all()
        except StorageTrouble as error:
            self._break(error)
        except Exception as error:
            log.exception("the game's machine failed")
            self._break(Fault.of(error))

    async def _take_all(self) -> None:
        """Every input in its turn, until this seat may sign nothing more."""
        while True:
            while self._inputs:
                entry, since = self._inputs.popleft()
                if len(self._inputs) <= MOST_WAITING:
                    self._roomy.set()
                if not isinstance(entry, tuple):
                    entry()
                    continue
                try:
                    events = await self._on_thread(entry)
                except Refused as error:
                    # The table has asked for something else meanwhile: a resignation, say.
                    log.info("a choice came too late: %s", error)
                    continue
                if any(isinstance(event, Forgot) for event in events):
                    self._break(Trouble(FORGOTTEN))
                    return
                self._publish(events, since)
            self._news.clear()
            await self._news.wait()

    async def _on_thread(self, entry: Entry) -> list[Event]:
        self._step = self._loop.run_in_executor(None, self._take, entry)
        return await asyncio.shield(self._step)

    def _take(self, entry: Entry) -> list[Event]:
        """One input, on a thread: what the Peer makes of it, on the journal. Raises Refused, StorageTrouble."""
        needed = apply(self._peer, entry)
        events = self._peer.take()
        # Else who sends nonsense would fill the disk.
        if self._journal is not None and needed:
            sent: list[Entry] = [("sent", event.envelope) for event in events if isinstance(event, Send)]
            self._journal.write([entry, *sent], sync=bool(sent))
        return events

    def _break(self, error: Trouble) -> None:
        self._roomy.set()
        self._listener.broke(error)

    def _publish(self, events: Sequence[Event], since: float) -> None:
        self.view.refresh()
        for event in events:
            if isinstance(event, Send):
                self._listener.send(event.envelope)
        for event in events:
            match event:
                case Send():
                    pass
                case Dropped(reason):
                    self._dropped.say(f"dropped: {clean(reason)}")
                case AuditDue():
                    # Before all that waits: the others may have gone already when their last envelopes are taken.
                    self._inputs.appendleft((("concluded",), self._loop.time()))
                    self._listener.happened(event, since)
                case _:
                    self._listener.happened(event, since)
        self._listener.taken()
