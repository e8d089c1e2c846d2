"""A table of Diamond without a protocol: the test plays one seat, and says what the other one does."""

from __future__ import annotations

from games.diamond import GAME
from games.diamond.rules import State
from games.table import Result
from protocol.events import Answered
from protocol.play import Refused
from tests.support.pretend import PretendPeer, PretendTable


class DiamondTable(PretendTable):
    """The seat of a test. After each of its turns the other one makes the next of `replies`, as long as there are any.

    `first` begins. With `state` the game goes on from there, though its story begins with that.
    """

    def __init__(self, seat: int = 0, first: int = 0, state: State | None = None, replies: str = "") -> None:
        super().__init__(game=GAME, seat=seat, phase="playing", agreed=(True, True))
        self.replies = [reply.replace("~", " ") for reply in replies.split()]
        self.diamond = PretendPeer(seat, state or State())
        self.peer = self.diamond
        if state is None:
            self.diamond.tell((first,))
        self.go_on()

    @property
    def state(self) -> State:
        return self.diamond.state

    @property
    def turns(self) -> list[object]:
        """What the test's seat chose."""
        return [done[1] for done in self.done if done[0] == "choose"]

    def choose(self, plain: object) -> None:
        asked = self.diamond.asked
        if asked is None:
            raise Refused("nothing is asked")
        reason = asked.space.why_not(plain)  # type: ignore[arg-type]
        if reason is not None:
            raise Refused(reason)
        self.done.append(("choose", plain))
        self.tell(plain)
        self.go_on()

    def tell(self, turn: object) -> None:
        """A turn of either side arrives."""
        before = self.diamond.state.ask()
        assert not isinstance(before, Result)
        self.diamond.tell(turn)
        self.change(Answered(len(self.diamond.story) - 1, before, turn, self.state))

    def go_on(self) -> None:
        """The other side makes its next turn, if it is its."""
        while self.replies and self.diamond.asked is None and self.diamond.result is None:
            self.tell(self.replies.pop(0))
