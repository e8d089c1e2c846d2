"""Plays one game of the chaos with real programs, and says what is wrong afterwards."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from kimberley.games import lookup
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.resume import list_resumable_games
from tests.chaos.phone import PhoneGuest
from tests.chaos.plan import GRACE_SECONDS, OPTIONS, PHONE, SPECTATOR, Fault, GamePlan
from tests.chaos.players import PLAYERS
from tests.chaos.programs import ChaosProgram, command, event
from tests.support.at_the_lan import verified
from tests.support.lan import RoughLan
from tests.support.lan_switch import Weather

PORT: Final = 7411
DISK: Final = "8m"
"""The size of a seat's folder."""
GAME_SECONDS: Final = 600.0
"""How long a game may take besides its faults."""
SEATED_SECONDS: Final = 120.0
THINKS: Final[Mapping[str, float]] = {"diamond": 2.0, "diamond-trust": 0.5, "land": 1.0, "mine": 0.5, "piecepack": 0.3}
"""How long a person thinks before each answer, in seconds, on average: so long that games last about a minute."""
BACK_SECONDS: Final = (1.0, 8.0)
"""How long it takes until a program that has ended is started again."""
MOST_RETURNS: Final = 12
"""How often a seat is started in one game, before that counts as a finding."""
LOOK: Final = 0.1
ACCUSATIONS: Final = re.compile(
    r"was caught cheating|^Unfair|keeps starting over|signed two different|fault of the program"
    r"|not the one that the other side signed|proven unfair|\"verdict\": \"(?!fair)"
)
"""What nobody may be told of an honest player, in any program's lines or log."""
LOSS, DELAY_SECONDS = 0.2, 0.3


@dataclass
class Outcome:
    """What came of a game. `findings` is empty if all is well."""

    plan: GamePlan
    seconds: float = 0.0
    findings: list[str] = field(default_factory=list)
    faults: int = 0
    """How many of the planned faults came before the game's end."""
    returns: int = 0
    """How often a seat was taken again."""


