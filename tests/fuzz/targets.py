"""All targets of the fuzzers, by name."""

from __future__ import annotations

from tests.fuzz.bodies import BODIES, CHOICES
from tests.fuzz.formats import FORMATS
from tests.fuzz.target import Target
from tests.fuzz.tournaments import CUPS

TARGETS: dict[str, Target] = {target.name: target for target in (*FORMATS, *CUPS, *BODIES, *CHOICES)}
