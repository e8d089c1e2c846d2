"""When a table asks for codes for friends far away."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from kimberley.client.session.far import invite_far
from kimberley.client.session.settings import Settings
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.table import Table


class Door:
    """Asks for codes that never come."""

    def __init__(self) -> None:
        self.used, self.invitations = False, 0
        self.keys: tuple[str, ...] = ()

    def invite(self, servers: object, *, anew: bool = False) -> None:
        del servers, anew
        self.used, self.invitations = True, self.invitations + 1


def test_after_a_friend_has_come_from_far_away_another_code_is_asked_for_and_for_no_other_change() -> None:
    door, listeners = Door(), list[Callable[[Any], None]]()
    people = SimpleNamespace(names=("ana", "ben"), seats=3)
    table = cast(Table, SimpleNamespace(far=door, phase="open", occupants=people, subscribe=listeners.append))
    invite_far(table, Settings())
    (tell,) = listeners
    tell(TableChanged("people"))
    assert door.invitations == 1, "the host may have changed an option, and why no code came was said once"
    door.keys = ("carla",)
    people.names = ("ana", "ben", "carla")
    tell(TableChanged("people"))
    assert door.invitations == 1, "the table is full"
    people.names = ("ana", "carla")
    tell(TableChanged("people"))
    tell(TableChanged("people"))
    assert door.invitations == 2
