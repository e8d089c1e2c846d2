"""Verifies a tournament: checks everything that its referee signed, step by step, and believes none of it.

`replay_bundle` folds the events and returns the claims in order. They can be checked in parallel: each pairing is made
again by the rules, and each result is compared with the audit of its record. `unproven` lists what rests on the
referee's word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.games.table import Game
from kimberley.p2p.tournament.bundle import Bundle, ranked
from kimberley.p2p.tournament.events import (
    ABSENT,
    AWAY,
    CHEATING,
    ORGANIZER,
    PLAYED,
    PROVEN,
    REFUSED,
    REPLAYED,
    SILENCE,
    TIME,
    UNREADY,
    VOID,
    WITHDREW,
    DecisionUndone,
    GameSeated,
    LotsDrawn,
    PlayerBanned,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    TableDecided,
    TablePaused,
    TableReplayed,
    TablesOpened,
    TeamFormed,
    TimeAdded,
    TournamentEnded,
    record_digest,
)
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.points import places_after_ruling
from kimberley.p2p.tournament.settings import ARENA, TournamentSettings, table_name, table_number
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from kimberley.protocol.envelope import OtherRevision
from kimberley.protocol.play import LEAST_TO_LEAVE
from kimberley.protocol.record import Record

Find: TypeAlias = Callable[[str], Game]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a tournament.

    "unfair" is proven against the referee, "damaged" against nobody. "incomplete" lacks the record of a game. "unknown"
    cannot be judged.
    """

    code: str
    reason: str


