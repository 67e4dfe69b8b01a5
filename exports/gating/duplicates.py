"""Near-duplicates: within a gallery, across the splits of the source, in sets compared with."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from benchwright import store
from benchwright.records import Episode
from benchwright.workspace import Workspace
from builders.catalog import load_items
from builders.duplicates.groups import FOLDER, groups_of
from builders.duplicates.leaks import LEAKS
from exports.gating.check import Check, count_check

_AGAIN = "then build the next version"


def duplicates(
    workspace: Workspace, episodes: Mapping[str, Sequence[Episode]], image_ids: Collection[str]
) -> Iterator[Check]:
    """Yield whether galleries hold one thing twice, and whether a picture has a twin elsewhere.

    ``episodes`` are by config, ``image_ids`` all released pictures. Where nobody looked for
    near-duplicates that fails. Raises WorkspaceError where they were looked for in another catalog.
    """
    if store.load_manifest(workspace.catalog / FOLDER) is None:
        yield _not_looked(len(image_ids))
        return
    ids = load_items(workspace, ["image_id"]).column("image_id").to_pylist()
    group = dict(zip(ids, groups_of(workspace).to_pylist(), strict=True))
    for config, some in episodes.items():
        yield count_check(
            "duplicates",
            config,
            "galleries with two pictures of one product or near-duplicates",
            [one.episode_id for one in some if _has_twins(one, group)],
            n=len(some),
        ).advised(f"run build-galleries again with --force: it leaves the second one out; {_AGAIN}")
    yield _across_splits(workspace, image_ids)
    yield from _in_other_sets(workspace, image_ids)


def _not_looked(count: int) -> Check:
    return Check(
        name="duplicates",
        of="images",
        what="near-duplicates among the pictures",
        unit="count",
        figure=None,
        limit=0,
        n=count,
        passed=False,
        advice=f"nobody looked for them: run build-catalog dedup and build-galleries, {_AGAIN}",
    )


def _has_twins(episode: Episode, group: Mapping[str, str | None]) -> bool:
    groups = [found for name in episode.image_ids if (found := group[name]) is not None]
    return len(set(groups)) < len(groups)


def _across_splits(workspace: Workspace, image_ids: Collection[str]) -> Check:
    spans = store.read_table(workspace.catalog / FOLDER, "spans.parquet")
    wanted = set(image_ids)
    return count_check(
        "splits",
        "images",
        "pictures with a near-duplicate in another split of their source",
        sorted(wanted.intersection(spans.column("image_id").to_pylist())),
        n=len(wanted),
    ).advised(f"take them down (push-release takedown), or build from one split; {_AGAIN}")


def _in_other_sets(workspace: Workspace, image_ids: Collection[str]) -> Iterator[Check]:
    catalog = store.require(workspace.catalog, "build-catalog").digest()
    folder = workspace.catalog / LEAKS
    wanted, stale, compared = set(image_ids), [], False
    for place in sorted(folder.iterdir()) if folder.is_dir() else []:
        manifest = store.load_manifest(place)
        if manifest is None or manifest.plan.inputs.get("catalog") != catalog:
            stale.append(place.name)
            continue  # of another catalog: it says nothing of these pictures
        compared = True
        leaks = store.read_table(place, "leaks.parquet").column("image_id").to_pylist()
        yield count_check(
            "leaks",
            place.name,
            "pictures that this other set has as well",
            sorted(wanted.intersection(leaks)),
            n=len(wanted),
        ).advised(f"take them down (push-release takedown); {_AGAIN}")
    if stale or not compared:
        yield _not_compared(len(wanted), stale)


def _not_compared(count: int, stale: Sequence[str]) -> Check:
    """Return that of some other set, or of any, nobody knows whether it has the same pictures."""
    what = f"with {', '.join(stale)} as the catalog is now" if stale else "with any other set"
    return Check(
        name="leaks",
        of="images",
        what="pictures that another set has as well",
        unit="count",
        figure=None,
        n=count,
        note=f"not compared {what} (build-catalog dedup --against)",
    )
