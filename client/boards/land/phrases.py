"""Amounts, places and events in a few words: for the board, the log, the dossier and the line mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from typing import Final

from kimberley.client.boards.land.events import GameEvent, RiverLoss, SeatLeft, TurnPlayed, river_losses
from kimberley.client.boards.subject import Subject, subject
from kimberley.client.ui.glyphs import cell_width
from kimberley.games.land.accounts import TurnOpening, connected, revenue_of
from kimberley.games.land.deals import BUY, PRICE, SELL
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import FACES, SECTOR, SIDES, Map
from kimberley.games.land.money import CENT, GOAL, amount
from kimberley.games.land.rules import BANKRUPT, SEAT_NAMES, State
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.notices import RESIGNED, RESIGNS

CARD: Final = 51
"""The columns of the card below the sector on the smallest screen, where a second line would hide the parcel."""
NO_CHANGES: Final = "no sales, tax or revenue"
"""The start of a turn whose player had no land and no sales."""
DEAL_SIGNS: Final = {BUY: "+", SELL: "-", PRICE: "*"}
"""The sign of each kind of deal, on a parcel that was dealt in this turn."""
DEALT_WORDS: Final = {"+": "bought", "-": "sold", "*": "priced"}
"""What these signs mean."""


def place(sector: tuple[int, int]) -> str:
    """Returns a sector as the dice name it: "3,4"."""
    return f"{sector[0] + 1},{sector[1] + 1}"


def faces_named(sectors: int, what: str = "row or column ") -> str:
    """Says which faces of a die name each of `sectors` rows or columns: "a 1 or 2 means row or column 1, a 3 or 4 means
    2, a 5 or 6 means 3"; empty if each names its own. `what` is what they name.
    """
    if sectors == FACES:
        return ""
    share = FACES // sectors
    return ", ".join(
        f"a {join_names([str(face) for face in range(share * row - share + 1, share * row + 1)], 'or')} means "
        f"{what if row == 1 else ''}{row}"
        for row in range(1, sectors + 1)
    )


SMALL_FACES: Final = faces_named(SIDES[1] // SECTOR)
"""Which faces of a die name each row or column of a small map."""


def rolling(map: Map) -> str:
    """Says which faces of the rolling dice mean which row or column; only that the dice are rolling if each face names
    its own.
    """
    faces = faces_named(map.sectors, "")
    return f"{faces[0].upper()}{faces[1:]}." if faces else "The dice are rolling."


def round_of(number: int, limit: int) -> str:
    """Returns the round in which each player takes a turn: "round 3 of 25", or "round 3" without a limit."""
    return f"round {number} of {limit}" if limit else f"round {number}"


def money(units: int) -> str:
    """Returns an amount in K: "612.4418K", "12K"."""
    return f"{amount(units)}K"


def rounded(units: int) -> str:
    """Returns an amount to the nearest 0.01K, the step of prices: "612.44K"."""
    return money((units + CENT // 2) // CENT * CENT)


def explain_changes(opening: TurnOpening) -> str:
    """Says what the start of a turn changed: "+5K sales, -4K tax, +20K revenue"."""
    parts = ((opening.credits, "+", "sales"), (opening.tax, "-", "tax"), (opening.revenue, "+", "revenue"))
    return ", ".join(f"{sign}{money(units)} {what}" for units, sign, what in parts if units) or NO_CHANGES


def holdings(parcels: int, connected: int) -> str:
    """Says how many parcels somebody owns, and how many are connected: "3 parcels, 2 connected to the river"."""
    if not parcels:
        return "no land"
    if parcels == 1:
        return f"1 parcel, {'' if connected else 'not '}connected to the river"
    return f"{parcels} parcels, {connected or 'none'} connected to the river"


def times(count: int, what: str = "parcel") -> str:
    """Returns a number of things: "a parcel", "3 parcels"."""
    return f"a {what}" if count == 1 else f"{count} {what}s"


def each(parcels: Sized) -> str:
    """Returns what follows a price that several parcels share: " each"; empty for one."""
    return " each" if len(parcels) > 1 else ""


def some(parcels: Sized) -> str:
    """Returns how many of somebody's parcels, before "of": "one", "3"."""
    return "one" if len(parcels) == 1 else str(len(parcels))


