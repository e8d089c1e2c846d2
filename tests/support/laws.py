"""The laws of `games.table`, as checks for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from kimberley.games.arena import Arena
from kimberley.games.bots.levels import make_bot
from kimberley.games.bots.review import ChoiceJudge
from kimberley.games.table import (
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
    space_for,
)
from kimberley.protocol.encoding import pack
from tests.support.contained import Contained
from tests.support.seated_arena import SeatedArena

TRIES = 400
"""The most draws to find a choice that is legal in two truths."""

Telling: TypeAlias = Callable[[Tell, Answer, Random], Answer]
"""Replaces the honest answer to a tell."""


def honestly(_tell: Tell, answer: Answer, _rng: Random) -> Answer:
    return answer


def anyhow(tell: Tell, answer: Answer, rng: Random) -> Answer:
    """Answers as a cheating seat may: with anything in the space, or with something unreadable."""
    match rng.randrange(3):
        case 0:
            return answer
        case 1:
            return NOTHING
        case _:
            return tell.what.pick(rng)


def steps(
    game: Game, seats: int, rng: Random, telling: Telling = honestly
) -> Iterator[tuple[SeatedArena, Ask | Result]]:
    """Plays a game by random choices. Yields the table and its pending ask; last, the Result."""
    table = SeatedArena(game, seats, rng)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        yield table, ask
        table.apply(answered(table.arena, ask, {seat: pick(ask, seat, rng) for seat in ask.choosers}, telling))
    yield table, ask


def answered(arena: Arena, ask: Ask, choices: dict[int, Plain], telling: Telling) -> Answer:
    """Returns the true answer to an ask, with the disclosed values replaced."""
    answer = arena.answer(ask, choices)
    if isinstance(ask, Disclose):
        return tuple(telling(tell, told, arena.rng) for tell, told in zip(ask.tells, answer, strict=True))
    return answer


def pick(ask: Ask, seat: int, rng: Random) -> Plain:
    space = space_for(ask, seat)
    assert space is not None
    return space.pick(rng)


# -- what each seat knows ------------------------------------------------------------------------------------------


COMPARED: Final[WeakKeyDictionary[SeatedArena, Contained]] = WeakKeyDictionary()


def check_views(table: SeatedArena) -> None:
    """Checks that every state is contained in the one that knows more, and has the same ask for the table."""
    truth = table.arena.truth
    compared = COMPARED.setdefault(table, Contained())
    for seat, view in enumerate(table.views):
        assert (wrong := compared.difference(view, truth)) is None, f"seat {seat} knows what is not so: {wrong}"
        assert (wrong := compared.difference(table.spectator, view)) is None, (
            f"the spectator knows what seat {seat} does not: {wrong}"
        )
        check_same_ask(truth.ask(), view.ask(), seat)
    check_same_ask(truth.ask(), table.spectator.ask(), None)


def check_same_ask(true: Ask | Result, viewed: Ask | Result, seat: int | None) -> None:
    """Checks that a seat (None: a spectator) sees the same ask and its own space. Of other spaces, it sees whether
    there is one.
    """
    assert type(true) is type(viewed)
    match true, viewed:
        case (Decide(), Decide()):
            assert (true.seat, true.topic) == (viewed.seat, viewed.topic)
        case (Together(), Together()):
            assert (true.topic, true.within, true.last_look) == (viewed.topic, viewed.within, viewed.last_look)
            assert true.choosers == viewed.choosers
            check_what_stands(true, viewed, seat)
        case (Seal(), Seal()):
            assert true.topic == viewed.topic
            assert true.choosers == viewed.choosers
        case (Disclose(), Disclose()):
            assert [replace(tell, says=None) for tell in true.tells] == [
                replace(tell, says=None) for tell in viewed.tells
            ]
            for tell, same in zip(true.tells, viewed.tells, strict=True):
                assert same.says == (tell.says if tell.owner == seat else HIDDEN)
        case _:
            assert true == viewed
    if seat is not None:
        assert space_for(true, seat) == space_for(viewed, seat), f"seat {seat} is offered what the truth is not"


def check_what_stands(true: Together, viewed: Together, seat: int | None) -> None:
    """Checks that every seat asked in a last look may keep its choice, and knows how."""
    for place, (stands, seen) in enumerate(zip(true.stands, viewed.stands, strict=True)):
        assert seen == stands or (place != seat and seen is HIDDEN)
        if (space := true.spaces[place]) is not None:
            assert space.violation(true.standing_choice(place)) is None


def check_tells(ask: Ask | Result, rng: Random) -> None:
    """Checks that tells depend on the right tallies, and that what they disclose is in their space and fits their
    width.
    """
    for tell in ask.tells if isinstance(ask, Disclose) else ():
        assert (tell.more.seat, tell.than.seat) == (tell.receiver, tell.owner)
        assert tell.receiver != tell.owner
        says = tell.says
        assert not isinstance(says, Hidden)
        assert tell.what.violation(says) is None
        for told in (says, *(tell.what.pick(rng) for _ in range(6))):
            assert len(pack(told)) <= tell.size


def check_spectator_allows(table: SeatedArena, ask: Ask, choices: dict[int, Plain]) -> None:
    """Checks that a peer with only public knowledge never refuses a choice that is legal in truth."""
    for seat, choice in choices.items():
        for other, view in enumerate([*table.views, table.spectator]):
            space, true = space_for(view.ask(), seat), space_for(ask, seat)
            assert space is not None
            assert true is not None
            assert space.violation(choice) is None, f"legal for seat {seat}, refused by {other}"
            assert space.cost(choice) == true.cost(choice)


# -- spaces --------------------------------------------------------------------------------------------------------


def spaces(ask: Ask | Result) -> list[Space]:
    """Returns every space in an ask."""
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
    """Checks that a space judges any value without raising, has one spelling for each choice, and picks legal
    choices.
    """
    choice = space.pick(rng)
    assert space.violation(choice) is None
    assert space.read(choice) == choice
    assert space.cost(choice) >= 0
    hash(choice)
    for strange in (*data, *(altered(choice, rng, data) for _ in range(4))):
        reason = space.violation(strange)
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
    """Returns what a space reads, in a tuple because None may be a choice; None if it cannot read the value."""
    try:
        return (space.read(plain),)
    except Unreadable as error:
        if not str(error):
            raise AssertionError(f"{plain!r} is refused without a word") from error
        return None


def spelled(plain: Any) -> Any:
    """Returns plain data with its types, so that True differs from 1."""
    return tuple(map(spelled, plain)) if type(plain) is tuple else (type(plain), plain)


def respelled(choice: Any, rng: Random) -> Any:
    """Returns a value that Python considers equal to a choice, or nearly equal, although it is spelled differently."""
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
    """Returns a choice with one thing changed."""
    if type(choice) is tuple and choice and rng.random() < 0.8:
        index = rng.randrange(len(choice))
        changed = (altered(choice[index], rng, data),)
        return choice[:index] + (changed if rng.random() < 0.9 else ()) + choice[index + 1 :]
    if type(choice) is int and rng.random() < 0.6:
        return rng.choice((choice + 1, choice - 1, -choice, choice + 256, bool(choice), float(choice), str(choice)))
    return rng.choice((None, True, list(choice) if type(choice) is tuple else 2**70, *data))


# -- two truths ----------------------------------------------------------------------------------------------------


class TwoTruths:
    """Two tables that differ only in what `watcher` (None: a spectator) must not know.

    Everything the watcher sees is the same at both tables: its own choices, open choices, rolls, and what is disclosed
    or shown to it. The order of items and the amounts that others seal are drawn for each table separately. All other
    choices are drawn once, because a sealed choice may bind a later open one. An Open ends the comparison, because it
    shows the difference.
    """

    def __init__(self, game: Game, seats: int, watcher: int | None, rng: Random) -> None:
        self.watcher = watcher
        self.rng = rng
        self.tables = SeatedArena(game, seats, rng), SeatedArena(game, seats, rng)
        self.differed = False

    def run(self) -> None:
        """Plays both tables while they may differ, and checks the law at every step."""
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
        return table.spectator if self.watcher is None else table.views[self.watcher]

    def _step(self, first: Ask | Result, second: Ask | Result) -> None:
        assert not isinstance(first, Result)
        assert not isinstance(second, Result)
        asks = first, second
        chosen: tuple[dict[int, Plain], dict[int, Plain]] = ({}, {})
        for seat in first.choosers:
            apart = seat != self.watcher and isinstance(space_for(first, seat), Amounts)
            same = None if apart else self._legal_in_both(asks, seat)
            for index, ask in enumerate(asks):
                chosen[index][seat] = pick(ask, seat, self.rng) if apart else same
        told, own = (
            table.arena.answer(ask, choices) for table, ask, choices in zip(self.tables, asks, chosen, strict=True)
        )
        if isinstance(first, Disclose):
            told = tuple(anyhow(tell, answer, self.rng) for tell, answer in zip(first.tells, told, strict=True))
        self.tables[0].apply(told)
        self.tables[1].apply(self._as_told(second, told, own))

    def _as_told(self, ask: Ask, told: Answer, own: Answer) -> Answer:
        """Returns the second table's answer: the same as at the first where the watcher sees it."""
        if isinstance(ask, Seal | Shuffle):
            return own
        if isinstance(ask, Show):
            return self._shown(ask, told, own)
        if isinstance(ask, Disclose):
            pairs = zip(ask.tells, told, own, strict=True)
            return tuple(first if tell.receiver == self.watcher else second for tell, first, second in pairs)
        return told

    def _shown(self, ask: Show, told: Answer, own: Answer) -> Answer:
        """Returns the items shown at the second table. Items that the watcher sees become the same as at the first."""
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
                if all(
                    (space := space_for(each, seat)) is not None and space.violation(choice) is None for each in asks
                ):
                    return choice
        raise AssertionError(f"no choice of seat {seat} is legal in both truths")


