"""What a table shows to who looks at it before joining."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from p2p.frames import Frame
from p2p.hello import Speaker, refused
from p2p.identity import fingerprint, nickname_from
from p2p.text import clean
from p2p.trouble import Trouble

MOST_SEATS: Final = 64
"""Of a table that is listed; tables of another revision may have more than this one plays with."""


@dataclass(frozen=True, slots=True)
class Card:
    """`game` is the game's id, `rules` the revision of its rules; `taken` of `seats` seats are taken."""

    identity: bytes
    nickname: str
    game: str
    rules: int
    taken: int
    seats: int
    speaker: Speaker

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.identity)

    def frame(self) -> Frame:
        """("card", revisions, software, identity, nickname, game, rules, taken, seats)."""
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
                *_,
            ) if len(identity) == 32 and 0 <= taken <= seats <= MOST_SEATS:
                spoken = tuple(number for number in revisions[:16] if type(number) is int)
                speaker = Speaker(spoken, clean(software, 40))
                return cls(identity, nickname_from(nickname), clean(game, 40), rules, taken, seats, speaker)
        raise Trouble(refused(frame) or "It answers, but not as a table of this game does.")
