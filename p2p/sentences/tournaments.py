"""Tournaments in words: the game and its settings, the events, the winner."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.games import lookup
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.sentences.notices import clock_digits
from kimberley.p2p.sentences.options import in_short, unusual_lines
from kimberley.p2p.table.common_options import FIXED, GRACE, TOURNAMENT_GRACE_SECONDS
from kimberley.p2p.tournament.events import (
    ABSENT,
    AWAY,
    CHEATING,
    IN_GAME,
    ORGANIZER,
    REFUSED,
    SILENCE,
    TIME,
    UNREADY,
    WITHDREW,
    ByeGranted,
    DecisionUndone,
    EndCalled,
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
from kimberley.p2p.tournament.formats import NoPairing
from kimberley.p2p.tournament.knockout import is_eliminated
from kimberley.p2p.tournament.players import BANNED, DISQUALIFIED, IN, KEPT_OUT, WITHDRAWN, TournamentPlayer
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
from kimberley.p2p.tournament.tournament import is_last_round

if TYPE_CHECKING:
    from kimberley.games.table import Plain
    from kimberley.p2p.tournament.players import TournamentRound, TournamentTable
    from kimberley.p2p.tournament.settings import TournamentSettings
    from kimberley.p2p.tournament.tournament import Tournament
    from kimberley.p2p.transport.table_card import TournamentCard

DAY_SECONDS: Final = 86_400
UNTRUSTED: Final = "The referee cannot be trusted."
WITHDRAWAL_UNHEARD: Final = "The referee is offline and may still pair you. To withdraw, wait until it is back."
NOTHING_LOST: Final = "You have no more games to play, and lose nothing by withdrawing."
OUT_OF_KNOCKOUT: Final = "You are out of the knockout. The others play on."
FORMATS: Final = {
    SWISS: "Swiss system",
    ACCELERATED_SWISS: "accelerated Swiss system",
    ROUND_ROBIN: "round-robin",
    DOUBLE_ROUND_ROBIN: "double round-robin",
    KNOCKOUT: "knockout",
    ARENA: "arena",
}


def tournament_kind(format: str) -> str:
    """Returns what a tournament is called: "Swiss-system tournament"; of an unknown format, "tournament"."""
    return f"{FORMATS.get(format, '')} tournament".replace(" system", "-system").strip()


def title(settings: TournamentSettings) -> str:
    """Returns the title of the game, or its id if the game is not installed."""
    try:
        return lookup.find(settings.game).title
    except LookupError:
        return settings.game


def describe_settings(settings: TournamentSettings) -> str:
    """Describes the format, the clocks and what is unusual at the tables of a tournament, in sentences."""
    form = describe_format(settings)
    form = form[0].upper() + form[1:]
    chosen = options_in_short(settings.game, dict(settings.options))
    options = f" Options: {chosen}." if chosen else ""
    if settings.clock is None:
        return f"{form}, no clocks.{options}"
    main, more = settings.clock.main, settings.clock.increment
    time = count_of(main // 60, "minute") if main % 60 == 0 else count_of(main, "second")
    clocks = f"{time} each, plus {count_of(more, 'second')} per choice" if more else f"{time} each"
    return f"{form}, {clocks}.{options}"


def unusual_options(game: str, options: Mapping[str, Plain]) -> list[tuple[str, str]]:
    """Returns the options in which a tournament's tables differ from the usual ones, (label, value); none for a game
    that is not installed.
    """
    try:
        installed = lookup.find(game)
    except LookupError:
        return []
    return unusual_lines(installed, options, FIXED.options | {GRACE: TOURNAMENT_GRACE_SECONDS})


def options_in_short(game: str, options: Mapping[str, Plain]) -> str:
    """Returns those options in one line; empty if there are none."""
    return in_short(unusual_options(game, options))


def describe_format(settings: TournamentSettings) -> str:
    """Returns the format in a few words, with the length of an arena and the boards of teams."""
    form = FORMATS[settings.format]
    if settings.minutes:
        return f"{settings.minutes}-minute {form}"
    return f"{form}, teams of {settings.boards}" if settings.boards else form


def points_text(number: Fraction) -> str:
    """Returns the points in a sentence: "1 point", "2½ points"."""
    return count_of_points(number, "point")


def round_title(tournament: Tournament) -> str:
    """Returns what is played now, in a few words: a round, or an arena and its end. Empty before the first round."""
    if (round_ := tournament.round) is None:
        return ""
    if (ends := arena_end(tournament)) is not None:
        if tournament.ending or tournament.ended:
            return "Arena"  # It can end before its time.
        return f"Arena until {time.strftime('%H:%M', time.localtime(ends))}"
    last = round_.number if tournament.ending or tournament.ended else max(tournament.planned, round_.number)
    return f"Round {round_.number} of {last}"


def arena_end(tournament: Tournament) -> float | None:
    """Returns when an arena that has begun stops opening tables, in seconds since 1970; None in any other format."""
    round_ = tournament.round
    if round_ is None or not tournament.format.rolling:
        return None
    return round_.begun + 60 * tournament.settings.minutes


def table_place(tournament: Tournament, round: int, table: int) -> str:
    """Returns where a game was played, as the beginning of a sentence; `table` counts from 0. An arena has no rounds
    in words.
    """
    if tournament.format.rolling:
        return f"Table {table + 1}"
    return f"Round {round}, table {table + 1}"


def first_part(tournament: Tournament) -> str:
    """Returns the name of what a tournament begins with, as the beginning of a sentence."""
    return "The arena" if tournament.format.rolling else "The first round"


def describe_progress(card: TournamentCard) -> str:
    """Says how far along a listed tournament is, in a few words."""
    if not card.round:
        return "not started"
    return "in progress" if card.format == ARENA else f"round {card.round} of {card.rounds}"


def round_label(tournament: Tournament) -> str:
    """Returns the round in capitals, for the strip of a screen. Empty before the first round."""
    if tournament.round is None:
        return ""
    return "ARENA" if tournament.format.rolling else f"ROUND {tournament.round.number}"


def current_tables(tournament: Tournament) -> tuple[TournamentTable, ...]:
    """Returns the tables to show as current: all of a round; of an arena, the latest table of each player."""
    tables = tournament.round.tables if tournament.round is not None else ()
    if not tournament.format.rolling:
        return tables
    latest = {identity: table.number for table in tables for identity in table.seats}
    return tuple(table for table in reversed(tables) if any(latest[one] == table.number for one in table.seats))


def has_results(tournament: Tournament) -> bool:
    """Returns whether any table has a result: before that, the order of the standings means nothing."""
    return any(table.decided is not None for round_ in tournament.rounds for table in round_.tables)


def team_lines(tournament: Tournament) -> list[str]:
    """Returns the standings of the teams, a sentence for each; nothing if everybody plays alone."""
    ranked = has_results(tournament)
    return [
        f"{f'{one.row.rank}: ' if ranked else ''}{one.team.name}, {count_of_points(one.match_points, 'match point')}, "
        f"{count_of_points(one.game_points, 'game point')} ({', '.join(map(tournament.name, one.team.members))})."
        for one in tournament.team_standings()
    ]


def count_of_points(number: Fraction, what: str) -> str:
    """Returns a number of points: "½ match point", "2½ game points"."""
    return f"{points_in_words(number)} {what}{'s' * (not 0 < number <= 1)}"


def bye_names(tournament: Tournament, round_: TournamentRound) -> list[str]:
    """Returns who has a bye in a round, as lists show it: half-point byes are marked."""
    return [*map(tournament.label, round_.byes), *(f"{tournament.label(one)} (½)" for one in round_.half_byes)]


def without_table(tournament: Tournament, identity: bytes) -> str:
    """Says why a player has no table in the current round."""
    now = tournament.rounds[-1]
    if identity in now.byes:
        return "You have a bye this round: it counts as a win."
    if identity in now.half_byes:
        return "You have a half-point bye this round: it counts as a draw."
    if tournament.format.rolling:
        return _when_free(tournament)
    if is_out_of_knockout(tournament, identity):
        return OUT_OF_KNOCKOUT
    if is_last_round(tournament):
        return "You are not paired in this last round."
    if tournament.settings.format == KNOCKOUT:
        return "Drawn games are replayed in this round. You play in the next one."
    return "You start in the next round."


def is_out_of_knockout(tournament: Tournament, identity: bytes) -> bool:
    """Returns whether a knockout has begun in which a player can no longer play."""
    if tournament.settings.format != KNOCKOUT or not tournament.rounds:
        return False
    return is_eliminated(tournament.players, tournament.rounds, tournament.settings.seats, identity)


def withdrawal_warning(tournament: Tournament, identity: bytes, stop: str) -> str:
    """Returns what a player between two games is asked before withdrawing; `stop` is how a player stops for a while."""
    last = is_last_round(tournament) and not tournament.format.rolling and tournament.table_of(identity) is None
    if last or is_out_of_knockout(tournament, identity):
        return NOTHING_LOST
    points = " You keep your points." if tournament.rounds else ""
    return (
        f"You will not be paired unless you join again.{points} For a short break, {stop} instead: your place is kept."
    )


def between_games(tournament: Tournament, identity: bytes) -> str:
    """Tells a player without an open table in the current round what comes after the player's game, or after the round;
    or why there is no game.
    """
    round_ = tournament.round
    played = round_ is not None and any(identity in table.seats for table in round_.tables)
    over = round_ is not None and not round_.open
    if (played or over) and not tournament.format.rolling:
        return after_game(tournament, identity)
    return without_table(tournament, identity)


def what_is_kept(tournament: Tournament, identity: bytes, *, left: bool) -> str:
    """Says what the referee keeps for a player whose program ends, and what the player can lose meanwhile. `left`:
    whether the player has left the game.
    """
    table = tournament.table_of(identity)
    if table is None or left:
        return "Your place in the tournament is kept."
    if table.game is not None and tournament.settings.clock is not None:
        return "Your place and game are kept, but your clock keeps running."
    return "Your place and game are kept, but if you stay away, you lose this game."


def _when_free(tournament: Tournament) -> str:
    """Tells a player of an arena who has no table when there will be one, if ever."""
    ends = arena_end(tournament)
    if tournament.ending or (ends is not None and ends <= wall_time()):
        return "The tournament ends after the games in progress."
    return "You will be paired when someone else is free."


def why_out(tournament: Tournament, identity: bytes) -> str:
    """Tells a player who is no longer in the tournament why."""
    player = tournament.player(identity)
    state = player.state if player is not None else ""
    if state == BANNED:
        return KEPT_OUT
    if state == DISQUALIFIED:
        return "You are disqualified: the record of your game proves you cheated."
    return "You are out of the tournament unless you join again."


class RankedName(NamedTuple):
    """A player or a team in the standings."""

    rank: int
    name: str
    points: Fraction
    stayed: bool
    """Whether this one can be the winner: it is still in the tournament, or withdrew only after the last round."""


def ranking(tournament: Tournament, name: Callable[[bytes], str]) -> list[RankedName]:
    """Returns the teams, best first, or the players by `name` where everybody plays alone."""
    to_the_end = _played_to_the_end(tournament)

    def stayed(player: TournamentPlayer, members: Collection[bytes]) -> bool:
        return player.state == IN or (player.state == WITHDRAWN and not to_the_end.isdisjoint(members))

    return [
        RankedName(one.row.rank, one.team.name, one.match_points, stayed(one.row.player, one.team.members))
        for one in tournament.team_standings()
    ] or [
        RankedName(one.rank, name(one.player.identity), one.points, stayed(one.player, (one.player.identity,)))
        for one in tournament.standings()
    ]


def _played_to_the_end(tournament: Tournament) -> Set[bytes]:
    """Returns who took part in the last round, if there was one, and somebody played in it."""
    if not is_last_round(tournament) or not any(table.played for table in tournament.rounds[-1].tables):
        return frozenset()
    if tournament.format.rolling and not any(player.state == IN for player in tournament.players):
        return frozenset()
    last = tournament.rounds[-1]
    return {*last.byes, *last.half_byes, *chain.from_iterable(table.seats for table in last.tables)}


def outcome_sentence(tournament: Tournament) -> str:
    """Says who has won a finished tournament, and who ranked higher but did not stay."""
    ranked = ranking(tournament, tournament.name)
    winner = next((one for one in ranked if one.stayed), None)
    if winner is None:
        return "Nobody won: no player was left at the end." if ranked else "Nobody took part."
    above = [one.name for one in ranked if one.rank < winner.rank]
    are = "is" if len(above) == 1 else "are"
    out = f" {join_names(above)} ranked higher, but {are} out of the tournament." if above else ""
    return f"{winner.name} won.{out}"


def describe_early_end(tournament: Tournament) -> list[str]:
    """Says why a finished tournament had fewer rounds than planned: the organizer ended it, everybody had met, or too
    few were left.
    """
    if tournament.ending:
        return ["The organizer ended the tournament early."]
    why = early_end(tournament)
    if why is None or all(player.state != IN for player in tournament.players):
        return []
    return [f"No more rounds could be paired: {why.past}."]


def final_sentence(tournament: Tournament) -> str:
    """Says in a sentence who has won."""
    return f"The tournament is over. {outcome_sentence(tournament)}"


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
                lines += _who_play(tournament, tables)
            case RoundPaired(tables=tables) if tournament.format.rolling:
                lines += _who_play(tournament, tables)
            case RoundPaired(round=number, tables=tables, byes=byes):
                lines.append(f"Round {number}: {count_of(len(tables), 'table')}.")
                lines += [f"{tournament.label(identity)} has a bye." for identity in byes]
            case TableDecided(round=number, table=table, sentence=sentence):
                of = "" if tournament.format.rolling else f" of round {number}"
                lines.append(f"{table_name(table).capitalize()}{of} is finished. {sentence}")
            case RoundScheduled():
                pass  # It may be out of date: `describe_next_round` says what follows now.
            case _ if (line := describe_order(tournament, event)) is not None:
                lines.append(line)
    return lines


def _who_play(tournament: Tournament, tables: Iterable[Iterable[bytes]]) -> list[str]:
    """Returns a sentence for each table that opens."""
    return [f"{join_names([*map(tournament.name, people)])} play." for people in tables]


LOST_BECAUSE: Final = {
    ABSENT: "you did not arrive in time",
    UNREADY: "you were not ready in time",
    TIME: "you ran out of time",
    SILENCE: "your program sent nothing for too long",
    AWAY: "you were away for too long",
    REFUSED: "your program did not finish the fairness check",
    CHEATING: "your program broke the rules",
    WITHDREW: "you were no longer in it",
}
"""Why a player has lost a table by ruling, addressed to that player."""
SAID_BY_NAME: Final = (TIME, WITHDREW)
"""The rulings whose sentence only repeats that with the player's name."""


