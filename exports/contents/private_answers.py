"""Samples whose answers are held back: a commitment stands in their place.

A commitment is the sha256 of a salt, a zero byte and the answers as JSON. Whoever holds the
answers can show them later, and everybody can see that they were these from the beginning; without
the salt nobody can try answers until one fits. All salts, orders and ids are made of a key, so
that the same key gives the same bytes. docs/design/releases.md says what else is held back, since
it would tell the answers, and what no release can hide.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import pyarrow as pa

from benchwright import store
from benchwright.arrow_fields import TEXT, required, struct_of
from benchwright.errors import UsageError
from benchwright.records import Episode, QuestionChain
from exports.contents.records import SHOWN_STEP

R = TypeVar("R")

KEY = "BENCHWRIGHT_ANSWER_KEY"
COLUMN = "commitment"
_OPEN = "false-premise"
HELD = pa.schema([required(name, TEXT) for name in ("config", "id", "salt", "answers")])
_SHORTEST = 32  # characters of a key
_FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # all that was worked out from the target, and the seed, with which it can be worked out
        "hidden-target": (
            "target_id",
            "target_index",
            "similarities",
            "pool_size",
            "telling_values",
            "identifiable",
            "identifiable_protocol",
            "par",
            "par_protocol",
            "seed",
        ),
        "candidate-set": ("candidate_ids", "marks", "kind"),
        "question-chain": ("steps",),
    }
)

_IDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hidden-target": ("episode_id",),
        "candidate-set": ("dialogue_id", "turn"),
        "question-chain": ("chain_id",),
    }
)


def key_from_environment(name: str) -> bytes:
    """Return the key of a release; raises UsageError where the environment has none of use."""
    secret = os.environ.get(KEY, "")
    if len(secret) < _SHORTEST:
        raise UsageError(
            f"--private-answers wants a key of {_SHORTEST} characters or more in the environment"
            f" variable {KEY} ({'nothing' if not secret else f'{len(secret)} characters'} there);"
            " make one with openssl rand -hex 32 and keep it for later versions"
        )
    return hmac.digest(secret.encode(), f"release\0{name}".encode(), "sha256")


def holds_answers(config: str) -> bool:
    """Tell whether something can be held back of a config.

    What is false in a false premise stands in the question itself.
    """
    return bool(_fields(config))


def held_back_lines(configs: Collection[str], path: Path) -> Iterator[str]:
    """Yield, for people, of which configs the answers lie in a file alone, and which have none."""
    held = ", ".join(config for config in configs if holds_answers(config))
    yield (
        f"answers of {held} are held back: {path}; keep it and its key, and give neither to anybody"
    )
    if _OPEN in configs:
        yield f"of {_OPEN} nothing is held back: what is false stands in the question itself"


def untold(config: str, record: R, key: bytes) -> R:
    """Return a record whose id and orders were chosen by the key alone.

    Those of the workspace are hashes of the target and a seed: who knows how they are made would
    try each picture of a gallery as its target until one fits.
    """
    match record:
        case Episode():
            name = _hashed(key, "id", config, record.episode_id)[:16]
            places = _shuffled(record.image_ids, key, config, record.episode_id)
            return replace(
                record,
                episode_id=name,
                image_ids=tuple(record.image_ids[at] for at in places),
                similarities=tuple(record.similarities[at] for at in places),
                target_index=places.index(record.target_index - 1) + 1,
            )
        case QuestionChain():
            return replace(record, steps=tuple(_untold_steps(record, key)))
        case _:
            return record


def hold_back(config: str, table: pa.Table, key: bytes) -> tuple[pa.Table, pa.Table]:
    """Return the table as it goes out, and what is held back of it, of the schema ``HELD``.

    In the first the answers are null (of a step its options stay) and ``commitment`` stands behind
    them; the second has a row for each, by its id (of a candidate set: dialogue/turn).
    """
    fields = _fields(config)
    ids = ids_of(config, table)
    salts = [_hashed(key, "salt", config, name) for name in ids]
    answers = [
        json.dumps(row, sort_keys=True, ensure_ascii=False)
        for row in table.select(fields).to_pylist()
    ]
    out = table
    for name in fields:
        place = out.schema.get_field_index(name)
        out = out.set_column(place, *_shown(out.schema.field(name), out.column(name)))
    said = [commitment(salt, answer) for salt, answer in zip(salts, answers, strict=True)]
    out = out.append_column(required(COLUMN, TEXT), pa.array(said, TEXT))
    columns = {"config": [config] * len(ids), "id": ids, "salt": salts, "answers": answers}
    return out, pa.table(columns, schema=HELD)


def commitment(salt: str, answers: str) -> str:
    """Return what stands in a release for answers, given as the JSON that is shown later."""
    return hashlib.sha256(f"{salt}\0{answers}".encode()).hexdigest()


def without_traces(manifest: store.Manifest) -> store.Manifest:
    """Return what a manifest says but for the seed and the digests of its tables.

    The digest of a small table is a commitment without a salt.
    """
    return replace(manifest, plan=replace(manifest.plan, seed=None), content={})


def _fields(config: str) -> tuple[str, ...]:
    return _FIELDS.get(_kind(config), ())


def id_columns(config: str) -> tuple[str, ...]:
    """Return the columns that make the id of a row of a config whose answers may be held back."""
    return _IDS[_kind(config)]


def ids_of(config: str, table: pa.Table) -> list[str]:
    """Return the id of each row (of a candidate set: dialogue/turn)."""
    columns = [table.column(name).to_pylist() for name in id_columns(config)]
    return ["/".join(map(str, parts)) for parts in zip(*columns, strict=True)]


def _kind(config: str) -> str:
    return "hidden-target" if config.startswith("hidden-target-") else config


def _untold_steps(chain: QuestionChain, key: bytes) -> list[Any]:
    found = []
    for number, step in enumerate(chain.steps, 1):
        ids = (chain.chain_id, str(number))
        questions, answers = step.question_options, step.answer_options
        asked = _shuffled([one.text for one in questions], key, "question-options", *ids)
        said = _shuffled(answers, key, "answer-options", *ids)
        found.append(
            replace(
                step,
                question_options=tuple(questions[at] for at in asked),
                answer_options=tuple(answers[at] for at in said),
            )
        )
    return found


def _shown(field: pa.Field, column: pa.ChunkedArray) -> tuple[pa.Field, pa.Array]:
    if field.name == "steps":
        kind = pa.list_(struct_of(SHOWN_STEP))
        return required("steps", kind), pa.array(map(_shown_steps, column.to_pylist()), kind)
    return pa.field(field.name, field.type), pa.nulls(len(column), field.type)


def _shown_steps(steps: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return of each step what there is to choose from."""
    return [
        {
            "question_options": [option["text"] for option in step["question_options"]],
            "answer_options": step["answer_options"],
        }
        for step in steps
    ]


def _shuffled(values: Sequence[str], key: bytes, *purpose: str) -> list[int]:
    """Return the places of values in an order that nobody without the key can tell."""
    return sorted(range(len(values)), key=lambda at: _hashed(key, "order", *purpose, values[at]))


def _hashed(key: bytes, *parts: str) -> str:
    return hmac.digest(key, "\0".join(parts).encode(), "sha256").hex()
