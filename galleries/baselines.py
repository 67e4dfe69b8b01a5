"""What a guesser gets who asks nothing: measured on finished galleries and kept beside them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.clip.embedder import Embedder
from benchwright.clip.picture_files import embed_pictures
from benchwright.errors import UsageError, WorkspaceError
from benchwright.knowledge import Knowledge
from benchwright.progress import Progress, no_progress
from benchwright.records import Episode
from benchwright.rows import from_table
from benchwright.status import current_inputs
from benchwright.workspace import Workspace
from builders.catalog import load_items
from galleries.nearest_picture import (
    Closeness,
    Guesses,
    by_embeddings,
    by_labels,
    ranked,
    score,
)
from galleries.report import render, shown_in
from galleries.tau import Tau
from labeling.attributes.labels.knowledge import load_knowledge

BASELINES = "baselines.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The guess of the picture nearest to the others on average, and to the farthest of them."""

    mean: Guesses
    least: Guesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The guesses by embeddings, and the model that made them: its name and identity."""

    nearest: Nearest
    model: str
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Baselines:
    """The nearest-picture guesses by labels, and by pictures where a model looked at them."""

    labels: Nearest
    pictures: Seen | None


def measure_baselines(
    workspace: Workspace,
    tau: Tau,
    embedder: Embedder | None = None,
    progress: Progress = no_progress,
) -> Baselines:
    """Return the baselines of the galleries of one τ.

    Raises WorkspaceError when there are none, when catalog, labels or vocabulary are no longer
    those that they were made of, or a picture is broken; UsageError when an embedder is given and
    items of the galleries have no picture.
    """
    _, episodes = _galleries(workspace, tau)
    return Baselines(
        labels=_by_labels(load_knowledge(workspace), episodes),
        pictures=None
        if embedder is None
        else _by_pictures(workspace, episodes, embedder, progress),
    )


def keep_baselines(workspace: Workspace, tau: Tau, found: Baselines) -> None:
    """Write baselines.json beside the galleries of one τ, and their report with its lines.

    Raises WorkspaceError as ``measure_baselines`` does.
    """
    manifest, episodes = _galleries(workspace, tau)
    folder = workspace.galleries / tau.folder
    summary = json.loads((folder / "summary.json").read_text("utf-8"))
    knowledge, shown = load_knowledge(workspace), shown_in(workspace, episodes)
    page = render(episodes, summary, knowledge, shown, baseline_lines(found))
    text = json.dumps(as_json(found), indent=2, sort_keys=True, ensure_ascii=False)
    added = {BASELINES: f"{text}\n".encode(), "report.html": page}
    store.add_files(folder, manifest, added)


def baseline_lines(found: Baselines) -> list[str]:
    """Return what the baselines come to, a line for each."""
    lines = _in_words("labels", found.labels)
    if found.pictures is not None:
        lines += _in_words(f"pictures ({found.pictures.model})", found.pictures.nearest)
    return lines


def as_json(found: Baselines) -> dict[str, Any]:
    """Return baselines.json: shares and reciprocal ranks from 0 to 1, intervals of 95 %."""
    seen = found.pictures
    pictures = None
    if seen is not None:
        pictures = _figures(seen.nearest) | {
            "model": seen.model,
            "model_identity": seen.identity,
        }
    return {"nearest_picture": {"labels": _figures(found.labels), "pictures": pictures}}


def _galleries(workspace: Workspace, tau: Tau) -> tuple[store.Manifest, list[Episode]]:
    folder = workspace.galleries / tau.folder
    manifest = store.require(folder, f"build-galleries --tau {tau.name}")
    now = current_inputs(workspace)
    stale = [name for name, digest in manifest.plan.inputs.items() if now.get(name) != digest]
    if stale:
        raise WorkspaceError(
            f"{folder}: {' and '.join(sorted(stale))} changed since these galleries were made; run"
            f" build-galleries --tau {tau.name} again"
        )
    return manifest, list(from_table(store.read_table(folder, "episodes.parquet"), Episode))


def _by_labels(knowledge: Knowledge, episodes: Sequence[Episode]) -> Nearest:
    row_of = {knowledge.image_id(row): row for row in range(len(knowledge.ids))}
    found = []
    for episode in episodes:
        has = np.zeros((len(episode.image_ids), len(knowledge.values)), bool)
        for at, image_id in enumerate(episode.image_ids):
            has[at, knowledge.attributes(row_of[image_id])] = True
        found.append(by_labels(has))
    return _nearest(episodes, found)


def _by_pictures(
    workspace: Workspace, episodes: Sequence[Episode], embedder: Embedder, progress: Progress
) -> Seen:
    hashes, files = _pictures(workspace, episodes)
    vectors = embed_pictures(files, embedder, workspace, progress)
    found = [
        by_embeddings(np.stack([vectors[hashes[image_id]] for image_id in episode.image_ids]))
        for episode in episodes
    ]
    return Seen(nearest=_nearest(episodes, found), model=embedder.name, identity=embedder.identity)


def _nearest(episodes: Sequence[Episode], found: Sequence[Closeness]) -> Nearest:
    pairs = list(zip(episodes, found, strict=True))
    mean = [ranked(one.image_ids, one.target_index, close.mean) for one, close in pairs]
    least = [ranked(one.image_ids, one.target_index, close.least) for one, close in pairs]
    return Nearest(mean=score(mean), least=score(least))


def _pictures(
    workspace: Workspace, episodes: Sequence[Episode]
) -> tuple[Mapping[str, str], Mapping[str, Any]]:
    """Return the hashes of the pictures of galleries by image id, and their files by hash."""
    wanted = sorted({image_id for one in episodes for image_id in one.image_ids})
    items = load_items(workspace, ["image_id", "image", "sha256"])
    chosen = items.filter(pc.is_in(items.column("image_id"), pa.array(wanted)))
    rows = [row for row in chosen.to_pylist() if row["image"] is not None]
    if len(rows) < len(wanted):
        raise UsageError(
            f"{workspace.catalog}: {len(wanted) - len(rows):,} of the {len(wanted):,} items in"
            " these galleries have no picture to look at; leave --clip-model away, labels need none"
        )
    return (
        {row["image_id"]: row["sha256"] for row in rows},
        {row["sha256"]: workspace.images / row["image"] for row in rows},
    )


def _figures(nearest: Nearest) -> dict[str, Any]:
    """Return the figures; the number of galleries and chance are those of both guesses."""
    return {
        "galleries": nearest.mean.galleries,
        "chance": _rounded(
            first=nearest.mean.chance, mean_reciprocal_rank=nearest.mean.chance_reciprocal_rank
        ),
        "to_others_on_average": _guessed(nearest.mean),
        "to_farthest_other": _guessed(nearest.least),
    }


def _guessed(guesses: Guesses) -> dict[str, Any]:
    first = guesses.first
    lift, low, high = guesses.lift
    return {
        "first": _rounded(share=first.share, low=first.low, high=first.high),
        "effective_size": round(first.size, 1),
        "lift": _rounded(share=lift, low=low, high=high),
        "mean_reciprocal_rank": round(guesses.reciprocal_rank, 4),
        "tells_target_from_chance": guesses.tells,
    }


def _rounded(**figures: float) -> dict[str, float]:
    return {name: round(value, 4) for name, value in figures.items()}


def _in_words(by: str, nearest: Nearest) -> list[str]:
    return [
        f"by {by}, to the others on average: {_said(nearest.mean)}",
        f"by {by}, to the farthest of them: {_said(nearest.least)}",
    ]


def _said(guesses: Guesses) -> str:
    lift, low, high = (100 * value for value in guesses.lift)
    if not guesses.tells:
        verdict = "does not tell the target from chance"
    elif lift > 0:
        verdict = "tells the target from chance"
    else:
        verdict = "tells the target from chance, by seldom being it"
    return (
        f"{100 * guesses.first.share:.1f} %, by chance {100 * guesses.chance:.1f} %; lift"
        f" {lift:.1f} points (95 % interval {low:.1f} to {high:.1f}): {verdict}"
    )
