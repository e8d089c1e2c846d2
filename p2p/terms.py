"""What a table is about, settled by its host before anybody sits down: the game, its options, how many may play."""

from __future__ import annotations

from dataclasses import dataclass

from games.table import Game, Plain
from p2p.common_options import CUP, CUP_BYTES, GRACE, GRACE_RANGE, LAST_LOOK, LAST_LOOK_SECONDS, MOST_LOOK_SECONDS
from p2p.trouble import Trouble
from protocol.encoding import pack
from protocol.roster import MOST_SEATS


@dataclass(frozen=True)
class Terms:
    """What a table is about: the game's id, the revision of its rules, the options by name, and the number of seats."""

    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    seats: int

    @property
    def signed(self) -> tuple[str, int, tuple[tuple[str, Plain], ...]]:
        """What of it stands in the roster."""
        return self.game, self.rules, self.options

    def same(self, other: Terms) -> bool:
        """Whether both are about the same on the wire, where 1 is not true."""
        return pack((*self.signed, self.seats)) == pack((*other.signed, other.seats))


def numbers_of(game: Game, terms: Terms) -> tuple[int, ...]:
    """How many may play at a table, up to its seats: the rules start with so many and its options.

    Raises Trouble, with the reason of the rules, where not even all of its seats could play.
    """
    if terms.seats not in game.seats or not 2 <= terms.seats <= MOST_SEATS:
        known = ", ".join(map(str, game.seats))
        raise Trouble(f"{game.title} is not played by {terms.seats}. Open a table for as many as play it: {known}.")
    names = {option.name for option in game.options}
    options = {name: value for name, value in terms.options if name in names}
    numbers = []
    for number in game.seats:
        try:
            game.start(number, options)
        except ValueError as error:
            if number == terms.seats:
                raise Trouble(f"{game.title} cannot be played like this: {error}.") from None
        else:
            numbers.append(number)
    return tuple(number for number in numbers if number <= terms.seats)


def terms_of(game: Game, options: dict[str, Plain], seats: int) -> Terms:
    """The terms of a new table: the game's defaults where an option is not given. Raises Trouble for a bad option."""
    defaults: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options}
    defaults[LAST_LOOK] = LAST_LOOK_SECONDS if game.last_looks else 0
    terms = Terms(game.id, game.revision, tuple(sorted({**defaults, **options}.items())), seats)
    check_options(game, terms)
    return terms


def check_options(game: Game, terms: Terms) -> None:
    """Raises Trouble unless every option of a table is one that the game knows, with a value that it offers."""
    offered = {option.name: [value for value, _ in option.values] for option in game.options}
    for name, value in terms.options:
        if name == LAST_LOOK:
            if type(value) is not int or not 0 <= value <= MOST_LOOK_SECONDS:
                raise Trouble(f"A last look lasts 0 to {MOST_LOOK_SECONDS} seconds, not {value!r}.")
            if value and not game.last_looks:
                raise Trouble(f"{game.title} has no last look: leave out how long it lasts.")
        elif name == GRACE:
            if type(value) is not int or value not in GRACE_RANGE:
                raise Trouble(
                    f"Who is away is waited for {GRACE_RANGE[0]} to {GRACE_RANGE[-1]} seconds, not {value!r}."
                )
        elif name == CUP:
            if not isinstance(value, bytes) or len(value) != CUP_BYTES:
                raise Trouble("The table does not say its place in the tournament. Use the same version.")
        elif not any(type(value) is type(one) and value == one for one in offered.get(name, [])):
            raise Trouble(f"{game.title} has no option {name!r} with the value {value!r} here. Use the same version.")
    missing = {*offered, LAST_LOOK} - {name for name, _ in terms.options}
    if missing:
        raise Trouble(f"The table does not say what {sorted(missing)[0]!r} is. Use the same version of {game.title}.")
