"""A tournament between the rounds: its tables, its standings, and the result of the player's own game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.shell import Shell, TournamentFlowLike
from kimberley.client.session.participants import elapsed
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.lists import Scroll
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import LANDSCAPE, PORTRAIT, Help, MenuItem, Screen, ScreenSize, Section
from kimberley.client.ui.spans import Span
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.sentences.notices import SETTING_UP, clock_digits
from kimberley.p2p.sentences.tournaments import (
    UNTRUSTED,
    WITHDRAWAL_UNHEARD,
    arena_end,
    between_games,
    bye_names,
    current_tables,
    describe_next_round,
    describe_ruling_to,
    describe_settings,
    final_sentence,
    has_lost_by,
    has_results,
    round_label,
    round_title,
    title,
    why_out,
    withdrawal_warning,
)
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.points import points_in_words

if TYPE_CHECKING:
    from kimberley.p2p.tournament.clock import TableClocks
    from kimberley.p2p.tournament.players import TournamentTable
    from kimberley.p2p.tournament.standings import StandingsRow
    from kimberley.p2p.tournament.teams import TeamRow
    from kimberley.p2p.tournament.tournament import Tournament

NO_CLOCKS: Final[Mapping[int, TableClocks]] = {}
WAITING: Final = "waiting to start"
WAITING_IN_SHORT: Final = "waiting"
"""The same, where the names at the table leave less room."""
BELOW: Final = 4
"""Rows below the panels: the result of the player's own game, and the buttons."""
UPRIGHT_TABLES: Final = 10
"""The most rows for the tables of a round on a portrait screen."""


