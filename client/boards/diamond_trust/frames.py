"""What happened between two states, one thing after another: the trips, then every number that changed.

A `Frame` goes from one `Display` to the next and says in words what happens. Numbers count up or down one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kimberley.client.boards.api import Span
from kimberley.client.boards.diamond_trust.phrases import agent_mark, money, soft, stones, strong, where
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Spans, Tag, Trip, Where, on_side
from kimberley.games.diamond_trust.angola import HOME, HOMES, REGIONS, SEATS
from kimberley.games.diamond_trust.position import CollectionResult, MoveResult, RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Hidden

TRIP: Final = 0.45
COUNT: Final = 0.06
MOST: Final = 0.6
LINGER: Final = 0.9
"""Seconds of a trip, of one coin or diamond counted, of all of one number, and of the look at a
whole move when it is over."""


@dataclass(frozen=True, slots=True)
class Display:
    """The numbers and places on both screens; tuples by seat. `cash` is None where it is not known."""

    months_left: int
    cash: tuple[int | None, ...]
    vault: tuple[int, ...]
    stocks: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    carries: tuple[tuple[int, ...], ...]
    inspector: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One thing that happens, in `seconds`. `trip` is under way, `lines` and `tags` stand since earlier ones.

    `captions` are the two lines above; `log` is the sentence that remains of it.
    """

    before: Display
    after: Display
    seconds: float
    captions: tuple[Spans, Spans]
    step: RoundStep
    trip: Trip | None = None
    lines: tuple[Trip, ...] = ()
    tags: tuple[Tag, ...] = ()
    log: str = ""

    def at(self, seconds: float) -> Display:
        """The position after so many seconds: numbers are on their way, the agent that moves is where it was."""
        share = 1.0 if self.seconds <= 0 else min(1.0, max(0.0, seconds / self.seconds))
        if share >= 1.0:
            return self.after
        return replace(
            self.before,
            cash=_between(self.before.cash, self.after.cash, share),
            vault=_between(self.before.vault, self.after.vault, share),
            stocks=_between(self.before.stocks, self.after.stocks, share),
            carries=tuple(_between(a, b, share) for a, b in zip(self.before.carries, self.after.carries, strict=True)),
        )


def _between(before: tuple[Any, ...], after: tuple[Any, ...], share: float) -> tuple[Any, ...]:
    return tuple(
        a if a is None or b is None else a + round((b - a) * share) for a, b in zip(before, after, strict=True)
    )


def counting(before: Display, after: Display) -> float:
    """Seconds that counting from one position to another takes."""
    pairs = [*zip(before.cash, after.cash, strict=True), *zip(before.vault, after.vault, strict=True)]
    pairs += zip(before.stocks, after.stocks, strict=True)
    for mine, new in zip(before.carries, after.carries, strict=True):
        pairs += zip(mine, new, strict=True)
    most = max((abs(b - a) for a, b in pairs if a is not None and b is not None), default=0)
    return min(MOST, COUNT * most)


def display(state: State, viewer: int | None) -> Display:
    """What the screens show of a state; `viewer` None sees all."""
    cash: list[int | None] = []
    for seat in range(SEATS):
        seen = state.cash(seat) if viewer is None else state.cash_seen(viewer, seat)
        cash.append(None if isinstance(seen, Hidden) else seen)
    return Display(
        months_left=state.months_left,
        cash=tuple(cash),
        vault=state.vault,
        stocks=state.diamonds,
        places=tuple(state.places(seat) for seat in range(SEATS)),
        carries=tuple(tuple(agent.carries for agent in side) for side in state.agents),
        inspector=state.inspector,
    )


def scene_of(shown: Display) -> Scene:
    """A map with the numbers of a position and nobody on it yet."""
    return Scene(stocks=shown.stocks, vaults=shown.vault, inspector=shown.inspector)


class _FrameBuilder:
    """Collects the frames of one change."""

    def __init__(self, start: Display, step: RoundStep, names: Sequence[str]) -> None:
        self.now = start
        self.step = step
        self.names = names
        self.frames: list[Frame] = []
        self.lines: tuple[Trip, ...] = ()
        self.tags: tuple[Tag, ...] = ()
        self.sums: Spans = ()

    def show(self, caption: Spans, after: Display, log: str = "", trip: Trip | None = None) -> None:
        seconds = TRIP if trip else counting(self.now, after)
        self.frames.append(
            Frame(self.now, after, seconds, (self.sums, caption), self.step, trip, self.lines, self.tags, log)
        )
        self.now = after

    def linger(self, seconds: float = LINGER) -> None:
        if self.frames:
            last = self.frames[-1]
            told = (self.sums, last.captions[1])
            self.frames.append(Frame(self.now, self.now, seconds, told, self.step, None, self.lines, self.tags))

    def spend(self, seat: int, amount: int) -> Display:
        cash = list(self.now.cash)
        held = cash[seat]
        if held is not None:
            cash[seat] = held - amount
        return replace(self.now, cash=tuple(cash))


