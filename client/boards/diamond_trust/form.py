"""The form of one phase: the choice as it stands, and what keys and clicks do to it.

A form knows nothing of terminals or tables: it is made from a state, it answers keys and clicks, and the screen asks it
what to draw. Its choice counts when it is done; until then everything can be changed and undone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.diamond_trust.map_geometry import angola
from kimberley.client.boards.diamond_trust.scene import Scene, badge
from kimberley.client.ui.widgets import Hint
from kimberley.games.diamond_trust.angola import AGENTS, HOME
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain

Agent = tuple[int, int]
"""(seat, agent)"""

DIGITS: Final = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Stepper:
    """A number being set: `sign` stands before it, `notes` below it say what it leads to."""

    title: str
    amount: int
    most: int
    sign: str
    notes: tuple[str, ...]


class Number:
    """A number typed by digits, arrows or the wheel, from 0 to `most`."""

    def __init__(self, amount: int, most: int) -> None:
        self.amount = min(amount, most)
        self.most = most
        self._typing = False

    def step(self, by: int) -> None:
        self._typing = False
        self.amount = max(0, min(self.most, self.amount + by))

    def key(self, name: str) -> bool:
        """Answers a key; False if it is none for a number."""
        match name:
            case "right" | "up" | "+":
                self.step(1)
            case "left" | "down" | "-":
                self.step(-1)
            case "pageup":
                self.step(5)
            case "pagedown":
                self.step(-5)
            case "home":
                self.step(-self.most)
            case "end":
                self.step(self.most)
            case "backspace":
                self.amount //= 10
                self._typing = True
            case _ if name in DIGITS:
                typed = self.amount * 10 + int(name) if self._typing else int(name)
                # What would be too much begins anew: "3" after "2" of a most of 9 is 3.
                self.amount = min(typed if typed <= self.most else int(name), self.most)
                self._typing = True
            case _:
                return False
        return True


class TrustForm:
    """The base of all forms: an undo history, the agent that is looked at, and the keys that all have in common.

    A `locked` form is that of a choice that was made: it still shows the choice, and agents can be looked at.
    """

    title: str = ""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.locked = False
        self.looked_at: Agent | None = None
        self.looking_at_inspector = False
        self._history: list[object] = []

    # -- what it chooses -------------------------------------------------------------------------------------------

    def choice(self) -> Plain:
        """The choice as it stands."""
        raise NotImplementedError

    def question(self) -> str | None:
        """What to ask before an odd choice is sealed; None where it is not odd."""
        return None

    def cash(self) -> int:
        """The cash of this side before the choice, in dollars."""
        cash = self.state.cash(self.seat)
        assert isinstance(cash, int), "a seat knows its own cash"
        return cash

    def cost(self) -> int:
        """What the choice costs as it stands, in dollars."""
        return 0

    def spent(self) -> str:
        """A word beside the balance about what the choice costs, if anything."""
        return ""

    # -- what it shows -----------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        """What to do now, in one sentence of at most `room` columns where possible."""
        raise NotImplementedError

    def hints(self) -> list[Hint]:
        """The most useful keys."""
        raise NotImplementedError

    def stepper(self) -> Stepper | None:
        """The number that is being set."""
        return None

    def payable(self) -> frozenset[Agent]:
        """The agents that wave."""
        return frozenset()

    def focus(self) -> int | None:
        """The place under the cursor: a region, or HOME plus a seat."""
        return None

    def decorate(self, scene: Scene) -> Scene:
        """The map, with notes of what is chosen so far."""
        return scene

    def now_paid(self, agent: Agent) -> int:
        """What the player is about to pay an agent, in dollars."""
        del agent
        return 0

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        """Answers a key. The screen answers the keys for done, undo and help."""
        raise NotImplementedError

    def click(self, action: Hashable) -> bool:
        """Answers a click on the map, on the stepper ("less", "more", "set") or on an agent."""
        match action:
            case ("agent", int(seat), int(agent)):
                self.look(seat, agent)
                return True
            case ("inspector",):
                self.looked_at, self.looking_at_inspector = None, True
                return True
            case _:
                return False

    def wheel(self, steps: int) -> bool:
        """Answers the wheel, one notch down at +1."""
        del steps
        return False

    def undo(self) -> bool:
        """Takes back the last thing set. False if there is nothing to take back."""
        if self.locked or not self._history:
            return False
        self._restore(self._history.pop())
        return True

    def undoable(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._history) and not self.locked

    def look(self, seat: int, agent: int) -> None:
        """Shows an agent on the card."""
        self.looked_at, self.looking_at_inspector = (seat, agent), False

    def cycle(self, agents: Sequence[Agent], by: int) -> Agent | None:
        """The next of some agents after the one that is looked at."""
        if not agents:
            return None
        if self.looked_at in agents:
            return agents[(agents.index(self.looked_at) + by) % len(agents)]
        return agents[0 if by > 0 else -1]

    def _remember(self, snapshot: object) -> None:
        if not self._history or self._history[-1] != snapshot:
            self._history.append(snapshot)

    def _restore(self, snapshot: object) -> None:
        raise NotImplementedError


def all_agents(seat: int) -> list[Agent]:
    """Every agent, the seat's own first."""
    return [(side, agent) for side in (seat, 1 - seat) for agent in range(AGENTS)]


def marks(agents: Iterable[Agent]) -> str:
    """Badges in a sentence: "[1], [2] and (3)"."""
    names = [badge(seat, agent) for seat, agent in agents]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _center(place: int) -> tuple[float, float]:
    """About where a place lies, in units of the drawing; HOME + seat is that side's city."""
    if place >= HOME:
        return (-15.0, 10.0) if place == HOME else (110.0, 10.0)
    corners = angola().regions[place]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


_WAYS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def neighbor(start: int, way: str, among: Iterable[int]) -> int:
    """The place that an arrow key leads to from `start`: the nearest that lies in that direction, else `start`."""
    dx, dy = _WAYS[way]
    x0, y0 = _center(start)
    best, least = start, float("inf")
    for place in among:
        x, y = _center(place)
        along, aside = (x - x0) * dx + (y - y0) * dy, abs((x - x0) * dy) + abs((y - y0) * dx)
        if place != start and along > 0 and along + 1.5 * aside < least:
            best, least = place, along + 1.5 * aside
    return best
