"""What a player can type at a table in the line mode, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.session.bots import can_seat_bots
from kimberley.client.session.participants import only_bots

if TYPE_CHECKING:
    from kimberley.client.session.ports import TableLike

TABLE: Final = (
    "state: hear the position. repeat: hear the question again. rules: hear the rules. wait: hear whose turn it is.",
    "say TEXT: chat with the others. talk: hear the chat.",
    "save: ask to save the game for later, or agree. keep playing: refuse, or take it back.",
    "stop waiting: stop waiting for a player who has been away too long.",
    "resign: lose the game; with three or more players the others play on. leave: leave the table for good.",
    "quit: end the program; the game is saved, and resume continues it. help: hear this.",
)
IN_A_TOURNAMENT: Final = (
    TABLE[0].replace("whose turn it is.", "whose turn it is, and the clocks."), TABLE[1],
    "resign: lose the game; with three or more players the others play on. leave: leave the table and lose the game.",
    "quit: end the program; join the tournament again to come back. help: hear this.",
)  # fmt: skip
OPTIONS: Final = "options: hear the game and its options, and how to change them."
START: Final = "ready: start the game once everyone is here."
OPEN: Final = "ready: you are ready. not ready: you are not."
FAR: Final = "far: get a code for a friend who is far away. far new: replace a code that does not work."
SHARE: Final = "share: give this program to a friend who does not have it. no share: stop."
REMOVE: Final = "remove NAME: remove a player who keeps the others waiting."
BOTS: Final = "bot: add a bot. no bot: remove one."


def menu_help(*, counts: bool) -> tuple[str, ...]:
    """Returns what can be typed at a table at any time."""
    return IN_A_TOURNAMENT if counts else TABLE


def lobby_help(table: TableLike, *, counts: bool) -> list[str]:
    """Returns what can be typed before the game, if there is anything to do except wait."""
    removes = [REMOVE] if table.host and not counts else []
    if table.phase != "open":
        return removes
    asks = [OPEN] if table.asks_ready else [START] if starts(table) else []
    options = [OPTIONS] if table.host and not counts else []
    bots = [BOTS] if can_seat_bots(table) else []
    return asks + options + bots + removes + ([FAR, SHARE] if can_share(table, counts=counts) else [])


def starts(table: TableLike) -> bool:
    """Returns whether the player, as the host, starts the game after another one."""
    return table.host and table.hosting.begins


def can_open(table: TableLike, *, counts: bool) -> bool:
    """Returns whether the player can open the own table again after a game."""
    return table.host and table.phase == "done" and not counts and not only_bots(table)


def can_share(table: TableLike, *, counts: bool) -> bool:
    """Returns whether the table is the player's own, and somebody can reach it."""
    return table.host and bool(table.port) and not counts
