"""A game that a resignation ends, as those who stay see it on the board, whatever they were about to choose."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.playback import LATE
from kimberley.client.boards.standings import resignation
from kimberley.client.ui.canvas import Canvas
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import Answer, Ask, Result, State, SupportsLeave
from kimberley.p2p.table.common_options import UNTIL_DONE
from tests.support.angola import LOOK, MEETING, TOLD
from tests.support.diamond_player import Player as DiamondPlayer
from tests.support.diamond_table import DiamondTable
from tests.support.effort import each_once
from tests.support.land_player import Player as LandPlayer
from tests.support.land_table import LandTable
from tests.support.mine import position
from tests.support.mine_player import Player as MinePlayer
from tests.support.mine_table import MineTable
from tests.support.piecepack import table
from tests.support.piecepack_player import Player as PiecepackPlayer
from tests.support.piecepack_table import PiecepackTable
from tests.support.pretend import PretendTable
from tests.support.trust_player import CROWD, meeting, moved
from tests.support.trust_player import Player as TrustPlayer


class AtScreen(Protocol):
    """A player of any game at its screen."""

    ui: Any
    screen: GameScreen
    table: Any

    def canvas(self) -> Canvas: ...

    def text(self) -> str: ...


@dataclass
class Ended:
    """What a seat knows of a game that a resignation has ended in the middle of a step."""

    first_state: State
    state: State
    story: tuple[tuple[Ask, Answer], ...]
    result: Result
    asked = None
    waiting: tuple[int, ...] = ()
    owed = None


def resign(player: AtScreen, seat: int) -> None:
    """Lets a seat of two resign, as the protocol judges it."""
    at: PretendTable = player.table
    peer = at.peer
    assert peer is not None
    after = peer.state.leave(seat) if isinstance(peer.state, SupportsLeave) else peer.state
    ask = after.ask()
    result = ask if isinstance(ask, Result) else at.game.resignation_result(peer.state, (seat,))
    player.table.put(peer=Ended(peer.first_state, peer.state, peer.story, result))
    at.change(None)


def test_who_reads_where_the_playback_stops_is_told_that_the_game_is_over() -> None:
    player = moved()
    player.catch_up_to_card()
    resign(player, 1)
    assert "This month" in player.text()
    assert player.ui.toasts[-1:] == ["ben resigned."]


def test_who_resigns_where_the_playback_stops_sees_the_end_at_once() -> None:
    player = moved()
    player.catch_up_to_card()
    assert "This month" in player.text()
    assert "months left" in player.text()
    resign(player, 0)
    assert "This month" not in player.text()
    end(player)
    assert "THE END  ben wins: you resigned." in player.text()
    assert "months left" not in player.text()


def watching() -> LandPlayer:
    """Returns a player who is shown the other's turn, in a game in which no playback stops."""
    player = LandPlayer(LandTable(2, dice=[(0, 0)], replies=lambda _: ()), calm=False)
    player.canvas()
    player.ui.time += 60
    player.press("d")
    assert player.screen.playback.playing(player.ui.time)
    return player


def test_who_is_shown_what_was_before_is_told_at_once_that_the_game_is_over() -> None:
    player = watching()
    resign(player, 1)
    assert player.ui.toasts[-1:] == ["ben resigned."]
    player = watching()
    resign(player, 0)
    player.canvas()
    player.ui.time += LATE
    assert "THE END  ben has won: you resigned." in player.text()


def test_the_end_of_the_land_game_shows_the_turn_in_which_somebody_resigned() -> None:
    player = LandPlayer(LandTable(2, dice=[(0, 0), (1, 1), (2, 2)], replies=lambda _: ()))
    player.press("d")
    head, sector = player.lines()[0], next(line for line in player.lines() if "Sector" in line)
    assert "round 2" in head
    resign(player, 0)
    end(player)
    assert player.lines()[0] == head
    assert sector.partition("Sector")[2] in player.text()


def trust(keys: str, **more: Any) -> TrustPlayer:
    """Returns a player of Diamond Trust who has pressed keys; the other side is slow."""
    mine = more.pop("mine", {})
    player = TrustPlayer(mine, slow=True, **more)
    player.press(keys)
    return player


def told(keys: str, **more: Any) -> TrustPlayer:
    """Returns a player who may adjust a plan, and has pressed keys."""
    player = meeting(mine=LOOK, theirs=TOLD, **more)
    player.press(keys)
    return player


def mine(keys: str) -> MinePlayer:
    """Returns a player of Diamond Mine who is to play a card, and has pressed keys; the other is slow."""
    player = MinePlayer(MineTable(state=position(2, veins="d6 b4", pawns="d4 g7"), slow=True))
    if keys:
        player.press(keys)
    return player


def piecepack_waits() -> PiecepackPlayer:
    """Returns a player of the piecepack game while the other acts."""
    state = table(["S2 C3 H1", "H2 P1"], suits="SM", turn=1)
    return PiecepackPlayer(PiecepackTable(state, slow=True))


def end(player: AtScreen) -> None:
    """Looks at the board until the end has been shown for long enough."""
    player.canvas()
    player.ui.time += 60
    player.canvas()
    player.ui.time += LATE


def touch_continue(player: AtScreen) -> None:
    """Clicks on the button that leads on from the end."""
    canvas = player.canvas()
    ((row, line),) = [each for each in enumerate(canvas.lines()) if "Continue Enter" in each[1]]
    action = canvas.touched(line.index("Continue Enter"), row)
    assert isinstance(action, str)
    assert player.screen.key(action.removeprefix("key:"))


