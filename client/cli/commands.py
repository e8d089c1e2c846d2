"""What each command does with the options that it is given.

Every command imports what it needs only when it runs, so that the title screen appears without a noticeable delay.
"""

from __future__ import annotations

import argparse
import os

from kimberley.client.cli.given import given_game, given_level, given_options, given_seats, given_settings, tell_renamed


def run_title(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play

    return play.run(given_settings(found), plain=found.plain)


def run_host(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import HostGame

    start = HostGame(given_game(found), given_seats(found), found.port, found.bind, given_options(found), found.far)
    given_level(found)
    return play.run(given_settings(found), plain=found.plain, start=start)


def run_alone(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import PlayAlone

    start = PlayAlone(given_game(found), given_seats(found), given_options(found), found.level)
    given_level(found)
    return play.run(given_settings(found), plain=found.plain, start=start)


def run_join(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import JoinTable

    return play.run(given_settings(found), plain=found.plain, start=JoinTable(found.where))


def run_share(found: argparse.Namespace) -> int:
    from kimberley.client.cli import share

    if found.out is not None:
        return share.write(found.out)
    settings = given_settings(found)
    tell_renamed(settings)
    return share.run(settings.name, found.port, found.bind, room=found.room, as_json=found.json)


def run_browser(found: argparse.Namespace) -> int:
    from kimberley.client.cli import browser_runtime

    return browser_runtime.run(found.out)


def run_watch(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import WatchTable

    return play.run(given_settings(found), plain=found.plain, start=WatchTable(found.where))


def run_resume(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import ResumeGame

    return play.run(given_settings(found), plain=found.plain, start=ResumeGame(found.which))


def run_list(found: argparse.Namespace) -> int:
    if found.finished:
        from kimberley.client.cli import list_records
        from kimberley.client.session.settings import data_folder

        return list_records.run(data_folder(found.data), as_json=found.json)
    from kimberley.client.cli import list_tables

    return list_tables.run(seconds=found.seconds, as_json=found.json)


def run_rules(found: argparse.Namespace) -> int:
    from kimberley.client.cli import rules

    return rules.run(given_game(found))


def run_bot(found: argparse.Namespace) -> int:
    from kimberley.client.cli import bot

    if found.bot == "host":
        given_game(found)
        given_seats(found)
        given_level(found)
        found.options = given_options(found)
    settings = given_settings(found)
    tell_renamed(settings)
    return bot.run(found, settings)


def run_verify(found: argparse.Namespace) -> int:
    from kimberley.client.cli import verify

    return verify.run(found.files, as_json=found.json, dask=found.dask)


def run_replay(found: argparse.Namespace) -> int:
    from kimberley.client.cli import replay

    if found.picture:
        return replay.draw(found.file)
    return replay.run(found.file, given_settings(found), plain=found.plain, as_json=found.json, step=found.step)


def run_review(found: argparse.Namespace) -> int:
    from kimberley.client.cli import review
    from kimberley.p2p.base.extras import REFEREE, require

    if found.html is not None:
        require(REFEREE, "--html")
    return review.run(found.file, level=found.level, as_json=found.json, html=found.html)


def run_listen(found: argparse.Namespace) -> int:
    from kimberley.p2p.base.extras import MUSIC, require

    require(MUSIC, "Music")
    from kimberley.client.cli import listen
    from kimberley.client.session.audio import ANY_DEVICE, OUTPUT_VARIABLE

    return listen.run(found.file, found.out, os.environ.get(OUTPUT_VARIABLE) or ANY_DEVICE)


def run_demo(found: argparse.Namespace) -> int:
    from kimberley.client.cli import demo

    return demo.run(
        given_game(found),
        seats=given_seats(found),
        options=given_options(found),
        seed=found.seed,
        level=given_level(found),
        data=found.data,
        as_json=found.json,
    )


def run_doctor(found: argparse.Namespace) -> int:
    from kimberley.client.cli import doctor

    return doctor.run(found.where, found.data, as_json=found.json)
