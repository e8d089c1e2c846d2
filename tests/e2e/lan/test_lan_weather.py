"""Tables on bad networks: frames that are lost or late, hosts cut off for longer than a connection lives.

The switch of `tests.support.lan_switch` makes the weather; it needs namespaces and TAP devices, nothing else.
"""

from contextlib import AsyncExitStack

import pytest

from tests.support.asyncs import run
from tests.support.lan import Program, RoughLan
from tests.support.lan_switch import Weather

NAMES = ("ana", "ben", "cleo")


async def seated(lan: RoughLan, stack: AsyncExitStack, seats: int, game: str, *options: str) -> list[Program]:
    """A host on the first machine, and a guest on each of the others, who try until they sit."""
    host = lan.program(1, "bots", NAMES[0], game, str(seats), *options)
    programs = [await stack.enter_async_context(host)]
    await programs[0].says(event="open")
    for seat in range(1, seats):
        programs.append(await stack.enter_async_context(lan.program(seat + 1, "insist", NAMES[seat], "10.77.0.1")))
        # In this order, so that each seat is the one that a test takes it for.
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


def test_without_multicast_a_game_is_not_found_and_is_joined_by_address() -> None:
    async def story(lan: RoughLan) -> None:
        lan.weather(Weather(multicast=False))
        async with lan.program(1, "host", "ana") as host, lan.program(2, "look", "2") as looker:
            await host.says(event="open")
            assert (await looker.says(event="listed"))["hosts"] == []
            async with lan.program(2, "join", "ben", "10.77.0.1") as guest:
                assert (await guest.says(event="done"))["verdict"] == "fair"

    with RoughLan(2) as lan:
        run(story(lan))


def test_two_guests_that_are_kept_apart_play_through_the_host() -> None:
    async def story(lan: RoughLan) -> None:
        lan.weather(Weather(apart=(2, 3)))
        async with AsyncExitStack() as stack:
            programs = await seated(lan, stack, 3, "many stones", "rounds", "1")
            await ends_fairly(programs)
            assert [(await program.says(event="done"))["relayed"] for program in programs] == [0, 1, 1]

    with RoughLan(3) as lan:
        run(story(lan))
