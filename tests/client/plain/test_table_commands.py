"""What the text mode answers at a table is true there and then."""

from __future__ import annotations

import asyncio
import re
from random import Random
from typing import Any

import pytest

from kimberley.client.boards import advice, guide, line_mode, take_back
from kimberley.client.boards.guide import STOPS
from kimberley.client.boards.line_mode import NOTHING_OWN
from kimberley.client.plain import main, table_commands, tournament, watch
from kimberley.client.plain.main import PlainClient
from kimberley.client.plain.table import PlainTable
from kimberley.client.plain.table_commands import (
    CHAT,
    NO_FREE_SEAT,
    NO_REQUEST,
    NOT_NOW,
    OTHER_TIMES,
    REMOVE,
    RESIGN,
    RESIGN_FROM_OTHERS,
    SAVE,
    SAVE_ALONE,
    STOP,
    UNKNOWN,
    menu_help,
)
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.p2p.sentences.notices import NOT_SENT
from kimberley.p2p.table.events import ChatLine
from kimberley.protocol.events import Waiting
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import until
from tests.support.board_snapshots import Clock
from tests.support.cards import CARDS
from tests.support.pretend import PretendPeer, PretendServices, PretendTable, open_table
from tests.support.typed import Typed
from tests.support.whole_game_table import WholeGameTable, at_random


def answers(table: PretendTable, *typed: str, follow: bool = True, **change: Any) -> list[str]:
    """Returns what is said once these lines are typed at a table, and once the table then has this `change`."""

    async def story() -> list[str]:
        lines = Typed()
        seat = PlainTable(table, PretendServices(table), lines, Settings())
        if follow:
            await seat.news.follow()
            lines.said.clear()
        for line in typed:
            seat.commands.obey(line)
        if change:
            table.change(**change)
            await seat.news.follow()
        return lines.said

    return asyncio.run(story())


def test_a_command_for_another_time_is_not_called_unknown() -> None:
    lobby = PretendTable(phase="open", host=True, names=("ana", "ben", "bot"), acquaintance=("you", "new", "bot"))
    lobby.change(seats=3)
    typed = ("state", "LOG", "save", "join ben", "same", "say", "option", "bot", "dance")
    option = "Type option and NAME=VALUE. To hear what there is to choose, type options."
    later = [NOT_NOW] * 5
    assert answers(lobby, *typed) == [*later, "Type say and your text.", option, NO_FREE_SEAT, UNKNOWN]


def test_who_has_only_bots_at_the_table_reads_how_to_remove_one() -> None:
    lobby = PretendTable(phase="open", host=True, names=("ana", "bot"), acquaintance=("you", "bot"))
    assert answers(lobby, "remove bot") == ["To remove a bot, type no bot."]
    lobby.change(names=("ana",), acquaintance=("you",))
    assert answers(lobby, "remove bot") == ["Nobody else is here yet."]


@pytest.mark.parametrize("game", lookup.ids())
def test_a_game_takes_no_command_for_another_time_for_a_choice(game: str) -> None:
    table = WholeGameTable(game, lookup.find(game).seats[0], 0, at_random(1), Clock().now, {}, begins=0)
    table.put(acquaintance=("you", *["met"] * (lookup.find(game).seats[0] - 1)))
    table.offer()
    assert answers(table, "options", "Ready", "seats 3", "take back", "keep playing") == [*[NOT_NOW] * 4, NO_REQUEST]
    assert answers(table, "say") == ["Type say and your text."]
    assert NOT_NOW not in answers(table, "log")


def others_turn() -> WholeGameTable:
    """Returns a game of Diamond between people, in which it is the turn of the other player."""
    table = WholeGameTable("diamond", 2, 0, at_random(1), Clock().now, {}, begins=1)
    table.put(acquaintance=("you", "met"))
    while True:
        table.offer()
        if table.arena_peer.waiting and table.arena_peer.asked is None:
            return table
        table.answer()


