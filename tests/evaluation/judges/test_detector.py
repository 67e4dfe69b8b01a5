"""The violation detector as a judge: what it asks, what it prints, what the rules reach."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.judges import Found
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from evaluation.judges.detector import JUDGE
from evaluation.judges.scoring import VALID, Score, score
from evaluation.judges.tables import share_text

DOCS = Path(__file__).parents[3] / "docs" / "judges.md"


class Told:
    """Whoever is asked, and says the same of every question."""

    voter = Voter(name="v", model="m", base_url="http://127.0.0.1:9/v1")

    def __init__(self, verdict: str, status: Any = "ok") -> None:
        self.verdict, self.status = verdict, status
        self.asked = 0

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        said = json.dumps({"attribute": "a", "verdict": self.verdict})
        return Reply(key=str(self.asked), status=self.status, text=said)


def all_of(told: Told) -> list[Found]:
    async def ask() -> list[Found]:
        return [await JUDGE.ask(case, told) for case in JUDGE.cases()]

    return asyncio.run(ask())


def test_the_model_is_asked_what_the_rules_let_pass() -> None:
    told = Told("repeated")
    found = all_of(told)
    passed = [JUDGE.by_rules(case) for case in JUDGE.cases()].count(VALID)
    again = [case for case in JUDGE.cases() if case.is_contradicted and case.wanted == VALID]
    assert 0 < told.asked <= passed
    assert [one.verdict for one in found].count(VALID) == passed - told.asked <= len(again)


def test_no_answer_and_no_verdict_are_told_apart() -> None:
    by_rules = [JUDGE.by_rules(case) for case in JUDGE.cases()]
    failed = all_of(Told("valid", "failed"))
    assert {one.verdict for one, by in zip(failed, by_rules, strict=True) if by == VALID} == {
        None,
        VALID,  # asked again while answers contradict each other: nobody needs to be asked
    }
    unread = all_of(Told("perhaps"))
    assert [one.verdict for one in unread] == by_rules
    assert sum(not one.is_read for one in unread) == sum(one.verdict is None for one in failed)


def test_the_sheet_of_a_model_that_finds_nothing_is_that_of_the_rules() -> None:
    found = all_of(Told("valid"))
    lines = JUDGE.sheet({"v": found})
    rows = [re.split(r" {2,}", line) for line in lines]
    for part in ("all", "held out"):
        at = next(number for number, row in enumerate(rows) if row[0] == part)
        assert rows[at + 1][0] == "rules alone"
        assert rows[at + 2][0] == "v"
        assert rows[at + 1][1:] == rows[at + 2][1:]
    wrong = [case for case in JUDGE.cases() if JUDGE.by_rules(case) != case.wanted]
    at = lines.index(f"v: {len(wrong)} of {len(JUDGE.cases())} are not as labelled")
    assert len(lines[at + 1 :]) == len(wrong)
    assert wrong[0].id in lines[at + 1]


def test_the_sheet_of_a_model_that_knows_all() -> None:
    found = [Found(verdict=case.wanted) for case in JUDGE.cases()]
    lines = JUDGE.sheet({"v": found})
    assert "v            1.00 (0.98 to 1.00)  1.00 (0.98 to 1.00)" in "\n".join(lines)
    assert lines[-1] == f"v: 0 of {len(found)} are not as labelled"


def test_what_has_no_answer_is_left_out() -> None:
    found = [Found(verdict=None), *(Found(verdict=case.wanted) for case in JUDGE.cases()[1:])]
    lines = JUDGE.sheet({"v": found})
    assert lines[-1] == f"v: 0 of {len(found)} are not as labelled; 1 have no answer"
    assert JUDGE.sheet({"v": [Found(verdict=None) for _ in found]})


def rules_score(*, held_out: bool) -> Score:
    cases = [case for case in JUDGE.cases() if case.is_held_out == held_out]
    return score([case.wanted for case in cases], [JUDGE.by_rules(case) for case in cases])


@pytest.mark.parametrize("held_out", [True, False])
def test_the_rules_reach_what_the_docs_say(held_out: bool) -> None:
    reached = rules_score(held_out=held_out)
    row = re.search(
        rf"^\| {'held out' if held_out else 'tuning'} \| (.*) \|$",
        DOCS.read_text("utf-8"),
        re.MULTILINE,
    )
    assert row is not None
    assert row[1].split(" | ") == _row(reached)


def _row(one: Score) -> list[str]:
    shares = (one.precision, one.recall, one.f1, one.same_reason)
    return [str(sum(one.confusion.values())), *map(share_text, shares)]


def test_the_rules_do_not_fall_behind() -> None:
    """The docs may be rewritten; below this they are no first line of defence."""
    reached = rules_score(held_out=True)
    assert reached.precision.share > 0.8
    assert reached.recall.share > 0.7
