"""The text of `kimberley COMMAND --help` below the options."""

from __future__ import annotations

from typing import Final

from kimberley.client.ui.keys import HELP_KEY

HOST: Final = """\
The table is announced on the local network. If others do not see it, the
screen shows what they can type. With three or more seats you can add bots. The
game begins when every seat is taken or, if fewer can play, when everyone here
is ready. The first time, everyone compares four words.

  kimberley host
  kimberley host diamond-trust --nickname ana --port 7000
  kimberley host land --seats 4 --option map=small
  kimberley host --far

With --far, a friend who is not on your network joins with a code: a number and
two words. This needs the extra "far". The connection goes through servers that
cannot read it: the public ones of magic-wormhole, or your own.
"""

ALONE: Final = """\
Kimberley’s bots take the other seats. Apart from that, it is an ordinary table.
Levels go from 1 (First-timer) to 11 (Grandmaster) in Diamond Trust of London,
and from 1 to 20 in the other games. The Play alone screen describes how each
level plays, and so does 'levels' in text mode.

  kimberley alone
  kimberley alone land --seats 3 --option map=small --level 8
"""

JOIN: Final = """\
NAME is the host’s nickname, or the name that 'kimberley list' shows. If nothing
is found (across networks, or because a firewall blocks mDNS, UDP 5353), use
an address.

  kimberley join
  kimberley join ana
  kimberley join 192.168.1.7
  kimberley join [fe80::1%eth0]:7000
  kimberley join 7-velvet-harbor

7-velvet-harbor is the code of a host far away, who typed
'kimberley host --far'. It is for you alone, and works until the table closes.
"""

WATCH: Final = """\
Up to eight spectators can watch a table, live and from the first move. They
see what is public: secrets stay hidden until the game is over. Then your own
program checks the record and shows the dossier.

  kimberley watch
  kimberley watch ana
  kimberley watch 192.168.1.7 --plain
"""

RESUME: Final = """\
Interrupted games, and games saved for later, are in the data folder. You
return to your seat exactly as you left it. Kimberley looks for the others at
their last addresses and on this network. If several players were away, each
of them types this command. Without a name, it resumes your latest saved game;
with --plain, you choose from a list if there are several.

  kimberley resume
  kimberley resume ben
  kimberley resume ~/.local/share/kimberley/journals/0123456789abcdef-1.journal
"""

DOCTOR: Final = """\
Checks Python, the cryptography libraries, the terminal, the data folder, and
the network: addresses, multicast on each interface, UDP 5353, the port where
you would host, and whether the tables announced there answer. With a host, it
also checks the connection: whether a table answers and how fast, whether it has
your version, and whether its announcement arrives. Clocks are not compared:
nothing in a game depends on the time of day. Each line says what was found; if
there is something to do, the next line says what. "note" is not a problem; BAD
sets exit status 1.

  kimberley doctor
  kimberley doctor ana
  kimberley doctor 192.168.1.7
  kimberley doctor 192.168.1.7:7000 --json
"""

SHARE: Final = """\
Shares this program on your network as one file, until Ctrl-C, and shows the
line your friend types. The line fetches the file, checks its hash, and only
then runs it. Your friend needs only Python 3.11 or newer. The copy hosts,
joins, watches, verifies, replays and plays alone as yours does, and can be
passed on. It can join a tournament but not run or verify one, and it has no
music. Your friends must trust you: the copy can do anything on their
computers.

With --room, it shows a code in place of the line: friends scan it and play
with each other in the browsers of their phones or computers. One of them opens
a table. Your computer passes on what they sign, sees no secrets, and must stay
on.

  kimberley share
  kimberley share --out kimberley.pyz     only write the file
  kimberley share --room                  a room for games in browsers
"""

BROWSER: Final = """\
Fetches Pyodide (Python for browsers) and libsodium, checks their hashes, and
installs them next to Kimberley. You need the internet once, for about a minute.
After that, friends just scan the code on your screen; their browsers get
everything from your computer.

  kimberley browser install
"""

