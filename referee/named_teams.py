"""Teams that the organizer names by nicknames, before anybody has enrolled: whom these nicknames mean.

A nickname means the first player to enroll under it, and from then on that player's key. If more players with a similar
nickname come, the organizer is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kimberley.p2p.tournament.events import TeamFormed
from kimberley.p2p.tournament.players import BANNED, TournamentPlayer
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee.named_players import is_called, namesakes


def named_teams(named: Mapping[str, Sequence[str]], now: Tournament, at: int) -> list[TeamFormed]:
    """Returns the teams that the organizer has named and that are not formed yet, with those who have enrolled. `at` is
    in seconds since 1970.
    """
    formed = {team.name for team in now.teams}
    taken = {member for team in now.teams for member in team.members}
    teams = []
    for name, nicknames in named.items():
        places = (_first_called(now, nickname) for nickname in nicknames)
        members = tuple(dict.fromkeys(one.identity for one in places if one is not None and one.identity not in taken))
        if members and name not in formed:
            taken |= {*members}
            teams.append(TeamFormed(at, name, members))
    return teams


def unclear_members(named: Mapping[str, Sequence[str]], now: Tournament, nickname: str | None = None) -> list[str]:
    """Returns questions to the organizer, as sentences: each about a member of a team that is not formed, under whose
    nickname several have enrolled. With a `nickname`, only about the member that could be meant by it.
    """
    formed = {team.name for team in now.teams}
    questions = []
    for team, nicknames in named.items():
        for called in nicknames if team not in formed else ():
            alike = [one for one in namesakes(now.players, called) if one.state != BANNED]
            if len(alike) < 2 or (nickname is not None and not any(one.nickname == nickname for one in alike)):
                continue
            first = _first_called(now, called)
            plays = f"{now.name(first.identity)} joined first and plays" if first is not None else "None of them plays"
            *names, last = (now.name(one.identity) for one in alike)
            others = ", ".join(now.name(alike[-1].identity) if one == called else one for one in nicknames)
            questions.append(
                f"Which {called} plays for team {team}: {', '.join(names)} or {last}? {plays}. To change that, once "
                f"the whole team is here and before round 1, type: team {team}: {others}"
            )
    return questions


def _first_called(now: Tournament, nickname: str) -> TournamentPlayer | None:
    """Returns the first to enroll under a nickname, of those whom the organizer has not banned."""
    return next((one for one in now.players if one.state != BANNED and is_called(one, nickname)), None)
