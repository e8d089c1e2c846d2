"""Tables on bad networks: lost or late frames, and hosts cut off for longer than a connection lives.

The switch of `tests.support.lan_switch` makes the weather. It needs only namespaces and TAP devices.
"""

from contextlib import AsyncExitStack

import pytest

from tests.support.asyncs import run
from tests.support.lan import Program, RoughLan
from tests.support.lan_switch import Weather

NAMES = ("ana", "ben", "cleo")
STAYS = "linger=120"
"""Seconds for which a program that is done stays: another one may have lost its connection just before the end."""


async def seated(lan: RoughLan, stack: AsyncExitStack, seats: int, game: str, *options: str) -> list[Program]:
    """Returns a host on the first machine, and a guest on each of the others, who tries until it has a seat."""
    host = lan.program(1, "bots", NAMES[0], game, str(seats), *options, STAYS)
    programs = [await stack.enter_async_context(host)]
    await programs[0].says(event="open")
    for seat in range(1, seats):
        programs.append(
            await stack.enter_async_context(lan.program(seat + 1, "insist", NAMES[seat], "10.77.0.1", STAYS))
        )
        # In this order, so that each guest has the seat that the tests expect.
        await programs[seat].says(150, event="joined")
    return programs


async def ends_fairly(programs: list[Program]) -> None:
    ends = [await program.says(200, event="done") for program in programs]
    assert {end["verdict"] for end in ends} == {"fair"}
    assert len({end["record"] for end in ends}) == 1


@pytest.mark.parametrize(
    ("seats", "weather"),
    [(3, Weather(delay=0.1)), (2, Weather(loss=0.3))],
    ids=["a tenth of a second late", "three of ten frames lost"],
)
def test_a_game_in_bad_weather_ends_fairly(seats: int, weather: Weather) -> None:
    async def story(lan: RoughLan) -> None:
        async with AsyncExitStack() as stack:
            lan.weather(weather)
            await ends_fairly(await seated(lan, stack, seats, "many stones", "rounds", "1"))

    with RoughLan(seats) as lan:
        run(story(lan), 400)


def test_a_seat_that_was_cut_off_longer_than_its_connections_live_comes_back() -> None:
    async def story(lan: RoughLan) -> None:
        async with AsyncExitStack() as stack:
            programs = await seated(lan, stack, 3, "many stones", "rounds", "40")
            for program in programs:
                await program.says(event="playing")
            lan.weather(Weather(cut=(3,)))
            for program in programs[:2]:
                await program.says(event="away", seats=[2])
            await programs[2].says(event="away", seats=[0, 1])
            lan.weather(Weather())
            await ends_fairly(programs)

    with RoughLan(3) as lan:
        run(story(lan), 400)
