"""What the wall shows, as facts for its template: one featured table, the others, the next round, and a code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

import segno
from markupsafe import Markup

from kimberley.games.phrases import count_of
from kimberley.p2p.sentences.tournaments import RankedName, early_end, has_results, ranking, round_title
from kimberley.p2p.tournament.players import IN, TournamentRound, TournamentTable
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.tournament import OVER, PLAYING, Tournament, is_last_round
from kimberley.p2p.transport.address import is_own_host
from kimberley.referee.pages.tiles import TableTile
from kimberley.referee.pages.tournament_source import TournamentSource

TURN_SECONDS: Final = 20
"""How long a table is featured before the next one is."""
HURRY_SECONDS: Final = 120.0
"""Tables with a running clock below this are featured before all others."""
BESIDE: Final = 4
"""Tables that are shown below the featured one."""
BEST: Final = 8
"""Lines of the standings next to a game."""
MOST_BETWEEN: Final = 60
"""Lines of the standings between two rounds, when they have the place of the game."""
STEPS: Final = 3
"""Places on the podium."""
QUIET: Final = 4
"""Modules of paper around a code."""
INK: Final = "#0e1118"
PAPER: Final = "#f3efe4"
"""The colors of a code, as the style sheet has them."""
HELD: Final = "The next round waits for the organizer."


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code of a link, with the same as text."""

    link: str
    picture: Markup


@dataclass(frozen=True, slots=True)
class WallLine:
    """A player or a team in the standings or on the podium. `rank` is 0 before the first result."""

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
    before the first round the code, with the `players` who are in; `between` two rounds the standings, of which
    `unlisted` have no line. It is `paused` while all clocks are stopped. `join` is what
    they type. If `plays_here`, one can play in a browser.
    """

    featured: TableTile | None
    board: Markup | None
    tall: Markup | None
    beside: tuple[TableTile, ...]
    pairings: tuple[TableTile, ...]
    podium: tuple[WallLine, ...]
    standings: tuple[WallLine, ...]
    unlisted: int
    between: bool
    rounds: tuple[RoundMark, ...]
    headline: str
    following: str
    seconds: float | None
    waits: str
    paused: bool
    code: Code | None
    join: str
    plays_here: bool
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

    last = held if tournament.ending or tournament.ended else max(tournament.planned, held)

    def state(number: int) -> str:
        return "ahead" if number > held else "now" if number == held and open_ else "done"

    return tuple(RoundMark(number, state(number)) for number in range(1, last + 1))


def standings(tournament: Tournament, most: int) -> tuple[tuple[WallLine, ...], int]:
    """Returns the best teams, or the best players where everybody plays alone, in at most `most` lines; and how many
    have none.
    """
    lines = list(map(_line, ranking(tournament, tournament.label)))
    if not has_results(tournament):
        lines = [replace(line, rank=0) for line in lines]
    return tuple(lines[:most]), max(0, len(lines) - most)


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
            f"{all_ - left} of {count_of(all_, 'game')} finished.",
        )
    what = "The arena" if tournament.format.rolling else f"Round {len(tournament.rounds) + 1}"
    seconds = None if source.next_round_at is None else max(0.0, source.next_round_at - source.now())
    waits = "The tournament ends when the organizer says so." if is_held(tournament) else ""
    if is_last_round(tournament):
        return "The last round is over", None, waits
    if (early := early_end(tournament)) is not None:
        return early.coming, None, waits or "The tournament ends."
    if seconds is not None:
        return what, seconds, ""
    if not is_held(tournament):
        return what, None, ""
    return what, None, HELD if tournament.rounds else "Starts when the organizer says so."


def is_held(tournament: Tournament) -> bool:
    """Returns whether what comes after this round waits for the organizer."""
    return tournament.scheduled is not None and tournament.scheduled.start is None


def is_paused(tournament: Tournament) -> bool:
    """Returns whether the organizer has stopped all clocks of the games in progress."""
    playing = tournament.round.open if tournament.round is not None else ()
    return bool(playing) and all(table.paused for table in playing)


def watch_code(pages: Sequence[str]) -> Code | None:
    """Returns the code of the tournament's page, as ink on paper with a quiet zone; None if no network reaches the
    page.
    """
    if not pages or is_own_host(urlsplit(pages[0]).hostname or "localhost"):
        return None
    made = segno.make(pages[0], error="l", micro=False)
    drawn = made.svg_inline(border=QUIET, dark=INK, light=PAPER, omitsize=True, svgclass="code")
    return Code(pages[0], Markup(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1)))


def players_before(tournament: Tournament) -> tuple[str, ...] | None:
    """Returns the players who have joined, in the order of enrollment; None once the first round has been paired, or
    all is over.
    """
    if tournament.round is not None or tournament.phase == OVER:
        return None
    return tuple(tournament.label(player.identity) for player in tournament.players if player.state == IN)
