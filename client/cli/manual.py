"""What `kimberley COMMAND --help` says below the options."""

from __future__ import annotations

from typing import Final

HOST: Final = """\
The table is announced to the local network, and the screen shows what the others type where
it is not seen. At a table of three and more you may give free seats to bots, and all say when they
are ready. Everybody compares four words once, and you play.

  kimberley host
  kimberley host diamond-trust --nickname ana --port 7000
  kimberley host land --seats 4 --option map=small
"""

ALONE: Final = """\
Bots take all the other seats. It is a table like any other, within this program.

  kimberley alone
  kimberley alone land --seats 3 --option map=small --level 8
"""

JOIN: Final = """\
NAME is the nickname of the host or the name that 'kimberley list' shows. An address works
where nothing is found: across networks, or where a firewall stops multicast (mDNS, UDP 5353).

  kimberley join
  kimberley join ana
  kimberley join 192.168.1.7
  kimberley join [fe80::1%eth0]:7000
"""

WATCH: Final = """\
A table shows its game to up to eight onlookers, live and from the first move, by what everybody
may see: hidden things stay hidden until the game is over. Your own program then checks the record,
and shows the dossier.

  kimberley watch
  kimberley watch ana
  kimberley watch 192.168.1.7 --plain
"""

RESUME: Final = """\
A game whose program was killed, or that was put aside, waits in the journals of the data folder.
You take your seat again exactly as it was; the others are looked for where they were, and on this
network, wherever they are by now. Two who were both away both say this.

  kimberley resume
  kimberley resume ben
  kimberley resume ~/.local/share/kimberley/journals/0123456789abcdef-1.journal
"""

LIST: Final = """\
Each game found is asked whether it is really there, since a host that crashed stays announced
for minutes. With --json: a list of objects with name, host, fingerprint, identity, game, rules,
revisions, seats_taken, seats_total, seated, options, address, port, milliseconds, cup.
"""

BOT: Final = """\
It plays as any seat does: its own identity in the data folder, a journal, a record. Nobody is
there to compare the four words, so keys that are new to it stay unverified.

In a tournament it enrols, plays every round, and leaves at the end.

  kimberley bot host --level 3 --again        a sparring partner for the whole network
  kimberley bot join "Friday Cup" --level 3   in the tournament of a referee
  kimberley bot join ana --json               one JSON object a line: "event" says of what kind
"""

REFEREE: Final = """\
Players find it beside the tables, or type the name: kimberley join "Friday Cup". It pairs them, they
meet at tables of their own, and it watches: it keeps the clocks, rules on time, silence and
cheating, checks every game, and signs the results. It sees no secret before a game is over, and
nobody has to trust it for fairness: only for whom it lets in, for what the clocks show, and for who
was silent or did not come.

All is kept in its folder: killed at any moment, the same command goes on with it. Where you can
type, these words steer it: start, next, status, withdraw NAME, stop. --option, --seats and
--last-look are those of every table. --status shows how it stands, from another window.

  kimberley referee "Friday Cup" --rounds 5 --clock 20m+10s
  kimberley referee "Land Cup" --game land --seats 4 --option map=small --start 20:00 --web 8080
  kimberley referee "Bot Cup" --game diamond --format round-robin --players 6 --linger 0
  kimberley referee --status ~/.local/share/kimberley/cups/friday-cup
"""

VERIFY: Final = """\
Every seat is played again from the seed and the choices it published, and compared with every
byte it signed. Needs no network, and nobody's word.

Of a folder every record in it (*.kdt) is checked, on all cores. Of a bundle, which a referee writes
of a whole cup, every pairing is made again by the rules, every signature and every record checked,
and the standings counted. The exit status is that of the worst: 1 before 2, 3, 4 and 0.

exit status:
  0  fair
  1  proven unfair: with the seat, the step and the reason
  2  not a record, or damaged: with the place. A damaged record blames nobody
  3  incomplete: with the step that is absent. What was played up to there is no less fair
  4  of a revision that cannot be judged here
"""

