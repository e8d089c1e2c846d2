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
from kimberley.games.diamond_trust.game import DiamondTrust
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.p2p.table.common_options import UNTIL_DONE, AdjustTimes

TITLE: Final = DiamondTrust.title

ABOUT: Final = Help(
    TITLE,
    (
        Section(
            "The goal",
            "You and your opponent each run three agents, one side from London, one from Antwerp. After nine months "
            "the side with more diamonds wins; money breaks a tie.",
        ),
        Section(
            "A month",
            "Diamonds turn up all over Angola. Pay your agents, then send them out with offers. The higher offer in "
            "a region takes the diamonds, but both offers are spent. At the end of the month you can sell from your "
            "vault.",
        ),
        Section(
            "Treason",
            "Where two agents meet, each side can slip the other’s agent a bribe. Once the bribes to an agent exceed "
            "its salary, it is a double agent: it reveals what it knows to the briber (orders, money, and whom it has "
            "bribed). You are not told when one of yours is won over, unless a double agent of your own reveals it.",
        ),
        Section(
            "The Inspector",
            "The United Nations watches one region. No diamonds are collected there (they pile up), and agents lose "
            "what they carry. Agents in his region can bribe the Inspector; the higher bribe decides where he goes.",
        ),
        Section(
            "Secret, and proven fair",
            "Every secret is locked in before anyone sees the other’s. After the game both sides reveal everything, "
            "and cheating is exposed.",
        ),
    ),
)

_READING: Final = Section(
    "Reading the map",
    "[1] is an agent of London, (1) one of Antwerp, UN the Inspector. ◆2: diamonds waiting in a region, ✗4: frozen "
    "by the Inspector. At the top, ◆ 6 +18 means 6 diamonds at home and 18 that agents carry. A heart marks an agent "
    "you know to be a double agent. ? is a number you do not know. ≥ $3 means $3 or more. ≤ $3 means $3 or less.",
)

_PAY: Final = Section(
    "Pay",
    "Pay the agents that wave: your own, at home, get a salary; an enemy agent in the same region as one of yours "
    "gets a bribe. Select one, set the amount, confirm with ✓ or Enter. Amounts add up over the whole game. An agent "
    "stays loyal as long as bribes do not exceed its salary.",
    by_touch=Section(
        "Pay",
        "Pay the agents that wave: your own, at home, get a salary; an enemy agent in the same region as one of "
        "yours gets a bribe. Tap one, set the amount, then Set. Amounts add up over the whole game. An agent stays "
        "loyal as long as bribes do not exceed its salary.",
    ),
)
_MOVE: Final = Section(
    "Move",
    "Select one of your agents, then a region, then its offer for the diamonds there. A trip costs $1 within Angola "
    "and $2 to or from home; staying is free, and an agent that stays can offer again. A region has room for only "
    "one of your agents. Dark regions (names in parentheses) are out of reach. Diamonds are safe once an agent brings "
    "them home.",
)
_BRIBE: Final = Section(
    "Bribing the Inspector",
    "An agent that goes to or stays in the Inspector’s region can also bribe him. Both bribes are spent; the higher "
    "one moves him before diamonds are collected.",
)
_INSPECTOR: Final = Section(
    "The Inspector",
    "If you bribed him more, you send him to a region or leave him where he is. Use arrows or clicks to try regions "
    "out: the card above shows what he would freeze there and what he would seize from whom. Done sends him.",
    by_touch=Section(
        "The Inspector",
        "If you bribed him more, you send him to a region or leave him where he is. Tap a region to try it out: "
        "the card shows what he would freeze there and what he would seize from whom. Done sends him.",
    ),
)
_SALE: Final = Section(
    "Sale",
    f"Sellers share ${MARKET} in proportion to the diamonds each sells, rounded down; a lone seller gets it all, even "
    f"for one diamond. If you sell nothing you get ${NO_SALE}. The table shows what you get for each number your "
    "opponent might sell. Sold diamonds no longer count for you.",
)
_END: Final = Section(
    "The end",
    "After the last month everyone flies home for free and the vaults are counted. Then both sides publish their "
    "secret seeds, every message is checked, and the dossier shows who bribed whom.",
)
_KEYS: Final = Section(
    "Keys",
    "Tab goes from agent to agent. To pay or move, 1 to 3 select your own, or, when paying, the enemy’s if yours "
    "cannot be paid. While an amount is open, digits type it and arrows change it; otherwise arrows go to other agents "
    "or regions. Enter sets, Esc or right-click cancels, u undoes, d is Done. The mouse alone is enough; its wheel "
    "changes amounts.",
    by_touch=Section(
        "By touch",
        "Tap an agent, then a region or the arrows of an amount. Set confirms it, Undo takes it back, Done locks "
        "in your choice. A long press cancels. Two fingers zoom.",
    ),
)