def playing(seats: int, *others: str) -> PretendTable:
    game = lookup.find("land")
    table = PretendTable(game=game, names=("ana", "ben", "carla")[:seats], seats=seats, options={}, phase="playing")
    table.put(peer=PretendPeer(0, game.start(seats, {})), acquaintance=("you", *others))
    return table


@pytest.mark.parametrize(
    ("table", "offered", "not_offered"),
    [
        (playing(2, "bot"), [SAVE_ALONE, RESIGN], [CHAT, SAVE, STOP, RESIGN_FROM_OTHERS]),
        (playing(2, "met"), [CHAT, SAVE, STOP, RESIGN], [SAVE_ALONE, RESIGN_FROM_OTHERS]),
        (playing(3, "met", "bot"), [CHAT, SAVE, STOP, RESIGN_FROM_OTHERS], [SAVE_ALONE]),
        (PretendTable(names=("ana", "Orlov"), acquaintance=("you", "bot"), phase="done"), [], [CHAT]),
        (open_table(CARDS, seats=3), [], [REMOVE]),
        (open_table(CARDS, seats=3, names=("ana", "ben"), acquaintance=("you", "new")), [REMOVE], []),
    ],
    ids=["alone with a bot", "two people", "three at a table", "after a game alone", "empty table", "with a guest"],
)
def test_the_help_names_what_can_be_done_at_this_table(
    table: PretendTable, offered: list[str], not_offered: list[str]
) -> None:
    said = " ".join(answers(table, "help", follow=False))
    assert [line for line in offered if line not in said] == []
    assert [line for line in not_offered if line in said] == []


def test_what_a_player_has_asked_already_is_answered_again() -> None:
    asked = {"adjourn_from": frozenset({0}), "abandon_from": frozenset({0}), "absent": (2,), "away": {2: 0.0}}
    table = playing(3, "met", "met")
    table.put(**asked)
    assert answers(table, "save", "stop waiting", follow=False) == [
        "You want to save the game. Waiting for ben and carla. To take it back, type keep playing.",
        "You stopped waiting for carla. The game ends when ben agrees.",
    ]
    assert not {("aside", True), ("abandon",)} & set(table.done)


def test_where_all_others_want_to_save_leave_repeats_what_they_ask() -> None:
    table = playing(3, "met", "met")
    table.put(can_adjourn=True, adjourn_from=dict.fromkeys((2, 1)).keys())
    (said,) = answers(table, "leave", follow=False)
    assert said.startswith("carla wants to save the game for later.")
    assert "type keep playing" in said
    assert not table.done


def test_a_host_without_guests_hears_that_nobody_is_here_to_be_removed_or_waited_for() -> None:
    table = open_table(lookup.find("diamond"))
    assert answers(table, "remove ben", "ready", "not ready", follow=False) == [
        "Nobody else is here yet.",
        "Waiting for others to join.",
        "Waiting for others to join.",
    ]


def test_a_host_hears_who_was_removed_and_who_left() -> None:
    def removing(*typed: str) -> list[str]:
        table = open_table(CARDS, seats=4, names=("ana", "ben", "Orlov"), acquaintance=("you", "new", "bot"),
                           readiness=(False,) * 3, agreed=(False,) * 3)  # fmt: skip
        return answers(table, *typed, names=("ana",), acquaintance=("you",), readiness=(False,), agreed=(False,))

    assert removing("remove ben", "remove ben")[-3:] == ["You removed ben.", "Orlov left.", "1 of 4 seats taken."]
    assert removing("no bot")[-3:] == ["ben left.", "You removed Orlov.", "1 of 4 seats taken."]


def test_who_says_to_be_ready_hears_it() -> None:
    table = open_table(CARDS, seats=3, names=("ana", "ben"), acquaintance=("you", "new"), readiness=(False, False))
    table.put(asks_ready=True)
    assert answers(table, "ready", "not ready", follow=False) == ["You are ready.", "You are not ready."]
    assert table.done == [("ready", True), ("ready", False)]


def test_while_another_player_chooses_there_is_nothing_to_repeat_and_no_note_to_say() -> None:
    repeated, guided, own, kept = answers(others_turn(), "repeat", "guide", "log mine", "keep waiting")
    assert repeated.startswith("Nothing for you to do now. Waiting for ")
    assert guided == STOPS
    assert own == NOTHING_OWN
    assert kept.startswith("Waiting for ")


