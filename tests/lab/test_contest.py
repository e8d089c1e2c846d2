"""Contests in any game: who may enter, whose seats change, and which players the games bring."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from kimberley.games import lookup
from kimberley.games.diamond.game import Diamond
from kimberley.games.table import Chooser, Observation, Plain, space_for
from tests.lab.contest import ContestTable, NamedContender, NoContender, opponents_of, play_rotation
from tests.support.effort import one_is_quick

OTHERS = sorted(set(lookup.ids()) - {"diamond-trust"})
"""Games that all bring a greedy player. Diamond Trust brings players of its own, which test_arena.py has."""


class Bare(Diamond):
    """A game that brings no players."""

    id = "bare"


@dataclass
class Noted:
    """Plays at random, and notes where it sits, game by game."""

    seats: list[int] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    def player(self, seed: int) -> Chooser:
        self.seeds.append(seed)
        seen: list[int] = []

        def choose(observation: Observation) -> Plain:
            if not seen:
                seen.append(observation.seat)
                self.seats.append(observation.seat)
            space = space_for(observation.state.ask(), observation.seat)
            assert space is not None
            return space.pick(Random(f"{seed} {len(observation.story)}"))

        return choose


def test_every_game_has_random_players_and_one_with_bots_levels() -> None:
    game = lookup.find("mine")
    assert "random" in opponents_of(game).players
    assert NamedContender.of(game, "level:20") == NamedContender(game, "level", 20)
    bare = Bare()
    known = opponents_of(bare)
    assert (set(known.players), set(known.leveled)) == ({"random"}, set())
    with pytest.raises(NoContender, match=r"No player of Diamond is called 'level:1'\. There are random \(no levels\)"):
        NamedContender.of(bare, "level:1")


@pytest.mark.parametrize("name", ["level", "level:0", "level:21", "level:x", "greedy:1", "recipe:1", ""])
def test_who_does_not_play_a_game_is_refused_with_those_who_do(name: str) -> None:
    with pytest.raises(NoContender, match=r"random, greedy, level:N \(level from 1 to 20\)"):
        NamedContender.of(lookup.find("mine"), name)


@pytest.mark.parametrize(("id", "seats"), [("diamond", 2), pytest.param("mine", 4, marks=pytest.mark.slow)])
def test_a_player_sits_once_at_every_seat_with_the_same_chance(id: str, seats: int) -> None:
    first, second = Noted(), Noted()
    rotation = play_rotation(ContestTable(lookup.find(id), seats), first, second, 3)
    assert sorted(first.seats) == list(range(seats))
    assert len(rotation.points) == len(rotation.margins) == seats
    assert len(second.seats) == seats * (seats - 1)
    assert set(first.seeds) == {3 * seats}
    assert set(second.seeds) == set(range(3 * seats + 1, 4 * seats))
    assert all(0 <= points <= 1 for points in rotation.points)
    assert min(rotation.decisions) > 0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games() -> None:
    table = ContestTable(lookup.find("mine"), 2)
    greedy, random = (NamedContender.of(table.game, name) for name in ("greedy", "random"))
    once, again, other = (play_rotation(table, greedy, random, seed) for seed in (1, 1, 2))
    assert (once.points, once.margins, once.decisions) == (again.points, again.margins, again.decisions)
    assert once.margins != other.margins


@pytest.mark.parametrize("id", one_is_quick("land", OTHERS))
def test_the_greedy_player_of_a_game_keeps_its_rules_and_beats_random(id: str) -> None:
    """Its choices are legal, or the arena refuses them; all that it knows is its observation."""
    game = lookup.find(id)
    table = ContestTable(game, min(game.seats))
    greedy, random = (NamedContender.of(game, name) for name in ("greedy", "random"))
    points = [point for seed in (0, 1) for point in play_rotation(table, greedy, random, seed).points]
    assert sum(points) / len(points) > 1 / table.seats


def test_a_margin_is_what_a_seat_has_above_the_average_of_the_others() -> None:
    game = lookup.find("land")
    table = ContestTable(game, 3, {"map": "small", "turns": 25})
    greedy, random = (NamedContender.of(game, name) for name in ("greedy", "random"))
    assert all(margin > 100 for margin in play_rotation(table, greedy, random, 1).margins)
