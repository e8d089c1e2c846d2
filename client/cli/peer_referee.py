"""The cup that a target runs: what a job says of it, and the tournament server that plays it."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from client.conformance.plain import from_json
from games.table import Game
from p2p.identity import Identity
from p2p.referee.cup import SEED_SIZE, Cup
from p2p.referee.desk import Desk, Plan
from p2p.referee.store import Store


@asynccontextmanager
async def running(
    job: Mapping[str, Any], data: Path, find: Callable[[str], Game], identity: Identity, bind: str
) -> AsyncIterator[Desk]:
    """A cup of two seats a table, everybody against everybody, which begins with the number of players that the job
    names. Raises Trouble, LookupError, ValueError.
    """
    game, seed = find(job.get("game", "script")), secrets.token_bytes(SEED_SIZE)
    cup = Cup.of(
        identity.public,
        str(job.get("nickname", "target")),
        game=game.id,
        rules=game.revision,
        options={name: from_json(value) for name, value in job.get("options", {}).items()},
        format="round-robin",
        rounds=0,
        seats=2,
        allowed=game.seats,
        clock=None,
        seed=seed,
    )
    store = Store.create(data / "cup", cup, seed)
    try:
        plan = Plan(players=int(job["players"]))
        desk = await Desk.open(store, find, identity, plan, port=job.get("port", 0), bind=bind, announce=False)
        try:
            yield desk
        finally:
            await desk.close()
    finally:
        store.close()
