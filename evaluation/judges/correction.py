"""The detector of corrections as a judge that can be tried out: ``doctor --judge correction``."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from benchwright.asking.judges import Found
from benchwright.asking.questions import Asks
from benchwright.plain_text import excerpt
from benchwright.records import PremiseClass
from benchwright.statistics.agreement.judgements import Judgements
from benchwright.statistics.agreement.two_raters import cohens_kappa
from benchwright.statistics.intervals import Estimate, estimate
from evaluation.false_premise.playing.detecting import detect
from evaluation.judges.corrections import LabelledAnswer, labelled_answers
from evaluation.judges.tables import share_text, table_lines

UNREAD = "unread"
_WORDS = re.compile(r"\b(?:no|not|actually)\b|n['’]t\b", re.IGNORECASE)
_RARE = 3  # cases of a kind, below which it is not told apart in the table

Columns = Mapping[str, Sequence[Found]]


class CorrectionJudge:
    """Asks a model about the labelled answers just as a run of false premises asks a detector."""

    name = "correction"

    def cases(self) -> tuple[LabelledAnswer, ...]:
        """Return the labelled answers."""
        return labelled_answers()

    async def ask(self, case: LabelledAnswer, asks: Asks) -> Found:
        """Return yes or no, or unread where the verdict does not fit the form."""
        found = await detect(asks, case.read)
        if found.is_failed:
            return Found(verdict=None)
        label = found.label.label
        return Found(verdict=label or UNREAD, is_read=label is not None)

    def sheet(self, found: Columns) -> list[str]:
        """Return the scores of trivial judges and of each voter, and what was wrong.

        A case without a verdict is left out of its voter's scores.
        """
        cases = self.cases()
        columns: dict[str, Sequence[Found]] = {**trivial_judges(cases), **found}
        lines = [*_head(cases), "", *_scores("all", cases, columns)]
        for is_false, what in ((True, "false premises"), (False, "true premises")):
            chosen = [case.read.has_false_premise == is_false for case in cases]
            lines += ["", *_scores(what, *_only(chosen, cases, columns))]
        lines += ["", *_right_by("class", cases, columns, [c.read.premise_class for c in cases])]
        lines += ["", *_right_by("kind", cases, columns, _kinds(cases))]
        for name, some in found.items():
            lines += ["", *_wrong(name, cases, some)]
        return lines


JUDGE = CorrectionJudge()


def trivial_judges(cases: Sequence[LabelledAnswer]) -> dict[str, list[Found]]:
    """Return what judges without any understanding say: they stand beside every other."""
    by_words = [bool(_WORDS.search(case.read.answer)) for case in cases]
    return {
        "always yes": [Found(verdict="yes") for _ in cases],
        "always no": [Found(verdict="no") for _ in cases],
        "no, not, actually": [Found(verdict="yes" if said else "no") for said in by_words],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How verdicts fit labels, as shares from 0 to 1 with Wilson's 95 % intervals.

    ``precision`` and ``recall`` are those of finding corrections. ``kappa`` is Cohen's κ of judge
    and label, null where both say one thing alone. ``said`` of ``size`` verdicts are corrections,
    ``wanted`` of the labels.
    """

    right: Estimate
    precision: Estimate
    recall: Estimate
    kappa: float | None
    said: int
    wanted: int
    size: int


def score(cases: Sequence[LabelledAnswer], found: Sequence[Found]) -> Score:
    """Return how the verdicts fit; what was not read or not answered is left out."""
    pairs = [
        (case.is_correction, one.verdict == "yes")
        for case, one in zip(cases, found, strict=True)
        if one.verdict in ("yes", "no")
    ]
    counts = Counter(pairs)
    hits = counts[True, True]
    said, wanted = hits + counts[False, True], hits + counts[True, False]
    codes = [[int(label), int(verdict)] for label, verdict in pairs]
    kappa = cohens_kappa(Judgements.of(codes, 2)).value if codes else None
    return Score(
        right=_share(hits + counts[False, False], len(pairs)),
        precision=_share(hits, said),
        recall=_share(hits, wanted),
        kappa=kappa,
        said=said,
        wanted=wanted,
        size=len(pairs),
    )


def _share(part: int, whole: int) -> Estimate:
    return estimate(part / whole if whole else 0.0, whole)


def _head(cases: Sequence[LabelledAnswer]) -> Iterator[str]:
    corrections = sum(case.is_correction for case in cases)
    false = sum(case.read.has_false_premise for case in cases)
    yield (
        f"correction: {len(cases)} labelled answers to {len({case.scene for case in cases})}"
        f" questions of {len({case.domain for case in cases})} domains, {false} of them with a"
        f" false premise; {corrections} answers are corrections"
    )


def _scores(what: str, cases: Sequence[LabelledAnswer], columns: Columns) -> list[str]:
    rows = []
    for name, found in columns.items():
        one = score(cases, found)
        kappa = "-" if one.kappa is None else f"{one.kappa:.2f}"
        shares = map(share_text, (one.right, one.precision, one.recall))
        rows.append((name, *shares, kappa, f"{one.said} for {one.wanted} of {one.size}"))
    return table_lines([(what, "right", "precision", "recall", "κ", "corrections"), *rows])


def _right_by(
    what: str, cases: Sequence[LabelledAnswer], columns: Columns, groups: Sequence[str]
) -> list[str]:
    sizes = Counter(groups)
    order = list(get_args(PremiseClass)) if what == "class" else sorted(sizes)
    rows = []
    for group in order:
        chosen = [one == group for one in groups]
        of_group, found = _only(chosen, cases, columns)
        right = (str(_right(of_group, some)) for some in found.values())
        rows.append((group, str(sizes[group]), *right))
    return table_lines([(f"right by {what}", "of", *columns), *rows])


def _right(cases: Sequence[LabelledAnswer], found: Sequence[Found]) -> int:
    wanted = ["yes" if case.is_correction else "no" for case in cases]
    return sum(one.verdict == label for one, label in zip(found, wanted, strict=True))


def _kinds(cases: Sequence[LabelledAnswer]) -> list[str]:
    """Return the kind of each case, those of a few cases under one name."""
    sizes = Counter(case.kind for case in cases)
    return [case.kind if sizes[case.kind] >= _RARE else "rarer ones" for case in cases]


def _only(
    chosen: Sequence[bool], cases: Sequence[LabelledAnswer], columns: Columns
) -> tuple[list[LabelledAnswer], dict[str, list[Found]]]:
    def of(some: Sequence[Found]) -> list[Found]:
        return [one for one, is_in in zip(some, chosen, strict=True) if is_in]

    left = [case for case, is_in in zip(cases, chosen, strict=True) if is_in]
    return left, {name: of(some) for name, some in columns.items()}


def _wrong(name: str, cases: Sequence[LabelledAnswer], found: Sequence[Found]) -> Iterator[str]:
    off = [
        (case, one.verdict)
        for case, one in zip(cases, found, strict=True)
        if one.verdict in ("yes", "no") and (one.verdict == "yes") != case.is_correction
    ]
    unread = sum(one.verdict == UNREAD for one in found)
    missing = sum(one.verdict is None for one in found)
    said = f"; {unread} verdicts could not be read" if unread else ""
    said += f"; {missing} have no answer" if missing else ""
    yield f"{name}: {len(off)} of {len(cases)} are not as labelled{said}"
    for case, verdict in off:
        yield f"  {case.id}  {verdict}, but: {case.why} {excerpt(case.read.answer, 80)}"
