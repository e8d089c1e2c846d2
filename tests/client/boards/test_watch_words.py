"""What a table that is watched says in words: any game's story, every game in the line mode, and who is waited for."""

from __future__ import annotations

import asyncio

import pytest

from kimberley.client.boards.live_context import awaited, choosing
from kimberley.client.boards.story import describe_event
from kimberley.client.boards.watching import GameWatcher
from kimberley.client.plain import watch as watch_mode
from kimberley.client.plain.watch import AFTERWARDS, LOST, NOT_STARTED, PlainWatch
from kimberley.games import lookup
from kimberley.games.table import Amounts, Answer, Ask, Decide, Disclose, Leave, Open, Roll, Seal
from kimberley.p2p.table.events import ChatLine
from tests.support.asyncs import run, until
from tests.support.effort import one_is_quick
from tests.support.pretend import PretendServices
from tests.support.typed import Typed
from tests.support.watching import SEATS, WireWatch, bots_at


def test_the_story_of_any_game_is_told_without_its_words() -> None:
    space = Amounts((), None, 0)  # type: ignore[arg-type]
    names = ("ana", "ben")
    story: list[tuple[Ask, Answer]] = [
        (Roll((6, 2)), (3, 1)),
        (Decide(1, space, "bid"), 4),
        (Seal((space, space), "pay"), Seal((space, space), "pay").visible_answer((1, 2), None)),
        (Open(()), ()),
        (Disclose(()), ()),
        (Leave(0), None),
    ]
    told = [describe_event(ask, answer, names) for ask, answer in story]
    assert told == [
        "roll of 6, 2: (3, 1).", "ben: bid 4.", "pay: ana ?, ben ?.", "open: ().", "disclose: ().",
        "ana resigns.",
    ]  # fmt: skip


def test_who_comes_late_is_not_told_whom_the_game_waited_for_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_mode, "AWAITED_SECONDS", 1.0)

    async def main() -> None:
        lines, watch = Typed(), WireWatch(bots_at("diamond-trust"))
        watching = PlainWatch(watch, PretendServices(), lines)
        following = asyncio.create_task(watching.follow())
        for names in (["ana", "ben"], ["ana"], ["ana", "ben"], ["ben"]):
            monkeypatch.setattr(watching.spectating, "choosers", lambda names=names: names)
            watch.play(1)
            await asyncio.sleep(0.01)
        await until(lambda: lines.has("Waiting for ben."))
        assert [line for line in lines.said if line.startswith("Waiting for ")] == ["Waiting for ben."]
        lines.type("leave")
        await following

    run(main())


@pytest.mark.parametrize("game", one_is_quick("diamond", SEATS))
def test_every_game_is_watched_in_sentences(game: str) -> None:
    async def main() -> None:
        lines, watch = Typed(), WireWatch(bots_at(game))
        following = asyncio.create_task(PlainWatch(watch, PretendServices(), lines).follow())
        await until(lambda: lines.has(f"The game: {lookup.find(game).title}"))
        watch.play(12)
        await until(lambda: lines.has("Waiting for player"))
        before = len(lines.said)
        lines.type("state")
        lines.type("story 2")
        lines.type("wait")
        lines.type("rules")
        lines.type("nonsense")
        await until(lambda: lines.has("story: hear the game"))
        assert any("player1" in line for line in lines.said[before:])
        assert lines.has(f"Rules of {lookup.find(game).title}.")
        assert not any(set(line) & set("◆♥●○") for line in lines.said)
        watch.away_since = 1.0
        watch.tell()
        await until(lambda: lines.has(LOST))
        lines.type("wait")
        await until(lambda: lines.all_read and lines.said[-2:] == [LOST, LOST])
        watch.away_since = None
        watch.tell(ChatLine(0, "hello"))
        await until(lambda: lines.has("player1 says: hello"))
        assert lines.has("Connected again.")
        if game == "diamond":
            watch.play()
            await until(lambda: lines.has("Fair: every move was replayed"))
            lines.type("keep")
            await until(lambda: lines.has("kept.kdt"))
        lines.type("leave")
        await following

    run(main())


def test_in_sentences_a_table_that_shows_nothing_says_why() -> None:
    async def main() -> None:
        lines, watch = Typed(), WireWatch(bots_at("diamond"))
        watch.problem = "Its rules are others."
        await PlainWatch(watch, PretendServices(), lines).follow()
        assert lines.said[-1] == "Its rules are others."

    run(main())


