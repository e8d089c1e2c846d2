"""Hints over whole games: what a reason says of the state is true, and the choice that came next is named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from random import Random
from typing import Any, Final

import pytest

from kimberley.client.boards.form import FormContext
from kimberley.client.boards.land.form_turn import Cursor, TurnForm
from kimberley.client.boards.land.picture import entries
from kimberley.client.boards.next_best import ALIKE, FORESEEN
from kimberley.client.boards.piecepack.advice import NO_LOSS
from kimberley.client.boards.piecepack.phrases import in_words, long_tile, next_goal, outcome
from kimberley.client.boards.registry import find_board
from kimberley.games import lookup
from kimberley.games.bots.base import Comparing
from kimberley.games.bots.hints import Mixing, choose
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond.board import NAMES as POINTS
from kimberley.games.diamond.board import SQUARES_AT, points
from kimberley.games.diamond.notation import read_turn
from kimberley.games.diamond.position import COLORS, Movement, Placement, Position
from kimberley.games.diamond_trust.angola import HOME, HOMES, REGIONS, income, least_errand, order_cost, place_name
from kimberley.games.diamond_trust.bots.deduction import bribe_bounds, may_adjust, salary_bounds
from kimberley.games.diamond_trust.bots.levels import RULES_OF_THUMB
from kimberley.games.diamond_trust.knowledge import Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.land.accounts import account, connected
from kimberley.games.land.bots.bot import named_deals
from kimberley.games.land.deals import BUY, PRICE
from kimberley.games.land.maps import KIND_NAMES
from kimberley.games.land.money import K
from kimberley.games.mine.bots.distances import TURNS, turns_to
from kimberley.games.mine.gems import CAPACITY
from kimberley.games.mine.moves import reach
from kimberley.games.mine.squares import SQUARES
from kimberley.games.mine.squares import name as square_name
from kimberley.games.piecepack.field import distances, places
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, RANKS, SPADE, SUITS, SUN
from kimberley.games.table import HIDDEN, Ask, Observation, Plain, Result, evolve, space_for
from tests.support import land
from tests.support.effort import first_is_quick, spread, tries
from tests.support.seated_arena import SeatedArena

LEVELS: Final = {"diamond": 5, "diamond-trust": RULES_OF_THUMB + 1, "land": 12, "mine": 2, "piecepack": 4}
"""The levels that choose: those that compare, and think little."""
SEATS: Final = {"diamond": 2, "diamond-trust": 2, "land": 2, "mine": 2, "piecepack": 3}
NAMES: Final = ("ana", "ben", "carla")
QUICK: Final = {"diamond": 1, "diamond-trust": 0, "land": 1, "mine": 0, "piecepack": 0}
"""Games of each that the quick tests play."""
WHOLE: Final = tries(8, 100)
"""Games of each that are played with the slow tests: five hundred in all with `--thorough`."""
NEXT: Final = re.compile(r" The next best choice(?: is(?: to)?|:) ")
NUMBER: Final = {square_name(square): square for square in SQUARES}


def hints(game: str, seed: int) -> Iterator[tuple[Any, Ask, int, Plain, str, Plain | None]]:
    """Yields each decision of a game: state, ask, seat, choice, hint and the choice that came next."""
    rules, ui = lookup.find(game), find_board(game).game
    table = SeatedArena(rules, SEATS[game], Random(seed), {"turns": 25} if game == "land" else {})
    bots = [make_bot(rules, LEVELS[game], seed + seat) for seat in range(SEATS[game])]
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices: dict[int, Plain] = {}
        for seat in ask.choosers:
            known = table.observation(seat)
            asked, bot = known.state.ask(), bots[seat]
            choices[seat] = choice = bot.choose_likeliest(known) if isinstance(bot, Mixing) else bot.choose(known)
            assert not isinstance(asked, Result)
            other = bot.runner_up() if isinstance(bot, Comparing) else None
            said = ui.advise(known.state, asked, seat, choice, NAMES, other)
            if other is not None:
                told = ui.advise_next(known.state, seat, choice, other, NAMES)
                last = not getattr(known.state, "months_left", 1)
                assert told is not None or last, "only in the last month is nothing further ahead"
                assert told is None or told.fact or not last
                said = f"{said} {told.sentence()}" if told is not None else said
                other = other if told is not None else None
            yield known.state, asked, seat, choice, said, other
        table.apply(table.arena.answer(ask, choices))


def of_trust(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    regions = "|".join(map(re.escape, REGIONS))
    facts = 0
    for region, number in re.findall(rf"({regions})(?: has)? (\d+)\b", why):
        assert state.diamonds[REGIONS.index(region)] == int(number)
        facts += 1
    orders = choice if isinstance(choice, tuple) and choice and isinstance(choice[0], tuple) else ()
    for region in re.findall(rf"[Tt]he Inspector is in ({regions})(?:,| and) freezes", why):
        assert state.inspector == REGIONS.index(region)
        facts += 1
    stood = (
        state.plan[seat] if state.step is RoundStep.MOVE else tuple((agent.at, 0, 0) for agent in state.agents[seat])
    )
    if comes_next and orders:
        stood = other  # what it has in common with the choice is told there
    sent = [order for order, before in zip(orders, stood, strict=True) if order != before] if orders else []
    if not comes_next and any(payment and to == state.inspector != HOME for to, payment, _ in sent):
        assert "he Inspector is in" in why
    if orders and not comes_next:
        facts += dangers(state, seat, choice, why)
    if orders and not comes_next and state.step is RoundStep.MOVE:
        facts += beside_reports(state, seat, sent, why)
    if told := re.search(r"[Tt]hat brings (\d+) diamonds? home", why):
        carried = [
            agent.carries for agent, order, before in zip(state.agents[seat], orders, stood, strict=True)
            if order[0] == HOME != agent.at and order != before
        ]  # fmt: skip
        assert sum(carried) == int(told[1])
        facts += 1
    if told := re.search(r"That leaves \$(\d+) for trips and offers", why):
        assert int(told[1]) == state.cash(seat) - sum(choice) >= least_errand(state.places(seat))
        facts += 1
    if state.step is RoundStep.PAY and not comes_next and any(choice):
        facts += paid_facts(state, seat, choice, why)
    if told := re.search(r"you (keep|sell) (\d+) more diamonds? for the same money", why):
        assert (other - choice) * (1 if told[1] == "keep" else -1) == int(told[2])
        facts += 1
    if told := re.search(r"that leaves \$(\d+)", why):
        assert int(told[1]) == state.cash(seat) - sum(choice) != state.cash(seat) - sum(other)
        facts += 1
    if told := re.search(r"that also costs \$(\d+)", why):
        assert int(told[1]) == sum(choice) == sum(other)
        facts += 1
    if comes_next and state.step is RoundStep.PAY:
        facts += unpaid_facts(state, seat, other, choice, why)
    if comes_next and orders and not state.months_left:
        facts += last_facts(state, seat, other, choice, why)
    if "you have no money" in why:
        assert state.cash(seat) == 0
        facts += 1
    for got, theirs in re.findall(r"\$(\d+) if your opponent sells (all \d+|\d+)", why):
        assert income((choice, int(theirs.removeprefix("all "))))[0] == int(got)
        facts += 1
    if told := re.search(r"You have (?:\$(\d+)|no money) so far for trips, offers and bribes next month", why):
        assert int(told[1] or 0) == state.cash(seat)
        assert state.months_left
        facts += 1
    if told := re.search(
        r"for sure and keep (\d+) more diamonds?(?:; selling (\d+) (brings|can bring) \$(\d+) more)?", why
    ):
        planned = state.known[seat].sale
        assert int(told[1]) == other
        assert told[2] in (None, told[1])
        assert int(told[4] or 0) == max(0, income((other, planned or 0))[0] - income((0, 0))[0])
        assert told[3] != "brings" or planned is not None or not state.vault[1 - seat]
        facts += 1
    if told := re.search(r"gives your opponent all \$(\d+) if they sell any", why):
        assert int(told[1]) == max(income((0, number))[1] for number in range(1, state.vault[1 - seat] + 1))
        assert state.known[seat].sale != 0
        facts += 1
    if state.step is RoundStep.INSPECT:
        facts += inspector_facts(state, seat, choice, why, other, comes_next=comes_next)
    if "selling none brings" in why:
        assert f"selling none brings ${income((0, 0))[0]}" in why
        facts += 1
    return facts


def taken(state: Any, side: int, region: int) -> tuple[int, int]:
    """Returns what a side loses if the Inspector is in a region: the diamonds that its agent carries there, and those
    for which it offered more than the other.
    """
    offers = [sum(order[1] for order in orders if order[0] == region) for orders in state.moved.orders]
    carried = sum(agent.carries for agent in state.agents[side] if agent.at == region)
    return carried, state.diamonds[region] if offers[side] > offers[1 - side] else 0


def inspector_facts(state: Any, seat: int, region: int, why: str, other: Any, *, comes_next: bool) -> int:
    """Checks that a hint says all that each side loses to the Inspector and, where he leaves, what it then has; and
    that no other choice takes more at once without a reason.
    """
    sides = ((seat, "you", ""), (1 - seat, HOMES[1 - seat], "s"))
    number = r"(\d+)(?: diamonds?)?"
    for side, who, ending in sides:
        seized = re.search(rf"seizes {number} from {who}\b", why)
        frozen = re.search(rf"freezes {number} that {who} would collect", why)
        assert (int(seized[1]) if seized else 0, int(frozen[1]) if frozen else 0) == taken(state, side, region)
        if comes_next and state.inspector != other:
            continue
        left = re.search(rf"in {REGIONS[state.inspector]}, (.*)", why)
        there = re.search(
            rf"{who} (?:keep{ending} {number})?(?: and )?(?:collect{ending} {number})?", left[1] if left else ""
        )
        told = tuple(int(amount or 0) for amount in there.groups()) if there else (0, 0)
        assert told == (taken(state, side, state.inspector) if region != state.inspector else (0, 0))
    harm, beside = (
        sum(taken(state, 1 - seat, at)) - sum(taken(state, seat, at))
        for at in (region, region if other is None else other)
    )
    assert ("looking ahead" in why) == (not comes_next and harm < beside and state.months_left > 0)
    assert ("nobody loses diamonds there" in why) == (not any(sum(taken(state, side, region)) for side in (0, 1)))
    return 1


def dangers(state: Any, seat: int, orders: Any, why: str) -> int:
    """Checks that a hint says, for all diamonds that agents carry in Angola, how the Inspector can seize them."""
    facts, loaded = 0, set[str]()
    if why.startswith("Keep your plan"):
        return 0
    for number, (agent, (to, _, _)) in enumerate(zip(state.agents[seat], orders, strict=True), 1):
        if agent.carries and to == state.inspector:
            them = f"the {agent.carries}" if agent.carries > 1 else "the one"
            assert f"seizes {them} that agent {number} carries, unless he leaves" in why
            facts += 1
        elif agent.carries and to != HOME:
            loaded.add(str(number))
    told = re.search(r"Inspector to seize (?:the (?:\d+ )?diamonds? that|what) agent ([^.]*) carries", why)
    if told is None:
        certain = None not in state.known[seat].plans and may_adjust(state, seat) is False
        assert not loaded or (state.step is RoundStep.MOVE and certain)
        return facts
    assert re.findall(r"\d", told[1]) == sorted(loaded)
    return facts + 1


def beside_reports(state: Any, seat: int, orders: Any, why: str) -> int:
    """Checks what is said of offers and bribes compared with those of the other side that were reported."""
    plans, adjusts, facts = [plan for plan in state.known[seat].plans if plan is not None], may_adjust(state, seat), 0
    for to, payment, bribe in orders:
        pairs = [
            (payment, plan[1], f"${payment} in {place_name(to, seat)} wins only if")
            for plan in plans
            if plan[0] == to != HOME
        ]
        pairs += [(bribe, plan[2], "bribe decides only if") for plan in plans if plan[0] == to == state.inspector]
        for own, theirs, loses in pairs:
            assert (loses in why) == (0 < own < theirs)
            assert own in (0, theirs, theirs + 1) or adjusts is not False, "it is certain, and paid in vain"
            assert own in (0, theirs, theirs + 1) or "our opponent can adjust" in why
            facts += own > 0
    if "your opponent can adjust, because" in why.lower():
        assert adjusts
    return facts


def paid_facts(state: Any, seat: int, amounts: Any, why: str) -> int:
    """Checks that every payment has its total next to what that total is compared with."""
    facts = 0
    for slot, amount in zip(state.slots(seat), amounts, strict=True):
        if not amount:
            continue
        agent = slot.agent
        total = amount + (state.bribes[1 - seat] if slot.bribe else state.salary[seat])[agent]
        bounds = (salary_bounds if slot.bribe else bribe_bounds)(state, seat, agent)
        against, more = bounds.estimate(), total - bounds.most
        if slot.bribe and isinstance(against, Unknown):
            said = rf"agent {agent + 1}( reveals .* to you)? if your total bribes of \${total} exceed its salary"
        elif slot.bribe:
            assert not isinstance(against, Unknown)
            said = rf"agent {agent + 1} are then \${total}, and its salary is (at least |at most )?\${against.amount}\b"
            until = rf" until it is paid (at least )?\${more} more" if state.months_left else "[.;]"
            said += rf", so it reports to you{until}" if more > 0 else "(?!, so)"
        elif not bounds.least:
            said = rf"more than \${total} to win over agents? (\d, |\d and )*{agent + 1}\b"
        else:
            said = rf"agent {agent + 1}’s salary is then \${total}, and the bribes to it are "
            said += rf"(at least )?\${bounds.least}\b"
        assert re.search(said, why)
        facts += 1
    return facts


def _each(one: str, several: re.Match[str]) -> str:
    return " and ".join(map(one.format, re.findall(r"\d", several[1])))


def unpaid_facts(state: Any, seat: int, best: Any, amounts: Any, why: str) -> int:
    """Checks what is said of agents that get less: each of them has its total so far next to what is known."""
    facts = 0
    if told := re.search(r"for trips and offers, \$(\d+) (more|less)", why):
        assert sum(best) - sum(amounts) == int(told[1]) * (1 if told[2] == "more" else -1)
        facts += 1
    for several, one in (
        (r"enemy agents (\d[^a-z]*and \d) reveal nothing to you", "enemy agent {} reveals nothing to you"),
        (r"any bribe makes agents (\d[^a-z]*and \d) reveal their orders", "any bribe makes agent {} reveal its orders"),
    ):
        why = re.sub(several, partial(_each, one), why)
    for agent in re.findall(r"any bribe makes agent (\d) reveal its orders", why):
        (at,) = [at for at, slot in enumerate(state.slots(seat)) if (slot.bribe, slot.agent) == (False, int(agent) - 1)]
        assert state.salary[seat][int(agent) - 1] == amounts[at] == 0 < best[at]
        facts += 1
    for whose, agent, ending in re.findall(
        r"(enemy )?agent (\d) reveals (\w+ \w+ .*?)(?=,| and (?:enemy )?agent|$)", why
    ):
        number = int(agent) - 1
        (at,) = [at for at, slot in enumerate(state.slots(seat)) if (slot.bribe, slot.agent) == (bool(whose), number)]
        assert amounts[at] < best[at]
        total = amounts[at] + (state.bribes[1 - seat] if bool(whose) else state.salary[seat])[number]
        bounds = (salary_bounds if bool(whose) else bribe_bounds)(state, seat, number)
        if said := re.search(r"\$(\d+)", ending):
            assert int(said[1]) == total
            assert total <= bounds.most if bool(whose) else total < bounds.most or not bounds.least
        else:
            assert total <= bounds.least if bool(whose) else total < bounds.least
        facts += 1
    return facts


def last_facts(state: Any, seat: int, best: Any, orders: Any, why: str) -> int:
    """Checks what a plan of the last month is said to gain and to lose compared with another one."""
    regions, facts = "|".join(map(re.escape, REGIONS)), 0
    bids = [{to: payment for to, payment, _ in plan} for plan in (best, orders)]
    offers = rf"offer (?:nothing|\$(\d+)( more| less)?) for the (?:(\d+) )?diamonds? in ({regions})"
    for amount, way, diamonds, region in re.findall(offers, why):
        at = REGIONS.index(region)
        before, after = (plan.get(at, 0) for plan in bids)
        assert state.diamonds[at] == int(diamonds or 1)
        assert after - before == (-before if not amount else int(amount) * (-1 if way == " less" else 1))
        assert bool(way) == bool(amount and before and after)
        facts += 1
    if told := re.search(r"carry (\d+) diamonds? where the Inspector can", why):
        moved = [
            agent.carries for agent, (here, _, _), (to, _, _) in zip(state.agents[seat], best, orders, strict=True)
            if HOME != to != here and (here == HOME or to == state.inspector)
        ]  # fmt: skip
        assert sum(moved) == int(told[1])
        facts += 1
    if told := re.search(r"have \$(\d+) less", why):
        spent = [sum(map(order_cost, state.places(seat), plan)) for plan in (best, orders)]
        assert spent[1] - spent[0] == int(told[1])
        facts += 1
    return facts


def squares_of(position: Position, color: int, placing: bool) -> set[str]:
    """Returns the points on which a color would complete a square if it were its turn, found by making each turn."""
    position = Position(position.pieces, position.neutral, color, max(1, position.left) if placing else 0)
    won = [move for move in position.moves() if (found := position.after(move).won()) and found[0] == color]
    return {POINTS[move.to] for move in won if isinstance(move, Placement | Movement)}


def of_diamond(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    """Checks each fact, and that what is said first and alone is no merit of the other turn as well."""
    after, beside = state.apply(choice), None if other is None else state.apply(other)
    ended = state.apply(choice).ask()
    assert ("and wins" in why) == (isinstance(ended, Result) and ended.winners == (seat,))
    if "and wins" in why:
        result = after.ask()
        assert isinstance(result, Result)
        assert result.winners == (seat,)
        return 1
    wins = beside is not None and isinstance(result := beside.ask(), Result) and result.winners == (seat,)
    assert ("does not win yet" in why) == (comes_next and wins)
    if comes_next and wins:
        return 1
    before, then = state.position, after.position
    own, enemy = before.turn, 1 - before.turn
    facts = 0
    alone = not comes_next and beside is not None and ", and " not in why and "looking ahead" not in why
    open_before, open_then = (squares_of(position, enemy, then.placing) for position in (before, then))
    stops = re.search(r"from completing a square on ((?:\w\d|, | and )+)(?:, though not on ((?:\w\d|, | and )+))?", why)
    assert comes_next or (stops is not None) == bool(open_before - open_then)
    if stops is not None:
        assert open_before - open_then == set(re.findall(r"\w\d", stops[1]))
        assert open_then == set(re.findall(r"\w\d", stops[2] or ""))
        if alone and beside is not None:
            left = squares_of(beside.position, enemy, beside.position.placing)
            assert len(open_before - left) < len(open_before - open_then)
        facts += 1
    loses = re.search(r", though \w+ can complete a square on ((?:\w\d|, | or )+) next", why)
    if stops is None and not comes_next and "unlikely to win" not in why:
        assert set(re.findall(r"\w\d", loses[1] if loses is not None else "")) == open_then
    if not comes_next and other is not None and captures(before, other) and not captures(before, choice):
        assert stops is not None or "looking ahead" in why or "unlikely to win" in why
    if "and capture it" in why:
        move = read_turn(choice).move
        assert isinstance(move, Movement)
        assert before.captured(move)
        facts += 1
    if told := re.search(
        r"then you (?:need only (.+?) for a square)?(?:, and )?(?:can reach (.+?), (?:each )?the last corner)?", why
    ):
        new = squares_of(then, own, then.left > 1) - squares_of(before, own, then.left > 1)
        last = {POINTS[at] for at in points(before.empty) if any(
            (square & before.pieces[own]).bit_count() == 3 for square in SQUARES_AT[at]
        )}  # fmt: skip
        assert new - last == set(re.findall(r"\w\d", told[1] or ""))
        assert new & last == set(re.findall(r"\w\d", told[2] or ""))
        if alone and beside is not None and stops is None and "capture" not in why:
            left = squares_of(beside.position, own, then.left > 1) - squares_of(before, own, then.left > 1)
            assert len(left) < len(new)
        facts += 1
    if told := re.search(rf"blocks (a|\d+) squares? in (?:each of )?which {COLORS[enemy]} holds two corners", why):
        at, theirs = to_of(choice), before.pieces[enemy]
        spoilt = before.pieces[own] | before.neutral
        taken = [each for each in SQUARES_AT[at] if (each & theirs).bit_count() == 2 and not each & spoilt]
        assert len(taken) == (1 if told[1] == "a" else int(told[1]))
        facts += 1
    if told := re.search(r"(\w\d) is a corner of (a|\d+) squares? with no", why):
        assert POINTS.index(told[1]) == to_of(choice)
        free = sum(not square & then.pieces[enemy] for square in SQUARES_AT[to_of(choice)])
        assert free == (1 if told[2] == "a" else int(told[2]))
        facts += 1
    if told := re.search(r"(\w\d) is open again", why):
        assert then.empty >> POINTS.index(told[1]) & 1
        facts += 1
    assert facts or "looking ahead" in why or "swap" in why.lower() or "unlikely to win" in why
    return facts


def captures(position: Position, turn: Any) -> bool:
    move = read_turn(turn).move
    return isinstance(move, Movement) and bool(position.captured(move))


def to_of(choice: Any) -> int:
    move = read_turn(choice).move
    assert isinstance(move, Placement | Movement)
    return move.to


def by_keys(state: Any, seat: int, deals: Any) -> TurnForm:
    """Returns the form of a turn in which a player has pressed the keys for the deals of a bot that the hint names."""
    context: FormContext[Any] = FormContext(
        state, state.ask(), state.ask().space, seat, NAMES, {}, print, print, agreed, print
    )
    form = TurnForm(context, Cursor())
    for verb, parcel, *price in deals:
        form.cursor.parcel = parcel
        if verb == PRICE and all(deal[0] == PRICE for deal in deals):
            assert form.paste(f"{price[0] / 100}")
            assert form.key("enter")
        elif verb != PRICE:
            assert form.key("b" if verb == BUY else "s")
        assert not form.refusal
    return form


def agreed(title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False) -> None:
    del title, text, yes, no, danger
    then()


def of_land(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    ask = state.ask()
    before = ask.space.draft()
    after = before.all(choice)
    paid = before.cash - after.cash
    if comes_next and not choice:
        best = before.all(other)
        if told := re.search(r"you keep all ([\d.,]+)K", why):
            assert float(told[1].replace(",", "")) == pytest.approx(before.cash / K, abs=0.0051)
            return int(best.cash != before.cash)
        if "your prices stay as they are" in why:
            assert {deal[0] for deal in other} == {"price"}
            return 1
        kept = re.findall(r"\b[a-z]\d+\b", why)
        own, then_own = ({state.map.name(each) for each in draft.land.of(seat)} for draft in (before, best))
        assert kept
        assert {*kept} <= own - then_own
        return 1
    if why.startswith("Price "):
        set_to = [(state.map.kind(deal[1]), deal[-1] / 100) for deal in choice if deal[0] == "price"]
        counted = re.findall(
            r"\b(a|an|\d+) (\w+(?: field)?) parcels? at ([\d.,]+)K(?: to ([\d.,]+)K)?", why.partition(":")[0]
        )
        for number, kind, low, high in counted:
            prices = [price for each, price in set_to if KIND_NAMES[each] == kind]
            assert (1 if number in ("a", "an") else int(number)) == len(prices)
            assert float(low.replace(",", "")) == min(prices)
            assert float((high or low).replace(",", "")) == max(prices)
        assert counted or len({price for _, price in set_to}) == 1
        priced_facts(before, choice, why)
    assert not re.search(r"\d\.\d{3}", why)
    assert "-" not in why
    if state.turn == state.limit:
        assert not re.search(r"earns [\d.]+K more|tax a turn|tax stays|later", why), "nobody pays the player any more"
    table = entries(evolve(state, land=before.land))[seat]
    form = by_keys(state, seat, choice)
    shown = entries(form.drafted)[seat]
    if not comes_next:
        for at in range(len(choice)):
            fewer = (*choice[:at], *choice[at + 1 :])
            if before.violation_of_all(fewer) is None:
                less = before.all(fewer)
                assert (less.land, less.cash) != (after.land, after.cash), "no deal is made for nothing"
    named = re.match(r"Buy ((?:[a-x]\d+(?:, | and |(?=[,:])))+)", why)
    assert named is None or not {*re.findall(r"[a-x]\d+", named[1])} & {before.map.name(each) for each in before.own()}
    if told := re.search(r"your land earns ([\d.]+)K more a turn", why):
        gained = shown.revenue - shown.tax - (table.revenue - table.tax)
        assert float(told[1]) == pytest.approx(gained / K, abs=0.0051)
    joined = connected(before.map, form.now.land, seat) - connected(before.map, before.land, seat)
    joined &= set(before.land.of(seat))
    if told := re.search(r"you reconnect (a|\d+) parcels? to the river", why):
        assert len(joined) == (1 if told[1] == "a" else int(told[1]))
    elif "your land earns" in why:
        assert not joined
    if told := re.search(r"you pay ([\d.]+)K less tax a turn", why):
        assert float(told[1]) == pytest.approx((table.tax - shown.tax) / K, abs=0.0051)
    if told := re.search(r"for ([\d.]+)K more tax a turn", why):
        assert float(told[1]) == pytest.approx((shown.tax - table.tax) / K, abs=0.0051)
    then, now = ([account(state.map, held, each) for each in range(2)] for held in (after.land, before.land))
    if told := re.search(r"you take ([\d.]+)K a turn from (your opponent|other players)", why):
        assert float(told[1]) == pytest.approx((now[1 - seat].revenue - then[1 - seat].revenue) / K, abs=0.0051)
    if told := re.search(r"for (?:your )?([\d.,]+)K(?: now|, since)", why):
        assert float(told[1].replace(",", "")) == pytest.approx(paid / K, abs=0.0051)
        return 1
    if told := re.search(r"([\d.,]+)K now is worth", why):
        assert float(told[1].replace(",", "")) == pytest.approx(-paid / K, abs=0.0051)
        return 1
    return 0


def priced_facts(before: Any, choice: Any, why: str) -> None:
    """Checks that what is said to cost others more does, and that nothing gets cheaper that is not named."""
    changes = {before.map.name(deal[1]): deal[-1] - before.land.price(deal[1]) for deal in choice}
    raised, lowered = ({name for name, by in changes.items() if by * way > 0} for way in (1, -1))
    assert raised or "others more" not in why
    if "others more" not in why and "for the same tax" not in why:
        return
    assert ("your land costs others more" in why) == (not lowered)
    if told := re.search(r"tax(?: a turn)?, (.*) costs? others more, and (.*) less", why):
        for said, names in zip(told.groups(), (raised, lowered), strict=True):
            named = {*re.findall(r"\b[a-x]\d+\b", said)}
            assert named <= names
            others = re.search(r"(\d+) other parcels", said)
            assert len(named) + (int(others[1]) if others else 0) == len(names)


def test_a_price_that_falls_is_named_where_others_rise() -> None:
    prices = {"a1": 100, "a2": 150, "a3": 20, "b1": 20}
    state = land.roll(land.table({name: (0, str(price)) for name, price in prices.items()}), (0, 0))

    def said(**new: float) -> str:
        assert state.map is not None
        deals = tuple((PRICE, state.map.parcel(name), round(100 * price)) for name, price in new.items())
        ask = state.ask()
        assert not isinstance(ask, Result)
        why = find_board("land").game.advise(state, ask, 0, deals, NAMES).partition(": ")[2]
        priced_facts(land.space(state).draft(), deals, why)
        return why

    assert said(a1=135, a2=116.25, a3=60) == "for 0.83K more tax a turn, a1 and a3 cost others more, and a2 less."
    assert said(a1=120, a3=10) == "for 0.2K more tax a turn, a1 costs others more, and a3 less."
    assert said(a1=90, a3=30) == "for the same tax, a3 costs others more, and a1 less."
    assert said(a1=120, a3=30) == "for 0.6K more tax a turn, your land costs others more."


def test_what_reconnects_land_comes_first_and_is_the_reason() -> None:
    names = [f"{column}{row}" for column in "hi" for row in range(1, 5)]
    state = land.roll(land.table({name: (0, "20" if name[0] == "i" else "1") for name in names}), (0, 1))
    choice = make_bot(lookup.find("land"), 20, 0).choose(Observation(0, state, ()))
    ask = state.ask()
    assert not isinstance(ask, Result)
    said = find_board("land").game.advise(state, ask, 0, choice, NAMES)
    assert said.startswith("Buy all government parcels here: ")
    assert state.map is not None
    assert state.map.name(named_deals(state, choice)[0][1]).startswith("g")
    assert "you reconnect 8 parcels to the river, and your land earns" in said


def of_mine(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    del other
    facts = 0
    if state.phase == "cards" and (led := re.search(r"it can take you to ([^.]*)", why)):
        squares = {square_name(square) for square in reach(state.mine, seat)[choice[0]]}
        assert {*re.findall(r"\b[a-h]\d\b", led[1])} <= squares
        assert "(" in led[1] or "dropped gem" in led[1], "what is useful there is said"
        assert "(your home)" not in led[1] or state.mine.carried[seat]
        facts += 1
    if state.phase == "cards" and (closer := re.findall(r"(your home|\w\d) \(via ([^)]*)\)", why)):
        for where, ways in closer:
            away = turns_to(state.mine.home(seat) if where == "your home" else NUMBER[where], state.mine.barred(seat))
            by = {NUMBER[each] for each in re.findall(r"\w\d", ways)}
            assert by <= {*reach(state.mine, seat)[choice[0]]}
            assert all(away[square] < away[state.mine.pawns[seat]] for square in by)
            facts += 1
    if told := re.search(r"from (\w\d), (your home|\w\d) is (\d+) turn", why):
        goal = state.mine.home(seat) if told[2] == "your home" else NUMBER[told[2]]
        assert turns_to(goal, state.mine.barred(seat))[NUMBER[told[1]]] == int(told[3])
        facts += 1
    if state.phase == "take" and not choice and "end the game" not in why and not comes_next:
        room, inside = state.mine.room(seat), state.mine.inside[state.nest]
        fitting = [some for count in range(1, len(inside) + 1) for some in combinations(inside, count)
                   if sum(map(state.size, some)) <= room]  # fmt: skip
        told = re.search(
            r"the most you could take is worth (\d+) to you, but would leave (no room|room for (\d+))", why
        )
        assert (told is not None) == bool(fitting)
        if told is not None:
            worths = {sum(state.worth(gem, seat) for gem in some): room - sum(map(state.size, some))
                      for some in fitting}  # fmt: skip
            assert int(told[1]) == max(worths)
            assert int(told[3] or 0) in {room - sum(map(state.size, some)) for some in fitting
                                         if sum(state.worth(gem, seat) for gem in some) == max(worths)}  # fmt: skip
            facts += 1
    if told := re.search(r"you get closer to (your home|\w\d), (\d+) turn", why):
        goal = state.mine.home(seat) if told[1] == "your home" else NUMBER[told[1]]
        away = turns_to(goal, state.mine.barred(seat))
        assert int(told[2]) == away[choice[0]] < away[state.mine.pawns[seat]]
        facts += 1
    if told := re.search(r"(?:it is|they are) worth (\d+) to you", why):
        assert int(told[1]) == sum(worth for gem in choice if isinstance(worth := state.worth(gem, seat), int))
        facts += 1
    if told := re.search(r"that leaves (?:room for (\d+) small gem|no room)", why):
        lying = dict(state.mine.loose)
        more, less = (choice, ()) if state.phase == "take" else ([lying[at] for at in choice[1]], choice[2])
        carried = [*state.mine.carried[seat], *more]
        held = sum(state.size(gem) for gem in carried) - sum(state.size(gem) for _, gem in less)
        assert int(told[1] or 0) == CAPACITY - held
        facts += 1
    if state.phase == "take" and choice:
        inside = state.mine.inside[state.nest]
        ends = state.mine.exhausted + 1 >= state.veins_to_end
        assert ("the vein is then exhausted" in why) == (len(choice) == len(inside) and not ends)
        assert ("that ends the game" in why) == (len(choice) == len(inside) and ends)
    if told := re.search(r"it is (\d+) turns? from your home and (\d+) from the nearest", why):
        homes = {each: TURNS[choice][state.mine.home(each)] for each in state.order()}
        own = homes.pop(seat)
        assert (own, min(homes.values())) == (int(told[1]), int(told[2]))
        facts += 1
    loose = {square_name(square) for square, _ in state.mine.loose}
    assert why.count("dropped gem") <= 1
    for listed in re.findall(r"dropped gems? on ((?:[a-h]\d(?:, | or |\b))+)", re.sub(r" \(via [^)]*\)", "", why)):
        dropped = re.findall(r"[a-h]\d", listed)
        assert loose >= set(dropped)
        assert ("dropped gems" in why) == (len(dropped) > 1)
        facts += 1
    if "you open a vein" in why or "reach a vein" in why:
        assert state.mine.vein_at(choice[0]) is not None
        facts += 1
    if "bring home" in why:
        assert choice[0] == state.mine.home(seat)
        facts += 1
    return facts


def of_piecepack(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    del other
    hand = {coin.handle: coin.parts[1] for coin in state.hands[seat]}
    if state.phase in ("act", "path"):
        for text in () if comes_next else (next_goal(state, seat, long_tile), *previews(state, seat)):
            could_be_done(state, seat, in_words(text), state.hands[seat])
        traveling = {*choice[-1]} if choice[0] == "sun" else set[int]()
        tile = f"{long_tile(state.field[choice[-1]])}: " if choice[0] in ("step", "jump") else ""
        could_be_done(state, seat, f"{tile}{why}", [coin for coin in state.hands[seat] if coin.handle not in traveling])
    diamonds = {value for suit, value in (coin.parts for coin in state.hands[seat]) if suit == DIAMOND}
    assert "get rid of diamond 0" not in why or 0 in diamonds
    left = [*state.unseen(), *(coin.parts for coin in (*state.pile, *state.sold) if coin.parts[1] is not HIDDEN)]
    unseen = [value for suit, value in left if suit == DIAMOND]
    mines = re.search(r"you get \d+ diamond|it is free\b(?! and)|there to get (up to )?\d+ diamond|digs one", why)
    assert bool(mines and 0 in diamonds.union(unseen)) == (
        re.search(r", but [^.]*diamond 0, which ruins every sale", why) is not None
    )
    assert ("you hold diamond 0" in why) == bool(mines and 0 in diamonds)
    if told := re.search(r"(1 of|among) the (\d+) left", why):
        assert int(told[2]) == state.in_pile
        hidden_elsewhere = len(unseen) > state.in_pile
        assert hidden_elsewhere == (told[1] == "among")
    if state.phase in ("steal", "peek") and choice:
        assert (len(choice) == 1) == ("its suit" in why or "it may" in why)
    if told := re.search(r"then you could [^.]*?\b(\w+ \w+), an? [^.]*, (\d+) steps? away", why):
        far = distances(state.field, choice[-1])
        assert any(
            (SUITS[tile.suit], RANKS[tile.value]) == tuple(told[1].split()) and far[at] == int(told[2])
            for at, tile in enumerate(state.field)
        )
        return 1 if comes_next else 1 + attack_facts(state, seat, choice, why)
    if told := re.search(r"blocks the (whole )?attack of (\d+)|takes (\d+) off an attack of (\d+)", why):
        assert state.attack == int(told[2] or told[4])
        blocked = sum(hand[coin] + (state.suits[seat] == HEART and state.attacker is not None) for coin in choice)
        assert blocked >= state.attack if told[1] else blocked == int(told[3] or 0)
        return 1 + loss_facts(state, hand, choice, blocked, why)
    if state.phase == "defend":
        assert not choice
        return loss_facts(state, hand, choice, 0, why)
    if told := re.search(r"1 step from you and (\d+) steps? from the nearest other", why):
        assert int(told[1]) == steps_from(state, choice, seat)
        return 1
    assert "no room" not in why, "that speaks against it"
    assert NO_LOSS not in why or not state.acted, "to end the turn costs nothing"
    if "there is room to explore next to it" in why:
        assert places(state.field, choice[-1])
        return 1 if comes_next else 1 + attack_facts(state, seat, choice, why)
    if told := re.search(r"you keep (\d+) coins?", why):
        assert int(told[1]) == len(hand) > 0
        return 1
    assert bool(hand) or "nothing is worth its coins" not in why
    assert not hand or "no coins to spend" not in why
    spent = sum(hand[coin] for coin in choice[-1]) if choice and isinstance(choice[-1], tuple) else 0
    if told := re.search(r"you get (\d+) diamonds?, and", why):
        assert int(told[1]) == min(spent, state.tile(seat).value, state.in_pile)
        return 1
    if told := re.search(r"you draw (\d+) coins?", why):
        number = len(choice[1]) if choice[0] == "market" else spent
        bag = state.in_bag + (len(choice[1]) if choice[0] == "market" else 0)
        assert int(told[1]) == min(bag, number + (number > 0 and state.suits[seat] == MOON))
        if wanted := re.search(r"perhaps a (spade|club) to", why):
            assert not worth_spending(state, seat, SUITS.index(wanted[1]), state.hands[seat])
            assert left_to_draw(state, SUITS.index(wanted[1]))
            assert wanted[1] == ("spade" if state.in_pile else "club")
        return 1
    if told := re.search(r"an attack of (\d+), and (\w+) holds (\d+) coin", why):
        assert int(told[1]) == spent + len(choice[2]) * (state.suits[seat] == CLUB)
        assert (told[2], int(told[3])) == (NAMES[choice[1]], len(state.hands[choice[1]]))
        return 1
    return "it is free" in why


def previews(state: Any, seat: int) -> Iterator[str]:
    """Yields what the board says that each tile does for a player."""
    for at, tile in enumerate(state.field):
        yield f"{long_tile(tile)}: {outcome(state, seat, at).text}"


def worth_spending(state: Any, seat: int, suit: int, held: Any) -> bool:
    values = [coin.parts[1] for coin in held if coin.parts[0] == suit]
    return any(values) or bool(values and suit == CLUB == state.suits[seat])


def left_to_draw(state: Any, suit: int) -> bool:
    """Returns whether the bag may hold a coin of a suit that is worth something."""
    elsewhere = [coin for hand in state.hands for coin in hand if coin.parts[0] == suit]
    known = {coin.parts[1] for coin in elsewhere} - {HIDDEN}
    return len(elsewhere) < len(RANKS) and len(known | {0}) < len(RANKS)


def could_be_done(state: Any, seat: int, text: str, held: Any) -> None:
    """Checks that whatever is said to be possible can be done with the coins held, and as much of it."""
    digs, low = state.suits[seat] == SPADE, text.lower()
    if re.search(r"you (could|can) mine", low):
        assert state.in_pile
        assert digs or worth_spending(state, seat, SPADE, held)
    if re.search(r"you (could|can) steal", low):
        assert worth_spending(state, seat, CLUB, held)
        assert any(coin.parts[0] == DIAMOND for other in state.others(seat) for coin in state.hands[other])
    if "could sell" in low or "could get rid of" in low:
        assert any(coin.parts[0] == DIAMOND for coin in held)
    if wanted := re.search(r"(?:could|can) try to trade for (spade|club)s", low):
        assert held
        assert left_to_draw(state, SUITS.index(wanted[1]))
    if re.search(r"(could|can) trade coins", low):
        assert held
    if re.search(r"(could|can) draw", low):
        assert re.search(r"could draw a heart at|can draw a heart here", low)
        assert state.hearts_in_bag
    here, laid = state.tile(seat), {tile.suit for tile in state.field if not tile.market}
    if told := re.search(r"you can (mine|draw|try to trade|trade coins|steal)\b[^.]* here\b", low):
        assert told[1] == "steal" or here.suit == {"mine": DIAMOND, "draw": MOON}.get(told[1], SUN)
        assert told[1] == "steal" or not here.market
    if lacks := re.search(r"no ((mine|oasis|or|market|to trade coins| )+) is on the map yet", low):
        kinds = {suit for name, suit in (("mine", DIAMOND), ("oasis", MOON), ("market", SUN)) if name in lacks[1]}
        assert kinds
        assert not kinds & laid
    if "with diamonds stands on a holy site" in low:
        assert not state.in_pile
        others = [other for other in state.others(seat) if any(c.parts[0] == DIAMOND for c in state.hands[other])]
        assert others
        assert all(state.tile(other).suit == HEART and not state.tile(other).market for other in others)
    if "the bag has no hearts for an oasis" in low:
        assert not held
        assert not state.hearts_in_bag
    named = re.search(rf"({'|'.join(SUITS)}) ({'|'.join(RANKS)}), an? ", low)
    value = RANKS.index(named[2]) if named else 0
    if told := re.search(
        r"spend your (only spade|spades) there to get (up to )?(\d+) diamonds?(?:, at most (\d+) each time)?", low
    ):
        got = 0
        for coin in held:
            got += min(coin.parts[1], value, state.in_pile - got) if coin.parts[0] == SPADE else 0
        assert (told[1] == "only spade") == (sum(coin.parts[0] == SPADE for coin in held) == 1)
        assert int(told[3]) == got > 0
        assert (told[2] is not None) == (got > 1)
        assert int(told[4] or got) == min(value, got)
        assert ("another action digs one" in low) == (digs and got < state.in_pile)
    elif "digs one" in low:
        assert digs
        assert state.in_pile
    if told := re.search(r"trades (?:up to )?(\d+) coin", low):
        assert int(told[1]) == min(value, sum(coin.parts[0] != DIAMOND for coin in held)) > 0
    if told := re.search(r"peek at (?:up to )?(\d+) of", low):
        assert int(told[1]) == min(value, sum(len(state.hands[other]) for other in state.others(seat))) > 0
    if "less the hearts you spend" in low:
        assert worth_spending(state, seat, HEART, held)


def loss_facts(state: Any, hand: Any, spent: Any, blocked: int, why: str) -> int:
    """Checks what an attack is said to take after the hearts spent."""
    held = len(hand) - len(spent)
    lost = min(held, max(0, state.attack - blocked))
    lose = "you lose" if state.attacker is None else "you can lose"
    if told := re.search(rf"{lose} (\d+) of your (\d+) ", why):
        assert (int(told[1]), int(told[2])) == (lost, held)
    elif f"{lose} all your" in why:
        assert held == lost > 1
    elif f"{lose} your only" in why:
        assert held == lost == 1
    else:
        assert lost == 0
    return lose in why


def attack_facts(state: Any, seat: int, choice: Any, why: str) -> int:
    """Checks what a war zone that a hint leads to is said to take."""
    tile, hand = state.field[choice[-1]], [coin.parts for coin in state.hands[seat]]
    attacks = re.search(r"attacks for (\d+)", why)
    assert (attacks is not None) == (tile.suit == CLUB and not tile.market and bool(hand))
    if attacks is None:
        return 0
    hearts = sum(value for suit, value in hand if suit == HEART)
    assert int(attacks[1]) == tile.value
    assert ("which your hearts can block" in why) == (hearts >= tile.value)
    if lost := re.search(r"you lose (\d+) coins?\.", why):
        assert int(lost[1]) == min(tile.value, len(hand))
        assert not hearts
    return 1


def steps_from(state: Any, place: tuple[int, int], seat: int) -> int:
    """Returns how many steps lead from a new tile to the nearest other player, by the edges that tiles share."""
    at = {(tile.x, tile.y) for tile in state.field}
    others = {(tile.x, tile.y) for each in state.others(seat) for tile in [state.tile(each)]}
    reached, steps = {place}, 0
    while not reached & others:
        reached |= {
            (x, y) for x, y in at for u, v in reached if sorted((abs(x - u), abs(y - v))) in ([0, 2], [1, 2])
        }  # fmt: skip
        steps += 1
    return steps


FACTS: Final[dict[str, Callable[..., int]]] = {
    "diamond": of_diamond, "diamond-trust": of_trust, "land": of_land, "mine": of_mine, "piecepack": of_piecepack,
}  # fmt: skip


def check(game: str, seed: int) -> None:
    facts = named = apart = 0
    for state, ask, seat, choice, said, other in hints(game, seed):
        reason, *following = NEXT.split(said, maxsplit=1)
        next_best = "".join(following)
        facts += FACTS[game](state, seat, choice, reason, other)
        assert (other is None) == (not next_best)
        if other is None:
            continue
        space = space_for(ask, seat)
        assert space is not None
        assert other != choice
        assert space.violation(other) is None
        assert len(next_best) > 2
        action, _, fact = next_best.removesuffix(".").partition(". " if "; " in next_best.partition(": ")[0] else ": ")
        assert action != reason.partition(": ")[0].rpartition(". ")[2].lower().removeprefix("choose ")
        assert not action.startswith("choose ")
        assert FORESEEN not in next_best, "that is true of the best choice alone"
        assert fact
        assert fact.lower() == ALIKE or fact.lower() != reason.partition(": ")[2].removesuffix(".").lower()
        apart += FACTS[game](state, seat, other, fact, choice, comes_next=True) if fact.lower() != ALIKE else 0
        named += 1
    assert facts, "the reasons say nothing that can be checked"
    assert named, "no choice is compared with another"
    assert apart, "of no choice that came next something is said that can be checked"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game, games in QUICK.items() for seed in range(games)])
def test_each_fact_in_a_reason_is_true_and_the_next_best_choice_is_named(game: str, seed: int) -> None:
    check(game, seed)


def where(game: str, state: Any, seat: int) -> tuple[object, int]:
    """Returns the part of a position that a player's choices change, and how often it may come again in a game of hints
    alone.
    """
    match game:
        case "diamond":
            return state.position, 2  # the third time would draw the game
        case "diamond-trust":
            return (state.months_left, state.step, seat), 1
        case "mine":
            mine = state.mine
            carries = seat if state.phase == "cards" and mine.carried[seat] else (state.round, state.phase, seat)
            return (carries, mine.pawns[seat], mine.carried[seat], mine.stored, mine.loose, mine.inside, mine.veins), 2
    hand = tuple(coin.handle for coin in state.hands[seat])
    return (state.turns, state.phase, seat, state.at(seat), hand, state.used, len(state.field)), 1


@pytest.mark.parametrize("game", first_is_quick("diamond", "diamond-trust", "mine", "piecepack"))
def test_hints_alone_lead_on_and_not_in_circles(game: str) -> None:
    seen: Counter[object] = Counter()
    for state, _, seat, _, _, _ in hints(game, 0):
        place, most = where(game, state, seat)
        seen[place] += 1
        assert seen[place] <= most, place


@pytest.mark.slow
def test_the_card_and_the_move_of_whoever_goes_first_have_the_same_aim() -> None:
    aims: dict[int, list[str]] = {}
    both = 0
    for state, _, seat, _, said, _ in hints("mine", 0):
        reason = NEXT.split(said, maxsplit=1)[0]
        if state.phase == "cards":
            aims[seat] = re.findall(r"(your home|\w\d) \(via ", reason)
        elif state.phase == "move" and seat == state.order()[0] and aims[seat]:
            told = re.search(r"you get closer to (your home|\w\d)", reason)
            assert told is None or told[1] in aims[seat]
            both += told is not None
    assert both


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(*range(3)))
def test_the_hints_of_a_turn_in_land_are_true_end_it_and_lead_to_no_draft_twice(seed: int) -> None:
    rules, ui = lookup.find("land"), find_board("land").game
    table = SeatedArena(rules, 2, Random(seed), {"turns": 25})
    bot = make_bot(rules, 20, 0)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices: dict[int, Plain] = {}
        for seat in ask.choosers:
            known = table.observation(seat)
            form = by_keys(known.state, seat, ())
            drafts = [(form.now.land, form.now.cash)]
            while advised := choose(bot, Observation(seat, form.advised, known.story)):
                now = form.advised.ask()
                assert not isinstance(now, Result)
                of_land(form.advised, seat, advised, ui.advise(form.advised, now, seat, advised, NAMES))
                form.fill_in(advised)
                draft = form.now.land, form.now.cash
                assert draft not in drafts, advised
                drafts.append(draft)
            choices[seat] = form.now.deals
        table.apply(table.arena.answer(ask, choices))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seed"), spread(5, [(game, at) for game, games in QUICK.items() for at in range(games, WHOLE)])
)
def test_so_it_is_in_five_hundred_games(game: str, seed: int) -> None:
    check(game, seed)
