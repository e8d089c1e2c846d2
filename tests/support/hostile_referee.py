"""What a cheating referee could sign: each change takes an honest tournament and returns a false one, signed again.

`FALSE` has changes that the bundle exposes. `UNPROVEN` has changes that only the referee can know about: a check can
only list them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final, TypeAlias

from kimberley.games.land import GAME
from kimberley.p2p.table.common_options import GRACE
from kimberley.p2p.table.common_options import TOURNAMENT_MARK as MARK
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.tournament.bundle import ranked
from kimberley.p2p.tournament.events import (
    ABSENT,
    CHEATING,
    ORGANIZER,
    PLAYED,
    REFUSED,
    SILENCE,
    TIME,
    VOID,
    WITHDREW,
    DecisionUndone,
    GameSeated,
    LotsDrawn,
    PlayerEnrolled,
    PlayerWithdrew,
    RoundPaired,
    TableDecided,
    TableReplayed,
    TournamentEnded,
    TournamentEvent,
    reopen,
)
from kimberley.p2p.tournament.points import places_after_ruling
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.record import Record
from tests.support.told import (
    Told,
    absent_seats,
    cut_at_the_audit,
    cut_in_the_middle,
    game_of,
    record_of,
    terms_at,
    two_faced,
)
from tests.support.tournaments import PEOPLE, REFEREE, Evening, same_words, settings_of

Change: TypeAlias = Callable[[Told], Told]

LAST: Final = 3
"""The number of the last result. No pairing depends on it."""


# -- helpers -----------------------------------------------------------------------------------------------------------


def loses(told: Told, number: int) -> tuple[int, ...]:
    """Returns the places after a ruling against the seat that won."""
    return places_after_ruling(2, [told.result(number)[1].places.index(1)], None)


def seating(told: Told, number: int) -> tuple[int, GameSeated]:
    """Returns the event that begins the game of a result, and its index."""
    _, said, _ = told.result(number)
    at, seated = next(
        (at, event)
        for at, event in enumerate(told.events)
        if isinstance(event, GameSeated) and (event.round, event.table) == (said.round, said.table)
    )
    return at, seated


def without_game(told: Told, number: int, **changed: Any) -> Told:
    """Returns another result, as if no game had begun."""
    forged = told.say_without_record(number, **(changed | {"game": None}))
    del forged.events[seating(forged, number)[0]]
    return forged


def with_event(told: Told, at: int, event: Any) -> Told:
    forged = told.copy()
    forged.events.insert(at, event)
    return forged


def silent(told: Told, number: int = LAST) -> tuple[Record, tuple[int, ...]]:
    """Returns the record of a game cut in its middle, and the places after a ruling against the seat that owes the next
    step.
    """
    record = record_of(told, number, cut_in_the_middle)
    return record, places_after_ruling(2, absent_seats(record), None)


def without_audit(told: Told, number: int = LAST) -> tuple[Record, tuple[int, ...]]:
    """Returns the record of a finished game, cut where the winner opens its seed, and the places after a ruling against
    the winner.
    """
    winner = told.result(number)[1].places.index(1)
    return record_of(told, number, lambda record: cut_at_the_audit(record, winner)), loses(told, number)


@cache
def two_players(rounds: int, clock: bool, change: Callable[[TableTerms], TableTerms]) -> Told:
    """Returns a tournament of two players. `change` alters the terms of their table in each round."""
    more: dict[str, Any] = {} if clock else {"clock": None}
    settings = settings_of("round-robin", game=GAME.id, rules=GAME.revision, rounds=rounds, **more)
    evening = Evening.of(settings, PEOPLE[:2])
    records, games = [], {}
    while not evening.tournament.ended:
        evening.proceed()
        for table in () if evening.tournament.ended else evening.tournament.rounds[-1].open:
            number = evening.tournament.rounds[-1].number
            record, places = game_of(evening, table, change(terms_at(settings, number, table.number, table.seats)))
            evening.say(table, places, PLAYED, record.pack())
            records.append(record.pack())
            games[record.table.game_id] = record
    return Told(settings, evening.events, records, games=games)


def as_told(terms: TableTerms) -> TableTerms:
    return terms


def unmarked(terms: TableTerms) -> TableTerms:
    return replace(terms, options=tuple(option for option in terms.options if option[0] != MARK))


def marked(mark: bytes, terms: TableTerms) -> TableTerms:
    return replace(terms, options=tuple(sorted({**dict(terms.options), MARK: mark}.items())))


def more_options(terms: TableTerms) -> TableTerms:
    return replace(terms, options=tuple(sorted({**dict(terms.options), GRACE: 30}.items())))


def of_another_game(terms: TableTerms) -> TableTerms:
    return replace(terms, game="chess")


def of_another_revision(terms: TableTerms) -> TableTerms:
    return replace(terms, rules=GAME.revision + 1)


# -- results of whole games --------------------------------------------------------------------------------------------


def winner_ruled_out(how: str, honest: Told) -> Told:
    return honest.say(LAST, how=how, places=loses(honest, LAST))


def game_declared_void(honest: Told) -> Told:
    return honest.say(LAST, how=VOID, places=(1, 1))


def other_places(honest: Told) -> Told:
    _, said, _ = honest.result(0)
    return honest.say(
        0, places=tuple(3 - place if len(set(said.places)) > 1 else seat + 1 for seat, place in enumerate(said.places))
    )


def result_ruled_away(how: str, honest: Told) -> Told:
    """Rules away a game whose end all saw. Only the audit is missing."""
    record, places = without_audit(honest)
    return honest.say(LAST, record, how=how, places=(1, 1) if how == VOID else places)


# -- results of other games, or of none --------------------------------------------------------------------------------


def elsewhere(change: Callable[[TableTerms], TableTerms], honest: Told) -> Told:
    """Counts a game that the players of a table played elsewhere, or another game."""
    del honest
    return two_players(1, True, change)


def one_game_in_two_rounds(honest: Told) -> Told:
    del honest
    told = two_players(3, True, unmarked)
    record = told.games[told.result(0)[1].game or b""]
    at, seated = seating(told, 2)
    again = told.say(2, record, game=record.table.game_id, places=told.result(0)[1].places)
    again.events[at] = replace(seated, game=record.table.game_id)
    return again


def game_of_another_table(honest: Told) -> Told:
    """Swaps the games of two results: each names the game of the other's table."""
    forged = honest.copy()
    for number, other in ((0, 1), (1, 0)):
        _, said, _ = honest.result(other)
        at, seated = seating(honest, number)
        assert said.game is not None
        forged.events[at] = replace(seated, game=said.game, signatures=same_words(honest.result(number)[2], said.game))
        forged = forged.say(number, honest.games[said.game], game=said.game)
    return forged


