"""Events in words: in sentences with badges, as lines of the card, and as notes on the map."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kimberley.client.boards.diamond_trust.events import (
    OFFER_EVENTS,
    AgentMoved,
    AgentPaid,
    AgentReturned,
    AgentTold,
    AgentTurned,
    AuctionHeld,
    ChoicesSealed,
    DiamondsConfiscated,
    GameEvent,
    InspectorDrawn,
    InspectorSent,
    MonthBegun,
    MonthSummed,
    PlanChanged,
    PlanMade,
    SaleMade,
    VaultsCounted,
)
from kimberley.client.boards.diamond_trust.phrases import (
    LINE,
    beside_names,
    bribe_failed,
    colored,
    dollars,
    money,
    order_parts,
    order_words,
    soft,
    spoken,
    the_diamonds,
)
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Tag, Trip, Where, badge, on_side
from kimberley.client.boards.subject import Subject, subject
from kimberley.client.session.participants import short_name
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.diamond_trust.angola import (
    FIRST_MONTHS_LEFT,
    HOME,
    HOMES,
    REGIONS,
    SEATS,
    Order,
    Orders,
    other,
    place_name,
)
from kimberley.games.diamond_trust.bots.deduction import known_cash
from kimberley.games.diamond_trust.knowledge import Estimate, Exact, Knowledge, Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Hidden, Result

LABELS: Final[dict[type[GameEvent], str]] = {
    InspectorDrawn: "start", MonthBegun: "month", AgentPaid: "pay", AgentTold: "report", AgentTurned: "report",
    PlanMade: "plan", PlanChanged: "adjust", AgentMoved: "move", AgentReturned: "move", InspectorSent: "UN",
    DiamondsConfiscated: "UN", AuctionHeld: "collect", MonthSummed: "sum", SaleMade: "sale", VaultsCounted: "end",
}  # fmt: skip
"""The kind of an event in a word; that of `ChoicesSealed` follows from its step."""
NONE_TO_SELL: Final = "Neither side has diamonds to sell."
_SEALED: Final = {
    RoundStep.PAY: ("pay", "locked in payments"), RoundStep.PLAN: ("plan", "planned a move in secret"),
    RoundStep.SALE_PLAN: ("plan", "planned a sale in secret"),
}  # fmt: skip


def choosing(state: State) -> tuple[int, ...]:
    """Returns the sides that have something to choose in the pending step. A side without diamonds sells none."""
    ask = state.ask()
    choosers = () if isinstance(ask, Result) else ask.choosers
    sale = state.step in (RoundStep.SALE_PLAN, RoundStep.SALE)
    return tuple(seat for seat in choosers if not sale or state.vault[seat])


def label(event: GameEvent) -> str:
    """Returns the kind of an event, in a word."""
    return _SEALED[event.played.step][0] if isinstance(event, ChoicesSealed) else LABELS[type(event)]


def month(event: GameEvent) -> str:
    """Returns the month of an event, as a heading of the log."""
    return f"Month {event.month}"


def describe_event(event: GameEvent, names: Sequence[str], you: int | None) -> list[str]:
    """Returns an event in sentences to read aloud."""
    return [spoken(sentence, you) for sentence in Narrator(names, you).sentences(event)]


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells events to seat `you`, or to a spectator, with badges for agents."""

    names: Sequence[str]
    you: int | None

    def side(self, seat: int | None) -> Subject:
        assert seat is not None
        return subject(self.names, seat, self.you)

    def who(self, seat: int | None, verb: str) -> str:
        """Returns a side and what it does: "pays" gives "You pay" or "ana pays"."""
        side = self.side(seat)
        return f"{side} {side.does(verb)}"

    def whom(self, seat: int | None) -> str:
        return self.side(seat).whom

    def whose(self, seat: int) -> str:
        return self.side(seat).whose

    def sentences(self, event: GameEvent) -> tuple[str, ...]:
        """Says what happened."""
        match event:
            case InspectorDrawn():
                return (f"The Inspector starts in {REGIONS[event.after.inspector]}.",)
            case MonthBegun():
                return _new_month(event)
            case ChoicesSealed():
                return (self._sealed(event),)
            case AgentPaid():
                return (self._paid(event),)
            case AgentTold(agent=agent, payload=()):
                return (self._not_won(event),)
            case AgentTold(agent=agent):
                return (f"{badge(event.owner, agent)} reveals {self._told(event)}.",)
            case AgentTurned():
                return self._turned(event)
            case PlanMade(seat=seat, plan=int(number)):
                return (f"{self.who(seat, 'plans')} to sell {_sale(number)}.",)
            case PlanMade(seat=int(seat), plan=tuple(orders)):
                return (f"{self.who(seat, 'plans')}: {_orders(orders, event.before.places(seat), seat)}.",)
            case PlanChanged(seat=int(seat)) if event.played.step is RoundStep.SALE:
                plan, final = event.played.planned(seat), event.played.answer[seat]
                assert isinstance(plan, int)
                assert isinstance(final, int)
                return (f"{self.who(seat, 'adjusts')} the sale from {_sale(plan)} to {_sale(final)}.",)
            case PlanChanged(seat=int(seat)):
                return (f"{self.who(seat, 'adjusts')}: {_adjusted(event, seat)}.",)
            case MonthSummed():
                order = sorted(range(SEATS), key=lambda seat: seat != self.you)
                return tuple(self._summed(event, seat) for seat in order)
            case SaleMade(sold=sold, income=income):
                order = sorted(range(SEATS), key=lambda seat: seat != self.you)
                return tuple(self._sold(event, seat, sold[seat], income[seat]) for seat in order)
            case VaultsCounted():
                both = [self._standing(event.after, seat) for seat in range(SEATS)]
                return (f"Final totals: {'; '.join(both)}.",)
            case _:
                return (self._on_the_map(event),)

    def fitted(self, event: GameEvent, room: int) -> tuple[str, ...]:
        """Says what happened. Where a sentence would be wider than `room`, names are cut."""
        sentences = self.sentences(event)
        over = max(map(cell_width, sentences)) - room
        if over <= 0:
            return sentences
        rooms = [max(1, cell_width(name) - over) for name in self.names]
        cut = [short_name(self.names, seat, room) for seat, room in enumerate(rooms)]
        return replace(self, names=cut).sentences(event)

    def _on_the_map(self, event: GameEvent) -> str:
        """Returns what is seen to happen on the map."""
        match event:
            case AgentMoved(seat=int(seat), start=start, to=to):
                return _trip(event, f"flies from {place_name(start, seat)} to" if start != to else "stays in")
            case AgentReturned(seat=int(seat), agent=agent, brought=brought):
                stones = f" with {_stones(brought)}" if brought else ""
                return f"{badge(seat, agent)} flies home to {HOMES[seat]}{stones}, for free."
            case InspectorSent(start=start, to=to) if start == to:
                return f"{self.who(event.seat, 'leaves')} the Inspector in {REGIONS[to]}."
            case InspectorSent(start=start, to=to):
                return f"{self.who(event.seat, 'sends')} the Inspector from {REGIONS[start]} to {REGIONS[to]}."
            case DiamondsConfiscated(seat=int(seat), agent=agent, number=number):
                return f"The Inspector seizes {_stones(number)} from {badge(seat, agent)}."
            case AuctionHeld(blocked=True, region=region, auction=auction):
                return f"The Inspector freezes {the_diamonds(auction.diamonds)} in {REGIONS[region]}."
            case AuctionHeld(agent=None, region=region, auction=auction):
                stay = f"{the_diamonds(auction.diamonds)} {'stays' if auction.diamonds == 1 else 'stay'}"
                return f"Both offer ${auction.payments[0]} in {REGIONS[region]}: a tie, so {stay}."
            case AuctionHeld(seat=int(seat), agent=int(agent), region=region, auction=auction):
                price, theirs = auction.payments[seat], auction.payments[other(seat)]
                against = f": ${price} beats ${theirs}" if theirs else f" for ${price}"
                return f"{badge(seat, agent)} collects {_stones(auction.diamonds)} in {REGIONS[region]}{against}."
        raise TypeError(event)

    def _sealed(self, event: ChoicesSealed) -> str:
        """Returns who has chosen: of a sale, who has diamonds to sell."""
        seats = [seat for seat in event.seats if seat in choosing(event.before)]
        if not seats:
            return NONE_TO_SELL
        who = "Both sides have" if len(seats) == SEATS else self.who(seats[0], "has")
        return f"{who} {_SEALED[event.played.step][1]}."

    def _paid(self, event: AgentPaid) -> str:
        mark, seat = badge(event.owner, event.agent), event.seat
        total = f", ${event.total} in total" if event.total not in (None, event.amount) else ""
        if event.owner == seat:
            return f"{self.who(seat, 'pays')} {mark} a salary of ${event.amount}{total}."
        place = REGIONS[event.before.agents[event.owner][event.agent].at]
        return f"{self.who(seat, 'bribes')} {mark} in {place} with ${event.amount}{total}."

    def _not_won(self, event: AgentTold) -> str:
        """Returns a sentence that says that the bribes to an agent have not turned it."""
        assert event.seat is not None
        bribes, _ = _totals(event)
        spans = bribe_failed(badge(event.owner, event.agent), self.whose(event.seat), bribes)
        return "".join(span.text for span in spans)

    def _told(self, event: AgentTold) -> str:
        """Returns what an agent told, and whom."""
        whom = self.whom(event.seat)
        owner, place = event.owner, event.before.agents[event.owner][event.agent].at
        has = f"{self.whom(owner)} {self.side(owner).does('has')}"
        match event.played.step, event.payload:
            case RoundStep.PLAN_TOLD, (to, payment, _):
                offers = [] if payment or to == HOME else ["offers nothing"]
                return f"its plan to {whom}: it {join_names([*order_parts(event.payload, place, owner), *offers])}"
            case RoundStep.SALE_TOLD, (cash, sale):
                return f"to {whom} that {has} ${cash} and {self.side(owner).does('plans')} to sell {_sale(sale)}"
            case _, (salary, bribes, cash):
                bribed = [
                    f"it bribed {badge(1 - owner, target)} with ${total} in total"
                    for target, total in enumerate(bribes)
                    if total is not None
                ]
                return f"to {whom} that " + join_names(
                    [f"its salary is ${salary}", *bribed, *([f"{has} ${cash}"] if cash is not None else [])]
                )
        raise TypeError(event)

    def bribed(self, event: AgentTold) -> tuple[str, ...]:
        """Returns a sentence for each agent that an agent of the other side told of having bribed."""
        briber, seat = badge(event.owner, event.agent), other(event.owner)
        sentences = []
        for target, total in event.bribed.items():
            mark, salary = badge(seat, target), event.played.after.salary[seat][target]
            assert isinstance(salary, int), "a side knows what it has paid"
            bribed = f"{briber} bribed {mark} with ${total} in total"
            loyal = "loyal" if total <= salary else "a double agent"
            sentences.append(f"{bribed}; its salary is ${salary}, so it is {loyal}.")
        return tuple(sentences)

    def _turned(self, event: AgentTurned) -> tuple[str, ...]:
        mark, seat, owner = badge(event.owner, event.agent), event.seat, event.owner
        bribes, salary = _totals(event)
        if not event.turned:
            return self._loyal_again(event, bribes, salary)
        because = f": bribes of ${bribes} exceed its salary of ${salary}" if bribes and salary is not None else ""
        more = f"${bribes - salary} more" if bribes and salary is not None else "more"
        # In the last month nobody is paid again.
        paid_again = event.after.months_left > 0
        if seat == self.you:
            until = f" until {HOMES[owner]} pays it {more}" if paid_again else ""
            return (f"♥ {mark} now reports to you{because}.", f"It reveals its orders to you{until}.")
        if owner == self.you:
            until = f"until you pay it {more} at home" if paid_again else f"to {self.whom(seat)}"
            return (
                f"♥ {mark} now reports to {self.names[other(owner)]}{because}.",
                f"It reveals its orders {until}.",
            )
        return (
            f"♥ {mark} is now a double agent{because}.",
            f"It reveals its orders to {self.whom(seat)}.",
        )

    def _loyal_again(self, event: AgentTurned, bribes: int | None, salary: int | None) -> tuple[str, ...]:
        """Returns sentences that say that an agent no longer works for the other side: its salary covers the bribes."""
        mark = badge(event.owner, event.agent)
        if event.owner == self.you:
            why = f"Its salary of ${salary} now covers the ${bribes} in bribes you know of." if bribes else ""
            return (f"As far as you know, {mark} is loyal again.", *([why] if why else []))
        if event.seat == self.you:
            why = f"Its salary now covers the ${bribes} you paid." if bribes else "Its salary now covers your bribes."
            return (
                f"{mark} no longer reports to you: it revealed nothing this time.",
                f"{why} It reveals no more plans.",
            )
        return (f"{mark} no longer reports to {self.whom(event.seat)}.",)

    def _summed(self, event: MonthSummed, seat: int) -> str:
        """Returns what a side got and spent in a month."""
        taken, lost, spent = event.change(seat)
        s = "" if seat == self.you else "s"
        parts = [f"take{s} {_stones(taken)}", *([f"lose{s} {_stones(lost)}"] if lost else []), f"spend{s} ${spent}"]
        return f"{'You' if seat == self.you else self.names[seat]} {join_names(parts)} on the move."

    def _sold(self, event: SaleMade, seat: int, number: int, dollars: int) -> str:
        if number:
            return f"{self.who(seat, 'sells')} {_stones(number)} for ${dollars}."
        if not event.before.vault[seat]:
            if seat == self.you:
                return f"You have no diamonds to sell, so you get ${dollars}."
            return f"{self.who(seat, 'has')} no diamonds to sell and {self.side(seat).does('gets')} ${dollars}."
        return f"{self.who(seat, 'sells')} nothing and {self.side(seat).does('gets')} ${dollars}."

    def _standing(self, state: State, seat: int) -> str:
        cash = known_cash(state, other(seat), seat)
        money = "unknown cash" if isinstance(cash, Unknown) else dollars(cash)
        return f"{self.whom(seat)} {self.side(seat).does('has')} {_stones(state.vault[seat])} and {money}"


