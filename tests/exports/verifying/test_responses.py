"""Responses in a release: what cannot be an answer to its questions is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from exports.contents.gathering import gather
from exports.contents.terms import Terms
from exports.verifying.verify import verify_release
from stand_ins.responses_of_a_run import response, write_run

Rows = list[dict[str, Any]]


@pytest.fixture
def with_runs(whole: Workspace, release: Callable[..., Path]) -> Path:
    """A release with a run of one of its dialogues."""
    dialogue: FalsePremise = gather(whole, Terms(canary="")).records["false-premise"][0]
    said = [
        response(
            turn.index,
            dialogue_id=dialogue.dialogue_id,
            turn=turn.index,
            question=turn.asked_question,
        )
        for turn in dialogue.turns
    ]
    write_run(whole.runs / "one", said)
    return release(whole, "1.0.1")


def _first(**values: Any) -> Callable[[Rows], Any]:
    return lambda rows: rows[0].update(values)


def test_what_was_answered_holds(with_runs: Path) -> None:
    assert all(one.holds for one in verify_release(with_runs))


# what was changed, with a lock that fits; what the check of ids says
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_first(dialogue_id="<b>"), "responses secret-model/1: dialogue <b> is not there"),
        # a question as it was before somebody corrected it, and a turn that there is not
        (_first(question="Is it a cat?"), "responses secret-model/1: turn 1 of fp-"),
        (_first(turn=11), "asks another question"),
        (lambda rows: [*rows, rows[0]], "responses secret-model/1: stands twice"),
    ],
)
def test_what_was_changed_is_found(
    with_runs: Path, forged: Callable[..., None], change: Callable[[Rows], Any], said: str
) -> None:
    forged(with_runs, "responses", change)
    found = {one.check: one.faults for one in verify_release(with_runs) if not one.holds}
    assert said in found["ids"][0]
