"""The services of the real network: tables over TLS or memory pipes, found by mDNS. Imported only when needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from kimberley.client.session.bots import drive, play_alone
from kimberley.client.session.far import invite_far, lead_far
from kimberley.client.session.interfaces import SharingLike
from kimberley.client.session.options import require_bots
from kimberley.client.session.seat_session import LocalBot, session_of
from kimberley.client.session.services import (
    JoinedTournament,
    KeptGame,
    Key,
    ListedTable,
    NearbyTables,
    Stop,
    UnfinishedGame,
)
from kimberley.client.session.settings import Settings, data_folder
from kimberley.games import lookup
from kimberley.games.bots.levels import make_bot, nearest_level
from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.installation import shared_file
from kimberley.p2p.base.platform import chance, in_background
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.sentences.options import option_lines
from kimberley.p2p.storage.files import StorageError

if TYPE_CHECKING:
    from pathlib import Path

    from kimberley.client.session.interfaces import SpectatorLike
    from kimberley.p2p.discovery.mdns import Browser, DiscoveredTable
    from kimberley.p2p.storage.identity import Identity, KnownKeys
    from kimberley.p2p.table.table import Table

log = logging.getLogger(__name__)

LINGER_SECONDS: Final = 2.0
"""How long to keep browsing after the last watcher has left, because screens open and close often."""
BOT_NAMES: Final = ("Cullinan", "Koh-i-Noor", "Sancy", "Regent", "Florentine", "Orlov")
"""Names for bots, taken from famous diamonds."""
NO_ADDRESS: Final = "Your friends cannot reach this computer. Connect it to their network and try again."


class Network:
    """`client.session.services.Services`, for one user of one data folder."""

    only_host: str | None = None
    in_tournament = False
    may_host = True

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.data = settings.path.parent if settings.path is not None else data_folder()
        self._identity: Identity | None = None
        self._known: KnownKeys | None = None
        self._watchers: list[Callable[[], None]] = []
        self._unwatched = asyncio.Event()
        self._browser: Browser | None = None
        self._listens = asyncio.Event()
        self._browsing: asyncio.Task[None] | None = None
        self._tasks = BackgroundTasks()
        self._ways = lead_far(settings, self.data)

    # -- loading -------------------------------------------------------------------------------------------------------

    async def warm(self) -> None:
        await in_background(_load)
        await in_background(self._who)

    def _who(self) -> tuple[Identity, KnownKeys]:
        """Returns the user's identity and the keys of players met before. Raises StorageError."""
        from kimberley.p2p.storage.identity import Identity, KnownKeys

        if self._identity is None or self._known is None:
            self._identity, self._known = Identity.load_or_create(self.data), KnownKeys(self.data)
        return self._identity, self._known

    # -- tables --------------------------------------------------------------------------------------------------------

    async def host(
        self,
        game: str,
        options: Mapping[str, Plain],
        seats: int,
        *,
        port: int | None = None,
        bind: str | None = None,
        far: bool = False,
    ) -> Table:
        await self.warm()
        from kimberley.p2p.table.table import Table

        rules, (identity, _) = lookup.find(game), self._who()
        require_bots(rules)
        table = await Table.open(
            rules, nickname=self.settings.name, identity=identity, data=self.data, options=options,
            seats=seats, port=port, bind=bind,
        )  # fmt: skip
        if far:
            try:
                self.invite_far(table)
            except BaseException:
                await table.close()
                raise
        return table

    def invite_far(self, table: Table, *, anew: bool = False) -> None:
        invite_far(table, self.settings, anew=anew)

    async def join(
        self, where: ListedTable | str, queued: Callable[[str], None] = lambda sentence: None
    ) -> Table | JoinedTournament:
        await self.warm()
        from kimberley.client.session.find_table import read_card
        from kimberley.p2p.table.table import Table
        from kimberley.p2p.tournament.client import TournamentClient
        from kimberley.p2p.transport.handshake import VersionMismatch

        identity, _ = self._who()
        table = await self._find(where)
        name, card = self.settings.name, await read_card(table)
        try:
            if card is not None and card.tournament is not None:
                return JoinedTournament(
                    await TournamentClient.enter(table, lookup.find, nickname=name, identity=identity, data=self.data)
                )
            return await Table.join(table, lookup.find, nickname=name, identity=identity, data=self.data, queued=queued)
        except VersionMismatch as error:
            nickname = card.nickname if card is not None else None
            raise UserError(f"{error}{await _where_to_get_it(table, nickname)}") from error

    async def _find(self, where: ListedTable | str) -> DiscoveredTable | str:
        """Returns the table that `where` names, or its address. Raises UserError."""
        from kimberley.client.session.find_table import find_table

        if isinstance(where, ListedTable):
            tables = self._browser.found if self._browser is not None else ()
            return next((table for table in tables if table.name == where.name), where.address)
        return await find_table(where, self._listening())

    async def spectate(self, where: ListedTable | str) -> SpectatorLike:
        await self.warm()
        from kimberley.p2p.table.spectator_client import SpectatorClient

        # A spectator needs no identity: the table sees a new key each time.
        return await SpectatorClient.open(await self._find(where), lookup.find)

    async def keep(self, names: Sequence[str], record: bytes) -> Path:
        from kimberley.p2p.storage.archive import save_record

        return await in_background(save_record, self.data, names, record)

    async def alone(self, game: str, options: Mapping[str, Plain], seats: int, level: int) -> Table:
        await self.warm()
        from kimberley.p2p.table.table import Table

        rules, (identity, _) = lookup.find(game), self._who()
        require_bots(rules)
        table = await Table.open(
            rules, nickname=self.settings.name, identity=identity, data=self.data, options=options,
            seats=seats, listen=False,
        )  # fmt: skip
        level = nearest_level(table.game, level)
        for _ in range(seats - 1):
            await self.seat_bot(table, level)
        play_alone(table, level, aided=shared_file() is None)
        table.seating.ready(True)
        return table

    async def seat_bot(self, table: Table, level: int) -> None:
        require_bots(table.game)
        drawn = chance()
        name = drawn.choice([name for name in BOT_NAMES if name not in table.occupants.names])
        seed, level = drawn.getrandbits(63), nearest_level(table.game, level)
        bot = await table.seat_bot(name, (level, seed))
        self._start_bot(table, bot, level, seed)

    def _start_bot(self, table: Table, bot: Table, level: int, seed: int) -> None:
        """Lets a bot play a seat at the user's table."""
        session_of(table).bots.append(LocalBot(bot, level, seed))
        self._tasks.start(self._play_bot(table, bot, level, seed))

    async def take_back(self, table: Table, choices: int) -> Table:
        from kimberley.p2p.table.table import Table
        from kimberley.p2p.table.take_back import take_back

        solo, bots = session_of(table).solo, session_of(table).bots
        seats = [bot.seat for bot in bots if isinstance(bot.seat, Table)]
        assert isinstance(table, Table)
        assert solo is not None, "the user plays alone"
        earlier, *others = await take_back(table, seats, choices)
        play_alone(earlier, solo.level, aided=solo.aided, practice=True)
        for former, bot in zip(bots, others, strict=True):
            self._start_bot(earlier, bot, former.level, former.seed)
        return earlier

    @property
    def serves_pages(self) -> bool:
        from kimberley.p2p.base.extras import BROWSER, has

        return has(BROWSER)

    async def share(self, table: Table, picture: str) -> SharingLike:
        from kimberley.client.session.copy_offer import SharedTable
        from kimberley.client.session.sharing import Sharing
        from kimberley.p2p.transport.web_listener import WebListener

        # A link-local address has a scope, which means something on this machine only.
        if all("%" in address for address in table.addresses):
            raise UserError(NO_ADDRESS)
        identity, _ = self._who()
        page_seats = table.page_seats
        door = WebListener(identity, lambda channel: page_seats.welcome(channel, sharing.port), page_seats.expected)
        drawn = table.game

        def shared() -> SharedTable:
            numbers = tuple(table.occupants.numbers)
            return SharedTable(table.port, table.game.title, numbers, picture if table.game is drawn else "")

        sharing = Sharing(self.settings.name, shared(), door)
        try:
            # A seat in a page finds its table only where the page came from.
            await sharing.open(page_seats.port or None, table.bind)
        except BaseException:
            await sharing.close()
            raise
        table.subscribe(lambda _event: sharing.change_table(shared()))
        return sharing

    async def unfinished(self) -> tuple[UnfinishedGame, ...]:
        from kimberley.client.session.unfinished_games import list_unfinished

        identity, _ = await in_background(self._who)
        return await in_background(list_unfinished, self.data, identity.public)

    async def resume(self, which: UnfinishedGame | str | None) -> Table:
        return await self._resume(await self._journal(which))

    async def _journal(self, which: UnfinishedGame | str | None) -> Path:
        """Returns the path of the journal of an unfinished game. Raises UserError."""
        from kimberley.client.session.unfinished_games import find_journal

        identity, _ = await in_background(self._who)
        wanted = which.key if isinstance(which, UnfinishedGame) else which
        return await in_background(find_journal, self.data, identity.public, wanted)

    async def _resume(self, path: Path, *, listen: bool = True, seek: bool = True) -> Table:
        """Takes the seat of a journal again."""
        await self.warm()
        from kimberley.client.session.unfinished_games import bot_settings, was_alone
        from kimberley.p2p.table.table import Table

        identity, _ = self._who()
        alone = await in_background(was_alone, path)
        table = await Table.resume(
            path, lookup.find, identity=identity, data=self.data, listen=listen and not alone, seek=seek and not alone
        )
        try:
            for bot, note in await table.resume_bots():
                kept, seed = bot_settings(note)
                level = nearest_level(table.game, kept)
                self._start_bot(table, bot, level, seed)
                if alone:
                    play_alone(table, level, aided=shared_file() is None, practice=table.play.practice)
        except BaseException:
            await table.suspend()
            raise
        return table

    async def records(self) -> tuple[KeptGame, ...]:
        from kimberley.client.session.kept_games import list_kept

        identity, _ = await in_background(self._who)
        return await in_background(list_kept, self.data, identity.public)

    async def verify(self, game: KeptGame) -> KeptGame:
        from kimberley.client.session.kept_games import verify_kept

        return await in_background(verify_kept, self.data, game)

    async def _play_bot(self, table: Table, seat: Table, level: int, seed: int) -> None:
        """Runs the bot until its table fails, which happens when the person leaves or sends the bot away."""
        from kimberley.p2p.base.errors import InternalError

        name, problem = seat.occupants.names[seat.occupants.seat], None
        try:
            # A bot's data may take a moment to load. The screen stays responsive meanwhile.
            bot = await in_background(make_bot, seat.game, level, seed)
            await drive(seat, bot, again=True, beside=table)
            problem = seat.problem if seat.ending.resumable else None
        except Exception as error:
            log.exception("the bot %s cannot go on", name)
            problem = f"{InternalError.of(error)} Resume the game to play on."
        finally:
            if problem is not None:
                # Suspend the table so that nobody waits for the bot.
                await table.suspend(f"The bot {name} cannot continue. {problem}")
            await (seat.suspend() if table.ending.resumable else seat.close())

    # -- the list ------------------------------------------------------------------------------------------------------

    def watch(self, changed: Callable[[], None]) -> Stop:
        if self._known is not None:
            # Keys may have become known at tables since the list was last shown. If they cannot be read, tables say so.
            with suppress(StorageError):
                self._known.refresh()
        self._watchers.append(changed)
        self._unwatched.clear()
        if self._browsing is None:
            self._browsing = self._tasks.start(self._browse())

        def stop() -> None:
            if changed in self._watchers:
                self._watchers.remove(changed)
            if not self._watchers:
                self._unwatched.set()

        return stop

    async def _browse(self) -> None:
        """Browses the network while there are watchers, and a little longer."""
        from kimberley.p2p.discovery.mdns import Browser

        async with Browser() as browser:
            self._browser = browser
            self._listens.set()
            browser.subscribe(lambda _listing: self._notify_watchers())
            self._notify_watchers()
            try:
                while self._watchers:
                    await self._unwatched.wait()
                    await asyncio.sleep(LINGER_SECONDS)
            finally:
                # The next watcher starts a new browser.
                self._listens.clear()
                self._browser = self._browsing = None

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[Browser]:
        """Yields a browser that keeps running for as long as the caller uses it."""
        stop = self.watch(lambda: None)
        try:
            await self._listens.wait()
            assert self._browser is not None
            yield self._browser
        finally:
            stop()

    def _notify_watchers(self) -> None:
        for watcher in list(self._watchers):
            watcher()

    def nearby(self) -> NearbyTables:
        if self._browser is None:
            return NearbyTables()
        tables = tuple(self._listed(table) for table in self._browser.found)
        return NearbyTables(tables, len(self._browser.silent), self._browser.problem)

    def _listed(self, table: DiscoveredTable) -> ListedTable:
        identity, known = self._who()
        card = table.card
        own = card.identity == identity.public
        key: Key = "you" if own else known.status_of(card.nickname, card.identity)
        game = lookup.find(card.game) if card.game in lookup.ids() else None
        host = card.nickname if card.tournament is None else card.tournament.name
        options = dict(card.options)
        if card.tournament is not None:
            from kimberley.p2p.sentences.tournaments import unusual_options

            lines = unusual_options(card.game, options)
        else:
            lines = option_lines(game, options) if game is not None and options else []
        return ListedTable(
            name=table.name, game=card.game, title=game.title if game is not None else card.game,
            tournament=card.tournament,
            host=f"{host} · {card.fingerprint}" if key == "changed" else host,
            taken=card.taken, total=card.seats, key=key, address=table.address, versions=_versions(table),
            rtt=table.round_trip, names=card.names,
            options=tuple(lines),
        )  # fmt: skip

    async def addresses(self) -> tuple[str, ...]:
        from kimberley.p2p.transport.address import own_addresses

        return tuple(await in_background(own_addresses))

    async def close(self) -> None:
        self._ways.close()
        await self._tasks.close()