def _totals(event: AgentTurned | AgentTold) -> tuple[int | None, int | None]:
    """Returns the bribes to an agent and its salary, as far as they are known exactly."""
    state, owner, agent = event.played.after, event.owner, event.agent
    bribes, salary = state.bribes[owner][agent], state.salary[owner][agent]
    own, theirs = state.known[owner], state.known[other(owner)]
    return (
        _exact(own.bribes[agent] if isinstance(bribes, Hidden) and isinstance(own, Knowledge) else bribes),
        _exact(theirs.salaries[agent] if isinstance(salary, Hidden) and isinstance(theirs, Knowledge) else salary),
    )


def _exact(amount: Hidden | Estimate | int) -> int | None:
    return amount.amount if isinstance(amount, Exact) else amount if isinstance(amount, int) else None


def _new_month(event: MonthBegun) -> tuple[str, ...]:
    state = event.after
    new = [after - before for before, after in zip(event.before.diamonds, state.diamonds, strict=True)]
    more = [region for region, number in zip(REGIONS, new, strict=True) if number > 1]
    last = "" if state.months_left else ", the last one,"
    return (
        f"Month {state.round()} of {FIRST_MONTHS_LEFT + 1}{last} begins.",
        f"New diamonds: 2 {'each ' if len(more) > 1 else ''}in {join_names(more)}, 1 in every other region.",
        f"The Inspector is in {REGIONS[state.inspector]}.",
    )


