"""On the wire a truth value is no number, and 1 is not true: frames and rosters that say otherwise have no effect."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from kimberley.games.mine import GAME as MINE
from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.guest_lobby import GuestLobby, read_table
from kimberley.p2p.table.seating import SeatingCoordinator, SeatingParticipant
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.transport.frames import are_integers
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.roster import BadRoster, SignedRoster

TERMS = TableTerms("mine", 1, (("flawless", False), ("last_look", 0)), 2)
HOST, GUEST = Identity.fresh(), Identity.fresh()
PEOPLE = ((HOST.public, "ana"), (GUEST.public, "ben"))


def test_truth_values_are_no_integers() -> None:
    assert are_integers()
    assert are_integers(0, -1, 1 << 63)
    assert not are_integers(0, True)
    assert not are_integers(None)


def test_a_table_with_truth_values_for_numbers_is_none() -> None:
    sitting = (False, False, "", 0)
    frame = ("table", "mine", 1, (), 2, PEOPLE, (sitting, sitting))
    assert read_table(frame, HOST.public)[0].rules == 1
    with pytest.raises(UserError):
        read_table((*frame[:2], True, *frame[3:]), HOST.public)
    with pytest.raises(UserError):
        read_table((*frame[:6], ((False, False, "", True), sitting)), HOST.public)


def test_a_card_with_truth_values_for_numbers_is_none() -> None:
    frame = TableCard(HOST.public, "ana", "mine", 1, 1, 2, PeerVersion.own()).frame()
    assert TableCard.read(frame).taken == 1
    with pytest.raises(UserError):
        TableCard.read((*frame[:7], True, *frame[8:]))


def test_a_host_cannot_change_an_option_into_its_like() -> None:
    """False was announced, 0 is in the roster: equal to Python, but not to the rules."""
    bent = replace(TERMS, options=(("flawless", 0), ("last_look", 0)))
    assert bent == TERMS
    assert not bent.same(TERMS)
    gathering = SeatingCoordinator(bent.signed, PEOPLE, 1)
    own, guest = SeatingParticipant(HOST, bent.signed, PEOPLE, 1), SeatingParticipant(GUEST, TERMS.signed, PEOPLE, 1)
    for identity, seating in ((HOST, own), (GUEST, guest)):
        answer = seating.answer(gathering.ask())
        assert answer is not None
        following = gathering.on_answer(identity.public, answer)
    assert following is not None
    assert own.answer(following) is not None
    with pytest.raises(BadRoster, match="changed the game or its options"):
        guest.answer(following)


@pytest.mark.slow
def test_a_round_that_is_counted_by_truth_values_is_given_up() -> None:
    failures: list[str] = []
    lobby = GuestLobby(
        GUEST, TERMS, lambda terms: (2,), PEOPLE, lambda signed, seed: None, lambda: None, failures.append
    )
    frame: tuple[Plain, ...] = ("prepare", True)
    with pytest.raises(BadRoster, match="without a number"):
        lobby.answer(frame)


def test_a_spectator_is_told_of_options_that_are_none() -> None:
    bent = replace(TERMS, options=(("flawless", 0), ("last_look", 0)))
    gathering = SeatingCoordinator(bent.signed, PEOPLE, 1)
    seats = [(one, SeatingParticipant(one, bent.signed, PEOPLE, 1)) for one in (HOST, GUEST)]
    frame: tuple[Plain, ...] | None = gathering.ask()
    while frame is not None:
        following = None
        for identity, seating in seats:
            answer = seating.answer(frame)
            if answer is not None:
                following = gathering.on_answer(identity.public, answer)
        frame = following
    signed = seats[0][1].signed
    assert signed is not None
    problem = asyncio.run(problem_of_watching(signed))
    assert problem is not None
    assert "flawless" in problem


async def problem_of_watching(signed: SignedRoster) -> str | None:
    """Returns what a spectator who is shown this roster is told."""
    watch = SpectatorClient(("127.0.0.1", 1), lambda _: MINE, Identity.fresh(), HOST.public)
    await watch.begin((signed.roster.packed, signed.signatures, signed.nonces))
    await watch.close()
    return watch.problem
