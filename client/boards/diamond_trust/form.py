"""The base of all forms. A choice counts when it is done; until then everything can be changed and undone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from kimberley.client.boards.diamond_trust.map_geometry import angola
from kimberley.client.boards.diamond_trust.phrases import WAIT_HIDES, spoken
from kimberley.client.boards.diamond_trust.scene import Scene, badge
from kimberley.client.boards.form import (
    ASKED_LAST,
    NOTHING_TO_UNDO,
    Clickable,
    Command,
    Form,
    FormContext,
    Reply,
)
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import nearest
from kimberley.client.ui.keys import Hint
from kimberley.games.diamond_trust.angola import AGENTS, HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain, evolve
from kimberley.p2p.sentences.notices import not_possible
from kimberley.p2p.table.common_options import AdjustTimes, adjust_times

Agent = tuple[int, int]
"""(seat, agent)"""

ARROWS: Final = ("left", "right", "up", "down")
BACKWARD: Final = frozenset({"left", "up", "s-tab"})
"""The keys that lead to the previous agent, where arrows lead through the agents."""
DIGITS: Final = tuple("0123456789")
STEPS: Final = {"right": 1, "left": -1, "up": 1, "down": -1, "+": 1, "-": -1, "pageup": 5, "pagedown": -5}
"""By how much a key changes a number."""
EDITS: Final = (*STEPS, "home", "end", "backspace")
"""The keys that change a number, except digits."""
LESS: Final[Action] = ("less",)
MORE: Final[Action] = ("more",)
SET: Final[Action] = ("set",)
"""What the arrows and the tick of the stepper mean."""
DONE: Final = Hint("d", "done", primary=True)
EQUAL_WAIT: Final = "Both sides wait the same time."
ASKED_TWICE: Final = "You will be asked this at most twice a game."
PRESS_DONE: Final = "Press d when you are done"
SELECT_OR_DONE: Final = "Select an agent, or press d when you are done"
NOT_LESS: Final = "Less than 0 is not possible"
SEEMS_TO_ADJUST: Final = "Done. Please wait."


class AgentAt(NamedTuple):
    """An agent of a seat, at the place where it is, or is sent."""

    seat: int
    agent: int
    place: int


@dataclass(frozen=True, slots=True)
class Stepper:
    """A number being set: `sign` stands before it, `notes` below it say what it leads to. It is shown beside an agent,
    if it is about one. `short` says in one line what the last two notes say together, if neither can stand alone.
    """

    title: str
    amount: int
    most: int
    sign: str
    notes: tuple[str, ...]
    beside: AgentAt | None = None
    short: str = ""


class Number:
    """A number typed by digits, arrows or the wheel, from 0 to `most`."""

    def __init__(self, amount: int, most: int) -> None:
        self.amount = min(amount, most)
        self.most = most
        self.exceeded = self.fell_short = False
        """Whether the last change asked for more than `most`, or for less than 0."""
        self._typing = False

    def step(self, by: int) -> None:
        self._typing = False
        self.exceeded, self.fell_short = by > 0 and self.amount == self.most, by < 0 and not self.amount
        self.amount = max(0, min(self.most, self.amount + by))

    def set(self, amount: int) -> None:
        self.step(amount - self.amount)

    def key(self, name: str) -> None:
        """Handles one of the keys that change a number."""
        self.exceeded = self.fell_short = False
        match name:
            case _ if name in STEPS:
                self.step(STEPS[name])
            case "home":
                self.step(-self.most)
            case "end":
                self.step(self.most)
            case "backspace":
                self.amount //= 10
                self._typing = True
            case _:
                # Where no number of two digits is possible, another digit is another number.
                more = self._typing and (self.most > 9 or int(name) > self.most)
                typed = self.amount * 10 + int(name) if more else int(name)
                self.exceeded = typed > self.most
                self.amount = min(typed, self.most)
                self._typing = not self.exceeded


@dataclass(slots=True)
class Selection:
    """The agent, or the Inspector, whose card is open; and why the player was asked "Done?" in this game."""

    agent: Agent | None = None
    inspector: bool = False
    asked: set[str] = field(default_factory=set)

    def look_at(self, agent: Agent) -> None:
        self.agent, self.inspector = agent, False

    def toggle(self, agent: Agent) -> None:
        """Opens the card of an agent, or closes it."""
        if self.agent == agent:
            self.clear()
        else:
            self.look_at(agent)

    def toggle_inspector(self) -> None:
        """Opens the Inspector's card, or closes it."""
        self.agent, self.inspector = None, not self.inspector

    @property
    def is_open(self) -> bool:
        """Returns whether a card is open."""
        return self.agent is not None or self.inspector

    def clear(self) -> bool:
        """Closes the card. Returns False if none was open."""
        was_open = self.is_open
        self.agent, self.inspector = None, False
        return was_open

    def next(self, agents: Sequence[Agent], by: int) -> Agent:
        """Returns the next of some agents after the one whose card is open."""
        if self.agent in agents:
            return agents[(agents.index(self.agent) + by) % len(agents)]
        return agents[0 if by > 0 else -1]


