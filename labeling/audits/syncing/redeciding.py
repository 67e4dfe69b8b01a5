"""Labels are decided anew by the settings that they were decided by, once decisions came in."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.decisions.cells import CELL
from benchwright.decisions.on_labels import label_decisions, label_decisions_digest
from benchwright.errors import BenchwrightError, UsageError
from benchwright.workspace import Workspace
from labeling.attributes.labels.decide import DecideSettings, decide
from labeling.attributes.labels.methods import METHODS
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.labels.writing import CATALOG

Change = tuple[str | None, str | None]  # the answer before and after, null where there is no label


@dataclass(frozen=True, slots=True, kw_only=True)
class Redecided:
    """What deciding anew did to labels.

    ``changes`` counts labels whose answer changed, by what they were and became; ``audited`` are
    all that follow from decisions. ``stuck`` says why labels were not decided anew.
    """

    changes: Mapping[Change, int] = field(default_factory=dict)
    audited: int = 0
    stuck: str | None = None


def redecide(workspace: Workspace) -> Redecided | None:
    """Decide labels anew; null where there are none, or where they heed all decisions already."""
    try:
        made = store.load_manifest(workspace.labels)
        digest = label_decisions_digest(label_decisions(workspace))
        if made is None or made.plan.inputs.get("decisions") == digest:
            return None
        before = _answers(workspace)
        after = decide_by(workspace, made.plan)
        return Redecided(
            changes=_changes(before, _answers(workspace)), audited=after.counts.get("audited", 0)
        )
    except BenchwrightError as error:  # the decisions are safe, and dialogues need no labels
        return Redecided(stuck=str(error))


def decide_by(workspace: Workspace, plan: store.Plan) -> store.Manifest:
    """Decide labels by the settings that the plan of others says.

    Raises UsageError where it does not say them.
    """
    if plan.settings == CATALOG:
        return normalise(workspace).manifest
    return decide(workspace, _settings(workspace, plan))[0].manifest


def _settings(workspace: Workspace, plan: store.Plan) -> DecideSettings:
    said = plan.settings
    if said.get("method") not in METHODS:
        raise UsageError(
            f"{workspace.labels}: nothing says how its labels were decided; run label-attributes"
            " decide again"
        )
    if "weights_file" in plan.inputs:  # no manifest keeps where a file of the user's lay
        raise UsageError(
            f"{workspace.labels}: its labels were decided by weights of a file elsewhere; run"
            " label-attributes decide again with --weights FILE"
        )
    return DecideSettings.of(
        said["method"],
        said["margin"],
        said["quorum"],
        workspace.weights if "weights" in plan.inputs else None,
        keep_catalog=said["keep_catalog"],
    )


def _answers(workspace: Workspace) -> pa.Table:
    table = store.read_table(workspace.labels, "labels.parquet", [*CELL, "answer"])
    at = table.schema.get_field_index("object_id")  # null is no key of a join
    return table.set_column(at, "object_id", pc.fill_null(table.column("object_id"), ""))


def _changes(before: pa.Table, after: pa.Table) -> Mapping[Change, int]:
    both = before.join(
        after, keys=list(CELL), join_type="full outer", left_suffix="_was", right_suffix="_is"
    )
    counted = both.group_by(["answer_was", "answer_is"]).aggregate([([], "count_all")])
    changes: Counter[Change] = Counter()
    for row in counted.to_pylist():
        if row["answer_was"] != row["answer_is"]:
            changes[row["answer_was"], row["answer_is"]] += row["count_all"]
    return dict(sorted(changes.items(), key=lambda entry: [part or "" for part in entry[0]]))
