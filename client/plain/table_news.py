"""What the line mode says at a table: who comes and goes, what happens in the game, and the verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
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
from kimberley.client.session import clocks
from kimberley.client.session.banners import Banners
from kimberley.client.session.bots import is_practice
from kimberley.client.session.chat import unchecked_note
from kimberley.client.session.game_start import CHOOSE_AGAIN, LOST, GameStart
from kimberley.client.session.options import Terms, changed_terms
from kimberley.client.session.participants import (
    OTHER_OWNER,
    WaitTracker,
    choosing_seats,
    compared_with,
    is_called_bot,
    is_ready,
    may_be_far,
    missing_names,
    sits_beside_owner,
    you_removed,
)
from kimberley.client.session.rematches import is_asked, rematch_sentence
from kimberley.client.session.table_sounds import TableSounds
from kimberley.games.phrases import join_names
from kimberley.p2p.base.confusables import nicknames_of
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.notices import (
    CHECKING,
    CLOSED,
    GAME_OVER,
    SETTING_UP,
    game_over,
    record_saved,
)
from kimberley.p2p.sentences.options import option_lines
from kimberley.p2p.sentences.ways_to_join import (
    BY_PHONE,
    FAR_WAITS,
    NEEDS_INTERFACE,
    addresses_for_others,
    far_line,
    needs_interface,
)

if TYPE_CHECKING:
    from kimberley.p2p.table.events import ChatLine
    from kimberley.p2p.table.table import Table
SAVED: Final = "The game is saved for later. To resume, type resume here, or run kimberley resume --plain."


class TableNews:
    """Says what happens at a table, each thing once."""

    def __init__(
        self,
        table: Table,
        lines: ConsoleLike,
        audio: AudioLike,
        *,
        counts: bool = False,
        to_player: Callable[[str], str] = str,
        guides: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes `counts`: whether the game counts for a tournament, and `to_player`, which returns why the table has
        ended, as this player is told. Calls `guides` when a game begins: it returns whether a guide leads through the
        first turns.
        """
        now = asyncio.get_running_loop().time
        self.table, self.lines = table, lines
        self._counts, self._to_player, self._guides = counts, to_player, guides
        self._start = GameStart()
        self._audio, self._sounds = audio, TableSounds(table, audio)
        self.seat: LineMode | None = None
        """The player's seat in the game, while a game is played."""
        self.lobby_help: Callable[[], list[str]] = list
        self.end_help: Callable[[], str] = str
        """What can be typed before and after a game: set by the `TableCommands` that obey it."""
        self.finished = False
        """Whether a game was played to its end here."""
        self.waits = WaitTracker(table, now)
        self.banners = Banners(table, now, counts=counts)
        self._said: set[Hashable] = set()
        """The topics of the banners that were shown at the last call."""
        self._noted = False
        """Whether the player has been told what is not checked in the chat."""
        self._seated: tuple[str, ...] = ()
        self._removed: list[str] = []
        """Those whom the player has removed since the last call."""
        self._terms = Terms.of(table)
        self._waiting: tuple[str, ...] = ()
        """Those who waited for a seat at the last call."""
        self._ready: dict[str, bool] = {}
        self._phase = ""
        self._waited: list[str] = []
        self.wished: frozenset[int] = frozenset()
        """The other players who wanted a rematch at the last call."""
        self._far = ""
        self._peer: object = None
        self._step: int | None = None

    def on_event(self, event: Any) -> None:
        """Says what an event of the table means to the player."""
        from kimberley.p2p.sentences.table_events import notice_of
        from kimberley.p2p.table.events import ChatLine
        from kimberley.protocol.events import Resigned, SeatDeparted, Waiting

        self.waits.refresh()
        self.banners.refresh()
        self._sounds.on_event(event)
        own, names = self.table.occupants.seat, self.table.occupants.names
        match event:
            case SeatDeparted() if self.table.phase in ("closing", "done"):
                pass  # Nobody plays on: the reason why the game is over tells who resigned.
            case SeatDeparted(seat=seat) if seat == own:
                self.lines.say(f"{notices.YOU_HAVE_LEFT} You can keep listening. Type leave to go.")
            case ChatLine(seat=seat) if seat != own:
                self._say_chat(event)
            case Resigned(seat) if seat != own:
                self.lines.say(notices.resigned(names[seat]))
            case Waiting(seats) if self.table.phase == "playing":
                self._say_who_is_awaited(choosing_seats(self.table, seats))
            case _ if (notice := notice_of(event, names)) is not None:
                self.lines.say(notice.text)
        if self.seat is not None:
            self.lines.say(*self.seat.on_event(event))

    def _say_chat(self, line: ChatLine) -> None:
        name = self.table.occupants.names[line.seat]
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
        elif table.phase == "done" and not self._counts:
            self._say_wishes()
        self.say_far()
        self.say_banners()
        peer = table.peer
        if table.phase == "playing" and peer is not None and self.seat is not None:
            step = peer.asked.step if peer.asked is not None else None
            before, self._step = self._step, step
            if step is not None and step != before:
                self._audio.play(Sound.YOUR_MOVE)
                # The event that tells what has just happened may still be queued.
                self.lines.say(*self.seat.news(), *self.seat.guidance(), *self.seat.prompt(), *self._time())

    def _time(self) -> list[str]:
        """Returns the player's own clock in a sentence, if there is one and its time is known."""
        now, seat = asyncio.get_running_loop().time(), self.table.occupants.seat
        faces = () if clocks.clocks_unknown(self.table) else clocks.clock_faces(self.table, now)
        return [f"You have {notices.clock_digits(face.left)} left." for face in faces if face.seat == seat]

    def _say_who_is_awaited(self, seats: Sequence[int]) -> None:
        """Says once whose choice the table is waiting for, unless it is the player's own."""
        names = [] if self.table.occupants.seat in seats else [self.table.occupants.names[seat] for seat in seats]
        if names and names != self._waited:
            self.lines.say(notices.waiting_for(names))
        self._waited = names

    def _say_people(self, *, opens: bool = False) -> None:
        """Says who has come, left or become ready since the last call, and how many seats are taken if that has
        changed, or the table `opens`.
        """
        table, say = self.table, self.lines.say
        terms, self._terms = self._terms, Terms.of(table)
        sentence = changed_terms(table.occupants.names[table.host_seat], terms, self._terms)
        if sentence and table.phase == "open" and not table.host:
            say(sentence)
        own = table.occupants.names[table.occupants.seat]
        seated, self._seated = self._seated, tuple(table.occupants.names)
        removed, self._removed = self._removed, []
        gone = missing_names(seated, self._seated)
        changes = [you_removed(name) if name in removed else f"{name} left." for name in gone]
        if seated:
            changes += [f"{name} joined." for name in missing_names(self._seated, seated) if name != own]
        waiting, self._waiting = self._waiting, tuple(table.hosting.queue)
        changes += [f"{name} is waiting for a seat." for name in missing_names(self._waiting, waiting)]
        if changes or (seated and len(seated) != len(self._seated)) or opens:
            say(*changes, f"{len(table.occupants.names)} of {table.occupants.seats} seats taken.")
        before, self._ready = self._ready, {name: is_ready(table, n) for n, name in enumerate(table.occupants.names)}
        for name, ready in self._ready.items() if table.occupants.asks_ready else ():
            if ready != before.get(name, False) and name != own:
                say(f"{name} is ready." if ready else f"{name} is no longer ready.")

    def send_away(self, seat: int) -> None:
        """Removes the player at a seat, and says at the next call who removed them."""
        self._removed.append(nicknames_of(self.table.occupants.names)[seat])
        self.table.hosting.send_away(seat)

    def _say_wishes(self) -> None:
        """Says who wants a rematch, when another player begins to want one."""
        table, wished = self.table, self.wished
        others = table.rematch.again_from - {table.occupants.seat}
        self.wished = frozenset(seat for seat in others if not is_called_bot(table, seat))
        if self.wished - wished and not is_asked(table):
            self.lines.say(rematch_sentence(table))

    def say_far(self, *, again: bool = False) -> None:
        """Says the code for a friend far away, or why there is none, if it has changed."""
        far = self.table.far
        if far.problem and self.table.phase in ("playing", "closing", "failed") and not again:
            # During a game, a banner says when friends far away cannot come back.
            return
        sentence = far.problem or (far_line(far.code) if far.code is not None else FAR_WAITS if again else "")
        if sentence and (again or sentence != self._far):
            self.lines.say(sentence)
        self._far = sentence

    def say_banners(self) -> None:
        """Says each lost connection, request and return once."""
        before, banners = self._said, self.banners.current(asyncio.get_running_loop().time())
        # A player can come back twice in a few seconds.
        topics = [(banner.topic, banner.until if banner.tone == "good" else None) for banner in banners]
        self._said = set(topics)
        self.lines.say(*(banner.line for banner, topic in zip(banners, topics, strict=True) if topic not in before))

    async def _enter(self, former: str) -> None:
        table, say = self.table, self.lines.say
        if table.phase == "open":
            self.seat = self._step = None
        match table.phase:
            case "open" if self._counts or (former == "done" and all(table.occupants.readiness)):
                # After a game everybody is ready only for a rematch, which begins at once.
                say(SETTING_UP)
            case "open" if table.addresses or not table.host:
                others = [name for seat, name in enumerate(table.occupants.names) if seat != table.occupants.seat]
                own = "Your table is open." if table.host else f"You are seated with {join_names(others)}."
                if former == "done" and not table.host:
                    host = table.occupants.names[table.host_seat]
                    own = f"{host} has opened the table again to choose the next game."
                say(
                    own
                    if table.host or len(table.occupants.names) == table.occupants.seats
                    else f"{own} {notices.OTHERS_TO_JOIN}"
                )
                ways = addresses_for_others(table.addresses) if table.host else ()
                say(*(f"Others can join with: kimberley join {way}" for way in ways))
                say(*([NEEDS_INTERFACE] if needs_interface(ways) else []))
                self._ready = {}
                self._say_people(opens=True)
                say(f"Game: {table.game.title}.")
                say(*(f"{label}: {text}." for label, text in option_lines(table.game, table.occupants.options)))
                say(*self.lobby_help())
            case "words" if table.words.phrase is not None and not table.words.agreed[table.occupants.seat]:
                for seat, name in enumerate(table.occupants.names):
                    if table.words.acquaintance[seat] == "changed":
                        if sits_beside_owner(table, seat):
                            say(f"Warning: {OTHER_OWNER.format(name)} Someone else may be using that name.")
                        else:
                            say(f"Warning: {name}’s key has changed. Ask {name} before you play.")
                say(f"The four words: {', '.join(table.words.phrase)}.",
                    f"Compare them with {compared_with(table)}. Type same if they match on every screen, or "
                    "different if any word differs.", *([BY_PHONE] if may_be_far(table) else []))  # fmt: skip
            case "playing":
                self.seat, self._step = find_board(table.game.id).plain(table, self._audio), None
                notice = self._start.told(table)
                notice = CHOOSE_AGAIN if notice == LOST else notice
                say(self._beginning(), *([notice] if notice else []), *self.seat.describe())
                if self._guides():
                    self.seat.start_guide()
                    say(STOP_GUIDE)
            case "closing":
                result = table.peer.result if table.peer is not None else None
                why = reason_told(result, table.occupants.names, table.occupants.seat) if result is not None else ""
                say(game_over(why) if why else GAME_OVER, *(() if is_practice(table) else (CHECKING,)))
            case "done":
                self.seat, self._step, self.finished, self.wished = None, None, True, frozenset()
                say(*await in_background(partial(dossier_lines, table)))
                say(self.end_help())
            case "failed" if self._counts and former == "done":
                pass  # The referee calls to the next round.
            case "failed":
                say(SAVED if table.adjournment.adjourned else self._to_player(table.problem or CLOSED))
                if table.ending.record is not None and former != "done":
                    say(f"The record of the game so far is saved in {table.ending.record}.")

    def _beginning(self) -> str:
        """Says that the game begins, or that the player is back in it."""
        title, occupants, peer = self.table.game.title, self.table.occupants, self.table.peer
        if not self.table.play.resumed or peer is None or not peer.story:
            return f"The game begins: {title}, with {join_names(occupants.names)}."
        return f"You are back in {title}."


def dossier_lines(table: Table) -> list[str]:
    """Returns what is known at the end of a game, and whether it was fair."""
    lines: list[str] = []
    if table.ending.audited is not None:
        lines += (
            find_board(table.game.id).dossier(table.ending.audited, table.occupants.names, table.occupants.seat).lines
        )
    verdict = table.ending.verdict
    if is_practice(table):
        lines.append(take_back.VERDICT)
    elif verdict is not None:
        from kimberley.p2p.sentences.verdicts import verdict_sentence

        lines.append(verdict_sentence(verdict, table.occupants.names))
    if table.ending.record is not None:
        lines.append(record_saved(table.ending.record))
    elif table.problem is not None:
        lines.append(table.problem)
    return lines
