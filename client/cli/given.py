"""What a command line gives, read and checked: a game, its seats, its options, a level, settings."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kimberley.client.session.settings import Settings
    from kimberley.games.table import Plain


def given_level(found: argparse.Namespace) -> int:
    """Returns the given level, or the usual one. Raises UserError if the game has no such level."""
    from kimberley.client.session.options import chosen_level
    from kimberley.games import lookup

    return chosen_level(lookup.find(found.game), found.level, found.usual_level or 1)


def given_game(found: argparse.Namespace) -> str:
    """Returns the id of the named game. Raises UserError, which lists the installed games."""
    from kimberley.p2p.sentences.options import known_game

    return known_game(found.game)


def given_seats(found: argparse.Namespace) -> int | None:
    """Returns the requested number of seats, or None for the default. Raises UserError if the game does not
    allow it.
    """
    from kimberley.games import lookup
    from kimberley.p2p.sentences.options import check_seats

    wanted: int | None = found.seats
    if wanted is not None:
        check_seats(lookup.find(found.game), wanted)
    return wanted


def given_options(found: argparse.Namespace) -> dict[str, Plain]:
    """Returns the given options, by name.

    Raises UserError if the game has no such option, or does not allow it for that number of seats.
    """
    from kimberley.games import lookup
    from kimberley.p2p.base.errors import UserError
    from kimberley.p2p.sentences.options import check_adjusts, read_options, refusal
    from kimberley.p2p.table.common_options import GRACE

    game = lookup.find(found.game)
    try:
        chosen = read_options(game, found.options)
    except ValueError as error:
        raise UserError(str(error)) from None
    if found.seats is not None and (reason := refusal(game, found.seats, chosen)) is not None:
        raise UserError(reason)
    if getattr(found, "adjust", None) is not None:
        check_adjusts(game)
        chosen |= found.adjust.options
    if getattr(found, "grace", None) is not None:
        chosen[GRACE] = found.grace
    return chosen


def tell_renamed(settings: Settings) -> None:
    """Says on standard error if others see the nickname otherwise than it was typed."""
    for sentence in settings.renamed:
        print(f"kimberley: {sentence}", file=sys.stderr, flush=True)


def given_settings(found: argparse.Namespace) -> Settings:
    """Returns the user's saved settings, with what the command line overrides for this run."""
    from kimberley.client.session import settings
    from kimberley.p2p.sentences.notices import renamed
    from kimberley.protocol.roster import MOST_NICKNAME

    chosen = settings.load(settings.data_folder(found.data))
    if found.nickname is not None:
        chosen.override(nickname=settings.nickname_form(found.nickname))
        chosen.renamed = renamed(found.nickname, chosen.name, MOST_NICKNAME)
    if found.colours is not None:
        chosen.override(colours=found.colours)
    if (theme := getattr(found, "theme", None)) is not None:
        chosen.override(theme=theme)
    if found.ascii:
        chosen.override(glyphs="ascii")
    if found.calm:
        chosen.override(calm=True)
    if getattr(found, "quiet", False):
        chosen.override(calm=True, quiet=True)
    if (audio := getattr(found, "audio", None)) is not None:
        from kimberley.p2p.base.extras import MUSIC, require

        if audio == "on":
            require(MUSIC, "--audio on")
        chosen.override(audio=audio)
    far = {name: text for name in ("mailbox", "relay") if (text := getattr(found, name, None)) is not None}
    if far:
        chosen.mailbox, chosen.relay = far.get("mailbox", chosen.mailbox), far.get("relay", chosen.relay)
        chosen.save()
    if (level := getattr(found, "level", None)) is not None:
        chosen.override(level=level)
    return chosen