def _deals(turn: TurnPlayed, names: Sequence[str], you: int | None, terse: bool = False) -> list[str]:
    """Returns what a turn's deals came to: ["buys 3 parcels for 12K", "buys a parcel from ana for 30K", "prices i5 at
    250K"]. If it is `terse`, only the first of them says what is counted.
    """
    who, dealt = subject(names, turn.seat, you), turn.dealt
    phrases: list[str] = []

    def count(number: int) -> str:
        return str(number) if terse and phrases else times(number)

    for seller in sorted({done.seller for done in dealt if done.deal[0] == BUY}):
        bought = [done for done in dealt if done.deal[0] == BUY and done.seller == seller]
        whom = "" if seller == GOVERNMENT else f" from {subject(names, seller, you).whom}"
        phrases.append(f"{who.does('buys')} {count(len(bought))}{whom} for {money(sum(done.paid for done in bought))}")
    sold = [done for done in dealt if done.deal[0] == SELL]
    if sold:
        phrases.append(f"{who.does('sells')} {count(len(sold))} for {money(sum(done.paid for done in sold))}")
    if prices := _prices_set(turn):
        phrases.append(f"{who.does('prices')} {_priced(turn, prices, count)}")
    return phrases or [f"{who.does('makes')} no deals"]


def _prices_set(turn: TurnPlayed) -> dict[int, int]:
    """Returns the sale prices that a turn set, in cents, by parcel, including those that it bought, unless their price
    stays.
    """
    prices: dict[int, int] = {}
    for done in turn.dealt:
        if done.deal[0] == SELL:
            prices.pop(done.deal[1], None)
        elif done.deal[0] == PRICE or done.deal[-1] != done.was:
            prices[done.deal[1]] = done.deal[-1]
    return prices


def _priced(turn: TurnPlayed, prices: Mapping[int, int], count: Callable[[int], str]) -> str:
    """Returns what was priced, and at how much: "i5 at 250K", "3 parcels at 40K each", "3 parcels at 40K to 250K"."""
    low, high = (money(extreme(prices.values()) * CENT) for extreme in (min, max))
    if len(prices) == 1 and turn.before.map is not None:
        return f"{turn.before.map.name(*prices)} at {low}"
    return f"{count(len(prices))} at {f'{low}{each(prices)}' if low == high else f'{low} to {high}'}"


def bought_from(seller: int, events: Sequence[GameEvent], names: Sequence[str]) -> list[str]:
    """Says to a seat what others bought from it, a sentence for each turn: "ben bought 2 of your parcels for 12K."."""
    sentences = []
    for event in events:
        dealt = event.dealt if isinstance(event, TurnPlayed) else ()
        if bought := [done for done in dealt if done.deal[0] == BUY and done.seller == seller]:
            paid = money(sum(done.paid for done in bought))
            sentences.append(f"{names[event.seat]} bought {some(bought)} of your parcels for {paid}.")
            sentences += [
                f"{names[event.seat]} cut off {some(loss.parcels)} of your parcels: -{money(loss.units)} a turn."
                for loss in river_losses(event)
                if loss.seat == seller
            ]
    return sentences


def in_short(event: GameEvent, names: Sequence[str], you: int | None = None, room: int | None = None) -> str:
    """Says what happened, in a sentence without its subject: "buys 3 parcels for 12K in sector 3,4"; if that has no
    room, only the first of several deals says what is counted, or it ends with "in 3,4", or "for 12K". A player who
    leaves then only "resigns".
    """
    who = subject(names, event.seat, you)
    if isinstance(event, SeatLeft):
        left = _left(event, who)
        return left if room is None or cell_width(left) <= room else who.does(RESIGNS)
    outcome = _outcome(event, who)
    deals, where = join_names(_deals(event, names, you)), place(event.sector)
    brief = join_names(_deals(event, names, you, terse=True))
    phrases = (
        f"{deals} in sector {where}{outcome}",
        f"{brief} in sector {where}{outcome}",
        f"{brief} in {where}{outcome}",
    )
    return next((phrase for phrase in phrases if room is None or cell_width(phrase) <= room), f"{brief}{outcome}")


