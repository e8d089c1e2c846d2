"""The events of a tournament: it is fully described by their list, in order (docs/referee.md).

Every event has the time `at` which it happened, in seconds since 1970. Identities have 32 bytes. The referee signs each
result with everything that it says, including the identities at the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from kimberley.games.table import Plain
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.tournament.points import plain_points, points
from kimberley.p2p.tournament.settings import (
    MOST_NAME,
    MOST_REPLAYS,
    MOST_ROUNDS,
    MOST_TABLES,
    SEED_SIZE,
    TournamentSettings,
)
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed, pack
from kimberley.protocol.roster import MOST_SEATS

PLAYED, VOID = "played", "void"
TIME, SILENCE, AWAY, REFUSED, CHEATING = "time", "silence", "away", "refused", "cheating"
ABSENT, UNREADY, WITHDREW, ORGANIZER = "absent", "unready", "withdrew", "organizer"

LOST_BY_RULING: Final = (TIME, SILENCE, AWAY, REFUSED, CHEATING, ABSENT, UNREADY, WITHDREW)
PROVEN: Final = (PLAYED, CHEATING)
"""Results that the game's record proves. All other rulings rest on the referee's word."""
IN_GAME: Final = (*PROVEN, REFUSED, TIME, SILENCE, AWAY)
"""How a table can end only after its game has begun."""
REPLAYED: Final = "replayed"
"""Begins the reason of a decision that only ends a game for its replay."""
HOW: Final = (PLAYED, VOID, ORGANIZER, *LOST_BY_RULING)
"""How a table ended: by its game; void, as a draw without anybody's fault; as a person has decided; or by a ruling
against the seats with place 0.
"""

PURPOSE: Final = "result"
SAME: Final = "same"
"""The purpose of a seat's signature that the words of a game are the same on its screen."""
REPLAY: Final = "replay"
"""The purpose of the signature that a table is played again."""
UNDO: Final = "undo"
"""The purpose of the signature that an organizer's decision no longer counts."""
MOST_SENTENCE: Final = 500
MOST_ADDED: Final = 24 * 60 * 60
"""Seconds that an organizer can add to a clock at once."""
LATEST: Final = 2**53

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlayerEnrolled:
    """A player plays from the next round on, under a nickname that `storage.identity.nickname_from` does not change.

    `bot`: it is a program, by its own account.
    """

    at: int
    identity: bytes
    nickname: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class PlayerWithdrew:
    """A player is no longer paired, and loses at its current table."""

    at: int
    identity: bytes


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """A player who had withdrawn plays from the next round on."""

    at: int
    identity: bytes


@dataclass(frozen=True, slots=True)
class PlayerBanned:
    """The organizer keeps a player out for good: it is no longer paired, loses at its current table, and cannot
    return. `sentence` gives a person the reason.
    """

    at: int
    identity: bytes
    sentence: str


@dataclass(frozen=True, slots=True)
class TeamFormed:
    """The organizer has put these players into a team, in the order of the boards, before the lots are drawn."""

    at: int
    name: str
    members: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class LotsDrawn:
    """The seed of the lots is opened: every player has a starting number now, and later ones get the next numbers."""

    at: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """A round, counted from 1: the identities at each table in seat order, and the players with a bye."""

    at: int
    round: int
    tables: tuple[tuple[bytes, ...], ...]
    byes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class TablesOpened:
    """More tables of the current round, with the next numbers: the identities at each in seat order."""

    at: int
    round: int
    tables: tuple[tuple[bytes, ...], ...]


@dataclass(frozen=True, slots=True)
class GameSeated:
    """A game has begun at a table, counted from 0: the only one that counts there.

    `signatures` are those of all seats, in seat order, that its words are the same on their screens. Nothing less
    begins a game: what one seat shows of it says nothing about the others.
    """

    at: int
    round: int
    table: int
    game: bytes
    signatures: tuple[bytes, ...]

    def holds(self, seats: Sequence[bytes]) -> bool:
        """Returns whether every one of these identities, in seat order, has signed that the words of the game match."""
        return len(self.signatures) == len(seats) and all(
            signatures.verify(seat, SAME, self.game, signature)
            for seat, signature in zip(seats, self.signatures, strict=True)
        )


