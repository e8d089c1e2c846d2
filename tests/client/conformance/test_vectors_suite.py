"""The formulas of the conformance suite, which know nothing of protocol/, give what the vectors of tables say."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from kimberley.client.conformance.asks.base import check_choice
from kimberley.client.conformance.asks.knowledge import ProtocolViolation
from kimberley.client.conformance.crypto.hashing import Identity, Secrets, digest
from kimberley.client.conformance.documents.envelope import (
    CLOSING,
    FIRST,
    LEAVE,
    RESIGN,
    STAGE,
    Envelope,
    first_head,
    next_head,
)
from kimberley.client.conformance.documents.record import Record, attest, verifies_attestation
from kimberley.client.conformance.documents.roster import REVISION, Roster, SignedRoster
from kimberley.client.conformance.encoding.codec import Malformed, pack, unpack
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.script import SCRIPT
from kimberley.client.conformance.table.play import CompletedStage, Play, audit
from kimberley.games import lookup
from kimberley.games.table import Game, Result, SupportsLeave
from tests.client.conformance.vectors.book import read
from tests.client.conformance.vectors.files import FOLDER
from tests.client.conformance.vectors.functions import Past, Played
from tests.client.conformance.vectors.table_functions import known
from tests.support.effort import first_is_quick

Values = Mapping[str, Any]


@cache
def book(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text())


@cache
def shared(name: str) -> dict[str, Played]:
    return {key: read("played", played) for key, played in book(name)["played"].items()}


def vectors(name: str, *functions: str) -> list[Any]:
    return [test for test in book(name)["tests"] if test["function"] in functions]


def named(test: Any) -> str:
    return f"{test['id']}: {test['comment']}"


def signed_by(table: Plain) -> SignedRoster:
    """A table as a record has it."""
    match table:
        case (bytes() as packed, tuple() as signatures, tuple() as nonces):
            signed = SignedRoster(Roster.read(packed), packed, signatures, nonces)
            assert signed.holds
            return signed
    raise ValueError(table)


def game_of(signed: SignedRoster) -> Game:
    return SCRIPT if signed.roster.game == SCRIPT.id else lookup.find(signed.roster.game)


def follow(past: Played, seat: int | None, seed: bytes = b"", choices: Sequence[Plain] = ()) -> Play:
    """A seat behind the stages given. Raises Foul for a choice that it must not make."""
    signed = signed_by(past.table)
    secrets = [] if seat is None else [Secrets(signed.game_id, seat, seed)]
    play, left = Play(game_of(signed), signed, secrets), list(choices)
    for _, stage, bodies, leaves in past.stages:
        if seat in bodies and stage == 0:
            choose(play, seat, left)
        play.complete(bodies, leaves)
    if seat in play.owing and play.stage == 0:
        choose(play, seat, left)
    return play


def choose(play: Play, seat: int | None, left: list[Plain]) -> None:
    if seat is not None and (space := play.space(seat)) is not None and left:
        check_choice(space, left[0])
        play.seats[seat].choices.append(left.pop(0))


def given(name: str, test: Any) -> tuple[Played, Values]:
    """The past of a test, and all else that it is given."""
    values = test["given"]
    past: Past = read("past", values["past"])
    return past.within(shared(name)), values


@pytest.mark.parametrize("test", vectors("asks", "give", "leave"), ids=named)
def test_the_body_that_a_seat_owes(test: Any) -> None:
    past, values = given("asks", test)
    seat, seed, choices = values["seat"], bytes.fromhex(values["seed"]), read("plain", values["choices"])
    if test["gives"] is None:
        with pytest.raises(ProtocolViolation):
            follow(past, seat, seed, choices)
        return
    play = follow(past, seat, seed, choices)
    body = play.body(seat) if test["function"] == "give" else play.leave_body(seat)
    assert (list(play.slot), pack(body).hex()) == (test["gives"]["slot"], test["gives"]["body"])


@pytest.mark.parametrize("test", vectors("asks", "accept", "accept_leave"), ids=named)
def test_whether_all_accept_a_body(test: Any) -> None:
    past, values = given("asks", test)
    play = follow(past, None)
    check: Callable[[int, Plain], None] = play.check if test["function"] == "accept" else play.check_leave
    try:
        check(values["seat"], unpack(bytes.fromhex(values["body"])))
    except (ProtocolViolation, Malformed):
        assert test["gives"] is None
    else:
        assert test["gives"] == {}


@pytest.mark.parametrize("test", vectors("asks", "learn"), ids=named)
def test_what_a_seat_learns(test: Any) -> None:
    past, values = given("asks", test)
    seat = values["seat"]
    play = follow(past, seat, bytes.fromhex(values["seed"]), read("plain", values["choices"]))
    answer = play.answers[max(play.answers)]
    assert known(answer[seat]) == read("plain", test["gives"]["answer"])


@pytest.mark.parametrize("test", vectors("audits", "audit"), ids=named)
def test_what_an_audit_finds(test: Any) -> None:
    past, values = given("audits", test)
    onlooker = follow(Played(past.table, complete(past)), None)
    shown: dict[int, Any] = {seat: (seed, choices) for seat, seed, choices in read("plain", values["shown"])}
    found, deviations, absent = onlooker.recovered(shown)
    log = [*onlooker.log]
    if len(log) < len(past.stages):
        step, stage, bodies, leaves = past.stages[-1]
        log.append(CompletedStage((step, stage), bodies, leaves))
    signed = signed_by(past.table)
    for seat, (seed, choices) in (shown | found).items():
        slot = audit(game_of(signed), signed, log, seat, seed, choices)
        deviations += [] if slot is None else [(*slot, seat)]
    decisive = sorted(one for one in deviations if one[:2] == min(deviations)[:2])
    assert ([list(one) for one in decisive], absent) == (test["gives"]["deviations"], test["gives"]["absent"])


def complete(past: Played) -> tuple[Any, ...]:
    """The stages to which nothing is missing."""
    play = follow(Played(past.table, ()), None)
    whole = []
    for stage in past.stages:
        if set(play.owing) != {*stage[2], *stage[3]}:
            break
        whole.append(stage)
        play.complete(stage[2], stage[3])
    return tuple(whole)


@pytest.mark.parametrize("test", vectors("attestations", "attest"), ids=named)
def test_attestations(test: Any) -> None:
    values = test["given"]
    game, absent = bytes.fromhex(values["game"]), read("plain", values["absent"])
    slot, head = (values["step"], values["stage"]), bytes.fromhex(values["head"])
    made = attest(Identity(bytes.fromhex(values["secret"])), game, slot, head, absent)
    assert made == read("plain", test["gives"]["attestation"])
    assert verifies_attestation(game, made)


@pytest.mark.parametrize("test", vectors("hello", "greet"), ids=named)
def test_hellos(test: Any) -> None:
    values = {key: bytes.fromhex(value) for key, value in test["given"].items() if key not in ("software", "purpose")}
    software, purpose = test["given"]["software"], read("plain", test["given"]["purpose"])
    joiner, host, nonce = Identity(values["joiner"]), Identity(values["host"]), values["nonce"]
    m1 = ("hello", (REVISION,), software, joiner.public, digest("hello nonce", nonce))
    m2 = ("hello", (REVISION,), software, host.public, values["host_nonce"])
    signed = m1, m2, nonce, purpose, values["certificate"]
    m3 = ("prove", nonce, purpose, joiner.sign("hello", pack(("joiner", *signed))))
    m4 = ("proven", host.sign("hello", pack(("host", *signed))))
    assert [pack(frame).hex() for frame in (m1, m2, m3, m4)] == test["gives"]["frames"]


@pytest.mark.parametrize("test", vectors("hello", "pass_on"), ids=named)
def test_what_goes_through_a_third_seat(test: Any) -> None:
    values, number = test["given"], test["given"]["number"]
    secret, m1, m2, frame = (bytes.fromhex(values[key]) for key in ("secret", "m1", "m2", "frame"))
    session = digest("relay", m1, m2)
    signature = Identity(secret).sign("relay", pack((session, number, frame)))
    assert (session.hex(), signature.hex()) == (test["gives"]["session"], test["gives"]["signature"])


class Whole:
    """A whole game, signed by the suite for all seats."""

    def __init__(self, values: Values) -> None:
        self.signed = signed_by(read("plain", values["table"]))
        self.seeds = [bytes.fromhex(seed) for seed in values["seeds"]]
        self.identities = [Identity(bytes.fromhex(secret)) for secret in values["secrets"]]
        game = self.signed.game_id
        self.play = Play(
            game_of(self.signed), self.signed, [Secrets(game, n, seed) for n, seed in enumerate(self.seeds)]
        )
        self.left = [list(own) for own in read("plain", values["choices"])]
        self.goes = [tuple(one) for one in values["goes"]]
        self.head = first_head(game)
        self.chains = [(0, FIRST)] * len(self.seeds)
        self.sent: list[Envelope] = []
        self.chose: set[tuple[int, int]] = set()

    def finish(self) -> tuple[Any, Any]:
        """To the verdict. Returns the places and scores."""
        resigned: tuple[int, ...] = ()
        while self.play.result is None and not resigned:
            now = [seat for seat, step in self.goes if step == self.play.step and seat not in self.play.facts.left]
            if now and not self.play.leavable:
                resigned = tuple(now)
                break
            self.stage(now)
        step = self.play.step + bool(resigned)
        talk = {seat: self.sign(seat, self.play.slot, RESIGN, None) for seat in resigned}
        result = self.play.result or self.resigned(resigned)
        closing: list[Callable[[int], Plain]] = [
            lambda seat: (result.places, result.scores, resigned),
            lambda seat: (self.seeds[seat], tuple(self.play.seats[seat].choices)),
            lambda seat: ("fair", ()),
        ]
        for stage, body in enumerate(closing):
            bodies = {seat: body(seat) for seat in self.play.facts.present}
            self.taken(
                (step, stage), {seat: (CLOSING, one) for seat, one in bodies.items()}, talk if stage == 0 else {}
            )
        return result.places, result.scores

    def resigned(self, seats: Sequence[int]) -> Result:
        """The result when these seats have resigned."""
        state = self.play.public
        for seat in seats:
            if isinstance(state, SupportsLeave):
                state = state.leave(seat)
        after = state.ask()
        return after if isinstance(after, Result) else self.play.game.resignation_result(state, seats)

    def stage(self, leaving: Sequence[int]) -> None:
        """One stage of the game, in which these seats leave."""
        play, slot = self.play, self.play.slot
        given: dict[int, tuple[int, Plain]] = {}
        for seat in play.owing:
            if seat in leaving:
                given[seat] = LEAVE, play.leave_body(seat)
                continue
            if play.space(seat) is not None and (play.step, seat) not in self.chose:
                self.chose.add((play.step, seat))
                play.seats[seat].choices.append(self.left[seat].pop(0))
            given[seat] = STAGE, play.body(seat)
        self.taken(slot, given, {})
        bodies = {seat: body for seat, (kind, body) in given.items() if kind == STAGE}
        play.complete(bodies, {seat: body for seat, (kind, body) in given.items() if kind == LEAVE})

    def taken(
        self, slot: tuple[int, int], given: Mapping[int, tuple[int, Plain]], talk: Mapping[int, Envelope]
    ) -> None:
        """All sign, and the head goes on."""
        made: list[Envelope] = []
        for seat, (kind, body) in sorted(given.items()):
            made += [talk[seat]] if seat in talk else []
            made.append(self.sign(seat, slot, kind, body))
        self.head = next_head(self.head, slot, tuple(one.hash for one in made))
        self.sent += made

    def sign(self, seat: int, slot: tuple[int, int], kind: int, body: Plain) -> Envelope:
        number, previous = self.chains[seat]
        made = Envelope(self.signed.game_id, seat, number, previous, *slot, self.head, kind, body)
        made = made.signed(self.identities[seat])
        self.chains[seat] = number + 1, made.hash
        return made

    @property
    def record(self) -> bytes:
        return Record(self.signed, tuple(one.packed for one in self.sent)).packed


@pytest.mark.parametrize(
    "test", first_is_quick(*(test for test in vectors("games", "play") if test["gives"])), ids=named
)
def test_whole_games_of_all_five(test: Any) -> None:
    whole = Whole(test["given"])
    places, scores = whole.finish()
    assert [one.hash.hex() for one in whole.sent] == test["gives"]["envelopes"]
    assert whole.head.hex() == test["gives"]["head"]
    assert (places, scores) == (read("plain", test["gives"]["places"]), read("plain", test["gives"]["scores"]))
    assert hashlib.sha256(whole.record).hexdigest() == test["gives"]["record"]
