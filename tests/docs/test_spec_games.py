"""Section 21 of SPEC.md, and the pages that it names, say what the games ask and how choices are written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Final, cast

import pytest

from kimberley.games import lookup
from kimberley.games.arena import Arena
from kimberley.games.diamond_trust.angola import FIRST_MONTHS_LEFT, MOST_MONEY, SEATS, START_DIAMONDS, appearing
from kimberley.games.diamond_trust.rules import SIZES
from kimberley.games.land.maps import SHIPPED, shipped
from kimberley.games.land.rolled import rolled_map
from kimberley.games.table import (
    Amounts,
    Ask,
    Decide,
    Disclose,
    Open,
    Plain,
    Result,
    Roll,
    Seal,
    Show,
    Shuffle,
    Space,
    SupportsLeave,
    Together,
    Unreadable,
    space_for,
)
from kimberley.protocol.encoding import pack
from tests.lab.diamond.perft import perft
from tests.support.paths import ROOT
from tests.support.spec import section

SECTION: Final = section(21)
GAMES: Final = ("diamond-trust", "diamond", "land", "mine", "piecepack")
STEPS: Final = 700
"""Asks of a game that are looked at."""
TABLES: Final = 12
"""How many times each game is played at random at most, until all that the text names was asked."""


def rows(text: str, cells: int) -> list[list[str]]:
    """Returns the rows of all tables of so many columns, headings left out."""
    found = [re.split(r" *\| *", line)[1:-1] for line in text.splitlines() if line[:2] == "| "]
    return [row for row in found if len(row) == cells]


def asks_of(game: str) -> str:
    """Returns the subsections of a game."""
    parts = dict(re.findall(r"^### 21\.(\d) (.*?)(?=^### |\Z)", SECTION, re.M | re.S))
    start = {"diamond-trust": "1", "diamond": "6", "land": "7", "mine": "8", "piecepack": "9"}[game]
    return "".join(parts[key] for key in ("12345" if start == "1" else start))


def test_every_game_stands_in_the_first_table() -> None:
    assert set(lookup.ids()) == set(GAMES)
    there = {row[0].strip("`"): row for row in rows(SECTION, 8) if row[0][:1] == "`"}
    assert list(there) == list(GAMES)
    for id, (_, page, revision, seats, options, _, leaves, looks) in there.items():
        game = lookup.find(id)
        assert (ROOT / page.strip("`")).is_file()
        assert (int(revision), seats) == (game.revision, ", ".join(map(str, game.seats)))
        named = ", ".join(f"`{option.name}`" for option in game.options)
        assert options == (named or "none")
        assert (leaves == "yes") == isinstance(game.start(game.seats[0], {}), SupportsLeave)
        assert (looks == "yes") == game.last_looks


def test_options_and_their_values_are_those_of_the_games() -> None:
    kinds = {"text": str, "integer": int, "boolean": bool}
    spelled = [row for row in rows(SECTION, 4) if row[2] in kinds]
    offered = [(option, game) for game in map(lookup.find, GAMES) for option in game.options]
    assert [(name.strip("`"), of.strip("`")) for name, of, _, _ in spelled] == [(o.name, g.id) for o, g in offered]
    for (_, _, kind, values), (option, _) in zip(spelled, offered, strict=True):
        assert {type(value) for value, _ in option.values} == {kinds[kind]}
        words = [str(value).lower() if kind == "boolean" else str(value) for value, _ in option.values]
        assert [word.strip('"') for word in values.split(";")[0].split(", ")] == words


# -- asks --------------------------------------------------------------------------------------------------------------


def name_of(ask: Ask) -> str:
    """Returns an ask as the tables name it."""
    match ask:
        case Decide(topic=topic) | Together(topic=topic) | Seal(topic=topic):
            return f"{type(ask).__name__} {topic}"
        case Shuffle(bag):
            return f"Shuffle {bag}"
        case Disclose(tells):
            return f"Disclose {tells[0].kind}"
        case _:
            return type(ask).__name__


def names_in(text: str) -> set[str]:
    """Returns the asks that the table of a game names."""
    found = set()
    for what, topic, *_ in rows(text, 5):
        kind = re.match(r"[A-Z][a-z]+", what)
        if kind is None:
            continue
        if kind[0] in ("Decide", "Together", "Seal"):
            found.add(f"{kind[0]} {topic}")
        elif kind[0] == "Shuffle":
            found |= {f"Shuffle {bag}" for bag in re.findall(r'Shuffle "([^"]*)"', what)}
        elif kind[0] == "Disclose":
            found |= {f"Disclose {kind}" for kind in re.findall(r"`(\w+)`", what)}
        else:
            found.add(kind[0])
    return found


@cache
def played(id: str) -> tuple[tuple[int, Ask], ...]:
    """Returns (seats, ask) of games that are played at random."""
    return tuple(_played(id))


def _played(id: str) -> Iterator[tuple[int, Ask]]:
    game, wanted = lookup.find(id), names_in(asks_of(id))
    for number in range(TABLES):
        seats = game.seats[number % len(game.seats)]
        options = {option.name: option.values[number % len(option.values)][0] for option in game.options}
        arena = Arena(game.start(seats, {} if seats == 2 and id == "mine" else options), Random(number))
        for _ in range(STEPS):
            ask = arena.truth.ask()
            if isinstance(ask, Result):
                break
            yield seats, ask
            wanted.discard(name_of(ask))
            choices = {seat: picked(space, arena.rng) for seat in ask.choosers if (space := space_for(ask, seat))}
            arena.apply(arena.answer(ask, choices))
        if number >= 3 and not wanted:
            return


def picked(space: Space, rng: Random) -> Plain:
    return space.pick(rng)


@pytest.mark.parametrize("id", GAMES)
def test_what_a_game_asks_is_what_its_table_says(id: str) -> None:
    assert {name_of(ask) for _, ask in played(id)} == names_in(asks_of(id))


@pytest.mark.parametrize("id", GAMES)
def test_the_first_roll_has_the_sides_that_are_written(id: str) -> None:
    written: dict[str, Callable[[int, tuple[int, ...]], set[tuple[int, ...]]]] = {
        "diamond-trust": lambda _, who: {(6,)},
        "diamond": lambda _, who: {who},
        "land": lambda _, who: {who, (*who, *(2**32,) * 4)},
        "mine": lambda _, who: {(*who, 4, 3, 2)},
        "piecepack": lambda seats, who: {(*range(6, 6 - seats, -1), *who)},
    }
    game = lookup.find(id)
    for seats in game.seats:
        for begins in (None, seats - 1):
            values = game.options[0].values if id == "land" else ((None, ""),)
            found = set()
            for value, _ in values:
                ask = game.start(seats, {"map": value} if id == "land" else {}, begins).ask()
                if isinstance(ask, Roll) and ask != Roll((6, 6)):
                    found.add(ask.sides)
            assert found == written[id](seats, (seats,) if begins is None else ()) - {()}


def test_the_items_of_bags_are_those_that_are_written() -> None:
    whole = [(suit, value) for suit in (0, 1, 2, 4, 5) for value in range(6)]
    due = {
        ("piecepack", "coins"): {tuple(whole)},
        ("piecepack", "diamonds"): {tuple((3, value) for value in range(6))},
        **{
            ("mine", f"{size} gems"): {tuple((c,) for c in range(n) for _ in range(5)) for n in (4, 5)}
            for size in ("small", "medium")
        },
    }
    found: dict[tuple[str, str], set[Plain]] = {}
    for id in ("mine", "piecepack"):
        for _, ask in played(id):
            if isinstance(ask, Shuffle) and not isinstance(ask.items[0], int):
                found.setdefault((id, ask.bag), set()).add(ask.items)
    assert found == due


def test_what_is_shown_goes_to_whom_the_tables_say() -> None:
    shown = {(id, tuple((part, to is None) for part, to in a.parts)) for id in GAMES for _, a in played(id)
             if isinstance(a, Show)}  # fmt: skip
    assert shown == {
        ("mine", ((0, True),)),
        ("piecepack", ((0, True), (1, False))),
        ("piecepack", ((1, True),)),
        ("piecepack", ((1, False),)),
        ("piecepack", ((0, True),)),
    }


def test_diamond_trust_opens_what_is_written_and_looks_last_only_where_it_is() -> None:
    asks = [ask for _, ask in played("diamond-trust")]
    assert {tally.name for ask in asks if isinstance(ask, Open) for tally in ask.tallies} == {"spent"}
    assert {ask.topic for ask in asks if isinstance(ask, Together) and ask.last_look} == {"move", "sale"}
    for ask in asks:
        match ask:
            case Together(topic="move", within=withins):
                assert [within.tally.name for within in withins if within] == ["spent", "spent"]
            case Together(within=withins):
                assert withins == (None, None)
            case Seal(topic="pay", spaces=spaces):
                assert all(isinstance(space, Amounts) for space in spaces if space)


def test_no_other_game_bounds_or_looks() -> None:
    for id in GAMES[1:]:
        for _, ask in played(id):
            assert not isinstance(ask, Seal | Disclose | Open)
            assert not (isinstance(ask, Together) and (ask.last_look or any(ask.within)))


# -- choices -----------------------------------------------------------------------------------------------------------


def is_int(value: Plain, least: int = 0, most: int = 2**64 - 1) -> bool:
    return type(value) is int and least <= value <= most


def is_array(value: Plain, entry: Callable[[Plain], bool], least: int = 0, most: int = 1 << 16) -> bool:
    return type(value) is tuple and least <= len(value) <= most and all(map(entry, value))


def is_ascending(value: Plain, least: int = 0) -> bool:
    return is_array(value, is_int, least) and list(cast("tuple[int, ...]", value)) == sorted(
        set(cast("tuple[int]", value))
    )


def is_order(value: Plain) -> bool:
    match value:
        case (to, payment, bribe):
            return is_int(to, 0, 6) and is_int(payment, 0, 0 if to == 6 else 210) and is_int(bribe, 0, 210)
    return False


def is_deal(value: Plain) -> bool:
    match value:
        case ("sell", parcel):
            return is_int(parcel, 0, 575)
        case ("buy" | "price", parcel, price):
            return is_int(parcel, 0, 575) and is_int(price, 0, 99900)
    return False


def is_mine_move(value: Plain) -> bool:
    match value:
        case (to, picked_up, tuple(dropped)):
            pairs = all(is_array(one, is_int, 2, 2) for one in dropped)
            return is_int(to, 0, 63) and is_array(picked_up, lambda square: is_int(square, 0, 63), 0, 3) and pairs
    return False


def is_action(value: Plain) -> bool:
    match value:
        case ("step", tile):
            return is_int(tile)
        case ("jump", over, to):
            return is_int(over) and is_int(to)
        case (("sun" | "moon" | "spade" | "market"), coins):
            return is_ascending(coins, 1)
        case ("club", seat, coins):
            return is_int(seat, 0, 5) and is_ascending(coins, 1)
    return value in (("oasis",), ("dig",), ("end",))


POINT: Final = "(?!a8|h1)[a-h][1-8]"
TURN: Final = re.compile(rf"(?:{POINT}|{POINT}-{POINT}\*?|\({POINT}\)|swap)(?: =)?|=")
SHAPES: Final[dict[str, Callable[[Plain], bool]]] = {
    "diamond-trust pay": lambda value: is_array(value, is_int, 1, 3),
    "diamond-trust plan": lambda value: is_array(value, is_order, 3, 3),
    "diamond-trust move": lambda value: is_array(value, is_order, 3, 3),
    "diamond-trust inspector": lambda value: is_int(value, 0, 5),
    "diamond-trust sale plan": is_int,
    "diamond-trust sale": is_int,
    "diamond placement": lambda value: type(value) is str and TURN.fullmatch(value) is not None,
    "diamond move": lambda value: type(value) is str and TURN.fullmatch(value) is not None,
    "land turn": lambda value: is_array(value, is_deal, 0, 64),
    "mine placing": lambda value: is_int(value, 0, 63),
    "mine card": lambda v: type(v) is tuple and len(v) == 2 and is_int(v[0], 1, 3) and type(v[1]) is bool,
    "mine move": is_mine_move,
    "mine take": is_ascending,
    "piecepack place": lambda value: is_array(value, lambda n: is_int(n, -(2**31)), 2, 2),
    "piecepack action": is_action,
    "piecepack path": lambda value: (
        (is_action(value) and cast("tuple[str]", value)[0] in ("step", "jump")) or value == ("stop",)
    ),
    "piecepack defence": is_ascending,
    "piecepack theft": is_ascending,
    "piecepack peek": is_ascending,
}
"""The shape of a choice as the text gives it, by game and topic."""


def spaces_of(id: str) -> Iterator[tuple[str, Space]]:
    for _, ask in played(id):
        for seat in ask.choosers:
            space = space_for(ask, seat)
            assert space is not None
            yield f"{id} {name_of(ask).partition(' ')[2]}", space


def bent(value: Plain, rng: Random) -> Plain:
    """Returns other data of nearly the same shape."""
    if type(value) is tuple and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return (*value[:at], bent(value[at], rng), *value[at + 1 :])
    others: tuple[Plain, ...] = (None, True, -1, 1 << 40, "b2*", "a8", b"", (), (value,), (0, True), (1, 1))
    return rng.choice(others)


def is_taken(space: Space, value: Plain) -> bool:
    try:
        return space.violation(space.read(value)) is None
    except Unreadable:
        return False


@pytest.mark.parametrize("id", GAMES)
def test_choices_have_the_shape_that_is_written_and_no_other_is_taken(id: str) -> None:
    rng, seen = Random(id), set()
    for topic, space in spaces_of(id):
        seen.add(topic)
        choice = space.pick(rng)
        assert SHAPES[topic](choice), (topic, choice)
        strange = bent(choice, rng)
        if not SHAPES[topic](strange):
            assert not is_taken(space, strange), (topic, strange)
    assert seen == {topic for topic in SHAPES if topic.startswith(f"{id} ")}


def test_what_is_told_fits_its_size() -> None:
    assert MOST_MONEY == 210
    vault = SEATS * START_DIAMONDS + sum(sum(appearing(months)) for months in range(FIRST_MONTHS_LEFT + 1))
    assert len(pack(vault)) == 1
    longest = {"pay": (210, (210, 210, 210), 210), "plan": (5, 210, 0), "sale": (210, vault)}
    assert all(len(pack(longest[kind])) <= size for kind, size in SIZES.items())


# -- data of the pages ---------------------------------------------------------------------------------------------


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text()


def test_the_standard_maps_are_written_out() -> None:
    for name in SHIPPED:
        found = re.search(rf"^```{name}\n(.*?)\n```$", page("land"), re.M | re.S)
        assert found is not None
        assert "".join(found[1].split()) == shipped(name).kinds


def test_maps_are_rolled_as_the_samples_say() -> None:
    samples = re.findall(r"^\| (\d+), (\d+), (\d+), (\d+) \| (\d+) \| (\d+) \| `(\w+)` \|$", page("spec-games"), re.M)
    assert len(samples) >= 4
    for *numbers, side, river, hashed in samples:
        kinds = rolled_map(tuple(map(int, numbers)), int(side)).kinds
        assert (kinds.count("R"), hashlib.sha256(kinds.encode()).hexdigest()) == (int(river), hashed)


def test_moves_of_diamond_are_counted_as_the_table_says() -> None:
    counts = re.findall(r"^\| `([^`]+ [bw] \d+s?)` \| (\d+) \| (\d+) \| \d+ \|$", page("diamond"), re.M)
    assert len(counts) == 4
    for position, one, two in counts:
        assert (perft(position, 1), perft(position, 2)) == (int(one), int(two))