def _load() -> None:
    """Imports the modules that load slowly."""
    import zeroconf.asyncio  # noqa: F401


async def _where_to_get_it(table: DiscoveredTable | str, nickname: str | None) -> str:
    """Returns a further sentence for a joiner of another version, if the host shares a copy that fits; else nothing."""
    from kimberley.p2p.discovery.mdns import DiscoveredTable
    from kimberley.p2p.sharing.finding import find_shared_copy
    from kimberley.p2p.transport.address import parse_address

    host, _ = parse_address(table.address if isinstance(table, DiscoveredTable) else table)
    site = await find_shared_copy(host)
    if site is None:
        return ""
    who, whose = (nickname, f"{nickname}’s") if nickname is not None else ("the host", "the host’s")
    return f" Or get it from {who}: open {site}, and type only the line you see on {whose} screen."


def _versions(table: DiscoveredTable) -> str | None:
    """Returns why the table is incompatible, naming both sides' versions; None if it is compatible."""
    from kimberley.p2p.transport.handshake import REVISIONS

    card = table.card
    if not set(card.speaker.revisions) & set(REVISIONS):
        ours, theirs = (", ".join(map(str, revisions)) for revisions in (REVISIONS, card.speaker.revisions))
        return f"They use protocol {theirs}, you use {ours}: update the older one."
    if card.game not in lookup.ids():
        return f"Your version has no game called {card.game}."
    if (rules := lookup.find(card.game).revision) != card.rules:
        return f"They use revision {card.rules} of the rules, you use {rules}: update the older one."
    return None
