"""Seating with a host that does what must not be signed: every such frame ends with a sentence, never with a fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.guest_lobby import MOST_BROKEN_OFF, GuestLobby
from kimberley.p2p.table.seating import SeatingCoordinator, SeatingParticipant
from kimberley.p2p.table.terms import TableTerms
from kimberley.protocol.roster import BadRoster, SignedRoster

TERMS = TableTerms("stones", 1, (("last_look", 0),), 2)


class Door:
    """A guest's lobby with a host of the test's own behind it."""

    def __init__(self) -> None:
        self.host, self.guest = Identity.fresh(), Identity.fresh()
        self.people = ((self.host.public, "ana"), (self.guest.public, "ben"))
        self.signed: list[SignedRoster] = []
        self.failures: list[str] = []
        self.lobby = GuestLobby(
            self.guest,
            TERMS,
            lambda terms: (2,),
            self.people,
            lambda signed, seed: self.signed.append(signed),
            lambda: None,
            self._failed,
        )

    def _failed(self, reason: str) -> None:
        self.failures.append(reason)

    def round(self, number: int, stop: str = "", begins: int | None = None) -> None:
        """Plays a round of seating between a host, in whose roster a seat `begins`, and the guest, up to the frame of
        this kind.
        """
        gathering = SeatingCoordinator(TERMS.signed, self.people, number, begins)
        own = SeatingParticipant(self.host, TERMS.signed, self.people, number, begins)
        frame: tuple[Plain, ...] | None = gathering.ask()
        while frame is not None and frame[0] != stop:
            following = None
            for identity, answer in ((self.host.public, own.answer(frame)), (self.guest.public, self.says(frame))):
                if answer is not None:
                    following = gathering.on_answer(identity, answer)
            frame = following

    def says(self, frame: tuple[Plain, ...]) -> tuple[Plain, ...] | None:
        """Returns what the guest answers."""
        answers: list[tuple[Plain, ...]] = []
        self.lobby.reply = answers.append  # type: ignore[method-assign, assignment]
        self.lobby.answer(frame)
        return answers[0] if answers else None


def test_a_round_seats_both() -> None:
    door = Door()
    door.round(1)
    (signed,) = door.signed
    signed.check()


def test_rounds_are_counted_upwards() -> None:
    door = Door()
    door.round(3)
    with pytest.raises(BadRoster, match="repeats"):
        door.says(("prepare", 3))


def test_a_host_that_begins_with_so_many_as_cannot_play_is_not_followed() -> None:
    door = Door()
    door.lobby.numbers = (3, 4)
    with pytest.raises(BadRoster, match="a number of players that this game does not allow"):
        door.round(1)


def test_a_host_that_looks_for_words_that_suit_is_left() -> None:
    door = Door()
    for number in range(MOST_BROKEN_OFF + 1):
        door.round(number, stop="nonces")
    with pytest.raises(BadRoster, match="keeps starting over"):
        door.says(("prepare", 99))


def test_rounds_that_end_before_a_nonce_is_open_tell_the_host_nothing() -> None:
    door = Door()
    for number in range(3 * MOST_BROKEN_OFF):
        door.round(number, stop="signatures")
    door.round(50)
    assert len(door.signed) == 1


@pytest.mark.parametrize("signed", [(), (b"x" * 64,), (b"x" * 64,) * 3])
def test_signatures_of_another_number_are_refused(signed: tuple[bytes, ...]) -> None:
    door = Door()
    door.round(1, stop="signatures")
    with pytest.raises(BadRoster):
        door.says(("signatures", 1, signed))


def test_a_table_that_leaves_this_seat_out_is_refused() -> None:
    door = Door()
    stranger = Identity.fresh()
    door.lobby.people = ((door.host.public, "ana"), (stranger.public, "ben"))
    gathering = SeatingCoordinator(TERMS.signed, door.lobby.people, 1)
    seats = [SeatingParticipant(one, TERMS.signed, door.lobby.people, 1) for one in (door.host, stranger)]
    door.says(gathering.ask())
    frame = None
    for seat, (identity, _) in zip(seats, door.lobby.people, strict=True):
        answer = seat.answer(gathering.ask())
        assert answer is not None
        frame = gathering.on_answer(identity, answer)
    assert frame is not None
    with pytest.raises(BadRoster, match="what this seat gave"):
        door.says(frame)


def test_options_change_only_between_rounds() -> None:
    door, other = Door(), replace(TERMS, options=(("last_look", 9),))
    assert not door.lobby.follow(TERMS)
    assert door.lobby.follow(other)
    assert door.lobby.terms == other
    door.says(("prepare", 1))
    with pytest.raises(BadRoster, match="changed the game or its options"):
        door.lobby.follow(TERMS)
    door.lobby.on_reopened()
    assert door.lobby.follow(TERMS)


def test_the_seat_whose_turn_it_is_begins_or_lots_decide() -> None:
    for begins in (None, 1):
        door = Door()
        door.lobby.turns = (door.guest.public, door.host.public)
        door.round(1, begins=begins)
        assert [signed.roster.begins for signed in door.signed] == [begins]


@pytest.mark.parametrize("turns", [False, True])
def test_a_host_that_begins_out_of_turn_is_not_followed(turns: bool) -> None:
    """Nor is one that says so to a newcomer, who cannot know of an earlier game."""
    door = Door()
    if turns:
        door.lobby.turns = (door.guest.public, door.host.public)
    with pytest.raises(BadRoster, match="the wrong seat begin"):
        door.round(1, begins=0)


def test_a_table_that_was_opened_again_forgets_whose_turn_it_was() -> None:
    door = Door()
    door.lobby.turns = (door.guest.public, door.host.public)
    door.lobby.on_reopened()
    with pytest.raises(BadRoster, match="the wrong seat begin"):
        door.round(1, begins=1)
