"""The next round of a tournament: how many rounds there are, who may play, and how the format pairs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kimberley.p2p.tournament.grouping import grouped, seated, table_sizes
from kimberley.p2p.tournament.knockout import KnockoutState, knockout_state
from kimberley.p2p.tournament.pairing import Pairing, berger, swiss
from kimberley.p2p.tournament.players import IN, PlayerHistory, TournamentPlayer, TournamentRound, player_histories
from kimberley.p2p.tournament.settings import KNOCKOUT, MOST_ROUNDS, SWISS, TournamentSettings
from kimberley.p2p.tournament.standings import standings


def planned_rounds(
    settings: TournamentSettings, players: Sequence[TournamentPlayer], rounds: Sequence[TournamentRound]
) -> int:
    """The number of rounds, as far as it is known now; 0 before lots are drawn."""
    drawn = sum(1 for player in players if player.number)
    if settings.rounds or drawn < 2:
        return settings.rounds
    if settings.format == SWISS:
        return (drawn - 1).bit_length()
    if settings.format == KNOCKOUT:
        over = [one for one in rounds if not one.open]
        return len(over) + _stages(knockout_state(players, over, settings.seats), settings)
    met = drawn + drawn % 2 - 1 if settings.seats == 2 else -(-(drawn - 1) // (settings.seats - 1))
    return min(met, MOST_ROUNDS)


def pair_next_round(
    settings: TournamentSettings, players: Sequence[TournamentPlayer], rounds: Sequence[TournamentRound]
) -> Pairing | None:
    """The pairing of the next round, after all tables so far are decided; None if nothing is left to play."""
    found = {
        one: entry
        for one, entry in player_histories(players, rounds).items()
        if entry.player.state == IN and entry.number
    }
    if len(rounds) >= MOST_ROUNDS:
        return None
    if settings.format == KNOCKOUT:
        return _stage(
            knockout_state(players, rounds, settings.seats), found, settings, _ranked(found, settings, players, rounds)
        )
    most = planned_rounds(settings, players, rounds)
    if len(rounds) >= most or not table_sizes(len(found), settings.sizes):
        return None
    by_number = sorted(found.values(), key=lambda entry: entry.number)
    if settings.format == SWISS and settings.seats == 2:
        pairing = swiss(by_number, len(rounds) + 1, most)
        return pairing if pairing.tables else None
    if settings.format == SWISS:
        return grouped(_ranked(found, settings, players, rounds), settings.sizes)
    return grouped(by_number, settings.sizes) if settings.seats > 2 else _berger(found, players, len(rounds) + 1)


def _ranked(
    found: Mapping[bytes, PlayerHistory],
    settings: TournamentSettings,
    players: Sequence[TournamentPlayer],
    rounds: Sequence[TournamentRound],
) -> list[PlayerHistory]:
    """The players who may play, in the order of the standings."""
    order = (one.player.identity for one in standings(settings, players, rounds))
    return [found[identity] for identity in order if identity in found]


def _berger(found: Mapping[bytes, PlayerHistory], players: Sequence[TournamentPlayer], number: int) -> Pairing:
    """A round of the Berger tables. A player whose opponent is missing has a bye."""
    there = {entry.number: entry.identity for entry in found.values()}
    pairs = berger(sum(1 for player in players if player.number), number)
    return _met([tuple(there[one] for one in pair if one in there) for pair in pairs])


def _stage(
    now: KnockoutState,
    found: Mapping[bytes, PlayerHistory],
    settings: TournamentSettings,
    ranked: Sequence[PlayerHistory],
) -> Pairing | None:
    """The next stage of a knockout, or the replays of this one. Players who have withdrawn are out."""
    if now.replays:
        return _met([tuple(one for one in table if one in found) for table in now.replays])
    if len(now.left) < 2:
        return None
    if settings.seats == 2:
        pairs = (now.places[at : at + 2] for at in range(0, len(now.places), 2))
        there = [[found[one] for one in pair if one is not None and one in found] for pair in pairs]
        return _met([tuple(entry.identity for entry in seated(pair)) for pair in there])
    left = [entry for entry in ranked if entry.identity in now.left]
    pairing = grouped(left, settings.sizes, apart=True)
    if not pairing.tables and len(left) == len(now.left):
        return None
    return pairing


def _met(pairs: Iterable[tuple[bytes, ...]]) -> Pairing:
    """Tables of the complete pairs; a single player has a bye."""
    there = list(pairs)
    return Pairing(tuple(pair for pair in there if len(pair) == 2), tuple(pair[0] for pair in there if len(pair) == 1))


def _stages(now: KnockoutState, settings: TournamentSettings) -> int:
    """The remaining stages of a knockout if nothing is drawn and nobody leaves."""
    if settings.seats == 2:
        return len(now.places).bit_length() - 1
    left, stages = len(now.left), 0
    while left > 1 and (sizes := table_sizes(left, settings.sizes)):
        stages += 1
        left = 1 if sizes == (left,) else left - sum(size // 2 for size in sizes)
    return stages
