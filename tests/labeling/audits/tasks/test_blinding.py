"""Tasks without what the machine holds; kinds that have some are held to their blind audits."""

import pytest

from benchwright.decisions.standing import Thing
from labeling.audits.tasks.blinding import has_blind_form, without_machine
from labeling.audits.tasks.names import AUDITS, AuditName
from labeling.audits.tasks.task import Task, TaskBox


def _task(kind: AuditName) -> Task:
    return Task(
        task_id="1",
        kind=kind,
        image_id="i",
        thing=Thing("i", None, None, "a/b"),
        before="yes",
        facets={"type": "a", "machine": "yes", "margin": 0.1, "confidence": 0.6},
        boxes=(TaskBox(label="x", bbox=(0, 0, 1, 1), is_target=True),),
        shown={"question": "?", "machine": {"answer": "yes"}, "votes": [1], "target": "3"},
    )


@pytest.mark.parametrize("kind", AUDITS)
def test_what_the_machine_holds_is_left_out(kind: AuditName) -> None:
    task = _task(kind)
    found = without_machine(task)
    if kind == "attributes":
        assert found.facets == {"type": "a"}
        assert found.shown == {"question": "?", "machine": None, "votes": [], "target": "3"}
        assert found.boxes[0].is_target  # what is asked about
    elif kind == "candidate-set":
        assert found.shown["target"] is None
        assert not found.boxes[0].is_target
    else:
        assert not has_blind_form(task)
        assert found is task
