"""Whom a table waits for before its game, and who is to blame if it does not begin."""

from __future__ import annotations

import hashlib

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.readiness import (
    COMPARING,
    NOT_CONNECTED,
    ON_THE_WAY,
    PURPOSE,
    SITTING_DOWN,
    Readiness,
    TableWait,
)

ANA, BEN = (Identity.of(hashlib.sha256(name).digest()) for name in (b"ana", b"ben"))
PEOPLE = ANA.public, BEN.public
GAME, OTHER = hashlib.sha256(b"game").digest(), hashlib.sha256(b"another game").digest()


def table(*connected: bytes) -> Readiness:
    """A table that was opened at 100, to which players have 60 seconds to come."""
    return Readiness(PEOPLE, lambda player: player in connected, lambda: True, 100.0, 60.0)


def test_a_table_waits_for_one_thing_after_the_other() -> None:
    here: set[bytes] = {ANA.public}
    listens = [True]
    readiness = Readiness(PEOPLE, lambda player: player in here, lambda: listens[0], 100.0, 60.0)
    readiness.on_arrival(ANA.public)
    assert readiness.wait() == TableWait((1,), NOT_CONNECTED, 160.0)
    here.add(BEN.public)
    assert readiness.wait() == TableWait((1,), ON_THE_WAY, 160.0)
    readiness.on_arrival(BEN.public)
    listens[0] = False
    assert readiness.wait() == TableWait((0,), ON_THE_WAY, 160.0)
    listens[0] = True
    assert readiness.wait() == TableWait((0, 1), SITTING_DOWN, 220.0)
    readiness.on_words(ANA.public, GAME, ANA.sign(PURPOSE, GAME))
    assert readiness.wait() == TableWait((1,), SITTING_DOWN, 220.0)
    readiness.on_words(BEN.public, GAME, None)
    assert readiness.wait() == TableWait((1,), COMPARING, 220.0)
    assert readiness.unready() == (1,)
    assert (readiness.late(159.0), readiness.late(160.0), readiness.over(219.0), readiness.over(220.0)) == (
        False, True, False, True,
    )  # fmt: skip


def test_only_a_players_own_signature_makes_it_ready_and_no_words_take_that_back() -> None:
    readiness = table(*PEOPLE)
    assert not readiness.on_words(ANA.public, GAME, BEN.sign(PURPOSE, GAME))
    assert not readiness.on_words(ANA.public, GAME, ANA.sign(PURPOSE, OTHER))
    assert not readiness.on_words(ANA.public, GAME, b"nonsense")
    assert readiness.unready() == (0,)
    own = ANA.sign(PURPOSE, GAME)
    assert readiness.on_words(ANA.public, GAME, own)
    assert readiness.signed == {ANA.public: (GAME, own)}
    assert not readiness.on_words(ANA.public, GAME, own), "what is known is not passed on again"
    assert not readiness.on_words(ANA.public, None, None)
    assert (readiness.signed, readiness.unready()) == ({}, ())
