"""Faults for tests to put into the code: each makes of what is right something that is nearly right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol.crypto import elgamal
from protocol.encoding import Malformed
from protocol.envelope import Envelope
from protocol.log import Deviation


def another_blamed(right: Any) -> Any:
    """Whoever has found something names another seat."""

    def earliest(findings: Any) -> Any:
        return tuple(Deviation(one.step, one.stage, int(one.seat == 0), one.reason) for one in right(findings))

    return earliest


def any_mail_passes(right: Any) -> Any:
    """Mail is taken as it comes."""

    def verify(g: Any, ctx: Any, public: bytes, mailbox: bytes, pairs: Any, sent: bytes) -> Any:
        points = [sent[at : at + 32] for at in range(0, 64 * len(pairs), 32)]
        return tuple(zip(points[::2], points[1::2], strict=True))

    return verify


def any_shuffle_passes(right: Any) -> Any:
    """Items are taken as they come."""

    def verify(g: Any, ctx: Any, label: str, key: bytes, items: Any, sent: bytes, proof: bytes) -> Any:
        return elgamal.decode_items(g, sent, len(items), len(items[0]))

    return verify


def out_of_stage_passes(right: Any) -> Any:
    """What stands out of its stage is thrown away without a word."""

    def catch(self: Any, envelope: Any, reason: str) -> None:
        if "out of its stage" in reason:
            self._chains[envelope.seat].queue.popleft()
        else:
            right(self, envelope, reason)

    return catch


def second_passes(right: Any) -> Any:
    """A second envelope with a number that is known is taken for the first."""

    def receive(self: Any, data: bytes) -> bool:
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return bool(right(self, data))
        known = envelope.seat < len(self._chains) and envelope.number in self._chains[envelope.seat].known
        return False if known else bool(right(self, data))

    return receive


def always(value: object) -> Callable[[Any], Any]:
    """A function that gives this, whatever it is given."""
    return lambda right: lambda *args, **named: value
