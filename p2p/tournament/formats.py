"""The formats of tournaments: how many rounds there are, who may still enter, and who meets whom (docs/formats.md).

Most formats play rounds. An arena is one round that grows: tables open as soon as players are free, until its time is
over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import combinations
from typing import Final, Protocol

from kimberley.p2p.tournament.arena import is_arena_over, pair_free_players
from kimberley.p2p.tournament.grouping import grouped, seated, table_sizes
from kimberley.p2p.tournament.knockout import KnockoutState, knockout_state
from kimberley.p2p.tournament.pairing import Pairing, berger, swiss
from kimberley.p2p.tournament.players import IN, PlayerHistory, TournamentPlayer, TournamentRound, player_histories
from kimberley.p2p.tournament.settings import (
    ACCELERATED_SWISS,
    ARENA,
    BY_NUMBER,
    DOUBLE_ROUND_ROBIN,
    KNOCKOUT,
    MOST_ROUNDS,
    ROUND_ROBIN,
    SWISS,
    TournamentSettings,
)
from kimberley.p2p.tournament.standings import standings


@dataclass(frozen=True)
class Field:
    """What a format pairs from: players or teams, what they have played, and who has a half-point bye in the next
    round.
    """

    settings: TournamentSettings
    players: Sequence[TournamentPlayer]
    rounds: Sequence[TournamentRound]
    resting: Collection[bytes] = ()

    @cached_property
    def present(self) -> Mapping[bytes, PlayerHistory]:
        """Those who may play now, by identity, in the order of their starting numbers."""
        histories = player_histories(
            self.players,
            self.rounds,
            streaks=self.settings.format == ARENA,
            only_played=self.settings.pairing > BY_NUMBER,
        ).values()
        there = [
            entry
            for entry in histories
            if entry.player.state == IN and entry.number and entry.identity not in self.resting
        ]
        return {entry.identity: entry for entry in sorted(there, key=lambda entry: entry.number)}

    @property
    def ranked(self) -> list[PlayerHistory]:
        """Those who may play now, in the order of the standings."""
        order = (one.player.identity for one in standings(self.settings, self.players, self.rounds))
        return [self.present[identity] for identity in order if identity in self.present]

    @property
    def numbered(self) -> int:
        """How many have a starting number."""
        return sum(1 for player in self.players if player.number)


class NoPairing(Enum):
    """Why no round can be paired, though more are planned."""

    TOO_FEW = auto()
    """Too few are left for a table."""
    ALL_MET = auto()
    """Nobody has an opponent left whom they have not met."""


class Format(Protocol):
    """How a tournament is played."""

    rolling: bool
    """Whether tables open one by one, in a single round that ends by the clock."""

    def planned_rounds(self, field: Field) -> int:
        """Returns the number of rounds, as far as it is known once lots are drawn."""

    def pair(self, field: Field, at: int) -> Pairing | None:
        """Returns the tables to open at this time, in seconds since 1970; None if the tournament is over.

        Called when every table is decided; if the format is rolling, at any time.
        """

    def no_pairing(self, field: Field) -> NoPairing | None:
        """Returns why these players can fill no table, whatever the number of rounds; None if they can, or if this
        format ends in another way.
        """

    def closed(self, field: Field) -> str | None:
        """Returns why nobody else can enter, though the lots are drawn; None if there is room."""


class SwissFormat:
    """Players with equal points meet, and nobody meets anybody twice."""

    rolling = False

    def __init__(self, *, accelerated: bool = False) -> None:
        """Gives the upper half an extra point in the first two rounds if `accelerated`, for the pairing alone."""
        self._accelerated = accelerated

    def planned_rounds(self, field: Field) -> int:
        return field.settings.rounds or (field.numbered - 1).bit_length()

    def pair(self, field: Field, at: int) -> Pairing | None:
        if not _may_go_on(self, field):
            return None
        if field.settings.seats > 2:
            return grouped(field.ranked, field.settings.sizes)
        number, rounds = len(field.rounds) + 1, self.planned_rounds(field)
        pairing = swiss(
            list(field.present.values()),
            number,
            rounds,
            accelerated=self._accelerated,
            revision=field.settings.pairing,
        )
        return pairing if pairing.tables else None

    def no_pairing(self, field: Field) -> NoPairing | None:
        few, here = _too_few(field), field.present.values()
        if few is None and field.settings.seats == 2:
            return NoPairing.ALL_MET if all(one.met[other.identity] for one, other in combinations(here, 2)) else None
        return few

    def closed(self, field: Field) -> str | None:
        return None


class RoundRobinFormat:
    """All meet all, once or more often. Every second time they swap seats."""

    rolling = False

    def __init__(self, cycles: int) -> None:
        self._cycles = cycles

    def planned_rounds(self, field: Field) -> int:
        drawn, seats = field.numbered, field.settings.seats
        cycle = drawn + drawn % 2 - 1 if seats == 2 else -(-(drawn - 1) // (seats - 1))
        return field.settings.rounds or min(self._cycles * cycle, MOST_ROUNDS)

    def pair(self, field: Field, at: int) -> Pairing | None:
        if not _may_go_on(self, field):
            return None
        if field.settings.seats > 2:
            return grouped(list(field.present.values()), field.settings.sizes)
        there = {entry.number: entry.identity for entry in field.present.values()}
        pairs = berger(field.numbered, len(field.rounds) + 1)
        return _met([tuple(there[one] for one in pair if one in there) for pair in pairs])

    def no_pairing(self, field: Field) -> NoPairing | None:
        return _too_few(field)

    def closed(self, field: Field) -> str | None:
        if field.settings.seats > 2 or field.numbered % 2:
            return None
        return "The pairings of this round-robin are fixed, and every place is taken."


class KnockoutFormat:
    """The winner of each table advances, at larger tables the better half."""

    rolling = False

    def planned_rounds(self, field: Field) -> int:
        over = [one for one in field.rounds if not one.open]
        now = knockout_state(field.players, over, field.settings.seats)
        return len(over) + _stages(now, field.settings)

    def pair(self, field: Field, at: int) -> Pairing | None:
        now = knockout_state(field.players, field.rounds, field.settings.seats)
        if now.replays:
            return _met([tuple(one for one in table if one in field.present) for table in now.replays])
        if len(now.left) < 2:
            return None
        if field.settings.seats == 2:
            pairs = (now.places[at : at + 2] for at in range(0, len(now.places), 2))
            there = [[field.present[one] for one in pair if one is not None and one in field.present] for pair in pairs]
            return _met([tuple(entry.identity for entry in seated(pair)) for pair in there])
        left = [entry for entry in field.ranked if entry.identity in now.left]
        pairing = grouped(left, field.settings.sizes, apart=True)
        if not pairing.tables and len(left) == len(now.left):
            return None
        return pairing

    def no_pairing(self, field: Field) -> NoPairing | None:
        if field.rounds and field.rounds[-1].open:
            return None
        return None if self.pair(field, 0) is not None else NoPairing.TOO_FEW

    def closed(self, field: Field) -> str | None:
        return "The bracket of this knockout is fixed: nobody can join now."


class ArenaFormat:
    """Free players play each other until the time is over."""

    rolling = True

    def planned_rounds(self, field: Field) -> int:
        return 1

    def pair(self, field: Field, at: int) -> Pairing | None:
        if is_arena_over(field.settings, field.rounds, at):
            return None
        pairing = pair_free_players(field.present.values(), field.rounds, at)
        return pairing if pairing.tables or field.rounds else None

    def no_pairing(self, field: Field) -> NoPairing | None:
        return None

    def closed(self, field: Field) -> str | None:
        return None


FORMATS: Final[Mapping[str, Format]] = {
    SWISS: SwissFormat(),
    ACCELERATED_SWISS: SwissFormat(accelerated=True),
    ROUND_ROBIN: RoundRobinFormat(1),
    DOUBLE_ROUND_ROBIN: RoundRobinFormat(2),
    KNOCKOUT: KnockoutFormat(),
    ARENA: ArenaFormat(),
}


def _may_go_on(format: Format, field: Field) -> bool:
    """Returns whether rounds are left, and players enough for a table."""
    return len(field.rounds) < format.planned_rounds(field) and _too_few(field) is None


def _too_few(field: Field) -> NoPairing | None:
    return None if table_sizes(len(field.present), field.settings.sizes) else NoPairing.TOO_FEW


def _met(pairs: Iterable[tuple[bytes, ...]]) -> Pairing:
    """Returns tables of the complete pairs; a single player has a bye."""
    there = list(pairs)
    return Pairing(tuple(pair for pair in there if len(pair) == 2), tuple(pair[0] for pair in there if len(pair) == 1))


def _stages(now: KnockoutState, settings: TournamentSettings) -> int:
    """Returns the remaining stages of a knockout if nothing is drawn and nobody leaves."""
    if settings.seats == 2:
        return len(now.places).bit_length() - 1
    left, stages = len(now.left), 0
    while left > 1 and (sizes := table_sizes(left, settings.sizes)):
        stages += 1
        left = 1 if sizes == (left,) else left - sum(size // 2 for size in sizes)
    return stages
