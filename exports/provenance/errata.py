"""releases/NAME/errata.jsonl: faults of published samples.

A fault is noted, so that users know, or its sample is withdrawn: no later version has it. What is
wrong with a label or a dialogue is put right where it was made, by a decision in review-labels;
the next version then holds what people decided, and ``push-release diff`` says so. To correct a
field here as well would leave the workspace and the release with two truths.

Each release takes the list along (its own errata.jsonl), a withdrawn sample with the version that
was the first without it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import pyarrow.parquet as pq
import pydantic
from pydantic import ConfigDict, Field

from benchwright import files
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from exports.names import Version, checked_name, release_folder, versions_of
from exports.provenance.declared import ERRATA as FILE
from exports.provenance.declared import as_line, declare, read_declared
from exports.provenance.reasons import Reason, checked_reason

_IDS: Mapping[str, str] = MappingProxyType(  # the column of the id
    {
        "false-premise": "dialogue_id",
        "candidate-set": "dialogue_id",
        "question-chain": "chain_id",
        "images": "image_id",
        "labels": "image_id",
    }
)
_NOT_WITHDRAWN: Mapping[str, str] = MappingProxyType(
    {
        "images": "take a picture down with push-release takedown",
        "labels": "correct a label with review-labels; the next version then holds it",
    }
)


class Erratum(pydantic.BaseModel):
    """A fault of one sample (or of a picture, or its labels), found in a version that stood."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    config: Annotated[str, Field(min_length=1)]
    id: Annotated[str, Field(min_length=1)]
    reason: Reason
    withdrawn: bool
    found_in: Annotated[str, Field(pattern=r"^\d{1,6}\.\d{1,6}\.\d{1,6}$")]


class PublishedErratum(Erratum):
    """An erratum as a release has it; null where its sample still stands."""

    withdrawn_in: str | None


def read_errata(workspace: Workspace, name: str) -> tuple[Erratum, ...]:
    """Return the known faults of a release; raises UsageError for a line that is none."""
    return read_declared(workspace.releases / checked_name(name) / FILE, Erratum)


def withdrawn_samples(errata: Sequence[Erratum]) -> frozenset[tuple[str, str]]:
    """Return config and id of the samples that no release made from now on may hold."""
    return frozenset((one.config, one.id) for one in errata if one.withdrawn)


def note_erratum(
    workspace: Workspace,
    name: str,
    *,
    config: str,
    sample_id: str,
    reason: str,
    withdrawn: bool = False,
    found_in: Version | None = None,
) -> tuple[Erratum, bool]:
    """Declare a fault of a version that stands on this disk, by default the latest.

    Returns the erratum, and false where it was declared before. Raises UsageError where no such
    version stands, or it has no such config or id.
    """
    version = _latest(workspace, name) if found_in is None else found_in
    _check(release_folder(workspace, name, version), config, sample_id, withdrawn=withdrawn)
    entry = Erratum(
        config=config,
        id=sample_id,
        reason=checked_reason(reason),
        withdrawn=withdrawn,
        found_in=str(version),
    )
    return entry, declare(workspace.releases / name / FILE, entry)


def published(workspace: Workspace, name: str, version: Version) -> list[PublishedErratum]:
    """Return the errata as a release of this version has them, in the order of the file."""
    errata = read_errata(workspace, name)
    first: dict[Erratum, str] = {}
    for earlier in versions_of(workspace, name):
        if earlier < version:
            for one in read_published(release_folder(workspace, name, earlier)):
                if one.withdrawn_in is not None:
                    first.setdefault(_declared(one), one.withdrawn_in)
    return [
        PublishedErratum(
            **dict(one), withdrawn_in=first.get(one, str(version)) if one.withdrawn else None
        )
        for one in errata
    ]


def read_published(folder: Path) -> tuple[PublishedErratum, ...]:
    """Return the errata that a release has, given its folder."""
    return read_declared(folder / FILE, PublishedErratum)


def write_errata(folder: Path, errata: Sequence[PublishedErratum]) -> None:
    """Write the errata of a release into its folder; none are no file."""
    if errata:
        lines = b"".join(as_line(one.model_dump(mode="json")) for one in errata)
        files.write_bytes(folder / FILE, lines)


def _declared(one: PublishedErratum) -> Erratum:
    values: dict[str, Any] = dict(one)
    del values["withdrawn_in"]
    return Erratum(**values)


def _latest(workspace: Workspace, name: str) -> Version:
    standing = versions_of(workspace, name)
    if not standing:
        raise UsageError(
            f"no version of {name} stands in {workspace.releases}; errata are about what was"
            " released: make it with push-release build first"
        )
    return standing[-1]


def _check(folder: Path, config: str, sample_id: str, *, withdrawn: bool) -> None:
    shards = sorted((folder / "data").glob("*/*.parquet"))
    if not shards:
        raise UsageError(f"{folder}: no version stands there; --found-in wants one that does")
    column = _id_column(config)
    chosen = [shard for shard in shards if shard.parent.name == config]
    if column is None or not chosen:
        known = {one.parent.name for one in shards if _id_column(one.parent.name) is not None}
        raise UsageError(
            f"{folder}: has no config {excerpt(config)} with ids; it has {', '.join(sorted(known))}"
        )
    if withdrawn and config in _NOT_WITHDRAWN:
        raise UsageError(f"{config} has no samples to withdraw: {_NOT_WITHDRAWN[config]}")
    if not any(sample_id in _column(shard, column) for shard in chosen):
        raise UsageError(f"{folder}: {config} has no {column} {excerpt(sample_id)}")


def _id_column(config: str) -> str | None:
    return "episode_id" if config.startswith("hidden-target-") else _IDS.get(config)


def _column(shard: Path, name: str) -> set[str]:
    return set(pq.read_table(shard, columns=[name]).column(0).to_pylist())
