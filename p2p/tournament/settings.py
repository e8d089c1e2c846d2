"""The settings of a tournament, fixed before anybody enrolls; the wire calls them `cup` (docs/spec-referee.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.text import clean, quoted
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import Malformed, pack
from kimberley.protocol.envelope import OtherRevision
from kimberley.protocol.roster import MOST_OPTIONS, MOST_SEATS

SWISS, ACCELERATED_SWISS, ROUND_ROBIN, DOUBLE_ROUND_ROBIN, KNOCKOUT, ARENA = FORMATS = (
    "swiss",
    "accelerated-swiss",
    "round-robin",
    "double-round-robin",
    "knockout",
    "arena",
)

SWISS_FORMATS: Final = (SWISS, ACCELERATED_SWISS)

BY_NUMBER, BY_RANK, ALL_GAMES = range(3)
"""The revisions of the Swiss pairing at tables of two. Each follows the FIDE Handbook, C.04.3, where the one before it
does not.

BY_RANK: where two want the same seat equally and had the same seats, the player with more points gets it, not the one
with the lower starting number; and a table where no game began counts neither as a meeting nor as a seat. ALL_GAMES:
games against players who have left count among those that decide who has the bye.
"""
CURRENT_PAIRING: Final = ALL_GAMES
"""The revision of new tournaments."""

MOST_NAME: Final = 40  # SPEC: characters of a tournament's name
MOST_ROUNDS: Final = 64  # SPEC: rounds of a tournament
MOST_PLAYERS: Final = 1024  # SPEC: players of a tournament
MOST_TABLES: Final = 1 << 16
"""Tables of a round: an arena is one long round."""
MOST_REPLAYS: Final = 8
"""How often a table can be played again."""
MOST_BOARDS: Final = 16
"""Boards of a team."""
ARENA_OF_TWO: Final = "Arena tables have two players."
MOST_MINUTES: Final = 24 * 60
"""How long an arena lasts at most."""
MOST_MAIN: Final = 24 * 60 * 60
MOST_INCREMENT: Final = 60 * 60
"""Seconds of a clock: at most for a whole game, and for each choice."""
SEED_SIZE: Final = 32
MORE: Final = ("boards", "late", "minutes", "pairing")
"""The fields that are packed only if they are not 0, with their names."""

_CLOCK: Final = re.compile(r"(\d{1,5})(s|m|h)(?:\+(\d{1,4})s?)?")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}


def check_name(name: str) -> None:
    """Raises ValueError, with a sentence, for what cannot be the name of a tournament."""
    if not name or clean(name, MOST_NAME) != name:
        raise ValueError(f"A tournament’s name has 1 to {MOST_NAME} visible characters.")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Thinking time: `main` seconds for the whole game, and `increment` seconds more for each choice."""

    main: int
    increment: int = 0

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """Returns the time control spelled "20m+10s", "90s" or "1h". Raises ValueError."""
        if (match := _CLOCK.fullmatch(text.strip())) is None:
            raise ValueError(
                f"{quoted(text)} is not a clock. Write it like 20m+10s: twenty minutes, plus ten seconds per choice."
            )
        clock = cls(int(match[1]) * _UNITS[match[2]], int(match[3] or 0))
        clock.check()
        return clock

    def check(self) -> None:
        """Raises ValueError for a clock by which nobody could play."""
        if not 1 <= self.main <= MOST_MAIN or not 0 <= self.increment <= MOST_INCREMENT:
            raise ValueError("A clock can be one second to one day, plus up to one hour per choice.")

    def __str__(self) -> str:
        size, unit = next((size, unit) for unit, size in (("h", 3600), ("m", 60), ("s", 1)) if self.main % size == 0)
        return f"{self.main // size}{unit}" + (f"+{self.increment}s" if self.increment else "")