def has_lost_by(tournament: Tournament, identity: bytes, ruling: TableDecided) -> bool:
    """Returns whether this player has lost by a ruling."""
    tables = tournament.rounds[ruling.round - 1].tables if ruling.round <= len(tournament.rounds) else ()
    number = table_number(ruling.table)
    seats = tables[number].seats if number < len(tables) else ()
    return any(seats[seat] == identity for seat in ruling.lost if seat < len(seats))


def describe_ruling_to(tournament: Tournament, identity: bytes, ruling: TableDecided) -> str:
    """Tells a player how the player's own table ended: with the referee's sentence, which names everybody, preceded by
    one in the second person, or put in it, if the player has lost or won by a ruling.
    """
    tables = tournament.rounds[ruling.round - 1].tables if ruling.round <= len(tournament.rounds) else ()
    number = table_number(ruling.table)
    seats = tables[number].seats if number < len(tables) else ()
    if not has_lost_by(tournament, identity, ruling):
        first = [seat for seat, place in enumerate(ruling.places) if place == 1]
        won = ruling.lost and len(first) == 1 and first[0] < len(seats) and seats[first[0]] == identity
        if not won:
            return ruling.sentence
        named = f"{tournament.name(identity)} won, "
        if ruling.sentence.startswith(named):
            return f"You won, {ruling.sentence.removeprefix(named)}"
        return f"You won this game. {ruling.sentence}"
    if ruling.how in SAID_BY_NAME and len(ruling.lost) == 1:
        return f"You lost this game because {LOST_BECAUSE[ruling.how]}."
    # Of two players, the one who lost knows who won.
    winners = [tournament.name(other) for other in seats if other != identity] if len(seats) == 2 else []
    if ruling.how == ORGANIZER and winners and ruling.sentence.startswith(named := f"{winners[0]} won, "):
        return f"You lost this game, {ruling.sentence.removeprefix(named)}"
    # A player who left a game before the ruling loses with the others, and the sentence says so.
    several = ruling.how in IN_GAME and len(ruling.lost) > 1
    why = "" if several or ruling.how == ORGANIZER else f" because {LOST_BECAUSE[ruling.how]}"
    return f"You lost this game{why}. {ruling.sentence}"


