"""``build-catalog dedup --against``: pictures of the catalog that another set has as well.

The other set is a workspace with a catalog, or any folder of pictures, such as a training set.
A leak is reported, never removed.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchwright import store
from benchwright.clip.embedder import Embedder
from benchwright.clip.picture_files import embed_pictures
from benchwright.engines.engine import LOCAL, Engine
from benchwright.engines.engine_workers import workers_of
from benchwright.engines.second_look import agreed
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.workers import Workers
from benchwright.workspace import Workspace
from builders.duplicates.chosen_clip import Clip, chosen_clip
from builders.duplicates.dedup import REPORT, Deduped, Pictured, pictured, stacked, table_of
from builders.duplicates.fingerprints import Keep, fingerprint_all, known_fingerprints
from builders.duplicates.groups import FOLDER
from builders.duplicates.hashes import Fingerprint, Refused, fingerprint_file
from builders.duplicates.pairs import Pairs, phash_pairs, vector_pairs
from builders.duplicates.report import Page, Side, render
from builders.duplicates.settings import DedupSettings
from builders.local import pictures_digest

LEAKS = "leaks"  # under the catalog: one folder for each set that it was compared with
_KINDS = ("bytes", "pixels", "near", "mirrored")
_LEAKS = pa.schema(
    [
        pa.field("image_id", pa.string(), nullable=False),
        pa.field("split", pa.string()),
        pa.field("other", pa.string(), nullable=False),
        pa.field("other_split", pa.string()),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("distance", pa.float64(), nullable=False),
        pa.field("others", pa.int64(), nullable=False),
    ]
)
_REFUSED = pa.schema(
    [pa.field(name, pa.string(), nullable=False) for name in ("file", "reason", "message")]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """The pictures of the other set: name, split, file and fingerprint of each, by name."""

    names: Sequence[str]
    splits: Sequence[str | None]
    files: Sequence[Path]
    prints: Sequence[Fingerprint]
    refused: Sequence[tuple[str, str, str]]

    def side(self, row: int) -> Side:
        """Return what a report shows of a picture."""
        return Side(
            picture=self.files[row],
            title=self.names[row],
            facts=self.splits[row] or "the other set",
        )


def leaks_folder(workspace: Workspace, other: Path, digest: str) -> Path:
    """Return where the comparison with another set is kept: by its name and its content.

    ``digest`` is that of its content: sets in folders of one name would lie over each other.
    """
    name = re.sub(r"[^\w.-]+", "-", other.resolve().name).strip(".-") or "other"
    return workspace.catalog / LEAKS / f"{name}-{digest[:8]}"


def find_leaks(
    workspace: Workspace,
    other: Path,
    settings: DedupSettings | None = None,
    *,
    embedder: Embedder | None = None,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    progress: Progress = no_progress,
) -> Deduped:
    """Compare the catalog with another set and write leaks.parquet and a report.

    Each picture of the catalog that the other set has as well is one row, with the closest one
    there and the number of all of them.

    Raises WorkspaceError when there is no catalog, UsageError when the other set has no pictures.
    """
    chosen = (settings or DedupSettings()).checked()
    catalog = store.require(workspace.catalog, "build-catalog table FILE").digest()
    names, digest = _compared(workspace, other)
    folder = leaks_folder(workspace, other, digest)
    plan = store.Plan(
        stage=f"catalog/{LEAKS}",
        inputs={"catalog": catalog, "against": digest},
        settings=chosen.plan() | {"against": folder.name},
    )
    if not force and (manifest := store.finished(folder, plan)) is not None:
        return Deduped(folder=folder, manifest=manifest, is_new=False)
    clip = chosen_clip(chosen, embedder)
    ours = pictured(workspace)
    configs = {"leaks": "leaks.parquet"}
    with store.writing(folder, plan, configs=configs, owns=("*.parquet", REPORT)) as writer:
        with workers_of(engine, workspace, workers) as some:
            known = known_fingerprints(workspace.catalog / FOLDER)
            prints = fingerprint_all(ours.files, known, _named(writer, "ours"), some, progress)
            rest = _others(other, names, writer, some, progress)
            own = [prints[str(row["sha256"])] for row in ours.rows]
            if clip is None:
                near = _by_phash(own, rest, chosen)
            else:
                near = _by_clip(workspace, ours, own, rest, clip, chosen.reach, some, progress)
        _write(writer, ours, own, rest, near, chosen)
    return Deduped(
        folder=folder, manifest=store.require(folder, "build-catalog dedup"), is_new=True
    )


def _compared(workspace: Workspace, other: Path) -> tuple[Sequence[str] | None, str]:
    """Return the files of the other set, null for a workspace, and the digest of its content."""
    theirs = Workspace(other)
    if not (theirs.catalog / store.MANIFEST).is_file():
        sizes = _files_of(other)
        return list(sizes), pictures_digest(sizes.items())
    if theirs.root.resolve() == workspace.root.resolve():
        raise UsageError(f"{other} is this workspace itself; name another one, or a folder")
    return None, store.require(theirs.catalog, "build-catalog").digest()


def _others(
    other: Path,
    names: Sequence[str] | None,
    writer: store.StageWriter,
    some: Workers,
    progress: Progress,
) -> Others:
    if names is None:
        rest = _catalog_others(Workspace(other), writer, some, progress)
    else:
        rest = _folder_others(other, names, some, progress)
    if not rest.names:
        raise UsageError(
            f"{other}: no picture in it can be read; give a workspace or a folder of pictures"
        )
    return rest


def _named(writer: store.StageWriter, whose: str) -> Keep:
    def keep(name: str, compute: Callable[[], pa.Table]) -> pa.Table:
        return writer.part(f"{whose}-{name}", compute)

    return keep


def _files_of(folder: Path) -> Mapping[str, int | None]:
    """Return the size of every file under a folder, by its path from there; links not followed."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; --against wants a workspace or a folder")
    found: dict[str, int | None] = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(place, name)
            if not name.startswith(".") and path.is_file():
                found[path.relative_to(folder).as_posix()] = path.stat().st_size
    if not found:
        raise UsageError(f"{folder}: no file in it; --against wants a workspace or pictures")
    return dict(sorted(found.items()))


