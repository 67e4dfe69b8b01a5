"""The config ``trajectories``: how hidden-target episodes of the release were played, turn by turn.

They stand beside ``responses``: a config has one schema, and the two have nothing in common. Runs
are read as run-benchmark left them in runs/NAME, each whole or not at all. What a server sent with
a key in it was cut out of its reply when it came.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.records import SCHEMAS, Trajectory
from benchwright.workspace import Workspace
from exports.contents.once import check_once

FILES = "trajectories-*.parquet"
_KEY = ("run", "config", "episode_id")
_UNFINISHED = "not played to its end"
_TELLS = "tells answers that are held back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Trajectories by config, run and episode.

    ``runs`` are the manifests of the runs that any is of, by their folder in the workspace;
    ``left_out`` counts trajectories of released episodes by the reason why they stay.
    """

    table: pa.Table
    runs: Mapping[str, store.Manifest] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)


def played_episodes(
    workspace: Workspace,
    episodes: Mapping[str, Collection[str]],
    held: Collection[str],
    without: Collection[str] = (),
) -> Played:
    """Return how released episodes were played in the runs of a workspace.

    ``episodes`` are the ids of the released ones by config. Of configs that are ``held`` back none
    goes out: what a player was told, and its guess, tell the target. Episodes that a server's
    failure cut off stay, too, and the runs whose names are in ``without``.

    Raises SourceError for a run that does not hold trajectories, or holds those of another run,
    CorruptShard where its files are not those that it wrote.
    """
    tables = [SCHEMAS[Trajectory].empty_table()]
    runs: dict[str, store.Manifest] = {}
    left_out: Counter[str] = Counter()
    for name, manifest in _runs(workspace, without):
        table = _read(workspace, name)
        left_out[_TELLS] += pc.sum(_is_one_of(table["config"], held)).as_py() or 0
        table = table.filter(_is_released(table, episodes, held))
        is_cut = pc.equal(table["end"], "failed")
        left_out[_UNFINISHED] += pc.sum(is_cut).as_py() or 0
        table = table.filter(pc.invert(is_cut))
        if table.num_rows:
            tables.append(table)
            runs[name] = manifest
    table = pa.concat_tables(tables)
    check_once(table, _KEY, "episode")
    ordered = table.sort_by([(name, "ascending") for name in ("config", "run", "episode_id")])
    return Played(table=ordered, runs=runs, left_out=+left_out)


def _runs(workspace: Workspace, without: Collection[str]) -> Iterator[tuple[str, store.Manifest]]:
    """Yield the finished runs with trajectories; what is being written has no manifest."""
    for path in sorted(workspace.runs.glob(f"*/{store.MANIFEST}")):
        if path.parent.name in without:
            continue
        manifest = store.load_manifest(path.parent)
        if manifest is not None and "trajectories" in manifest.content:
            yield workspace.relative(path.parent), manifest


def _read(workspace: Workspace, name: str) -> pa.Table:
    folder, schema = workspace.root / name, SCHEMAS[Trajectory]
    table = store.read_table(folder, FILES)
    try:
        return table.select(schema.names).cast(schema)
    except (pa.ArrowException, KeyError, ValueError) as error:
        raise SourceError(
            f"{folder}: holds no trajectories that this version reads ({excerpt(str(error))}); run"
            " it again with --force, or move it away"
        ) from error


def _is_released(
    table: pa.Table, episodes: Mapping[str, Collection[str]], held: Collection[str]
) -> pa.Array:
    ids = zip(table["config"].to_pylist(), table["episode_id"].to_pylist(), strict=True)
    return pa.array(
        [config not in held and name in episodes.get(config, ()) for config, name in ids],
        pa.bool_(),
    )


def _is_one_of(column: pa.ChunkedArray, names: Collection[str]) -> pa.ChunkedArray:
    return pc.is_in(column, value_set=pa.array(sorted(names), pa.string()))