# -- bots ----------------------------------------------------------------------------------------------------------


def check_bot(game: Game, observation: Observation, seed: int, level: int = 1) -> Plain:
    """Checks that a bot's choice is legal, and the same when the bot is asked again."""
    space = space_for(observation.state.ask(), observation.seat)
    assert space is not None
    choice = make_bot(game, level, seed).choose(observation)
    assert space.violation(choice) is None, f"the bot chose {choice!r}: {space.violation(choice)}"
    assert make_bot(game, level, seed).choose(observation) == choice
    return choice


class TwoJudged(TwoTruths):
    """Two truths that differ only in what the watcher may not know: its choices are worth the same in both.

    One in `every` decisions is judged, in all phases.
    """

    def __init__(self, judge: ChoiceJudge, every: int, game: Game, seats: int, watcher: int, rng: Random) -> None:
        super().__init__(game, seats, watcher, rng)
        self.judged = 0
        self._judge, self._every = judge, every
        self._asked = 0

    def _step(self, first: Ask | Result, second: Ask | Result) -> None:
        assert self.watcher is not None
        if not isinstance(first, Result) and self.watcher in first.choosers:
            space = space_for(self.tables[0].views[self.watcher].ask(), self.watcher)
            assert space is not None
            choice = space.pick(Random(self._asked))
            self._asked += 1
            if self._asked % self._every == 0:
                one, other = (
                    self._judge.by_knowledge(table.observation(self.watcher), choice, Random(7))
                    for table in self.tables
                )
                assert one == other
                self.judged += one is not None
        super()._step(first, second)
