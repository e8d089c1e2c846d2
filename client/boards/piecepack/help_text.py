"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.piecepack.coins import BAGGED, DIAMONDS
from kimberley.games.piecepack.game import Piecepack
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

STEP: Final = "move to a tile that shares a whole edge, or half of one, with yours."
TITLE: Final = Piecepack.title

_AIM: Final = Section(
    "Goal",
    "Be the first to reach 600 points, or have the most when the last tile is drawn. You score by selling diamonds, "
    "all at once, for the product of their values: ♦2 ♦3 ♦5 bring 30, and a single ♦0 makes it nothing.",
)
_TURN: Final = Section(
    "A turn",
    "First explore: draw the next tile and place it next to yours, edge to edge or shifted by half. Then take one "
    "or more actions, as many as you can pay for. You cannot pass, but once a turn you can step for free.",
)
_TILES: Final = Section(
    "Tiles",
    "☼ market: trade coins. ☾ oasis: draw a heart. ♣ war zone: attacks everyone who enters. ♦ mine: spend spades for "
    "diamonds. ♥ holy site: takes your clubs; no beatings. ♠ spy’s lair: peek at others’ coins. Every 0 is a black "
    "market, where you must sell all your diamonds. The number is the tile’s strength; A is 1. Each market and "
    "oasis works once a turn. Markets take no diamonds. A mine’s number limits each mining action.",
)
_COIN_EFFECTS: Final = (
    "☼ travel several tiles. ☾ draw coins. ♣ beat a player on your tile and steal. ♠ mine diamonds. ♥ defend when "
    "attacked. ♦ sell for points. Coins you spend are revealed and go back into the bag."
)
_COINS: Final = Section(
    "Coins",
    f"Everyone sees the suits of your coins, but only you see their values, unless a spy peeks. {_COIN_EFFECTS}",
)
_POWERS: Final = Section(
    "Powers",
    "☼ jumper: may jump over one tile per move. ☾ scrounger: draws one extra coin each time. ♣ thug: each club "
    "is worth one more. ♦ swindler: the best diamond in a sale is worth two more. ♥ tough guy: each heart is worth "
    "one more in a beating. ♠ digger: gets one extra diamond, free, from each mine each turn.",
)
_BEATING: Final = Section(
    "Attacks",
    "An attack has a value. Each heart the defender spends reduces it by the heart’s value. You can "
    "lose one coin for each point not blocked: stolen by suit in a beating, at random in a war zone.",
)
_END: Final = Section(
    "The end",
    "The game ends the moment someone reaches 600 or the last tile is drawn. House rule: also after three rounds in a "
    "row in which nobody had room to explore. The most points win; equal points are a tie. If a player leaves, their "
    "coins go back into the bag, and the others play on.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows choose; Space goes to the next place or picks a coin; Enter confirms, u or Esc undoes, d ends your turn. "
    "Tab switches the panel: actions, table, log. v shows the whole map, h hides your values, i looks at tiles one "
    "by one, numbers show what a player holds, p what diamonds sell for. While you wait, arrows scroll. The mouse "
    "does it all: click to choose, click again to confirm.",
    by_touch=Section(
        "Touch",
        "Tap a place, a tile, an action or a coin to choose it; tap it again, or the button, to do it. Hold to undo. "
        "Tap any other tile to see what it is, or Look at tiles in the menu. Map shows it all, Hide hides your "
        "values. Tap the payoffs to see what diamonds sell for. Pinch to zoom.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _TURN, _TILES, _COINS, _POWERS, _BEATING, _END))

_SIGNS: Final = (_COINS, _TILES, _POWERS)
_SIGNS_ALONE: Final = (Section("Coins", _COIN_EFFECTS), _TILES, _POWERS)
"""For somebody who has no coins."""
_FIRST: Final = {
    "EXPLORE": (_TURN, _TILES),
    "DEFEND!": (_BEATING, _COINS),
    "STEAL": (_BEATING, _COINS),
    "PEEK": (_TILES, _COINS),
}


def for_phase(phase: str) -> Help:
    """Returns the help for a phase: what to do in it, the keys, and what the signs mean."""
    first = _FIRST.get(phase, (_TURN, _COINS))
    signs = [section for section in _SIGNS if section not in first]
    return Help(TITLE, (*first, _KEYS, *signs))


OF_THE_OUT: Final = Help(
    TITLE,
    (
        Section(
            "Keys",
            "Tab switches the panel, and arrows scroll. v shows the whole map or a close-up, i looks at tiles one by "
            "one, numbers show what a player holds, p what diamonds sell for.",
            by_touch=Section(
                "Touch",
                "Tap a tile to see what it is, and the payoffs to see what diamonds sell for. Map shows the whole map "
                "or a close-up. Pinch to zoom.",
            ),
        ),
        *_SIGNS_ALONE,
    ),
)
"""For a player who has resigned."""

SALE: Final = (2, 3, 5)
"""Diamonds that are sold in the rules’ example."""
SOLD: Final = f"{', '.join(map(str, SALE[:-1]))} and {SALE[-1]}"

RULES: Final = Help(
    TITLE,
    (
        Section(
            "Goal",
            f"Be the first to reach {GOAL} points, or have the most at the end. Mine or steal diamonds, and sell them "
            "on black markets for points.",
        ),
        Section(
            "Components",
            f"There are {len(SUITS)} suits: {', '.join(SUITS[:-1])} and {SUITS[-1]}. Each has {len(RANKS)} tiles and "
            f"{len(RANKS)} coins: {', '.join(RANKS)}. An ace is worth one.",
            (
                "A coin’s back shows its suit: everyone sees which suits you hold. Only you see the values, unless a "
                "spy peeks. A player you steal coins from still knows their values.",
                f"The {len(BAGGED)} coins other than diamonds go into a bag; the {len(DIAMONDS)} diamonds form a pile "
                "next to it.",
            ),
        ),
        Section(
            "Start",
            "The suits and the first player are drawn at random; in a rematch the next player begins. The "
            f"{RANKS[0]} tiles of the players’ suits start in a compact group, edge to edge, each with its pawn. All "
            f"other tiles are face down. Everyone draws {EACH} coins.",
        ),
        Section(
            "Your turn, step 1: explore",
            "Turn up the next tile and place it next to your pawn’s tile, sharing a whole edge or half of one, and "
            "covering nothing. If there is no room, you do not explore.",
        ),
        Section(
            "Your turn, step 2: act",
            "Take at least one action; you cannot pass. Once a turn, you can step: that counts as an action and costs "
            "nothing.",
            (
                f"Step, once a turn: {STEP}",
                "Suns: move as many tiles as the suns are worth, or fewer; at least one, if they are worth anything. "
                "You may not enter a tile twice, nor return to where you started.",
                "Moons: draw as many coins as the moons are worth. Then the moons go back into the bag.",
                "Clubs: beat a player on your tile; see Attacks.",
                "Spades, on a mine: mine as many diamonds as the spades are worth, up to the mine’s value each time.",
                "Market and oasis, while you are there, and the digger’s free diamond: once per tile per turn.",
                "End your turn, after at least one action. It ends by itself when nothing more is possible.",
            ),
        ),
        Section(
            "Spending coins",
            "Everyone sees the coins you spend. Only then do you choose how far to move or which coins to steal. "
            "Afterward the coins go back into the bag.",
            (
                f"Spending a coin counts as an action, even a {RANKS[0]}, and even if it achieves nothing. You may "
                "beat a player who has no coins, or spend moons on an empty bag and spades on an empty pile.",
                "If there are too few coins, you draw what there is.",
                f"A turn has at most {MOST_ACTIONS} actions.",
            ),
        ),
        Section(
            "Black markets",
            f"Every tile with {RANKS[0]} is a black market and nothing else, whatever its suit. {MARKET_EFFECT}",
            (
                f"For example, {SOLD} bring {payoff(SALE, swindler=False)} points. If the {RANKS[0]} is among "
                "them, the whole sale brings nothing.",
                "You must sell, even if you only pass through. The diamonds go back into the pile.",
            ),
        ),
        Section(
            "The other tiles",
            "Other tiles depend on their suit:",
            tuple(
                f"{tile.capitalize()} ({suit}): {effect}"
                for tile, suit, effect in zip(TILES, SUITS, TILE_EFFECTS, strict=True)
            ),
        ),
        Section(
            "Details of the tiles",
            "War zones, holy sites, lairs and black markets act when you arrive.",
            (
                "When you travel with suns, each of these on the way acts in turn. Markets, oases and mines on the "
                "way do nothing.",
                "War zones, holy sites, lairs and black markets do nothing to a pawn already there. Diamonds you get "
                "while on a black market are not sold; "
                "clubs you draw while on a holy site are yours to keep.",
                "Market: put in all the coins together, then draw as many. No diamonds.",
                "Oasis: draw coins until a heart comes up; everyone sees their suits. Keep the heart and return the "
                "rest. The bag must hold a heart.",
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
                f"The {POWERS[SUN]} jumps once per move: instead of the step, or while traveling with suns. The "
                "tile jumped over has no effect, but counts as entered.",
                f"The {POWERS[MOON]} draws one more coin at the start, with moons, at a market and at an oasis, but "
                "not when mining, and not with worthless moons.",
                f"Each of the {POWERS[CLUB]}’s clubs is worth one more in a beating, even a {RANKS[0]}.",
                f"The {POWERS[DIAMOND]} adds {SWINDLE} to the best diamond of each sale: {SOLD} bring "
                f"{payoff(SALE, swindler=True)} points, and the {RANKS[0]} alone brings {payoff((0,), swindler=True)}.",
                f"Each of the {POWERS[HEART]}’s hearts is worth one more in a beating, but not in a war zone.",
                f"The {POWERS[SPADE]} mines the free diamond without a spade, on top of what spades mine.",
            ),
        ),
        Section(
            "Attacks",
            "A beating attacks with the total of the clubs, a war zone with its value. If you are attacked and hold "
            "hearts, you may spend some or none: each reduces the attack by its value.",
            (
                "Beating: steal up to one coin for each point not blocked. You choose them by suit, then see "
                "their values.",
                "War zone: you lose one random coin for each point not blocked. Coins go back into the bag, "
                "diamonds into the pile.",
                f"Nobody can be beaten on a holy site. The heart {RANKS[0]} is a black market, not a holy site.",
                "You may use stolen clubs in the same turn.",
            ),
        ),
        Section(
            "The end",
            "The most points win; equal points are a tie. The game ends:",
            (
                f"At once when a player reaches {GOAL} points. That player wins.",
                "At once when the last tile is drawn. It is not placed.",
                f"House rule: after {QUIET_ROUNDS} rounds in a row in which nobody had room to explore.",
            ),
        ),
        Section(
            "Leaving",
            "A player who resigns or leaves returns all coins, and their pawn leaves the map. The others play on; "
            "the last one remaining wins.",
            (
                "A player who left ranks behind all who stayed, whatever the points.",
                "A tile they had not placed goes back among the face-down tiles, and an attack on them is over.",
            ),
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The map",
            "v shows the whole map or a close-up, Tab the table or the log, i looks at tiles one by one. Coin values "
            "show once they are known: always in a replay of a whole game; as a spectator, once everyone has seen "
            "them.",
            by_touch=Section(
                "The map",
                "Map shows the whole map or a close-up. Coin values show once they are known: always in a replay of "
                "a whole game; as a spectator, once everyone has seen them.",
            ),
        ),
        *_SIGNS_ALONE,
    ),
)

TYPED: Final = (
    f"Be the first to reach {GOAL} points, or have the most when the last tile is drawn. At a black market all your "
    "diamonds are sold together for the product of their values.",
    "On your turn, draw a tile and place it next to yours. Then take one or more actions, as many as you can pay "
    "for with coins. Everyone knows your coins’ suits, but only you see their values, unless a spy peeks.",
    "Name a tile or coin by suit and value: club 4, heart ace, moon 0.",
    "hand: your coins. players: who holds what. field: all tiles. look club 4: a tile and its neighbors. can: what "
    "you can do, and why not the rest. powers: what each player can do. payoffs: what diamonds sell for.",
    "step club 4. jump heart 2. travel sun 3 sun ace. rest moon 2. mine spade 4. dig. trade heart 2 club 0. oasis. "
    "beat NAME club 3. end. When you are attacked: defend heart 3, or none.",
)