def another_game_id(honest: Told) -> Told:
    at, seated = seating(honest, 0)
    forged = honest.say(0, game=bytes(32))
    forged.events[at] = replace(seated, game=bytes(32), signatures=same_words(honest.result(0)[2], bytes(32)))
    return forged


def game_of_one_seat(honest: Told) -> Told:
    """Rules by silence in a game that only one seat has begun, and whose words no other seat has confirmed."""
    record = record_of(honest, LAST, lambda record: replace(record, envelopes=record.envelopes[:1]))
    at, seated = seating(honest, LAST)
    forged = honest.say(LAST, record, how=SILENCE, places=places_after_ruling(2, [1], None))
    forged.events[at] = replace(seated, signatures=seated.signatures[:1] * len(seated.signatures))
    return forged


def second_game(honest: Told) -> Told:
    """Counts a second game at a table, because the first one went wrong for a friend."""
    at, seated = seating(honest, LAST)
    return with_event(
        honest, at, replace(seated, game=bytes(32), signatures=same_words(honest.result(LAST)[2], bytes(32)))
    )


def record_kept_back(how: str, honest: Told) -> Told:
    return honest.say_without_record(LAST, how=how, places=(1, 1) if how == VOID else loses(honest, LAST))


def absent_from_a_game(honest: Told) -> Told:
    return honest.say_without_record(LAST, how=ABSENT, places=loses(honest, LAST), game=None)


def ruled_without_a_game(how: str, honest: Told) -> Told:
    return without_game(honest, LAST, how=how, places=loses(honest, LAST))


# -- rulings that the record contradicts -------------------------------------------------------------------------------


def ruled_without_proof(honest: Told) -> Told:
    return honest.say(2, how=CHEATING, places=(1, 0))


def cheat(honest: Told, **said: Any) -> Told:
    return honest.say(2, two_faced(honest.games[honest.result(2)[1].game or b""], 1), **said)


def blamed_for_anothers_silence(how: str, honest: Told) -> Told:
    record, places = silent(honest)
    return honest.say(LAST, record, how=how, places=places[::-1])


def both_blamed(how: str, honest: Told) -> Told:
    return honest.say(LAST, silent(honest)[0], how=how, places=(0, 0))


def blamed_for_refusing(honest: Told) -> Told:
    record, places = silent(honest)
    return honest.say(LAST, record, how=REFUSED, places=places)


def no_clock(honest: Told) -> Told:
    del honest
    told = two_players(1, False, as_told)
    record, places = silent(told, 0)
    return told.say(0, record, how=TIME, places=places)


