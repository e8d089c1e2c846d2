"""Machines that crash, return elsewhere, or change their network in the middle of a game. Needs network namespaces."""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.asyncs import run
from tests.support.effort import first_is_quick, tries
from tests.support.lan import Lan, Program

ROUNDS = "40"


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan(4) as network:
        yield network


async def begun(
    lan: Lan,
    stack: AsyncExitStack,
    folder: Path,
    dies: str,
    where: str = "10.77.0.1",
    more: Sequence[str] = (),
    under: Sequence[str] = (),
) -> list[Program]:
    """Begins a game: ana hosts on the first machine, ben joins on the second. Those named in `dies` die in the middle.

    `more` and `under` are for ben's program.
    """
    commands = {"ana": ["host", "ana", ROUNDS], "ben": ["join", "ben", where]}
    programs = []
    for number, (name, command) in enumerate(commands.items(), 1):
        death = ["dies=9"] if name in dies else []
        own, by = (more, under) if name == "ben" else ((), ())
        program = lan.program(number, *command, f"data={folder / name}", *death, *own, under=by)
        programs.append(await stack.enter_async_context(program))
        if name == "ana":
            await programs[0].says(event="open")
    await programs[1].says(event="playing")
    return programs


async def fair(*programs: Program) -> None:
    ends = [await program.says(event="done") for program in programs]
    assert {end["verdict"] for end in ends} == {"fair"}
    assert len({end["record"] for end in ends}) == 1