def _stones(number: int) -> str:
    return f"◆ {number}" if number else "no diamonds"


def _sale(number: int) -> str:
    return f"◆ {number}" if number else "nothing"


def _orders(orders: Orders, places: Sequence[int], seat: int) -> str:
    given = [
        f"{badge(seat, agent)} {order_words(order, here, seat)}"
        for agent, (order, here) in enumerate(zip(orders, places, strict=True))
        if order != (here, 0, 0)
    ]
    return "; ".join(given) or "all agents stay"


def _adjusted(event: PlanChanged, seat: int) -> str:
    """Returns the orders that are known to be changed, as they are now."""
    plan, final = event.played.planned(seat), event.played.answer[seat]
    assert isinstance(plan, tuple)
    return "; ".join(
        f"{badge(seat, agent)} {order_words(new, here, seat)}"
        for agent, (old, new, here) in enumerate(zip(plan, final, event.before.places(seat), strict=True))
        if old is not None and old != new
    )


def gain(event: GameEvent, you: int | None) -> Span | None:
    """Returns what an event brought, for the log: what it moved between vaults and agents, or that it is secret."""
    match event:
        case AuctionHeld(agent=int(), auction=auction):
            return Span(f"◆ +{auction.diamonds}", "ice" if event.seat == you else "soft", True)
        case DiamondsConfiscated(number=number):
            return Span(f"◆ −{number}", "warning" if event.seat == you else "soft", True)
        case SaleMade(income=income) if you is not None:
            return Span(f"$ +{income[you]}", "money", True)
        case AgentPaid() | AgentTold() | AgentTurned() | PlanMade() | PlanChanged() if you is not None:
            return Span("secret", "heart")
    return None


