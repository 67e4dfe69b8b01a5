"""Known limits: what the facts of a release do not let anybody conclude."""

import re
from collections.abc import Iterator

from benchwright.statistics.intervals import estimate
from exports.card.facts import Facts
from exports.card.figures import gallery_summary
from exports.card.markdown import text
from exports.card.stages import stages_of
from exports.gating.check import Check
from exports.provenance.permissions import unlicensed
from labeling.attributes.measuring.wording import bounds, percent
from labeling.audits.reporting.wording import many
from labeling.dialogues.stored import DIALOGUE_KINDS

_FEW = 400  # samples, below which an interval is wider than five points to each side
_DRAWN = "sample"  # the source of the built-in sample
_FAMILY = re.compile(r"[a-z]+")


def limits(facts: Facts) -> Iterator[str]:
    """Yield the limits, one a line."""
    yield from ("## Known limits", "")
    for part in (_pictures, _labels, _samples, _galleries, _private, _dialogues, _models, _rights):
        yield from (f"- {said}" for said in part(facts))
    yield "- The questions that this project writes are in English; no other language was tried."
    yield ""


def _pictures(facts: Facts) -> Iterator[str]:
    items = facts.making.gathered.items
    drawn = sum(item.source == _DRAWN for item in items)
    if drawn:
        yield (
            f"{drawn:,} of {len(items):,} pictures are drawn by a program: what a model scores on"
            " them says nothing of photographs."
        )
    sources = sorted({item.source for item in items})
    if len(sources) == 1:
        yield (
            f"All pictures are of one source, {text(sources[0])}; whatever it shows too often or"
            " too seldom, this release does too."
        )


def _labels(facts: Facts) -> Iterator[str]:
    found = facts.labels
    if not found.total:
        return
    unknown = found.of(answer="unknown")
    if unknown:
        yield (
            f"{percent(unknown / found.total)} of the labels are unknown, and are never held for"
            " no; a question about one is answered with unsure."
        )
    findings = None if facts.audit is None else facts.audit.findings
    right = None if findings is None else findings.accuracy.overall.estimate
    if right is not None and _is_of_these(facts):
        yield (
            f"Labels are wrong now and then: {percent(right.share)} of those that were voted are"
            f" right ({bounds(right)}). Nobody judged the others one by one."
        )
    elif found.of(origin="voted"):
        judged = facts.audit is not None and facts.audit.labels is not None
        yield (
            "Labels were voted by models, and what people judged does not tell of them as they are"
            " now: how many are right is unknown."
            if judged
            else "Labels were voted by models and not judged by people: how many are right is"
            " unknown."
        )
    elif all(item.source == _DRAWN for item in facts.making.gathered.items):
        yield "Labels are those by which the pictures were drawn: no photograph has such labels."
    elif found.of(origin="catalog"):
        decided = found.of(origin="audited")
        yield (
            f"Labels are what the catalog states, but for the {decided:,} that people decided;"
            " nobody compared the others with the pictures."
            if decided
            else "Labels are what the catalog states; nobody compared them with the pictures."
        )


def _is_of_these(facts: Facts) -> bool:
    """Tell whether the audit is of the labels as they are: the gate measures by no other."""
    if facts.gate is None:
        return True
    return any(one.name == "label-error" and one.figure is not None for one in facts.gate.checks)


def _samples(facts: Facts) -> Iterator[str]:
    for one in facts.making.written:
        count = len(facts.records(one.config))
        if 0 < count < _FEW:
            yield (
                f"`{one.config}` has {many(count, 'sample', 'samples')}: the 95% interval of a"
                f" score of one half is {bounds(estimate(0.5, count))}."
            )


def _galleries(facts: Facts) -> Iterator[str]:
    for config in facts.galleries:
        found = gallery_summary(facts, config)
        left = found["episodes"] - found["identifiable"]["count"]
        if left:
            column = "" if facts.hides_answers(config) else " (column `identifiable`)"
            yield (
                f"{left:,} of {found['episodes']:,} galleries of `{config}` cannot be solved by the"
                f" known labels{column}: a right guess there is luck, or sees more than labels say."
            )
    episodes = [one for config in facts.galleries for one in facts.records(config)]
    shown = [name for one in episodes for name in one.image_ids]
    if shown:
        often = len(shown) / len(set(shown))
        yield (
            f"A picture stands in {often:.1f} galleries on average: galleries are not independent,"
            " and intervals want a bootstrap over pictures."
        )


def _private(facts: Facts) -> Iterator[str]:
    """Yield what galleries themselves tell of targets that are held back."""
    checks = () if facts.gate is None else facts.gate.checks
    found = {one.of: one for one in checks if one.name == "membership"}
    for config in filter(facts.hides_answers, facts.galleries):
        yield (
            f"Targets of `{config}` are held back, but which pictures stand together in galleries"
            f" tells of them to whoever sees no picture and no label: {_named(found.get(config))}."
        )


def _named(check: Check | None) -> str:
    if check is None or None in (check.figure, check.low, check.high, check.chance):
        return "how many was not measured"
    share, low, high, chance = (
        percent(one or 0) for one in (check.figure, check.low, check.high, check.chance)
    )
    return f"a program named {share} of them ({low} to {high}; by chance {chance})"


def _dialogues(facts: Facts) -> Iterator[str]:
    for kind in DIALOGUE_KINDS:
        records = facts.records(kind)
        pictures = {one.image_id for one in records}
        if records and len(pictures) < len(records):
            yield (
                f"`{kind}` shows {many(len(pictures), 'picture', 'pictures')} in {len(records):,}"
                " samples, which are not independent."
            )
    sets, premises = facts.records("candidate-set"), facts.records("false-premise")
    alone = sum(len(one.marks) == 1 for one in sets)
    if alone:
        yield f"{alone:,} of {len(sets):,} candidate sets were marked by one annotator alone."
    alone = sum(len(one.approvals) == 1 for one in premises)
    if alone:
        yield (
            f"{alone:,} of {len(premises):,} dialogues with a false premise were approved by one"
            " auditor alone."
        )


def _models(facts: Facts) -> Iterator[str]:
    families = {match[0] for name in _names(facts) if (match := _FAMILY.match(_last(name)))}
    if len(families) == 1:
        yield (
            f"All models that labelled or drafted are of one family ({text(families.pop())}): what"
            " it does not see nobody said."
        )


def _names(facts: Facts) -> Iterator[str]:
    votes = stages_of(facts.making).get("labels/votes")
    for voter in () if votes is None else votes.plan.settings.get("voters", ()):
        if isinstance(voter.get("model"), str):
            yield voter["model"]
    for record in facts.records("false-premise"):
        yield from (use.model for use in record.models)


def _last(model: str) -> str:
    return model.casefold().rpartition("/")[2]


def _rights(facts: Facts) -> Iterator[str]:
    items = facts.making.gathered.items
    without = len(unlicensed(items))
    if without:
        yield (
            f"Of {without:,} of {len(items):,} pictures the source states no licence: whoever"
            " shares them on must ask."
        )
    yield "It was not checked whether pictures show people who can be recognised."
