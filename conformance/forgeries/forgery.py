"""One thing that SPEC.md forbids to sign, and the kinds of bodies that can be forged, each with a script that leads to
one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from kimberley.conformance.forging import Bend
from kimberley.games.table import Amounts, Plain
from kimberley.protocol.asks.base import Machine
from kimberley.protocol.asks.decide import DecideMachine
from kimberley.protocol.asks.disclose import DiscloseMachine
from kimberley.protocol.asks.keys import KeysMachine
from kimberley.protocol.asks.open import OpenMachine
from kimberley.protocol.asks.roll import RollMachine
from kimberley.protocol.asks.seal import SealMachine
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.asks.together import COMMIT, OPEN, TogetherMachine
from kimberley.protocol.closing import CLOSE, SHOW, VERDICT
from kimberley.protocol.envelope import CLOSING, LEAVE, STAGE
from kimberley.protocol.play import Play

Asks = tuple[Plain, ...]
CHEAT: Final = 1
"""The seat that forges where a moment's script is played."""


@dataclass(frozen=True)
class SigningMoment:
    """A kind of body that a seat owes.

    Args:
        name: What it is.
        asks: A script in which seat 1 owes one in the stage at `slot`, at a table of `seats` or more.
        fits: Tells whether a seat owes one in the stage at hand, at any table. For leaves and closing, only the stage
            counts, by the kind of envelope.
        rules: What is broken by all that is forged here.
        reason: What our own peer says of it, in part; other peers say it in their own words.
        choices: What seats choose in the script, by (step, seat), where it matters.
        kind: The kind of the envelope.

    """

    name: str
    asks: Asks
    slot: tuple[int, int]
    fits: Callable[[Play], bool] = lambda play: True
    rules: tuple[str, ...] = ()
    reason: str = ""
    seats: int = 2
    choices: Mapping[tuple[int, int], Plain] = field(default_factory=dict)
    kind: int = STAGE


@dataclass(frozen=True)
class Forgery:
    """A forbidden body.

    Args:
        name: What is forged: the title of its case, and the name of its trick.
        moment: Where it is forged.
        bend: Makes it from the body due.
        rules: The requirements that it breaks besides those of its moment, or the sections of what only the audit
            finds, with spaces between them.
        reason: As in SigningMoment; that of its moment if it is None.
        case: The id of its case on the wire. Without one it is like another one there.
        audited: Whether all accept it, and only the audit finds it.
        found: The slot at which the audit finds it, if it is not where it was signed.

    """

    name: str
    moment: SigningMoment
    bend: Bend
    rules: str = ""
    reason: str | None = None
    case: str = ""
    audited: bool = False
    found: tuple[int, int] | None = None

    @property
    def breaks(self) -> tuple[str, ...]:
        """The requirements and sections that it breaks."""
        own = tuple(self.rules.split())
        return own if self.audited else (*self.moment.rules, *own)

    @property
    def told(self) -> str:
        """What our own peer says of it, in part."""
        return self.reason if self.reason is not None else "" if self.audited else self.moment.reason

    def body(self, play: Play, body: Plain) -> Plain:
        """Returns the forged body; the one due where there is nothing of the kind that is forged."""
        try:
            return self.bend(play, body)
        except LookupError:
            return body


def _owed(machine: type[Machine], stage: int | None = None) -> Callable[[Play], bool]:
    return lambda play: isinstance(play.machine, machine) and stage in (None, play.stage)


def _within(play: Play) -> bool:
    machine = play.machine
    limits = machine.ask.within if isinstance(machine, TogetherMachine) and play.stage == OPEN else ()
    return bool(limits) and limits[play.seat or 0] is not None


def _seals(amounts: bool) -> Callable[[Play], bool]:
    def fits(play: Play) -> bool:
        machine = play.machine
        return isinstance(machine, SealMachine) and isinstance(machine.ask.spaces[play.seat or 0], Amounts) == amounts

    return fits


def _tells(pads: bool) -> Callable[[Play], bool]:
    def fits(play: Play) -> bool:
        machine = play.machine
        own = machine.tells_of(play.seat or 0) if isinstance(machine, DiscloseMachine) else []
        return isinstance(machine, DiscloseMachine) and bool(own) and machine.padded[own[0][0]] == pads

    return fits


ROWS: Final[Plain] = (("heart", 1), ("spade", 2), ("club", 3), ("heart", 4))
_ROLL: Final[Plain] = ("roll", (6,))
_SHUFFLE: Final[Plain] = ("shuffle", "deck", ROWS)
_TELL: Final[Plain] = ("disclose", ((1, 0, "a", "b"),), 4)
_TOGETHER: Final[Asks] = (("together", (0, 1), 9),)


