"""The suite itself: whom it blames and whom not, what it says, and that it always ends."""

from __future__ import annotations

import io
import json
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kimberley.client.cli.main import main
from kimberley.conformance.case import CASES, Case
from kimberley.conformance.cases import CASES as ALL
from kimberley.conformance.command import choose, read_expected
from kimberley.conformance.errors import Failed, Late, Noted, Unimplemented
from kimberley.conformance.harness.connection import frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.traffic import Traffic
from kimberley.conformance.plain import spelled
from kimberley.conformance.report.page import as_html
from kimberley.conformance.report.progress import RunProgress
from kimberley.conformance.report.report import SuiteRun, as_json, as_junit, describe_outcome, summary
from kimberley.conformance.runner import CaseOutcome, run
from tests.support.effort import spread

SILENT = [sys.executable, "-c", "import time; time.sleep(600)"]
HURRY = 0.02
"""Patience for targets that never answer."""


def scripted(body: str) -> list[str]:
    """Returns a target that is a few lines of Python."""
    return [sys.executable, "-c", textwrap.dedent(body)]


def verdict_of(target: list[str], case_id: str, patience: float = 1.0) -> CaseOutcome:
    (outcome,) = run(target, [ALL[case_id]], patience=patience)
    return outcome


# -- it always ends ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_target_that_says_nothing_fails_in_time() -> None:
    outcome = verdict_of(SILENT, "15-01", 0.15)
    assert outcome.late
    assert outcome.verdict == "failed"
    assert outcome.reason == (
        "host: waiting for the event `listening`; got nothing in 6 s; it sent no frame, and no event"
    )


@pytest.mark.slow
def test_a_failure_says_what_came_in_place_of_what_was_awaited() -> None:
    talks = """
        import time
        input()
        print('{"event": "said", "seat": 1, "text": "' + "y" * 400 + '"}', flush=True)
        time.sleep(600)
    """
    outcome = verdict_of(scripted(talks), "15-01", 0.1)
    start = 'host: waiting for the event `listening`; got the event {"event": "said", "seat": 1, "text": "yyy'
    assert outcome.reason.startswith(start)
    assert "yyy... in 4 s; it sent no frame, the last event" in outcome.reason
    assert len(outcome.reason) < 800


def test_a_failure_says_which_frame_came() -> None:
    traffic = Traffic()
    traffic.keep("standard input and output", "<", '{"event": "began"}')
    traffic.keep("ana", "<", frame("chat", "x"))
    traffic.keep("ana", "<", frame("beat"))
    assert traffic.latest == 'the frame ("chat", "x") to ana'


def test_a_target_that_cannot_be_started_fails() -> None:
    outcome = verdict_of(["/no/such/program"], "15-01")
    assert outcome.verdict == "failed"
    assert "cannot be started" in outcome.reason


def test_a_target_that_ends_at_once_fails_and_its_standard_error_is_kept() -> None:
    outcome = verdict_of(scripted("import sys; input(); sys.exit('no luck today')"), "15-01")
    assert outcome.verdict == "failed"
    assert "the target's process ended before its job was over" in outcome.reason
    assert "no luck today" in outcome.stderr


@pytest.mark.slow
def test_a_target_that_prints_what_is_no_event_fails() -> None:
    outcome = verdict_of(scripted("input(); print('ready!', flush=True); input()"), "15-01")
    assert outcome.verdict == "failed"
    assert "ready!" in outcome.reason


def test_what_a_target_lacks_is_unimplemented() -> None:
    lacking = """
        import json
        input()
        print(json.dumps({"event": "unimplemented", "what": "watch"}), flush=True)
        print(json.dumps({"event": "over", "done": False}), flush=True)
    """
    outcome = verdict_of(scripted(lacking), "10-43")
    assert (outcome.verdict, outcome.fails(strict=False), outcome.fails(strict=True)) == ("unimplemented", False, True)


def test_what_is_lacking_is_heard_also_where_the_job_is_over_at_once() -> None:
    at_once = """
        import sys
        input()
        sys.stdout.write('{"event": "unimplemented", "what": "roll"}\\n{"event": "over", "done": false}\\n')
    """
    assert verdict_of(scripted(at_once), "15-01").verdict == "unimplemented"


