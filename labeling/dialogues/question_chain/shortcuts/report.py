"""What the command shortcuts says."""

from collections.abc import Iterator, Sequence

from benchwright.asking.options import once_more
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.shortcuts.chance import Against
from labeling.dialogues.question_chain.shortcuts.choices import KINDS, Kind
from labeling.dialogues.question_chain.shortcuts.shortcuts import (
    Row,
    Shortcuts,
    shortcuts_path,
    standing_out,
)
from labeling.dialogues.question_chain.shortcuts.text_only import Guesses
from labeling.dialogues.question_chain.shortcuts.words import WordFound
from labeling.dialogues.question_chain.waiting import next_line

_SHOWN = 8  # words of a kind
_TITLES = {"planning": "questions (planning)", "following": "answers (following)"}
_MEASURES = {
    "longest": "the longest option",
    "shortest": "the shortest option",
    "place": "the place",
    "bag of words": "words learnt from other chains",
}
_HEAD = f"{'':34}{'choices':>8}{'true':>7}{'share':>8}{'chance':>8}{'95 %':>10}{'p':>8}"


def shortcut_lines(found: Shortcuts, workspace: Workspace) -> Iterator[str]:
    """Yield the report: for each kind of choices a row for each measure, with a plain verdict."""
    judged = found.judged
    what = "chains that stand" if judged.of == "dialogues" else "drafts"
    yield (
        f"{judged.chains:,} {what}: {len(judged.choices['planning']):,} choices of a question,"
        f" {len(judged.choices['following']):,} of an answer"
    )
    yield _HEAD
    for kind in KINDS:
        yield from _kind_lines(found, kind)
    yield from _summary(found)
    yield f"stored: {workspace.relative(shortcuts_path(workspace))}"
    yield _next(found, workspace)


def _kind_lines(found: Shortcuts, kind: Kind) -> Iterator[str]:
    yield _TITLES[kind]
    for row in _of_kind(found.rows, kind):
        yield _line(_MEASURES.get(row.measure, f"{row.measure} (the most frequent)"), row.against)
    for guess in _guesses(found, kind):
        yield _line(f"{excerpt(guess.voter, 18)} without picture", guess.against)
        if guess.unanswered:
            failed = f", {guess.failed:,} of them failed" if guess.failed else ""
            more = f"; {once_more(found.max_retries)}" if guess.unanswered > guess.failed else ""
            yield f"    {guess.unanswered:,} not answered{failed}{more}"
    yield from _word_lines(found.words[kind])


def _line(what: str, one: Against) -> str:
    if one.share is None or one.chance is None:
        return f"  {what:<32}{one.n:>8,}{'':>41}  {one.verdict}"
    interval = f"{100 * one.low:.0f}-{100 * one.high:.0f}"
    p = "<0.001" if one.p < 0.001 else f"{one.p:.3f}"
    return (
        f"  {what:<32}{one.n:>8,}{one.hits:>7,}{100 * one.share:>6.0f} %{100 * one.chance:>6.0f} %"
        f"{interval:>10}{p:>8}  {one.verdict}"
    )


def _word_lines(words: Sequence[WordFound]) -> Iterator[str]:
    out = standing_out(words)
    if not words:
        yield "  words: none is in enough chains to be tested"
        return
    verdict = f"{len(out):,} more or less than chance" if out else "as chance"
    yield f"  words: {len(words):,} tested together, {verdict}"
    for one in out[:_SHOWN]:
        yield (
            f"    {excerpt(one.word, 30)!r}: in {one.true_with:,} of {one.true:,} true options and"
            f" {one.wrong_with:,} of {one.wrong:,} others (log-odds {one.log_odds:+.1f},"
            f" adjusted p {one.adjusted:.3f})"
        )
    if len(out) > _SHOWN:
        yield f"    and {len(out) - _SHOWN:,} more, in shortcuts.json"


def _summary(found: Shortcuts) -> Iterator[str]:
    every = [*(row.against for row in found.rows), *(one.against for one in found.guesses)]
    tested = [one for one in every if one.verdict != "too few to tell"]
    out = sum(one.verdict != "as chance" for one in tested)
    if not tested:
        yield "too few choices to tell anything"
        return
    yield (
        f"{out} of {len(tested)} rows are off chance at 95 %; by chance alone about"
        f" {0.05 * len(tested):.1f} would be"
    )
    if not found.guesses:
        yield "no model guessed without the picture; name some with --voters FILE"


def _next(found: Shortcuts, workspace: Workspace) -> str:
    if any(one.failed for one in found.guesses):
        return "next: run the same command again, to ask what got no answer"
    return next_line(workspace)


def _of_kind(rows: Sequence[Row], kind: Kind) -> list[Row]:
    return [row for row in rows if row.kind == kind]


def _guesses(found: Shortcuts, kind: Kind) -> list[Guesses]:
    return [one for one in found.guesses if one.kind == kind]
