"""The tables on the network, as a list in which no row moves under the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from kimberley.client.session.services import ListedTable

SORTING_SECONDS: Final = 1.0
"""How long the list is sorted after its first table has been found: most of the others answer in that time."""


class TableList:
    """What `offered` returns, in rows.

    Once the list has been shown for a moment, or used, each table keeps its row. New ones follow at the end, and one
    that closes stays where it was, marked as gone.
    """

    def __init__(self) -> None:
        self.rows: tuple[ListedTable, ...] = ()
        self._since: float | None = None
        self._fixed = False

    @property
    def count(self) -> int:
        """The number of tables that are still there."""
        return sum(not table.gone for table in self.rows)

    @property
    def is_used(self) -> bool:
        """Whether somebody is using the list."""
        return self._fixed

    def fix(self) -> None:
        """Keeps every row in its place from now on: somebody is using the list."""
        self._fixed = bool(self.rows)

    def update(self, tables: Iterable[ListedTable], focus: int, now: float) -> None:
        """Lists what is offered of these tables from now on; `focus` is the row in use."""
        by_name = {table.name: table for table in offered(tables)}
        if not by_name:
            self.rows, self._since, self._fixed = (), None, False
            return
        self._since = now if self._since is None else self._since
        rows: list[ListedTable] = []
        if self._fixed or now >= self._since + SORTING_SECONDS:
            rows = [by_name.pop(row.name) if row.name in by_name else replace(row, gone=True) for row in self.rows]
            while len(rows) > focus + 1 and rows[-1].gone:
                rows.pop()
        self.rows = (*rows, *by_name.values())


def offered(tables: Iterable[ListedTable]) -> list[ListedTable]:
    """Returns the tables that are not over: first those that can be joined, of friends before strangers, tournaments
    last.
    """
    return sorted((table for table in tables if not table.over), key=_rank)


def is_open(table: ListedTable) -> bool:
    """Returns whether the user could take a seat at a table at once."""
    return not (table.gone or table.full or table.versions is not None or table.key == "you")


def _rank(table: ListedTable) -> tuple[bool, bool, bool]:
    return table.tournament is not None, not is_open(table), table.key != "met"
