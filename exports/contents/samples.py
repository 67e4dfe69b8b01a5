"""The samples of a workspace, config by config, before anything is left out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import CandidateSet, Episode, FalsePremise, QuestionChain
from benchwright.rows import from_table
from benchwright.status import StageStatus
from benchwright.workspace import Workspace
from exports.names import checked_config
from galleries.tau import Tau
from labeling.dialogues.stored import (
    DIALOGUE_KINDS,
    DialogueKind,
    decide_dialogues,
    dialogues_folder,
    drafts_folder,
    read_dialogues,
    record_id_of,
)

_RECORDS: Mapping[DialogueKind, type[Any]] = {
    "false-premise": FalsePremise,
    "candidate-set": CandidateSet,
    "question-chain": QuestionChain,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """The records of one config; ``pictures`` says of each what it shows.

    ``name`` is its id in a release (all turns of a dialogue have one), ``record_id`` the one by
    which decisions name it. ``stage`` is where they come from, from the root of the workspace, with
    its manifest; ``withheld`` counts by reason what people did not let stand there, which is not
    among them.
    """

    config: str
    kind: type[Any]
    records: Sequence[Any]
    pictures: Callable[[Any], Iterable[str]]
    name: Callable[[Any], str]
    record_id: Callable[[Any], str]
    stage: str
    manifest: store.Manifest
    withheld: Mapping[str, int] = field(default_factory=dict)


def all_samples(workspace: Workspace, stages: Iterable[StageStatus]) -> list[Samples]:
    """Return the samples of all galleries and dialogues that are finished, by config.

    ``stages`` say what is stale. Dialogues are first decided anew, so that they are those of the
    decisions that stand now. Raises WorkspaceError, with what to do, for galleries that are stale
    or broken, or lie in a folder that is named after no τ.
    """
    return [*_galleries(workspace, stages), *_dialogues(workspace)]


def _galleries(workspace: Workspace, stages: Iterable[StageStatus]) -> Iterator[Samples]:
    for stage in stages:
        if not stage.name.startswith("galleries/") or stage.manifest is None:
            continue
        folder = workspace.root / stage.name
        tau = _tau(folder)
        check_fresh(workspace, stage)
        table = store.read_table(folder, "episodes.parquet")
        yield Samples(
            config=checked_config(f"hidden-target-tau-{tau}"),
            kind=Episode,
            records=sorted(from_table(table, Episode), key=_episode_id),
            pictures=_shown,
            name=_episode_id,
            record_id=partial(_audited_episode, folder.name),
            stage=stage.name,
            manifest=stage.manifest,
        )


def check_fresh(workspace: Workspace, stage: StageStatus) -> None:
    """Raise WorkspaceError for a stage that is not what its inputs would give now."""
    if stage.fault is not None:
        raise WorkspaceError(stage.fault)
    if stage.stale:
        raise WorkspaceError(
            f"{workspace.root / stage.name}: {' and '.join(stage.stale)} changed since it was made;"
            " make it again (benchwright status says how), or remove it"
        )


def _tau(folder: Path) -> str:
    """Return the τ that a folder of galleries is named after."""
    name = folder.name.removeprefix("tau-")
    try:
        is_named = Tau.parse(name).folder == folder.name
    except UsageError:
        is_named = False
    if not is_named:
        raise WorkspaceError(
            f"{folder}: galleries lie in folders such as tau-0.6; give it its name back, or move it"
            " out of the galleries"
        )
    return name


def _dialogues(workspace: Workspace) -> Iterator[Samples]:
    for kind in DIALOGUE_KINDS:
        if store.load_manifest(drafts_folder(workspace, kind)) is None:
            continue
        manifest = decide_dialogues(workspace, kind)
        yield Samples(
            config=kind,
            kind=_RECORDS[kind],
            records=read_dialogues(workspace, kind),
            pictures=_only_picture,
            name=_dialogue_id,
            record_id=record_id_of,
            stage=workspace.relative(dialogues_folder(workspace, kind)),
            manifest=manifest,
            withheld=manifest.reasons,
        )


def _episode_id(episode: Episode) -> str:
    return episode.episode_id


def _audited_episode(folder: str, episode: Episode) -> str:
    return f"{folder}/{episode.episode_id}"


def _dialogue_id(record: FalsePremise | CandidateSet | QuestionChain) -> str:
    return record.chain_id if isinstance(record, QuestionChain) else record.dialogue_id


def _shown(episode: Episode) -> tuple[str, ...]:
    return episode.image_ids


def _only_picture(record: Any) -> tuple[str]:
    return (record.image_id,)
