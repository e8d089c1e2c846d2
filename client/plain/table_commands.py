"""What a player can type at a table in the line mode, and what is done about it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.boards import advice, take_back
from kimberley.client.boards.guide import OFFER
from kimberley.client.boards.guide import STOPS as STOP_GUIDE
from kimberley.client.boards.line_mode import LOG, LineMode
from kimberley.client.boards.rules_page import rules_lines
from kimberley.client.plain.console import ConsoleLike
from kimberley.client.plain.table_news import SAVED, TableNews
from kimberley.client.plain.table_options import change_by, describe_options
from kimberley.client.session.banners import HAS_RESIGNED, NOT_RECEIVED, RESIGNS_LATER, WAITS_ON, is_deserted
from kimberley.client.session.bots import can_seat_bots, is_aided, is_practice
from kimberley.client.session.chat import NOBODY, can_talk, why_silent
from kimberley.client.session.copy_offer import CopyOffer
from kimberley.client.session.next_level import next_level
from kimberley.client.session.participants import (
    can_resign,
    choosing_seats,
    continues_without_you,
    leaving_saves,
    only_bots,
    removable_seats,
    removal_warning,
    waits_for_you,
    without_you,
    words_differ,
)
from kimberley.client.session.rematches import can_rematch, is_asked, rematch_sentence
from kimberley.client.session.services import Services
from kimberley.client.session.table_sharing import ENDED, INVITATION, TableSharing, offer_lines
from kimberley.games.phrases import join_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.keyboard import as_latin, keyboard_told, split_command
from kimberley.p2p.base.tasks import BackgroundTasks, task_scope
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.notices import YOU_HAVE_LEFT, not_possible
from kimberley.p2p.sharing.one_line import CommandShell

if TYPE_CHECKING:
    from kimberley.client.session.settings import Settings
    from kimberley.p2p.table.events import ChatLine
    from kimberley.p2p.table.table import Table

LOST: Final = (
    "This game counts for the tournament: if you leave, the referee will count it as a loss. Type leave again to "
    "confirm."
)
LEAVING_ALONE: Final = (
    "If you leave, you cannot come back to this game. To save it for later, type save. Type leave again to confirm."
)
LEAVING: Final = "To resume later, type quit: the game is saved. Type leave again to confirm."
UNKNOWN: Final = "Unknown command. Type help for a list of commands."
NOT_NOW: Final = "You cannot do that now. Type help for a list of commands."
NO_REQUEST: Final = "Nobody has asked to save the game for later."
NO_FREE_SEAT: Final = "All seats are taken."
REMOVES_BOT: Final = "To remove a bot, type no bot."
NOT_SHARED: Final = "You are not sharing the program."
RESIGNING: Final = "You would lose the game, and you cannot undo it. Type resign again to confirm."

OTHER_TIMES: Final = frozenset((
    "say", "talk", "state", "repeat", "log", "rules", "wait", "save", "aside", "guide", "hint", "resign", "same",
    "different", "ready", "bot", "remove", "share", "far", "options", "option", "game", "seats", "adjust", "waiting",
    "open", "rematch", "next", "leave", "alone", "levels", "host", "list", "join", "watch", "resume", "finished",
    "games", "nickname", "tables", "standings", "withdraw", "story",
))  # fmt: skip
"""Words that help names somewhere. No game's own commands begin with any of them."""


# -- what can be typed, in sentences -----------------------------------------------------------------------------------

