"""Seats of one program run each seat again once for all of them, and find what each would find alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.table.shared_audits import share_audit
from kimberley.protocol.audit import FAIR, AuditedGame
from kimberley.protocol.closing import SHOW, Closing
from kimberley.protocol.log import reexecute
from kimberley.protocol.peer import Peer
from tests.support.stones import MANY_STONES
from tests.support.tables import Wire, seated

SEATS = 3


class Sharing(Peer):
    """A seat of a program that plays others, too."""

    def audit(self) -> None:
        share_audit(self)
        super().audit()


class Liar(Sharing):
    """Shows a first choice at the audit that it did not make."""

    def closing_body(self, closing: Closing) -> Plain:
        body = super().closing_body(closing)
        if closing.stage != SHOW:
            return body
        seed, choices = cast(tuple[bytes, tuple[Any, ...]], body)
        return seed, (choices[0] - 1 if choices[0] else 1, *choices[1:])


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns the seats that were run again, in this order."""
    found: list[int] = []

    def noted(game: Any, table: Any, log: Any, seat: int, *more: Any) -> Any:
        found.append(seat)
        return reexecute(game, table, log, seat, *more)

    monkeypatch.setattr("kimberley.protocol.peer.reexecute", noted)
    return found


def table_of(*kinds: type[Peer], salt: str) -> Wire:
    """Returns a game that is over, between seats of these kinds."""
    wire = seated(MANY_STONES, SEATS, salt, cheats=dict(enumerate(kinds)))
    wire.run()
    return wire


def test_each_seat_is_run_again_once_for_all(runs: list[int]) -> None:
    wire = table_of(Sharing, Sharing, Sharing, salt="once")
    verdicts = [AuditedGame.by(peer, peer.record()).verdict.code for peer in wire.peers[:SEATS]]
    assert verdicts == [FAIR] * SEATS
    assert sorted(runs) == [0, 1, 2]


def test_alone_each_seat_runs_all_others(runs: list[int]) -> None:
    table_of(Peer, Peer, Peer, salt="alone")
    assert sorted(runs) == [0, 0, 1, 1, 2, 2]


def test_a_lie_is_found_as_by_each_alone() -> None:
    shared = table_of(Liar, Sharing, Sharing, salt="a lie")
    alone = table_of(Liar, Peer, Peer, salt="a lie")
    found = [peer.findings for peer in shared.peers[1:SEATS]]
    assert found == [peer.findings for peer in alone.peers[1:SEATS]]
    assert found[0] == found[1]
    assert found[0] is not None
    assert [deviation.seat for deviation in found[0]] == [0]


def test_only_those_share_who_know_the_same() -> None:
    first, second = (table_of(Sharing, Sharing, Sharing, salt=salt) for salt in ("first", "second"))
    assert first.peers[0].reexecutions is first.peers[1].reexecutions
    assert first.peers[0].reexecutions is not second.peers[0].reexecutions
    again = table_of(Sharing, Sharing, Sharing, salt="first")
    assert again.peers[0].reexecutions is first.peers[0].reexecutions
    changed = again.peers[0].log[0]
    again.peers[0].log[0] = replace(changed, left={0: None})
    share_audit(again.peers[0])
    assert again.peers[0].reexecutions is not first.peers[0].reexecutions


def test_what_a_seat_shows_later_is_not_shared() -> None:
    peer = table_of(Sharing, Sharing, Sharing, salt="later").peers[0]
    one, other = peer.reexecution(1), peer.reexecution(2)
    assert peer.reexecutions.of(SEATS, lambda: one) is one
    assert peer.reexecutions.of(SEATS, lambda: other) is other
