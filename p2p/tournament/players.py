"""The players and rounds of a tournament, and each player's history: the basis of pairings and standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from kimberley.p2p.tournament import points
from kimberley.p2p.tournament.events import ABSENT, ORGANIZER, UNREADY, VOID, WITHDREW, TableDecided, TableReopened
from kimberley.p2p.tournament.settings import MOST_TABLES

IN, WITHDRAWN, DISQUALIFIED, BANNED = "in", "withdrawn", "disqualified", "banned"
KEPT_OUT: Final = "The organizer has removed you from this tournament."
OUT_FOR_GOOD: Final = {DISQUALIFIED: "You are disqualified from this tournament.", BANNED: KEPT_OUT}
"""What a referee answers to a player who cannot come back, by state."""
HAS_ENDED: Final = "The tournament has ended."
ENTRY_CLOSED: Final = "The organizer has closed entry."
NEVER_IN: Final = frozenset({*OUT_FOR_GOOD.values(), HAS_ENDED, ENTRY_CLOSED})
"""What a referee answers to those whom it does not let in later either."""

UP, DOWN, LEVEL = "up", "down", "none"

UNPLAYED: Final = (ABSENT, UNREADY, WITHDREW, VOID, ORGANIZER)

BYE: Final = Fraction(1)
HALF_BYE: Final = Fraction(1, 2)
STREAK: Final = 2
"""Tables won in a row after which an arena counts points twice."""


@dataclass(frozen=True, slots=True)
class Return:
    """When a player who had withdrawn came back: in seconds since 1970, and how many rounds were paired by then."""

    at: int
    round: int


@dataclass(frozen=True, slots=True)
class TournamentPlayer:
    """A player who has enrolled. `number` is the starting number, from 1, drawn by lot; 0 before lots are drawn.

    `state` is "in", "withdrawn", "disqualified" (a proven cheat) or "banned" (by the organizer). `bot`: it is a
    program. `back` is its latest return.
    """

    identity: bytes
    nickname: str
    number: int = 0
    state: str = IN
    bot: bool = False
    back: Return | None = None


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """A table of a round: its number from 0, the identities in seat order, the game's id, and how it ended.

    The organizer may have paused it, or given its players more time: `added` are seconds by seat. `former` are the
    results that no longer count, and `reopened` says why each of them does not.
    """

    number: int
    seats: tuple[bytes, ...]
    game: bytes | None = None
    decided: TableDecided | None = None
    paused: bool = False
    added: tuple[int, ...] = ()
    former: tuple[TableDecided, ...] = ()
    reopened: tuple[TableReopened, ...] = ()

    @property
    def id(self) -> int:
        """Its number in events and messages: another one each time that it is played again."""
        return self.number + len(self.former) * MOST_TABLES

    @property
    def games(self) -> tuple[bytes, ...]:
        """The ids of all games that were played here."""
        all_ = (*(result.game for result in self.former), self.game)
        return tuple(game for game in all_ if game is not None)

    def added_to(self, seat: int) -> int:
        """Returns the seconds that the organizer has given a seat."""
        return self.added[seat] if self.added else 0

    @property
    def points(self) -> tuple[Fraction, ...] | None:
        """By seat; None while it is played."""
        return None if self.decided is None else points.points(self.decided.places)

    @property
    def played(self) -> bool:
        """Whether its result says something about strength: not if a player stayed away or left, nor if it is void."""
        return self.decided is not None and self.decided.game is not None and self.decided.how not in UNPLAYED


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round, counted from 1: its tables, the players with a bye, when it was paired, in seconds since 1970, and the
    players with a half-point bye.
    """

    number: int
    tables: tuple[TournamentTable, ...]
    byes: tuple[bytes, ...]
    begun: int = 0
    half_byes: tuple[bytes, ...] = ()

    @property
    def open(self) -> tuple[TournamentTable, ...]:
        """The tables that have no result yet."""
        return tuple(table for table in self.tables if table.decided is None)


