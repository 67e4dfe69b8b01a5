"""A score of question chains as lines for a terminal: the averages first, then their parts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.question_chain.metrics.amounts import NONE_WRONG, RECOVERED, TEXT_ONLY
from evaluation.question_chain.metrics.outcomes import BASELINES, MEASURES, Measure
from evaluation.scoring.figures import Figure, Key, by_key, named
from evaluation.scoring.spelling import interval, number, share, spoken

_SAID: Mapping[str, str] = {
    "planning": "planning",
    "following": "following",
    "final": "final, with the chain",
    "alone": "final, without it",
    "planned": "final, after its plan",
}
_WIDTHS: Mapping[str, int] = {
    "planning": 10,
    "following": 10,
    "final": 9,
    "alone": 9,
    "planned": 9,
    "gain": 8,
}
Found = Mapping[Key, Figure]


def lines_of(figures: Sequence[Figure], facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a score, 80 characters wide at most."""
    found = by_key(figures)
    measures = [measure for measure in MEASURES if Key(measure) in found]
    yield from _averages(found, measures, facts)
    for by in ("category", "scenario"):
        yield from _divided(figures, found, measures, by)
    yield from _by_step(figures, found)
    if said := [*_recoveries(found), *_correlations(facts), *_unread(figures, found)]:
        yield ""
        yield from said


def _averages(found: Found, measures: Sequence[Measure], facts: Mapping[str, Any]) -> Iterator[str]:
    heads = [*BASELINES, *([TEXT_ONLY] if facts["blindfold_run"] else [])]
    short = {"chance": "chance", "longest_option": "longest", "first_option": "first"}
    cells = "".join(f"{short.get(name, 'blind'):>8}" for name in heads)
    yield f"{'mean of categories':22}{'share':>8}   {'95 % interval':15}{cells}"
    for measure in measures:
        figure = found[Key(measure)]
        beside = "".join(f"{share(found[Key(measure, 'baseline', n)].value):>8}" for n in heads)
        said = f"{_SAID[measure]:22}{share(figure.value):>8}"
        yield f"{said}   {interval(figure, share):15}{beside}"
    if (gain := found.get(Key("gain"))) is not None:
        said = f"{'gain by the chain':22}{share(gain.value):>8}"
        yield f"{said}   {interval(gain, share)}".rstrip()
    if facts["blindfold_run"]:
        yield f"blind: the run {facts['blindfold_run']}, to which no picture was shown"


def _divided(
    figures: Sequence[Figure], found: Found, measures: Sequence[Measure], by: str
) -> Iterator[str]:
    """Yield the shares in each part of a division."""
    heads = [*measures, *(["gain"] if Key("gain") in found and by == "category" else [])]
    yield ""
    yield f"{by:18}" + "".join(f"{name:>{_WIDTHS[name]}}" for name in heads) + f"{'chains':>7}"
    for part, figure in named(figures, measures[0], by):
        cells = "".join(
            f"{share(found[Key(name, by, part)].value):>{_WIDTHS[name]}}" for name in heads
        )
        yield f"  {spoken(part)[:15]:16}{cells}{figure.n:>7,}"


def _by_step(figures: Sequence[Figure], found: Found) -> Iterator[str]:
    """Yield the shares at each step, and of the last answers after it was the first wrong one."""
    measures = [name for name in RECOVERED if Key(name, "step", "1") in found]
    if not measures:
        return
    failed = [name for name in measures if Key("recovery", "failed", name) in found]
    heads = "".join(f"{f'final by {name}':>20}" for name in failed)
    yield ""
    yield f"{'step':12}" + "".join(f"{name:>10}" for name in measures) + f"{'chains':>8}{heads}"
    steps = named(figures, measures[0], "step")
    for part, count in [*((part, figure.n) for part, figure in steps), (NONE_WRONG, 0)]:
        shown = "".join(
            f"{share(found[key].value) if (key := Key(name, 'step', part)) in found else '':>10}"
            for name in measures
        )
        last = "".join(f"{_last_answer(found, name, part):>20}" for name in failed)
        if count or last.strip(" -"):
            yield f"  {_step(part):10}{shown}{f'{count:,}' if count else '':>8}{last}".rstrip()


def _last_answer(found: Found, failed: str, part: str) -> str:
    figure = found[Key("last_answer", f"first_wrong_of_{failed}", part)]
    return f"{share(figure.value)} (n {figure.n:,})" if figure.n else "-"


def _recoveries(found: Found) -> Iterator[str]:
    """Yield how often the last answer is right although a step was wrong."""
    for failed in RECOVERED:
        figure = found.get(Key("recovery", "failed", failed))
        if figure is not None:
            chance = found[Key("recovery_chance", "failed", failed)]
            bounds = f" ({interval(figure, share)})" if figure.low is not None else ""
            yield (
                f"recovery from failed {failed}: {share(figure.value)}{bounds}, chance"
                f" {share(chance.value)}, n {figure.n:,}"
            )


def _step(part: str) -> str:
    return "none wrong" if part == NONE_WRONG else part


def _correlations(facts: Mapping[str, Any]) -> Iterator[str]:
    for measure, one in facts["correlations"].items():
        if one["r"] is not None:
            bounds = f"{number(one['low'], 2)} to {number(one['high'], 2)}"
            yield (
                f"{measure} and final go together with r {number(one['r'], 3)} ({bounds}),"
                f" p {one['p']:.2g}, n {one['n']:,}"
            )


def _unread(figures: Sequence[Figure], found: Found) -> Iterator[str]:
    said = [
        f"{mode} {share(figure.value)}" + (f" ({share(refused)} refused)" if refused else "")
        for mode, figure in named(figures, "unreadable", "mode")
        if figure.value
        for refused in [found[Key("refused", "mode", mode)].value]
    ]
    if said:
        yield f"unreadable, counted as wrong: {', '.join(said)}"
