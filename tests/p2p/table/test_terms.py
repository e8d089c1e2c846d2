"""What a table is about: options that fit only some numbers of seats, and what others are told of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.table.terms import make_terms, playable_numbers
from kimberley.p2p.transport.dial import CardProbe
from kimberley.p2p.transport.frames import MOST_HELLO
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import MOST_OPTIONS_BYTES, TableCard
from kimberley.protocol.encoding import pack
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.choosy import CHOOSY
from tests.support.seated import LOOPBACK, circle_of_tables
from tests.support.stones import STONES

FIFTH = {"fifth": True}


def test_so_many_may_play_as_the_rules_start_with() -> None:
    assert playable_numbers(CHOOSY, make_terms(CHOOSY, {}, 4)) == (2, 3, 4)
    assert playable_numbers(CHOOSY, make_terms(CHOOSY, {**FIFTH}, 4)) == (3, 4)
    assert playable_numbers(replace(CARDS, seats=(2, 4)), make_terms(CARDS, {}, 4)) == (2, 4)
    with pytest.raises(
        UserError, match=r"^Choosy Cards cannot be played with these settings: a fifth suit is for 3 and more\.$"
    ):
        playable_numbers(CHOOSY, make_terms(CHOOSY, {**FIFTH}, 2))
    for seats in (1, 7):
        with pytest.raises(UserError, match=f"cannot be played by {seats}"):
            playable_numbers(CARDS, make_terms(CARDS, {}, seats))


def test_a_last_look_is_settled_where_the_game_has_one() -> None:
    assert make_terms(STONES, {}, 2).options == (("last_look", 40), ("quiet_time", 5), ("rounds", 3))
    assert make_terms(STONES, {"last_look": 20}, 2).options == (("last_look", 20), ("rounds", 3))
    assert make_terms(CARDS, {}, 2).options == (("last_look", 0),)
    with pytest.raises(UserError, match=r"Plans cannot be adjusted in Cards: leave that setting out\."):
        make_terms(CARDS, {"last_look": 12}, 2)
    for quiet in (0, 9, True, "3"):
        with pytest.raises(UserError, match="Adjusting must last at least 1 second"):
            make_terms(STONES, {"last_look": 9, "quiet_time": quiet}, 2)


def test_a_table_waits_for_as_many_as_can_play_with_its_options(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CHOOSY) as circle:
            ana = await circle.open(4, options=FIFTH, headless=False)
            ben = await circle.join()
            ana.seating.ready(True)
            await until(lambda: ana.occupants.readiness == ben.occupants.readiness == (True, True))
            assert ana.phase == ben.phase == "open"
            assert ana.occupants.numbers == ben.occupants.numbers == (3, 4)
            assert ana.occupants.asks_ready
            await circle.join()
            for table in circle.tables:
                await until(lambda table=table: table.phase == "words")  # type: ignore[misc]
                table.words.answer(True)
            await circle.all("playing")

    run(story())


def test_a_host_changes_the_options_of_an_open_table_and_nobody_loses_the_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CHOOSY) as circle:
            ana = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            ben.seating.ready(True)
            await until(lambda: ana.occupants.readiness == (False, True))
            ana.hosting.change_options({**ana.occupants.options, "deck": "large"}, 4)
            assert ana.occupants.readiness == (False, False), "ben was ready for something else"
            await until(
                lambda: (
                    (ben.occupants.options["deck"], ben.occupants.seats, ben.occupants.readiness)
                    == ("large", 4, (False, False))
                )
            )
            for wrong, seats in (({"deck": "none"}, 4), ({}, 7)):
                with pytest.raises(UserError):
                    ana.hosting.change_options(wrong, seats)
            with pytest.raises(NotAllowed):
                ana.hosting.change_options({}, 1)
            with pytest.raises(NotAllowed):
                ben.hosting.change_options({}, 2)
            await circle.join()
            for table in (ana, ben):
                table.seating.ready(True)
            await until(lambda: ana.phase == ben.phase == "words")
            with pytest.raises(NotAllowed):
                ana.hosting.change_options({}, 4)
            for table in (ana, ben):
                table.words.answer(True)
            await circle.all("playing")
            assert {table.occupants.options["deck"] for table in circle.tables} == {"large"}

    run(story())


def test_a_look_at_a_table_shows_what_it_plays_and_who_sits_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CHOOSY) as circle:
            ana = await circle.open(4, options={"deck": "large"}, headless=False)
            await circle.join(headless=False)
            look = await CardProbe.connect(LOOPBACK, ana.port)
            card = look.card
            assert (card.taken, card.seats, card.names) == (2, 4, ("ana", "ben"))
            assert dict(card.options) == {
                "deck": "large", "turns": 0, "fifth": False, "first": "lot", "last_look": 0,
            }  # fmt: skip
            await look.close()

    run(story())


CARD = TableCard(bytes(32), "ana", "stones", 1, 1, 2, PeerVersion((2,), "1"))


def test_a_card_stays_short_whatever_the_options() -> None:
    names = ("日" * 24,) * 6
    for size in (MOST_OPTIONS_BYTES // 2, MOST_OPTIONS_BYTES, 1 << 20):
        frame = replace(CARD, options=(("long", "x" * size),), names=names).frame()
        assert len(pack(frame)) < MOST_HELLO
        assert TableCard.read(frame).names == names
        assert bool(TableCard.read(frame).options) == (size < MOST_OPTIONS_BYTES)


@pytest.mark.parametrize(
    ("more", "options", "names"),
    [
        ((), (), ()),
        ((7, 7), (), ()),
        (((("a", 1), "b", ("c",), (3, 4)), ("ana\x1b[2J", 5, "ben")), (("a", 1),), ("ana[2J", "ben")),
        (((("a", 1),), ("ana",), "later"), (("a", 1),), ("ana",)),
    ],
)
def test_a_card_that_holds_something_else_is_read_as_far_as_it_goes(
    more: tuple[Plain, ...], options: tuple[object, ...], names: tuple[str, ...]
) -> None:
    read = TableCard.read((*CARD.frame()[:-2], *more))
    assert (read.options, read.names) == (options, names)
