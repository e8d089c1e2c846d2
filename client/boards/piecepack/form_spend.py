"""The form of spending or trading coins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.client.boards.form import Command, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, back_command, hand_cards
from kimberley.client.boards.piecepack.form_coins import CoinForm, sum_of
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.parsing import ParseError, seat_named
from kimberley.client.boards.piecepack.phrases import coins_of, known, long_coin, total, up_to, values_hidden
from kimberley.client.boards.piecepack.suits import SUITS
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.keys import Hint
from kimberley.games.phrases import count_of
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace
from kimberley.games.piecepack.suits import CLUB, HEART, MOON, SPADE, SUN
from kimberley.games.table import Item, Plain
from kimberley.p2p.sentences.notices import not_possible

SPENT = {"sun": SUN, "moon": MOON, "club": CLUB, "spade": SPADE}
VERBS = {"sun": "Travel", "moon": "Rest", "club": "Beat", "spade": "Mine", "market": "Trade"}


class SpendForm(CoinForm):
    """The player's own coins for an action: they are spent, or traded at a market."""

    def __init__(
        self, context: FormContext[State], display: HandDisplay, space: ActionSpace, kind: str,
        go_back: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        super().__init__(context, display)
        self._space, self._kind, self._back = space, kind, go_back
        self.verb = VERBS[kind]
        self._victim = 0
        self.most = space.most(kind)
        free = space.coins(kind)
        if len(free) == 1:
            self.chosen = set(free)

    @property
    def phase(self) -> str:
        return self.verb.upper()

    @property
    def _whom(self) -> int:
        return self._space.victims[self._victim % len(self._space.victims)]

    @property
    def _name(self) -> str:
        return self.context.names[self._whom]

    def all_cards(self) -> tuple[CoinCard, ...]:
        return hand_cards(self, self._space.coins(self._kind), self.chosen)

    def cards(self) -> tuple[tuple[CoinCard, ...], int | None]:
        return self.all_cards(), self.at

    def why_fixed(self, card: CoinCard) -> str:
        if self._kind == "market":
            return "markets take no diamonds"
        return f"you can spend only {SUITS[SPENT[self._kind]].sign} coins on that"

    def sentence(self, room: int) -> str:
        one = len(self._space.coins(self._kind)) == 1
        seen = f"everyone sees {'it' if one else 'them'}"
        match self._kind:
            case "market":
                suits = "its suit" if self.most == 1 else "the suits"
                choose, seen = f"Choose {up_to(self.most, 'coin')} to trade", f"others see only {suits}"
            case "club":
                choose = f"Beat {self._name} with your only ♣" if one else f"Choose ♣ to beat {self._name} with"
            case _:
                sign = SUITS[SPENT[self._kind]].sign
                choose = f"Spend your only {sign}" if one else f"Choose {sign} coins to spend"
        return first_fitting(room, f"{choose}; {seen}.", f"{choose}.")

    def about(self) -> str:
        """Says what the chosen coins do."""
        if not self.chosen:
            return "Choose a coin first."
        coins = self._lifted(self.seen)
        if self._kind == "market":
            drawn = min(len(coins) + self.state.power(self.seat, MOON), self.state.in_bag + len(coins))
            return f"{count_of(len(coins), 'coin')} into the bag, {drawn} out{_more(drawn - len(coins), MOON)}."
        worth = total(coins)
        if worth is None:
            return values_hidden(self.worded(" (h)", ""))
        return f"{sum_of(coins)}: {self._effect(coins, worth)}"

    def _lifted(self, state: State) -> list[Item]:
        """Returns the chosen coins, as far as they are known in a state."""
        return [coin for coin in state.hands[self.seat] if coin.handle in self.chosen]

    def _effect(self, coins: Sequence[Item], worth: int) -> str:
        state, seat = self.state, self.seat
        match self._kind:
            case "sun":
                return f"move {up_to(worth, 'tile')}." if worth else "worth nothing, so you go nowhere."
            case "moon":
                drawn = min(worth + state.power(seat, MOON), state.in_bag) if worth else 0
                more = _more(drawn - worth, MOON)
                return f"you draw {count_of(drawn, 'coin')}{more} ({state.in_bag} in the bag)."
            case "spade":
                most = min(worth, state.tile(seat).value, state.in_pile)
                return f"you mine {most} ♦ (at most {state.tile(seat).value} here; {state.in_pile} left)."
        bonus = len(coins) if state.power(seat, CLUB) else 0
        attack, more = worth + bonus, _more(bonus, CLUB)
        held = len(state.hands[self._whom])
        if not attack:
            return "attack 0, which steals nothing."
        if not held:
            return f"attack {attack}{more}, but {self._name} has no coins to steal."
        hearts = len(coins_of(state, self._whom, HEART))
        every = {1: ", a ♥", 2: ", both ♥"}.get(held, ", all ♥")
        shield = every if hearts == held else f", {hearts} of them ♥" if hearts else ""
        most = min(attack, held)
        stolen = f"up to {count_of(most, 'coin')}" if hearts else up_to(most, "coin")
        return f"attack {attack}{more}; steal {stolen} from {self._name}, who has {held}{shield}."

    def commands(self) -> list[Command]:
        other = Hint("o", "another player") if len(self._space.victims) > 1 else None
        beats = [Command(("o",), lambda _: self._beat_another(), other)] if self._kind == "club" else []
        return [*super().commands(), *beats, self.enter_command(), back_command(self._back)]

    def _beat_another(self) -> None:
        self._victim += 1

    def done(self) -> None:
        if not self.choose_only():
            self.refusal = self.worded("choose coins with Space first", "choose a coin first")
            return
        choice = (self._kind, self._whom, self.handles) if self._kind == "club" else (self._kind, self.handles)
        if (reason := self._space.violation(choice)) is not None:
            self.refusal = reason
            return
        bonus = self._kind == "club" and self.state.power(self.seat, CLUB)
        if self._kind != "market" and total(self._lifted(self.state)) == 0 and not bonus:
            one, some = "It is worth nothing. Spend it anyway?", "Together they are worth nothing. Spend them anyway?"
            text = one if len(self.chosen) == 1 else some
            self.confirm("Worth nothing", text, "Spend", choice, danger=True)
        else:
            self.context.send(choice)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        if (reason := self._space.refuses(self._kind)) is not None:
            return [not_possible(reason)]
        free = self._space.coins(self._kind)
        coin = next(long_coin(*known(coin)) for coin in self.state.hands[self.seat] if coin.handle in free)
        whom = f"{self._name} " if self._kind == "club" else ""
        return [f"Type which coins, like: {self.verb.lower()} {whom}{coin}."]

    def parse(self, words: Sequence[str]) -> Plain:
        """Reads coins, as in "sun 3 sun ace"; with the player to beat before them, as in "ben club 3"."""
        beats = self._kind == "club"
        if len(words) <= beats or (beats and self._space.refuses(self._kind) is not None):
            raise ParseError(*self.prompt())
        if not beats:
            return self._kind, self.parse_coins(words)
        return "club", seat_named(self.context.names, words[0]), self.parse_coins(words[1:])


def _more(bonus: int, suit: int) -> str:
    """Says what the power of a suit adds; empty if nothing."""
    return f", {bonus} more as the {SUITS[suit].power}" if bonus > 0 else ""
