"""A score of hidden-target episodes as lines for a terminal: what matters most comes first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from benchwright.plain_text import counted
from benchwright.protocols.hidden_target import OUTCOMES
from evaluation.hidden_target.metrics.amounts import ACCURACIES
from evaluation.hidden_target.metrics.score import Score
from evaluation.hidden_target.metrics.unread import unread_lines
from evaluation.hidden_target.scoring.played import Played
from evaluation.scoring.figures import Figure, Key, by_key, named
from evaluation.scoring.refusals import refused_rows
from evaluation.scoring.spelling import interval, number, share, spoken

_INDENT = {"verified": 1, "random_guess": 1, "contradicted": 1, "no_guess": 1}
_WIDE = 79
_SHOWN = 3  # episodes that a warning names

Found = Mapping[Key, Figure]


def lines_of(played: Played, score: Score, figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the lines: warnings, outcomes beside chance and ceiling, turns, the rest by topic."""
    found = by_key(figures)
    for warning in _warnings(played, score):
        yield from wrap(warning, _WIDE, subsequent_indent="  ")
    yield f"{'':22}{'share':>8}   95 % interval"
    for metric in (*ACCURACIES, "no_guess"):
        figure = found[Key(metric)]
        name = f"{'  ' * _INDENT.get(metric, 0)}{spoken(metric)}"
        yield f"{name:22}{share(figure.value):>8}   {interval(figure, share)}"
    yield from _expected(found)
    yield ""
    yield f"{'':22}{'turns':>8}{'skip rate':>12}{'episodes':>11}"
    for outcome in (None, *OUTCOMES):
        yield _cost(found, outcome)
    yield ""
    for topic in _topics(played, figures, found):
        yield from wrap(topic, _WIDE, subsequent_indent=" " * 20)
    yield from _divided(figures, found, "size", "pictures")
    if found[Key("hit")].value:
        yield from _divided(figures, found, "noise", "noise")


def _warnings(played: Played, score: Score) -> Iterator[str]:
    if score.conflicts:
        yield (
            f"conflict: in {counted(len(score.conflicts), 'episode')} an answer without noise"
            f" eliminates the target ({_some(score.conflicts)}): oracle and verifier disagree"
        )
    if score.differing:
        yield (
            f"differing: in {counted(len(score.differing), 'episode')} a recorded feasible set is"
            f" not what follows from the release ({_some(score.differing)}); the score goes by"
            " the release"
        )
    if played.refused:
        yield refused_rows(played.refused)
    yield from unread_lines(played.finished)


def _some(names: tuple[str, ...]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest:,} more" if rest > 0 else "")


def _expected(found: Found) -> Iterator[str]:
    chance = found[Key("overall", "baseline", "never_asking")]
    ceiling = found[Key("overall", "baseline", "reference")]
    verified = found[Key("verified", "baseline", "reference")]
    yield (
        f"expected: never asking {share(chance.value)}; reference questioner"
        f" {share(ceiling.value)}, verified {share(verified.value)}"
    )
    yield "  (the reference questioner has all the turns that it wants, and no noise)"


def _cost(found: Found, outcome: str | None) -> str:
    part = ("outcome", outcome) if outcome else ("all", "all")
    turns, skips = found[Key("turns", *part)], found[Key("skip_rate", *part)]
    name = f"  {spoken(outcome)}" if outcome else "all"
    cells = f"{number(turns.value):>8}{share(skips.value):>12}{turns.n:>11,}"
    return f"{name:22}{cells}"


def _topics(played: Played, figures: Iterable[Figure], found: Found) -> Iterator[str]:
    """Yield a line for each topic of which anything was measured."""
    listed = list(figures)
    reasons = _parts(listed, "skips", "reason")
    if reasons:
        yield f"skips               {reasons}"
    if (premature := found[Key("premature")]).n:
        yield (
            f"premature           {share(premature.value)} of batches; echoes"
            f" {share(found[Key('echo')].value)}"
        )
    if found[Key("eliminated")].n:
        yield (
            f"each turn           eliminates {number(found[Key('eliminated')].value)} pictures;"
            f" longest idle run {number(found[Key('longest_idle')].value)} turns"
        )
    if found[Key("stall")].n:
        yield (
            f"answers             {share(found[Key('stall')].value)} changed nothing,"
            f" {share(found[Key('unsure')].value)} unsure,"
            f" {share(found[Key('unmapped')].value)} not mapped"
        )
    if (agrees := found[Key("oracle_agrees")]).n and played.oracle != "labels":
        yield f"oracle              agrees with known labels in {share(agrees.value)} of answers"
    yield from _par(found)
    yield from _contradictions(listed, found)


def _par(found: Found) -> Iterator[str]:
    ratios = [
        f"{number(figure.value, 2)} × {name} (n {figure.n:,})"
        for name in ("par", "par_protocol")
        if (figure := found[Key(f"{name}_ratio")]).n
    ]
    if ratios:
        yield (
            f"verified in         {', '.join(ratios)}: questions for each that the reference"
            " questioner needs (par), asking of each type once (par_protocol)"
        )


def _contradictions(figures: list[Figure], found: Found) -> Iterator[str]:
    if found[Key("contradiction")].value:
        moves = _parts(figures, "after_contradiction", "move")
        yield (
            f"contradictions      in {share(found[Key('contradiction')].value)} of episodes;"
            f" then {moves}"
        )


def _divided(figures: Iterable[Figure], found: Found, by: str, title: str) -> Iterator[str]:
    """Yield how many are right and verified in each part of a division."""
    yield ""
    yield f"{title:22}{'overall':>8}{'verified':>12}{'episodes':>11}"
    for part, overall in named(list(figures), "overall", by):
        verified = found[Key("verified", by, part)]
        cells = f"{share(overall.value):>8}{share(verified.value):>12}{overall.n:>11,}"
        yield f"  {spoken(part):20}{cells}"


def _parts(figures: list[Figure], metric: str, by: str) -> str:
    """Return the parts that are there with their shares, the largest first."""
    parts = [(part, figure.value or 0.0) for part, figure in named(figures, metric, by)]
    parts = sorted((pair for pair in parts if pair[1]), key=lambda pair: -pair[1])
    return ", ".join(f"{spoken(part)} {share(value)}" for part, value in parts)
