"""Who sits at a table, who has left it, who is waited for and since when: in words, for any number of seats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from typing import Final

from client import clocks
from client.glyphs import clean, fitted, width, wrapped
from client.palette import Colour
from client.seats import TableLike, progress
from games.table import Leavable, Leave, asked

TELL_SECONDS: Final = 10.0
"""From when on it is said how long a seat that is not away takes; and how often that is told anew."""
THINK_SECONDS: Final = 0.3
"""From when on it is said how far a bot has come."""
THINK_FRAME: Final = 0.1


def in_a_row(names: Sequence[str]) -> str:
    """Names in a sentence: "ana", "ana and ben", "ana, ben and carla"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def spoken_names(table: TableLike) -> tuple[str, ...]:
    """The names of all seats as they are read aloud: never empty."""
    return tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.names))


def choosing(table: TableLike, seats: Sequence[int]) -> list[int]:
    """Of these seats, those whose players have something to choose; what programs do by themselves takes no time."""
    ask = table.peer.state.ask() if table.peer is not None else None
    return [] if ask is None else [seat for seat in seats if asked(ask, seat) is not None]


def owner(table: TableLike) -> str:
    """Whose table it is."""
    return "your table" if table.host else f"{table.names[table.host_seat]}’s table"


def called(table: TableLike, seats: Sequence[int]) -> list[str]:
    """The names of seats; one's own is "you", and comes first."""
    return ["you" if seat == table.seat else table.names[seat] for seat in sorted(seats, key=lambda s: s != table.seat)]


def waiting_lines(who: Sequence[str], more: str, room: int, rows: int = 2) -> list[str]:
    """Who is waited for, and what `more` there is to say, in rows of so many cells: as fully as fits."""
    others = [name for name in who if name != "you"]
    count = f"{len(others)} others" if "you" in who else f"{len(others)} seats"
    shorter = in_a_row([*(["you"] if "you" in who else []), count])
    ways = [f"Waiting for {in_a_row(who)}.{more}", f"Waiting for {in_a_row(who)}.", f"Waiting for {shorter}.{more}"]
    return next((lines for way in ways if len(lines := wrapped(way, room)) <= rows), wrapped(ways[-1], room)[:rows])


def short_name(names: Sequence[str], seat: int, room: int) -> str:
    """A seat's name in so many cells. Where cutting makes it look like another's, what tells them apart stays."""
    short = fitted(names[seat], room)
    if sum(fitted(name, room) == short for name in names) < 2 or width(short) < 8:
        return short
    # Of two that are alike one carries a fingerprint, behind the last space.
    head, _, tail = names[seat].rpartition(" ")
    return f"{fitted(head, room - 1 - width(tail))} {tail}" if head and width(tail) < room - 2 else short


def is_ready(table: TableLike, seat: int) -> bool:
    """Whether a seat has said that the game may begin."""
    return seat < len(table.readiness) and table.readiness[seat]


def left(table: TableLike) -> Set[int]:
    """The seats that have left the game at hand for good; it goes on without them."""
    story = table.peer.story if table.peer is not None else ()
    return {ask.seat for ask, _ in story if isinstance(ask, Leave)}


def goes_on(table: TableLike) -> bool:
    """Whether the game goes on without this seat, should it leave now."""
    from protocol.play import LEAST_TO_LEAVE

    peer, gone = table.peer, left(table)
    if peer is None or table.seat in gone or not isinstance(peer.state, Leavable):
        return False
    return len(table.names) - len(gone) >= LEAST_TO_LEAVE


def asks_aside(table: TableLike) -> str:
    """The others who would like to put the game aside; empty once one agrees oneself."""
    return "" if table.seat in table.aside_from else in_a_row([table.names[seat] for seat in sorted(table.aside_from)])


def gives_up(table: TableLike) -> str:
    """The others who would like to wait no longer for who is absent; empty once one does so oneself."""
    given = table.abandon_from
    return "" if table.seat in given else in_a_row([table.names[seat] for seat in sorted(given)])


def waited_for(table: TableLike) -> tuple[int, ...]:
    """The seats whose word or choice is missing for the table to go on."""
    match table.phase:
        case "open" if table.asks_ready:
            return tuple(seat for seat in range(len(table.names)) if not is_ready(table, seat))
        case "words":
            return tuple(seat for seat, agreed in enumerate(table.agreed) if not agreed)
        case "playing" | "closing" if table.peer is not None:
            return table.peer.waiting
    return ()