def _catalog_others(
    theirs: Workspace, writer: store.StageWriter, some: Workers, progress: Progress
) -> Others:
    pictures = pictured(theirs)
    known = known_fingerprints(theirs.catalog / FOLDER)
    prints = fingerprint_all(pictures.files, known, _named(writer, "theirs"), some, progress)
    hashes = [str(row["sha256"]) for row in pictures.rows]
    return Others(
        names=[str(row["source_id"]) for row in pictures.rows],
        splits=[row["split"] for row in pictures.rows],
        files=[pictures.files[sha256] for sha256 in hashes],
        prints=[prints[sha256] for sha256 in hashes],
        refused=(),
    )


def _folder_others(folder: Path, names: Sequence[str], some: Workers, progress: Progress) -> Others:
    kept: list[tuple[str, Fingerprint]] = []
    refused: list[tuple[str, str, str]] = []
    one = partial(fingerprint_file, folder)
    work = agreed(some, one, names, some.map_ordered(one, names, batch=4), _why)
    for name, found in zip(names, progress("the other pictures", len(names))(work), strict=True):
        if isinstance(found, Refused):
            refused.append((_writable(name), found.reason, _writable(found.message)))
        else:
            kept.append((name, found))
    return Others(
        names=[_writable(name) for name, _ in kept],
        splits=[None] * len(kept),
        files=[folder / name for name, _ in kept],
        prints=[one for _, one in kept],
        refused=refused,
    )


def _why(found: Fingerprint | Refused) -> str | None:
    return found.message if isinstance(found, Refused) else None


def _writable(name: str) -> str:
    """Return a file name as text that UTF-8 can hold: a name on disk may be any bytes."""
    return name.encode("utf-8", "backslashreplace").decode()


def _by_phash(own: Sequence[Fingerprint], rest: Others, chosen: DedupSettings) -> Pairs:
    return phash_pairs(own, rest.prints, int(chosen.reach), any_colour=chosen.any_colour)


