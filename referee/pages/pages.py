"""What each page shows, as facts for its template. Nothing here draws, and the templates compute nothing.

Rounds and tables count from 1 in addresses and on the page. The address of a player's page has the number that the
player drew by lot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from kimberley.games.phrases import count_of
from kimberley.p2p.sentences.notices import clock_digits
from kimberley.p2p.sentences.tournaments import (
    bye_names,
    current_tables,
    describe_early_end,
    describe_format,
    describe_next_round,
    end_follows,
    first_part,
    has_results,
    options_in_short,
    outcome_sentence,
    points_text,
    round_title,
    table_place,
    title,
)
from kimberley.p2p.sentences.verdicts import VERDICT_WORDS, verdict_lines
from kimberley.p2p.storage.identity import fingerprint
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import ORGANIZER
from kimberley.p2p.tournament.page_games import DossierLine, GameCourse, Moment, SeatMark
from kimberley.p2p.tournament.players import IN, TournamentRound, TournamentTable
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.rating import rating_histories
from kimberley.p2p.tournament.settings import KNOCKOUT, TournamentSettings
from kimberley.p2p.tournament.standings import Addend, StandingsRow, tie_breaks
from kimberley.p2p.tournament.teams import TeamRow
from kimberley.p2p.tournament.tournament import OVER, Tournament, is_last_round, takes_newcomers
from kimberley.referee.export import bundle_path
from kimberley.referee.pages import plots, wall
from kimberley.referee.pages.boards import Boards
from kimberley.referee.pages.bundle_check import CheckedBundle
from kimberley.referee.pages.course import course
from kimberley.referee.pages.finished import ReplayedGame, ReplayedGames
from kimberley.referee.pages.organizer_view import organizer_facts
from kimberley.referee.pages.review_work import ReviewProgress
from kimberley.referee.pages.tiles import ClockView, PlayerView, SeatView, StandingsLine, TableTile, TieBreakNumber
from kimberley.referee.pages.tournament_source import TournamentSource
from kimberley.referee.sentences import describe_former, describe_wait, ended_by_hand_lines, latest_message
from kimberley.referee.trf import has_report

MOST_THUMBS: Final = 6
"""Most tables of a round whose boards the first page shows as small pictures."""
MOST_SQUARE: Final = 20
"""Most players in the crosstable of everyone against everyone."""
TOP_CURVES: Final = 24
ALL_TABLES: Final = "All tables"
"""What the page of an arena's tables is called: an arena has no rounds in words."""

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class VerdictView:
    """What the audit of a record found: its code, what that is called, and sentences."""

    code: str
    word: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A way from one moment of a finished game to another: its name, its key, and the address; no address if it leads
    nowhere.
    """

    name: str
    key: str
    where: str


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A moment of a finished game, and what the page says of the whole game.

    `told` is what happened before the moment. `moments` lists all of them, each at `where` and its number.
    """

    where: str
    at: int
    last: int
    unit: str
    told: str
    board: Markup
    tall: Markup
    words: tuple[str, ...]
    steps: tuple[Step, ...]
    moments: tuple[Moment, ...]
    curve: CurveView | None
    headings: tuple[str, ...]
    dossier: tuple[DossierLine, ...]
    called: str
    hides: bool


@dataclass(frozen=True, slots=True)
class CurveView:
    """How a finished game went: as a picture, by sample in numbers, and where it turned."""

    picture: Markup
    unit: str
    columns: tuple[str, ...]
    samples: tuple[tuple[int, str, tuple[str, ...]], ...]
    turn: str
    turn_at: int


