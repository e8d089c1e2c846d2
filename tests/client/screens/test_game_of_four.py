"""A game of more than two: who has left, who is away, whom it waits for, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.participants import WaitTracker
from kimberley.client.session.seat_session import LocalBot, session_of
from kimberley.games.table import Leave, Result
from kimberley.p2p.table.table import TableChanged
from kimberley.protocol.events import SeatDeparted
from tests.client.screens.test_lobby import at, everywhere, table
from tests.support.asyncs import settled
from tests.support.cards import CARDS
from tests.support.pretend import (
    PretendServices,
    PretendTable,
    press,
    pretend_app,
    shown,
    touch,
)


def playing(left: tuple[int, ...] = (), **values: Any) -> PretendTable:
    """Returns a running game of four, of which some have left."""
    state = CARDS.start(4, {})
    story = tuple((Leave(seat), None) for seat in left)
    for seat in left:
        state = state.leave(seat)  # type: ignore[assignment]
    peer = SimpleNamespace(state=state, story=story, asked=None, waiting=(1, 2), result=None)
    return table(4, 4, **{"phase": "playing", "peer": peer, **values})


def dialogs(seated: PretendTable, test: Callable[[App], None]) -> None:
    """Runs a test of dialogs over the title screen, at a table whose board is not shown."""

    async def main() -> None:
        app = pretend_app(PretendServices(seated))
        app.push(TitleScreen(app))
        app.table_flow = TableFlow(app, seated)
        test(app)
        app.home()

    asyncio.run(main())


@pytest.mark.slow
def test_the_menu_says_what_leaving_means_and_who_sits_here() -> None:
    from kimberley.client.screens.dialogs import leave_table, resign, show_people

    def test(app: App) -> None:
        resign(app, seated)
        assert "You will be out of the game" in shown(app)
        touch(app, "Resign x")
        assert seated.done == [("resign",)]
        leave_table(app, seated)
        assert "To stay and watch," in shown(app)
        assert "resign instead." in shown(app)
        press(app, "esc")
        show_people(app)
        everywhere(app, "ana", "farid", "no answer for", "you", "away", "Players")
        press(app, "esc")

    seated = playing(away={3: 0.0})
    dialogs(seated, test)


def test_with_two_present_it_is_a_resignation() -> None:
    from kimberley.client.screens.dialogs import leave_table, resign

    def test(app: App) -> None:
        resign(app, seated)
        assert "wins at once" in shown(app)
        press(app, "esc")
        leave_table(app, seated)
        assert "To end it properly," in shown(app)

    seated = playing((2, 3))
    dialogs(seated, test)


def asked(app: App) -> str:
    """Returns the question that is asked; "" if none is."""
    return getattr(app.stack[-1], "text", "")


def test_who_resigns_while_the_opponent_is_away_reads_that_it_takes_effect_later() -> None:
    from kimberley.client.screens.dialogs import leave_table, resign

    def test(app: App) -> None:
        resign(app, seated)
        assert "wins as soon as they are back." in asked(app)
        press(app, "esc")
        leave_table(app, seated)
        assert "To end it properly, resign." in asked(app)
        press(app, "esc")
        seated.put(resigning=True)
        leave_table(app, seated)
        assert asked(app) == "If you leave, the game has no result and cannot be proven fair."
        press(app, "esc")
        seated.put(can_adjourn=True)
        leave_table(app, seated)
        assert asked(app).endswith("You can also save it for later.")

    seated = playing((2, 3), away={1: 0.0})
    dialogs(seated, test)


def test_where_all_others_want_to_save_leaving_asks_to_save() -> None:
    from kimberley.client.screens.dialogs import confirm_quit, leave_table, resign

    def test(app: App) -> None:
        leave_table(app, seated)
        assert asked(app).startswith("You will be out of the game"), "one has not asked"
        press(app, "esc")
        seated.put(adjourn_from=dict.fromkeys((2, 1, 3)).keys())
        leave_table(app, seated)
        assert asked(app).startswith(f"{seated.occupants.names[2]} asked to save the game. The table")
        press(app, "esc")
        resign(app, seated)
        assert asked(app).endswith("The others can save it and resume it without you.")
        press(app, "esc")
        confirm_quit(app, app.stack[-1])
        assert "Your game is saved" in asked(app)
        assert "for good" not in shown(app)
        press(app, "esc")
        assert not seated.done
        leave_table(app, seated)
        press(app, "y")
        assert seated.done == [("aside", True)]

    seated = playing(can_adjourn=True, adjourn_from=dict.fromkeys((2, 3)).keys())
    dialogs(seated, test)


def test_who_has_resigned_is_not_told_to_resign_in_order_to_watch() -> None:
    from kimberley.client.screens.dialogs import leave_table

    def test(app: App) -> None:
        leave_table(app, seated)
        assert asked(app).startswith("You will be out of the game")
        assert "resign" not in asked(app)

    seated = playing(resigning=True)
    dialogs(seated, test)


@pytest.mark.parametrize("left", [(), (0,)])
@pytest.mark.parametrize(
    ("bots", "told"),
    [
        (0, ""),
        (1, "Your bot plays on only while this program is open."),
        (2, "Your bots play on only while this program is open."),
    ],
)
def test_the_host_reads_that_bots_need_the_program_before_leaving_them(
    left: tuple[int, ...], bots: int, told: str
) -> None:
    from kimberley.client.screens.dialogs import leave_table

    def test(app: App) -> None:
        session_of(seated).bots.extend(LocalBot(seated, 1, 1) for _ in range(bots))
        leave_table(app, seated)
        assert told in asked(app)
        assert ("Your bot" in asked(app)) is bool(bots)
        assert bool(asked(app)) is bool(bots or not left)

    seated = playing(left)
    dialogs(seated, test)


def test_who_resigns_while_another_decides_is_told_so_and_not_asked_again() -> None:
    from kimberley.client.screens.dialogs import menu
    from kimberley.client.screens.waiting import WaitingScreen

    def test(app: App) -> None:
        assert app.table_flow is not None
        screen = WaitingScreen(app, seated, app.table_flow)

        def offered() -> list[str]:
            return [item.label for item in menu(app, screen).items]

        assert "Resign" in offered()
        seated.put(resigning=True)
        assert "Resign" not in offered()
        assert "Leave the table" in offered()
        assert [banner.head for banner in app.table_flow.banners(screen, app.now())] == [
            "You resign when it is your turn."
        ]

    seated = playing()
    dialogs(seated, test)


def test_who_has_left_may_go_without_being_asked_back() -> None:
    from kimberley.client.screens.dialogs import leave_table, menu
    from kimberley.client.screens.waiting import WaitingScreen

    def test(app: App) -> None:
        assert app.table_flow is not None
        items = [item.label for item in menu(app, WaitingScreen(app, seated, app.table_flow)).items]
        assert "Resign" not in items
        assert "Resign" not in items
        leave_table(app, seated)
        assert ("leave",) in seated.done

    async def main() -> None:
        app = pretend_app(PretendServices(seated))
        app.push(TitleScreen(app))
        app.table_flow = TableFlow(app, seated)
        test(app)
        await settled()

    seated = playing((0,))
    asyncio.run(main())


def test_a_seat_that_has_left_is_told() -> None:
    seated = playing()

    def test(app: App) -> None:
        seated.put(phase="open")
        assert app.table_flow is not None
        app.table_flow.start()
        seated.change(SeatDeparted(7, 1, seated.peer.state))  # type: ignore[union-attr]
        assert "farid resigned; the game goes on without them." in shown(app)
        seated.change(SeatDeparted(8, 0, seated.peer.state))  # type: ignore[union-attr]
        assert "You left the game." in shown(app)

    dialogs(seated, test)


def test_whose_connection_is_lost_and_who_is_back() -> None:
    seated = playing(phase="words")

    def test(app: App) -> None:
        assert app.table_flow is not None
        app.table_flow.start()
        seated.change(TableChanged("away"), away={1: 1.0})
        assert "connecting" in shown(app)
        assert "is lost" not in shown(app)
        seated.change(TableChanged("away"), away={})
        assert "connecting" not in shown(app)
        # No board is installed here that could take the place of the lobby.
        assert isinstance(app.table_flow, TableFlow)
        app.table_flow.shown, app.table_flow.shown_peer = "game", seated.peer
        seated.change(TableChanged("phase"), phase="playing")
        seated.change(TableChanged("away"), away={1: 1.0, 3: 1.0})
        assert "farid and 日本の友達 4f2a lost the connection." in shown(app, 120, 40)
        seated.change(TableChanged("away"), away={3: 1.0})
        assert "farid is back." in shown(app, 120, 40)
        peer: Any = seated.peer
        peer.story = ((Leave(3), None),)
        seated.change(TableChanged("away"), away={})
        assert "日本の友達 4f2a is back." not in shown(app, 120, 40)

    dialogs(seated, test)


def test_who_is_waited_for_and_since_when() -> None:
    clock = [100.0]
    seated = playing()
    peer: Any = seated.peer
    dealing = peer.state
    peer.state = SimpleNamespace(ask=lambda: SimpleNamespace(space_for=lambda seat: seat))
    waits = WaitTracker(seated, lambda: clock[0])
    assert waits.strip_text(103.0, 60) == ("farid and carla of a very long name are choosing…", "soft")
    assert waits.strip_text(159.0, 60) == ("farid and carla of a very long name are choosing…", "soft")
    assert waits.strip_text(161.0, 60) == ("farid and carla of a very long name have taken 1 min", "soft")
    assert waits.strip_text(161.0, 24)[0] == "2 have taken 1 min"
    peer.state, choosing = dealing, peer.state
    assert waits.strip_text(103.0, 60) == ("", "soft"), "no person has anything to choose"
    peer.state = choosing
    assert waits.next_frame(103.0) == 160.0
    assert waits.next_frame(161.0) == 220.0

    clock[0] = 130.0
    peer.waiting = (2,)
    waits.refresh()
    assert waits.strip_text(190.0, 26) == ("carla of … has taken 1 min", "soft")
    assert waits.strip_text(190.0, 30) == ("carla of a ve… has taken 1 min", "soft")
    assert waits.sentences(190.0) == ["Waiting for carla of a very long name (1 min so far)."]

    seated.put(away={3: 120.0})
    assert waits.strip_text(130.0, 40)[1] == "warning"
    assert waits.strip_text(130.0, 40)[0].endswith("away for 10 s")
    assert waits.sentences(130.0)[0] == "日本の友達 4f2a lost the connection 10 s ago."
    seated.put(away={1: 60.0, 3: 120.0})
    assert waits.strip_text(130.0, 40)[0].endswith("away for 10 s"), "both of them"
    assert waits.next_frame(130.0) == 131.0
    seated.put(away={3: 120.0}, not_come=frozenset({3}))
    assert waits.strip_text(130.0, 40)[0].endswith(" not here yet")
    peer.waiting = (3,)
    waits.refresh()
    assert waits.sentences(130.0) == ["日本の友達 4f2a is not here yet."], "who is waited for is not named twice"
    seated.put(not_come=frozenset())

    seated.put(away={})
    peer.waiting = (0,)
    peer.story = ((None, None),)
    waits.refresh()
    assert waits.strip_text(131.0, 40) == ("waiting for you", "money")
    assert waits.strip_text(131.0, 40, done=True) == ("", "soft"), "only the program has something left to do"
    assert waits.next_frame(131.0) is None
    peer.waiting = ()
    waits.refresh()
    assert waits.strip_text(131.0, 40) == ("", "soft")
    assert waits.sentences(131.0) == ["Not waiting for anyone."]


VERDICTS = {
    "fair": ((), "Signed by ana, farid and 日本の友達 4f2a. carla of a very"),
    "incomplete": ((3,), "Not signed by 日本の友達 4f2a."),
}


@pytest.mark.parametrize("code", VERDICTS)
def test_the_dossier_of_four_says_the_places_who_signed_and_whose_audit_is_absent(code: str) -> None:
    seats, said = VERDICTS[code]
    names = ("ana", "farid", "日本の友達 4f2a", "carla of a very long name")
    verdict = SimpleNamespace(code=code, seats=seats, reason="an audit is absent", envelopes=412, names=names, left=())
    result = Result((2, 1, 4, 3), ((7,), (12,), (0,), (3,)), "the cards are played")
    seated = playing((2,), phase="done", verdict=verdict)
    peer: Any = seated.peer
    peer.result = result

    async def test(app: App, services: PretendServices) -> None:
        app.push(DossierScreen(app, seated, SimpleNamespace(counts=False, leave=lambda: None), None))
        text = shown(app, 120, 40)
        assert said in text
        assert text.index("1. ■ farid 12") < text.index("2. ▲ ana 7") < text.index("3. ◆") < text.index("4. ●")
        everywhere(app, "farid has won: the cards are played.", "igned", "resigned before the end.")
        counted = "2 of 4 players signed. 1 resigned before the end. 1 did not sign."
        assert (counted in shown(app)) == (code == "incomplete")

    at(table(), test)


def test_whoever_left_reads_nothing_of_who_has_not_signed() -> None:
    names = ("ana", "farid", "日本の友達 4f2a", "carla of a very long name")
    verdict = SimpleNamespace(code="incomplete", seats=(1, 2, 3), reason="x", envelopes=9, names=names, left=((0, ""),))

    async def test(app: App, services: PretendServices) -> None:
        seated = playing((0,), phase="done", verdict=verdict)
        app.push(DossierScreen(app, seated, SimpleNamespace(counts=False, leave=lambda: None), None))
        text = shown(app, 120, 40)
        assert "ana resigned before the end." in text
        assert "igned by" not in text

    at(table(), test)
