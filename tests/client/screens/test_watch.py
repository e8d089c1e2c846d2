"""Watching a table, on canvases: every game live and from the start, to the dossier, and nothing that is hidden."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

import pytest

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import timeline_of
from kimberley.client.boards.story import StoryUI
from kimberley.client.boards.view import STILL
from kimberley.client.screens.app import App
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.watch import WatchScreen
from kimberley.client.session.bots import drive
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games import lookup
from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Decide, Plain
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run, settled, until
from tests.support.cheats import cheat
from tests.support.effort import one_is_quick, spread, tries
from tests.support.pretend import PretendServices, listed, press, pretend_app, shown, touch
from tests.support.seated import LOOPBACK, QUICK, Proxy, pair_of_tables
from tests.support.tables import by_bots, seated
from tests.support.watching import SEATS, WireWatch, bots_at

MOST_COMPARED = 80
"""Steps of two games whose screens are compared."""
DEPTHS = (Depth.TRUE, Depth.INDEXED, Depth.BASIC, Depth.NONE)
SIZES = ((80, 24), (120, 28), (120, 40), (200, 60))


def watching(test: Callable[[App, WireWatch], Awaitable[None]], watch: WireWatch) -> None:
    """Runs a test on the event loop, with an app that watches a table."""

    async def main() -> None:
        app = pretend_app()
        app.push(TitleScreen(app))
        app.push(WatchScreen(app, watch))
        await test(app, watch)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    run(main())


def on_top(app: App) -> WatchScreen:
    screen = app.stack[-1]
    assert isinstance(screen, WatchScreen)
    return screen


# -- live --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", SEATS))
def test_every_game_is_watched_live_and_from_its_start(game: str) -> None:
    async def test(app: App, watch: WireWatch) -> None:
        text = shown(app)
        assert f"{lookup.find(game).title} · watching" in text
        assert "● live" in text
        # A long sentence about what has happened would leave no room for who is choosing.
        watch.play(22 if game == "piecepack" else 25)
        text = shown(app)
        assert "● live" in text
        assert "choosing…" in text
        assert all(f"player{seat + 1}" in text for seat in range(SEATS[game]))
        count = len(on_top(app).timeline.steps)
        assert count > 3
        press(app, "left", "left")
        assert "○ 2 behind" in shown(app)
        assert f"{count - 2} of {count}" in shown(app)
        watch.play(30)
        behind = len(on_top(app).timeline.steps) - count + 2
        assert f"○ {behind} behind" in shown(app)
        press(app, "home")
        assert f"0 of {len(on_top(app).timeline.steps)}" in shown(app)
        press(app, "3", "enter")
        assert f"3 of {len(on_top(app).timeline.steps)}" in shown(app)
        press(app, "end")
        assert "● live" in shown(app)

    watching(test, WireWatch(bots_at(game)))


@cache
def begun(game: str) -> Peer:
    """Returns the spectator of a game that has come to its 60th step."""
    wire = bots_at(game)
    wire.run(lambda: len(wire.peers[-1].story) >= 60)
    return wire.peers[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "depth"),
    spread(1, [(game, d) for n, game in enumerate(SEATS) for d in tries(DEPTHS[n % 4 : n % 4 + 1], DEPTHS)]),
)
def test_every_moment_can_be_drawn_on_every_terminal(game: str, depth: Depth) -> None:
    spectator = begun(game)
    timeline = timeline_of(game, spectator.table.roster)
    timeline.refresh(spectator.story, spectator.result)
    palette = Palette(depth)
    for number, at in enumerate(range(0, len(timeline.steps) + 1, 6)):
        live = at + 6 > len(timeline.steps)
        canvas = Canvas(*SIZES[number % len(SIZES)], palette, ascii_only=depth is Depth.NONE)
        timeline.draw(canvas, at, STILL, LiveContext(live, spectator.waiting, "now"))
        assert depth is not Depth.NONE or "".join(canvas.lines()).isascii()
        assert "now" in "\n".join(canvas.lines())
        assert not at or timeline.describe_event(at).endswith(".")


@pytest.mark.slow
def test_the_mouse_alone_is_enough() -> None:
    async def test(app: App, watch: WireWatch) -> None:
        watch.play(20)
        touch(app, "← back")
        assert "1 behind" in shown(app)
        app.wheel(10, 10, -2)
        assert "3 behind" in shown(app)
        touch(app, "l log")
        text = shown(app)
        assert "What happened" in text
        for _ in range(80):
            app.wheel(10, 10, -1)
        touch(app, "The Inspector starts in")
        assert " 1 of " in shown(app)
        touch(app, "End live")
        assert "● live" in shown(app)
        touch(app, "Space pause")
        assert "○ paused" in shown(app)
        watch.play(24)
        assert "behind" in shown(app)
        touch(app, "Esc leave")
        assert isinstance(app.stack[-1], TitleScreen)
        await settled()
        assert watch.closed

    watching(test, WireWatch(bots_at("diamond-trust", choosers=by_bots(lookup.find("diamond-trust"), 2))))


@pytest.mark.slow
def test_what_comes_while_one_follows_is_shown_one_after_another_and_much_of_it_at_once() -> None:
    async def test(app: App, watch: WireWatch) -> None:
        now = [100.0]
        app.now = lambda: now[0]  # type: ignore[method-assign]
        app.settings.calm = False
        screen = on_top(app)

        def at_now() -> int:
            app.paint(80, 24, now[0])
            return screen.at

        watch.play(9)
        first = len(screen.timeline.steps)
        screen.go(first)
        watch.play(9 + 3)
        assert first < len(screen.timeline.steps) <= first + 3
        assert at_now() == first + 1
        assert screen.next_frame(now[0]) is not None
        now[0] += 60
        for _ in range(4):
            at_now()
            now[0] += 60
        assert at_now() == len(screen.timeline.steps)
        watch.play(60)
        assert at_now() == len(screen.timeline.steps)
        press(app, "home", " ")
        now[0] += 0.01
        assert at_now() == 0
        watch.play(62)
        now[0] += 3
        assert 0 < at_now() < len(screen.timeline.steps)

    watching(test, WireWatch(bots_at("mine")))


def test_talk_and_who_leaves_is_told() -> None:
    async def test(app: App, watch: WireWatch) -> None:
        watch.play(10)
        watch.tell(ChatLine(1, "good luck", checked=False))
        assert "player2 ?: good luck" in shown(app)

    watching(test, WireWatch(bots_at("land")))


def test_a_game_without_a_board_is_shown_as_its_story(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(name: str) -> object:
        raise LookupError(name)

    monkeypatch.setattr("kimberley.client.boards.registry.find_board", found)
    watch = WireWatch(bots_at("diamond"))

    async def test(app: App, watch: WireWatch) -> None:
        watch.play(8)
        screen = on_top(app)
        assert isinstance(screen.timeline, GameTimeline)
        assert isinstance(screen.timeline.game, StoryUI)
        text = shown(app)
        assert "Diamond · watching" in text
        assert "to choose" in text
        assert "player1" in text
        press(app, "left")
        assert "7 of 8" in shown(app)

    watching(test, watch)


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_dossier_opens_after_the_end_and_its_record_can_be_kept_and_replayed() -> None:
    async def test(app: App, watch: WireWatch) -> None:
        now = [100.0]
        app.now = lambda: now[0]  # type: ignore[method-assign]
        watch.play()
        assert "THE END" in shown(app)
        screen = on_top(app)
        await until(lambda: screen.spectating.proof is not None)
        assert "check finished" in shown(app)
        assert "d moves" in shown(app)
        assert "Space" not in shown(app), "nothing follows that could wait"
        assert "live" not in shown(app)
        assert "live" not in screen.help().sections[0].text
        now[0] += 60
        shown(app)
        await until(lambda: "FAIR ✓" in shown(app))
        text = shown(app)
        assert "Every move was replayed" in text
        press(app, "d")
        assert "Signed by player1 and player2." in shown(app)
        touch(app, "Save the record")
        await until(lambda: "kept.kdt" in shown(app))
        assert isinstance(app.services, PretendServices)
        assert app.services.asked == [("keep", ("player1", "player2"), len(watch.wire.peers[-1].record().pack()))]
        press(app, "down", "enter")
        await until(lambda: "Diamond · replay" in shown(app))
        press(app, "esc", "esc", "esc")
        assert on_top(app) is screen
        press(app, "left")
        assert "1 behind" in shown(app)
        assert "End end" in shown(app)
        assert "live" not in shown(app), "the game is over"
        press(app, "d")
        await until(lambda: "FAIR ✓" in shown(app))

    watching(test, WireWatch(bots_at("diamond")))


def test_another_game_at_the_same_table_takes_the_place_of_the_first() -> None:
    async def test(app: App, watch: WireWatch) -> None:
        watch.play()
        screen = on_top(app)
        await until(lambda: screen.spectating.proof is not None)
        press(app, "d")
        await until(lambda: "FAIR ✓" in shown(app))
        watch.begin(bots_at("diamond", "again"))
        watch.tell()
        assert on_top(app) is screen
        text = shown(app)
        assert "They are playing a rematch." in text
        assert "● live" in text
        assert "move 0" not in text
        watch.play(6)
        assert len(screen.timeline.steps) == 5
        watch.begin(bots_at("mine", "another"))
        watch.tell()
        assert "They are playing Diamond Mine." in shown(app)

    watching(test, WireWatch(bots_at("diamond")))


def test_a_cheat_is_named_and_the_dossier_says_unfair() -> None:
    def broken(peer: Peer, body: Plain) -> Plain:
        return 99 if peer.play.step > 3 and isinstance(peer.play.ask, Decide) else body

    rules = lookup.find("diamond")
    wire = seated(rules, 2, "cheat", by_bots(rules, 2), {1: cheat(broken)})

    async def test(app: App, watch: WireWatch) -> None:
        watch.play()
        assert "player2 was caught cheating" in shown(app)
        screen = on_top(app)
        await until(lambda: screen.spectating.proof is not None)
        press(app, "d")
        await until(lambda: "UNFAIR ×" in shown(app))

    watching(test, WireWatch(wire))


# -- the connection ----------------------------------------------------------------------------------------------------


def test_a_lost_connection_is_said_and_what_was_seen_stays() -> None:
    async def test(app: App, watch: WireWatch) -> None:
        watch.play(20)
        watch.away_since = app.now() - 7
        watch.tell()
        text = shown(app)
        assert "× lost" in text
        assert "connection lost 7 s" in text
        press(app, "left")
        assert "connection lost" in shown(app)
        assert on_top(app).next_frame(app.now()) is not None
        watch.away_since = None
        watch.play(24)
        press(app, "end")
        assert "● live" in shown(app)
        watch.problem = "The table shows a roster that cannot be trusted."
        watch.tell()
        assert "the table is closed" in shown(app)
        assert "! The table shows a roster that cannot be trusted." in shown(app)

    watching(test, WireWatch(bots_at("land")))


def test_a_table_that_shows_no_game_says_why() -> None:
    class Empty(WireWatch):
        @property
        def peer(self) -> None:
            return None

    async def test(app: App, watch: WireWatch) -> None:
        assert "The game has not begun." in shown(app)
        (section,) = on_top(app).help().sections
        assert "live" not in section.text
        for away, told in ((1.0, "The table does not answer any more."), (None, "The players are still joining")):
            watch.away_since = away
            watch.tell()
            assert told in shown(app)
        watch.problem = "This table plays 'chess', which is not installed here."
        watch.tell()
        text = shown(app)
        assert "There is nothing to see here." in text
        assert "This table plays 'chess'" in text
        press(app, "esc")
        assert isinstance(app.stack[-1], TitleScreen)

    watching(test, Empty(bots_at("land")))


@pytest.mark.slow
def test_a_real_table_is_watched_over_a_lost_connection_to_its_verdict(tmp_path: Path) -> None:
    """Sockets between all of them: the connection is cut in mid-game, and the screen goes on when it is back."""

    async def main() -> None:
        game = lookup.find("diamond")
        async with pair_of_tables(tmp_path, game) as tables, Proxy(0) as proxy:
            await tables.open(QUICK, headless=True)
            proxy.target = tables.host.port
            app = pretend_app()
            watch = await SpectatorClient.open(f"{LOOPBACK}:{proxy.port}", lookup.find)
            app.push(TitleScreen(app))
            app.push(WatchScreen(app, watch))
            assert "The game has not begun." in shown(app)
            await tables.join(headless=True)
            host = asyncio.create_task(drive(tables.host, make_bot(game, 1, 1)))
            await until(lambda: watch.peer is not None and tables.host.peer is not None)
            await until(lambda: "● live" in shown(app))
            await proxy.close()
            await until(lambda: "× lost" in shown(app))
            guest = asyncio.create_task(drive(tables.guest, make_bot(game, 1, 2)))
            await asyncio.gather(host, guest)
            await proxy.__aenter__()
            await until(lambda: "THE END" in shown(app), 40)
            screen = on_top(app)
            await until(lambda: screen.spectating.proof is not None)
            assert screen.spectating.proof is not None
            assert screen.spectating.proof.audited.verdict.code == "fair"
            assert tables.host.ending.record is not None
            assert screen.spectating.proof.audited.record.pack() == tables.host.ending.record.read_bytes()
            press(app, "esc")
            await watch.close()

    run(main())


# -- the way there -----------------------------------------------------------------------------------------------------


def test_tables_are_watched_from_the_list_by_key_and_by_click_also_where_no_seat_is_free() -> None:
    async def main() -> None:
        services = PretendServices(tables=(listed("carla", taken=2), listed("dan", versions="Update.")))
        services.watch_like = WireWatch(bots_at("diamond"))
        app = pretend_app(services)
        app.push(TitleScreen(app))
        app.push(JoinScreen(app))
        await until(lambda: "carla" in shown(app))
        press(app, "w")
        await until(lambda: "● live" in shown(app))
        press(app, "esc")
        assert isinstance(app.stack[-1], JoinScreen)
        touch(app, "Watch")
        await until(lambda: "● live" in shown(app))
        press(app, "esc", "down", "w")
        assert "Update." in shown(app)
        press(app, "/", *"192.168.1.9")
        touch(app, "Watch")
        await until(lambda: "● live" in shown(app))
        assert services.asked == [("spectate", "carla"), ("spectate", "carla"), ("spectate", "192.168.1.9")]
        services.trouble = "This table does not allow spectators."
        press(app, "esc")
        touch(app, "Watch")
        await until(lambda: "does not allow spectators" in shown(app))

    run(main())
