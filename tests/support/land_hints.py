"""Checks the facts in the hints of Blood Diamonds: Land against the state."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from kimberley.client.boards.form import FormContext
from kimberley.client.boards.land.form_turn import Cursor, TurnForm
from kimberley.client.boards.land.picture import entries
from kimberley.games.land.accounts import account, connected
from kimberley.games.land.deals import BUY, PRICE
from kimberley.games.land.maps import KIND_NAMES
from kimberley.games.land.money import K
from kimberley.games.table import evolve
from tests.support.seated_arena import NAMES


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


def facts_of(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
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