CHAT: Final = "say TEXT: chat with the others. talk: hear the chat."
POSITION: Final = "state: hear the position. repeat: hear the question again. rules: hear the rules."
TURN: Final = "wait: hear whose turn it is."
CLOCKS: Final = "wait: hear whose turn it is, and the clocks."
SAVE: Final = "save: ask to save the game for later, or agree to it. keep playing: refuse, or take your request back."
SAVE_ALONE: Final = "save: save the game for later."
STOP: Final = "stop waiting: stop waiting for a player who has been away too long."
RESIGN: Final = "resign: lose the game."
RESIGN_FROM_OTHERS: Final = "resign: lose the game; the others play on."
FOR_GOOD: Final = "leave: leave the table for good."
QUIT: Final = "quit: end the program; the game is saved, and you can resume it. help: hear this."
LOSE: Final = "leave: leave the table and lose the game."
COME_BACK: Final = "quit: end the program; join the tournament again to come back."
RULES: Final = "rules: hear the rules. help: hear this."
LEAVE: Final = "leave: return to the main menu."
WORDS: Final = (
    "same: say that the four words match on every screen. different: say that they do not, and leave the table."
)
PAIRED_WORDS: Final = (
    "same: say that the four words match on every screen. different: say that they do not; the referee sets up a new "
    "table."
)
OPTIONS: Final = "options: hear the game and its options, and how to change them."
START: Final = "ready: start the game once everyone is here."
OPEN: Final = "ready: say that you are ready. not ready: say that you are not."
FAR: Final = "far: get a code for a friend who is far away. far new: replace a code that does not work."
SHARE: Final = "share: give this program to a friend who does not have it. no share: stop."
REMOVE: Final = "remove NAME: remove a player who keeps the others waiting."
BOTS: Final = "bot: add a bot. no bot: remove one."


def menu_help(table: Table, *, counts: bool) -> list[str]:
    """Returns what can be typed at a table whatever the game is: during a game, before it or after it."""
    chat = [] if only_bots(table) else [CHAT]
    if waits_for_you(table):
        plays = table.phase == "playing"
        resign = f"{RESIGN_FROM_OTHERS if continues_without_you(table) else RESIGN} " if plays else ""
        if counts:
            return [f"{POSITION} {CLOCKS}", *chat, f"{resign}{LOSE}", f"{COME_BACK} help: hear this."]
        save = [SAVE if chat else SAVE_ALONE] if plays else []
        return [f"{POSITION} {TURN}", *chat, *save, *([STOP] if chat else []), f"{resign}{FOR_GOOD}", QUIT]
    if table.phase in ("playing", "closing"):
        return [f"{POSITION} {TURN}", *chat, end_help(table, counts=counts) if counts else LEAVE]
    if table.phase == "done":
        return [RULES, *chat, end_help(table, counts=counts), *([COME_BACK] if counts else [])]
    return [RULES, *chat, *([LOSE, COME_BACK] if counts else [LEAVE])]


def end_help(table: Table, *, counts: bool) -> str:
    """Returns what can be done after a game."""
    if counts:
        return "Type leave to return to the tournament."
    rematch = "rematch to play again, " if can_rematch(table) and not is_asked(table) else ""
    if can_open(table, counts=counts):
        return f"Type {rematch}open to choose another game, or leave to go."
    if not rematch:
        return "Type leave to go."
    if (following := next_level(table)) is not None:
        return f"{following.why} Type next to play {following.label}, rematch to play again, or leave to go."
    return "Type rematch to play again, or leave to go."


def lobby_help(table: Table, *, counts: bool) -> list[str]:
    """Returns what can be typed before the game, if there is anything to do except wait."""
    removes = [REMOVE] if removable_seats(table) and not counts else []
    if table.phase != "open":
        return [*([PAIRED_WORDS if counts else WORDS] if table.words.phrase is not None else []), *removes]
    asks = [OPEN] if table.occupants.asks_ready else [START] if starts(table) else []
    options = [OPTIONS] if table.host and not counts else []
    bots = [BOTS] if can_seat_bots(table) else []
    return asks + options + bots + removes + ([FAR, SHARE] if can_share(table, counts=counts) else [])


def starts(table: Table) -> bool:
    """Returns whether the player, as the host, starts the game after another one."""
    return table.host and table.hosting.begins


def can_open(table: Table, *, counts: bool) -> bool:
    """Returns whether the player can open their own table again after a game."""
    return table.host and table.phase == "done" and not counts and not only_bots(table)


def can_share(table: Table, *, counts: bool) -> bool:
    """Returns whether the table is the player's own, and somebody can reach it."""
    return table.host and bool(table.port) and not counts


# -- what is done about it ---------------------------------------------------------------------------------------------