def counted(turn: TurnPlayed, names: Sequence[str], room: int) -> str:
    """Says how many deals a turn made, where there is no room for what they were: "makes 16 deals in sector 1,1"; if
    that has no room either, "makes 16 deals in 1,1", or "1 deal in 1,1; goes bankrupt".
    """
    who, where = subject(names, turn.seat, None), place(turn.sector)
    deals, outcome = count_of(len(turn.dealt), "deal") if turn.dealt else "no deals", _outcome(turn, who)
    for told in (f"{who.does('makes')} {deals} in {what}{where}{outcome}" for what in ("sector ", "")):
        if cell_width(told) <= room:
            return told
    return f"{deals} in {where}; {ends}" if (ends := ending(turn, who)) else told


def ending(turn: TurnPlayed, who: Subject) -> str:
    """Says in a few words that a turn ended the game for its seat: "goes bankrupt"; empty if it did not."""
    if turn.ruined:
        return f"{who.does('goes')} bankrupt"
    return f"{who.does('has')} a million" if turn.cash >= GOAL else ""


def sentence(event: GameEvent, names: Sequence[str], you: int | None = None, *, left: bool = True) -> str:
    """Says what happened, in a sentence: "ben buys 3 parcels for 12K in sector 3,4, and has 488K.". Without `left`,
    what is left after the turn is only told if it ended the game for its seat.
    """
    who = subject(names, event.seat, you)
    if isinstance(event, SeatLeft):
        return f"{who} {_left(event, who)}."
    deals = join_names(_deals(event, names, you))
    outcome = _outcome(event, who) or (f", and {who.does('has')} {money(event.cash)}" if left else "")
    return f"{who} {deals} in sector {place(event.sector)}{outcome}."


def loss_sentence(loss: RiverLoss, names: Sequence[str], you: int | None = None) -> str:
    """Says what was cut off from the river: "12 of your parcels are cut off from the river: -5.1K a turn."."""
    whose = subject(names, loss.seat, you).whose
    if len(loss.parcels) == 1:
        return f"One of {whose} parcels is cut off from the river: -{money(loss.units)} a turn."
    return f"{len(loss.parcels)} of {whose} parcels are cut off from the river: -{money(loss.units)} a turn."


def cut_off(map: Map, land: Land, seat: int) -> str:
    """Says to a seat what land of its own earns nothing: "If connected, your parcel j2 would earn 10K a turn."; empty
    if all of it earns.
    """
    apart = set(land.of(seat)) - connected(map, land, seat)
    if not apart:
        return ""
    revenue = rounded(sum(revenue_of(map, parcel) for parcel in apart))
    if len(apart) > 1:
        return f"If connected, {len(apart)} parcels would earn {revenue} a turn."
    told = f"If connected, your parcel {map.name(*apart)} would earn {revenue} a turn."
    return told if cell_width(told) <= CARD else f"If connected, parcel {map.name(*apart)} would earn {revenue} a turn."


def _left(event: SeatLeft, who: Subject) -> str:
    resigns = who.does(RESIGNS)
    return f"{resigns}; the government takes the land" if event.before.land.of(event.seat) else resigns


def _outcome(turn: TurnPlayed, who: Subject) -> str:
    """Says how a turn ended the game for its seat; empty if it did not."""
    if turn.ruined:
        return f", {who.does('ends')} at {money(turn.cash)} and {who.does('is')} out"
    return f", and {who.does('has')} {money(turn.cash)}: a million" if turn.cash >= GOAL else ""


def nameless(seat: int) -> str:
    """Returns what a seat is called in a written game, which has no names."""
    return f"Player {SEAT_NAMES[seat]}"


def has_more_turns(state: State, seat: int) -> bool:
    """Returns whether another turn of a seat's will begin, with sales, tax and revenue, if the game goes on."""
    begun = state.opening is not None and state.opening.seat == seat and state.seat == seat
    return not state.limit or state.played[seat] + begun < state.limit


def why_out(state: State, seat: int) -> str:
    """Says why a seat is out of the game; empty if it is not."""
    why = dict(state.gone).get(seat)
    return "" if why is None else BANKRUPT if why == BANKRUPT else RESIGNED
