"""Proves that a refactoring changes nothing that a player sees: gives the same keys, clicks and touches to the boards
and screens of two checkouts, and compares every look: cells, styles, what can be clicked, hints and sentences.

    python -m tests.tools.walk OLD               # this checkout against another one
    python -m tests.tools.walk OLD --steps 400   # longer walks
    python -m tests.tools.walk OLD --only mine   # of one game, or "screens"

Each walk is drawn from a seed. It ends where the two first differ, which is printed. The exit status is 1 if any do.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

STEPS: Final = 150
"""Keys, clicks and touches of a walk."""
DESKTOP: Final = ((80, 24), (120, 40))
PHONE: Final = (40, 40)
SEEDS: Final = (1, 2)
GAMES: Final = {"diamond-trust": (2,), "diamond": (2,), "land": (2, 4), "mine": (2, 4), "piecepack": (3, 4)}
"""Each game, and with how many players it is walked through."""
STARTS: Final = (("diamond", 2, 1, ""), ("diamond", 1, 4, ""), ("mine", 2, 38, "tab"), ("mine", 1, 66, "tab"))
"""Choices to which whole games of two seldom lead, by game, seed, the asks before, and a key: whether to swap, a draw
that is offered, and moves to a gem on which others can be dropped.
"""
TURN: Final = 8
"""How many inputs a choice is given."""
SCREENS: Final = "screens"
KEYS: Final = (
    "up", "down", "left", "right", "tab", "s-tab", "enter", "enter", "esc", " ", "pageup", "pagedown", "home", "end",
    "f1", "f2", "f3", "f10", *"0123456789abdefghijklnoprstuvwxyz=+-/", "backspace",
)  # fmt: skip
LEAVING: Final = frozenset({"key:c-c", "key:f5", "nothing"})
"""What is not clicked: it would end the walk, or nothing can be seen of it."""
PACE: Final = 0.7
"""Seconds between two inputs."""
CLICKED: Final = 0.5
"""How often an input is a click, where something can be clicked."""
BY_KIND: Final = 0.5
"""How often a click is drawn by its kind first, so that the many points of a board do not hide all else."""
VISIT: Final = 40
"""How many inputs a visit has: it begins at the title screen and goes wherever they lead."""

Walks: TypeAlias = dict[str, list[Any]]
"""The looks of each walk, by its name."""


@dataclass
class Look:
    """What is seen after an input."""

    given: str
    lines: list[str]
    facts: dict[str, str] = field(default_factory=dict)
    """Digests of the styles and of what can be clicked; hints and sentences as they are."""


def looks_of(app: Any, size: tuple[int, int], given: str) -> tuple[Look, list[Any]]:
    """Returns what an app shows, and the areas that can be clicked."""
    from kimberley.client.boards.game_screen import GameScreen

    canvas = app.draw(*size)
    styles = hashlib.sha256()
    for y in range(canvas.height):
        characters, found = canvas.row(y)
        styles.update(
            repr([s if c.strip() or s.underline else s.bg for c, s in zip(characters, found, strict=True)]).encode()
        )
    areas = sorted(canvas.hits, key=lambda area: (repr(area.action), area.y, area.x))
    facts = {
        "styles": styles.hexdigest(),
        "clicks": repr([(area.action, area.x, area.y, area.width, area.height) for area in areas]),
    }
    top = app.stack[-1] if app.stack else None
    facts["screen"] = type(top).__name__
    form = top.form(app.now()) if isinstance(top, GameScreen) else None
    if form is not None:
        # The key bar has no keys of a sealed form.
        facts["hints"] = repr([(hint.key, hint.label) for hint in form.hints() if not form.sealed])
        facts["sentence"] = form.sentence(60)
        facts["prompt"] = repr(form.prompt())
    return Look(given, canvas.lines(), facts), areas


def kind_of(click: tuple[str, Any]) -> str:
    """Returns what all points of a board have in common."""
    return click[0].partition(",")[0]


def steps(
    app: Any, size: tuple[int, int], chance: Random, most: int, *, keys: bool, clock: Any, first: int | None = None
) -> Iterator[Look]:
    """Gives an app keys and clicks at random, and yields what is seen after each. It begins with a click of kind number
    `first`, if given.
    """
    look, areas = looks_of(app, size, "")
    yield look
    for number in range(most):
        clicks = sorted({repr(area.action): area for area in areas if str(area.action) not in LEAVING}.items())
        kinds = [list(kind) for _, kind in groupby(clicks, kind_of)]
        at = first if number == 0 else None
        if clicks and (at is not None or chance.random() < BY_KIND):
            clicks = chance.choice(kinds) if at is None else kinds[at % len(kinds)]
        if clicks and (at is not None or not keys or chance.random() < CLICKED):
            name, area = chance.choice(clicks)
            given = f"click {name}"
            app.touch(area.x + area.width // 2, area.y + area.height // 2, "left")
        else:
            given = chance.choice(KEYS)
            if keys:
                app.key(given)
        clock.time += PACE
        look, areas = looks_of(app, size, given)
        yield look


def board(game: str, seats: int, seed: int, size: tuple[int, int], asks: int = 0) -> tuple[Any, Any, Any]:
    """Returns an app with the board of seat 0, its table, and its clock. That many asks of the game have been answered.
    With another seed, another seat begins.
    """
    from tests.support import board_screens
    from tests.support.board_snapshots import Clock, app_at
    from tests.support.touching import phone_app
    from tests.support.whole_game_table import WholeGameTable, at_random

    clock = Clock()
    app = phone_app(clock) if size == PHONE else app_at(clock)
    table = WholeGameTable(game, seats, seed, at_random(seed), clock.now, {}, begins=(seed - 1) % seats)
    for _ in range(asks):
        table.answer()
    app.push(board_screens.live_screen(table, app))
    return app, table, clock


def board_walk(game: str, seats: int, seed: int, size: tuple[int, int], most: int) -> Iterator[Look]:
    """Walks through a whole game at seat 0."""
    from kimberley.games.table import Result
    from tests.support.board_snapshots import QUIET

    app, table, clock = board(game, seats, seed, size)
    chance = Random(f"{game} {seats} {seed} {size}")
    left = most
    while left > 0 and not isinstance(table.ask, Result):
        clock.time += QUIET
        table.offer()
        asked = table.arena_peer.asked is not None
        for look in steps(app, size, chance, TURN if asked else 1, keys=size != PHONE, clock=clock):
            left -= 1
            yield look
        while len(app.stack) > 1:
            app.pop(app.stack[-1])
        table.answer()
    yield looks_of(app, size, "the end")[0]


def choice_walk(game: str, seed: int, asks: int, key: str, size: tuple[int, int], most: int) -> Iterator[Look]:
    """Walks from one choice of seat 0 wherever keys and clicks lead, again and again, by another click each time."""
    for visit, before in enumerate(range(0, most, TURN)):
        app, table, clock = board(game, 2, seed, size, asks)
        table.offer()
        if key:
            looks_of(app, size, "")
            app.key(key)
        chance = Random(f"{game} {seed} {asks} {size} {visit}")
        left = min(TURN, most - before)
        yield from steps(app, size, chance, left, keys=size != PHONE, clock=clock, first=visit)


def screens_walk(seed: int, size: tuple[int, int], most: int) -> Iterator[Look]:
    """Walks from the title screen wherever keys and clicks lead, again and again."""
    from kimberley.client.screens.title import TitleScreen, summaries_of
    from kimberley.games import lookup
    from tests.support.board_snapshots import Clock
    from tests.support.pretend import PretendServices, listed, pretend_app
    from tests.support.touching import phone_app

    games = [(game, lookup.find(game).title) for game in lookup.ids()]
    for visit in range(0, most, VISIT):
        clock = Clock()
        services = PretendServices(tables=tuple(listed("ben", game=game, title=title) for game, title in games))
        app = phone_app(clock) if size == PHONE else pretend_app(services)
        app.now = clock.now  # type: ignore[method-assign]
        title = TitleScreen(app)
        # What it loads in the background would come after one step or another.
        title.summaries = summaries_of(lookup.ids())
        title.opened = lambda: None  # type: ignore[method-assign]
        app.push(title)
        chance = Random(f"{SCREENS} {seed} {size} {visit}")
        try:
            for look in steps(app, size, chance, min(VISIT, most - visit), keys=size != PHONE, clock=clock):
                yield look
                if not app.stack:
                    break
        except Exception as error:
            # The pretended services do not know all that real ones do.
            yield Look(f"raised {error!r}", [])


def walks(only: str | None, most: int) -> Iterator[tuple[str, Iterator[Look]]]:
    """Yields every walk with its name."""
    sizes = (*DESKTOP, PHONE)
    for game, numbers in GAMES.items():
        for seats in numbers:
            for size in sizes:
                for seed in SEEDS if only in (None, game) else ():
                    yield (
                        f"{game}, {seats} players, {size[0]}x{size[1]}, seed {seed}",
                        board_walk(game, seats, seed, size, most),
                    )
    for game, seed, asks, key in STARTS:
        for size in sizes if only in (None, game) else ():
            yield (
                f"{game}, choice {asks}, {size[0]}x{size[1]}, seed {seed}",
                choice_walk(game, seed, asks, key, size, most),
            )
    for size in sizes:
        for seed in SEEDS if only in (None, SCREENS) else ():
            yield f"{SCREENS}, {size[0]}x{size[1]}, seed {seed}", screens_walk(seed, size, most)


async def write(out: Path, only: str | None, most: int) -> None:
    """Writes the looks of this checkout, one line of JSON a walk."""
    with out.open("w", encoding="utf-8") as file:
        for name, walk in walks(only, most):
            looks = []
            for look in walk:
                looks.append([look.given, look.lines, look.facts])
                await asyncio.sleep(0)
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            file.write(json.dumps([name, looks]) + "\n")


def looked(checkout: Path, out: Path, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts the walks of a checkout, with the walker of this one."""
    path = os.pathsep.join(map(str, (checkout / "src", checkout)))
    environ = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-P", str(Path(__file__).resolve()), "--looks", str(out), *arguments]
    return subprocess.Popen(command, cwd=checkout, env=environ)