@pytest.mark.parametrize("held", [True, False])
def test_a_choice_that_is_held_back_is_answered(held: bool) -> None:
    table = WholeGameTable("diamond", 2, 0, at_random(1), Clock().now, {}, begins=0)
    table.put(acquaintance=("you", "met"), held_back=held, unsaved=held)
    while table.arena_peer.asked is None:
        table.offer()
    assert (answers(table, "d4")[-1:] == [NOT_SENT]) == held


def test_no_events_are_as_many_as_are_told_without_a_number() -> None:
    assert answers(others_turn(), "log 0") == answers(others_turn(), "log")


def test_who_stops_waiting_hears_whose_agreement_is_missing_from_the_banner_alone() -> None:
    table = playing(3, "met", "met")
    table.put(absent=frozenset({1}), away={1: 0.0}, grace=5)
    said = answers(table, "stop waiting", abandon_from=frozenset({0}))
    assert said == ["You stopped waiting for ben. The game ends when carla agrees."]


def test_who_has_stopped_waiting_does_not_keep_waiting() -> None:
    table = playing(3, "met", "met")
    table.put(absent=frozenset({1}), away={1: 0.0}, grace=5, abandon_from=frozenset({0}))
    said = answers(table, "keep waiting")
    assert said == ["You stopped waiting for ben. The game ends when carla agrees."]


def test_who_cannot_stop_waiting_yet_hears_what_must_happen_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise NotAllowed("nobody whose turn it is has been away for 5 seconds")

    table = playing(3, "met", "met")
    assert table.peer is not None
    monkeypatch.setattr(type(table.peer), "waiting", (0, 1))
    table.put(away={1: -1000.0}, grace=5)
    monkeypatch.setattr(table.abandonment, "declare", refuse)
    said = answers(table, "stop waiting")
    assert said == ["ben lost the connection. Your turn: choose. You can stop waiting once you have chosen."]
    table.put(away={})
    assert answers(table, "stop waiting") == [
        "You cannot stop waiting: nobody whose turn it is has been away for 5 seconds."
    ]


def test_what_is_not_shared_is_not_said_to_be_shared_no_more() -> None:
    async def story() -> list[str]:
        lines = Typed()
        table = open_table(CARDS, seats=3)
        table.put(port=7411)
        seat = PlainTable(table, PretendServices(table), lines, Settings())
        seat.commands.obey("no share")
        await until(lambda: lines.said)
        return lines.said

    assert asyncio.run(story()) == ["You are not sharing the program."]


def test_who_comes_to_an_open_table_hears_its_game() -> None:
    guest = open_table(lookup.find("mine"), host=False, host_seat=0, seat=1, names=("ana", "ben"),
                       acquaintance=("new", "you"), readiness=(False, False))  # fmt: skip

    async def story() -> list[str]:
        lines = Typed()
        await PlainTable(guest, PretendServices(guest), lines, Settings()).news.follow()
        return lines.said

    assert "Game: Diamond Mine." in asyncio.run(story())


def test_a_request_to_keep_waiting_is_refused_in_silence() -> None:
    table = playing(3, "met", "met")
    table.put(abandon_from=frozenset({1}))
    assert answers(table, "keep waiting", follow=False) == ["Still waiting. Nobody is told."]


