"""A score of candidate sets as lines for a terminal: single objects, then sets, then the rest."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from benchwright.plain_text import counted
from benchwright.protocols.candidate_set import MOST_BOXES
from evaluation.candidate_set.metrics.amounts import ACCURACY, OF_ONE, OF_SETS
from evaluation.candidate_set.metrics.baselines import BASELINES
from evaluation.candidate_set.metrics.tracked import Tracked
from evaluation.scoring.figures import Figure, Key, by_key
from evaluation.scoring.spelling import interval, number, share, spoken

_WIDE = 79
_HEADS = {
    "category": "category",
    "all_boxes": "all",
    "first_turn": "first",
    "random_box": "random",
}
_BESIDE = (
    "beside: all boxes of the category, all boxes, the first turn's set (at later",
    "  turns), a random box",
)
_ANSWERS = {
    "unreadable": "unreadable",
    "refused": "refused",
    "nothing": "said to be nothing",
    "over_limit": f"of more than {MOST_BOXES} boxes",
    "truncated": "cut at the cap",
}
_TURN = (ACCURACY, *OF_SETS)
Found = Mapping[Key, Figure]


def lines_of(
    figures: Sequence[Figure], settings: Mapping[str, Any], tracked: Tracked
) -> Iterator[str]:
    """Yield the lines of a score, 80 characters wide at most."""
    found = by_key(figures)
    yield _asked(settings)
    heads = "".join(f"{_HEADS[name]:>9}" for name in BASELINES)
    yield f"{'':18}{'share':>8}   {'95 % interval':15}{heads}"
    yield from _group(found, "one object meant", OF_ONE)
    yield from _group(found, "several meant", OF_SETS)
    yield from _group(found, "nothing meant", ("no_target",))
    yield from _BESIDE
    yield ""
    yield from _answers(found)
    yield from _by_turn(figures, found)
    yield from _sizes(found, tracked)


def _asked(settings: Mapping[str, Any]) -> str:
    way = (
        "selected of the boxes of the picture"
        if settings["given"]
        else f"boxes in {settings['box_format']}"
    )
    return f"instruction {settings['instruction']}; {way}"


def _group(found: Found, title: str, metrics: Sequence[str]) -> Iterator[str]:
    """Yield the figures of the samples that mean so many; nothing where there are none."""
    n = found[Key(metrics[0])].n
    if not n:
        return
    yield f"{title}, {counted(n, 'sample')}{_fewer(found, metrics[0], n)}"
    for metric in metrics:
        figure = found[Key(metric)]
        beside = [found.get(Key(metric, "baseline", name)) for name in BASELINES]
        cells = "".join(f"{share(one.value) if one else '':>9}" for one in beside)
        said = f"  {spoken(metric):16}{share(figure.value):>8}   {interval(figure, share):15}"
        yield f"{said}{cells}".rstrip()


def _fewer(found: Found, metric: str, n: int) -> str:
    """Return which baselines stand for some of ``n`` samples alone, and for how many."""
    beside = {name: found.get(Key(metric, "baseline", name)) for name in BASELINES}
    few = [
        f"{_HEADS[name]} over {one.n:,}" for name, one in beside.items() if one and 0 < one.n < n
    ]
    return f" ({', '.join(few)})" if few else ""


def _answers(found: Found) -> Iterator[str]:
    if (several := found[Key("several")]).n:
        yield f"several boxes where one object is meant: {share(several.value)}"
    said = [
        f"{share(figure.value)} {what}"
        for name, what in _ANSWERS.items()
        if (figure := found[Key(name)]).value
    ]
    if said:
        yield from wrap(f"answers: {', '.join(said)}", _WIDE, subsequent_indent="  ")


def _by_turn(figures: Sequence[Figure], found: Found) -> Iterator[str]:
    turns = list(dict.fromkeys(one.key.of for one in figures if one.key.by == "turn"))
    if len(turns) < 2:  # it would say the same again
        return
    yield ""
    yield (
        f"{'turn':8}{ACCURACY:>10}{'several':>10}{'samples':>9}"
        + "".join(f"{name:>11}" for name in OF_SETS)
        + f"{'samples':>9}"
    )
    for turn in turns:
        one, several = found[Key(ACCURACY, "turn", turn)], found[Key("several", "turn", turn)]
        sets = [found[Key(name, "turn", turn)] for name in OF_SETS]
        cells = "".join(f"{share(each.value):>11}" for each in sets)
        if one.n or sets[0].n:
            yield (
                f"  {turn:6}{share(one.value):>10}{share(several.value):>10}{one.n:>9,}{cells}"
                f"{sets[0].n:>9,}"
            )


def _sizes(found: Found, tracked: Tracked) -> Iterator[str]:
    if tracked.turns < 2 or not tracked.dialogue_ids:
        return
    yield ""
    dialogues = counted(len(tracked.dialogue_ids), "dialogue")
    yield f"size of the set in the {dialogues} with all turns from 1 to {tracked.turns}"
    yield f"{'turn':8}{'predicted':>10}   {'95 % interval':15}{'true':>6}"
    for turn in map(str, range(1, tracked.turns + 1)):
        size = found[Key("predicted_size", "tracked_turn", turn)]
        true = found[Key("true_size", "tracked_turn", turn)]
        spelt = number(size.value, 2)
        bounds = interval(size, lambda value: number(value, 2))
        yield f"  {turn:6}{spelt:>10}   {bounds:15}{number(true.value, 2):>6}"
