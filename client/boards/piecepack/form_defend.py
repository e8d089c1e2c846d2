"""The form of defending: which hearts are spent."""

from __future__ import annotations

from kimberley.client.boards.form import Command, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, Request, hand_cards
from kimberley.client.boards.piecepack.form_coins import CoinForm
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.phrases import known, long_coin, long_coins, total, up_to, values_hidden
from kimberley.client.ui.glyphs import cell_width
from kimberley.games.phrases import count_of
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import HeartSpace


class DefendForm(CoinForm):
    """Which hearts the attacked player spends against an attack."""

    phase = "DEFEND!"
    verb = "Defend"

    def __init__(self, context: FormContext[State], display: HandDisplay, space: HeartSpace) -> None:
        super().__init__(context, display)
        self._space = space
        self.most = space.most

    @property
    def _whence(self) -> str:
        attacker = self.state.attacker
        return "The war zone" if attacker is None else self.context.names[attacker]

    def all_cards(self) -> tuple[CoinCard, ...]:
        return hand_cards(self, self._space.handles, self.chosen)

    def cards(self) -> tuple[tuple[CoinCard, ...], int | None]:
        return self.all_cards(), self.at

    def why_fixed(self, card: CoinCard) -> str:
        return "only hearts defend you"

    def sentence(self, room: int) -> str:
        short = f"An attack of {self._space.attack}: spend hearts?"
        text = f"{self._whence} attacks for {self._space.attack}: spend hearts?"
        return text if cell_width(text) <= room else short

    def about(self) -> str:
        coins = [coin for coin in self.seen.hands[self.seat] if coin.handle in self.chosen]
        worth = total(coins)
        held = len(self.state.hands[self.seat]) - len(coins)
        if worth is None:
            return values_hidden(self.worded(" (h)", ""))
        left = max(0, self._space.attack - worth - self._space.bonus * len(coins))
        lost = min(left, held)
        # A player who beats another may steal fewer coins.
        lose = "lose" if self.state.attacker is None or not lost else "can lose"
        return f"An attack of {left} remains: you {lose} {count_of(lost, 'coin') if lost else 'nothing'}."

    def request(self) -> Request:
        bonus = " You are the tough guy: each heart is worth one more." if self._space.bonus else ""
        held = len(self.state.hands[self.seat])
        most = min(self._space.attack, held)
        if self.state.attacker is None:
            every = "your only coin" if held == 1 else "all your coins"
            lost = count_of(most, "random coin") if most < held else every
            first = f"It attacks you for {self._space.attack}: you can lose {lost}."
        else:
            unseen = "its value" if most == 1 else "their values"
            first = (
                f"{self._whence} attacks for {self._space.attack} and can steal {up_to(most, 'coin')}, "
                f"without seeing {unseen}."
            )
        number = len(self._space.handles)
        spent = "Spending it" if number == 1 else "Each one spent"
        hold = f"You hold {count_of(number, 'heart')}. {spent} reduces the attack by its value.{bonus}"
        title = "A war zone!" if self.state.attacker is None else f"{self._whence} attacks you!"
        return Request(title, (first, hold, self.about()), buttons=self.buttons(), alarm=True)

    def commands(self) -> list[Command]:
        none = self.none_command("Spend none", lambda: self.context.send(()))
        return [*super().commands(), self.enter_command(), none]

    def done(self) -> None:
        if not self.choose_only():
            self.refusal = self.worded("choose hearts with Space; n spends none", "choose a heart first, or Spend none")
        else:
            self.context.send(self.handles)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        hearts = [known(coin) for coin in self.state.hands[self.seat] if coin.handle in self._space.handles]
        bonus = " You are the tough guy: each heart is worth one more." if self._space.bonus else ""
        example = f"Type, for example, defend {long_coin(*hearts[0])}, or none."
        return [
            f"{self._whence} attacks you for {self._space.attack}. You hold {long_coins(hearts)}.{bonus}",
            f"{example} You can lose a coin for each point you do not block.",
        ]
