"""What each command does with the options that it is given.

Every command imports what it needs only when it runs, so that the title screen appears without a noticeable delay.
"""

from __future__ import annotations

import argparse
import os

from kimberley.client.cli.given import given_game, given_level, given_options, given_seats, given_settings, tell_renamed


def run_title(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import play

    return play.run(given_settings(arguments), plain=arguments.plain)


def run_host(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import HostGame

    start = HostGame(
        given_game(arguments),
        given_seats(arguments),
        arguments.port,
        arguments.bind,
        given_options(arguments),
        arguments.far,
    )
    given_level(arguments)
    return play.run(given_settings(arguments), plain=arguments.plain, start=start)


def run_alone(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import PlayAlone

    start = PlayAlone(given_game(arguments), given_seats(arguments), given_options(arguments), arguments.level)
    given_level(arguments)
    return play.run(given_settings(arguments), plain=arguments.plain, start=start)


def run_join(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import JoinTable

    return play.run(given_settings(arguments), plain=arguments.plain, start=JoinTable(arguments.where))


def run_share(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import share

    if arguments.out is not None:
        return share.write(arguments.out)
    settings = given_settings(arguments)
    tell_renamed(settings)
    return share.run(settings.name, arguments.port, arguments.bind, room=arguments.room, as_json=arguments.json)


def run_browser(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import browser_runtime

    return browser_runtime.run(arguments.out)


def run_watch(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import WatchTable

    return play.run(given_settings(arguments), plain=arguments.plain, start=WatchTable(arguments.where))


def run_resume(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import ResumeGame

    return play.run(given_settings(arguments), plain=arguments.plain, start=ResumeGame(arguments.which))


def run_list(arguments: argparse.Namespace) -> int:
    if arguments.finished:
        from kimberley.client.cli import list_records
        from kimberley.client.session.settings import data_folder

        return list_records.run(data_folder(arguments.data), as_json=arguments.json)
    from kimberley.client.cli import list_tables

    return list_tables.run(seconds=arguments.seconds, as_json=arguments.json)


def run_rules(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import rules

    return rules.run(given_game(arguments))


def run_bot(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import bot

    if arguments.bot == "host":
        given_game(arguments)
        given_seats(arguments)
        given_level(arguments)
        arguments.options = given_options(arguments)
    settings = given_settings(arguments)
    tell_renamed(settings)
    return bot.run(arguments, settings)


def run_verify(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import verify

    return verify.run(arguments.files, as_json=arguments.json, dask=arguments.dask)


def run_replay(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import replay

    if arguments.picture:
        return replay.draw(arguments.file)
    return replay.run(
        arguments.file, given_settings(arguments), plain=arguments.plain, as_json=arguments.json, step=arguments.step
    )


def run_review(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import review
    from kimberley.p2p.base.extras import REFEREE, require

    if arguments.html is not None:
        require(REFEREE, "--html")
    return review.run(arguments.file, level=arguments.level, as_json=arguments.json, html=arguments.html)


def run_listen(arguments: argparse.Namespace) -> int:
    from kimberley.p2p.base.extras import MUSIC, require

    require(MUSIC, "Music")
    from kimberley.client.cli import listen
    from kimberley.client.session.audio import ANY_DEVICE, OUTPUT_VARIABLE

    return listen.run(arguments.file, arguments.out, os.environ.get(OUTPUT_VARIABLE) or ANY_DEVICE)


def run_demo(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import demo

    return demo.run(
        given_game(arguments),
        seats=given_seats(arguments),
        options=given_options(arguments),
        seed=arguments.seed,
        level=given_level(arguments),
        data=arguments.data,
        as_json=arguments.json,
    )


def run_doctor(arguments: argparse.Namespace) -> int:
    from kimberley.client.cli import doctor

    return doctor.run(arguments.where, arguments.data, as_json=arguments.json)
