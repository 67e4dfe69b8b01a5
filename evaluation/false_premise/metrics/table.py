"""A score of false premises as lines for a terminal: what matters most comes first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap

from benchwright.plain_text import counted
from benchwright.statistics.agreement.coefficient import Coefficient
from evaluation.false_premise.metrics.amounts import (
    ALWAYS,
    BASELINE,
    CHANGE,
    CORR_FP,
    NEVER,
    TURN_CORR,
    at,
    key_of,
    last,
)
from evaluation.false_premise.metrics.cells import CellDraws, CellStudy
from evaluation.false_premise.metrics.corrections import Corrections, Missing
from evaluation.false_premise.metrics.ordering import Order, spelt
from evaluation.false_premise.metrics.people import Corrected, PeopleSay
from evaluation.false_premise.metrics.raters import ALL, PairAgreement
from evaluation.false_premise.metrics.studies import Studies
from evaluation.false_premise.metrics.variants import VariantStudy
from evaluation.scoring.figures import Figure, Key, by_key, named
from evaluation.scoring.spelling import NOTHING, interval, number, points, share, spoken

_WIDE = 79
_TURNS = 8  # on one line
_NAME = 26  # characters of the longest cell of the grid, with its indent
_DIVISIONS = ("premise_class", "complexity", "category", "variant")

Found = Mapping[Key, Figure]


def lines_of(
    corrections: Corrections,
    missing: Sequence[Missing],
    studies: Studies,
    figures: Sequence[Figure],
) -> Iterator[str]:
    """Yield the lines: what lacks, CorrTP by its parts, turns, agreement, how far it holds."""
    found = by_key(figures)
    yield from _wrapped(f"{'missing':20}{what}" for what in lacking(missing))
    whole = last(corrections)
    if not corrections.detectors or not corrections.dialogues:
        return
    if whole is not None:
        yield from _divided(corrections, figures, found, whole)
        yield from _by_turn(corrections, found)
    yield from _wrapped(_corrected_true(corrections, found))
    if whole is not None:
        yield from _wrapped(_expected(found, whole))
        yield from _wrapped(_orders(studies.orders))
        yield from _wrapped(_cells(studies.cells))
        yield from _wrapped(_variants(studies.variants))
        yield from _agreement(studies.agreement, _numbered(corrections))
        yield from _wrapped(_own(studies.own, corrections, found, whole))
    if studies.people is not None:
        yield from _people(studies.people, _numbered(corrections), whole or "")


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from wrap(line, _WIDE, subsequent_indent=" " * 20)


def lacking(missing: Sequence[Missing]) -> Iterator[str]:
    """Yield what lacks in words: responses, then labels by detector."""
    turns = sum(len(one.turns) for one in missing)
    if turns:
        yield counted(turns, "response")
    for detector in sorted({name for one in missing for name in one.labels}):
        labels = sum(len(one.labels.get(detector, ())) for one in missing)
        yield f"{counted(labels, 'label')} of {detector}"


def _divided(
    corrections: Corrections, figures: Sequence[Figure], found: Found, whole: str
) -> Iterator[str]:
    """Yield CorrTP of all and of each part, by the mean of the detectors and by each."""
    beside = corrections.detectors if len(corrections.detectors) > 1 else ()  # one is the mean
    called, width = _columns(beside)
    heads = "".join(f"{f'{called} {at}':>{width}}" for at in range(1, len(beside) + 1))
    mean = "mean" if beside else "share"
    yield f"{whole:{_NAME}}{mean:>7}  {'95 % interval':13}{heads}{'responses':>10}"
    yield _part("all", found, whole, beside)
    for by in _DIVISIONS:
        parts = [name for name, _ in named(figures, whole, by)]
        if by == "premise_class":
            parts = [name for name in corrections.classes if name in parts]
        if by == "premise_class" or len(parts) > 1:
            yield spoken(by)
            for name in parts:
                yield _part(name, found, whole, beside, by)


def _numbered(corrections: Corrections) -> dict[str, str]:
    """Return what the detectors are called in columns: the head of the score names them so."""
    return {name: f"detector {at}" for at, name in enumerate(corrections.detectors, 1)}


def _columns(detectors: Sequence[str]) -> tuple[str, int]:
    """Return what heads the columns of detectors, and their width: three stay on a line."""
    return ("detector", 12) if len(detectors) < 3 else ("det.", 7)


def _part(name: str, found: Found, metric: str, detectors: Sequence[str], by: str = "all") -> str:
    mean = found[key_of(metric, by, name)]
    _, width = _columns(detectors)
    values = (found[key_of(metric, by, name, detector)].value for detector in detectors)
    each = "".join(f"{share(value):>{width}}" for value in values)
    indent = "" if by == "all" else "  "
    called = f"{indent}{_short(spoken(name), _NAME - len(indent))}"
    return f"{called:{_NAME}}{share(mean.value):>7}  {interval(mean, share):13}{each}{mean.n:>10,}"


def _by_turn(corrections: Corrections, found: Found) -> Iterator[str]:
    turns = corrections.false_turns
    for start in range(0, len(turns), _TURNS):
        some = turns[start : start + _TURNS]
        yield f"{'false turn':20}{''.join(f'{turn:>7}' for turn in some)}"
        shares = (share(found[key_of(at(TURN_CORR, turn))].value) for turn in some)
        yield f"{TURN_CORR:20}{''.join(f'{each:>7}' for each in shares)}"
    change = found.get(key_of(CHANGE))
    if change is not None and change.value is not None:
        sign = "+" if change.value > 0 else ""
        yield (
            f"from turn {f'{turns[0]} to {turns[-1]}':10}{sign}{points(change.value)}"
            f" ({interval(change, points)})"
        )


def _corrected_true(corrections: Corrections, found: Found) -> Iterator[str]:
    for turn in corrections.true_turns[-1:]:
        figure = found[key_of(at(CORR_FP, turn))]
        yield (
            f"true premises       {share(figure.value)} corrected all the same"
            f" ({interval(figure, share)}; {counted(figure.n, 'response')})"
        )


def _expected(found: Found, whole: str) -> Iterator[str]:
    always, never = (found[Key(whole, BASELINE, name)] for name in (ALWAYS, NEVER))
    yield (
        f"expected            always correcting {share(always.value)}, of true premises too;"
        f" never {share(never.value)}"
    )


def _orders(orders: Mapping[int, Order | None]) -> Iterator[str]:
    parts = []
    for order, group in groupby(orders.items(), key=lambda pair: pair[1]):
        turns = [turn for turn, _ in group]
        ends = f"turns {turns[0]} to {turns[-1]}" if len(turns) > 1 else f"turn {turns[0]}"
        parts.append(f"{spelt(order)} at {ends}")
    if any(orders.values()):
        yield f"order               {'; '.join(parts)}"


def _cells(study: CellStudy | None) -> Iterator[str]:
    if study is None:
        return
    if not study.found:
        yield (
            f"fewer pictures      not drawn: the smallest of {counted(study.cells, 'cell')} has"
            f" {counted(study.smallest, 'picture')}"
        )
    for is_put_back, how in ((True, "with replacement"), (False, "without")):
        chosen = [one for one in study.found if one.is_put_back == is_put_back]
        if chosen:
            yield (
                f"fewer pictures      {how}: the order held in {_held(chosen)} of"
                f" {study.draws:,} draws"
            )


def _held(found: Sequence[CellDraws]) -> str:
    return ", ".join(f"{share(one.held)} ({one.size} a cell)" for one in found)


def _variants(study: VariantStudy | None) -> Iterator[str]:
    if study is None:
        return
    sets = "; ".join(f"{one.variant}: {spelt(one.order)}" for one in study.sets)
    pairs = ", ".join(
        f"{one} > {other} {share(held)}" for (one, other), held in study.pairs.items()
    )
    whole = "" if study.order is None else f" {spelt(study.order)} in {share(study.held)};"
    yield (
        f"variants            {counted(study.targets, 'target')} with several; {sets}; of"
        f" {study.draws:,} draws between them{whole} {pairs}"
    )


def _agreement(found: Sequence[PairAgreement], names: Mapping[str, str]) -> Iterator[str]:
    """Yield how far detectors agree, pair by pair, over all responses and by class (table 4)."""
    for pair in dict.fromkeys((each.first, each.second) for each in found):
        called = "{}, {}".format(*(names[name].removeprefix("detector ") for name in pair))
        heads = f"{'same':>8}{'1st only':>10}{'2nd only':>10}{'n':>9}"
        yield f"{f'detectors {called}':18}{'kappa':>7}  {'95 % interval':15}{heads}"
        for each in found:
            if (each.first, each.second) == pair:
                yield (
                    f"  {each.scope:16}{number(each.kappa.value, 3):>7}  {_bounds(each.kappa):15}"
                    f"{share(each.exact.value):>8}{each.counts.first_only:>10,}"
                    f"{each.counts.second_only:>10,}{each.judged:>9,}"
                )


def _bounds(found: Coefficient) -> str:
    if found.low is None or found.high is None:
        return NOTHING
    return f"{number(found.low, 3)} to {number(found.high, 3)}"


def _own(own: Sequence[str], corrections: Corrections, found: Found, whole: str) -> Iterator[str]:
    for name in own:
        others = [each for each in corrections.detectors if each not in own]
        values = [found[key_of(whole, detector=each)].value for each in others]
        known = [value for value in values if value is not None]
        told = share(sum(known) / len(known)) if known else NOTHING
        yield f"own judge           {name} is the model itself; by the others {whole} is {told}"


def _people(found: PeopleSay, names: Mapping[str, str], metric: str) -> Iterator[str]:
    """Yield kappa of each pair, over all responses and by class (table 2), and what it corrects."""
    scopes = list(dict.fromkeys(each.scope for each in found.agreement))
    called = {name: name for name in found.people} | dict(names)
    by_pair = {(each.first, each.second, each.scope): each for each in found.agreement}
    heads = "".join(f"{scope:>10}" for scope in scopes[1:])
    yield f"{'kappa on the sample':24}{ALL:>7}  {'95 % interval':15}{heads}{'n':>7}"
    for first, second in dict.fromkeys((one, other) for one, other, _ in by_pair):
        whole, *parts = (by_pair[first, second, scope] for scope in scopes)
        cells = "".join(f"{number(part.kappa.value, 3):>10}" for part in parts)
        yield (
            f"  {f'{called[first]}, {called[second]}':22}{number(whole.kappa.value, 3):>7}"
            f"  {_bounds(whole.kappa):15}{cells}{whole.judged:>7,}"
        )
    yield (
        f"{metric:18}{'detectors':>10}{'corrected':>11}  {'95 % interval':15}"
        f"{'people alone':>14}{'judged':>9}"
    )
    yield from map(_corrected, found.corrected)
    yield "  (all weighs the detectors by a λ of its own: it is not the mean of the classes)"


def _corrected(each: Corrected) -> str:
    detectors = corrected = people = spread = NOTHING
    if each.found is not None:
        right = each.found.corrected
        detectors, corrected = share(each.found.predicted), share(right.share)
        people = share(each.found.judged.share)
        spread = f"{share(right.low).rstrip('%')} to {share(right.high).rstrip('%')}"
    return (
        f"  {each.scope:16}{detectors:>10}{corrected:>11}  {spread:15}{people:>14}{each.judged:>9,}"
    )


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
