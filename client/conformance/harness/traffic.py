"""What went between the suite and a target in one case: frames, and lines of standard input and output."""

from __future__ import annotations

import time
from typing import Final, Literal, NamedTuple

from client.conformance.codec import Malformed, pack, unpack
from client.conformance.plain import spelled

Way = Literal[">", "<"]

SENT: Final = ">"
RECEIVED: Final = "<"
STANDARD: Final = "standard input and output"
"""In place of a connection's name, for jobs and events."""
BEAT: Final = pack("beat")
MOST_KEPT: Final = 400
"""Entries of one case that a report can show."""
MOST_HEX: Final = 2048
"""Bytes of one frame that a report shows."""
MOST_PLAIN: Final = 300
"""Characters of what a frame says."""


class Entry(NamedTuple):
    """A frame with its length, or a line of JSON. `seconds` are those since the case began."""

    seconds: float
    name: str
    way: Way
    data: bytes | str

    @property
    def says(self) -> str:
        """What it says, as far as it can be read."""
        if isinstance(self.data, str):
            return self.data
        try:
            return cut(spelled(unpack(self.data[4:])))
        except Malformed as error:
            return f"({error})"

    @property
    def hex(self) -> str:
        """Of a frame, cut where it is long."""
        if isinstance(self.data, str):
            return ""
        return self.data[:MOST_HEX].hex() + ("..." if len(self.data) > MOST_HEX else "")

    def __str__(self) -> str:
        head = f"{self.seconds:7.3f} {self.way} {self.name}"
        if isinstance(self.data, str):
            return f"{head}: {self.data}"
        return f"{head}, {len(self.data)} bytes: {self.says}\n  {self.hex}"


class Traffic:
    """The entries of a case in the order in which they came. Of many the first are kept, and the last one received."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.left_out = 0
        self.received: dict[str, Entry] = {}
        """The last entry of each connection that came from the target, heartbeats aside."""
        self.count = 0
        """How many of those came."""
        self._began = time.monotonic()

    def keep(self, name: str, way: Way, data: bytes | str) -> None:
        entry = Entry(time.monotonic() - self._began, name, way, data)
        if len(self.entries) < MOST_KEPT:
            self.entries.append(entry)
        else:
            self.left_out += 1
        if way == RECEIVED and data[5:10] != BEAT:
            self.received.pop(name, None)
            self.received[name] = entry
            self.count += 1

    @property
    def lines(self) -> list[str]:
        """All of it, for a report."""
        more = [f"... and {self.left_out} more"] if self.left_out else []
        return [*map(str, self.entries), *more]

    @property
    def last_words(self) -> str:
        """What came last from the target, in a sentence: a frame, and an event."""
        frames = [entry for name, entry in self.received.items() if name != STANDARD]
        frame = f"the last frame was {_named(frames[-1])}" if frames else "no frame of it came"
        event = self.received.get(STANDARD)
        return f"{frame}, the last event {cut(event.says)}" if event is not None else f"{frame}, and no event"

    @property
    def latest(self) -> str:
        """What came last from the target, a frame or an event. Raises StopIteration where nothing came."""
        entry = next(reversed(self.received.values()))
        return f"the event {cut(entry.says)}" if entry.name == STANDARD else f"the frame {_named(entry)}"


def _named(frame: Entry) -> str:
    return f"{frame.says} to {frame.name}"


def cut(text: str) -> str:
    """Text that is long, shortened."""
    return text if len(text) <= MOST_PLAIN else f"{text[:MOST_PLAIN]}..."
