"""What a table shows to who looks at it before joining."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.table import Plain
from p2p.frames import Frame, whole
from p2p.hello import Speaker, refused
from p2p.identity import fingerprint, nickname_from
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.encoding import pack

MOST_SEATS: Final = 64
"""Of a table that is listed; tables of another revision may have more than this one plays with."""
MOST_OPTIONS_BYTES: Final = 1024
"""Of a table's options, encoded; where they take more, its card does not tell them."""
MOST_CUP_NAME: Final = 40
"""Characters of a tournament's name."""


@dataclass(frozen=True, slots=True)
class CupCard:
    """What a referee's card adds: it is no table, and nobody sits down there. `round` is 0 before the first; `over`
    says whether the tournament has ended.
    """

    name: str
    format: str
    players: int
    round: int
    rounds: int
    over: bool

    def plain(self) -> Plain:
        return self.name, self.format, self.players, self.round, self.rounds, self.over


@dataclass(frozen=True, slots=True)
class Card:
    """`game` is the game's id, `rules` the revision of its rules; `taken` of `seats` seats are taken. `options` are the
    table's, by name, `names` the nicknames of who sits there, as far as either is told. `cup` is there where it is the
    card of a referee: then `nickname` is its tournament's name, and no seat is free.
    """

    identity: bytes
    nickname: str
    game: str
    rules: int
    taken: int
    seats: int
    speaker: Speaker
    options: tuple[tuple[str, Plain], ...] = ()
    names: tuple[str, ...] = ()
    cup: CupCard | None = None

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.identity)

    def frame(self) -> Frame:
        """("card", revisions, software, identity, nickname, game, rules, taken, seats, options, names), and a referee's
        cup.
        """
        return (
            "card",
            self.speaker.revisions,
            self.speaker.software,
            self.identity,
            self.nickname,
            self.game,
            self.rules,
            self.taken,
            self.seats,
            self.options if len(pack(self.options)) <= MOST_OPTIONS_BYTES else (),
            self.names,
            *((self.cup.plain(),) if self.cup is not None else ()),
        )

    @classmethod
    def read(cls, frame: Frame) -> Card:
        """The card in a frame of another machine, its text safe to show. Raises Trouble."""
        match frame:
            case (
                "card",
                tuple() as revisions,
                str() as software,
                bytes() as identity,
                str() as nickname,
                str() as game,
                int() as rules,
                int() as taken,
                int() as seats,
                *more,
            ) if len(identity) == 32 and whole(rules, taken, seats) and 0 <= taken <= seats <= MOST_SEATS:
                spoken = tuple(number for number in revisions[:16] if type(number) is int)
                speaker = Speaker(spoken, clean(software, 40))
                options, names, cup = _options(more[:1]), _names(more[1:2]), _cup(more[2:3])
                title = clean(game, 40)
                return cls(identity, nickname_from(nickname), title, rules, taken, seats, speaker, options, names, cup)
        raise Trouble(refused(frame) or "It answers, but not as a table of this game does.")


def _options(entry: Sequence[Plain]) -> tuple[tuple[str, Plain], ...]:
    """The options in an entry of a card; none where it holds something else."""
    match entry:
        case [tuple() as pairs]:
            named = [pair for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
            return tuple((name, value) for name, value in named if isinstance(name, str))
    return ()


def _names(entry: Sequence[Plain]) -> tuple[str, ...]:
    """The nicknames in an entry of a card, safe to show; none where it holds something else."""
    match entry:
        case [tuple() as names]:
            return tuple(nickname_from(name) for name in names[:MOST_SEATS] if isinstance(name, str))
    return ()


def _cup(entry: Sequence[Plain]) -> CupCard | None:
    """What a referee adds to its card, safe to show; None where it is a table's, or holds something else."""
    match entry:
        case [(str() as name, str() as format, int() as players, int() as round, int() as rounds, bool() as over)] if (
            min(players, round, rounds) >= 0 and not any(type(number) is bool for number in (players, round, rounds))
        ):
            return CupCard(clean(name, MOST_CUP_NAME) or "cup", clean(format, 20), players, round, rounds, over)
    return None
