"""Watching a table in the line mode: what happens, in sentences, as everyone may know it, and the verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.boards.rules_page import rules_lines
from kimberley.client.boards.watching import GameWatcher, audit_lines, verdict_sentence
from kimberley.client.plain.console import Console
from kimberley.client.plain.inputs import merge_inputs
from kimberley.client.session.interfaces import SpectatorLike
from kimberley.client.session.services import Services
from kimberley.games.phrases import join_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.keyboard import as_latin, keyboard_told, split_command
from kimberley.p2p.base.tasks import BackgroundTasks, task_scope
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.notices import (
    CHECKING,
    NOTHING_YET,
    game_over,
    record_saved,
)
from kimberley.p2p.sentences.verdicts import reason_named

TYPED: Final = (
    "state: hear the position. story: hear the game so far. story NUMBER: hear the last NUMBER events. rules: hear "
    "the rules.",
    "wait: hear whose turn it is. keep: save the record after the game. leave: stop watching. help: hear this.",
)
NOT_STARTED: Final = "The game has not started."
LOST: Final = "Connection lost. Trying again."
START_SECONDS: Final = 1.0
"""How long the table has to show a game that has begun."""
AWAITED_SECONDS: Final = 0.3
"""How long the same players are awaited before that is said: to a spectator who comes late, the past comes at once."""
AFTERWARDS: Final = "You can save the record after the game."


class PlainWatch:
    """A table that the user watches, in sentences."""

    def __init__(self, watch: SpectatorLike, services: Services, lines: Console) -> None:
        self.spectating = GameWatcher(watch)
        self.watch, self.services, self.lines = watch, services, lines
        self._said_up_to = 0
        self._waited: list[str] = []
        self._ended = self._away = False
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self._tasks = BackgroundTasks()

    async def follow(self) -> None:
        """Runs until the user stops watching, or the table has nothing more to show."""
        stop = self.watch.subscribe(self._events.put_nowait)
        try:
            if self.watch.peer is None:
                self.lines.say("You are watching this table.")
                self._tasks.start(self._say_not_started())
            self._follow()
            if self.watch.problem is None:
                async with task_scope() as tasks:
                    async for source, what in merge_inputs(tasks, self._events.get, self.lines.read):
                        if source == "line" and not await self._obey(what):
                            return
                        if source == "event":
                            self._on_event(what)
                        self._follow()
                        if self.watch.problem is not None:
                            break
            self.lines.say(self.watch.problem or "")
        finally:
            stop()
            await self._tasks.close()

    # -- what happens --------------------------------------------------------------------------------------------------

    def _on_event(self, event: Any) -> None:
        from kimberley.p2p.sentences.table_events import notice_of
        from kimberley.p2p.table.events import ChatLine

        names = self.spectating.names
        match event:
            case ChatLine(seat, text, checked):
                self.lines.say(f"{names[seat]} says{'' if checked else ', unchecked'}: {text}")
            case _ if (notice := notice_of(event, names)) is not None:
                self.lines.say(notice.text)

    async def _say_not_started(self) -> None:
        """Says that no game has begun, once the table has had time to show one."""
        await asyncio.sleep(START_SECONDS)
        if self.watch.peer is None and self.watch.problem is None:
            self.lines.say(NOT_STARTED)

    def _follow(self) -> None:
        """Says what is new, each thing once."""
        spectating, say = self.spectating, self.lines.say
        begun = spectating.follow()
        timeline = spectating.timeline
        self._say_connection()
        if timeline is None:
            return
        if begun:
            self._said_up_to, self._ended, self._waited = len(timeline.steps), False, []
            say(f"The game: {timeline.title}, {join_names(timeline.names)}.", *timeline.describe())
        for at in range(self._said_up_to + 1, len(timeline.steps) + 1):
            # The table announces a departure.
            say(*timeline.sentences(at)[timeline.is_departure(at) :])
        self._said_up_to = len(timeline.steps)
        if timeline.result is not None and not self._ended:
            say(game_over(reason_named(timeline.result, timeline.names)))
        self._ended = timeline.result is not None
        names = spectating.choosers()
        if names != self._waited:
            self._waited = names
            self._tasks.start(self._say_awaited(names))
        if spectating.due():
            self._tasks.start(self._audit())

    async def _say_awaited(self, names: Sequence[str]) -> None:
        """Says whom the game waits for, unless it has gone on a moment later: what came before is told at once."""
        await asyncio.sleep(AWAITED_SECONDS)
        if names and self._waited is names:
            self.lines.say(notices.waiting_for(names))

    def _say_connection(self) -> None:
        """Says when the connection is lost and when it is back. Says neither after the verdict on a game."""
        away = self.watch.away_since is not None and self.spectating.proof is None
        if away != self._away:
            self.lines.say(LOST if away else "Connected again.")
        self._away = away

    async def _audit(self) -> None:
        self.lines.say(CHECKING)
        proof = await self.spectating.audit()
        if proof is not None and proof is self.spectating.proof:
            self.lines.say(*audit_lines(proof), "To save the record, type keep. To go, type leave.")
        elif proof is not None:
            self.lines.say(f"Previous game: {verdict_sentence(proof)}")

    # -- what is typed -------------------------------------------------------------------------------------------------

    async def _obey(self, typed: str) -> bool:
        """Does what the user typed. Returns False if the user stops watching."""
        say, timeline = self.lines.say, self.spectating.timeline
        word, rest = split_command(as_latin(typed).lower())
        match word:
            case "leave" | "quit" | "q":
                return False
            case "state" | "story" | "wait" if timeline is None:
                say(NOT_STARTED)
            case "rules" if self.watch.game is None:
                say(NOT_STARTED)
            case "state" if timeline is not None:
                say(*timeline.describe())
            case "story" if timeline is not None and (not rest or rest.isdecimal()):
                count = len(timeline.steps)
                first = max(1, count + 1 - int(rest)) if rest else 1
                lines = [f"{at}: {timeline.describe_event(at)}" for at in range(first, count + 1)]
                say(*(lines or [NOTHING_YET]))
            case "rules" if self.watch.game is not None:
                say(*rules_lines(self.watch.game.id))
            case "wait":
                say(LOST if self._away else notices.waiting_for(self.spectating.choosers()))
            case "keep" if self.spectating.proof is not None:
                await self._keep()
            case "keep":
                say(AFTERWARDS)
            case "":
                pass
            case _:
                say(*keyboard_told(typed), *TYPED)
        return True

    async def _keep(self) -> None:
        proof = self.spectating.proof
        assert proof is not None
        try:
            path = await self.services.keep(self.spectating.names, proof.audited.record.pack())
        except UserError as error:
            self.lines.say(str(error))
            return
        self.lines.say(record_saved(path))
