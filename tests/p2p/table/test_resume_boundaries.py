"""Killed at every envelope of a whole game, each seat in turn: what is signed is what it would have been."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import cast

import pytest

from kimberley.games.lookup import find, ids
from kimberley.games.table import Game, Leave
from kimberley.p2p.storage.journal import Journal, list_journals
from kimberley.protocol import audit
from kimberley.protocol.asks import MACHINES
from kimberley.protocol.peer import Peer
from tests.support.cards import FEW_CARDS
from tests.support.effort import spread, tries
from tests.support.mortal import Mortal
from tests.support.tables import Wire, at_random, peer_of, signed_roster

MOST = 60
"""Envelopes of the games that are long, after which all but one give up."""
LONG = {"mine", "piecepack"}
TABLES = [
    *(pytest.param(find(name), min(find(name).seats), id=name) for name in ids()),
    pytest.param(FEW_CARDS, 2, id="cards-2"),
    pytest.param(FEW_CARDS, 3, id="cards-3"),
]


def play(game: Game, seats: int, mortal: int | None, data: Path, torn: bool = False) -> Wire:
    """Plays a whole game, which resignations may end; one of its seats dies at every envelope that it signs."""
    table = signed_roster(game, seats, options=dict(game.quick))
    peers = [peer_of(game, table, seat) for seat in range(seats)]
    if mortal is not None:
        peers[mortal] = cast(Peer, Mortal(game, table, mortal, "", data, torn))
    wire = Wire(peers, [at_random(Random(f"boundaries {seat}")) for seat in range(seats)])
    wire.start()
    if game.id in LONG:
        wire.run(lambda: len(wire.sent) >= MOST)
        last = wire.peers[-1]
        for goer in wire.peers[:-1]:
            goer.resign()
            # If the next one resigned before that step is complete, the game would be over without a Leave.
            wire.run(lambda goer=goer: any(isinstance(ask, Leave) and ask.seat == goer.seat for ask, _ in last.story))  # type: ignore[misc]
    wire.run()
    return wire


@pytest.mark.slow
@pytest.mark.nightly
def test_the_tables_ask_all_that_games_can_ask(tmp_path: Path) -> None:
    stories = [play(table.values[0], table.values[1], None, tmp_path).peers[0].story for table in TABLES]  # type: ignore[arg-type]
    assert {type(ask) for story in stories for ask, _ in story} == {*MACHINES, Leave}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), spread(1, TABLES))
def test_wherever_a_seat_is_killed_the_transcript_is_that_of_the_uninterrupted_game(
    tmp_path: Path, game: Game, seats: int
) -> None:
    whole = play(game, seats, None, tmp_path)
    record = whole.peers[0].record().pack()
    assert audit.verify(record, lambda _: game).code == "fair"
    for seat in range(seats):
        own = sum(sender == seat for sender, _ in whole.sent)
        # Of every other seat the last frame is torn each time; `--thorough` tears that of any seat of a short game.
        for torn in tries((seat == 0,), (True, False) if len(whole.sent) < MOST else (seat == 0,)):
            data = tmp_path / f"{seat} {torn}"
            wire = play(game, seats, seat, data, torn)
            dying = cast(Mortal, wire.peers[seat])
            # Each envelope was in the last frame of the journal at one of the deaths.
            assert dying.signed == own
            assert wire.sent == whole.sent
            assert [peer.record().pack() for peer in wire.peers] == [record] * seats
            dying.close()
            journal, _ = Journal.resume(list_journals(data)[0])
            journal.close()
