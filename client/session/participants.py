"""The players at a table in words, for any number of seats: who has left, whom the table waits for, and since when."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence, Set
from typing import TYPE_CHECKING, Final

from kimberley.client.session import clocks
from kimberley.client.session.bots import is_practice, progress
from kimberley.client.session.seat_session import session_of
from kimberley.client.ui.glyphs import cell_width, clean, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Leave, SupportsLeave, space_for
from kimberley.p2p.base.confusables import confusable, nicknames_of
from kimberley.p2p.sentences.notices import (
    BEGINS_NEXT,
    GAME_OVER,
    GAME_SAVED,
    NOBODY_AWAITED,
    OTHERS_TO_JOIN,
    YOU_HAVE_LEFT,
    connection_lost_for,
    not_come,
)
from kimberley.p2p.table.words import DIFFER, DIFFER_AGAIN, TRY_AGAIN

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

TELL_SECONDS: Final = 60.0
"""A wait for a connected seat is shown after this time, in minutes: seconds would read like a countdown."""
PAUSED: Final = "paused  "
NOT_COME: Final = "not here yet"
THINK_SECONDS: Final = 0.3
"""A bot's progress is shown after this time."""
THINK_FRAME: Final = 0.1
OTHERS_PLAY_ON: Final = "The others play on without you."
STILL_FAIR: Final = "The game can still be proven fair."
OTHERS_SAVE: Final = "The others can save it and resume it without you."
OUT_FOR_GOOD: Final = "You will be out of the game for good."
NO_RESULT: Final = "If you leave, the game has no result and cannot be proven fair."
UNPROVEN: Final = "If you leave, the game cannot be proven fair."
RESIGN_INSTEAD: Final = "To end it properly, resign."
NO_RETURN: Final = "If you leave, nobody can resume this game, and it will have no result."
SAVE_OR_RESIGN: Final = "You can also save it for later, or resign."
SAVE_INSTEAD: Final = "You can also save it for later."
BOT_NEEDS_YOU: Final = "Your bot plays on only while this program is open."
BOTS_NEED_YOU: Final = "Your bots play on only while this program is open."
"""What leaving a running game means: where the others play on, where they cannot, and where it could be saved."""
STILL_NEEDED: Final = "The others still need this program, usually until your turn would have come. Keep it open."
"""Said of a table that the player has left: a seat can leave the game only where it would have to answer."""
REFEREE_AGAIN: Final = "The referee will set up a new one."
OTHER_OWNER: Final = "{} has the name of someone you know, but a different key."
AGAINST_BOTS: Final = "against the computer"


def spoken_names(table: Table) -> tuple[str, ...]:
    """Returns the names of all seats, as they are read aloud. No name is empty."""
    return tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.occupants.names))


