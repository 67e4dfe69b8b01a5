"""Labels of whole pictures: what people verified, what a machine proposed, what is absent."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.records import Attribute, Change
from builders.open_images.classes import Names
from builders.open_images.rows import LabelRow

VERIFIED = "label"
MACHINE = "machine label"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLabels:
    """The attributes of a picture, and the changes that tell the rest of what its labels say."""

    attributes: tuple[Attribute, ...]
    changes: tuple[Change, ...]


def labels_of(image_id: str, rows: Iterable[LabelRow], names: Names, source: str) -> PictureLabels:
    """Return what the labels of a picture say.

    A label that a person confirmed (confidence above 0) is an attribute ``label``; one that only
    a machine proposed is a ``machine label``, a type of its own, with its confidence in the
    origin: the two are never mixed up. Attributes of an item are read as "yes", so a label that
    was verified to be absent (confidence 0) is none; one change ``verified_absent`` lists them.
    Where people contradict each other nothing is known: a change ``label_conflict``.
    """
    by_people: dict[str, set[bool]] = {}
    by_machine: dict[str, float] = {}
    for row in rows:
        if row.is_machine:
            by_machine[row.label] = max(row.confidence, by_machine.get(row.label, 0.0))
        else:
            by_people.setdefault(row.label, set()).add(row.confidence > 0)
    present = sorted(code for code, said in by_people.items() if said == {True})
    proposed = {
        code: confidence
        for code, confidence in sorted(by_machine.items())
        if confidence > 0 and code not in by_people
    }
    attributes = [
        Attribute(type=VERIFIED, value=names.of(code), raw=code, origin="verified")
        for code in present
    ]
    attributes += [
        Attribute(
            type=MACHINE, value=names.of(code), raw=code, origin=f"machine, confidence {sure:g}"
        )
        for code, sure in proposed.items()
    ]
    told = {
        "verified_absent": [code for code, said in by_people.items() if said == {False}],
        "label_conflict": [code for code, said in by_people.items() if len(said) == 2],
        "machine_label_settled": by_machine.keys() - proposed.keys(),
    }
    return PictureLabels(
        attributes=tuple(sorted(attributes, key=lambda one: (one.type, one.value, one.raw))),
        changes=tuple(
            Change(
                source=source,
                kind="attribute",
                source_id=image_id,
                reason=reason,
                message="; ".join(f"{code} {names.of(code)}" for code in sorted(codes)),
            )
            for reason, codes in told.items()
            if codes
        ),
    )
