"""What happens in a tournament: a list of these, in order, is all there is to it (docs/referee.md).

Every event has the time `at` which it happened, in seconds since 1970. Identities have 32 bytes. A result is signed by
the referee over everything that it says, the identities at the table included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from games.table import Plain
from p2p.identity import Identity, nickname_from
from p2p.referee.cup import MOST_PLAYERS, MOST_ROUNDS, SEED_SIZE, Cup
from p2p.referee.points import plain_points, points
from p2p.text import clean
from protocol.crypto import signatures
from protocol.encoding import Malformed, pack
from protocol.roster import MOST_SEATS

PLAYED, VOID = "played", "void"
TIME, SILENCE, REFUSED, CHEATING, ABSENT, WITHDREW = "time", "silence", "refused", "cheating", "absent", "withdrew"

LOST_BY_RULING: Final = (TIME, SILENCE, REFUSED, CHEATING, ABSENT, WITHDREW)
PROVEN: Final = (PLAYED, CHEATING)
"""What the record of the game proves. All other rulings rest on the referee's word."""
IN_GAME: Final = (*PROVEN, REFUSED, TIME, SILENCE)
"""How a table ends only if its game has begun."""
HOW: Final = (PLAYED, VOID, *LOST_BY_RULING)
"""How a table ended: by its game; by nobody's fault, as a draw; or by a ruling against the seats with place 0."""

PURPOSE: Final = "result"
MOST_SENTENCE: Final = 500
LATEST: Final = 2**53

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Enrolled:
    """Somebody plays from the next round on, under a nickname that `p2p.identity.nickname_from` leaves as it is."""

    at: int
    identity: bytes
    nickname: str


@dataclass(frozen=True, slots=True)
class Withdrew:
    """A player is not paired any more. Its table, if it sits at one, is lost for it."""

    at: int
    identity: bytes


@dataclass(frozen=True, slots=True)
class Returned:
    """Who had withdrawn plays from the next round on."""

    at: int
    identity: bytes


@dataclass(frozen=True, slots=True)
class Drawn:
    """The seed of the lots is opened: every player there is has a starting number now, later ones follow them."""

    at: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class Paired:
    """A round, counted from 1: the identities at each table in seat order, and who has a bye."""

    at: int
    round: int
    tables: tuple[tuple[bytes, ...], ...]
    byes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Seated:
    """All of a table, counted from 0, have signed the roster of a game: the only one that counts there."""

    at: int
    round: int
    table: int
    game: bytes


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of a table, signed.

    `places` by seat: 1 for the first, equal for a tie, 0 for who lost by ruling: beaten by all who did not, and without
    a point. `how` is one of `HOW`; by "cheating" the seats with place 0 are disqualified. `sentence` gives a person the
    reason. `game` is the game's id, `record` the SHA-256 of its packed record; None where there is none.
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

    def message(self, cup: Cup, seats: Sequence[bytes]) -> bytes:
        """What the referee signs; `seats` are the identities at the table, in seat order."""
        what = (self.at, self.round, self.table, tuple(seats), self.places, plain_points(points(self.places)))
        return pack((cup.id, *what, self.how, self.sentence, self.game, self.record))

    def holds(self, cup: Cup, seats: Sequence[bytes]) -> bool:
        """Whether the cup's referee has signed this result for these people."""
        return signatures.verify(cup.referee, PURPOSE, self.message(cup, seats), self.signature)


@dataclass(frozen=True, slots=True)
class Ended:
    """The cup is over."""

    at: int


Event: TypeAlias = Enrolled | Withdrew | Returned | Drawn | Paired | Seated | Decided | Ended

KINDS: Final[tuple[type[Event], ...]] = (Enrolled, Withdrew, Returned, Drawn, Paired, Seated, Decided, Ended)
_BY_NAME: Final = {kind.__name__.lower(): kind for kind in KINDS}


def decide(
    identity: Identity,
    cup: Cup,
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
) -> Decided:
    """A result, signed by the referee; `record` is the packed record itself. Raises ValueError."""
    held = None if record is None else record_digest(record)
    said = Decided(at, round, table, tuple(places), how, clean(sentence, MOST_SENTENCE), game, held, b"")
    check(said)
    return replace(said, signature=identity.sign(PURPOSE, said.message(cup, seats)))


def record_digest(record: bytes) -> bytes:
    """SHA-256 of a packed record, by which a result names it."""
    return hashlib.sha256(record).digest()


def check(said: Decided) -> None:
    """Raises ValueError for a result that contradicts itself."""
    if said.how not in HOW:
        raise ValueError(f"no table ends like {said.how!r}")
    if not 2 <= len(said.places) <= MOST_SEATS or not all(0 <= place <= len(said.places) for place in said.places):
        raise ValueError("a result has a place for each seat")
    if bool(said.lost) != (said.how in LOST_BY_RULING):
        raise ValueError("a ruling is against a seat, and without one nobody has place 0")
    if said.how == PLAYED and (said.record is None or said.game is None or 1 not in said.places):
        raise ValueError("a game that was played has a record and a winner")
    if said.how in (REFUSED, CHEATING) and said.record is None:
        raise ValueError("a record shows who refused the audit, and proves who cheated")
    if said.how == VOID and set(said.places) != {1}:
        raise ValueError("a table that is void is a draw")
    if not said.sentence or clean(said.sentence, MOST_SENTENCE) != said.sentence:
        raise ValueError(f"a result has a sentence of {MOST_SENTENCE} visible characters at most")


def plain(event: Event) -> Plain:
    """The event as an array: its name, and its fields in order."""
    return type(event).__name__.lower(), *(getattr(event, name) for name in type(event).__slots__)


def read(data: Plain) -> Event:
    """The event of an array. Raises Malformed."""
    match data:
        case ("enrolled", at, bytes() as identity, str() as nickname) if nickname_from(nickname) == nickname:
            return Enrolled(_time(at), _bytes(identity), nickname)
        case ("withdrew", at, identity):
            return Withdrew(_time(at), _bytes(identity))
        case ("returned", at, identity):
            return Returned(_time(at), _bytes(identity))
        case ("drawn", at, seed):
            return Drawn(_time(at), _bytes(seed, SEED_SIZE))
        case ("paired", at, number, tuple() as tables, byes):
            return Paired(_time(at), _number(number, MOST_ROUNDS), tuple(map(_people, tables)), _people(byes))
        case ("seated", at, number, table, game):
            return Seated(_time(at), _number(number, MOST_ROUNDS), _number(table, MOST_PLAYERS), _bytes(game))
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
            decided = Decided(
                _time(at),
                _number(number, MOST_ROUNDS),
                _number(table, MOST_PLAYERS),
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
            return Ended(_time(at))
    raise Malformed("not an event of a cup")


def _number(plain: Plain, most: int) -> int:
    if type(plain) is not int or not 0 <= plain <= most:
        raise Malformed("not an event of a cup: a number is out of bounds")
    return plain


def _time(plain: Plain) -> int:
    return _number(plain, LATEST)


def _bytes(plain: Plain, size: int = 32) -> bytes:
    if not isinstance(plain, bytes) or len(plain) != size:
        raise Malformed(f"not an event of a cup: {size} bytes are missing")
    return plain


def _people(plain: Plain) -> tuple[bytes, ...]:
    if not isinstance(plain, tuple):
        raise Malformed("not an event of a cup: people are missing")
    return tuple(_bytes(identity) for identity in plain)
