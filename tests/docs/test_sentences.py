"""The sentences that people read: one word for one thing, and none that no editor has read."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.support.paths import ROOT
from tests.tools import sentences
from tests.tools.sentences import READ, Sentence, unread

GLOSSARY: Final = {
    r"last look|look(s|ed)? once more": "adjust",
    r"treason|turncoats?|turned agents?": "double agent",
    r"sealed|seals": "locked in",
    r"by lot|lots are|lots decide|the lots": "at random, the draw",
    r"put(s|ting)? (it|the game )?aside": "save for later",
    r"on-?lookers?|looks? on": "spectator, watch",
    r"sit(s|ting)? down|sat down": "join",
    r"met before|first meeting": "verified, not verified",
    r"line mode": "text mode",
    r"anew|besides|as it stands|at all times": "nothing, or again",
    r"gives? free|confiscat\w+": "seizes",
    r"enroll?(s|ed|ment)?\b.* table": "join",
    r"this machine|this device": "this computer",
}
"""What no player reads, and what they read instead."""
ROOMS: Final = ("client", "conformance", "games", "p2p", "protocol", "referee")
"""Where sentences are put together."""
PROTOCOL: Final = ("protocol/", "client/cli/")
"""What may say how the protocol works: reasons from evidence, and commands for those who make programs."""


def banned(found: list[Sentence]) -> list[str]:
    """Returns where a word is used for which players have another one."""
    return [
        f"{one.path}:{one.line}: {one.text!r}: say {better}"
        for one in found
        if not one.path.startswith(PROTOCOL)
        for word, better in GLOSSARY.items()
        if re.search(rf"\b({word})\b", one.text, re.IGNORECASE)
    ]


@pytest.fixture(scope="module")
def found() -> list[Sentence]:
    return sentences.sentences()


@pytest.mark.slow
def test_one_word_stands_for_one_thing(found: list[Sentence]) -> None:
    assert banned(found) == []


def test_no_list_is_joined_by_hand() -> None:
    """Otherwise three names read "a and b and c"."""
    joined = re.compile(r"""["'] (and|or) ["']\.join""")
    sources = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    assert [path for path in sources if path.name != "phrases.py" and joined.search(path.read_text("utf-8"))] == []


def test_a_word_of_our_own_is_found() -> None:
    assert banned([Sentence("The lots decide who begins.", "The lots decide who begins.", "client/plain/x.py", 1)])


@pytest.mark.slow
def test_apostrophes_are_of_one_kind(found: list[Sentence]) -> None:
    """Except in protocol/, whose reasons are for those who read evidence."""
    straight = [one for one in found if re.search(r"[a-z]'(s|t|re|ve|ll|d)\b", one.text)]
    assert [one for one in straight if not one.path.startswith("protocol/")] == []


@pytest.mark.slow
def test_a_whole_sentence_stands_in_one_place(found: list[Sentence]) -> None:
    places: dict[str, set[str]] = {}
    for one in found:
        if (
            one.path.endswith(".py")
            and re.match(r"[A-Z].*\.$", one.shape)
            and len(re.findall(r"[\w’]+", one.shape)) > 3
        ):
            places.setdefault(one.shape, set()).add(one.path)
    assert {shape: sorted(paths) for shape, paths in places.items() if len(paths) > 1} == {}


@pytest.mark.slow
def test_no_room_is_left_out(found: list[Sentence]) -> None:
    rooms = {folder.relative_to(ROOT).as_posix() for top in ("client", "p2p") for folder in (ROOT / top).iterdir()
             if (folder / "__init__.py").exists()}  # fmt: skip
    assert rooms - {"/".join(one.path.split("/")[:2]) for one in found} == set()


@pytest.mark.slow
def test_an_editor_has_read_every_sentence(found: list[Sentence]) -> None:
    new = [f"{one.path}:{one.line}: {one.text!r}" for one in unread(found)]
    assert new == [], "read them, mend them, and note it: python -m tests.tools.sentences --new, then --read"


def test_a_sentence_that_nobody_has_read_is_found() -> None:
    (one,) = unread([Sentence("Nobody has read this sentence.", "Nobody has read this sentence.", "client/x.py", 1)])
    assert one.line == 1


@pytest.mark.slow
def test_the_list_holds_nothing_that_is_gone(found: list[Sentence]) -> None:
    assert set(READ.read_text("utf-8").split()) - {one.digest for one in found} == set()


@pytest.mark.slow
def test_text_built_from_parts_is_one_sentence_with_samples(found: list[Sentence]) -> None:
    (queue,) = {one.text for one in found if "in the queue and join" in one.text}
    assert "{" not in queue
