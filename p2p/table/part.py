"""A part of a table at one seat, and the look-up from a frame's kind to the part that handles it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from kimberley.p2p.table.phases import Phase
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link

Handler: TypeAlias = Callable[[Link, Frame], bool]
"""Handles a frame. Returns False if the frame is malformed, or means nothing now."""


class TablePart:
    """One part of a table. `table.session.TableSession` calls its handlers and hooks. Hooks do nothing by default."""

    frames: Mapping[str, Handler] = MappingProxyType({})
    """The handlers of this part, by the kind of the frame."""

    def on_channel(self, channel: Channel) -> bool:
        """Takes a channel that somebody has opened to this seat. False if it is for another part."""
        return False

    def game_changed(self) -> None:
        """Called when all have signed the roster of a game: what belongs to the previous one no longer counts."""

    def phase_changed(self, phase: Phase) -> None:
        """Called when the table has entered this phase."""

    def link_restored(self, link: Link) -> None:
        """Called when a seat is connected again: what it was sent before may have been lost."""

    def link_changed(self, link: Link) -> None:
        """Called when a connection was lost or is back, or its other side was refused."""


def handlers_of(parts: Iterable[Mapping[str, Handler]]) -> dict[str, Handler]:
    """Returns one look-up for the frames of all parts. Raises ValueError if two parts handle frames of the same
    kind.
    """
    handlers: dict[str, Handler] = {}
    for frames in parts:
        if twice := handlers.keys() & frames.keys():
            raise ValueError(f"two parts of a table handle {', '.join(sorted(twice))}")
        handlers.update(frames)
    return handlers
