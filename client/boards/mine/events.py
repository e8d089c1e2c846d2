"""A game as it went: from a table's story to what happened, in order, each of it in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Literal

from kimberley.client.boards.mine.stones import named, stones
from kimberley.client.session.notices import LEAVES, join_names
from kimberley.client.session.ports import PeerLike
from kimberley.games.mine.gems import COLORS
from kimberley.games.mine.rules import State, opening
from kimberley.games.mine.squares import name, way
from kimberley.games.table import Ask, Leave, Result, Roll, state_after

Kind = Literal["lots", "filled", "placed", "cards", "moved", "opened", "took", "left"]
KINDS: Final[dict[str, Kind]] = {
    "lots": "lots", "small": "filled", "medium": "filled", "place": "placed", "cards": "cards", "move": "moved",
    "show": "opened", "take": "took",
}  # fmt: skip
"""What happens when an ask of a phase is answered."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One entry of a story: its number, the states before and after it, what happened, and who did it, if anybody.

    `answer` is the table's. `stays` are seats whose card let them go nowhere, and who were passed over after it.
    """

    step: int
    kind: Kind
    before: State
    after: State
    seat: int | None
    answer: Any = None
    stays: tuple[int, ...] = ()

    # -- cards -------------------------------------------------------------------------------------------------------

    @property
    def cards(self) -> tuple[int | None, ...]:
        """The cards that were shown, by seat."""
        return tuple(choice[0] if isinstance(choice, tuple) else None for choice in self.answer)

    # -- moves -------------------------------------------------------------------------------------------------------

    @property
    def way(self) -> tuple[int, ...]:
        """The squares that were entered."""
        assert self.seat is not None
        start = self.before.mine.pawns[self.seat]
        return () if start is None else way(start, self.answer[0])

    @property
    def picked(self) -> tuple[tuple[int, int], ...]:
        """(square, gem) of each gem that was picked up."""
        loose = {**dict(self.before.mine.loose)}
        return tuple((square, loose[square]) for square in self.answer[1])

    @property
    def dropped(self) -> tuple[tuple[int, int], ...]:
        """(square, gem) of each gem that was dropped."""
        dropped: tuple[tuple[int, int], ...] = self.answer[2]
        return dropped

    @property
    def unloaded(self) -> tuple[int, ...]:
        """The gems that a move brought home."""
        assert self.seat is not None
        had = self.before.mine.stored[self.seat]
        return tuple(gem for gem in self.after.mine.stored[self.seat] if gem not in had)

    @property
    def square(self) -> int | None:
        """Where it happened."""
        match self.kind:
            case "placed":
                return int(self.answer)
            case "moved":
                return int(self.answer[0])
            case "opened" | "took":
                return self.before.mine.veins[self.before.nest]
        return None


def start_of(story: Sequence[tuple[Any, Any]], state: State) -> State:
    """The first state of a story that leads to `state`: who begins was drawn in it, or settled by an earlier game."""
    drawn = bool(story) and isinstance(story[0][0], Roll) and story[0][0].sides[0] == state.seats
    return opening(state.seats, state.fifth, None if drawn or not story else state.begins)


def read_events(story: Iterable[tuple[Any, Any]], start: State, first: int = 0) -> list[GameEvent]:
    """The events of a story from its first state on; or of the rest of one, from the state before its ask `first`."""
    found: list[GameEvent] = []
    state = start
    for step, (ask, answer) in enumerate(story, start=first):
        if isinstance(state.ask(), Result):
            break
        following = state_after(state, ask, answer)
        assert isinstance(following, State)
        found.append(_event(step, ask, answer, state, following))
        state = following
    return found


class EventLog:
    """All events of a game so far, read as its story grows."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.past: list[GameEvent] = []
        self._seen = 0

    def follow(self, peer: PeerLike | None) -> list[GameEvent]:
        """Reads the events that are new since the last call, and returns them."""
        if peer is None or not isinstance(peer.state, State) or peer.state is self.state:
            return []
        story = peer.story
        before = self.state or (start_of(story, peer.state) if story else peer.state)
        news = read_events(story[self._seen :], before, self._seen)
        self.state, self._seen = peer.state, len(story)
        self.past += news
        return news


def _event(step: int, ask: Ask, answer: Any, state: State, following: State) -> GameEvent:
    if isinstance(ask, Leave):
        return GameEvent(
            step, "left", state, following, ask.seat, stays=_stays(state, following, state.cards, ask.seat)
        )
    kind = KINDS[state.phase]
    seat = state.turn if kind in ("placed", "moved", "opened", "took") else None
    event = GameEvent(step, kind, state, following, seat, answer)
    cards = event.cards if kind == "cards" else state.cards
    return replace(event, stays=_stays(state, following, cards, seat))


def _stays(state: State, following: State, cards: Sequence[int | None], actor: int | None) -> tuple[int, ...]:
    """The seats that were passed over between two states, since their cards let them go nowhere; in order."""
    if following.ended and following.quiet == state.quiet:
        # It ended before the others could act.
        return ()
    late = [seat for seat in state.order() if cards[seat] is not None and not state.acted[seat] and seat != actor]
    over = following.round > state.round or following.ended
    return tuple(seat for seat in late if following.present[seat] and (over or following.acted[seat]))


# -- in words ----------------------------------------------------------------------------------------------------------