class VerificationFailed(Exception):
    """The first thing that is wrong with a tournament."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.finding = Finding(code, reason)


@dataclass(frozen=True)
class PairingClaim:
    """The referee paired these players at this point of the tournament, or ended it there."""

    before: Tournament
    event: RoundPaired | TablesOpened | TournamentEnded


@dataclass(frozen=True)
class ResultClaim:
    """The referee reports this result for a table with these identities."""

    settings: TournamentSettings
    seats: tuple[bytes, ...]
    event: TableDecided


NOT_CONFIRMED: Final = "the referee says that a game began there, but not every player has signed that the words match"

Claim: TypeAlias = PairingClaim | ResultClaim


def replay_bundle(bundle: Bundle) -> tuple[Tournament, list[Claim]]:
    """Returns the tournament at its end, and the claims to check, in order; results with a record come in the order of
    `sizes`.

    Raises:
        VerificationFailed: The events are not a tournament, a result is not signed, or the standings differ.

    """
    now = Tournament(bundle.settings)
    claims: list[Claim] = []
    for number, event in enumerate(bundle.events, 1):
        if isinstance(event, RoundPaired | TablesOpened | TournamentEnded):
            claims.append(PairingClaim(now, event))
        try:
            after = now.after(event)
        except ValueError as error:
            raise VerificationFailed(UNFAIR, f"event {number} is impossible there: {str(error).rstrip('.')}") from None
        if isinstance(event, GameSeated):
            seats = now.rounds[-1].tables[table_number(event.table)].seats
            if not event.holds(seats):
                raise VerificationFailed(UNFAIR, f"{_where(bundle.settings, event)}: {NOT_CONFIRMED}")
        if isinstance(event, TableDecided):
            seats = now.rounds[-1].tables[table_number(event.table)].seats
            if not event.holds(bundle.settings, seats):
                raise VerificationFailed(
                    UNFAIR, f"{_where(bundle.settings, event)}: the referee has not signed this result"
                )
            claims.append(ResultClaim(bundle.settings, seats, event))
        now = after
    named = sum(1 for event in bundle.events if isinstance(event, TableDecided) and event.record is not None)
    if named != len(bundle.sizes):
        raise VerificationFailed(UNFAIR, f"its results name {named} records, and it holds {len(bundle.sizes)}")
    if bundle.standings != ranked(now):
        raise VerificationFailed(UNFAIR, "its standings do not follow from its results")
    return now, claims


def check_claim(claim: Claim, record: bytes | None, find: Find) -> Finding | None:
    """Returns what is wrong with a claim, or None. A result comes with its record."""
    if isinstance(claim, PairingClaim):
        return _check_pairing(claim)
    try:
        return _check_result(claim, record, find)
    except VerificationFailed as wrong:
        return wrong.finding


def _check_pairing(claim: PairingClaim) -> Finding | None:
    ends = isinstance(claim.event, TournamentEnded)
    rolls = claim.before.format.rolling
    if isinstance(claim.event, TournamentEnded):
        where = "the end of the tournament"
    else:
        where = "the arena" if rolls else f"round {claim.event.round}"
    try:
        due = claim.before.proceed(claim.event.at)
    except ValueError as error:
        return Finding(UNFAIR, f"{where}: {str(error).rstrip('.')}")
    if claim.event == due:
        return None
    if isinstance(due, TournamentEnded):
        return Finding(UNFAIR, f"{where}: the tournament was already over")
    if due is None or rolls:
        what = "it came too early" if ends else "these tables do not open by its rules"
        return Finding(UNFAIR, f"{where}: {what}")
    if ends:
        return Finding(UNFAIR, f"{where}: round {due.round} should have been played, and was not")
    return Finding(UNFAIR, f"round {due.round} is not paired by the rules of its format")


def _check_result(claim: ResultClaim, data: bytes | None, find: Find) -> Finding | None:
    event = claim.event
    where = _where(claim.settings, event)
    if event.record is None or data is None:
        if event.game is not None:
            raise VerificationFailed(INCOMPLETE, f"{where}: a game began there, and its record is missing")
        return None
    if record_digest(data) != event.record:
        raise VerificationFailed(DAMAGED, f"{where}: the record is not the one that the result names")
    verdict = verify(data, find)
    if verdict.code == DAMAGED:
        raise VerificationFailed(DAMAGED, f"{where}: {verdict.reason}")
    try:
        table = Record.unpack(data).table
    except OtherRevision:
        raise VerificationFailed(UNKNOWN, f"{where}: {verdict.reason}") from None
    if reason := TableId(event.round, event.table).invitation(claim.settings, claim.seats).violation(table.roster):
        raise VerificationFailed(UNFAIR, f"{where}: {reason}")
    if table.game_id != event.game:
        raise VerificationFailed(UNFAIR, f"{where}: the record is of a different game from the one in the result")
    if verdict.code == UNKNOWN:
        raise VerificationFailed(UNKNOWN, f"{where}: {verdict.reason}")
    if reason := _contradiction(event, verdict):
        raise VerificationFailed(UNFAIR, f"{where}: {reason}")
    return None


def _contradiction(event: TableDecided, verdict: Verdict) -> str | None:
    """Returns how a result contradicts the audit of its record; None if it does not."""
    named, lost = set(verdict.seats), set(event.lost)
    places = None if verdict.result is None else verdict.result.places
    if (event.how == PLAYED) != (verdict.code == FAIR) or (event.how == CHEATING) != (verdict.code == UNFAIR):
        return f"the record is {verdict.code}, and the result says {event.how!r}: {verdict.reason}"
    if event.how == PLAYED:
        return None if places == event.places else "the game ended with different places"
    if event.how == CHEATING and named != lost:
        return "the ruling is not against the players whose cheating the record proves"
    if event.how == REFUSED and (places is None or named != lost):
        return "the record does not show that these players refused the fairness check of a finished game"
    if event.how != REFUSED and places is not None:
        return f"the record shows how the game ended, but the result says {event.how!r}"
    if event.how in (TIME, SILENCE) and not lost & named:
        return "the missing move belongs to a player the ruling is not against"
    if event.how in (TIME, SILENCE) and lost - named and len(event.places) < LEAST_TO_LEAVE:
        return "the ruling is against a player whose move is there"
    return (
        None
        if event.places == places_after_ruling(len(event.places), lost, places)
        else "the places of the others differ"
    )


def _where(settings: TournamentSettings, event: TableDecided | GameSeated) -> str:
    """Returns where a game was played; an arena has no rounds in words."""
    table = table_name(event.table)
    return table if settings.format == ARENA else f"round {event.round}, {table}"


# -- the referee's word ------------------------------------------------------------------------------------------------

ADDED, PAUSED, AGAIN, UNDONE = "added", "paused", "again", "undone"
LATE, WITHDRAWAL, RETURN, TEAM, BAN, HALF = "late", "withdrawal", "return", "team", "ban", "bye"

ORDERS: Final = (ORGANIZER, ADDED, PAUSED, AGAIN, UNDONE, BAN, HALF)
"""What a person has decided, not the referee's program."""

