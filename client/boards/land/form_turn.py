"""The form of a turn: parcels are marked, bought, sold and priced, by keys, clicks or typing, until it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.form import ASKED_LAST, NOTHING_TO_UNDO, Command, Form, FormContext, Reply
from kimberley.client.boards.land.draft_warnings import Enriched, enriched, with_bought
from kimberley.client.boards.land.phrases import CARD, each, faces_named, money, place, round_of, times
from kimberley.client.boards.land.price_entry import TYPED, PriceEntry, priced
from kimberley.client.boards.land.reach import affordable, connects, first_look, reaching
from kimberley.client.boards.land.turn_draft import TurnDraft, state_after
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import first_fitting, whole_sentences
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.screen import MenuItem
from kimberley.games.land.accounts import connected, explain_opening, tax_of
from kimberley.games.land.bots.bot import named_deals
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, DealDraft, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import CENT, REVENUE_PARTS, amount
from kimberley.games.land.notation import DealNotationError, parse_deals, write_deals
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import as_sentence, not_possible

DONE: Final = {BUY: "Bought", SELL: "Sold", PRICE: "Priced"}
WHY_BUY: Final = f"Connected land earns {100 // REVENUE_PARTS}% of its base price a turn."
"""What a first turn is about."""


@dataclass(slots=True)
class Cursor:
    """The parcel where the cursor is, which is shown during the player's own turn, and outside it while it `roams`.
    `asked` says whether the player was asked in this game before a turn without deals ended.
    """

    parcel: int = 0
    roams: bool = False
    asked: bool = False

    def walk(self, way: str, side: int) -> None:
        """Moves to the next parcel in a direction, on a map of `side` by `side`."""
        row, column = divmod(self.parcel, side)
        right, down = WAYS[way]
        self.parcel = min(max(0, row + down), side - 1) * side + min(max(0, column + right), side - 1)


class TurnForm(Form[State]):
    """A turn. `marks` are the parcels that the next deal is about; `said` is what the last key did."""

    fills_in = "make the deals"
    boxed = False
    """Whether the board shows the buttons, so that the row of keys need not."""

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context)
        assert isinstance(context.space, DealSpace)
        self.space = context.space
        self.draft = TurnDraft(context.space)
        self.entry = PriceEntry()
        self._marks: frozenset[int] = frozenset()
        self._dealt_at: int | None = None
        """Where the cursor was when the marked parcels were dealt in."""
        self.said = ""
        self._pricing = False
        self._group = 0
        self.cursor = cursor
        cursor.parcel, cursor.roams = first_look(self.now), False

    @property
    def marks(self) -> frozenset[int]:
        """The marked parcels. Once they are dealt in, moving to another parcel, even a marked one, unmarks them."""
        passed = self._dealt_at is not None and self.cursor.parcel != self._dealt_at
        return frozenset() if passed else self._marks

    @marks.setter
    def marks(self, parcels: frozenset[int]) -> None:
        self._marks, self._dealt_at = parcels, None

    @property
    def now(self) -> DealDraft:
        """The land and the balance after the deals so far."""
        return self.draft.now

    @property
    def drafted(self) -> State:
        return state_after(self.state, self.now)

    def _enriched(self, draft: DealDraft) -> Enriched | None:
        return enriched(self.state, draft, self.context.names)

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
        if self.now.ruined:
            return first_fitting(
                room, "You cannot sell enough here: you are out when your turn ends.", "You cannot sell enough here."
            )
        if self.now.cash < 0:
            return first_fitting(
                room, "Sell until you are back at zero, or you are out.", "Below zero: sell, or you are out."
            )
        if self.said == ASKED_LAST:
            return self._nothing_done
        ends = self.worded("d ends your turn", "End turn ends it")
        if self.now.verdict() == "wins":
            wins = self.worded("d ends your turn and wins", "End turn wins")
            return first_fitting(room, f"You have a million: {wins}.", f"A million: {wins}.")
        if (rich := self._enriched(self.now)) is not None:
            return rich.warn_of_deals(room)
        if self.marks and (rich := self._enriched(with_bought(self.now, self.marks))) is not None:
            return rich.warn_of_buying(room, self.chosen, one=len(self.marks) == 1)
        if self.draft.begun:
            return (
                f"{self.summary()}. Make more deals, or {self.worded('press d to end your turn', 'choose End turn')}."
            )
        if self.marks:
            own = len(self.marks.intersection(self.now.own()))
            verbs = "sell or price" if own == len(self.marks) else "buy, sell or price" if own else "buy"
            cost, chosen = sum(map(self.now.cost, self.marks)), f"{self.chosen} selected"
            if not own and cost > self.now.cash:
                costs = "it costs" if len(self.marks) == 1 else "they cost"
                dear = f"{chosen}: {costs} {money(cost)}"
                return first_fitting(room, f"{dear}, and you have {money(self.now.cash)}.", f"{dear}.")
            price = "" if own else f" for {money(cost)}"
            if len(self.marks) == 1:
                return f"{chosen}: {verbs} it{price}."
            return first_fitting(room, f"{chosen}: {verbs} them together{price}.", f"{chosen}: {verbs}{price}.")
        if self.is_last:
            return first_fitting(
                room,
                f"Your last turn: only cash counts at the end. {ends}.",
                f"Your last turn: only cash counts. {ends}.",
            )
        count = len(self.reach)
        if count and self.state.turn == 1:
            return self.worded("Choose a parcel and press b to buy it.", "Choose a parcel, then Buy.")
        every = reaching(self.now, self.now.buyable())
        owned = [parcel for parcel in every if self.now.land.owner(parcel) != GOVERNMENT]
        if count:
            of_others = f", {len(owned)} owned by {self._owner(owned)}" if owned else ""
            parcels = "One parcel" if len(every) == 1 else times(len(every))
            reach = f"{parcels} here can reach the river"
            return first_fitting(room, f"{reach}{of_others}.", f"{reach}.")
        if every:
            leads = [parcel for parcel in owned if connects(self.now, parcel)]
            prices = sorted(map(self.now.cost, leads))
            differ = prices[-1] > prices[0]
            price = f"from {money(prices[0])}" if differ else f"{money(prices[0])}{each(prices)}"
            owners = self._owners(leads)
            theirs = f"that of {join_names(owners)}" if len(owners) > 1 else f"{owners[0]}’s"
            return first_fitting(
                room,
                f"Of the land for sale, only {theirs} reaches the river: {price}.",
                f"Only others’ land for sale here reaches the river: {price}.",
                f"Only others’ land for sale reaches the river: {price}.",
                "Only others’ land for sale reaches the river.",
            )
        if reaching(self.now, set(self.now.parcels) - set(self.now.own())):
            return f"You cannot afford what reaches the river. {ends}."
        if self.now.own():
            return f"Nothing to buy by the river. {ends}."
        return f"Nothing here reaches the river. {ends}."

    def _owner(self, parcels: Sequence[int]) -> str:
        """Returns who owns these parcels of other players."""
        owners = self._owners(parcels)
        return owners[0] if len(owners) == 1 else "other players"

    def _owners(self, parcels: Sequence[int]) -> list[str]:
        """Returns the owners of these parcels, by name."""
        owners = sorted({self.now.land.owner(parcel) for parcel in parcels})
        return [short_name(self.context.names, owner, 14) for owner in owners]

    @property
    def is_last(self) -> bool:
        """Whether the game ends after this turn or the turns of others, so that land no longer earns anything."""
        return self.state.turn == self.state.limit

    @property
    def _nothing_done(self) -> str:
        """What is said before a turn without a deal ends."""
        again = self.worded("Press d again to end your turn.", "Tap End turn again to confirm.")
        return f"You made no deals. {again}"

    @property
    def reach(self) -> tuple[int, ...]:
        """The government's parcels here that the balance can buy one by one, and that would lead to the river if all of
        them were bought.
        """
        return reaching(self.now, affordable(self.now))

    def summary(self) -> str:
        """Says in a few words what has been done so far, from the deals that the turn will be handed in with."""
        count = len(self.draft.choice())
        if self.now.verdict() == "wins":
            return "A million: end the turn to win"
        return f"{count_of(count, 'deal') if count else 'No deals'}: {self._left()}" if self.draft.begun else ""

    def _left(self) -> str:
        """Returns the balance after the deals so far."""
        return f"{money(self.now.cash)}{', still below zero' if self.now.cash < 0 else ' left'}"

    def buttons(self) -> list[Button]:
        """Returns the buttons of the board. On a portrait screen, those for which there is no room at the bottom."""
        buttons = [command.button for command in self.commands() if command.button is not None]
        # There, the one that comes and goes stands last.
        return buttons if self.boxed else buttons[::-1]

    def menu(self) -> list[MenuItem]:
        return [MenuItem("Cancel all deals", "n", self._restart, inside=True)] if self.draft.begun else []

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        # A key with a button is not in the row of keys; nor, while a price is being set, is a key that does not set it.
        listed, setting, dealing = not self.boxed, self.boxed and self.pricing, self.boxed and not self.pricing
        own = not set(self.targets).isdisjoint(self.now.own())
        buys = dealing and not self.draft.begun and not set(self.targets).isdisjoint(self.reach)
        what = str(len(self.marks)) if len(self.marks) > 1 else self.map.name(self.targets[0])
        undo = "clear" if self.entry.text else "undo" if self.draft.begun and not setting else ""
        digits = Hint("0-9", "type" if setting else "price", "nothing")
        less, more = (("left", "down"), ("right", "up")) if self.pricing else ((), ())
        commands = [
            Command(("-", *less), lambda _: self._step(-1)),
            Command(("+", "=", *more), lambda _: self._step(1), Hint("← →", "change", "nothing") if setting else None),
            Command(
                ("b",), lambda _: self._deal(BUY),
                Hint("b", f"buy {what}") if listed else None,
                Button("Buy", "b", setting or buys) if dealing or (setting and not own) else None,
            ),
            Command(
                ("s",), lambda _: self._deal(SELL),
                Hint("s", f"sell {what}") if listed else None,
                Button("Sell", "s") if dealing else None,
            ),
            Command(("p",), lambda _: self._set_price(), button=Button("Set price", "p") if dealing else None),
            Command(TYPED, self._type_price, None if dealing else digits),
            Command(("backspace",), self.entry.type),
            Command(
                ("enter",), lambda _: self._enter(),
                Hint("Enter", "set", primary=True) if setting and own else None,
                Button("Set price", "Enter", True) if setting and own else None,
            ),
            Command(
                ("u",), lambda _: self._undo(),
                Hint("u", undo) if undo else None,
                Button(undo.capitalize(), "u") if undo and listed else None,
            ),
            Command((" ",), lambda _: self._mark(self.cursor.parcel), None if setting else Hint("Space", "select")),
            Command(
                ("a",), lambda _: self._mark_group(),
                None if setting else Hint("a", "select all"),
                Button("Group", "a") if listed else None,
            ),
            Command(
                ("d",), lambda _: self._end(),
                Hint("d", "end turn", primary=True) if listed else None,
                Button("End turn", "d", not buys) if dealing else None,
            ),
        ]  # fmt: skip
        if self.pricing or self.entry.text or self.marks:
            shown = (Hint("Esc", "cancel"), Button("Cancel", "Esc")) if setting else (None, None)
            commands.append(Command(("esc", "home"), lambda _: self._forget(), *shown))
        return commands

    def key(self, name: str) -> bool:
        before, self.said = self.said, ""
        handled = super().key(name)
        # A player who moves on has read it.
        if not handled and name not in (*WAYS, "esc", "home"):
            self.said = before
        return handled

    def _enter(self) -> None:
        if self.entry.text:
            self._deal(PRICE)
        elif self.pricing:
            self._clear_price()
        elif self.now.cash < 0:
            self.refusal = self._cannot_price(self.targets[0])
        else:
            self.said = self.worded(
                "b buys, s sells, p sets a price, d ends your turn.",
                "✓ sets a price: choose one with ◂ ▸ first. Buy and Sell need none.",
            )

    def _undo(self) -> None:
        if self.entry.text:
            self._clear_price()
        elif self.draft.undo():
            self.said = "Undone."
        else:
            self.refusal = NOTHING_TO_UNDO

    def click(self, action: Action) -> bool:
        self.said = ""
        match action:
            case ("parcel", int(parcel)) if parcel in self.space.parcels:
                self.cursor.parcel, self.cursor.roams = parcel, False
                if self._dealt_at is not None or self._group:
                    # A player who picks one parcel of a group, or one of those just dealt in, means that one alone.
                    self.marks, self._group = frozenset(), 0
                self._mark(parcel)
            case ("parcel", int(parcel)) if parcel == self.cursor.parcel:
                self._mark(parcel)
            case ("step", int(steps)):
                self._step(steps)
            case ("digit", int(place)):
                self._turn_digit(place, 1)
            case _:
                return False
        return True

    @property
    def pricing(self) -> bool:
        """Whether a price is being set: not while the cursor is on a parcel that cannot be dealt in now."""
        return self._pricing and self.targets[0] in self.space.parcels

    def _cannot_price(self, parcel: int) -> str:
        """Says why a parcel can have no new price; empty if it can."""
        return self.now.violation((PRICE, parcel, self.now.land.price(parcel))) or ""

    def _set_price(self) -> None:
        """Opens the price of the player's own land. A price can be typed for land to buy, too, but a player who asks to
        set one means own land.
        """
        if all(self._cannot_price(parcel) for parcel in self.targets):
            self.refusal = self._cannot_price(self.targets[0])
        else:
            self._open_price()

    def _open_price(self) -> bool:
        """Opens the price of the parcels that the next deal is about. If they can have none, says why."""
        self._pricing, refused = True, ""
        if not self.pricing:
            refused = self.now.violation((SELL, self.targets[0])) or ""
        elif self.now.cash < 0:
            refused = self._cannot_price(self.targets[0])
        if refused:
            self._clear_price()
            self.refusal = refused
        return not refused

    def _step(self, steps: int) -> None:
        """Moves the price some steps up or down the ladder."""
        if self._open_price():
            self.entry.step(self.pending, steps)

    def _turn_digit(self, place: int, steps: int) -> None:
        if self._open_price():
            self.entry.turn_digit(self.pending, place, steps)

    def wheel(self, action: Action | None, steps: int) -> bool:
        match action:
            case ("digit", int(place)):
                self._turn_digit(place, -steps)
            case ("step", int()):
                self._step(-steps)
            case _ if self.pricing:
                self._step(-steps)
            case _:
                return False
        return True

    def paste(self, text: str) -> bool:
        for character in text.strip():
            self._type_price(character)
        return True

    def _type_price(self, character: str) -> None:
        if self._open_price():
            self.entry.type(character)

    @property
    def pending(self) -> int:
        """The price in cents that is shown: the one being entered, else that of the parcel or the first marked."""
        return self._price(self.cursor.parcel if self.cursor.parcel in self.marks else self.targets[0])

    @property
    def chosen(self) -> str:
        """What the next deal is about: a single parcel by its name."""
        return times(len(self.marks)) if len(self.marks) > 1 else self.map.name(self.targets[0])

    def price_tax(self) -> str:
        """Says what the price that is shown costs each turn, or which parcel's price would fall the most; while none
        has been entered and the prices differ, what they are. Empty if the price entered is not allowed, and in the
        last turn, after which nothing is taxed.
        """
        if self.is_last or not all(self.entry.is_price(self.map.base(parcel)) for parcel in self.targets):
            return ""
        prices = {parcel: self._price(parcel) for parcel in self.targets}
        tax = f"Tax {amount(sum(map(tax_of, prices.values())))}K a turn."
        falls = {parcel: self.now.land.price(parcel) - new for parcel, new in prices.items()}
        lowest = max(falls, key=lambda parcel: falls[parcel])
        if len(falls) > 1 and falls[lowest] > 0:
            return f"{self.map.name(lowest)} falls from {money(self.now.land.price(lowest) * CENT)}. {tax}"
        low, high = (money(extreme(prices.values()) * CENT) for extreme in (min, max))
        if low == high:
            return f"{tax} Others can buy at this price."
        if self.entry.text:
            return whole_sentences(f"{tax} Others can buy at these prices.", CARD)
        now = f"{low} to {high}, {tax[0].lower()}{tax[1:]}"
        told = f"Now {now} {self.worded('Type one for all.', 'Set one for all.')}"
        return told if cell_width(told) <= CARD else f"Prices now: {now}"

    def _price(self, parcel: int) -> int:
        """Returns the price in cents that a parcel would have: the one being entered, else its own."""
        return self.entry.cents(self.map.base(parcel), self.now.land.price(parcel))

    # -- marks ---------------------------------------------------------------------------------------------------------

    def _mark(self, parcel: int) -> None:
        """Marks a parcel, or unmarks it, if it can be dealt in."""
        if parcel not in self.space.parcels:
            self.refusal = self.now.violation((SELL, parcel)) or ""
            return
        self.marks = (self.marks if self._dealt_at is None else frozenset()) ^ {parcel}
        self._group = 0

    def _mark_group(self) -> None:
        """Marks the next useful group: the government’s parcels that reach the river, all of the government’s, the
        other players’ that reach it, all of the player's own, those of one kind, none.
        """
        own, kind = self.now.own(), self.map.kind(self.cursor.parcel)
        same = tuple(parcel for parcel in own if self.map.kind(parcel) == kind)
        free = affordable(self.now)
        others = tuple(sorted(set(reaching(self.now, self.now.buyable())).difference(free)))
        groups = (
            (self.reach, "land that reaches the river"), (free, "government land"),
            (others, "other players’ land that reaches the river"), (own, "all your land here"),
            (same, f"your {KIND_NAMES[kind]} here"), ((), ""),
        )  # fmt: skip
        marked = self.marks
        for _ in groups:
            parcels, what = groups[self._group % len(groups)]
            self._group += 1
            # Nothing is what comes last, not a group without parcels.
            if frozenset(parcels) != marked and (parcels or not what):
                self.marks = frozenset(parcels)
                if self.now.cash < 0:
                    deals = self.worded("s sells", "Sell")
                elif set(parcels) <= set(own):
                    deals = self.worded("s sells, digits set a price", "Sell or set a price")
                else:
                    deals = self.worded("b buys", "Buy")
                if any(group and set(group) != set(parcels) for group, _ in groups[self._group % len(groups) :]):
                    deals += self.worded("; a selects another group", "; Group selects another")
                # Before a deal, the sentence above counts them.
                counted = f" ({len(parcels)})" if self.draft.begun or self.now.cash < 0 else ""
                self.said = f"Selected: {what}{counted}. {deals}." if parcels else "Nothing selected."
                return
        self.said = "No group to select here."

    def _forget(self) -> None:
        """Clears the price that is being set, else the marks."""
        if self.pricing or self.entry.text:
            self._clear_price()
        else:
            self.marks, self._group = frozenset(), 0

    def _clear_price(self) -> None:
        self.entry.text, self._pricing = "", False

    # -- deals ---------------------------------------------------------------------------------------------------------

    def _deal(self, verb: str) -> None:
        """Deals in all targets as far as the rules allow, as one step. Says what was done, and what was not."""
        deals: list[Deal] = []
        refusals: list[Deal] = []
        draft = self.now
        for parcel in self.targets:
            try:
                deal = self._deal_in(parcel, verb, draft)
            except ValueError as error:
                self.refusal = str(error)
                return
            if draft.violation(deal) is None:
                draft = draft.then(deal)
                deals.append(deal)
            else:
                refusals.append(deal)
        # With the balance after all deals, which is what the board shows then.
        refused = next(filter(None, map(draft.violation, refusals)), "")
        if not deals:
            self.refusal = refused
            return
        if verb == SELL:
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
        how = f"at {typed}{'' if typed.startswith('x') else f'K{each(deals)}'}" if verb == PRICE else f"for {paid}"
        done = f"{DONE[verb]} {self._named(deals)} {how}."
        if refused:
            self.said, self.refusal = "", f"{done} {as_sentence(refused)}"
        else:
            self.said, self.refusal = f"{done}{self._joined(verb, deals, draft)}", ""
        self.draft.add(tuple(deals))
        self._dealt_at = self.cursor.parcel
        self._clear_price()

    def _named(self, deals: Sequence[Deal]) -> str:
        """Returns the parcels of some deals: a single one by its name."""
        return self.map.name(deals[0][1]) if len(deals) == 1 else times(len(deals))

    def _joined(self, verb: str, deals: Sequence[Deal], draft: DealDraft) -> str:
        """Says whether land of the player connects the parcels just bought to the river; empty in the last turn, when
        that no longer matters.
        """
        if verb != BUY or self.is_last:
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
        """Returns a deal in a parcel, at the price that was entered. Raises ValueError if that is no price."""
        if verb == SELL:
            return SELL, parcel
        text = self.entry.text
        return verb, parcel, priced(text, self.map.base(parcel)) if text else draft.default(parcel)

    def fill_in(self, choice: Plain) -> None:
        deals = named_deals(self.advised, choice)
        if deals and self.now.violation_of_all(deals) is None:
            self.draft.add(deals)
            self._clear_price()
            self.marks = frozenset()
            self.said = self.refusal = ""

    def _restart(self) -> None:
        """Takes everything back."""
        self.draft.restart()
        self._clear_price()
        self.marks, self._group = frozenset(), 0

    def _end(self) -> None:
        """Hands in the turn. Asks first if the player would be out or another player would win, and once a game if no
        deal was made although land could reach the river.
        """
        if self.now.verdict() == "loses":
            stay = "Go back" if self.now.ruined else "Keep selling"
            self.context.confirm(
                "End the turn?",
                f"You have {money(self.now.cash)}. If you end your turn below zero, you are out.",
                "Go bankrupt", stay, self._send, danger=True,
            )  # fmt: skip
        elif (rich := self._enriched(self.now)) is not None:
            text = f"{rich.consequence}."
            self.context.confirm("End the turn?", text, "End turn", "Keep dealing", self._send, danger=True)
        elif not (self.draft.begun or self.cursor.asked or self.is_last) and reaching(self.now, self.now.buyable()):
            self.cursor.asked = True
            # The sentence above says what to do.
            self.said = ASKED_LAST
        else:
            self._send()

    def _send(self) -> None:
        self.context.send(self.draft.choice())

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def spelled(self, choice: Plain) -> str:
        return write_deals(self.map, deals) if (deals := named_deals(self.advised, choice)) else ""

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
        if self.now.ruined:
            lines.append("Your cash is below zero, and you cannot sell enough here: you are out when your turn ends.")
        elif self.now.cash < 0:
            lines.append("Your cash is below zero: sell to the government before you type done, or you are out.")
        if not (example := self._example):
            end = "done anyway" if self.now.cash < 0 else "pass"
            return [*lines, f"Type look to hear the sector. To end your turn, type {end}."]
        return [*lines, f"Type look to hear the sector, or make deals, such as {example}. Then type done."]

    @property
    def _example(self) -> str:
        """Returns a deal that can be made now, as it is typed; empty if there is none."""
        own = self.now.own()
        if own and self.now.cash < 0:
            return f"sell {self.map.name(own[0])}"
        buyable = self.now.buyable()
        parcel = self.cursor.parcel if self.cursor.parcel in buyable else next(iter(buyable), None)
        if parcel is not None:
            return f"buy {self.map.name(parcel)}"
        return f"sell {self.map.name(own[0])}" if own else ""

    def type(self, text: str) -> Reply:
        loses = self.now.verdict() == "loses"
        match text.lower().split():
            case ["undo"] if self.draft.undo():
                return Reply((f"Undone: {self._left()}.",))
            case ["undo"]:
                return Reply((NOTHING_TO_UNDO,))
            case ["done"] if loses:
                return Reply((f"With {money(self.now.cash)} you would be out. To go ahead, type done anyway.",))
            case ["done"] if (rich := self._enriched(self.now)) is not None:
                return Reply((f"{rich.consequence}. To go ahead, type done anyway.",))
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
        if (rich := self._enriched(self.now)) is not None:
            more = f" That takes {rich.name} to a million."
        return Reply((f"{count_of(len(deals), 'deal')} done: {self._left()}.{more}",))
