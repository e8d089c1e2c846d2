"""Players in the line mode who play by simple rules: each answers what is read aloud."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Final

LAND_ROWS: Final = 2
"""The rows of parcels in a sector that `land_answer` buys."""
DEAREST: Final = 999


def land_answer(line: str) -> str | None:
    """Buys, and sets a price so high that its tax ends the game on the small map after a few rounds."""
    if (sector := re.search(r"sector (\d),(\d) is in play", line)) is None:
        return None
    row, column = (4 * (int(number) - 1) for number in sector.groups())
    parcels = [f"{chr(ord('a') + column + x)}{row + y + 1}" for y in range(LAND_ROWS) for x in range(4)]
    return "\n".join([*(f"buy {parcel} {DEAREST}" for parcel in parcels), "done anyway"])


def mine_player(card: str = "{}") -> Callable[[str], str | None]:
    """Places nests in the middle, goes here and there, and takes every other offer. `card` is how a card is typed."""
    squares = iter([f"{column}{row}" for row in "5678" for column in "efgdcba"])
    lines = count()

    def answer(line: str) -> str | None:
        number = next(lines)
        if line.startswith(("Nest ", "Not possible")):
            return next(squares)
        if line.startswith("Type 1, 2 or 3"):
            return card.format(number % 3 + 1)
        if line.startswith("Your card is"):
            targets: list[str] = re.findall(r"\b[a-h][1-8]\b", line.split(".")[0])
            return targets[number % len(targets)]
        if line.startswith("Type take"):
            return "take all" if number % 2 else "take nothing"
        return None

    return answer


def piecepack_answer(line: str) -> str | None:
    """Explores, steps on, ends each turn, and spends nothing."""
    if line.startswith("Where do you place"):
        return "1"
    if line == "Choose an action.":
        return "end"
    if line.startswith("You can step to "):
        return "step " + line.removeprefix("You can step to ").split(",")[0]
    if "attacks you for" in line or line.startswith("You can peek at"):
        return "none"
    return None
