"""Asks for a new tournament in the terminal and on the organizer's page at once: the first answers count."""

from __future__ import annotations

import argparse
import asyncio

from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.base.terminal import fitted
from kimberley.referee.page_process import PageProcess
from kimberley.referee.questions import Interview
from kimberley.referee.typed_lines import TypedLines


async def first_answer(interview: Interview, lines: TypedLines, page: PageProcess) -> argparse.Namespace:
    """Returns the whole command, from whichever side answers first. Raises EOFError if the terminal's input ends."""
    filled: list[argparse.Namespace] = []

    def fill(form: dict[str, str]) -> dict[str, str]:
        answers, faults = interview.fill(form)
        filled.extend(() if answers is None else (answers,))
        return faults

    async def read(question: str) -> str:
        print(f"{fitted(question)} ", end="", flush=True)
        return await lines.next()

    def say(line: str) -> None:
        print(fitted(line), flush=True)

    async with task_scope() as tasks:
        here = tasks.start(interview.ask(read, say))
        there = tasks.start(page.interview(interview.fields, fill))
        await asyncio.wait([here, there], return_when=asyncio.FIRST_COMPLETED)
        if not filled:
            # The form can only end without an answer when its process has ended.
            try:
                return await here
            finally:
                there.cancel()
        here.cancel()
    print("answered on the page.", flush=True)
    return filled[0]
