"""The form of a turn: a menu of all actions, with what each does or the rule that forbids it now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, PiecepackForm
from kimberley.client.boards.piecepack.form_move import MoveForm
from kimberley.client.boards.piecepack.form_spend import SpendForm
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.panel import Deed
from kimberley.client.boards.piecepack.parsing import NOT_READ, ParseError
from kimberley.client.boards.piecepack.phrases import after_turn, ending, in_words, next_goal, tradable, up_to, useful
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.keys import Hint
from kimberley.games.phrases import join_names
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import SPENDING, ActionSpace
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUN
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import as_sentence

KEYS = {
    "step": "w", "sun": "t", "club": "b", "spade": "k", "dig": "g", "moon": "r", "market": "x", "oasis": "o",
    "end": "d",
}  # fmt: skip
"""On every board, d means done, and s sells or swaps."""
FREE = frozenset({"step", "dig", "market", "oasis"})
"""What costs no coin: a player who ends a turn without it is asked once more."""
NO_ROOM = "No room to explore here."
MUST_ACT = "You must act."
NEXT_TURN = "The next player’s turn begins."
MOST_NAMED, MOST_VICTIMS = 3, 2
"""Actions that are named at the end of a turn, and players without coins: the panel has no room for more."""
USES = {HEART: "♥ defend you when you are attacked", DIAMOND: "♦ are sold when you enter a black market"}
"""What coins are for that no action spends."""
COINS = ("sun", "moon", "club", "spade", "market")
TYPED = {
    "step": "step", "sun": "travel", "club": "beat", "spade": "mine", "dig": "dig", "moon": "rest", "market": "trade",
    "oasis": "oasis", "end": "end",
}  # fmt: skip
"""How each action is typed; its own name is understood as well."""
REFUSED = {"oasis": "draw a heart", "club": "beat anyone", "end": "end the turn"}
"""What cannot be done, where the sentence needs other words than those that are typed."""
KINDS = {word: kind for kind, typed in TYPED.items() for word in (kind, typed)}


def deeds_of(state: State, seat: int, space: ActionSpace, names: tuple[str, ...]) -> tuple[Deed, ...]:
    """Returns everything that a warlord can do in a turn, in the order of the menu; without what it lacks the power
    for.
    """
    victims = [names[other] for other in space.victims]
    whom = victims[0] if len(victims) == 1 else "a player here"
    poor = join_names(victims) if len(victims) <= MOST_VICTIMS else "the players here"
    tile = state.tile(seat)
    jumper, thug = state.power(seat, SUN), state.power(seat, CLUB)
    one_more = " As the scrounger, draw one more." if state.power(seat, MOON) else ""
    # Moons that are worth nothing draw nothing, whoever spends them.
    rests = "their total plus one, as the scrounger" if one_more and useful(state, seat, MOON) else "up to their total"
    trades = min(tile.value, tradable(state, seat)) if tile.suit == SUN else 0
    mines = tile.value if tile.suit == DIAMOND else 0
    labels = {
        "step": ("Step or jump", "Once a turn, move one tile or jump over one. Tiles can take effect.") if jumper else
                ("Step to a tile", "Once a turn, move to an adjacent tile. Some tiles take effect at once."),
        "sun": ("Travel with ☼", "Spend ☼ to move up to their total. Tiles on the way can take effect."),
        "club": ("Beat with ♣", f"Steal from {whom} up to {'' if thug else 'the total of '}your ♣, "
                                f"{'each worth one more, ' if thug else ''}less their ♥."
                 if _can_steal(state, space) else
                 f"It brings nothing, as {poor} {'has' if len(victims) == 1 else 'have'} no coins."),
        "spade": ("Mine with ♠", f"Spend ♠ to mine up to their total in ♦, at most {mines} here ({state.in_pile} left)."
                 if state.in_pile else "It brings nothing, as no ♦ are left."),
        "dig": ("Dig for one ♦", f"As the digger, you mine one ♦ for free ({state.in_pile} left)."),
        "moon": ("Rest with ☾", f"Spend ☾ to draw {rests}; the bag holds {state.in_bag}."
                 if state.in_bag else "It brings nothing, as the bag is empty."),
        "market": ("Trade coins", f"Trade {up_to(trades, 'coin')}, no ♦, for {'one' if trades == 1 else 'as many'} "
                                  f"from the bag{', and draw one more' if one_more else ''}."),
        "oasis": ("Draw a ♥", f"Draw from the bag until you get a ♥.{one_more}"),
        "end": ("End the turn", ""),
    }  # fmt: skip
    deeds = []
    for kind, (label, about) in labels.items():
        if kind == "dig" and not state.power(seat, SPADE):
            continue
        refused = space.refuses(kind)
        if kind == "step" and refused is not None and space.refuses("jump") is None:
            refused = None
        deeds.append(Deed(kind, KEYS[kind], label, about, refused and refused.rstrip(".")))
    idle = _idle(state, seat) | (set() if _can_steal(state, space) else {"club"})
    open_ = [deed for deed in deeds if deed.violation is None and deed.kind not in {"end", *idle}]
    said = {"club": [f"beat {whom} with ♣"]}
    if jumper:
        said["step"] = [kind for kind in ("step", "jump") if space.refuses(kind) is None]
    named = [one for deed in open_ for one in said.get(deed.kind, [_lower(deed.label)])]
    more = join_names(named, "or") if len(open_) <= MOST_NAMED else f"take {len(open_)} other actions"
    still = f" You could still {more}." if open_ else ""
    last = deeds[-1]
    deeds[-1] = Deed("end", last.key, last.label, f"{after_turn(state) or NEXT_TURN}{still}", last.violation)
    return tuple(deeds)


def _idle(state: State, seat: int) -> set[str]:
    """Returns the actions that would bring nothing now: worthless coins, an empty mine, an empty bag."""
    idle = {kind for kind, suit in SPENDING.items() if not useful(state, seat, suit)}
    return idle | ({"spade"} if not state.in_pile else set()) | ({"moon"} if not state.in_bag else set())


def _can_steal(state: State, space: ActionSpace) -> bool:
    """Returns whether somebody on the tile holds coins."""
    return any(state.hands[victim] for victim in space.victims)


def _lower(label: str) -> str:
    return label[0].lower() + label[1:]


class ActForm(PiecepackForm):
    """The menu, and the forms that it leads to."""

    def __init__(self, context: FormContext[State], display: HandDisplay, space: ActionSpace) -> None:
        super().__init__(context, display)
        self._space = space
        self._inner: MoveForm | SpendForm | None = None
        self._deeds = deeds_of(self.state, self.seat, space, tuple(context.names))
        self._focus = self._first()
        self._armed = False

    def _first(self) -> int:
        """Returns where the menu opens: at an action that costs nothing, else at the turn's end, else at what is
        possible.
        """
        open_ = [number for number, deed in enumerate(self._deeds) if deed.violation is None]
        kinds = [deed.kind for deed in self._deeds]
        return min(open_, key=lambda number: (kinds[number] not in FREE, kinds[number] != "end"), default=0)

    @property
    def _still_free(self) -> list[str]:
        """What could still be done for nothing."""
        return [_lower(deed.label) for deed in self._deeds if deed.kind in FREE and deed.violation is None]

    @property
    def phase(self) -> str:
        return self._inner.phase if self._inner else "ACT"

    @property
    def begun(self) -> bool:
        return self._inner is not None or self._armed

    # -- what it shows -------------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        if self._inner:
            return self._inner.sentence(room)
        if self._armed:
            deed = self._deeds[self._focus]
            if deed.kind == "end":
                again = "click again to end the turn" if self.clicked else f"{deed.key} again ends the turn"
                ends = self.worded(again, "tap again to end the turn")
                return first_fitting(room, f"You can still {self._still_free[0]}; {ends}.", f"To confirm, {ends}.")
            again = "click it again" if self.clicked else f"{deed.key} again"
            return f"{deed.label}: {self.worded(f'{again}, or Enter', 'tap it again')}."
        if not self.state.acted:
            if near := ending(self.state):
                sentence = as_sentence(near)
            else:
                sentence = next_goal(self.seen, self.seat)
                if self.state.quiet and self.state.stack:
                    sentence = f"{NO_ROOM} {sentence}"
                    if len(sentence) > room:
                        return f"{NO_ROOM} {MUST_ACT}"
            return first_fitting(room, f"{sentence} {MUST_ACT}", MUST_ACT)
        return "Do more, or end your turn."

    def scene(self, scene: Scene) -> Scene:
        return self._inner.scene(scene) if self._inner else scene

    def box(self) -> FieldBox:
        own = box_of([place_of(self.state.tile(self.seat))])
        return (self._inner.box() if self._inner else None) or own.grown(2)

    def cards(self) -> tuple[tuple[CoinCard, ...], int | None]:
        return self._inner.cards() if self._inner else super().cards()

    def deeds(self) -> tuple[tuple[Deed, ...], int] | None:
        return None if self._inner else (self._deeds, self._focus)

    def about(self) -> str:
        return self._inner.about() if self._inner else ""

    def picked(self) -> str:
        return self._inner.picked() if self._inner else ""

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        if self._inner:
            return self._inner.commands()
        keys = [deed.key for deed in self._deeds]
        ends = Hint("d", "end the turn", "key:d") if self._deeds[-1].violation is None else None
        return [
            Command(("up", "down"), self._walk, Hint("↑ ↓", "choose", "nothing")),
            Command(("enter",), lambda _: self._do(self._focus, armed=True), Hint("Enter", "do it", primary=True)),
            Command(keys, lambda key: self._choose(keys.index(key)), ends),
        ]

    def clickables(self) -> Sequence[Clickable]:
        if self._inner:
            return self._inner.clickables()
        deeds = [Clickable(("deed", number), partial(self._choose, number)) for number in range(len(self._deeds))]
        coins = [Clickable(("own", at), partial(self._do_with, coin)) for at, coin in enumerate(self.cards()[0])]
        return [*deeds, *coins]

    def key(self, name: str) -> bool:
        return self._pass(self._inner, lambda inner: inner.key(name)) if self._inner else super().key(name)

    def click(self, action: Action) -> bool:
        self.clicked = True
        match action:
            case ("tile", int(index)) if self._inner is None and self._reaches(index):
                # Where no step is possible any more, the board still describes the tile.
                self._do(next(at for at, deed in enumerate(self._deeds) if deed.kind == "step"), armed=False)
        return self._pass(self._inner, lambda inner: inner.click(action)) if self._inner else super().click(action)

    def _pass(self, inner: PiecepackForm, give: Callable[[PiecepackForm], bool]) -> bool:
        """Passes an input to the form that is open, and takes over its refusal."""
        inner.refusal = ""
        handled = give(inner)
        self.refusal = inner.refusal or self.refusal
        return handled

    def _walk(self, key: str) -> None:
        self._focus = (self._focus + WAYS[key][1]) % len(self._deeds)
        self._armed = False

    def _choose(self, number: int) -> None:
        self._do(number, armed=self._armed and number == self._focus)

    def _reaches(self, index: int) -> bool:
        return index in self._space.steps or any(to == index for _, to in self._space.jumps)

    def _do(self, number: int, *, armed: bool) -> None:
        """Opens an action. One without a further choice is done at the second key press; so is the end of the turn,
        while something could still be done for nothing.
        """
        deed = self._deeds[number]
        self._focus = number
        if deed.violation is not None:
            self._armed = False
            self.refusal = deed.violation
        elif deed.kind == "step" or deed.kind in COINS:
            self._open(deed.kind)
        elif armed or (deed.kind == "end" and not self._still_free):
            self.context.send((deed.kind,))
        else:
            self._armed = True

    def _do_with(self, coin: CoinCard) -> None:
        """Opens the action for coins of that suit, or says why it is not possible."""
        if coin.suit in USES:
            self.refusal = USES[coin.suit]
            return
        number = next(at for at, deed in enumerate(self._deeds) if SPENDING.get(deed.kind) == coin.suit)
        self._do(number, armed=False)

    def _open(self, kind: str) -> None:
        def go_back() -> None:
            self._inner = None

        if kind == "step":
            self._inner = MoveForm(self.context, self.display, self._space, go_back)
        else:
            self._inner = SpendForm(self.context, self.display, self._space, kind, go_back)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        lines = ["Choose an action." if self.state.acted else "Choose an action. You cannot pass."]
        for deed in self._deeds:
            word = TYPED[deed.kind]
            possible = deed.violation is None
            lines.append(
                f"{word}: {in_words(deed.about)}"
                if possible
                else f"You cannot {REFUSED.get(deed.kind, word)}: {deed.violation}."
            )
        if self._space.offers("step"):
            lines += MoveForm(self.context, self.display, self._space).steps()
        return lines

    def parse(self, words: Sequence[str]) -> Plain:
        match words:
            case ["step" | "jump", *_]:
                return MoveForm(self.context, self.display, self._space).parse(words)
            case [word, *rest] if (kind := KINDS.get(word)) in COINS:
                assert kind is not None
                return SpendForm(self.context, self.display, self._space, kind).parse(rest)
            case [word, *_] if word in KINDS:
                return (KINDS[word],)
        raise ParseError(NOT_READ)
