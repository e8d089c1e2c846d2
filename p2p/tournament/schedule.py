"""The next round of a cup: how many there are, who may play in it, and by the rules of which format it is paired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from p2p.referee.cup import KNOCKOUT, MOST_ROUNDS, SWISS, Cup
from p2p.referee.field import IN, Entry, Player, Round, entries
from p2p.referee.grouping import grouped, seated, table_sizes
from p2p.referee.knockout import Ladder, ladder
from p2p.referee.pairing import Pairing, berger, swiss
from p2p.referee.standing import standings


def planned(cup: Cup, players: Sequence[Player], rounds: Sequence[Round]) -> int:
    """How many rounds the cup has, as far as it can be told now; 0 before lots are drawn."""
    drawn = sum(1 for player in players if player.number)
    if cup.rounds or drawn < 2:
        return cup.rounds
    if cup.format == SWISS:
        return (drawn - 1).bit_length()
    if cup.format == KNOCKOUT:
        over = [one for one in rounds if not one.open]
        return len(over) + _stages(ladder(players, over, cup.seats), cup)
    met = drawn + drawn % 2 - 1 if cup.seats == 2 else -(-(drawn - 1) // (cup.seats - 1))
    return min(met, MOST_ROUNDS)


def schedule(cup: Cup, players: Sequence[Player], rounds: Sequence[Round]) -> Pairing | None:
    """The pairing of the next round, all tables so far being decided; None where nothing is left to play."""
    found = {one: entry for one, entry in entries(players, rounds).items() if entry.player.state == IN and entry.number}
    if len(rounds) >= MOST_ROUNDS:
        return None
    if cup.format == KNOCKOUT:
        return _stage(ladder(players, rounds, cup.seats), found, cup, _ranked(found, cup, players, rounds))
    most = planned(cup, players, rounds)
    if len(rounds) >= most or not table_sizes(len(found), cup.sizes):
        return None
    by_number = sorted(found.values(), key=lambda entry: entry.number)
    if cup.format == SWISS and cup.seats == 2:
        pairing = swiss(by_number, len(rounds) + 1, most)
        return pairing if pairing.tables else None
    if cup.format == SWISS:
        return grouped(_ranked(found, cup, players, rounds), cup.sizes)
    return grouped(by_number, cup.sizes) if cup.seats > 2 else _berger(found, players, len(rounds) + 1)


def _ranked(found: Mapping[bytes, Entry], cup: Cup, players: Sequence[Player], rounds: Sequence[Round]) -> list[Entry]:
    """Those who may play, in the order of the standings."""
    order = (one.player.identity for one in standings(cup, players, rounds))
    return [found[identity] for identity in order if identity in found]


def _berger(found: Mapping[bytes, Entry], players: Sequence[Player], number: int) -> Pairing:
    """A round of the Berger tables; who should meet somebody that is not there has a bye."""
    there = {entry.number: entry.identity for entry in found.values()}
    pairs = berger(sum(1 for player in players if player.number), number)
    return _met([tuple(there[one] for one in pair if one in there) for pair in pairs])


def _stage(now: Ladder, found: Mapping[bytes, Entry], cup: Cup, ranked: Sequence[Entry]) -> Pairing | None:
    """The next stage of a knockout, or the replays of this one. Who has withdrawn is beaten by not being in it."""
    if now.replays:
        return _met([tuple(one for one in table if one in found) for table in now.replays])
    if len(now.left) < 2:
        return None
    if cup.seats == 2:
        pairs = (now.places[at : at + 2] for at in range(0, len(now.places), 2))
        there = [[found[one] for one in pair if one is not None and one in found] for pair in pairs]
        return _met([tuple(entry.identity for entry in seated(pair)) for pair in there])
    left = [entry for entry in ranked if entry.identity in now.left]
    pairing = grouped(left, cup.sizes, apart=True)
    if not pairing.tables and len(left) == len(now.left):
        return None
    return pairing


def _met(pairs: Iterable[tuple[bytes, ...]]) -> Pairing:
    """Tables of the pairs that are there; one alone has a bye."""
    there = list(pairs)
    return Pairing(tuple(pair for pair in there if len(pair) == 2), tuple(pair[0] for pair in there if len(pair) == 1))


def _stages(now: Ladder, cup: Cup) -> int:
    """The stages of a knockout that are left if nothing is drawn and nobody leaves."""
    if cup.seats == 2:
        return len(now.places).bit_length() - 1
    left, stages = len(now.left), 0
    while left > 1 and (sizes := table_sizes(left, cup.sizes)):
        stages += 1
        left = 1 if sizes == (left,) else left - sum(size // 2 for size in sizes)
    return stages
