"""What the suite and the target sent each other in one case: frames, and lines of standard input and output."""

from __future__ import annotations

import time
from typing import Final, Literal, NamedTuple

from kimberley.conformance.plain import spelled
from kimberley.protocol.encoding import Malformed, pack, unpack

Way = Literal[">", "<"]

SENT: Final = ">"
RECEIVED: Final = "<"
STANDARD: Final = "standard input and output"
"""Stands for the name of a connection where jobs and events are meant."""
MULTICAST: Final = "mDNS"
"""Stands for the name of a connection where announcements are meant, which are told in words."""
BEAT: Final = pack("beat")
MAX_ENTRIES: Final = 400
"""Entries of one case that a report shows."""
MAX_HEX: Final = 2048
"""Bytes of one frame that a report shows."""
MAX_TEXT: Final = 300
"""Characters of a frame, spelled out, that a report shows."""


class TrafficEntry(NamedTuple):
    """A frame with its length, or a line of JSON. `seconds` counts from the beginning of the case."""

    seconds: float
    name: str
    way: Way
    data: bytes | str

    @property
    def says(self) -> str:
        """What it says, if it can be read."""
        if isinstance(self.data, str):
            return self.data
        try:
            return shorten(spelled(unpack(self.data[4:])))
        except Malformed as error:
            return f"({error})"

    @property
    def hex(self) -> str:
        """The bytes of a frame, shortened to MAX_HEX."""
        if isinstance(self.data, str):
            return ""
        return self.data[:MAX_HEX].hex() + ("..." if len(self.data) > MAX_HEX else "")

    def __str__(self) -> str:
        head = f"{self.seconds:7.3f} {self.way} {self.name}"
        if isinstance(self.data, str):
            return f"{head}: {self.data}"
        return f"{head}, {len(self.data)} bytes: {self.says}\n  {self.hex}"


class Traffic:
    """The entries of a case in order: the first MAX_ENTRIES of them, and the last that each connection received."""

    def __init__(self) -> None:
        self.entries: list[TrafficEntry] = []
        self.left_out = 0
        self.received: dict[str, TrafficEntry] = {}
        """By connection, the last entry that came from the target, heartbeats aside."""
        self.count = 0
        """How many entries came from the target, heartbeats aside."""
        self._began = time.monotonic()

    def keep(self, name: str, way: Way, data: bytes | str) -> None:
        entry = TrafficEntry(time.monotonic() - self._began, name, way, data)
        if len(self.entries) < MAX_ENTRIES:
            self.entries.append(entry)
        else:
            self.left_out += 1
        if way == RECEIVED and data[5:10] != BEAT:
            self.received.pop(name, None)
            self.received[name] = entry
            self.count += 1

    @property
    def lines(self) -> list[str]:
        """All entries as text, for a report."""
        more = [f"... and {self.left_out} more"] if self.left_out else []
        return [*map(str, self.entries), *more]

    @property
    def last_words(self) -> str:
        """What the target sent last, as part of a sentence: a frame and an event."""
        frames = [entry for name, entry in self.received.items() if name not in (STANDARD, MULTICAST)]
        frame = f"the last frame was {_describe(frames[-1])}" if frames else "it sent no frame"
        event = self.received.get(STANDARD)
        return f"{frame}, the last event {shorten(event.says)}" if event is not None else f"{frame}, and no event"

    @property
    def latest(self) -> str:
        """What the target sent last, a frame or an event. Raises StopIteration if it sent nothing."""
        entry = next(reversed(self.received.values()))
        if entry.name == MULTICAST:
            return entry.says
        return f"the event {shorten(entry.says)}" if entry.name == STANDARD else f"the frame {_describe(entry)}"


def _describe(frame: TrafficEntry) -> str:
    return f"{frame.says} to {frame.name}"


def shorten(text: str) -> str:
    """Returns the text, shortened to MAX_TEXT characters."""
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}..."
