"""The stage build-galleries: from labels to episodes and their report, for one τ or several."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

from benchwright import store
from benchwright.errors import UsageError
from benchwright.knowledge import Knowledge
from benchwright.progress import Progress, no_progress
from benchwright.records import Episode
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from galleries.episodes import Targets, make_episode, qualifying, sampled
from galleries.pools import Pools, concatenate, find_pools
from galleries.report import SAMPLE, Shown, render
from galleries.settings import Settings
from galleries.sheet import contact_sheet
from galleries.summary import Totals, draw_sizes, summarise
from galleries.tau import Tau
from labeling.attributes.labels import load_knowledge

_TARGETS_PER_PART = 16_384

_POOLS = pa.schema(
    [("target", pa.int32()), ("rows", pa.list_(pa.int32())), ("overlaps", pa.list_(pa.int32()))]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Galleries:
    """The finished galleries of one τ; ``is_new`` is false where they stood there already."""

    tau: Tau
    manifest: store.Manifest
    is_new: bool


def build_galleries(
    workspace: Workspace,
    taus: Sequence[Tau],
    settings: Settings,
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress = no_progress,
) -> list[Galleries]:
    """Write galleries/tau-τ for each τ: episodes, summary, histogram, sheet and report.

    Raises WorkspaceError when catalog or labels are not there, and UsageError when no target
    qualifies for any τ.
    """
    plans = {tau: _plan(workspace, tau, taus, settings) for tau in taus}
    found = {} if force else _finished(workspace, plans)
    missing = [tau for tau in taus if tau not in found]
    if missing:
        run = _Run(workspace, load_knowledge(workspace), settings, threads, progress)
        # paired galleries need all their pools at once; others are made one τ after the other
        together = [list(taus)] if settings.paired else [[tau] for tau in missing]
        for group in together:
            run.make({tau: plans[tau] for tau in group})
        missing = [tau for group in together for tau in group]
    return [
        Galleries(
            tau=tau,
            manifest=store.require(workspace.galleries / tau.folder, "build-galleries"),
            is_new=tau in missing,
        )
        for tau in taus
    ]


def _plan(workspace: Workspace, tau: Tau, taus: Sequence[Tau], settings: Settings) -> store.Plan:
    chosen = asdict(settings) | {"sizes": settings.sizes.name, "tau": tau.name}
    seed = chosen.pop("seed")
    if settings.paired:
        chosen["paired"] = sorted(other.name for other in taus)
    return store.Plan(
        stage=f"galleries/{tau.folder}",
        inputs={
            "catalog": store.require(workspace.catalog, "build-catalog").digest(),
            "labels": store.require(workspace.labels, "label-attributes normalise").digest(),
            "vocabulary": store.yaml_digest(workspace.vocabulary),
        },
        settings=chosen,
        seed=seed,
    )


def _finished(
    workspace: Workspace, plans: Mapping[Tau, store.Plan]
) -> Mapping[Tau, store.Manifest]:
    found = {
        tau: store.finished(workspace.galleries / tau.folder, plan) for tau, plan in plans.items()
    }
    return {tau: manifest for tau, manifest in found.items() if manifest is not None}


@dataclass(frozen=True, slots=True)
class _Run:
    """What all τ of one run share."""

    workspace: Workspace
    knowledge: Knowledge
    settings: Settings
    threads: int | None
    progress: Progress

    def make(self, plans: Mapping[Tau, store.Plan]) -> None:
        """Make the galleries of one τ, or of all paired ones together."""
        with ExitStack() as stack:
            writers = {
                tau: stack.enter_context(
                    store.writing(
                        self.workspace.galleries / tau.folder,
                        plan,
                        configs={"episodes": "episodes.parquet"},
                    )
                )
                for tau, plan in plans.items()
            }
            pools = {tau: self._pools(tau, writer) for tau, writer in writers.items()}
            targets = qualifying(list(pools.values()), self.knowledge, self.settings)
            for tau, writer in writers.items():
                episodes = list(self._episodes(pools[tau], targets, tau))
                if not episodes:
                    raise UsageError(self._nothing(tau, targets))
                self._write(writer, episodes, pools[tau], targets, tau)

    def _pools(self, tau: Tau, writer: store.StageWriter) -> Pools:
        everything = np.arange(len(self.knowledge.ids))
        starts = range(0, max(1, len(everything)), _TARGETS_PER_PART)
        parts = []
        for start in self.progress(f"pools at τ {tau.name}", len(starts))(starts):
            chosen = everything[start : start + _TARGETS_PER_PART]
            parts.append(
                writer.part(f"pools-{start // _TARGETS_PER_PART:05d}", self._search(tau, chosen))
            )
        return concatenate([_from_part(part) for part in parts])

    def _search(self, tau: Tau, chosen: np.ndarray) -> Any:
        def search() -> pa.Table:
            return _as_part(
                find_pools(
                    self.knowledge,
                    tau,
                    per_value=self.settings.per_value,
                    seed=self.settings.seed,
                    targets=chosen,
                    threads=self.threads,
                )
            )

        return search

    def _episodes(self, pools: Pools, targets: Targets, tau: Tau) -> Iterator[Episode]:
        """Yield the episodes in their seeded order, up to the number asked for."""
        wanted = self.settings.episodes or len(targets.places)
        order = sampled(targets, pools, self.knowledge, self.settings)
        taken = 0
        for at in self.progress(f"episodes at τ {tau.name}", wanted)(order):
            if taken == wanted:
                return
            episode = make_episode(
                self.knowledge,
                pools,
                int(targets.places[at]),
                int(targets.sizes[at]),
                tau,
                self.settings.seed,
            )
            if episode.identifiable or not self.settings.only_identifiable:
                taken += 1
                yield episode

    def _nothing(self, tau: Tau, targets: Targets) -> str:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in targets.dropped.items())
        return (
            f"no target qualifies at τ {tau.name} among {len(self.knowledge.ids):,} pictures "
            f"({reasons}); lower --tau or --min-gallery, or add pictures or attributes"
        )

    def _write(
        self,
        writer: store.StageWriter,
        episodes: Sequence[Episode],
        pools: Pools,
        targets: Targets,
        tau: Tau,
    ) -> None:
        whole = pools.sizes()[targets.places] + 1
        totals = Totals(
            pictures=len(self.knowledge.ids),
            qualifying=len(targets.places),
            dropped=targets.dropped,
            mean_whole_gallery=float(whole.mean()) if len(whole) else None,
        )
        summary = summarise(episodes, totals, tau.name)
        shown = self._shown({image_id for one in episodes[:SAMPLE] for image_id in one.image_ids})
        writer.table("episodes", to_table(episodes, Episode))
        writer.json("summary.json", summary)
        writer.file("sizes.png", draw_sizes(summary))
        sheet = _sheet(episodes[0], shown)
        if sheet is not None:
            writer.file("gallery.jpg", sheet)
        writer.file("report.html", render(episodes, summary, self.knowledge, shown))
        writer.counts.update(
            pictures=totals.pictures, qualifying=totals.qualifying, episodes=len(episodes)
        )
        writer.reasons.update({reason: count for reason, count in totals.dropped.items() if count})

    def _shown(self, wanted: set[str]) -> dict[str, Shown]:
        items = store.read_table(self.workspace.catalog, "items-*.parquet")
        items = items.select(["image_id", "image", "title", "source_id"])
        chosen = items.filter(pc.is_in(items.column("image_id"), pa.array(sorted(wanted))))
        return {
            row["image_id"]: Shown(
                picture=None if row["image"] is None else self.workspace.images / row["image"],
                title=row["title"] or row["source_id"],
            )
            for row in chosen.to_pylist()
        }


def _sheet(episode: Episode, shown: Mapping[str, Shown]) -> bytes | None:
    """Draw the first gallery; None where its pictures are not there."""
    pictures = []
    for image_id in episode.image_ids:
        path = shown[image_id].picture
        if path is None:
            return None
        with Image.open(path) as picture:
            pictures.append(picture.convert("RGB"))
    return contact_sheet(pictures, episode.target_index)


def _as_part(pools: Pools) -> pa.Table:
    offsets = pa.array(pools.indptr.astype(np.int32))
    columns = [
        pa.array(pools.targets.astype(np.int32)),
        pa.ListArray.from_arrays(offsets, pa.array(pools.rows.astype(np.int32))),
        pa.ListArray.from_arrays(offsets, pa.array(pools.overlaps.astype(np.int32))),
    ]
    return pa.Table.from_arrays(columns, schema=_POOLS)


def _from_part(part: pa.Table) -> Pools:
    whole = part.combine_chunks()
    lengths = pc.list_value_length(whole.column("rows")).to_numpy()
    return Pools(
        targets=whole.column("target").to_numpy(),
        indptr=np.concatenate([[0], np.cumsum(lengths)]),
        rows=pc.list_flatten(whole.column("rows")).to_numpy(),
        overlaps=pc.list_flatten(whole.column("overlaps")).to_numpy(),
    )
