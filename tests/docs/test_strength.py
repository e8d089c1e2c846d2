"""What the command about the strength of the tests makes of reports."""

from __future__ import annotations

from tests.tools.strength import caught, reached

REPORT = """<testsuites><testsuite>
<testcase name="test_its_case_catches_the_mutant[roll: little-endian]"><properties/></testcase>
<testcase name="test_its_case_catches_the_mutant[roll: any share]"><failure>it did not</failure></testcase>
<testcase name="test_a_fault_that_the_suite_shares_is_found_by_the_case_or_by_a_vector[roll: any share]"/>
<testcase name="test_its_case_catches_the_mutant[chat: unsigned]"><error>it broke</error></testcase>
<testcase name="test_its_case_catches_the_mutant[hello: no nonce]"/>
<testcase name="test_there_are_many_mutants_and_each_is_another_one"><failure/></testcase>
</testsuite></testsuites>"""


def test_a_mutant_counts_once_and_those_that_were_not_caught_are_named() -> None:
    assert caught(REPORT) == "The suite caught 50.0% of 4 mutants.\nchat: unsigned\nroll: any share"


def test_folders_are_summed_up_and_the_sum_comes_last() -> None:
    def report(*counts: int) -> object:
        names = ("covered_lines", "num_statements", "covered_branches", "num_branches")
        return {"summary": dict(zip(names, counts, strict=True))}

    files = {
        "protocol/peer.py": report(9, 10, 1, 2),
        "protocol/roster.py": report(10, 10, 0, 0),
        "games/asks/roll.py": report(1, 1980, 0, 0),
    }
    assert list(reached(files))[1:] == [
        "| games/asks | 0.1% of 1,980 | none |",
        "| protocol | 95.0% of 20 | 50.0% of 2 |",
        "| together | 1.0% of 2,000 | 50.0% of 2 |",
    ]
