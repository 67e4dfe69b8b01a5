"""What a user may name as InViG: files, folders, a dataset, an id on the Hugging Face Hub."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright.errors import SourceError, UsageError
from builders.dialect import read_head
from builders.invig.arrow_rows import DatasetRows, ParquetRows
from builders.invig.json_rows import open_json
from builders.invig.rows import Rows
from builders.splits import canonical_split, split_in

_HUB = re.compile(r"([\w-][\w.-]*/[\w-][\w.-]*)(?:@([\w.-]+))?", re.ASCII)
_FILES = (".parquet", ".json", ".jsonl", ".ndjson", ".arrow", ".csv", ".txt", ".gz", ".zip")
_SAVED = ("state.json", "dataset_dict.json", "dataset_info.json")  # what save_to_disk leaves


def open_sources(given: Sequence[Any], split: str | None) -> list[Rows]:
    """Return the rows of each thing that is given, those of several splits one by one.

    ``split`` picks one where there are several, and names that of rows which do not say theirs
    or of a file given by itself.

    Raises SourceError (no such file, nothing in it, no such dataset) and UsageError.
    """
    wanted = None if split is None else canonical_split(split)
    return [rows for one in given for rows in _opened(one, wanted)]


def _said(name: str) -> str | None:
    """Return the split that the name of a file says."""
    found = split_in(name)
    return None if found is None else found.name


def _opened(given: Any, split: str | None) -> Sequence[Rows]:
    if not isinstance(given, str | Path):
        return _of_dataset(given, "dataset", split)
    path = Path(given)
    if path.is_dir():
        saved = any((path / name).is_file() for name in _SAVED)
        return _of_saved(path, split) if saved else _of_folder(path, split)
    named = _HUB.fullmatch(str(given))
    if not path.exists() and named and path.suffix.lower() not in _FILES:
        return _of_hub(named[1], named[2], split)
    return [_of_file(path, path.name, split or _said(path.name))]


def _of_file(path: Path, name: str, split: str | None) -> Rows:
    if read_head(path).startswith(b"PAR1"):
        return ParquetRows(path=path, name=name, split=split, folder=path.parent)
    return open_json(path, name, split)


def _of_folder(folder: Path, split: str | None) -> Sequence[Rows]:
    """Return the shards below a folder, in any depth."""
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix.lower() == ".parquet" and path.is_file()
    )
    if not names:
        raise SourceError(
            f"{folder}: no Parquet file in this folder, and it is no saved dataset; give JSON "
            "files by name"
        )
    said = {name: _said(name) for name in names}
    if split is not None and any(said.values()):
        _check_split(str(folder), split, [one for one in said.values() if one])
        names = [name for name in names if said[name] == split]
    return [
        ParquetRows(path=folder / name, name=name, split=said[name] or split, folder=folder)
        for name in names
    ]


def _of_saved(folder: Path, split: str | None) -> Sequence[Rows]:
    from datasets import load_from_disk  # noqa: PLC0415  # takes a second

    try:
        dataset = load_from_disk(str(folder))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise SourceError(f"{folder}: a saved dataset that cannot be loaded ({error})") from error
    return _of_dataset(dataset, folder.resolve().name, split)


def _of_hub(name: str, revision: str | None, split: str | None) -> Sequence[Rows]:
    from datasets import load_dataset  # noqa: PLC0415  # takes a second
    from datasets.exceptions import DatasetsError  # noqa: PLC0415

    try:
        dataset = load_dataset(name, revision=revision)
    except (OSError, ValueError, RuntimeError, DatasetsError, pa.ArrowException) as error:
        reason = str(error) or type(error).__name__
        raise SourceError(
            f"{name}: no such file or folder, and as a dataset of the Hugging Face Hub it cannot "
            f"be loaded ({reason})"
        ) from error
    return _of_dataset(dataset, name if revision is None else f"{name}@{revision}", split)


def _of_dataset(dataset: Any, name: str, split: str | None) -> Sequence[Rows]:
    from datasets import Dataset, DatasetDict  # noqa: PLC0415  # takes a second

    if isinstance(dataset, Dataset):
        said = None if dataset.split is None else canonical_split(str(dataset.split))
        return [DatasetRows(dataset=dataset, name=name, split=split or said)]
    if not isinstance(dataset, DatasetDict):
        raise UsageError(
            f"{name}: a {type(dataset).__name__} where a Dataset or DatasetDict was wanted; load "
            "it without streaming"
        )
    parts: Mapping[str, Any] = dataset
    if split is not None:
        _check_split(name, split, [canonical_split(said) for said in parts])
        parts = {said: part for said, part in parts.items() if canonical_split(said) == split}
    return [
        DatasetRows(dataset=part, name=f"{name} ({said})", split=canonical_split(said))
        for said, part in sorted(parts.items())
    ]


def _check_split(where: str, split: str, there: Sequence[str]) -> None:
    if split not in there:
        raise UsageError(
            f"{where}: no split {split!r}; there are {', '.join(sorted(set(there))) or 'none'}"
        )
