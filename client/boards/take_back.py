"""Taking back one's own last choice in a game alone: which one that is, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.session.bots import is_aided
from kimberley.client.session.participants import departed_seats
from kimberley.client.ui.screen import Section
from kimberley.games.table import Ask, Result, state_after
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

KEY: Final = "<"
WORD: Final = "take"
MORE: Final = "back"
OFFER: Final = "take back: undo your last choice and all that followed. The game becomes a practice game."
TITLE: Final = "Take back"
AGAIN: Final = "Type take back again to confirm."
NOTHING: Final = "There is nothing to take back."
VERDICT: Final = "You took back a choice, so this is a practice game."
DOING: Final = "Taking back your choice."


def warning(game: AnyGameUI) -> str:
    """Says what taking a choice back does in a game, before it is done for the first time."""
    return (
        f"This undoes your last choice and all that followed. {game.take_back} The game becomes a practice game, and "
        "its record is marked as one."
    )


def help_section(game: AnyGameUI) -> Section:
    """Returns the section of a game's help about it."""
    meaning = (
        f"undoes your last choice and all that followed, when you play alone. {game.take_back} The game becomes a "
        "practice game, and its record is marked as one."
    )
    return Section(TITLE, f"{KEY} {meaning}", by_touch=Section(TITLE, f"Take back, in the menu, {meaning}"))


def choices_to_keep(game: AnyGameUI, table: Table) -> int | None:
    """Returns how many of the player's choices stay if the last one that the player made, rather than the program, is
    taken back. None if there is none, or none may be taken back here.
    """
    peer = table.peer
    if not is_aided(table) or table.phase != "playing" or peer is None or departed_seats(table):
        return None
    seat, state = table.occupants.seat, peer.first_state
    decided = list[bool]()
    """By choice of the seat: whether the player made it."""

    def note(ask: Ask | Result) -> None:
        if not isinstance(ask, Result) and ask.space_for(seat) is not None:
            unobserved = not (ask.last_look and table.occupants.options.get(FINAL_ADJUSTMENT))
            decided.append(game.automatic(ask, state, seat, unobserved) is None)

    for ask, answer in peer.story:
        note(ask)
        state = state_after(state, ask, answer)
    if peer.asked is None:
        note(state.ask())
    return max((number for number, own in enumerate(decided) if own), default=None)