# -- on the board ------------------------------------------------------------------------------------------------------


def card_lines(events: Sequence[GameEvent], narrator: Narrator) -> tuple[Spans, ...]:
    """Returns the last of some events, in two or three lines: of a move under way, first what both sides have spent on
    it.
    """
    last = events[-1]
    sentences = narrator.sentences(last)
    if len(sentences) > 1:
        sentences = narrator.fitted(last, LINE)
    if isinstance(last, AgentTold) and last.seat == narrator.you and last.bribed:
        sentences = narrator.bribed(last)
    if len(sentences) == 1:
        # A small screen has no third line.
        sentences = tuple(wrap(sentences[0], LINE, 2))
    if isinstance(last, OFFER_EVENTS) and not isinstance(last, MonthSummed):
        line = " ".join(sentences)
        if isinstance(last, AgentMoved) and cell_width(line) > LINE:
            # Where it came from is seen on the map.
            line = _trip(last, "flies to")
        return _sums(offers(events), narrator), colored(line)
    return (*(colored(sentence) for sentence in sentences[:3]), *([()] * (2 - len(sentences))))


def _trip(event: AgentMoved, does: str) -> str:
    """Returns what an agent does in a move. `does` says whether it flies, up to the name of the place."""
    seat = event.seat
    assert seat is not None
    parts = [f"{badge(seat, event.agent)} {does} {place_name(event.to, seat)}"]
    parts += [f"offers ${event.payment}"] if event.payment else []
    parts += [f"bribes the Inspector with ${event.bribe}"] if event.bribe else []
    parts += [f"brings {_stones(event.brought)}"] if event.brought else []
    return f"{join_names(parts)}."


