"""What a table says across every screen until it is answered: a lost connection, a request, a player who is back.

A `Banner` is what a screen draws in one or two rows and the line mode says once. It holds whole sentences, the answers
that are possible now, and the time at which more becomes possible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from kimberley.client.session.participants import (
    awaited_seats,
    choosing_seats,
    continues_without_you,
    departed_seats,
    is_called_bot,
    waiting_people,
)
from kimberley.client.session.rematches import can_rematch
from kimberley.client.ui.glyphs import cell_width
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.notices import (
    GAME_OVER,
    GAME_SAVED,
    back,
    clock_digits,
    here,
    not_come,
)

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

SHORT_SECONDS: Final = 3.0
"""How long a banner that asks for nothing stays."""
COME_SECONDS: Final = 3.0
"""The usual patience with those who have not come yet."""

STOPPED: Final = "Game saved for later. Resume it from the title screen."
"""Why the table ends here if a player who is alone there puts the game aside."""
KEPT_CHOICES: Final = "Only confirmed choices are saved."
NOT_RECEIVED: Final = "Nobody has received your choice, so it is not saved."
"""Said instead while a resumed game waits for the others."""
WAITS_ON: Final = "Still waiting. Nobody is told."

CUT_OFF: Final = "Friends far away cannot reach this table now."
RESIGNS_LATER: Final = "You resign when it is your turn."
HAS_RESIGNED: Final = "You resigned."
KEEPS: Final = "Everyone keeps their seat."

Tone: TypeAlias = Literal["bad", "ask", "good"]


MOST_NAMES: Final = 32
"""The most columns of the names in a sentence."""
FEW_COLUMNS: Final = 10
"""The same where there is room for few words."""


class BannerAction(Enum):
    """What the player can answer to a banner."""

    STOP_HERE = "stop here"
    """Puts the game aside at this seat, while nobody else is there to agree."""
    PUT_ASIDE = "save"
    PLAY_ON = "keep playing"
    """Refuses to put the game aside, or takes back the player's own request."""
    GIVE_UP = "stop waiting"
    WAIT_ON = "keep waiting"
    """Hides another player's wish to stop waiting. That player is not told."""
    JOIN = "join"
    """Goes on from the end of a game to the next one, which has begun."""


class BannerButton(NamedTuple):
    """An answer: its label, and what it does.

    A board's own request has a key of that board instead of an action.
    """

    label: str
    action: BannerAction | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Banner:
    """What a screen shows until it is answered, or until what it says is over.

    Args:
        topic: What it is about. A banner with the same topic is the same banner with newer sentences.
        tone: "bad" for trouble, "ask" for a request, "good" for its end.
        head: The sentence that says what happened.
        text: What it means.
        more: What can be done about it, or when.
        typed: The same as `more`, for the line mode: it names what to type.
        buttons: The answers, the first one the likeliest.
        until: When more becomes possible, as the table's clock has it.
        total: The whole length of that wait, in seconds.
        brief: What happened in fewer words, for where the head has no room.
        timed: When more becomes possible, in one sentence, for where there is no room for the head and a clock.
        provided: What else must have happened by then, as the rest of a sentence.

    """

    topic: Hashable
    tone: Tone
    head: str
    text: str = ""
    more: str = ""
    typed: str = ""
    buttons: tuple[BannerButton, ...] = ()
    until: float | None = None
    total: float = 0.0
    brief: str = ""
    timed: str = ""
    provided: str = ""

    @property
    def line(self) -> str:
        """All of it in sentences, for the line mode."""
        return " ".join(filter(None, (self.head, self.text, self.typed)))


def is_deserted(table: Table) -> bool:
    """Returns whether nobody else is at the table: all other people who still play have lost the connection. Bots of
    this program stop with it.
    """
    others = set(range(len(table.occupants.names))) - departed_seats(table) - {table.occupants.seat} - _own_bots(table)
    return bool(others) and others <= set(table.reconnection.away)


def _own_bots(table: Table) -> set[int]:
    """Returns the seats of the bots in this program."""
    return {seat for seat, known in enumerate(table.words.acquaintance) if known == "bot"}


def saved_choices(table: Table) -> str:
    """Says which of the player's choices are saved if the game stops now."""
    return NOT_RECEIVED if table.play.unsaved else KEPT_CHOICES


