"""Two ways to spoil a tournament, on separate hosts: a program that is gone, and words that somebody does not confirm.

Whoever is at fault loses, and the other one does not.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.e2e.lan.test_referee import CLOCKS, CUP, PATIENCE, accept, running
from tests.support.at_the_lan import player
from tests.support.lan import Lan
from tests.support.terminal import Terminal


@contextmanager
def cup(lan: Lan, tmp_path: Path, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yields a referee at host 1, for two players of Diamond, who meet once."""
    with running(
        lan, 1, tmp_path / "referee.log", "referee", CUP, "--game", "diamond", "--rounds", "1", "--players", "2",
        "--linger", "0", "--data", str(tmp_path / "referee"), *more,
    ) as referee:  # fmt: skip
        yield referee


def enter(person: Terminal) -> None:
    person.press("j")
    person.wait(CUP, PATIENCE)
    person.press("enter")
    person.wait("Waiting for the first round.", PATIENCE)


def verified(tmp_path: Path) -> str:
    """Returns what `kimberley verify` says of the bundle, which must be in order."""
    bundle = next((tmp_path / "referee" / "export").glob("*.cup"))
    checked = subprocess.run(
        [sys.executable, "-m", "kimberley.client.cli.main", "verify", str(bundle)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return checked.stdout


def test_who_kills_the_own_program_on_the_others_turn_loses(tmp_path: Path) -> None:
    """Without the rule ana, who has to choose, would lose on time to a program that is gone."""
    with ExitStack() as evening:
        lan = evening.enter_context(Lan(3))
        referee = evening.enter_context(cup(lan, tmp_path, "--clock", "30s", "--grace", "5"))
        ana = evening.enter_context(player(lan, 2, "ana", tmp_path))
        enter(ana)
        bot = evening.enter_context(running(
            lan, 3, tmp_path / "bot.log", "bot", "join", CUP, "--level", "1", "--nickname", "ben",
            "--data", str(tmp_path / "ben"),
        ))  # fmt: skip
        # Nobody asks ana for words: the referee says that ben is a bot.
        ana.wait(lambda text: CLOCKS.search(text) is not None and "you ▸" in text, PATIENCE)
        bot.kill()
        ana.wait(lambda text: "away" in text and "you ▸" in text, PATIENCE)
        ana.wait(lambda text: "away" in text and "you ▸" not in text, PATIENCE)
        assert referee.wait(PATIENCE) == 0

    said = (tmp_path / "referee.log").read_text()
    assert "ben lost after being away for" in said, said
    assert "on ana’s turn." in said
    assert "ben (bot) has joined" in said
    assert "ben" in next(line for line in verified(tmp_path).splitlines() if "away for too long" in line)


def test_who_does_not_say_that_the_words_are_the_same_loses(tmp_path: Path) -> None:
    with ExitStack() as evening:
        lan = evening.enter_context(Lan(3))
        referee = evening.enter_context(cup(lan, tmp_path, "--come", "20"))
        ana = evening.enter_context(player(lan, 2, "ana", tmp_path))
        ben = evening.enter_context(player(lan, 3, "ben", tmp_path))
        enter(ana)
        enter(ben)
        accept(ana, True)
        ben.wait("Same y", PATIENCE)
        ana.wait("ben has 0:", PATIENCE)
        ben.wait("You have 0:", PATIENCE)
        ben.wait("You lost this game because you were not ready in time.", PATIENCE)
        assert referee.wait(PATIENCE) == 0

    said = (tmp_path / "referee.log").read_text()
    assert "Table 1 is waiting for ben (comparing words, 0:" in said, said
    assert "ben did not confirm within 20 seconds that the words match." in said
    assert "ben" in next(line for line in verified(tmp_path).splitlines() if "did not get ready in time" in line)