class TrustForm(Form[State]):
    """The base of all forms: done, an undo history, the selected agent, and the keys that all have in common.

    A sealed form still shows the choice, and agents can be looked at.
    """

    steps: frozenset[RoundStep] = frozenset()
    """The steps in which the form stays on the screen after its choice was made."""
    bound = False
    """Whether the choice may only be looked at."""
    enter_refused = PRESS_DONE
    locked_in, locked_in_short = "Locked in. Hidden until both are done.", "Locked in until both are done."
    """What a player who is done before the other side reads."""

    def __init__(self, context: FormContext[State], selection: Selection) -> None:
        super().__init__(context)
        self.selection = selection
        selection.clear()
        self._history: list[object] = []
        self.late = False
        """Whether the quiet time is over: a player who is done now may have been told something. Also true if nobody
        learns anything from the time.
        """

    def stays(self, state: State) -> bool:
        return state.step in self.steps

    # -- what it chooses -------------------------------------------------------------------------------------------

    @abstractmethod
    def choice(self) -> Plain:
        """Returns the choice as it stands."""

    alike: frozenset[str] = frozenset()
    """Reasons that are told in the same words: each is asked about once."""

    def oddities(self) -> dict[str, str]:
        """Says what is odd about the choice, by reason."""
        return {}

    def question(self) -> str | None:
        """Says what to ask before an odd choice is sealed, for each reason once a game; None if there is nothing."""
        asked = self.selection.asked
        return " ".join(text for why, text in self.oddities().items() if text and why not in asked) or None

    def _ask_once(self) -> str | None:
        """Returns what `question` does, and notes its reasons: the player is not asked for these again."""
        question = self.question()
        self.selection.asked |= self.oddities().keys()
        return question

    @property
    def timed(self) -> bool:
        """Returns whether a clock ends the choice: then every change counts at once."""
        return False

    @property
    def fixed(self) -> bool:
        """Returns whether nothing can be changed: the choice was handed in, or may only be looked at."""
        return self.sealed or self.bound

    @property
    def only_waits(self) -> bool:
        """Returns whether there is nothing to choose, and no Done to press: the program answers when it is time."""
        return self.timed and self.bound

    @property
    def tells_end(self) -> bool:
        """Returns whether the player reads that the time is over: not where there was nothing to choose, and the
        program may have answered long ago.
        """
        return self.timed and (self.times.fixed or not self.bound)

    @property
    def just_done(self) -> str:
        """Says what to do where nothing else can be done."""
        return self.worded("Press d when done.", "Tap Done.")

    @property
    def all_set(self) -> str:
        """Says that the choice is complete."""
        return f"All set. {self.worded('Press d for', 'Then')} Done."

    def while_waiting(self, why: str, room: int, short: str = "", *, hides: bool = True) -> str:
        """Returns `why`, or the same in `short`, and how long to wait, for a player who can choose nothing; else `why`,
        and that the wait `hides` it, if there is room.
        """
        reasons = tuple(f"{reason} {self.wait_words}" for reason in (why, short) if reason)
        texts = (*reasons, *([f"{why} The wait hides that."] if hides else []))
        return next((text for text in texts if len(text) <= room), why)

    @property
    def wait_words(self) -> str:
        """Says how long the time to adjust lasts, to a player who can choose nothing."""
        return EQUAL_WAIT if self.times.fixed else "Please wait."

    @property
    def why_waiting(self) -> str:
        """Says, to a player who can choose nothing or is done, that the time to adjust may last longer than anybody
        needs it; "" where it cannot.
        """
        waits = self.timed and (self.bound or self.sealed)
        return WAIT_HIDES if waits and not self.times.fixed else ""

    def while_choosing(self, what: str, room: int, *, reason: bool = False) -> str:
        """Returns `what`, and when to be done, for a player who may choose in the time to adjust. If `what` gives a
        `reason`, it is always said.
        """
        quiet = self.times.quiet
        hidden = f"After {quiet} s, your opponent can guess you got a report."
        early = "Then Done." if self.late or not self.timed else hidden
        pace = "Equal time for both." if self.times.fixed else early
        if len(text := f"{what} {pace}") <= room:
            return text
        if not reason:
            return pace if self.timed and not self.late else what
        short = f"{what} Decide in {quiet} s to hide that."
        return short if pace is hidden and len(short) <= room else what

    @property
    def cash(self) -> int:
        """The cash of this side before the choice, in dollars."""
        cash = self.state.cash(self.seat)
        assert isinstance(cash, int), "a seat knows its own cash"
        return cash

    def cost(self) -> int:
        """Returns what the choice costs as it stands, in dollars."""
        return 0

    def spent(self) -> str:
        """Returns a word beside the balance about what the choice costs, if anything."""
        return ""

    @property
    def times(self) -> AdjustTimes:
        """Returns how long plans can be adjusted at this table."""
        return adjust_times(self.context.options)

    # -- what it shows -----------------------------------------------------------------------------------------------

    def stepper(self) -> Stepper | None:
        """Returns the number that is being set."""
        return None

    def payable(self) -> frozenset[Agent]:
        """Returns the agents that wave."""
        return frozenset()

    def focus(self) -> int | None:
        """Returns the place under the cursor: a region, or HOME plus a seat."""
        return None

    def decorate(self, scene: Scene) -> Scene:
        """Returns the map, with notes of what is chosen so far."""
        return scene

    def now_paid(self, agent: Agent) -> int:
        """Returns what the player is about to pay an agent, in dollars."""
        del agent
        return 0

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        number = [] if self.open_number() is None else [Command(EDITS, self.type_number)]
        card = [Command(("esc",), lambda _: self.selection.clear())] if self.selection.is_open else []
        shown = Button("Undo", "u", fill="line") if self.undoable() else None
        undo = [] if self.fixed else [Command(("u",), lambda _: self.undo(), button=shown)]
        waits = self.sealed or self.only_waits
        enter = [] if waits else [Command(("enter",), lambda _: self.refuse(self.enter_refused))]
        return [*number, *card, *self.done_commands(None), *undo, *enter]

    def number_commands(self, label: str) -> list[Command]:
        """Returns the keys for the number that is being set, if there is one."""
        if self.open_number() is None:
            return []
        return [
            Command(ARROWS, self.type_number, Hint("← →", label, MORE)),
            Command(DIGITS, self.type_number, Hint("0-9", "type it", ("noop",))),
        ]

    def tab_command(self, label: str, *further: str) -> Command:
        """Returns the keys that lead from agent to agent: Tab, and `further` ones."""
        return Command(("tab", "s-tab", *further), self._pick_next, Hint("Tab", label))

    def undo_commands(self, label: str = "undo") -> list[Command]:
        """Returns the key for undo, where there is something to undo."""
        return [Command(("u",), lambda _: self.undo(), Hint("u", label))] if self.undoable() else []

    def done_commands(self, hint: Hint | None = DONE) -> list[Command]:
        """Returns the key that ends the choice, where the player ends it."""
        shown = Button("Done", "d", primary=True)
        return [] if self.sealed or self.only_waits else [Command(("d",), lambda _: self._done(), hint, shown)]

    def clickables(self) -> Sequence[Clickable]:
        arrows = [] if self.open_number() is None else [(LESS, "left"), (MORE, "right")]
        return [
            *(Clickable(action, partial(self.type_number, key)) for action, key in arrows),
            Clickable(("inspector",), self.selection.toggle_inspector),
        ]

    def key(self, name: str) -> bool:
        return self._tell_table(super().key(name))

    def click(self, action: Action) -> bool:
        return self._tell_table(super().click(action) or self.on_map(action))

    def wheel(self, action: Action | None, steps: int) -> bool:
        del action
        if self.sealed or self.open_number() is None:
            return False
        self.type_number("left" if steps > 0 else "right")
        return self._tell_table(True)

    def _tell_table(self, handled: bool) -> bool:
        """Tells the table the choice as it stands, if a clock ends it and an input was `handled`. Returns `handled`."""
        if handled and self.timed and not self.sealed:
            self.context.stand(self.choice())
        return handled

    def refuse(self, why: str) -> None:
        """Says why a key or click does nothing."""
        self.refusal = why

    def on_map(self, action: Action) -> bool:
        """Handles a click on a region, on an agent or on what is noted about one. Returns False if it means nothing."""
        match action:
            case ("region", int(region)):
                return self.on_region(region)
            case ("agent", int(seat), int(agent)):
                self.on_agent((seat, agent))
            case ("tag", int(seat), int(agent), int(place)):
                self.on_tag((seat, agent), place)
            case _:
                return False
        return True

    def on_tag(self, agent: Agent, place: int) -> None:
        """Handles a click on what is noted at a place about an agent."""
        del place
        self.on_agent(agent)

    def on_agent(self, agent: Agent) -> None:
        """Handles a click on an agent."""
        self.selection.toggle(agent)

    def on_region(self, region: int) -> bool:
        """Handles a click on a region. Returns False if it has no meaning here."""
        del region
        if self.sealed or not self.no_region:
            return False
        self.refuse(self.no_region)
        return True

    @property
    def no_region(self) -> str:
        """Says why no region can be chosen; empty where one can."""
        return ""

    def place_of(self, agent: Agent) -> int:
        """Returns the region where an agent of either side is, or HOME."""
        seat, number = agent
        return self.state.agents[seat][number].at

    def tour(self) -> list[Agent]:
        """Returns the agents that Tab leads through."""
        return all_agents(self.seat)

    def pick(self, agent: Agent) -> None:
        """Selects an agent."""
        self.selection.look_at(agent)

    def _pick_next(self, key: str) -> None:
        self.pick(self.selection.next(self.tour(), -1 if key in BACKWARD else 1))

    def open_number(self) -> Number | None:
        """Returns the number that keys, arrows and the wheel change now."""
        return None

    def type_number(self, key: str) -> None:
        """Changes, by a key, the number that is being set. If it did not change, says why."""
        number = self.open_number()
        assert number is not None, "its keys are commands only where there is one"
        number.key(key)
        if number.exceeded:
            self.refuse(self.too_much())
        elif number.fell_short:
            self.refuse(NOT_LESS)

    def too_much(self) -> str:
        """Says why the number that is being set cannot be larger."""
        return ""

    def _done(self) -> None:
        still = self.alike - self.selection.asked
        question = self._ask_once()
        if question is None:
            self.context.send(self.choice())
        else:
            again = still != self.alike - self.selection.asked != frozenset()
            once = f"{question} {ASKED_TWICE if again else ASKED_LAST}"
            self.context.confirm("Done?", once, "Finish", "Go back", lambda: self.context.send(self.choice()))

    def undo(self) -> bool:
        """Takes back the last thing set. Returns False if there is nothing to take back."""
        if self.sealed or not self._history:
            return False
        self._restore(self._history.pop())
        return True

    def undoable(self) -> bool:
        """Returns whether there is something to take back."""
        return bool(self._history) and not self.sealed

    def _remember(self, snapshot: object) -> None:
        if not self._history or self._history[-1] != snapshot:
            self._history.append(snapshot)

    @abstractmethod
    def _restore(self, snapshot: object) -> None:
        """Goes back to what was remembered."""

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def so_far(self) -> list[str]:
        begins = "Locked in:" if self.fixed else "So far,"
        return [f"{begins} {self.in_words()}."] if self.fixed or self.begun else []

    @property
    def begun(self) -> bool:
        """Returns whether the player has chosen anything yet."""
        return bool(self._history)

    @abstractmethod
    def in_words(self) -> str:
        """Says what the choice is as it stands, as a clause: "you sell 2 diamonds"."""

    def order_so_far(self, agent: int) -> str:
        """Says what the choice as it stands tells one of the player's agents to do; empty if nothing."""
        del agent
        return ""

    def type(self, text: str) -> Reply:
        words = text.lower().replace(",", " ").replace("$", "").split()
        if words == ["done"]:
            return self._type_done()
        if words == ["undo"]:
            undone = self.undo()
            while self.undo():
                pass
            self._tell_table(True)
            return Reply(("All undone." if undone else NOTHING_TO_UNDO,))
        reply = self.type_words(words)
        self._tell_table(True)
        return Reply((reply,))

    @abstractmethod
    def type_words(self, words: Sequence[str]) -> str:
        """Reads a part of the choice. Says what it means, or what to type."""

    def _type_done(self) -> Reply:
        reason = self.context.space.violation(self.choice())
        if reason is not None:
            return Reply((not_possible(reason),))
        question = self._ask_once()
        if question is not None:
            return Reply((spoken(question, self.seat), "To confirm, type done again."))
        return Reply(("Done.",), self.choice(), True)


