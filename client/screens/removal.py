"""How the host of a table removes a person, while it is open and while words are compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kimberley.client.screens.dialogs import Menu
from kimberley.client.session.participants import removable_seats, removal_warning, you_removed
from kimberley.client.ui.screen import MenuItem, Section, Ui

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

REMOVE_KEY: Final = "x"
REMOVING: Final = (
    Section(
        "Remove a player",
        f"{REMOVE_KEY} removes a player who keeps everyone waiting. That player cannot join this table again. Neither "
        "can others from the same address, unless you have verified them or someone else at the table shares it. "
        "If the table is full, players wait in a queue.",
        by_touch=Section(
            "Remove a player",
            "\u00d7 removes a player who keeps everyone waiting. That player cannot join this table again. Neither can "
            "others from the same address, unless you have verified them or someone else at the table shares it.",
        ),
    ),
)
"""What F1 says about it."""


def choose_whom_to_remove(ui: Ui, table: Table, seats: Sequence[int]) -> None:
    """Asks which player to remove; if there is only one, asks for confirmation."""
    names = [table.occupants.names[seat] for seat in seats]
    if len(names) == 1:
        ask_to_remove(ui, table, names[0])
        return
    items = [
        MenuItem(name, str(seat + 1), partial(ask_to_remove, ui, table, name), inside=True)
        for seat, name in zip(seats, names, strict=True)
    ]
    ui.push(Menu(ui, items, "Remove a player"))


def ask_to_remove(ui: Ui, table: Table, name: str) -> None:
    """Removes a player, if the host confirms it."""

    def remove() -> None:
        # Meanwhile that player may have left, and others may have moved up.
        seat = next((seat for seat in removable_seats(table) if table.occupants.names[seat] == name), None)
        if seat is not None:
            opens = " The table is open again." if table.phase == "words" else ""
            table.hosting.send_away(seat)
            # The table has just announced that this player has left.
            ui.toast(you_removed(name) + opens)

    ui.confirm("Remove a player", removal_warning(name), "Remove", "Back", remove, danger=True)