class Pages:
    """The pages of one tournament. Each method returns a template's facts, or None if there is no such page."""

    def __init__(
        self, source: TournamentSource, boards: Boards, finished: ReplayedGames, addresses: Sequence[str]
    ) -> None:
        """Takes the `addresses` of the page."""
        self._addresses = addresses
        self._source = source
        self._boards = boards
        self._finished = finished

    # -- pages ---------------------------------------------------------------------------------------------------------

    def home(self) -> Facts:
        tournament = self._source.tournament
        round_ = tournament.round
        facts = self._base("/") | {"rows": self._rows(), "round": 0, "tables": (), "byes": ()}
        facts["plays_here"] = self._source.seats is not None and not tournament.ended
        facts["joinable"] = takes_newcomers(tournament)
        if round_ is not None:
            boards = self.home_boards()
            cards = tuple(
                self._card(round_, table, board=(round_.number, table.number) in boards)
                for table in current_tables(tournament)
            )
            facts |= {"round": round_title(tournament), "tables": cards, "byes": self._byes(round_)}
        return facts

    def home_boards(self) -> list[tuple[int, int]]:
        """Returns the games whose boards the home page shows, by round and table from 0."""
        round_ = self._source.tournament.round
        if round_ is None or len(current_tables(self._source.tournament)) > MOST_THUMBS:
            return []
        return [(round_.number, table.number) for table in round_.open]

    def round(self, number: int) -> Facts | None:
        if (round_ := self._round(number)) is None:
            return None
        cards = tuple(self._card(round_, table) for table in round_.tables)
        heading = ALL_TABLES if self._source.tournament.format.rolling else f"Round {number}"
        return self._base(f"/rounds/{number}") | {"heading": heading, "tables": cards, "byes": self._byes(round_)}

    def record(self, number: int, table: int) -> bytes | None:
        """Returns the digest of the record of a decided table; None if there is none."""
        round_ = self._round(number)
        decided = round_.tables[table - 1].decided if round_ is not None and 1 <= table <= len(round_.tables) else None
        return None if decided is None else decided.record

    def table(self, number: int, table: int, game: ReplayedGame | None, moment: int | None) -> Facts | None:
        """Returns a table, with a moment of its game if that has ended: by default the last one."""
        round_ = self._round(number)
        if round_ is None or not 1 <= table <= len(round_.tables):
            return None
        replayed = game if game is not None and game.drawn.shown else None
        if moment is not None and (replayed is None or not 0 <= moment <= replayed.drawn.last):
            return None
        card = self._card(round_, round_.tables[table - 1], board=replayed is None, words=replayed is None)
        place = table_place(self._source.tournament, number, table - 1)
        facts = self._base(f"/rounds/{number}") | {"place": place, "table": card, "verdict": None, "replay": None}
        facts |= {"former": describe_former(self._source.tournament, round_.tables[table - 1])}
        facts |= {"review": f"{card.where}/review" if game is not None and game.drawn.reviewable else ""}
        if game is not None:
            decided, verdict = round_.tables[table - 1].decided, game.drawn.verdict
            by_hand = decided is not None and decided.how == ORGANIZER
            referee = self._source.tournament.settings.referee
            lines = ended_by_hand_lines(verdict) if by_hand else verdict_lines(verdict, referee)
            facts |= {"verdict": VerdictView(verdict.code, VERDICT_WORDS[verdict.code], tuple(lines))}
        if replayed is not None:
            facts |= {"replay": _replay_view(replayed, card.where, replayed.drawn.last if moment is None else moment)}
        return facts

    def review(self, number: int, table: int, progress: ReviewProgress) -> Facts:
        """Returns the review of the finished game at a table, as far as it has been made."""
        round_ = self._source.tournament.rounds[number - 1]
        made = progress.page
        return self._base(f"/rounds/{number}") | {
            "place": table_place(self._source.tournament, number, table - 1),
            "table": self._card(round_, round_.tables[table - 1]),
            "progress": progress,
            "review": None if made is None else Markup(made.body.decode()),
        }

    def crosstable(self) -> Facts:
        tournament = self._source.tournament
        standings = tournament.standings()
        rounds = () if tournament.format.rolling else tournament.rounds
        ranks = {row.player.identity: place for place, row in enumerate(standings, 1)}
        rows = [
            self._line(row) | {"cells": [self._met(round_, row.player.identity, ranks) for round_ in rounds]}
            for row in standings
        ]
        lines = self._rows()
        facts = self._base("/crosstable") | {
            "standings": lines,
            "knockout": tournament.settings.format == KNOCKOUT,
            "counted": any(one.sum for line in lines for one in line.tie_breaks),
            "rows": rows,
            "rounds": [round_.number for round_ in rounds],
        }
        pairs = all(len(table.seats) == 2 for round_ in tournament.rounds for table in round_.tables)
        fits = bool(tournament.rounds) and pairs and len(standings) <= MOST_SQUARE
        return facts | {"square": self._square(standings) if fits else None}

    def player(self, number: int) -> Facts | None:
        tournament = self._source.tournament
        player = next((player for player in tournament.players if player.number == number > 0), None)
        if player is None:
            return None
        cards = (
            (round_, self._card(round_, table))
            for round_ in tournament.rounds
            for table in round_.tables
            if player.identity in table.seats
        )
        rolling = tournament.format.rolling
        tables = tuple(card if rolling else replace(card, state=f"round {round_.number}") for round_, card in cards)
        row = next(row for row in self._rows() if row.person.number == number)
        points = next(one.points for one in tournament.standings() if one.player.identity == player.identity)
        facts: Facts = {"person": self._person(player.identity), "fingerprint": fingerprint(player.identity)}
        facts |= {"points": points_text(points)}
        return self._base(f"/players/{number}") | facts | {"tables": tables, "row": row}

    def plotted(self) -> Facts:
        curves, bars = tuple(self._curves()), tuple(self._bars())
        before = (
            "The arena is not over yet." if self._source.tournament.format.rolling else "No round has finished yet."
        )
        drawn = {
            "ratings": plots.at_two_widths(lambda room: plots.ratings(curves, room, before)),
            "thinking": plots.at_two_widths(lambda room: plots.thinking(bars, room)),
        }
        return self._base("/plots") | drawn

    def wall(self, chosen: int | None = None) -> Facts:
        """Returns the wall; a `chosen` table (from 1) stays featured as long as it plays."""
        source, tournament = self._source, self._source.tournament
        round_, tables = tournament.round, wall.featured_tables(source, chosen)
        beginning = wall.begins(source)
        tiles = () if round_ is None or beginning else tuple(self._card(round_, table) for table in tables)
        view = None if round_ is None or not tiles else source.view(round_.number, tables[0].number)
        name, seconds, waits = wall.following(source)
        podium, players = wall.podium(tournament), wall.players_before(tournament)
        between = not (podium or tiles or beginning) and players is None
        lines, unlisted = wall.standings(tournament, wall.MOST_BETWEEN if between else wall.BEST)
        screen = wall.Wall(
            featured=tiles[0] if tiles else None,
            board=None if view is None else self._boards.large(tournament.settings.game, view),
            tall=None if view is None else self._boards.tall(tournament.settings.game, view),
            beside=tiles[1:],
            pairings=tuple(self._card(round_, table) for table in round_.tables) if round_ and beginning else (),
            podium=podium,
            standings=lines,
            unlisted=unlisted,
            between=between,
            rounds=wall.round_marks(tournament),
            headline=round_title(tournament) or "Before the start",
            following=name,
            seconds=seconds,
            waits=waits,
            paused=wall.is_paused(tournament),
            code=wall.watch_code(self._addresses),
            join=f"kimberley join {source.join}" if source.join and takes_newcomers(tournament) else "",
            plays_here=source.seats is not None and takes_newcomers(tournament),
            players=players,
        )
        return self._base("/wall") | {"wall": screen, "byes": self._byes(round_) if round_ and beginning else []}

    def on_the_wall(self, chosen: int | None) -> int | None:
        """Returns the `chosen` table (from 1) if the wall can keep it featured; else None: the tables take turns."""
        tables = wall.featured_tables(self._source, chosen)
        return chosen if tables and tables[0].number + 1 == chosen else None

    def wall_boards(self, chosen: int | None = None) -> list[tuple[int, int]]:
        """Returns the game whose board the wall shows, and all games of a round that begins."""
        round_ = self._source.tournament.round
        if round_ is None:
            return []
        tables = round_.tables if wall.begins(self._source) else wall.featured_tables(self._source, chosen)
        return [(round_.number, table.number) for table in tables if not table.decided]

    def check(self, bundle: Path | None, checked: CheckedBundle | None) -> Facts:
        """Returns the bundle, if it has been written, and the judgment on it."""
        settings = self._source.tournament.settings
        file = bundle_path(Path(), settings.name).name
        size = "" if bundle is None else f"{-(-bundle.stat().st_size // 1024)} KiB"
        return self._base("/check") | {
            "file": file,
            "size": size,
            "checked": checked,
            "trf": has_report(self._source.tournament.settings),
        }

    def organizer(self) -> Facts:
        """Returns what only the organizer sees: the current tables and all players, and what can be done there."""
        tournament = self._source.tournament
        round_ = tournament.round
        tiles = () if round_ is None else tuple(self._card(round_, table) for table in current_tables(tournament))
        join = f"kimberley join {self._source.join}" if self._source.join else ""
        return self._base("") | {"join": join} | organizer_facts(tournament, tiles)

    def missing(self) -> Facts:
        return self._base("")

    # -- what they have in common --------------------------------------------------------------------------------------

    def _base(self, here: str) -> Facts:
        tournament = self._source.tournament
        pages = [("Now", "/"), ("Wall", "/wall"), ("Standings", "/crosstable"), ("Ratings and time", "/plots")]
        pages.append(("Tournament file", "/check"))
        rolling = tournament.format.rolling
        pages += [
            (ALL_TABLES if rolling else f"Round {round_.number}", f"/rounds/{round_.number}")
            for round_ in tournament.rounds
        ]
        return {
            "cup": tournament.settings,
            "game": title(tournament.settings),
            "form": describe_format(tournament.settings),
            "clock": _clock(tournament.settings),
            "options": options_in_short(tournament.settings.game, dict(tournament.settings.options)),
            "state": _state(tournament),
            "over": tournament.ended,
            "message": latest_message(tournament),
            "pages": pages,
            "here": here,
            "tie_breaks": tie_breaks(tournament.settings),
            "rolling": rolling,
            "teams": tuple(map(self._team, tournament.team_standings())),
            "digits": clock_digits,
        }

    def _team(self, row: TeamRow) -> Facts:
        points = points_in_words(row.match_points), points_in_words(row.game_points)
        people = tuple(map(self._person, row.team.members))
        rank = row.row.rank if has_results(self._source.tournament) else 0
        return {"rank": rank, "name": row.team.name, "points": points, "people": people}

    def _round(self, number: int) -> TournamentRound | None:
        rounds = self._source.tournament.rounds
        return rounds[number - 1] if 1 <= number <= len(rounds) else None

    def _person(self, identity: bytes) -> PlayerView:
        player = self._source.tournament.player(identity)
        return PlayerView(self._source.tournament.label(identity), 0 if player is None else player.number)

    def _state(self, round_: TournamentRound, table: TournamentTable) -> str:
        """Returns whether a table is finished or playing, or whom it waits for before its game."""
        if table.decided or table.game:
            return "finished" if table.decided else "paused" if table.paused else "playing"
        wait = self._source.wait(round_.number, table.number)
        if wait is None:
            return "getting ready"
        names = [self._source.tournament.name(table.seats[seat]) for seat in wait.seats]
        return f"waiting for {describe_wait(names, wait.doing, max(0.0, wait.until - self._source.now()))}"

    def _byes(self, round_: TournamentRound) -> list[str]:
        return bye_names(self._source.tournament, round_)

    def _rows(self) -> tuple[StandingsLine, ...]:
        ranked = has_results(self._source.tournament)
        return tuple(
            StandingsLine(
                row.rank if ranked else 0,
                self._person(row.player.identity),
                points_in_words(row.points),
                self._tie_breaks(row),
                row.rating,
                "" if row.player.state == IN else row.player.state,
            )
            for row in self._source.tournament.standings()
        )

    def _tie_breaks(self, row: StandingsRow) -> tuple[TieBreakNumber, ...]:
        notes = {
            "buchholz": self._added(row.buchholz_of),
            "sonneborn": self._added(row.sonneborn_of),
            "wins": not_counted(row),
        }
        ways = tie_breaks(self._source.tournament.settings)
        return tuple(TieBreakNumber(_number(getattr(row, one.field)), notes.get(one.field, "")) for one in ways)

    def _added(self, addends: Sequence[Addend]) -> str:
        """Returns what a tie-break is the sum of: "ana 3 + ben 2½ + bye 3"."""
        name = self._source.tournament.name
        return " + ".join(
            f"{'bye' if one.opponent is None else name(one.opponent)} {points_in_words(one.points)}" for one in addends
        )

    def _card(
        self, round_: TournamentRound, table: TournamentTable, *, board: bool = False, words: bool = False
    ) -> TableTile:
        source = self._source
        where = f"/tables/{round_.number}/{table.number + 1}"
        clocks = source.clocks(round_.number, table.number)
        view = source.view(round_.number, table.number)
        game = source.tournament.settings.game
        decided = table.decided
        marks = self._finished.marks(decided.record if decided else None) or self._boards.marks(game, view)
        return TableTile(
            number=table.number + 1,
            where=where,
            state=self._state(round_, table),
            seats=tuple(self._seat(table, seat, clocks, marks) for seat in range(len(table.seats))),
            sentence=decided.sentence if decided else "",
            record=f"{where}.kdt" if decided and decided.record else "",
            board=None if view is None or not board else self._boards.picture(game, view),
            tall=None if view is None or not words else self._boards.tall(game, view),
            words=() if view is None or not words else self._boards.words(game, view),
        )

    def _seat(
        self, table: TournamentTable, seat: int, clocks: TableClocks | None, marks: Sequence[SeatMark]
    ) -> SeatView:
        identity = table.seats[seat]
        points = None if table.points is None else points_in_words(table.points[seat])
        playing = table.decided is None
        face = None
        if clocks is not None and clocks.given is not None:
            face = ClockView(round(clocks.left(seat, self._source.now()), 1), playing and seat in clocks.running)
        away = playing and identity not in self._source.here
        mark = marks[seat] if marks else None
        return SeatView(self._person(identity), mark, points, face, away)

    # -- crosstables ---------------------------------------------------------------------------------------------------

    def _met(self, round_: TournamentRound, identity: bytes, ranks: dict[bytes, int]) -> Facts:
        """Returns the points of a player in a round, and the ranks of the opponents."""
        for table in round_.tables:
            if identity in table.seats:
                points = "…" if table.points is None else _points(table, identity)
                against = " ".join(str(ranks[other]) for other in table.seats if other != identity)
                return {"where": f"/tables/{round_.number}/{table.number + 1}", "points": points, "against": against}
        bye = "bye" if identity in round_.byes else "½ bye" if identity in round_.half_byes else ""
        return {"where": "", "points": bye, "against": ""}

    def _square(self, standings: Sequence[StandingsRow]) -> list[Facts]:
        """Returns the crosstable of everyone against everyone, at tables for two."""
        met: dict[tuple[bytes, bytes], list[Facts]] = {}
        for round_ in self._source.tournament.rounds:
            for table in round_.tables:
                first, second = table.seats
                for own, other in ((first, second), (second, first)):
                    points = "…" if table.points is None else _points(table, own)
                    where = f"/tables/{round_.number}/{table.number + 1}"
                    met.setdefault((own, other), []).append({"where": where, "points": points})
        people = [row.player.identity for row in standings]
        return [
            self._line(row)
            | {"cells": [{"own": own == other, "results": met.get((own, other), [])} for other in people]}
            for own, row in zip(people, standings, strict=True)
        ]

    def _line(self, row: StandingsRow) -> Facts:
        person = self._person(row.player.identity)
        return {"rank": row.rank, "person": person, "points": points_in_words(row.points)}

    # -- plots ---------------------------------------------------------------------------------------------------------

    def _curves(self) -> Iterator[plots.Curve]:
        """Yields the ratings after each round, the best player first."""
        tournament = self._source.tournament
        over = [round_ for round_ in tournament.rounds if not round_.open]
        ratings = rating_histories(tournament.players, over)
        for row in tournament.standings()[:TOP_CURVES]:
            yield plots.Curve(tournament.name(row.player.identity), ratings[row.player.identity])

    def _bars(self) -> Iterator[plots.Bar]:
        """Yields the average seconds of thinking per game of all who have thought, in the order of the standings."""
        tournament = self._source.tournament
        thought: dict[bytes, list[float]] = {}
        for round_ in tournament.rounds:
            for table in round_.tables:
                clocks = self._source.clocks(round_.number, table.number)
                if clocks is None:
                    continue
                for seat, identity in enumerate(table.seats):
                    thought.setdefault(identity, []).append(clocks.used(seat, self._source.now()))
        for row in tournament.standings():
            seconds = thought.get(row.player.identity, [])
            if any(seconds):
                yield plots.Bar(tournament.name(row.player.identity), sum(seconds) / len(seconds))


