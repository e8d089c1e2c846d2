"""Whole games on bad networks: how each ends, how soon an absence is noticed, how soon the seat that was away is back.

.venv/bin/python -m tests.benchmarks.bench_networks                (everything: about two hours)
.venv/bin/python -m tests.benchmarks.bench_networks --only loss    (conditions or games whose name holds a word)

Hosts are network namespaces on a switch with weather (`tests.support.lan_switch`); bots of the first level play. Prints
one JSON object for each game, and docs/performance.md has some of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

from kimberley.games import lookup
from tests.lab.bench import machine
from tests.support.asyncs import run
from tests.support.lan import Program, RoughLan
from tests.support.lan_switch import Weather

PATIENCE_SECONDS: Final = 1500.0
"""For one game."""
STAYS: Final = "linger=60"
"""A program that is done stays as long as a bot without a person does: others may need it to see the end."""
NAMES: Final = ("ana", "ben", "cleo", "dan", "eva", "finn")


CALM: Final = Weather()


@dataclass(frozen=True)
class Condition:
    """`weather` from the start; `partition` seconds for which one host is cut off once all play, the last guest or,
    with `host_cut`, the one that opened the table.
    """

    name: str
    weather: Weather = CALM
    partition: float = 0.0
    host_cut: bool = False


CONDITIONS: Final = (
    Condition("clean"),
    Condition("delay 100 ms", Weather(delay=0.1)),
    Condition("loss 30%", Weather(loss=0.3)),
    Condition("partition 60 s", partition=60.0),
    Condition("host partition 60 s", partition=60.0, host_cut=True),
    Condition("no multicast", Weather(multicast=False)),
    Condition("two guests kept apart", Weather(apart=(2, 3))),
)
"""Conditions under which every game is played by as few seats as it allows, and `LARGE` by more."""
LARGE: Final = (("land", 3), ("land", 4), ("land", 5), ("land", 6), ("mine", 4), ("piecepack", 6))
FEWEST: Final = tuple((id, min(lookup.find(id).seats)) for id in lookup.ids())


def fits(condition: Condition, seats: int) -> bool:
    """Returns whether a condition suits a table of so many seats: at a table of two nobody can be kept apart."""
    return seats > 2 or not condition.weather.apart


async def story(lan: RoughLan, condition: Condition, game: str, seats: int) -> dict[str, Any]:
    """Plays one game from the open table to the verdicts."""
    quick = [part for name, value in lookup.find(game).quick for part in (name, json.dumps(value))]
    async with AsyncExitStack() as stack:
        lan.weather(condition.weather)
        host = lan.program(1, "bots", NAMES[0], game, str(seats), *quick, STAYS)
        programs = [await stack.enter_async_context(host)]
        await programs[0].says(event="open")
        start = time.monotonic()
        for seat in range(1, seats):
            guest = lan.program(seat + 1, "insist", NAMES[seat], "10.77.0.1", STAYS)
            programs.append(await stack.enter_async_context(guest))
            # The next one takes the next seat.
            await programs[-1].says(PATIENCE_SECONDS, event="joined")
        playing = [await program.says(PATIENCE_SECONDS, event="playing") for program in programs]
        began = max(line["clock"] for line in playing)
        tries = [line["tries"] for program in programs for line in program.said if line["event"] == "joined"]
        more = await _partition(lan, condition, programs) if condition.partition else {}
        ends = [await program.says(PATIENCE_SECONDS, event="done") for program in programs]
        # A program that has seen the end may go.
        first = min(end["clock"] for end in ends)
        said = [line for program in programs for line in program.said if line["clock"] < first]
        lost = [line for line in said if line["event"] == "away" and line["seats"]]
        return {
            "verdicts": sorted({end["verdict"] for end in ends}),
            "one_record": len({end["record"] for end in ends}) == 1,
            "tries_to_join": tries,
            "seconds_to_sit": round(began - start, 1),
            "seconds_of_play": round(max(end["clock"] for end in ends) - began, 1),
            "times_away": len(lost),
            "relayed": sum(end["relayed"] for end in ends) // 2,
            **more,
        }


async def _partition(lan: RoughLan, condition: Condition, programs: list[Program]) -> dict[str, Any]:
    """Cuts one host off for a while. Returns the seconds until each of the others noticed, and until it was back for
    all.
    """
    away = 0 if condition.host_cut else len(programs) - 1
    others = [program for seat, program in enumerate(programs) if seat != away]
    for program in programs:
        # Seats that were not yet connected at the start were away, too.
        program.forget()
    cut = lan.weather(Weather(cut=(away + 1,)))
    noticed = [await program.says(60, event="away", seats=[away]) for program in others]
    await asyncio.sleep(max(0.0, cut + condition.partition - time.monotonic()))
    for program in programs:
        program.forget()
    healed = lan.weather(condition.weather)
    back = [await program.says(60, event="away", seats=[]) for program in programs]
    return {
        "noticed_after": [round(line["clock"] - cut, 1) for line in noticed],
        "back_after": [round(line["clock"] - healed, 1) for line in back],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bench_networks")
    parser.add_argument("--only", default="", help="a part of the name of a condition or a game")
    parser.add_argument("--seats", type=int, default=0, help="only tables of so many")
    given = parser.parse_args()
    print(json.dumps({"on": machine(), "date": time.strftime("%Y-%m-%d %H:%M")}), flush=True)
    for condition in CONDITIONS:
        for game, seats in (*FEWEST, *LARGE):
            wanted = given.only in f"{condition.name} {game}" and given.seats in (0, seats)
            if not wanted or not fits(condition, seats):
                continue
            with RoughLan(seats) as lan:
                try:
                    found = run(story(lan, condition, game, seats), 2 * PATIENCE_SECONDS)
                except (TimeoutError, AssertionError) as error:
                    found = {"failed": repr(error)[:2000]}
            # Other work on the machine makes the times longer.
            load = round(os.getloadavg()[0], 1)
            what = {"condition": condition.name, "game": game, "seats": seats, "load": load}
            print(json.dumps({**what, **found}), flush=True)


if __name__ == "__main__":
    main()