def describe_order_to(tournament: Tournament, identity: bytes, event: TournamentEvent | None) -> str | None:
    """Tells a player what the organizer has done: for all, or at the player's table. None if it is nothing."""
    if event is None:
        return None
    if isinstance(event, TimeAdded | TablePaused | TableResumed | TableReplayed | DecisionUndone):
        table = tournament.table_of(identity)
        if table is None or table.number != table_number(event.table):
            return None
    if isinstance(event, RoundScheduled) and _is_due(tournament):
        return None  # What begins or ends now is told as soon as it has.
    return describe_order(tournament, event)


def describe_order(tournament: Tournament, event: TournamentEvent) -> str | None:
    """Says what the organizer has done, in a sentence; None for an event that is not an order of the organizer's."""
    match event:
        case TimeAdded(table=table, identity=identity, seconds=seconds):
            more = f"{clock_digits(seconds)} more on the clock"
            return f"{table_name(table).capitalize()}: the organizer gives {tournament.name(identity)} {more}."
        case TablePaused(table=table):
            return f"The organizer has paused {table_name(table)}."
        case TableResumed(table=table):
            return f"{table_name(table).capitalize()} resumes."
        case TableReplayed(table=table, sentence=sentence):
            return f"The organizer has ordered a replay at {table_name(table)}: {sentence}"
        case DecisionUndone(table=table, sentence=sentence):
            return f"The organizer has undone the decision at {table_name(table)}: {sentence}"
        case MessageSent(text=text):
            return f"The organizer says: {text}"
        case EntryClosed():
            return "Entry is closed."
        case EndCalled() if tournament.round is not None and tournament.round.open:
            if tournament.format.rolling:
                return "The organizer ends the tournament after the games in progress."
            return "The organizer ends the tournament after this round."
        case ByeGranted(identity=identity, round=number, granted=True):
            return f"{tournament.name(identity)} has a half-point bye in round {number}."
        case ByeGranted(identity=identity, round=number):
            return f"{tournament.name(identity)} plays in round {number} after all."
        case PlayerBanned(identity=identity, sentence=sentence):
            return f"The organizer has removed {tournament.name(identity)} for good: {sentence}"
        case RoundScheduled() if event == tournament.scheduled:
            return describe_next_round(tournament)
    return None


