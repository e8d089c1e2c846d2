"""Hints over whole games: what a reason says of the state is true, and the choice that came next is named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from kimberley.client.boards.next_best import ALIKE, FORESEEN
from kimberley.client.boards.registry import find_board
from kimberley.games import lookup
from kimberley.games.bots.base import Comparing
from kimberley.games.bots.hints import Mixing
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust.bots.levels import RULES_OF_THUMB
from kimberley.games.table import Ask, Plain, Result, space_for
from tests.support import diamond_hints, land_hints, mine_hints, piecepack_hints, trust_hints
from tests.support.effort import first_is_quick, spread, tries
from tests.support.seated_arena import NAMES, SeatedArena

LEVELS: Final = {"diamond": 5, "diamond-trust": RULES_OF_THUMB + 1, "land": 12, "mine": 2, "piecepack": 4}
"""The levels that choose: those that compare, and think little."""
SEATS: Final = {"diamond": 2, "diamond-trust": 2, "land": 2, "mine": 2, "piecepack": 3}
QUICK: Final = {"diamond": 1, "diamond-trust": 0, "land": 1, "mine": 0, "piecepack": 0}
"""Games of each that the quick tests play."""
WHOLE: Final = tries(8, 100)
"""Games of each that are played with the slow tests: five hundred in all with `--thorough`."""
NEXT: Final = re.compile(r" The next best choice(?: is(?: to)?|:) ")


def hints(game: str, seed: int) -> Iterator[tuple[Any, Ask, int, Plain, str, Plain | None]]:
    """Yields each decision of a game: state, ask, seat, choice, hint and the choice that came next."""
    rules, ui = lookup.find(game), find_board(game).game
    table = SeatedArena(rules, SEATS[game], Random(seed), {"turns": 25} if game == "land" else {})
    bots = [make_bot(rules, LEVELS[game], seed + seat) for seat in range(SEATS[game])]
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices: dict[int, Plain] = {}
        for seat in ask.choosers:
            known = table.observation(seat)
            asked, bot = known.state.ask(), bots[seat]
            choices[seat] = choice = bot.choose_likeliest(known) if isinstance(bot, Mixing) else bot.choose(known)
            assert not isinstance(asked, Result)
            other = bot.runner_up() if isinstance(bot, Comparing) else None
            said = ui.advise(known.state, asked, seat, choice, NAMES, other)
            if other is not None:
                told = ui.advise_next(known.state, seat, choice, other, NAMES)
                last = not getattr(known.state, "months_left", 1)
                assert told is not None or last, "only in the last month is nothing further ahead"
                assert told is None or told.fact or not last
                said = f"{said} {told.sentence()}" if told is not None else said
                other = other if told is not None else None
            yield known.state, asked, seat, choice, said, other
        table.apply(table.arena.answer(ask, choices))


FACTS: Final[dict[str, Callable[..., int]]] = {
    "diamond": diamond_hints.facts_of,
    "diamond-trust": trust_hints.facts_of,
    "land": land_hints.facts_of,
    "mine": mine_hints.facts_of,
    "piecepack": piecepack_hints.facts_of,
}


def check(game: str, seed: int) -> None:
    facts = named = apart = 0
    for state, ask, seat, choice, said, other in hints(game, seed):
        reason, *following = NEXT.split(said, maxsplit=1)
        next_best = "".join(following)
        facts += FACTS[game](state, seat, choice, reason, other)
        assert (other is None) == (not next_best)
        if other is None:
            continue
        space = space_for(ask, seat)
        assert space is not None
        assert other != choice
        assert space.violation(other) is None
        assert len(next_best) > 2
        action, _, fact = next_best.removesuffix(".").partition(". " if "; " in next_best.partition(": ")[0] else ": ")
        assert action != reason.partition(": ")[0].rpartition(". ")[2].lower().removeprefix("choose ")
        assert not action.startswith("choose ")
        assert FORESEEN not in next_best, "that is true of the best choice alone"
        assert fact
        assert fact.lower() == ALIKE or fact.lower() != reason.partition(": ")[2].removesuffix(".").lower()
        apart += FACTS[game](state, seat, other, fact, choice, comes_next=True) if fact.lower() != ALIKE else 0
        named += 1
    assert facts, "the reasons say nothing that can be checked"
    assert named, "no choice is compared with another"
    assert apart, "of no choice that came next something is said that can be checked"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game, games in QUICK.items() for seed in range(games)])
def test_each_fact_in_a_reason_is_true_and_the_next_best_choice_is_named(game: str, seed: int) -> None:
    check(game, seed)


def where(game: str, state: Any, seat: int) -> tuple[object, int]:
    """Returns the part of a position that a player's choices change, and how often it may come again in a game of hints
    alone.
    """
    match game:
        case "diamond":
            return state.position, 2  # the third time would draw the game
        case "diamond-trust":
            return (state.months_left, state.step, seat), 1
        case "mine":
            mine = state.mine
            carries = seat if state.phase == "cards" and mine.carried[seat] else (state.round, state.phase, seat)
            return (carries, mine.pawns[seat], mine.carried[seat], mine.stored, mine.loose, mine.inside, mine.veins), 2
    hand = tuple(coin.handle for coin in state.hands[seat])
    return (state.turns, state.phase, seat, state.at(seat), hand, state.used, len(state.field)), 1


@pytest.mark.parametrize("game", first_is_quick("diamond", "diamond-trust", "mine", "piecepack"))
def test_hints_alone_lead_on_and_not_in_circles(game: str) -> None:
    seen: Counter[object] = Counter()
    for state, _, seat, _, _, _ in hints(game, 0):
        place, most = where(game, state, seat)
        seen[place] += 1
        assert seen[place] <= most, place


@pytest.mark.slow
def test_the_card_and_the_move_of_whoever_goes_first_have_the_same_aim() -> None:
    aims: dict[int, list[str]] = {}
    both = 0
    for state, _, seat, _, said, _ in hints("mine", 0):
        reason = NEXT.split(said, maxsplit=1)[0]
        if state.phase == "cards":
            aims[seat] = re.findall(r"(your home|\w\d) \(via ", reason)
        elif state.phase == "move" and seat == state.order()[0] and aims[seat]:
            told = re.search(r"you get closer to (your home|\w\d)", reason)
            assert told is None or told[1] in aims[seat]
            both += told is not None
    assert both


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seed"), spread(5, [(game, at) for game, games in QUICK.items() for at in range(games, WHOLE)])
)
def test_so_it_is_in_five_hundred_games(game: str, seed: int) -> None:
    check(game, seed)
