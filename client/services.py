"""What screens need from the world: tables to open, to join, to play alone at, and the list of those nearby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from client.seats import TableLike
from games.table import Plain

if TYPE_CHECKING:
    from client.attending import EntrantLike
    from client.onlooking import WatchLike
    from p2p.card import CupCard

Key: TypeAlias = Literal["met", "new", "changed", "you", "bot"]
Stop: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Listed:
    """A table of this network that answers.

    `key` is how well the host's identity is known; `address` as `kimberley join` takes it; `versions` a sentence where
    it cannot be played with, else None; `rtt` the round trip in seconds; `options` the table's, in words, (label,
    value); `names` who sits there. `cup` is there where it is a tournament: then `host` is its name.
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
    cup: CupCard | None = None

    @property
    def full(self) -> bool:
        return self.cup is None and self.taken >= self.total


class Enrolled(NamedTuple):
    """What joining leads to where it is a tournament that is joined."""

    entrant: EntrantLike


@dataclass(frozen=True, slots=True)
class Nearby:
    """What the network shows now.

    `silent` counts tables that are announced but do not answer; `problem` is a sentence where nothing can be found at
    all.
    """

    tables: tuple[Listed, ...] = ()
    silent: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game in one's journals that can be taken up again. `key` names it for `kept`; `others` are the nicknames at
    its other seats, `choices` how many one has made, `written` when, in seconds since 1970. `problem` is a sentence
    where it cannot be resumed as it is.
    """

    key: str
    title: str
    others: tuple[str, ...]
    choices: int
    written: float
    problem: str | None = None


class Services(Protocol):
    """What screens may do beyond the terminal. The coroutines raise troubles, with a sentence for a person."""

    def is_trouble(self, error: BaseException) -> bool:
        """Whether an error is one of the world, to be told, rather than a mistake of this program."""

    async def host(
        self, game: str, options: Mapping[str, Plain], seats: int, *, port: int | None = None, bind: str | None = None
    ) -> TableLike:
        """Opens a table of so many seats on this network, and announces it."""

    async def join(self, where: Listed | str) -> TableLike | Enrolled:
        """Joins a table or a tournament by pick, by the host's or the tournament's name, or by HOST or HOST:PORT."""

    async def onlook(self, where: Listed | str) -> WatchLike:
        """Watches a table, named as for `join`, whether it plays already or not."""

    async def keep(self, names: Sequence[str], record: bytes) -> Path:
        """Keeps the packed record of a game that one has watched; returns where."""

    async def alone(self, game: str, options: Mapping[str, Plain], seats: int, level: int) -> TableLike:
        """A table of so many seats in this process, where a bot of that level (1 to 20) sits at every other one."""

    async def unfinished(self) -> tuple[Unfinished, ...]:
        """The games in one's journals that wait to be taken up again, the latest first."""

    async def resume(self, which: Unfinished | str | None) -> TableLike:
        """Takes one's seat in such a game again: in this one, or the one that is named by its journal's file, by the
        game's id, or by a nickname; with None in the latest.
        """

    async def seat_bot(self, table: TableLike, level: int) -> None:
        """Gives a free seat of one's own open table to a bot of that level."""

    def watch(self, changed: Callable[[], None]) -> Stop:
        """Looks for tables until the function returned is called; `changed` is called when `nearby` may differ."""

    def nearby(self) -> Nearby:
        """The tables of this network, as far as it is watched."""

    async def addresses(self) -> tuple[str, ...]:
        """The addresses of this machine on its networks, the likeliest first; without any, nothing."""

    async def warm(self) -> None:
        """Loads in the background what the next screens need."""

    async def close(self) -> None:
        """Ends all that still runs."""
