"""What the wall shows, as facts for its template: one featured table, the others, the next round, and a code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import segno
from markupsafe import Markup

from kimberley.client.web.picture import css_color
from kimberley.client.web.tiles import TableTile
from kimberley.client.web.tournament_source import TournamentSource
from kimberley.p2p.sentences.tournaments import RankedName, ranking, round_title
from kimberley.p2p.tournament.players import IN, TournamentRound, TournamentTable
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.tournament import OVER, PLAYING, Tournament

TURN_SECONDS: Final = 20
"""How long a table is featured before the next one is."""
HURRY_SECONDS: Final = 120.0
"""Tables with a running clock below this are featured before all others."""
BESIDE: Final = 4
"""Tables that are shown below the featured one."""
BEST: Final = 8
"""Lines of the standings."""
STEPS: Final = 3
"""Places on the podium."""
QUIET: Final = 4
"""Modules of paper around a code."""


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code of a link, with the same as text."""

    link: str
    picture: Markup


@dataclass(frozen=True, slots=True)
class WallLine:
    """A player or a team in the standings or on the podium."""

    rank: int
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class RoundMark:
    """A round in the row of all rounds: "done", "now" or "ahead"."""

    number: int
    state: str


@dataclass(frozen=True, slots=True)
class Wall:
    """What the wall shows. In the featured place is the table, the pairings of a round that begins, or the podium;
    before the first round the code, with the `players` who are in. `join` is what they type.
    """

    featured: TableTile | None
    board: Markup | None
    tall: Markup | None
    beside: tuple[TableTile, ...]
    pairings: tuple[TableTile, ...]
    podium: tuple[WallLine, ...]
    standings: tuple[WallLine, ...]
    rounds: tuple[RoundMark, ...]
    headline: str
    following: str
    seconds: float | None
    waits: str
    code: Code | None
    join: str
    players: tuple[str, ...] | None


def featured_tables(source: TournamentSource, chosen: int | None) -> list[TournamentTable]:
    """Returns the running tables of the round, the featured one first, then those beside it.

    They take turns, those with little time first. A `chosen` table (from 1) stays.
    """
    round_ = source.tournament.round
    running = [] if round_ is None else [table for table in round_.tables if table.game and not table.decided]
    if round_ is None or not running:
        return []
    hurried = [table for table in running if _hurries(source, round_, table)]
    turns = hurried or running
    first = turns[int(source.now() // TURN_SECONDS) % len(turns)]
    first = next((table for table in running if table.number + 1 == chosen), first)
    at = running.index(first)
    return [*running[at:], *running[:at]][: 1 + BESIDE]


def wall_turn(source: TournamentSource) -> int:
    """Returns a number that changes when another table may be featured."""
    return int(source.now() // TURN_SECONDS)


def _hurries(source: TournamentSource, round_: TournamentRound, table: TournamentTable) -> bool:
    clocks = source.clocks(round_.number, table.number)
    if clocks is None or clocks.given is None:
        return False
    return any(clocks.left(seat, source.now()) < HURRY_SECONDS for seat in clocks.running)


def begins(source: TournamentSource) -> bool:
    """Returns whether a round has been paired, and nobody has moved yet."""
    round_ = source.tournament.round
    if round_ is None or len(round_.open) < len(round_.tables):
        return False
    views = [source.view(round_.number, table.number) for table in round_.tables]
    return not any(view is not None and view.story for view in views)


def round_marks(tournament: Tournament) -> tuple[RoundMark, ...]:
    """Returns all rounds that are planned."""
    held = len(tournament.rounds)
    open_ = tournament.round is not None and bool(tournament.round.open)

    def state(number: int) -> str:
        return "ahead" if number > held else "now" if number == held and open_ else "done"

    return tuple(RoundMark(number, state(number)) for number in range(1, max(tournament.planned, held) + 1))


def standings(tournament: Tournament) -> tuple[WallLine, ...]:
    """Returns the best teams, or the best players where everybody plays alone."""
    return tuple(map(_line, ranking(tournament, tournament.label)[:BEST]))


def podium(tournament: Tournament) -> tuple[WallLine, ...]:
    """Returns the first of those who stayed, once the tournament is over."""
    if tournament.phase != OVER:
        return ()
    return tuple(_line(one) for one in ranking(tournament, tournament.name) if one.stayed)[:STEPS]


def _line(one: RankedName) -> WallLine:
    return WallLine(one.rank, one.name, points_in_words(one.points))


def following(source: TournamentSource) -> tuple[str, float | None, str]:
    """Returns the next round, the seconds until it begins if they are known, and else what it waits for."""
    tournament = source.tournament
    round_ = tournament.round
    if tournament.phase == OVER:
        return "The tournament is over", None, ""
    if round_ is not None and tournament.phase == PLAYING:
        left, all_ = len(round_.open), len(round_.tables)
        return (
            round_title(tournament),
            None,
            f"{all_ - left} of {all_} games finished.",
        )
    number = len(tournament.rounds) + 1
    seconds = None if source.next_round_at is None else max(0.0, source.next_round_at - source.now())
    if 0 < tournament.planned < number:
        return "The last round is over", None, ""
    return f"Round {number}", seconds, "" if seconds is not None else "Starts when the organizer says so."


def watch_code(pages: Sequence[str]) -> Code | None:
    """Returns the code of the tournament's page, with ink on paper and quiet around it; None if no network has it."""
    if not pages:
        return None
    made = segno.make(pages[0], error="l", micro=False)
    drawn = made.svg_inline(
        border=QUIET, dark=css_color("ink"), light=css_color("paper"), omitsize=True, svgclass="code"
    )
    return Code(pages[0], Markup(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)))


def players_before(tournament: Tournament) -> tuple[str, ...] | None:
    """Returns who is in, in the order of enrollment; None once the first round has been paired, or all is over."""
    if tournament.round is not None or tournament.phase == OVER:
        return None
    return tuple(tournament.label(player.identity) for player in tournament.players if player.state == IN)