def describe_next_round(
    tournament: Tournament, pause_ends: float | None = None, *, waits_until: str = "the organizer says so"
) -> str | None:
    """Says when the next round begins, or what it waits for; None if nothing is known about that.

    Args:
        tournament: The tournament as it is now.
        pause_ends: When the pause before the next round ends, in seconds since 1970; None if there is none now.
        waits_until: What a round that begins only by hand waits for, as the rest of a sentence.

    """
    if tournament.ended:
        return None
    what, scheduled, round_ = _what_follows(tournament), tournament.scheduled, tournament.round
    if scheduled is None:
        return None if pause_ends is None else f"{what} {at_time(pause_ends)}."
    if scheduled.start is None:
        return f"{what} when {waits_until}."
    planned, at_once = f"{what} {at_time(scheduled.start)}", scheduled.start <= wall_time()
    if round_ is not None and round_.open:
        if at_once:
            return f"{what} when all games of this round are over."
        return f"{planned}, or later if games are still going on."
    if round_ is None and _too_few_came(tournament):
        enough = once_enough(tournament.settings)
        if at_once:
            return f"{what} {enough}."
        return f"{planned}, {enough}." if scheduled.start - wall_time() < DAY_SECONDS / 2 else f"{planned}."
    return f"{what} now." if at_once else f"{planned}."