def missing_names(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Returns the nicknames of the players called `before` that are missing from `after`, each as often as it is
    missing.
    """
    return list((Counter(nicknames_of(before)) - Counter(nicknames_of(after))).elements())


def you_removed(name: str) -> str:
    """Says that the player has removed somebody from their own table."""
    return f"You removed {name}."


def without_you(table: Table) -> str:
    """Says what leaving a running game means."""
    if table.phase == "closing":
        return UNPROVEN
    if continues_without_you(table):
        return " ".join(filter(None, (OUT_FOR_GOOD, others_play_on(table), bots_need_you(table))))
    if table.adjournment.can_adjourn:
        return f"{NO_RETURN} {SAVE_OR_RESIGN if can_resign(table) else SAVE_INSTEAD}"
    return f"{NO_RESULT} {RESIGN_INSTEAD}" if can_resign(table) else NO_RESULT


def others_play_on(table: Table) -> str:
    """Says that a game goes on without the player, and what can be proven; of practice, nothing can."""
    return OTHERS_PLAY_ON if is_practice(table) else f"{OTHERS_PLAY_ON} {STILL_FAIR}"


def leaving_saves(table: Table) -> bool:
    """Returns whether the game would not go on without this seat because all others who still play want to save it."""
    others = {*range(len(table.occupants.names))} - departed_seats(table) - {table.occupants.seat}
    return continues_without_you(table) and others <= table.adjournment.adjourn_from


def bots_need_you(table: Table) -> str:
    """Says what becomes of this program's bots in a running game with other people; "" if there are none."""
    return _bots_need(len(session_of(table).bots) if table.phase == "playing" and waiting_people(table) else 0)


def left_bots_need_you(left: Sequence[Table]) -> str:
    """Says what becomes of this program's bots that still play with people at tables that the player has `left`; "" if
    there are none.
    """
    bots = (bot.seat for table in left if waiting_people(table) for bot in session_of(table).bots)
    return _bots_need(sum(seat.phase == "playing" and bool(waiting_people(seat)) for seat in bots))


def _bots_need(bots: int) -> str:
    return (BOT_NEEDS_YOU if bots == 1 else BOTS_NEED_YOU) if bots else ""


VOUCHED: Final = frozenset({"bot", "named bot", "host bot"})
"""How a seat is known that is a bot in this program, or one for which the referee or the host vouches."""


def only_bots(table: Table) -> bool:
    """Returns whether all others at the table are bots in this program, and nobody can still join."""
    others = [known for seat, known in enumerate(table.words.acquaintance) if seat != table.occupants.seat]
    closed = table.phase in ("playing", "closing") or len(others) == table.occupants.seats - 1
    return closed and len(others) > 0 and all(known == "bot" for known in others)


def opponents(table: Table, names: Sequence[str]) -> str:
    """Returns text for the title bar: whom the player plays against. Boards of more than two players name them all."""
    if only_bots(table):
        return AGAINST_BOTS
    return join_names(names) if len(names) == 2 else ""


def compared_with(table: Table) -> str:
    """Returns with whom the player compares the four words, as the end of a sentence: not with bots."""
    known = list(enumerate(table.words.acquaintance))
    bot_seats = [seat for seat, who in known if who in VOUCHED or is_called_bot(table, seat)]
    people = [seat for seat, _ in known if seat not in (table.occupants.seat, *bot_seats)]
    bots = len(bot_seats)
    if len(people) == 1:
        return table.occupants.names[people[0]]
    if not bots or not people:
        return "everyone at the table"
    return f"everyone but the {'bot' if bots == 1 else 'bots'}"


def sits_beside_owner(table: Table, seat: int) -> bool:
    """Returns whether a verified player at the table has the nickname of a seat: then its key is another player's, not
    a new one of somebody known.
    """
    nicknames = nicknames_of(table.occupants.names)
    verified = (name for name, known in zip(nicknames, table.words.acquaintance, strict=False) if known == "met")
    return any(confusable(nicknames[seat], name) for name in verified)


def words_differ(*, counts: bool) -> str:
    """Tells the player who finds the words different what that means and what to do. `counts`: in a tournament."""
    return f"{DIFFER} The table closes. {REFEREE_AGAIN if counts else TRY_AGAIN} {DIFFER_AGAIN}"


def removable_seats(table: Table) -> list[int]:
    """Returns the seats of people whom the player can remove, as the host of a table whose game has not begun."""
    if not table.host or table.phase not in ("open", "words"):
        return []
    return [
        seat for seat, known in enumerate(table.words.acquaintance) if seat != table.occupants.seat and known != "bot"
    ]


def removal_warning(name: str) -> str:
    """Returns what removing a player means."""
    return (
        f"{name} would lose the seat and could not join this table again. Nor could a stranger from the same address, "
        "unless someone else at your table shares it."
    )


def seats_taken(table: Table) -> str:
    """Returns how many seats are taken, and how many people wait for one."""
    seats = f"{len(table.occupants.names)} of {table.occupants.seats} seats"
    return f"{seats}, {len(table.hosting.queue)} in the queue" if table.hosting.queue else f"{seats} taken"


def choosing_seats(table: Table, seats: Sequence[int]) -> list[int]:
    """Returns those of the given seats whose players must make a choice. Steps that programs do by themselves take no
    time.
    """
    ask = table.peer.state.ask() if table.peer is not None else None
    return [] if ask is None else [seat for seat in seats if space_for(ask, seat) is not None]


def _may_read(table: Table, seats: Sequence[int]) -> bool:
    """Returns whether some of these seats may still be reading about the previous game: the host has started this one
    without asking them, and they have not chosen in it yet. No message says where a player is.
    """
    if not table.hosting.begins or table.peer is None:
        return False
    arrived = {table.host_seat, *(seat for ask, _ in table.peer.story for seat in ask.choosers)}
    return any(seat not in arrived and table.words.acquaintance[seat] != "bot" for seat in seats)


def table_owner(table: Table) -> str:
    """Says whose table it is."""
    return "your table" if table.host else f"{table.occupants.names[table.host_seat]}’s table"


def names_with_you(table: Table, seats: Sequence[int]) -> list[str]:
    """Returns the names of seats. Your own is "you", and comes first."""
    return [
        "you" if seat == table.occupants.seat else table.occupants.names[seat]
        for seat in sorted(seats, key=lambda s: s != table.occupants.seat)
    ]


def waiting_lines(who: Sequence[str], more: str, room: int, rows: int = 2) -> list[str]:
    """Returns lines that name the players the table waits for, followed by `more`, in at most `rows` rows of `room`
    cells: as complete as fits.
    """
    others = [name for name in who if name != "you"]
    count = count_of(len(others), "other" if "you" in who else "player")
    shorter = join_names([*(["you"] if "you" in who else []), count])
    ways = [f"Waiting for {join_names(who)}.{more}", f"Waiting for {join_names(who)}.", f"Waiting for {shorter}.{more}"]
    return next((lines for way in ways if len(lines := wrap(way, room)) <= rows), wrap(ways[-1], room, rows))


def short_name(names: Sequence[str], seat: int, room: int) -> str:
    """Returns a seat's name in at most `room` cells. If a plain cut would make it look like another seat's name, the
    part that distinguishes them stays.
    """
    short = truncate(names[seat], room)
    if sum(truncate(name, room) == short for name in names) < 2 or cell_width(short) < 8:
        return short
    # Similar names have the seat's number after the last space.
    head, _, tail = names[seat].rpartition(" ")
    return f"{truncate(head, room - 1 - cell_width(tail))} {tail}" if head and cell_width(tail) < room - 2 else short


def own_name(name: str, room: int) -> str:
    """Returns the player's own name with "you" after it. Where that does not fit into `room` cells, the name's first
    word does, or "you" alone.
    """
    return next((text for form in (name, name.split(" ")[0]) if cell_width(text := f"{form}, you") <= room), "you")


def is_ready(table: Table, seat: int) -> bool:
    """Returns whether a seat is ready for the game to begin."""
    return seat < len(table.occupants.readiness) and table.occupants.readiness[seat]


def departed_seats(table: Table) -> Set[int]:
    """Returns the seats that have left the current game for good. The game goes on without them."""
    story = table.peer.story if table.peer is not None else ()
    return {ask.seat for ask, _ in story if isinstance(ask, Leave)}


def continues_without_you(table: Table) -> bool:
    """Returns whether the game would go on without this seat if it left now."""
    from kimberley.protocol.play import LEAST_TO_LEAVE

    peer, gone = table.peer, departed_seats(table)
    if table.phase != "playing" or peer is None or table.occupants.seat in gone:
        return False
    if not isinstance(peer.state, SupportsLeave):
        return False
    return len(table.occupants.names) - len(gone) >= LEAST_TO_LEAVE


def can_resign(table: Table) -> bool:
    """Returns whether the player is playing a game, and has not resigned."""
    seat = table.occupants.seat
    return table.phase == "playing" and seat not in departed_seats(table) and not table.play.resigning


def waits_for_you(table: Table) -> bool:
    """Returns whether the player can come back to a running game after the program has ended: its journal leads to the
    seat.
    """
    return table.phase in ("playing", "closing") and table.occupants.seat not in departed_seats(table)


def has_left(table: Table | None) -> bool:
    """Returns whether the player has left a game, or has resigned it: nothing of it is kept."""
    if table is None:
        return False
    if table.phase == "failed":
        return not table.ending.resumable
    return table.phase in ("playing", "closing") and not waits_for_you(table)


def waiting_people(table: Table) -> list[str]:
    """Returns the names of the others who still play, without bots."""
    gone = departed_seats(table) | {table.occupants.seat}
    names = enumerate(table.occupants.names)
    return [name for seat, name in names if seat not in gone and not is_called_bot(table, seat)]


def is_called_bot(table: Table, seat: int) -> bool:
    """Returns whether a seat is a bot of this program, or one according to the host."""
    known, called = table.words.acquaintance, table.occupants.called_bots
    return known[seat : seat + 1] == ("bot",) or called[seat : seat + 1] == (True,)


def may_be_far(table: Table) -> bool:
    """Returns whether a player may be far away: this one came by a code, or somebody came by one of this player's."""
    return table.far.used and (not table.host or bool(table.far.keys))


def people_here(table: Table) -> list[str]:
    """Returns the names of the other people who are still at the table after a game, and connected."""
    here = sorted(table.rematch.partners - table.reconnection.away.keys())
    return [table.occupants.names[seat] for seat in here if not is_called_bot(table, seat)]


def lost_by_leaving(table: Table) -> str:
    """Returns what a player loses by leaving a table where no running game waits for them."""
    match table.phase:
        case "open" | "words" if table.host:
            return "Your table closes."
        case "open" | "words":
            others = " for the others" if len(table.occupants.names) > 2 else ""
            opens = f" The table opens again{others}." if table.phase == "words" else ""
            return f"You lose your seat at {table_owner(table)}.{opens}"
        case "playing" | "closing":
            return " ".join(filter(None, (YOU_HAVE_LEFT, bots_need_you(table))))
        case _:
            return GAME_OVER if table.ending.record is None else GAME_SAVED


def awaited_seats(table: Table) -> tuple[int, ...]:
    """Returns the seats whose answer or choice the table needs to go on."""
    match table.phase:
        case "open" if table.occupants.asks_ready:
            return tuple(seat for seat in range(len(table.occupants.names)) if not is_ready(table, seat))
        case "open" if table.hosting.begins and len(table.occupants.names) == table.occupants.seats:
            return (table.host_seat,)
        case "words":
            return tuple(seat for seat, agreed in enumerate(table.words.agreed) if not agreed)
        case "playing" | "closing" if table.peer is not None:
            return table.peer.waiting
    return ()


def elapsed(seconds: float) -> str:
    """Returns a time that has passed: "7 s", "3 min"."""
    return f"{seconds:.0f} s" if seconds < 60 else f"{int(seconds // 60)} min"


def time_taken(players: int, seconds: float) -> str:
    """Returns what follows the names of players who have been choosing for a long time."""
    return f" {'has' if players == 1 else 'have'} taken {elapsed(seconds)}"


class WaitTracker:
    """Tracks which seats a table waits for, and since when. Call `refresh` on every event of the table."""

    def __init__(self, table: Table, clock: Callable[[], float]) -> None:
        self._table, self._clock = table, clock
        self._since: dict[int, float] = {}
        self._place: tuple[object, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Updates the seats that the table waits for. When the table has moved on, all waits start again."""
        table, now = self._table, self._clock()
        place = (table.phase, id(table.peer), len(table.peer.story) if table.peer is not None else 0)
        before = self._since if place == self._place else {}
        self._place = place
        self._since = {seat: before.get(seat, now) for seat in awaited_seats(table)}

    def since(self, seat: int) -> float | None:
        """Returns the time since which a seat is away, or else awaited; None if it is neither."""
        away = self._table.reconnection.away.get(seat)
        return self._since.get(seat) if away is None else away

    def strip_text(self, now: float, room: int, *, done: bool = False) -> tuple[str, Color]:
        """Returns text for the phase strip: who the table is waiting for, at most `room` cells wide, and its color.
        Lost connections come first. A player who is `done` is not mentioned: the table waits only for their program.
        """
        table = self._table
        others = [seat for seat in self._since if seat != table.occupants.seat]
        seats = sorted(table.reconnection.away) or others
        if (timed := self.timed(now, room)) is not None:
            return timed
        if not seats:
            return ("waiting for you", "money") if table.occupants.seat in self._since and not done else ("", "soft")
        start = self._start(seats)
        waited, doing, lead = now - start, "choosing…", ""
        if table.reconnection.away:
            # Nobody knows for how long those who have not come to a resumed game have been away.
            unseen = table.reconnection.not_come.issuperset(seats)
            doing = NOT_COME if unseen else f"away for {elapsed(waited)}"
        elif now >= start + THINK_SECONDS and (share := self._thought()) is not None:
            doing = f"thinking… {share:.0%}"
        elif _may_read(table, choosing_seats(table, seats)):
            lead = "waiting for "
        elif waited >= TELL_SECONDS:
            doing = ""
        elif not choosing_seats(table, seats):
            return "", "soft"
        verb = "" if table.reconnection.away else "is " if len(seats) == 1 else "are "
        rest = "" if lead else f" {verb}{doing}" if doing else time_taken(len(seats), waited)
        names, left = join_names([table.occupants.names[seat] for seat in seats]), room - cell_width(lead + rest)
        if cell_width(names) > left:
            brief = short_name(table.occupants.names, seats[0], max(4, left))
            names = brief if len(seats) == 1 else f"{len(seats)}"
        return f"{lead}{names}{rest}", "warning" if table.reconnection.away else "soft"

    def timed(self, now: float, room: int) -> tuple[str, Color] | None:
        """Returns the clocks of a tournament, at most `room` cells wide; None without clocks, or if nothing is known of
        them while a player is away.
        """
        if clocks.clocks_unknown(self._table):
            return None if self._table.reconnection.away else ("referee offline", "warning")
        faces = clocks.clock_faces(self._table, now)
        if clocks.clocks_paused(self._table):
            text, _ = clocks.strip_text(
                faces, self._table.occupants.seat, self._table.occupants.names, room - len(PAUSED)
            )
            return f"{PAUSED}{text}".rstrip(), "warning"
        return (
            clocks.strip_text(faces, self._table.occupants.seat, self._table.occupants.names, room) if faces else None
        )

    def _start(self, seats: Collection[int]) -> float:
        """Returns since when all these seats are away, or since when the first of them is awaited."""
        first_or_last = max if self._table.reconnection.away else min
        return first_or_last(since for seat in seats if (since := self.since(seat)) is not None)

    def _thought(self) -> float | None:
        """Returns the progress of the slowest bot; None if the table also waits for somebody else."""
        shares = [progress(self._table, seat) for seat in self._since if seat != self._table.occupants.seat]
        known = [share for share in shares if share is not None]
        return min(known) if known and len(known) == len(shares) else None

    def sentences(self, now: float, *, done: bool = False) -> list[str]:
        """Returns the same information in whole sentences, for the line mode. A player who is `done` is not named."""
        table = self._table
        gone = [not_come([table.occupants.names[seat]]) if seat in table.reconnection.not_come else
                connection_lost_for(table.occupants.names[seat], elapsed(now - since))
                for seat, since in sorted(table.reconnection.away.items())]  # fmt: skip
        if clocks.clocks_unknown(table):
            gone.append("The referee is offline, so the clocks are unknown. Play on.")
        else:
            gone += ["The organizer has paused this table."] if clocks.clocks_paused(table) else []
            gone += clocks.clock_sentences(clocks.clock_faces(table, now), table.occupants.seat, table.occupants.names)
        named = table.reconnection.not_come | ({table.occupants.seat} if done else set[int]())
        since = {seat: at for seat, at in self._since.items() if seat not in named}
        if not since:
            return gone or [self._nobody_awaited()]
        waited = elapsed(now - min(since.values()))
        return [*gone, f"Waiting for {join_names(names_with_you(table, list(since)))} ({waited} so far)."]

    def _nobody_awaited(self) -> str:
        """Returns what comes next while the table waits for none of those who are seated."""
        if self._table.phase != "open":
            return NOBODY_AWAITED
        people = self._table.occupants
        return OTHERS_TO_JOIN if len(people.names) < people.seats else BEGINS_NEXT

    def next_frame(self, now: float) -> float | None:
        """Returns the time at which the text of `strip_text` changes by itself."""
        if not clocks.clocks_unknown(self._table) and (faces := clocks.clock_faces(self._table, now)):
            return clocks.next_clock_tick(faces, now)
        others = set(self._since) - {self._table.occupants.seat}
        seats = self._table.reconnection.away or others
        if not seats:
            return None
        start = self._start(seats)
        waited = now - start
        if not self._table.reconnection.away and self._thought() is not None:
            return max(start + THINK_SECONDS, now + THINK_FRAME)
        if not self._table.reconnection.away and waited < TELL_SECONDS:
            return start + TELL_SECONDS
        step = 60.0 if waited >= 60 else 1.0
        return start + (math.floor(waited / step) + 1) * step


KEYS: Final = {
    "new": "not verified", "met": "✓ verified", "changed": "! key changed",
    "bot": "your bot", "named bot": "a bot, says the referee", "host bot": "the host’s bot",
}  # fmt: skip


def key_status(table: Table, seat: int) -> tuple[str, Color]:
    """Returns how well the key of a seat is known, and the color for that. Empty for your own seat."""
    known = table.words.acquaintance[seat] if seat < len(table.words.acquaintance) else ""
    if known == "new" and seat < len(table.occupants.called_bots) and table.occupants.called_bots[seat]:
        return "a bot, says the host", "soft"
    return KEYS.get(known, ""), "warning" if known == "changed" else "soft"
