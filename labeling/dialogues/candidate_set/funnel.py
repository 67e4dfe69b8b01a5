"""How many dialogues each step of candidate sets leaves, and why it leaves the others out.

Source: CandVG, section 3: 2,998 found, 2,171 filtered, 1,620 sampled, 1,317 screened by people,
1,249 whole.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import pyarrow.compute as pc

from benchwright import files, store
from benchwright.decisions.journal import read_journal
from benchwright.records import CandidateSet, MappedDialogue
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import (
    choosing_folder,
    read_choices,
)
from labeling.dialogues.candidate_set.choosing.rules import counts_any_category
from labeling.dialogues.candidate_set.deciding import decided, whole_dialogues
from labeling.dialogues.candidate_set.mapping.map_points import mapped_folder
from labeling.dialogues.candidate_set.sizes import TURNS, Sizes, sizes_of
from labeling.dialogues.stored import (
    UNDECIDED,
    Decided,
    decisions_of,
    dialogues_folder,
    drafts_folder,
    read_drafts,
    record_id_of,
)

StepName = Literal["found", "filtered", "sampled", "drafted", "screened", "complete"]
NOT_JUDGED, _NOT_MAPPED = "not judged yet", "not mapped"
# why turns are withheld; the first that holds for a turn of a dialogue is the dialogue's own
_SCREENED_OUT = ("rejected", NOT_JUDGED)
_INCOMPLETE = (_NOT_MAPPED, UNDECIDED, "unsure", "marks other boxes")


@dataclass(frozen=True, slots=True, kw_only=True)
class FunnelStep:
    """How many dialogues a step left, null where it was not done, or of what is no longer there.

    ``left_out`` says why the step before left more, by reason.
    """

    name: StepName
    dialogues: int | None
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Funnel:
    """The steps in their order, and the sizes of the sets that stand; null where none does.

    ``any_category`` counts the filtered dialogues whose target has no category: all boxes were
    counted there. It is null where nothing was filtered.
    """

    steps: Sequence[FunnelStep]
    any_category: int | None
    sizes: Sizes | None


def count_funnel(workspace: Workspace, *, turns: int = TURNS) -> Funnel:
    """Count the dialogues of each step from what is there, and store it as funnel.json.

    A dialogue is screened when people judged all of its turns and called none unusable, or marked
    it elsewhere, be it that their marks could not be mapped; it is complete when all of its turns
    stand. ``turns`` is that of ``sizes_of``. Raises WorkspaceError where there is no catalog,
    or another process is deciding these dialogues.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    inputs = {"catalog": catalog.digest()}
    filtered = _of(choosing_folder(workspace, "filtered"), inputs)
    sampled = filtered and _of(
        choosing_folder(workspace, "sampled"), {"filtered": filtered.digest()}
    )
    if sampled is not None:
        inputs["sampled"] = sampled.digest()
    elif filtered is not None:
        inputs["filtered"] = filtered.digest()
    drafts = _of(drafts_folder(workspace, "candidate-set"), inputs)
    judged = [] if drafts is None else _judged(workspace)
    unmapped = frozenset() if drafts is None else _unmapped(workspace, drafts)
    screened, complete = _by_people(judged, unmapped)
    standing = (one.record for one in whole_dialogues(judged) if one.withheld is None)
    funnel = Funnel(
        steps=(
            FunnelStep(name="found", dialogues=_found(workspace)),
            _step("filtered", filtered, "kept"),
            _step("sampled", sampled, "kept"),
            _step("drafted", drafts, "dialogues"),
            screened,
            complete,
        ),
        any_category=None if filtered is None else _any_category(workspace),
        sizes=sizes_of(standing, turns) if complete.dialogues else None,
    )
    _store(workspace, funnel)
    return funnel


def funnel_path(workspace: Workspace) -> Path:
    """Return where the funnel is stored."""
    return dialogues_folder(workspace, "candidate-set") / "funnel.json"


def _store(workspace: Workspace, funnel: Funnel) -> None:
    path = funnel_path(workspace)
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(path.parent, "writing here"):
        files.remove_leftovers(path.parent)
        files.write_json(path, asdict(funnel))


def _of(folder: Path, inputs: Mapping[str, str]) -> store.Manifest | None:
    """Return the manifest of a step that was made from just these inputs."""
    manifest = store.load_manifest(folder)
    return manifest if manifest is not None and dict(manifest.plan.inputs) == inputs else None


def _found(workspace: Workspace) -> int:
    held = store.read_table(workspace.catalog, "items-*.parquet", ["dialogues"])
    return int(pc.sum(pc.list_value_length(held.column("dialogues"))).as_py() or 0)


def _any_category(workspace: Workspace) -> int:
    return sum(map(counts_any_category, read_choices(workspace, "filtered")))


def _step(name: StepName, made: store.Manifest | None, count: str) -> FunnelStep:
    if made is None:
        return FunnelStep(name=name, dialogues=None)
    return FunnelStep(name=name, dialogues=made.counts[count], left_out=made.reasons)


def _judged(workspace: Workspace) -> Sequence[Decided[CandidateSet]]:
    """Return what becomes of each draft by the decisions that were taken in so far."""
    drafts = {record_id_of(draft): draft for draft in read_drafts(workspace, "candidate-set")}
    said = decisions_of(read_journal(workspace).decisions, drafts.keys())
    return [decided(draft, said.get(name, {})) for name, draft in drafts.items()]


def _unmapped(workspace: Workspace, drafts: store.Manifest) -> frozenset[str]:
    """Return the dialogues that were annotated elsewhere, and by nobody so that boxes match."""
    folder = mapped_folder(workspace)
    made = store.load_manifest(folder)
    if made is None or made.plan.inputs["drafts"] != drafts.digest():
        return frozenset()
    rows = list(from_table(store.read_table(folder, "mapped.parquet"), MappedDialogue))
    kept = {row.dialogue_id for row in rows if row.is_kept}
    return frozenset(row.dialogue_id for row in rows).difference(kept)


def _by_people(
    turns: Sequence[Decided[CandidateSet]], unmapped: Collection[str]
) -> tuple[FunnelStep, FunnelStep]:
    """Return the steps screened and complete; null while nobody judged anything."""
    withheld: dict[str, set[str | None]] = defaultdict(set)
    for turn in turns:
        is_unmapped = turn.withheld == NOT_JUDGED and turn.record.dialogue_id in unmapped
        withheld[turn.record.dialogue_id].add(_NOT_MAPPED if is_unmapped else turn.withheld)
    if all(each == {NOT_JUDGED} for each in withheld.values()):
        return (
            FunnelStep(name="screened", dialogues=None),
            FunnelStep(name="complete", dialogues=None),
        )
    reasons = Counter(
        next((reason for reason in (*_SCREENED_OUT, *_INCOMPLETE) if reason in each), None)
        for each in withheld.values()
    )
    by_screen = {reason: reasons[reason] for reason in _SCREENED_OUT if reasons[reason]}
    after = {reason: reasons[reason] for reason in _INCOMPLETE if reasons[reason]}
    screened = len(withheld) - sum(by_screen.values())
    return (
        FunnelStep(name="screened", dialogues=screened, left_out=by_screen),
        FunnelStep(name="complete", dialogues=reasons[None], left_out=after),
    )
