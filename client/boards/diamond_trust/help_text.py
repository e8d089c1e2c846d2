"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.diamond_trust.position import RoundStep

TITLE: Final = "Diamond Trust of London"

ABOUT: Final = Help(
    TITLE,
    (
        Section(
            "The aim",
            "You and your opponent each run three agents, out of London and out of Antwerp. After nine months the side "
            "with more diamonds in its vault wins; if they are even, the one with more money.",
        ),
        Section(
            "A month",
            "Diamonds turn up all over Angola. You pay agents, then send them out and say what they offer. Whoever "
            "offers more in a region carries the stones off, but both offers are spent. When the month is over you "
            "may sell from your vault.",
        ),
        Section(
            "Treason",
            "Where two agents meet, each side may slip the other’s agent a bribe. Once the bribes to an agent exceed "
            "its salary it works for the briber, and tells what it knows: plans, money, and whom it has bribed itself. "
            "You are not told when one of your agents turns, except by an enemy agent that you have turned yourself.",
        ),
        Section(
            "The Inspector",
            "One region is under the eyes of the United Nations. There nothing is sold, the stones pile up, and agents "
            "lose what they carry. Agents in his region may bribe him; the higher bribe decides where he goes.",
        ),
        Section(
            "All secret, all proven",
            "Every hidden number is sealed before anyone sees the other’s. After the game both sides reveal "
            "everything. Whoever cheated is named.",
        ),
    ),
)

_READING: Final = Section(
    "Reading the map",
    "[1] is an agent of London, (1) one of Antwerp, UN the Inspector. ◆2 diamonds wait in a region, ×4 are frozen by "
    "the Inspector. A heart marks an agent that you know to be turned. ? is a number you do not know, >3 one that was "
    "3 when you last heard and may have grown.",
)

_PAY: Final = Section(
    "Pay",
    "You can pay the agents that wave: your own at home get a salary; an enemy agent that shares a region with one of "
    "yours gets a bribe. Select one, set the amount, confirm with ✓ or Enter. Amounts add up over the whole game. An "
    "agent stays loyal as long as the bribes are not above its salary.",
)
_MOVE: Final = Section(
    "Move",
    "Select one of your agents, then a region, then what it offers for the diamonds there. A trip costs $1 within "
    "Angola and $2 from or to home; staying is free, and an agent that stays may offer again. Only one of your agents "
    "can be in a region. Dark regions, with their names in brackets, are out of reach. Diamonds are safe once an agent "
    "has brought them home.",
)
_BRIBE: Final = Section(
    "The Inspector’s bribe",
    "An agent that goes to the Inspector’s region, or stays there, may also bribe him. Both bribes are spent; the "
    "higher one moves him before any stones change hands.",
)
_INSPECTOR: Final = Section(
    "The Inspector",
    "The side that offered him more sends him to a region, or leaves him. Arrows and clicks try regions out: the card "
    "above says which sale he would block there and what he would take from whom. Done sends him.",
)
_SALE: Final = Section(
    "Sale",
    "Sellers share $24 by the number of diamonds that each sells, rounded down; a side that sells alone gets all of "
    "it, even for a single stone. A side that sells nothing gets $18. The table shows what each number of the other "
    "side would mean. Sold diamonds no longer count for you.",
)
_END: Final = Section(
    "The end",
    "After the last month everyone flies home free of charge and the vaults are counted. Then both sides publish their "
    "seeds, every message is checked against them, and the dossier tells who bribed whom.",
)
_KEYS: Final = Section(
    "Keys",
    "Tab goes from agent to agent, 1 to 3 pick your own. Arrows change an amount or go from region to region, digits "
    "type an amount. Enter sets, Esc or a right click cancels, u undoes, d is done. All of it works by mouse alone; "
    "the wheel turns amounts.",
)


def _last_look(seconds: int) -> Section:
    pace = (
        f"It lasts {seconds} seconds for both sides, whatever was told: what stands at the end counts."
        if seconds
        else "This table has no clock: how long you take may give away that you were told something."
    )
    return Section(
        "Last look",
        "Agents that you turned have told you their side’s plan: pink dots on the map, or a pink number at the sale. "
        "Change your own plan or leave it; u goes back to the first one. The other side has the same chance, and "
        f"what your agents told may have been meant to be told. {pace}",
    )


def for_step(step: RoundStep, seconds: int) -> Help:
    """The help for a phase. `seconds` is how long a last look lasts, 0 where there is no clock."""
    match step:
        case RoundStep.PAY | RoundStep.PAY_TOLD:
            sections = [_PAY]
        case RoundStep.PLAN | RoundStep.PLAN_TOLD:
            sections = [_MOVE, _BRIBE]
        case RoundStep.MOVE:
            sections = [_last_look(seconds), _MOVE]
        case RoundStep.INSPECT:
            sections = [_INSPECTOR]
        case RoundStep.SALE_PLAN | RoundStep.SALE_TOLD:
            sections = [_SALE]
        case RoundStep.SALE:
            sections = [_last_look(seconds), _SALE]
        case RoundStep.OPEN | RoundStep.OVER:
            sections = [_END]
        case _:
            sections = list(ABOUT.sections)
    return Help(TITLE, (*sections, _READING, _KEYS))


TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The steps",
            "Each step is played out; any key jumps to its end. PgDn and PgUp go from round to round. Select an agent, "
            "or press Tab, for details. In a replay of a whole game nothing is hidden any more; an onlooker sees ? "
            "where a side keeps something secret, and ◆ sealed where it has chosen.",
        ),
        *ABOUT.sections,
    ),
)