def test_a_host_that_was_killed_is_found_again_at_another_address(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            _, ben = await begun(lan, stack, tmp_path, "ana")
            await ben.says(event="away", seats=[0])
            again = await stack.enter_async_context(lan.program(3, "resume", "ana", f"data={tmp_path / 'ana'}"))
            back = await again.says(event="back")
            assert back["steps"] >= 9
            assert (await ben.says(event="away", seats=[]))["clock"] - back["clock"] < 20
            await fair(again, ben)

    run(story(), 400)


@pytest.mark.parametrize("who", tries(["ana ben"], ["ana", "ben", "ana ben"]))
def test_without_multicast_who_was_killed_comes_back_by_the_addresses_of_its_journal(
    lan: Lan, tmp_path: Path, who: str
) -> None:
    async def story() -> None:
        lan.run(*(f"bridge link set dev v{port} mcast_flood off" for port in (1, 2, 3, 4)))
        async with AsyncExitStack() as stack:
            seats = dict(zip(("ana", "ben"), await begun(lan, stack, tmp_path, who), strict=True))
            for name in who.split():
                await seats[name].gone()
            for name in who.split():
                machine = 1 if name == "ana" else 2
                program = lan.program(machine, "resume", name, f"data={tmp_path / name}")
                seats[name] = await stack.enter_async_context(program)
            await fair(*seats.values())

    run(story(), 400)


@pytest.mark.nightly
def test_both_are_killed_and_meet_at_new_addresses(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            for seat in await begun(lan, stack, tmp_path, "ana ben"):
                await seat.gone()
            again = [
                await stack.enter_async_context(lan.program(machine, "resume", name, f"data={tmp_path / name}"))
                for machine, name in ((3, "ana"), (4, "ben"))
            ]
            await fair(*again)

    run(story(), 400)


@pytest.mark.parametrize("more", first_is_quick(30, 0))
def test_a_machine_that_changes_its_network_is_found_at_its_new_address(lan: Lan, tmp_path: Path, more: int) -> None:
    """The host's laptop changes networks: no program restarts, every connection dies, and the old address is unused. It
    may have more networks of its own.
    """

    async def story() -> None:
        lan.add_networks(1, "room", count=more)
        async with AsyncExitStack() as stack:
            ana, ben = await begun(lan, stack, tmp_path, "")
            lan.run(
                "ip link set v1 nomaster",
                "ip -n h1 addr del 10.77.0.1/24 dev eth0",
                "ip -n h1 addr add 10.77.0.8/24 dev eth0",
            )
            for seat, other in ((ana, 1), (ben, 0)):
                await seat.says(event="away", seats=[other])
            lan.run("ip link set v1 master br0")
            await ben.says(event="away", seats=[])
            await fair(ana, ben)

    run(story(), 400)


def test_a_machine_that_was_asleep_goes_on_when_it_wakes(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            ana, ben = await begun(lan, stack, tmp_path, "")
            ben.sleep()
            await ana.says(event="away", seats=[1])
            ben.wake()
            await fair(ana, ben)

    run(story(), 400)


def test_wall_clocks_that_jump_by_years_change_nothing(lan: Lan, tmp_path: Path) -> None:
    """Neither in a program that plays nor in one that resumes, whose journal is from another year."""

    async def story() -> None:
        async with AsyncExitStack() as stack:
            _, ben = await begun(lan, stack, tmp_path, "ana", more=["clock=wild"])
            await ben.says(event="away", seats=[0])
            ben.forget()
            command = ["resume", "ana", f"data={tmp_path / 'ana'}", "clock=wild"]
            again = await stack.enter_async_context(lan.program(1, *command))
            await fair(again, ben)
            assert (await again.says(event="wild"))["jumped"] > 86400
            # Only the killed player was reported as away.
            assert not any(line["seats"] for line in (*ben.said, *again.said) if line["event"] == "away")

    run(story(), 400)


@pytest.mark.nightly
def test_running_clocks_of_two_machines_need_not_agree(lan: Lan, tmp_path: Path) -> None:
    """Ben's machine has been up eleven days longer than ana's."""
    days = str(11 * 86400)
    elsewhere = ("unshare", "--time", "--monotonic", days, "--boottime", days, "--fork", "--kill-child")

    async def story() -> None:
        async with AsyncExitStack() as stack:
            ana, ben = await begun(lan, stack, tmp_path, "ana", under=elsewhere)
            away = await ben.says(event="away", seats=[0])
            assert away["clock"] - (await ana.says(event="playing"))["clock"] > 10 * 86400
            again = await stack.enter_async_context(lan.program(1, "resume", "ana", f"data={tmp_path / 'ana'}"))
            await fair(again, ben)

    run(story(), 400)


@pytest.mark.parametrize("dies", ["", "ana"], ids=["running", "killed"])
def test_a_machine_with_two_networks_goes_on_by_the_other_when_one_is_gone(lan: Lan, tmp_path: Path, dies: str) -> None:
    async def story() -> None:
        lan.plug_in_twice(1, 2)
        async with AsyncExitStack() as stack:
            ana, ben = await begun(lan, stack, tmp_path, dies)
            if dies:
                await ana.gone()
            lan.run("ip -n h1 link set eth0 down")
            if dies:
                ana = await stack.enter_async_context(lan.program(1, "resume", "ana", f"data={tmp_path / 'ana'}"))
            await ben.says(event="away", seats=[0])
            await ben.says(event="away", seats=[])
            await fair(ana, ben)

    run(story(), 400)


@pytest.mark.nightly
def test_with_nothing_but_link_local_ipv6_a_killed_host_is_found_again(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        lan.run(*(f"ip -n h{host} -4 addr flush dev eth0" for host in (1, 2, 3, 4)))
        async with AsyncExitStack() as stack:
            _, ben = await begun(lan, stack, tmp_path, "ana", "ana")
            await ben.says(event="away", seats=[0])
            again = await stack.enter_async_context(lan.program(3, "resume", "ana", f"data={tmp_path / 'ana'}"))
            await fair(again, ben)

    run(story(), 400)


def test_a_seat_of_three_that_was_killed_is_back_for_all(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncExitStack() as stack:
            host = lan.program(1, "cards", "ana", "3", f"data={tmp_path / 'ana'}", "dies=6")
            ana = await stack.enter_async_context(host)
            await ana.says(event="open")
            others = [
                await stack.enter_async_context(lan.program(n, "join", name, "10.77.0.1", f"data={tmp_path / name}"))
                for n, name in ((2, "ben"), (3, "cleo"))
            ]
            for other in others:
                await other.says(event="away", seats=[0])
            again = await stack.enter_async_context(lan.program(4, "resume", "ana", f"data={tmp_path / 'ana'}"))
            await fair(again, *others)

    run(story(), 400)