def _too_few_came(tournament: Tournament) -> bool:
    return sum(player.state == IN for player in tournament.players) < tournament.settings.fewest


def _is_due(tournament: Tournament) -> bool:
    """Returns whether what follows is scheduled for now, and waits for nothing else."""
    scheduled, round_ = tournament.scheduled, tournament.round
    if scheduled is None or scheduled.start is None or scheduled.start > wall_time():
        return False
    return not round_.open if round_ is not None else not _too_few_came(tournament)


def once_enough(settings: TournamentSettings) -> str:
    """Returns what the first round waits for while too few have joined, as the rest of a sentence."""
    return "once two players are here" if settings.fewest == 2 else "once enough players are here"


class EarlyEnd(NamedTuple):
    """Why no other round can be paired though more are planned: as the beginning of a sentence before the end, and as
    the rest of one after it.
    """

    coming: str
    past: str


NO_PAIRING: Final = {
    NoPairing.ALL_MET: EarlyEnd("Everyone has met", "everyone has met"),
    NoPairing.TOO_FEW: EarlyEnd("Too few players", "too few players were left"),
}
NO_PAIRING_OF_TEAMS: Final = {
    NoPairing.ALL_MET: EarlyEnd("All teams have met", "all teams have met"),
    NoPairing.TOO_FEW: EarlyEnd("Too few teams", "too few teams were left"),
}


