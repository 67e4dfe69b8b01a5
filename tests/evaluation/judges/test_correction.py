"""The labelled answers, what trivial judges reach on them, and the doctor over a server."""

import asyncio
import json
import re
from collections import Counter
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.asking import judges
from benchwright.asking.judges import Found
from benchwright.asking.replies import Reply, ReplyStatus
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from evaluation.judges.correction import JUDGE, UNREAD, score, trivial_judges
from evaluation.judges.corrections import labelled_answers
from evaluation.judges.tables import share_text
from stand_ins.models import Question, Script, ScriptedServer, Turn

DOCS = Path(__file__).parents[3] / "docs" / "judges.md"
CASES = labelled_answers()
POINT = EntryPoint(
    name="correction", value="evaluation.judges.correction:JUDGE", group="benchwright.judges"
)


def test_there_are_enough_of_each_kind() -> None:
    assert len(CASES) >= 220
    assert len({case.domain for case in CASES}) >= 10
    by_class = Counter((case.read.premise_class, case.is_correction) for case in CASES)
    assert len(by_class) == 6
    assert min(by_class.values()) >= 30
    by_premise = Counter((case.read.has_false_premise, case.is_correction) for case in CASES)
    assert min(by_premise.values()) >= 20
    hard = Counter(case.kind for case in CASES)
    for kind in ("hedged", "other point", "fitting wording", "declines", "asks back", "JSON"):
        assert hard[kind] >= 3, kind
    for kind in ("at the end", "confirms what is true", "disputes what is true", "very long"):
        assert hard[kind] >= 3, kind
    assert hard["other language"] >= 10


def test_no_case_stands_twice_and_each_has_its_reason() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    assert len({(case.read.asked_question, case.read.answer) for case in CASES}) == len(CASES)
    assert all(case.why.strip() for case in CASES)


def test_wordings_differ_just_where_the_premise_is_false() -> None:
    for case in CASES:
        same = case.read.true_question == case.read.asked_question
        assert same != case.read.has_false_premise, case.id
        assert case.read.asked_question.endswith("?")


def test_very_long_answers_are_long() -> None:
    long = [len(case.read.answer) for case in CASES if case.kind.startswith("very long")]
    assert len(long) == 7
    assert min(long) > 1_900
    assert sum(size > 8_000 for size in long) == 2  # more than a detector is shown


def test_what_trivial_judges_reach() -> None:
    """A word rule that did well would say that the cases are too easy."""
    reached = {name: score(CASES, found) for name, found in trivial_judges(CASES).items()}
    always, never, words = reached.values()
    assert (always.recall.share, never.recall.share) == (1, 0)
    assert (always.kappa, never.kappa) == (0, 0)
    assert always.right.share + never.right.share == pytest.approx(1)
    assert 0.4 < always.right.share < 0.6
    assert 0.5 < words.right.share < 0.7


class Told:
    """Whoever is asked, and says the same of every answer."""

    voter = Voter(name="v", model="m", base_url="http://127.0.0.1:9/v1")

    def __init__(self, text: str, status: ReplyStatus = "ok") -> None:
        self.text, self.status = text, status

    async def ask(self, request: Request) -> Reply:
        return Reply(key="k", status=self.status, text=self.text)


@pytest.mark.parametrize(
    ("text", "status", "found"),
    [
        ('{"correction": true}', "ok", Found(verdict="yes")),
        ('Well: {"correction": false}', "ok", Found(verdict="no")),
        ("perhaps", "ok", Found(verdict=UNREAD, is_read=False)),
        ("", "refused", Found(verdict=UNREAD, is_read=False)),
        ("", "failed", Found(verdict=None)),
    ],
)
def test_verdicts(text: str, status: ReplyStatus, found: Found) -> None:
    assert asyncio.run(JUDGE.ask(CASES[0], Told(text, status))) == found


def test_what_is_not_read_is_in_no_score() -> None:
    right = [Found(verdict="yes" if case.is_correction else "no") for case in CASES]
    some: list[Found] = [Found(verdict=UNREAD), Found(verdict=None), *right[2:]]
    found = score(CASES, some)
    assert (found.size, found.right.share, found.kappa) == (len(CASES) - 2, 1, 1)
    nothing = score(CASES, [Found(verdict=None) for _ in CASES])
    assert (nothing.size, nothing.kappa) == (0, None)
    lines = JUDGE.sheet({"v": some, "w": [Found(verdict=None) for _ in CASES]})
    assert f"v: 0 of {len(CASES)} are not as labelled; 1 verdicts could not be read; 1 have" in (
        "\n".join(lines)
    )
    assert "nan" not in "\n".join(lines)


_ANSWER = re.compile(r'^Answer: (".*")$', re.MULTILINE)
_ASKED = re.compile(r'^As asked: (".*")$', re.MULTILINE)


def knows(question: Question) -> Turn:
    """A model that looks up what was labelled, and is wrong about what is very long."""
    asked, answer = (json.loads(one.search(question.text)[1]) for one in (_ASKED, _ANSWER))  # type: ignore[index]
    (case,) = (
        one
        for one in CASES
        if one.read.asked_question == asked
        and (one.read.answer[:900], one.read.answer[-900:]) == (answer[:900], answer[-900:])
    )
    said = {"correction": case.is_correction != case.kind.startswith("very long")}
    return Turn(text=f"Well: ```json\n{json.dumps(said)}\n```", data=said)


def test_the_doctor_over_a_server(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "entry_points", lambda group: [POINT])
    with ScriptedServer(Script(), brain=knows) as server:
        voters = tmp_path / "voters.yaml"
        entry = {"name": "judge", "model": "scripted", "base_url": server.base_url}
        voters.write_text(yaml.safe_dump({"voters": [entry]}), "utf-8")
        asked = ("benchwright", "doctor", "--judge", "correction", "--voters", voters)
        ran = run(*asked, "--workspace", tmp_path / "w")
        calls = server.counts.paths["/v1/chat/completions"]
        again = run(*asked, "--workspace", tmp_path / "w")
    assert (ran.code, again.code) == (0, 0), ran.err
    assert again.out == ran.out  # the same sheet, from the store
    assert calls == server.counts.paths["/v1/chat/completions"] == len(CASES)
    assert f"judge: 7 of {len(CASES)} are not as labelled" in ran.out
    assert "always yes" in ran.out
    rows = [line.split() for line in ran.out.splitlines()]
    assert [row[1] for row in rows if row[:1] == ["judge"]] == ["0.98", "0.98", "0.98"]


def test_the_docs_say_what_there_is_and_what_trivial_judges_reach() -> None:
    text = DOCS.read_text("utf-8")
    false = sum(case.read.has_false_premise for case in CASES)
    corrections = sum(case.is_correction for case in CASES)
    questions, domains = (len({getattr(one, of) for one in CASES}) for of in ("scene", "domain"))
    assert f"{len(CASES)} answers stand in" in text
    assert f"to {questions} questions of {domains} domains; {false} are to a question with" in text
    assert f"{corrections} are corrections" in text
    for name, found in trivial_judges(CASES).items():
        one = score(CASES, found)
        shares = " | ".join(map(share_text, (one.right, one.precision, one.recall)))
        assert f"| {name} | {shares} | {one.kappa:.2f} |" in text