def describe_event(event: GameEvent, names: Sequence[str], *, parting: bool = True) -> list[str]:
    """An event in sentences. `parting` is False where the table itself says that somebody has left."""
    who = names[event.seat] if event.seat is not None else ""
    lines: list[str] = []
    match event.kind:
        case "lots":
            lines = _describe_lots(event.after, names)
        case "filled":
            lines = ["The nests are filled: nobody knows what lies in them."] if event.before.phase == "medium" else []
        case "placed":
            lines = [f"{who} puts a nest on {name(event.answer)}."]
            if event.after.round:
                lines.append("All nests are placed, and all pawns stand at home.")
        case "cards":
            lines = _describe_cards(event, names)
        case "moved":
            lines = _describe_move(event, who)
        case "opened":
            gems = named(stones(event.after, event.after.mine.inside[event.before.nest]))
            lines = [f"The vein on {name(event.square or 0)} holds {gems}."]
            if event.after.phase != "take" or event.after.turn != event.seat:
                lines.append(f"{who} has no room for any of it.")
        case "took":
            lines = [f"{who} takes {named(stones(event.after, event.answer))}."]
            if not event.after.mine.inside[event.before.nest]:
                lines.append(f"The vein on {name(event.square or 0)} is exhausted.")
        case "left":
            lost = event.before.mine.carried[event.seat or 0]
            lines = [f"{who} {LEAVES}."] if parting else []
            lines += [f"What {who} carried is lost: {named(stones(event.before, lost))}."] if lost else []
    lines += [describe_stay(event, seat, names) for seat in event.stays]
    return lines + ([f"The end: {event.after.ended}."] if event.after.ended else [])


def describe_stay(event: GameEvent, seat: int, names: Sequence[str]) -> str:
    """Says that a seat could not go as far as its card says."""
    card = event.cards[seat] if event.kind == "cards" else event.before.cards[seat]
    return f"{names[seat]} has nowhere to go with card {card}, and stays."


def _describe_lots(state: State, names: Sequence[str]) -> list[str]:
    if state.begins is None or not state.colors:
        return []
    lines = [f"{names[state.begins]} begins."]
    lines += [f"{name} collects {COLORS[state.colors[seat]]}." for seat, name in enumerate(names)]
    if state.flawless is not None:
        lines.append(f"{COLORS[state.flawless].capitalize()} is flawless.")
    return lines


def _describe_cards(event: GameEvent, names: Sequence[str]) -> list[str]:
    shown = [f"{names[seat]} {card}" for seat in event.before.order() if (card := event.cards[seat]) is not None]
    lines = [f"Cards: {', '.join(shown)}."]
    would = [names[seat] for seat, agrees in enumerate(event.after.willing) if agrees]
    if would and not event.after.ended:
        lines.append(f"{join_names(would)} would end the game.")
    return lines


def _describe_move(event: GameEvent, who: str) -> list[str]:
    """In the order in which it was done."""
    state, squares = event.before, event.way
    drops, picks = dict(event.dropped), dict(event.picked)
    did = []
    for square in squares:
        if square in picks:
            did.append(f"picks up {named(stones(state, (picks[square],)))} on {name(square)}")
        if square in drops:
            did.append(f"drops {named(stones(state, (drops[square],)))} on {name(square)}")
    parts = [f"{who} goes {len(squares)} to {name(event.answer[0])}", *did]
    if event.unloaded:
        assert event.seat is not None
        points = event.after.score(event.seat) - state.score(event.seat)
        parts.append(f"brings home {named(stones(state, event.unloaded))} for {points}")
    return [f"{join_names(parts)}."]


# -- where gems went ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GemEvent:
    """Something that was done with a gem: it was seen, taken, dropped, picked up, brought home, or lost."""

    step: int
    round: int
    seat: int
    done: Literal["saw", "took", "dropped", "picked", "stored", "lost"]
    square: int


def gem_events(events: Iterable[GameEvent]) -> dict[int, list[GemEvent]]:
    """What was done with each gem, in order."""
    found: dict[int, list[GemEvent]] = {}

    def note(gem: int, event: GameEvent, done: Any, square: int | None) -> None:
        assert event.seat is not None
        assert square is not None
        found.setdefault(gem, []).append(GemEvent(event.step, event.before.round, event.seat, done, square))

    for event in events:
        match event.kind:
            case "opened":
                for gem in event.before.mine.inside[event.before.nest]:
                    note(gem, event, "saw", event.square)
            case "took":
                for gem in event.answer:
                    note(gem, event, "took", event.square)
            case "moved":
                drops, picks = dict(event.dropped), dict(event.picked)
                for square in event.way:
                    if square in picks:
                        note(picks[square], event, "picked", square)
                    if square in drops:
                        note(drops[square], event, "dropped", square)
                for gem in event.unloaded:
                    note(gem, event, "stored", event.answer[0])
            case "left":
                for gem in event.before.mine.carried[event.seat or 0]:
                    note(gem, event, "lost", event.before.mine.pawns[event.seat or 0])
    return found


def thefts(events: Sequence[GameEvent]) -> list[tuple[int, GemEvent, int]]:
    """(gem, how it was got, from whom): gems that others had carried, or seen first in a vein that they opened."""
    found = []
    for gem, done in gem_events(events).items():
        for before, now in pairwise(done):
            if now.done in ("picked", "took") and before.done in ("dropped", "saw") and now.seat != before.seat:
                found.append((gem, now, before.seat))
    return sorted(found, key=lambda theft: theft[1].step)
