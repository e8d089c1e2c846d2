"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.piecepack.coins import BAGGED, DIAMONDS
from kimberley.games.piecepack.position import EACH, MOST_ACTIONS, QUIET_ROUNDS
from kimberley.games.piecepack.suits import (
    CLUB,
    DIAMOND,
    GOAL,
    HEART,
    MARKET_EFFECT,
    MOON,
    POWER_EFFECTS,
    POWERS,
    RANKS,
    SPADE,
    SUITS,
    SUN,
    SWINDLE,
    TILE_EFFECTS,
    TILES,
    payoff,
)

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
    "half. Then do at least one thing, and as many as you can pay for. You cannot pass: you can step, once a turn.",
)
_TILES: Final = Section(
    "Tiles",
    "☼ market: trade coins there. ☾ oasis: draw a heart there. ♣ war zone: attacks everybody who comes. ♦ mine: "
    "diamonds for spades. ♥ holy site: takes your clubs, nobody is beaten. ♠ spy’s lair: peek at coins of others. "
    "Every tile with a 0 is a black market: whoever comes there must sell all diamonds. The number says how strong a "
    "tile is; A is 1. Market and oasis serve you once for each tile and turn. A market takes no diamonds. The number "
    "of a mine caps what each action with spades mines there.",
)
_COINS: Final = Section(
    "Coins",
    "Everybody sees the suits of your coins, but only you see their values. ☼ travel several tiles. ☾ draw coins. ♣ "
    "beat a warlord who stands with you, and steal. ♠ mine diamonds. ♥ defend, when you are attacked. ♦ bring points. "
    "A coin that you spend is shown, and goes back into the bag.",
)
_POWERS: Final = Section(
    "Powers",
    "☼ jumper: may jump over one tile in each move. ☾ scrounger: draws one coin more each time. ♣ thug: each club is "
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
    "Arrows choose a place, a tile, an action or a coin; Space goes to the next one or takes a coin, Enter does it, u "
    "or Esc takes it back, d ends your turn. Tab turns the panel: actions, table, log. v shows the whole field, h "
    "hides your values, i looks at tiles one by one, 1 to 6 say what a warlord holds, p what diamonds sell for. While "
    "you wait, arrows move the view. The mouse does all of that: a click chooses, a second click on the same thing "
    "does it.",
    by_touch=Section(
        "By touch",
        "Touch a place, a tile, an action or a coin to choose it; a second touch on the same thing, or the button, "
        "does it. A long touch takes it back. Any other tile tells what it is; so does Look at tiles, in the menu. "
        "Field shows the whole field, Hide hides your values. Touch the payoffs to see what diamonds sell for. Two "
        "fingers look closer.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _TURN, _TILES, _COINS, _POWERS, _BEATING, _END))

_SIGNS: Final = (_COINS, _TILES, _POWERS)
_FIRST: Final = {
    "EXPLORE": (_TURN, _TILES),
    "DEFEND!": (_BEATING, _COINS),
    "STEAL": (_BEATING, _COINS),
    "PEEK": (_TILES, _COINS),
}


def for_phase(phase: str) -> Help:
    """The help for a phase: what to do in it, the keys, and what the signs mean."""
    first = _FIRST.get(phase, (_TURN, _COINS))
    signs = [section for section in _SIGNS if section not in first]
    return Help(TITLE, (*first, _KEYS, *signs))


SALE: Final = (2, 3, 5)
"""Diamonds that are sold in the rules’ example."""
SOLD: Final = f"{', '.join(map(str, SALE[:-1]))} and {SALE[-1]}"

RULES: Final = Help(
    TITLE,
    (
        Section(
            "The aim",
            f"Be the first to reach {GOAL} points, or have the most points when the game ends. You get points for "
            "diamonds, which you mine, steal, and sell on black markets.",
        ),
        Section(
            "What there is",
            f"There are {len(SUITS)} suits: {', '.join(SUITS[:-1])} and {SUITS[-1]}. Each has {len(RANKS)} tiles and "
            f"{len(RANKS)} coins: {', '.join(RANKS)}. The null is worth nothing, the ace one.",
            (
                "The back of a coin shows its suit. So everybody sees which suits you hold, but only you know the "
                "values.",
                f"The {len(BAGGED)} coins that are no diamonds are in a bag. The {len(DIAMONDS)} diamonds are in a "
                "pile beside it.",
            ),
        ),
        Section(
            "Set-up",
            "Lots decide who has which suit, and who begins. In another game at the same table the next player begins. "
            "The null tiles of the players’ suits are laid out in a compact group, edge to edge, each with its pawn. "
            f"All other tiles lie face down. Everybody draws {EACH} coins.",
        ),
        Section(
            "A turn, 1: explore",
            "The next tile is turned up. You lay it beside the tile on which your pawn stands: it shares a whole edge "
            "with that tile, or half of one, and covers nothing. If there is no room, you do not explore.",
        ),
        Section(
            "A turn, 2: act",
            "Take at least one action, and as many as you like. You cannot pass, but you can always step.",
            (
                "Step, once a turn: your pawn goes to a tile that shares a whole edge or half of one with its own.",
                "Suns: your pawn goes from tile to tile, as many tiles as the suns are worth. You may stop earlier, "
                "but not before the first tile. It enters no tile twice, nor the one where it began.",
                "Moons: draw as many coins as the moons are worth. The moons go back into the bag after that.",
                "Clubs: beat a player who stands on the same tile; see Attacks.",
                "Spades, on a mine: mine as many diamonds as the spades are worth, but at most the value of the mine "
                "in each such action.",
                "Market and oasis, while you stand there, and the digger’s free diamond: once for each tile in a turn.",
                "End your turn, after at least one action. It ends by itself when you can do nothing more.",
            ),
        ),
        Section(
            "Spending coins",
            "Everybody sees the coins that you spend. Only then you choose how far a move goes, or which coins you "
            "steal. When their work is done, the coins go back into the bag.",
            (
                "A coin that you have shown is an action, whatever its value: also a null, and also if it brings "
                "nothing. Clubs may beat a player who holds nothing; moons may be spent on an empty bag, and spades on "
                "an empty pile.",
                "You draw as many coins as there are, if there are fewer than you may draw.",
                f"A turn has at most {MOST_ACTIONS} actions.",
            ),
        ),
        Section(
            "Black markets",
            f"Every null tile is a black market, whatever its suit, and nothing else. {MARKET_EFFECT}",
            (
                f"For example, {SOLD} bring {payoff(SALE, swindler=False)} points. If the null diamond is among "
                "them, the whole sale brings nothing.",
                "You must sell, even if you only pass through. The diamonds go back to the pile.",
            ),
        ),
        Section(
            "The other tiles",
            "A tile that is not null does what its suit says:",
            tuple(
                f"{tile.capitalize()} ({suit}): {effect}"
                for tile, suit, effect in zip(TILES, SUITS, TILE_EFFECTS, strict=True)
            ),
        ),
        Section(
            "Details of the tiles",
            "War zones, holy sites, lairs and black markets act when a pawn comes there.",
            (
                "On a move by suns each such tile on the way acts, one after the other. Markets, oases and mines on "
                "the way do nothing, since you do not stand there.",
                "They do nothing to a pawn that already stands there. If you get diamonds while you stand on a black "
                "market, you do not sell them then. If you draw clubs while you stand on a holy site, you keep them.",
                "Market: the coins go into the bag together, then you draw as many. The market takes no diamonds.",
                "Oasis: coins are drawn, and all see their suits, until a heart comes. You keep the heart, and the "
                "rest goes back. There must be a heart in the bag.",
            ),
        ),
        Section(
            "Powers",
            "Each player has the power of their suit:",
            tuple(
                f"{power.capitalize()} ({suit}): {effect}"
                for power, suit, effect in zip(POWERS, SUITS, POWER_EFFECTS, strict=True)
            ),
        ),
        Section(
            "Details of the powers",
            "",
            (
                f"The {POWERS[SUN]} jumps once in each move: in place of the step, or as one of the tiles of "
                "the suns. The tile that is jumped over does nothing, and counts as entered.",
                f"The {POWERS[MOON]} draws one more at the start, with moons, on a market and on an oasis, but not "
                "when mining, and not if the moons are worth nothing.",
                f"The {POWERS[CLUB]} has one more for each club of a beating, the null too.",
                f"The {POWERS[DIAMOND]} has {SWINDLE} more on the best diamond of each sale: {SOLD} bring "
                f"{payoff(SALE, swindler=True)} points, and the null alone brings {payoff((0,), swindler=True)}.",
                f"The {POWERS[HEART]} has one more for each heart when beaten, but not in a war zone.",
                f"The {POWERS[SPADE]} needs no spade for the free diamond, and it comes on top of what spades mine.",
            ),
        ),
        Section(
            "Attacks",
            "A beating attacks with what the clubs are worth together, a war zone with its value. A player who is "
            "attacked and holds hearts may play some of them, or none: each takes its value off the attack.",
            (
                "Beating: you may take as many coins as are left of the attack, or fewer. You choose them by their "
                "suits. Then you see their values.",
                "War zone: as many coins as are left of the attack go back into the bag, drawn by lot. Diamonds go "
                "back to the pile.",
                "Nobody can be beaten on a holy site. On black markets, heart or not, players can be beaten.",
                "You may use stolen clubs in the same turn.",
            ),
        ),
        Section(
            "The end",
            "The most points win, and equal points are a tie. The game ends in one of these ways:",
            (
                f"At once when a player reaches {GOAL} points. That player wins.",
                "At once when the last tile is turned up. It is not laid any more.",
                f"After {QUIET_ROUNDS} rounds in a row in which nobody could explore.",
            ),
        ),
        Section(
            "Leaving",
            "A player who resigns or leaves puts all coins back, and the pawn goes off the field. The others play on "
            "while there are two or more; the last one wins.",
            (
                "The player is placed behind all who stayed, whatever the points.",
                "What was under way ends: a tile that was not laid is turned up again some day, and an attack on the "
                "player is over.",
            ),
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The field",
            "v shows the whole field, or a close-up; Tab the table or the log; i looks at tiles one by one. You see "
            "the value of a coin where the story tells it: in a replay of a whole game always, as a spectator once "
            "everybody has seen it.",
            by_touch=Section(
                "The field",
                "Field shows the whole field, or a close-up. You see the value of a coin where the story tells it: in "
                "a replay of a whole game always, as a spectator once everybody has seen it.",
            ),
        ),
        *_SIGNS,
    ),
)

TYPED: Final = (
    f"Be the first with {GOAL} points, or have most when the last tile is drawn. Diamonds bring points: at a black "
    "market all that you hold are sold together for the product of their values.",
    "In your turn a tile is drawn, and you lay it beside the one you stand on. Then do at least one thing, and as many "
    "as you can pay for with coins. Everybody knows the suits of your coins, but only you know their values.",
    "A tile or a coin is called by its suit and its value: club 4, heart ace, moon null.",
    "hand tells your coins, players who holds what, field all tiles, look club 4 a tile and what is beside it. can "
    "tells what you can do, and why not the rest; powers tells what each warlord can do, "
    "payoffs what diamonds sell for.",
    "step club 4. jump heart 2. travel sun 3 sun ace. rest moon 2. mine spade 4. dig. trade heart 2 club null. oasis. "
    "beat ben club 3. end. When you are attacked: defend heart 3, or none.",
)
