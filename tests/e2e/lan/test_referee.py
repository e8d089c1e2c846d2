"""A club evening on seven hosts: a referee, four bots, and two people who find the tournament under Join.

ana has only a keyboard, ben only a mouse. Both compare words, see the board, and resign: this tests the way through two
rounds. Meanwhile somebody on the same network reads the page.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.support.at_the_lan import player
from tests.support.lan import Lan
from tests.support.terminal import Terminal, at_the_end

CUP: Final = "Friday Cup"
ROUNDS: Final = 2
PATIENCE: Final = 240.0
CLOCKS: Final = re.compile(r"you ▸?\d+:\d\d  \w+ ▸?\d+:\d\d")
READ: Final = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=60).read().decode())"


@contextmanager
def running(lan: Lan, host: int, log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs `kimberley` on a host, without a terminal. Its output goes into `log`."""
    command = lan.inside(sys.executable, "-m", "tests.support.seeded", *arguments, host=host)
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def accept(person: Terminal, keyboard: bool) -> None:
    """Confirms that the words are the same, if the opponent is a person. With a bot the game begins at once."""
    text = person.wait(lambda text: "Same y" in text or CLOCKS.search(text) is not None, PATIENCE)
    if "Same y" not in text:
        return
    person.press("y") if keyboard else person.touch("Same y")


def give_up(person: Terminal, keyboard: bool) -> None:
    """Resigns once the board shows the clocks. If the other side was faster, the game is over."""
    text = person.wait(lambda text: at_the_end(text) or CLOCKS.search(text) is not None, PATIENCE)
    if at_the_end(text):
        return
    if keyboard:
        person.press("f10", "r", "x")
    else:
        person.touch("F10 Menu")
        person.touch("Resign")
        person.touch("Resign x")
    person.wait(lambda text: at_the_end(text) or "Standings" in text or "Same y" in text, PATIENCE)


def back(person: Terminal, keyboard: bool) -> None:
    """Goes from the end of the last game back to the tournament."""
    if at_the_end(person.wait(lambda text: at_the_end(text) or "Standings" in text, PATIENCE)):
        person.dossier()
        person.press("esc") if keyboard else person.touch("Tournament")
    person.wait("Standings", PATIENCE)


def test_a_referee_four_bots_and_two_people_play_two_rounds(tmp_path: Path) -> None:
    with ExitStack() as evening:
        lan = evening.enter_context(Lan(7))
        book = tmp_path / "referee"
        referee = evening.enter_context(running(
            lan, 1, tmp_path / "referee.log", "referee", CUP, "--game", "diamond", "--format", "swiss",
            "--rounds", str(ROUNDS), "--clock", "10m+5s", "--players", "6", "--pause", "5", "--web", "8080",
            "--data", str(book),
        ))  # fmt: skip
        ana = evening.enter_context(player(lan, 2, "ana", tmp_path))
        ben = evening.enter_context(player(lan, 3, "ben", tmp_path))
        ana.press("j")
        ana.wait(CUP)
        ana.press("enter")
        ana.wait("Waiting for the first round.")
        ben.touch("Join j")
        ben.wait(CUP)
        ben.touch("Join Enter")
        ben.wait("Waiting for the first round.")
        bots = [
            evening.enter_context(running(
                lan, host, tmp_path / f"bot{host}.log", "bot", "join", CUP, "--level", "1", "--nickname", f"bot{host}",
                "--data", str(tmp_path / f"bot{host}"),
            ))
            for host in range(4, 8)
        ]  # fmt: skip
        for _ in range(ROUNDS):
            for person in (ana, ben):
                accept(person, person is ana)
            for person in (ana, ben):
                give_up(person, person is ana)
        for person in (ana, ben):
            back(person, person is ana)
        ana.wait("The tournament is over.", PATIENCE)
        page = subprocess.run(
            lan.inside(sys.executable, "-c", READ, "http://10.77.0.1:8080/", host=2),
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        assert f"<title>{CUP}</title>" in page
        assert all(f">{name}<" in page for name in ("ana", "ben", "bot4 (bot)", "bot7 (bot)"))
        # It stays until it is stopped, so the page cannot be gone before it has been read. By Ctrl-C: SIGTERM gives it
        # 1.5 s, too few for a busy machine.
        referee.send_signal(signal.SIGINT)
        for process in (referee, *bots):
            assert process.wait(PATIENCE) == 0, (tmp_path / "referee.log").read_text()

    said = (tmp_path / "referee.log").read_text()
    assert said.count("The game was fair.") == 3 * ROUNDS, said
    bundle = next((book / "export").glob("*.cup"))
    checked = subprocess.run(
        [sys.executable, "-m", "kimberley.client.cli.main", "verify", str(bundle)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "Fair: 2 rounds, 6 results and 6 games check out." in checked.stdout
