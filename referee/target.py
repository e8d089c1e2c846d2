"""The tournament that `kimberley peer` runs as a referee: its settings from the job, and its server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.settings import SEED_SIZE, TournamentSettings
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.server import RoundTiming, TournamentServer
from kimberley.referee.store import Store


@asynccontextmanager
async def run_tournament(
    job: Mapping[str, Any],
    options: Mapping[str, Plain],
    data: Path,
    find: Callable[[str], Game],
    identity: Identity,
    bind: str,
) -> AsyncIterator[TournamentServer]:
    """Runs a round-robin tournament at tables of two, which begins once it has as many players as the job says.
    Raises UserError, LookupError, ValueError.
    """
    game, seed = find(job.get("game", "script")), random_bytes(SEED_SIZE)
    settings = TournamentSettings.of(
        identity.public,
        str(job.get("nickname", "target")),
        game=game.id,
        rules=game.revision,
        options=options,
        format="round-robin",
        rounds=0,
        seats=2,
        allowed=game.seats,
        clock=None,
        seed=seed,
    )
    store = await AsyncStore.open(partial(Store.create, data / "cup", settings, seed))
    try:
        timing = RoundTiming(players=int(job["players"]))
        server = await TournamentServer.open(
            store, find, identity, timing, port=job.get("port", 0), bind=bind, announce=False
        )
        try:
            yield server
        finally:
            await server.close()
    finally:
        await store.close()
