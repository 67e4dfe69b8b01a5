"""The answers that a release holds back, kept beside it for its makers alone."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright import files
from exports.contents.private_answers import HELD

_ONLY_OWNER = 0o600


def answers_path(folder: Path) -> Path:
    """Return where the answers of the release in a folder are: beside it, never in it."""
    return folder.with_name(f"{folder.name}.answers.parquet")


def has_answers(folder: Path, held: Mapping[str, pa.Table]) -> bool:
    """Tell whether what is held back lies where it should."""
    return answers_path(folder).is_file() == bool(held)


def write_answers(folder: Path, held: Mapping[str, pa.Table]) -> None:
    """Write what is held back of each config, of the schema ``HELD``; nothing held is no file.

    Nobody but its owner may read the file.
    """
    path = answers_path(folder)
    if not held:
        path.unlink(missing_ok=True)
        return
    table = pa.concat_tables([HELD.empty_table(), *held.values()])
    with files.atomic(path) as stream:
        Path(stream.name).chmod(_ONLY_OWNER)
        pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