class Typed(NamedTuple):
    """A line: its first word and the rest as they were meant, in lower case, the rest as it was typed, and the command
    before which the player was just warned.
    """

    word: str
    rest: str
    text: str
    warned: str


class TableCommands:
    """Obeys what a player types at a table."""

    def __init__(
        self,
        news: TableNews,
        services: Services,
        settings: Settings,
        tasks: BackgroundTasks,
        sharing: TableSharing,
        *,
        counts: bool,
    ) -> None:
        """Takes `settings`, which say how bots and other games are set up; `counts` says whether the game counts for a
        tournament.
        """
        self.table: Table = news.table
        self.lines: ConsoleLike = news.lines
        self._news, self._services, self._settings, self._counts = news, services, settings, counts
        self._tasks, self._sharing = tasks, sharing
        news.lobby_help = partial(lobby_help, news.table, counts=counts)
        news.end_help = partial(end_help, news.table, counts=counts)
        self.choices_to_keep: int | None = None
        """How many of the player's choices are kept when the player takes one back. The game then goes on at a new
        table.
        """
        self.next_level: int | None = None
        """The level at which the player goes on alone, at a new table."""
        self._warned = ""
        """The command before which the player has just been warned."""

    def obey(self, line: str) -> bool:
        """Does what the player typed. Returns False if the player leaves the table. Raises EOFError to quit."""
        word, text = split_command(line)
        typed = Typed(word, as_latin(text).lower(), text, self._warned)
        self._warned = ""
        if not line:
            self.lines.say(*(self._news.seat.next_note() if self._news.seat is not None else []))
            return True
        for part in (
            self._ask,
            self._chat,
            self._wait,
            self._leave,
            self._set_up,
            self._compare_words,
            self._go_on,
            self._get_help,
        ):
            if (goes_on := part(typed)) is not None:
                return goes_on
        self._choose(line)
        return True

    # Each part obeys the commands for one matter. It returns None for any other command, else what `obey` returns.

    def _ask(self, typed: Typed) -> bool | None:
        """Says how things stand, and what can be typed."""
        table, say, seat = self.table, self.lines.say, self._news.seat
        match typed.word:
            case "help" | "?":
                menu = menu_help(table, counts=self._counts)
                before = table.phase in ("open", "words")
                open_help = lobby_help(table, counts=self._counts) if before else []
                guide = [OFFER] if seat is not None and seat.can_guide else []
                aided = seat is not None and is_aided(table) and can_resign(table)
                hint = [advice.OFFER, take_back.OFFER] if aided else []
                say(*(seat.help() if seat is not None else open_help), *menu, *guide, *hint)
            case "rules":
                say(*rules_lines(table.game.id))
            case "state" if seat is not None:
                say(*seat.describe())
            case "repeat" if seat is not None:
                say(*(seat.prompt() or [self._idle()]))
            case _:
                return None
        return True

    def _chat(self, typed: Typed) -> bool | None:
        table, say, text = self.table, self.lines.say, typed.text
        match typed.word:
            case "say" if not can_talk(table):
                say(why_silent(table))
            case "say" if text:
                table.chat.say(text)
            case "say":
                say("Type say and your text.")
            case "talk":
                messages = [f"{self._speaker(line)}: {line.text}" for line in table.chat.lines]
                say(*(messages or ["No messages yet."]))
            case _:
                return None
        return True

    def _wait(self, typed: Typed) -> bool | None:
        """Waits for those who are away, saves the game for later, or stops waiting."""
        table, say = self.table, self.lines.say
        seat = table.occupants.seat
        match typed.word, typed.rest:
            case "save" | "aside", _ if table.adjournment.can_adjourn and is_deserted(table):
                if table.play.unsaved:
                    say(NOT_RECEIVED)
                self._tasks.start(table.suspend(SAVED))
            case "save" | "aside", _ if table.phase == "playing" and seat in table.adjournment.adjourn_from:
                self._repeat("own aside")
            case "save" | "aside", _ if table.adjournment.can_adjourn:
                table.adjournment.vote(True)
            case ("keep", "playing") | ("play", "on") if table.phase == "playing" and table.adjournment.adjourn_from:
                self._news.banners.keep_playing()
            case ("keep", "playing") if table.phase == "playing":
                say(NO_REQUEST)
            case ("stop" | "keep", "waiting") | ("give", "up") if seat in table.abandonment.abandon_from:
                self._repeat("own abandon")
            case ("stop", "waiting") | ("give", "up"):
                self._give_up()
            case ("keep", "waiting") | ("wait", "on") if table.abandonment.abandon_from:
                say(WAITS_ON)
            case ("wait" | "keep", "waiting") | ("wait", _):
                say(*self._waits())
            case _:
                return None
        return True

    def _leave(self, typed: Typed) -> bool | None:
        """Quits the program, leaves the table or resigns; warns first where that costs the player something."""
        table = self.table
        loses = self._counts and (table.phase == "words" or waits_for_you(table))
        match typed.word:
            case "quit" if self._counts or waits_for_you(table):
                raise EOFError
            case "leave" if loses and typed.warned != "leave":
                self._warn("leave", LOST)
            case "leave" if leaving_saves(table):
                self._repeat("aside")
            case "leave" if typed.warned != "leave" and waits_for_you(table) and only_bots(table):
                self._warn("leave", LEAVING_ALONE)
            case "leave" if typed.warned != "leave" and waits_for_you(table):
                self._warn("leave", without_you(table), LEAVING)
            case "leave" | "quit":
                if table.phase == "done" and not self._counts:
                    table.departures.leave()
                return False
            case "resign" if table.phase == "playing" and not can_resign(table):
                waits = continues_without_you(table) and not choosing_seats(table, [table.occupants.seat])
                later = RESIGNS_LATER if waits else HAS_RESIGNED
                self.lines.say(later if table.play.resigning else YOU_HAVE_LEFT)
            case "resign" if table.phase == "playing" and typed.warned != "resign":
                self._warn("resign", RESIGNING)
            case "resign" if table.phase == "playing":
                table.play.resign()
            case _:
                return None
        return True

    def _set_up(self, typed: Typed) -> bool | None:
        """Gets the table ready for its game: players, bots, and copies for friends."""
        table = self.table
        opens, can_host_bots = table.phase == "open", can_seat_bots(table)
        if opens and table.host and not self._counts:
            lines = change_by(table, self._settings, typed.word, typed.rest)
            if lines is not None:
                self.lines.say(*lines)
                return True
        match typed.word, typed.rest:
            case "options", _ if table.phase in ("open", "words"):
                self.lines.say(*describe_options(table))
            case ("ready", _) | ("not", "ready") if opens and not (table.occupants.asks_ready or starts(table)):
                self.lines.say(*self._waits())
            case "ready", _ if opens:
                self.lines.say("You are ready.")
                table.seating.ready(True)
            case "not", "ready" if opens:
                self.lines.say("You are not ready.")
                table.seating.ready(False)
            case "bot", _ if opens and can_host_bots and len(table.occupants.names) < table.occupants.seats:
                self._tasks.start(self._seat_bot())
            case "bot", _ if opens and can_host_bots:
                self.lines.say(NO_FREE_SEAT)
            case "no", "bot" if opens and can_host_bots:
                self._send_bot_away()
            case "remove", _ if removable_seats(table) and not self._counts:
                self._remove(typed.text, confirmed=typed.warned == f"remove {typed.text}")
            case "remove", _ if table.host and table.phase in ("open", "words") and not self._counts:
                self.lines.say(REMOVES_BOT if "bot" in table.words.acquaintance else NOBODY)
            case "share", _ if opens and can_share(table, counts=self._counts):
                self._tasks.start(self._share())
            case "far", rest if opens and can_share(table, counts=self._counts):
                self._invite_far(anew=rest == "new")
            case "no", "share" if can_share(table, counts=self._counts):
                self._tasks.start(self._end_sharing())
            case _:
                return None
        return True

    def _compare_words(self, typed: Typed) -> bool | None:
        match typed.word:
            case "same" if self.table.phase == "words":
                self.table.words.answer(True)
                return True
            case "different" if self.table.phase == "words":
                self.lines.say(words_differ(counts=self._counts))
                self.table.words.answer(False)
                return False
        return None

    def _go_on(self, typed: Typed) -> bool | None:
        """Obeys a command for after a game: another game, here or at the next level. Returns None for any other."""
        table, say = self.table, self.lines.say
        match typed.word:
            case "open" if can_open(table, counts=self._counts):
                table.hosting.open_again()
            case "rematch" if table.phase == "done" and self._counts:
                say("The referee decides who plays next. Type leave to return to the tournament.")
            case "rematch" if table.phase == "done":
                table.rematch.want()
                if table.phase == "done":
                    say(rematch_sentence(table))
            case "next" if (following := next_level(table)) is not None:
                table.departures.leave()
                self.next_level = following.number
                return False
            case _:
                return None
        return True

    def _get_help(self, typed: Typed) -> bool | None:
        """Obeys a command for the guide and, for a player who plays alone, for a hint or a choice taken back."""
        seat = self._news.seat
        if seat is None:
            return None
        match typed.word, typed.rest:
            case "guide", _ if seat.can_guide:
                seat.start_guide()
                self.lines.say(*(seat.guidance() or [STOP_GUIDE]))
            case "no", "guide":
                self.lines.say(seat.stop_guide())
            case advice.TYPED, _ if is_aided(self.table):
                self._tasks.start(self._advise(seat))
            case take_back.WORD, take_back.MORE if is_aided(self.table):
                return self._take_back(seat, again=typed.warned == take_back.WORD)
            case take_back.WORD, take_back.MORE:
                self.lines.say(NOT_NOW)
            case _:
                return None
        return True

    def _warn(self, command: str, *sentences: str) -> None:
        """Says what a command would cost. The same command once more, right after it, does it."""
        self._warned = command
        self.lines.say(*sentences)

    def _take_back(self, seat: LineMode, *, again: bool) -> bool:
        """Takes the last choice back; asks first if the game is not practice yet. Returns False if it does."""
        choices = seat.choices_to_keep()
        if choices is None:
            self.lines.say(take_back.NOTHING)
        elif not is_practice(self.table) and not again:
            self._warn(take_back.WORD, seat.take_back_warning, take_back.AGAIN)
        else:
            self.choices_to_keep = choices
            self.lines.say(take_back.DOING)
        return self.choices_to_keep is None

    async def _advise(self, seat: LineMode) -> None:
        """Says what a bot advises now. Commands typed meanwhile are obeyed."""
        self.lines.say(advice.THINKING)
        adviser = seat.adviser()
        async with task_scope() as tasks:
            advising = tasks.start(adviser.advise())
            await asyncio.wait({advising}, timeout=advice.SOON)
            if not advising.done() and (so_far := adviser.so_far()):
                self.lines.say("Hint so far:", so_far, adviser.doing)
            hint = await advising
        if hint in advice.NO_HINTS:
            self.lines.say(hint)
            return
        self.lines.say("Hint:", hint, *([adviser.spelled] if adviser.spelled else []))

    def _repeat(self, topic: str) -> None:
        """Says once more what the player has asked of the others."""
        self.lines.say(*self._said_of(topic))

    def _said_of(self, topic: str) -> list[str]:
        """Returns what the banners of a topic say now."""
        banners = self._news.banners.current(asyncio.get_running_loop().time())
        return [
            banner.line
            for banner in banners
            if topic == (banner.topic[0] if isinstance(banner.topic, tuple) else banner.topic)
        ]

    def _give_up(self) -> None:
        from kimberley.protocol.play import NotAllowed

        try:
            self.table.abandonment.declare()
        except NotAllowed as error:
            # Where somebody is awaited, the banner says when that is possible, and what must happen first.
            self.lines.say(*(self._said_of("awaited") or [f"You cannot stop waiting: {error}."]))

    async def _seat_bot(self) -> None:
        try:
            await self._services.seat_bot(self.table, self._settings.level)
        except UserError as error:
            self.lines.say(str(error))

    def _invite_far(self, *, anew: bool) -> None:
        """Asks for a code for a friend who is far away, or says the one that there is."""
        try:
            self._services.invite_far(self.table, anew=anew)
        except UserError as error:
            self.lines.say(str(error))
            return
        self._news.say_far(again=True)

    async def _share(self) -> None:
        """Shares this program, unless it is shared already, and says what a friend must type."""
        if self._sharing.offer is None:
            self.lines.say("Building a copy. This can take a few seconds.")
        if (offer := await self._offered()) is not None:
            self.lines.say(INVITATION)
            self.lines.show(offer.lines[CommandShell.SH])
            self.lines.say(*offer_lines(offer, far=self.table.far.used), "To stop, type no share.")

    async def serve_page_again(self) -> None:
        """Serves the page again for those who play at this table in it, after the table was resumed."""
        await self._sharing.resume(self.lines.say)
        if (offer := self._sharing.offer) is not None:
            self.lines.say(f"The page is back at {offer.site}")

    async def _offered(self) -> CopyOffer | None:
        """Serves the copy for a friend and returns it. If it cannot be served, says why."""
        try:
            await self._sharing.start()
        except UserError as error:
            self.lines.say(str(error))
        return self._sharing.offer

    async def _end_sharing(self) -> None:
        shared = self._sharing.is_shared
        await self._sharing.stop()
        self.lines.say(ENDED if shared else NOT_SHARED)

    def _remove(self, name: str, *, confirmed: bool) -> None:
        """Removes the player of that name from the player's own table, once the player has confirmed it."""
        table = self.table
        seats = {table.occupants.names[seat].casefold(): seat for seat in removable_seats(table)}
        seat = seats.get(name.casefold())
        if seat is None:
            others = join_names([table.occupants.names[seat] for seat in seats.values()])
            self.lines.say(f"Type remove and the name of a player at your table: {others}.")
        elif not confirmed:
            self._warn(
                f"remove {name}", removal_warning(table.occupants.names[seat]), f"Type remove {name} again to confirm."
            )
        else:
            self._news.send_away(seat)

    def _send_bot_away(self) -> None:
        bots = [seat for seat, known in enumerate(self.table.words.acquaintance) if known == "bot"]
        if bots:
            self._news.send_away(bots[-1])
        else:
            self.lines.say("There is no bot at your table.")

    def _waits(self, *, idle: bool = False) -> list[str]:
        """Says whom the table waits for: not for a player who is done, or `idle`; only their program is not."""
        if self.table.phase == "done" and (is_asked(self.table) or self._news.wished):
            return [rematch_sentence(self.table)]
        idle = idle or self.table.phase == "closing"
        done = idle or (self._news.seat is not None and self._news.seat.is_done)
        return self._news.waits.sentences(asyncio.get_running_loop().time(), done=done)

    def _idle(self) -> str:
        """Says that there is nothing to choose, and whom the table waits for."""
        # Between two choices, the programs go on by themselves.
        waits = (line for line in self._waits(idle=True) if line != notices.NOBODY_AWAITED)
        return " ".join((notices.NOTHING_TO_DO, *waits))

    def _speaker(self, line: ChatLine) -> str:
        """Returns who wrote a line, and whether that is unchecked."""
        name = self.table.occupants.names[line.seat]
        return name if line.checked else f"{name}, unchecked"

    def _choose(self, line: str) -> None:
        """Makes the pending choice, or a part of it."""
        from kimberley.protocol.play import NotAllowed

        notes = keyboard_told(line, self.table.occupants.names)
        word, _ = split_command(line)
        plays = self._news.seat is not None and self.table.phase in ("playing", "closing")
        if word in OTHER_TIMES and not (plays and word == LOG):
            self.lines.say(NOT_NOW)
        elif self._news.seat is None or not plays:
            self.lines.say(*notes, UNKNOWN)
        else:
            reply = self._news.seat.submit(as_latin(line, self.table.occupants.names))
            idle = reply.lines == (notices.NOTHING_TO_DO,)
            self.lines.say(*notes, *([self._idle()] if idle else reply.lines))
            if reply.done:
                try:
                    self._news.seat.hand_in(reply.choice)
                except NotAllowed as error:
                    self.lines.say(not_possible(error))
                if self.table.play.unsaved:
                    self.lines.say(notices.NOT_SENT)
