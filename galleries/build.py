"""The stage build-galleries: from labels to episodes and their report, for one τ or several."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.engines.engine import LOCAL, Engine
from benchwright.engines.engine_workers import refuse_number, workers_of
from benchwright.errors import CorruptShard, UsageError
from benchwright.knowledge import Knowledge
from benchwright.progress import Progress, no_progress
from benchwright.records import Episode
from benchwright.rows import from_table
from benchwright.threads import threads as open_threads
from benchwright.thumbnails import read_stored
from benchwright.vocabulary_digest import vocabulary_digest
from benchwright.workers import Workers, pool
from benchwright.workspace import Workspace
from builders.duplicates.groups import groups_digest
from galleries.baselines import BASELINES
from galleries.episode_rows import EpisodeRows
from galleries.episodes import Targets, Wish, make_wished, qualifying, sampled
from galleries.pools import Pools, concatenate, prepare_search, search_parts
from galleries.report import SAMPLE, Shown, render, shown_in
from galleries.settings import Settings
from galleries.sheet import contact_sheet
from galleries.summary import Totals, draw_sizes, summarise
from galleries.tau import Tau
from labeling.attributes.labels.knowledge import load_knowledge

_TARGETS_PER_PART = 16_384
_EPISODES_PER_BATCH = 32  # one takes half a millisecond
_FILES = ("*.parquet", "summary.json", "sizes.png", "gallery.jpg", "report.html", BASELINES)

_POOLS = pa.schema(
    [("target", pa.int32()), ("rows", pa.list_(pa.int32())), ("overlaps", pa.list_(pa.int32()))]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Galleries:
    """The galleries of one τ; ``is_new`` is false where they stood there already.

    ``replaced``: others stood there, made with other settings. Without a manifest none were made:
    ``problem`` says why no target qualifies, and ``left`` that those of before still stand there.
    """

    tau: Tau
    manifest: store.Manifest | None
    is_new: bool
    replaced: bool = False
    problem: str | None = None
    left: bool = False


def build_galleries(
    workspace: Workspace,
    taus: Sequence[Tau],
    settings: Settings,
    *,
    threads: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    progress: Progress = no_progress,
) -> list[Galleries]:
    """Write galleries/tau-τ for each τ: episodes, summary, histogram, sheet and report.

    A τ for which no target qualifies leaves its folder as it is and does not stop the others.

    Raises WorkspaceError when catalog or labels are not there, UsageError when the engine cannot
    be used.
    """
    plans = {tau: _plan(workspace, tau, taus, settings) for tau in taus}
    found = {} if force else _finished(workspace, plans)
    missing = [tau for tau in taus if tau not in found]
    if missing and settings.paired:
        missing = list(taus)  # their pools are needed at once
    made: dict[Tau, Galleries] = {}
    if missing:
        known = load_knowledge(workspace)
        with _workers(engine, workspace, threads) as (searching, making):
            run = _Run(workspace, known, settings, searching, making, progress)
            for group in [missing] if settings.paired else [[tau] for tau in missing]:
                made |= run.make({tau: plans[tau] for tau in group})
    return [made.get(tau) or Galleries(tau=tau, manifest=found[tau], is_new=False) for tau in taus]


@contextmanager
def _workers(
    engine: Engine, workspace: Workspace, threads: int | None
) -> Iterator[tuple[Workers, Workers]]:
    """Give who searches, in compiled code, and who makes episodes, in Python."""
    if engine.name == "local":
        with open_threads(threads) as searching, pool(1) as making:
            yield searching, making
    else:
        refuse_number(threads, "--threads")
        with workers_of(engine, workspace, None) as workers:
            yield workers, workers


def _plan(workspace: Workspace, tau: Tau, taus: Sequence[Tau], settings: Settings) -> store.Plan:
    chosen = asdict(settings) | {"sizes": settings.sizes.name, "tau": tau.name}
    seed = chosen.pop("seed")
    if settings.paired:
        chosen["paired"] = sorted(other.name for other in taus)
    inputs = {
        "catalog": store.require(workspace.catalog, "build-catalog").digest(),
        "labels": store.require(workspace.labels, "label-attributes normalise").digest(),
        "vocabulary": vocabulary_digest(workspace.vocabulary),
    }
    duplicates = groups_digest(workspace)
    return store.Plan(
        stage=f"galleries/{tau.folder}",
        inputs=inputs if duplicates is None else inputs | {"duplicates": duplicates},
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


class _NothingError(UsageError):
    """No target qualifies."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What all τ of one run share."""

    workspace: Workspace
    knowledge: Knowledge
    settings: Settings
    searching: Workers
    making: Workers
    progress: Progress

    def make(self, plans: Mapping[Tau, store.Plan]) -> dict[Tau, Galleries]:
        """Make the galleries of one τ, or of all paired ones together."""
        others = self._others(plans)
        try:
            self._make(plans)
        except _NothingError as error:
            return {
                tau: Galleries(
                    tau=tau,
                    manifest=None,
                    is_new=True,
                    problem=str(error),
                    left=self._standing(tau) is not None,
                )
                for tau in plans
            }
        return {
            tau: Galleries(
                tau=tau,
                manifest=store.require(self.workspace.galleries / tau.folder, "build-galleries"),
                is_new=True,
                replaced=tau in others,
            )
            for tau in plans
        }

    def _standing(self, tau: Tau) -> store.Manifest | None:
        """Return the manifest of the galleries that stand at a τ, null where there are none."""
        try:
            return store.load_manifest(self.workspace.galleries / tau.folder)
        except CorruptShard:  # what stood there can no longer be told
            return None

    def _others(self, plans: Mapping[Tau, store.Plan]) -> set[Tau]:
        """Return the τ at which galleries of other settings or another seed stand."""
        found = set()
        for tau, plan in plans.items():
            manifest = self._standing(tau)
            if manifest is not None and (manifest.plan.settings, manifest.plan.seed) != (
                plan.settings,
                plan.seed,
            ):
                found.add(tau)
        return found

    def _make(self, plans: Mapping[Tau, store.Plan]) -> None:
        with ExitStack() as stack:
            writers = {
                tau: stack.enter_context(
                    store.writing(
                        self.workspace.galleries / tau.folder,
                        plan,
                        configs={"episodes": "episodes.parquet"},
                        owns=_FILES,
                    )
                )
                for tau, plan in plans.items()
            }
            pools = {tau: self._pools(tau, writer) for tau, writer in writers.items()}
            targets = qualifying(list(pools.values()), self.knowledge, self.settings)
            episodes, not_identifiable = self._episodes(pools, targets)
            for tau, writer in writers.items():
                if not episodes[tau]:
                    raise _NothingError(self._nothing(pools, targets, not_identifiable))
                whole = pools[tau].sizes()[targets.places] + 1
                totals = Totals(
                    pictures=len(self.knowledge.ids),
                    qualifying=len(targets.places),
                    dropped=targets.dropped,
                    not_identifiable=not_identifiable,
                    not_asked=sorted(
                        {value.type for value in self.knowledge.values if not value.askable}
                    ),
                    mean_whole_gallery=float(whole.mean()),
                )
                self._write(writer, episodes[tau].table(), totals, tau)

    def _pools(self, tau: Tau, writer: store.StageWriter) -> Pools:
        everything = np.arange(len(self.knowledge.ids))
        starts = range(0, max(1, len(everything)), _TARGETS_PER_PART)
        names = [f"pools-{number:05d}" for number in range(len(starts))]
        kept = {name: writer.kept(name) for name in names}
        missing = [
            everything[start : start + _TARGETS_PER_PART]
            for start, name in zip(starts, names, strict=True)
            if kept[name] is None
        ]
        found = self._search(tau, missing) if missing else iter(())
        parts = []
        for name in self.progress(f"pools at τ {tau.name}", len(names))(names):
            part = kept.pop(name)
            parts.append(writer.keep(name, _as_part(next(found))) if part is None else part)
        return concatenate([_from_part(part) for part in parts])

    def _search(self, tau: Tau, parts: Sequence[np.ndarray]) -> Iterator[Pools]:
        search = prepare_search(
            self.knowledge, tau, per_value=self.settings.per_value, seed=self.settings.seed
        )
        return search_parts(search, parts, self.searching)

    def _episodes(
        self, pools: Mapping[Tau, Pools], targets: Targets
    ) -> tuple[Mapping[Tau, EpisodeRows], int]:
        """Return the episodes of each τ in their seeded order, up to the number asked for.

        Beside them the number of targets that ``only_identifiable`` left out: a target is left
        out for every τ of a paired run, or for none.
        """
        first = next(iter(pools))
        wanted = self.settings.episodes or len(targets.places)
        order = sampled(targets, pools[first], self.knowledge, self.settings)
        if not self.settings.only_identifiable:
            order = order[:wanted]
        places = ((int(targets.places[at]), int(targets.sizes[at])) for at in order)
        wishes = (
            Wish(pools={tau: some.of_one(place) for tau, some in pools.items()}, size=size)
            for place, size in places
        )
        work = partial(make_wished, self.making.share(self.knowledge), self.settings.seed)
        found = {tau: EpisodeRows() for tau in pools}
        left_out = 0
        names = ", ".join(tau.name for tau in pools)
        with closing(self.making.map_ordered(work, wishes, batch=_EPISODES_PER_BATCH)) as episodes:
            for made in self.progress(f"episodes at τ {names}", wanted)(episodes):
                if self.settings.only_identifiable and not all(
                    episode.identifiable for episode in made.values()
                ):
                    left_out += 1
                    continue
                for tau, episode in made.items():
                    found[tau].add(episode)
                if len(found[first]) == wanted:
                    break
        return found, left_out

    def _nothing(self, pools: Mapping[Tau, Pools], targets: Targets, not_identifiable: int) -> str:
        names = ", ".join(tau.name for tau in pools)
        if not_identifiable:
            return (
                f"none of the {not_identifiable:,} targets that qualify at τ {names} can be "
                "identified; go without --only-identifiable, or add attributes that may be asked"
            )
        if len(pools) > 1:
            alone = ", ".join(
                f"{len(qualifying([some], self.knowledge, self.settings).places):,} at {tau.name}"
                for tau, some in pools.items()
            )
            return (
                f"no target qualifies at every τ of {names}, as --paired wants "
                f"(each by itself: {alone}); leave out those with 0"
            )
        if targets.dropped.get("no_attributes") == len(self.knowledge.ids):
            return (
                f"none of the {len(self.knowledge.ids):,} pictures has a label yes, so there is "
                "nothing to be alike in; galleries need attributes of whole pictures"
            )
        reasons = ", ".join(
            f"{count:,} {reason}" for reason, count in targets.dropped.items() if count
        )
        return (
            f"no target qualifies at τ {names} among {len(self.knowledge.ids):,} pictures "
            f"({reasons}); lower --tau or --min-gallery, or add pictures or attributes"
        )

    def _write(
        self, writer: store.StageWriter, episodes: pa.Table, totals: Totals, tau: Tau
    ) -> None:
        summary = summarise(episodes, totals, tau.name)
        sample = list(from_table(episodes.slice(0, SAMPLE), Episode))
        shown = shown_in(self.workspace, sample)
        writer.table("episodes", episodes)
        writer.json("summary.json", summary)
        writer.file("sizes.png", draw_sizes(summary))
        sheet = _sheet(sample[0], shown)
        if sheet is not None:
            writer.file("gallery.jpg", sheet)
        writer.file("report.html", render(sample, summary, self.knowledge, shown))
        writer.counts.update(
            pictures=totals.pictures, qualifying=totals.qualifying, episodes=len(episodes)
        )
        reasons = {**totals.dropped, "not_identifiable": totals.not_identifiable}
        writer.reasons.update({reason: count for reason, count in reasons.items() if count})


def _sheet(episode: Episode, shown: Mapping[str, Shown]) -> bytes | None:
    """Draw the first gallery; None where its pictures are not there."""
    pictures = []
    for image_id in episode.image_ids:
        path = shown[image_id].picture
        if path is None:
            return None
        with read_stored(path) as picture:
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