PAID = {(1, RoundStep.PAY): (0, 0, 0)}
MOVED = {**MEETING, **CROWD}
SELLS = {each: choice for each, choice in MOVED.items() if each[1] not in (RoundStep.SALE_PLAN, RoundStep.SALE)}
HELD: dict[str, Callable[[], AtScreen]] = {
    "trust pays": lambda: trust("1 2 enter"),
    "trust has paid": lambda: trust("1 2 enter d yes"),
    "trust plans": lambda: trust("1 right right", mine=PAID),
    "trust has planned": lambda: trust("1 right right enter 6 enter d yes", mine=PAID),
    "trust looks at an agent": lambda: trust("1 right right enter 6 enter d yes 1", mine=PAID),
    "trust adjusts": lambda: told("3 enter 1 enter"),
    "trust has adjusted": lambda: told("3 enter 1 enter d"),
    "trust adjusts until done": lambda: told("3 enter 1 enter d", times=UNTIL_DONE),
    "trust sells": lambda: trust("1", mine=SELLS),
    "trust has sold": lambda: trust("1 d", mine=SELLS),
    "mine chooses a card": lambda: mine(""),
    "mine has played a card": lambda: mine("2 enter"),
    "piecepack acts": lambda: PiecepackPlayer(PiecepackTable(table(["S2 C3 H1", "H2 P1"], suits="SM"))),
    "piecepack waits": piecepack_waits,
    "land deals": lambda: LandPlayer(LandTable(2)),
    "land waits": lambda: LandPlayer(LandTable(2, first=1, held=True)),
    "diamond places": lambda: DiamondPlayer(DiamondTable()),
    "diamond waits": lambda: DiamondPlayer(DiamondTable(first=1)),
}
"""Players in the middle of a game of two: what they were doing when the other resigned."""


@pytest.mark.parametrize(("held", "by"), each_once(HELD, ["key", "button"]))
def test_who_stays_goes_on_from_the_end_whatever_was_to_be_chosen(held: str, by: str) -> None:
    player = HELD[held]()
    resign(player, 1)
    end(player)
    if by == "key":
        assert player.screen.key("enter")
    else:
        touch_continue(player)
    assert not player.screen.busy(player.ui.time)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("trust has paid", "You win: ben resigned."),
        ("mine has played a card", "You have won: ben resigned."),
        ("piecepack waits", "You have won: ben resigned."),
        ("land waits", "You have won: ben resigned."),
        ("diamond places", "You win: ben resigned."),
    ],
)
def test_the_end_says_who_has_won_and_who_resigned(held: str, said: str) -> None:
    player = HELD[held]()
    resign(player, 1)
    end(player)
    assert f"THE END  {said}" in player.text()


TO_COME = re.compile(
    "game ends when|[Yy]our turn|’s turn|to (place|move)[.]|[Ll]eft to place|would sell|(last one|left)[.]$"
)
"""What is said only of a game that goes on."""


@pytest.mark.parametrize("held", HELD)
def test_the_last_position_in_words_says_nothing_of_what_could_follow(held: str) -> None:
    player = HELD[held]()
    timeline = player.screen.timeline
    before = timeline.describe()
    assert any(map(TO_COME.search, before))
    resign(player, 1)
    player.canvas()
    assert timeline.result is not None
    seen = [*timeline.describe(), *timeline.game.describe_end(timeline.latest, timeline.names, None)]
    assert seen
    assert not [line for line in seen if TO_COME.search(line)]
    assert timeline.describe_end() == timeline.describe()


def test_the_card_of_a_game_that_ended_before_the_first_sale_names_no_goal() -> None:
    player = trust("")
    assert "nine months wins" in player.text()
    resign(player, 1)
    end(player)
    assert "THE END" in player.text()
    assert "nine months wins" not in player.text()


def test_the_panel_of_a_game_that_ended_before_the_first_move_names_no_goal() -> None:
    player = HELD["diamond places"]()
    assert "Goal" in player.text()
    resign(player, 1)
    end(player)
    assert "Goal" not in player.text()


def test_the_end_says_who_resigned_before_the_last_one() -> None:
    before = table(["S2 C3 H1", "H2 P1", "C2"], suits="SMP", turn=1)
    player = PiecepackPlayer(PiecepackTable(before.leave(2), slow=True))
    resign(player, 1)
    end(player)
    assert "THE END  You have won: ben and carla resigned." in player.text()


def test_the_end_says_once_who_resigned_at_the_same_time() -> None:
    player = PiecepackPlayer(PiecepackTable(table(["S2 C3 H1", "H2 P1", "C2"], suits="SMP"), slow=True))
    player.table.leaves(1)
    player.table.leaves(2)
    assert player.lines()[1].count("resigned") == 1
    assert " THE END  You have won: ben and carla resigned." in player.lines()[1]


def test_of_a_crowd_that_resigned_nobody_is_named() -> None:
    state = table(["S2", "H2", "C2", "P2"], suits="SMPC")
    result = Result((1, 2, 2, 2), ((0,),) * 4, "")
    names = ("ana", "ben", "carla", "dmitri")
    assert resignation(state, range(4), result, names, 0) == "You have won: the others resigned."
    assert resignation(state, range(4), result, names, 1) == "ana has won: you, carla and dmitri resigned."
    assert resignation(state, range(4), result, names, 2) == "ana has won: you, ben and dmitri resigned."


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("trust has paid", "ben wins: you resigned."),
        ("mine has played a card", "ben has won: you resigned."),
        ("piecepack waits", "ben has won: you resigned."),
        ("land waits", "ben has won: you resigned."),
        ("diamond places", "ben wins: you resigned."),
    ],
)
def test_who_resigned_is_told_so(held: str, said: str) -> None:
    player = HELD[held]()
    resign(player, 0)
    end(player)
    assert f"THE END  {said}" in player.text()
