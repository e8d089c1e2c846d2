"""Tricks with bodies: all that the suite forges, in the games that ask for it. And tricks with choices."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from kimberley.conformance.forgeries import FORGERIES, Forgery
from kimberley.conformance.forging import forbidden, near
from kimberley.games.table import Plain
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.asks.together import TogetherMachine
from kimberley.protocol.closing import Closing
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, LEAVE
from tests.simulation.cheating import AUDITED, REFUSED, Bent, Cheater, Trick
from tests.support.cheats import Leaver

AMOUNTS: Final = ("diamond-trust",)
"""The games in which amounts are sealed, disclosed and opened."""
AT_ONCE: Final = ("diamond-trust", "mine")
"""The games in which several seats choose at once."""
BAGS: Final = ("mine", "piecepack")
"""The games in which items are shuffled and shown to all."""
MAIL: Final = ("piecepack",)
"""The games in which items are shown to one seat alone."""
LEAVABLE: Final = ("land", "mine", "piecepack")
"""The games that go on without a seat."""
GAMES: Final = {
    **dict.fromkeys(("commitment", "opening"), AT_ONCE),
    **dict.fromkeys(
        ("opening within a limit", "seal", "seal of amounts", "disclose", "disclose again", "open"), AMOUNTS
    ),
    **dict.fromkeys(("shuffle", "show"), BAGS),
    **dict.fromkeys(("mail", "show to one"), MAIL),
    "leave": LEAVABLE,
}
"""By moment, the games that have it; all others are in every game."""


NEVER: Final = {
    "Mail in another order": "no game mails to two seats at once",
}
"""Forgeries that no game asks for."""


class Going(Leaver, Cheater):
    """Leaves as soon as its leave has something to forge, or later."""

    goes = staticmethod(lambda peer: peer.play.step >= 1 and _can_forge(peer) and peer.dares())

    def sign_next(self, kind: int, body: Plain) -> None:
        if kind == LEAVE and self.trick.body is not None and not self.done:
            body = self.trick.body(self, body)()
            self.did()
        super().sign_next(kind, body)

    def game_body(self) -> Plain:
        return None if self.play.wants is not None else self.play.body()


def _can_forge(peer: Any) -> bool:
    if not peer.resignations.can_leave(peer.slot):
        return False
    due = peer.play.leave_body()
    return bool(pack(peer.trick.body(peer, due)()) != pack(due))


def _trick(forgery: Forgery) -> Trick:
    """Returns the trick of a seat that signs a forged body wherever it owes one of the kind."""
    moment = forgery.moment

    def body(peer: Cheater, due: Any) -> Bent:
        return partial(forgery.body, peer.play, due) if moment.fits(peer.play) else due

    def closing(peer: Cheater, closing: Closing, due: Any) -> Bent:
        return partial(forgery.body, peer.play, due) if closing.stage == moment.slot[1] else due

    return Trick(
        forgery.name,
        " ".join(forgery.breaks),
        AUDITED if forgery.audited else REFUSED,
        forgery.told,
        GAMES.get(moment.name, ()),
        3 if moment.kind == LEAVE else 2,
        body=None if moment.kind == CLOSING else body,
        closing=closing if moment.kind == CLOSING else None,
        kind=Going if moment.kind == LEAVE else None,
    )


def shuffle_of_another(peer: Cheater, body: Any) -> Bent:
    """Returns the body of the seat before, word for word."""
    before = peer.transcript[-1] if peer.transcript else None
    shuffles = isinstance(peer.play.machine, ShuffleMachine) and peer.play.stage > 0 and before is not None
    return before.body if shuffles and before is not None and before.kind != LEAVE else body


def commits_to_what_is_illegal(peer: Cheater, choice: Plain) -> Plain:
    machine = peer.play.machine
    if not isinstance(machine, TogetherMachine) or (machine.ask.within and any(machine.ask.within)):
        return choice
    space = machine.ask.spaces[peer.seat or 0]
    return choice if space is None else near(choice, peer.play, space)


def without_the_right(peer: Cheater, choice: Plain) -> Plain:
    """Returns a choice that the public state allows and only the seat's own state forbids."""
    machine, own = peer.play.machine, peer.asked
    if not isinstance(machine, TogetherMachine) or own is None:
        return choice
    space = machine.ask.spaces[peer.seat or 0]
    for _ in range(40 if space is not None else 0):
        assert space is not None
        other = space.pick(peer.rng)
        if forbidden(own.space, other) and space.cost(other) == 0:
            return other
    return choice


BODIES: Final = (
    *(_trick(forgery) for forgery in FORGERIES if forgery.name not in NEVER),
    Trick(
        "the shuffle of the seat before", "M-SHU-1", REFUSED, "does not prove that it", BAGS, body=shuffle_of_another
    ),
    Trick("a commitment to what is forbidden", "M-TOG-1", REFUSED, "", ("mine",), choose=commits_to_what_is_illegal),
    Trick("a choice without the right to it", "15.9", AUDITED, "no right to", AMOUNTS, choose=without_the_right),
)
