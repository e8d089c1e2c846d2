"""The terms of a table, set by its host before anybody sits down: the game, its options, and the number of players."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.games.options import format_seat_counts
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.base.text import quoted
from kimberley.p2p.table.common_options import (
    FINAL_ADJUSTMENT,
    GRACE,
    GRACE_RANGE,
    MOST_FINAL_ADJUSTMENT_SECONDS,
    NO_LIMIT,
    QUIET_TIME,
    TOURNAMENT_MARK,
    TOURNAMENT_MARK_BYTES,
    UNTIL_DONE,
    with_adjust_times,
)
from kimberley.protocol.encoding import pack
from kimberley.protocol.roster import MOST_SEATS


@dataclass(frozen=True)
class TableTerms:
    """The game's id, the revision of its rules, the options by name, and the number of seats."""

    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    seats: int

    @property
    def signed(self) -> tuple[str, int, tuple[tuple[str, Plain], ...]]:
        """The part that the roster holds."""
        return self.game, self.rules, self.options

    def same(self, other: TableTerms) -> bool:
        """Returns whether both are the same on the wire, where 1 is not True."""
        return pack((*self.signed, self.seats)) == pack((*other.signed, other.seats))


def playable_numbers(game: Game, terms: TableTerms) -> tuple[int, ...]:
    """Returns the numbers of players with which the game can start at a table, up to its seats, with its options.

    Raises:
        UserError: The game could not be played even with all seats taken; with the reason from the rules.

    """
    if terms.seats not in game.seats or not 2 <= terms.seats <= MOST_SEATS:
        known = format_seat_counts(game.seats)
        raise UserError(f"{game.title} cannot be played by {terms.seats} players. Open a table for {known} players.")
    names = {option.name for option in game.options}
    options = {name: value for name, value in terms.options if name in names}
    numbers = []
    for number in game.seats:
        try:
            game.start(number, options)
        except ValueError as error:
            if number == terms.seats:
                raise UserError(f"{game.title} cannot be played with these settings: {error}.") from None
        else:
            numbers.append(number)
    return tuple(number for number in numbers if number <= terms.seats)


def make_terms(game: Game, options: dict[str, Plain], seats: int) -> TableTerms:
    """Returns the terms of a new table, with the game's defaults for missing options. Raises UserError for a bad
    option.
    """
    defaults: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options}
    defaults |= (UNTIL_DONE if game.last_looks else NO_LIMIT).options
    terms = TableTerms(game.id, game.revision, tuple(sorted(with_adjust_times(defaults, options).items())), seats)
    check_options(game, terms)
    return terms


def check_options(game: Game, terms: TableTerms) -> None:
    """Raises UserError unless the game knows every option of the table and offers its value."""
    offered = {option.name: [value for value, _ in option.values] for option in game.options}
    for name, value in terms.options:
        if name == FINAL_ADJUSTMENT:
            if type(value) is not int or not 0 <= value <= MOST_FINAL_ADJUSTMENT_SECONDS:
                raise UserError(
                    f"The time to adjust must be 0 to {MOST_FINAL_ADJUSTMENT_SECONDS} seconds, not {value!r}."
                )
            if value and not game.last_looks:
                raise UserError(f"Plans cannot be adjusted in {game.title}: leave that setting out.")
        elif name == QUIET_TIME:
            most = dict(terms.options).get(FINAL_ADJUSTMENT)
            if type(value) is not int or not isinstance(most, int) or not 0 < value < most:
                raise UserError(f"Adjusting must last at least 1 second, and less than its limit, not {value!r}.")
        elif name == GRACE:
            if type(value) is not int or value not in GRACE_RANGE:
                raise UserError(
                    f"The wait for a player who is away must be {GRACE_RANGE[0]} to {GRACE_RANGE[-1]} seconds, not "
                    f"{value!r}."
                )
        elif name == TOURNAMENT_MARK:
            if not isinstance(value, bytes) or len(value) != TOURNAMENT_MARK_BYTES:
                raise NotRetryable("The table does not say its place in the tournament. Use the host’s version.")
        elif not any(type(value) is type(one) and value == one for one in offered.get(name, [])):
            meant = quoted(value) if isinstance(value, str) else repr(value)
            raise NotRetryable(
                f"{game.title} has no option {quoted(name)} with the value {meant} here. Use the host’s version."
            )
    missing = {*offered, FINAL_ADJUSTMENT} - {name for name, _ in terms.options}
    if missing:
        raise NotRetryable(
            f"The table does not say what {quoted(sorted(missing)[0])} is. Use the host’s version of {game.title}."
        )
