"""What auditors hold of the labels of a plan, and for how many labels each of them stands."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.decisions.standing import Standing, asked_of, outcome
from benchwright.decisions.tally import Tally
from labeling.attributes.deciding.codes import LABEL_CODES, Bytes, Longs, Mask, Reals
from labeling.audits.planning.plan_file import AuditPlan, PlannedItem


@dataclass(frozen=True, kw_only=True)
class Truth:
    """The n labels of a plan that are known to be right or wrong, by subject, type and value.

    ``truth`` (n,) is 1 where auditors hold yes, -1 for no; ``answer`` (n,) is the same for the
    machine. ``weights`` (n,) is how many labels of its stratum each stands for, the inverse of
    the share of them that was judged: 1 or more. ``pictures`` (n,) are numbers of pictures.
    """

    items: tuple[PlannedItem, ...]
    truth: Bytes
    answer: Bytes
    weights: Reals
    pictures: Longs

    def __len__(self) -> int:
        return len(self.items)

    @property
    def right(self) -> Mask:
        """Which labels are right."""
        right: Mask = self.truth == self.answer
        return right

    def take(self, chosen: npt.ArrayLike) -> "Truth":
        """Return some of them, by a mask or by places."""
        at = np.arange(len(self))[np.asarray(chosen)]
        return Truth(
            items=tuple(self.items[place] for place in at),
            truth=self.truth[at],
            answer=self.answer[at],
            weights=self.weights[at],
            pictures=self.pictures[at],
        )


def audited_truth(plan: AuditPlan, decisions: Standing, strata: Mapping[str, Tally]) -> Truth:
    """Return what is known of a plan's labels; ``strata`` are what its strata come to."""
    ordered = sorted(
        plan.items, key=lambda item: (item.image_id, item.object_id or "", item.type, item.value)
    )
    held = [_held(item, decisions) for item in ordered]
    items = [item for item, said in zip(ordered, held, strict=True) if said]
    numbers = {name: at for at, name in enumerate(sorted({item.image_id for item in items}))}
    return Truth(
        items=tuple(items),
        truth=np.array([said for said in held if said], np.int8),
        answer=np.array([LABEL_CODES[item.answer] for item in items], np.int8),
        weights=np.array([strata[item.stratum].stands_for for item in items], float),
        pictures=np.array([numbers[item.image_id] for item in items], np.int64),
    )


def _held(item: PlannedItem, decisions: Standing) -> int:
    """Return 1 for yes, -1 for no, 0 where auditors hold nothing or have not looked."""
    after, _ = outcome(asked_of(decisions.get(item.thing(), {})))
    return LABEL_CODES.get(after or "", 0)
