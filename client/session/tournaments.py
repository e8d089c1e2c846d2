"""A tournament in words: of what game and how it is played, what has happened in it, and who has won."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from games import lookup
from p2p.referee.cup import KNOCKOUT, ROUND_ROBIN, SWISS
from p2p.referee.events import Decided, Enrolled, Event, Paired, Returned, Withdrew
from p2p.referee.points import points_in_words

if TYPE_CHECKING:
    from p2p.referee.cup import Cup
    from p2p.referee.tournament import Tournament

FORMATS: Final = {SWISS: "Swiss system", ROUND_ROBIN: "round robin", KNOCKOUT: "knockout"}


def title(cup: Cup) -> str:
    """The name of the game, or its id where it is not installed."""
    try:
        return lookup.find(cup.game).title
    except LookupError:
        return cup.game


def how(cup: Cup) -> str:
    """How a tournament is played, in a sentence."""
    form = FORMATS[cup.format].capitalize()
    if cup.clock is None:
        return f"{form}, no clocks."
    main, more = cup.clock.main, cup.clock.increment
    time = counted(main // 60, "minute") if main % 60 == 0 else counted(main, "second")
    each = f"{time} each, and {counted(more, 'second')} more a choice" if more else f"{time} each"
    return f"{form}, {each}."


def counted(number: int, what: str) -> str:
    """A number of things: "1 minute", "2 minutes"."""
    return f"{number} {what}{'s' * (number != 1)}"


def points(number: Fraction) -> str:
    """Points in a sentence: "1 point", "2½ points"."""
    return f"{points_in_words(number)} point{'s' * (number != 1)}"


def without_table(tournament: Tournament, identity: bytes) -> str:
    """Why somebody sits at no table of the round at hand."""
    *before, now = tournament.rounds
    if identity in now.byes:
        return "You have no table in this round: it counts as won."
    paired = [people for round_ in before for people in (round_.byes, *(table.seats for table in round_.tables))]
    if tournament.cup.format == KNOCKOUT and any(identity in people for people in paired):
        return "You are out of the knockout. The others play on."
    return "You play from the next round on."


def winner(tournament: Tournament) -> str | None:
    """The name of the first of a tournament that is over; None where nobody has enrolled."""
    standings = tournament.standings()
    return tournament.name(standings[0].player.identity) if standings else None


def over(tournament: Tournament) -> str:
    """Who has won, in a sentence."""
    name = winner(tournament)
    return f"The tournament is over. {name} won." if name is not None else "The tournament is over."


def told(tournament: Tournament, events: Iterable[Event]) -> list[str]:
    """What has happened, in sentences, the latest last."""
    lines = []
    for event in events:
        match event:
            case Enrolled(identity=identity):
                lines.append(f"{tournament.name(identity)} has enrolled.")
            case Withdrew(identity=identity):
                lines.append(f"{tournament.name(identity)} has withdrawn.")
            case Returned(identity=identity):
                lines.append(f"{tournament.name(identity)} is back.")
            case Paired(round=number, tables=tables, byes=byes):
                lines.append(f"Round {number} is paired, at {counted(len(tables), 'table')}.")
                lines += [f"{tournament.name(identity)} has a bye." for identity in byes]
            case Decided(round=number, table=table, sentence=sentence):
                lines.append(f"Round {number}, table {table + 1}: {sentence}")
    return lines