LIST: Final = """\
A host that crashed stays announced for minutes, so this program asks each host
whether it is still there. With --json: a list of objects with name, host,
fingerprint, identity, game, rules, revisions, seats_taken, seats_total,
seated, options, address, port, milliseconds, cup.

With --finished: your finished games, with opponents, date, result and whether
each was fair. The first time, each is replayed from its seeds, which takes a
few seconds. With --json: file, bytes, written, game, names, seat, verdict,
reason, result, places, left. kimberley replay shows a record, and kimberley
verify checks it again.
"""

RULES: Final = f"""\
In the program, press {HELP_KEY}, then Tab; in text mode, type rules.

  kimberley rules
  kimberley rules piecepack | less
"""

BOT: Final = """\
The bot plays like any other seat, with its own identity in the data folder, a
saved game and a record. Nobody is there to compare the four words, so new keys
stay unverified. With --json it prints one object per line; "event" says its
kind.

In a tournament it joins, plays every round, and leaves at the end. Ctrl-C makes
it leave its game for good.

  kimberley bot host --level 3 --again        a sparring partner for everyone
  kimberley bot join "Friday Cup" --level 3   in a tournament
  kimberley bot join ana --json               one JSON object per line
  kimberley bot resume                        its latest interrupted game
"""

VERIFY: Final = """\
Every seat is replayed from the seed and choices it published, and compared
with every byte it signed. You need no network, and you need not trust anyone.

You can name several files and folders. In a folder, every record (*.kdt) and
tournament file (*.cup) is checked, on all cores. For a tournament file, every
pairing is made again by the rules, every signature and record is checked, and
the standings are recomputed; this needs the extra "referee". The exit status
is the worst one found; from the worst to the best they are 1, 2, 3, 4 and 0.

exit status:
  0  fair
  1  proven unfair; the verdict names the seat, the move and the reason
  2  not a record, or damaged; the verdict says where, and blames nobody
  3  incomplete; the verdict names what is missing. Everything before it is fair
  4  made by a version that this program cannot check
Any other status is not a verdict:
  64  the command was mistyped
  69  it could not do its work; a sentence says why
  70  a fault of this program
  74  the verdict could not be printed
  130  interrupted
"""

REPLAY: Final = """\
Games of Diamond and Blood Diamonds: Land can also be written as text
(docs/diamond.md, docs/land.md). Such a file is shown like a record but proves
nothing. For a record, --plain and --json (one object per line) print all steps,
and --picture draws the last position, and how the game went, as an SVG file
next to it.
"""

REVIEW: Final = """\
Judges each decision by what the player knew and, in a game that hides things,
also with hindsight. It shows what was chosen, what was best, and how much of
the chance to win the difference cost, then each player’s chances and accuracy,
and the turning point. docs/review.md says what it cannot judge.

It uses all cores. The result is saved next to the record as
RECORD.review.json, so the same level is instant the next time. Ctrl-C stops it
and saves nothing. --json prints decisions (seat, step, kind, chosen, best,
loss, best_in_truth ...), accuracy, chances and turning_point. 'best' is a
clearly better choice, or else the one that was made; another option may have
scored higher by luck. --html needs the extra "referee".

  kimberley review game.kdt
  kimberley review game.kdt --level 20 --html game.html
"""

LISTEN: Final = """\
Every game has its own music, which follows what everyone does in public. This
command plays it from the first event to the last, and prints the time, the bar
and the passage. The same record always gives the same music. You need the extra
"music".

  kimberley listen game.kdt
  kimberley listen game.kdt --out game.flac
"""

DEMO: Final = """\
Each seat is a process on this computer. They find each other by mDNS, connect
over TLS, play, check each other’s play, and save a record, which is then
checked again. --data says where (default: a new temporary folder). Options you
leave out are those of the quickest game. With --json: result, names, record,
verdict, options, envelopes, bytes, and seconds by phase.

  kimberley demo
  kimberley demo land --seats 3 --level 5
"""
