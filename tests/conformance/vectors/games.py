"""Vectors of whole games: seeds and choices, and all that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol.closing import CLOSE, SHOW
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, STAGE, Envelope
from kimberley.protocol.peer import Peer
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.table_functions import GAMES, carry
from tests.support.tables import identity, seed, signed_roster

SALT: Final = "vectors"
NO_CHOICE: Final = ("no", "choice")


@dataclass
class Game:
    """A game whose players choose at random; by seat in `goes`, from which step on it wants to go."""

    id: str
    seats: int
    options: Mapping[str, Plain] = field(default_factory=dict)
    begins: int | None = None
    goes: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.table = signed_roster(GAMES[self.id], self.seats, SALT, self.options, begins=self.begins)
        self.choices: list[list[Plain]] = [[] for _ in range(self.seats)]
        self.went: list[tuple[int, int]] = []
        self.peers = self._played()

    @property
    def given(self) -> dict[str, Any]:
        """What the vector is given."""
        return {
            "table": self.table.plain(),
            "secrets": [identity(seat) for seat in range(self.seats)],
            "seeds": [seed(seat, SALT) for seat in range(self.seats)],
            "choices": tuple(map(tuple, self.choices)),
            "goes": tuple(self.went),
        }

    def _played(self) -> list[Peer]:
        game = GAMES[self.id]
        peers = [
            Peer(game, self.table, seat, seed(seat, SALT), partial(signatures.sign, identity(seat)))
            for seat in range(self.seats)
        ]
        for peer in peers:
            peer.start()
        rngs = [Random(f"{SALT} {self.id} {seat}") for seat in range(self.seats)]
        wanting = dict(self.goes)
        while not all(peer.finished for peer in peers):
            carry(peers)
            step, owing = peers[0].play.step, peers[0].play.owing
            now = [seat for seat, since in wanting.items() if since <= step and peers[seat].asked is not None]
            if now and all(peers[seat].asked is not None for seat in owing):
                self.went.append((now[0], step))
                peers[now[0]].resign()
                del wanting[now[0]]
                continue
            for peer, rng, own in zip(peers, rngs, self.choices, strict=True):
                if peer.asked is not None:
                    own.append(peer.asked.space.pick(rng))
                    peer.choose(own[-1])
        return peers


PLAYED: Final[Mapping[str, Callable[[], Game]]] = {
    "Diamond": lambda: Game("diamond", 2),
    "Diamond, seat 1 begins, and resigns": lambda: Game("diamond", 2, begins=1, goes={1: 9}),
    "Diamond Trust, all nine rounds": lambda: Game("diamond-trust", 2, {"last_look": 0}),
    "Diamond Mine, seat 0 resigns": lambda: Game("mine", 2, goes={0: 30}),
    "Diamond Mine of four, a fifth colour, two leave, a third resigns": lambda: Game(
        "mine", 4, {"flawless": True}, goes={2: 14, 0: 20, 3: 26}
    ),
    "the land game, to its end": lambda: Game("land", 2, {"map": "small", "turns": 25}),
    "the land game of three on a map that is rolled, one leaves, another resigns": lambda: Game(
        "land", 3, {"map": "rolled-small", "turns": 25}, goes={1: 12, 2: 24}
    ),
    "the piecepack game of three, one leaves, another resigns": lambda: Game("piecepack", 3, goes={1: 16, 0: 24}),
}


def games() -> Book:
    guilt = "Unfair: its seat is named, where it signed that."
    book = Book(
        "games",
        "11 to 18, 21",
        "Whole games: from the seeds and choices to the hash of every envelope, the head, the result and the record.",
        {
            "Forbidden": ("A choice breaks the rules of the game.", "Sign nothing; the player chooses anew."),
            "BadBody": ("A seat signed a body that everybody could refuse.", guilt),
            "Deviation": ("A seat signed what its seed and choices do not give.", guilt),
        },
    )
    for comment, make in PLAYED.items():
        game = make()
        assert book.add("play", comment, game.given)["verdict"] == "fair"
        _spoil(book, game)
    return book


def _spoil(book: Book, game: Game) -> None:
    """The same game, with something wrong in it."""
    given, transcript = game.given, game.peers[0].transcript
    first = next(seat for seat, own in enumerate(game.choices) if own)
    wrong = [list(own) for own in game.choices]
    wrong[first][0] = NO_CHOICE
    book.add("play", "a choice that is none", {**given, "choices": tuple(map(tuple, wrong))}, "Forbidden")

    def add(comment: str, flag: str, owed: Envelope, *body: Plain) -> Any:
        gives = book.add("spoil", comment, {**given, "at": (*owed.slot, owed.seat), "body": pack(body)}, flag)
        assert (gives["verdict"], gives["seats"]) == ("unfair", (owed.seat,)), (comment, gives)
        return gives["slot"]

    chosen = next((e for e in transcript if e.kind == STAGE and e.step and _is_choice(e.body)), None)
    if chosen is not None:
        assert add("a choice that is none, signed", "BadBody", chosen, NO_CHOICE) == chosen.slot
    last = transcript[-1].step
    # Of the last seat: its resignation, if there is one, is in the record by then.
    close, show = ([e for e in transcript if e.kind == CLOSING and e.slot == (last, at)][-1] for at in (CLOSE, SHOW))
    match close.body, show.body:
        case (places, scores, resigned), (own, (*choices,)):
            assert add("another result", "BadBody", close, scores, places, resigned) == close.slot
            choices[-1] = NO_CHOICE
            assert add("another choice shown than made", "Deviation", show, own, tuple(choices)) < (last, 0)


def _is_choice(body: Plain) -> bool:
    """Whether a body of a stage is a choice that all can read."""
    return isinstance(body, tuple) and len(body) == 1 and not isinstance(body[0], bytes | tuple)
