"""What F1 says."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section

TITLE: Final = "Blood Diamonds, the land game"

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
    "of your own parcels, edge to edge, joins to the river. Land that is cut off earns nothing.",
)
_DICE: Final = Section(
    "The dice",
    "The black die names a row of sectors, the white one a column. You deal in that sector of 4 by 4 parcels, in any "
    "order and as often as your balance allows.",
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
    "marks parcels, m marks many: all of yours, those of one kind, all you can buy; b, s and a price then count for "
    "all of them. u takes back, d ends the turn.",
)
_MOUSE: Final = Section(
    "The mouse",
    "A click on a parcel goes there, a second one marks it. ◂ and ▸ and the wheel change the price, a click on a digit "
    "raises that digit, ✓ sets it. A click on the map looks at that sector. All keys in the last row can be clicked.",
)
_SIGHT: Final = Section(
    "What you see",
    "o switches the overview: types, owners, price classes, and which land is joined to the river. On a parcel ~ means "
    "joined; +, - and * mean that it was bought, sold or priced in this turn. Tab, or a click in the ledger, shows how "
    "another seat’s turn began; e, or a click on that sum, shows its tax and revenue parcel by parcel. l lists all "
    "turns so far.",
)

ABOUT: Final = Help(TITLE, (_AIM, _START, _DICE, _DEALS, _PRICES))


def for_turn(mine: bool) -> Help:
    """The help while playing: the own turn begins with what can be done."""
    first = (_KEYS, _MOUSE, _DEALS) if mine else (_SIGHT, _AIM)
    rest = tuple(s for s in (_AIM, _START, _DICE, _DEALS, _PRICES, _SIGHT, _KEYS, _MOUSE) if s not in first)
    return Help(TITLE, (*first, *rest))


TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The turns",
            "PgDn and PgUp go ten turns. o switches the overview, Tab shows how another seat’s turn began, e its tax "
            "and revenue, l lists all turns. A click on the map looks at that sector.",
        ),
        _SIGHT,
        *ABOUT.sections,
    ),
)
