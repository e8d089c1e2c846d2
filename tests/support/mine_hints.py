"""Checks the facts in the hints of Diamond Mine against the state."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, Final

from kimberley.games.mine.bots.distances import TURNS, turns_to
from kimberley.games.mine.gems import CAPACITY
from kimberley.games.mine.moves import reach
from kimberley.games.mine.squares import SQUARES
from kimberley.games.mine.squares import name as square_name

NUMBER: Final = {square_name(square): square for square in SQUARES}


def facts_of(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    del other
    facts = 0
    if state.phase == "cards" and (led := re.search(r"it can take you to ([^.]*)", why)):
        squares = {square_name(square) for square in reach(state.mine, seat)[choice[0]]}
        assert {*re.findall(r"\b[a-h]\d\b", led[1])} <= squares
        assert "(" in led[1] or "dropped gem" in led[1], "what is useful there is said"
        assert "(your home)" not in led[1] or state.mine.carried[seat]
        facts += 1
    if state.phase == "cards" and (closer := re.findall(r"(your home|\w\d) \(via ([^)]*)\)", why)):
        for where, ways in closer:
            away = turns_to(state.mine.home(seat) if where == "your home" else NUMBER[where], state.mine.barred(seat))
            by = {NUMBER[each] for each in re.findall(r"\w\d", ways)}
            assert by <= {*reach(state.mine, seat)[choice[0]]}
            assert all(away[square] < away[state.mine.pawns[seat]] for square in by)
            facts += 1
    if told := re.search(r"from (\w\d), (your home|\w\d) is (\d+) turn", why):
        goal = state.mine.home(seat) if told[2] == "your home" else NUMBER[told[2]]
        assert turns_to(goal, state.mine.barred(seat))[NUMBER[told[1]]] == int(told[3])
        facts += 1
    if state.phase == "take" and not choice and "end the game" not in why and not comes_next:
        room, inside = state.mine.room(seat), state.mine.inside[state.nest]
        fitting = [some for count in range(1, len(inside) + 1) for some in combinations(inside, count)
                   if sum(map(state.size, some)) <= room]  # fmt: skip
        told = re.search(
            r"the most you could take is worth (\d+) to you, but would leave (no room|room for (\d+))", why
        )
        assert (told is not None) == bool(fitting)
        if told is not None:
            worths = {sum(state.worth(gem, seat) for gem in some): room - sum(map(state.size, some))
                      for some in fitting}  # fmt: skip
            assert int(told[1]) == max(worths)
            assert int(told[3] or 0) in {room - sum(map(state.size, some)) for some in fitting
                                         if sum(state.worth(gem, seat) for gem in some) == max(worths)}  # fmt: skip
            facts += 1
    if told := re.search(r"you get closer to (your home|\w\d), (\d+) turn", why):
        goal = state.mine.home(seat) if told[1] == "your home" else NUMBER[told[1]]
        away = turns_to(goal, state.mine.barred(seat))
        assert int(told[2]) == away[choice[0]] < away[state.mine.pawns[seat]]
        facts += 1
    if told := re.search(r"(?:it is|they are) worth (\d+) to you", why):
        assert int(told[1]) == sum(worth for gem in choice if isinstance(worth := state.worth(gem, seat), int))
        facts += 1
    if told := re.search(r"that leaves (?:room for (\d+) small gem|no room)", why):
        lying = dict(state.mine.loose)
        more, less = (choice, ()) if state.phase == "take" else ([lying[at] for at in choice[1]], choice[2])
        carried = [*state.mine.carried[seat], *more]
        held = sum(state.size(gem) for gem in carried) - sum(state.size(gem) for _, gem in less)
        assert int(told[1] or 0) == CAPACITY - held
        facts += 1
    if state.phase == "take" and choice:
        inside = state.mine.inside[state.nest]
        ends = state.mine.exhausted + 1 >= state.veins_to_end
        assert ("the vein is then exhausted" in why) == (len(choice) == len(inside) and not ends)
        assert ("that ends the game" in why) == (len(choice) == len(inside) and ends)
    if told := re.search(r"it is (\d+) turns? from your home and (\d+) from the nearest", why):
        homes = {each: TURNS[choice][state.mine.home(each)] for each in state.order()}
        own = homes.pop(seat)
        assert (own, min(homes.values())) == (int(told[1]), int(told[2]))
        facts += 1
    loose = {square_name(square) for square, _ in state.mine.loose}
    assert why.count("dropped gem") <= 1
    for listed in re.findall(r"dropped gems? on ((?:[a-h]\d(?:, | or |\b))+)", re.sub(r" \(via [^)]*\)", "", why)):
        dropped = re.findall(r"[a-h]\d", listed)
        assert loose >= set(dropped)
        assert ("dropped gems" in why) == (len(dropped) > 1)
        facts += 1
    if "you open a vein" in why or "reach a vein" in why:
        assert state.mine.vein_at(choice[0]) is not None
        facts += 1
    if "bring home" in why:
        assert choice[0] == state.mine.home(seat)
        facts += 1
    return facts
