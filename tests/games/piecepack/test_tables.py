"""The piecepack game among seats that do not trust each other: whole games, leavers, and cheats that are named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace
from kimberley.games.table import Decide, Leave, Plain, Roll, Show, Shuffle
from kimberley.protocol.audit import verify
from kimberley.protocol.events import Asked, Dropped
from kimberley.protocol.peer import Peer
from tests.support.cheats import Cheat, caught_by_all, cheat, leaver
from tests.support.effort import tries
from tests.support.tables import Chooser, Wire, seated

CHEAT = 1


def brisk(seats: int) -> list[Chooser]:
    """Returns random players who mostly end their turn as soon as they may, which saves shuffles."""

    def chooser(rng: Random) -> Chooser:
        def choose(_: Peer, asked: Asked) -> Plain:
            over = (
                isinstance(asked.space, ActionSpace) and asked.space.violation(("end",)) is None and rng.random() < 0.7
            )
            return ("end",) if over else asked.space.pick(rng)

        return choose

    return [chooser(Random(f"brisk {seat}")) for seat in range(seats)]


def sat(seats: int, cheats: Mapping[int, type[Peer]] | None = None) -> Wire:
    """Returns a table of the piecepack game that has started: the same game until somebody cheats or goes."""
    return seated(GAME, seats, choosers=brisk(seats), cheats=cheats)


def fair(wire: Wire) -> None:
    """Checks that the game is over for all, in one transcript, and that whoever reads the record finds it fair."""
    assert all(peer.finished for peer in wire.peers), [(peer.slot, peer.waiting) for peer in wire.peers]
    assert not [event for _, event in wire.events if isinstance(event, Dropped)]
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    verdict = verify(wire.peers[0].record().pack(), lambda _: GAME)
    assert (verdict.code, verdict.result) == ("fair", wire.peers[-1].result), verdict.reason


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seats", tries(GAME.seats[:1], GAME.seats))
def test_a_whole_game_at_random_is_played_closed_and_fair(seats: int) -> None:
    wire = sat(seats)
    wire.run()
    fair(wire)
    kinds = {type(ask) for ask, _ in wire.peers[0].story}
    assert kinds == {Shuffle, Show, Roll, Decide}
    assert wire.peers[0].result is not None
    assert wire.peers[0].result.reason


@pytest.mark.slow
@pytest.mark.nightly
def test_one_of_four_resigns_and_the_others_finish() -> None:
    wire = sat(4, cheats={2: leaver(lambda peer: peer.play.step >= 40)})
    wire.run()
    fair(wire)
    assert [ask.seat for ask, _ in wire.peers[0].story if isinstance(ask, Leave)] == [2]
    state = wire.peers[-1].state
    assert isinstance(state, State)
    assert state.present == (True, True, False, True)
    assert wire.peers[-1].result is not None
    assert wire.peers[-1].result.places[2] == 4


@pytest.mark.slow
def test_the_last_two_play_on_until_one_resigns() -> None:
    wire = sat(3)
    for seat, step in ((0, 12), (2, 30)):
        wire.run(lambda step=step: wire.peers[1].play.step >= step)  # type: ignore[misc]
        wire.peers[seat].resign()
    wire.run()
    fair(wire)
    assert wire.peers[1].result is not None
    assert wire.peers[1].result.places == (2, 1, 2)
    assert wire.peers[1].result.reason == "only one player is left"


# -- cheats ------------------------------------------------------------------------------------------------------------


def bent(topic: str, of: type, bend: Callable[[Plain], Plain]) -> type[Cheat]:
    """Returns a seat whose body is bent the first time that it owes one of a topic."""
    done: set[int] = set()

    def once(peer: Peer, body: Plain) -> Plain:
        if isinstance(peer.play.ask, of) and peer.play.topic == topic and peer.play.step > 8 and not done:
            done.add(peer.play.step)
            return bend(body)
        return body

    return cheat(once)


@pytest.mark.slow
def test_a_choice_that_the_rules_forbid_is_refused_on_the_spot() -> None:
    kind = bent("action", Decide, lambda body: (("step", 35),))
    wire = sat(3, cheats={CHEAT: kind})
    wire.run()
    caught_by_all(wire, CHEAT, "half an edge")


@pytest.mark.slow
def test_coins_of_others_cannot_be_spent() -> None:
    kind = bent("action", Decide, lambda body: (("sun", (0, 1, 2)),))
    wire = sat(3, cheats={CHEAT: kind})
    wire.run()
    (reason,) = {peer.caught.reason for peer in wire.peers if peer.seat != CHEAT and peer.caught is not None}
    caught_by_all(wire, CHEAT, reason)
    assert "sun" in reason
