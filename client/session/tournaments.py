"""Tournaments in words: the game and its settings, the events, the winner."""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from kimberley.client.session.clocks import clock_digits
from kimberley.client.session.notices import count_of, join_names
from kimberley.games import lookup
from kimberley.p2p.tournament.events import (
    EntryClosed,
    MessageSent,
    PlayerBanned,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    RoundScheduled,
    TableDecided,
    TablePaused,
    TableReplayed,
    TableResumed,
    TablesOpened,
    TeamFormed,
    TimeAdded,
    TournamentEvent,
)
from kimberley.p2p.tournament.membership import KEPT_OUT
from kimberley.p2p.tournament.players import BANNED, DISQUALIFIED, IN
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.settings import (
    ACCELERATED_SWISS,
    ARENA,
    DOUBLE_ROUND_ROBIN,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    table_name,
    table_number,
)

if TYPE_CHECKING:
    from kimberley.p2p.tournament.players import TournamentTable
    from kimberley.p2p.tournament.settings import TournamentSettings
    from kimberley.p2p.tournament.tournament import Tournament

FORMATS: Final = {
    SWISS: "Swiss system",
    ACCELERATED_SWISS: "accelerated Swiss system",
    ROUND_ROBIN: "round robin",
    DOUBLE_ROUND_ROBIN: "double round robin",
    KNOCKOUT: "knockout",
    ARENA: "arena",
}


def title(settings: TournamentSettings) -> str:
    """The title of the game, or its id if the game is not installed."""
    try:
        return lookup.find(settings.game).title
    except LookupError:
        return settings.game


