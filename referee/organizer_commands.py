"""What an organizer can type, at the referee's machine or on its page, and what is done about it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from kimberley.p2p.base.keyboard import split_command
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.tournaments import describe_next_round, describe_order
from kimberley.p2p.tournament.naming import DRAW, NOBODY
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.tournament.players import HAS_ENDED
from kimberley.p2p.tournament.settings import MOST_ROUNDS
from kimberley.p2p.tournament.tournament import ENROLLING, Tournament
from kimberley.referee.named_players import UnclearName, find_player
from kimberley.referee.organizer import Organizer
from kimberley.referee.sentences import next_button

_TIME: Final = re.compile(r"(\d{1,5})(s|m|h)?")
_UNITS: Final = {None: 1, "s": 1, "m": 60, "h": 3600}


class Misspelled(Exception):
    """The text says how the command is typed, or what it lacks."""


@dataclass(frozen=True)
class OrganizerCommand:
    """A command: its word, what follows the word, and what it does.

    `run` returns why it was not done, or None.
    """

    word: str
    usage: str
    effect: str
    run: Callable[[Organizer, Tournament, str], Awaitable[str | None]]


def _table(text: str) -> int:
    """Returns the number of a table, from 0."""
    if not text:
        raise Misspelled("Type the number of the table.")
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 1 << 16:
        raise Misspelled(f'No table "{clean(text, 20)}". Type its number.')
    return int(text) - 1


def _seconds(text: str) -> int:
    if not text:
        raise Misspelled("Type a time like 90s or 5m.")
    if (match := _TIME.fullmatch(text)) is None:
        raise Misspelled(f'"{clean(text, 20)}" is not a time. Type it like 90s or 5m.')
    return int(match[1]) * _UNITS[match[2]]


def _player(tournament: Tournament, typed: str) -> bytes:
    """Returns the player that a name means. Raises UnclearName."""
    return find_player(tournament.players, tournament.names, typed)


def _seated(tournament: Tournament, number: int, names: str) -> list[bytes]:
    """Returns the players at a table with these names, separated by commas; all for no name; none if there is no such
    table, which the organizer says. Raises UnclearName.
    """
    round = tournament.round
    if round is None or number >= len(round.tables):
        return []
    seats = round.tables[number].seats
    meant = [
        find_player(tournament.players, tournament.names, name, seats, f"at table {number + 1}")
        for name in filter(None, map(str.strip, names.split(",")))
    ]
    return meant or list(seats)


async def _add(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    table, _, more = rest.partition(" ")
    names, _, time = more.strip().rpartition(" ")
    number, seconds = _table(table), _seconds(time)
    return await organizer.add_time(number, _seated(tournament, number, names), seconds)


async def _pause(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    return await organizer.pause(_table(rest) if rest else None)


async def _resume(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    return await organizer.resume(_table(rest) if rest else None)


async def _decide(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    head, _, reason = rest.partition(":")
    table, _, who = head.partition(" ")
    number, who = _table(table), who.strip()
    if not who:
        raise Misspelled(f"Who won? Type a name, {DRAW} or {NOBODY}.")
    word = who.casefold()
    try:
        winners = [] if word == NOBODY else _seated(tournament, number, "" if word == DRAW else who)
    except UnclearName as error:
        if " " not in who or "," in who:
            raise
        raise UnclearName(f"{error} Separate several names with commas.") from None
    return await organizer.decide(number, winners, reason.strip())


async def _replay(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    table, _, reason = rest.partition(":")
    return await organizer.replay(_table(table.strip()), reason.strip())


async def _undo(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    table, _, reason = rest.partition(":")
    return await organizer.undo(_table(table.strip()) if table.strip() else None, reason.strip())


async def _say(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    return await organizer.announce(rest)


async def _close(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament, rest
    return await organizer.close_entry()


async def _start(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del rest
    return await organizer.schedule(0) if tournament.phase == ENROLLING else "It has already started."


async def _withdraw(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    if not rest:
        raise Misspelled("Type the name of the player.")
    return await organizer.withdraw(_player(tournament, rest))


async def _readmit(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    if not rest:
        raise Misspelled("Type the name of the player.")
    return await organizer.readmit(_player(tournament, rest))


async def _ban(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    name, _, reason = rest.partition(":")
    if not name.strip():
        raise Misspelled("Type the name of the player.")
    return await organizer.ban(_player(tournament, name), reason.strip())


async def _bye(organizer: Organizer, tournament: Tournament, rest: str, *, granted: bool = True) -> str | None:
    number, _, name = rest.partition(" ")
    if not number:
        raise Misspelled("Type the number of the round.")
    if not number.isascii() or not number.isdigit() or not 0 < int(number) <= MOST_ROUNDS:
        raise Misspelled(f'No round "{clean(number, 20)}". Type its number.')
    if not name.strip():
        raise Misspelled("Type the name of the player.")
    return await organizer.grant_bye(int(number), _player(tournament, name), granted=granted)


async def _team(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    name, _, people = rest.partition(":")
    members = [_player(tournament, one) for one in people.split(",") if one.strip()]
    if not name.strip() or not members:
        raise Misspelled("Type the team and its players.")
    return await organizer.form_team(name.strip(), members)


async def _next(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    return await organizer.schedule(_seconds(rest) if rest else 0)


async def _finish(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament, rest
    return await organizer.finish()


async def _hold(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament, rest
    return await organizer.schedule(None)


COMMANDS: Final = {
    command.word: command
    for command in (
        OrganizerCommand("start", "", "start the first round once enough players are here", _start),
        OrganizerCommand(
            "next", "[TIME]", "start the next round after this one, but no sooner than TIME from now", _next
        ),
        OrganizerCommand("hold", "", "make the next round, or the end, wait until you type next", _hold),
        OrganizerCommand("finish", "", "end the tournament after this round, or an arena after its games", _finish),
        OrganizerCommand("add", "TABLE [NAME] TIME", "give a player, or a whole table, more time", _add),
        OrganizerCommand("pause", "[TABLE]", "stop the clocks of one table, or of all", _pause),
        OrganizerCommand("resume", "[TABLE]", "start the clocks again", _resume),
        OrganizerCommand(
            "decide",
            f"TABLE NAME[, NAME ...]|{DRAW}|{NOBODY}: REASON",
            "end the game at a table by your decision",
            _decide,
        ),
        OrganizerCommand("replay", "TABLE: REASON", "have a table of this round play its game again", _replay),
        OrganizerCommand(
            "undo",
            "[TABLE]: REASON",
            "undo your latest decision, or the one at TABLE, and have the game played again",
            _undo,
        ),
        OrganizerCommand("say", "TEXT", "send everyone a message", _say),
        OrganizerCommand("close", "", "close the tournament to new players", _close),
        OrganizerCommand("team", "TEAM: NAME, ...", "form a team of players who are here, before the start", _team),
        OrganizerCommand("bye", "ROUND NAME", "give a player a half-point bye in a coming round of a Swiss", _bye),
        OrganizerCommand("nobye", "ROUND NAME", "cancel that bye", partial(_bye, granted=False)),
        OrganizerCommand("withdraw", "NAME", "withdraw a player", _withdraw),
        OrganizerCommand("readmit", "NAME", "let a player who has withdrawn play again", _readmit),
        OrganizerCommand("ban", "NAME: REASON", "remove a player from the tournament for good", _ban),
    )
}


def usage() -> list[tuple[str, str]]:
    """Returns what can be typed, and what it does."""
    return [(f"{command.word} {command.usage}".rstrip(), command.effect) for command in COMMANDS.values()]


def split_order(line: str) -> tuple[str, str]:
    """Splits a typed line into the word of its command and the rest."""
    word, rest = split_command(line)
    # The table that this word can have before its colon was left out.
    return ("undo", f": {rest}") if word == "undo:" else (word, rest)


async def obey_organizer(organizer: Organizer, line: str) -> OrderReply:
    """Does what a line says."""
    word, rest = split_order(line)
    command = COMMANDS.get(word)
    if command is None:
        unknown = "" if word.lower() == "help" else f'No command "{clean(word, 20)}" here. '
        return OrderReply(False, f"{unknown}Commands: {', '.join(COMMANDS)}.")
    if organizer.tournament.ended:
        return OrderReply(False, HAS_ENDED)
    try:
        reason = await command.run(organizer, organizer.tournament, rest.strip())
    except Misspelled as error:
        return OrderReply(False, f"{error} (usage: {command.word} {command.usage})")
    except UnclearName as error:
        return OrderReply(False, str(error))
    return OrderReply(reason is None, reason or "")


async def obey_page(organizer: Organizer, line: str) -> OrderReply:
    """Does what a line sent by the organizer's page says. The reply says what came of it, as later lines do in the
    terminal: a page has none.
    """
    before = organizer.event_count
    reply = await obey_organizer(organizer, line)
    if not reply.done:
        return reply
    now = organizer.tournament
    button = f"you choose {next_button(now)}"
    sentences = [
        describe_next_round(now, waits_until=button) if event == now.scheduled else describe_order(now, event)
        for event in organizer.events_since(before)
    ]
    return OrderReply(True, " ".join(filter(None, sentences)))