def difference(old: list[Any], new: list[Any]) -> str | None:
    """Returns where two walks first differ, and how; None if they do not."""
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        if before == after:
            continue
        told = [f"  after {number} inputs, the last one {after[0]!r} (before: {before[0]!r})"]
        rows = [(y, a, b) for y, (a, b) in enumerate(zip(before[1], after[1], strict=False)) if a != b]
        for y, a, b in rows[:8]:
            told += [f"  row {y}", f"    - {a}", f"    + {b}"]
        for fact in sorted({*before[2], *after[2]}):
            a, b = before[2].get(fact, ""), after[2].get(fact, "")
            if a != b:
                told += [f"  {fact}", f"    - {a[:400]}", f"    + {b[:400]}"]
        return "\n".join(told)
    return None if len(old) == len(new) else f"  {len(old)} looks before, {len(new)} now"


def looks(checkouts: Sequence[Path], arguments: Sequence[str]) -> list[Walks]:
    """Returns the walks of these checkouts, walked side by side. Raises CalledProcessError if a walker fails."""
    with tempfile.TemporaryDirectory() as folder:
        outs = [Path(folder, str(number)) for number in range(len(checkouts))]
        running = [looked(checkout, out, arguments) for checkout, out in zip(checkouts, outs, strict=True)]
        for process in running:
            if process.wait():
                raise subprocess.CalledProcessError(process.returncode, process.args)
        return [dict(map(json.loads, out.read_text("utf-8").splitlines())) for out in outs]


