"""weights.json: what calibration found of each voter and value, and the weights that follow."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Self

import numpy as np
import pydantic
from pydantic import ConfigDict, Field, model_validator

from benchwright import files
from benchwright.errors import UsageError
from benchwright.knowledge import Value
from benchwright.plain_text import excerpt
from benchwright.yaml_files import read_json_settings
from labeling.attributes.deciding.calibration import Calibration
from labeling.attributes.deciding.skills import Skills

Share = Annotated[float, Field(ge=0, le=1)]
Open = Annotated[float, Field(gt=0, lt=1)]


class _Entry(pydantic.BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RateEntry(_Entry):
    """A share with its 95 % interval; share is null where nothing was known. ``used`` is drawn
    toward the voter's mean and is what log-odds go by; ``size`` is the effective sample size.
    """

    share: Share | None
    low: Share
    high: Share
    size: Annotated[float, Field(ge=0)]
    used: Open


class SkillEntry(_Entry):
    """One voter on one value; ``enough`` is false where too little was known to judge."""

    weight: Annotated[int, Field(ge=0)]
    sensitivity: RateEntry
    specificity: RateEntry
    yes_bias: float | None
    enough: bool


class ValueEntry(_Entry):
    """One value of the vocabulary, with its voters by name."""

    type: str
    value: str
    voters: dict[str, SkillEntry]


class WeightsFile(_Entry):
    """The whole file: every voter stands under every value, and no value twice.

    ``votes`` is the digest of the votes that were calibrated, ``store.Manifest.digest``.
    """

    votes: Annotated[str, Field(min_length=1)]
    voters: Annotated[tuple[str, ...], Field(min_length=1)]
    values: Annotated[tuple[ValueEntry, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        twice = [name for name, count in Counter(self.voters).items() if count > 1]
        places = Counter((entry.type, entry.value) for entry in self.values)
        twice += [f"{kind}: {value}" for (kind, value), count in places.items() if count > 1]
        if twice:
            raise ValueError(f"{excerpt(twice[0])} stands twice")
        if any(set(entry.voters) != set(self.voters) for entry in self.values):
            raise ValueError("the voters of a value are not those of the file")
        return self

    @classmethod
    def of(cls, values: Sequence[Value], found: Calibration, *, votes: str) -> Self:
        """Return what a calibration of votes says of the values; ``votes`` is their digest."""
        weights = found.weights()
        return cls(
            votes=votes,
            voters=found.voters,
            values=tuple(
                ValueEntry(
                    type=value.type,
                    value=value.value,
                    voters={
                        name: _skill(found, voter, column, weights[column][name])
                        for voter, name in enumerate(found.voters)
                    },
                )
                for column, value in enumerate(values)
            ),
        )

    def by_value(
        self, values: Sequence[Value], own: Mapping[str, int]
    ) -> Sequence[Mapping[str, int]]:
        """Return the weights of the voters for each value.

        Those of ``own`` for a value that is new, and for one of which every voter of ``own`` weighs
        0: the voters that were better than chance have left the ensemble.

        Raises UsageError when a voter is not in the file.
        """
        self._check(own)
        held = {
            (entry.type, entry.value): {name: skill.weight for name, skill in entry.voters.items()}
            for entry in self.values
        }
        found = [held.get((value.type, value.value), own) for value in values]
        return [weights if any(weights[name] for name in own) else own for weights in found]

    def skills(self, values: Sequence[Value]) -> Skills:
        """Return the skills for each value; for one that is new the voter's mean of the others."""
        held = {(entry.type, entry.value): entry for entry in self.values}
        columns = [held.get((value.type, value.value)) for value in values]
        return Skills(
            voters=self.voters,
            sensitivity=np.array([self._row(name, "sensitivity", columns) for name in self.voters]),
            specificity=np.array([self._row(name, "specificity", columns) for name in self.voters]),
        )

    def _row(self, voter: str, what: str, columns: Sequence[ValueEntry | None]) -> list[float]:
        mean = float(np.mean([getattr(each.voters[voter], what).used for each in self.values]))
        return [
            mean if entry is None else float(getattr(entry.voters[voter], what).used)
            for entry in columns
        ]

    def _check(self, own: Mapping[str, int]) -> None:
        missing = sorted(set(own) - set(self.voters))
        if missing:
            raise UsageError(
                f"the weights say nothing of voter {', '.join(missing)}; run label-attributes"
                " calibrate again, with the votes as they are now"
            )


def _skill(found: Calibration, voter: int, column: int, weight: int) -> SkillEntry:
    bias = float(found.yes_bias[voter, column])
    return SkillEntry(
        weight=weight,
        sensitivity=_rate(found, "sensitivity", voter, column),
        specificity=_rate(found, "specificity", voter, column),
        yes_bias=None if np.isnan(bias) else round(bias, 6),
        enough=bool(found.enough[voter, column]),
    )


def _rate(found: Calibration, what: str, voter: int, column: int) -> RateEntry:
    rate = getattr(found, what)
    share = float(rate.share[voter, column])
    return RateEntry(
        share=None if np.isnan(share) else round(share, 6),
        low=round(float(rate.low[voter, column]), 6),
        high=round(float(rate.high[voter, column]), 6),
        size=round(float(rate.size[voter, column]), 3),
        used=float(rate.shrunk[voter, column]),
    )


def read_weights(path: Path) -> WeightsFile:
    """Return the weights of a file; raises UsageError that names it when it holds none."""
    return read_json_settings(path, WeightsFile, "label-attributes calibrate writes the weights")


def save_weights(path: Path, weights: WeightsFile) -> None:
    """Write the weights; the same weights give the same bytes."""
    files.write_json(path, weights.model_dump(mode="json"))
