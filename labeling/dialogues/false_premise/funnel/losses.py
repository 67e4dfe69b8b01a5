"""Why dialogues did not get past a step, by kind; each that was lost counts once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from benchwright.plain_text import excerpt
from benchwright.records import Described, FalsePremise, Falsified, PlannedDialogue
from labeling.dialogues.false_premise.falsifying.draft import draft_of
from labeling.dialogues.false_premise.funnel.reading import Made
from labeling.dialogues.false_premise.rules.turns import Schedule

NOT_ASKED = "not asked yet"
NO_ANSWER = "no answer of the server"
FOUND_TRUE = "true of the picture, as voters see it"
_MOST_CHARACTERS = 70
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER = re.compile(r"\d+")


def losses(made: Made) -> dict[str, Mapping[str, int]]:
    """Return for each step that was done how many it lost, by reason, the most frequent first.

    ``planned`` lacks pictures. From ``falsified`` on each variant counts by itself. Where an
    attempt broke several rules, the first one counts, and of all attempts the last.
    """
    found: dict[str, Iterable[str]] = {
        "planned": ("too few pictures" for cell in made.cells for _ in range(cell.missing))
    }
    if made.described is not None:
        found["described"] = _undescribed(made.planned, made.described)
    if made.described is not None and made.falsified is not None:
        found["falsified"] = _not_falsified(made, made.described, made.falsified)
    if made.refused is not None and made.drafts is not None:
        found["passed"] = _not_passed(made.refused, made.drafts)
    if made.withheld is not None:
        found["approved"] = Counter(made.withheld).elements()
    return {step: dict(_by_count(Counter(reasons))) for step, reasons in found.items()}


def kind_of(reason: str) -> str:
    """Return a reason without what it says of one case: numbers, what is quoted or listed."""
    text = _NUMBER.sub("N", _QUOTED.sub("…", reason))
    before, colon, _ = text.partition(": ")
    return excerpt(before if colon and " " in before else text, _MOST_CHARACTERS)


def _by_count(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _undescribed(
    planned: Mapping[str, PlannedDialogue], described: Mapping[str, Described]
) -> Iterator[str]:
    for name in planned:
        row = described.get(name)
        if row is None:
            yield NOT_ASKED
        elif row.true_description is None:
            yield _unmade(row) or kind_of(row.faults[-1].split("; ")[0])


def _not_falsified(
    made: Made, described: Mapping[str, Described], falsified: Iterable[Falsified]
) -> Iterator[str]:
    for row in falsified:
        if row.false_description is None:
            name = row.dialogue_id
            yield _unmade(row) or _why_refused(
                made.planned[name], described[name], row, made.schedule
            )


def _unmade(row: Described | Falsified) -> str | None:
    return NO_ANSWER if row.is_failed or not row.faults else None


def _why_refused(
    plan: PlannedDialogue, described: Described, row: Falsified, schedule: Schedule
) -> str:
    """Return the rule that the last attempt broke first, else what is said of it."""
    said, _, reasons = row.faults[-1].partition(": ")
    if said in row.refused:
        return FOUND_TRUE
    if described.true_description is None or not reasons:
        return kind_of(row.faults[-1])
    draft = draft_of(plan, described, replace(row, false_description=said), schedule)
    broken = (check.name for check in draft.checks if not check.passed)
    return next(broken, None) or kind_of(reasons.split("; ")[0])


def _not_passed(refused: Mapping[str, int], drafts: Iterable[FalsePremise]) -> Iterator[str]:
    for reason, count in refused.items():
        yield from [reason] * count
    for draft in drafts:
        failed = [check.name for check in draft.checks if not check.passed]
        yield from (f"unsettled, {name}" for name in failed[:1])
