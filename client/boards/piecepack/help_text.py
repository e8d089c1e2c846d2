"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section

TITLE: Final = "Blood Diamonds, piecepack"

_AIM: Final = Section(
    "The aim",
    "Be the first to reach 600 points, or have the most when the last tile is drawn. Points come from selling "
    "diamonds: you sell all that you hold together, for the product of their values. So ♦2 ♦3 ♦5 bring 30, and one ♦0 "
    "spoils it all.",
)
_TURN: Final = Section(
    "A turn",
    "First explore: the next tile is drawn, and you lay it beside the one you stand on, edge to edge or shifted by "
    "half. Then do at least one thing, and as many as you can pay for. You cannot pass: you can always step.",
)
_TILES: Final = Section(
    "Tiles",
    "☼ market: trade coins there. ☾ oasis: draw a heart there. ♣ war zone: attacks everybody who comes. ♦ mine: "
    "diamonds for spades. ♥ holy site: takes your clubs, nobody is beaten. ♠ spy’s lair: peek at coins of others. "
    "Every tile with a 0 is a black market: whoever comes there must sell all diamonds. The number says how strong a "
    "tile is; A is 1.",
)
_COINS: Final = Section(
    "Coins",
    "Everybody sees the suits of your coins, but only you see their values. ☼ travel several tiles. ☾ draw coins. ♣ "
    "beat a warlord who stands with you, and steal. ♠ mine diamonds. ♥ defend, when you are attacked. ♦ bring points. "
    "A coin that you spend is shown, and goes back into the bag.",
)
_POWERS: Final = Section(
    "Powers",
    "☼ jumpy: may jump over one tile in each move. ☾ scrounger: draws one coin more each time. ♣ thug: each club is "
    "worth one more. ♦ swindler: the best diamond of a sale is worth two more. ♥ tough guy: each heart is worth one "
    "more against warlords. ♠ digger: mines one diamond free, once per mine per turn.",
)
_BEATING: Final = Section(
    "Attacks",
    "A beating or a war zone attacks with a value. Each heart that the defender spends takes its own value off. The "
    "defender loses as many coins as remain of the attack: in a beating the attacker steals them, backs up; in a war "
    "zone they are lost at random.",
)
_END: Final = Section(
    "The end",
    "The game ends at once when somebody reaches 600, or when the last tile is drawn; also when nobody could explore "
    "for three rounds. The most points win; equal points are a tie. If a player leaves, their coins go back into the "
    "bag, and the others play on.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows choose a place, a tile, an action or a coin; Space goes to the next one or lifts a coin, Enter does it, u "
    "or Esc takes it back. Tab turns the panel: actions, table, log. v shows the whole field, h hides your values, l "
    "looks at tiles one by one, 1 to 6 say what a warlord holds, p what diamonds sell for. While you wait, arrows move "
    "the view. The mouse does all of that: a click chooses, a second click on the same thing does it.",
)

ABOUT: Final = Help(TITLE, (_AIM, _TURN, _TILES, _COINS, _POWERS, _BEATING, _END))

_FIRST: Final = {
    "EXPLORE": (_TURN, _TILES),
    "DEFEND!": (_BEATING, _COINS),
    "STEAL": (_BEATING, _COINS),
    "PEEK": (_TILES, _COINS),
}


def for_phase(phase: str) -> Help:
    """The help for a phase, what matters in it first."""
    first = _FIRST.get(phase, (_TURN, _COINS))
    rest = [s for s in (_TURN, _TILES, _COINS, _POWERS, _BEATING, _AIM, _END) if s not in first]
    return Help(TITLE, (*first, *rest, _KEYS))


TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The field",
            "PgDn and PgUp go a turn. v shows the whole field, or a close-up; Tab the table or the log. You see "
            "the value of a coin where the story tells it: in a replay of a whole game always, as an onlooker once "
            "everybody has seen it.",
        ),
        *ABOUT.sections,
    ),
)
