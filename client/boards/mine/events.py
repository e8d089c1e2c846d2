"""A game as it went: from a table's story to what happened, in order, each of it in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Literal

from client.boards.mine.stones import named, stones
from client.people import in_a_row
from client.seats import PeerLike
from games.mine.gems import COLOURS
from games.mine.rules import State, opening
from games.mine.squares import name, way
from games.table import Ask, Leave, Result, Roll, after

Kind = Literal["lots", "filled", "placed", "cards", "moved", "opened", "took", "left"]
KINDS: Final[dict[str, Kind]] = {
    "lots": "lots", "small": "filled", "medium": "filled", "place": "placed", "cards": "cards", "move": "moved",
    "show": "opened", "take": "took",
}  # fmt: skip
"""What happens when an ask of a phase is answered."""


@dataclass(frozen=True, slots=True)
class Happening:
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


def opening_of(story: Sequence[tuple[Any, Any]], state: State) -> State:
    """The first state of a story that leads to `state`: who begins was drawn in it, or settled by an earlier game."""
    drawn = bool(story) and isinstance(story[0][0], Roll) and story[0][0].sides[0] == state.seats
    return opening(state.seats, state.fifth, None if drawn or not story else state.begins)


def happened(story: Iterable[tuple[Any, Any]], start: State, first: int = 0) -> list[Happening]:
    """What a story tells, folded from its first state; or the rest of one, from the state before its ask `first`."""
    found: list[Happening] = []
    state = start
    for step, (ask, answer) in enumerate(story, start=first):
        if isinstance(state.ask(), Result):
            break
        following = after(state, ask, answer)
        assert isinstance(following, State)
        found.append(_happening(step, ask, answer, state, following))
        state = following
    return found


class Course:
    """What has happened at a table so far, taken up as its story grows."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.past: list[Happening] = []
        self._seen = 0

    def follow(self, peer: PeerLike | None) -> list[Happening]:
        """What the story has got since the last call."""
        if peer is None or not isinstance(peer.state, State) or peer.state is self.state:
            return []
        story = peer.story
        before = self.state or (opening_of(story, peer.state) if story else peer.state)
        news = happened(story[self._seen :], before, self._seen)
        self.state, self._seen = peer.state, len(story)
        self.past += news
        return news


def _happening(step: int, ask: Ask, answer: Any, state: State, following: State) -> Happening:
    if isinstance(ask, Leave):
        return Happening(
            step, "left", state, following, ask.seat, stays=_stays(state, following, state.cards, ask.seat)
        )
    kind = KINDS[state.phase]
    seat = state.turn if kind in ("placed", "moved", "opened", "took") else None
    what = Happening(step, kind, state, following, seat, answer)
    cards = what.cards if kind == "cards" else state.cards
    return replace(what, stays=_stays(state, following, cards, seat))


def _stays(state: State, following: State, cards: Sequence[int | None], actor: int | None) -> tuple[int, ...]:
    """The seats that were passed over between two states, since their cards let them go nowhere; in order."""
    if following.ended and following.quiet == state.quiet:
        # It ended before the others could act.
        return ()
    late = [seat for seat in state.order() if cards[seat] is not None and not state.acted[seat] and seat != actor]
    over = following.round > state.round or following.ended
    return tuple(seat for seat in late if following.present[seat] and (over or following.acted[seat]))


# -- in words ----------------------------------------------------------------------------------------------------------


def told(what: Happening, names: Sequence[str], *, parting: bool = True) -> list[str]:
    """A happening in sentences. `parting` is False where a table tells by itself that somebody has left."""
    who = names[what.seat] if what.seat is not None else ""
    lines: list[str] = []
    match what.kind:
        case "lots":
            lines = _told_lots(what.after, names)
        case "filled":
            lines = ["The nests are filled: nobody knows what lies in them."] if what.before.phase == "medium" else []
        case "placed":
            lines = [f"{who} puts a nest on {name(what.answer)}."]
            if what.after.round:
                lines.append("All nests stand, and all pawns at home.")
        case "cards":
            lines = _told_cards(what, names)
        case "moved":
            lines = _told_move(what, who)
        case "opened":
            gems = named(stones(what.after, what.after.mine.inside[what.before.nest]))
            lines = [f"The vein on {name(what.square or 0)} holds {gems}."]
            if what.after.phase != "take" or what.after.turn != what.seat:
                lines.append(f"{who} has no room for any of it.")
        case "took":
            lines = [f"{who} takes {named(stones(what.after, what.answer))}."]
            if not what.after.mine.inside[what.before.nest]:
                lines.append(f"The vein on {name(what.square or 0)} is exhausted.")
        case "left":
            lost = what.before.mine.carried[what.seat or 0]
            lines = [f"{who} leaves the game."] if parting else []
            lines += [f"What {who} carried is lost: {named(stones(what.before, lost))}."] if lost else []
    lines += [told_stay(what, seat, names) for seat in what.stays]
    return lines + ([f"The end: {what.after.ended}."] if what.after.ended else [])


