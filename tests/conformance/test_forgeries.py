"""Every forged body of the suite's catalogue, at a table in memory: all other seats and a spectator name the seat that
signed it, at once or by the audit, and no honest seat is ever blamed.
"""

from __future__ import annotations

from random import Random

import pytest

from kimberley.conformance.forgeries import CHEAT, FORGERIES, MOMENTS, Forgery, SigningMoment
from kimberley.conformance.script import ScriptGame
from kimberley.games.table import Plain
from kimberley.protocol.envelope import LEAVE
from kimberley.protocol.events import Asked
from kimberley.protocol.peer import Peer
from tests.support.cheats import Cheat, Leaver, caught_by_all, found_by_the_audit
from tests.support.effort import spread, tries
from tests.support.tables import Wire, seated

SEATS = tries([3], [3, 6])
STRANGE: tuple[Plain, ...] = (
    *(None, (), 7, "", b"", (1, 2), (b"",), (b"", b""), (b"", b"", b"", b""), (True,), ("", ""), ("", "", "")),
    *((None, None), ((), ()), ((), (), ()), (b"", ((),)), (b"", (b"",)), (b"", ((0,),)), ((b"",), (b"",), None)),
    *((b"x" * 31,), (b"x" * 33,), (b"x" * 32, None, None)),
)
"""Bodies that are right nowhere."""


def table_with(forgery: Forgery, seats: int) -> Wire:
    """Returns the table of a forgery's script, played as far as it goes."""
    moment = forgery.moment
    forged: list[int] = []

    class Forger(Leaver, Cheat):
        goes = staticmethod(lambda peer: moment.kind == LEAVE and peer.slot == moment.slot)

        def sign_next(self, kind: int, body: Plain) -> None:
            if (kind, self.slot) == (moment.kind, moment.slot):
                assert moment.fits(self.play)
                body = forgery.body(self.play, body)
                forged.append(kind)
            super().sign_next(kind, body)

    def choose(peer: Peer, asked: Asked) -> Plain:
        place = peer.play.step, peer.seat or 0
        return moment.choices.get(place, asked.space.pick(Random("{} {}".format(*place))))

    wire = seated(ScriptGame(moment.asks), seats, choosers=[choose] * seats, cheats={CHEAT: Forger})
    wire.run()
    assert len(forged) == 1, "it signed nothing there"
    return wire


@pytest.mark.parametrize("seats", spread(1, SEATS))
@pytest.mark.parametrize("forgery", spread(60, FORGERIES), ids=lambda forgery: forgery.name)
def test_who_signs_a_forged_body_is_named(forgery: Forgery, seats: int) -> None:
    wire = table_with(forgery, seats)
    if forgery.audited:
        verdict = found_by_the_audit(wire, CHEAT, forgery.told)
        assert (verdict.step, verdict.stage) == (forgery.found or forgery.moment.slot)
    else:
        caught_by_all(wire, CHEAT, forgery.told)


@pytest.mark.parametrize("body", spread(1, map(pytest.param, STRANGE)), ids=lambda body: repr(body)[:20])
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
def test_a_body_of_any_other_shape_is_refused_and_raises_nothing(moment: SigningMoment, body: Plain) -> None:
    caught_by_all(table_with(Forgery("Another shape", moment, lambda play, due: body), 3), CHEAT, "")


def test_every_forgery_has_a_name_and_a_case_of_its_own() -> None:
    cases = [forgery.case for forgery in FORGERIES if forgery.case]
    assert len(set(cases)) == len(cases)
    assert len({forgery.name for forgery in FORGERIES}) == len(FORGERIES)
    assert all(forgery.breaks for forgery in FORGERIES)
