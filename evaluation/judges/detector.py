"""The violation detector as a judge that can be tried out: ``doctor --judge detector``."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.asking.judges import Found
from benchwright.asking.questions import Asks
from benchwright.plain_text import excerpt
from evaluation.hidden_target.detector.model import ModelDetector
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.parts import PartFailed
from evaluation.judges.labelled import (
    REASONS,
    Domain,
    LabelledQuestion,
    labelled_questions,
)
from evaluation.judges.scoring import VALID, Score, score
from evaluation.judges.tables import confusion_lines, share_text, table_lines

RULES = "rules alone"


class DetectorJudge:
    """Asks a model about the labelled questions that the rules let pass, as a game does."""

    name = "detector"

    def __init__(self) -> None:
        self._rules: dict[str, RuleDetector] = {}

    def cases(self) -> tuple[LabelledQuestion, ...]:
        """Return the labelled questions."""
        return labelled_questions()

    async def ask(self, case: LabelledQuestion, asks: Asks) -> Found:
        """Return the reason that rules and model together find, or valid."""
        detector = ModelDetector(self._rules_of(case.domain), asks)
        try:
            found = await detector.judge(
                case.question, case.turns, is_contradicted=case.is_contradicted
            )
        except PartFailed:
            return Found(verdict=None)
        return Found(verdict=found.reason or VALID, is_read=found.unread is None)

    def by_rules(self, case: LabelledQuestion) -> str:
        """Return the reason that the rules find by themselves, or valid."""
        reason = self._rules_of(case.domain).reason(
            case.question, case.turns, is_contradicted=case.is_contradicted
        )
        return reason or VALID

    def sheet(self, found: Mapping[str, Sequence[Found]]) -> list[str]:
        """Return the scores of the rules and of each voter after them, and what was wrong.

        A case without an answer is left out of its voter's scores.
        """
        cases = self.cases()
        by_rules = [Found(verdict=self.by_rules(case)) for case in cases]
        columns = {RULES: by_rules, **found}
        scores = {name: _scored(cases, some) for name, some in columns.items()}
        lines = [*_head(cases), "", *_shares("all", scores)]
        held_out = {name: _scored(cases, some, held_out=True) for name, some in columns.items()}
        lines += ["", *_shares("held out", held_out), "", *_by_reason(scores)]
        for name, some in columns.items():
            lines += ["", *_confusion(name, scores[name])]
            if name != RULES:
                lines += ["", *_wrong(name, cases, some)]
        return lines

    def _rules_of(self, domain: Domain) -> RuleDetector:
        if domain.name not in self._rules:
            self._rules[domain.name] = RuleDetector(domain.terms, domain.noun)
        return self._rules[domain.name]


JUDGE = DetectorJudge()


def _scored(
    cases: Sequence[LabelledQuestion], found: Sequence[Found], *, held_out: bool = False
) -> Score:
    pairs = [
        (case.wanted, one.verdict)
        for case, one in zip(cases, found, strict=True)
        if one.verdict is not None and (case.is_held_out or not held_out)
    ]
    return score([wanted for wanted, _ in pairs], [verdict for _, verdict in pairs])


def _head(cases: Sequence[LabelledQuestion]) -> Iterator[str]:
    valid = sum(case.wanted == VALID for case in cases)
    domains = len({case.domain.name for case in cases})
    held_out = sum(case.is_held_out for case in cases)
    yield (
        f"detector: {len(cases)} labelled questions of {domains} domains, {valid} valid and"
        f" {len(cases) - valid} violations; the rules were tuned without {held_out} of them"
    )


def _shares(what: str, scores: Mapping[str, Score]) -> list[str]:
    rows = [
        (name, *map(share_text, (one.precision, one.recall, one.f1, one.same_reason)))
        for name, one in scores.items()
    ]
    return table_lines([(what, "precision", "recall", "F1", "same reason"), *rows])


def _by_reason(scores: Mapping[str, Score]) -> list[str]:
    whole = next(iter(scores.values()))
    rows = [
        (reason, str(whole.labelled(reason)), *(str(s.caught(reason)) for s in scores.values()))
        for reason in REASONS
    ]
    left = (
        "valid, left alone",
        str(whole.labelled(VALID)),
        *(str(one.caught(VALID)) for one in scores.values()),
    )
    return table_lines([("violations caught", "of", *scores), *rows, left])


def _confusion(name: str, one: Score) -> list[str]:
    return confusion_lines(f"{name}: label by verdict", (VALID, *REASONS), one.confusion)


def _wrong(name: str, cases: Sequence[LabelledQuestion], found: Sequence[Found]) -> Iterator[str]:
    unread = sum(not one.is_read for one in found)
    off = [
        (case, one.verdict)
        for case, one in zip(cases, found, strict=True)
        if one.verdict is not None and one.verdict != case.wanted
    ]
    missing = sum(one.verdict is None for one in found)
    said = f"; {unread} answers could not be read and count as valid" if unread else ""
    said += f"; {missing} have no answer" if missing else ""
    yield f"{name}: {len(off)} of {len(cases)} are not as labelled{said}"
    for case, verdict in off:
        by = " (rules)" if JUDGE.by_rules(case) != VALID else ""
        yield f"  {case.id}  {case.wanted} -> {verdict}{by}: {excerpt(case.question.text)}"
