"""Taking a choice back at a table with bots of this program: what stays, what comes again, and what is kept."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from kimberley.games import lookup
from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Answer, Ask, Observation, Plain, SupportsPeriod
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.archive import is_practice
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.resume import list_resumable_games
from kimberley.p2p.table.table import Table
from kimberley.p2p.table.take_back import take_back
from tests.support.asyncs import run, until
from tests.support.effort import one_is_quick
from tests.support.seated import LOOPBACK

SEATS: Final = {"piecepack": 3, "diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2}
CHOICES: Final = 4
"""What each player chooses before one is taken back."""

Seats = tuple[Table, ...]
"""The player's seat, and those of the bots."""
Story = tuple[tuple[Ask, Answer], ...]


@asynccontextmanager
async def seated(game: str, data: Path) -> AsyncIterator[Seats]:
    """Yields a player alone with bots, at a table that nobody else can reach; and all that it goes on with."""
    rules = lookup.find(game)
    options: dict[str, Plain] = {**dict(rules.quick), **({"last_look": 0} if rules.last_looks else {})}
    own = await Table.open(
        rules, nickname="ana", identity=Identity.fresh(), data=data, options=options, seats=SEATS[game], listen=False
    )
    bots = [await own.seat_bot(f"bot {number}", (1, number)) for number in range(SEATS[game] - 1)]
    own.seating.ready(True)
    tables = (own, *bots)
    await to_the_game(tables)
    yield tables
    for table in tables:
        await table.close()


async def to_the_game(tables: Seats) -> None:
    """Has all agree on the words as soon as they are there."""

    def begun() -> bool:
        for table in tables:
            if table.phase == "words" and not table.words.agreed[table.occupants.seat]:
                table.words.answer(True)
        return all(table.phase == "playing" for table in tables)

    await until(begun)


def choice_for(table: Table, luck: int) -> Plain:
    assert table.peer is not None
    known = Observation(table.occupants.seat, table.peer.state, table.peer.story)
    return make_bot(table.game, 1, luck).choose(known)


async def play(tables: Seats, choices: int, luck: int = 1) -> None:
    """Lets all choose until the player has chosen that many more times, and is asked again or the game is over."""
    own, chosen = tables[0], dict[Table, int]()
    while True:
        await until(lambda: any(_asks_anew(table, chosen) for table in tables) or own.phase != "playing")
        for table in tables:
            if _asks_anew(table, chosen):
                if table is own and not choices:
                    return
                assert table.peer is not None
                assert table.peer.asked is not None
                chosen[table] = table.peer.asked.step
                choices -= table is own
                table.play.choose(choice_for(table, luck))
        if own.phase != "playing":
            return


def _asks_anew(table: Table, chosen: dict[Table, int]) -> bool:
    asked = table.peer.asked if table.phase == "playing" and table.peer is not None else None
    return asked is not None and asked.step != chosen.get(table)


async def taken_back(tables: Seats, choices: int) -> Seats:
    again = await take_back(tables[0], tables[1:], choices)
    await until(lambda: again[0].peer is not None and again[0].peer.asked is not None)
    return tuple(again)


def story(table: Table) -> Story:
    assert table.peer is not None
    return table.peer.story


def agree(before: Sequence[Story], tables: Seats) -> bool:
    """Returns whether each seat has the same story as before, as far as both go."""
    return all(
        a == b for told, table in zip(before, tables, strict=True) for a, b in zip(told, story(table), strict=False)
    )


def own_choices(table: Table) -> Sequence[Answer]:
    return [answer for ask, answer in story(table) if ask.space_for(table.occupants.seat) is not None]


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", SEATS))
def test_the_game_stands_where_it_was_before_the_choice_and_chance_stays(game: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with seated(game, tmp_path) as tables:
            await play(tables, CHOICES)
            before = [story(table) for table in tables]
            again = await taken_back(tables, CHOICES - 1)
            assert len(own_choices(again[0])) == CHOICES - 1
            assert agree(before, again)
            await play(again, 1)
            assert story(again[0]) == before[0]
            assert agree(before, again)
            for table in again:
                await table.close()

    run(main())


def test_the_other_course_goes_on_to_its_end_and_leaves_a_record_of_practice(tmp_path: Path) -> None:
    async def main() -> None:
        async with seated("diamond", tmp_path) as tables:
            await play(tables, CHOICES)
            assert tables[0].adjournment.can_adjourn
            assert len(list_journals(tmp_path)) == len(tables)
            again = await taken_back(tables, CHOICES - 2)
            own = again[0]
            assert len(list_journals(tmp_path)) == len(tables)
            assert (own.adjournment.can_adjourn, own.occupants.names, own.play.practice) == (
                True,
                tables[0].occupants.names,
                True,
            )
            await play(again, 2, luck=2)
            assert own_choices(own)[: CHOICES - 2] == own_choices(tables[0])[: CHOICES - 2]
            assert own_choices(own)[CHOICES - 2 :] != own_choices(tables[0])[CHOICES - 2 :]
            again[1].play.resign()
            await until(lambda: all(table.phase == "done" for table in again))
            assert own.ending.verdict is not None
            assert own.ending.audited is not None
            assert own.ending.verdict.code == "fair"
            assert own.ending.record is not None
            assert is_practice(own.ending.record)
            assert [*(tmp_path / "records").glob("*")] == [own.ending.record]
            for table in again:
                table.rematch.want()
            await to_the_game(again)
            assert own.adjournment.can_adjourn
            assert not own.play.practice
            for table in again:
                await table.close()

    run(main())


def test_a_choice_can_be_taken_back_again_and_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with seated("diamond", tmp_path) as tables:
            await play(tables, 2)
            once = await taken_back(tables, 1)
            twice = await taken_back(once, 0)
            assert own_choices(twice[0]) == []
            for table in twice:
                await table.close()

    run(main())


def test_where_somebody_could_watch_nothing_is_taken_back(tmp_path: Path) -> None:
    async def main() -> None:
        own = await Table.open(
            lookup.find("diamond"), nickname="ana", identity=Identity.fresh(), data=tmp_path, port=0, bind=LOOPBACK,
            announce=False,
        )  # fmt: skip
        bot = await own.seat_bot("bot", (1, 1))
        await to_the_game((own, bot))
        await play((own, bot), 1)
        with pytest.raises(UserError, match="cannot take this choice back"):
            await take_back(own, [bot], 0)
        assert own.phase == "playing"
        for table in (own, bot):
            await table.close()

    run(main())


@pytest.mark.parametrize(
    ("game", "choices", "period"),
    [
        ("diamond-trust", 4, r"month \d of 9"),
        ("land", 2, r"round \d+( of \d+)?"),
        pytest.param("mine", 7, r"round \d+", marks=pytest.mark.slow),
        ("mine", 1, ""),
        pytest.param("piecepack", 4, r"turn \d+", marks=pytest.mark.slow),
        ("diamond", 2, ""),
    ],
)
def test_a_saved_game_says_how_far_it_was(game: str, choices: int, period: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(game, tmp_path) as tables:
            await play(tables, choices)
            own = tables[0]
            assert own.peer is not None
            state = own.peer.state
            await own.suspend()
            (saved,) = list_resumable_games(tmp_path, own.identity.public)
            assert re.fullmatch(period, saved.period)
            assert saved.period == (state.period() if isinstance(state, SupportsPeriod) else "")
            assert saved.choices == choices

    run(story())
