"""Who gets a free seat, and when: by identity, by address, in turn."""

from __future__ import annotations

from kimberley.p2p.table.admission import (
    ADDRESS_REMOVED,
    FORGET_SECONDS,
    MOST_KEPT,
    REMOVED,
    SHUT_OUT_SECONDS,
    Admission,
    Applicant,
)


def applicant(name: str, address: str = "192.0.2.1", *, known: bool = False, since: float = 0.0) -> Applicant:
    return Applicant(name.encode(), address, known, since)


def test_who_holds_a_seat_for_nothing_waits_longer_each_time() -> None:
    admission, eve, now = Admission(), applicant("eve"), 1000.0
    assert admission.free_at(eve, now) <= now
    waits = []
    for _ in range(len(SHUT_OUT_SECONDS) + 1):
        admission.on_seat_lost(eve.identity, eve.address, now)
        waits.append(admission.free_at(eve, now) - now)
    assert waits == [*SHUT_OUT_SECONDS, SHUT_OUT_SECONDS[-1]]
    assert admission.free_at(eve, now + FORGET_SECONDS) <= now + FORGET_SECONDS


def test_a_new_key_does_not_help_and_people_who_are_known_do_not_wait_for_others_at_their_address() -> None:
    admission, now = Admission(), 1000.0
    for number in range(3):
        admission.on_seat_lost(f"eve {number}".encode(), "192.0.2.1", now)
    assert admission.free_at(applicant("another key"), now) == now + SHUT_OUT_SECONDS[2]
    assert admission.free_at(applicant("a friend", known=True), now) <= now
    assert admission.free_at(applicant("elsewhere", "192.0.2.2"), now) <= now
    # What somebody did under their own key counts, whoever they are and wherever they come from.
    assert admission.free_at(applicant("eve 0", "192.0.2.2", known=True), now) == now + SHUT_OUT_SECONDS[0]


def test_who_was_removed_never_sits_down_and_strangers_from_there_do_not_either() -> None:
    admission = Admission()
    admission.remove(b"eve", "192.0.2.1")
    assert admission.refusal(applicant("eve", "192.0.2.2", known=True)) == REMOVED
    assert admission.refusal(applicant("another key")) == ADDRESS_REMOVED
    assert admission.refusal(applicant("a friend", known=True)) is None
    assert admission.refusal(applicant("elsewhere", "192.0.2.2")) is None
    admission.remove(b"mallory", None)
    assert admission.refusal(applicant("mallory", "192.0.2.3")) == REMOVED
    assert admission.refusal(applicant("another key", "192.0.2.3")) is None


def test_an_address_that_is_not_seen_counts_for_nobody() -> None:
    admission, now = Admission(), 1000.0
    admission.on_seat_lost(b"eve", "the room", now)
    admission.remove(b"eve", "the room")
    other = applicant("other", "the room")
    assert admission.refusal(other) is None
    assert admission.free_at(other, now) <= now


def test_known_people_go_first_then_addresses_in_turn_and_those_who_held_seats_last() -> None:
    admission, now = Admission(), 1000.0
    admission.on_seat_lost(b"idle", "192.0.2.9", now)
    waiting = [
        applicant("idle", "192.0.2.9", since=1),
        *(applicant(f"crowd {number}", since=2 + number) for number in range(3)),
        applicant("late", "192.0.2.7", since=8),
        applicant("friend", since=9, known=True),
    ]
    order = [one.identity.decode() for one in admission.in_turn(waiting, now)]
    assert order == ["friend", "crowd 0", "late", "crowd 1", "crowd 2", "idle"]


def test_what_is_remembered_is_bounded() -> None:
    admission = Admission()
    for number in range(MOST_KEPT + 10):
        admission.on_seat_lost(str(number).encode(), "the room", 0.0)
        admission.remove(str(number).encode(), None)
    assert admission.free_at(applicant("0", "the room"), 0.0) <= 0
    assert admission.refusal(applicant("0", "the room")) is None
    assert admission.refusal(applicant(str(MOST_KEPT + 9), "the room")) == REMOVED
