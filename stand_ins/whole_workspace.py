"""A workspace that has something of everything a release holds, for tests."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright import store
from benchwright.decisions.fields import label_field
from benchwright.decisions.journal import append_decisions
from benchwright.records import (
    BoxOfPicture,
    CandidateSet,
    Decision,
    FalsePremise,
    Item,
    Vote,
)
from benchwright.rows import to_table
from benchwright.vocabulary_digest import vocabulary_digest
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.names import Version
from galleries.build import build_galleries
from galleries.settings import Settings
from galleries.tau import parse_taus
from labeling.attributes.labels.decide import DecideSettings, decide
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from labeling.dialogues.stored import record_id_of, write_drafts
from stand_ins.auditors import decision
from stand_ins.chains import chain, let_stand
from stand_ins.dialogues import candidate_set
from stand_ins.false_premises import false_premises, said_of, store_false_premises

VOTERS = ("one", "two", "three")
# what the gate would find of so small a thing
_WAIVED = tuple((name, "a test") for name in ("duplicates", "label-error", "licences"))
IsYes = Callable[[str, Item, str, str], bool]  # of a voter, a picture, a type and a value


def make_release(workspace: Workspace, version: str = "1.0.0", **settings: Any) -> Path:
    """Make a version of the release ``things`` and return its folder."""
    made = build_release(
        workspace, "things", Version.of(version), ReleaseSettings(**{"waived": _WAIVED, **settings})
    )
    return made.folder


def catalog_says(_voter: str, item: Item, type_: str, value: str) -> bool:
    """Answer as the catalog states."""
    return any((one.type, one.value) == (type_, value) for one in item.attributes)


def pictures_of(workspace: Workspace) -> list[Item]:
    """Return the items that have a picture, in the order of the catalog."""
    return [item for item in iterate_items(workspace) if item.image]


def store_votes(workspace: Workspace, is_yes: IsYes = catalog_says) -> None:
    """Write the votes of three voters of equal weight on each value of each picture."""
    vocabulary = load_vocabulary(workspace.vocabulary)
    votes = [
        _vote(voter, item, value.type, value.value, is_yes(voter, item, value.type, value.value))
        for item in pictures_of(workspace)
        for value in sorted(vocabulary.values, key=lambda one: (one.type, one.value))
        for voter in sorted(VOTERS)
    ]
    plan = store.Plan(
        stage="labels/votes",
        inputs={
            "catalog": store.require(workspace.catalog, "build-catalog").digest(),
            "vocabulary": vocabulary_digest(workspace.vocabulary),
        },
        settings={
            "voters": [{"name": name, "weight": 1} for name in VOTERS],
            "templates": 1,
            "views": ["whole"],
            "margin": "0",
            "quorum": "0",
            "method": "majority",
            "full": "0",
            "subjects": "pictures",
        },
        seed=0,
    )
    with store.writing(workspace.votes, plan, configs={"votes": "votes-*.parquet"}) as out:
        out.shards("votes", to_table(votes, Vote))


def store_dialogues(workspace: Workspace) -> None:
    """Write drafts of all three kinds about pictures of the catalog, and what lets them stand."""
    items = pictures_of(workspace)
    premises = [
        replace(one, image_id=item.image_id)
        for one, item in zip(false_premises(), items, strict=False)
    ]
    chains = [replace(chain(), image_id=items[0].image_id)]
    turns = _turns(items[1])
    store_false_premises(workspace, premises)
    for kind, records in (("question-chain", chains), ("candidate-set", turns)):
        plan = store.Plan(stage=f"dialogues/{kind}/drafts", inputs={}, settings={}, seed=0)
        write_drafts(workspace, kind, records, plan)  # type: ignore[arg-type]
    said = [*approvals(premises), *_marks(turns), *(one for c in chains for one in let_stand(c))]
    append_decisions(workspace, said)


def approvals(records: Iterable[FalsePremise]) -> list[Decision]:
    """Return the approvals of false premises by one auditor."""
    return [said_of(one) for one in records]


def ruled(item: Item, type_: str, value: str, after: str, auditor: str = "ana") -> Decision:
    """Return a decision on a label of a picture."""
    before = "yes" if catalog_says("", item, type_, value) else "no"
    return decision(
        image_id=item.image_id,
        field=label_field(type_, value),
        before=before,
        after=after,
        verdict="confirmed" if after == before else "corrected",
        auditor=auditor,
    )


def decide_labels(workspace: Workspace) -> None:
    """Decide the labels from votes and decisions."""
    decide(workspace, DecideSettings())


def store_galleries(
    workspace: Workspace, taus: str = "0.3", per_value: int = 7, seed: int = 0
) -> None:
    """Make galleries at some τ."""
    build_galleries(workspace, parse_taus(taus), Settings(per_value=per_value, seed=seed))


def fill(workspace: Workspace) -> None:
    """Make all of it in a workspace that has a catalog and a vocabulary."""
    store_votes(workspace)
    first = pictures_of(workspace)[0]
    append_decisions(workspace, [ruled(first, "trim", "bow", "yes")])
    decide_labels(workspace)
    store_galleries(workspace)
    store_dialogues(workspace)


def _vote(voter: str, item: Item, type_: str, value: str, yes: bool) -> Vote:
    return Vote(
        image_id=item.image_id,
        object_id=None,
        type=type_,
        value=value,
        voter=voter,
        template="1",
        view="whole",
        answer="yes" if yes else "no",
        p_yes=0.9 if yes else 0.1,
        status="ok",
        answer_key=None,
    )


def _turns(item: Item) -> list[CandidateSet]:
    boxes = tuple(
        BoxOfPicture(box_id=str(at), category=None, bbox=(5.0 * at, 2.0, 4.0, 8.0))
        for at in range(1, 4)
    )
    return [
        replace(candidate_set(turn=turn, name="v1", image_id=item.image_id), boxes=boxes)
        for turn in (1, 2)
    ]


def _marks(turns: Sequence[CandidateSet]) -> list[Decision]:
    return [
        decision(
            image_id=None,
            record_id=record_id_of(turn),
            field="candidates",
            before=None,
            after=json.dumps(ids),
        )
        for turn, ids in zip(turns, (["1", "2"], ["2"]), strict=True)
    ]
