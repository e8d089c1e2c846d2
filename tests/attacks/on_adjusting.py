"""How much of a hint the time to adjust is: what an owner can guess from it about a report of its own agent.

    .venv/bin/python -m tests.attacks.on_adjusting          # the table of docs/diamond-trust.md

An owner sees how long its opponent takes. Looks are played in virtual time by the program's own `FinalAdjustment` and
`drawn_wait`: half of them by a player who was told something and decides as people do, half by one who was told
nothing. Every time is rounded down to a second, which loses nothing that a person could use. The owner is as clever as
possible: it knows the player's habits, and both distributions.
"""

from __future__ import annotations

import asyncio
import math
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from kimberley.p2p.table.common_options import FIXED, NO_LIMIT, UNTIL_DONE, AdjustTimes
from kimberley.p2p.table.final_adjustment import FinalAdjustment, drawn_wait
from tests.attacks.attack import Attack, Outcome
from tests.support.threadless import run_virtually

LOOKS: Final = 20_000
"""Of each kind."""
SPREAD: Final = 0.6
"""The standard deviation of the logarithm of the seconds that a person takes to decide."""
PRESSES: Final = 1.5
"""The median of the seconds after which somebody who was told nothing presses Done, where there is no limit."""
BY_THE_MARK: Final = "by the mark"
PLAYERS: Final = {BY_THE_MARK: 1.0, "usually in 4 s": 4.0, "usually in 8 s": 8.0, "usually in 15 s": 15.0}
"""Players who were told something: the median of the seconds that each takes to decide."""
CHOICES: Final = {"a fixed 20 s": FIXED, "5 to 40 s": UNTIL_DONE, "no limit": NO_LIMIT}
MOST_GUESSED: Final = 0.52
"""A larger share than this is not guessed right by chance, of so many looks."""


@dataclass(frozen=True)
class Hint:
    """What an owner learns from the time.

    Args:
        guessed: The largest share of looks that can be guessed right; chance alone gives half.
        after_long: The chance of a report after a look that outlasts the quiet time, if it was one half before.
        after_short: The same after a shorter one.
        untold: The mean number of seconds until the answer of a player who was told nothing leaves.
        told: The same for a player who was told something.
        bits: How much the time reveals of the one bit that says whether there was a report.

    """

    guessed: float
    after_long: float
    after_short: float
    untold: float
    told: float
    bits: float


def _decision(rng: Random, median: float) -> float:
    return median * rng.lognormvariate(0, SPREAD)


async def _look(times: AdjustTimes, decided: float | None, rng: Random) -> float:
    """Returns the seconds after which an answer leaves. If `decided` is None, the player may not choose."""
    loop = asyncio.get_running_loop()
    left: asyncio.Future[float] = loop.create_future()
    began = loop.time()
    look = FinalAdjustment(
        times, began, drawn_wait(rng, times), 0, lambda _: left.set_result(loop.time() - began), done=decided is None
    )
    if decided is not None:
        loop.call_later(decided, lambda: look.choose(1, final=True))
    try:
        return await left
    finally:
        look.cancel()


async def _times(times: AdjustTimes, decides: Callable[[Random], float | None], seed: int) -> list[float]:
    rng = Random(seed)
    return [await _look(times, decides(rng), rng) for _ in range(LOOKS)]


def _unlimited(decides: Callable[[Random], float], seed: int) -> list[float]:
    rng = Random(seed)
    return [decides(rng) for _ in range(LOOKS)]


@cache
def hint(times: AdjustTimes, median: float) -> Hint:
    """Measures what a table with these times reveals about a player whose median time to decide is `median`."""
    if times.most:
        told = run_virtually(_times(times, lambda rng: _decision(rng, median), 1))
        untold = run_virtually(_times(times, lambda _: None, 2))
    else:
        told = _unlimited(lambda rng: _decision(rng, median), 1)
        untold = _unlimited(lambda rng: _decision(rng, PRESSES), 2)
    seen = Counter(math.floor(time + 1e-6) for time in told), Counter(math.floor(time + 1e-6) for time in untold)
    seconds = sorted({*seen[0], *seen[1]})
    guessed = sum(max(seen[0][second], seen[1][second]) for second in seconds) / (2 * LOOKS)
    bits = 0.0
    for second in seconds:
        both = seen[0][second] + seen[1][second]
        bits += sum(
            each / (2 * LOOKS) * math.log2(2 * each / both) for each in (seen[0][second], seen[1][second]) if each
        )
    split = times.quiet + 0.5 if times.most else 3.0
    long = [sum(time > split for time in each) for each in (told, untold)]
    return Hint(
        guessed,
        long[0] / sum(long) if sum(long) else math.nan,
        (LOOKS - long[0]) / (2 * LOOKS - sum(long)) if sum(long) < 2 * LOOKS else math.nan,
        sum(untold) / LOOKS,
        sum(told) / LOOKS,
        bits,
    )


def main() -> int:
    print("| time | who was told decides | guessed right | told, if long | told, if short | bits | untold | told |")
    print("|---|---|---|---|---|---|---|---|")
    for name, times in CHOICES.items():
        for player, median in PLAYERS.items():
            if player == BY_THE_MARK and not times.most:
                continue
            found = hint(times, median)
            chances = [
                "–" if math.isnan(chance) else f"{chance:.0%}" for chance in (found.after_long, found.after_short)
            ]
            row = (name, player, f"{found.guessed:.0%}", *chances, f"{found.bits:.2f}", f"{found.untold:.1f} s",
                   f"{found.told:.1f} s")  # fmt: skip
            print(f"| {' | '.join(row)} |")
    return 0


def _worst(times: AdjustTimes) -> Outcome:
    found = {player: hint(times, median).guessed for player, median in PLAYERS.items()}
    worst = max(found.values()) if times.fixed else found[BY_THE_MARK]
    text = ", ".join(f"{player} {share:.0%}" for player, share in found.items())
    return Outcome(worst <= MOST_GUESSED, f"guessed right, where 50% is chance: {text}")


ATTACKS = (
    Attack("adjust-fixed", "An owner times a player in a fixed time to adjust", lambda: _worst(FIXED)),
    Attack(
        "adjust-until-done",
        "An owner times a player who decides by the mark, where adjusting ends once both are done",
        lambda: _worst(UNTIL_DONE),
    ),
)


if __name__ == "__main__":
    sys.exit(main())
