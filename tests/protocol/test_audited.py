"""The one audit of a finished game: what it tells, how often it runs a seat again, and that it makes no difference who
makes it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from kimberley.games.table import HIDDEN, Item, Leave, Plain, Result, Shuffle, state_after
from kimberley.protocol import audit, peer
from kimberley.protocol.audit import FAIR, INCOMPLETE, UNFAIR, AuditedGame
from kimberley.protocol.closing import SHOW, VERDICT, Closing
from kimberley.protocol.log import Reexecution, reexecute
from kimberley.protocol.peer import Peer
from tests.support.cards import FEW_CARDS
from tests.support.cheats import cheat, leaver, silent
from tests.support.effort import spread
from tests.support.tables import Wire, seated

WHO = 1
SEATS = 3


class ShowsTooMuch(Peer):
    """Shows a choice that nobody had asked for."""

    def closing_body(self, closing: Closing) -> Plain:
        body = super().closing_body(closing)
        if closing.stage == SHOW and isinstance(body, tuple):
            seed, choices = body
            assert isinstance(choices, tuple)
            return seed, (*choices, 1)
        return body


class Slanders(Peer):
    """Signs that a fair game was not."""

    def closing_body(self, closing: Closing) -> Plain:
        body = super().closing_body(closing)
        return ("unfair", ((1, 0, 0),)) if closing.stage == VERDICT and body is not None else body


SEATED: dict[str, tuple[type[Peer], str]] = {
    "is honest": (Peer, FAIR),
    "leaves": (leaver(lambda own: own.play.step >= 4), FAIR),
    "shows too many choices": (ShowsTooMuch, UNFAIR),
    "slanders": (Slanders, UNFAIR),
    "refuses the audit": (silent(lambda own: own.closing is not None and own.closing.stage == SHOW), INCOMPLETE),
    "stops in the middle": (silent(lambda own: own.play.step >= 5), INCOMPLETE),
    "signs nonsense": (cheat(lambda own, body: ("nonsense",) if own.play.step == 5 else body), UNFAIR),
}


def table_where_one(what: str) -> Wire:
    wire = seated(FEW_CARDS, SEATS, cheats={WHO: SEATED[what][0]})
    wire.run()
    return wire


def by_a_stranger(own: Peer) -> AuditedGame:
    """Returns the audit of a peer's record by somebody who has nothing but the file."""
    return audit.audit(own.record().pack(), lambda _: FEW_CARDS)


@pytest.mark.parametrize("what", spread(3, SEATED))
def test_whoever_was_there_finds_what_a_stranger_finds(what: str) -> None:
    wire = table_where_one(what)
    for own in (each for each in wire.peers if each.seat != WHO):
        found = AuditedGame.by(own, own.record())
        assert found == by_a_stranger(own)
        assert found.verdict == audit.verify(own.record().pack(), lambda _: FEW_CARDS)
        assert found.verdict.code == SEATED[what][1], found.verdict
        assert found.result == own.result
        assert found.departed == ((WHO,) if what == "leaves" else ())


@pytest.mark.parametrize("what", ["is honest", "leaves", "slanders"])
def test_a_whole_game_is_told_with_everything_known(what: str) -> None:
    found = by_a_stranger(table_where_one(what).peers[0])
    state, items = found.start, 0
    for ask, answer in found.story:
        if not isinstance(ask, Leave):
            assert state.ask() == ask
        if isinstance(ask, Shuffle):
            assert isinstance(answer, tuple)
            items += len(answer)
            assert not any(part is HIDDEN for item in answer for part in item.parts)
        state = state_after(state, ask, answer)
    assert items
    assert isinstance(state.ask(), Result)


@pytest.mark.parametrize("what", ["shows too many choices", "signs nonsense", "stops in the middle"])
def test_what_is_not_proven_is_told_as_all_saw_it(what: str) -> None:
    wire = table_where_one(what)
    assert by_a_stranger(wire.peers[0]).story == wire.peers[-1].story


def test_where_a_seat_refuses_the_audit_items_stay_hidden() -> None:
    wire = table_where_one("refuses the audit")
    story = by_a_stranger(wire.peers[0]).story
    assert len(story) == len(wire.peers[0].story)
    shuffled = [item for ask, answer in story if isinstance(ask, Shuffle) for item in answer]
    assert shuffled
    assert all(isinstance(item, Item) and set(item.parts) == {HIDDEN} for item in shuffled)


def test_a_seat_runs_every_seat_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: Counter[int] = Counter()

    def counted(game: Any, table: Any, stages: Any, seat: int, *more: Any) -> Reexecution:
        runs[seat] += 1
        return reexecute(game, table, stages, seat, *more)

    def replay(*_: object) -> None:
        raise AssertionError("the envelopes have been checked when they came")

    wire = seated(FEW_CARDS, SEATS)
    wire.run(lambda: all(len(each.shown) == SEATS for each in wire.peers))
    monkeypatch.setattr(peer, "reexecute", counted)
    monkeypatch.setattr(audit, "replay", replay)
    wire.run()
    for own in wire.peers:
        assert AuditedGame.by(own, own.record()) == AuditedGame.by(wire.peers[0], wire.peers[0].record())
    assert runs == dict.fromkeys(range(SEATS), len(wire.peers))


def test_another_record_than_the_own_is_audited_from_its_beginning() -> None:
    wire = table_where_one("is honest")
    own = wire.peers[0]
    cut = replace(own.record(), envelopes=own.record().envelopes[:-1])
    assert AuditedGame.by(own, cut).verdict.code == INCOMPLETE
