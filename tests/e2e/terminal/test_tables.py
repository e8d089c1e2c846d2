"""From the title screen to the dossier on real terminals: alone, and two players at one table over the network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.cards_board import installed
from tests.support.terminal import Terminal, address_of, at_the_end

SEATS: Final = 34
"""The columns of the lobby's panel of seats, at whose right the cards are."""


def words(terminal: Terminal) -> list[str]:
    """Returns the four words on the cards in the lobby."""

    def cards(text: str) -> list[str]:
        beside = "\n".join(row[SEATS:] for row in text.split("\n"))
        return [word for _, word in sorted(re.findall(r"(?<!\w)([1-4])\s{2,}([a-z]+)\s", beside))]

    return cards(terminal.wait(lambda text: len(cards(text)) == 4))


def resign(terminal: Terminal) -> None:
    """Resigns from the menu."""
    terminal.press("f10")
    terminal.touch("Resign")
    terminal.touch("Resign x")


def host(data: Path, *arguments: str) -> Terminal:
    return Terminal("host", "--nickname", "ana", *arguments, data=data / "ana")


def join(data: Path, *arguments: str) -> Terminal:
    return Terminal("join", *arguments, "--nickname", "ben", data=data / "ben")


def test_alone_to_the_dossier_and_again(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        terminal.wait("quit")
        terminal.press("a")
        terminal.wait("Level")
        terminal.press("left", "left", "enter")
        terminal.wait("months left")
        resign(terminal)
        text = terminal.dossier()
        assert "you resigned" in text
        assert "kimberley verify FILE" in text
        records = list((tmp_path / "records").iterdir())
        assert len(records) == 1
        assert records[0].name in text
        terminal.press("p")
        terminal.wait("months left")
        terminal.press("c-c")
        terminal.wait("Your game is saved.")
        terminal.press("c-c")
        assert terminal.end() == 0


def test_two_compare_words_talk_play_and_part(tmp_path: Path) -> None:
    with host(tmp_path) as ana, join(tmp_path, address_of(ana)) as ben:
        assert words(ana) == words(ben)
        assert len(set(words(ana))) == 4
        ben.wait("not verified")
        ana.press("y")
        ana.wait("Waiting for ben.")
        ben.touch("Same y")
        ana.wait(" PAY ")
        ben.wait(" PAY ")

        ben.press("c")
        ben.wait("No messages yet")
        ben.press(*"hello ana", "enter")
        ana.wait("ben: hello ana")
        resign(ben)
        assert "You win" in ana.dossier()
        ben.dossier()

        ana.wait("Choose a rematch")
        ben.touch("Rematch p")
        ana.wait("ben wants")
        ana.press("p")
        ana.wait("months left")
        ben.wait("months left")
        ben.press("f10")
        ben.touch("Leave the table")
        ben.wait("nobody can resume this game")
        ben.press("x")
        ben.wait("Play alone a")
        text = ana.wait("ben left the table")
        assert ".kdt" in text
        ana.press("enter")
        ana.wait("Play alone a")


@pytest.mark.nightly
def test_who_leaves_after_the_game_leaves_the_other_one_the_dossier(tmp_path: Path) -> None:
    with host(tmp_path) as ana, join(tmp_path, address_of(ana)) as ben:
        words(ana)
        words(ben)
        ana.press("y")
        ben.press("y")
        ana.wait("months left")
        resign(ana)
        ben.dossier()
        ana.dossier()
        ana.touch("Leave Esc")
        ana.wait("ben is still here. If you leave, the table")
        ana.touch("Leave y")
        ana.wait("Play alone a")
        text = ben.wait("ana left the table")
        assert "FAIR ✓" in text
        assert "Rematch" not in text
        ben.touch("Title screen")
        ben.wait("Play alone a")


def test_different_words_end_the_table_on_both_screens(tmp_path: Path) -> None:
    with host(tmp_path) as ana, join(tmp_path, address_of(ana)) as ben:
        words(ana)
        words(ben)
        ben.touch("Different n")
        ben.wait("Someone may be tampering")
        ben.press("x")
        ben.wait("Play alone a")
        ana.wait("ben says that the words differ")


def test_keys_do_nothing_unseen_on_a_terminal_that_became_too_small(tmp_path: Path) -> None:
    with Terminal("alone", "--nickname", "ana", "--calm", data=tmp_path) as terminal:
        terminal.wait("Done d")
        terminal.resize(60, 20)
        terminal.wait("Keys and clicks do nothing here.")
        terminal.press("d", "y")
        terminal.resize(80, 24)
        text = terminal.wait("Done d")
        assert " PAY " in text
        assert "Finish y" not in text
        terminal.resize(60, 20)
        terminal.wait("Keys and clicks do nothing here.")
        terminal.press("c-c", "c-c")
        assert terminal.end() == 0


def test_who_leaves_at_the_words_leaves_an_open_table(tmp_path: Path) -> None:
    with host(tmp_path) as ana, join(tmp_path, address_of(ana)) as ben:
        words(ana)
        words(ben)
        ben.press("esc")
        ben.touch("Leave x")
        ben.wait("Play alone a")
        text = ana.wait("ben left. The table is open again.")
        assert "1 of 2 seats taken" in text
        with join(tmp_path, address_of(ana)) as again:
            assert words(again) == words(ana)


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    with (
        Terminal("host", "--nickname", "ana", data=tmp_path / "one") as one,
        Terminal("join", address_of(one), "--nickname", "Ana", data=tmp_path / "two") as two,
    ):
        words(one)
        words(two)
        for terminal in (one, two):
            assert {"ana 1", "Ana 2"} <= set(re.findall(r"ana [12]", terminal.text, re.IGNORECASE))


def test_a_host_is_listed_as_it_comes_and_goes(tmp_path: Path) -> None:
    """Other tables may be open on the same network."""
    row = re.compile(r"Diamond Trust of London +zora77 +1 of 2")
    with Terminal("join", data=tmp_path / "ben") as ben:
        ben.wait("Tables on this network")
        with Terminal("host", "--nickname", "zora77", data=tmp_path / "zora") as zora:
            zora.wait("kimberley join")
            ben.wait(lambda text: row.search(text) is not None)
            zora.process.kill()
            # A table above the one that is selected stays in its place, as closed.
            ben.wait(lambda text: row.search(text) is None)


def test_nobody_there_says_what_to_do(tmp_path: Path) -> None:
    with join(tmp_path, "127.0.0.1:1") as ben:
        text = ben.wait("What happened")
        assert "127.0.0.1" in text
        ben.press("esc")
        ben.wait("Play alone a")


def test_three_and_a_bot_until_one_leaves_the_game(tmp_path: Path) -> None:
    """A game from another package, at a table with the host, a guest, and a bot of the host."""
    environ = installed(tmp_path / "packages")
    with (
        Terminal("host", "cards", "--seats", "4", "--nickname", "ana", data=tmp_path / "ana", environ=environ) as ana,
        Terminal("join", address_of(ana), "--nickname", "ben", data=tmp_path / "ben", environ=environ) as ben,
    ):
        ana.wait("2 of 4 seats taken")
        ana.press("b")
        ana.wait("3 of 4 seats taken")
        ana.touch("add a bot")
        ana.wait("4 of 4 seats taken")
        ana.press("-")
        ben.wait("3 of 4 seats taken")
        ben.touch("Ready r")
        ana.wait("Waiting for you.")
        ana.press("r")
        assert words(ana) == words(ben)
        ben.press("y")
        ana.wait("Waiting for you.")
        ana.press("y")

        for seat in (ana, ben):
            seat.wait("bid 2")
            seat.press("enter")
        ana.wait("draw")
        ben.press("f10")
        ben.touch("Resign")
        ben.wait("You will be out of the game")
        ben.touch("Resign x")
        ana.press("enter")
        ana.wait("ben (left)")
        ben.wait("ben (left)")
        while not at_the_end(text := ana.wait(lambda text: "your turn" in text or at_the_end(text))):
            ana.press("enter")
            ana.wait(lambda now, before=text: now != before)  # type: ignore[misc]
        assert "ben resigned before the end." in ana.dossier()
        assert "Every move was replayed" in ben.dossier()


@pytest.mark.nightly
def test_one_that_goes_home_lets_the_others_play_on(tmp_path: Path) -> None:
    environ = installed(tmp_path / "packages")
    bot, at_once = ("-m", "tests.support.seeded", "bot"), ("--linger", "0")
    with (
        Terminal("host", "cards", "--seats", "3", "--nickname", "ana", data=tmp_path / "ana", environ=environ) as ana,
        Terminal(
            "join", address_of(ana), *at_once, "--nickname", "ben", data=tmp_path / "ben", environ=environ, program=bot
        ) as ben,
        Terminal(
            "join", address_of(ana), *at_once, "--nickname", "eve", data=tmp_path / "eve", environ=environ, program=bot
        ) as eve,
    ):
        ana.wait("3 of 3 seats taken")
        ana.wait("Waiting for you.")
        ana.press("r")
        ana.touch("Same y")
        ana.wait("bid 2")
        ana.press("f10")
        ana.touch("Leave the table")
        ana.wait("You will be out of the game")
        ana.press("x")
        ana.wait("Play alone a")
        for other in (ben, eve):
            assert "ana resigned; the game goes on" in other.wait(".kdt")
            assert other.end() == 0
