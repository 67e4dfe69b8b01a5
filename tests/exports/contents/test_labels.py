"""Labels as they go out: every value of every picture, with the grounds of what was stated."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright import files, store
from benchwright.records import Label
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from exports.contents import labels
from exports.contents.labels import label_tables
from exports.contents.vocabulary import vocabulary_table
from labeling.attributes.labels.knowledge import load_knowledge
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from stand_ins.whole_workspace import pictures_of

VOCABULARY = """
types:
  colour: {exclusive: true, askable: false, values: {teal: {}, red: {aliases: [crimson]}}}
  trim: {complete: true, aliases: [ornament], values: {bow: {templates: ["Is there a bow?"]}}}
  shape: {values: {round: {}}}
"""


def stated(image_id: str, type_: str, value: str, answer: Any, **more: Any) -> Label:
    said: dict[str, Any] = {
        "object_id": None, "score": 0.75, "score_low": None, "score_high": None, "margin": 0.25,
        "votes_counted": 3, "votes_saved": 0, "origin": "voted", "auditor": "ana",
    }  # fmt: skip
    return Label(
        image_id=image_id, type=type_, value=value, answer=answer, **{**said, **more}
    )  # fmt: skip


@pytest.fixture
def workspace(whole: Workspace) -> Workspace:
    """The first picture has labels of its own; the others have none."""
    first = pictures_of(whole)[0].image_id
    said = [
        stated(first, "colour", "red", "yes"),
        stated(first, "shape", "round", "unsure", score=0.5, margin=0.0),
        stated(first, "trim", "bow", "yes", object_id="7"),
    ]
    whole.vocabulary.write_text(VOCABULARY, "utf-8")
    plan = store.Plan(stage="labels", inputs={}, settings={})
    with store.writing(whole.labels, plan, configs={}) as out:
        out.table("labels", to_table(said, Label))
    return whole


def test_what_is_stated_and_what_follows_from_flags(workspace: Workspace) -> None:
    first = pictures_of(workspace)[0].image_id
    (table,) = label_tables(workspace, [first])
    assert [tuple(row.values())[1:] for row in table.to_pylist()] == [
        ("colour", "red", "yes", 0.75, 0.25, "voted"),
        # another value of an exclusive type is yes
        ("colour", "teal", "no", None, None, None),
        ("shape", "round", "unknown", 0.5, 0.0, "voted"),
        # a label of an object is none of its picture, and what is not listed is absent
        ("trim", "bow", "no", None, None, None),
    ]


def test_every_value_has_a_row_for_every_picture_in_order(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [item.image_id for item in pictures_of(whole)]
    at_once = pa.concat_tables(label_tables(whole, ids))
    monkeypatch.setattr(labels, "_PICTURES", 7)
    assert pa.concat_tables(label_tables(whole, ids)).equals(at_once)
    values = [(one["type"], one["value"]) for one in vocabulary(whole)]
    rows = at_once.to_pylist()
    assert [(row["image_id"], row["type"], row["value"]) for row in rows] == [
        (name, *pair) for name in ids for pair in values
    ]
    knowledge = load_knowledge(whole)
    known = knowledge.answers(np.arange(len(ids))).ravel().tolist()
    words = {1: "yes", -1: "no", 0: "unknown"}
    assert [row["answer"] for row in rows] == [words[code] for code in known]
    assert {row["answer"] for row in rows} == {"yes", "no"}


def test_pictures_that_are_not_released_have_no_labels(whole: Workspace) -> None:
    ids = [item.image_id for item in pictures_of(whole)][3:5]
    assert set(pa.concat_tables(label_tables(whole, ids))["image_id"].to_pylist()) == set(ids)


def vocabulary(workspace: Workspace) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = vocabulary_table(
        load_vocabulary(workspace.vocabulary)
    ).to_pylist()
    return found


def test_the_vocabulary_has_what_asking_needs(workspace: Workspace) -> None:
    rows = vocabulary(workspace)
    assert [(row["type"], row["value"]) for row in rows] == [
        *(("colour", "red"), ("colour", "teal"), ("shape", "round"), ("trim", "bow"))
    ]
    red, _, _, bow = rows
    assert (red["exclusive"], red["complete"], red["askable"]) == (True, False, False)
    assert red["value_aliases"] == ["crimson"]
    assert (bow["complete"], bow["askable"]) == (True, True)
    assert (bow["type_aliases"], bow["templates"]) == (["ornament"], ["Is there a bow?"])


def test_labels_that_are_not_those_of_the_manifest_are_refused(whole: Workspace) -> None:
    path: Path = whole.labels / "labels.parquet"
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    assert files.sha256_of(path)
    with pytest.raises(Exception, match=r"is not the file that the manifest describes"):
        list(label_tables(whole, [pictures_of(whole)[0].image_id]))