def _last_look(times: AdjustTimes, unobserved: bool) -> Section:
    if times.fixed:
        pace = (
            f"This step lasts {times.most} seconds for both sides, whatever was revealed. The plan you have when time "
            "runs out counts."
        )
    elif times.most:
        pace = f"This step ends when both sides are done, after {times.quiet} to {times.most} seconds."
        if not unobserved:
            pace += (
                " If you are done before the mark on the bar, nobody can tell that an agent reported to you. Taking "
                "longer is a hint, but not proof: sometimes the program itself waits that long, whether or not an "
                "agent reported."
            )
    elif unobserved:
        pace = "This table has no time limit: take your time."
    else:
        pace = "This table has no time limit: how long you take may give away that an agent reported to you."
    return Section(
        "Adjust",
        "If a double agent has reported to you, you can change your plan. What it revealed is marked ♥: its orders on "
        "the map or, at a sale, how many diamonds its side plans to sell. If none has reported, your plan stands. The "
        "same goes for your opponent, who may have planted a false plan with an agent that they know reports to you. "
        f"{pace}",
    )


def for_step(step: RoundStep, times: AdjustTimes, unobserved: bool = False) -> Help:
    """Returns the help for a phase. `times` is how long plans can be adjusted; if `unobserved`, nobody learns anything
    from how long the player takes.

    While its clock runs the help is short: reading does not stop the clock.
    """
    match step:
        case RoundStep.PAY | RoundStep.PAY_TOLD:
            sections = [_PAY]
        case RoundStep.PLAN | RoundStep.PLAN_TOLD:
            sections = [_MOVE, _BRIBE]
        case RoundStep.MOVE:
            sections = [_last_look(times, unobserved), _MOVE]
            if times.most:
                return Help(TITLE, (sections[0],))
        case RoundStep.INSPECT:
            sections = [_INSPECTOR]
        case RoundStep.SALE_PLAN | RoundStep.SALE_TOLD:
            sections = [_SALE]
        case RoundStep.SALE:
            sections = [_last_look(times, unobserved), _SALE]
            if times.most:
                return Help(TITLE, (sections[0],))
        case RoundStep.OPEN:
            sections = [_END]
        case _:
            sections = [ABOUT.sections[0]]
    return Help(TITLE, (*sections, _READING, _KEYS))


def _appears(region: int) -> str:
    """Returns how many diamonds appear in a region each month."""
    even, odd = (appearing(months)[region] for months in (2, 1))
    if even == odd:
        return f"{REGIONS[region]}: {even} each month."
    return f"{REGIONS[region]}: {odd} when an odd number of months is left, otherwise {even}."


def _earned(ours: int, theirs: int) -> str:
    """Returns what a sale brings."""
    mine, other = income((ours, theirs))
    return f"{ours} and {theirs} sold: ${mine} and ${other}."


