"""One game of the chaos, drawn from its seed: who plays what, on which network, and what goes wrong when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, TypeAlias

from kimberley.games import lookup

NAMES: Final = ("ana", "ben", "carla", "dan", "emeka", "farid")
PHONE: Final = "phone"
SPECTATOR: Final = "eve"
GRACE_SECONDS: Final = 600
"""How long the table waits for a seat that is away: longer than any fault lasts, so that nobody may stop waiting."""
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "land": ("--option", "map=small", "--option", "turns=25"),
    "diamond-trust": ("--adjust", "2"),
}
"""What makes a game short."""
FIRST_SECONDS: Final = 0.5
"""When the first fault comes at the earliest, after the game has begun."""
SPREAD_SECONDS: Final = {"land": 8.0}
SPREAD_OTHERS: Final = 30.0
"""Over how many seconds the beginnings of faults spread: less than a game lasts."""
LONG_STOP: Final = 180.0
"""The longest stop, in seconds."""

Kind: TypeAlias = Literal["person", "bot", "phone"]
FaultKind: TypeAlias = Literal[
    "kill", "stop", "full", "cut", "move", "loss", "delay", "reorder", "reload", "cut spectator", "stop spectator"
]
NetworkKind: TypeAlias = Literal["plain", "IPv6 only", "MTU 600"]
Clock: TypeAlias = Literal["", "wild", "ahead"]
"""The clocks of a seat's machine: as they are; a wall clock that jumps by years at each reading; running clocks of a
machine that has been up for eleven days longer.
"""


@dataclass(frozen=True)
class SeatPlan:
    """A seat: its name, what plays it, and its clocks."""

    name: str
    kind: Kind
    clock: Clock = ""


@dataclass(frozen=True)
class Fault:
    """What goes wrong, `at` so many seconds after the game begins, for how long, and at which seat.

    The faults of the network's weather affect all seats.
    """

    at: float
    kind: FaultKind
    seconds: float
    seat: int

    def __str__(self) -> str:
        return (
            f"{self.kind} {self.seat + 1} {self.seconds:.0f}s" if self.seat >= 0 else f"{self.kind} {self.seconds:.0f}s"
        )


@dataclass(frozen=True)
class GamePlan:
    """A game of the chaos."""

    seed: int
    game: str
    seats: tuple[SeatPlan, ...]
    network: NetworkKind
    faults: tuple[Fault, ...]

    @property
    def phone(self) -> int | None:
        """The seat on a phone, from 0."""
        return next((seat for seat, plan in enumerate(self.seats) if plan.kind == "phone"), None)


def draw(
    seed: int, *, most_stop: float = LONG_STOP, game: str = "", seats: int = 0, phone: bool | None = None
) -> GamePlan:
    """Draws the game of a seed. `game`, `seats` and `phone` are drawn, too, unless they are given."""
    rng = Random(f"chaos {seed}")
    drawn_game = rng.choice(lookup.ids())
    game = game or drawn_game
    drawn_seats = rng.choice(lookup.find(game).seats)
    count = seats or drawn_seats
    drawn_phone = rng.random() < 0.6
    has_phone = drawn_phone if phone is None else phone
    phone_at = rng.randrange(1, count)
    kinds: list[Kind] = [
        "phone"
        if has_phone and seat == phone_at
        else "person"
        if seat == 0 and has_phone
        else rng.choice(("person", "bot", "bot"))
        for seat in range(count)
    ]
    if not {"person", "phone"} & set(kinds):
        kinds[rng.randrange(count)] = "person"  # Bots alone are done before anything happens to them.
    network: NetworkKind = rng.choice(("plain", "plain", "plain", "MTU 600", "IPv6 only"))
    chosen = tuple(
        SeatPlan(PHONE if kind == "phone" else NAMES[seat], kind, "" if kind == "phone" else _clock(rng))
        for seat, kind in enumerate(kinds)
    )
    faults = tuple(
        sorted((_fault(rng, game, kinds, most_stop) for _ in range(rng.randint(2, 5))), key=lambda fault: fault.at)
    )
    return GamePlan(seed, game, chosen, network, faults)


def _clock(rng: Random) -> Clock:
    return rng.choice(("", "", "", "wild", "ahead"))


def _fault(rng: Random, game: str, kinds: list[Kind], most_stop: float) -> Fault:
    at = FIRST_SECONDS + SPREAD_SECONDS.get(game, SPREAD_OTHERS) * rng.random()
    kind: FaultKind = rng.choice(
        (
            *("kill", "kill", "kill", "stop", "stop", "full", "full", "cut", "move", "loss", "delay", "reorder"),
            *("reload", "cut spectator", "stop spectator"),
        )
    )
    programs = [seat for seat, each in enumerate(kinds) if each != "phone"]
    seat = rng.choice(programs)
    seconds = rng.uniform(1, 15)
    match kind:
        case "stop" | "stop spectator":
            seconds = min(most_stop, rng.choice((2.0, 10.0, 40.0, LONG_STOP)))
        case "cut":
            seconds, seat = min(most_stop, rng.choice((3.0, 15.0, 60.0))), rng.randrange(len(kinds))
        case "move" if "phone" in kinds or seat == 0:
            # A page finds its host at the address of its link alone, and a spectator the seat that it watches.
            others = [each for each in programs if each != 0]
            kind, seat = ("move", rng.choice(others)) if others else ("cut", seat)
        case "loss" | "delay" | "reorder" | "cut spectator":
            seat, seconds = -1, min(most_stop, rng.uniform(10, 60))
        case "reload" if "phone" not in kinds:
            kind = "kill"
        case "reload":
            seat = kinds.index("phone")
    return Fault(at, kind, seconds, seat)