REPLAY: Final = """\
Diamond and the land game can also be written as text, as a score sheet or an account sheet (docs/diamond.md,
docs/land.md); such a file is shown like a record, and proves nothing.
With --plain, or --json (one object a line), all steps are printed.
"""

DEMO: Final = """\
A process for each seat, on this machine: they find each other by mDNS, speak TLS, play, audit
each other, and leave a record, which is then verified once more. --data says where; else it is a
new folder in the temporary directory. Options that are not given are those of the quickest game.
With --json: result, names, record, verdict, options, envelopes, bytes, and seconds by phase.

  kimberley demo
  kimberley demo land --seats 3 --level 5
"""

CONFORM: Final = """\
The suite plays every other seat, as hosts and joiners, correctly and not, and checks every byte of
the target against SPEC.md; it shares no code with this program's own peer but the arithmetic of the
group. What a target is, SPEC.md says in section 29; `kimberley peer` is one. CASE is an id (15-07),
a section (15) or a requirement (M-SHF-1), with * for anything.

  kimberley conform --target ./my-peer 3 8 11     three sections, to begin with
  kimberley conform --target ./my-peer --strict --html report.html
  kimberley conform --target ./my-peer --expect known.txt --junit junit.xml

--json without FILE prints the report, and nothing else, to standard output. A name that no case has
is an error for that name; the others run.

exit status: 0 passed, 1 not passed, 2 misused, or passed and a name was unknown
"""

PEER: Final = """\
Reads jobs from standard input, a JSON object a line, and says what happens in lines of JSON, as
SPEC.md says in section 29.

  echo '{"role": "verify", "file": "game.kdt"}' | kimberley peer
"""

BENCH: Final = """\
Takes about 20 seconds on one core, with --full a minute. Measured are the operations of the
group, ristretto255; commitments, range proofs, disclosures, rolls; and for bags of 10, 30, 52
and 120 items, of one part and of two, what one seat needs to

  shuffle  put the items into an order of its own, behind new masks
  prove    show that nothing was lost, doubled or changed
  verify   check that of another seat
  share    give its share of every part of every item, for all to see, and check another's
  mail     give it for one seat alone, and check another's

All of it by libsodium, which games use, and by the pure-Python group that it is tested against.
Figures are medians. With --json, each also has its best time, the number of runs, the group
operations of one run by name ("counts": mul and base are multiplications, of a point and of the
generator), and the share of the time that is spent in them ("in_group").
"""

ARENA: Final = """\
Players of Diamond Trust of London: random, heuristic, tuned (the policy without a search),
recipe:N (the recipe of the original's computer player at its level N), level:N (the bot), or a
file that `kimberley tune --against` wrote (*.json).
Each pair is two games with the same seed, the seats swapped. Intervals are of 95% (Wilson); time
is processor time where there was something to decide. Ctrl-C stops, and says how it stands.
With --json: a, b, win_rate (of A, ties as half), interval, margin (diamonds), games,
seconds_per_decision (of A, of B).

  kimberley arena level:1 recipe:10 --pairs 100
  kimberley arena level:4 level:1 --pairs 200 --state four.jsonl --plot four.svg
  kimberley arena level:1 tuned --dask tcp://127.0.0.1:8786
  kimberley arena response.json level:4 --pairs 200
"""

TUNE: Final = """\
An evolution strategy over the numbers that simulations weigh by, against fixed styles and a
league of earlier selves. What it finds is what games/diamond_trust/tuned.json ships.
With --against, a response to one player is trained in real games instead, and its win rate
printed: what a player loses to whoever has studied it. With --adopt, the bot learns from that:
what ships is printed with the response's numbers as the bot's own.

  kimberley tune --seed 1 --out games/diamond_trust/tuned.json
  kimberley tune --against level:4 --out response.json
  kimberley tune --adopt response.json --out games/diamond_trust/tuned.json
"""
