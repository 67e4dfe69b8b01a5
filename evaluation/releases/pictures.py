"""Pictures of a release as they are sent: written out once, named by the hash of their bytes."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.asking.requests import PicturePart
from benchwright.asking.tokens import Size
from benchwright.errors import UsageError
from benchwright.store import digest_of
from evaluation.releases.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture as it is sent, with width and height of its upright pixels, and its category."""

    part: PicturePart
    size: Size
    category: str | None


def write_pictures(
    release: Release, image_ids: Collection[str], folder: Path
) -> Mapping[str, Shown]:
    """Return pictures of a release by their ids; those that are not in ``folder`` are written.

    Raises UsageError where the release lacks one, WorkspaceError as ``files.write_bytes`` does.
    """
    from datasets import Image  # noqa: PLC0415  # takes seconds

    rows = release.rows("images").cast_column("image", Image(decode=False))
    wanted = frozenset(image_ids)
    places = [at for at, name in enumerate(rows["image_id"]) if name in wanted]
    missing = sorted(wanted.difference(rows["image_id"]))
    if missing:
        raise UsageError(
            f"{release.name}: is about picture {missing[0]}, which its images lack; take a whole"
            " release"
        )
    shown = {row["image_id"]: _shown(row, folder) for row in rows.select(places)}
    files.sync(picture.part.path for picture in shown.values())
    return shown


def pictures_digest(release: Release, image_ids: Collection[str]) -> str:
    """Return one sha256 of which bytes some pictures of a release have, by their hashes in it."""
    rows = release.rows("images")
    wanted = frozenset(image_ids)
    pairs = zip(rows["image_id"], rows["sha256"], strict=True)
    return digest_of(sorted(pair for pair in pairs if pair[0] in wanted))


def _shown(row: Mapping[str, Any], folder: Path) -> Shown:
    data: bytes = row["image"]["bytes"]
    digest = hashlib.sha256(data).hexdigest()  # never what the release says of it
    path = folder / digest[:2] / digest
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_bytes(path, data, synced=False)
    return Shown(
        part=PicturePart(sha256=digest, path=path),
        size=(row["width"], row["height"]),
        category=row["category"],
    )
