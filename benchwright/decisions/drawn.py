"""Which labels audits/plan.json drew, for the stages that audits stand on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import pydantic

from benchwright import files
from benchwright.decisions.cells import thing_of_cell
from benchwright.decisions.standing import Standing, Thing
from benchwright.decisions.tally import Tally, tally
from benchwright.workspace import Workspace

Entry = TypeVar("Entry", bound=pydantic.BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLabel:
    """A label that is to be judged by 1 or 2 ``looks``; ``answer`` is the machine's."""

    thing: Thing
    looks: int
    answer: str | None
    stratum: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The labels of a plan, and how many each of its strata has, by name."""

    labels: tuple[DrawnLabel, ...]
    sizes: Mapping[str, int]
    is_pilot: bool

    def tallies(self, decisions: Standing) -> Mapping[str, Tally]:
        """Return what the judgements of each stratum come to."""
        held: dict[str, list[tuple[Thing, str]]] = {name: [] for name in self.sizes}
        for label in self.labels:
            if label.stratum in held and label.answer is not None:
                held[label.stratum].append((label.thing, label.answer))
        return {name: tally(self.sizes[name], labels, decisions) for name, labels in held.items()}


def read_drawn(workspace: Workspace) -> Drawn | None:
    """Return what the plan of a workspace drew; null where there is none that can be read.

    An entry that is no label, or no stratum, is left out.
    """
    plan = files.read_json_object(workspace.audits / "plan.json")
    if not plan:
        return None
    return Drawn(
        labels=tuple(item.label() for item in _entries(plan.get("items"), _Item)),
        sizes={each.name: each.size for each in _entries(plan.get("strata"), _Stratum)},
        is_pilot=plan.get("stage") == "pilot",
    )


class _Stratum(pydantic.BaseModel):
    name: str
    size: int


class _Item(pydantic.BaseModel):
    image_id: str
    object_id: str | None
    type: str
    value: str
    twice: bool
    answer: str | None = None
    stratum: str | None = None

    def label(self) -> DrawnLabel:
        """Return it as the record."""
        return DrawnLabel(
            thing=thing_of_cell((self.image_id, self.object_id, self.type, self.value)),
            looks=1 + self.twice,
            answer=self.answer,
            stratum=self.stratum,
        )


def _entries(said: Any, form: type[Entry]) -> Iterator[Entry]:
    for entry in said if isinstance(said, list) else ():
        try:
            yield form.model_validate(entry, strict=True)
        except pydantic.ValidationError:
            continue