# -- the events around the results -------------------------------------------------------------------------------------


def others_paired(honest: Told) -> Told:
    """Swaps two players in the first round."""
    at = honest.index(RoundPaired)
    paired = honest.events[at]
    assert isinstance(paired, RoundPaired)
    (a, b), (c, d) = paired.tables
    return replace(honest, events=[*honest.events[:at], replace(paired, tables=((a, c), (b, d)))], records=[])


def seats_swapped(honest: Told) -> Told:
    at = honest.index(RoundPaired)
    paired = honest.events[at]
    assert isinstance(paired, RoundPaired)
    swapped = replace(paired, tables=tuple(table[::-1] for table in paired.tables))
    return replace(honest, events=[*honest.events[:at], swapped], records=[])


def ended_early(honest: Told) -> Told:
    """Ends the tournament after the first round, so that its leader wins."""
    second = honest.index(RoundPaired, 1)
    return replace(honest, events=[*honest.events[:second], TournamentEnded(1_900_000_000)], records=honest.records[:2])


def ended_before_it_began(honest: Told) -> Told:
    return replace(
        honest, events=[*honest.events[: honest.index(LotsDrawn)], TournamentEnded(1_900_000_000)], records=[]
    )


def unsigned(honest: Told) -> Told:
    told = honest.copy()
    at, said, _ = told.result(1)
    told.events[at] = replace(said, sentence="Another sentence.")
    return told


def other_standings(honest: Told) -> Told:
    right = ranked(Tournament.fold(honest.settings, honest.events))
    return replace(honest, standings=(right[1], right[0], *right[2:]))


def one_record_more(honest: Told) -> Told:
    return replace(honest, records=[*honest.records, b"one more"])


def no_lots(honest: Told) -> Told:
    drawn = honest.index(LotsDrawn)
    return replace(honest, events=[*honest.events[:drawn], *honest.events[drawn + 1 :]])


def played_game_undone(honest: Told) -> Told:
    """Undoes a decision that nobody made."""
    return with_event(honest, honest.index(TableDecided, LAST) + 1, undone(honest))


def decision_undone(honest: Told, change: Callable[[DecisionUndone], TournamentEvent]) -> Told:
    """Decides a game that is cut short, and undoes that."""
    told = game_cut_short(ORGANIZER, honest)
    return with_event(told, told.index(TableDecided, LAST) + 1, change(undone(told)))


def undone(told: Told) -> DecisionUndone:
    """Returns the event that undoes the last result."""
    _, said, seats = told.result(LAST)
    event = DecisionUndone(1_900_000_000, said.round, said.table, "The wrong name.", b"")
    signed = reopen(REFEREE, told.settings, seats, event)
    assert isinstance(signed, DecisionUndone)
    return signed


def as_a_replay(event: DecisionUndone) -> TableReplayed:
    """Returns the same as a replay, with the signature of an undone decision."""
    return TableReplayed(event.at, event.round, event.table, event.sentence, event.signature)


