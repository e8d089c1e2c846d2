"""Watching a table in the line mode: what happens, in sentences, as everybody may know it, to the verdict."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from client.glyphs import clean
from client.lines import Lines
from client.onlooking import Onlooking, WatchLike, in_sentences, judged
from client.people import in_a_row
from client.plain_table import both
from client.services import Services

TYPED: Final = (
    "state: say how things stand. story: hear all that has happened, story NUMBER: the last so many things.",
    "wait: say who is waited for. keep: keep the record, once the game is over. leave: stop watching. help: hear this.",
)


class PlainWatch:
    """A table that is watched, in sentences."""

    def __init__(self, watch: WatchLike, services: Services, lines: Lines) -> None:
        self.onlooking = Onlooking(watch)
        self.watch, self.services, self.lines = watch, services, lines
        self._told = 0
        self._waited: list[str] = []
        self._ended = self._away = False
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self._judging: asyncio.Task[None] | None = None

    async def follow(self) -> None:
        """Until one stops watching, or the table shows nothing more."""
        stop = self.watch.subscribe(self._events.put_nowait)
        try:
            if self.watch.peer is None:
                self.lines.say("You watch this table. Its game has not begun.")
            self._follow()
            if self.watch.problem is None:
                async for source, what in both(self._events.get, self.lines.read):
                    if source == "line" and not await self._obey(what):
                        return
                    if source == "event":
                        self._heard(what)
                    self._follow()
                    if self.watch.problem is not None:
                        break
            self.lines.say(self.watch.problem or "")
        finally:
            stop()
            if self._judging is not None:
                self._judging.cancel()

    # -- what happens --------------------------------------------------------------------------------------------------

    def _heard(self, event: Any) -> None:
        from protocol.events import Caught, Gone, Said

        names = self.onlooking.names
        match event:
            case Said(seat, text):
                self.lines.say(f"{names[seat]} says: {clean(text)}")
            case Gone(seat=seat):
                self.lines.say(f"{names[seat]} has left the game; it goes on without them.")
            case Caught(seat):
                self.lines.say(f"{names[seat]} was caught cheating: {clean(event.reason)}")

    def _follow(self) -> None:
        """Says what is new, each thing once."""
        onlooking, say = self.onlooking, self.lines.say
        begun = onlooking.follow()
        moments = onlooking.moments
        self._tell_connection()
        if moments is None:
            return
        if begun:
            self._told, self._ended, self._waited = len(moments.steps), False, []
            say(f"The game: {moments.title}, {in_a_row(moments.names)}.", *moments.describe())
        for at in range(self._told + 1, len(moments.steps) + 1):
            say(moments.told(at))
        self._told = len(moments.steps)
        if moments.result is not None and not self._ended:
            say(f"The game is over: {moments.result.reason}.")
        self._ended = moments.result is not None
        names = onlooking.choosers()
        if names and names != self._waited:
            say(f"Waiting for {in_a_row(names)}.")
        self._waited = names
        if onlooking.due():
            self._judging = asyncio.get_running_loop().create_task(self._judge())

    def _tell_connection(self) -> None:
        """Says when the connection is lost, and when it is back; of a table that is over, neither."""
        away = self.watch.away_since is not None and self.onlooking.proof is None
        if away != self._away:
            self.lines.say("The connection is lost. Trying again." if away else "The connection is back.")
        self._away = away

    async def _judge(self) -> None:
        self.lines.say("The audit runs.")
        proof = await self.onlooking.judge()
        if proof is not None and proof is self.onlooking.proof:
            self.lines.say(*in_sentences(proof), "Type keep to keep the record, leave to go.")
        elif proof is not None:
            self.lines.say(f"The game before. {judged(proof)}")

    # -- what is typed -------------------------------------------------------------------------------------------------

    async def _obey(self, typed: str) -> bool:
        """Does what was typed. False if one stops watching."""
        say, moments = self.lines.say, self.onlooking.moments
        word, _, rest = typed.lower().partition(" ")
        match word:
            case "leave" | "quit" | "q":
                return False
            case "state" if moments is not None:
                say(*moments.describe())
            case "story" if moments is not None and (not rest or rest.isdigit()):
                count = len(moments.steps)
                first = max(1, count + 1 - int(rest)) if rest else 1
                told = [f"{at}: {moments.told(at)}" for at in range(first, count + 1)]
                say(*(told or ["Nothing has happened yet."]))
            case "wait":
                names = self.onlooking.choosers()
                say(f"Waiting for {in_a_row(names)}." if names else "Nobody is waited for.")
            case "keep" if self.onlooking.proof is not None:
                await self._keep()
            case "":
                pass
            case _:
                say(*TYPED)
        return True

    async def _keep(self) -> None:
        proof = self.onlooking.proof
        assert proof is not None
        try:
            path = await self.services.keep(self.onlooking.names, proof.packed)
        except Exception as error:
            if not self.services.is_trouble(error):
                raise
            self.lines.say(str(error))
            return
        self.lines.say(f"The record is {path}. To check it anywhere: kimberley verify FILE.")