def game_begun(table: Table) -> Banner:
    """Returns what a player who is still reading about a game is told when the next one begins."""
    head = f"{table.occupants.names[table.host_seat]} started {table.game.title}."
    join = BannerButton("Join", BannerAction.JOIN)
    asked = table.phase == "words" or (table.peer is not None and table.peer.asked is not None)
    text = "The game is waiting for you." if asked and table.occupants.seat in awaited_seats(table) else ""
    return Banner("begun", "ask", head, text, buttons=(join,))


class Banners:
    """The banners of a table. Call `refresh` on every event of the table."""

    def __init__(
        self, table: Table, clock: Callable[[], float], *, counts: bool = False, patience: float = COME_SECONDS
    ) -> None:
        """Begins with what the table says now.

        Args:
            table: The table.
            clock: Its clock.
            counts: The game counts for a tournament: then its referee decides how it ends early.
            patience: Seconds that the others have to connect when a game begins or is resumed, before a banner names
                who is not here.

        """
        self._table, self._clock, self._counts, self._patience = table, clock, counts, patience
        self._away: dict[int, float] = {}
        self._not_come: frozenset[int] = frozenset()
        self._asked: frozenset[int] = frozenset()
        self._game: object = None
        self._began = -math.inf
        """When the game of this table began here."""
        self._short: tuple[Banner, ...] = ()
        self._hidden: set[Hashable] = set()
        self._refused = False
        """Whether the player refuses to put the game aside, or has taken back their own request."""
        self.refresh()

    @property
    def _plays(self) -> bool:
        return self._table.phase in ("playing", "closing")

    def refresh(self) -> None:
        """Notes who is back, and which request was taken back or refused."""
        table = self._table
        if table.left or table.phase not in ("playing", "closing", "done"):
            # Before a game the seats are still connecting, and at a table that ends nobody is missed or asked.
            self._away, self._asked, self._short = {}, frozenset(), ()
            return
        away, asked = dict(table.reconnection.away), frozenset(table.adjournment.adjourn_from)
        if table.peer is not self._game:
            # The seats may have been connecting for longer: while the words were compared, nobody was missed.
            self._began = self._clock()
        else:
            unnamed = self._coming(self._away, self._not_come, self._clock())
            returned = self._away.keys() - away - departed_seats(table) - unnamed
            for seat in sorted(returned):
                phrase = here if seat in self._not_come else back
                self._add_short(Banner(("back", seat), "good", phrase(table.occupants.names[seat])))
            if self._asked and not asked and table.phase == "playing" and not away:
                self._add_short(self._no_adjournment(self._asked))
                self._refused = False
        self._away, self._asked, self._game = away, asked, table.peer
        self._not_come = table.reconnection.not_come

    def _coming(self, away: Mapping[int, float], not_come: frozenset[int], now: float) -> set[int]:
        """Returns which of the seats that have been `away` since these times have only just begun to connect."""
        return {seat for seat, since in away.items() if now < self._named_at(since, come=seat not in not_come)}

    def _named_at(self, since: float, *, come: bool) -> float:
        """Returns when a banner names a seat that has been away since then; `come` if it had connected before."""
        if not come:
            return max(since, self._began) + self._patience
        # Where a table begins at once, the seats still settle which of their connections they use.
        settles = self._counts or self._table.play.resumed
        return max(since, self._began + self._patience) if settles else since

    def _add_short(self, banner: Banner) -> None:
        now = self._clock()
        kept = [earlier for earlier in self._short if earlier.topic != banner.topic and earlier.until is not None]
        timed = Banner(banner.topic, banner.tone, banner.head, banner.text, until=now + SHORT_SECONDS)
        self._short = (*(earlier for earlier in kept if earlier.until is not None and earlier.until > now), timed)

    def _no_adjournment(self, asked: frozenset[int]) -> Banner:
        """Returns the banner that says that the game is not put aside, since one player wants to go on."""
        table = self._table
        others = waiting_people(table)
        if table.occupants.seat not in asked or table.occupants.seat in departed_seats(table) or self._refused:
            head = "The game was not saved for later."
        elif len(others) == 1:
            head = f"{others[0]} would rather keep playing."
        else:
            head = "Someone would rather keep playing."
        return Banner("no adjournment", "good", head, "The game goes on.")

    def keep_playing(self) -> None:
        """Refuses to put the game aside, or takes back the player's own request."""
        self._refused = True
        self._table.adjournment.vote(False)

    def hide(self, topic: Hashable) -> None:
        """Hides a banner until its topic changes."""
        self._hidden.add(topic)

    def current(self, now: float) -> tuple[Banner, ...]:
        """Returns the banners at the time `now`, the most urgent first."""
        table = self._table
        if table.phase not in ("playing", "closing", "done"):
            return ()
        short = [banner for banner in self._short if banner.until is not None and now < banner.until]
        lost, resigning = self._lost(now), self._own_resignation()
        # The banner of a lost connection says so as well. A request can be answered, and comes before what cannot.
        told = resigning if not lost or self._counts else []
        banners = (*self._requests(), *short, *lost, *self._own_requests(), *told)
        self._hidden &= {banner.topic for banner in banners}
        return tuple(banner for banner in banners if banner.topic not in self._hidden)

    def next_frame(self, now: float) -> float | None:
        """Returns when the banners change by themselves; None if they do not."""
        times = [banner.until for banner in self.current(now) if banner.until is not None and now < banner.until]
        away, not_come = self._table.reconnection.away, self._table.reconnection.not_come
        times += [self._named_at(away[seat], come=seat not in not_come) for seat in self._coming(away, not_come, now)]
        # The countdown shows whole seconds.
        ticks = [until if left < 1 else now + (left % 1.0 or 1.0) for until in times if (left := until - now)]
        return min(ticks, default=None)

    # -- requests ------------------------------------------------------------------------------------------------------

    def _names(self, seats: Sequence[int], most: int | None = None) -> str:
        """Returns the names of seats, or only their number if the names would be too long for a row, or for `most`
        columns.
        """
        named = join_names([self._table.occupants.names[seat] for seat in sorted(seats)])
        fits = cell_width(named) <= (MOST_NAMES if most is None else most)
        return named if fits or (most is None and len(seats) < 2) else count_of(len(seats), "player")

    def _asker(self, seats: Set[int], most: int | None = None) -> str:
        """Returns who asked first: the others, such as bots, agree to it."""
        return self._names([next(iter(seats))], most)

    def _people(self, seats: Set[int]) -> list[int]:
        """Returns those of these seats who asked for something: a bot agrees to what a person asks."""
        return sorted(seat for seat in seats if not is_called_bot(self._table, seat)) or sorted(seats)

    def _requests(self) -> list[Banner]:
        """Returns what other players ask of this one."""
        table, banners = self._table, list[Banner]()
        if not self._plays or table.occupants.seat in departed_seats(table):
            return banners
        wanted = table.adjournment.adjourn_from if table.phase == "playing" else frozenset[int]()
        if wanted and table.occupants.seat not in wanted:
            banners.append(
                Banner(
                    ("aside", next(iter(wanted))),
                    "ask",
                    f"{self._asker(wanted)} wants to save the game for later.",
                    saved_choices(table),
                    "You can resume it from the title screen.",
                    "To agree, type save. To refuse, type keep playing.",
                    (BannerButton("Save", BannerAction.PUT_ASIDE), BannerButton("Keep playing", BannerAction.PLAY_ON)),
                    brief=f"{self._asker(wanted, FEW_COLUMNS)} wants to save the game.",
                )
            )
        if (
            table.abandonment.abandon_from
            and table.occupants.seat not in table.abandonment.abandon_from
            and table.abandonment.absent
        ):
            undecided = self._others_here() - table.abandonment.abandon_from
            if_agreed = "If everyone agrees" if undecided else "If you agree"
            banners.append(
                Banner(
                    ("abandon", *self._people(table.abandonment.abandon_from)),
                    "ask",
                    f"{self._asker(table.abandonment.abandon_from)} would like to stop waiting for "
                    f"{self._names(table.abandonment.absent)}.",
                    "",
                    f"{if_agreed}, nobody wins.",
                    f"{if_agreed}, the game ends without a result. To agree, type stop waiting. To refuse, type keep "
                    "waiting.",
                    (
                        BannerButton("Stop waiting", BannerAction.GIVE_UP),
                        BannerButton("Keep waiting", BannerAction.WAIT_ON),
                    ),
                    brief=f"Stop waiting for {self._names(table.abandonment.absent, FEW_COLUMNS)}?",
                )
            )
        return banners

    def _own_resignation(self) -> list[Banner]:
        """Returns the banner that says that this player has resigned, while that has no effect yet."""
        table = self._table
        if table.phase != "playing" or table.peer is None or not table.play.resigning:
            return []
        goes_on, seat = continues_without_you(table), table.occupants.seat
        if goes_on and not choosing_seats(table, [seat]):
            return [Banner("resigning", "ask", RESIGNS_LATER)]
        # It takes effect with the steps that the others owe: at once, if they need not choose and are all there.
        others = set(table.peer.waiting) - {seat}
        awaited = sorted(others if goes_on else others & table.reconnection.away.keys())
        if not awaited:
            return []
        return [Banner("resigning", "ask", HAS_RESIGNED, f"Waiting for {self._names(awaited)}.")]

    @property
    def _has_resigned(self) -> bool:
        """Whether this player has resigned, and that has no effect yet only because others are awaited."""
        return any(banner.head == HAS_RESIGNED for banner in self._own_resignation())

    def _others(self) -> set[int]:
        """Returns the other people who still play. Bots agree at once to what a person asks."""
        table = self._table
        gone = departed_seats(table) | {table.occupants.seat}
        return {
            seat for seat in range(len(table.occupants.names)) if seat not in gone and not is_called_bot(table, seat)
        }

    def _others_here(self) -> set[int]:
        """Returns those of the other people who are connected."""
        return self._others() - self._table.reconnection.away.keys()

    def _own_requests(self) -> list[Banner]:
        """Returns what this player has asked of the others."""
        table, banners = self._table, list[Banner]()
        if not self._plays:
            return banners
        others = self._others()
        if others and table.phase == "playing" and table.occupants.seat in table.adjournment.adjourn_from:
            missing = sorted(others - set(table.adjournment.adjourn_from))
            banners.append(
                Banner(
                    "own aside",
                    "ask",
                    "You want to save the game.",
                    f"Waiting for {self._names(missing)}." if missing else "",
                    "The game goes on until then." if missing and not table.play.held_back else "",
                    "To take it back, type keep playing.",
                    (BannerButton("Keep playing", BannerAction.PLAY_ON),),
                )
            )
        if table.occupants.seat in table.abandonment.abandon_from and table.abandonment.absent:
            missing = sorted(self._others_here() - table.abandonment.abandon_from)
            text = f"The game ends when {self._names(missing)} {_verb(missing, 'agrees', 'agree')}." if missing else ""
            banners.append(
                Banner("own abandon", "ask", f"You stopped waiting for {self._names(table.abandonment.absent)}.", text)
            )
        return banners

    # -- lost connections ----------------------------------------------------------------------------------------------

    def _lost(self, now: float) -> list[Banner]:
        """Returns the connections that are lost, and how long to wait for them."""
        table = self._table
        away = sorted(
            table.reconnection.away.keys() - self._coming(table.reconnection.away, table.reconnection.not_come, now)
        )
        if not table.reconnection.away and table.far.cut_off:
            more = "Kimberley keeps trying."
            return [Banner("cut off", "bad", CUT_OFF, KEEPS, more, more)]
        # After a game of a tournament nobody needs the others any more.
        over_for_good = self._counts and table.phase == "done"
        if not away or table.occupants.seat in table.abandonment.abandon_from or over_for_good:
            return []
        if table.reconnection.not_come.issuperset(away):
            head = not_come([table.occupants.names[seat] for seat in away])
        elif not table.reconnection.not_come.isdisjoint(away):
            head = f"{self._names(away)} are away."
        elif len(away) == 1:
            head = f"{table.occupants.names[away[0]]} lost the connection."
        else:
            head = f"{self._names(away)} lost the connection."
        whom: tuple[Hashable, ...] = tuple(away)
        if self._has_resigned and not self._counts:
            head, whom = f"{HAS_RESIGNED} {head}", (*whom, HAS_RESIGNED)
        if table.phase == "done":
            text = GAME_OVER if table.ending.record is None else GAME_SAVED
            more = "A rematch needs everyone back." if can_rematch(table) else ""
            return [Banner(("lost", *whom), "bad", head, text, more)]
        if self._counts:
            more = "The referee decides how long to wait."
            return [Banner(("lost", *whom), "bad", head, KEEPS, more, more)]
        buttons = (BannerButton("Save for later", BannerAction.STOP_HERE),) if self._can_stop_here else ()
        if table.abandonment.absent:
            more = f"You can stop waiting for {self._names(table.abandonment.absent)}."
            give_up = BannerButton("Stop waiting", BannerAction.GIVE_UP)
            typed = f"{more} Type stop waiting."
            return [
                Banner(
                    ("absent", *whom), "bad", head, "", more, typed, (give_up, *buttons), brief=self._brief_lost(away)
                )
            ]
        return [self._lost_for_now(away, whom, head, now, buttons)]

    @property
    def _can_stop_here(self) -> bool:
        table = self._table
        return (
            table.adjournment.can_adjourn and table.occupants.seat not in departed_seats(table) and is_deserted(table)
        )

    def _lost_for_now(
        self,
        away: Sequence[int],
        whom: tuple[Hashable, ...],
        head: str,
        now: float,
        buttons: tuple[BannerButton, ...],
    ) -> Banner:
        """Returns the banner while nobody may be given up yet."""
        table = self._table
        waiting = table.peer.waiting if table.peer is not None else ()
        overdue = [seat for seat in waiting if seat in table.reconnection.away]
        out = table.occupants.seat in departed_seats(table)
        brief = self._brief_lost(away)
        if table.play.held_back and table.occupants.seat in waiting:
            # No choice is sent before they come, so that they cannot be the only ones who are awaited.
            text = f"The game is waiting for {self._names(away)}."
            return Banner(("lost", *whom), "bad", head, text, buttons=buttons, brief=brief)
        if not overdue or out:
            who = self._names(away)
            if own := self._own_resignation():
                text = own[0].text or own[0].head
                return Banner(("lost", *whom), "bad", head, text, buttons=buttons, brief=brief)
            whose = f"{who}’s" if len(away) == 1 and cell_width(who) <= FEW_COLUMNS else "their"
            # A game that all have resumed stands still until they come, and one that is over has no turns.
            stands = table.play.held_back or table.phase == "closing"
            goes_on = "" if stands else f"The game goes on until it is {whose} turn."
            text = f"The game is waiting for {who}." if overdue else goes_on
            if out:
                return Banner(("lost", *whom), "bad", head, text, brief=brief)
            return Banner(("lost", *whom), "bad", head, text, KEEPS, KEEPS, buttons, brief=brief)
        until = max(table.reconnection.away[seat] for seat in overdue) + table.abandonment.grace
        done = {table.occupants.seat} if self._has_resigned else set[int]()
        if now < until:
            # The bots of this program choose in time.
            done |= _own_bots(table)
        others = [seat for seat in waiting if seat not in table.reconnection.away.keys() | done]
        if table.occupants.seat in others:
            # A player who gives a game up attests that only the absent seats owe a step (SPEC.md, section 18.1).
            also = [seat for seat in others if seat != table.occupants.seat]
            text, chosen = "Your turn: choose.", f"you{f' and {self._names(also)}' if also else ''} have chosen"
        elif others:
            text, chosen = KEEPS, f"{self._names(others)} {_verb(others, 'has', 'have')} chosen"
        else:
            text, chosen = "" if self._has_resigned else KEEPS, ""
        if now >= until:
            more = f"You can stop waiting{f' once {chosen}' if chosen else ''}."
            return Banner(("awaited", *whom), "bad", head, text, more, more, buttons, brief=brief)
        seconds, provided = math.ceil(until - now), f" if {chosen}" if chosen else ""
        of_whom = "" if chosen else f" for {self._names(overdue, FEW_COLUMNS)}"
        return Banner(
            ("awaited", *whom),
            "bad",
            head,
            text,
            f"You can stop waiting at 0:00{provided}.",
            f"In {count_of(seconds, 'second')} you can type stop waiting{f', if {chosen} by then' if chosen else ''}.",
            buttons,
            until,
            float(table.abandonment.grace),
            brief,
            f"{HAS_RESIGNED} You can stop waiting in {clock_digits(seconds)}."
            if self._has_resigned
            else f"Choose. You can stop waiting in {clock_digits(seconds)}."
            if table.occupants.seat in others
            else f"You can stop waiting{of_whom} in {clock_digits(seconds)}{provided}.",
            provided,
        )

    def _brief_lost(self, away: Sequence[int]) -> str:
        """Returns who is away, and whether this player has resigned, in few words."""
        gone = f"{self._names(away, FEW_COLUMNS)} {_verb(away, 'is', 'are')} away."
        return f"{HAS_RESIGNED} {gone}" if self._has_resigned else gone


def _verb(seats: Sequence[int], one: str, many: str) -> str:
    return one if len(seats) == 1 else many
