"""The form of a turn: parcels are marked, bought, sold and priced, by keys, clicks or typing, until it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.form import Form, FormContext, Reply
from kimberley.client.boards.land.phrases import faces_named, money, place, round_of, times
from kimberley.client.boards.land.price_entry import TYPED, PriceEntry, priced
from kimberley.client.boards.land.reach import affordable, first_look, governments, reaching
from kimberley.client.boards.land.turn_draft import TurnDraft
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.hints import Hint
from kimberley.client.ui.screen import MenuItem
from kimberley.games.land.accounts import connected, explain_opening, tax_of
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, DealDraft, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import REVENUE_PARTS, amount
from kimberley.games.land.notation import DealNotationError, parse_deals
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import evolve
from kimberley.p2p.sentences.notices import as_sentence, count_of, not_possible

NOTHING_TO_UNDO: Final = "Nothing to undo."
DONE: Final = {BUY: "Bought", SELL: "Sold", PRICE: "Priced"}
WHY_BUY: Final = f"Connected land earns {100 // REVENUE_PARTS}% of its base price a turn."
"""What a first turn is about."""


@dataclass(slots=True)
class Cursor:
    """The parcel where the arrow keys are. It is shown during one's turn, and while it `roams` without one."""

    parcel: int = 0
    roams: bool = False

    def walk(self, way: str, side: int) -> None:
        """Goes to the next parcel in a direction, on a map of `side` by `side`."""
        row, column = divmod(self.parcel, side)
        right, down = WAYS[way]
        self.parcel = min(max(0, row + down), side - 1) * side + min(max(0, column + right), side - 1)