def _replay_view(game: ReplayedGame, where: str, at: int) -> ReplayView:
    """Returns a moment of a finished game at the table whose address is `where`."""
    drawn = game.drawn
    ahead, behind = at < drawn.last, at > 0

    def step(name: str, key: str, to: int, open_: bool) -> Step:
        return Step(name, key, f"{where}/moments/{to}" if open_ else "")

    return ReplayView(
        where,
        at,
        drawn.last,
        drawn.unit,
        drawn.told(at),
        game.picture(at),
        game.tall(at),
        drawn.words,
        (
            step("First", "Home", 0, behind),
            step("Back", "ArrowLeft", at - 1, behind),
            step("Next", "ArrowRight", at + 1, ahead),
            step("Last", "End", drawn.last, ahead),
        ),
        drawn.moments,
        None if drawn.course is None else _curve(drawn.course, at),
        drawn.headings,
        drawn.dossier,
        drawn.called,
        drawn.hides,
    )


def _curve(curve: GameCourse, at: int) -> CurveView:
    places = curve.positions
    here = next((number for number in reversed(range(len(places))) if places[number] <= at), None)
    columns = tuple(f"{name}, {measure.name}" for measure in curve.measures for name in curve.names)
    samples = tuple(
        (
            place,
            label,
            tuple(
                f"{amount}{measure.unit}"
                for measure, amounts in zip(curve.measures, curve.amounts, strict=True)
                for amount in amounts[number]
            ),
        )
        for number, (place, label) in enumerate(zip(places, curve.labels, strict=True))
    )
    turn = curve.turn
    return CurveView(
        plots.at_two_widths(lambda room: course(curve, here, room)),
        curve.unit,
        columns,
        samples,
        curve.turned,
        0 if turn is None else places[turn],
    )


