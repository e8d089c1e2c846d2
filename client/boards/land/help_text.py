"""What F1 says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.land.phrases import SMALL_FACES, place
from kimberley.client.ui.keys import LOG_KEY
from kimberley.client.ui.screen import Help, Section
from kimberley.games.land.deals import MOST
from kimberley.games.land.game import MAPS, QUICK_TURNS, TURNS, LandGame
from kimberley.games.land.maps import BASE, FACES, KIND_NAMES, LAND, SECTOR, SIDES
from kimberley.games.land.money import CENT, CENTS, GOAL, HIGHEST, REVENUE_PARTS, START, K, price
from kimberley.games.land.rules import State
from kimberley.p2p.sentences.notices import as_sentence

TITLE: Final = LandGame.title

_SMALL_FACES: Final = FACES * SECTOR // SIDES[1]
"""The faces of a die that name the same row or column of a small map."""

AIM: Final = (
    f"Be the first to have {GOAL // K}K in cash, or the last player left. In a game of {QUICK_TURNS} turns each, the "
    f"most cash wins at the end. Everyone starts with {START // K}K."
)
_GOAL: Final = Section(
    "Goal",
    f"{AIM} The million counts at the start of your turn, after sales, tax and "
    "revenue, and at the end of your turn. If your cash is then below zero, you are out, and the government takes "
    "your land.",
)
_START: Final = Section(
    "Sales, tax, revenue",
    "Your turn begins with three sums. Sales: what others paid for your land since your last turn. Tax: 2% of the "
    "sale price of every parcel you own. Revenue: 10% of the base price of each parcel connected to the river by a "
    "path of your own parcels, edge to edge. Land that is not connected earns nothing.",
)
_DICE: Final = Section(
    "The dice",
    "The black die picks a row of sectors, the white one a column. You trade in that sector of 4 by 4 parcels, in any "
    f"order and as often as you can pay. On a small map, {SMALL_FACES}.",
)
_DEALS: Final = Section(
    "Buying and selling",
    "All land is always for sale. The government asks the base price: desert 1K, farmland 5K, coal 20K, diamonds "
    "100K. Players set their own prices and cannot refuse to sell. What you buy keeps the price you paid until you set "
    "another (0 to 999K). The government buys your land back at half the base price.",
)
_PRICES: Final = Section(
    "What a price does",
    "A high price keeps buyers away but is taxed each turn; land with a low price is cheap to keep and easy to lose. "
    "If your cash is below zero, you can only sell to the government, until it is back at zero.",
)
_KEYS: Final = Section(
    "Keys",
    "Arrows move over the map; Home returns to the sector. b buys, s sells to the government. p sets a price: type it, "
    "or change it with ← and →; x2 means twice the base price; Enter sets it. Space selects parcels; press a for a "
    "group: all yours, one kind, all you can buy; b, s and prices then apply to all of them. u undoes; d ends the "
    "turn.",
    by_touch=Section(
        "Touch",
        "Tap one or more parcels, then Buy or Sell (to the government). Group selects more: all yours, one kind, "
        "all you can buy. Buy, Sell and prices then apply to all of them. Tap ◂, ▸ or a digit of the "
        "price, then ✓. Tap the map to see a sector. Pinch to zoom.",
    ),
)
_MOUSE: Final = Section(
    "Mouse",
    "Click one or more parcels, then a button. ◂, ▸ and the wheel change a price; click a digit "
    "to raise it. Click the map to see a sector, or the players for the ledger. The keys in the last row are buttons.",
    by_touch=Section("Undo", "Undo reverses your last action this turn. End turn ends your turn."),
)


def _sight(brings: str, cut_off: str) -> Section:
    """Returns the section on what the board shows. `brings` says what the number on a parcel means, `cut_off` which
    parcels light up.
    """
    return Section(
        "What you see",
        f"Land is in the color of its owner. A parcel shows its price, and what it {brings}. ~ means connected; +, - "
        f"and * mean bought, sold or priced this turn. Sector 2,3 is row 2, column 3.{cut_off} o opens the overview: "
        "owners, land types, prices, river connection. t opens the ledger: everybody’s cash, tax and revenue, by "
        f"parcel. {LOG_KEY} lists all turns so far.",
        by_touch=Section(
            "What you see",
            "Land is in the color of its owner. The tabs switch the map between owners, land types, prices and river "
            "connection. Sector 2,3 is row 2, column 3. On a parcel, ~ means connected; +, - and * mean bought, sold "
            f"or priced this turn.{cut_off} Tap the ledger for tax and revenue by parcel. Log lists all turns so far.",
        ),
    )


_BRINGS: Final = "brings, or would bring, its owner per turn, after tax"
_SIGHT: Final = _sight(
    "brings you per turn, after tax, or would bring if you bought it",
    " If parcels of yours are cut off, they light up on the map until your turn ends.",
)
_SIGHT_OF_THE_OUT: Final = _sight(_BRINGS, "")
_SIGHT_OF_SPECTATORS: Final = _sight(_BRINGS, " Parcels that a turn cuts off from the river light up on the map.")
_YOURS: Final = Section(
    "Your turn",
    "Make as many deals in this sector as you like, then press d. First turn? With b, buy parcels next to the river, "
    "then their neighbors. They keep the price you paid and earn from your next turn on.",
    by_touch=Section(
        "Your turn",
        "Make as many deals in this sector as you like, then tap End turn. First turn? Buy parcels next to the river, "
        "then their neighbors. They keep the price you paid and earn from your next turn on.",
    ),
)
_OTHERS: Final = Section(
    "Other players",
    "Nothing for you to do. Look around with the arrows; Home returns. Turns go counterclockwise: up the ledger, and "
    "from the top line back to the bottom. A round ends when everyone has had a turn.",
    by_touch=Section(
        "Other players",
        "Nothing for you to do. Tap the map to look around. Turns go counterclockwise: from B to A, and from A to the "
        "last letter. A round ends when everyone has had a turn.",
    ),
)

ABOUT: Final = Help(TITLE, (_GOAL, _START, _DICE, _DEALS, _PRICES))


def for_turn(mine: bool, out: bool, *, debt: bool = False) -> Help:
    """Returns the help during a game: what to do in the player's own turn, perhaps in `debt`, or what to look at in
    another's, perhaps as a player who is `out`.
    """
    if mine:
        return Help(TITLE, (_BELOW_ZERO if debt else _YOURS, _KEYS, _DEALS, _PRICES, _MOUSE, _SIGHT))
    # Who is out has no more turns that could begin.
    return Help(TITLE, (_OTHERS, _SIGHT_OF_THE_OUT) if out else (_OTHERS, _SIGHT, _START))


_TAX: Final = 100 * CENTS // K
"""The tax on a sale price, in percent: one unit for each cent."""
_SMALL_CHANCE: Final = (SIDES[0] // SIDES[1]) ** 2
"""How many times as often a sector comes up on a small map."""
_LIMITS: Final = [str(turns) for turns, _ in TURNS.values if turns]

RULES: Final = Help(
    TITLE,
    (
        Section(
            "Goal",
            f"Be the first to have {GOAL // K}K in cash, or the last player left. In a game of "
            f"{', '.join(_LIMITS[:-1])} or {_LIMITS[-1]} turns each, the most cash wins at the end. Land counts for "
            "nothing unless you sell it.",
        ),
        Section(
            "The map",
            f"The map is a square grid of parcels, in sectors of {SECTOR} by {SECTOR}. A parcel is river, which nobody "
            "owns, or one of these kinds of land:",
            tuple(
                f"{KIND_NAMES[kind].capitalize()} ({kind}): base price {BASE[kind]}K, revenue"
                f" {BASE[kind] / REVENUE_PARTS:g}K."
                for kind in LAND
            ),
        ),
        Section(
            "Start",
            f"Everyone starts with {START // K}K. The government owns all land, at base prices. The first "
            "player is drawn at random. Turns go counterclockwise: up the list of players, and from its top to its "
            "bottom.",
        ),
        Section(
            "Your turn, step 1: sales, tax, revenue",
            "Your turn begins with three sums, worked out for you:",
            (
                "Sales: what others have paid for your land since your last turn.",
                f"Tax: {_TAX}% of the sale price of each of your parcels, earning or not.",
                f"Revenue: each connected parcel earns {100 // REVENUE_PARTS}% of its base price. Connected means that "
                "a path of your own parcels, edge to edge, leads to the river.",
                f"If you then have {GOAL // K}K or more, you win at once.",
            ),
        ),
        Section(
            "Your turn, step 2: the dice",
            "The black die picks a row of sectors, counted from the north; the white die a column, counted from the "
            "west. You trade only in the sector where they meet.",
            (
                f"On a small map {_SMALL_FACES} faces of a die stand for each row or column: {SMALL_FACES}. So each "
                f"sector comes up {_SMALL_CHANCE} times as often.",
            ),
        ),
        Section(
            "Your turn, step 3: deals",
            "Make these deals in any order, as often as your cash allows:",
            (
                "Buy any parcel in the sector, from the government or a player, at its sale price. Nobody can refuse "
                "to sell. It keeps the price you paid unless you set another as you buy.",
                "Sell one of your parcels to the government for half its base price. It is then for sale again at the "
                "full base price.",
                f"Change the price of one of your parcels: {price(0)}K to {price(HIGHEST)}K, in steps of "
                f"{CENT / K:g}K.",
                "If you buy from a player, they get the money at the start of their next turn.",
            ),
        ),
        Section(
            "Your turn, step 4: the end",
            f"If your cash is below zero, you are bankrupt and out of the game. With {GOAL // K}K or more, you win. "
            "Otherwise it is the next player’s turn.",
        ),
        Section(
            "Below zero",
            "Tax can take your cash below zero. Then you can only sell to the government, until it is back at zero or "
            "more. House rule: you cannot change prices before that.",
        ),
        Section(
            "The million",
            "Your cash is checked at the start of your turn, after sales, tax and revenue, and at its end. "
            f"Passing {GOAL // K}K mid-turn and then spending it does not win. Sales you have not collected yet are "
            "not cash.",
        ),
        Section(
            "The short game",
            f"The host can limit the game to {', '.join(_LIMITS[:-1])} or {_LIMITS[-1]} turns each. If nobody has won "
            "by then, the most cash wins. Nothing is collected or taxed after the last turn, land counts for nothing, "
            "and equal cash is a tie.",
        ),
        Section(
            "Going out",
            "When a player is out, bankrupt or gone, the government takes their land back at base prices. House rule: "
            "sales they have not collected are lost.",
            (
                "With three or more players, the others play on when one leaves. With two, resigning loses.",
                "At the end, players still in are ranked by cash, ahead of all who are out. Of those, the one who "
                "lasted longer ranks higher.",
            ),
        ),
        Section(
            "Maps",
            "The host chooses one of these maps. A random map is rolled by everyone together, so nobody can steer it.",
            tuple(as_sentence(label) for _, label in MAPS.values),
        ),
        Section(
            "Exact money",
            f"Nothing is ever rounded. House rule: a turn has at most {MOST} deals, which is plenty.",
        ),
    ),
)
_BELOW_ZERO: Final = next(section for section in RULES.sections if section.heading == "Below zero")

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The turns",
            "PgDn, PgUp: one round. Click the map to see a sector.",
            by_touch=Section("The turns", "Tap the map to see a sector."),
        ),
        _SIGHT_OF_SPECTATORS,
    ),
)


def typed(state: State) -> Sequence[str]:
    """Returns the game in short, and everything that can be typed in the line mode, with the names of parcels in the
    sector in play.
    """
    sector = state.sector or (0, 0)
    names = ["a1", "a2"] if state.map is None else [state.map.name(parcel) for parcel in state.map.parcels(*sector)]
    one, two = names[:2]
    row, column = place(sector).split(",")
    return (
        AIM,
        "A turn begins with sales to others, 2% tax on your parcels’ prices, and 10% of the base price of each parcel "
        "connected to the river by your own parcels. Then two dice name the sector in play.",
        f"Deals: buy {one}; sell {one} (to the government, for half the base price); price {one} {two} 30. To set the "
        f"price as you buy, add it: buy {one} {two} 7.50. Separate deals with semicolons. undo reverses the last line.",
        "done ends your turn; pass ends it without deals. If your cash is then below zero, you are out.",
        f"look: the sector in play. look {row},{column}: the sector in row {row}, column {column}. look {one}: a "
        "parcel and its neighbors.",
        "land NAME: a player’s parcels. account NAME: their tax and revenue explained. Without NAME: yours.",
        "Parcels are named by column, a from the west, and row, 1 from the north.",
    )