def describe_settings(settings: TournamentSettings) -> str:
    """Describes the format and clocks of a tournament in a sentence."""
    form = describe_format(settings)
    form = form[0].upper() + form[1:]
    if settings.clock is None:
        return f"{form}, no clocks."
    main, more = settings.clock.main, settings.clock.increment
    time = count_of(main // 60, "minute") if main % 60 == 0 else count_of(main, "second")
    each = f"{time} each, plus {count_of(more, 'second')} per choice" if more else f"{time} each"
    return f"{form}, {each}."


def describe_format(settings: TournamentSettings) -> str:
    """The format in a few words, with the length of an arena and the boards of teams."""
    form = FORMATS[settings.format]
    if settings.minutes:
        return f"{count_of(settings.minutes, 'minute')} {form}"
    return f"{form}, teams of {settings.boards}" if settings.boards else form


def points_text(number: Fraction) -> str:
    """Points in a sentence: "1 point", "2½ points"."""
    return count_of_points(number, "point")


def round_title(tournament: Tournament) -> str:
    """What is played now, in a few words: a round, or an arena and until when. Empty before the first round."""
    if (round_ := tournament.round) is None:
        return ""
    if tournament.format.rolling:
        ends = round_.begun + 60 * tournament.settings.minutes
        return f"Arena until {time.strftime('%H:%M', time.localtime(ends))}"
    return f"Round {round_.number} of {max(tournament.planned, round_.number)}"


def round_label(tournament: Tournament) -> str:
    """The round in capitals, for the strip of a screen. Empty before the first round."""
    if tournament.round is None:
        return ""
    return "ARENA" if tournament.format.rolling else f"ROUND {tournament.round.number}"


def current_tables(tournament: Tournament) -> tuple[TournamentTable, ...]:
    """The tables to show as those of now: of a round all, of an arena those where a player has played last."""
    tables = tournament.round.tables if tournament.round is not None else ()
    if not tournament.format.rolling:
        return tables
    latest = {identity: table.number for table in tables for identity in table.seats}
    return tuple(table for table in reversed(tables) if any(latest[one] == table.number for one in table.seats))


def team_lines(tournament: Tournament) -> list[str]:
    """The standings of the teams, a sentence for each; nothing if everybody plays alone."""
    return [
        f"{one.row.rank}: {one.team.name}, {count_of_points(one.match_points, 'match point')}, "
        f"{count_of_points(one.game_points, 'game point')} ({', '.join(map(tournament.name, one.team.members))})."
        for one in tournament.team_standings()
    ]


def count_of_points(number: Fraction, what: str) -> str:
    """A number of points: "1 match point", "2½ game points"."""
    return f"{points_in_words(number)} {what}{'s' * (number != 1)}"


def without_table(tournament: Tournament, identity: bytes) -> str:
    """Says why a player has no table in the current round."""
    *before, now = tournament.rounds
    if identity in now.byes:
        return "You have a bye this round: it counts as a win."
    paired = [people for round_ in before for people in (round_.byes, *(table.seats for table in round_.tables))]
    if tournament.format.rolling:
        return "You are paired once someone else is free."
    if tournament.settings.format == KNOCKOUT and any(identity in people for people in paired):
        return "You are out of the knockout. The others play on."
    return "You start in the next round."


def why_out(tournament: Tournament, identity: bytes) -> str:
    """Says to a player who is not in the tournament any more why."""
    player = tournament.player(identity)
    state = player.state if player is not None else ""
    if state == BANNED:
        return KEPT_OUT
    if state == DISQUALIFIED:
        return "You are disqualified: the record of your game proves that you cheated."
    return "You have withdrawn and will not be paired again."


def winner_name(tournament: Tournament) -> str | None:
    """The name of the winner of a finished tournament; None if nobody enrolled."""
    if teams := tournament.team_standings():
        return teams[0].team.name
    standings = tournament.standings()
    return tournament.name(standings[0].player.identity) if standings else None


def final_sentence(tournament: Tournament) -> str:
    """Says in a sentence who has won."""
    name = winner_name(tournament)
    return f"The tournament is over. {name} won." if name is not None else "The tournament is over."


def describe_wait(names: Iterable[str], doing: str, seconds: float) -> str:
    """Whom a table waits for before its game: "fay (comparing words, 1:40)". `seconds` is how long that may last."""
    return f"{join_names(list(names))} ({doing}, {clock_digits(seconds)})"


def describe_events(tournament: Tournament, events: Iterable[TournamentEvent]) -> list[str]:
    """Describes the events in sentences, the latest last."""
    lines = []
    for event in events:
        match event:
            case PlayerEnrolled(identity=identity):
                lines.append(f"{tournament.label(identity)} has joined.")
            case PlayerWithdrew(identity=identity):
                lines.append(f"{tournament.name(identity)} withdrew.")
            case PlayerReturned(identity=identity):
                lines.append(f"{tournament.name(identity)} is back.")
            case TeamFormed(name=name, members=members):
                lines.append(f"Team {name}: {', '.join(map(tournament.name, members))}.")
            case TablesOpened(tables=tables):
                lines += [f"{' and '.join(map(tournament.name, people))} play." for people in tables]
            case RoundPaired(round=number, tables=tables, byes=byes):
                lines.append(f"Round {number}: {count_of(len(tables), 'table')}.")
                lines += [f"{tournament.name(identity)} has a bye." for identity in byes]
            case TableDecided(round=number, table=table, sentence=sentence):
                lines.append(f"Round {number}, {table_name(table)}: {sentence}")
            case _ if (said := describe_order(tournament, event)) is not None:
                lines.append(said)
    return lines


def describe_order_to(tournament: Tournament, identity: bytes, event: TournamentEvent | None) -> str | None:
    """Says to a player what the organizer has done: for all, or at the player's table. None if it is nothing."""
    if event is None:
        return None
    if isinstance(event, TimeAdded | TablePaused | TableResumed | TableReplayed):
        table = tournament.table_of(identity)
        if table is None or table.number != table_number(event.table):
            return None
    return describe_order(tournament, event)


def describe_order(tournament: Tournament, event: TournamentEvent) -> str | None:
    """Says what the organizer has done, in a sentence; None for an event that is no order of the organizer's."""
    match event:
        case TimeAdded(table=table, identity=identity, seconds=seconds):
            more = f"{clock_digits(seconds)} more"
            return f"{table_name(table).capitalize()}: the organizer gives {tournament.name(identity)} {more}."
        case TablePaused(table=table):
            return f"The organizer has paused {table_name(table)}."
        case TableResumed(table=table):
            return f"{table_name(table).capitalize()} resumes."
        case TableReplayed(table=table, sentence=sentence):
            return f"The organizer has ordered a replay at {table_name(table)}: {sentence}"
        case MessageSent(text=text):
            return f"The organizer says: {text}"
        case EntryClosed():
            return "Entry is closed."
        case PlayerBanned(identity=identity, sentence=sentence):
            return f"{tournament.name(identity)} is kept out for good, by decision of the organizer: {sentence}"
        case RoundScheduled():
            return _describe_schedule(tournament, event)
    return None


def describe_next_round(tournament: Tournament, pause_ends: float | None = None) -> str | None:
    """Says when the next round begins, or what it waits for; None if nothing is known about that.

    `pause_ends` is when the pause between two rounds ends, in seconds since 1970; None if there is none now.
    """
    if tournament.ended:
        return None
    if tournament.scheduled is not None:
        return _describe_schedule(tournament, tournament.scheduled)
    return None if pause_ends is None else f"The next round begins at {_clock(pause_ends)}."


def _describe_schedule(tournament: Tournament, event: RoundScheduled) -> str:
    """What the organizer's word on the next round comes to. If it still holds, also says what has to happen first."""
    holds, round_ = event == tournament.scheduled, tournament.round
    last = holds and 0 < tournament.planned <= len(tournament.rounds)
    what = "The tournament ends" if last else "The next round begins"
    if event.start is None:
        return f"{what} when the organizer says so."
    said, at_once = f"{what} at {_clock(event.start)}", event.start <= event.at
    if holds and round_ is not None and round_.open:
        if at_once:
            return f"{what} when all games of this round are over."
        return f"{said}, or later if games are still going on."
    if holds and round_ is None and sum(player.state == IN for player in tournament.players) < 2:
        if at_once:
            return "The first round begins once two players are here."
        return f"{said}, or once two players are here."
    return f"{said}."


def describe_table(table: TournamentTable) -> str:
    """What the store knows about a table: its result, or whether its game has begun and is paused."""
    if table.decided is not None:
        return table.decided.sentence
    return f"{'playing.' if table.game else 'not started.'}{describe_pause(table)}"


def describe_pause(table: TournamentTable) -> str:
    """Adds to a sentence about a table that it is paused; empty if it is not."""
    return " Paused by the organizer." if table.paused else ""


def _clock(moment: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(moment))
