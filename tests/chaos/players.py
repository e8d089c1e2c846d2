"""Players of the text mode by simple rules, for each game: each answers what is read aloud."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from kimberley.games.diamond.board import NAMED
from kimberley.games.diamond_trust.angola import REGIONS
from tests.support.line_players import land_answer, mine_player, piecepack_answer
from tests.support.pipe import Answers

RESIGN: Final = "resign\nresign"


def diamond_player(rng: Random) -> Answers:
    """Places pieces anywhere, and resigns when all are placed."""
    points = list(NAMED)

    def answer(line: str) -> str | None:
        if "place a piece" in line or line.startswith("Not possible"):
            return rng.choice(points)
        return RESIGN if "type a move" in line else None

    return answer


def trust_player(rng: Random) -> Answers:
    """Pays and sends agents at random, and confirms it."""

    def answer(line: str) -> str | None:
        if line.startswith("Pay. "):
            return f"pay {rng.randint(1, 3)} {rng.randint(0, 2)}\ndone"
        if line.startswith("Move. "):
            return f"{rng.randint(1, 3)} {rng.choice([*REGIONS, 'home'])} {rng.randint(0, 2)}\ndone"
        if line.startswith("You move the Inspector"):
            return f"{rng.choice(REGIONS)}\ndone"
        if line.startswith("Sale. "):
            return f"sell {rng.randint(0, 2)}\ndone"
        if line.startswith("To confirm") or line.endswith(("Type done.", "or done.", "restores your plan.")):
            return "done"
        return "undo\ndone" if line.startswith("Not possible") else None

    return answer


def patient_mine_player(rng: Random) -> Answers:
    """Plays as `mine_player` does, and begins its walk over the field again when that is over."""
    card = "{}" if rng.random() < 0.5 else "{} end"
    player = mine_player(card)

    def answer(line: str) -> str | None:
        nonlocal player
        try:
            return player(line)
        except StopIteration:
            player = mine_player(card)
            return player(line)

    return answer


PLAYERS: Final[dict[str, Callable[[Random], Answers]]] = {
    "diamond": diamond_player,
    "diamond-trust": trust_player,
    "land": lambda rng: land_answer,
    "mine": patient_mine_player,
    "piecepack": lambda rng: piecepack_answer,
}
