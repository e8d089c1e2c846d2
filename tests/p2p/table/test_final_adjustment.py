"""The last look at a table: choices are held until it is over, or until a quiet time is over and the player is done."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from kimberley.games.table import Plain, Together
from kimberley.p2p.table import match
from kimberley.p2p.table.common_options import FIXED, UNTIL_DONE, AdjustTimes
from kimberley.p2p.table.final_adjustment import LONG_SHARE, FinalAdjustment, drawn_wait
from kimberley.p2p.table.table import Table
from kimberley.protocol.events import Answered, Asked
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.inside import match_of
from tests.support.seated import no_faults, pair_of_tables
from tests.support.threadless import run_virtually


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@pytest.mark.slow
def test_in_a_last_look_the_choice_as_it_stands_at_the_end_counts(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 1, "rounds": 1})
            host, guest = tables.host, tables.guest
            await until(lambda: host.play.final_adjustment_until and guest.play.final_adjustment_until)
            ends = host.play.final_adjustment_until
            assert ends is not None
            before = host.sent_bytes, guest.sent_bytes
            for number in (9, 3, 4):
                host.play.choose(number)
            with pytest.raises(NotAllowed, match="one holds out 0 to 9 stones"):
                host.play.choose(10)
            guest.play.choose(6)
            await until(lambda: asyncio.get_running_loop().time() > ends - 0.5)
            # Nothing has left, and both may still choose.
            assert (host.sent_bytes, guest.sent_bytes) == before
            guest.play.choose(5)
            story = host.peer.story if host.peer else ()
            await until(lambda: any(isinstance(event, Answered) for event in tables.told["ana"]))
            assert asyncio.get_running_loop().time() >= ends
            answer = next(event for event in tables.told["ana"] if isinstance(event, Answered))
            assert (answer.answer, story) == ((4, 5), ())
            assert host.play.final_adjustment_until is None

    run(story())


@pytest.mark.slow
def test_who_chooses_before_hearing_of_the_ask_is_held_all_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            answered: list[float] = []
            asked: dict[str, int] = {}
            loop = asyncio.get_running_loop()

            def hurry(name: str, table: Table, event: object) -> None:
                """Chooses on the very first event after which the view shows what is asked."""
                if isinstance(event, Answered) and isinstance(event.ask, Together) and name == "ana":
                    answered.append(loop.time())
                view = table.peer
                if view is not None and view.asked is not None and asked.get(name) != view.asked.step:
                    asked[name] = view.asked.step
                    table.play.choose(4)

            await tables.open({"last_look": 1}, headless=True)
            tables.host.subscribe(lambda event: hurry("ana", tables.host, event))
            await tables.join(headless=True)
            tables.guest.subscribe(lambda event: hurry("ben", tables.guest, event))
            await tables.both("playing")
            await until(lambda: len(answered) == 2)
            assert answered[1] - answered[0] >= 1

    run(story())


def test_answers_to_what_was_asked_before_do_not_end_a_last_look(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 1, "rounds": 1})
            host = tables.host
            await until(lambda: host.play.final_adjustment_until)
            assert host.peer is not None
            assert host.peer.asked is not None
            asked = host.peer.asked
            match_of(host).on_event(Answered(asked.step - 1, asked.ask, (0, 0), host.peer.state), 0)
            assert host.play.final_adjustment_until is not None
            match_of(host).on_event(Answered(asked.step, asked.ask, (0, 0), host.peer.state), 0)
            assert host.play.final_adjustment_until is None

    run(story())


@pytest.mark.slow
def test_what_changes_nothing_counts_of_who_chooses_nothing_and_nobody_waits_longer(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 1, "rounds": 1})
            host, guest = tables.host, tables.guest
            await until(lambda: host.play.final_adjustment_until and guest.play.final_adjustment_until)
            ends = host.play.final_adjustment_until
            guest.play.choose(5)
            seen: set[float | None] = set()
            host.subscribe(lambda _: seen.add(host.play.final_adjustment_until))
            await until(lambda: any(isinstance(event, Answered) for event in tables.told["ana"]))
            answer = next(event for event in tables.told["ana"] if isinstance(event, Answered))
            assert answer.answer == (0, 5)
            assert ends is not None
            assert asyncio.get_running_loop().time() >= ends
            assert seen <= {ends, None}

    run(story())


def test_without_a_last_look_a_choice_goes_at_once_and_only_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            host = tables.host
            await until(lambda: host.peer is not None and host.peer.asked)
            assert host.play.final_adjustment_until is None
            with pytest.raises(NotAllowed, match="whole number"):
                host.play.choose("four")
            host.play.choose(4)
            with pytest.raises(NotAllowed, match="not your turn"):
                host.play.choose(5)
            assert sum(isinstance(event, Asked) for event in tables.told["ana"]) == 1

    run(story())


Choices = tuple[tuple[float, Plain, bool], ...]
"""What a player chooses: when, what, and whether the player is done with it."""


async def departures(times: AdjustTimes, wait: float, done: bool, choices: Choices) -> list[tuple[float, Plain]]:
    """Returns what leaves in a final adjustment that begins at 0, and when."""
    loop, left = asyncio.get_running_loop(), list[tuple[float, Plain]]()
    adjusting = FinalAdjustment(times, 0, wait, "plan", lambda choice: left.append((loop.time(), choice)), done=done)
    for at, choice, final in choices:
        await asyncio.sleep(at - loop.time())
        adjusting.choose(choice, final=final)
    await asyncio.sleep(times.most - 0.001 - loop.time())
    assert not adjusting.over
    await asyncio.sleep(1)
    assert adjusting.over
    return left


@pytest.mark.parametrize(
    ("times", "wait", "done", "choices", "left"),
    [
        (FIXED, 20, False, (), (20, "plan")),
        (FIXED, 20, False, ((3, "new", True),), (20, "new")),
        (FIXED, 20, True, (), (20, "plan")),
        (UNTIL_DONE, 5, False, (), (40, "plan")),
        (UNTIL_DONE, 5, False, ((3, "new", True),), (5, "new")),
        (UNTIL_DONE, 5, False, ((3, "new", False),), (40, "new")),
        (UNTIL_DONE, 5, False, ((3, "new", False), (12, "newer", False), (13, "newest", True)), (13, "newest")),
        (UNTIL_DONE, 5, False, ((3, "new", True), (4, "newer", False)), (5, "newer")),
        (UNTIL_DONE, 17.5, False, ((3, "new", True),), (17.5, "new")),
        (UNTIL_DONE, 17.5, False, ((19, "new", True),), (19, "new")),
        (UNTIL_DONE, 5, True, (), (5, "plan")),
        (UNTIL_DONE, 5, True, ((2, "new", False),), (5, "new")),
        (UNTIL_DONE, 17.5, True, ((2, "plan", True), (8, "plan", True)), (17.5, "plan")),
    ],
)
def test_a_choice_leaves_when_the_player_is_done_but_not_before_the_wait_is_over(
    times: AdjustTimes, wait: float, done: bool, choices: Choices, left: tuple[float, Plain]
) -> None:
    assert run_virtually(departures(times, wait, done, choices)) == [left]


def test_an_answer_sometimes_waits_as_people_do() -> None:
    rng = Random(1)
    waits = [drawn_wait(rng, UNTIL_DONE) for _ in range(20_000)]
    later = [wait for wait in waits if wait > UNTIL_DONE.quiet]
    assert set(waits) - set(later) == {UNTIL_DONE.quiet}
    assert len(later) / len(waits) == pytest.approx(LONG_SHARE, abs=0.02)
    assert max(later) == UNTIL_DONE.most
    assert sorted(later)[len(later) // 2] == pytest.approx(9, abs=0.3)
    assert {drawn_wait(rng, FIXED) for _ in range(100)} == {20}


@pytest.mark.slow
def test_at_a_table_a_last_look_ends_when_both_are_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "drawn_wait", lambda _rng, times: times.quiet)

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open({"last_look": 600, "quiet_time": 1, "rounds": 1})
            await tables.join()
            host, guest, loop = tables.host, tables.guest, asyncio.get_running_loop()
            await tables.both("words")
            host.words.answer(True)
            guest.words.answer(True)
            await until(lambda: host.play.final_adjustment_until and guest.play.final_adjustment_until)
            ends = host.play.final_adjustment_until
            assert ends is not None
            quiet_until = ends - 599
            before = host.sent_bytes, guest.sent_bytes
            host.play.choose(4)
            guest.play.choose(9, final=False)
            await until(lambda: loop.time() > quiet_until - 0.3)
            assert (host.sent_bytes, guest.sent_bytes) == before
            await until(lambda: guest.peer is not None and guest.peer.waiting == (1,))
            assert loop.time() >= quiet_until
            # A player who is done sees the same clock until all are.
            assert host.play.final_adjustment_until == ends
            with pytest.raises(NotAllowed, match="not your turn"):
                host.play.choose(5)
            guest.play.choose(6)
            await until(lambda: any(isinstance(event, Answered) for event in tables.told["ana"]))
            answer = next(event for event in tables.told["ana"] if isinstance(event, Answered))
            assert answer.answer == (4, 6)
            assert host.play.final_adjustment_until is None

    run(story())
