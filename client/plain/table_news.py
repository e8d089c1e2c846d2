"""What the line mode says at a table: who comes and goes, what happens in the game, and the verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.audio.port import AudioLike
from kimberley.client.audio.sound import Sound
from kimberley.client.boards import take_back
from kimberley.client.boards.guide import STOPS as STOP_GUIDE
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.subject import reason_told
from kimberley.client.plain.console import ConsoleLike
from kimberley.client.plain.table_help import can_open, lobby_help
from kimberley.client.session import clocks
from kimberley.client.session.banners import Banners
from kimberley.client.session.bots import is_practice
from kimberley.client.session.chat import unchecked_note
from kimberley.client.session.game_start import GameStart
from kimberley.client.session.next_level import next_level
from kimberley.client.session.options import Terms, changed_terms
from kimberley.client.session.participants import WaitTracker, choosing_seats, is_ready, missing_names
from kimberley.client.session.table_sounds import TableSounds
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.notices import count_of, join_names
from kimberley.p2p.sentences.options import option_lines
from kimberley.p2p.sentences.ways_to_join import (
    BY_TELEPHONE,
    FAR_WAITS,
    NEEDS_INTERFACE,
    addresses_for_others,
    far_line,
    needs_interface,
)
from kimberley.p2p.table.common_options import adjust_times

if TYPE_CHECKING:
    from kimberley.client.session.ports import TableLike
    from kimberley.p2p.table.events import ChatLine
SAVED: Final = "The game is saved for later. To resume, type resume here, or run kimberley resume."


class TableNews:
    """Says what happens at a table, each thing once."""

    def __init__(
        self, table: TableLike, lines: ConsoleLike, audio: AudioLike, *, counts: bool = False, guided: bool = False
    ) -> None:
        """`counts` says whether the game counts for a tournament. If `guided`, a guide leads through it at first."""
        now = asyncio.get_running_loop().time
        self.table, self.lines = table, lines
        self._counts, self._guided = counts, guided
        self._start = GameStart()
        self._audio, self._sounds = audio, TableSounds(table, audio)
        self.seat: LineMode | None = None
        """The player's seat in the game, while a game is played."""
        self.finished = False
        """Whether a game was played to its end here."""
        self.waits = WaitTracker(table, now)
        self._banners = Banners(table, now, counts=counts)
        self._said: set[Hashable] = set()
        """The topics of the banners that were shown at the last call."""
        self._noted = False
        """Whether the player was told what is not checked about the chat."""
        self._seated: tuple[str, ...] = ()
        self._terms = Terms.of(table)
        self._waiting: tuple[str, ...] = ()
        """Those who waited for a seat at the last call."""
        self._ready: dict[str, bool] = {}
        self._phase = ""
        self._waited: list[str] = []
        self._far = ""
        self._peer: object = None
        self._step: int | None = None
        self._look: float | None = None

    def on_event(self, event: Any) -> None:
        """Says an event of the table."""
        from kimberley.p2p.table.events import ChatLine, Notice
        from kimberley.protocol.events import Caught, Resigned, SeatDeparted, Waiting

        self.waits.refresh()
        self._banners.refresh()
        self._sounds.on_event(event)
        match event:
            case SeatDeparted(seat=seat) if seat == self.table.seat:
                self.lines.say(f"{notices.YOU_HAVE_LEFT} You can keep listening. Type leave to go.")
            case SeatDeparted(seat=seat):
                self.lines.say(notices.left(self.table.names[seat]))
            case ChatLine(seat=seat) if seat != self.table.seat:
                self._say_chat(event)
            case Notice(text):
                self.lines.say(text)
            case Caught(seat):
                self.lines.say(notices.caught(self.table.names[seat], event.reason))
            case Resigned(seat):
                self.lines.say(notices.resigned(self.table.names[seat]))
            case Waiting(seats):
                self._say_who_is_awaited(choosing_seats(self.table, seats))
        if self.seat is not None and not isinstance(event, ChatLine | Notice):
            self.lines.say(*self.seat.on_event(event))

    def _say_chat(self, line: ChatLine) -> None:
        name = self.table.names[line.seat]
        if line.checked:
            self.lines.say(f"{name} says: {line.text}")
            return
        self.lines.say(f"{name} says, unchecked: {line.text}")
        if not self._noted:
            self._noted = True
            self.lines.say(unchecked_note(self.table))

    async def follow(self) -> None:
        """Says what has changed since the last call: first of all, what the current phase asks for."""
        table = self.table
        if table.phase != self._phase or table.peer is not self._peer:
            former, self._phase, self._peer = self._phase, table.phase, table.peer
            await self._enter(former)
        elif table.phase in ("open", "words") and not self._counts:
            self._say_people()
        self.say_far()
        self.say_banners()
        peer = table.peer
        if table.phase == "playing" and peer is not None and self.seat is not None:
            step = peer.asked.step if peer.asked is not None else None
            before, self._step = self._step, step
            if step is not None and step != before:
                self._audio.play(Sound.YOUR_MOVE)
                self.lines.say(*self.seat.guidance(), *self.seat.prompt(), *self._time())
        if table.final_adjustment_until is not None and table.final_adjustment_until != self._look:
            seconds = table.final_adjustment_until - asyncio.get_running_loop().time()
            left = count_of(round(seconds), "second")
            if adjust_times(table.options).fixed:
                self.lines.say(f"Adjust: {left} to change your plan. The plan you have then counts.")
            else:
                self.lines.say(f"Adjust: this ends when both are done, after {left} at the latest.")
        self._look = table.final_adjustment_until

    def _time(self) -> list[str]:
        """The player's own clock in a sentence, if there is one and its time is known."""
        now, seat = asyncio.get_running_loop().time(), self.table.seat
        found = () if clocks.clocks_unknown(self.table) else clocks.clock_faces(self.table, now)
        return [f"You have {notices.clock_digits(face.left)} left." for face in found if face.seat == seat]

    def _say_who_is_awaited(self, seats: Sequence[int]) -> None:
        """Says once whose choice the table is waiting for, unless it is the player's own."""
        names = [] if self.table.seat in seats else [self.table.names[seat] for seat in seats]
        if names and names != self._waited:
            self.lines.say(notices.waiting_for(names))
        self._waited = names

    def _say_people(self) -> None:
        """Says who has come, left or become ready since the last call."""
        table, say = self.table, self.lines.say
        terms, self._terms = self._terms, Terms.of(table)
        told = changed_terms(table.names[table.host_seat], terms, self._terms)
        if told and table.phase == "open" and not table.host:
            say(told)
        seated, self._seated = self._seated, tuple(table.names)
        changes = [f"{name} left." for name in missing_names(seated, self._seated)]
        changes += [f"{name} joined." for name in missing_names(self._seated, seated)]
        waiting, self._waiting = self._waiting, tuple(table.hosting.queue)
        changes += [f"{name} is waiting for a seat." for name in missing_names(self._waiting, waiting)]
        if changes:
            say(*changes, f"{len(table.names)} of {table.seats} seats taken.")
        own = table.names[table.seat]
        before, self._ready = self._ready, {name: is_ready(table, n) for n, name in enumerate(table.names)}
        for name, ready in self._ready.items():
            if ready != before.get(name, False) and name != own:
                say(f"{name} is ready." if ready else f"{name} is no longer ready.")

    def say_far(self, *, again: bool = False) -> None:
        """Says the code for a friend far away, or why there is none, if it has changed."""
        far = self.table.far
        # During a game, a banner says when friends far away cannot come back.
        problem = None if self.table.phase in ("playing", "closing") and not again else far.problem
        sentence = problem or (far_line(far.code) if far.code is not None else FAR_WAITS if again else "")
        if sentence and (again or sentence != self._far):
            self.lines.say(sentence)
        self._far = sentence

    def say_banners(self) -> None:
        """Says each lost connection, request and return once."""
        before, shown = self._said, self._banners.current(asyncio.get_running_loop().time())
        self._said = {banner.topic for banner in shown}
        self.lines.say(*(banner.line for banner in shown if banner.topic not in before))

    async def _enter(self, former: str) -> None:
        table, say = self.table, self.lines.say
        if table.phase == "open":
            self.seat = self._step = None
        match table.phase:
            case "open" if self._counts:
                say("Setting up the table.")
            case "open" if table.addresses or not table.host:
                own = "Your table is open." if table.host else "You are seated."
                if former == "done" and not table.host:
                    own = f"{table.names[table.host_seat]} has opened the table again and chooses the next game."
                say(own if table.host or len(table.names) == table.seats else f"{own} Waiting for others to join.")
                ways = addresses_for_others(table.addresses) if table.host else ()
                say(*(f"Others can join with: kimberley join {way}" for way in ways))
                say(*([NEEDS_INTERFACE] if needs_interface(ways) else []))
                self._seated, self._ready = (), {}
                self._say_people()
                say(*(f"{label}: {said}." for label, said in option_lines(table.game, table.options)))
                say(*lobby_help(table, counts=self._counts))
            case "words" if table.phrase is not None and not table.agreed[table.seat]:
                for seat, name in enumerate(table.names):
                    if table.acquaintance[seat] == "changed":
                        say(f"Warning: the key of {name} has changed. Ask before you play.")
                say(f"The four words: {', '.join(table.phrase)}.",
                    "Compare them with everyone at the table. Type same if they match on every screen, different if "
                    "any word differs.", *([BY_TELEPHONE] if table.far.used else []))  # fmt: skip
            case "playing":
                self.seat, self._step = find_board(table.game.id).plain(table, self._audio), None
                told = self._start.told(table)
                begins = f"The game begins: {table.game.title}, with {join_names(table.names)}."
                say(begins, *([told] if told else []), *self.seat.describe())
                if self._guided:
                    self.seat.start_guide()
                    say(STOP_GUIDE)
                self._guided = False
            case "closing":
                result = table.peer.result if table.peer is not None else None
                why = reason_told(result, table.names, table.seat) if result is not None else ""
                say(f"The game is over: {why}." if why else "The game is over.", "Checking that the game was fair.")
            case "done":
                self.seat, self._step, self.finished = None, None, True
                say(*await in_background(partial(dossier_lines, table)))
                following = next_level(table)
                say(
                    "Type leave to return to the tournament."
                    if self._counts
                    else "Type again for a rematch, open to choose another game, leave to go."
                    if can_open(table, counts=self._counts)
                    else "Type again for a rematch, leave to go."
                    if following is None
                    else f"{following.why} Type next to play {following.label}, again for a rematch, leave to go."
                )
            case "failed" if self._counts and former == "done":
                pass  # The referee calls to the next round.
            case "failed":
                say(SAVED if table.adjourned else table.problem or "The table was closed.")
                if table.record is not None and former != "done":
                    say(f"The game so far is saved in {table.record}.")


def dossier_lines(table: TableLike) -> list[str]:
    """Returns what is known at the end of a game, and whether it was fair."""
    found: list[str] = []
    if table.audited is not None:
        found += find_board(table.game.id).dossier(table.audited, table.names, table.seat).lines
    verdict = table.verdict
    if is_practice(table):
        found.append(take_back.VERDICT)
    if verdict is not None:
        from kimberley.client.session.verdicts import verdict_sentence

        found.append(verdict_sentence(verdict, table.names))
    if table.record is not None:
        found.append(f"Record: {table.record}. Anyone can check it: kimberley verify FILE.")
    return found