@pytest.mark.nightly
@pytest.mark.slow
def test_what_the_profile_of_a_target_does_not_name_counts_against_nobody() -> None:
    hosts_only = """
        from kimberley.conformance.target import peer

        async def profile(self, data):
            self._emit({"event": "profile", "has": ["host", "diamond"]})
            return True

        peer.PeerJob._profile = profile
        peer.main()
    """
    ids = ("09-01", "09-18", "18-03", "21-03", "21-04", "29-08")
    found = SuiteRun("hosts only", run(scripted(hosts_only), [ALL[case_id] for case_id in ids]), strict=True)
    verdicts = {one.case.id: one.verdict for one in found.outcomes}
    lacks = dict.fromkeys(("09-18", "18-03", "21-04"), "not claimed")
    assert verdicts == {**dict.fromkeys(ids, "ok"), **lacks}
    assert found.passed
    assert "does not name join, land, verify" in summary(found)
    assert found.counts["not claimed"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case_id", "has"),
    spread(
        3,
        [
            ("10-31", "host"),
            ("10-37", "host"),
            ("10-33", "join"),
            ("10-55", "host"),
            ("18-52", "verify"),
            ("18-53", "verify"),
        ],
    ),
)
def test_a_case_is_not_claimed_if_the_profile_lacks_what_it_comes_to_later(case_id: str, has: str) -> None:
    target = f"""
        from kimberley.conformance.target import peer

        async def profile(self, data):
            self._emit({{"event": "profile", "has": ["{has}", "diamond"]}})
            return True

        peer.PeerJob._profile = profile
        peer.main()
    """
    assert verdict_of(scripted(target), case_id).verdict == "not claimed"


@pytest.mark.slow
def test_a_report_holds_the_record_that_a_target_judges_wrongly() -> None:
    target = """
        from kimberley.conformance.target import peer

        peer.PeerJob._report_verdict = lambda self, verdict, record: self._emit({"event": "verdict", "code": "damaged"})
        peer.main()
    """
    outcome = verdict_of(scripted(target), "18-01")
    assert outcome.verdict == "failed"
    (record,) = [line for line in outcome.traffic.lines if "a record of" in line]
    assert b"kimberley record\n".hex() in record


@pytest.mark.nightly
@pytest.mark.slow
def test_one_job_a_process_is_enough() -> None:
    one_job = """
        import asyncio, sys
        from kimberley.conformance.target import peer

        class Once(peer.PeerJob):
            async def run(self):
                await super().run()
                sys.stdout.flush()
                import os
                os._exit(0)

        peer.PeerJob = Once
        peer.main()
    """
    outcomes = run(scripted(one_job), [ALL[case_id] for case_id in ("18-01", "29-03")], workers=1)
    assert [one.verdict for one in outcomes] == ["ok"] * 2


# -- verdicts ----------------------------------------------------------------------------------------------------------


def made(covers: tuple[str, ...], raises: BaseException | None, case_id: str = "99-01") -> Case:
    async def work(harness: Harness) -> None:
        if raises is not None:
            raise raises

    lenient = all(number.startswith("S") for number in covers)
    return Case(case_id, "A case of a test", "whatever", covers, work, lenient)


@pytest.mark.parametrize(
    ("covers", "raises", "verdict"),
    [
        (("M-ENC-1",), None, "ok"),
        (("M-ENC-1",), Failed("no"), "failed"),
        (("M-ENC-1",), Late("no"), "failed"),
        (("S-FRM-5",), Failed("no"), "non-strict"),
        (("M-ENC-1", "S-FRM-5"), Failed("no"), "failed"),
        (("M-ENC-1",), Unimplemented("that"), "unimplemented"),
        (("M-ENC-1",), Noted("as it likes"), "informational"),
        (("M-ENC-1",), TypeError("odd"), "failed"),
    ],
)
def test_verdicts(covers: tuple[str, ...], raises: BaseException | None, verdict: str) -> None:
    (outcome,) = run(SILENT, [made(covers, raises)])
    assert outcome.verdict == verdict
    assert outcome.late == isinstance(raises, Late)
    assert str(raises or "") in outcome.reason


# -- what it says ------------------------------------------------------------------------------------------------------