def test_who_joins_hears_who_is_there_and_later_who_joins_and_leaves() -> None:
    given = {"host": False, "host_seat": 0, "seat": 1, "names": ("ana", "ben"), "acquaintance": ("new", "you")}

    async def story() -> list[str]:
        lines = Typed()
        table = open_table(CARDS, **{"seats": 3, "readiness": (False, False), **given})
        seat = PlainTable(table, PretendServices(table), lines, Settings())
        await seat.news.follow()
        table.change(names=("ana", "ben", "carla"), acquaintance=("new", "you", "new"), readiness=(False,) * 3)
        await seat.news.follow()
        table.change(phase="words", phrase=("a", "b", "c", "d"), agreed=(False,) * 3)
        await seat.news.follow()
        table.change(phase="open", names=("ana", "ben"), acquaintance=("new", "you"), readiness=(False, False))
        await seat.news.follow()
        return lines.said

    said = asyncio.run(story())
    assert [line for line in said if line.split(" ")[-1] in ("join.", "joined.", "left.", "taken.")] == [
        "You are seated with ana. Waiting for others to join.",
        "2 of 3 seats taken.",
        "carla joined.",
        "3 of 3 seats taken.",
        "You are seated with ana. Waiting for others to join.",
        "carla left.",
        "2 of 3 seats taken.",
    ]


def test_at_a_table_that_asks_for_no_readiness_nobody_is_said_to_be_ready() -> None:
    table = open_table(lookup.find("diamond"), host=False, host_seat=0, seat=1, names=("ana", "ben"),
                       acquaintance=("new", "you"), readiness=(False, False))  # fmt: skip
    assert answers(table, readiness=(True, False)) == []


def test_a_line_of_the_chat_that_is_not_checked_is_called_so_when_it_is_heard_again() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben"), seats=2, seat=0, phase="done")
    table.put(lines=[ChatLine(1, "hello", checked=False), ChatLine(0, "hi")])
    assert answers(table, "talk", follow=False) == ["ben, unchecked: hello", "ana: hi"]


@pytest.mark.parametrize("resumed", [True, False])
def test_a_game_that_was_saved_before_the_own_first_choice_does_not_begin_again(resumed: bool) -> None:
    table = others_turn()
    table.answer()
    table.put(resumed=resumed)

    async def story() -> list[str]:
        lines = Typed()
        await PlainTable(table, PretendServices(table), lines, Settings()).news.follow()
        return lines.said

    assert asyncio.run(story())[0].startswith(
        "You are back in Diamond." if resumed else "The game begins: Diamond, with "
    )


def test_a_name_must_be_typed_to_change_it() -> None:
    settings = Settings(nickname="ana")

    async def story() -> list[str]:
        lines = Typed()
        for line in ("nickname", "quit"):
            lines.type(line)
        await PlainClient(settings, PretendServices(), lines).main(None)
        return lines.said[1:]

    assert asyncio.run(story()) == ["Type nickname and your name."]
    assert settings.nickname == "ana"


def test_nobody_is_said_to_wait_for_a_choice_that_the_player_has_confirmed() -> None:
    table = others_turn()
    table.answer()
    table.offer()
    seat, asked = table.occupants.seat, table.arena_peer.asked
    assert asked is not None
    choice = asked.space.pick(Random(1))
    table.put(away={1: 0.0}, not_come=frozenset({1}))

    async def story() -> list[str]:
        lines = Typed()
        playing = PlainTable(table, PretendServices(table), lines, Settings())
        await playing.news.follow()
        assert playing.news.seat is not None
        playing.news.seat.prompt()
        playing.news.seat.hand_in(choice)
        # Nothing is signed while the other player of a resumed game is away.
        table.arena_peer.waiting = (seat,)
        playing.news.waits.refresh()
        lines.said.clear()
        playing.commands.obey("wait")
        return lines.said

    assert asyncio.run(story()) == ["ben is not here yet."]


def test_who_has_nothing_to_do_is_not_waited_for_while_the_game_is_checked() -> None:
    table = others_turn()
    table.answer()

    async def story() -> list[str]:
        lines = Typed()
        playing = PlainTable(table, PretendServices(table), lines, Settings())
        await playing.news.follow()
        table.put(phase="closing")
        table.arena_peer.waiting = (table.occupants.seat, 1 - table.occupants.seat)
        playing.news.waits.refresh()
        lines.said.clear()
        for typed in ("done", "wait"):
            playing.commands.obey(typed)
        return lines.said

    rival = table.occupants.names[1 - table.occupants.seat]
    said = asyncio.run(story())
    assert said == [
        f"Nothing for you to do now. Waiting for {rival} (0 s so far).",
        f"Waiting for {rival} (0 s so far).",
    ]