def _set(rows: tuple[tuple[int, ...], ...], seat: int, agent: int, value: int) -> tuple[tuple[int, ...], ...]:
    changed = [list(row) for row in rows]
    changed[seat][agent] = value
    return tuple(tuple(row) for row in changed)


def _put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _sums(names: Sequence[str], moved: MoveResult, told: list[tuple[int, int]]) -> Spans:
    """What both sides have spent on the move so far: the orders of `told`, (seat, agent)."""
    groups: list[Span] = []
    for seat in range(SEATS):
        agents = [agent for who, agent in told if who == seat]
        if not agents:
            continue
        trips = sum(moved.trips[seat][agent] for agent in agents)
        paid = sum(moved.orders[seat][agent][1] for agent in agents)
        bribe = sum(moved.orders[seat][agent][2] for agent in agents)
        groups += [Span("      " if groups else ""), soft(f"{names[seat]} trips "), money(trips)]
        groups += [soft("  diamonds "), money(paid)]
        if bribe:
            groups += [soft("  UN "), money(bribe)]
    return tuple(groups)


def _move(builder: _FrameBuilder, moved: MoveResult) -> None:
    """The trips of both sides' agents in turn, each with what it pays; then the agents that stay and pay."""
    told: list[tuple[int, int]] = []
    both = [(seat, agent) for agent in range(len(moved.origins[0])) for seat in range(SEATS)]
    both.sort(key=lambda who: not moved.trips[who[0]][who[1]])
    for seat, agent in both:
        origin, (to, payment, bribe) = moved.origins[seat][agent], moved.orders[seat][agent]
        cost = moved.trips[seat][agent]
        told.append((seat, agent))
        if origin == to and not payment and not bribe:
            continue
        mark = agent_mark(seat, agent)
        offer: tuple[Span, ...] = (soft("; offers "), money(payment)) if payment else ()
        if bribe:
            offer += (soft(", UN "), money(bribe))
        rest = f", offers ${payment}" * bool(payment) + f", bribes the Inspector with ${bribe}" * bool(bribe)
        trip = None
        if origin == to:
            caption: Spans = (mark, soft(f" stays in {where(to, seat)}"), *offer)
            log = f"{mark.text} stays in {where(to, seat)}{rest}"
        else:
            route = f"from {where(origin, seat)} to {where(to, seat)}"
            caption = (mark, strong(" flies "), soft(f"{route} "), money(cost), *offer)
            log = f"{mark.text} flies {route}{rest}"
            trip = Trip(LineStyle(seat), seat, agent, origin, to, rider=mark)
            after = replace(builder.now, places=_set(builder.now.places, seat, agent, to))
            builder.show(caption, after, log, trip)
            builder.lines += (replace(trip, rider=None),)
            log = ""
        parts = [on_side(seat, f"${payment}")] if payment else []
        parts += [on_side(seat, f"{' ' if payment else ''}UN ${bribe}")] if bribe else []
        if parts:
            builder.tags += (Tag(seat, agent, to, tuple(parts), Where.BESIDE),)
        builder.sums = _sums(builder.names, moved, told)
        builder.show(caption, builder.spend(seat, cost + payment + bribe), log)
    for seat, deposits in enumerate(moved.deposits):
        for agent, number in enumerate(deposits):
            if number:
                after = replace(
                    builder.now,
                    carries=_set(builder.now.carries, seat, agent, 0),
                    vault=_put(builder.now.vault, seat, builder.now.vault[seat] + number),
                )
                mark = agent_mark(seat, agent)
                log = f"{mark.text} brings {number} to {HOMES[seat]}"
                builder.show((mark, soft(f" brings {HOMES[seat]} "), *stones(number)), after, log)


def _inspector_trip(builder: _FrameBuilder, moved: MoveResult, to: int) -> None:
    mover = moved.inspector_mover
    assert mover is not None
    start = moved.inspector
    name = builder.names[mover]
    if start == to:
        builder.show((soft(f"{name} won the Inspector and leaves him in {REGIONS[to]}"),), builder.now, "")
        return
    rider = Span(" UN ", "ink", True, "paper")
    trip = Trip(LineStyle(mover), mover, 0, start, to, rider=rider, inspector=True)
    caption = (soft(f"{name} sends the Inspector to "), strong(REGIONS[to]))
    log = f"{name} sends the Inspector to {REGIONS[to]}"
    builder.show(caption, replace(builder.now, inspector=to), log, trip)