def _by_clip(
    workspace: Workspace,
    ours: Pictured,
    own: Sequence[Fingerprint],
    rest: Others,
    clip: Clip,
    reach: float,
    some: Workers,
    progress: Progress,
) -> Pairs:
    spread = clip.spread(some)
    left = embed_pictures(ours.files, clip.embedder, workspace, progress, spread)
    files = {one.sha256: path for one, path in zip(rest.prints, rest.files, strict=True)}
    right = embed_pictures(files, clip.embedder, workspace, progress, spread)
    return vector_pairs(stacked(own, left), stacked(rest.prints, right), reach)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Match:
    """A picture of the other set for one of ours, the closest first."""

    distance: float
    kind: int
    other: int


def _matches(
    own: Sequence[Fingerprint], rest: Others, near: Pairs
) -> Mapping[int, dict[int, _Match]]:
    """Return for each row of ours what matches it, by the row of the other set."""
    found: dict[int, dict[int, _Match]] = {}
    for one, other, distance, flipped in near.linked_rows():
        match = _Match(distance=distance, kind=3 if flipped else 2, other=other)
        found.setdefault(one, {})[other] = match
    by_pixels: dict[str, list[int]] = {}
    for row, theirs in enumerate(rest.prints):
        by_pixels.setdefault(theirs.pixels, []).append(row)
    for one, mine in enumerate(own):
        for other in by_pixels.get(mine.pixels, ()):
            same = mine.sha256 == rest.prints[other].sha256
            match = _Match(distance=0.0, kind=0 if same else 1, other=other)
            found.setdefault(one, {})[other] = match
    return found


def _write(
    writer: store.StageWriter,
    ours: Pictured,
    own: Sequence[Fingerprint],
    rest: Others,
    near: Pairs,
    settings: DedupSettings,
) -> None:
    rows, same = [], []
    for one, matches in sorted(_matches(own, rest, near).items()):
        best = min(matches.values())
        item = ours.rows[one]
        kind = _KINDS[best.kind]
        rows.append(
            (
                item["image_id"],
                item["split"],
                rest.names[best.other],
                rest.splits[best.other],
                kind,
                best.distance,
                len(matches),
            )
        )
        if best.kind < 2:
            same.append((ours.side(one), rest.side(best.other), kind))
    writer.table("leaks", table_of(rows, _LEAKS))
    writer.table("refused", table_of(rest.refused, _REFUSED))
    kinds = Counter(str(row[4]) for row in rows)
    writer.counts.update(pictures=len(own), others=len(rest.names), leaks=len(rows))
    writer.counts.update({f"leaks_{kind}": kinds[kind] for kind in _KINDS if kinds[kind]})
    writer.counts["refused"] = len(rest.refused)
    writer.reasons.update(sorted(Counter(reason for _, reason, _ in rest.refused).items()))
    page = Page(
        title="Pictures that another set has as well",
        lead="On the left a picture of this catalog, on the right the one of the other set. What "
        "a model was trained on tests nothing: decide what to leave out.",
        settings=settings,
        counts=writer.counts,
        same=same,
    )
    writer.file(REPORT, render(page, _unlike(near, own, rest), ours.side, rest.side))


def _unlike(near: Pairs, own: Sequence[Fingerprint], rest: Others) -> Pairs:
    """Return the pairs that do not have the very same pixels: those are shown apart."""
    apart = np.array(
        [
            own[one].pixels != rest.prints[other].pixels
            for one, other in zip(near.one.tolist(), near.other.tolist(), strict=True)
        ],
        bool,
    )
    return near.chosen(apart)


def leak_lines(counts: Mapping[str, int], reasons: Mapping[str, int]) -> list[str]:
    """Return what was found as lines of text."""
    kinds = ", ".join(
        f"{counts[f'leaks_{kind}']:,} {words}"
        for kind, words in zip(
            _KINDS, ("by bytes", "by pixels", "by looks", "mirrored"), strict=True
        )
        if counts.get(f"leaks_{kind}")
    )
    lines = [
        f"{counts['leaks']:,} of {counts['pictures']:,} pictures are among the "
        f"{counts['others']:,} others{f' ({kinds})' if kinds else ''}"
    ]
    if counts["refused"]:
        why = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
        lines.append(f"{counts['refused']:,} other files were no pictures to compare ({why})")
    return lines
