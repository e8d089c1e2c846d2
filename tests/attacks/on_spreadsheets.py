"""A player enrols under a name that is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import Final

from p2p.identity import nickname_from
from p2p.referee import export
from p2p.referee.events import Enrolled
from tests.attacks.attack import Attack, Outcome
from tests.support.cups import PEOPLE, Evening, cup_of

SPELLINGS: Final = [chr(code) for code in range(0x10000) if unicodedata.normalize("NFKC", chr(code)) in set("=+-@")]
NAMES: Final = [f"{lead}{sign}SUM(A1)" for sign in SPELLINGS for lead in ("", "Ana;", "Ana; ")]


def formulas() -> Outcome:
    evening = Evening.of(cup_of())
    names = [name for name in NAMES if nickname_from(name) == name]
    for number, name in enumerate(names):
        evening.add(Enrolled(1, PEOPLE[number], name))
    lines = csv.DictReader(io.StringIO(export.standings_csv(evening.tournament)))
    cells = [cell.strip() for line in lines for cell in line["name"].split(";")]
    open_ones = sum(unicodedata.normalize("NFKC", cell)[:1] in set("=+-@") for cell in cells)
    return Outcome(not open_ones, f"{open_ones} of {len(names)} names are formulas")


ATTACKS = (Attack("csv-formulas", "A player's name is a formula, in any spelling of its sign.", formulas),)