def differences(old: Walks, new: Walks) -> list[str]:
    """Returns what differs, by walk."""
    return [f"{name}\n{told}" for name, walk in new.items() if (told := difference(old.get(name, []), walk))]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path, nargs="?", metavar="OLD", help="the checkout to compare this one with")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help=f"inputs of a walk (default: {STEPS})")
    parser.add_argument("--only", choices=[*GAMES, SCREENS], help="walk through one game, or the screens around games")
    parser.add_argument("--looks", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    found = parser.parse_args()
    arguments = ["--steps", str(found.steps), *(["--only", found.only] if found.only else [])]
    if found.looks is not None:
        import kimberley.client.boards.game_screen as walked

        if not Path(walked.__file__).resolve().is_relative_to(Path.cwd().resolve()):
            parser.error(f"{walked.__file__} is of another checkout than {Path.cwd()}")
        asyncio.run(write(found.looks, found.only, found.steps))
        return 0
    if found.old is None or not (found.old / "src" / "kimberley").is_dir():
        parser.error("name another checkout of Kimberley, such as a git worktree of an older commit")
    old, new = looks((found.old.resolve(), Path(__file__).resolve().parents[2]), arguments)
    differing = differences(old, new)
    print(*differing, f"{sum(map(len, new.values()))} looks, {len(differing)} walks differ", sep="\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
