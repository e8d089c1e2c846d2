"""Tasks have an owner: their errors reach it, and none outlives it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import BackgroundTasks, race, task_scope, tell_errors, unstoppable
from tests.support.asyncs import run
from tests.support.threadless import run_virtually


class Fault(Exception):
    """What nobody foresaw."""


async def fail() -> None:
    raise Fault("on purpose")


async def forever(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0)
        ended.append("ended")


def test_an_error_reaches_the_owner_the_person_and_the_log(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    owner: list[BaseException] = []

    async def scenario() -> None:
        tell_errors(told.append)
        tasks = BackgroundTasks(owner.append)
        tasks.start(fail())
        await tasks.wait()

    run(scenario())
    assert [type(error) for error in owner] == [Fault]
    assert len(told) == 1
    assert "Fault('on purpose')" in told[0]
    assert "report it" in told[0]
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert line.exc_info is not None
    assert isinstance(line.exc_info[1], Fault)


def test_an_error_for_people_is_told_as_it_is() -> None:
    told: list[str] = []

    async def scenario() -> None:
        async def full() -> None:
            raise UserError("The disk is full. Make room.")

        tell_errors(told.append)
        tasks = BackgroundTasks()
        tasks.start(full())
        await tasks.wait()

    run(scenario())
    assert told == ["The disk is full. Make room."]


def test_one_error_does_not_end_the_other_tasks_of_an_object() -> None:
    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        tasks, go = BackgroundTasks(), asyncio.Event()

        async def answer() -> int:
            await go.wait()
            return 7

        waiting = tasks.start(answer())
        tasks.start(fail())
        await asyncio.sleep(0)
        go.set()
        assert await waiting == 7

    run(scenario())


def test_closing_waits_for_all_even_if_it_is_canceled() -> None:
    ended: list[str] = []

    async def scenario() -> None:
        tasks = BackgroundTasks()
        for _ in range(3):
            tasks.start(forever(ended))
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(tasks.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert ended == ["ended"] * 3

    run(scenario())


def test_nothing_starts_after_the_owner_has_closed() -> None:
    did: list[str] = []

    async def work() -> None:
        did.append("something")

    async def scenario() -> None:
        tasks = BackgroundTasks()
        await tasks.close()
        late = tasks.start(work())
        await tasks.wait()
        assert late.cancelled()

    run(scenario())
    assert did == []


def test_a_task_can_close_its_own_owner() -> None:
    async def scenario() -> None:
        tasks, ended = BackgroundTasks(), list[str]()
        tasks.start(forever(ended))
        await asyncio.sleep(0)
        await tasks.start(tasks.close())
        assert ended == ["ended"]

    run(scenario())


def test_work_that_cannot_be_stopped_ends_before_whoever_waits_for_it_and_its_result_is_dropped() -> None:
    async def scenario() -> None:
        dropped: list[str] = []
        may_end = asyncio.Event()

        async def work() -> str:
            await may_end.wait()
            return "a file"

        tasks = BackgroundTasks()
        waiting = tasks.start(unstoppable(work(), dropped.append))
        for _ in range(2):
            await asyncio.sleep(0)
            tasks.cancel()
        await asyncio.sleep(0)
        assert not waiting.done()
        may_end.set()
        await tasks.wait()
        assert waiting.cancelled()
        assert dropped == ["a file"]
        assert await unstoppable(work(), dropped.append) == "a file"
        with pytest.raises(Fault):
            await unstoppable(fail(), lambda _: None)
        assert dropped == ["a file"]

    run(scenario())


def test_the_tasks_of_a_block_end_with_it() -> None:
    ended: list[str] = []

    async def scenario() -> str:
        async with task_scope() as tasks:
            tasks.start(forever(ended))
            await asyncio.sleep(0)
            return "done"

    assert run(scenario()) == "done"
    assert ended == ["ended"]


def test_an_error_in_a_task_ends_the_block_with_that_error() -> None:
    ended: list[str] = []

    async def scenario() -> None:
        async with task_scope() as tasks:
            tasks.start(forever(ended))
            tasks.start(fail())
            await asyncio.Event().wait()

    with pytest.raises(Fault):
        run(scenario())
    assert ended == ["ended"]


def test_an_error_of_the_block_is_raised_as_it_is() -> None:
    async def scenario() -> None:
        async with task_scope() as tasks:
            tasks.start(forever([]))
            raise UserError("Nobody hosts a table there.")

    with pytest.raises(UserError, match="Nobody hosts"):
        run(scenario())


def test_of_several_errors_one_is_raised_and_the_others_are_reported() -> None:
    reported: list[Any] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context["exception"]))

        async def fail_in_the_end() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                raise ValueError("while it ended")

        async with task_scope() as tasks:
            tasks.start(fail_in_the_end())
            await asyncio.sleep(0)
            tasks.start(fail())
            await asyncio.Event().wait()

    with pytest.raises(Fault):
        run(scenario())
    assert [type(error) for error in reported] == [ValueError]


def test_cancellation_of_a_block_is_not_swallowed() -> None:
    ended: list[str] = []

    async def block() -> None:
        async with task_scope() as tasks:
            tasks.start(forever(ended))
            await asyncio.Event().wait()

    async def scenario() -> None:
        working = asyncio.ensure_future(block())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working

    run(scenario())
    assert ended == ["ended"]


def attempt(name: str, log: list[str], fails: type[Exception] | None = None) -> Callable[[], Awaitable[str]]:
    async def work() -> str:
        log.append(name)
        if fails is not None:
            raise fails(name)
        return name

    return work


async def dropped(result: str) -> None:
    raise AssertionError(f"{result} was not late")


def test_the_first_attempt_that_succeeds_wins() -> None:
    log: list[str] = []
    attempts = [attempt("a", log, UserError), attempt("b", log), attempt("c", log)]
    assert run_virtually(race(attempts, 0.01, UserError, dropped)) == "b"
    assert log == ["a", "b"]


def test_if_all_attempts_fail_the_first_error_is_raised() -> None:
    with pytest.raises(UserError, match="a"):
        run(race([attempt("a", [], UserError), attempt("b", [], UserError)], 0, UserError, dropped))


def test_an_error_that_nobody_expects_ends_the_race() -> None:
    log: list[str] = []
    with pytest.raises(Fault):
        run(race([attempt("a", log, Fault), attempt("b", log)], 60, UserError, dropped))
    assert log == ["a"]


def test_what_succeeds_too_late_is_dropped() -> None:
    late: list[str] = []

    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "late"
        return "never"

    async def drop(result: str) -> None:
        late.append(result)

    async def scenario() -> None:
        started = asyncio.Event()

        async def first() -> str:
            await started.wait()
            return "first"

        async def second() -> str:
            started.set()
            return await stubborn()

        assert await race([first, second], 0, UserError, drop) == "first"

    run(scenario())
    assert late == ["late"]


def test_what_succeeds_after_the_race_was_canceled_is_dropped_too() -> None:
    late: list[str] = []

    async def drop(result: str) -> None:
        late.append(result)

    async def scenario() -> None:
        release, tried = asyncio.Event(), asyncio.Event()

        async def stubborn() -> str:
            tried.set()
            while not release.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await release.wait()
            return "late"

        racing = asyncio.ensure_future(race([stubborn], 0, UserError, drop))
        await tried.wait()
        racing.cancel()
        await asyncio.sleep(0)
        release.set()
        with pytest.raises(asyncio.CancelledError):
            await racing

    run(scenario())
    assert late == ["late"]


def test_what_has_won_is_dropped_if_the_race_is_canceled_before_the_others_have_ended() -> None:
    dropped_in_the_end: list[str] = []

    async def drop(result: str) -> None:
        dropped_in_the_end.append(result)

    async def scenario() -> None:
        slow_ends, may_end = asyncio.Event(), asyncio.Event()

        async def slow() -> str:
            try:
                await asyncio.Event().wait()
            finally:
                slow_ends.set()
                await may_end.wait()
            return "never"

        racing = asyncio.ensure_future(race([slow, attempt("winner", [])], 0, UserError, drop))
        await slow_ends.wait()
        racing.cancel()
        await asyncio.sleep(0)
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await racing

    run(scenario())
    assert dropped_in_the_end == ["winner"]
