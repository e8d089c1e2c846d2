"""The services that screens need: opening, joining and resuming tables, playing alone, and the list of nearby
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias

from kimberley.client.session.interfaces import SharingLike
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import DRAW, place_word, shared_mark

if TYPE_CHECKING:
    from kimberley.client.session.interfaces import SpectatorLike, TournamentClientLike
    from kimberley.p2p.table.table import Table
    from kimberley.p2p.transport.table_card import TournamentCard

Key: TypeAlias = Literal["met", "new", "changed", "you", "bot"]
Stop: TypeAlias = Callable[[], None]
VERDICT_LABELS: Final[Mapping[str, str]] = {
    "fair": "✓ fair",
    "unfair": "! unfair",
    "incomplete": "? incomplete",
    "damaged": "! damaged",
    "unknown": "? can’t check",
}
CHANGED: Final = "the record was changed"
"""How the reason why a record is damaged begins; after a colon, it says where."""


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table on this network that answers.

    `key` says how well the host's identity is known. `address` can be passed to `kimberley join`. `versions` is a
    sentence if the table is incompatible, else None. `rtt` is the round trip in seconds. `options` are the table's
    options in words, (label, value). `names` are its players. For a tournament, `tournament` is set and `host` is the
    tournament's name. In a list, a table that was shown and is no longer open is `gone`.
    """

    name: str
    game: str
    title: str
    host: str
    taken: int
    total: int
    key: Key
    address: str
    versions: str | None
    rtt: float
    options: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    tournament: TournamentCard | None = None
    gone: bool = False

    @property
    def full(self) -> bool:
        return self.tournament is None and self.taken >= self.total

    @property
    def count(self) -> str:
        """Returns how many seats are taken; nothing if fewer play than the table seats, so that no seat is free."""
        return "" if self.full and 0 < len(self.names) < self.taken else f"{self.taken} of {self.total}"

    @property
    def over(self) -> bool:
        """Whether it is a tournament that is over."""
        return self.tournament is not None and self.tournament.over


class JoinedTournament(NamedTuple):
    """The result of `Services.join` for a tournament."""

    client: TournamentClientLike