@dataclass(frozen=True, slots=True)
class Encounter:
    """One opponent at a decided table, and the share of a point scored against it (`tournament.points.beaten`)."""

    other: bytes
    had: Fraction
    at_table: int
    """How many others sat there."""


@dataclass(slots=True)
class PlayerHistory:
    """A player's history in the tournament.

    `last` are the points from its latest table; `seats` are its seats, table by table; `floats` says, round by round,
    whether its opponent had fewer, more or equal points (tables of two); `met` counts the players it was paired with;
    `streak` is how many tables it has won in a row.
    """

    player: TournamentPlayer
    points: Fraction = Fraction(0)
    byes: int = 0
    half_byes: int = 0
    walkovers: int = 0
    wins: int = 0
    last: Fraction = Fraction(0)
    streak: int = 0
    seats: list[int] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)
    met: Counter[bytes] = field(default_factory=Counter)
    meetings: list[Encounter] = field(default_factory=list)

    @property
    def identity(self) -> bytes:
        return self.player.identity

    @property
    def number(self) -> int:
        return self.player.number

    @property
    def lean(self) -> int:
        """How many more times it sat at seat 0 than elsewhere (tables of two)."""
        return sum(1 if seat == 0 else -1 for seat in self.seats)


def player_histories(
    players: Iterable[TournamentPlayer],
    rounds: Sequence[TournamentRound],
    *,
    streaks: bool = False,
    only_played: bool = False,
) -> dict[bytes, PlayerHistory]:
    """Returns every player's history. At a table without a result the players have met, and have no points yet.

    Args:
        players: All who have enrolled.
        rounds: All rounds so far.
        streaks: Points count twice from the third win in a row on, until a table is not won.
        only_played: A table where no game began counts as in the FIDE Handbook, C.04.3: nobody has met there or had a
            seat, and a player who got points for it has floated down, as with a bye.

    """
    histories = {player.identity: PlayerHistory(player) for player in players}
    for one in rounds:
        before = {identity: entry.points for identity, entry in histories.items()}
        for table in one.tables:
            counts = not only_played or table.decided is None or table.game is not None
            _count(table, histories, before, streaks=streaks, counts=counts)
        for identity in one.byes:
            entry = histories[identity]
            entry.points += BYE
            entry.byes += 1
            entry.floats.append(DOWN)
        for identity in one.half_byes:
            entry = histories[identity]
            entry.points += HALF_BYE
            entry.half_byes += 1
            entry.floats.append(DOWN)
        for entry in histories.values():
            if len(entry.floats) < one.number:
                entry.floats.append(LEVEL)
    return histories


def _count(
    table: TournamentTable,
    histories: dict[bytes, PlayerHistory],
    before: dict[bytes, Fraction],
    *,
    streaks: bool,
    counts: bool,
) -> None:
    """Adds a table to the histories of its players. `counts`: they have met, each at its seat."""
    others = len(table.seats) - 1
    scored = table.points
    for seat, identity in enumerate(table.seats):
        entry = histories[identity]
        rivals = [(number, rival) for number, rival in enumerate(table.seats) if number != seat]
        if counts:
            entry.seats.append(seat)
            entry.met.update(rival for _, rival in rivals)
            entry.floats.append(_float(before[identity], max(before[rival] for _, rival in rivals)))
        else:
            entry.floats.append(DOWN if scored is not None and scored[seat] else LEVEL)
        if table.decided is None or scored is None:
            continue
        places = table.decided.places
        entry.points += scored[seat] * (2 if streaks and entry.streak >= STREAK else 1)
        entry.last = scored[seat]
        for number, rival in rivals:
            entry.meetings.append(Encounter(rival, points.beaten(places[seat], places[number]), others))
        first = places[seat] == 1 and places.count(1) == 1
        entry.streak = entry.streak + 1 if first else 0
        entry.wins += first and table.played
        entry.walkovers += first and not table.played


def _float(mine: Fraction, theirs: Fraction) -> str:
    return LEVEL if mine == theirs else DOWN if mine > theirs else UP