RULES: Final = Help(
    TITLE,
    (
        Section(
            "The goal",
            f"Two sides, {HOMES[0]} and {HOMES[1]}, each run {AGENTS} agents who buy rough diamonds in Angola. After "
            f"{FIRST_MONTHS_LEFT + 1} months the side with more diamonds in its vault wins; money breaks a tie. If "
            "both are equal, it is a draw.",
        ),
        Section(
            "Start",
            f"Each side starts with ${START_MONEY}, {START_DIAMONDS} diamonds in its vault, and all agents at home. "
            f"The UN Inspector starts in a random region. In the first month, {FIRST_MONTHS_LEFT} months are left; in "
            "the last, none. Both sides choose at the same time.",
        ),
        Section(
            "The map",
            f"Angola has {len(REGIONS)} regions. A region has room for one agent of each side, and for the "
            f"Inspector. A home holds only its own agents. An agent can go anywhere in one trip: "
            f"${trip_cost(0, 1)} within Angola, ${trip_cost(HOME, 0)} between Angola and home, free if it stays.",
        ),
        Section(
            "A month, step 1: new diamonds",
            "New diamonds appear in every region and are added to those left over.",
            tuple(map(_appears, range(len(REGIONS)))),
        ),
        Section(
            "A month, step 2: pay",
            "Pay a salary to each of your agents at home. An agent in the same region as an enemy agent can hand it "
            "a bribe. Payments are in whole dollars, up to the cash you have, and secret until a double agent reveals "
            "them.",
            (
                "Salaries and bribes add up over the whole game. While the bribes to an agent exceed its salary, it is "
                "a double agent; while they are equal or lower, it is loyal.",
                "If no agent of either side can be paid, this step is skipped, whether or not anyone has money.",
                "After this step double agents report; see below.",
            ),
        ),
        Section(
            "A month, step 3: move",
            "For each agent you plan where it goes, what it offers for the diamonds there and, if the Inspector is "
            "in that region, a bribe for him. Double agents reveal their part of the plan, and plans can be "
            "adjusted. Then both sides’ orders are shown, and both pay for trips, offers and bribes to the "
            "Inspector, whoever wins.",
            (
                "You can make an offer in any region, even a frozen or empty one.",
                "An agent that stays in a region can offer again for the diamonds there.",
                "Two of your agents can swap places.",
                "You can bribe the Inspector only where he stands when you plan.",
            ),
        ),
        Section(
            "A month, step 4: deposit",
            "Diamonds an agent brings home go into the vault, safe from the Inspector.",
        ),
        Section(
            "A month, step 5: the Inspector",
            "The side that bribed him more sends him to any region or leaves him where he is. If nobody paid more, "
            "he stays. In his region he seizes all diamonds that agents carry, and nobody collects diamonds "
            "there this month.",
        ),
        Section(
            "A month, step 6: collect",
            "In every other region the higher offer takes all the diamonds. If offers are equal, the diamonds stay "
            "until next month. Even an agent alone in a region must offer something.",
        ),
        Section(
            "A month, step 7: sale",
            "Each side plans how many diamonds to sell from its vault. Double agents at home reveal that number, and "
            "it can be adjusted. Then both numbers are shown. Sold diamonds leave the vault.",
            (
                f"Sellers share ${MARKET} in proportion to the diamonds each sells, rounded down. A side that sells "
                f"nothing gets ${NO_SALE}.",
                *(_earned(*sold) for sold in ((1, 0), (1, 1), (2, 1), (3, 2))),
            ),
        ),
        Section(
            "The last month",
            "There is no sale. After diamonds are collected, all agents fly home for free and deposit what they "
            "carry. Both sides’ money is revealed and the vaults are compared.",
        ),
        Section(
            "What double agents reveal",
            "A double agent reveals this to the other side every month. Its own side is not told.",
            (
                "After Pay: its total salary so far and, for each enemy agent whose latest bribe came from it, the "
                "total bribes to that agent. A bribe of nothing does not count. At home, it also reveals its side’s "
                "cash.",
                "After planning the move: its own orders as first planned. If its side adjusts "
                "them, it does not reveal that.",
                "After planning the sale, if it is at home (even if it has just arrived): its side’s cash and the "
                "number its side plans to sell.",
            ),
        ),
        Section(
            "Adjusting",
            "From the first month in which an agent could have been bribed, an adjust step follows every planned move. "
            "It follows a planned sale if such an agent is at home. Only a side that got a report can then change its "
            "plan:",
            (
                "Move: a side that learned a plan of this move may change all its orders.",
                "Sale: a side that learned the number planned in this sale may change its own. So may a side that "
                "learned this month that one of its own agents was won over, if that agent is now at home.",
                "Reports from earlier months do not count.",
                "A side that learned nothing keeps its plan. Only a side that learned your plan can see later that you "
                "changed it.",
                "The host sets how long an adjust step takes. By default, between people, it ends when both sides "
                f"are done, after {UNTIL_DONE.quiet} to {UNTIL_DONE.most} s. A program sometimes keeps waiting after "
                "its player is done, so that nobody can tell who got a report. If you decide within "
                f"{UNTIL_DONE.quiet} s, nobody can tell that an agent reported to you. A fixed time is the same "
                "whether or not any agent reported. With no limit, both sides press Done; if you take a long time, "
                "your opponent can guess that an agent reported to you.",
                "No sale can be adjusted while both vaults are empty.",
            ),
        ),
        Section(
            "What you know",
            "Everyone sees where agents are, what they carry, the vaults, the diamonds and the Inspector; and, after "
            "a move, all trips, offers and bribes to the Inspector. Salaries, bribes to agents, and plans are "
            "secret until a double agent reveals them.",
            (
                "A heart marks an enemy agent that reports to you, and an agent of yours whose known bribes exceed "
                "its salary.",
                "Once your agent has met an enemy agent that does not report to you, the bribes to it are unknown (?) "
                "or a maximum (≤), until the agent that last bribed it reports to you. Then you know the total. It "
                "becomes a minimum (≥) when your agent next meets an agent that does not report to you.",
                "You know the salary of an enemy agent while it reports to you, and then until it could have been paid "
                "at home. From then on, what you knew is a minimum.",
                "You know your opponent’s cash until the first Pay step, and from when an agent reports it until the "
                "next Pay step in which they can pay. Otherwise, what you know of their payments gives a maximum (≤). "
                "If you know of none, their cash is unknown (?).",
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
            "PgDn and PgUp go from month to month. For details select an agent or press Tab. In a replay of a whole "
            "game nothing is hidden; a spectator sees ? for a secret, and “locked in” once a side has chosen.",
            by_touch=Section(
                "The events",
                "For details tap an agent. In a replay of a whole game nothing is hidden; a spectator sees ? for a "
                "secret, and “locked in” once a side has chosen.",
            ),
        ),
        _READING,
    ),
)

TYPED: Final = (
    "You and your opponent each run three agents. After nine months the side with more diamonds at home wins; money "
    "breaks ties.",
    "Paying: pay 2 3 pays your agent 2, at home, a salary of $3. bribe 1 4 gives enemy agent 1, in the same "
    "region as one of yours, $4.",
    "Moving: 1 lunda 4 sends your agent 1 to Lunda to offer $4. 1 moxico 4 2 also bribes the Inspector there "
    "with $2. 1 home sends it home. 1 stay 3 makes it offer $3 where it is. The first letters of a region are enough.",
    "The Inspector: the name of a region, or stay.",
    "Selling: sell 2, or just 2.",
    "done confirms your choice, undo starts it over. first goes back to your original plan, while you are adjusting.",
    "look: the position. look 2: your agent 2. look their 1: enemy agent 1. look inspector: the Inspector and what "
    "he does.",
)
"""What can be typed in the line mode."""
