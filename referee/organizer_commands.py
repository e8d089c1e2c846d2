"""What an organizer can type, at the referee's machine or on its page, and what is done about it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.base.keyboard import split_command
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.tournaments import describe_next_round
from kimberley.p2p.tournament.naming import DRAW, NOBODY, UnclearName, find_player
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.tournament.tournament import ENROLLING, Tournament
from kimberley.referee.organizer import Organizer

_TIME: Final = re.compile(r"(\d{1,5})(s|m|h)?")
_UNITS: Final = {None: 1, "s": 1, "m": 60, "h": 3600}


class Misspelled(Exception):
    """The text says how the command is typed, or what it lacks."""


@dataclass(frozen=True)
class OrganizerCommand:
    """A command: its word, what follows the word, and what it does.

    `run` returns why it was not done, or None. `outcome` says what the tournament does now.
    """

    word: str
    usage: str
    effect: str
    run: Callable[[Organizer, Tournament, str], Awaitable[str | None]]
    outcome: Callable[[Tournament], str | None] = lambda _: None


def _table(text: str) -> int:
    """The number of a table from 0."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 1 << 16:
        raise Misspelled(f'No table "{clean(text, 20)}". Type its number.')
    return int(text) - 1


def _seconds(text: str) -> int:
    if (found := _TIME.fullmatch(text)) is None:
        raise Misspelled(f'"{clean(text, 20)}" is not a time. Type it like 90s or 5m.')
    return int(found[1]) * _UNITS[found[2]]


def _player(tournament: Tournament, typed: str) -> bytes:
    """The player that a name means. Raises UnclearName."""
    return find_player(tournament.players, tournament.names, typed)


def _seated(tournament: Tournament, number: int, names: str) -> list[bytes]:
    """The players at a table with these names, separated by commas; all for no name. Raises UnclearName."""
    round = tournament.round
    seats = round.tables[number].seats if round is not None and number < len(round.tables) else ()
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
    winners = [] if word == NOBODY else _seated(tournament, number, "" if word == DRAW else who)
    return await organizer.decide(number, winners, reason.strip())


async def _replay(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    table, _, reason = rest.partition(":")
    return await organizer.replay(_table(table.strip()), reason.strip())


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


async def _team(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    name, _, people = rest.partition(":")
    members = [_player(tournament, one) for one in people.split(",") if one.strip()]
    if not name.strip() or not members:
        raise Misspelled("Type the team and its players.")
    return await organizer.form_team(name.strip(), members)


async def _next(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament
    return await organizer.schedule(_seconds(rest) if rest else 0)


async def _hold(organizer: Organizer, tournament: Tournament, rest: str) -> str | None:
    del tournament, rest
    return await organizer.schedule(None)


def _coming(tournament: Tournament) -> str | None:
    return describe_next_round(tournament, to_organizer=True)


COMMANDS: Final = {
    command.word: command
    for command in (
        OrganizerCommand("start", "", "start the first round once two players are here", _start, _coming),
        OrganizerCommand(
            "next", "[TIME]", "start the next round after this one, but no sooner than TIME from now", _next, _coming
        ),
        OrganizerCommand("hold", "", "make the next round wait until you type next", _hold, _coming),
        OrganizerCommand("add", "TABLE [NAME] TIME", "give a player, or a whole table, more time", _add),
        OrganizerCommand("pause", "[TABLE]", "stop the clocks of one table, or of all", _pause),
        OrganizerCommand("resume", "[TABLE]", "start the clocks again", _resume),
        OrganizerCommand(
            "decide", f"TABLE NAME|{DRAW}|{NOBODY}: REASON", "end the game at a table by your decision", _decide
        ),
        OrganizerCommand("replay", "TABLE: REASON", "have a table of this round play its game again", _replay),
        OrganizerCommand("say", "TEXT", "send everyone a message", _say),
        OrganizerCommand("close", "", "close the tournament to new players", _close),
        OrganizerCommand("team", "TEAM: NAME, ...", "form a team of players who are here, before the start", _team),
        OrganizerCommand("withdraw", "NAME", "withdraw a player", _withdraw),
        OrganizerCommand("readmit", "NAME", "let a player who has withdrawn play again", _readmit),
        OrganizerCommand("ban", "NAME: REASON", "remove a player from the tournament for good", _ban),
    )
}


def usage() -> list[tuple[str, str]]:
    """Returns what can be typed, and what it does."""
    return [(f"{command.word} {command.usage}".rstrip(), command.effect) for command in COMMANDS.values()]


async def obey_organizer(organizer: Organizer, line: str) -> OrderReply:
    """Does what a line says."""
    word, rest = split_command(line)
    command = COMMANDS.get(word)
    if command is None:
        unknown = "" if word.lower() == "help" else f'No command "{clean(word, 20)}" here. '
        return OrderReply(False, f"{unknown}Commands: {', '.join(COMMANDS)}.")
    try:
        reason = await command.run(organizer, organizer.tournament, rest.strip())
    except Misspelled as error:
        return OrderReply(False, f"{error} (usage: {command.word} {command.usage})")
    except UnclearName as error:
        return OrderReply(False, str(error))
    return OrderReply(reason is None, reason or command.outcome(organizer.tournament) or "")