def test_what_is_waited_for_long_is_said_with_the_time() -> None:
    watch = WireWatch(bots_at("land"))
    watch.play(12)
    spectating = GameWatcher(watch)
    spectating.follow()
    assert watch.peer is not None
    seat = watch.peer.waiting[0]
    watch.peer.waiting_since[seat] = 100.0
    assert spectating.aside(103.0) == (f"player{seat + 1} is choosing…", "soft")
    assert spectating.next_frame(103.0) == 160.0
    assert spectating.aside(159.0) == (f"player{seat + 1} is choosing…", "soft")
    assert spectating.aside(161.0) == (f"waiting for player{seat + 1}: 1 min", "soft")
    assert spectating.aside(161.0, 16) == ("waiting: 1 min", "soft")
    assert spectating.next_frame(161.0) == 220.0
    assert spectating.aside(300.0)[0].endswith("3 min")


def test_of_two_who_choose_where_their_names_do_not_fit_both_are_said_to() -> None:
    watch = WireWatch(bots_at("diamond-trust"))
    spectating = GameWatcher(watch)
    while watch.peer is None or len(choosing(watch.peer.state, watch.peer.waiting)) < 2:
        watch.play(1)
        spectating.follow()
    for seat in watch.peer.waiting:
        watch.peer.waiting_since[seat] = 100.0
    assert spectating.aside(103.0, 20) == ("both are choosing…", "soft")
    assert spectating.aside(161.0, 20) == ("waiting: 1 min", "soft")
    names = ("ana of a long name", "ben of a long name")
    assert awaited(watch.peer.state, watch.peer.waiting, names) == "both are choosing…"
    assert awaited(watch.peer.state, watch.peer.waiting, (*names, "carla")) == "2 are choosing…"
    assert awaited(watch.peer.state, watch.peer.waiting[:1], names, 24) == f"{names[0][:10]}… is choosing…"


class Shown(WireWatch):
    """A table whose game has begun, and is shown to the spectator a moment later."""

    peer = None

    def show(self) -> None:
        self.peer = self._seen
        self.tell()


def test_a_game_that_is_shown_a_moment_later_is_not_said_to_have_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_mode, "START_SECONDS", 0.05)

    async def main() -> None:
        lines, watch = Typed(), Shown(bots_at("diamond"))
        following = asyncio.create_task(PlainWatch(watch, PretendServices(), lines).follow())
        await until(lambda: watch.listeners)
        watch.show()
        await until(lambda: lines.has("The game: Diamond"))
        await asyncio.sleep(0.1)
        assert not lines.has(NOT_STARTED)
        lines.type("leave")
        await following

    run(main())


def test_that_a_player_leaves_is_said_once() -> None:
    async def main() -> None:
        lines, watch = Typed(), WireWatch(bots_at("land"))
        watch.play(8)
        following = asyncio.create_task(PlainWatch(watch, PretendServices(), lines).follow())
        await until(lambda: lines.has("The game: "))
        asked = next(peer for peer in watch.wire.peers if peer.asked is not None)
        asked.resign()
        watch.play(12)
        told = f"player{(asked.seat or 0) + 1} resigned; the game goes on without them."
        await until(lambda: told in lines.said and lines.said[-1].startswith("Waiting for"))
        assert not lines.has("resigns.")
        lines.type("leave")
        await following

    run(main())


class Unbegun(WireWatch):
    """A table whose game has not begun."""

    @property
    def peer(self) -> None:
        return None


def test_before_a_game_there_is_nothing_to_hear_of_it_and_until_its_end_nothing_to_save() -> None:
    async def main() -> None:
        lines, watch = Typed(), Unbegun(bots_at("diamond"))
        watching = PlainWatch(watch, PretendServices(), lines)
        following = asyncio.create_task(watching.follow())
        for line in ("state", "story", "wait", "keep"):
            lines.type(line)
        await until(lambda: len(lines.said) == 5)
        assert lines.said[1:] == [*[NOT_STARTED] * 3, AFTERWARDS]
        await until(lambda: lines.said[5:] == [NOT_STARTED])
        lines.type("leave")
        await following

    run(main())
