"""An Ethernet switch with weather: on request, it loses frames, delays them, and keeps hosts apart.

It runs beside the hosts of a test network, as root of that network, and owns a TAP device for each of them
(Documentation/networking/tuntap.rst of Linux). It reads one JSON object a line, a `Weather`, and answers each with a
line. Loss and delay need no other program: neither nft nor tc with netem.
"""

from __future__ import annotations

import fcntl
import heapq
import json
import os
import selectors
import struct
import sys
import time
from dataclasses import asdict, dataclass
from random import Random
from typing import Final

TUNSETIFF: Final = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
MOST_BYTES: Final = 65536
MOST_WAITING: Final = 4096
"""Frames on their way to one host; a switch has about as much memory."""


@dataclass(frozen=True)
class Weather:
    """`loss` is the share of frames lost on the way through the switch, 0 to 1. `delay` is the time on that way, in
    seconds; up to `jitter` is added for each frame separately, so that frames overtake each other.

    Hosts in `cut` have no cable. `multicast` says whether multicast passes. Hosts in `apart` do not hear each other.
    Hosts count from 1.
    """

    loss: float = 0.0
    delay: float = 0.0
    cut: tuple[int, ...] = ()
    multicast: bool = True
    apart: tuple[int, ...] = ()
    jitter: float = 0.0

    def line(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, line: str) -> Weather:
        said = json.loads(line)
        cut, apart = tuple(said["cut"]), tuple(said["apart"])
        return cls(said["loss"], said["delay"], cut, said["multicast"], apart, said["jitter"])


def tap(name: str) -> int:
    """Returns a new TAP device. Each read is a frame that its host sent; each write is a frame for the host."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return device


class Switch:
    """A switch whose `ports` are the TAP devices of hosts 1, 2, ..."""

    def __init__(self, ports: list[int]) -> None:
        self.weather = Weather()
        self._ports = ports
        self._seen: dict[bytes, int] = {}
        self._under_way: list[tuple[float, int, int, bytes]] = []
        self._waiting = [0] * len(ports)
        self._count = 0
        self._rng = Random(1)

    def take(self, host: int, frame: bytes, now: float) -> None:
        """Handles a frame that a host, from 1, has sent."""
        weather = self.weather
        to, source = frame[:6], frame[6:12]
        self._seen[source] = host
        many = bool(to[0] & 1)
        if many and to != b"\xff" * 6 and not weather.multicast:
            return
        known = None if many else self._seen.get(to)
        for other in range(1, len(self._ports) + 1) if known is None else (known,):
            apart = {host, other} <= set(weather.apart)
            if other == host or apart or {host, other} & set(weather.cut) or self._rng.random() < weather.loss:
                continue
            if self._waiting[other - 1] < MOST_WAITING:
                self._count += 1
                self._waiting[other - 1] += 1
                due = now + weather.delay + weather.jitter * self._rng.random()
                heapq.heappush(self._under_way, (due, self._count, other, frame))

    def deliver(self, now: float) -> float | None:
        """Delivers the frames that are due. Returns the seconds until the next one; None if no frame is on its way."""
        while self._under_way:
            due, _, host, frame = self._under_way[0]
            if due > now:
                return due - now
            heapq.heappop(self._under_way)
            self._waiting[host - 1] -= 1
            try:
                os.write(self._ports[host - 1], frame)
            except OSError:
                continue  # The host is down, or its queue is full: the frame is lost.
        return None


def main(hosts: int) -> None:
    ports = [tap(f"t{host}") for host in range(1, hosts + 1)]
    switch = Switch(ports)
    with selectors.DefaultSelector() as selector:
        for host, port in enumerate(ports, 1):
            selector.register(port, selectors.EVENT_READ, host)
        selector.register(sys.stdin, selectors.EVENT_READ, 0)
        print("ready", flush=True)
        wait: float | None = None
        while True:
            for key, _ in selector.select(wait):
                if key.data == 0:
                    line = sys.stdin.readline()
                    if not line:
                        return
                    switch.weather = Weather.read(line)
                    print("ready", flush=True)
                    continue
                try:
                    while True:
                        switch.take(key.data, os.read(ports[key.data - 1], MOST_BYTES), time.monotonic())
                except BlockingIOError:
                    pass
                except OSError:
                    continue  # The host is down: nothing comes from it.
            wait = switch.deliver(time.monotonic())


if __name__ == "__main__":
    main(int(sys.argv[1]))