class Machine:
    """A seat that is not a phone, or the spectator: its program, and what has happened to it."""

    def __init__(self, game: ChaosGame, name: str, host: int, kind: str, clock: str, rng: Random) -> None:
        self.name, self.host, self.kind, self.clock = name, host, kind, clock
        self.data = game.folder / name
        self.program: ChaosProgram | None = None
        self.began = self.done = self.stopped = self.full = False
        self.link = ""
        """Where a guest can sit down in a browser, as this host has said."""
        self.words = False
        self.back_at: float | None = None
        """When the program is to be started again."""
        self.returns = 0
        self._game, self._rng = game, rng
        self._player = PLAYERS[game.plan.game](rng) if kind == "person" else None

    def start(self, *typed: str) -> None:
        """Starts the program, on the machine's host."""
        if self.program is not None:
            self.program.__exit__(None, None, None)
        typed = (*typed, "--nickname", self.name, *(() if self.kind == "bot" else ("--plain",)))
        line = command(*typed, data=self.data, wild=self.clock == "wild", ahead=self.clock == "ahead")
        inside = self._game.lan.inside(*line, host=self.host)
        self.program = ChaosProgram(
            inside, self._game.logs / f"{self.name}.log", self.data, self._game.plan.seed, self._answer
        )

    def host_table(self, game: str, seats: int) -> None:
        own = ("host", game, "--seats", str(seats), "--port", str(PORT), "--waiting", str(GRACE_SECONDS))
        self.start(*self._bot(), *own, *OPTIONS.get(game, ()), *self._as_bot())

    def join(self, where: str) -> None:
        self.start(*self._bot(), "join", where, *self._as_bot())

    def resume(self) -> None:
        """Takes the seat again, by a new program."""
        self.back_at = None
        self.returns += 1
        self.start(*self._bot(), "resume", *self._as_bot())

    @property
    def last_words(self) -> str:
        """Its name, and what its program has said last."""
        said = self.program.said[-1:] if self.program is not None else []
        return f"{self.name} ({said[0][:120]})" if said else self.name

    def _bot(self) -> tuple[str, ...]:
        return ("bot",) if self.kind == "bot" else ()

    def _as_bot(self) -> tuple[str, ...]:
        """What a bot is told besides: the seed of its choices, and to stay until all have seen the end."""
        own = ("--level", "1", "--seed", str(self._game.plan.seed), "--json", "--linger", str(GRACE_SECONDS))
        return own if self.kind == "bot" else ()

    def _answer(self, line: str) -> str | None:
        """Notes what the program says. Returns what the person types."""
        if self.kind == "bot":
            said = event(line).get("event")
            self.began |= said == "playing"
            self.done |= said == "done"
            return None
        if "The four words: " in line:
            return "same"
        if (
            self.kind == "person"
            and self._game.may_be_fewer
            and line == f"{self._game.seats} of {self._game.seats} seats taken."
        ):
            return "ready"
        if (found := re.search(r"Your friend can play in the browser here: (.*)", line)) is not None:
            self.link = found[1]
        self.began |= line.startswith(("The game begins", "The game: ", "You are back in "))
        if line.startswith("To save the record, type keep"):
            return "keep"
        self.done |= line.startswith("Record: ")
        if "back at the main menu" in line and not self.done:
            self.back_at = time.monotonic() + self._rng.uniform(*BACK_SECONDS)
        if self._player is None or (answer := self._player(line)) is None:
            return None
        time.sleep(THINKS[self._game.plan.game] * self._rng.uniform(0.5, 1.5))
        return answer

    # -- what befalls it -----------------------------------------------------------------------------------------------

    def kill(self) -> None:
        if self.program is not None and self.program.running:
            self.program.signal(signal.SIGKILL)

    def stop(self, stopped: bool) -> None:
        self.stopped = stopped
        if self.program is not None:
            self.program.signal(signal.SIGSTOP if stopped else signal.SIGCONT)

    def fill(self, full: bool) -> None:
        """Fills the folder to its last byte, or makes room again."""
        self.full = full
        filler = self.data / "filler"
        if not full:
            filler.unlink(missing_ok=True)
            return
        with filler.open("ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while file.write(b"\0" * size) == size:
                        continue
                except OSError:
                    continue

    def end(self) -> None:
        if self.program is not None:
            self.program.__exit__(None, None, None)


class ChaosGame:
    """A game, from the open table to what is checked after its end."""

    def __init__(
        self, plan: GamePlan, folder: Path, logs: Path, say: Callable[[str], None] = lambda _text: None
    ) -> None:
        """`folder` gets the data of the seats, `logs` what the programs say. Both must exist."""
        self.plan, self.folder, self.logs, self._say = plan, folder, logs, say
        self.seats = len(plan.seats)
        self.may_be_fewer = self.seats > min(lookup.find(plan.game).seats)
        """Whether the table waits until all are ready, since fewer would be enough."""
        self.rng = Random(f"game {plan.seed}")
        self.lan = RoughLan(len(plan.seats) + 1)
        self.outcome = Outcome(plan)
        self.machines: list[Machine | None] = []
        """By seat; None for the phone."""
        self.phone: PhoneGuest | None = None
        self.spectator: Machine
        self._addresses = [f"10.77.0.{host}" for host in range(1, self.lan.count + 1)]
        self._weather: list[tuple[Fault, Weather]] = []
        self._cut: set[int] = set()
        self._pending: list[tuple[float, Callable[[], None]]] = []
        """What ends a fault, and when."""

    def play(self) -> Outcome:
        """Plays the game. Finds nothing, or says what is wrong."""
        started = time.monotonic()
        with ExitStack() as stack:
            stack.callback(self._end)
            for seat, plan in enumerate(self.plan.seats):
                machine = None
                if plan.kind != PHONE:
                    machine = Machine(
                        self, plan.name, seat + 1, plan.kind, plan.clock, Random(f"{self.plan.seed} {seat}")
                    )
                    self._disk(machine.data, stack)
                self.machines.append(machine)
            self.spectator = Machine(self, SPECTATOR, self.lan.count, "spectator", "", self.rng)
            self._disk(self.spectator.data, stack)
            # Only now: the hosts see the file systems that are there when they begin.
            stack.enter_context(self.lan)
            self._set_up_network()
            try:
                if self._sit_down():
                    self._play()
                    self._finish()
            finally:
                self._stop_programs()
            self._check()
            self.outcome.returns = sum(machine.returns for machine in self._seats())
            self.outcome.seconds = time.monotonic() - started
        return self.outcome

    # -- before the game -----------------------------------------------------------------------------------------------

    def _set_up_network(self) -> None:
        for host in range(1, self.lan.count + 1):
            match self.plan.network:
                case "MTU 600":
                    self.lan.run(f"ip -n h{host} link set eth0 mtu 600")
                case "IPv6 only":
                    self.lan.run(
                        f"ip -n h{host} -4 addr flush dev eth0", f"ip -n h{host} addr add fd00:77::{host}/64 dev eth0"
                    )

    def _disk(self, folder: Path, stack: ExitStack) -> None:
        """Makes a folder that is soon full."""
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", folder], check=True)
        stack.callback(lambda: subprocess.run(["umount", "-l", folder], check=False))

    def _where(self, host: int) -> str:
        return (
            f"[fd00:77::{host}]:{PORT}" if self.plan.network == "IPv6 only" else f"{self._addresses[host - 1]}:{PORT}"
        )

    def _sit_down(self) -> bool:
        """Opens the table, and brings everybody to it. Returns whether the game has begun."""
        plan, first = self.plan, self.machines[0]
        assert first is not None
        first.host_table(plan.game, len(plan.seats))
        assert first.program is not None
        program = first.program
        if not self._await("the table is open", lambda: any(_is_open(line) for line in program.said)):
            return False
        self.spectator.start("watch", self._where(1))
        if plan.phone is not None:
            program.type("share")
            if not self._await("the page is shared", lambda: bool(first.link)):
                return False
            self.phone = PhoneGuest(
                self.lan.inside(host=plan.phone + 1), self.logs, first.link, plan.game, Random(f"phone {plan.seed}")
            )
            self.phone.start()
        for machine in self.machines[1:]:
            if machine is not None:
                by_name = self.rng.random() < 0.5
                machine.join("ana" if by_name else self._where(1))
        return self._await("the game has begun", lambda: all(machine.began for machine in self._seats()))

    def _seats(self) -> list[Machine]:
        return [machine for machine in self.machines if machine is not None]

    def _await(self, what: str, holds: Callable[[], bool]) -> bool:
        end = time.monotonic() + SEATED_SECONDS
        while not holds():
            if time.monotonic() > end:
                self._find(f"not in {SEATED_SECONDS:.0f} s: {what}")
                return False
            time.sleep(LOOK)
        return True

    # -- during the game -----------------------------------------------------------------------------------------------

    def _play(self) -> None:
        """Lets the faults come, and starts again what has ended, until everybody has seen the end."""
        begun = time.monotonic()
        faults = list(self.plan.faults)
        limit = begun + GAME_SECONDS + sum(fault.seconds for fault in faults)
        while not self._is_over():
            now = time.monotonic()
            if now > limit:
                late = [machine.last_words for machine in (*self._seats(), self.spectator) if not machine.done]
                late += [PHONE] if self.phone is not None and self.phone.record is None else []
                self._find(f"not at the end in {limit - begun:.0f} s: {', '.join(late)}")
                return
            while faults and now - begun > faults[0].at:
                self._befall(faults.pop(0))
            for due, end in [each for each in self._pending if each[0] <= now]:
                self._pending.remove((due, end))
                end()
            for seat in self._seats():
                self._bring_back(seat, now)
            self._watch_again(now)
            time.sleep(LOOK)

    def _is_over(self) -> bool:
        phone = self.phone is None or self.phone.record is not None or not self.phone.is_alive()
        return phone and self.spectator.done and all(machine.done for machine in self._seats())

    def _bring_back(self, seat: Machine, now: float) -> None:
        """Starts a seat's program again some time after it has ended, as its player does."""
        program = seat.program
        assert program is not None
        if seat.done or seat.full:
            return
        if not program.running and seat.back_at is None:
            seat.back_at = now + self.rng.uniform(*BACK_SECONDS)
        if seat.back_at is None or now < seat.back_at:
            return
        if seat.returns >= MOST_RETURNS:
            self._find(f"{seat.name} came back {MOST_RETURNS} times, and is not at the end")
            seat.back_at = None
            return
        seat.resume()

    def _watch_again(self, now: float) -> None:
        """Has the spectator whose program has ended look again."""
        program = self.spectator.program
        assert program is not None
        if self.spectator.done or program.running:
            return
        if self.spectator.back_at is None:
            self.spectator.back_at = now + BACK_SECONDS[1]
        elif now > self.spectator.back_at:
            self.spectator.back_at = None
            self.spectator.returns += 1
            self.spectator.start("watch", self._where(1))

    def _befall(self, fault: Fault) -> None:
        self.outcome.faults += 1
        self._say(f"{fault}")
        machine = self.machines[fault.seat] if fault.seat >= 0 else None
        match fault.kind:
            case "kill" if machine is not None:
                machine.kill()
                machine.back_at = time.monotonic() + fault.seconds
            case "stop" if machine is not None:
                self._between(fault, machine.stop)
            case "full" if machine is not None:
                self._between(fault, machine.fill)
            case "stop spectator":
                self._between(fault, self.spectator.stop)
            case "cut" | "cut spectator":
                host = fault.seat + 1 if fault.kind == "cut" else self.spectator.host
                self._between(fault, lambda on: self._link(host, up=not on))
            case "move":
                self._move(fault.seat + 1)
            case "loss" | "delay" | "reorder":
                weather = {
                    "loss": Weather(loss=LOSS),
                    "delay": Weather(delay=DELAY_SECONDS),
                    "reorder": Weather(jitter=DELAY_SECONDS / 4),
                }[fault.kind]
                self._between(fault, lambda on: self._change_weather(fault, weather, on))
            case "reload" if self.phone is not None:
                self.phone.reload()

    def _between(self, fault: Fault, turn: Callable[[bool], None]) -> None:
        """Turns something on now, and off when the fault ends."""
        turn(True)
        self._pending.append((time.monotonic() + fault.seconds, lambda: turn(False)))

    def _link(self, host: int, *, up: bool) -> None:
        self._cut ^= {host}
        self.lan.run(f"ip -n h{host} link set eth0 {'up' if host not in self._cut else 'down'}")
        if up and self.plan.network == "IPv6 only":
            # The kernel forgets them with the link.
            self.lan.run(f"ip -n h{host} addr replace fd00:77::{host}/64 dev eth0")

    def _move(self, host: int) -> None:
        """Gives a host another address, as when its machine changes networks."""
        if self.plan.network == "IPv6 only":
            self.lan.run(
                f"ip -n h{host} addr del fd00:77::{host}/64 dev eth0",
                f"ip -n h{host} addr add fd00:77::1{host}/64 dev eth0",
            )
            return
        old, new = self._addresses[host - 1], f"10.77.0.{host + 100}"
        self._addresses[host - 1] = new
        if old != new:
            self.lan.run(f"ip -n h{host} addr del {old}/24 dev eth0", f"ip -n h{host} addr add {new}/24 dev eth0")

    def _change_weather(self, fault: Fault, weather: Weather, on: bool) -> None:
        self._weather = [each for each in self._weather if each[0] is not fault] + ([(fault, weather)] if on else [])
        every = [each for _, each in self._weather]
        self.lan.weather(
            Weather(
                loss=max((each.loss for each in every), default=0.0),
                delay=max((each.delay for each in every), default=0.0),
                jitter=max((each.jitter for each in every), default=0.0),
            )
        )

    # -- after the game ------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        for _, end in self._pending:
            end()
        self._pending.clear()

    def _stop_programs(self) -> None:
        for machine in (*self._seats(), self.spectator):
            machine.end()
        if self.phone is not None and self.phone.is_alive():
            self.phone.stop()

    def _end(self) -> None:
        """Keeps nothing of a game that was played and checked without a finding."""
        if self.outcome.seconds and not self.outcome.findings:
            shutil.rmtree(self.logs, ignore_errors=True)

    def _find(self, finding: str) -> None:
        self.outcome.findings.append(finding)

    def _check(self) -> None:
        """Checks what the seats have kept and said."""
        kept: dict[str, bytes] = {}
        for machine in (*self._seats(), self.spectator):
            self._check_machine(machine, kept)
        if self.phone is not None:
            if self.phone.failure:
                self._find(f"the phone: {self.phone.failure.splitlines()[0]}")
            if self.phone.record is not None:
                kept[PHONE] = self.phone.record
        if len(set(kept.values())) > 1:
            self._find(f"records differ: {', '.join(f'{name} {len(record)} bytes' for name, record in kept.items())}")
        if self.outcome.findings:
            for machine in (*self._seats(), self.spectator):
                shutil.copytree(machine.data, self.logs / machine.name, ignore=shutil.ignore_patterns("filler"))

    def _check_machine(self, machine: Machine, kept: dict[str, bytes]) -> None:
        name, data = machine.name, machine.data
        records = sorted((data / "records").glob("*.kdt")) if (data / "records").is_dir() else []
        if len(records) != 1:
            self._find(f"{name} has {len(records)} records")
        for record in records:
            kept[name] = record.read_bytes()
            if (verdict := verified(record)) != "fair":
                self._find(f"{name}'s record is {verdict}")
        if machine is not self.spectator and (data / "identity").exists():
            waiting = list_resumable_games(data, Identity.load_or_create(data).public)
            if waiting and machine.done:
                self._find(f"{name} still has a game to resume")
        for log in [self.logs / f"{name}.log", *data.rglob("*.log*")]:
            text = log.read_text("utf-8", "replace") if log.is_file() else ""
            if "Traceback (most recent call last)" in text:
                self._find(f"a traceback in {log.name} of {name}")
            if (said := ACCUSATIONS.search(text)) is not None:
                self._find(f"{log.name} of {name} says: {said[0]}")


def _is_open(line: str) -> bool:
    return "Others can join with" in line or event(line).get("event") == "open"
