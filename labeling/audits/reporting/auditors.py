"""What each auditor did, by name; nobody is ranked."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchwright.decisions.standing import Standing, Thing, asked_of, outcome
from benchwright.records import Decision
from labeling.audits.reporting.board import is_label

LABELS = "labels"  # what the judgements of labels are counted as; others by their field
NAMED = "values named in place"  # of those that were asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Auditor:
    """One auditor's judgements that stand.

    ``judged`` counts them by kind, ``seconds`` is the median of what one took, null where none
    says. Of ``shared`` things others were asked too and most hold one answer: ``against`` counts
    those where that is not this auditor's.
    """

    name: str
    judged: Mapping[str, int]
    seconds: float | None
    unsure: int
    shared: int
    against: int

    @property
    def total(self) -> int:
        """How many judgements of this auditor stand."""
        return sum(self.judged.values())


def auditors(decisions: Standing) -> tuple[Auditor, ...]:
    """Return what each auditor did, in the order of their names."""
    made: dict[str, list[Decision]] = {}
    kinds: dict[str, Counter[str]] = {}
    shared, against = Counter[str](), Counter[str]()
    for thing, by_auditor in decisions.items():
        for name, decision in by_auditor.items():
            made.setdefault(name, []).append(decision)
            kinds.setdefault(name, Counter())[_kind(thing, decision)] += 1
        asked = asked_of(by_auditor)
        after, is_open = outcome(asked)
        for name, decision in asked.items():
            # of two who differ neither is the majority, so that two alone would never be against it
            if len(asked) > 2 and is_open is None and decision.after is not None:
                shared[name] += 1
                against[name] += decision.after != after
    return tuple(
        Auditor(
            name=name,
            judged=dict(sorted(kinds[name].items())),
            seconds=_median(own),
            unsure=sum(decision.verdict == "unsure" for decision in own),
            shared=shared[name],
            against=against[name],
        )
        for name, own in sorted(made.items())
    )


def _kind(thing: Thing, decision: Decision) -> str:
    if decision.named_for is not None:
        return NAMED
    return LABELS if is_label(thing) else thing.field


def _median(made: list[Decision]) -> float | None:
    seconds = [decision.seconds for decision in made if decision.seconds is not None]
    return float(np.median(seconds)) if seconds else None
