"""Every forged envelope of the suite's catalogue, at a table in memory: it counts for nothing, or all other seats and a
spectator wait for the seat that signed it or name it, and no honest seat is ever blamed.
"""

from __future__ import annotations

import pytest

from kimberley.conformance.forgeries import CHEAT, ENVELOPES, EnvelopeForgery
from kimberley.conformance.forgeries.envelopes import DROPPED, REFUSED, SAME, WAITED
from kimberley.conformance.script import ScriptGame
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Dropped
from tests.support.cheats import caught_by_all, judged, owed_by, waited_for
from tests.support.due_envelopes import due_envelope
from tests.support.effort import spread, tries
from tests.support.tables import Wire, seated

SEATS = tries([2, 3], [2, 3, 6])


def table_with(forgery: EnvelopeForgery, seats: int, *, honest: bool = False) -> Wire:
    """Returns the table of a forgery's script, played as far as it goes. The seat that forges sends nothing more of its
    own; `honest` seats send the envelope due as well, and play on.
    """
    moment = forgery.moment
    wire = seated(ScriptGame(moment.asks), seats)
    sent: list[bytes] = []

    def alter(sender: int, receiver: int, data: bytes) -> bytes | None:
        envelope = Envelope.unpack(data)
        if sender != CHEAT or envelope.slot < moment.slot:
            return data
        if envelope.slot == moment.slot:
            assert envelope.kind == moment.kind
            sent[:] = sent or forgery.sent(due_envelope(wire.peers[CHEAT], envelope))
            wire.lines.setdefault((sender, receiver), []).extend(sent)
        return data if honest else None

    wire.alter = alter
    wire.run()
    assert sent, "it forged nothing there"
    return wire


def dropped(wire: Wire) -> dict[int, str]:
    """Returns, by peer, why it dropped something."""
    return {index: event.reason for index, event in wire.events if isinstance(event, Dropped)}


def only(*reactions: str) -> pytest.MarkDecorator:
    """Runs a test with the forgeries that have one of these reactions, at tables of some sizes."""
    rows = [
        pytest.param(forgery, seats, id=f"{forgery.name}-{seats}")
        for forgery in ENVELOPES
        for seats in (SEATS if not forgery.pair else [2])
        if forgery.reaction in reactions
    ]
    return pytest.mark.parametrize(("forgery", "seats"), spread(20, rows))


@only(REFUSED)
def test_who_signs_a_forged_envelope_is_named(forgery: EnvelopeForgery, seats: int) -> None:
    caught_by_all(table_with(forgery, seats), CHEAT, forgery.reason)


@only(DROPPED, WAITED)
def test_who_sends_a_forged_envelope_in_place_of_the_one_due_is_waited_for(
    forgery: EnvelopeForgery, seats: int
) -> None:
    wire = table_with(forgery, seats)
    waited_for(wire, CHEAT, owed_by(wire.peers[0]))
    assert wire.peers[0].slot == forgery.moment.slot
    told = dropped(wire)
    assert set(told) == ({*range(seats + 1)} - {CHEAT} if forgery.reason else set())
    assert all(forgery.reason in reason for reason in told.values())


@only(DROPPED, SAME)
def test_a_forged_envelope_does_not_keep_the_one_due_from_counting(forgery: EnvelopeForgery, seats: int) -> None:
    wire = table_with(forgery, seats, honest=True)
    assert all(peer.finished for peer in wire.peers)
    assert len({peer.record().pack() for peer in wire.peers}) == 1
    assert judged(wire.peers[0]).code == "fair"


def test_every_forged_envelope_has_a_name_and_a_case_of_its_own() -> None:
    assert len({forgery.case for forgery in ENVELOPES}) == len({forgery.name for forgery in ENVELOPES})
    assert len({forgery.name for forgery in ENVELOPES}) == len(ENVELOPES)
    assert all(forgery.rules for forgery in ENVELOPES)
    assert {forgery.reaction for forgery in ENVELOPES} == {DROPPED, SAME, WAITED, REFUSED}
