"""A player enrolls under a name that a spreadsheet reads as a formula."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import Final

from kimberley.p2p.storage.identity import nickname_from
from kimberley.p2p.tournament.events import PlayerEnrolled
from kimberley.referee import export
from tests.attacks.attack import Attack, Outcome
from tests.support.tournaments import PEOPLE, Evening, settings_of

SPELLINGS: Final = [chr(code) for code in range(0x10000) if unicodedata.normalize("NFKC", chr(code)) in set("=+-@")]
NAMES: Final = [f"{lead}{sign}SUM(A1)" for sign in SPELLINGS for lead in ("", "Ana;", "Ana; ")]


def formulas() -> Outcome:
    evening = Evening.of(settings_of())
    names = [name for name in NAMES if nickname_from(name) == name]
    for number, name in enumerate(names):
        evening.add(PlayerEnrolled(1, PEOPLE[number], name))
    lines = csv.DictReader(io.StringIO(export.standings_csv(evening.tournament)))
    cells = [cell.strip() for line in lines for cell in line["name"].split(";")]
    open_ones = sum(unicodedata.normalize("NFKC", cell)[:1] in set("=+-@") for cell in cells)
    return Outcome(not open_ones, f"{open_ones} of {len(names)} names are formulas")


ATTACKS = (Attack("csv-formulas", "A player's name is a formula, in any spelling of its sign.", formulas),)
