"""What the suite knows of one ask: how a script spells it, and what it demands of the seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kimberley.client.conformance.asks.base import PendingAsk
from kimberley.client.conformance.asks.knowledge import PublicFacts
from kimberley.client.conformance.asks.script_memory import ScriptMemory
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import Answer, Ask


def _unchanged(memory: ScriptMemory, ask: Ask, answer: Answer) -> ScriptMemory:
    del ask, answer
    return memory


@dataclass(frozen=True)
class SuiteAsk:
    """What the suite knows of one ask.

    Args:
        words: The first entries of the arrays that spell the ask in a script (SPEC.md, section 27.1).
        read: The ask that such an array spells; None if nobody is left to answer it. Raises NotSpelled.
        pending: What the ask demands, once it has been put.
        remember: What a script remembers after the ask is answered.

    """

    words: tuple[str, ...]
    read: Callable[[Plain, ScriptMemory], Ask | None]
    pending: Callable[[PublicFacts, int, Any], PendingAsk]
    remember: Callable[[ScriptMemory, Any, Answer], ScriptMemory] = _unchanged
