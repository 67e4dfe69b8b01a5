"""The YAML at the head of a card, which the Hub and ``datasets`` read."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from exports.building.making import Making
from exports.building.shards import Written
from exports.features import card_features
from exports.names import SPLIT

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGER = "1M<n<10M"


def head_of(making: Making, licence: Mapping[str, str]) -> dict[str, Any]:
    """Return the YAML; ``licence`` holds its keys ``license``, ``license_name`` and the like.

    Each config says the digest of its content: ``datasets`` keeps what it loaded by what stands
    here, and another build is not taken for the one that it knows.
    """
    samples = sum(len(records) for records in making.gathered.records.values())
    return {
        **({"pretty_name": making.settings.title} if making.settings.title else {}),
        **licence,
        "language": ["en"],
        "task_categories": ["visual-question-answering"],
        "tags": ["benchmark", "benchwright", *sorted(_kinds(making.written))],
        "size_categories": [_size(samples)],
        "configs": [_config(one, is_first=at == 0) for at, one in enumerate(making.written)],
        "dataset_info": [_info(making, one) for one in making.written],
    }


def head_text(head: Mapping[str, Any]) -> str:
    """Return the YAML between its lines of dashes."""
    said = yaml.safe_dump(dict(head), sort_keys=False, allow_unicode=True, width=100)
    return f"---\n{said}---\n"


def head_in(text: str) -> dict[str, Any]:
    """Return the YAML at the head of a card, empty where there is none that can be read."""
    head, end, _ = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not end:
        return {}
    try:
        said = yaml.safe_load(head)
    except yaml.YAMLError:
        return {}
    return said if isinstance(said, dict) else {}


def body_of(text: str) -> str:
    """Return a card without its head."""
    _, end, body = text.removeprefix("---\n").partition("\n---\n")
    return body if text.startswith("---\n") and end else text


def _kinds(written: Sequence[Written]) -> set[str]:
    names = ("hidden-target", "false-premise", "candidate-set", "question-chain")
    return {name for name in names if any(one.config.startswith(name) for one in written)}


def _size(samples: int) -> str:
    return next((name for limit, name in _SIZES if samples < limit), _LARGER)


def _config(one: Written, *, is_first: bool) -> dict[str, Any]:
    return {
        "config_name": one.config,
        "data_files": [{"split": SPLIT, "path": f"data/{one.config}/{SPLIT}-*"}],
        "description": f"content {one.digest}",
        **({"default": True} if is_first else {}),
    }


def _info(making: Making, one: Written) -> dict[str, Any]:
    sizes = [(making.folder / path).stat().st_size for path in one.paths]
    return {
        "config_name": one.config,
        "features": card_features(making.schemas[one.config]),
        "splits": [{"name": SPLIT, "num_bytes": one.size, "num_examples": one.rows}],
        "download_size": sum(sizes),
        "dataset_size": one.size,
    }