@dataclass(frozen=True, slots=True)
class TableDecided:
    """The signed result of a table.

    `places` by seat: 1 for the first, equal for a tie, 0 for a seat that lost by ruling: beaten by all others, without
    a point. `how` is one of `HOW`; with "cheating" the seats with place 0 are disqualified. `sentence` gives a person
    the reason. `game` is the game's id, `record` the SHA-256 of its packed record; None if there is none.
    """

    at: int
    round: int
    table: int
    places: tuple[int, ...]
    how: str
    sentence: str
    game: bytes | None
    record: bytes | None
    signature: bytes

    @property
    def lost(self) -> tuple[int, ...]:
        """The seats that lost by ruling."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 0)

    def message(self, settings: TournamentSettings, seats: Sequence[bytes]) -> bytes:
        """Returns what the referee signs. `seats` are the identities at the table, in seat order."""
        what = (self.at, self.round, self.table, tuple(seats), self.places, plain_points(points(self.places)))
        return pack((settings.id, *what, self.how, self.sentence, self.game, self.record))

    def holds(self, settings: TournamentSettings, seats: Sequence[bytes]) -> bool:
        """Returns whether the referee has signed this result for these players."""
        return signatures.verify(settings.referee, PURPOSE, self.message(settings, seats), self.signature)


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """The tournament is over."""

    at: int


@dataclass(frozen=True, slots=True)
class TimeAdded:
    """The organizer gives a player at a table more time."""

    at: int
    round: int
    table: int
    identity: bytes
    seconds: int


@dataclass(frozen=True, slots=True)
class TablePaused:
    """The organizer stops a table's clocks. Nobody loses there by time or silence until it is resumed."""

    at: int
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class TableResumed:
    """The organizer lets a table's clocks run again."""

    at: int
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class TableReplayed:
    """The organizer has a decided table of the current round play again: its result no longer counts.

    Then the table has the number `table` + `MOST_TABLES`, so that nothing of the old game fits it. `sentence` gives
    a person the reason.
    """

    at: int
    round: int
    table: int
    sentence: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class DecisionUndone:
    """The organizer undoes a decision of the organizer's own: otherwise like `TableReplayed`. A game that it ended
    cannot continue, as the programs of its players have closed it.
    """

    at: int
    round: int
    table: int
    sentence: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class MessageSent:
    """The organizer says something to everybody."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class EntryClosed:
    """Nobody can enroll from now on."""

    at: int


@dataclass(frozen=True, slots=True)
class RoundScheduled:
    """The organizer says when the next round begins: at `start`, in seconds since 1970; None: once the organizer says
    so.
    """

    at: int
    start: int | None


@dataclass(frozen=True, slots=True)
class ByeGranted:
    """The organizer gives a player a half-point bye in a round that is not paired yet, or takes it back."""

    at: int
    identity: bytes
    round: int
    granted: bool


@dataclass(frozen=True, slots=True)
class EndCalled:
    """The organizer ends the tournament early: nothing else is paired."""

    at: int


TableReopened: TypeAlias = TableReplayed | DecisionUndone
"""What opens a decided table again."""

TableOrder: TypeAlias = TimeAdded | TablePaused | TableResumed | TableReopened
"""What an organizer does at one table, apart from deciding it."""

TournamentEvent: TypeAlias = (
    PlayerEnrolled
    | PlayerWithdrew
    | PlayerReturned
    | PlayerBanned
    | TeamFormed
    | LotsDrawn
    | RoundPaired
    | TablesOpened
    | GameSeated
    | TableDecided
    | TournamentEnded
    | TableOrder
    | MessageSent
    | EntryClosed
    | RoundScheduled
    | ByeGranted
    | EndCalled
)

KINDS: Final[Mapping[type[TournamentEvent], str]] = {
    PlayerEnrolled: "enrolled",
    PlayerWithdrew: "withdrew",
    PlayerReturned: "returned",
    PlayerBanned: "banned",
    TeamFormed: "team",
    LotsDrawn: "drawn",
    RoundPaired: "paired",
    TablesOpened: "opened",
    GameSeated: "seated",
    TableDecided: "decided",
    TournamentEnded: "ended",
    TimeAdded: "added",
    TablePaused: "paused",
    TableResumed: "resumed",
    TableReplayed: "replayed",
    DecisionUndone: "undone",
    MessageSent: "announced",
    EntryClosed: "closed",
    RoundScheduled: "scheduled",
    ByeGranted: "bye",
    EndCalled: "finishes",
}
"""The name of each event where it is packed."""


def decide(
    identity: Identity,
    settings: TournamentSettings,
    seats: Sequence[bytes],
    *,
    at: int,
    round: int,
    table: int,
    places: Sequence[int],
    how: str,
    sentence: str,
    game: bytes | None = None,
    record: bytes | None = None,
) -> TableDecided:
    """Returns a signed result.

    Args:
        identity: The referee's identity.
        settings: The settings of the tournament.
        seats: The identities at the table, in seat order.
        at: The time, in seconds since 1970.
        round: The round, from 1.
        table: The table, from 0.
        places: The place of each seat; 0 for a loss by ruling.
        how: One of `HOW`.
        sentence: The reason, for a person.
        game: The game's id, if a game began.
        record: The packed record itself, if there is one.

    Raises:
        ValueError: The result contradicts itself.

    """
    held = None if record is None else record_digest(record)
    decided = TableDecided(at, round, table, tuple(places), how, clean(sentence, MOST_SENTENCE), game, held, b"")
    check(decided)
    return replace(decided, signature=identity.sign(PURPOSE, decided.message(settings, seats)))


def reopen(
    identity: Identity, settings: TournamentSettings, seats: Sequence[bytes], event: TableReopened
) -> TableReopened:
    """Returns the same, signed by the referee. `seats` are the identities at the table, in seat order."""
    purpose, message = _reopening(settings, seats, event)
    return replace(event, signature=identity.sign(purpose, message))


def is_reopened(settings: TournamentSettings, seats: Sequence[bytes], event: TableReopened) -> bool:
    """Returns whether the referee has signed this for these players."""
    return signatures.verify(settings.referee, *_reopening(settings, seats, event), event.signature)


def _reopening(settings: TournamentSettings, seats: Sequence[bytes], event: TableReopened) -> tuple[str, bytes]:
    """Returns what the referee signs: the purpose, and the message."""
    purpose = UNDO if isinstance(event, DecisionUndone) else REPLAY
    return purpose, pack((settings.id, event.at, event.round, event.table, tuple(seats), event.sentence))


def record_digest(record: bytes) -> bytes:
    """Returns the SHA-256 of a packed record, by which a result refers to it."""
    return hashlib.sha256(record).digest()


def check(decided: TableDecided) -> None:
    """Raises ValueError for a result that contradicts itself."""
    if decided.how not in HOW:
        raise ValueError(f"no table ends like {decided.how!r}")
    if not 2 <= len(decided.places) <= MOST_SEATS or not all(
        0 <= place <= len(decided.places) for place in decided.places
    ):
        raise ValueError("a result has a place for each seat")
    if decided.how != ORGANIZER and bool(decided.lost) != (decided.how in LOST_BY_RULING):
        raise ValueError("a ruling is against a seat, and without one nobody has place 0")
    if decided.how == PLAYED and (decided.record is None or decided.game is None or 1 not in decided.places):
        raise ValueError("a game that was played has a record and a winner")
    if decided.how in (REFUSED, CHEATING) and decided.record is None:
        raise ValueError("a record shows who refused the audit, and proves who cheated")
    if decided.how == VOID and set(decided.places) != {1}:
        raise ValueError("a table that is void is a draw")
    if not decided.sentence or clean(decided.sentence, MOST_SENTENCE) != decided.sentence:
        raise ValueError(f"a result has a sentence of {MOST_SENTENCE} visible characters at most")


def plain(event: TournamentEvent) -> Plain:
    """Returns the event as an array: its name, and its fields in order."""
    return KINDS[type(event)], *(getattr(event, name) for name in type(event).__slots__)


def read(data: Plain) -> TournamentEvent:
    """Returns the event packed in an array. Raises Malformed."""
    match data:
        case ("enrolled", at, identity, str() as nickname, bool() as bot) if nickname_from(nickname) == nickname:
            return PlayerEnrolled(_time(at), _bytes(identity), nickname, bot)
        case ("enrolled", _, _, _):
            # A stored event may not say whether the player is a bot.
            return read((*data, False))
        case ("withdrew", at, identity):
            return PlayerWithdrew(_time(at), _bytes(identity))
        case ("returned", at, identity):
            return PlayerReturned(_time(at), _bytes(identity))
        case ("banned", at, identity, str() as sentence) if _is_sentence(sentence):
            return PlayerBanned(_time(at), _bytes(identity), sentence)
        case ("team", at, str() as name, members) if name and clean(name, MOST_NAME) == name:
            return TeamFormed(_time(at), name, _people(members))
        case ("drawn", at, seed):
            return LotsDrawn(_time(at), _bytes(seed, SEED_SIZE))
        case ("paired", at, number, tuple() as tables, byes):
            return RoundPaired(_time(at), _number(number, MOST_ROUNDS), tuple(map(_people, tables)), _people(byes))
        case ("opened", at, number, tuple() as tables):
            return TablesOpened(_time(at), _number(number, MOST_ROUNDS), tuple(map(_people, tables)))
        case ("seated", at, number, table, game, tuple() as proofs) if len(proofs) <= MOST_SEATS:
            signed = tuple(_bytes(one, signatures.SIGNATURE_SIZE) for one in proofs)
            return GameSeated(*_place(at, number, table), _bytes(game), signed)
        case (
            "decided",
            at,
            number,
            table,
            tuple() as places,
            str() as how,
            str() as sentence,
            game,
            record,
            signature,
        ):
            decided = TableDecided(
                *_place(at, number, table),
                tuple(_number(place, MOST_SEATS) for place in places),
                how,
                sentence,
                None if game is None else _bytes(game),
                None if record is None else _bytes(record),
                _bytes(signature, signatures.SIGNATURE_SIZE),
            )
            try:
                check(decided)
            except ValueError as error:
                raise Malformed(str(error)) from None
            return decided
        case ("ended", at):
            return TournamentEnded(_time(at))
        case ("added", at, number, table, identity, seconds) if _number(seconds, MOST_ADDED):
            return TimeAdded(*_place(at, number, table), _bytes(identity), _number(seconds, MOST_ADDED))
        case ("paused", at, number, table):
            return TablePaused(*_place(at, number, table))
        case ("resumed", at, number, table):
            return TableResumed(*_place(at, number, table))
        case ("replayed", at, number, table, str() as sentence, signature) if _is_sentence(sentence):
            return TableReplayed(*_place(at, number, table), sentence, _bytes(signature, signatures.SIGNATURE_SIZE))
        case ("undone", at, number, table, str() as sentence, signature) if _is_sentence(sentence):
            return DecisionUndone(*_place(at, number, table), sentence, _bytes(signature, signatures.SIGNATURE_SIZE))
        case ("announced", at, str() as text) if _is_sentence(text):
            return MessageSent(_time(at), text)
        case ("closed", at):
            return EntryClosed(_time(at))
        case ("scheduled", at, start):
            return RoundScheduled(_time(at), None if start is None else _time(start))
        case ("finishes", at):
            return EndCalled(_time(at))
        case ("bye", at, identity, number, bool() as granted):
            return ByeGranted(_time(at), _bytes(identity), _number(number, MOST_ROUNDS), granted)
    raise Malformed("not an event of a tournament")


def _number(plain: Plain, most: int) -> int:
    if type(plain) is not int or not 0 <= plain <= most:
        raise Malformed("not an event of a tournament: a number is out of bounds")
    return plain


def _place(at: Plain, round: Plain, table: Plain) -> tuple[int, int, int]:
    return _time(at), _number(round, MOST_ROUNDS), _number(table, MOST_TABLES * (MOST_REPLAYS + 1))


def _is_sentence(text: str) -> bool:
    return bool(text) and clean(text, MOST_SENTENCE) == text


def _time(plain: Plain) -> int:
    return _number(plain, LATEST)


def _bytes(plain: Plain, size: int = 32) -> bytes:
    if not isinstance(plain, bytes) or len(plain) != size:
        raise Malformed(f"not an event of a tournament: {size} bytes are missing")
    return plain


def _people(plain: Plain) -> tuple[bytes, ...]:
    if not isinstance(plain, tuple):
        raise Malformed("not an event of a tournament: people are missing")
    return tuple(_bytes(identity) for identity in plain)
