"""The samples of a workspace, config by config, before anything is left out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright import store
from benchwright.dialogue_records import CandidateSet, FalsePremise, QuestionChain
from benchwright.errors import WorkspaceError
from benchwright.records import Episode
from benchwright.rows import from_table
from benchwright.status import current_inputs
from benchwright.workspace import Workspace
from exports.names import checked_config
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
    """The records of one config; ``pictures`` and ``name`` say of each what it shows and its id.

    ``stage`` is where they come from, from the root of the workspace, with its manifest.
    """

    config: str
    kind: type[Any]
    records: Sequence[Any]
    pictures: Callable[[Any], Iterable[str]]
    name: Callable[[Any], str]
    stage: str
    manifest: store.Manifest


def all_samples(workspace: Workspace) -> list[Samples]:
    """Return the samples of all galleries and dialogues that are finished, by config.

    Dialogues are first decided anew, so that they are those of the decisions that stand now.
    Raises WorkspaceError, with the command to run, for galleries that are stale.
    """
    return [*_galleries(workspace), *_dialogues(workspace)]


def _galleries(workspace: Workspace) -> Iterator[Samples]:
    now = current_inputs(workspace)
    for folder in sorted(workspace.galleries.glob("tau-*")):
        manifest = store.load_manifest(folder)
        if manifest is None:
            continue
        stale = sorted(
            name for name, digest in manifest.plan.inputs.items() if now.get(name) != digest
        )
        tau = folder.name.removeprefix("tau-")
        if stale:
            raise WorkspaceError(
                f"{folder}: {' and '.join(stale)} changed since these galleries were made; run"
                f" build-galleries --tau {tau} again, or remove the folder"
            )
        table = store.read_table(folder, "episodes.parquet")
        yield Samples(
            config=checked_config(f"hidden-target-tau-{tau}"),
            kind=Episode,
            records=sorted(from_table(table, Episode), key=_episode_id),
            pictures=_shown,
            name=_episode_id,
            stage=workspace.relative(folder),
            manifest=manifest,
        )


def _dialogues(workspace: Workspace) -> Iterator[Samples]:
    for kind in DIALOGUE_KINDS:
        if store.load_manifest(drafts_folder(workspace, kind)) is None:
            continue
        manifest = decide_dialogues(workspace, kind)
        if not manifest.counts["dialogues"]:
            continue
        yield Samples(
            config=kind,
            kind=_RECORDS[kind],
            records=read_dialogues(workspace, kind),
            pictures=_only_picture,
            name=record_id_of,
            stage=workspace.relative(dialogues_folder(workspace, kind)),
            manifest=manifest,
        )


def _episode_id(episode: Episode) -> str:
    return episode.episode_id


def _shown(episode: Episode) -> tuple[str, ...]:
    return episode.image_ids


def _only_picture(record: Any) -> tuple[str]:
    return (record.image_id,)