def told_stay(what: Happening, seat: int, names: Sequence[str]) -> str:
    """That a seat could not go as far as its card says."""
    card = what.cards[seat] if what.kind == "cards" else what.before.cards[seat]
    return f"{names[seat]} can go {card} nowhere, and stays."


def _told_lots(state: State, names: Sequence[str]) -> list[str]:
    if state.begins is None or not state.colours:
        return []
    lines = [f"{names[state.begins]} begins."]
    lines += [f"{name} collects {COLOURS[state.colours[seat]]}." for seat, name in enumerate(names)]
    if state.flawless is not None:
        lines.append(f"{COLOURS[state.flawless].capitalize()} is flawless.")
    return lines


def _told_cards(what: Happening, names: Sequence[str]) -> list[str]:
    shown = [f"{names[seat]} {card}" for seat in what.before.order() if (card := what.cards[seat]) is not None]
    lines = [f"Cards: {', '.join(shown)}."]
    would = [names[seat] for seat, agrees in enumerate(what.after.willing) if agrees]
    if would and not what.after.ended:
        lines.append(f"{in_a_row(would)} would end the game.")
    return lines


def _told_move(what: Happening, who: str) -> list[str]:
    """In the order in which it was done."""
    state, squares = what.before, what.way
    drops, picks = dict(what.dropped), dict(what.picked)
    did = []
    for square in squares:
        if square in picks:
            did.append(f"picks up {named(stones(state, (picks[square],)))} on {name(square)}")
        if square in drops:
            did.append(f"drops {named(stones(state, (drops[square],)))} on {name(square)}")
    parts = [f"{who} goes {len(squares)} to {name(what.answer[0])}", *did]
    if what.unloaded:
        assert what.seat is not None
        points = what.after.score(what.seat) - state.score(what.seat)
        parts.append(f"brings home {named(stones(state, what.unloaded))} for {points}")
    return [f"{in_a_row(parts)}."]


# -- where gems went ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that was done with a gem: it was seen, taken, dropped, picked up, brought home, or lost."""

    step: int
    round: int
    seat: int
    done: Literal["saw", "took", "dropped", "picked", "stored", "lost"]
    square: int


def passages(course: Iterable[Happening]) -> dict[int, list[Passage]]:
    """What was done with each gem, in order."""
    found: dict[int, list[Passage]] = {}

    def note(gem: int, what: Happening, done: Any, square: int | None) -> None:
        assert what.seat is not None
        assert square is not None
        found.setdefault(gem, []).append(Passage(what.step, what.before.round, what.seat, done, square))

    for what in course:
        match what.kind:
            case "opened":
                for gem in what.before.mine.inside[what.before.nest]:
                    note(gem, what, "saw", what.square)
            case "took":
                for gem in what.answer:
                    note(gem, what, "took", what.square)
            case "moved":
                drops, picks = dict(what.dropped), dict(what.picked)
                for square in what.way:
                    if square in picks:
                        note(picks[square], what, "picked", square)
                    if square in drops:
                        note(drops[square], what, "dropped", square)
                for gem in what.unloaded:
                    note(gem, what, "stored", what.answer[0])
            case "left":
                for gem in what.before.mine.carried[what.seat or 0]:
                    note(gem, what, "lost", what.before.mine.pawns[what.seat or 0])
    return found


def thefts(course: Sequence[Happening]) -> list[tuple[int, Passage, int]]:
    """(gem, how it was got, from whom): gems that others had carried, or seen first in a vein that they opened."""
    found = []
    for gem, done in passages(course).items():
        for before, now in pairwise(done):
            if now.done in ("picked", "took") and before.done in ("dropped", "saw") and now.seat != before.seat:
                found.append((gem, now, before.seat))
    return sorted(found, key=lambda theft: theft[1].step)
