"""The answers that a release holds back, shown later by its maker in a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from exports.contents.private_answers import HELD


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The answers of one sample: ``text`` is what was committed to, ``said`` what it says."""

    salt: str
    text: str
    said: Mapping[str, Any]


Answers = Mapping[tuple[str, str], Shown]  # by config and id


def read_answers(path: Path) -> Answers:
    """Return the answers of a file that ``push-release build --private-answers`` wrote.

    Raises UsageError for another file.
    """
    try:
        rows = pq.read_table(path, columns=HELD.names).cast(HELD).to_pylist()
    except FileNotFoundError as error:
        raise UsageError(f"{path}: is not there; --answers wants the file of the build") from error
    except (pa.ArrowException, KeyError, ValueError, OSError) as error:  # OSError: spoilt pages
        said = excerpt(" ".join(str(error).split()))
        raise UsageError(
            f"{path}: holds no answers ({said}); --answers wants the Parquet file that the build"
            " wrote beside the release, VERSION.answers.parquet"
        ) from error
    return {(row["config"], row["id"]): _shown(path, row) for row in rows}


def _shown(path: Path, row: Mapping[str, str]) -> Shown:
    try:
        said = json.loads(row["answers"])
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise UsageError(f"{path}: the answers of {excerpt(row['id'])} are no JSON object")
    return Shown(salt=row["salt"], text=row["answers"], said=said)