FALSE: Final[dict[str, tuple[Change, str]]] = {
    **{
        f"the winner of a whole game has lost by {how}": (partial(winner_ruled_out, how), f"the result says '{how}'")
        for how in (TIME, SILENCE, WITHDREW, REFUSED)
    },
    "the winner of a whole game was absent": (
        partial(winner_ruled_out, ABSENT),
        "A player cannot be absent from a game",
    ),
    "a whole game is void": (game_declared_void, "the record is fair, and the result says 'void'"),
    "a whole game ended otherwise": (other_places, "round 1, table 1: the game ended with different places"),
    **{
        f"a game that has ended is lost by {how}": (partial(result_ruled_away, how), "the record shows how the game")
        for how in (TIME, SILENCE, WITHDREW, VOID)
    },
    "a game without a mark": (partial(elsewhere, unmarked), "at none of this tournament"),
    "a game of another tournament": (partial(elsewhere, partial(marked, bytes(32))), "at none of this tournament"),
    "a game with more options": (partial(elsewhere, more_options), "different options"),
    "another game": (partial(elsewhere, of_another_game), "another game was played"),
    "a game by other rules": (partial(elsewhere, of_another_revision), "another game was played"),
    "one game in two rounds": (one_game_in_two_rounds, "This game is played at another table"),
    "the game of another table": (game_of_another_table, "the players were not those the referee announced"),
    "the record of another game": (another_game_id, "the record is of a different game from the one in the result"),
    "a game whose words only one seat has confirmed": (
        game_of_one_seat,
        "not every player has signed that the words match",
    ),
    "a second game at a table": (second_game, "This table already has a game"),
    "a begun game that nobody came to": (absent_from_a_game, "A result names the game of its table"),
    **{
        f"no game, and lost by {how}": (partial(ruled_without_a_game, how), "A table without a game does not end by")
        for how in (TIME, SILENCE)
    },
    "a cheat that nobody has proven": (ruled_without_proof, "the record is fair, and the result says 'cheating'"),
    "the cheat's victim is the cheat": (
        partial(cheat, how=CHEATING, places=(0, 1)),
        "the ruling is not against the players whose cheating the record proves",
    ),
    **{
        f"a proven cheat is let off by {how}": (
            partial(cheat, how=how, places=(1, 1) if how == VOID else (1, 0)),
            f"the record is unfair, and the result says '{how}'",
        )
        for how in (TIME, VOID)
    },
    "a proven cheat has played": (cheat, "the record is unfair, and the result says 'played'"),
    **{
        f"who owed nothing has lost by {how}": (
            partial(blamed_for_anothers_silence, how),
            "the missing move belongs to a player the ruling is not against",
        )
        for how in (TIME, SILENCE)
    },
    **{
        f"who owed nothing has lost by {how} as well": (
            partial(both_blamed, how),
            "the ruling is against a player whose move is there",
        )
        for how in (TIME, SILENCE)
    },
    "an audit refused before there was one": (blamed_for_refusing, "refused the fairness check"),
    "lost on time without a clock": (no_clock, "A player cannot lose on time without a clock"),
    "others are paired": (others_paired, "round 1 is not paired by the rules of its format"),
    "seats are swapped": (seats_swapped, "round 1 is not paired"),
    "the end comes early": (ended_early, "round 2 should have been played"),
    "the end comes before the beginning": (ended_before_it_began, "the end of the tournament"),
    "a played game is undone": (played_game_undone, "The organizer did not decide this result"),
    "what undoes a decision is not signed": (
        partial(decision_undone, change=lambda event: replace(event, signature=bytes(64))),
        "The referee has not signed this",
    ),
    "a reason is exchanged": (
        partial(decision_undone, change=lambda event: replace(event, sentence="Another reason.")),
        "The referee has not signed this",
    ),
    "an undone decision is passed off as a replay": (
        partial(decision_undone, change=as_a_replay),
        "The referee has not signed this",
    ),
    "a result is not signed": (unsigned, "round 1, table 2: the referee has not signed this result"),
    "the standings are others": (other_standings, "its standings do not follow from its results"),
    "a record too many": (one_record_more, "its results name 4 records, and it holds 5"),
    "lots are not drawn": (no_lots, "event 6 is impossible there: No round can begin now"),
}
"""False tournaments by what is false in them, with the expected finding. Each is proven against the referee."""

MISSING: Final[dict[str, Change]] = {
    f"the record is kept back, and lost by {how}": partial(record_kept_back, how)
    for how in (TIME, SILENCE, WITHDREW, VOID)
}
"""Tournaments that lack the record of a game that began. They are incomplete: a crash of the referee can lose it
too.
"""


# -- what a cheating referee can do ------------------------------------------------------------------------------------


def game_cut_short(how: str, honest: Told) -> Told:
    """Cuts the rest of a game from its record, and rules."""
    record, places = silent(honest)
    return honest.say(LAST, record, how=how, places=(1, 1) if how == VOID else places)


def audit_cut_off(honest: Told) -> Told:
    record, places = without_audit(honest)
    return honest.say(LAST, record, how=REFUSED, places=places)


def game_denied(how: str, honest: Told) -> Told:
    """Denies a game that was played."""
    return without_game(honest, LAST, how=how, places=(1, 1) if how == VOID else loses(honest, LAST))


def put_out(honest: Told) -> Told:
    return with_event(honest, honest.index(TournamentEnded), PlayerWithdrew(1_900_000_000, honest.result(LAST)[2][0]))


def let_in_late(honest: Told) -> Told:
    return with_event(honest, honest.index(TournamentEnded), PlayerEnrolled(1_900_000_000, PEOPLE[9], "friend"))


UNPROVEN: Final[dict[str, Change]] = {
    **{f"a game is cut short: {how}": partial(game_cut_short, how) for how in (TIME, SILENCE, WITHDREW, VOID)},
    "the audit is cut off": audit_cut_off,
    **{f"a game is denied: {how}": partial(game_denied, how) for how in (ABSENT, WITHDREW, VOID)},
    "a player is put out": put_out,
    "a friend is let in late": let_in_late,
}
"""Tournaments that look in order to anybody. The check lists what rests on the referee's word alone."""