def early_end(tournament: Tournament) -> EarlyEnd | None:
    """Returns why no other round can be paired, as things stand, though more are planned; None if one can."""
    if not tournament.rounds or is_last_round(tournament):
        return None
    why = tournament.format.no_pairing(tournament.field)
    return None if why is None else (NO_PAIRING_OF_TEAMS if tournament.settings.boards else NO_PAIRING)[why]


def ends_next(tournament: Tournament) -> bool:
    """Returns whether the tournament ends after the current round, as things stand."""
    return is_last_round(tournament) or early_end(tournament) is not None


def end_follows(tournament: Tournament) -> str | None:
    """Says that the tournament ends before its planned rounds, and why; None if it does not, as things stand."""
    return None if early_end(tournament) is None else f"{_what_follows(tournament)}."


def _what_follows(tournament: Tournament) -> str:
    """Returns what comes after the current round, as the beginning of a sentence."""
    if is_last_round(tournament):
        return "The tournament ends"
    if (why := early_end(tournament)) is not None:
        return f"{why.coming}: the tournament ends"
    return "The next round begins" if tournament.rounds else f"{first_part(tournament)} begins"


OTHER_GAMES: Final = "Waiting for the other games to end."


def after_game(tournament: Tournament, identity: bytes) -> str:
    """Tells a player whose game of this round is over what comes next."""
    if tournament.format.rolling:
        return _when_free(tournament)
    over = tournament.round is not None and not tournament.round.open
    if is_out_of_knockout(tournament, identity) and not ends_next(tournament):
        return OUT_OF_KNOCKOUT
    if over and (following := describe_next_round(tournament)) is not None:
        return following
    if is_last_round(tournament):
        return "The last round is over." if over else "Your game is over. This is the last round."
    if (ends := end_follows(tournament)) is not None:
        return ends if over else f"Your game is over. {ends}"
    return "The next round begins soon." if over else OTHER_GAMES


def at_time(moment: float, form: str = "%H:%M:%S") -> str:
    """Returns a time of day in a sentence, with the day if that is not clear: "at 20:00", "tomorrow at 04:36"."""
    # Rounded: what is computed from another clock can lie just below a full second.
    then, now = time.localtime(round(moment)), wall_time()
    if moment - now < DAY_SECONDS / 2 or then[:3] == time.localtime(now)[:3]:
        return f"at {time.strftime(form, then)}"
    clock = f"at {time.strftime('%H:%M', then)}"
    if then[:3] == time.localtime(now + DAY_SECONDS)[:3]:
        return f"tomorrow {clock}"
    return f"on {time.strftime('%b', then)} {then.tm_mday} {clock}"
