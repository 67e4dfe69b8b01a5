"""Hidden-target episodes of a release, each with what its labels say of its pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.errors import UsageError
from benchwright.feasible import Board
from benchwright.knowledge import NO, UNKNOWN, YES, Value
from evaluation.releases.release import Release

PREFIX = "hidden-target-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A value of the vocabulary of a release with all its words: aliases, and questions for it."""

    value: Value
    type_aliases: tuple[str, ...]
    aliases: tuple[str, ...]
    templates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gallery:
    """One episode: g pictures in the order shown, one of them the target.

    ``board`` holds a(x, v) of the askable values, ``answers`` (g, m) of all m ``values`` of the
    release, which stand by (type, value). ``target`` is its number, from 1; board.target counts
    from 0. ``par`` and ``par_protocol`` are null where the reference questioner gets stuck.
    """

    episode_id: str
    tau: float
    image_ids: tuple[str, ...]
    target: int
    values: tuple[Value, ...]
    answers: npt.NDArray[np.int8]
    board: Board
    par: int | None
    par_protocol: int | None

    def __len__(self) -> int:
        return len(self.image_ids)

    @property
    def target_id(self) -> str:
        """The picture that is to be found."""
        return self.image_ids[self.target - 1]


def hidden_target_configs(release: Release) -> list[str]:
    """Return the configs of a release that hold hidden-target episodes, sorted."""
    return [name for name in release.configs if name.startswith(PREFIX)]


def read_terms(release: Release) -> tuple[Term, ...]:
    """Return the vocabulary of a release, by (type, value)."""
    rows = sorted(release.rows("vocabulary"), key=lambda row: (row["type"], row["value"]))
    return tuple(
        Term(
            value=Value(
                type=row["type"],
                value=row["value"],
                exclusive=row["exclusive"],
                complete=row["complete"],
                askable=row["askable"],
            ),
            type_aliases=tuple(row["type_aliases"]),
            aliases=tuple(row["value_aliases"]),
            templates=tuple(row["templates"]),
        )
        for row in rows
    )


def read_galleries(release: Release, config: str, terms: Sequence[Term]) -> list[Gallery]:
    """Return the episodes of a config, in its order.

    Raises UsageError for a config that is none of hidden-target episodes, that the release has
    not, or whose answers are held back.
    """
    if not config.startswith(PREFIX):
        found = ", ".join(hidden_target_configs(release)) or "none"
        raise UsageError(f"{config}: holds no hidden-target episodes; of this release {found} do")
    rows = release.open_rows(config)
    values = tuple(term.value for term in terms)
    known = _known(release, values)
    return [_gallery(row, values, known) for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """a(x, v) of all pictures, (pictures, values), and the row of each picture."""

    row_of: dict[str, int]
    answers: npt.NDArray[np.int8]


def _known(release: Release, values: Sequence[Value]) -> _Known:
    found: dict[str, int] = {}
    column_of = {(value.type, value.value): at for at, value in enumerate(values)}
    rows, columns, words = [], [], []
    for table in _label_batches(release):
        for image_id in pc.unique(table.column("image_id")).to_pylist():
            found.setdefault(image_id, len(found))
        rows.append(_mapped(table.column("image_id"), found))
        pairs = zip(
            table.column("type").to_pylist(), table.column("value").to_pylist(), strict=True
        )
        columns.append(np.fromiter((column_of[pair] for pair in pairs), np.int64))
        words.append(_mapped(table.column("answer"), {"yes": YES, "no": NO, "unknown": UNKNOWN}))
    answers = np.zeros((len(found), len(values)), np.int8)
    if rows:
        answers[np.concatenate(rows), np.concatenate(columns)] = np.concatenate(words)
    return _Known(row_of=found, answers=answers)


def _label_batches(release: Release) -> Iterator[pa.RecordBatch]:
    rows: Any = release.rows("labels").select_columns(["image_id", "type", "value", "answer"])
    yield from rows.with_format("arrow").iter(batch_size=65_536)


def _mapped(column: pa.ChunkedArray, number_of: dict[str, int]) -> npt.NDArray[np.int64]:
    """Return the number of each text, each distinct text looked up once."""
    encoded = column.combine_chunks().dictionary_encode()
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    numbers = np.array([number_of[text] for text in encoded.dictionary.to_pylist()], np.int64)
    found: npt.NDArray[np.int64] = numbers[encoded.indices.to_numpy(zero_copy_only=False)]
    return found


def _gallery(row: dict[str, Any], values: tuple[Value, ...], known: _Known) -> Gallery:
    image_ids = tuple(row["image_ids"])
    answers = known.answers[[known.row_of[name] for name in image_ids]]
    askable = [at for at, value in enumerate(values) if value.askable]
    board = Board(
        target=row["target_index"] - 1,
        values=tuple(values[at] for at in askable),
        answers=answers[:, askable],
    )
    return Gallery(
        episode_id=row["episode_id"],
        tau=row["tau"],
        image_ids=image_ids,
        target=row["target_index"],
        values=values,
        answers=answers,
        board=board,
        par=row["par"],
        par_protocol=row["par_protocol"],
    )
