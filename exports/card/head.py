"""The YAML at the head of a card, which the Hub and ``datasets`` read."""

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import yaml

from benchwright.plain_text import excerpt
from benchwright.release_loading import SPLIT
from exports.building.making import Making
from exports.building.shards import Written
from exports.card.facts import Facts
from exports.card.licence import licence_head
from exports.features import card_features

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_HEAD = re.compile("\ufeff?---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)  # as any editor writes it
_LARGER = "1M<n<10M"
_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(  # with the tasks of the Hub for them
    {
        "hidden-target": ("image-text-to-text", "visual-question-answering"),
        "false-premise": ("image-text-to-text", "visual-question-answering"),
        "candidate-set": ("image-text-to-text",),  # the Hub has no word for grounding
        "question-chain": ("image-text-to-text", "visual-question-answering"),
    }
)
OUR_KEYS = frozenset(  # what each build says anew; other keys are a person's own
    {
        *("annotations_creators", "configs", "dataset_info", "language", "license"),
        *("license_link", "license_name", "pretty_name", "size_categories", "tags"),
        "task_categories",
    }
)
_OTHERWISE = ("zero-shot-image-classification",)  # of labels alone
_ON_BOXES = ("false-premise", "candidate-set")  # kinds of dialogues about boxes of the source
_CREATORS: Mapping[str, str] = MappingProxyType(  # who labelled; the Hub has no word for auditors
    {"catalog": "found", "voted": "machine-generated"}
)


def head_of(facts: Facts) -> dict[str, Any]:
    """Return the YAML.

    Each config says the digest of its content: ``datasets`` keeps what it loaded by what stands
    here, and another build is not taken for the one that it knows.
    """
    making = facts.making
    kinds = _kinds(making)
    tasks = {task for kind in kinds for task in _KINDS[kind]} or set(_OTHERWISE)
    title = making.settings.title
    return {
        **({"pretty_name": excerpt(title)} if title else {}),
        **licence_head(making.gathered.items),
        "language": ["en"],
        **_listed("annotations_creators", set(_annotators(facts))),
        "task_categories": sorted(tasks),
        "tags": ["benchmark", "benchwright", *sorted(kinds)],
        "size_categories": [_size(making)],
        "configs": [_config(one, is_first=at == 0) for at, one in enumerate(making.written)],
        "dataset_info": [_info(making, one) for one in making.written],
    }


def head_text(head: Mapping[str, Any]) -> str:
    """Return the YAML between its lines of dashes."""
    said = yaml.safe_dump(dict(head), sort_keys=False, allow_unicode=True, width=100)
    return f"---\n{said}---\n"


def head_in(text: str) -> dict[str, Any]:
    """Return the YAML at the head of a card, empty where there is none that can be read."""
    found = _HEAD.match(text)
    if found is None:
        return {}
    try:
        said = yaml.safe_load(found[1])
    except yaml.YAMLError:
        return {}
    return said if isinstance(said, dict) else {}


def body_of(text: str) -> str:
    """Return a card without its head."""
    found = _HEAD.match(text)
    return text if found is None else text[found.end() :]


def _kinds(making: Making) -> set[str]:
    configs = [one.config for one in making.written]
    return {kind for kind in _KINDS if any(name.startswith(kind) for name in configs)}


def _annotators(facts: Facts) -> Iterator[str]:
    yield from (said for origin, said in _CREATORS.items() if facts.labels.of(origin=origin))
    if any(record.models for record in facts.records("false-premise")):
        yield "machine-generated"
    if any(map(facts.records, _ON_BOXES)) and any(
        item.objects for item in facts.making.gathered.items
    ):
        yield "found"


def _listed(key: str, values: Collection[str]) -> dict[str, list[str]]:
    return {key: sorted(values)} if values else {}


def _size(making: Making) -> str:
    samples = sum(len(records) for records in making.gathered.records.values())
    count = samples or len(making.gathered.items)
    return next((name for limit, name in _SIZES if count < limit), _LARGER)


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
