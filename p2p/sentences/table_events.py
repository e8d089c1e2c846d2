"""What players and spectators are told about the events of a table, on screens and in text mode alike."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.p2p.sentences import notices
from kimberley.p2p.table.events import News, Notice
from kimberley.protocol.events import Caught, SeatDeparted


def notice_of(event: object, names: Sequence[str]) -> Notice | None:
    """Returns what to tell of an event, given the names of the seats; None for nothing, or where each client shows it
    in its own way.
    """
    match event:
        case News():
            return event.notice(names)
        case SeatDeparted(seat=seat):
            return Notice(notices.left(names[seat]), bad=False)
        case Caught(seat):
            return Notice(notices.caught(names[seat], event.reason))
    return None
