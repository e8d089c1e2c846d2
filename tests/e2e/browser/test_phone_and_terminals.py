"""A phone in Chromium and seats in terminals: whole games by touch alone, to records that verify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.support.at_the_lan import records, verified
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.effort import tries
from tests.support.line_players import land_answer, mine_player, piecepack_answer
from tests.support.phone import Phone, Touch, open_phone
from tests.support.pipe import Answers, Pipe
from tests.support.seat_page import ACROSS, UPRIGHT

pytestmark = pytest.mark.e2e

VERDICT: Final = "FAIR ✓"
LAND: Final = (
    ("Bought", "Done"),
    ("made no deals", "Done"),
    (" ! ", "Done"),
    ("can be joined to the river", "Buy"),
    ("your turn", "Done"),
)
"""Buys a parcel if it is to be had, and is done."""
CARDS: Final = "1             2             3"
MINE: Final = (
    "Place it",
    ("End the game?", "Agree"),
    "Play it",
    ("round 3", "Agree to end"),
    CARDS,
    "  Go",
    "•",
    "Take",
)
"""Plays a 2, goes to a lit square, takes what is offered, and agrees to end the game in round 3."""
PIECEPACK: Final = ("Lay it", "End the turn", "Do it", "  Go", "Spend none", "None", "All")
"""Explores, steps on, and ends each turn."""


class Table(NamedTuple):
    """A table of one phone and of terminals."""

    touches: Sequence[Touch]
    answers: Answers
    """What the terminals answer."""
    options: tuple[str, ...] = ()
    terminals: tuple[str, ...] = ("ana",)
    size: tuple[int, int] = UPRIGHT
    """How the phone is held."""


TABLES: Final[Mapping[str, Table]] = {
    "land": Table(LAND, land_answer, ("--option", "map=small", "--option", "turns=25"), size=ACROSS),
    "mine": Table(MINE, mine_player("{} end")),
    "piecepack": Table(PIECEPACK, piecepack_answer, terminals=("ana", "carla")),
}


@contextmanager
def at_one_table(chromium: Chromium, folder: Path, game: str) -> Iterator[Phone]:
    """A phone at a table whose other seats play in the line mode. All have compared their four words."""
    table = TABLES[game]
    with ExitStack() as stack:

        def pipe(name: str, *arguments: str) -> Pipe:
            return stack.enter_context(Pipe(*arguments, "--nickname", name, data=folder / name, answers=table.answers))

        host, *guests = table.terminals
        seats = 1 + len(table.terminals)
        ana = pipe(host, "host", game, "--seats", str(seats), "--bind", LOOPBACK, *table.options)
        address = ana.wait("Others can join with: kimberley join (.*)")[1]
        ana.type("share")
        link = ana.wait("can sit down in the browser: (.*)")[1]
        terminals = [ana, *(pipe(name, "join", address) for name in guests)]
        ben = stack.enter_context(open_phone(chromium, link, "ben", table.size))
        shown = ben.wait("The same")
        for terminal in terminals:
            words = terminal.wait("The four words of this table are: (.*)[.]")[1].split(", ")
            assert all(word in shown for word in words)
            terminal.type("same")
        ben.touch("The same")
        yield ben
        assert not ben.problems, "\n".join(ben.problems)
        for terminal in terminals:
            terminal.wait("^The record is ")


def fair_record(folder: Path, *names: str) -> bytes:
    """The record that these players have kept, each the same, and that anybody finds fair."""
    (kept,) = records(folder, *names)
    assert verified(kept) == "fair"
    return kept.read_bytes()


@pytest.mark.parametrize("game", tries(["land"], list(TABLES)))
def test_a_phone_and_terminals(chromium: Chromium, tmp_path: Path, game: str) -> None:
    with at_one_table(chromium, tmp_path, game) as ben:
        ben.play(TABLES[game].touches, VERDICT)
        saved = ben.download("Save record")
    assert saved == fair_record(tmp_path, *TABLES[game].terminals)
