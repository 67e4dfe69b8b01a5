"""A release while it is made: what the parts that write its files are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from benchwright.workspace import Workspace
from exports.building.settings import ReleaseSettings
from exports.building.shards import Written
from exports.contents.gathering import Gathered
from exports.names import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """``folder`` is where the files go now; it gets its name when all are there.

    ``written`` are the configs with rows, in the order of the card; ``schemas`` are theirs.
    """

    workspace: Workspace
    name: str
    version: Version
    settings: ReleaseSettings
    folder: Path
    gathered: Gathered
    written: Sequence[Written]
    schemas: Mapping[str, pa.Schema]