@pytest.fixture
def found() -> SuiteRun:
    """Returns a run with one outcome of each kind."""
    traffic = Traffic()
    traffic.keep("standard input and output", ">", '{"role": "host"}')
    traffic.keep("ana", ">", b"\x00\x00\x00\x05\x91\xa4look")
    traffic.keep("ana", "<", b"\x00\x00\x00\x01\xff")
    kinds = ("ok", "non-strict", "failed", "unimplemented", "informational", "not claimed")
    cases = [made(("M-ENC-1",), None, f"03-{number:02}") for number in range(1, 7)]
    outcomes = [
        CaseOutcome(case, kind, "" if kind == "ok" else f"<{kind}>", 0.5, traffic, "oops")  # type: ignore[arg-type]
        for case, kind in zip(cases, kinds, strict=True)
    ]
    return SuiteRun("./peer", outcomes)


def test_who_passes(found: SuiteRun) -> None:
    assert [one.case.id for one in found.failures] == ["03-03"]
    assert not found.passed
    assert SuiteRun("p", found.outcomes, expected=frozenset({"03-03"})).passed
    strict = SuiteRun("p", found.outcomes, strict=True, expected=frozenset({"03-03"}))
    assert [one.case.id for one in strict.failures] == ["03-02", "03-04"]
    all_known = frozenset({"03-02", "03-03", "03-04"})
    assert SuiteRun("p", found.outcomes, strict=True, expected=all_known).passed
    surprise = SuiteRun("p", found.outcomes, strict=True, expected=all_known | {"03-01"})
    assert not surprise.passed
    assert "03-01 was expected to fail" in summary(surprise)


def test_the_report_as_json(found: SuiteRun) -> None:
    read = json.loads(as_json(found))
    assert read["counts"] == dict.fromkeys(
        ("ok", "non-strict", "failed", "unimplemented", "informational", "not claimed"), 1
    )
    assert "traffic" not in read["cases"][0]
    job, sent, received = read["cases"][2]["traffic"]
    assert (job["direction"], job["says"]) == ("sent", '{"role": "host"}')
    assert (sent["direction"], sent["says"], sent["hex"]) == ("sent", '("look")', "0000000591a46c6f6f6b")
    assert received["direction"] == "received"
    assert read["cases"][2]["stderr"] == "oops"


def test_what_a_target_says_reaches_no_terminal_as_a_control_character() -> None:
    traffic, hostile = Traffic(), "\x9b2J\x1b[2J\u202e"
    traffic.keep("standard input and output", "<", hostile)
    outcome = CaseOutcome(made(("M-ENC-1",), None), "failed", f"got the event {hostile}", 0.5, traffic, hostile)
    printed = as_json(SuiteRun(hostile, [outcome]))
    assert printed.isascii()
    assert "\x1b" not in printed
    (read,) = json.loads(printed)["cases"]
    assert (read["reason"], read["stderr"]) == (outcome.reason, hostile)
    assert describe_outcome(outcome).replace("\n", "").isprintable()


def test_the_report_as_junit(found: SuiteRun) -> None:
    suite = ElementTree.fromstring(as_junit(found))
    assert (suite.get("tests"), suite.get("failures")) == ("6", "1")
    (failure,) = suite.iter("failure")
    assert "look" in str(failure.text)
    assert len(list(suite.iter("skipped"))) == 4


def test_the_report_as_a_page_needs_nothing_else(found: SuiteRun) -> None:
    page = as_html(replace(found, target="<script>"))
    assert "<code>&lt;script&gt;</code>" in page
    assert "&lt;failed&gt;" in page
    assert "<failed>" not in page
    assert "src=" not in page
    assert "http" not in page
    assert page.count("<details>") == 8
    assert as_html(replace(found, full=True)).count("<details>") == 10


def test_values_are_spelled_as_the_specification_spells_them() -> None:
    assert spelled((None, True, 5, "x", b"\x01", ())) == '(nil, true, 5, "x", <01>, ())'


# -- the command -------------------------------------------------------------------------------------------------------


