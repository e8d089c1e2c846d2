"""The parts of a table: exactly one handles each kind of frame, and a frame reaches the game's machine in few calls."""

import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.table.part import Handler, handlers_of
from kimberley.p2p.table.runner import Runner
from tests.support.asyncs import run
from tests.support.seated import pair_of_tables, play_on

MOST_CALLS: Final = 6


def handles(*kinds: str) -> Mapping[str, Handler]:
    return dict.fromkeys(kinds, lambda link, frame: True)


def test_two_parts_cannot_handle_frames_of_one_kind() -> None:
    assert set(handlers_of([handles("same"), handles("bye", "refused")])) == {"same", "bye", "refused"}
    with pytest.raises(ValueError, match="two parts of a table handle again, bye"):
        handlers_of([handles("bye", "again"), handles("same"), handles("again", "bye")])


def calls_since_the_coroutine(frame: FrameType | None) -> int:
    """Returns how many calls lead from the coroutine that runs now to this frame."""
    count = 0
    while frame is not None and not frame.f_code.co_flags & inspect.CO_COROUTINE:
        frame, count = frame.f_back, count + 1
    return count


def test_from_a_frame_that_is_read_to_the_queue_of_the_machine_are_few_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await play_on(tables)

    counts: set[int] = set()
    submit = Runner.submit

    def counted(runner: Runner, kind: str, *what: Plain) -> None:
        if kind == "received":
            counts.add(calls_since_the_coroutine(sys._getframe()))
        submit(runner, kind, *what)

    monkeypatch.setattr(Runner, "submit", counted)
    run(story())
    assert counts
    assert max(counts) <= MOST_CALLS, counts
