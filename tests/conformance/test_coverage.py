"""Every requirement of SPEC.md has a case, or a reason why nobody can test it from outside."""

from __future__ import annotations

import re
from typing import Final

from kimberley.conformance.cases import CASES
from kimberley.conformance.command import WITHOUT_CASES
from kimberley.conformance.report.page import SECTIONS
from kimberley.protocol.words import WORDS
from tests.support.spec import whole

TEXT: Final = whole()
NUMBERS: Final = re.findall(r"^- \*\*\[([MS]-[A-Z]{3}-\d+)\]", TEXT, re.MULTILINE)

MULTICAST: Final = "it is about lists of tables, and ports nobody has chosen, which no role of a target has"
PERSON: Final = "it is about what a person is shown, and a target shows nobody anything"
REFEREE: Final = "it is about referees, which are no targets: tests/referee and tests/e2e/lan hold ours to it"
ROOM: Final = "it is about rooms, which are no peers: tests/p2p/sharing/test_room.py holds ours to it"
UNTESTED: Final = {
    "M-DSC-1": MULTICAST,
    "S-DSC-2": MULTICAST,
    "S-DSC-3": MULTICAST,
    "M-ENC-5": "where [M-ENC-1] is kept, the bytes received and the bytes packed anew are the same",
    "S-FRM-5": "no honest conversation leaves so much unsent",
    "S-SEA-22": "it takes minutes: tests/p2p/table/test_queue.py holds ours to it",
    "S-SEA-23": PERSON,
    "S-WRD-7": PERSON,
    "S-SAY-5": PERSON,
    "S-RET-5": "it takes a disk that is full",
    "S-RET-9": PERSON,
    "S-RET-12": PERSON,
    "M-ESC-2": "what a seat computes for itself cannot be seen",
    "M-JRN-2": "a journal's format binds nobody else, so nobody else can damage it in its middle",
    "S-JRN-6": "where a target keeps what a copy of its data does not bring back is its own affair",
    "S-LOK-4": PERSON,
    "S-WEB-7": ROOM,
    "S-LOK-5": "what a program thinks, and shows its own person, cannot be seen by the others at its table",
    "S-LOK-7": "it is about the seat of a person, and a program plays the seats of a target",
    "S-LOK-8": PERSON,
}


def test_every_requirement_has_a_case_or_a_reason() -> None:
    covered = {number for case in CASES.values() for number in case.covers}
    referees = {number for number in NUMBERS if number[2:5] == "REF"}
    assert covered <= set(NUMBERS)
    assert not covered & UNTESTED.keys()
    assert set(NUMBERS) - covered - referees == set(UNTESTED), "a requirement needs a case, or a reason"
    assert referees, REFEREE


def test_there_are_cases_of_all_sections_and_all_asks() -> None:
    assert len(CASES) >= 150
    assert {case.section for case in CASES.values()} == set(SECTIONS)
    chapters = re.split(r"^## (\d+) ", TEXT, flags=re.MULTILINE)
    areas = {
        int(number): set(re.findall(r"^- \*\*\[[MS]-([A-Z]{3})-", text, re.MULTILINE))
        for number, text in zip(chapters[1::2], chapters[2::2], strict=True)
    }
    without = {section: found for section, found in areas.items() if found and section not in SECTIONS}
    assert without == {section: set(found) for section, found in WITHOUT_CASES.items()}
    headings = dict(re.findall(r"^## (\d+) (.*)$", TEXT, re.MULTILINE))
    assert {section: headings[str(section)] for section in SECTIONS} == SECTIONS


def test_cases_say_what_they_ask_and_what_they_expect() -> None:
    titles = [(case.section, case.title) for case in CASES.values()]
    assert len(set(titles)) == len(titles)
    for case in CASES.values():
        assert case.title
        assert case.expect
        assert not case.expect.endswith(".")
        assert case.covers


def test_the_words_are_those_of_section_26() -> None:
    written = re.search(r"^```words\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert written is not None
    assert list(WORDS) == written[1].split()
