"""What F1 says, phase by phase."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.screen import Help, Section
from kimberley.games.diamond_trust.angola import (
    AGENTS,
    FIRST_MONTHS_LEFT,
    HOME,
    HOMES,
    MARKET,
    NO_SALE,
    REGIONS,
    START_DIAMONDS,
    START_MONEY,
    appearing,
    income,
    trip_cost,
)
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
    "[1] is an agent of London, (1) one of Antwerp, UN the Inspector. ◆2 diamonds wait in a region, ✗4 are frozen by "
    "the Inspector. A heart marks an agent that you know to be turned. ? is a number you do not know, >3 one that was "
    "3 when you last heard and may have grown.",
)

_PAY: Final = Section(
    "Pay",
    "You can pay the agents that wave: your own at home get a salary; an enemy agent that shares a region with one of "
    "yours gets a bribe. Select one, set the amount, confirm with ✓ or Enter. Amounts add up over the whole game. An "
    "agent stays loyal as long as the bribes are not above its salary.",
    by_touch=Section(
        "Pay",
        "You can pay the agents that wave: your own at home get a salary; an enemy agent that shares a region with one "
        "of yours gets a bribe. Touch one, set the amount, then Set. Amounts add up over the whole game. An agent "
        "stays loyal as long as the bribes are not above its salary.",
    ),
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
    by_touch=Section(
        "The Inspector",
        "The side that offered him more sends him to a region, or leaves him. Touch a region to try it out: the card "
        "says which sale he would block there and what he would take from whom. Done sends him.",
    ),
)
_SALE: Final = Section(
    "Sale",
    f"Sellers share ${MARKET} in proportion to the diamonds that each sells, rounded down; a side that sells alone "
    f"gets all of it, even for a single stone. A side that sells nothing gets ${NO_SALE}. The table shows what each "
    "number of the other side would mean. Sold diamonds no longer count for you.",
)
_END: Final = Section(
    "The end",
    "After the last month everyone flies home free of charge and the vaults are counted. Then both sides publish their "
    "seeds, every message is checked against them, and the dossier tells who bribed whom.",
)
_KEYS: Final = Section(
    "Keys",
    "Tab goes from agent to agent, 1 to 3 pick your own. While you pay, 1 to 3 pick the other side’s if yours "
    "cannot be paid; where both can, the same key again picks the other one. Arrows change an amount or go from region "
    "to region, digits type an amount. Enter sets, Esc or a right click cancels, u undoes, d is done. All of it "
    "works by mouse alone; the wheel turns amounts.",
    by_touch=Section(
        "By touch",
        "Touch an agent, then a region or the arrows of an amount. Set sets it, Undo takes back, Done hands in what "
        "you chose. A long touch cancels. Two fingers look closer.",
    ),
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
        "Change your own plan or leave it. The other side has the same chance, and what your agents told "
        f"may have been meant to be told. {pace}",
    )


def for_step(step: RoundStep, seconds: int) -> Help:
    """The help for a phase. `seconds` is how long a last look lasts, 0 where there is no clock.

    While its clock runs the help is short: reading does not stop the clock.
    """
    match step:
        case RoundStep.PAY | RoundStep.PAY_TOLD:
            sections = [_PAY]
        case RoundStep.PLAN | RoundStep.PLAN_TOLD:
            sections = [_MOVE, _BRIBE]
        case RoundStep.MOVE:
            sections = [_last_look(seconds), _MOVE]
            if seconds:
                return Help(TITLE, (sections[0],))
        case RoundStep.INSPECT:
            sections = [_INSPECTOR]
        case RoundStep.SALE_PLAN | RoundStep.SALE_TOLD:
            sections = [_SALE]
        case RoundStep.SALE:
            sections = [_last_look(seconds), _SALE]
            if seconds:
                return Help(TITLE, (sections[0],))
        case RoundStep.OPEN | RoundStep.OVER:
            sections = [_END]
        case _:
            sections = [ABOUT.sections[0]]
    return Help(TITLE, (*sections, _READING, _KEYS))


def _appears(region: int) -> str:
    """How many diamonds appear in a region each month."""
    even, odd = (appearing(months)[region] for months in (2, 1))
    if even == odd:
        return f"{REGIONS[region]}: {even} each month."
    return f"{REGIONS[region]}: {odd} while an odd number of months is left, otherwise {even}."


def _earned(ours: int, theirs: int) -> str:
    """What a sale brings."""
    mine, other = income((ours, theirs))
    return f"{ours} and {theirs} sold: ${mine} and ${other}."


RULES: Final = Help(
    TITLE,
    (
        Section(
            "The aim",
            f"Two sides, {HOMES[0]} and {HOMES[1]}, run {AGENTS} agents each, who buy rough diamonds in Angola. After "
            f"{FIRST_MONTHS_LEFT + 1} months the side with more diamonds in its vault wins. If the vaults are equal, "
            "the side with more money wins. If the money is equal too, both share the first place.",
        ),
        Section(
            "Start",
            f"Each side has ${START_MONEY}, {START_DIAMONDS} diamonds in its vault, and all agents at home. "
            f"The UN Inspector’s first region is drawn at random. {FIRST_MONTHS_LEFT} months are left in the first "
            "month, none in the last. Both sides make their choices at the same time.",
        ),
        Section(
            "The map",
            f"Angola has {len(REGIONS)} regions. A region holds one agent of each side, and the Inspector besides. A "
            "home holds its own side’s agents only. An agent can go from any place to any other in one trip: for "
            f"${trip_cost(0, 1)} within Angola, for ${trip_cost(HOME, 0)} between Angola and home, and free of charge "
            "if it stays where it is.",
        ),
        Section(
            "A month, 1: new diamonds",
            "Diamonds appear in every region, and join those that are left from earlier months.",
            tuple(map(_appears, range(len(REGIONS)))),
        ),
        Section(
            "A month, 2: pay",
            "You can pay a salary to each of your agents at home. Where an agent of yours shares a region with an "
            "enemy agent, it can hand that agent a bribe. Payments are whole dollars, as far as your cash goes, and "
            "secret.",
            (
                "Salaries and bribes add up over the whole game. An agent is turned while the bribes to it are above "
                "its salary. It is loyal while they are equal or below.",
                "If no agent on either side stands where it can be paid, this step is left out. Whether anybody has "
                "money does not matter.",
                "After this step turned agents talk; see below.",
            ),
        ),
        Section(
            "A month, 3: move",
            "For each agent you plan where it goes, what it offers for the diamonds there and, if the Inspector stands "
            "in that region, a bribe for him. Turned agents give away their part of the plan, and the last look "
            "follows. Then the orders of both sides are shown, and both sides pay for their trips, offers and "
            "Inspector’s bribes, whoever gains by them.",
            (
                "You can offer money in any region, also in a blocked or an empty one.",
                "An agent that stays in a region can offer again for the diamonds there.",
                "Two agents of one side can trade places.",
                "You can bribe the Inspector only where he stands when you plan.",
            ),
        ),
        Section(
            "A month, 4: deposit",
            "Diamonds that an agent has carried home go into the vault. The Inspector cannot take them any more.",
        ),
        Section(
            "A month, 5: the Inspector",
            "The side that paid him the higher bribe sends him to any region, or leaves him where he is. If neither "
            "paid more, he stays. Where he ends up, he takes all diamonds that agents carry there, and nobody collects "
            "diamonds there in this month.",
        ),
        Section(
            "A month, 6: collect",
            "In every other region the higher offer takes all diamonds. If the offers are equal, the diamonds stay for "
            "the next month. So an agent that is alone in a region must offer something, too.",
        ),
        Section(
            "A month, 7: sale",
            "Each side plans how many diamonds of its vault it sells. Turned agents at home give the plan away, and "
            "another last look follows. Then both numbers are shown. Sold diamonds leave the vault.",
            (
                f"Sides that sell share ${MARKET} in proportion to the diamonds that each sells, rounded down. A side "
                f"that sells nothing gets ${NO_SALE}.",
                *(_earned(*sold) for sold in ((1, 0), (1, 1), (2, 1), (3, 2))),
            ),
        ),
        Section(
            "The last month",
            "There is no sale. After the diamonds are collected, all agents fly home free of charge and deposit what "
            "they carry. Both sides’ money is opened, and the vaults are compared.",
        ),
        Section(
            "What a turned agent tells",
            "A turned agent tells the other side, in every month in which it is turned. Its own side is never told.",
            (
                "After pay: its whole salary so far, and the sum of all bribes to each enemy agent that it was the "
                "last to bribe. At home also the cash of its side.",
                "After the move is planned: its own orders, as they were planned at first. If its side changes them in "
                "the last look, it does not tell that.",
                "After the sale is planned, if it is at home, even if it has only just come home: the cash of its side "
                "and the number that its side plans to sell.",
            ),
        ),
        Section(
            "The last look",
            "From the first pay step in which an agent could be bribed, both sides get the last look in every move. In "
            "a sale they get it if an agent at home could ever be bribed. A side may use it to change its plan only if "
            "it was told something:",
            (
                "In the move: a side that was told a plan in this move may change all its orders.",
                "In the sale: a side that was told a planned sale in this sale may change its number. So may a side "
                "that heard from a turned agent, in this month, that one of its own agents is turned, if that agent is "
                "now at home.",
                "What a side remembers from earlier months gives no such right.",
                "A side that was told nothing keeps its plan. Nobody sees whether a plan is being changed.",
                "The host sets how long the last look takes. It takes that long whether or not anybody was told "
                "something. Without a clock, both sides press Done.",
            ),
        ),
        Section(
            "What you know",
            "Everybody sees where agents stand, what they carry, the vaults, the diamonds and the Inspector, and after "
            "a move all trips, offers and Inspector’s bribes. Salaries, agents’ bribes and plans are secret.",
            (
                "A heart marks an enemy agent while it talks to you, and an agent of your own while the bribes that "
                "you know of are above its salary.",
                "The bribes to your own agent are unknown, written ?, until the agent that bribed it last talks to "
                "you. Then you know the total. It becomes a lower bound, written with > before it, when your agent "
                "next meets an agent that does not talk.",
                "The salary of an enemy agent that talked is known until the agent stops talking and could be paid at "
                "home. Then it is a lower bound.",
                "You know the other side’s cash until the first pay step. After that you know it only in a month in "
                "which an agent tells it.",
            ),
        ),
        Section("Resigning", "A side that resigns loses, whatever the vaults hold."),
    ),
)

TIMELINE: Final = Help(
    TITLE,
    (
        Section(
            "The events",
            "Each event is played out; any key jumps to its end. PgDn and PgUp go from month to month. For details "
            "select an agent, or press Tab. In a replay of a whole game nothing is hidden any more; a spectator sees ? "
            "where a side keeps something secret, and ◆ sealed where it has chosen.",
            by_touch=Section(
                "The events",
                "Each event is played out; a touch jumps to its end. For details touch an agent. In a replay of a "
                "whole game nothing is hidden any more; a spectator sees ? where a side keeps something secret, and ◆ "
                "sealed where it has chosen.",
            ),
        ),
        _READING,
    ),
)

TYPED: Final = (
    "You run three agents, as does the other side. After nine months the side with more diamonds at home wins; money "
    "breaks a tie.",
    "Paying: pay 2 3 pays your agent 2, at home, a salary of 3 dollars. bribe 1 4 gives the other side’s agent 1, "
    "where it meets one of yours, 4 dollars.",
    "Moving: 1 lunda 4 sends your agent 1 to Lunda, to offer 4 dollars. 1 moxico 4 2 also bribes the Inspector there "
    "with 2. 1 home sends it home. 1 stay 3 lets it offer 3 where it is. The first letters of a region are enough.",
    "The Inspector: the name of a region, or stay.",
    "Selling: sell 2, or just 2.",
    "done ends your choice, undo starts it over. In a last look, first goes back to your first plan.",
    "look tells the position, look 2 all about your agent 2, look their 1 about agent 1 of the other side, "
    "look inspector what the Inspector does where he is.",
)
"""What can be typed in the line mode."""