@dataclass(frozen=True)
class TournamentSettings:
    """A tournament as its referee announces it.

    `referee` is the identity that signs the results; `game`, `rules` and `options` apply to every table. `rounds` is 0
    for as many as the format needs. `seats` is the number of players at a table where possible, `sizes` are all allowed
    numbers, ascending. `lots` commits to the seed from which lots are drawn once enrollment closes: knowing it earlier,
    a player could look for an identity that draws well. `minutes` is how long an arena lasts, elsewhere 0. `boards` is
    the number of boards in a match of teams, 0 if everybody plays alone. `late` is how many of the first rounds count
    as half-point byes for a player who joins after them. `pairing` is the revision of the Swiss pairing, BY_NUMBER in
    all other formats.
    """

    referee: bytes
    name: str
    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    format: str
    rounds: int
    seats: int
    sizes: tuple[int, ...]
    clock: TimeControl | None
    lots: bytes
    minutes: int = 0
    boards: int = 0
    pairing: int = BY_NUMBER
    late: int = 0

    @classmethod
    def of(
        cls,
        referee: bytes,
        name: str,
        *,
        game: str,
        rules: int,
        options: Mapping[str, Plain],
        format: str,
        rounds: int,
        seats: int,
        allowed: Iterable[int],
        clock: TimeControl | None,
        seed: bytes,
        minutes: int = 0,
        boards: int = 0,
        late: int = 0,
    ) -> TournamentSettings:
        """Returns the settings of a new tournament.

        Args:
            referee: The identity that signs the results.
            name: Its name, 1 to 40 visible characters.
            game: The game's id.
            rules: The revision of the game's rules.
            options: The options of every table.
            format: One of `FORMATS`.
            rounds: The number of rounds; 0 for as many as the format needs.
            seats: The number of players at a table where possible.
            allowed: All numbers of players that the game allows.
            clock: The time control; None to play without clocks.
            seed: 32 secret bytes from which lots are drawn.
            minutes: How long an arena lasts; 0 for every other format.
            boards: The number of boards in a match of teams; 0 if everybody plays alone.
            late: How many missed rounds give half a point to a player who joins late.

        Raises:
            ValueError: Such a tournament cannot be played.

        """
        sizes = tuple(size for size in sorted(allowed) if size <= seats)
        named = tuple(sorted(options.items()))
        lots = commit_lots(seed)
        pairing = CURRENT_PAIRING if format in SWISS_FORMATS and seats == 2 else BY_NUMBER
        settings = cls(
            referee, name, game, rules, named, format, rounds, seats, sizes, clock, lots, minutes, boards, pairing, late
        )
        settings.check()
        return settings

    @property
    def fewest(self) -> int:
        """How many players a tournament needs to begin: the smallest table, or more than one team has."""
        return self.boards + 1 if self.boards else self.sizes[0]

    @property
    def has_half_byes(self) -> bool:
        """Whether players can have half-point byes."""
        return self.format in SWISS_FORMATS and not self.boards

    @cached_property
    def id(self) -> bytes:
        """32 bytes that identify this tournament in every result."""
        return digest("cup", self.plain())

    def check(self) -> None:
        """Raises ValueError, with a sentence, for settings that cannot be played."""
        check_name(self.name)
        if self.format not in FORMATS:
            raise ValueError(f"No format {quoted(self.format)}. Choose one of {', '.join(FORMATS)}.")
        if not 0 <= self.rounds <= MOST_ROUNDS:
            raise ValueError(f"A tournament has 1 to {MOST_ROUNDS} rounds; 0 lets the format decide.")
        if self.format == KNOCKOUT and self.rounds:
            raise ValueError("A knockout has as many rounds as it needs: leave out --rounds.")
        if self.format == ARENA:
            self._check_arena()
        elif self.minutes:
            raise ValueError("Only an arena has a time limit: leave out --minutes.")
        if self.boards:
            self._check_boards()
        if not 0 <= self.late <= (MOST_ROUNDS if self.has_half_byes else 0):
            raise ValueError("Only a Swiss without teams has half-point byes: leave out --late-byes.")
        swiss = self.format in SWISS_FORMATS and self.seats == 2
        if not BY_NUMBER <= self.pairing <= (CURRENT_PAIRING if swiss else BY_NUMBER):
            raise ValueError(f"This program cannot pair tournaments of revision {self.pairing}: use a newer version.")
        if not self.sizes or self.sizes[-1] != self.seats or not 2 <= self.sizes[0] <= self.seats <= MOST_SEATS:
            raise ValueError(f"The game cannot be played by {self.seats} players.")
        if list(self.sizes) != sorted(set(self.sizes)):
            raise ValueError("The numbers of seats must ascend.")
        names = [name for name, _ in self.options]
        if names != sorted(set(names)) or len(names) > MOST_OPTIONS:
            raise ValueError(f"A tournament has at most {MOST_OPTIONS} options, each once.")
        if len(self.referee) != 32 or len(self.lots) != 32 or self.rules < 0:
            raise ValueError("A tournament needs a referee and a draw.")
        if not 0 < len(self.game) <= MOST_NAME:
            raise ValueError(f"The id of a game has 1 to {MOST_NAME} characters.")
        if self.clock is not None:
            self.clock.check()
        pack(self.plain())

    def _check_arena(self) -> None:
        if self.rounds:
            raise ValueError("An arena has no rounds: leave out --rounds.")
        if not 1 <= self.minutes <= MOST_MINUTES:
            raise ValueError(f"An arena lasts 1 to {MOST_MINUTES} minutes: set it with --minutes.")
        if self.seats != 2:
            raise ValueError(ARENA_OF_TWO)

    def _check_boards(self) -> None:
        if not 2 <= self.boards <= MOST_BOARDS:
            raise ValueError(f"A team has 2 to {MOST_BOARDS} boards.")
        if self.format == ARENA or self.seats != 2:
            raise ValueError("Teams play at tables of two, in any format except arena.")

    def plain(self) -> Plain:
        """Returns the packed form: its fields, in the order of SPEC.md, section 10.5. Some tournaments lack the last
        one.
        """
        more = tuple((name, value) for name in MORE if (value := getattr(self, name)))
        clock = None if self.clock is None else (self.clock.main, self.clock.increment)
        what = (self.referee, self.name, self.game, self.rules, self.options)
        return (*what, self.format, self.rounds, self.seats, self.sizes, clock, self.lots, *((more,) if more else ()))

    @classmethod
    def read(cls, plain: Plain) -> TournamentSettings:
        """Raises Malformed; OtherRevision if a later version pairs the tournament."""
        match plain:
            case (
                bytes() as referee,
                str() as name,
                str() as game,
                int() as rules,
                tuple() as options,
                str() as format,
                int() as rounds,
                int() as seats,
                tuple() as sizes,
                (int(), int()) | None as clock,
                bytes() as commit_lots,
                *more,
            ) if len(more) < 2:
                pass
            case _:
                raise Malformed("not the settings of a tournament")
        whole = tuple(size for size in sizes if type(size) is int)
        times = tuple(time for time in clock or () if type(time) is int)
        named = tuple((one[0], one[1]) for one in options if isinstance(one, tuple) and len(one) == 2)
        texts = tuple((name, value) for name, value in named if isinstance(name, str))
        if any(type(number) is bool for number in (rules, rounds, seats)) or len(whole) < len(sizes):
            raise Malformed("not the settings of a tournament: a number is malformed")
        if len(texts) < len(options) or len(times) < len(clock or ()):
            raise Malformed("not the settings of a tournament: an option or the clock is malformed")
        also = _read_more(more[0]) if more else {}
        settings = cls(
            referee,
            name,
            game,
            rules,
            texts,
            format,
            rounds,
            seats,
            whole,
            TimeControl(*times) if times else None,
            commit_lots,
            **also,
        )
        if settings.pairing > CURRENT_PAIRING:
            raise OtherRevision(
                f"its pairings are of revision {settings.pairing}, this program knows {CURRENT_PAIRING}"
            )
        try:
            settings.check()
        except ValueError as error:
            raise Malformed(str(error).rstrip(".")) from None
        return settings


