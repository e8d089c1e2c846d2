"""The events of a game, read from its story, and each of them in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

from kimberley.client.boards.mine.help_text import TIMES
from kimberley.client.boards.mine.stones import named, stones
from kimberley.client.boards.mine.words import color_of
from kimberley.client.boards.subject import Subject, subject, subjects
from kimberley.games.mine.gems import COLORS, FLAWLESS
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name, way
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Ask, Leave
from kimberley.p2p.sentences.notices import RESIGNS

Kind = Literal["lots", "filled", "placed", "cards", "moved", "opened", "took", "left"]
KINDS: Final[dict[str, Kind]] = {
    "lots": "lots", "small": "filled", "medium": "filled", "place": "placed", "cards": "cards", "move": "moved",
    "show": "opened", "take": "took",
}  # fmt: skip
"""What happens when an ask of a phase is answered."""


class Clause(NamedTuple):
    """What a move did with a gem, and on which square."""

    done: Literal["picked", "dropped", "stored"]
    gem: int
    square: int


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One entry of a story: its number, the states before and after it, what happened, and who did it, if anybody.

    `answer` is the table's. `stays` are seats that were passed over after it, because their card let them go nowhere.
    """

    step: int
    kind: Kind
    before: State
    after: State
    seat: int | None
    answer: Any = None
    stays: tuple[int, ...] = ()

    # -- cards ---------------------------------------------------------------------------------------------------------

    @property
    def cards(self) -> tuple[int | None, ...]:
        """The cards that lie face up, by seat."""
        if self.kind != "cards":
            return self.before.cards
        return tuple(choice[0] if isinstance(choice, tuple) else None for choice in self.answer)

    # -- moves ---------------------------------------------------------------------------------------------------------

    @property
    def way(self) -> tuple[int, ...]:
        """The squares that were entered."""
        assert self.seat is not None
        start = self.before.mine.pawns[self.seat]
        return () if start is None else way(start, self.answer[0])

    @property
    def clauses(self) -> list[Clause]:
        """What the move did with gems, in order."""
        to, picked, dropped = self.answer
        loose, drops, done = dict(self.before.mine.loose), dict(dropped), list[Clause]()
        for square in self.way:
            if square in picked:
                done.append(Clause("picked", loose[square], square))
            if square in drops:
                done.append(Clause("dropped", drops[square], square))
        return done + [Clause("stored", gem, to) for gem in self.unloaded]

    @property
    def unloaded(self) -> tuple[int, ...]:
        """The gems that a move brought home."""
        assert self.seat is not None
        had = self.before.mine.stored[self.seat]
        return tuple(gem for gem in self.after.mine.stored[self.seat] if gem not in had)

    @property
    def points(self) -> int:
        """Returns what a move brought its player."""
        assert self.seat is not None
        return self.after.score(self.seat) - self.before.score(self.seat)

    @property
    def square(self) -> int | None:
        """Returns where it happened."""
        match self.kind:
            case "placed":
                return int(self.answer)
            case "moved":
                return int(self.answer[0])
            case "opened" | "took":
                return self.before.mine.veins[self.before.nest]
        return None


def read_events(step: int, before: State, ask: Ask, answer: Any, after: State) -> Sequence[GameEvent]:
    """Returns the event of an entry of a story. There is one event for the filling of the nests, once the medium gems
    are shuffled, too.
    """
    kind: Kind = "left" if isinstance(ask, Leave) else KINDS[before.phase]
    if kind == "filled" and before.phase == "small":
        return []
    seat = (
        ask.seat if isinstance(ask, Leave) else before.turn if kind in ("placed", "moved", "opened", "took") else None
    )
    event = GameEvent(step, kind, before, after, seat, answer)
    return [replace(event, stays=_stays(event))]


def _stays(event: GameEvent) -> tuple[int, ...]:
    """Returns the seats that were passed over in an event, since their cards let them go nowhere; in order."""
    before, after = event.before, event.after
    if after.ended and after.quiet == before.quiet:
        # The game ended before the others could act.
        return ()
    late = [seat for seat in before.order() if event.cards[seat] is not None and not before.acted[seat]]
    over = after.round > before.round or after.ended
    return tuple(seat for seat in late if seat != event.seat and after.present[seat] and (over or after.acted[seat]))


# -- in words ----------------------------------------------------------------------------------------------------------


def describe_event(event: GameEvent, names: Sequence[str], you: int | None = None) -> list[str]:
    """Describes an event in sentences. `you` is the seat addressed as "you"; None for spectators and records."""
    who = subject(names, event.seat, you) if event.seat is not None else Subject("")
    lines: list[str] = []
    match event.kind:
        case "lots":
            lines = _describe_lots(event.after, names, you)
        case "filled":
            lines = ["The nests are filled. Nobody knows what is inside."]
        case "placed":
            lines = [f"{who} {who.does('places')} a nest on {name(event.answer)}."]
            if event.after.round:
                lines.append("All nests are placed and are now veins. Pawns start at home.")
        case "cards":
            lines = _describe_cards(event, names, you)
        case "moved":
            lines = _describe_move(event, who)
        case "opened":
            gems = named(stones(event.after, event.after.mine.inside[event.before.nest]))
            lines = [f"The vein on {name(event.square or 0)} holds {gems}."]
            if event.after.phase != "take" or event.after.turn != event.seat:
                lines.append(f"{who} {who.does('has')} no room for any gem there.")
        case "took":
            lines = [f"{who} {who.does('takes')} {named(stones(event.after, event.answer))}."]
            if not event.after.mine.inside[event.before.nest]:
                lines.append(f"The vein on {name(event.square or 0)} is exhausted.")
        case "left":
            lost = event.before.mine.carried[event.seat or 0]
            lines = [f"{who} {who.does(RESIGNS)}."]
            lines += [f"What {who.whom} carried is lost: {named(stones(event.before, lost))}."] if lost else []
    lines += [describe_stay(event, seat, names, you) for seat in event.stays]
    return lines + ([f"The end: {event.after.ended}."] if event.after.ended else [])


