"""Taking back the last choice of one's own in a game alone: which one that is, and what is said of it."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.session.bots import is_aided
from kimberley.client.session.participants import departed_seats
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.screen import Section
from kimberley.games.table import Ask, Result, state_after
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT

KEY: Final = "<"
WORD: Final = "take"
MORE: Final = "back"
OFFER: Final = "take back: take your last choice back, and all that followed. The game is then practice."
TITLE: Final = "Take back"
WARNING: Final = (
    "Your last choice, and all that followed, is taken back. What is hidden and what chance brings stays the same. The "
    "game is then practice: there is no record and no review of it, and it cannot be put aside."
)
AGAIN: Final = "Type take back again to do it."
NOTHING: Final = "There is no choice of yours that could be taken back."
VERDICT: Final = "A choice was taken back, so this game is practice. It is not kept."
DOING: Final = "Taking your choice back."
_MEANING: Final = (
    "takes your last choice back, and all that followed, when you play alone. Bots keep what they hide, and chance "
    "brings the same again. The game is then practice: there is no record and no review of it, and it cannot be put "
    "aside."
)
HELP: Final = Section(TITLE, f"{KEY} {_MEANING}", by_touch=Section(TITLE, f"Take back, in the menu, {_MEANING}"))


def choices_to_keep(game: AnyGameUI, table: TableLike) -> int | None:
    """How many of the player's choices stay if the last one is taken back that the player made, rather than the
    program. None if there is none, or none may be taken back here.
    """
    peer = table.peer
    if not is_aided(table) or table.phase != "playing" or peer is None or departed_seats(table):
        return None
    seat, state = table.seat, peer.first_state
    decided = list[bool]()
    """By choice of the seat: whether the player made it."""

    def note(ask: Ask | Result) -> None:
        if not isinstance(ask, Result) and ask.space_for(seat) is not None:
            unobserved = not (ask.last_look and table.options.get(FINAL_ADJUSTMENT))
            decided.append(game.automatic(ask, state, seat, unobserved) is None)

    for ask, answer in peer.story:
        note(ask)
        state = state_after(state, ask, answer)
    if peer.asked is None:
        note(state.ask())
    return max((number for number, own in enumerate(decided) if own), default=None)
