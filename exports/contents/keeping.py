"""Which samples of a workspace a release keeps, and why it leaves out the others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.records import Item
from exports.contents.private_answers import holds_answers, untold, without_traces
from exports.contents.samples import Samples
from exports.contents.terms import Terms


@dataclass(slots=True)
class Kept:
    """What is kept: records by config, the pictures that they show, and what names them.

    ``audited_ids`` are those by which decisions name the samples, but for samples whose answers are
    held back: what was decided of these tells the answers.
    """

    records: dict[str, list[Any]] = field(default_factory=dict)
    left_out: dict[str, Counter[str]] = field(default_factory=dict)
    pictures: set[str] = field(default_factory=set)
    audited_ids: set[str] = field(default_factory=set)


def kept_samples(samples: Sequence[Samples], items: Mapping[str, Item], terms: Terms) -> Kept:
    """Return what may be shared of samples; ``items`` are those that have pictures, by id."""
    kept = Kept()
    for one in samples:
        _keep(one, items, terms, kept)
    return kept


def untold_samples(samples: Sequence[Samples], key: bytes) -> list[Samples]:
    """Return samples whose ids, orders and manifests do not tell their answers."""
    return [
        replace(
            one,
            records=sorted(
                (untold(one.config, record, key) for record in one.records), key=one.name
            ),
            manifest=without_traces(one.manifest),
        )
        if holds_answers(one.config)
        else one
        for one in samples
    ]


def _keep(samples: Samples, items: Mapping[str, Item], terms: Terms, kept: Kept) -> None:
    records, left_out = [], Counter(samples.withheld)
    is_held = terms.answer_key is not None and holds_answers(samples.config)
    for record in samples.records:
        reason = _why_not(samples, record, items, terms)
        if reason is not None:
            left_out[reason] += 1
            continue
        records.append(record)
        kept.pictures.update(samples.pictures(record))
        if not is_held:
            kept.audited_ids.add(samples.record_id(record))
    kept.records[samples.config] = records
    kept.left_out[samples.config] = left_out


def _why_not(samples: Samples, record: Any, items: Mapping[str, Item], terms: Terms) -> str | None:
    if (samples.config, samples.name(record)) in terms.withdrawn:
        return "withdrawn"
    pictures = tuple(samples.pictures(record))
    if any(name not in items for name in pictures):
        return "no picture"
    return next((terms.why_not[name] for name in pictures if name in terms.why_not), None)
