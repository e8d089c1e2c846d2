"""A new ask touches its own module and the registries, and nothing else: one that exists only in the tests is played,
audited, recorded, replayed, simulated, told in words, counted by a referee's clock, and spelled in a script.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from kimberley.client.boards.story import describe_event
from kimberley.client.cli import replay
from kimberley.conformance.script import SCRIPT
from kimberley.games.arena import Arena
from kimberley.games.table import HIDDEN, Game, Plain, Result
from kimberley.p2p.tournament import events
from kimberley.protocol import audit
from kimberley.protocol.asks import MACHINES
from kimberley.protocol.log import reexecute
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from kimberley.referee.server import RoundTiming
from tests.support import laws, whisper
from tests.support.asyncs import run, until
from tests.support.cheats import cheat, judged
from tests.support.evenings import clock, evening
from tests.support.rehearsal import SALT, Rehearsal
from tests.support.seated_arena import SeatedArena, play_randomly
from tests.support.tables import seated, seed
from tests.support.whisper import CIRCLE, Circle, Whisper

NAMES = ("ana", "ben", "cleo")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with whisper.known():
        yield


def found(_: str) -> Game:
    return CIRCLE


def test_without_its_registry_entry_no_table_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(MACHINES, Whisper)
    with pytest.raises(TypeError, match="a table cannot be asked Whisper"):
        seated(CIRCLE, 3).run()


def test_seats_play_it_and_each_sees_its_own_part() -> None:
    wire = seated(CIRCLE, 3)
    wire.run()
    told = []
    for teller in range(3):
        seen = [peer.story[teller][1] for peer in wire.peers]
        listener = (teller + 1) % 3
        assert type(seen[teller]) is int
        assert seen[listener] == seen[teller]
        assert [seen[3], seen[(teller + 2) % 3]] == [HIDDEN, HIDDEN]
        told.append(seen[teller])
    assert all(peer.finished for peer in wire.peers)
    assert [answer for _, answer in wire.peers[3].story[3:]] == told
    assert audit.verify(wire.peers[0].record().pack(), found).code == audit.FAIR


def test_a_choice_is_judged_by_what_only_the_listener_was_told() -> None:
    wire = seated(CIRCLE, 3)
    wire.silent = {1}
    wire.run()
    listener = wire.peers[1]
    listener.choose(4)
    wire.run()
    told = listener.story[0][1]
    assert isinstance(told, int)
    with pytest.raises(NotAllowed, match=f"it was told {told}"):
        listener.choose((told + 1) % 10)
    listener.choose(told)


def test_the_audit_names_a_seat_that_whispers_what_it_did_not_choose() -> None:
    def other(peer: Peer, body: Plain) -> Plain:
        ask = peer.play.ask
        if not isinstance(ask, Whisper):
            return body
        (chosen,) = peer.play.choices
        assert isinstance(chosen, int)
        peer.play.choices[:] = [(chosen + 1) % 10]
        try:
            return peer.play.body()
        finally:
            peer.play.choices[:] = [chosen]

    wire = seated(CIRCLE, 3, cheats={1: cheat(other)})
    wire.run()
    verdict = judged(wire.peers[0], 1)
    assert verdict.code == audit.UNFAIR
    assert "it whispered something other than it showed at the audit (a whispered number)" in verdict.reason


def test_a_record_is_replayed_with_everything_known() -> None:
    wire = seated(CIRCLE, 3)
    wire.run()
    steps = list(replay.steps(audit.audit(wire.peers[2].record().pack(), found)))
    assert [step.answer for step in steps[:3]] == [step.answer for step in steps[3:]]
    assert [replay.as_plain(step)["ask"] for step in steps] == ["whisper"] * 3 + ["decide"] * 3
    assert {replay.as_plain(step)["topic"] for step in steps} == {"number", "echo"}


def test_the_story_tells_it_in_words() -> None:
    wire = seated(CIRCLE, 3)
    wire.run()
    (ask, answer), *_ = wire.peers[1].story
    assert describe_event(ask, answer, NAMES) == f"ana whispers to ben: number {answer}."
    assert describe_event(ask, HIDDEN, NAMES) == "ana whispers to ben: number ?."


def test_the_arena_simulates_it() -> None:
    assert isinstance(play_randomly(Arena(CIRCLE.start(3, {}), Random(1))), Result)
    for table, _ in laws.steps(CIRCLE, 3, Random(2)):
        laws.check_views(table)
    seats = SeatedArena(CIRCLE, 3, Random(3))
    seats.play([CIRCLE.bot(1, number).choose for number in range(3)])
    assert [HIDDEN in view.told for view in (*seats.views, seats.spectator) if isinstance(view, Circle)] == [True] * 4


# -- the referee -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_clock_runs_for_the_seat_that_must_choose(tmp_path: Path) -> None:
    async def story() -> None:
        cup = {"rounds": 1, "seats": 3, **clock(4)}
        async with evening(tmp_path, CIRCLE, RoundTiming(players=3, pause=0.0), **cup) as held:
            await held.enter("ana")
            await held.enter("ben")
            stalls = await held.enter("cleo", plays=False)
            await until(lambda: stalls.table is not None and stalls.table.phase == "playing")
            own = stalls.table
            assert own is not None
            await until(
                lambda: [shown.runs for shown in stalls.clocks] == [seat == own.occupants.seat for seat in range(3)]
            )
            (result,) = await held.end()
            assert result.how == events.TIME
            assert result.sentence == "cleo ran out of time."

    run(story())


@pytest.mark.slow
def test_a_tournament_is_played_with_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, CIRCLE, RoundTiming(players=3, pause=0.0), rounds=1, seats=3) as held:
            await held.all(NAMES)
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


# -- scripts -----------------------------------------------------------------------------------------------------------


def test_a_script_spells_it() -> None:
    spelled = (("whisper", 0, 2, 9), ("decide", 1, 9), ("whisper", 2, 1, 300))
    rehearsal = Rehearsal(3, spelled, [[7], [1], [299]])
    for play in rehearsal.plays:
        assert play.seat is not None
        told = {0: (7, 1, HIDDEN), 1: (HIDDEN, 1, 299), 2: (7, 1, 299)}[play.seat]
        assert [ask.kind for ask, _ in play.story] == ["whisper", "decide", "whisper"]
        assert tuple(answer for _, answer in play.story) == told
        seat = play.seat, seed(play.seat, SALT), play.choices
        assert reexecute(SCRIPT, rehearsal.table, rehearsal.log, *seat).deviation is None
