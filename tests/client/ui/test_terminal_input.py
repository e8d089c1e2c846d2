"""What terminals send, byte by byte (`tests/data/terminals.tsv`): what has a meaning here has that meaning, and nothing
else has any.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.client.ui.terminal_input import LONGEST_PASTE, LONGEST_SEQUENCE, MOST_WAITS, TerminalInput
from tests.support.paths import ROOT

DATA: Path = ROOT / "tests/data/terminals.tsv"
PASTE = "\x1b[200~two\rlines\x1b[201~"


class Stream(NamedTuple):
    """What a terminal sends, and what the program makes of it: keys by name, and clicks, as `Owner` notes them."""

    what: str
    text: str
    effect: list[str]


class Owner:
    """Notes what it is handed."""

    def __init__(self) -> None:
        self.effect: list[str] = []

    def key(self, name: str, latin: str = "") -> None:
        self.effect.append((name if name != " " else "space") + (f"({latin})" if latin else ""))

    def touch(self, x: int, y: int, button: str) -> None:
        self.effect.append(f"{button}@{x},{y}")

    def wheel(self, x: int, y: int, steps: int) -> None:
        self.effect.append(f"wheel{steps:+}@{x},{y}")

    def paste(self, text: str) -> None:
        self.effect.append(f"paste:{text!r}")

    def focus(self, on: bool) -> None:
        self.effect.append("focus" if on else "unfocus")


def read(*pieces: str, pauses: bool = False, closed_after: int | None = None) -> list[str]:
    """Returns what the program makes of what a terminal sends in pieces, with a pause after each, or only after the
    last.
    """
    owner = Owner()
    terminal = TerminalInput(owner, lambda answer: owner.effect.append(f"answer:{answer}"))  # type: ignore[arg-type]
    for number, piece in enumerate(pieces, 1):
        terminal.closed = terminal.closed or number - 1 == closed_after
        terminal.feed(piece)
        if pauses or number == len(pieces):
            terminal.flush()
    return owner.effect


def streams() -> dict[str, list[Stream]]:
    """Returns all streams, by the terminal that sends them."""
    found = defaultdict(list)
    for line in DATA.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            terminal, what, sent, effect = line.split("\t")
            # The program reads UTF-8. Anything else comes as surrogates.
            text = sent.encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "surrogateescape")
            found[terminal].append(Stream(what, text, effect.split()))
    return found


STREAMS = streams()
EACH: Final = [(f"{terminal}: {each.what}", each) for terminal, sent in STREAMS.items() for each in sent]


def test_what_a_terminal_sends_has_its_meaning_or_none() -> None:
    assert [(what, read(each.text)) for what, each in EACH] == [(what, each.effect) for what, each in EACH]


def test_sequences_end_where_they_end_whatever_follows() -> None:
    for what, each in EACH:
        if each.text not in ("\x1b", "\x1b\x1b", "\x1b[", "\x1bO", "\x1bP", "\x1b]"):
            assert read(each.text + "q") == [*each.effect, "q"], what
            assert read("q" + each.text * 3) == ["q", *each.effect * 3], what


@pytest.mark.slow
def test_a_network_may_cut_them_anywhere() -> None:
    for what, each in EACH:
        for cut in range(1, len(each.text)):
            assert read(each.text[:cut], each.text[cut:]) == each.effect, (what, cut)


@pytest.mark.slow
def test_after_a_pause_in_a_sequence_nothing_of_it_is_typed() -> None:
    for what, each in EACH:
        if not each.text.startswith("\x1b") or len(each.text) < 3 or each.text.startswith("\x1b\x1b"):
            continue
        # Nothing tells an Escape from the key Escape, until more comes.
        assert read(each.text[:1], each.text[1:], pauses=True) == ["esc", *each.effect], what
        for cut in range(2, len(each.text)):
            if not each.text[:cut].endswith("\x1b"):
                assert read(each.text[:cut], each.text[cut:], pauses=True) == each.effect, (what, cut)


def test_a_lone_escape_is_a_key_and_keys_after_it_too() -> None:
    assert read("\x1b") == ["esc"]
    assert read("\x1b", "q", pauses=True) == ["esc", "q"]
    assert read("\x1b", "[", "A", pauses=True) == ["esc", "[", "A"]
    assert read("\x1b", "\x1b", pauses=True) == ["esc", "esc"]
    assert read("\x1b\x03") == ["esc", "c-c"]
    assert read("\x1b" + PASTE) == ["esc", r"paste:'two\rlines'"]
    assert read("\x1b\x1b[I\x1b\x1b[<0;3;4M") == ["esc", "focus", "esc", "left@2,3"]


@pytest.mark.parametrize("begun", ["\x1b[", "\x1b[1;", "\x1bO", "\x1b]", "\x1b]11;rgb:", "\x1bP>|", "\x1b[<0;3"])
def test_keys_are_keys_again_after_a_sequence_whose_end_is_lost(begun: str) -> None:
    for lost in ("\x1b[A", "\x03"):
        assert read(begun + lost) == read(lost)
    assert read(begun, *["7"] * (MOST_WAITS - 1), *"qq", pauses=True)[-1] == "q"
    assert read(begun, "é\r")[-1:] == ["enter"] or begun.startswith(("\x1b]", "\x1bP"))


@pytest.mark.parametrize(
    "sent", ["\x1b[<0;-1;5M", "\x1b[<35;-12;-3M", "\x1b[<0;1.5;2M", "\x1bX12\x1b\\", "\x1b^1\x1b\\"]
)
def test_what_follows_no_rule_is_read_whole(sent: str) -> None:
    assert read(sent + "q") == ["q"]


@pytest.mark.parametrize("rest", ["13;2u", "1;3A", "<0;3;4M"])
def test_nothing_is_typed_of_a_sequence_that_is_cut_twice(rest: str) -> None:
    for cut in range(1, len(rest)):
        assert read("\x1b", "[" + rest[:cut], rest[cut:], pauses=True) == ["esc", *read("\x1b[" + rest)]


def test_a_paste_is_one_text_however_it_comes() -> None:
    for cut in range(1, len(PASTE)):
        assert read(PASTE[:cut], PASTE[cut:] + "q")[-2:] == [r"paste:'two\rlines'", "q"]
    assert read("\x1b[200~\x1b[31mred\x1b[0m\x1b[201~") == ["paste:'red'"]
    assert read("\x1b[201~q") == ["q"]
    assert read("\x1b[200~text", "\x03", "\x03", pauses=True) == ["c-c", "c-c"]


def test_what_is_endless_takes_no_memory() -> None:
    assert read("\x1b[200~", *["x" * 1000] * 100, "\x1b[20", "1~q") == [f"paste:{'x' * LONGEST_PASTE!r}", "q"]
    piece = "x" * (LONGEST_SEQUENCE // 2)
    answer, q = read("\x1b]52;c;", *[piece] * 99, "\x1b", "\\q")
    assert q == "q"
    assert answer.startswith("answer:52;c;xx")
    assert len(answer) < 2 * LONGEST_SEQUENCE
    assert read("\x1b[", *["1;" * LONGEST_SEQUENCE] * 3, "zq") == ["q"]


def test_nothing_has_a_meaning_after_the_end() -> None:
    assert read("a", "b", "\x1b[A", closed_after=1) == ["a"]


@given(st.lists(st.text(alphabet="\x1b[]OPM<>?;:0129$~muRc_\\\x07\x03\r\x9b\x9c qé", max_size=12), max_size=6))
def test_nothing_is_raised_and_cuts_change_nothing(pieces: list[str]) -> None:
    assert read(*pieces) == read("".join(pieces))
    read(*pieces, pauses=True)


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), max_size=20))
def test_what_is_typed_arrives(text: str) -> None:
    assert read(text) == ["space" if each == " " else each for each in text if each.isprintable()]
