"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from client.screen import Help, Section

TITLE: Final = "Blood Diamonds, piecepack"

_AIM: Final = Section(
    "The aim",
    "Be the first with 600 points, or have most when the last tile is drawn. Points come from selling diamonds: all "
    "that you hold are sold together for the product of their values, so ♦2 ♦3 ♦5 bring 30, and one ♦0 spoils it all.",
)
_TURN: Final = Section(
    "A turn",
    "First explore: the next tile is drawn, and you lay it beside the one you stand on, edge to edge or shifted by "
    "half. Then do at least one thing, and as many as you can pay for. Passing is not possible: at the least you step.",
)
_TILES: Final = Section(
    "Tiles",
    "☼ market: trade coins there. ☾ oasis: draw a heart there. ♣ war zone: attacks who comes. ♦ mine: diamonds for "
    "spades. ♥ holy site: takes your clubs, nobody is beaten. ♠ spy’s lair: peek at coins of others. Every tile with a "
    "0 is a black market: who comes there must sell all diamonds. The number says how strong a tile is; A is 1.",
)
_COINS: Final = Section(
    "Coins",
    "Everybody sees the suits that you hold, you alone the values. ☼ travel several tiles. ☾ draw coins. ♣ beat who "
    "stands with you and steal. ♠ mine diamonds. ♥ defend, when you are asked. ♦ are what all this is about. A coin "
    "that is spent is shown, and goes back into the bag.",
)
_POWERS: Final = Section(
    "Powers",
    "☼ jumpy: may jump over one tile in each move. ☾ scrounger: draws one coin more each time. ♣ thug: each club is "
    "worth one more. ♦ swindler: the best diamond of a sale is worth two more. ♥ tough guy: each heart is worth one "
    "more against warlords. ♠ digger: mines one diamond for nothing, once on each mine and turn.",
)
_BEATING: Final = Section(
    "Attacks",
    "A beating, or a war zone, has a value. Hearts that the defender spends take their values off it. As many coins as "
    "are left of it are lost: stolen, backs up, by who beats, or lost at random in a war zone.",
)
_END: Final = Section(
    "The end",
    "At once when somebody reaches 600, or when the last tile is drawn; also when nobody could explore for three "
    "rounds. Most points win; equal points are a tie. Who leaves puts the coins back, and the others play on.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows choose a place, a tile, a deed or a coin; Space goes to the next one or lifts a coin, Enter does it, u or "
    "Esc takes it back. Tab turns the panel: deeds, table, log. v shows the whole field, h hides your values, l looks "
    "at tiles one by one, 1 to 6 say what a warlord holds, p what diamonds sell for. While you wait, arrows move the "
    "view. A click does all of that: one chooses, a second one on the same does it.",
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


MOMENTS: Final = Help(
    TITLE,
    (
        Section(
            "The field",
            "PgDn and PgUp go a turn. v shows the whole field, or it near; Tab the table or the log. Of a coin in a "
            "hand the value is to be seen where the story tells it: in a replay of a whole game always, to onlookers "
            "where everybody has seen it.",
        ),
        *ABOUT.sections,
    ),
)
