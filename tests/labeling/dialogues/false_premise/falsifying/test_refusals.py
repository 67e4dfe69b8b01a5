"""What voters found to be true of the picture is asked for anew; what was bought stays bought."""

from collections.abc import Iterable, Sequence
from typing import Literal

import pytest

from benchwright import store
from benchwright.asking.jobs import JobSettings
from benchwright.asking.session import Spending
from benchwright.records import Falsified, Sighting
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import describe, read_described
from labeling.dialogues.false_premise.falsifying.falsified import read_falsified
from labeling.dialogues.false_premise.falsifying.falsify import estimate_falsifying, falsify
from labeling.dialogues.false_premise.falsifying.substitution import AFFIRMED
from labeling.dialogues.false_premise.seeing.see import seen_folder
from stand_ins.false_premise_author import Author, Authors, serving
from stand_ins.false_premise_plan import planned, store_plan


def look(
    workspace: Workspace, answers: Iterable[tuple[int, str, Literal["yes", "no", "unsure"]]]
) -> None:
    """Write what one voter saw of false descriptions, the true one being true."""
    (described,) = read_described(workspace)
    assert described.true_description is not None
    told = [(0, described.true_description, "yes"), *answers]
    rows = [
        Sighting(
            dialogue_id=described.dialogue_id,
            variant=variant,
            description=text,
            is_true=variant == 0,
            box=None,
            voter="eve",
            answer=answer,
            status="ok",
        )
        for variant, text, answer in told
    ]
    plan = store.Plan(stage="seen", inputs={}, settings={"rows": len(rows)})
    configs = {"sightings": "sightings.parquet"}
    with store.writing(seen_folder(workspace), plan, configs=configs) as out:
        out.table("sightings", to_table(rows, Sighting))


def again(workspace: Workspace, authors: Authors, variants: int = 1) -> list[Falsified]:
    falsify(workspace, authors.voters, Spending(), JobSettings(), variants=variants)
    return read_falsified(workspace)


def false_of(rows: Sequence[Falsified]) -> list[str]:
    return [row.false_description or "" for row in rows]


def test_the_loop_ends_when_the_attempts_are_spent(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": (ann := Author())}) as authors:
        describe(pictures, authors.voters, Spending())
        refused: list[str] = []
        for attempt in range(3):
            (row,) = again(pictures, authors)
            assert row.refused == tuple(refused)
            assert row.faults == tuple(f"{text}: {AFFIRMED}" for text in refused)
            assert row.false_description not in (None, *refused)
            assert len(ann.asked) == attempt + 2
            refused += false_of([row])
            look(pictures, [(1, text, "yes") for text in refused])
            (estimate,) = estimate_falsifying(pictures, authors.voters, Spending())
            assert (estimate.calls - estimate.looks, estimate.answered) == (
                (1, attempt + 1) if attempt < 2 else (0, 3)
            )
        (row,) = again(pictures, authors)
        manifest, is_there = falsify(pictures, authors.voters, Spending(), JobSettings())
    assert (row.false_description, row.refused, row.is_failed) == (None, tuple(refused), False)
    assert is_there
    assert (manifest.counts["affirmed"], manifest.counts["given_up"]) == (3, 1)
    assert len(ann.asked) == 4  # the description and three attempts


@pytest.mark.parametrize("answer", ["no", "unsure"])
def test_what_is_not_affirmed_stays(pictures: Workspace, answer: Literal["no", "unsure"]) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": (ann := Author())}) as authors:
        describe(pictures, authors.voters, Spending())
        rows = again(pictures, authors)
        look(pictures, [(1, false_of(rows)[0], answer)])
        manifest, is_there = falsify(pictures, authors.voters, Spending(), JobSettings())
        assert (is_there, read_falsified(pictures)) == (True, rows)
    assert manifest.counts["affirmed"] == 0
    assert len(ann.asked) == 2


def test_a_refusal_of_one_variant_buys_that_one_alone(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": (ann := Author())}) as authors:
        describe(pictures, authors.voters, Spending())
        one, two = false_of(again(pictures, authors, variants=2))
        asked = len(ann.asked)
        look(pictures, [(1, one, "yes"), (2, two, "no")])
        first, second = again(pictures, authors, variants=2)
        assert first.refused == (one,)
        # the next attempt puts in what the second variant has, which then has to be another one
        assert first.false_description == two
        assert second.false_description not in (None, one, two)
        assert "puts in the same words" in second.faults[0]
        assert len(ann.asked) == asked + 2
        look(pictures, [(1, one, "yes"), (1, two, "no"), (2, second.false_description, "yes")])
        same, third = again(pictures, authors, variants=2)
        assert same == first
        assert third.refused == (second.false_description,)
        assert len(ann.asked) == asked + 3


def test_what_was_affirmed_for_one_variant_is_true_for_the_other(pictures: Workspace) -> None:
    store_plan(pictures, planned(pictures, "dog"))
    with serving({"ann": Author()}) as authors:
        describe(pictures, authors.voters, Spending())
        one, two = false_of(again(pictures, authors, variants=2))
        look(pictures, [(1, one, "no"), (2, two, "yes")])
        look(pictures, [(1, one, "yes"), (2, two, "yes")])
        first, second = again(pictures, authors, variants=2)
    assert not {first.false_description, second.false_description} & {one, two}
