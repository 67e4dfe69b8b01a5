"""The public table of cases, and what holds for every answer."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchwright.asking.reading import Reading, read_text, read_yes_no
from benchwright.asking.replies import Reply, reply_of
from benchwright.yaml_files import read_yaml

TABLE = Path(__file__).parents[4] / "docs" / "answers" / "yes-no.yaml"
KEYS = {"text", "finish_reason", "refusal", "answer", "status", "reason", "why", "report"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A row of the table; the fields are those that the table names."""

    why: str
    reason: str
    text: str | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    answer: str | None = None
    status: str = "ok"
    report: str | None = None

    def reply(self) -> Reply:
        message = {"content": self.text, "refusal": self.refusal}
        choice = {"message": message, "finish_reason": self.finish_reason}
        return reply_of({"choices": [choice]}, key="k", seconds=0.0)


def rows() -> dict[str, list[dict[str, str]]]:
    said: dict[str, list[dict[str, str]]] = read_yaml(TABLE, as_text=True)
    return said


CASES = [Case(**row) for some in rows().values() for row in some]
SAID = [case for case in CASES if case.answer in ("yes", "no") and case.finish_reason == "stop"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.text!r:.50}-{case.finish_reason}")
def test_the_table(case: Case) -> None:
    expected = Reading(status=case.status, reason=case.reason, answer=case.answer)  # type: ignore[arg-type]
    assert read_yes_no(case.reply()) == expected, case.why


def test_the_table_is_wide() -> None:
    asked = [(case.text, case.finish_reason, case.refusal) for case in CASES]
    chinese = [case for case in CASES if any("一" <= char <= "鿿" for char in case.text or "")]
    assert len(asked) == len(set(asked))
    assert len(asked) >= 220
    assert len(chinese) >= 50
    assert len({case.why for case in chinese}) > 45
    assert all(row.keys() <= KEYS for some in rows().values() for row in some)
    assert all((case.answer is None) == (case.status != "ok") for case in CASES)