def spending(state: State, seat: int, cost: int) -> State:
    """Returns a state with what a choice costs a seat taken off its cash."""
    return evolve(state, limit=tuple(limit - cost * (side == seat) for side, limit in enumerate(state.limit)))


def all_agents(seat: int) -> list[Agent]:
    """Returns every agent, the seat's own first."""
    return [(side, agent) for side in (seat, 1 - seat) for agent in range(AGENTS)]


def marks(agents: Iterable[Agent], last: str = "and") -> str:
    """Returns badges in a sentence: "[1], [2] and (3)". `last` stands before the last one."""
    return join_names([badge(seat, agent) for seat, agent in agents], last)


def _center(place: int) -> tuple[float, float]:
    """Returns about where a place lies, in units of the drawing; HOME + seat is that side's city."""
    if place >= HOME:
        return (-15.0, 10.0) if place == HOME else (110.0, 10.0)
    corners = angola().regions[place]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def neighbor(start: int, way: str, among: Iterable[int]) -> int:
    """Returns the place that an arrow key leads to from `start`: the nearest in that direction, else `start`."""
    here, places = _center(start), [(place, *_center(place)) for place in among]
    # Of two regions, the one that lies more nearly in this direction is meant, even if it is farther away.
    straight = nearest(here, way, places, narrow=0.99) if start < HOME else None
    target = straight if straight is not None else nearest(here, way, places, narrow=0.5)
    return start if target is None else target