def test_cases_are_chosen_by_id_section_and_requirement() -> None:
    assert [case.id for case in choose(["15-01"])[0]] == ["15-01"]
    assert {case.section for case in choose(["3", "29"])[0]} == {3, 29}
    assert choose(["19"])[0] == choose(["M-JRN-*"])[0]
    assert {case.id for case in choose(["M-SHF-2"])[0]} == {
        case.id for case in ALL.values() if "M-SHF-2" in case.covers
    }
    assert len(choose([])[0]) == len(CASES)
    assert not {"15-01"} & {case.id for case in choose(["15"], ["15-0*"])[0]}


def test_expected_failures_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("# what we know\n15-01  # asks\n\n03-02\n")
    assert read_expected(path) == (frozenset({"15-01", "03-02"}), [])
    path.write_text("99-99\n03-02\n")
    assert read_expected(path) == (frozenset({"03-02"}), ["99-99"])


@pytest.mark.parametrize("target", ["./nowhere --fast", "", "'"])
def test_a_target_that_is_no_program_is_one_sentence(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--target", target]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"kimberley: --target {target}")


@pytest.mark.slow
def test_the_command_lists_runs_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--list", "29"]) == 0
    assert "29-01" in capsys.readouterr().out
    assert main(["conform", "--target", "nothing", "no such case"]) == 2
    files = [f"--{kind}={tmp_path / kind}" for kind in ("json", "junit", "html")]
    assert main(["conform", "29-02", "18-0[34]", "--strict", *files]) == 0
    assert "3 cases: 3 ok" in capsys.readouterr().out
    assert json.loads((tmp_path / "json").read_text())["passed"] is True
    assert main(["conform", "29-02", "--target", f"{sys.executable} -c pass"]) == 1


@pytest.mark.slow
def test_a_name_that_no_case_has_ends_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [f"--{kind}={tmp_path / kind}" for kind in ("json", "junit", "html")]
    assert main(["conform", "29-02", "15-999", *files]) == 2
    said = capsys.readouterr().out
    assert "1 case: 1 ok" in said
    assert 'No case is called "15-999"' in said
    assert json.loads((tmp_path / "json").read_text())["unknown"] == ["15-999"]
    (missing,) = ElementTree.parse(tmp_path / "junit").iter("error")
    assert "15-999" in str(missing.get("message"))
    assert "15-999" in (tmp_path / "html").read_text()
    assert main(["conform", "29-02", "15-999", "--target", f"{sys.executable} -c pass"]) == 1
    assert main(["conform", "--list", "29-02", "15-999"]) == 2


@pytest.mark.slow
def test_json_alone_prints_the_report_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "29-02", "--traffic", "--json"]) == 0
    printed, said = capsys.readouterr()
    (case,) = json.loads(printed)["cases"]
    sent, *received = [json.loads(entry["says"]) for entry in case["traffic"]]
    assert sent["role"] == "juggle"
    assert [event["event"] for event in received] == ["unimplemented", "over"]
    assert "1 case: 1 ok" in said
    assert main(["conform", "--json", "29-02"]) == 2
    assert "write cases before --json" in capsys.readouterr().err


@pytest.mark.parametrize(("term", "changes"), [("xterm", True), ("dumb", False)])
def test_progress_is_a_line_now_and_then_and_one_that_changes_on_a_terminal(
    term: str, changes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    outcome, people = CaseOutcome(made(("M-ENC-1",), None), "ok"), io.StringIO()
    for stream in (io.StringIO(), Terminal()):
        progress = RunProgress(stream, people, 120)
        for _ in range(120):
            progress.on_outcome(outcome)
        progress.end()
        said = stream.getvalue()
        assert "50 of 120 cases, 0 failed, about" in said
        assert (said.count("\n"), said.count("\r")) == ((0, 121) if stream.isatty() and changes else (2, 0))
    assert not people.getvalue()


@pytest.mark.slow
def test_our_peer_judges_a_record_for_whoever_pipes_a_job(tmp_path: Path) -> None:
    import subprocess

    job = json.dumps({"role": "verify", "file": str(tmp_path / "nothing")})
    done = subprocess.run(
        [sys.executable, "-m", "kimberley.conformance.target.peer"],
        input=job,
        capture_output=True,
        text=True,
        timeout=60,
    )
    told = [json.loads(describe_outcome)["event"] for describe_outcome in done.stdout.splitlines()]
    assert (done.returncode, told) == (0, ["problem", "over"])
