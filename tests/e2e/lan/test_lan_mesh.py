"""Tables of two to six machines. These tests need network namespaces."""

from contextlib import AsyncExitStack

import pytest

from tests.support.asyncs import run
from tests.support.effort import spread, tries
from tests.support.lan import Lan, Program

NAMES = ("ana", "ben", "cleo", "dan", "eva", "finn")


async def seated(
    lan: Lan, stack: AsyncExitStack, seats: int, *of_the_host: str, leaver: int | None = None
) -> list[Program]:
    """Returns a host on the first machine, and a guest on each of the others. `leaver` leaves after some steps."""
    programs = [await stack.enter_async_context(lan.program(1, "cards", NAMES[0], str(seats), *of_the_host))]
    await programs[0].says(event="open")
    for seat in range(1, seats):
        more = ["7"] if seat == leaver else []
        guest = lan.program(seat + 1, "join", NAMES[seat], "10.77.0.1", *more)
        programs.append(await stack.enter_async_context(guest))
    return programs


@pytest.mark.parametrize("seats", spread(1, tries((2, 6), (2, 3, 4, 5, 6))))
def test_two_to_six_machines_play_and_a_spectator_that_comes_late_has_the_same_head(seats: int) -> None:
    async def story(lan: Lan) -> None:
        async with AsyncExitStack() as stack:
            programs = await seated(lan, stack, seats, "watched=1")
            for program in programs:
                await program.says(event="playing")
            watch = await stack.enter_async_context(lan.program(seats + 1, "watch", "10.77.0.1"))
            ends = [await program.says(event="done") for program in programs]
            seen = await watch.says(event="finished")
            assert {end["verdict"] for end in ends} == {"fair"}
            assert {(end["head"], end["record"]) for end in ends} == {(seen["head"], seen["record"])}
            assert len(seen["names"]) == seats

    with Lan(seats + 1) as lan:
        run(story(lan), 400)


def test_one_of_four_machines_leaves_and_the_others_end_fairly() -> None:
    async def story(lan: Lan) -> None:
        async with AsyncExitStack() as stack:
            programs = await seated(lan, stack, 4, leaver=2)
            leaver = programs.pop(2)
            assert (await leaver.says(event="failed"))["verdict"] == "incomplete"
            await leaver.says(event="closed")
            ends = [await program.says(event="done") for program in programs]
            assert {end["verdict"] for end in ends} == {"fair"}
            assert len({(end["head"], end["record"]) for end in ends}) == 1
            for program in programs:
                assert sum(line["event"] == "gone" for line in program.said) == 1

    with Lan(4) as lan:
        run(story(lan), 400)


def test_two_machines_that_are_kept_apart_play_through_the_others() -> None:
    async def story(lan: Lan) -> None:
        lan.run("bridge link set dev v2 isolated on", "bridge link set dev v3 isolated on")
        async with AsyncExitStack() as stack:
            programs = await seated(lan, stack, 4)
            ends = [await program.says(event="done") for program in programs]
            assert {end["verdict"] for end in ends} == {"fair"}
            assert len({end["record"] for end in ends}) == 1
            assert [end["relayed"] for end in ends] == [0, 1, 1, 0]

    with Lan(4) as lan:
        run(story(lan), 400)


def test_a_host_whose_cable_is_out_for_a_while_is_waited_for_like_any_seat() -> None:
    async def story(lan: Lan) -> None:
        async with AsyncExitStack() as stack:
            programs = await seated(lan, stack, 3)
            for program in programs:
                await program.says(event="playing")
            lan.run("ip link set v1 nomaster")
            for guest in programs[1:]:
                await guest.says(event="away", seats=[0])
            lan.run("ip link set v1 master br0")
            ends = [await program.says(event="done") for program in programs]
            assert {end["verdict"] for end in ends} == {"fair"}
            assert len({end["record"] for end in ends}) == 1

    with Lan(3) as lan:
        run(story(lan), 400)