def _read_more(plain: Plain) -> dict[str, int]:
    """Returns the numbers of MORE in the last field of the packed form. Raises Malformed."""
    numbers: dict[str, int] = {}
    for pair in plain if isinstance(plain, tuple) else ():
        match pair:
            case (str() as name, int() as number) if name in MORE and type(number) is int and number > 0:
                numbers[name] = number
    if not numbers or plain != tuple(sorted(numbers.items())):
        raise Malformed("not the settings of a tournament: it has an unknown part")
    return numbers


def table_number(id: int) -> int:
    """Returns the number in its round, from 0, of the table with an id (`players.TournamentTable.id`)."""
    return id % MOST_TABLES


def table_name(id: int) -> str:
    """Returns the table with an id, as players call it: "table 3", "table 3 (replay)", "table 3 (replay 2)"."""
    replays, number = divmod(id, MOST_TABLES)
    again = "" if not replays else " (replay)" if replays == 1 else f" (replay {replays})"
    return f"table {number + 1}{again}"


def commit_lots(seed: bytes) -> bytes:
    """Returns the commitment, 32 bytes, to a seed of 32 bytes from which lots are drawn. Raises ValueError."""
    if len(seed) != SEED_SIZE:
        raise ValueError(f"The seed of the draw has {SEED_SIZE} bytes.")
    return digest("lots", seed)


def draw_lot(seed: bytes, settings: bytes, identity: bytes) -> bytes:
    """Returns a player's lot, 32 bytes: the lowest one comes first."""
    return digest("lot", seed, settings, identity)
