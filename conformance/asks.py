"""How scripts spell the asks, and the registry of them all (SPEC.md, section 27.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kimberley.conformance.script_memory import SPENT, IntegersBelow, NotSpelled, ScriptMemory
from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Answer,
    Ask,
    Decide,
    Disclose,
    Hidden,
    Open,
    Plain,
    Roll,
    Seal,
    Show,
    Shuffle,
    Tally,
    Tell,
    Together,
    Within,
    evolve,
)

SAY: Final = "say"
SAY_SIZE: Final = 4
"""The kind and the size of what seats tell each other in a script."""


def _unchanged(memory: ScriptMemory, ask: Ask, answer: Answer) -> ScriptMemory:
    del ask, answer
    return memory


@dataclass(frozen=True)
class ScriptAsk:
    """How a script spells one ask.

    Args:
        words: The first entries of the arrays that spell the ask.
        read: The ask that such an array spells; None if nobody is left to answer it. Raises NotSpelled.
        remember: What a script remembers after the ask is answered.

    """

    words: tuple[str, ...]
    read: Callable[[Plain, ScriptMemory], Ask | None]
    remember: Callable[[ScriptMemory, Any, Answer], ScriptMemory] = _unchanged


def _read_decide(spelled: Plain, memory: ScriptMemory) -> Decide | None:
    match spelled:
        case (_, int() as seat, int() as limit):
            return Decide(seat, IntegersBelow(limit), "number") if memory.is_there(seat) else None
    raise NotSpelled(spelled)


def _read_together(spelled: Plain, memory: ScriptMemory) -> Together | None:
    match spelled:
        case ("within", tuple() as seats, int() as bits, int() as limit):
            return _within(memory, memory.there(seats), bits, limit)
        case ("together" | "look" | "again" as word, tuple() as seats, int() as limit):
            there = memory.there(seats)
            spaces = tuple(
                IntegersBelow(limit, memory.bound(seat) if word == "again" else HIDDEN) if here else None
                for seat, here in enumerate(there)
            )
            stands = (0,) * len(there) if word == "look" else ()
            return Together(spaces, (None,) * len(there), "number", stands) if any(there) else None
    raise NotSpelled(spelled)


def _within(memory: ScriptMemory, there: Sequence[bool], bits: int, limit: int) -> Together | None:
    paying = tuple(
        IntegersBelow(limit + 1, most=memory.left_of(limit, seat), costs=True) if here else None
        for seat, here in enumerate(there)
    )
    within = tuple(Within(Tally(seat, SPENT, bits), limit) if here else None for seat, here in enumerate(there))
    return Together(paying, within, "payment") if any(there) else None


def _read_seal(spelled: Plain, memory: ScriptMemory) -> Seal | None:
    match spelled:
        case ("seal", tuple() as seats, int() as limit):
            there = memory.there(seats)
            numbers = tuple(IntegersBelow(limit) if here else None for here in there)
            return Seal(numbers, "number") if any(there) else None
        case ("amounts", tuple() as seats, tuple() as names, int() as bits, int() as limit):
            there = memory.there(seats)
            amounts = tuple(
                Amounts(
                    tuple(Tally(seat, str(name), bits) for name in names),
                    Within(Tally(seat, SPENT, bits), limit),
                    memory.left_of(limit, seat),
                )
                if here
                else None
                for seat, here in enumerate(there)
            )
            return Seal(amounts, "amounts") if any(there) else None
    raise NotSpelled(spelled)


def _remember_seal(memory: ScriptMemory, ask: Seal, answer: Answer) -> ScriptMemory:
    if not any(isinstance(space, Amounts) for space in ask.spaces):
        return evolve(memory, sealed=answer)
    totals = {(seat, name): total for seat, name, total in memory.totals}
    for space, choice in zip(ask.spaces, answer, strict=True):
        if not isinstance(space, Amounts) or choice is None:
            continue
        for at, slot in enumerate(space.slots):
            for tally in (slot, space.within.tally):
                before = totals.get((tally.seat, tally.name), 0)
                known = isinstance(before, int) and choice is not HIDDEN
                totals[tally.seat, tally.name] = before + choice[at] if known else HIDDEN
    return memory.with_totals(totals)


def _read_disclose(spelled: Plain, memory: ScriptMemory) -> Disclose | None:
    match spelled:
        case (_, tuple() as tells, int() as bits):
            staying = tuple(parsed for tell in tells if (parsed := _tell(tell, bits, memory)) is not None)
            return Disclose(staying) if staying else None
    raise NotSpelled(spelled)


def _tell(tell: Plain, bits: int, memory: ScriptMemory) -> Tell | None:
    """Returns the tell (owner, receiver, name of the receiver's tally, name of the owner's): the owner tells its total.
    None if one of them has left.
    """
    match tell:
        case (int() as owner, int() as receiver, str() as more, str() as than):
            tallies = Tally(receiver, more, bits), Tally(owner, than, bits)
            says = memory.total(owner, than)
            there = memory.is_there(owner) and memory.is_there(receiver)
            return Tell(owner, receiver, *tallies, SAY, SAY_SIZE, IntegersBelow(1 << bits), says) if there else None
    raise ValueError(f"a script has no tell {tell!r}")


def _remember_disclose(memory: ScriptMemory, ask: Disclose, answer: Answer) -> ScriptMemory:
    return evolve(memory, told=tuple(_told_anything(seat, ask.tells, answer) for seat in range(len(memory.alive))))


def _told_anything(seat: int, tells: Sequence[Tell], answer: Answer) -> bool | Hidden:
    own = [payload for tell, payload in zip(tells, answer, strict=True) if tell.receiver == seat]
    return HIDDEN if any(payload is HIDDEN for payload in own) else any(payload is not NOTHING for payload in own)


def _read_open(spelled: Plain, memory: ScriptMemory) -> Open | None:
    match spelled:
        case (_, tuple() as tallies, int() as bits):
            named = [(seat, name) for seat, name in map(_seat_and_name, tallies) if memory.is_there(seat)]
            return Open(tuple(Tally(seat, name, bits) for seat, name in named)) if named else None
    raise NotSpelled(spelled)


def _seat_and_name(plain: Plain) -> tuple[int, str]:
    match plain:
        case (int() as seat, str() as name):
            return seat, name
    raise ValueError(f"a script has no tally {plain!r}")


def _read_roll(spelled: Plain, memory: ScriptMemory) -> Roll:
    match spelled:
        case (_, tuple() as sides):
            return Roll(tuple(side for side in sides if isinstance(side, int)))
    raise NotSpelled(spelled)


def _read_shuffle(spelled: Plain, memory: ScriptMemory) -> Shuffle:
    match spelled:
        case (_, str() as bag, tuple() as items):
            return Shuffle(bag, tuple(item for item in items if isinstance(item, (int, tuple))))
    raise NotSpelled(spelled)


def _read_show(spelled: Plain, memory: ScriptMemory) -> Show:
    match spelled:
        case (_, tuple() as items, tuple() as parts):
            return Show(tuple(item for item in items if isinstance(item, int)), tuple((part, to) for part, to in parts))
    raise NotSpelled(spelled)


ASKS: Final[dict[type[Ask], ScriptAsk]] = {
    Decide: ScriptAsk(("decide",), _read_decide),
    Together: ScriptAsk(("together", "look", "again", "within"), _read_together),
    Seal: ScriptAsk(("seal", "amounts"), _read_seal, _remember_seal),
    Disclose: ScriptAsk(("disclose",), _read_disclose, _remember_disclose),
    Open: ScriptAsk(("open",), _read_open),
    Roll: ScriptAsk(("roll",), _read_roll),
    Shuffle: ScriptAsk(("shuffle",), _read_shuffle),
    Show: ScriptAsk(("show",), _read_show),
}
"""How a script spells each type of ask."""