class TurnForm(Form[State]):
    """A turn. `marks` are the parcels that the next deal is about; `said` is what the last key did. While `pricing`, a
    price is being set.
    """

    boxed = False
    """Whether the board shows the buttons, so that the row of keys need not."""

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context)
        assert isinstance(context.space, DealSpace)
        self.space = context.space
        self.draft = TurnDraft(context.space)
        self.entry = PriceEntry()
        self.marks: frozenset[int] = frozenset()
        self.said = ""
        self.pricing = False
        self._group = 0
        self.cursor = cursor
        cursor.parcel, cursor.roams = first_look(self.now), False

    @property
    def now(self) -> DealDraft:
        """The land and the balance after the deals so far."""
        return self.draft.now

    @property
    def drafted(self) -> State:
        cash, due = list(self.state.cash), list(self.state.due)
        cash[self.seat] = self.now.cash
        for done in self.now.dealt:
            if done.deal[0] == BUY and done.seller != GOVERNMENT:
                due[done.seller] += done.paid
        return evolve(self.state, land=self.now.land, cash=tuple(cash), due=tuple(due))

    @property
    def advised(self) -> State:
        return self.drafted

    @property
    def map(self) -> Map:
        return self.space.map

    @property
    def targets(self) -> tuple[int, ...]:
        """The parcels that the next deal is about: those that are marked, else the one under the cursor."""
        return tuple(sorted(self.marks)) or (self.cursor.parcel,)

    # -- on the screen -------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        return "DEBT" if self.now.cash < 0 else "BUY"

    def sentence(self, room: int) -> str:
        if self.now.cash < 0:
            return "Sell until you are back at zero, or you are out."
        if self.said == self._nothing_done:
            return self.said
        ends = self.worded("d ends your turn", "End turn ends it")
        if self.now.verdict() == "wins":
            return f"You have a million: {self.worded('d ends your turn and wins', 'End turn wins')}."
        if self.draft.begun:
            return (
                f"{self.summary()}. Make more deals, or {self.worded('press d to end your turn', 'choose End turn')}."
            )
        if self.marks:
            return f"{count_of(len(self.marks), 'parcel')} selected: buy, sell or price them together."
        count = len(self.reach)
        if count and self.state.turn == 1:
            return self.worded("Choose a parcel and press b to buy it.", "Choose a parcel, then Buy.")
        if count:
            return f"{times(count).capitalize()} here can reach the river."
        if self.now.own():
            return "Nothing to buy by the river: sell, set prices, or finish."
        if reaching(self.now, governments(self.now)):
            return f"You cannot afford what reaches the river. {ends}."
        return f"Nothing here reaches the river. {ends}."

    @property
    def _nothing_done(self) -> str:
        """Said before a turn without a deal ends."""
        return f"You made no deals. {self.worded('Press d again to end your turn.', 'Tap End turn again to confirm.')}"

    @property
    def reach(self) -> tuple[int, ...]:
        """The government's parcels here that the balance can buy one by one, and that would lead to the river if all of
        them were bought.
        """
        return reaching(self.now, affordable(self.now))

    def summary(self) -> str:
        """Says what has been done so far, in a few words."""
        count = len(self.now.dealt)
        if self.now.verdict() == "wins":
            return "A million: end the turn to win"
        if count:
            return f"{count_of(count, 'deal')}: {money(self.now.cash)} left"
        return f"{len(self.marks)} selected" if self.marks else ""

    def buttons(self) -> list[tuple[str, str, bool]]:
        """The buttons of the board: label, key, and whether it is what most people want now. On a portrait screen,
        those for which there is no room at the bottom.
        """
        if not self.boxed:
            undo = [(self._undo.capitalize(), "u", False)] if self._undo else []
            return [("Group", "a", False), *undo]
        own = not set(self.targets).isdisjoint(self.now.own())
        if self.pricing:
            return [("Set price", "Enter", True) if own else ("Buy", "b", True), ("Cancel", "Esc", False)]
        buys = not self.draft.begun and not set(self.targets).isdisjoint(self.reach)
        return [("Buy", "b", buys), ("Sell", "s", False), ("Set price", "p", False), ("End turn", "d", not buys)]

    @property
    def _undo(self) -> str:
        """What `u` does: it clears the price that is entered, else it takes the last deals back."""
        return "clear" if self.entry.text else "undo" if self.draft.begun else ""

    def hints(self) -> list[Hint]:
        what = str(len(self.marks)) if self.marks else self.map.name(self.cursor.parcel)
        select = [*([Hint("u", self._undo)] if self._undo else []), Hint("Space", "select"), Hint("a", "select all")]
        if self.boxed:
            return select
        deals = [Hint("b", f"buy {what}"), Hint("s", f"sell {what}"), Hint("0-9", "price", "nothing")]
        return [*deals, *select, Hint("d", "end turn", primary=True)]

    def menu(self) -> list[MenuItem]:
        return [MenuItem("Undo all deals", "u", self._restart)] if self.draft.begun else []

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        before, self.said = self.said, ""
        match name:
            case "b":
                self._deal(BUY)
            case "s":
                self._deal(SELL)
            case "p":
                self.pricing = True
            case "enter" if self.entry.text:
                self._deal(PRICE)
            case "enter" if self.pricing:
                self._clear_price()
            case "enter":
                self.said = self.worded(
                    "b buys, s sells, p sets a price, d ends your turn.",
                    "Choose a price first. Then Buy or Sell; End turn ends it.",
                )
            case " ":
                self._mark(self.cursor.parcel)
            case "a":
                self._mark_group()
            case "u" if self.entry.text:
                self._forget()
            case "u" if self.draft.undo():
                self.said = "Undone."
            case "u":
                self.refusal = NOTHING_TO_UNDO
            case "+" | "=" | "-":
                self._step(-1 if name == "-" else 1)
            case "d":
                self._end(asked=before == self._nothing_done)
            case "home" | "esc":
                return self._forget()
            case "backspace":
                self.entry.type(name)
            case _ if name in TYPED:
                self.pricing = True
                self.entry.type(name)
            case _:
                self.said = "" if name in WAYS else before
                return False
        return True

    def click(self, action: Action) -> bool:
        self.said = ""
        match action:
            case ("parcel", int(parcel)) if parcel == self.cursor.parcel:
                self._mark(parcel)
            case ("step", int(steps)):
                self._step(steps)
            case ("digit", int(place)):
                self._turn_digit(place, 1)
            case _:
                return False
        return True

    def _step(self, steps: int) -> None:
        """Goes some steps of the ladder of prices up or down."""
        self.pricing = True
        self.entry.step(self.pending, steps)

    def _turn_digit(self, place: int, steps: int) -> None:
        self.pricing = True
        self.entry.turn_digit(self.pending, place, steps)

    def wheel(self, action: Action | None, steps: int) -> bool:
        match action:
            case ("step", int()):
                self._step(-steps)
            case ("digit", int(place)):
                self._turn_digit(place, -steps)
            case _:
                return False
        return True

    def paste(self, text: str) -> bool:
        for character in text.strip():
            self.pricing = True
            self.entry.type(character)
        return True

    @property
    def pending(self) -> int:
        """The price in cents that is shown: the one being entered, else that of the parcel or the first marked."""
        parcel = self.cursor.parcel if self.cursor.parcel in self.marks else self.targets[0]
        return self.entry.cents(self.map.base(parcel), self.now.land.price(parcel))

    def price_of(self) -> str:
        """The parcels whose price is being set."""
        return times(len(self.marks)) if len(self.marks) > 1 else self.map.name(self.targets[0])

    def price_tax(self) -> str:
        """Says what the price that is shown costs each turn."""
        return f"Tax {amount(tax_of(self.pending) * len(self.targets))}K a turn. Others can buy at this price."

    # -- marks ---------------------------------------------------------------------------------------------------------

    def _mark(self, parcel: int) -> None:
        """Marks a parcel, or takes the mark away, if it can be dealt in."""
        if parcel not in self.space.parcels:
            self.refusal = self.now.violation((SELL, parcel)) or ""
            return
        self.marks ^= {parcel}
        self._group = 0

    def _mark_group(self) -> None:
        """Marks the next useful group: what reaches the river, all to be bought, all own, own of one kind, none."""
        own, kind = self.now.own(), self.map.kind(self.cursor.parcel)
        same = tuple(parcel for parcel in own if self.map.kind(parcel) == kind)
        groups = (
            (self.reach, "land that reaches the river"), (affordable(self.now), "all you can buy here"),
            (own, "all your land here"), (same, f"your {KIND_NAMES[kind]} here"), ((), ""),
        )  # fmt: skip
        marked = self.marks
        for _ in groups:
            parcels, what = groups[self._group % len(groups)]
            self._group += 1
            if frozenset(parcels) != marked:
                self.marks = frozenset(parcels)
                deals = self.worded(
                    "b buys, s sells, digits set a price; a selects others",
                    "Buy, Sell or set a price; Group selects others",
                )
                self.said = f"Selected: {what} ({len(parcels)}). {deals}." if parcels else "Nothing selected."
                return
        self.said = "No group to select here."

    def _forget(self) -> bool:
        """Clears the price that is being set, else the marks. False if there was neither."""
        if self.pricing or self.entry.text:
            self._clear_price()
        elif self.marks:
            self.marks, self._group = frozenset(), 0
        else:
            return False
        return True

    def _clear_price(self) -> None:
        self.entry.text, self.pricing = "", False

    # -- deals ---------------------------------------------------------------------------------------------------------

    def _deal(self, verb: str) -> None:
        """Deals in all targets as far as the rules allow, as one step. Says what was done, and what was not."""
        deals: list[Deal] = []
        refused, draft = "", self.now
        for parcel in self.targets:
            try:
                deal = self._deal_in(parcel, verb, draft)
            except ValueError as error:
                self.refusal = str(error)
                return
            reason = draft.violation(deal)
            if reason is None:
                draft = draft.then(deal)
                deals.append(deal)
            else:
                refused = refused or reason
        if not deals:
            self.refusal = refused
            return
        if verb == SELL and (len(deals) > 1 or not self.marks):
            gain, one = money(draft.cash - self.now.cash), len(deals) == 1
            goes = f"{self._named(deals)} {'goes' if one else 'go'} to the government"
            question = f"{goes} for half {'its' if one else 'their'} base price: {gain}."
            self.context.confirm(
                "Sell it?" if one else "Sell them?",
                question,
                "Sell",
                "Keep",
                lambda: self._make(verb, deals, draft, refused),
            )
        else:
            self._make(verb, deals, draft, refused)

    def _make(self, verb: str, deals: Sequence[Deal], draft: DealDraft, refused: str) -> None:
        """Makes deals as one step, after which the land is that of `draft`."""
        typed, paid = self.entry.text, money(abs(draft.cash - self.now.cash))
        how = f"at {typed}{'' if typed.startswith('x') else 'K'}" if verb == PRICE else f"for {paid}"
        said = f"{DONE[verb]} {self._named(deals)} {how}.{self._joined(verb, deals, draft)}"
        self.said, self.refusal = ("", f"{said} {as_sentence(refused)}") if refused else (said, "")
        self.draft.add(tuple(deals))
        self._clear_price()

    def _named(self, deals: Sequence[Deal]) -> str:
        """The parcels of some deals: a single one by its name."""
        return self.map.name(deals[0][1]) if len(deals) == 1 else times(len(deals))

    def _joined(self, verb: str, deals: Sequence[Deal], draft: DealDraft) -> str:
        """Says of parcels just bought whether land of the player leads from them to the river,"""
        if verb != BUY:
            return ""
        joined = connected(self.map, draft.land, self.seat)
        number = sum(deal[1] not in joined for deal in deals)
        if not number:
            return " Connected to the river."
        if number == len(deals):
            return " Not connected to the river yet: taxed, but no revenue."
        are = "1 is" if number == 1 else f"{number} are"
        return f" {are} not connected to the river yet: taxed, but no revenue."

    def _deal_in(self, parcel: int, verb: str, draft: DealDraft) -> Deal:
        """A deal in a parcel, at the price that was entered. Raises ValueError if that is no price."""
        if verb == SELL:
            return SELL, parcel
        text = self.entry.text
        return verb, parcel, priced(text, self.map.base(parcel)) if text else draft.default(parcel)

    def _restart(self) -> None:
        """Takes everything back."""
        self.draft.restart()
        self._clear_price()
        self.marks, self._group = frozenset(), 0

    def _end(self, *, asked: bool) -> None:
        """Hands the turn in; asks back if its player would be out, or has done nothing in it."""
        if self.now.verdict() == "loses":
            self.context.confirm(
                "End the turn?",
                f"You have {money(self.now.cash)}. If you end your turn below zero, you are out.",
                "Go bankrupt", "Keep selling", self._send,
            )  # fmt: skip
        elif not self.draft.begun and not asked:
            self.said = self._nothing_done
        else:
            self._send()

    def _send(self) -> None:
        self.context.send(self.draft.choice())

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        assert self.state.opening is not None
        assert self.state.dice is not None
        black, white = (die + 1 for die in self.state.dice)
        number = round_of(self.state.turn, self.state.limit).capitalize()
        lines = [
            f"{number}: your turn begins with {explain_opening(self.state.opening)}.",
            f"Black {black}, white {white}: sector {place(self.space.sector)} is in play.",
        ]
        if faces := faces_named(self.map.sectors):
            lines.append(f"On this map, {faces}.")
        if self.now.cash < 0:
            lines.append("You are below zero: sell to the government before you type done, or you are out.")
        return [*lines, "Type look for the sector; buy, sell or price with parcels; then done."]

    def type(self, text: str) -> Reply:
        loses = self.now.verdict() == "loses"
        match text.lower().split():
            case ["undo"] if self.draft.undo():
                return Reply((f"Undone: {money(self.now.cash)} left.",))
            case ["undo"]:
                return Reply((NOTHING_TO_UNDO,))
            case ["done"] if loses:
                return Reply((f"With {money(self.now.cash)} you would be out. To go ahead, type done anyway.",))
            case ["done"] if not self.now.dealt:
                return Reply(("You made no deals. To end your turn, type pass.",))
            case ["pass"] if self.now.dealt:
                return Reply(("You made deals this turn: type done, or undo them first.",))
            case ["pass"] if loses:
                return Reply(("To go bankrupt, type done anyway.",))
            case ["done"] | ["done", "anyway"] | ["pass"]:
                return Reply((), self.draft.choice(), True)
            case words:
                return self._type_deals(" ".join(words))

    def _type_deals(self, text: str) -> Reply:
        """Makes deals that are typed, as one step."""
        try:
            deals: Deals = parse_deals(self.now, text)
        except DealNotationError as error:
            return Reply((not_possible(error),))
        self.draft.add(deals)
        more = " Type done to win." if self.now.verdict() == "wins" else ""
        return Reply((f"{count_of(len(deals), 'deal')} done: {money(self.now.cash)} left.{more}",))