@dataclass(frozen=True, slots=True)
class NearbyTables:
    """The tables that the network shows now.

    `silent` counts tables that are announced but do not answer. `problem` is a sentence if nothing can be found at all.
    """

    tables: tuple[ListedTable, ...] = ()
    silent: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    """A game in the user's journals that can be resumed.

    `key` identifies it for `resume`. `others` are the nicknames at the other seats. `choices` counts the choices the
    user has made. `written` is the time of the last entry, in seconds since 1970. `problem` is a sentence if the game
    cannot be resumed as it is. `game` is the id of the game. `period` says how far it got: "month 4 of 9". `alone` says
    that all others are bots of this program.
    """

    key: str
    title: str
    others: tuple[str, ...]
    choices: int
    written: float
    problem: str | None = None
    game: str = ""
    period: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class RecordFinding:
    """What an audit found in a record.

    Args:
        verdict: the code of the verdict.
        reason: why, in words without a full stop.
        result: how the game ended, in words without a full stop; empty if it did not.
        places: by seat, 1 for the first; empty if the game did not end.
        left: (seat that left while others could play on, when): "turn 11", or empty.

    """

    verdict: str
    reason: str
    result: str = ""
    places: tuple[int, ...] = ()
    left: tuple[tuple[int, str], ...] = ()

    @property
    def label(self) -> str:
        """The verdict in two words, with a sign."""
        return VERDICT_LABELS.get(self.verdict, VERDICT_LABELS["unknown"])

    @property
    def unfinished(self) -> bool:
        """Whether the record is of a game that stopped before its end."""
        return self.verdict == "incomplete" and not self.result


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A record in the user's folder.

    `seat` is the user's own, None for a game that the user watched. `digest` is the hash of the file, empty if
    it cannot be read. `finding` is None until the record is judged.
    """

    path: Path
    size: int
    written: float
    digest: str
    game: str = ""
    title: str = ""
    names: tuple[str, ...] = ()
    seat: int | None = None
    finding: RecordFinding | None = None

    @property
    def others(self) -> tuple[str, ...]:
        """The others at the table; all players, if the user only watched."""
        return tuple(name for seat, name in enumerate(self.names) if seat != self.seat)

    @property
    def _left(self) -> str | None:
        """When the user left a game whose end this record does not have; None if they did not."""
        if self.finding is None or not self.finding.unfinished:
            return None
        return next((when for seat, when in self.finding.left if seat == self.seat), None)

    @property
    def ending(self) -> str:
        """How the game ended, in words without a full stop at the end; empty if only the `reason` tells."""
        if self.finding is None or self.finding.result:
            return self.finding.result if self.finding is not None else ""
        if self._left is not None:
            from kimberley.protocol.audit import within

            return f"you left{within(self._left)}"
        return ""

    @property
    def reason(self) -> str:
        """Why the verdict is as it is, in words without a full stop; empty until the record is judged."""
        if self._left is not None:
            return "your record ends where you left"
        reason = self.finding.reason if self.finding is not None else ""
        # Only kimberley verify says at which byte.
        return reason.partition(" (")[0] if reason.startswith(CHANGED) else reason

    @property
    def standing(self) -> str:
        """Returns how the game ended for the user, in one to three words."""
        if self._left is not None:
            return "left"
        places = self.finding.places if self.finding is not None else ()
        if not places:
            return "stopped" if self.finding is not None and self.finding.unfinished else ""
        if set(places) == {1}:
            return DRAW
        if self.seat is None or self.seat >= len(places):
            return "watched"
        if len(places) == 2:
            return "won" if places[self.seat] == 1 else "lost"
        word = place_word(places, self.seat)
        return word if shared_mark(places, self.seat) else f"{word} of {len(places)}"

    @property
    def is_won(self) -> bool:
        """Returns whether the user has the first place, alone or with others but not with all."""
        places = self.finding.places if self.finding is not None else ()
        return self.seat is not None and self.seat < len(places) and places[self.seat] == 1 != max(places)


class Services(Protocol):
    """What screens can do outside the terminal. The coroutines raise `p2p.base.errors.UserError`."""

    @property
    def only_host(self) -> str | None:
        """The address of the only host that can be reached; None where the user chooses among all."""

    @property
    def in_tournament(self) -> bool:
        """Returns whether that host is the referee of a tournament."""

    @property
    def may_host(self) -> bool:
        """Returns whether `host` can open a table."""

    async def host(
        self,
        game: str,
        options: Mapping[str, Plain],
        seats: int,
        *,
        port: int | None = None,
        bind: str | None = None,
        far: bool = False,
    ) -> Table:
        """Opens a table with that many seats on this network, and announces it. With `far`, also asks for a code for a
        friend who is far away.
        """

    def invite_far(self, table: Table, *, anew: bool = False) -> None:
        """Asks for a code for one more friend who is far away: `table.far` has it once it is there. With `anew`, in
        place of one that nobody has used. Raises UserError.
        """

    async def join(
        self, where: ListedTable | str, queued: Callable[[str], None] = lambda sentence: None
    ) -> Table | JoinedTournament:
        """Joins a listed table or tournament, or one by the name of its host or tournament, by HOST or HOST:PORT, or
        by a code. Waits at a full table, and calls `queued` with a sentence about the place in its queue.
        """

    async def spectate(self, where: ListedTable | str) -> SpectatorLike:
        """Watches a table, named as for `join`, before or during its game."""

    async def keep(self, names: Sequence[str], record: bytes) -> Path:
        """Saves the packed record of a game that the user has watched. Returns its path."""

    async def alone(self, game: str, options: Mapping[str, Plain], seats: int, level: int) -> Table:
        """Opens a table in this process with a bot at every other seat, of that level or the game's nearest to it."""

    async def take_back(self, table: Table, choices: int) -> Table:
        """Ends a game that the user plays alone, and plays it again until the user has made that many `choices`.
        Returns the new table, at which nothing is kept.
        """

    async def unfinished(self) -> tuple[UnfinishedGame, ...]:
        """Returns the unfinished games in the user's journals, the latest first."""

    async def resume(self, which: UnfinishedGame | str | None) -> Table:
        """Takes the user's seat in an unfinished game again. The game may be given as an object, by its journal's file,
        by its id or by a nickname. None means the latest.
        """

    async def records(self) -> tuple[KeptGame, ...]:
        """Returns the records in the user's folder, the latest first."""

    async def verify(self, game: KeptGame) -> KeptGame:
        """Audits a record, and notes what it found."""

    async def seat_bot(self, table: Table, level: int) -> None:
        """Gives a free seat of the user's own open table to a bot of that level."""

    @property
    def serves_pages(self) -> bool:
        """Returns whether what `share` serves has a page where a friend can sit down."""

    async def share(self, table: Table, picture: str) -> SharingLike:
        """Serves this program to friends who have no copy, with a line to type that joins the user's own open table,
        and a page that shows a picture of it as SVG.
        """

    def watch(self, changed: Callable[[], None]) -> Stop:
        """Looks for tables until the returned function is called. Calls `changed` when `nearby` may have changed."""

    def nearby(self) -> NearbyTables:
        """Returns the tables found on this network so far."""

    async def addresses(self) -> tuple[str, ...]:
        """Returns the addresses of this machine on its networks, the likeliest first. May be empty."""

    async def warm(self) -> None:
        """Loads in the background what the next screens need."""

    async def close(self) -> None:
        """Stops everything that still runs."""