def lasting(seconds: float) -> str:
    """A time that has passed: "7 s", "3 min"."""
    return f"{seconds:.0f} s" if seconds < 60 else f"{int(seconds // 60)} min"


class Waits:
    """Who is waited for at a table, and since when. `note` is to be called with everything that happens there."""

    def __init__(self, table: TableLike, clock: Callable[[], float]) -> None:
        self._table, self._clock = table, clock
        self._since: dict[int, float] = {}
        self._place: tuple[object, ...] = ()
        self.note()

    def note(self) -> None:
        """Takes up who is waited for now. Where the table has gone on, all have begun anew."""
        table, now = self._table, self._clock()
        place = (table.phase, id(table.peer), len(table.peer.story) if table.peer is not None else 0)
        before = self._since if place == self._place else {}
        self._place = place
        self._since = {seat: before.get(seat, now) for seat in waited_for(table)}

    def since(self, seat: int) -> float | None:
        """The time since when a seat is away, or else is waited for; None if it is neither."""
        away = self._table.away.get(seat)
        return self._since.get(seat) if away is None else away

    def said(self, now: float, room: int, doing: str = "choosing…") -> tuple[str, Colour]:
        """Who is waited for, in so many cells, and the colour of that: whose connection is lost before all others."""
        table = self._table
        others = [seat for seat in self._since if seat != table.seat]
        seats = sorted(table.away) or others
        if (timed := self.timed(now, room)) is not None:
            return timed
        if not seats:
            return ("waiting for you", "money") if table.seat in self._since else ("", "soft")
        start = min(since for seat in seats if (since := self.since(seat)) is not None)
        waited = now - start
        if table.away:
            doing = "away"
        elif now >= start + THINK_SECONDS and (share := self._thought()) is not None:
            doing = f"thinking… {share:.0%}"
        verb = "is" if len(seats) == 1 else "are"
        time = f" {lasting(waited)}" if table.away or waited >= TELL_SECONDS else ""
        rest = f" {verb} {doing}{time}"
        names = in_a_row([table.names[seat] for seat in seats])
        if width(names) > room - width(rest):
            each = short_name(table.names, seats[0], max(4, room - width(rest)))
            names = each if len(seats) == 1 else f"{len(seats)}"
        return f"{names}{rest}", "warning" if table.away else "soft"

    def timed(self, now: float, room: int) -> tuple[str, Colour] | None:
        """The clocks of a tournament, in so many cells; None where there are none, or somebody is away."""
        if clocks.unknown(self._table) and not self._table.away:
            return "the referee is away", "warning"
        found = () if self._table.away else clocks.faces(self._table, now)
        return clocks.in_the_strip(found, self._table.seat, self._table.names, room) if found else None

    def _thought(self) -> float | None:
        """How far the bot has come that has most left; None where somebody else is waited for, too."""
        shares = [progress(self._table, seat) for seat in self._since if seat != self._table.seat]
        known = [share for share in shares if share is not None]
        return min(known) if known and len(known) == len(shares) else None

    def sentences(self, now: float) -> list[str]:
        """All of it in whole sentences, for the line mode."""
        table = self._table
        gone = [f"The connection to {table.names[seat]} is lost since {lasting(now - since)}."
                for seat, since in sorted(table.away.items())]  # fmt: skip
        if clocks.unknown(table):
            gone.append("The referee is away, and what the clocks show is not known. Play on.")
        else:
            gone += clocks.in_words(clocks.faces(table, now), table.seat, table.names)
        if not self._since:
            return gone or ["Nobody is waited for."]
        waited = lasting(now - min(self._since.values()))
        return [*gone, f"Waiting for {in_a_row(called(table, list(self._since)))}, since {waited}."]

    def next_frame(self, now: float) -> float | None:
        """When what `said` says changes by itself."""
        if found := clocks.faces(self._table, now):
            return clocks.next_tick(found, now)
        starts = [since for seat in {*self._since, *self._table.away} if (since := self.since(seat)) is not None]
        if not starts or (not self._table.away and set(self._since) <= {self._table.seat}):
            return None
        waited = now - min(starts)
        if not self._table.away and self._thought() is not None:
            return max(min(starts) + THINK_SECONDS, now + THINK_FRAME)
        if not self._table.away and waited < TELL_SECONDS:
            return min(starts) + TELL_SECONDS
        step = TELL_SECONDS if waited < 60 else 60
        return min(starts) + (math.floor(waited / step) + 1) * step
