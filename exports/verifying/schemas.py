"""Whether the columns of a release are those that this version reads, with nothing missing."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import pyarrow as pa

from benchwright.records import (
    SCHEMAS,
    CandidateSet,
    Episode,
    FalsePremise,
    QuestionChain,
    Response,
    Trajectory,
)
from exports.contents.private_answers import COLUMN
from exports.contents.records import DECISIONS, IMAGES, LABELS, VOCABULARY
from exports.features import shard_schema
from exports.verifying.finding import Finding, finding
from exports.verifying.released import Released

_SCHEMAS: Mapping[str, pa.Schema] = MappingProxyType(
    {
        "images": IMAGES,
        "vocabulary": VOCABULARY,
        "labels": LABELS,
        "decisions": DECISIONS,
        "responses": SCHEMAS[Response],
        "trajectories": SCHEMAS[Trajectory],
        "false-premise": SCHEMAS[FalsePremise],
        "candidate-set": SCHEMAS[CandidateSet],
        "question-chain": SCHEMAS[QuestionChain],
    }
)


def check_schemas(release: Released) -> Finding:
    """Check that each column that is to be there is, of its type, without a null where none may be.

    The shards themselves require nothing: ``datasets`` would pass over their features.
    """
    looked_at = f"{len(release.lock.configs)} configs by their columns"
    faults = (fault for config in release.lock.configs for fault in _faults(release, config))
    return finding("columns", looked_at, faults)


def _faults(release: Released, config: str) -> Iterator[str]:
    wanted = SCHEMAS[Episode] if config in release.galleries else _SCHEMAS.get(config)
    if wanted is None:
        return
    there = release.schema(config)
    # answers that are held back are null, or of another type
    is_lax = COLUMN in there.names
    for field, stored in zip(wanted, shard_schema(wanted), strict=True):
        if field.name not in there.names:
            yield f"{config}.{field.name}: is missing"
        elif is_lax:
            continue
        elif there.field(field.name).type != stored.type:
            yield f"{config}.{field.name}: is {there.field(field.name).type}, not {stored.type}"
        elif not field.nullable and release.table(config, [field.name]).column(0).null_count:
            yield f"{config}.{field.name}: is null somewhere"
