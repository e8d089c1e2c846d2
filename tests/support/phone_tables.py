"""Tables of phones in Chromium, which are touched, and of terminals in the line mode, which answer by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kimberley.client.cli.play import LOG
from kimberley.games import lookup
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.line_players import land_answer, mine_player, piecepack_answer
from tests.support.phone import Phone, Touch, open_phone, play_together
from tests.support.pipe import Answers, Pipe
from tests.support.seat_page import ACROSS, UPRIGHT

ON_TERMINALS: Final = ("ana", "carla", "dora", "emil", "finn")
"""The first is the host."""
ON_PHONES: Final = ("ben", "gina")
VERDICT: Final = "FAIR ✓"
ENDED: Final = "lost the connection to "
"""What a program's log says when a link has lost its connection."""
BUTTONS: Final = slice(-2, None)
"""The rows of a phone's screen that have the buttons of the lobby."""
MOST_TURNS: Final = 400
"""More turns than a game of explorers has."""
CARDS: Final = "1             2             3"


@dataclass(frozen=True, slots=True)
class Players:
    """How a game is played."""

    answers: Callable[[], Answers]
    """What a terminal answers."""
    touches: Callable[[int], Sequence[Touch]]
    """What fingers touch on a phone. Where players can agree to end the game, they do so after that many rounds."""
    after: Callable[[int, int], Sequence[str]]
    """What phones may show after that many rounds with that many seats."""
    options: tuple[str, ...] = ()
    size: tuple[int, int] = UPRIGHT
    """How a phone is held."""


PLAYERS: Final[Mapping[str, Players]] = {
    # Buys a parcel if it is to be had, and is done.
    "land": Players(
        lambda: land_answer,
        lambda rounds: (
            ("Bought", "End turn"),
            ("made no deals", "End turn"),
            ("! ", "End turn"),
            ("then Buy.", "Buy"),
            ("here can reach the river.", "Buy"),
            ("your turn", "End turn"),
        ),
        lambda rounds, seats: [f"round {number} of" for number in range(rounds + 1, 26)],
        ("--option", "map=small", "--option", "turns=25"),
        ACROSS,
    ),
    # Plays a 2, goes to a lit square, and takes what is offered.
    "mine": Players(
        lambda: mine_player("{} end"),
        lambda rounds: (
            "Place it",
            ("End the game?", "Agree"),
            "Play it",
            (f"round {rounds + 1}", "Agree to end"),
            CARDS,
            "  Go",
            "•",
            "Take",
        ),
        lambda rounds, seats: (),
    ),
    # Explores, steps on, and ends each turn.
    "piecepack": Players(
        lambda: piecepack_answer,
        lambda rounds: ("Place it", "End the turn", "Do it", "  Go", "Spend none", "None", "All"),
        lambda rounds, seats: [f"TURN {number}" for number in range(rounds * seats + 1, MOST_TURNS)],
    ),
}


class PhoneTable:
    """A table at which everybody plays."""

    def __init__(self, game: str, folder: Path, terminals: Mapping[str, Pipe], phones: Sequence[Phone]) -> None:
        self.terminals = terminals
        self.phones = phones
        self._players = PLAYERS[game]
        self._folder = folder

    def play(self, rounds: int) -> None:
        """Plays that many rounds, or to the end of the game if it comes first."""
        self._play(rounds, self._players.after(rounds, len(self.terminals) + len(self.phones)))

    def finish(self, rounds: int) -> None:
        """Plays to the end of the game; where players can agree to end it, they do so after that many rounds."""
        self._play(rounds, ())
        for terminal in self.terminals.values():
            terminal.wait("^Record: ")

    def _play(self, rounds: int, ends: Sequence[str]) -> None:
        play_together(self.phones, self._players.touches(rounds), (*ends, VERDICT))

    @property
    def problems(self) -> list[str]:
        """The connections that have ended, as the programs in the terminals tell, and what browsers complained of."""
        logs = {path.parent.name: path.read_text().splitlines() for path in self._folder.glob(f"*/{LOG}")}
        ended = [f"{name}: {line}" for name, log in logs.items() for line in log if ENDED in line]
        return [*ended, *(problem for phone in self.phones for problem in phone.problems)]


@contextmanager
def at_one_table(
    chromium: Chromium, folder: Path, game: str, *, terminals: int = 1, phones: int = 1, bind: str | None = LOOPBACK
) -> Iterator[PhoneTable]:
    """Opens a table of that many phones and terminals, at which all have compared their four words.

    The host listens at all addresses of this machine if `bind` is None, as it does for people.
    """
    players = PLAYERS[game]
    with ExitStack() as stack:

        def pipe(name: str, *arguments: str) -> Pipe:
            return stack.enter_context(
                Pipe(*arguments, "--nickname", name, data=folder / name, answers=players.answers())
            )

        host, *guests = ON_TERMINALS[:terminals]
        listening = () if bind is None else ("--bind", bind)
        ana = pipe(host, "host", game, "--seats", str(terminals + phones), *listening, *players.options)
        address = ana.wait("Others can join with: kimberley join (.*)")[1]
        ana.type("share")
        link = ana.wait("Your friend can play in the browser here: (.*)")[1]
        seated = {host: ana} | {name: pipe(name, "join", address) for name in guests}
        hands = [stack.enter_context(open_phone(chromium, link, name, players.size)) for name in ON_PHONES[:phones]]
        seats = terminals + phones
        if seats > min(lookup.find(game).seats):
            # Fewer would be enough: the table waits until all are ready.
            for phone in hands:
                phone.wait(f"{seats} of {seats} seats taken")
            for terminal in seated.values():
                terminal.type("ready")
            for phone in hands:
                phone.touch("Ready", BUTTONS)
        shown = [phone.wait("Same") for phone in hands]
        for terminal in seated.values():
            words = terminal.wait("The four words: (.*)[.]")[1].split(", ")
            assert all(word in text for word in words for text in shown)
            terminal.type("same")
        for phone in hands:
            phone.touch("Same")
        yield PhoneTable(game, folder, seated, hands)