class TournamentScreen(Screen):
    """The player's tournament."""

    def __init__(self, shell: Shell, flow: TournamentFlowLike) -> None:
        super().__init__(shell)
        self.shell, self.tournament_flow = shell, flow
        self.scroll = Scroll()
        self._found = False

    @property
    def needs(self) -> tuple[ScreenSize, ...]:
        return (LANDSCAPE, PORTRAIT)

    # -- the model -----------------------------------------------------------------------------------------------------

    @property
    def tournament(self) -> Tournament:
        return self.tournament_flow.client.tournament

    def _sentence(self) -> str:
        """Returns what the player is waiting for."""
        client, tournament = self.tournament_flow.client, self.tournament
        round_ = tournament.round
        match client.phase:
            case "failed":
                return client.problem or UNTRUSTED
            case "over":
                return final_sentence(tournament)
            case "withdrawn":
                return why_out(tournament, client.identity)
            case "seated" if client.table is not None and client.table.phase != "open":
                return "You left your table. Its result follows."
            case "seated":
                table = tournament.table_of(client.identity)
                others = [tournament.name(one) for one in table.seats if one != client.identity] if table else []
                return f"You play {join_names(others)}. {SETTING_UP}" if others else SETTING_UP
            case "waiting" if client.away_since is not None:
                return "Waiting for the referee to come back."
        if round_ is None:
            start = "the arena to begin" if tournament.format.rolling else "the first round"
            return describe_next_round(tournament) or f"Waiting for {start}."
        return between_games(tournament, client.identity)

    def _aside(self, now: float) -> tuple[str, Color]:
        """Returns how long the referee has been away, how many have enrolled, or how many tables are still playing."""
        away, round_ = self.tournament_flow.client.away_since, self.tournament.round
        if away is not None:
            return f"referee offline {elapsed(now - away)}", "warning"
        if round_ is None:
            count = sum(player.state == IN for player in self.tournament.players)
            return count_of(count, "player"), "soft"
        tables = current_tables(self.tournament)
        begun = sum(table.game is not None for table in round_.open)
        playing = f"{begun} of {count_of(len(tables), 'table')} playing"
        return (playing, "soft") if round_.open else ("", "soft")

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        client, tournament = self.tournament_flow.client, self.tournament
        # At first the referee has not confirmed yet that the player is enrolled.
        known = tournament.player(client.identity) is not None
        called = tournament.name(client.identity) if known else self.shell.settings.name
        title_bar(canvas, f"{tournament.settings.name} · {title(tournament.settings)}", called)
        aside, fg = self._aside(now)
        name = round_label(tournament) or "JOINED"
        phase_strip(canvas, 1, "OVER" if tournament.ended else name, self._sentence(), aside, fg)
        if not self._found:
            own = [row.player.identity == client.identity for row in tournament.standings()]
            self.scroll.focus, self._found = (own.index(True), True) if True in own else (0, False)
        if canvas.portrait:
            self._draw_upright(canvas)
            return
        rows = canvas.height - 3 - BELOW
        half = min(canvas.width, 120) // 2
        left = (canvas.width - 2 * half) // 2
        draw_round(canvas.region(left, 2, half, rows), tournament, client.identity)
        draw_standings(canvas.region(left + half, 2, half, rows), tournament, client.identity, self.scroll)
        self._draw_below(canvas.region(left, rows + 2, 2 * half, BELOW))
        key_bar(canvas, [Hint("↑ ↓", "standings"), Hint("Esc", "title" if self.tournament_flow.over else "withdraw")])

    def _draw_upright(self, canvas: Canvas) -> None:
        """Draws the round above the standings, and below them the result of the player's own game. A player who may
        still want to play withdraws through the menu.
        """
        client, tournament, ground = self.tournament_flow.client, self.tournament, stage(canvas)
        sentence, fg = self._own_game()
        lines = wrap(sentence, ground.width - 2, BELOW)
        listed = current_tables(tournament) if tournament.round is not None else tournament.players
        rows = min(len(listed) + 3, UPRIGHT_TABLES, ground.height // 2)
        draw_round(ground.region(0, 0, ground.width, rows), tournament, client.identity)
        rest = ground.height - rows - len(lines) - 1
        draw_standings(ground.region(1, rows, ground.width - 1, rest), tournament, client.identity, self.scroll)
        paragraph(ground, 1, ground.height - len(lines), lines, fg)
        key_bar(canvas, [Hint("Esc", "title", primary=True)] if self.tournament_flow.over else [])

    def _own_game(self) -> tuple[str, Color]:
        """Returns the result of the player's own game, or what is played while there is none."""
        client = self.tournament_flow.client
        if (ruling := client.ruling) is None:
            return describe_settings(self.tournament.settings), "soft"
        lost = has_lost_by(self.tournament, client.identity, ruling)
        return describe_ruling_to(self.tournament, client.identity, ruling), "warning" if lost else "text"

    def _draw_below(self, ground: Canvas) -> None:
        label = "Title screen" if self.tournament_flow.over else "Withdraw"
        room = cell_width(label) + 8
        sentence, fg = self._own_game()
        paragraph(ground, 2, 0, wrap(sentence, ground.width - room - 6, 3), fg)
        button(ground, ground.width - room - 1, 1, label, "Esc", action="key:esc")

    def next_frame(self, now: float) -> float | None:
        away, ends = self.tournament_flow.client.away_since, arena_end(self.tournament)
        times = [] if away is None else [away + int(now - away) + 1]
        if ends is not None and (left := ends - wall_time()) > 0:
            times.append(now + left)
        return min(times, default=None)

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "esc":
            self._go()
            return True
        return self.scroll.key(name, len(self.tournament.players))

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.wheel(steps, len(self.tournament.players))

    def _go(self) -> None:
        if self.tournament_flow.over:
            self.tournament_flow.leave()
            return
        client, stop = self.tournament_flow.client, "press Ctrl-C" if self.ui.window.has_shell else "close this page"
        text, yes = withdrawal_warning(self.tournament, client.identity, stop), "Withdraw"
        if client.away_since is not None:
            text, yes = WITHDRAWAL_UNHEARD, "Leave"
        self.ui.confirm("Withdraw", text, yes, "Stay", self.tournament_flow.withdraw, danger=True)

    def menu(self) -> list[MenuItem]:
        label = "Back to the title" if self.tournament_flow.over else "Withdraw from the tournament"
        return [MenuItem(label, "w", self._go, inside=True)]

    def game_id(self) -> str:
        return self.tournament.settings.game

    def help(self) -> Help:
        clocks = self.tournament.settings.clock is not None
        does = "pairs the players and signs the results"
        back = "Your place is kept and the game goes on, but a player who stays away loses."
        if clocks:
            does = "pairs the players, keeps the clocks and signs the results"
            back = "Your place is kept and the game goes on, but your clock keeps running."
        trust = Section(
            "Whom you trust", f"The referee {does}. It sees no secrets before a game is over. Every game is still "
                              "proven fair, and its record is saved on your computer.",
            by_touch=Section("Whom you trust", f"The referee {does}. The program on this page comes from the referee’s "
                                               "computer, so play only if you trust the referee. The record of every "
                                               "game is saved in this browser."),
        )  # fmt: skip
        if self.tournament_flow.over:
            return Help("A tournament", (trust,))
        return Help(
            "A tournament",
            (
                Section("Your games", "The referee pairs you and takes you to your table. Between games you see the "
                                  "other tables and the standings. Compare the four words with everyone you meet for "
                                  "the first time (not with bots: the referee vouches for them). If you do not "
                                  "confirm them in time, you lose."),
                *([Section("Clocks", "At a table, clocks are at the right; ▸ marks a running one. Yours runs only "
                                  "while you have something to choose. If it runs out, you lose. If someone else at "
                                  "your table is away, your clock soon stops. A player who stays away "
                                  "loses.")] if clocks else []),
                trust,
                Section("Away", f"If your program or network fails, start Kimberley again and join as before. {back}",
                        by_touch=Section("Away", f"If your phone or network fails, open the same link again. {back} "
                                                 "To withdraw, open the menu.")),
            ),
        )  # fmt: skip


# -- also on the referee's screen --------------------------------------------------------------------------------------


def draw_round(
    ground: Canvas, tournament: Tournament, own: bytes | None, clocks: Mapping[int, TableClocks] = NO_CLOCKS
) -> None:
    """Draws the tables of the latest round, that of `own` first: who plays, and the points or the time left."""
    round_ = tournament.round
    inside = panel(ground, 1, 0, ground.width - 2, ground.height, round_title(tournament) or "Players")
    if round_ is None:
        people = [player.identity for player in tournament.players if player.state == IN]
        for row, identity in enumerate(people[: _rows(inside, len(people))]):
            inside.put(0, row, truncate(tournament.label(identity), inside.width), "text", bold=identity == own)
        return
    tables = sorted(current_tables(tournament), key=lambda table: own not in table.seats)
    for row, table in enumerate(tables[: _rows(inside, len(tables))]):
        _draw_table(inside, row, tournament, table, own, clocks.get(table.number))
    if (byes := bye_names(tournament, round_)) and len(tables) < inside.height:
        inside.put(0, len(tables), truncate(f"Bye: {', '.join(byes)}", inside.width), "soft")


def _draw_table(
    inside: Canvas,
    row: int,
    tournament: Tournament,
    table: TournamentTable,
    own: bytes | None,
    clocks: TableClocks | None,
) -> None:
    mine = own in table.seats
    state, fg = "playing" if table.game else WAITING, "soft"
    if table.points is not None:
        state, fg = " – ".join(map(points_in_words, table.points)), "money"
    elif clocks is not None and clocks.given is not None:
        state = " ".join(clock_digits(clocks.left(seat, clocks.since)) for seat in range(len(table.seats)))
    if table.points is None and table.paused:
        state, fg = f"paused {state}" if clocks is not None and clocks.given is not None else "paused", "money"
    if mine:
        inside.fill(0, row, inside.width, 1, "raised")
    at = inside.put(0, row, f"{table.number + 1:2} ", "soft")
    names = " – ".join(tournament.label(one) for one in table.seats)
    if state == WAITING and at + cell_width(names) + 1 + cell_width(state) > inside.width:
        state = WAITING_IN_SHORT
    end = inside.right(inside.width, row, state, fg)
    inside.put(at, row, truncate(names, end - at - 1), "text", bold=mine)


def draw_standings(ground: Canvas, tournament: Tournament, own: bytes | None, scroll: Scroll) -> None:
    """Draws all players by rank, `own` in bold; above them the teams, if teams play."""
    if teams := tournament.team_standings():
        room = min(len(teams) + 3, ground.height // 2)
        _draw_teams(ground.region(0, 0, ground.width, room), teams, own, has_results(tournament))
        ground = ground.region(0, room, ground.width, ground.height - room)
    inside = panel(ground, 0, 0, ground.width - 1, ground.height, "Standings")
    table = _ranking(inside, "Player", "Points", "Rating")
    rows, ranked = tournament.standings(), has_results(tournament)
    for line, index in enumerate(scroll.shown(len(rows), inside.height - 1)):
        _draw_rank(inside, line + 1, table, tournament, rows[index], own, ranked)
    if scroll.top + inside.height - 1 < len(rows):
        ground.right(ground.width - 3, ground.height - 1, " ▾ more ", "soft")


def _draw_teams(ground: Canvas, teams: Sequence[TeamRow], own: bytes | None, ranked: bool) -> None:
    """Draws the teams by rank, that of `own` in bold; `ranked` if the ranks mean something."""
    inside = panel(ground, 0, 0, ground.width - 1, ground.height, "Teams")
    table = _ranking(inside, "Team", "Match", "Games")
    for y, one in enumerate(teams[: _rows(inside, len(teams), 1)], 1):
        cells = (
            _rank(one.row.rank, ranked),
            Span(one.team.name, "text", own in one.team.members),
            Span(points_in_words(one.match_points), "money"),
            Span(points_in_words(one.game_points), "soft"),
        )
        table.row(inside, 0, y, cells)


def _ranking(inside: Canvas, who: str, *numbers: str) -> TableColumns:
    """Draws the headings of a ranking. Returns its columns."""
    columns = (Column(heading, 6, right=True) for heading in numbers)
    table = TableColumns((Column("#", 3, right=True), Column(who, gap=2, fills=True), *columns), inside.width, margin=1)
    table.headings(inside, 0, 0)
    return table


def _draw_rank(
    inside: Canvas,
    y: int,
    table: TableColumns,
    tournament: Tournament,
    row: StandingsRow,
    own: bytes | None,
    ranked: bool,
) -> None:
    mine, gone = row.player.identity == own, row.player.state != IN
    fg: Color = "soft" if gone else "text"
    if mine:
        inside.fill(0, y, inside.width, 1, "raised")
    cells = (
        _rank(row.rank, ranked),
        Span(tournament.label(row.player.identity), fg, mine),
        Span(points_in_words(row.points), "money"),
        Span("" if row.rating is None else str(row.rating), "soft"),
    )  # fmt: skip
    table.row(inside, 0, y, cells)


def _rank(rank: int, ranked: bool) -> Span:
    return Span(str(rank) if ranked else "", "ice" if rank == 1 else "soft")


def _rows(inside: Canvas, count: int, top: int = 0) -> int:
    """Returns how many of `count` lines there is room for below row `top`. If not for all, the last row says how many
    are not shown.
    """
    room = inside.height - top
    if count <= room:
        return count
    inside.put(0, inside.height - 1, f"and {count - room + 1} more", "soft")
    return room - 1
