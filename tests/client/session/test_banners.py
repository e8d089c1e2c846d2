"""What a table says across every screen: whose connection is lost, who asks for what, and what can be answered."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kimberley.client.session.banners as banner_module
from kimberley.client.screens.banner import draw_banner, draw_short
from kimberley.client.session.banners import (
    COME_SECONDS,
    CUT_OFF,
    KEEPS,
    KEPT_CHOICES,
    NOT_RECEIVED,
    RESIGNS_LATER,
    SHORT_SECONDS,
    Banner,
    BannerAction,
    Banners,
    is_deserted,
)
from kimberley.client.session.chat import (
    PART_SECONDS,
    UnreadChat,
    can_talk,
    reading_seconds,
    speaker_name,
    unchecked_note,
    why_silent,
)
from kimberley.client.ui.canvas import Canvas
from kimberley.games import lookup
from kimberley.games.table import HIDDEN, Item, Leave
from kimberley.p2p.far.door import FarDoor
from kimberley.p2p.sentences.notices import GAME_OVER, GAME_SAVED
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.table import TableChanged
from tests.support.cards import CARDS
from tests.support.pretend import PretendTable


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def playing(*, waiting: tuple[int, ...] = (1,), story: tuple[Any, ...] = (), **values: Any) -> PretendTable:
    """Returns a running game of two, or of as many as there are names."""
    peer: Any = SimpleNamespace(waiting=waiting, story=story, asked=None, result=None, state=None)
    return PretendTable(**{"phase": "playing", "peer": peer, "can_adjourn": True, **values})


def banners_of(table: PretendTable, *, counts: bool = False) -> tuple[Banners, Clock]:
    """Returns the banners of a table, which follow its changes."""
    clock = Clock()
    banners = Banners(table, clock, counts=counts)
    table.subscribe(lambda _event: banners.refresh())
    return banners, clock


def only(banners: Banners, clock: Clock) -> Banner:
    (banner,) = banners.current(clock.now)
    return banner


def actions(banner: Banner) -> list[BannerAction | None]:
    return [each.action for each in banner.buttons]


def test_a_lost_way_for_friends_far_away_is_told_unless_somebody_is_away_anyway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = playing()
    banners, clock = banners_of(table)
    monkeypatch.setattr(FarDoor, "cut_off", True)
    table.change(TableChanged("far"))
    found = only(banners, clock)
    assert (found.head, found.text, found.buttons) == (CUT_OFF, KEEPS, ())
    table.change(TableChanged("away"), away={1: 1000.0})
    assert only(banners, clock).head == "ben lost the connection."
    monkeypatch.setattr(FarDoor, "cut_off", False)
    table.change(TableChanged("away"), away={})
    assert only(banners, clock).head == "ben is back."


def test_a_lost_connection_is_counted_down_until_waiting_may_be_given_up() -> None:
    table = playing()
    banners, clock = banners_of(table)
    assert banners.current(clock.now) == ()
    assert banners.next_frame(clock.now) is None

    table.change(TableChanged("away"), away={1: 1000.0})
    clock.now = 1018.0
    found = only(banners, clock)
    assert found.head == "ben lost the connection."
    assert found.text == KEEPS
    assert found.until == 1120.0
    assert found.line.endswith("In 102 seconds you can type stop waiting.")
    assert actions(found) == [BannerAction.STOP_HERE]
    assert banners.next_frame(1018.25) == 1019.0

    clock.now = 1120.0
    table.change(TableChanged("absent"), absent=(1,))
    found = only(banners, clock)
    assert found.more == "You can stop waiting for ben."
    assert found.line.endswith("Type stop waiting.")
    assert actions(found) == [BannerAction.GIVE_UP, BannerAction.STOP_HERE]
    assert banners.next_frame(clock.now) is None


def test_a_resignation_is_told_until_it_has_an_effect() -> None:
    state = CARDS.start(3, {})
    # All bid at once.
    bidding = state.apply(tuple(Item(n, (HIDDEN, HIDDEN), (0, 0)) for n in range(len(state.deck))))
    table = playing(game=CARDS, seats=3, names=("ana", "ben", "carla"), waiting=(1, 2))
    banners, clock = banners_of(table)
    assert table.peer is not None
    table.peer.state = state
    assert banners.current(clock.now) == ()
    table.change(TableChanged("resigning"), resigning=True)
    assert only(banners, clock).line == RESIGNS_LATER
    table.peer.state = bidding
    assert only(banners, clock).line == "You resigned. Waiting for ben and carla."
    table.peer.waiting = (0,)
    assert banners.current(clock.now) == ()
    table.change(TableChanged("resigning"), resigning=False)
    assert banners.current(clock.now) == ()


def test_a_resignation_that_ends_the_game_is_told_while_the_other_is_away() -> None:
    table = playing(resigning=True)
    banners, clock = banners_of(table)
    assert banners.current(clock.now) == ()
    table.change(TableChanged("away"), away={1: 1000.0})
    clock.now += 60
    found = only(banners, clock)
    assert (found.head, found.text) == ("You resigned. ben lost the connection.", "")
    assert found.brief == "You resigned. ben is away."
    assert found.timed == "You resigned. You can stop waiting in 1:00."
    # Another topic than that of the lost connection alone: text mode says each once.
    table.change(TableChanged("resigning"), resigning=False)
    assert only(banners, clock).topic != found.topic
    table.change(TableChanged("absent"), resigning=True, absent=(1,))
    assert only(banners, clock).head == found.head
    assert actions(only(banners, clock)) == [BannerAction.GIVE_UP, BannerAction.STOP_HERE]


def test_who_has_resigned_and_owes_the_same_choice_is_not_told_to_choose() -> None:
    table = playing(waiting=(0, 1), away={1: 1000.0}, resigning=True)
    banners, clock = banners_of(table)
    assert "choose" not in only(banners, clock).line


def test_a_request_is_shown_before_a_resignation_that_has_no_effect_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(banner_module, "continues_without_you", lambda _table: True)
    monkeypatch.setattr(banner_module, "choosing_seats", lambda _table, _seats: [])
    table = playing(names=("ana", "ben", "cleo"), seats=3, resigning=True, adjourn_from=frozenset({0}))
    banners, clock = banners_of(table)
    asked, resigned = banners.current(clock.now)
    assert actions(asked) == [BannerAction.PLAY_ON]
    assert resigned.head == RESIGNS_LATER
    table.change(TableChanged("away"), away={2: 1000.0}, adjourn_from=frozenset())
    found = only(banners, clock)
    assert (found.head, found.text) == ("cleo lost the connection.", RESIGNS_LATER)


@pytest.mark.parametrize(
    ("waiting", "text"), [(2, "The game is waiting for cleo."), (1, "The game goes on until it is cleo’s turn.")]
)
def test_who_is_out_of_the_game_is_not_told_to_play(waiting: int, text: str) -> None:
    table = playing(
        names=("ana", "ben", "cleo"), seats=3, waiting=(waiting,), story=((Leave(0), None),), away={2: 1000.0}
    )
    banners, clock = banners_of(table)
    found = only(banners, clock)
    assert found.line == f"cleo lost the connection. {text}"


def test_who_owes_a_choice_is_told_to_choose_before_giving_up() -> None:
    table = playing(waiting=(0, 1), away={1: 1000.0})
    banners, clock = banners_of(table)
    found = only(banners, clock)
    assert found.text == "Your turn: choose."
    assert found.more == "You can stop waiting at 0:00 if you have chosen."
    assert found.timed == "Choose. You can stop waiting in 2:00."
    assert found.line.endswith("In 120 seconds you can type stop waiting, if you have chosen by then.")
    clock.now = 1200.0
    assert only(banners, clock).more == "You can stop waiting once you have chosen."

    table = playing(waiting=(1, 2), names=("ana", "ben", "cleo"), away={1: 1000.0})
    banners, clock = banners_of(table)
    assert only(banners, clock).line.endswith("In 120 seconds you can type stop waiting, if cleo has chosen by then.")
    assert actions(only(banners, clock)) == []


def test_nobody_waits_for_a_player_whom_the_game_does_not_need() -> None:
    banners, clock = banners_of(playing(waiting=(0,), away={1: 1000.0}))
    found = only(banners, clock)
    assert found.text == "The game goes on until it is ben’s turn."
    assert found.until is None


def test_several_who_are_away_have_their_turn_whether_named_or_counted() -> None:
    for names in (("ana", "ben", "cleo"), ("ana", "benedict the elder", "cleopatra the younger")):
        banners, clock = banners_of(playing(names=names, seats=3, waiting=(0,), away={1: 1000.0, 2: 1000.0}))
        assert only(banners, clock).text == "The game goes on until it is their turn."


@pytest.mark.parametrize("name", ["ben", "maximilian-of-b"])
@pytest.mark.parametrize("seconds", [0, 120])
@pytest.mark.parametrize("waiting", [(0, 1), (0,), (1,)])
def test_what_a_lost_connection_means_is_not_cut_at_80_columns(
    name: str, seconds: int, waiting: tuple[int, ...]
) -> None:
    banners, clock = banners_of(playing(names=("ana", name), waiting=waiting, away={1: 1000.0}))
    clock.now += seconds
    canvas = Canvas(80, 3)
    draw_short(canvas, banners.current(clock.now), clock.now)
    draw_banner(canvas, 1, banners.current(clock.now), clock.now)
    assert "…" not in "".join(canvas.lines())


def test_what_a_bot_of_this_program_still_has_to_choose_delays_nobody() -> None:
    known = ("you", "met", "bot")
    table = playing(names=("ana", "ben", "Dora"), seats=3, acquaintance=known, waiting=(1, 2), away={1: 1000.0})
    banners, clock = banners_of(table)
    assert only(banners, clock).more == "You can stop waiting at 0:00."
    clock.now += 120
    assert only(banners, clock).more == "You can stop waiting once Dora has chosen."


def test_who_owes_a_choice_together_with_others_reads_that_all_of_them_must_choose() -> None:
    banners, clock = banners_of(playing(names=("ana", "ben", "cleo"), seats=3, waiting=(0, 1, 2), away={1: 1000.0}))
    assert only(banners, clock).more == "You can stop waiting at 0:00 if you and cleo have chosen."
    clock.now += 120
    assert only(banners, clock).more == "You can stop waiting once you and cleo have chosen."


@pytest.mark.parametrize(
    ("values", "agreed"),
    [
        ({}, "If you agree"),
        ({"names": ("ana", "ben", "cleo", "dan")}, "If everyone agrees"),
        ({"names": ("ana", "ben", "cleo", "dan"), "abandon_from": frozenset({1, 3})}, "If you agree"),
        ({"names": ("ana", "ben", "cleo", "dan"), "away": {2: 1000.0, 3: 1000.0}}, "If you agree"),
        ({"names": ("ana", "ben", "cleo", "Dora"), "acquaintance": ("you", "met", "met", "bot")}, "If you agree"),
    ],
)
def test_who_is_asked_to_stop_waiting_reads_whether_others_have_to_agree(values: dict[str, Any], agreed: str) -> None:
    given = {"names": ("ana", "ben", "cleo"), "waiting": (2,), "away": {2: 1000.0}, "absent": (2,)}
    banners, clock = banners_of(playing(**{"abandon_from": frozenset({1}), **given, **values}))
    asked = banners.current(clock.now)[0]
    assert asked.more == f"{agreed}, nobody wins."
    assert asked.typed.startswith(f"{agreed}, the game ends without a result.")


def test_a_referee_decides_how_long_to_wait() -> None:
    banners, clock = banners_of(playing(away={1: 1000.0}, can_adjourn=False), counts=True)
    clock.now += COME_SECONDS
    found = only(banners, clock)
    assert found.line == "ben lost the connection. Everyone keeps their seat. The referee decides how long to wait."
    assert found.buttons == ()


@pytest.mark.parametrize("counts", [False, True], ids=["alone", "tournament"])
def test_who_goes_after_a_game_is_missed_for_a_rematch_alone(counts: bool) -> None:
    banners, clock = banners_of(playing(phase="done", away={1: 1000.0}), counts=counts)
    found = [each.more for each in banners.current(clock.now)]
    assert found == ([] if counts else ["A rematch needs everyone back."])


def test_nobody_is_promised_a_rematch_for_which_too_few_are_left_or_a_record_that_was_not_saved() -> None:
    away, record = {1: 1000.0}, Path("game.rec")
    table = playing(game=lookup.find("piecepack"), seats=3, names=("ana", "ben", "cleo"), phase="done", away=away)
    table.put(record=record)
    banners, clock = banners_of(table)
    found = only(banners, clock)
    assert (found.text, found.more) == (GAME_SAVED, "A rematch needs everyone back.")
    table.change(partners=frozenset({1}), record=None)
    found = only(banners, clock)
    assert (found.text, found.more) == (GAME_OVER, "")


def test_who_is_back_is_named_for_a_while() -> None:
    table = playing(names=("ana", "ben", "cleo"), away={1: 1000.0, 2: 1000.0})
    banners, clock = banners_of(table)
    assert only(banners, clock).head == "ben and cleo lost the connection."
    table.change(TableChanged("away"), away={2: 1000.0})
    assert [each.head for each in banners.current(clock.now)] == ["ben is back.", "cleo lost the connection."]
    peer: Any = table.peer
    peer.story = ((Leave(2), None),)
    table.change(TableChanged("away"), away={})
    assert only(banners, clock).head == "ben is back."
    assert banners.next_frame(clock.now) == clock.now + 1.0
    clock.now += SHORT_SECONDS
    assert banners.current(clock.now) == ()


def test_nothing_is_said_before_a_game_or_after_the_table() -> None:
    table = playing(phase="words", away={1: 1000.0})
    banners, clock = banners_of(table)
    assert banners.current(clock.now) == ()
    table.change(TableChanged("away"), away={})
    table.change(TableChanged("phase"), phase="playing")
    assert banners.current(clock.now) == ()
    table.change(TableChanged("phase"), phase="failed", away={1: 1000.0}, adjourn_from=frozenset({1}))
    assert banners.current(clock.now) == ()


def test_a_request_to_put_aside_waits_for_its_answer() -> None:
    table = playing()
    banners, clock = banners_of(table)
    table.change(TableChanged("aside"), adjourn_from=frozenset({1}))
    found = only(banners, clock)
    assert found.head == "ben wants to save the game for later."
    assert found.text == KEPT_CHOICES, "who is asked reads what the asker has read"
    assert found.line.endswith("To agree, type save. To refuse, type keep playing.")
    table.change(unsaved=True)
    assert only(banners, clock).text == NOT_RECEIVED
    table.change(unsaved=False)
    assert actions(found) == [BannerAction.PUT_ASIDE, BannerAction.PLAY_ON]
    table.change(TableChanged("aside"), names=("ana", "ben", "Orlov"), adjourn_from=frozenset({1, 2}))
    assert only(banners, clock).head == found.head, "after a resumed game nobody knows that Orlov is a bot"
    table.change(TableChanged("aside"), names=("ana", "ben"), adjourn_from=frozenset({1}))
    clock.now += 3600
    assert only(banners, clock) == found
    table.change(TableChanged("aside"), adjourn_from=frozenset())
    assert only(banners, clock).head == "The game was not saved for later."


def test_the_asker_sees_who_has_not_answered_and_who_refused() -> None:
    table = playing()
    banners, clock = banners_of(table)
    table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
    found = only(banners, clock)
    assert (found.head, found.text) == ("You want to save the game.", "Waiting for ben.")
    assert actions(found) == [BannerAction.PLAY_ON]
    table.change(TableChanged("aside"), adjourn_from=frozenset())
    assert only(banners, clock).head == "ben would rather keep playing."


def test_who_agrees_to_save_the_game_is_not_said_to_have_asked_nor_a_game_that_stands_still_to_go_on() -> None:
    table = playing(names=("ana", "ben", "cleo"), seats=3, adjourn_from=frozenset({0, 1}))
    banners, clock = banners_of(table)
    found = only(banners, clock)
    assert (found.head, found.more) == ("You want to save the game.", "The game goes on until then.")
    table.change(held_back=True)
    assert only(banners, clock).more == ""


@pytest.mark.parametrize("asker", [0, 1])
def test_once_a_game_has_its_result_nobody_is_asked_to_save_it_and_nobody_has_a_turn(asker: int) -> None:
    table = playing(names=("ana", "ben", "cleo"), seats=3, waiting=(0,), adjourn_from=frozenset({asker}))
    banners, clock = banners_of(table)
    assert only(banners, clock).topic in ("own aside", ("aside", 1))
    table.change(phase="closing")
    assert banners.current(clock.now) == ()
    table.change(TableChanged("away"), away={2: clock.now})
    found = only(banners, clock)
    assert (found.head, found.text) == ("cleo lost the connection.", "")


@pytest.mark.parametrize(
    ("kinds", "head"), [(("met", "bot"), "ben"), (("met", "called"), "ben"), (("met", "met"), "Someone")]
)
def test_who_refused_is_named_where_only_one_other_person_plays(kinds: tuple[str, ...], head: str) -> None:
    known = ("you", *("new" if kind == "called" else kind for kind in kinds))
    called = (False, *(kind == "called" for kind in kinds))
    table = playing(names=("ana", "ben", "Dora"), seats=3, acquaintance=known, called_bots=called)
    banners, clock = banners_of(table)
    table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
    table.change(TableChanged("aside"), adjourn_from=frozenset())
    assert only(banners, clock).head == f"{head} would rather keep playing."


def test_who_takes_a_request_back_is_not_told_that_the_other_refused() -> None:
    table = playing()
    banners, clock = banners_of(table)
    table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
    banners.keep_playing()
    table.change(TableChanged("aside"), adjourn_from=frozenset())
    assert only(banners, clock).head == "The game was not saved for later."
    table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
    clock.now += 60
    table.change(TableChanged("aside"), adjourn_from=frozenset())
    assert only(banners, clock).head == "ben would rather keep playing."


def test_a_request_that_ends_because_its_asker_has_left_the_game_is_no_refusal() -> None:
    table = playing(names=("ana", "ben", "Dora"), seats=3, acquaintance=("you", "met", "bot"))
    banners, clock = banners_of(table)
    table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
    peer: Any = table.peer
    peer.story = ((Leave(0), None),)
    table.change(TableChanged("away"), adjourn_from=frozenset())
    assert only(banners, clock).head == "The game was not saved for later."


def test_a_request_that_a_lost_connection_ends_is_no_refusal() -> None:
    table = playing(adjourn_from=frozenset({0}))
    banners, clock = banners_of(table)
    table.change(TableChanged("away"), away={1: 1000.0})
    table.change(TableChanged("aside"), adjourn_from=frozenset())
    assert "would rather" not in " ".join(each.head for each in banners.current(clock.now))


def test_a_wish_to_stop_waiting_can_be_hidden_and_comes_back_with_another() -> None:
    values = {"names": ("ana", "ben", "cleo", "dan"), "waiting": (3,), "away": {3: 1000.0}, "absent": (3,)}
    table = playing(**values, abandon_from=frozenset({1}))  # type: ignore[arg-type]
    banners, clock = banners_of(table)
    first, lost = banners.current(clock.now)
    assert first.head == "ben would like to stop waiting for dan."
    assert actions(first) == [BannerAction.GIVE_UP, BannerAction.WAIT_ON]
    assert actions(lost) == [BannerAction.GIVE_UP]
    banners.hide(first.topic)
    assert only(banners, clock) == lost
    table.change(TableChanged("abandon"), abandon_from=frozenset({1, 2}))
    assert banners.current(clock.now)[0].head == first.head, "cleo agrees to what ben wants"
    table.change(TableChanged("abandon"), abandon_from=frozenset({0, 1}))
    found = only(banners, clock)
    assert (found.head, found.text) == ("You stopped waiting for dan.", "The game ends when cleo agrees.")


def test_a_chat_line_stays_in_sight_while_the_player_touches_nothing() -> None:
    clock = Clock()
    chat = UnreadChat(playing(), clock)
    said = ChatLine(1, "hello")
    chat.on_message(said)
    clock.now += 30.0
    assert chat.latest(clock.now) == said
    chat.on_input()
    clock.now += 3.0
    chat.on_input()
    assert chat.latest(clock.now) == said
    clock.now += 1.0
    assert (chat.count, chat.latest(clock.now)) == (1, None)
    chat.on_message(said)
    clock.now += 60.0
    assert chat.latest(clock.now) is None


def test_the_chat_counts_what_is_unread_and_shows_a_line_as_long_as_it_takes_to_read() -> None:
    assert reading_seconds("hello") == 4.0
    assert reading_seconds("x" * 200) == 12.0
    clock = Clock()
    chat = UnreadChat(playing(), clock)
    mine = ChatLine(0, "my own")
    chat.on_message(mine)
    assert (chat.count, chat.latest(clock.now)) == (0, mine)
    said = ChatLine(1, "y" * 100)
    chat.on_message(ChatLine(1, "hello"))
    chat.on_message(said)
    assert (chat.count, chat.latest(clock.now)) == (2, said)
    assert [chat.part(clock.now + seconds, 3) for seconds in (0.0, 1.9, 2.1, 3.9, 4.1, 5.9, 6.1)] == [
        0,
        0,
        1,
        1,
        2,
        2,
        0,
    ]
    clock.now += 20.0
    chat.on_input()
    assert [chat.part(clock.now + seconds, 3) for seconds in (0.0, 2.1, 5.9)] == [0, 1, 2]
    assert chat.next_frame(clock.now) == clock.now + PART_SECONDS
    assert chat.next_frame(clock.now + 5.9) == clock.now + 6.0
    clock.now += 6.0
    assert (chat.count, chat.latest(clock.now), chat.next_frame(clock.now)) == (2, None, None)
    chat.opened()
    chat.on_message(said)
    assert (chat.count, chat.latest(clock.now)) == (0, None)
    chat.closed()
    chat.on_message(said)
    assert chat.count == 1


def test_the_chat_is_open_while_somebody_else_is_at_the_table() -> None:
    for phase in ("open", "words", "playing", "closing", "done"):
        assert why_silent(playing(phase=phase)) == ""
        assert can_talk(playing(phase=phase))
    assert why_silent(playing(phase="open", names=("ana",))) == "Nobody else is here yet."
    assert why_silent(playing(phase="failed")) == "The table is closed, and so is the chat."


def test_lines_that_are_not_checked_have_a_mark_and_a_note_says_what_it_means() -> None:
    said, passed_on = ChatLine(1, "hello"), ChatLine(1, "hello", checked=False)
    for phase, starts in (("open", "Unchecked: someone on the network"), ("words", "Do not compare the words here")):
        early = playing(phase=phase, acquaintance=("you", "new", "met"))
        assert unchecked_note(early).startswith(starts)
        known = playing(phase=phase, acquaintance=("you", "met", "bot"), lines=[said])
        assert unchecked_note(known) == ""
        assert unchecked_note(playing(phase=phase, acquaintance=("you", "met", "met"), lines=[passed_on])) != ""
    for phase in ("playing", "closing", "done", "failed"):
        assert unchecked_note(playing(phase=phase, lines=[said])) == ""
        assert "the host" in unchecked_note(playing(phase=phase, lines=[passed_on, said]))
    table = playing()
    assert speaker_name(table.occupants.names, said) == table.occupants.names[1]
    assert speaker_name(table.occupants.names, passed_on) == f"{table.occupants.names[1]} ?"


def test_a_player_who_has_not_come_yet_to_a_game_taken_up_again_has_lost_nothing() -> None:
    table = playing(away={1: 990.0}, not_come=frozenset({1}))
    banners, clock = banners_of(table)
    clock.now += COME_SECONDS
    banner = only(banners, clock)
    assert banner.head == "ben is not here yet."
    assert banner.text == KEEPS
    assert banner.more == "You can stop waiting at 0:00."
    assert actions(banner) == [BannerAction.STOP_HERE]
    assert table.peer is not None
    table.peer.waiting = (0,)
    assert only(banners, clock).text == "The game goes on until it is ben’s turn."
    table.change(held_back=True)
    for awaited in ((0,), (0, 1)):
        table.peer.waiting = awaited
        banner = only(banners, clock)
        assert (banner.text, banner.more, banner.until) == ("The game is waiting for ben.", "", None)
    table.peer.waiting = (2,)
    assert only(banners, clock).text == "", "who is awaited may be held back, too"
    table.change(away={}, not_come=frozenset(), held_back=False)
    assert only(banners, clock).head == "ben is here."
    table.change(away={1: clock.now})
    assert "ben lost the connection." in [each.head for each in banners.current(clock.now)]
    clock.now += SHORT_SECONDS
    table.change(away={})
    assert only(banners, clock).head == "ben is back."


def test_who_connects_within_a_moment_of_the_start_is_not_missed() -> None:
    table = playing(away={1: 1000.0}, not_come=frozenset({1}))
    banners, clock = banners_of(table, counts=True)
    assert banners.current(clock.now) == ()
    assert banners.next_frame(clock.now) == clock.now + 1
    clock.now += 2
    table.change(away={}, not_come=frozenset())
    assert banners.current(clock.now) == ()
    table = playing(away={1: 1000.0}, not_come=frozenset({1}))
    banners, clock = banners_of(table, counts=True)
    clock.now += COME_SECONDS
    assert only(banners, clock).head == "ben is not here yet."
    assert banners.next_frame(clock.now) is None


def test_who_was_still_connecting_while_the_words_were_compared_is_not_missed_at_the_start() -> None:
    table = playing(phase="words", away={1: 960.0}, not_come=frozenset({1}))
    banners, clock = banners_of(table, counts=True)
    table.change(phase="playing")
    assert banners.current(clock.now) == ()
    assert banners.next_frame(clock.now) == clock.now + 1
    clock.now += COME_SECONDS - 0.5
    assert banners.current(clock.now) == ()
    clock.now += 0.5
    assert only(banners, clock).head == "ben is not here yet."


@pytest.mark.parametrize("resumed", [False, True])
def test_a_connection_that_blinks_as_a_game_begins_at_once_is_not_told(*, resumed: bool) -> None:
    table = playing(resumed=resumed)
    banners, clock = banners_of(table, counts=not resumed)
    table.change(away={1: clock.now})
    assert banners.current(clock.now) == ()
    assert banners.next_frame(clock.now) == clock.now + 1
    clock.now += 0.1
    table.change(away={})
    assert banners.current(clock.now) == ()
    clock.now += COME_SECONDS
    table.change(away={1: clock.now})
    assert only(banners, clock).head == "ben lost the connection."
    table.change(away={})
    assert only(banners, clock).head == "ben is back."


def test_several_who_have_not_come_are_named_together() -> None:
    names = ("ana", "ben", "cleo")
    table = playing(names=names, waiting=(1, 2), away={1: 990.0, 2: 990.0}, not_come=frozenset({1, 2}))
    banners, clock = banners_of(table)
    clock.now += COME_SECONDS
    assert only(banners, clock).head == "ben and cleo are not here yet."
    table.change(not_come=frozenset({2}))
    assert only(banners, clock).head == "ben and cleo are away."


def test_a_host_whose_people_are_all_away_can_save_alone_though_its_bot_is_there() -> None:
    table = playing(names=("ana", "ben", "Sancy"), acquaintance=("you", "met", "bot"), away={1: 1000.0})
    banners, clock = banners_of(table)
    assert BannerAction.STOP_HERE in actions(only(banners, clock))
    # A bot of another host is like a person: its host decides.
    table.change(acquaintance=("you", "met", "new"), called_bots=(False, False, True))
    assert BannerAction.STOP_HERE not in actions(only(banners, clock))
    table.change(acquaintance=("you", "bot", "bot"), away={})
    assert not is_deserted(table)


def test_at_a_table_that_ends_nobody_is_back_and_nobody_has_refused_to_save() -> None:
    table = playing(names=("ana", "ben", "cleo"), seats=3)
    banners, clock = banners_of(table)
    table.change(TableChanged("away"), away={1: 1000.0})
    # Until its record is saved, a table that ends is still in its game.
    table.change(TableChanged("away"), left=True, away={})
    assert banners.current(clock.now) == ()

    table = playing(names=("ana", "ben", "cleo"), seats=3, adjourn_from=frozenset({0, 1, 2}))
    banners, clock = banners_of(table)
    table.change(TableChanged("aside"), left=True, adjourn_from=frozenset())
    assert banners.current(clock.now) == ()
