"""An old copy of a journal is resumed where nothing else is known of it: the game waits for the latest copy."""

import asyncio
import shutil
from pathlib import Path
from random import Random

import pytest

from kimberley.p2p.storage.high_water_mark import StaleJournal, old_copy
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.p2p.table.catch_up import CAME_WITH_OLD_COPY, CatchUp
from kimberley.p2p.table.events import Notice
from kimberley.p2p.table.resume import list_resumable_games
from kimberley.p2p.table.sync import have_frame
from kimberley.p2p.table.table import Table
from kimberley.protocol.envelope import START
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import as_on_another_machine, back, die, to_answer
from tests.support.effort import OTHER_VALUE
from tests.support.inside import identity_of
from tests.support.seated import Circle, circle_of_tables, judged_alike, play
from tests.support.tables import Wire, at_random, peer_of, signed_roster

OLD, NEW = 3, 9
"""Numbers of answers: when the copy is made, and when the seat is killed."""


def signed(data: Path) -> tuple[bytes, ...]:
    (path,) = list_journals(data)
    return read_journal(path).sent


class Copied:
    """One seat of a circle, killed after a copy of its data folder was made."""

    def __init__(self, circle: Circle, folder: Path, seat: int) -> None:
        self.circle, self.seat = circle, seat
        self.name = circle.tables[seat].occupants.names[seat]
        self.data = folder / self.name
        self._old, self._new = (folder.with_name(f"{folder.name}-{age}") for age in ("old", "new"))

    async def play(self) -> None:
        """Plays, copies, plays on, and kills the seat."""
        table = self.circle.tables[self.seat]
        await to_answer(table, OLD)
        shutil.copytree(self.data, self._old)
        await to_answer(table, NEW)
        await die(table)
        shutil.copytree(self.data, self._new)
        self._put_back(self._old)
        as_on_another_machine()

    async def resume(self) -> Table:
        table = self.circle.follow(await back(self.data, CARDS), self.name)
        self.circle.tables.remove(table)
        self.circle.tables[self.seat] = table
        return table

    def put_newest_back(self) -> None:
        self._put_back(self._new)

    def _put_back(self, copy: Path) -> None:
        shutil.rmtree(self.data)
        shutil.copytree(copy, self.data)


class Tie:
    """The link to a seat, over which nothing is carried."""

    nickname, unsent = "ben", 0

    def __init__(self, identity: bytes) -> None:
        self.identity = identity

    def begin_game(self, have: object) -> None:
        """Does nothing."""

    def send(self, frame: object) -> None:
        """Does nothing."""


def test_who_has_only_begun_has_not_come_back_with_an_old_copy() -> None:
    async def story() -> None:
        table, told = signed_roster(CARDS), list[str]()
        peers = [peer_of(CARDS, table, seat) for seat in (0, 1)]
        tie = Tie(table.roster.seats[1].identity)
        catch_up = CatchUp(table, 0, peers[0], {tie.identity: tie}, lambda call: call(), told.append)  # type: ignore[dict-item]
        wire = Wire(peers, [at_random(Random(seat)) for seat in (0, 1)])
        wire.start()
        # A referee forwards the first envelopes before the seat itself says that it has none yet.
        wire.run(lambda: peers[0].chains[1].number > 0)
        first = have_frame(table.game_id, ((0, START),) * 2)
        assert catch_up.on_have(tie, first)  # type: ignore[arg-type]
        assert told == []
        catch_up.on_reconnect(tie)  # type: ignore[arg-type]
        assert catch_up.on_have(tie, first)  # type: ignore[arg-type]
        assert told == [CAME_WITH_OLD_COPY.format(name="ben")]

    run(story())


async def players(circle: Circle, salt: str) -> list[asyncio.Task[None]]:
    return [asyncio.create_task(play(table, Random(f"{salt} {n}"))) for n, table in enumerate(circle.tables)]


@pytest.mark.parametrize("other_is_away", [False, True])
@pytest.mark.parametrize(
    ("seats", "seat"),
    [
        (2, 0),
        pytest.param(2, 1, marks=OTHER_VALUE),
        pytest.param(3, 0, marks=pytest.mark.slow),
        pytest.param(3, 2, marks=OTHER_VALUE),
    ],
)
def test_an_old_copy_signs_nothing_and_the_table_waits_for_the_latest(
    tmp_path: Path, seats: int, seat: int, other_is_away: bool
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path / "tables", CARDS) as circle:
            await circle.seat(seats)
            copied = Copied(circle, tmp_path / "tables", seat)
            playing = await players(circle, "before")
            await copied.play()
            other = (seat + 1) % seats
            if other_is_away:
                await die(circle.tables[other])
            before = signed(copied.data)
            again = await copied.resume()
            if other_is_away:
                await until(lambda: other in again.reconnection.away)
                assert signed(copied.data) == before
                name = circle.tables[0].occupants.names[other]
                table = circle.follow(await back(tmp_path / "tables" / name, CARDS), name)
                circle.tables.remove(table)
                circle.tables[other] = table
                playing.append(asyncio.create_task(play(table, Random("other"))))
            await until(lambda: again.phase == "failed")
            (path,) = list_journals(copied.data)
            count = int(str(again.problem).split("message ")[1].split(",")[0])
            assert count > len(before)
            assert again.problem == old_copy(path, count)
            assert signed(copied.data) == before
            await again.close()
            others = [table for table in circle.tables if table is not again]
            await until(lambda: all(seat in table.reconnection.away for table in others))
            assert {table.phase for table in others} == {"playing"}
            told = [
                event.text
                for table in others
                for event in circle.told[table.occupants.names[table.occupants.seat]]
                if isinstance(event, Notice)
            ]
            assert CAME_WITH_OLD_COPY.format(name=copied.name) in told
            with pytest.raises(StaleJournal, match="Put back the latest copy"):
                await back(copied.data, CARDS)
            (listed,) = list_resumable_games(copied.data, identity_of(again).public)
            assert listed.problem == old_copy(path, count)
            copied.put_newest_back()
            again = await copied.resume()
            playing.append(asyncio.create_task(play(again, Random("again"))))
            await circle.all("done")
            judged_alike(circle)
            await asyncio.gather(*playing)

    run(story(), 60)
