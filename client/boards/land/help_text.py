"""What F1 says."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.land.phrases import SMALL_FACES
from kimberley.client.session.notices import as_sentence
from kimberley.client.ui.screen import Help, Section
from kimberley.games.land.deals import MOST
from kimberley.games.land.game import MAPS, TURNS
from kimberley.games.land.maps import BASE, FACES, KIND_NAMES, LAND, SECTOR, SIDES
from kimberley.games.land.money import CENT, CENTS, GOAL, HIGHEST, REVENUE_PARTS, START, K, price

TITLE: Final = "Blood Diamonds, the land game"

_SMALL_FACES: Final = FACES * SECTOR // SIDES[1]
"""The faces of a die that name the same row or column of a small map."""

_AIM: Final = Section(
    "The aim",
    "Be the first to have 1000K, or the last one left. Everybody begins with 500K. The million counts at the start of "
    "your turn, after credits, tax and revenue, and at its end. If you are below zero at the end of your turn, you are "
    "out, and all your land goes back to the government.",
)
_START: Final = Section(
    "Credits, tax, revenue",
    "Your turn begins with three sums. Credits: what others paid you for land since your last turn. Tax: 2% of the "
    "sale price of each of your parcels, whatever it earns. Revenue: 10% of the base price of each parcel that a path "
    "of your own parcels, edge to edge, connects to the river. Land that is cut off earns nothing.",
)
_DICE: Final = Section(
    "The dice",
    "The black die names a row of sectors, the white one a column. You deal in that sector of 4 by 4 parcels, in any "
    f"order and as often as your balance allows. On a small map {SMALL_FACES}.",
)
_DEALS: Final = Section(
    "Buying and selling",
    "All land is for sale at any time: the government asks the base price, desert 1K, farmland 5K, coal 20K, diamonds "
    "100K; a player asks the price that they have set, and cannot refuse. What you buy keeps the price that you paid "
    "until you set another, from 0 to 999K. The government buys any parcel of yours back at half the base price.",
)
_PRICES: Final = Section(
    "What a price does",
    "A high price keeps others away and is taxed each turn; a low one is cheap to hold and cheap to take. Below zero "
    "you can only sell to the government until your balance allows more.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows move over the parcels, and out of the sector to look around; Home comes back. b buys, s sells to the "
    "government. Digits type a price, + and - go up and down, x2 means twice the base price; Enter sets it. Space "
    "marks parcels, a marks those alike: all of yours, those of one kind, all you can buy; b, s and a price then count "
    "for all of them. u takes back, d ends the turn.",
    by_touch=Section(
        "By touch",
        "Touch a parcel, then Buy or Sell; the government pays. A second touch marks a parcel; Alike marks those like "
        "it: all of yours, those of one kind, all you can buy. Buy, Sell and a price then count for all of them. Touch "
        "◂, ▸ or the digits of a price, then ✓. Touch the map to look at a sector. Two fingers look closer.",
    ),
)
_MOUSE: Final = Section(
    "The mouse",
    "A click on a parcel goes there, a second one marks it. ◂ and ▸ and the wheel change the price, a click on a digit "
    "raises that digit, ✓ sets it. A click on the map looks at that sector. All keys in the last row can be clicked.",
    by_touch=Section("Taking back", "Undo takes back what you did last in this turn. Done ends the turn."),
)
_SIGHT: Final = Section(
    "What you see",
    "o switches the overview: types, owners, price classes, and which land is connected to the river. The letters are "
    "those of the land: D desert, F farmland, C coal, P diamonds, R river. Sector 2,3 is the one in row 2 and column "
    "3. On a parcel ~ means connected; +, - and * mean that it was bought, sold or priced in this turn. If somebody "
    "cuts parcels of yours off from the river, they light up on the map until your turn is over. Tab, or a click in "
    "the ledger, shows how another seat’s turn began; t, or a click on that sum, shows its tax and revenue parcel by "
    "parcel. l lists all turns so far.",
    by_touch=Section(
        "What you see",
        "Overview switches between types, owners, price classes, and which land is connected to the river. The letters "
        "are those of the land: D desert, F farmland, C coal, P diamonds, R river. Sector 2,3 is the one in row 2 and "
        "column 3. On a parcel ~ means connected; +, - and * mean that it was bought, sold or priced in this turn. If "
        "somebody cuts parcels of yours off from the river, they light up on the map until your turn is over. A touch "
        "in the ledger shows how another seat’s turn began; Taxes shows tax and revenue parcel by parcel. Log lists "
        "all turns so far.",
    ),
)
_YOURS: Final = Section(
    "Your turn",
    "Deal in the sector in play as often as you like, then press d. A first turn: buy parcels beside the river, and "
    "others next to them, with b. They keep the price that you paid, and earn from your next turn on.",
    by_touch=Section(
        "Your turn",
        "Deal in the sector in play as often as you like, then touch Done. A first turn: buy parcels beside the river, "
        "and others next to them. They keep the price that you paid, and earn from your next turn on.",
    ),
)
_OTHERS: Final = Section(
    "Others play",
    "Nothing for you to do. Look around with the arrows, and come back with Home. Turns go counterclockwise, upwards "
    "in the ledger and from its first line to its last. A round is over when each player has had a turn.",
    by_touch=Section(
        "Others play",
        "Nothing for you to do. Touch the map to look around. Turns go counterclockwise, upwards in the ledger and "
        "from its first line to its last. A round is over when each player has had a turn.",
    ),
)

ABOUT: Final = Help(TITLE, (_AIM, _START, _DICE, _DEALS, _PRICES))


def for_turn(mine: bool) -> Help:
    """The help while playing: what can be done in the own turn, or what there is to see in another’s."""
    return Help(TITLE, (_YOURS, _KEYS, _DEALS, _PRICES, _MOUSE, _SIGHT) if mine else (_OTHERS, _SIGHT, _START))


_TAX: Final = 100 * CENTS // K
"""The tax on a sale price, in percent: one unit for each cent."""
_SMALL_CHANCE: Final = (SIDES[0] // SIDES[1]) ** 2
"""How many times as often a sector comes up on a small map."""
_LIMITS: Final = [str(turns) for turns, _ in TURNS.values if turns]

RULES: Final = Help(
    TITLE,
    (
        Section(
            "The aim",
            f"Be the first to have {GOAL // K}K in cash, or the last player in the game. Land counts for nothing "
            "unless you sell it.",
        ),
        Section(
            "The map",
            f"The map is a square of parcels, in sectors of {SECTOR} by {SECTOR}. A parcel is river, which nobody "
            "owns, or land of one of these kinds:",
            tuple(
                f"{KIND_NAMES[kind].capitalize()} ({kind}): base price {BASE[kind]}K, revenue"
                f" {BASE[kind] / REVENUE_PARTS:g}K."
                for kind in LAND
            ),
        ),
        Section(
            "Start",
            f"Everybody begins with {START // K}K. The government owns all land, at base prices. Lots decide who "
            "begins. Turns go counterclockwise: to the player with the next lower number, and from the first player "
            "to the last.",
        ),
        Section(
            "A turn, 1: credits, tax, revenue",
            "Your turn begins with three sums, which are counted for you:",
            (
                "Credits: you receive what others have paid for your land since your last turn.",
                f"Tax: you pay {_TAX}% of the sale price of each of your parcels, whether it earns or not.",
                f"Revenue: each of your connected parcels earns {100 // REVENUE_PARTS}% of its base price. Connected "
                "means that a path of your own parcels, edge to edge, leads from it to the river.",
                f"If you then have {GOAL // K}K or more, you win at once.",
            ),
        ),
        Section(
            "A turn, 2: the dice",
            "The black die names a row of sectors, counted from the north. The white die names a column, counted from "
            "the west. You deal in the sector where they meet, and nowhere else.",
            (
                f"On a small map each row and column has {_SMALL_FACES} faces: {SMALL_FACES}. So each sector "
                f"comes up {_SMALL_CHANCE} times as often.",
            ),
        ),
        Section(
            "A turn, 3: deals",
            "Make these deals in any order, as often as your cash allows:",
            (
                "Buy any parcel of the sector, from the government or from a player, at its sale price. Nobody can "
                "refuse. The parcel keeps the price that you paid, unless you set another one as you buy it.",
                "Sell a parcel of yours to the government, for half its base price. It is at once for sale again, at "
                "the full base price.",
                f"Price a parcel of yours anew, from {price(0)}K to {price(HIGHEST)}K in steps of {CENT / K:g}K.",
                "The player whose land you buy gets the money at the start of their next turn.",
            ),
        ),
        Section(
            "A turn, 4: its end",
            "If you are below zero, you are bankrupt, and out of the game. If you have "
            f"{GOAL // K}K or more, you win. Otherwise the next player has the turn.",
        ),
        Section(
            "Below zero",
            "Tax can take you below zero. Then you can only sell to the government, until your balance is zero or "
            "more. You cannot even set a price before that. Zero is not below zero.",
        ),
        Section(
            "The million",
            f"The {GOAL // K}K are checked at the start of a turn, after credits, tax and revenue, and at its end. If "
            "you pass them in the middle of a turn and then spend, you have not won. Credits that are still to come "
            "are not cash.",
        ),
        Section(
            "The short game",
            f"The host can limit the game to {', '.join(_LIMITS[:-1])} or {_LIMITS[-1]} rounds, so many turns of each "
            "player. If nobody has won by then, the most cash wins. No credits, tax or revenue follow the last turn, "
            "land counts for nothing, and equal cash is a tie.",
        ),
        Section(
            "Being out",
            "All land of a player who is out, bankrupt or gone, goes back to the government at base prices. Credits "
            "still to come to that player lapse.",
            (
                "With three players or more, the others play on when a player leaves. With two, a player who resigns "
                "loses.",
                "At the end, players who are still in are placed by cash, before all who are out. Of those who are "
                "out, the player who lasted longer is placed higher.",
            ),
        ),
        Section(
            "Maps",
            "The host chooses one of these maps. A random map is rolled by the whole table, so nobody can choose it.",
            tuple(as_sentence(label) for _, label in MAPS.values),
        ),
        Section(
            "Exact money",
            f"Nothing is ever rounded. A turn has at most {MOST} deals, which is enough for everything.",
        ),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The turns",
            "PgDn and PgUp go a round. o switches the overview, Tab shows how another seat’s turn began, t its tax and "
            "revenue. A click on the map looks at that sector.",
            by_touch=Section("The turns", "A touch on the map looks at that sector."),
        ),
        _SIGHT,
    ),
)

TYPED: Final = (
    "Be the first to have 1000K, or the last one who is not out. Everybody begins with 500K.",
    "A turn begins with credits from sales to others, 2% tax on the prices of your parcels, and 10% of the base price "
    "of each parcel that a path of your own parcels connects to the river. Then two dice name the sector to deal in.",
    "Deals: buy m12, or buy m12 m13 7.50 to set their price at once; sell m12, to the government for half the base "
    "price; price m12 m13 30. Separate several deals with semicolons. undo reverses the last line.",
    "done ends your turn; pass ends it without deals. If you are below zero at its end, you are out.",
    "look: the sector in play. look 3,4: the sector in row 3, column 4. look m12: a parcel and what lies beside it.",
    "land, or land NAME: somebody’s parcels. account, or account NAME: why tax and revenue are what they are.",
    "Parcels are named by column, a from the west, and row, 1 from the north.",
)
"""The game in short, and everything that can be typed in the line mode."""
