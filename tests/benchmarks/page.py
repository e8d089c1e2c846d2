"""Runs the benchmarks of docs/performance.md, prints their ratios, and writes the page's tables and its plot.

A table follows a comment with its name, `<!-- NAME -->`. A row whose benchmark does not run keeps its cells.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kimberley.games import lookup
from tests.benchmarks.bench_games import RIVALS
from tests.benchmarks.common import QUICK
from tests.benchmarks.drawing import BOTH_HIDDEN, HIDDEN_ONLY
from tests.benchmarks.plot import Bar, bars
from tests.benchmarks.ratios import Ratio
from tests.lab.bench import machine
from tests.support.paths import ROOT

PAGE: Final = ROOT / "docs" / "performance.md"
MACHINE: Final = "machine"
RATIOS: Final = "ratios"
PLOT: Final = ROOT / "docs" / "pictures" / "ratios.svg"
MISSING: Final = "–"


@dataclass(frozen=True)
class Benchmark:
    """One command, which prints JSON objects."""

    command: tuple[str, ...]
    quick: tuple[str, ...] | None = None
    """The command of a small run, if it differs; empty if there is none."""
    beside: bool = False
    """It waits nearly all the time, so the others run meanwhile."""

    def start(self, quick: bool) -> subprocess.Popen[str]:
        command = self.quick if quick and self.quick is not None else self.command
        # An installed program has its bytecode.
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environ |= {QUICK: "1"} if quick else {}
        return subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True)


def _module(name: str, *typed: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"tests.benchmarks.bench_{name}", *typed)


def _tournaments(bots: int, *typed: str) -> tuple[str, ...]:
    return _module("referee", "--bots", str(bots), "--page", *(part for one in typed for part in ("--tournament", one)))


SWISS, ARENA = "--rounds 3", "--format arena --minutes 1"
BENCHMARKS: Final[Mapping[str, Benchmark]] = {
    "audio": Benchmark(_module("audio"), _module("audio", "--seconds", "5"), beside=True),
    "start": Benchmark(_module("start")),
    "keys": Benchmark(_module("keys")),
    "reveal": Benchmark(_module("reveal")),
    "network": Benchmark(_module("network")),
    "wire": Benchmark(_module("wire")),
    "verify": Benchmark(_module("verify")),
    "end": Benchmark(_module("end", "screens"), ()),
    "slow": Benchmark(_module("slow"), _module("slow", "diamond")),
    "games": Benchmark(_module("games")),
    "install": Benchmark(_module("install")),
    "browser": Benchmark(_module("browser")),
    "crypto": Benchmark(_module("crypto")),
    "bench": Benchmark((sys.executable, "-m", "tests.lab", "bench", "--json")),
    "mesh": Benchmark(_module("mesh")),
    "networks": Benchmark(
        _module("networks", "--only", " land", "--seats", "2"),
        _module("networks", "--only", "clean land", "--seats", "2"),
    ),
    "apart": Benchmark(_module("networks", "--only", "apart mine", "--seats", "4"), ()),
    "referee": Benchmark(_tournaments(32, SWISS, ARENA), _tournaments(4, SWISS)),
    "enroll": Benchmark(_module("referee", "--enroll", "1000"), _module("referee", "--enroll", "8")),
    "scale": Benchmark(_module("scale", "64", "3"), _module("scale", "8", "2")),
}

Figures = Sequence[Any]
"""The JSON objects that a benchmark printed."""
Cell = str | Callable[[Figures], str]
"""Text of the page, or what is measured."""


@dataclass(frozen=True)
class Row:
    benchmark: str
    cells: tuple[Cell, ...]

    def written(self, found: Mapping[str, Figures], old: Sequence[str]) -> list[str]:
        """Returns the cells with what was measured, or else with what the page has, `old`."""
        kept = dict(enumerate(old))
        return [
            cell
            if isinstance(cell, str)
            else cell(found[self.benchmark])
            if self.benchmark in found
            else kept.get(place, MISSING)
            for place, cell in enumerate(self.cells)
        ]

    @property
    def fixed(self) -> list[str | None]:
        """What the page must have; None where something is measured."""
        return [cell if isinstance(cell, str) else None for cell in self.cells]


@dataclass(frozen=True)
class Table:
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


def _at(*path: str) -> Callable[[Figures], Any]:
    def value(figures: Figures) -> Any:
        found = figures[0]
        for name in path:
            found = found[name]
        return found

    return value


def _plain(unit: str, *path: str, places: int = 0, scale: float = 1) -> Callable[[Figures], str]:
    """A cell: the number at this place in the first object, in a unit."""
    return lambda figures: f"{_at(*path)(figures) * scale:.{places}f}{unit}"


def _spread(*path: str) -> Callable[[Figures], str]:
    """A cell: a median and, in parentheses, the largest."""

    def cell(figures: Figures) -> str:
        times = _at(*path)(figures)
        median, largest = times["median_ms"], times["max_ms"]
        return f"{median:.{0 if median >= 10 else 1}f} ms ({largest:.0f})"

    return cell


def _audio(figures: Figures) -> str:
    one = figures[0]
    return f"{one['percent_of_a_core']:.1f}%, {one['memory_mb']} MB, {one['dropouts']} dropouts"


def _bag(items: int, parts: int) -> Row:
    def task(name: str) -> Callable[[Figures], str]:
        def cell(figures: Figures) -> str:
            bags = figures[0]["groups"][0]["bags"]
            one = next(bag for bag in bags if (bag["items"], bag["parts"]) == (items, parts))
            return f"{one[name]['median_ms']:.3g}"

        return cell

    tasks = ("shuffle", "prove", "verify", "share to all: make", "share to all: check")
    return Row("bench", (str(items), str(parts), *map(task, tasks)))


def _operation(what: str, name: str) -> Row:
    def group(place: int) -> Callable[[Figures], str]:
        return lambda figures: f"{figures[0]['groups'][place]['operations'][name]['median_ms']:.2g}"

    return Row("bench", (what, group(0), group(-1)))


def _slow(game: str) -> Row:
    def cell(name: str) -> Callable[[Figures], str]:
        def text(figures: Figures) -> str:
            one = figures[0]["games"].get(game)
            return f"{one[name]:.0f} ms" if one else MISSING

        return text

    return Row("slow", (f"`{game}`", *map(cell, ("median_ms", "p90_ms", "max_ms", "callback_ms"))))


def _crypto(game: str) -> Row:
    def choice(name: str) -> Callable[[Figures], str]:
        def cell(figures: Figures) -> str:
            took = figures[0].get(game)
            return f"{took[name]['demo']:.1f} ({took[name]['verify']:.1f})" if took else MISSING

        return cell

    return Row("crypto", (f"`{game}`", choice("automatic"), choice("pure")))


def _mesh(seats: int) -> Row:
    def wall(what: str) -> Callable[[Figures], str]:
        return _plain(" ms", f"{seats} seats over p2p: {what}", "wall", "median_ms")

    draws = [wall(f"each draws 2 items, {kind}") for kind in (HIDDEN_ONLY, BOTH_HIDDEN)]
    return Row("mesh", (str(seats), wall("bag of 30 items of two parts"), *draws))


def _condition(what: str, name: str, benchmark: str = "networks") -> Row:
    def of(key: str) -> Callable[[Figures], str]:
        def cell(figures: Figures) -> str:
            one = _named(figures, "condition", name)
            if "failed" in one:
                return "failed"
            seconds = one.get(key, ())
            times = seconds if isinstance(seconds, Sequence) else [seconds]
            return f"{max(times):.0f}" if times else ""

        return cell

    return Row(benchmark, (what, of("seconds_of_play"), of("noticed_after"), of("back_after")))


def _tournament(what: str, typed: str) -> Row:
    def of(text: str) -> Callable[[Figures], str]:
        def cell(figures: Figures) -> str:
            one = _named(figures, "tournament", typed)
            return text.format(**one) if one else MISSING

        return cell

    texts = ("{played}", "{seconds_from_first_pairing} s", "{referee_processor_seconds} s, {referee_memory_mb} MB")
    return Row("referee", (what, *map(of, (*texts, "{store_mb} MB"))))


def _named(figures: Figures, key: str, name: str) -> Mapping[str, Any]:
    """Returns the object in which `key` has this value, or an empty one: a quick run makes only some of them."""
    return next((one for one in figures if one.get(key) == name), {})


def _ratio(benchmark: str, name: str, what: str, against: str, aim: str, *, of: str = "") -> Row:
    """A row of ratios; `of` is the figure of a benchmark that has several."""

    def found(figures: Figures) -> Ratio:
        one: Ratio = (figures[0][of] if of else figures[0])["ratios"][name]
        return one

    def times(figures: Figures) -> str:
        one = found(figures)
        if "missing" in one:
            return f"{one['missing']} is not installed"
        return f"{one['ratio']:.2f} ({one['low']:.2f} to {one['high']:.2f})"

    def taken(side: str) -> Callable[[Figures], str]:
        def cell(figures: Figures) -> str:
            value = found(figures).get(side)
            if value is None:
                return MISSING
            if benchmark == "games":
                return f"{value:,.0f} games a second"
            return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.1f} ms"

        return cell

    return Row(benchmark, (what, against, aim, times, taken("ours"), taken("against")))


def _reached(benchmark: str, what: str, aim: str, cell: Callable[[Figures], str]) -> Row:
    _, _, *typed = BENCHMARKS[benchmark].command
    return Row(benchmark, (what, aim, cell, f"`{' '.join(typed).removeprefix('tests.benchmarks.')}`"))


PASS: Final = "`python -c pass`"
FRAME: Final = "a screen of prompt_toolkit on which a mark moves"
GROUP: Final = "the operations of the group that it makes, in libsodium"
TABLES: Final[Mapping[str, Table]] = {
    RATIOS: Table(
        ("What", "Against", "Aim", "Ratio", "Ours", "Theirs"),
        (
            _ratio("start", "title", "Command to title screen", "the first frame of a bare prompt_toolkit", "1.4"),
            _ratio("start", "chess", "The same", "cli-chess", "0.7"),
            _ratio("start", "--version", "`--version`", PASS, "5"),
            _ratio("start", "--help", "`--help`", PASS, "5"),
            _ratio("keys", "2 80x24", "Key to frame, 2 seats, 80x24", FRAME, "1.5"),
            _ratio("keys", "2 200x60", "Key to frame, 2 seats, 200x60", FRAME, "1.5"),
            _ratio("keys", "6 80x24", "Key to frame, 6 seats, 80x24", FRAME, "1.5"),
            _ratio("keys", "6 200x60", "Key to frame, 6 seats, 200x60", FRAME, "1.5"),
            _ratio(
                "reveal",
                "reveal",
                "Last *Done* to the reveal on both screens",
                "two one-way trips and two syncs to disk",
                "2",
            ),
            _ratio(
                "end",
                "screens",
                "End of a six-seat game of piecepack, CPU of the player’s process",
                "one check of the record",
                "",
                of="screens",
            ),
            _ratio("verify", "record", "`kimberley verify`, one record, CPU", GROUP, "1.3"),
            _ratio("verify", "folder", "`kimberley verify`, 20 records, CPU", GROUP, "1.3"),
            *(
                _ratio("games", game, f"Games of `{game}` a second", f"OpenSpiel’s `{rival}`", "")
                for game, rival in RIVALS.items()
            ),
        ),
    ),
    "at the table": Table(
        ("What", "Aim", "Reached", "Command"),
        (
            _reached(
                "start",
                "Idle title screen, share of a core",
                "1%",
                _plain("%", "idle_percent_of_a_core", places=2),
            ),
            _reached(
                "network",
                "Idle table of two, share of a core",
                "1%",
                _plain("%", "idle_share_of_a_core", places=2, scale=100),
            ),
            _reached("network", "A waiting player sees a new table", "1.5 s", _spread("seen_by_waiting")),
            _reached("network", "A new player sees a waiting table", "0.2 s", _spread("seen_by_new")),
            _reached(
                "wire",
                "A whole game of Diamond Trust on the wire, both directions",
                "3 MB",
                _plain(" MB at most", "most_bytes", places=2, scale=1e-6),
            ),
            _reached(
                "end",
                "Longest pause of the screen at the end of a six-seat game of piecepack",
                "100 ms",
                _plain(" ms", "screens", "longest_callback_ms"),
            ),
            _reached("end", "Memory of a player in that game, at most", "", _plain(" MB", "screens", "memory_mb")),
            _reached("audio", "Music and sounds of a game, share of a core", "5%", _audio),
        ),
    ),
    "slow": Table(
        ("A key on a quarter of a core", "Median", "Nine of ten", "Longest", "Longest callback, CPU"),
        tuple(map(_slow, lookup.ids())),
    ),
    "installing": Table(
        ("", "Packages", "MB"),
        (
            Row(
                "install",
                (
                    "a player: `pip install .`",
                    _plain("", "player", "packages"),
                    _plain("", "player", "mb"),
                ),
            ),
            Row(
                "install",
                (
                    "an organizer: `pip install . ./referee`",
                    _plain("", "organizer", "packages"),
                    _plain("", "organizer", "mb"),
                ),
            ),
        ),
    ),
    "browser": Table(
        ("A seat in the browser", "The host sends", "Seated after"),
        tuple(
            Row("browser", (what, _plain(" MB", key, "bytes", places=2, scale=1e-6), _plain(" s", key, "seated")))
            for what, key in (("first visit", "cold"), ("later visits", "warm"))
        ),
    ),
    "crypto": Table(("Game", "Compiled", "`KIMBERLEY_CRYPTO=pure`"), tuple(map(_crypto, lookup.ids()))),
    "group": Table(
        ("One", "libsodium, ms", "Python, ms"),
        (
            _operation("multiplication", "multiplication"),
            _operation("multiplication of the generator", "multiplication of the generator"),
            _operation("addition", "addition"),
        ),
    ),
    "bag": Table(
        ("Items", "Parts", "Shuffle", "Prove", "Verify", "Share", "Check"),
        tuple(_bag(*size) for size in ((10, 1), (30, 1), (30, 2), (52, 1), (52, 2), (120, 2))),
    ),
    "mesh": Table(
        ("Seats", "Bag of 30 items of two parts", "Each draws two items, one part hidden", "all parts hidden"),
        (_mesh(2), _mesh(6)),
    ),
    "networks": Table(
        ("Network", "Play, s", "Absence noticed after, s", "All connected again after, s"),
        (
            _condition("clean", "clean"),
            _condition("100 ms each way", "delay 100 ms"),
            _condition("30% lost", "loss 30%"),
            _condition("a guest gone for 60 s", "partition 60 s"),
            _condition("the host gone for 60 s", "host partition 60 s"),
            _condition("no multicast", "no multicast"),
            _condition("two guests cannot reach each other (`mine`, 4 seats)", "two guests kept apart", "apart"),
        ),
    ),
    "referee": Table(
        ("32 bots", "Games", "Pairing to end", "Referee: CPU, memory", "Store"),
        (_tournament("Swiss, 3 rounds", SWISS), _tournament("arena, 1 minute", ARENA)),
    ),
    "enroll": Table(
        ("A referee with 1,000 players", "Reached"),
        (
            Row("enroll", ("All have enrolled, and know of each other", _plain(" s", "seconds"))),
            Row("enroll", ("The referee’s CPU for that", _plain(" s", "referee_processor_seconds"))),
            Row("enroll", ("Memory of the referee", _plain(" MB", "memory_mb"))),
            Row("enroll", ("Before they joined", _plain(" MB", "memory_alone_mb"))),
        ),
    ),
    "scale": Table(
        ("64 players, 3 rounds", "Reached"),
        (
            Row("scale", ("Pairing a round, at most", lambda figures: f"{max(figures[0]['pair_s']):.2f} s of CPU")),
            Row("scale", ("Checking the tournament file", _plain(" s of CPU", "verify", "1", "processor_s"))),
            Row("scale", ("Store", _plain(" MB", "store_mb", places=1))),
            Row("scale", ("1,000 viewers load the first page at once", _plain(" s", "page", "whole", "s"))),
        ),
    ),
}


def machine_line() -> str:
    """Describes this machine in one line."""
    on = machine()
    models = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    model = models[0] if models else platform.machine()
    return f"Measured on {on['cores']} cores of {model}, {platform.system()}, Python {on['python']}."


def measure(names: Collection[str], quick: bool) -> dict[str, Figures]:
    """Runs these benchmarks, one after another except for those `beside`, and returns what each printed."""
    beside = {name: BENCHMARKS[name].start(quick) for name in BENCHMARKS if name in names and BENCHMARKS[name].beside}
    alone = (name for name in BENCHMARKS if name in names and name not in beside)
    return {name: _printed(name, BENCHMARKS[name].start(quick)) for name in alone} | {
        name: _printed(name, process) for name, process in beside.items()
    }


def _printed(name: str, process: subprocess.Popen[str]) -> Figures:
    print(name, file=sys.stderr, flush=True)
    text = process.communicate()[0].strip()
    if process.returncode:
        raise SystemExit(f"{name} failed")
    found, decoder = [], json.JSONDecoder()
    while text:
        one, end = decoder.raw_decode(text)
        found.append(one)
        text = text[end:].lstrip()
    return found


def block_of(name: str) -> re.Pattern[str]:
    """Matches the comment with this name and the lines that follow it, up to an empty one."""
    return re.compile(rf"(<!-- {re.escape(name)} -->\n\n)((?:.+\n)+)")


def with_block(page: str, name: str, text: str) -> str:
    return block_of(name).sub(lambda block: block[1] + text, page)


def rows_of(page: str, name: str) -> list[list[str]]:
    """Reads a table of the page, its heads first."""
    block = block_of(name).search(page)
    assert block is not None, f"{PAGE.name} has no table <!-- {name} -->"
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block[2].splitlines()]
    return [lines[0], *lines[2:]]


def rewritten(page: str, found: Mapping[str, Figures]) -> str:
    """Returns the page with these figures in its tables."""
    for name, table in TABLES.items():
        old = {_key(row.fixed, cells): cells for row in table.rows for cells in rows_of(page, name)[1:]}
        lines = [table.heads, ["---"] * len(table.heads)]
        for row in table.rows:
            lines.append(row.written(found, old.get(_key(row.fixed, row.fixed), ())))
        text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        page = with_block(page, name, text)
    return page


def plotted(page: str) -> str:
    """Draws the ratios of the page that say how much longer ours takes."""
    rows = (row for row in rows_of(page, RATIOS)[1:] if "games a second" not in row[4] and row[3][0].isdigit())
    return bars(
        "How many times as long as its floor or its peer",
        [
            Bar(f"{what}, against {against}".replace("`", "").replace("*", ""), float(times.split()[0]), aim)
            for what, against, aim, times, *_ in rows
        ],
    )


def _key(fixed: Sequence[str | None], cells: Sequence[str | None]) -> tuple[str | None, ...]:
    return tuple(cell for place, cell in enumerate(cells) if place < len(fixed) and fixed[place] is not None)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--only", action="append", choices=[*BENCHMARKS], help="run this benchmark (repeatable)")
    parser.add_argument("--quick", action="store_true", help="small runs; print the ratios and write nothing")
    given = parser.parse_args()
    wanted = given.only or [name for name, one in BENCHMARKS.items() if not given.quick or one.quick != ()]
    found = measure(wanted, given.quick)
    page = rewritten(PAGE.read_text("utf-8"), found)
    if given.only is None:
        page = with_block(page, MACHINE, f"{machine_line()}\n")
    for row in TABLES[RATIOS].rows:
        if row.benchmark in found:
            what, against, _, times, *_ = row.written(found, ())
            print(f"{what} against {against}: {times}")
    if not given.quick:
        PAGE.write_text(page, "utf-8")
        PLOT.write_text(plotted(page), "utf-8")