def _collect(builder: _FrameBuilder, collected: CollectionResult, before: State) -> None:
    """Confiscation, then the auctions region by region."""
    region = collected.inspector
    for seat, agents in enumerate(collected.confiscated):
        for agent, number in enumerate(agents):
            if number:
                mark = agent_mark(seat, agent)
                after = replace(builder.now, carries=_set(builder.now.carries, seat, agent, 0))
                caption = (soft("The Inspector confiscates "), *stones(number), soft(" from "), mark)
                builder.show(caption, after, f"The Inspector takes {number} from {mark.text}")
    for number, sight in enumerate(collected.regions):
        if not any(sight.payments) or not sight.diamonds:
            continue
        name = REGIONS[number]
        score = (on_side(0, f"${sight.payments[0]}"), on_side(1, f"${sight.payments[1]}"))
        if number == region:
            builder.show(
                (soft(f"{name}: "), *score, soft(" the Inspector blocks the sale")),
                builder.now,
                f"Sale blocked in {name}",
            )
            builder.linger(LINGER / 2)
        elif sight.winner is None:
            builder.show(
                (soft(f"{name}: "), *score, soft(" a tie, the diamonds stay")), builder.now, f"A tie in {name}"
            )
            builder.linger(LINGER / 2)
        else:
            seat = sight.winner
            agent = builder.now.places[seat].index(number)
            mark = agent_mark(seat, agent)
            after = replace(
                builder.now,
                stocks=_put(builder.now.stocks, number, 0),
                carries=_set(builder.now.carries, seat, agent, builder.now.carries[seat][agent] + sight.diamonds),
            )
            caption = (soft(f"{name}: "), *score, Span(" "), mark, soft(" collects "), *stones(sight.diamonds))
            builder.show(caption, after, f"{mark.text} collects {sight.diamonds} in {name}")
    if not before.months_left:
        _fly_home(builder)


def _fly_home(builder: _FrameBuilder) -> None:
    """The end of the last round: everyone flies home for nothing and deposits."""
    builder.sums, builder.lines, builder.tags = (
        (soft("The last month is over: everyone flies home free of charge."),),
        (),
        (),
    )
    for seat, agents in enumerate(builder.now.places):
        for agent, place in enumerate(agents):
            mark = agent_mark(seat, agent)
            number = builder.now.carries[seat][agent]
            if place != HOME:
                trip = Trip(LineStyle(seat), seat, agent, place, HOME, rider=mark)
                after = replace(builder.now, places=_set(builder.now.places, seat, agent, HOME))
                builder.show((mark, soft(f" flies home to {HOMES[seat]}")), after, "", trip)
            if number:
                after = replace(
                    builder.now,
                    carries=_set(builder.now.carries, seat, agent, 0),
                    vault=_put(builder.now.vault, seat, builder.now.vault[seat] + number),
                )
                log = f"{mark.text} brings {number} to {HOMES[seat]}"
                builder.show((mark, soft(f" brings {HOMES[seat]} "), *stones(number)), after, log)


def _sale(builder: _FrameBuilder, sold: tuple[int, ...], earned: tuple[int, ...]) -> None:
    both = [
        (soft(f"{name} sells "), *stones(number), soft(" for "), money(dollars))
        for name, number, dollars in zip(builder.names, sold, earned, strict=True)
    ]
    builder.sums = (*both[0], Span("      "), *both[1])
    for seat, (number, dollars) in enumerate(zip(sold, earned, strict=True)):
        name = builder.names[seat]
        after = replace(builder.now, vault=_put(builder.now.vault, seat, builder.now.vault[seat] - number))
        if number:
            builder.show((soft(f"{name} hands over "), *stones(number)), after)
        log = f"{name} sells {number} for ${dollars}"
        builder.show((soft(f"{name} earns "), money(dollars)), builder.spend(seat, -dollars), log)
    builder.linger()


def _appear(builder: _FrameBuilder, state: State, viewer: int | None) -> None:
    """A new round: the calendar turns and diamonds appear."""
    builder.sums = (soft("A new month: "), strong(f"{state.months_left} left"))
    builder.now = replace(builder.now, months_left=state.months_left)
    builder.show((soft("Diamonds appear in every region."),), replace(builder.now, stocks=state.diamonds), "")
    builder.now = replace(builder.now, cash=display(state, viewer).cash)


def frames_between(before: State, after: State, viewer: int | None, names: Sequence[str]) -> list[Frame]:
    """The frames of the step from `before` to `after`; none where nothing visible happened."""
    builder = _FrameBuilder(display(before, viewer), before.step, names)
    match before.step:
        case RoundStep.INSPECTOR:
            builder.now = display(after, viewer)
            builder.sums = (
                soft("The game begins. Drawn by lot, the Inspector starts in "),
                strong(REGIONS[after.inspector]),
            )
            empty = replace(builder.now, stocks=(0,) * len(REGIONS))
            builder.now = empty
            builder.show((soft("Diamonds appear in every region."),), replace(empty, stocks=after.diamonds))
        case RoundStep.MOVE:
            assert after.moved is not None
            _move(builder, after.moved)
            if after.step is not RoundStep.INSPECT and after.collected is not None:
                builder.linger()
                _collect(builder, after.collected, before)
        case RoundStep.INSPECT:
            assert before.moved is not None
            assert after.collected is not None
            _inspector_trip(builder, before.moved, after.collected.inspector)
            _collect(builder, after.collected, before)
        case RoundStep.SALE:
            assert after.sold is not None
            _sale(builder, after.sold.sold, after.sold.income)
            _appear(builder, after, viewer)
        case _:
            pass
    return [frame for frame in builder.frames if frame.seconds > 0 or frame.log]
