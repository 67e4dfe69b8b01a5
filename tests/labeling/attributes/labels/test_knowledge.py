"""Labels read back as the knowledge that galleries are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.knowledge import NO, UNKNOWN, YES
from benchwright.records import Item, Label
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.attributes.labels.knowledge import load_knowledge

VOCABULARY = """
types:
  neck: {exclusive: true, values: {v: {}, boat: {}, crew: {}}}
  detail: {complete: true, askable: false, values: {bow: {}}}
  fabric: {values: {silk: {}, wool: {}}}
"""
A, B, C = (f"{number:016x}" for number in (1, 2, 2**64 - 1))


def item(image_id: str, group_id: str | None = None) -> Item:
    nothing: dict[str, Any] = dict.fromkeys(
        ("image", "sha256", "width", "height", "split", "title", "category", "url", "licence")
    )
    return Item(
        image_id=image_id,
        source="s",
        source_id=image_id,
        group_id=group_id,
        author=None,
        attributes=(),
        objects=(),
        captions=(),
        dialogues=(),
        **nothing,
    )


def label(image_id: str, name: str, answer: Any = "yes", object_id: str | None = None) -> Label:
    type_name, value = name.split(" ")
    return Label(
        image_id=image_id,
        object_id=object_id,
        type=type_name,
        value=value,
        answer=answer,
        score=None,
        score_low=None,
        score_high=None,
        margin=None,
        votes_counted=0,
        votes_saved=0,
        origin="voted",
        auditor=None,
    )


def workspace(
    root: Path, items: Sequence[Item], labels: Sequence[Label], **settings: Any
) -> Workspace:
    made = Workspace(root)
    for folder, name, table in (
        (made.catalog, "items-00000", to_table(items, Item)),
        (made.labels, "labels", to_table(labels, Label)),
    ):
        plan = store.Plan(stage=name, inputs={}, settings=settings)
        with store.writing(folder, plan, configs={name: f"{name}.parquet"}) as writer:
            writer.table(name, table)
    made.vocabulary.write_text(VOCABULARY, "utf-8")
    return made


# the values in their order: detail bow, fabric silk, fabric wool, neck boat, neck crew, neck v
@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        # nothing known but that a complete type lists all: no bow
        ([], [NO, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]),
        # one neck is no other neck
        ([label(A, "neck crew")], [NO, UNKNOWN, UNKNOWN, NO, YES, NO]),
        # a stated no, and what is unsure stays unknown
        (
            [label(A, "fabric silk", "no"), label(A, "fabric wool", "unsure")],
            [NO, NO, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN],
        ),
        # a stated no of an exclusive type says nothing of the others
        ([label(A, "neck v", "no")], [NO, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, NO]),
        # a label of an object is not one of the picture
        ([label(A, "fabric silk", "yes", "o1")], [NO] + [UNKNOWN] * 5),
        # a value that the vocabulary no longer has, a type too
        ([label(A, "neck cowl"), label(A, "hem split")], [NO] + [UNKNOWN] * 5),
        # a picture that the catalog no longer has
        ([label("f" * 15 + "0", "fabric silk")], [NO] + [UNKNOWN] * 5),
        # the same label twice is one
        ([label(A, "detail bow")] * 2, [YES, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]),
        # a label of the neighbour
        ([label(B, "fabric silk")], [NO] + [UNKNOWN] * 5),
    ],
)
def test_what_is_known(tmp_path: Path, labels: list[Label], expected: list[int]) -> None:
    knowledge = load_knowledge(workspace(tmp_path, [item(A), item(B)], labels))
    assert [f"{value.type} {value.value}" for value in knowledge.values] == [
        "detail bow",
        "fabric silk",
        "fabric wool",
        "neck boat",
        "neck crew",
        "neck v",
    ]
    assert knowledge.answers([0])[0].tolist() == expected
    assert knowledge.attributes(0).tolist() == [
        at for at, answer in enumerate(expected) if answer == YES
    ]


@pytest.mark.parametrize(
    ("keep_catalog", "unlabelled"),
    [
        (True, NO),  # the catalog lists all of a complete type, and it lists no bow
        (False, UNKNOWN),  # the catalog is left aside, and of this cell no vote came
    ],
)
def test_a_complete_type_says_nothing_where_the_catalog_is_left_aside(
    tmp_path: Path, *, keep_catalog: bool, unlabelled: int
) -> None:
    labels = [label(A, "detail bow", "no"), label(A, "neck v")]  # all questions on B failed
    made = workspace(tmp_path, [item(A), item(B)], labels, keep_catalog=keep_catalog)
    knowledge = load_knowledge(made)
    assert knowledge.answers([0, 1])[:, 0].tolist() == [NO, unlabelled]
    assert knowledge.answers([0])[0, 3:].tolist() == [NO, NO, YES]  # still exclusive


def test_flags_come_from_the_vocabulary(tmp_path: Path) -> None:
    values = load_knowledge(workspace(tmp_path, [item(A)], [])).values
    flags = {value.type: (value.exclusive, value.complete, value.askable) for value in values}
    assert flags == {
        "detail": (False, True, False),
        "fabric": (False, False, True),
        "neck": (True, False, True),
    }


def test_ids_are_whole_and_ascending(tmp_path: Path) -> None:
    knowledge = load_knowledge(workspace(tmp_path, [item(A), item(B), item(C)], []))
    assert [knowledge.image_id(row) for row in range(3)] == [A, B, C]
    assert (np.diff(knowledge.ids.astype(object)) > 0).all()


@pytest.mark.parametrize(
    ("groups", "together"),
    [
        ((None, None, None), set()),  # no group is no common group
        (("p", "p", None), {(0, 1)}),
        (("p", "q", "p"), {(0, 2)}),
        (("", "", "p"), {(0, 1)}),  # an empty name is a name
    ],
)
def test_groups(
    tmp_path: Path, groups: tuple[str | None, ...], together: set[tuple[int, int]]
) -> None:
    items = [item(image_id, group) for image_id, group in zip((A, B, C), groups, strict=True)]
    knowledge = load_knowledge(workspace(tmp_path, items, []))
    found = knowledge.groups.tolist()
    assert {(a, b) for a in range(3) for b in range(a + 1, 3) if found[a] == found[b]} == together


def test_without_catalog_or_labels(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="no catalog in"):
        load_knowledge(Workspace(tmp_path))
