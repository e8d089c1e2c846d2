"""The game `script`, which the program plays for the conformance suite only."""

from __future__ import annotations

from client.conformance.script import SCRIPT

__all__ = ["SCRIPT"]
