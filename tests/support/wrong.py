"""Faults for tests to put into the code: each turns a correct function into one that is nearly correct."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kimberley.protocol.crypto import elgamal
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.log import Deviation


def another_blamed(right: Any) -> Any:
    """Blames another seat for each deviation found."""

    def earliest(findings: Any) -> Any:
        return tuple(Deviation(one.step, one.stage, int(one.seat == 0), one.reason) for one in right(findings))

    return earliest


def finds_nothing(right: Any) -> Any:
    """Re-executes seats and overlooks every deviation."""

    def reexecute(*args: Any) -> Any:
        return replace(right(*args), deviation=None)

    return reexecute


def any_mail_passes(right: Any) -> Any:
    """Accepts mail without checking it."""

    def verify(g: Any, ctx: Any, public: bytes, mailbox: bytes, pairs: Any, sent: bytes) -> Any:
        points = [sent[at : at + 32] for at in range(0, 64 * len(pairs), 32)]
        return tuple(zip(points[::2], points[1::2], strict=True))

    return verify


def any_shuffle_passes(right: Any) -> Any:
    """Accepts shuffled items without checking them."""

    def verify(g: Any, ctx: Any, label: str, key: bytes, items: Any, sent: bytes, proof: bytes) -> Any:
        return elgamal.decode_items(g, sent, len(items), len(items[0]))

    return verify


def out_of_stage_passes(right: Any) -> Any:
    """Returns a handler that silently drops envelopes outside their stage."""

    def catch(self: Any, envelope: Any, reason: str) -> None:
        if "out of turn" in reason:
            self.chains[envelope.seat].queue.popleft()
        else:
            right(self, envelope, reason)

    return catch


def second_passes(right: Any) -> Any:
    """Ignores a second envelope with a known number."""

    def receive(self: Any, data: bytes) -> bool:
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return bool(right(self, data))
        known = envelope.seat < len(self.chains) and envelope.number in self.chains[envelope.seat].known
        return False if known else bool(right(self, data))

    return receive


def always(value: object) -> Callable[[Any], Any]:
    """Returns a function that always returns this value."""
    return lambda right: lambda *args, **named: value
