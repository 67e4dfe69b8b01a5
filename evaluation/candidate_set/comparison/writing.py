"""Writing a grounding set as a folder that is loaded and played as a release is."""

import csv
import io
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright import files
from benchwright.boxes import clip
from benchwright.errors import PictureError, UsageError
from benchwright.identity import image_id_of
from benchwright.pictures import Picture
from benchwright.records import BoxOfPicture, CandidateSet, Said
from benchwright.rows import content_digest, to_table
from benchwright.spreadsheet_cells import readable
from evaluation.candidate_set import CONFIG
from evaluation.candidate_set.comparison.expressions import Expression, Unused
from evaluation.candidate_set.comparison.picture_folder import PictureFolder

UNUSED = "unused.csv"
_SPEAKER = "human"
_GROUP = 64  # pictures that are held in memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What stands in the folder; ``reasons`` count the rows that could not be used."""

    folder: Path
    samples: int
    pictures: int
    kinds: Mapping[str, int]
    reasons: Mapping[str, int]


def write_grounding_set(
    name: str, rows: Iterable[Expression | Unused], images: PictureFolder, out: Path
) -> Written:
    """Write a folder with the configs images and candidate-set, of one sample for each expression.

    ``name`` is that of the set, part of all ids. What cannot be used stands in unused.csv with
    the reason. The folder stands when all is in it, and not before.

    Raises UsageError where something stands in the folder already, or no row can be used.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out}: is there already; choose another --out, or remove it")
    with _partial(out) as folder:
        made = _Made(name=name, images=images)
        with _Pictures(_shard(folder, "images")) as pictures:
            for row in rows:
                made.take(row, pictures)
        if not made.samples:
            reasons = ", ".join(f"{what} {count:,}" for what, count in made.reasons().items())
            raise UsageError(f"{name}: no row can be used: {reasons or 'there is none'}")
        table = to_table(made.samples, CandidateSet)
        path = _shard(folder, CONFIG)
        pq.write_table(table, path)
        files.write_bytes(folder / UNUSED, _as_csv(made.unused))
        digests = {CONFIG: content_digest([table]), "images": pictures.digest}
        files.write_bytes(folder / "README.md", _card(name, digests).encode())
    return Written(
        folder=out,
        samples=len(made.samples),
        pictures=len(pictures.taken),
        kinds=Counter(_kind(sample) for sample in made.samples),
        reasons=made.reasons(),
    )


class _Pictures:
    """Writes pictures as rows of the config images, each once, a group at a time."""

    def __init__(self, path: Path) -> None:
        from datasets import Features, Image, Value  # noqa: PLC0415  # takes seconds

        texts = ("image_id", "sha256", "source", "source_id", "category")
        self.taken: dict[str, str] = {}
        self._features = Features(
            {
                **{one: Value("string") for one in texts},
                "image": Image(),
                "width": Value("int32"),
                "height": Value("int32"),
            }
        )
        self._writer = pq.ParquetWriter(path, self._features.arrow_schema)
        self._rows: list[dict[str, Any]] = []

    @property
    def digest(self) -> str:
        """Return a digest of what was written."""
        ids, shas = list(self.taken), list(self.taken.values())
        return content_digest([pa.table({"image_id": ids, "sha256": shas})])

    def take(self, image_id: str, picture: Picture, source: str, source_id: str) -> None:
        """Write one picture."""
        self.taken[image_id] = picture.sha256
        self._rows.append(
            {
                "image_id": image_id,
                "sha256": picture.sha256,
                "source": source,
                "source_id": source_id,
                "category": None,
                "image": {"bytes": picture.data, "path": f"{image_id}.{picture.extension}"},
                "width": picture.width,
                "height": picture.height,
            }
        )
        if len(self._rows) == _GROUP:
            self._write()

    def _write(self) -> None:
        if self._rows:
            schema = self._features.arrow_schema
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=schema))
            self._rows = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if kind is None:
            self._write()
        self._writer.close()


@dataclass(kw_only=True)
class _Made:
    """The samples as they are made, and what could not be used."""

    name: str
    images: PictureFolder
    samples: list[CandidateSet] = field(default_factory=list)
    unused: list[Unused] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)
    _faults: dict[str, str] = field(default_factory=dict)

    def take(self, row: Expression | Unused, pictures: _Pictures) -> None:
        """Make a sample of a row, with its picture where that is a new one."""
        if isinstance(row, Unused):
            self.unused.append(row)
            return
        sample = self._sample(row)
        fault = sample if isinstance(sample, str) else self._picture(row, sample, pictures)
        if isinstance(sample, str) or fault is not None:
            self.unused.append(Unused(name=row.name, reason=str(fault)))
            return
        self._names.add(row.name)
        self.samples.append(sample)

    def reasons(self) -> dict[str, int]:
        """Return how many rows could not be used, by reason, the commonest first."""
        return dict(Counter(one.reason for one in self.unused).most_common())

    def _sample(self, row: Expression) -> CandidateSet | str:
        """Return the sample of an expression, or why there is none."""
        if row.name in self._names:
            return "its id comes twice"
        boxes = []
        for one in row.boxes:
            inside = clip(one.box, *row.size)
            if inside is not None:
                boxes.append(BoxOfPicture(box_id=one.box_id, category=one.category, bbox=inside))
        if not set(row.true) <= {box.box_id for box in boxes}:
            return "its box has no area in the picture"
        return CandidateSet(
            dialogue_id=f"{self.name}-{row.name}",
            image_id=image_id_of(self.name, row.picture),
            turn=1,
            context=(Said(speaker=_SPEAKER, text=row.context),),
            first_utterance=row.words,
            boxes=tuple(boxes),
            candidate_ids=row.true,
            marks=(),
            kind=row.kind,
        )

    def _picture(self, row: Expression, sample: CandidateSet, pictures: _Pictures) -> str | None:
        """Write the picture of a sample, once; return why it cannot be shown, else null."""
        if sample.image_id in pictures.taken:
            return None
        if row.picture not in self._faults:
            try:
                picture = self.images.picture(row.files, row.size)
            except PictureError as error:
                self._faults[row.picture] = error.reason
            else:
                pictures.take(sample.image_id, picture, self.name, row.picture)
        return self._faults.get(row.picture)


def _kind(sample: CandidateSet) -> str:
    if sample.kind == "single":
        return "a single object"
    return "a set" if sample.candidate_ids else "nothing"


@contextmanager
def _partial(out: Path) -> Iterator[Path]:
    """Yield a folder that takes its name at the end; nothing of it stays where that fails."""
    whole = out.resolve()
    partial = whole.with_name(f".{whole.name}.partial")
    if partial.exists():  # a killed run left it
        shutil.rmtree(partial)
    partial.mkdir(parents=True)
    try:
        yield partial
        if whole.exists():  # an empty one
            whole.rmdir()
        partial.rename(whole)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _shard(folder: Path, config: str) -> Path:
    path = folder / "data" / config / "test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    return path


def _as_csv(rows: Iterable[Unused]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("id", "reason"))
    writer.writerows((readable(row.name), readable(row.reason)) for row in rows)
    return stream.getvalue().encode()


def _card(name: str, digests: Mapping[str, str]) -> str:
    """Return the card by which ``datasets`` finds the configs; other content is another card."""
    lines = ["---", "configs:"]
    for config, digest in digests.items():
        lines += [
            f"- config_name: {config}",
            "  data_files:",
            "  - split: test",
            f"    path: data/{config}/test-*",
            f"  description: content {digest}",
        ]
    lines += [
        "---",
        "",
        f"# {name}, to be played as candidate sets",
        "",
        "Made by `run-benchmark grounding-set` from the files of the set itself, under whose terms"
        " it stands. Not for publication: pictures and expressions are not ours.",
        "",
    ]
    return "\n".join(lines)
