"""The card that a table shows to people before they join (SPEC.md, section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import fingerprint, nickname_from
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.handshake import MOST_NAME, MOST_REVISIONS, PeerVersion, refusal_reason
from kimberley.protocol.encoding import pack

MOST_SEATS: Final = 64  # SPEC: seats on a card
"""The most seats of a listed table. Tables of another revision may have more seats than this revision supports."""
MOST_OPTIONS_BYTES: Final = 1024  # SPEC: bytes of options on a card
"""The most bytes of a table's encoded options. Larger options are left out of the card."""
MOST_TOURNAMENT_NAME: Final = 40
"""Characters of a tournament's name."""


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """The part that a referee adds to its card: a referee is not a table, and nobody plays there. `round` is 0 before
    the first round; `over`: the tournament has ended.
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
class TableCard:
    """`game` is the game's id, `rules` the revision of its rules; `taken` of `seats` seats are taken. `options` are the
    table's options by name and `names` the nicknames of its players, as far as they are known. `tournament` is set on a
    referee's card only: then `nickname` is the tournament's name, and no seat is free.
    """

    identity: bytes
    nickname: str
    game: str
    rules: int
    taken: int
    seats: int
    speaker: PeerVersion
    options: tuple[tuple[str, Plain], ...] = ()
    names: tuple[str, ...] = ()
    tournament: TournamentCard | None = None

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.identity)

    def frame(self) -> Frame:
        """Returns ("card", revisions, software, identity, nickname, game, rules, taken, seats, options, names), and on
        a referee's card its tournament.
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
            *((self.tournament.plain(),) if self.tournament is not None else ()),
        )

    @classmethod
    def read(cls, frame: Frame) -> TableCard:
        """Returns the card in another machine's frame, with text that is safe to show. Raises UserError."""
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
            ) if len(identity) == 32 and are_integers(rules, taken, seats) and 0 <= taken <= seats <= MOST_SEATS:
                spoken = tuple(number for number in revisions[:MOST_REVISIONS] if type(number) is int)
                speaker = PeerVersion(spoken, clean(software, MOST_NAME))
                options, names, tournament = _options(more[:1]), _names(more[1:2]), _tournament(more[2:3])
                title = clean(game, MOST_NAME)
                return cls(
                    identity, nickname_from(nickname), title, rules, taken, seats, speaker, options, names, tournament
                )
        raise UserError(refusal_reason(frame) or "Something answers there, but it is not a Kimberley table.")


def _options(entry: Sequence[Plain]) -> tuple[tuple[str, Plain], ...]:
    """Returns the options in an entry of a card; none if it holds anything else."""
    match entry:
        case [tuple() as pairs]:
            named = [pair for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
            return tuple((name, value) for name, value in named if isinstance(name, str))
    return ()


def _names(entry: Sequence[Plain]) -> tuple[str, ...]:
    """Returns the nicknames in an entry of a card, safe to show; none if it holds anything else."""
    match entry:
        case [tuple() as names]:
            return tuple(nickname_from(name) for name in names[:MOST_SEATS] if isinstance(name, str))
    return ()


def _tournament(entry: Sequence[Plain]) -> TournamentCard | None:
    """Returns the part that a referee adds to its card, safe to show; None for a table's card or anything else."""
    match entry:
        case [(str() as name, str() as format, int() as players, int() as round, int() as rounds, bool() as over)] if (
            min(players, round, rounds) >= 0 and not any(type(number) is bool for number in (players, round, rounds))
        ):
            return TournamentCard(
                clean(name, MOST_TOURNAMENT_NAME) or "cup", clean(format, 20), players, round, rounds, over
            )
    return None
