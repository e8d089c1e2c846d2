"""What seats owe, as the suite has it, is what the vectors of the asks say and what SPEC.md's worked exchange shows."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pytest

import kimberley.client.conformance
from kimberley.client.conformance.crypto.hashing import Secrets
from kimberley.client.conformance.documents.record import all_bytes
from kimberley.client.conformance.documents.roster import Roster, SignedRoster
from kimberley.client.conformance.encoding.codec import pack
from kimberley.client.conformance.encoding.plain import Plain, from_json
from kimberley.client.conformance.script import SCRIPT
from kimberley.client.conformance.table.play import CompletedStage, Play, audit
from kimberley.games.diamond_trust import GAME
from kimberley.protocol.envelope import CLOSING, STAGE
from tests.support.exchange import LAST, SEEDS, Exchange

BOOK: Final = json.loads((Path(kimberley.client.conformance.__file__).parent / "vectors" / "asks.json").read_text())
OWED: Final = [test for test in BOOK["tests"] if test["function"] in ("give", "leave") and test["gives"]]


def table(plain: Any) -> SignedRoster:
    packed, signatures, nonces = plain
    return SignedRoster(Roster.read(packed), packed, all_bytes(signatures), all_bytes(nonces))


def log(rows: Any) -> list[CompletedStage]:
    def bodies(signed: Any) -> dict[int, Plain]:
        return {seat: from_json(body) for seat, body in signed}

    return [CompletedStage((step, stage), bodies(signed), bodies(left)) for step, stage, signed, left in rows]


def due(
    play: Play, seat: int, choices: list[Plain], stages: list[CompletedStage], slot: tuple[int, int], leaves: bool
) -> Plain:
    """The body that a seat owes there."""
    chosen = -1
    for stage in stages:
        if seat in stage.bodies and play.space(seat) is not None and chosen != play.step:
            chosen = play.step
            play.seats[seat].choices.append(choices.pop(0))
        if stage.slot == slot:
            return play.leave_body(seat) if leaves else play.body(seat)
        if seat in stage.bodies:
            play.body(seat)
        play.complete(stage.bodies, stage.left)
    raise LookupError(slot)


@pytest.mark.parametrize("test", OWED, ids=lambda test: f"{test['id']}: {test['comment']}")
def test_seats_owe_what_the_vectors_say(test: Any) -> None:
    given, gives = test["given"], test["gives"]
    past = BOOK["played"][given["past"]["of"]]
    signed = table(from_json(past["table"]))
    choices = from_json(given["choices"])
    assert isinstance(choices, tuple)
    seat, slot = given["seat"], tuple(gives["slot"])
    play = Play(SCRIPT, signed, [Secrets(signed.game_id, seat, bytes.fromhex(given["seed"]))])
    body = due(play, seat, list(choices), log(past["stages"]), slot, test["function"] == "leave")
    assert pack(body).hex() == gives["body"]


def test_every_ask_is_among_them() -> None:
    asked = {ask[0] for played in BOOK["played"].values() for ask in _asks(played)}
    assert asked >= {"decide", "together", "seal", "amounts", "within", "disclose", "open", "roll", "shuffle", "show"}


def _asks(played: Any) -> Any:
    return dict(table(from_json(played["table"])).roster.options)["asks"]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_bodies_of_the_worked_exchange_are_those_due(seat: int) -> None:
    exchange = Exchange()
    signed = table(exchange.table.plain())
    sent = [envelope for envelope in exchange.envelopes if envelope.kind == STAGE]
    stages = [
        CompletedStage(slot, {envelope.seat: envelope.body for envelope in group}, {})
        for slot, group in groupby(sent, lambda envelope: (envelope.step, envelope.stage))
    ]
    match exchange.at(LAST + 1, 1, seat, CLOSING).body:
        case (seed, tuple() as choices) if seed == SEEDS[seat]:
            assert audit(GAME, signed, stages, seat, SEEDS[seat], choices) is None
        case _:
            raise AssertionError("not the seed and the choices that were shown")
