"""Is this cup in order? What its referee signed is followed step by step; nothing of it is believed.

`follow` folds the events and gives what is then to be checked one by one, in order, wherever there are cores: each
pairing is made again by the rules, each result is held against the audit of its record. What cannot be checked is the
referee's word alone: when a clock ran out, who was silent, and who did not come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from games.table import Game
from p2p.referee.bundle import Bundle, ranked
from p2p.referee.cup import Cup
from p2p.referee.events import CHEATING, PLAYED, REFUSED, VOID, Decided, Ended, Paired, record_digest
from p2p.referee.points import ruled
from p2p.referee.tournament import Tournament
from protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from protocol.record import Record

Find: TypeAlias = Callable[[str], Game]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong: "unfair" is proven against the referee, "damaged" against nobody, "unknown" cannot be judged."""

    code: str
    reason: str


class Wrong(Exception):
    """The first thing that is wrong with a cup."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.finding = Finding(code, reason)


@dataclass(frozen=True)
class PairingClaim:
    """The referee paired so at this point of the cup."""

    before: Tournament
    event: Paired


@dataclass(frozen=True)
class ResultClaim:
    """The referee says that a table of this cup, at which these identities sat, ended so."""

    cup: Cup
    seats: tuple[bytes, ...]
    event: Decided


Claim: TypeAlias = PairingClaim | ResultClaim


def follow(bundle: Bundle) -> tuple[Tournament, list[Claim]]:
    """The cup at its end, and what is to be checked, in order; results that have a record come as often as sizes.

    Raises Wrong where the events are no tournament, a result is not signed, or the standings are others.
    """
    now = Tournament(bundle.cup)
    claims: list[Claim] = []
    for number, event in enumerate(bundle.events, 1):
        if isinstance(event, Paired):
            claims.append(PairingClaim(now, event))
        try:
            after = now.after(event)
        except ValueError as error:
            raise Wrong(UNFAIR, f"event {number} cannot have happened there: {str(error).rstrip('.')}") from None
        if isinstance(event, Decided):
            seats = now.rounds[-1].tables[event.table].seats
            if not event.holds(bundle.cup, seats):
                raise Wrong(UNFAIR, f"{_where(event)}: the referee has not signed this result")
            claims.append(ResultClaim(bundle.cup, seats, event))
        now = after
    named = sum(1 for event in bundle.events if isinstance(event, Decided) and event.record is not None)
    if named != len(bundle.sizes):
        raise Wrong(UNFAIR, f"its results name {named} records, and it holds {len(bundle.sizes)}")
    if bundle.standings != ranked(now):
        raise Wrong(UNFAIR, "its standings are not those that its results give")
    return now, claims


def check(claim: Claim, record: bytes | None, find: Find) -> Finding | None:
    """What is wrong with a claim; a result comes with the record that it names."""
    if isinstance(claim, PairingClaim):
        return _check_pairing(claim)
    try:
        return _check_result(claim, record, find)
    except Wrong as wrong:
        return wrong.finding


def _check_pairing(claim: PairingClaim) -> Finding | None:
    try:
        due = claim.before.proceed(claim.event.at)
    except ValueError as error:
        return Finding(UNFAIR, f"round {claim.event.round}: {str(error).rstrip('.')}")
    if claim.event == due:
        return None
    if isinstance(due, Ended):
        return Finding(UNFAIR, f"round {claim.event.round}: the cup was over before")
    return Finding(UNFAIR, f"round {due.round} is not paired as the rules of its format pair it")


def _check_result(claim: ResultClaim, data: bytes | None, find: Find) -> Finding | None:
    event = claim.event
    where = _where(event)
    if event.record is None or data is None:
        return None
    if record_digest(data) != event.record:
        raise Wrong(DAMAGED, f"{where}: the record is not the one that the result names")
    verdict = verify(data, find)
    if verdict.code in (DAMAGED, UNKNOWN):
        raise Wrong(verdict.code, f"{where}: {verdict.reason}")
    roster = (table := Record.unpack(data).table).roster
    if tuple(place.identity for place in roster.seats) != claim.seats:
        raise Wrong(UNFAIR, f"{where}: others sat there than the referee says")
    if (roster.game, roster.rules) != (claim.cup.game, claim.cup.rules):
        raise Wrong(UNFAIR, f"{where}: another game was played")
    if not set(claim.cup.options) <= set(roster.options):
        raise Wrong(UNFAIR, f"{where}: it was played with other options than the cup's")
    if table.game_id != event.game:
        raise Wrong(UNFAIR, f"{where}: the record is of another game than the result")
    if reason := _contradiction(event, verdict):
        raise Wrong(UNFAIR, f"{where}: {reason}")
    return None


def _contradiction(event: Decided, verdict: Verdict) -> str | None:
    """Where a result says something else than the audit of its record."""
    named, lost = set(verdict.seats), set(event.lost)
    places = None if verdict.result is None else verdict.result.places
    if event.how == VOID:
        return None
    if event.how == PLAYED:
        if verdict.code != FAIR:
            return f"the record is {verdict.code}, and the result says that it was played: {verdict.reason}"
        return None if places == event.places else "the game ended with other places"
    if (event.how == CHEATING) != (verdict.code == UNFAIR):
        return f"the record is {verdict.code}, and the result says {event.how!r}: {verdict.reason}"
    if event.how == CHEATING and named != lost:
        return "others are ruled against than the record proves to have cheated"
    if event.how == REFUSED and (verdict.code != INCOMPLETE or places is None or named != lost):
        return "the record does not show that who is ruled against refused the audit of a game that had ended"
    if verdict.code == INCOMPLETE and not lost & named:
        return "the step of another seat is absent than of who is ruled against"
    return None if event.places == ruled(len(event.places), lost, places) else "the others have other places"


def _where(event: Decided) -> str:
    return f"round {event.round}, table {event.table + 1}"
