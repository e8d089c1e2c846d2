"""The laws of `games.table`, as checks that any game can be held to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from games.arena import Arena, Seats, choosers
from games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Answer,
    Ask,
    Decide,
    Disclose,
    Game,
    Hidden,
    Observation,
    Open,
    Plain,
    Result,
    Seal,
    Show,
    Shuffle,
    Space,
    State,
    Tell,
    Together,
    Unreadable,
    asked,
    contained,
    standing,
)
from protocol.encoding import pack

TRIES = 400
"""Draws until a choice is found that is legal in two truths."""

Telling: TypeAlias = Callable[[Tell, Answer, Random], Answer]
"""What is told instead of the honest answer to a tell."""


def honestly(_tell: Tell, answer: Answer, _rng: Random) -> Answer:
    return answer


def anyhow(tell: Tell, answer: Answer, rng: Random) -> Answer:
    """As a seat may tell that does not keep to the rules: anything in the space, or what cannot be read."""
    match rng.randrange(3):
        case 0:
            return answer
        case 1:
            return NOTHING
        case _:
            return tell.what.pick(rng)


def steps(game: Game, seats: int, rng: Random, telling: Telling = honestly) -> Iterator[tuple[Seats, Ask | Result]]:
    """Plays a game by random choices; yields the table and its pending ask, the Result last."""
    table = Seats(game, seats, rng)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        yield table, ask
        table.told(answered(table.arena, ask, {seat: pick(ask, seat, rng) for seat in choosers(ask)}, telling))
    yield table, ask


def answered(arena: Arena, ask: Ask, choices: dict[int, Plain], telling: Telling) -> Answer:
    """The true answer to an ask, with what is told replaced."""
    answer = arena.answer(ask, choices)
    if isinstance(ask, Disclose):
        return tuple(telling(tell, told, arena.rng) for tell, told in zip(ask.tells, answer, strict=True))
    return answer


def pick(ask: Ask, seat: int, rng: Random) -> Plain:
    space = asked(ask, seat)
    assert space is not None
    return space.pick(rng)


# -- what each seat knows ------------------------------------------------------------------------------------------


def check_views(table: Seats) -> None:
    """Every state is contained in the one that knows more, and asks the same of the table."""
    truth = table.arena.truth
    for seat, view in enumerate(table.views):
        assert (wrong := contained(view, truth)) is None, f"seat {seat} knows what is not so: {wrong}"
        assert (wrong := contained(table.onlooker, view)) is None, (
            f"the onlooker knows what seat {seat} does not: {wrong}"
        )
        check_same_ask(truth.ask(), view.ask(), seat)
    check_same_ask(truth.ask(), table.onlooker.ask(), None)


def check_same_ask(true: Ask | Result, viewed: Ask | Result, seat: int | None) -> None:
    """A seat (None: an onlooker) sees the same ask, its own space included; of other spaces, whether there is one."""
    assert type(true) is type(viewed)
    match true, viewed:
        case (Decide(), Decide()):
            assert (true.seat, true.topic) == (viewed.seat, viewed.topic)
        case (Together(), Together()):
            assert (true.topic, true.within, true.last_look) == (viewed.topic, viewed.within, viewed.last_look)
            assert choosers(true) == choosers(viewed)
            check_what_stands(true, viewed, seat)
        case (Seal(), Seal()):
            assert true.topic == viewed.topic
            assert choosers(true) == choosers(viewed)
        case (Disclose(), Disclose()):
            assert [replace(tell, says=None) for tell in true.tells] == [
                replace(tell, says=None) for tell in viewed.tells
            ]
            for tell, same in zip(true.tells, viewed.tells, strict=True):
                assert same.says == (tell.says if tell.owner == seat else HIDDEN)
        case _:
            assert true == viewed
    if seat is not None:
        assert asked(true, seat) == asked(viewed, seat), f"seat {seat} is offered what the truth is not"


def check_what_stands(true: Together, viewed: Together, seat: int | None) -> None:
    """In a last look every seat that is asked may leave things as they are, and knows how."""
    for place, (stands, seen) in enumerate(zip(true.stands, viewed.stands, strict=True)):
        assert seen == stands or (place != seat and seen is HIDDEN)
        if (space := true.spaces[place]) is not None:
            assert space.why_not(standing(true, place)) is None


def check_tells(ask: Ask | Result, rng: Random) -> None:
    """Tells rest on the right tallies, and what is told lies in its space and fits its width."""
    for tell in ask.tells if isinstance(ask, Disclose) else ():
        assert (tell.more.seat, tell.than.seat) == (tell.receiver, tell.owner)
        assert tell.receiver != tell.owner
        says = tell.says
        assert not isinstance(says, Hidden)
        assert tell.what.why_not(says) is None
        for told in (says, *(tell.what.pick(rng) for _ in range(6))):
            assert len(pack(told)) <= tell.size


def check_onlooker_allows(table: Seats, ask: Ask, choices: dict[int, Plain]) -> None:
    """Whoever judges by public knowledge alone never refuses what is legal in truth."""
    for seat, choice in choices.items():
        for other, view in enumerate([*table.views, table.onlooker]):
            space, true = asked(view.ask(), seat), asked(ask, seat)
            assert space is not None
            assert true is not None
            assert space.why_not(choice) is None, f"legal for seat {seat}, refused by {other}"
            assert space.cost(choice) == true.cost(choice)


# -- spaces --------------------------------------------------------------------------------------------------------


def spaces(ask: Ask | Result) -> list[Space]:
    """Every space in an ask."""
    match ask:
        case Decide():
            return [ask.space]
        case Together() | Seal():
            return [space for space in ask.spaces if space is not None]
        case Disclose():
            return [tell.what for tell in ask.tells]
        case _:
            return []


def check_space(space: Space, data: Sequence[Any], rng: Random) -> None:
    """A space judges anything without raising, spells each choice one way, and picks what it allows."""
    choice = space.pick(rng)
    assert space.why_not(choice) is None
    assert space.read(choice) == choice
    assert space.cost(choice) >= 0
    hash(choice)
    for strange in (*data, *(altered(choice, rng, data) for _ in range(4))):
        reason = space.why_not(strange)
        assert reason is None or (isinstance(reason, str) and reason)
        read = readable(space, strange)
        if read is None:
            assert reason is not None, f"{strange!r} cannot be read, yet nothing forbids it"
        else:
            assert reason is not None or space.cost(read[0]) >= 0
    for other in (respelled(choice, rng) for _ in range(4)):
        read = readable(space, other)
        assert read is None or spelled(read[0]) == spelled(choice), f"{other!r} spells {choice!r} in another way"


def readable(space: Space, plain: Any) -> tuple[Plain] | None:
    """What a space reads, in a tuple since None may be a choice; None where it cannot."""
    try:
        return (space.read(plain),)
    except Unreadable as error:
        if not str(error):
            raise AssertionError(f"{plain!r} is refused without a word") from error
        return None


def spelled(plain: Any) -> Any:
    """Plain data with its types, so that True differs from 1."""
    return tuple(map(spelled, plain)) if type(plain) is tuple else (type(plain), plain)


def respelled(choice: Any, rng: Random) -> Any:
    """What Python takes to be equal to a choice, or nearly, though it is written otherwise."""
    match choice:
        case tuple() if choice and rng.random() < 0.8:
            index = rng.randrange(len(choice))
            return (*choice[:index], respelled(choice[index], rng), *choice[index + 1 :])
        case tuple():
            return list(choice)
        case bool():
            return int(choice)
        case int():
            return bool(choice) if choice in (0, 1) and rng.random() < 0.7 else float(choice)
        case _:
            return choice


def altered(choice: Any, rng: Random, data: Sequence[Any]) -> Any:
    """A choice with one thing in it changed."""
    if type(choice) is tuple and choice and rng.random() < 0.8:
        index = rng.randrange(len(choice))
        changed = (altered(choice[index], rng, data),)
        return choice[:index] + (changed if rng.random() < 0.9 else ()) + choice[index + 1 :]
    if type(choice) is int and rng.random() < 0.6:
        return rng.choice((choice + 1, choice - 1, -choice, choice + 256, bool(choice), float(choice), str(choice)))
    return rng.choice((None, True, list(choice) if type(choice) is tuple else 2**70, *data))


# -- two truths ----------------------------------------------------------------------------------------------------


class TwoTruths:
    """Two tables that differ only in what `watcher` (None: an onlooker) may not know.

    All that the watcher sees is the same at both: its own choices, what is chosen openly, rolls, and what is told or
    shown to it. The order of items and the amounts that others seal are drawn for each table by itself. Other choices
    are drawn once, since what is sealed may bind what is chosen openly later. An Open ends the comparison, for it shows
    the difference.
    """

    def __init__(self, game: Game, seats: int, watcher: int | None, rng: Random) -> None:
        self.watcher = watcher
        self.rng = rng
        self.tables = Seats(game, seats, rng), Seats(game, seats, rng)
        self.differed = False

    def run(self) -> None:
        """Plays both as far as they may differ, holding them to the law at every step."""
        first, second = (table.arena.truth for table in self.tables)
        while not isinstance(first.ask(), Open | Result):
            self._step(first.ask(), second.ask())
            first, second = (table.arena.truth for table in self.tables)
            self.differed |= first != second
            assert self._view(0) == self._view(1)
            check_same_ask(first.ask(), self._view(1).ask(), self.watcher)
            check_same_ask(second.ask(), self._view(0).ask(), self.watcher)

    def _view(self, index: int) -> State:
        table = self.tables[index]
        return table.onlooker if self.watcher is None else table.views[self.watcher]

    def _step(self, first: Ask | Result, second: Ask | Result) -> None:
        assert not isinstance(first, Result)
        assert not isinstance(second, Result)
        asks = first, second
        chosen: tuple[dict[int, Plain], dict[int, Plain]] = ({}, {})
        for seat in choosers(first):
            apart = seat != self.watcher and isinstance(asked(first, seat), Amounts)
            same = None if apart else self._legal_in_both(asks, seat)
            for index, ask in enumerate(asks):
                chosen[index][seat] = pick(ask, seat, self.rng) if apart else same
        told, own = (
            table.arena.answer(ask, choices) for table, ask, choices in zip(self.tables, asks, chosen, strict=True)
        )
        if isinstance(first, Disclose):
            told = tuple(anyhow(tell, answer, self.rng) for tell, answer in zip(first.tells, told, strict=True))
        self.tables[0].told(told)
        self.tables[1].told(self._as_told(second, told, own))

    def _as_told(self, ask: Ask, told: Answer, own: Answer) -> Answer:
        """The second table's answer: as at the first where the watcher sees it."""
        if isinstance(ask, Seal | Shuffle):
            return own
        if isinstance(ask, Show):
            return self._shown(ask, told, own)
        if isinstance(ask, Disclose):
            pairs = zip(ask.tells, told, own, strict=True)
            return tuple(first if tell.receiver == self.watcher else second for tell, first, second in pairs)
        return told

    def _shown(self, ask: Show, told: Answer, own: Answer) -> Answer:
        """What is shown at the second table. What the watcher sees is then what it is there, too."""
        contents = self.tables[1].arena.parts
        shown = []
        for item, first, second in zip(ask.items, told, own, strict=True):
            values = list(second)
            for index, (part, to) in enumerate(ask.parts):
                if to is None or to == self.watcher:
                    values[index] = first[index]
                    contents[item] = (*contents[item][:part], first[index], *contents[item][part + 1 :])
            shown.append(tuple(values))
        return tuple(shown)

    def _legal_in_both(self, asks: tuple[Ask, Ask], seat: int) -> Plain:
        for _ in range(TRIES):
            for ask in asks:
                choice = pick(ask, seat, self.rng)
                if all((space := asked(each, seat)) is not None and space.why_not(choice) is None for each in asks):
                    return choice
        raise AssertionError(f"no choice of seat {seat} is legal in both truths")


# -- bots ----------------------------------------------------------------------------------------------------------


def check_bot(game: Game, observation: Observation, seed: int, level: int = 1) -> Plain:
    """A bot's choice is legal, and the same whenever it is asked again."""
    space = asked(observation.state.ask(), observation.seat)
    assert space is not None
    choice = game.bot(level, seed).choose(observation)
    assert space.why_not(choice) is None, f"the bot chose {choice!r}: {space.why_not(choice)}"
    assert game.bot(level, seed).choose(observation) == choice
    return choice
