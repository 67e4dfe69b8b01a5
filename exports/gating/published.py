"""Whether answers that are held back stand in an earlier version of the release."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.rows import to_table
from exports.building.making import Making
from exports.contents.private_answers import COLUMN, id_columns, ids_of
from exports.gating.check import Check, count_check
from exports.names import release_folder, versions_of

_GALLERIES = "hidden-target-"
_PART = 0.5  # of a gallery's pictures, by which anybody finds it again
_ADVICE = (
    "these are private no more: release galleries of other targets and other dialogues, or build"
    " without --private-answers"
)

# the pictures of galleries by their target; of a dialogue its id, with nothing
Shown = Mapping[str, Sequence[frozenset[str]]]


def published(making: Making) -> Iterator[Check]:
    """Yield for each config that is held back how many answers an earlier version shows.

    A gallery stands there where one of the same target has half of its pictures or more, whatever
    the τ, id or order. Versions that lie elsewhere, and other releases, are not seen.
    """
    earlier = [
        version
        for version in versions_of(making.workspace, making.name)
        if version < making.version
    ]
    for config in making.gathered.held:
        records = making.gathered.records[config]
        table = to_table(records, type(records[0]))
        names, answers = ids_of(config, table), list(_answers(config, table))
        told: set[str] = set()
        telling = []
        for version in earlier:
            shown = _shown(release_folder(making.workspace, making.name, version), config)
            found = {name for name, one in zip(names, answers, strict=True) if _stands(one, shown)}
            telling += [str(version)] if found else []
            told |= found
        where = f"version {', '.join(telling)}" if telling else "an earlier version on this disk"
        yield count_check(
            "published",
            config,
            f"samples that stand with their answers in {where}",
            sorted(told),
            n=len(records),
        ).advised(_ADVICE)


def _shown(folder: Path, config: str) -> Shown:
    """Return what a release shows with its answers, of galleries those at every τ."""
    is_gallery = config.startswith(_GALLERIES)
    columns = ["target_id", "image_ids"] if is_gallery else list(id_columns(config))
    found: dict[str, list[frozenset[str]]] = {}
    pattern = f"{_GALLERIES}*" if is_gallery else config
    for path in sorted((folder / "data").glob(f"{pattern}/*.parquet")):
        if COLUMN not in pq.read_schema(path).names:
            for name, pictures in _answers(config, pq.read_table(path, columns=columns)):
                found.setdefault(name, []).append(pictures)
    return found


def _answers(config: str, table: pa.Table) -> Iterator[tuple[str, frozenset[str]]]:
    if not config.startswith(_GALLERIES):
        yield from ((name, frozenset()) for name in ids_of(config, table))
        return
    columns = (table.column(name).to_pylist() for name in ("target_id", "image_ids"))
    for target, shown in zip(*columns, strict=True):
        yield target, frozenset(shown)


def _stands(answer: tuple[str, frozenset[str]], shown: Shown) -> bool:
    name, pictures = answer
    return any(len(pictures & one) >= _PART * len(pictures) for one in shown.get(name, ()))
