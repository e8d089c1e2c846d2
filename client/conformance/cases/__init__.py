"""All cases, by section of SPEC.md. To import this package is to know them: `CASES`."""

from __future__ import annotations

from client.conformance.case import CASES
from client.conformance.cases import s15_asks

__all__ = ["CASES", "s15_asks"]