def describe_stay(event: GameEvent, seat: int, names: Sequence[str], you: int | None = None) -> str:
    """Says that a seat could not go as far as its card says."""
    who = subject(names, seat, you)
    return f"{who} {who.does('stays')} put, unable to move {count_of(event.cards[seat] or 0, 'square')}."


def _describe_lots(state: State, names: Sequence[str], you: int | None) -> list[str]:
    if state.begins is None or not state.colors:
        return []
    players = [subject(names, seat, you) for seat in range(len(names))]
    begins = players[state.begins]
    lines = [f"{begins} {begins.does('begins')}."]
    lines += [f"{color_of(state, seat, who)}." for seat, who in enumerate(players)]
    if state.flawless is not None:
        lines.append(f"{COLORS[state.flawless].capitalize()} is flawless: worth {TIMES[FLAWLESS]}.")
    return lines


def _describe_cards(event: GameEvent, names: Sequence[str], you: int | None) -> list[str]:
    cards = [(seat, card) for seat in event.before.order() if (card := event.cards[seat]) is not None]
    lines = [f"Cards: {', '.join(f'{subject(names, seat, you).whom} {card}' for seat, card in cards)}."]
    wish = "" if event.after.ended else describe_wish(event.after, [seat for seat, _ in cards], names, you)
    return [*lines, wish] if wish else lines


def describe_wish(state: State, players: Sequence[int], names: Sequence[str], you: int | None) -> str:
    """Says which of the players would like to end the game, and which would not; "" if nobody would, or all."""
    would = [seat for seat in players if state.willing[seat]]
    if not 0 < len(would) < len(players):
        return ""
    others = subjects(names, [seat for seat in players if seat not in would], you, begin=False)
    return f"{subjects(names, would, you)} would like to end the game; {others} would rather keep playing."


def _describe_move(event: GameEvent, who: Subject) -> list[str]:
    """Describes a move, in the order in which things were done."""
    parts = [f"{who} {who.does('moves')} {count_of(len(event.way), 'square')} to {name(event.answer[0])}"]
    for done, same in groupby(event.clauses, attrgetter("done")):
        if done == "stored":
            home = named(stones(event.before, event.unloaded))
            parts.append(f"{who.does('brings')} home {home} for {count_of(event.points, 'point')}")
        else:
            verb = f"{who.does('picks')} up" if done == "picked" else who.does("drops")
            there = [f"{named(stones(event.before, [gem]))} on {name(square)}" for _, gem, square in same]
            parts.append(f"{verb} {join_names(there)}")
    return [f"{join_names(parts)}."]


def describe_trip(event: GameEvent, names: Sequence[str], you: int | None = None) -> tuple[str, str]:
    """Returns a move in a few words, with gems only counted, and then only its most important part."""
    assert event.seat is not None
    who = subject(names, event.seat, you)
    moves = f"{who} {who.does('moves')} to {name(event.answer[0])}"
    home = f"{who.does('brings')} {count_of(len(event.unloaded), 'gem')} home for {count_of(event.points, 'point')}"
    _, picked, dropped = event.answer
    parts = [moves]
    parts += [f"{who.does('picks')} up {count_of(len(picked), 'gem')}"] if picked else []
    parts += [f"{who.does('drops')} {count_of(len(dropped), 'gem')}"] if dropped else []
    parts += [home] if event.unloaded else []
    return f"{join_names(parts)}.", f"{f'{who} {home}' if event.unloaded else moves}."


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
    """Returns what was done with each gem, in order."""
    by_gem: dict[int, list[GemEvent]] = {}

    def note(gem: int, event: GameEvent, done: Any, square: int | None) -> None:
        assert event.seat is not None
        assert square is not None
        by_gem.setdefault(gem, []).append(GemEvent(event.step, event.before.round, event.seat, done, square))

    for event in events:
        match event.kind:
            case "opened":
                for gem in event.before.mine.inside[event.before.nest]:
                    note(gem, event, "saw", event.square)
            case "took":
                for gem in event.answer:
                    note(gem, event, "took", event.square)
            case "moved":
                for done, gem, square in event.clauses:
                    note(gem, event, done, square)
            case "left":
                for gem in event.before.mine.carried[event.seat or 0]:
                    note(gem, event, "lost", event.before.mine.pawns[event.seat or 0])
    return by_gem


def passed_on(events: Sequence[GameEvent]) -> list[tuple[int, GemEvent, int]]:
    """Returns (gem, how a player got it, thanks to whom) for gems that others had dropped, or found in a vein that they
    opened.
    """
    passed = []
    for gem, done in gem_events(events).items():
        for before, now in pairwise(done):
            if now.done in ("picked", "took") and before.done in ("dropped", "saw") and now.seat != before.seat:
                passed.append((gem, now, before.seat))
    return sorted(passed, key=lambda passing: passing[1].step)
