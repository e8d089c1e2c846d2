"""What `python -m tests.lab COMMAND --help` says below the options."""

from __future__ import annotations

from typing import Final

BENCH: Final = """\
Takes about 20 seconds on one core, with --full a minute. It measures the
operations of the group, ristretto255; commitments, range proofs, disclosures
and rolls; and, for bags of 10, 30, 52 and 120 items of one part and of two,
how long one seat takes to

  shuffle  put the items into a new order, behind new masks
  prove    prove that nothing was lost, doubled or changed
  verify   check another seat’s proof
  share    open its share of every part of every item for everyone, and check
           another seat’s
  mail     send it to one seat alone, and check another seat’s

Everything runs with libsodium, which games use, and with the pure-Python group
that they use where it is missing. Figures are medians. With --json, each also
has its best time, the number of runs, the group operations of one run by name
("counts": mul and base are multiplications, of a point and of the generator),
and the share of the time that is spent in them ("in_group").
"""

ARENA: Final = """\
Players of every game: random, and level:N (the bot). Diamond, land, mine and
piecepack have greedy, which does what gains most at once. Diamond Trust of
London has heuristic, tuned (the policy without a search), search:N (the search
of the bot’s higher levels, with N times as many games), recipe:N (the recipe
of the original’s computer player at its level N), some rivals with one habit
each, such as greedy or deceiving (docs/bots.md), or a file that `train` wrote
(*.json). Without GAME they play Diamond Trust of London.

Each pair is two games with the same seed, with the seats swapped. With more
seats, A sits alone against players like B, in one game at every seat. --pairs
is the number of seeds. Intervals are 95% (Wilson). Time is processor time in
decisions. Ctrl-C stops and prints the result so far. With --json: game, seats,
a, b, win_rate (A’s part of the first places; of two that share one, half),
interval, margin (A’s score above the average of the others), games,
seconds_per_decision (of A, of B), fair_share (1 / seats), above (how much of
what is above that A won) and above_interval.

  python -m tests.lab arena diamond level:5 greedy --pairs 50
  python -m tests.lab arena piecepack level:3 random --seats 4
  python -m tests.lab arena land level:10 level:5 --option map=small
  python -m tests.lab arena level:2 level:1 --pairs 100
  python -m tests.lab arena search:4 search:1 --pairs 200 --plot four.svg
  python -m tests.lab arena search:1 tuned --dask tcp://127.0.0.1:8786
  python -m tests.lab arena response.json search:4 --pairs 200
"""

TUNE: Final = """\
An evolution strategy tunes the weights that simulations use, against fixed
styles and a league of earlier versions: with them `train` begins.
With --state, the same command continues where it stopped, and with more
--generations for longer.

  python -m tests.lab tune --seed 1 --out tuned.json
"""

TRAIN: Final = """\
The bot follows one of a few players in each game, so that nothing gains much
against it. Each run is an epoch of a double oracle. It trains a response to how
these players are mixed, lets it meet each of them, and solves the game of who
meets whom again. The response is one of them from then on. The result may ship
as games/diamond_trust/bots/tuned.json, and plays in `arena`.

With --against, it only trains a response to one player, and prints how often
the response wins: how much that player loses to someone who has studied it.

With --state, the same command continues where it stopped, and with more
--generations or --pairs for longer.

  python -m tests.lab train --seed 1 --state epoch.state --out first.json
  python -m tests.lab train --begin first.json --seed 2 --out second.json
  python -m tests.lab train --against search:4 --out response.json
  python -m tests.lab train --add response.json --out tuned.json
"""
