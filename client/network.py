"""The services of the real network: tables over TLS or memory pipes, found by mDNS. Loaded when they are needed."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from client.board import find_game, installed_games
from client.seats import TableLike, drive
from client.services import Key, Listed, Nearby, Stop
from client.settings import Settings, data_folder
from games.table import Bot, Plain

if TYPE_CHECKING:
    from p2p.discovery import Browser, Found
    from p2p.identity import Identity, KnownKeys
    from p2p.table import Table

LINGER_SECONDS: Final = 2.0
"""How long the network is still watched after nobody looks: screens come and go."""
FIND_SECONDS: Final = 3.0
"""How long a host's name is looked for before it counts as an address."""
POLL_SECONDS: Final = 0.05
BOT_NAMES: Final = ("Cullinan", "Koh-i-Noor", "Sancy", "Regent", "Florentine")
"""Bots are called after famous stones."""


class Network:
    """`client.services.Services`, for one user of one data folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.data = settings.path.parent if settings.path is not None else data_folder()
        self._identity: Identity | None = None
        self._known: KnownKeys | None = None
        self._watchers: list[Callable[[], None]] = []
        self._unwatched = asyncio.Event()
        self._browser: Browser | None = None
        self._browsing: asyncio.Task[None] | None = None
        self._bots: set[asyncio.Task[None]] = set()

    # -- loading -------------------------------------------------------------------------------------------------------

    def is_trouble(self, error: BaseException) -> bool:
        from p2p.trouble import Trouble

        return isinstance(error, Trouble)

    async def warm(self) -> None:
        await asyncio.to_thread(_load)
        await asyncio.to_thread(self._who)

    def _who(self) -> tuple[Identity, KnownKeys]:
        """One's identity and the keys one has met. Raises StorageTrouble."""
        from p2p.identity import Identity, KnownKeys

        if self._identity is None or self._known is None:
            self._identity, self._known = Identity.load_or_create(self.data), KnownKeys(self.data)
        return self._identity, self._known

    # -- tables --------------------------------------------------------------------------------------------------------

    async def host(
        self, game: str, options: Mapping[str, Plain], *, port: int | None = None, bind: str | None = None
    ) -> TableLike:
        await self.warm()
        from p2p.table import Table

        identity, _ = self._who()
        return await Table.open(
            find_game(game), nickname=self.settings.name, identity=identity, data=self.data, options=options,
            port=port, bind=bind,
        )  # fmt: skip

    async def join(self, where: Listed | str) -> TableLike:
        await self.warm()
        from p2p.table import Table

        identity, _ = self._who()
        name = where.name if isinstance(where, Listed) else where
        found = await self._find(name)
        address = where.address if isinstance(where, Listed) else name
        return await Table.join(
            found or address, find_game, nickname=self.settings.name, identity=identity, data=self.data
        )

    async def _find(self, name: str) -> Found | None:
        """The table of that name, or of a host of that nickname; None for an address. Raises Trouble."""
        from p2p.address import is_ip, parse
        from p2p.trouble import Trouble

        stop = self.watch(lambda: None)
        try:
            end = asyncio.get_running_loop().time() + FIND_SECONDS
            while True:
                tables = self._browser.found if self._browser is not None else ()
                named = [found for found in tables if name in (found.name, found.card.nickname)]
                if len(named) > 1:
                    addresses = " or ".join(found.address for found in named)
                    raise Trouble(f"Several hosts are called {name}. Join one by its address: {addresses}.")
                if named:
                    return named[0]
                try:
                    host, _ = parse(name)
                except Trouble:
                    host = ""
                # What can only be an address is not looked for; what may also be a name is given its time.
                if is_ip(host) or "." in host or asyncio.get_running_loop().time() > end:
                    if not host:
                        raise Trouble(f"No table of {name} was found on this network. Join by address, or look again.")
                    return None
                await asyncio.sleep(POLL_SECONDS)
        finally:
            stop()

    async def alone(self, game: str, options: Mapping[str, Plain], level: int) -> TableLike:
        await self.warm()
        from p2p.table import Table

        identity, _ = self._who()
        chance = secrets.SystemRandom()
        found = find_game(game)
        own, other = await Table.alone(
            found, nickname=self.settings.name, identity=identity, data=self.data, bot=chance.choice(BOT_NAMES),
            options=options,
        )  # fmt: skip
        bot = found.bot(level, chance.getrandbits(63))
        task = asyncio.get_running_loop().create_task(self._sit_bot(own, other, bot))
        self._bots.add(task)
        task.add_done_callback(self._bots.discard)
        return own

    async def _sit_bot(self, own: Table, other: Table, bot: Bot) -> None:
        """The bot plays on until its table fails, which it does when the person leaves."""
        try:
            await drive(other, bot, again=True)
        except Exception:
            # A bot that cannot go on must not leave a person waiting for it.
            own.leave()
            raise
        finally:
            await other.close()

    # -- the list ------------------------------------------------------------------------------------------------------

    def watch(self, changed: Callable[[], None]) -> Stop:
        self._watchers.append(changed)
        self._unwatched.clear()
        if self._browsing is None:
            self._browsing = asyncio.get_running_loop().create_task(self._browse())

        def stop() -> None:
            if changed in self._watchers:
                self._watchers.remove(changed)
            if not self._watchers:
                self._unwatched.set()

        return stop

    async def _browse(self) -> None:
        """Watches the network as long as somebody looks, and a little longer."""
        from p2p.discovery import Browser

        try:
            async with Browser() as self._browser:
                self._browser.subscribe(lambda _listing: self._tell())
                self._tell()
                while self._watchers:
                    await self._unwatched.wait()
                    await asyncio.sleep(LINGER_SECONDS)
        finally:
            self._browser = self._browsing = None

    def _tell(self) -> None:
        for watcher in list(self._watchers):
            watcher()

    def nearby(self) -> Nearby:
        if self._browser is None:
            return Nearby()
        tables = tuple(self._listed(found) for found in self._browser.found)
        return Nearby(tables, len(self._browser.silent), self._browser.problem)

    def _listed(self, found: Found) -> Listed:
        identity, known = self._who()
        card = found.card
        own = card.identity == identity.public
        key: Key = "you" if own else known.judge(card.nickname, card.identity)
        installed = card.game in installed_games()
        return Listed(
            name=found.name, game=card.game, title=find_game(card.game).title if installed else card.game,
            host=f"{card.nickname} · {card.fingerprint}" if key == "changed" else card.nickname,
            taken=card.taken, total=card.seats, key=key, address=found.address, versions=_versions(found),
            rtt=found.round_trip,
        )  # fmt: skip

    async def addresses(self) -> tuple[str, ...]:
        from p2p.address import own_addresses

        return tuple(await asyncio.to_thread(own_addresses))

    async def close(self) -> None:
        running = [*self._bots, *([self._browsing] if self._browsing is not None else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _load() -> None:
    """Imports all that takes its time."""
    import zeroconf.asyncio  # noqa: F401


def _versions(found: Found) -> str | None:
    """Why a table cannot be played with, naming both sides' versions; None if it can."""
    from p2p.hello import REVISIONS

    card = found.card
    if not set(card.speaker.revisions) & set(REVISIONS):
        ours, theirs = (", ".join(map(str, each)) for each in (REVISIONS, card.speaker.revisions))
        return f"They speak protocol {theirs}, you {ours}: update the older one."
    if card.game not in installed_games():
        return f"You have no game called {card.game}."
    if (rules := find_game(card.game).revision) != card.rules:
        return f"They play revision {card.rules} of the rules, you {rules}: update the older one."
    return None