def offers(events: Sequence[GameEvent]) -> list[AgentMoved]:
    """Returns the trips and offers of the move that the last of some events belongs to, if any."""
    moves: list[AgentMoved] = []
    for event in reversed(events):
        if not isinstance(event, OFFER_EVENTS):
            break
        if isinstance(event, AgentMoved):
            moves.append(event)
    return moves[::-1]


def _sums(made: Sequence[AgentMoved], narrator: Narrator) -> Spans:
    """Returns what both sides have spent on a move."""
    spent: dict[int, Spans] = {}
    for seat in range(SEATS):
        mine = [event for event in made if event.seat == seat]
        if not mine:
            continue
        trips, paid, bribe = (
            sum(amounts) for amounts in zip(*((e.cost, e.payment, e.bribe) for e in mine), strict=True)
        )
        amounts: Spans = (soft(" trips "), money(trips), soft("  offers "), money(paid))
        spent[seat] = (*amounts, soft("  UN "), money(bribe)) if bribe else amounts
    return beside_names(spent, narrator.names)


def annotated(
    scene: Scene, events: Sequence[GameEvent], moving: bool, narrator: Narrator, chosen: tuple[int, int] | None
) -> Scene:
    """Returns the map with what some events have led to: payments, a plan, a treason, and the trip of the
    agent that has just flown, or is `chosen`, as (seat, agent).

    While the last one is `moving`, what it leaves on the map is not drawn yet.
    """
    made = offers(events)
    if made:
        moves = made[:-1] if moving and made[-1] is events[-1] else made
        last = events[-1]
        traced = {chosen, (last.seat, last.agent) if isinstance(last, AgentMoved) else None}
        given = [(e.seat or 0, e.agent, e.start, (e.to, e.payment, e.bribe)) for e in moves]
        return _noted(scene, given, False, traced)
    match events[-1]:
        case AgentPaid(seat=int(seat), owner=owner, agent=agent, amount=amount):
            place = events[-1].before.agents[owner][agent].at
            return replace(scene, tags=(Tag(owner, agent, place, (on_side(seat, f"+${amount}"),), Where.BELOW),))
        case AgentTurned(agent=agent) as event:
            side = event.seat if event.turned else event.owner
            assert side is not None
            whose = "yours" if side == narrator.you else f"{narrator.names[side]}’s"
            tag = Span(f" {whose} ", "ink", True, "heart" if event.turned else "paper")
            return replace(scene, tags=(Tag(event.owner, agent, event.place[1], (tag,), Where.BELOW),))
        case PlanMade(seat=int(seat), plan=tuple(orders)):
            places = events[-1].before.places(seat)
            given = [(seat, agent, places[agent], order) for agent, order in enumerate(orders)]
            return _noted(scene, given, True, {chosen})
        case AgentTold(agent=agent, payload=(int(to), int(), int())) as telling:
            start = telling.before.agents[telling.owner][agent].at
            return replace(scene, trips=(Trip(LineStyle.TOLD, telling.owner, agent, start, to),) if to != start else ())
    return scene