_WORDS: Final = {
    TIME: "lost on time",
    SILENCE: "lost by silence",
    AWAY: "stayed away for too long",
    REFUSED: "did not finish the fairness check",
    ORGANIZER: "had their game decided by the organizer",
    ABSENT: "did not show up at the table",
    UNREADY: "did not get ready in time",
    WITHDREW: "was no longer in the game",
    VOID: "drew by ruling",
    ADDED: "was given more time by the organizer",
    PAUSED: "had their clocks stopped by the organizer",
    AGAIN: "replayed by order of the organizer: the earlier result no longer counts",
    UNDONE: "had to play again, as the organizer undid a decision",
    LATE: "joined after the draw",
    WITHDRAWAL: "withdrew from the tournament",
    RETURN: "came back to the tournament",
    TEAM: "formed a team",
    BAN: "was removed for good by the organizer",
    HALF: "had a half-point bye, given by the organizer",
}


@dataclass(frozen=True, slots=True)
class Unproven:
    """What only the referee says about these players.

    `how` is the kind of a ruling; or, with `table` None, something that no player signs: "late", "withdrawal",
    "return", "team", "ban" or "bye". Rounds count from 1, with 0 before the first round; tables count from 0.
    """

    round: int
    table: int | None
    how: str
    players: tuple[bytes, ...]
    record: bool = False
    """Whether there is a record. A record shows whose step is missing, but not why."""
    reason: str = ""
    """The reason that a person has given, as a sentence."""

    @property
    def words(self) -> str:
        """The rest of a sentence that begins with the names of the players."""
        return _WORDS[self.how]


def unproven(bundle: Bundle, tournament: Tournament) -> list[Unproven]:
    """Returns everything in the bundle of this tournament that rests on the referee's word, in order."""
    claims: list[Unproven] = []
    round, drawn = 0, False
    for event in bundle.events:
        match event:
            case LotsDrawn():
                drawn = True
            case RoundPaired():
                round = event.round
                resting = {identity for identity, at in tournament.granted if at == round}
                if half := tuple(one for one in tournament.rounds[round - 1].half_byes if one in resting):
                    claims.append(Unproven(round, None, HALF, half))
            case PlayerEnrolled() if drawn:
                claims.append(Unproven(round, None, LATE, (event.identity,)))
            case TeamFormed():
                claims.append(Unproven(round, None, TEAM, event.members))
            case PlayerWithdrew():
                claims.append(Unproven(round, None, WITHDRAWAL, (event.identity,)))
            case PlayerReturned():
                claims.append(Unproven(round, None, RETURN, (event.identity,)))
            case PlayerBanned():
                claims.append(Unproven(round, None, BAN, (event.identity,), reason=event.sentence))
            case TableDecided() if event.how not in PROVEN:
                number = table_number(event.table)
                seats = tournament.rounds[event.round - 1].tables[number].seats
                lost = () if event.how == ORGANIZER else event.lost
                players = tuple(seats[seat] for seat in lost) or seats
                reason = event.sentence if event.how == ORGANIZER else ""
                claims.append(Unproven(event.round, number, event.how, players, event.record is not None, reason))
            case TimeAdded():
                claims.append(Unproven(event.round, table_number(event.table), ADDED, (event.identity,)))
            case TablePaused() | TableReplayed() | DecisionUndone():
                number = table_number(event.table)
                if isinstance(event, TableReplayed) and claims and _ends_for(event, claims[-1]):
                    claims.pop()
                how = PAUSED if isinstance(event, TablePaused) else AGAIN
                how = UNDONE if isinstance(event, DecisionUndone) else how
                seats = tournament.rounds[event.round - 1].tables[number].seats
                reason = "" if isinstance(event, TablePaused) else event.sentence
                claims.append(Unproven(event.round, number, how, seats, reason=reason))
    return claims


def _ends_for(event: TableReplayed, former: Unproven) -> bool:
    """Returns whether this decision only ended the game for the replay, whose order says so, too."""
    at_table = (former.round, former.table) == (event.round, table_number(event.table))
    return former.how == ORGANIZER and at_table and former.reason.endswith(f"{REPLAYED}: {event.sentence}")
