"""The seat in a page: its platform, its cryptography, its stored files, and what it can do."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kimberley.client.browser.bridge import Page
from kimberley.client.browser.mirror import Mirror
from kimberley.client.browser.page_port import Message
from kimberley.client.browser.page_services import PageServices
from kimberley.client.browser.platform import BrowserPlatform
from kimberley.client.session.settings import load, nickname_form
from kimberley.p2p.base.platform import data_folder, set_platform
from kimberley.p2p.sentences.notices import renamed
from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.wasm_sodium import libsodium_of
from kimberley.protocol.roster import MOST_NICKNAME


async def open_seat(page: Page, folder: Path) -> tuple[PageServices, Message]:
    """Sets up everything on this page's platform, from what the browser has stored, with files in a folder.

    Returns the services, and what the page said when it was ready to show the program. Raises OSError if the browser
    stores nothing.
    """
    mirror = Mirror(folder, page.database, lambda text: page.post({"kind": "failed", "text": text}))
    await mirror.load()
    platform = BrowserPlatform(page, mirror, folder)
    set_platform(platform)
    backend.bring(libsodium_of(page.sodium, platform.pulse), platform.pulse)
    settings = load(data_folder())
    message = await _first_message(page)
    if nickname := nickname_form(str(message.get("name", ""))):
        settings.nickname = nickname
        settings.renamed = renamed(str(message["name"]), nickname, MOST_NICKNAME)
        settings.save()
    return PageServices(settings, page.site, page.host_key), message


async def _first_message(page: Page) -> Message:
    first: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

    def on_message(message: Message) -> None:
        if not first.done():
            first.set_result(message)

    page.on_message = on_message
    page.listen()
    return await first
