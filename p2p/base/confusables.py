"""Which nicknames a person could take for each other: skeletons of Unicode Technical Standard 39, section 4."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kimberley.p2p.base.text import visible

_UNSEEN: Final = re.compile(
    "[\u1039\u17d2\u1a60\u1bab\u2d7f\uaaf6\U00010a3f\U0001107f\U00011133\U000113d0\U0001193e\U00011a47\U00011a99\U00011d45"
    "\U00011d97\U00011f42\U00016fe4\U0001d159]"
)
"""Characters that a name may hold and that leave no trace among letters of other scripts: signs that stack or join the
characters around them (Indic_Syllabic_Category Invisible_Stacker and the like), the Khitan filler and the null
notehead.
"""


def confusable(one: str, other: str) -> bool:
    """Returns whether a person could take one nickname for the other. Case and compatible forms make no difference
    either.
    """
    return one == other or not skeletons(one).isdisjoint(skeletons(other))


def distinct_names(nicknames: Sequence[str]) -> tuple[str, ...]:
    """Returns what the players at a table are called, by seat: a nickname that a person could take for another one
    there is followed by the seat's number, such as "root 1" and "root 2".
    """
    numbered: set[int] = set()
    while True:
        names = [f"{name} {seat + 1}" if seat in numbered else name for seat, name in enumerate(nicknames)]
        alike = {
            seat
            for seat, name in enumerate(names)
            if any(confusable(name, other) for number, other in enumerate(names) if number != seat)
        }
        if alike <= numbered:
            return tuple(names)
        numbered |= alike


def nicknames_of(names: Sequence[str]) -> tuple[str, ...]:
    """Returns the nicknames from which `distinct_names` made these names, which change when a seat is taken or left."""
    nicknames = tuple(name.removesuffix(f" {seat + 1}") for seat, name in enumerate(names))
    return nicknames if distinct_names(nicknames) == tuple(names) else tuple(names)


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """Returns the skeletons of the name as written (I looks like l) and in lower case (Ana is ana), and the same for
    its compatible forms, some of which look different: a lunate sigma looks like c.
    """
    forms = (name, unicodedata.normalize("NFKC", name))
    return frozenset(skeleton(spelling).casefold() for form in forms for spelling in (form, form.casefold()))


def skeleton(text: str) -> str:
    """Returns the same text for all texts that look alike. For comparing only, never for showing."""
    shape = _UNSEEN.sub("", visible(unicodedata.normalize("NFD", text)))
    while (mapped := unicodedata.normalize("NFD", "".join(map(_prototype, shape)))) != shape:
        shape = mapped
    return shape


@lru_cache(maxsize=4096)
def _prototype(character: str) -> str:
    """Returns the one character that stands for all characters that look like this one."""
    # Its tables take a tenth of a second to load.
    from confusable_homoglyphs.confusables import confusables_data

    def lookalikes(spelled: str) -> list[str]:
        return [entry["c"] for entry in confusables_data.get(spelled, ())]

    # A character has one prototype, and only a prototype has several lookalikes.
    alike = lookalikes(character)
    if len(alike) != 1:
        return character
    if len(alike[0]) > 1 or len(lookalikes(alike[0])) > 1:
        return visible(alike[0])
    return min(character, alike[0])
