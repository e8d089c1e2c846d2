"""Attempts to find out in a last look whether a program was told something (SPEC.md, sections 20 and 22)."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Final

from kimberley.client.session.bots import drive, progress
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Amounts, Hidden, Observation, Plain, Together, space_for
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import run

GAMES: Final = 24
AT_ONCE: Final = 2
"""Games side by side. More games than cores would blur the timing."""
LEVEL: Final = 9
SLOW_SECONDS: Final = 1.4
"""How long the slow program thinks. A look of these games lasts one second."""
SHUFFLES: Final = 2000
CHANCE: Final = 0.01
"""A guess is better than chance if chance alone does as well at most this often."""


@dataclass(frozen=True)
class Look:
    """What a person sees of one last look.

    `kind` is the step and the round. `shown` says whether the program's progress was displayed. `worked` is the time
    that the process worked, and `lasted` the time that the look took, in seconds. `told` is the secret that the person
    must not find out.
    """

    told: bool
    kind: tuple[str, int]
    shown: bool
    worked: float
    lasted: float


class Slow:
    """A program that thinks in a last look only if it has a choice, and then for longer than the look."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def choose(self, observation: Observation) -> Plain:
        state = observation.state
        assert isinstance(state, State)
        if _in_look(state) and state.right[observation.seat] is True:
            time.sleep(SLOW_SECONDS)
        return self._bot.choose(observation)


def _in_look(state: State) -> bool:
    ask = state.ask()
    return isinstance(ask, Together) and ask.last_look


def _choice(state: State, seat: int, rng: Random) -> Plain:
    """A choice for the person, who moves agents and pays them sometimes: some are turned, some are not."""
    space = space_for(state.ask(), seat)
    assert space is not None
    if isinstance(space, Amounts):
        paid = space.pick(rng) if rng.random() < 0.7 else (0,) * len(space.slots)
        assert isinstance(paid, tuple)
        return tuple(min(4, amount) for amount in paid if isinstance(amount, int))
    return space.pick(rng)


async def _look(own: Table, bot: Table) -> Look:
    """Watches the last look that has just begun, to its end."""
    assert own.peer is not None
    assert bot.peer is not None
    state, theirs, asks = own.peer.state, bot.peer.state, len(own.peer.story)
    assert isinstance(state, State)
    assert isinstance(theirs, State)
    started, worked, shown = time.monotonic(), time.process_time(), False
    plan = state.plan[own.occupants.seat] if state.step is RoundStep.MOVE else state.sale_plan[own.occupants.seat]
    assert not isinstance(plan, Hidden)
    own.play.choose(plan)
    while own.phase == "playing" and len(own.peer.story) == asks:
        shown |= bool(progress(own, bot.occupants.seat))
        await asyncio.sleep(0.004)
    return Look(
        theirs.right[bot.occupants.seat] is True,
        (state.step.name, state.round()),
        shown,
        time.process_time() - worked,
        time.monotonic() - started,
    )


async def _game(seed: int, bot: Bot, data: Path) -> list[Look]:
    """The last looks of a game between a person and a program in the same process."""
    rng, looks, step = Random(seed), list[Look](), -1
    own = await Table.open(
        GAME,
        nickname="ana",
        identity=Identity.load_or_create(data),
        data=data,
        options={"last_look": 1},
        listen=False,
    )
    side = await own.seat_bot("Sancy")
    plays = asyncio.create_task(drive(side, bot, beside=own))
    own.seating.ready(True)
    while own.phase not in ("done", "failed"):
        await asyncio.sleep(0.004)
        if own.phase == "words" and not own.words.agreed[own.occupants.seat]:
            own.words.answer(True)
        peer = own.peer
        if own.phase != "playing" or peer is None or peer.asked is None or peer.asked.step == step:
            continue
        step, state = peer.asked.step, peer.state
        assert isinstance(state, State)
        if _in_look(state):
            looks.append(await _look(own, side))
        else:
            own.play.choose(_choice(state, own.occupants.seat, rng))
    own.departures.leave()
    await own.close()
    await plays
    await side.close()
    return looks


def _right(looks: Sequence[Look], seen: Callable[[Look], float], told: Sequence[bool]) -> tuple[float, int]:
    """Compares pairs of looks of the same kind, one where the program was told something and one where it was not.
    Returns how often the measured value is larger in the former (a tie counts half), and the number of pairs.
    """
    right, pairs = 0.0, 0
    for one, yes in zip(looks, told, strict=True):
        for other, no in zip(looks, told, strict=True):
            if yes and not no and one.kind == other.kind:
                pairs += 1
                right += (seen(one) > seen(other)) + (seen(one) == seen(other)) / 2
    return right, pairs


def _guessed(looks: Sequence[Look], seen: Callable[[Look], float]) -> Outcome:
    """How well the measured value reveals the secret, compared with labels shuffled among looks of the same kind."""
    told = [look.told for look in looks]
    right, pairs = _right(looks, seen, told)
    rng, as_good = Random(1), 0
    kinds = {kind: [n for n, look in enumerate(looks) if look.kind == kind] for kind in {look.kind for look in looks}}
    for _ in range(SHUFFLES):
        for places in kinds.values():
            labels = [told[place] for place in places]
            rng.shuffle(labels)
            for place, label in zip(places, labels, strict=True):
                told[place] = label
        as_good += abs(_right(looks, seen, told)[0] - pairs / 2) >= abs(right - pairs / 2)
    p = (as_good + 1) / (SHUFFLES + 1)
    counts = f"{sum(look.told for look in looks)} told, {sum(not look.told for look in looks)} not"
    share = right / pairs if pairs else 0.5
    return Outcome(p >= CHANCE, f"{share:.0%} of {pairs} pairs are guessed, p = {p:.2g} ({counts})")


def _played(seed: int, slow: bool) -> list[Look]:
    bot = make_bot(GAME, LEVEL, seed)
    with tempfile.TemporaryDirectory() as folder:
        return run(_game(seed, Slow(bot) if slow else bot, Path(folder)), 300)


@cache
def _looks(slow: bool) -> list[Look]:
    """The last looks of all games, against the practice opponent or the slow program."""
    with ProcessPoolExecutor(AT_ONCE) as pool:
        return [look for looks in pool.map(_played, range(GAMES), repeat(slow)) for look in looks]


ATTACKS = (
    Attack(
        "look-progress",
        "A person reads in a last look how far the program has come",
        lambda: _guessed(_looks(slow=False), lambda look: look.shown),
    ),
    Attack(
        "look-work",
        "A person measures how much its machine works in a last look",
        lambda: _guessed(_looks(slow=False), lambda look: look.worked),
    ),
    Attack(
        "look-time",
        "A program that thinks for longer than a last look, only where it has a choice, is timed",
        lambda: _guessed(_looks(slow=True), lambda look: look.lasted),
    ),
)
