"""Where the program starts in a page's worker: it opens the seat, and then the app in the page's window."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any, Final

from kimberley.client.browser.javascript import JavaScriptPage
from kimberley.client.browser.page_loop import allow_late_timers
from kimberley.client.browser.page_services import PageServices
from kimberley.client.browser.page_window import PageWindow
from kimberley.client.browser.seat import open_seat
from kimberley.client.browser.spoken_table import PageConsole, speak
from kimberley.client.screens.app import App
from kimberley.client.screens.join import open_join
from kimberley.client.screens.title import TitleScreen
from kimberley.p2p.sentences.notices import RETURNING

FOLDER: Final = Path("/seat")
"""A folder in the worker's memory."""


async def start(page: Any) -> None:
    """Runs the program until its user leaves it. `page` is what the worker's JavaScript provides."""
    allow_late_timers(asyncio.get_running_loop())
    port = JavaScriptPage(page)
    services, message = await open_seat(port, FOLDER)
    console = PageConsole(port)
    app = App(
        services.settings,
        services,
        partial(PageWindow, port=port, start=message, on_line=console.type),
        beside=lambda flow: speak(app, console, flow),
    )
    unfinished = await services.unfinished()
    # A referee leads players back to their games.
    resumes = bool(unfinished) and not services.in_tournament
    await app.run(lambda: open_screens(app, services, resumes=resumes))


def open_screens(app: App, services: PageServices, *, resumes: bool) -> None:
    """Opens the title screen, and on top of it the unfinished game, or else the host's table or tournament."""
    app.push(TitleScreen(app))
    app.toast(" ".join(app.settings.renamed))
    if resumes:
        app.sit("Resume", RETURNING, partial(services.resume, None))
    else:
        open_join(app)
