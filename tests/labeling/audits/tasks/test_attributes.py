"""Tasks of attribute audits, and the decisions that come of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.standing import Thing
from benchwright.errors import WorkspaceError
from benchwright.records import Item, Label, SceneObject, Vote
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.attributes.labels.writing import write_labels
from labeling.audits.planning.plan_file import (
    AuditPlan,
    PlannedItem,
    PlannedStratum,
    PlanSettings,
    write_plan,
)
from labeling.audits.tasks.attributes import ALTERNATIVE_KEYS, KIND
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskKey

VOCABULARY = """
types:
  colour:
    exclusive: true
    values:
      blue: {templates: ["Is the colour of the {noun} blue?", "Is the {noun} blue?"]}
      green:
      red: {templates: ["Is the colour of the {noun} red?"]}
  trim:
    values:
      lace: {templates: ["Is there lace on the {noun}?"]}
      bow:
"""
PICTURE = "0" * 15 + "1"


def _object(number: str, category: str) -> SceneObject:
    return SceneObject(
        object_id=number,
        category=category,
        bbox=(10.0, 20.0, 30.0, 40.0),
        area=1200.0,
        is_crowd=False,
        is_occluded=None,
        is_truncated=None,
        attributes=(),
        mask=None,
    )


def _item(image_id: str, category: str | None, *objects: SceneObject) -> Item:
    nothing = dict.fromkeys(
        ("image", "sha256", "width", "height", "split", "group_id", "title", "url"), None
    )
    return Item(
        **nothing,
        image_id=image_id,
        source="here",
        source_id=image_id,
        category=category,
        licence=None,
        author=None,
        attributes=(),
        objects=objects,
        captions=(),
        dialogues=(),
    )


def _planned(image_id: str, value: str, object_id: str | None = None, **more: Any) -> PlannedItem:
    said: dict[str, Any] = {
        "type": "trim" if value in ("lace", "bow") else "colour",
        "answer": "yes",
        "margin": 0.28,
        "stratum": "colour 0.00-0.50",
        "probability": 0.5,
        "twice": False,
    }
    return PlannedItem(image_id=image_id, object_id=object_id, value=value, **{**said, **more})


def _label(item: PlannedItem) -> Label:
    return Label(
        image_id=item.image_id,
        object_id=item.object_id,
        type=item.type,
        value=item.value,
        answer="yes",
        score=None,
        score_low=0.6,
        score_high=0.9,
        margin=item.margin,
        votes_counted=2,
        votes_saved=1,
        origin="voted",
        auditor=None,
    )


def _vote(item: PlannedItem, voter: str, answer: Any, status: Any = "ok") -> Vote:
    return Vote(
        image_id=item.image_id,
        object_id=item.object_id,
        type=item.type,
        value=item.value,
        voter=voter,
        template="2",
        view="whole",
        answer=answer,
        p_yes=None,
        status=status,
        answer_key=None,
    )


ITEMS = (
    _planned(PICTURE, "red", twice=True),
    _planned(PICTURE, "lace", object_id="7", answer="no", margin=0.06),
    _planned("2" * 16, "green"),
)


@pytest.fixture
def planned(tmp_path: Path) -> Callable[..., Workspace]:
    """Make a workspace with a catalog of two pictures, labels, votes and a plan."""

    def make(noun: str | None = None, items: tuple[PlannedItem, ...] = ITEMS) -> Workspace:
        workspace = Workspace(tmp_path / "workspace")
        catalog = store.Plan(stage="catalog", inputs={}, settings={})
        held = [_item(PICTURE, "Evening_Dress", _object("7", "collar")), _item("2" * 16, None)]
        with store.writing(workspace.catalog, catalog, configs={}) as out:
            out.shards("items", to_table(held, Item))
        plan = store.Plan(stage="labels", inputs={}, settings={})
        labels = to_table([_label(each) for each in items[:2]], Label)
        write_labels(workspace, plan, lambda: labels, counts={}, reasons={})
        votes = store.Plan(stage="labels/votes", inputs={}, settings={"noun": noun})
        first, second = items[:2]
        with store.writing(workspace.votes, votes, configs={}) as out:
            out.shards_of(
                "votes",
                [
                    to_table([_vote(first, "a", "yes"), _vote(second, "a", "no")], Vote),
                    to_table([_vote(first, "b", None, "refused")], Vote),
                ],
            )
        workspace.vocabulary.write_text(VOCABULARY)
        write_plan(
            workspace,
            AuditPlan(
                stage="pilot",
                labels="digest",
                settings=PlanSettings(),
                strata=(
                    PlannedStratum(
                        name="colour 0.00-0.50",
                        type="colour",
                        value=None,
                        low=0,
                        high=50,
                        size=6,
                        planned=3,
                        twice=1,
                    ),
                ),
                items=items,
            ),
        )
        return workspace

    return make


def tasks(workspace: Workspace, *, blind: bool = False) -> list[Task]:
    return list(KIND.tasks(workspace, AuditSettings(blind=blind)))


def test_a_task_says_all_that_its_screen_shows(planned: Callable[..., Workspace]) -> None:
    first, second, third = tasks(planned())
    assert first.shown == {
        "question": "Is the colour of the evening dress red?",
        "noun": "evening dress",
        "type": "colour",
        "value": "red",
        "object": False,
        "others": [{"key": "1", "value": "blue"}, {"key": "2", "value": "green"}],
        "machine": {
            "answer": "yes",
            "margin": 0.28,
            "score": None,
            "score_low": 0.6,
            "score_high": 0.9,
        },
        "votes": [
            {"voter": "a", "template": "2", "view": "whole", "answer": "yes"},
            {"voter": "b", "template": "2", "view": "whole", "answer": "refused"},
        ],
    }
    assert first.facets == {
        "type": "colour",
        "value": "red",
        "margin": 0.28,
        "confidence": 0.78,
        "machine": "yes",
    }
    assert (first.task_id, first.looks, first.boxes) == (f"{PICTURE}/colour/red", 2, ())
    assert (first.stratum, first.probability, first.before) == ("colour 0.00-0.50", 0.5, "yes")
    assert second.shown["question"] == "Is there lace on the collar?"
    assert second.shown["others"] == []  # a garment can have several trims
    assert [(box.label, box.bbox) for box in second.boxes] == [("collar", (10.0, 20.0, 30.0, 40.0))]
    assert second.thing == Thing(PICTURE, "7", None, "trim/lace")
    assert third.shown["question"] == "colour of the picture: green?"  # no template, no category
    assert third.shown["machine"]["score_low"] is None  # its label is gone
    assert third.shown["others"][1] == {"key": "3", "value": "red"}  # a value keeps its key


def test_a_blind_task_holds_no_label_of_the_machine(planned: Callable[..., Workspace]) -> None:
    for task in tasks(planned(), blind=True):
        assert task.shown["machine"] is None
        assert task.shown["votes"] == []
        assert set(task.facets) == {"type", "value"}  # a margin, too, tells of the votes
        assert task.before is not None  # kept away from the screen


def test_the_noun_of_the_votes_stands_for_every_category(planned: Callable[..., Workspace]) -> None:
    asked = [task.shown["question"] for task in tasks(planned("train"))]
    assert asked[0] == "Is the colour of the train red?"
    assert asked[1] == "Is there lace on the train?"


def test_a_limit_takes_the_first_of_the_plan(planned: Callable[..., Workspace]) -> None:
    workspace = planned()
    every = KIND.tasks(workspace, AuditSettings())
    assert list(KIND.tasks(workspace, AuditSettings(limit=2))) == list(every[:2])
    assert len(every) > 2


def test_without_a_plan_it_says_what_to_run(labelled: Callable[..., Workspace], kit: Any) -> None:
    with pytest.raises(WorkspaceError, match="review-labels plan"):
        tasks(labelled(kit.labels(4)))


def test_keys_are_those_of_nobody_else() -> None:
    taken = set("ynuoz,./?sfxr")  # the screen's, the frame's, the App's
    assert not taken & set(ALTERNATIVE_KEYS)
    assert len(set(ALTERNATIVE_KEYS)) == len(ALTERNATIVE_KEYS)


KEY = TaskKey(
    task_id="t",
    kind="attributes",
    thing=Thing(PICTURE, None, None, "colour/red"),
    before="yes",
    stratum="colour 0.00-0.50",
    probability=0.25,
)


def slot(verdict: Any, value: str | None = None, text: Any = None, **more: Any) -> Slot:
    return Slot(
        auditor="ana",
        verdict=verdict,
        value=value,
        text=None if text is None else json.dumps(text),
        at="2026-03-01T12:00:00+00:00",
        **more,
    )


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        # a blind screen confirms whatever is said: what it comes to hangs on the machine's answer
        (slot("confirmed", "yes"), [("colour/red", "confirmed", "yes")]),
        (slot("confirmed", "no"), [("colour/red", "corrected", "no")]),
        # a sheet may say the same by the verdict
        (slot("corrected", "no"), [("colour/red", "corrected", "no")]),
        (slot("unsure"), [("colour/red", "unsure", None)]),
        # another value holds in its place: two decisions
        (
            slot("confirmed", "no", {"value": "blue"}),
            [("colour/red", "corrected", "no"), ("colour/blue", "corrected", "yes")],
        ),
        # names with slashes
        (
            slot("confirmed", "no", {"value": "black/white"}),
            [("colour/red", "corrected", "no"), ("colour/black~1white", "corrected", "yes")],
        ),
        # thought better of: what was held before is held no more
        (
            slot("confirmed", "yes", {"no_longer": ["blue"]}),
            [("colour/red", "confirmed", "yes"), ("colour/blue", "withdrawn", None)],
        ),
        (
            slot("confirmed", "no", {"value": "blue", "no_longer": ["blue", "green"]}),
            [
                ("colour/red", "corrected", "no"),
                ("colour/blue", "corrected", "yes"),
                ("colour/green", "withdrawn", None),
            ],
        ),
        # undone: both decisions are withdrawn
        (
            slot("withdrawn", "no", {"value": "blue"}),
            [("colour/red", "withdrawn", None), ("colour/blue", "withdrawn", None)],
        ),
        (slot("withdrawn", "yes"), [("colour/red", "withdrawn", None)]),
    ],
)
def test_decisions_of_a_slot(judged: Slot, expected: list[tuple[str, str, str | None]]) -> None:
    made = KIND.decisions(KEY, judged)
    assert [(each.field, each.verdict, each.after) for each in made] == expected
    assert {each.image_id for each in made} == {PICTURE}
    assert [each.named_for for each in made] == [None, *["colour/red"] * (len(made) - 1)]


def test_only_the_label_that_was_drawn_stands_for_others() -> None:
    drawn, other = KIND.decisions(
        KEY, slot("confirmed", "no", {"value": "blue"}, seconds=3.0, note="navy")
    )
    assert (drawn.before, drawn.stratum, drawn.probability) == ("yes", "colour 0.00-0.50", 0.25)
    assert (other.before, other.stratum, other.probability) == (None, None, None)
    assert (drawn.seconds, other.seconds) == (3.0, None)
    assert drawn.note == other.note == "navy"


@pytest.mark.parametrize(
    ("judged", "what"),
    [
        (slot("confirmed", "maybe"), "yes, no or unsure"),
        (slot("confirmed"), "yes, no or unsure"),
        (slot("rejected", "no"), "yes, no or unsure"),
        (slot("confirmed", "yes", {"value": "blue"}), "the answer no, not yes"),
        (slot("unsure", None, {"value": "blue"}), "the answer no, not unsure"),
        (slot("confirmed", "no", ["blue"]), "another value"),
        (slot("confirmed", "no", {"value": 3}), "another value"),
        (slot("confirmed", "no", {"value": "blue", "more": 1}), "another value"),
        (slot("confirmed", "no", {"value": "red"}), "no other value"),
    ],
)
def test_what_cannot_be_is_refused(
    judged: Slot, what: str, planned: Callable[..., Workspace]
) -> None:
    workspace = planned()
    refusal = KIND.refusal(workspace, tasks(workspace)[0].shown, judged)
    assert refusal is not None
    assert what in refusal
    assert "\n" not in refusal
    with pytest.raises(ValueError, match=what):
        KIND.decisions(KEY, judged)


def test_a_value_of_no_vocabulary_is_refused(planned: Callable[..., Workspace]) -> None:
    workspace = planned()
    shown = tasks(workspace)[0].shown
    strange = slot("confirmed", "no", {"value": "mauve"})
    assert "mauve" in (KIND.refusal(workspace, shown, strange) or "")
    assert KIND.refusal(workspace, shown, slot("confirmed", "no", {"value": "blue"})) is None
    assert KIND.check(workspace, shown, {}) == {}