def _clock(settings: TournamentSettings) -> str:
    if settings.clock is None:
        return "no clocks"
    more = f" + {settings.clock.increment} s per choice" if settings.clock.increment else ""
    main = settings.clock.main
    return (f"{main // 60} min" if main % 60 == 0 else f"{main} s") + more


def _state(tournament: Tournament) -> str:
    """Returns where the tournament stands, in a sentence."""
    players = count_of(sum(player.state == IN for player in tournament.players), "player")
    round_ = tournament.round
    if tournament.phase == OVER:
        return " ".join(["Finished.", outcome_sentence(tournament), *describe_early_end(tournament)])
    if round_ is None:
        return f"{players}. {first_part(tournament)} has not started."
    still, what = len(round_.open), round_title(tournament)
    begun = sum(table.game is not None for table in round_.open)
    if tournament.format.rolling:
        return f"{what}: {count_of(begun, 'game')} in progress, {len(round_.tables) - still} finished. {players}."
    if still:
        return f"{what}: {begun} of {count_of(len(round_.tables), 'game')} in progress. {players}."
    if is_last_round(tournament):
        return f"{what} is over."
    return (
        f"{what} is over. {describe_next_round(tournament) or end_follows(tournament) or 'The next one begins soon.'}"
    )


def _points(table: TournamentTable, identity: bytes) -> str:
    assert table.points is not None
    return points_in_words(table.points[table.seats.index(identity)])


def _number(value: Fraction | None) -> str:
    return "" if value is None else points_in_words(value)


def not_counted(row: StandingsRow) -> str:
    """Says which wins of a player do not count as a tie-break; empty if all do."""
    wins = [f"{count_of(row.walkovers, 'win')} by ruling"] if row.walkovers else []
    wins += [count_of(row.byes, "bye")] if row.byes else []
    return f"not counted: {', '.join(wins)}" if wins else ""