def _noted(
    scene: Scene, given: Sequence[tuple[int, int, int, Order]], planned: bool, traced: Container[object]
) -> Scene:
    """Returns the map with orders: (seat, agent, start, order) each, and with the trips of agents that are `traced`."""
    tags: list[Tag] = []
    trips: list[Trip] = []
    for seat, agent, start, (to, payment, bribe) in given:
        text = [f"→{badge(seat, agent)}"] if planned and to != start else []
        text += [f"${payment}"] if payment else []
        text += [f"UN ${bribe}"] if bribe else []
        if text:
            where = Where.SLOT if planned and to != start else Where.BESIDE
            tags.append(Tag(seat, agent, to, (on_side(seat, " ".join(text)),), where))
        if to != start and (seat, agent) in traced:
            trips.append(Trip(LineStyle(seat), seat, agent, start, to))
    return replace(scene, tags=tuple(tags), trips=tuple(trips))


def legend(scene: Scene) -> tuple[tuple[LineStyle, str], ...]:
    """Returns what the lines on the map mean."""
    if any(trip.line is LineStyle.TOLD for trip in scene.trips):
        return ((LineStyle.TOLD, "revealed by ♥"),)
    return ((LineStyle.LONDON, "London"), (LineStyle.ANTWERP, "Antwerp")) if scene.trips else ()
