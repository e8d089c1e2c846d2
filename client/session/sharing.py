"""A copy for a friend who has none: what is shared, and what the friend must be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kimberley.client.session.copy_offer import CopyOffer, SharedTable
from kimberley.client.session.share_page import share_page
from kimberley.p2p.base.extras import BROWSER, MissingExtra, require
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sharing.archive import SharedFile, build_archive, build_wheel
from kimberley.p2p.sharing.one_line import PATH, CommandShell, one_line
from kimberley.p2p.sharing.page_program import PLAYING, PageProgram, build_page_program
from kimberley.p2p.sharing.room import Room
from kimberley.p2p.sharing.server import FileServer, ServedFile, site_of
from kimberley.p2p.transport.address import format_address, reachable_at
from kimberley.p2p.transport.web_channel import SEAT_PATH
from kimberley.p2p.transport.web_listener import WebListener

LOOPBACK: Final = "127.0.0.1"


class Sharing:
    """Serves the program to friends until it is closed."""

    def __init__(self, nickname: str, table: SharedTable | None = None, door: WebListener | Room | None = None) -> None:
        """Starts nothing yet; `open` does.

        Args:
            nickname: The nickname of the person who shares.
            table: The table that friends join, if one is open.
            door: Where they join it from the page, or the room where they play with each other; None if they cannot
                play in the page.

        """
        self._nickname = nickname
        self._table = table
        self._door = door
        self._server = FileServer(self._files)
        self._bind: str | None = None
        self._file = SharedFile("", b"")
        self._wheel: SharedFile | None = None
        self._program: PageProgram | None = None
        self._missing: MissingExtra | None = None
        self._served: dict[str, Mapping[str, ServedFile]] = {}
        """The files, by the address at which a friend reaches this machine."""

    @property
    def port(self) -> int:
        """The port of the page."""
        return self._server.port

    async def open(self, port: int | None = None, bind: str | None = None) -> None:
        """Builds the file, which takes seconds, and serves it.

        Args:
            port: 0 for any free port; None for the default one, or the next that is free.
            bind: The only address to listen at; None for all of this machine.

        Raises:
            UserError: This installation cannot be shared, or the port cannot be used.

        """
        self._file = await in_background(build_archive)
        self._wheel = await in_background(build_wheel)
        try:
            require(BROWSER, PLAYING)
        except MissingExtra as missing:
            self._missing = missing
        else:
            if self._door is not None:
                self._program = await in_background(build_page_program)
                door = self._door
                self._server.handed_over = door.handed_over if isinstance(door, Room) else {SEAT_PATH: door.take_over}
                self._server.expected = door.expected
        self._bind = bind
        await self._server.open(port, bind)

    async def close(self) -> None:
        """Ends all downloads, and stops serving. Players at the table stay there."""
        await self._server.close()
        if self._door is not None:
            await self._door.close()

    def change_table(self, table: SharedTable) -> None:
        """Says which table friends join from now on, such as with another game."""
        if table != self._table:
            self._table = table
            self._served.clear()

    def offer(self, address: str | None = None) -> CopyOffer:
        """Returns what to show to a friend who reaches this machine at that address; at its likeliest one if None."""
        # A link-local address has a scope, which means something on this machine only.
        known = [*([] if address is None else [address]), *reachable_at(self._bind)]
        host = next((one for one in known if "%" not in one), LOOPBACK)
        offer = copy_offer(self._nickname, host, self.port, self._file, self._wheel, self._table)
        if self._missing is not None:
            return replace(offer, without=str(self._missing), install=self._missing.line)
        if self._door is None or self._program is None:
            return offer
        return replace(offer, play=self._program.link(offer.site, self._door.host_key))

    def _files(self, address: str) -> Mapping[str, ServedFile]:
        # Strangers ask as often as they like, but only by the addresses of this machine.
        if address not in self._served:
            self._served[address] = self._files_at(address)
        return self._served[address]

    def _files_at(self, address: str) -> Mapping[str, ServedFile]:
        download = ("Content-Disposition", f'attachment; filename="{self._file.name}"')
        files = {
            "/": share_page(self.offer(address)),
            PATH: ServedFile(self._file.data, (("Content-Type", "application/zip"), download)),
        }
        if self._wheel is not None:
            kind = ("Content-Type", "application/octet-stream")
            files[f"/{self._wheel.name}"] = ServedFile(self._wheel.data, (kind,))
        if self._door is not None and self._program is not None:
            files |= self._program.served_by(self._door.host_key)
        return files


def copy_offer(
    nickname: str, host: str, port: int, file: SharedFile, wheel: SharedFile | None, table: SharedTable | None
) -> CopyOffer:
    """Returns what to show to a friend.

    Args:
        nickname: The nickname of the person who shares.
        host: The address at which the friend reaches this machine.
        port: The port of the page.
        file: The whole program.
        wheel: The package for pip, if there is one.
        table: The table that the friend joins, if one is open.
    """
    site = site_of(host, port)
    joining = () if table is None else ("join", format_address(host, table.port))
    return CopyOffer(
        nickname,
        site,
        {shell: one_line(shell, site, file, *joining) for shell in CommandShell},
        file.digits,
        file.words,
        len(file.data),
        None if wheel is None else f'pip install "{site}/{wheel.name}#sha256={wheel.sha256.hex()}"',
        table,
    )
