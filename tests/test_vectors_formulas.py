"""The text of SPEC.md alone gives the bodies of `asks.json`, and whole games of `games.json` to the record's hash."""

from __future__ import annotations

import json
from typing import Any, Final

import msgpack
import pytest

from tests.support.formulas_asks import Diamond, Script
from tests.support.vector_book import read
from tests.support.vectors import FOLDER

ASKS: Final = json.loads((FOLDER / "asks.json").read_text())
GAMES: Final = json.loads((FOLDER / "games.json").read_text())


def plain(value: Any) -> Any:
    return read("plain", value)


def due(test: Any) -> Any:
    """The body that the formulas give for a test."""
    past, given = ASKS["played"][test["given"]["past"]["of"]], test["given"]
    slot = tuple(test["gives"]["slot"])
    goes = slot[0] if test["function"] == "leave" else None
    script = Script(plain(past["table"]), given["seat"], bytes.fromhex(given["seed"]), plain(given["choices"]), goes)
    for step, stage, bodies, _ in past["stages"]:
        if (step, stage) == slot:
            return script.due(step, stage)
        if given["seat"] in [seat for seat, _ in bodies]:
            script.due(step, stage)
        script.take_in(step, stage, {seat: plain(body) for seat, body in bodies})
    raise LookupError(slot)


@pytest.mark.parametrize(
    "test",
    [test for test in ASKS["tests"] if test["function"] in ("give", "leave") and test["gives"]],
    ids=lambda test: f"{test['id']}: {test['comment']}, seat {test['given']['seat']}",
)
def test_the_formulas_give_the_bodies_that_seats_owe(test: Any) -> None:
    assert not test["given"]["past"]["instead"]
    assert msgpack.packb(due(test)).hex() == test["gives"]["body"]


def test_every_ask_is_among_them() -> None:
    asked = {ask[0] for played in ASKS["played"].values() for ask in dict(_options(played))["asks"]}
    assert asked >= {"decide", "together", "seal", "amounts", "within", "disclose", "open", "roll", "shuffle", "show"}


def _options(played: Any) -> Any:
    return msgpack.unpackb(plain(played["table"])[0], use_list=False)[3]


@pytest.mark.parametrize("number", range(2))
def test_the_formulas_give_whole_games_of_diamond(number: int) -> None:
    found = [test for test in GAMES["tests"] if test["function"] == "play" and test["comment"].startswith("Diamond")]
    test = [one for one in found if one["gives"] and "Trust" not in one["comment"] and "Mine" not in one["comment"]][
        number
    ]
    given, gives = test["given"], test["gives"]
    secrets, seeds = ([bytes.fromhex(secret) for secret in given[name]] for name in ("secrets", "seeds"))
    game = Diamond(plain(given["table"]), secrets, seeds)
    resigned = [seat for seat, _ in given["goes"]]
    result = plain(gives["places"]), plain(gives["scores"])
    game.play(plain(given["choices"]), *result, resigned[0] if resigned else None)
    assert [one.hex() for one in game.hashes] == gives["envelopes"]
    assert game.head.hex() == gives["head"]
    assert game.record.hex() == gives["record"]
