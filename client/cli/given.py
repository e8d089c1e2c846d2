"""What a command line gives, read and checked: a game, its seats, its options, a level, settings."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kimberley.client.session.settings import Settings
    from kimberley.games.table import Plain


def given_level(arguments: argparse.Namespace) -> int:
    """Returns the given level, or the usual one. Raises UserError if the game has no such level."""
    from kimberley.client.session.options import chosen_level
    from kimberley.games import lookup

    return chosen_level(lookup.find(arguments.game), arguments.level, arguments.usual_level or 1)


def given_game(arguments: argparse.Namespace) -> str:
    """Returns the id of the named game. Raises UserError, which lists the installed games."""
    from kimberley.p2p.sentences.options import known_game

    return known_game(arguments.game)


def given_seats(arguments: argparse.Namespace) -> int | None:
    """Returns the requested number of seats, or None for the default. Raises UserError if the game does not
    allow it.
    """
    from kimberley.games import lookup
    from kimberley.p2p.sentences.options import check_seats

    wanted: int | None = arguments.seats
    if wanted is not None:
        check_seats(lookup.find(arguments.game), wanted)
    return wanted


def given_options(arguments: argparse.Namespace) -> dict[str, Plain]:
    """Returns the given options, by name.

    Raises UserError if the game has no such option, or does not allow it for that number of seats.
    """
    from kimberley.games import lookup
    from kimberley.p2p.base.errors import UserError
    from kimberley.p2p.sentences.options import check_adjusts, read_options, refusal
    from kimberley.p2p.table.common_options import GRACE

    game = lookup.find(arguments.game)
    try:
        chosen = read_options(game, arguments.options)
    except ValueError as error:
        raise UserError(str(error)) from None
    if arguments.seats is not None and (reason := refusal(game, arguments.seats, chosen)) is not None:
        raise UserError(reason)
    if getattr(arguments, "adjust", None) is not None:
        check_adjusts(game)
        chosen |= arguments.adjust.options
    if getattr(arguments, "grace", None) is not None:
        chosen[GRACE] = arguments.grace
    return chosen


def tell_renamed(settings: Settings) -> None:
    """Says on standard error if others see the nickname differently from how it was typed."""
    for sentence in settings.renamed:
        print(f"kimberley: {sentence}", file=sys.stderr, flush=True)


def given_settings(arguments: argparse.Namespace) -> Settings:
    """Returns the user's saved settings, with what the command line overrides for this run."""
    from kimberley.client.session import settings
    from kimberley.p2p.sentences.notices import renamed
    from kimberley.protocol.roster import MOST_NICKNAME

    chosen = settings.load(settings.data_folder(arguments.data))
    if arguments.nickname is not None:
        chosen.override(nickname=settings.nickname_form(arguments.nickname))
        chosen.renamed = renamed(arguments.nickname, chosen.name, MOST_NICKNAME)
    if arguments.colours is not None:
        chosen.override(colours=arguments.colours)
    if (theme := getattr(arguments, "theme", None)) is not None:
        chosen.override(theme=theme)
    if arguments.ascii:
        chosen.override(glyphs="ascii")
    if arguments.calm:
        chosen.override(calm=True)
    if getattr(arguments, "quiet", False):
        chosen.override(calm=True, quiet=True)
    if (audio := getattr(arguments, "audio", None)) is not None:
        from kimberley.p2p.base.extras import MUSIC, require

        if audio == "on":
            require(MUSIC, "--audio on")
        chosen.override(audio=audio)
    far = {name: text for name in ("mailbox", "relay") if (text := getattr(arguments, name, None)) is not None}
    if far:
        chosen.mailbox, chosen.relay = far.get("mailbox", chosen.mailbox), far.get("relay", chosen.relay)
        chosen.save()
    if (level := getattr(arguments, "level", None)) is not None:
        chosen.override(level=level)
    return chosen