def test_after_the_last_move_nobody_is_waited_for() -> None:
    table = others_turn()

    async def story() -> list[str]:
        lines = Typed()
        news = PlainTable(table, PretendServices(table), lines, Settings()).news
        table.put(phase="closing")
        news.on_event(Waiting((1,)))
        return lines.said

    assert asyncio.run(story()) == []


@pytest.mark.parametrize(("phase", "told"), [("playing", True), ("closing", False)])
@pytest.mark.parametrize("counts", [False, True], ids=["alone", "tournament"])
def test_after_the_last_move_nobody_is_offered_to_save_or_to_resign(phase: str, told: bool, counts: bool) -> None:
    table = others_turn()
    table.put(phase=phase)
    text = " ".join(menu_help(table, counts=counts))
    assert ("resign:" in text) == told
    assert ("save:" in text) == (told and not counts)
    assert "leave:" in text


def after_a_game(**values: Any) -> PretendTable:
    people = {"names": ("ana", "ben"), "acquaintance": ("you", "met")}
    return PretendTable(**{"game": lookup.find("land"), "seats": 2, "seat": 0, "phase": "done", **people, **values})


def test_a_wish_for_a_rematch_is_told_once_and_whom_it_waits_for_afterwards() -> None:
    async def asked_after() -> list[str]:
        lines = Typed()
        table = after_a_game()
        seat = PlainTable(table, PretendServices(table), lines, Settings())
        await seat.news.follow()
        table.change(again_from=frozenset({1}))
        await seat.news.follow()
        lines.said.clear()
        seat.commands.obey("wait")
        return lines.said

    async def story() -> list[str]:
        lines = Typed()
        table = after_a_game()
        seat = PlainTable(table, PretendServices(table), lines, Settings())
        await seat.news.follow()
        lines.said.clear()
        table.change(again_from=frozenset({1}))
        await seat.news.follow()
        await seat.news.follow()
        return lines.said

    assert asyncio.run(story()) == ["ben wants a rematch."]
    assert asyncio.run(asked_after()) == ["ben wants a rematch."]
    bot = after_a_game(acquaintance=("you", "bot"), names=("ana", "Orlov"))
    assert answers(bot, again_from=frozenset({1})) == []
    guest = after_a_game(host=False, host_seat=1)
    said = answers(guest, "rematch", "wait", "help")
    assert said[:2] == ["Waiting for ben to decide."] * 2
    assert said[-1] == "Type leave to go."
    assert answers(after_a_game(partners=frozenset()), "help", follow=False)[-1] == (
        "Type open to choose another game, or leave to go."
    )


@pytest.mark.parametrize("agreed", [True, False])
def test_only_a_table_that_its_host_opens_again_is_said_to_be_open_after_a_game(agreed: bool) -> None:
    async def story() -> list[str]:
        lines = Typed()
        table = after_a_game()
        seat = PlainTable(table, PretendServices(table), lines, Settings())
        await seat.news.follow()
        lines.said.clear()
        table.change(phase="open", readiness=(agreed, agreed), addresses=("192.168.1.7",))
        await seat.news.follow()
        return lines.said

    said = asyncio.run(story())
    assert (said == ["Setting up the table."]) == agreed
    assert ("Your table is open." in said) != agreed


def test_a_word_that_help_names_anywhere_is_never_called_unknown() -> None:
    named = {
        found[1]
        for module in (main, table_commands, tournament, watch, advice, guide, line_mode, take_back)
        for value in vars(module).values()
        for text in ((value,) if isinstance(value, str) else value if isinstance(value, tuple) else ())
        if isinstance(text, str)
        for part in text.split(". ")
        if (found := re.match(r"([a-z]+)(?: [^:.]*)?: ", part))
    }
    at_any_time, of_two_words = {"help", "quit"}, {"keep", "no", "not", "stop", "take"}
    assert named - OTHER_TIMES == at_any_time | of_two_words
    assert OTHER_TIMES - named == {"aside", "next", "open", "rematch"}, "an alias, and what the end of a game offers"
