"""Is this cup in order? What its referee signed is followed step by step; nothing of it is believed.

`follow` folds the events and gives what is then to be checked one by one, in order, wherever there are cores: each
pairing is made again by the rules, each result is held against the audit of its record. `unproven` lists what rests on
the referee's word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.table import Game
from p2p.referee.bundle import Bundle, ranked
from p2p.referee.cup import Cup
from p2p.referee.events import (
    ABSENT,
    CHEATING,
    PLAYED,
    PROVEN,
    REFUSED,
    SILENCE,
    TIME,
    VOID,
    WITHDREW,
    Decided,
    Drawn,
    Ended,
    Enrolled,
    Paired,
    Returned,
    Withdrew,
    record_digest,
)
from p2p.referee.points import ruled
from p2p.referee.tournament import Tournament
from p2p.referee.wire import Place
from protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from protocol.envelope import OtherRevision
from protocol.play import LEAST_TO_LEAVE
from protocol.record import Record

Find: TypeAlias = Callable[[str], Game]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong: "unfair" is proven against the referee, "damaged" against nobody, "incomplete" lacks the record of
    a game, "unknown" cannot be judged.
    """

    code: str
    reason: str


class Wrong(Exception):
    """The first thing that is wrong with a cup."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.finding = Finding(code, reason)


@dataclass(frozen=True)
class PairingClaim:
    """The referee paired so at this point of the cup, or ended it there."""

    before: Tournament
    event: Paired | Ended


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
        if isinstance(event, Paired | Ended):
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
    where = f"round {claim.event.round}" if isinstance(claim.event, Paired) else "the end of the cup"
    try:
        due = claim.before.proceed(claim.event.at)
    except ValueError as error:
        return Finding(UNFAIR, f"{where}: {str(error).rstrip('.')}")
    if claim.event == due:
        return None
    if isinstance(due, Ended):
        return Finding(UNFAIR, f"{where}: the cup was over before")
    if isinstance(claim.event, Ended):
        return Finding(UNFAIR, f"{where}: round {due.round} was due, and was not played")
    return Finding(UNFAIR, f"round {due.round} is not paired as the rules of its format pair it")


def _check_result(claim: ResultClaim, data: bytes | None, find: Find) -> Finding | None:
    event = claim.event
    where = _where(event)
    if event.record is None or data is None:
        if event.game is not None:
            raise Wrong(INCOMPLETE, f"{where}: a game began there, and its record is missing")
        return None
    if record_digest(data) != event.record:
        raise Wrong(DAMAGED, f"{where}: the record is not the one that the result names")
    verdict = verify(data, find)
    if verdict.code == DAMAGED:
        raise Wrong(DAMAGED, f"{where}: {verdict.reason}")
    try:
        table = Record.unpack(data).table
    except OtherRevision:
        raise Wrong(UNKNOWN, f"{where}: {verdict.reason}") from None
    if reason := Place(event.round, event.table).invitation(claim.cup, claim.seats).violation(table.roster):
        raise Wrong(UNFAIR, f"{where}: {reason}")
    if table.game_id != event.game:
        raise Wrong(UNFAIR, f"{where}: the record is of another game than the result")
    if verdict.code == UNKNOWN:
        raise Wrong(UNKNOWN, f"{where}: {verdict.reason}")
    if reason := _contradiction(event, verdict):
        raise Wrong(UNFAIR, f"{where}: {reason}")
    return None


def _contradiction(event: Decided, verdict: Verdict) -> str | None:
    """Where a result says something else than the audit of its record."""
    named, lost = set(verdict.seats), set(event.lost)
    places = None if verdict.result is None else verdict.result.places
    if (event.how == PLAYED) != (verdict.code == FAIR) or (event.how == CHEATING) != (verdict.code == UNFAIR):
        return f"the record is {verdict.code}, and the result says {event.how!r}: {verdict.reason}"
    if event.how == PLAYED:
        return None if places == event.places else "the game ended with other places"
    if event.how == CHEATING and named != lost:
        return "others are ruled against than the record proves to have cheated"
    if event.how == REFUSED and (places is None or named != lost):
        return "the record does not show that who is ruled against refused the audit of a game that had ended"
    if event.how != REFUSED and places is not None:
        return f"the record shows how the game ended, and the result says {event.how!r}"
    if event.how in (TIME, SILENCE) and not lost & named:
        return "the step of another seat is absent than of who is ruled against"
    if event.how in (TIME, SILENCE) and lost - named and len(event.places) < LEAST_TO_LEAVE:
        return "a seat is ruled against whose step is there"
    return None if event.places == ruled(len(event.places), lost, places) else "the others have other places"


def _where(event: Decided) -> str:
    return f"round {event.round}, table {event.table + 1}"


# -- the referee's word ------------------------------------------------------------------------------------------------

LATE, WITHDRAWAL, RETURN = "late", "withdrawal", "return"

_WORDS: Final = {
    TIME: "lost on time",
    SILENCE: "lost by silence",
    REFUSED: "refused the audit",
    ABSENT: "did not come to the table",
    WITHDREW: "left the table for good",
    VOID: "have a draw by ruling",
    LATE: "came in after the lots were drawn",
    WITHDRAWAL: "withdrew from the tournament",
    RETURN: "came back to the tournament",
}


@dataclass(frozen=True, slots=True)
class Unproven:
    """What only the referee says about these players.

    `how` is that of a ruling, or with `table` None what no player signs: "late", "withdrawal" or "return". Rounds count
    from 1, and 0 is before the first one; tables count from 0.
    """

    round: int
    table: int | None
    how: str
    players: tuple[bytes, ...]
    record: bool = False
    """Whether there is a record, which shows whose step is missing, but not why."""

    @property
    def words(self) -> str:
        """What is said of the players, as a sentence goes on after their names."""
        return _WORDS[self.how]


def unproven(bundle: Bundle, tournament: Tournament) -> list[Unproven]:
    """What rests on the referee's word in a bundle that leads to this tournament, in order."""
    found: list[Unproven] = []
    round, drawn = 0, False
    for event in bundle.events:
        match event:
            case Drawn():
                drawn = True
            case Paired():
                round = event.round
            case Enrolled() if drawn:
                found.append(Unproven(round, None, LATE, (event.identity,)))
            case Withdrew():
                found.append(Unproven(round, None, WITHDRAWAL, (event.identity,)))
            case Returned():
                found.append(Unproven(round, None, RETURN, (event.identity,)))
            case Decided() if event.how not in PROVEN:
                seats = tournament.rounds[event.round - 1].tables[event.table].seats
                players = tuple(seats[seat] for seat in event.lost) or seats
                found.append(Unproven(event.round, event.table, event.how, players, event.record is not None))
    return found