def _amounts(limit: int = 10) -> Plain:
    return "amounts", (0, 1), ("a", "b"), 4, limit


KEYS: Final = SigningMoment(
    "keys", (_ROLL,), (0, 0), _owed(KeysMachine), ("M-KEY-1", "M-ASK-1"), "do not prove that they know their"
)
ROLL: Final = SigningMoment("roll", (_ROLL, _ROLL), (2, 0), _owed(RollMachine), ("M-ROL-1",), "their share of the roll")
DECIDE: Final = SigningMoment("decide", (("decide", 1, 9),), (1, 0), _owed(DecideMachine), ("M-DEC-1",), "their choice")
COMMITMENT: Final = SigningMoment(
    "commitment", _TOGETHER, (1, 0), _owed(TogetherMachine, COMMIT), ("M-ASK-1",), "it is not a commitment"
)
OPENING: Final = SigningMoment(
    "opening", _TOGETHER, (1, 1), _owed(TogetherMachine, OPEN), (), "does not match the commitment"
)
WITHIN: Final = SigningMoment(
    "opening within a limit",
    (_amounts(12), ("within", (0, 1), 4, 12)),
    (2, 1),
    _within,
    ("M-TOG-2",),
    "within its limit",
    choices={(2, 1): 1},
)
SEAL: Final = SigningMoment(
    "seal", (("seal", (0, 1), 9),), (1, 0), _seals(False), ("M-ASK-1",), "it is not a commitment"
)
AMOUNTS: Final = SigningMoment(
    "seal of amounts",
    (_amounts(),),
    (1, 0),
    _seals(True),
    ("M-SEL-1",),
    "is not proven to be from 0",
    choices={(1, 1): (1, 2)},
)
TELL: Final = SigningMoment(
    "disclose", (_amounts(), _TELL, _ROLL), (2, 0), _tells(True), ("M-TEL-1", "M-TEL-2"), "are not well formed"
)
STANDING: Final = SigningMoment(
    "disclose again", (_amounts(), _TELL, _TELL), (3, 0), _tells(False), TELL.rules, "carries pads"
)
OPEN_TOTALS: Final = SigningMoment(
    "open",
    (_amounts(), ("open", ((1, "a"), (0, "b"), (1, "spent")), 4)),
    (2, 0),
    _owed(OpenMachine),
    ("M-OPN-1",),
    "is not a total and a blinding",
)
SHUFFLE: Final = SigningMoment(
    "shuffle",
    (_SHUFFLE,),
    (1, 1),
    _owed(ShuffleMachine),
    ("M-SHU-1", "M-SHF-1"),
    "does not prove that it changed only the order",
)
SHARES: Final = SigningMoment(
    "show",
    (_SHUFFLE, ("show", (0, 1), ((0, None), (1, 0), (1, 2)))),
    (2, 0),
    _owed(ShowMachine),
    ("M-SHW-1", "M-SHA-1"),
    "their shares are not those that their bag key fixes",
    seats=3,
)
MAIL: Final = SigningMoment(
    "mail", SHARES.asks, (2, 0), SHARES.fits, ("M-SHW-2", "M-SHA-1"), "are not those that their bag key fixes", seats=3
)
MAIL_ALONE: Final = SigningMoment(
    "show to one", (_SHUFFLE, ("show", (0,), ((0, 0),))), (2, 0), SHARES.fits, ("M-SHW-1", "M-SHW-3"), SHARES.reason
)
LEFT: Final = SigningMoment(
    "leave", (("together", (0, 1, 2), 9), _ROLL, _ROLL), (2, 0), rules=("M-LEA-2",), seats=3, kind=LEAVE
)
RESULT: Final = SigningMoment(
    "close",
    _TOGETHER,
    (2, CLOSE),
    rules=("M-CLO-1", "M-CLO-3"),
    reason="a result that the game did not have",
    kind=CLOSING,
)
SHOWN: Final = SigningMoment(
    "seed",
    (("seal", (0, 1), 9), ("decide", 1, 9)),
    (3, SHOW),
    rules=("M-CLO-2", "M-CLO-3"),
    reason="they did not show a seed and their choices",
    kind=CLOSING,
)
JUDGED: Final = SigningMoment(
    "verdict", _TOGETHER, (2, VERDICT), rules=("M-CLO-2", "M-CLO-3"), reason="it did not sign a verdict", kind=CLOSING
)
Audited: Final = partial(Forgery, audited=True)
MOMENTS: Final = (
    *(KEYS, ROLL, DECIDE, COMMITMENT, OPENING, WITHIN, SEAL, AMOUNTS, TELL, STANDING, OPEN_TOTALS),
    *(SHUFFLE, SHARES, MAIL, MAIL_ALONE, LEFT, RESULT, SHOWN, JUDGED),
)
