"""From a run as it is wished for to a run that was played, or estimated, and what is said of it."""

import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from benchwright import store
from benchwright.asking.estimates import estimate_lines
from benchwright.asking.pieces import How
from benchwright.asking.session import Spending
from benchwright.commands import progress_bar, say
from benchwright.errors import BudgetSpent
from benchwright.next_step import workspace_text
from benchwright.workspace import Workspace
from evaluation.running.about import About
from evaluation.running.kind import Wish
from evaluation.running.run import Ran, Run, estimate_run, is_played, play_run, standing_run

T = TypeVar("T")
R = TypeVar("R")
_NO_MODEL = "no model is asked: no calls, nothing to pay"
_PICTURES = ".pictures"  # in the folder of the runs: no run can be called so


def carry_out(
    wish: Wish,
    make: Callable[[Path], Run[T, R]],
    *,
    before: Iterable[str],
    after: Callable[[Ran], Iterable[str]],
    what: str,
    then: Callable[[Ran, str], str] = lambda _, score: score,
) -> bool:
    """Say what a run takes, play it and say what became of it; return whether all was played.

    ``make`` gives the run, its pictures written into a folder. ``before`` is said first, ``after``
    of what was played; ``what`` names the items, such as dialogues. ``then`` says what comes next
    after a whole run, given the command that scores it. An estimate that was asked for plays
    nothing and leaves nothing behind.

    Raises what ends a run early once what was played is written, and what ``play_run`` raises.
    """
    spending, how, workspace = wish.paying.spending(), wish.how(), wish.workspace
    if wish.paying.estimate:
        with _pictures_to_measure(workspace) as pictures:
            lines = _estimated_lines(workspace, make(pictures), spending, how)
        _say_all(before, lines or [_NO_MODEL])
        return True
    one = make(workspace.runs / _PICTURES)
    standing = standing_run(workspace, one.about.run, one.plan)
    is_whole = standing is not None and is_played(standing)
    if not is_whole or wish.is_forced or spending.again:
        _say_all(before, _begun_lines(wish, one, standing, what))
        if not wish.is_for_person:
            _say_all(_estimated_lines(workspace, one, spending, how))
    try:
        ran = play_run(workspace, one, spending, how, force=wish.is_forced, progress=progress_bar)
    except BudgetSpent:  # before it brought anything new
        say(f"played: nothing more, {_played_text(one, standing, what)}")
        raise
    _say_all(_ran_lines(ran, what), after(ran), _next_lines(ran, one.about, wish, then))
    if ran.fault is not None:
        raise ran.fault
    return ran.is_whole


def _begun_lines(
    wish: Wish, one: Run[T, R], standing: store.Manifest | None, what: str
) -> Iterator[str]:
    """Yield that there are no more items than these, and how many were played before."""
    wanted, found = wish.options.episodes, len(one.matches.items)
    if wanted is not None and wanted > found:
        yield f"--episodes {wanted:,}: there are {found:,} {what}"
    if standing is not None and not wish.is_forced:
        yield f"played already: {_played_text(one, standing, what)}"


def _played_text(one: Run[T, R], standing: store.Manifest | None, what: str) -> str:
    played = standing.counts["played"] if standing is not None else 0
    return f"{played:,} of {len(one.matches.items):,} {what}"


def _estimated_lines(
    workspace: Workspace, one: Run[T, R], spending: Spending, how: How
) -> list[str]:
    """Return the table of what each voter would take; nothing without voters."""
    estimates = estimate_run(workspace, one, spending, how) if one.voters else ()
    return estimate_lines(estimates, one.matches.middle) if estimates else []


def _say_all(*groups: Iterable[str]) -> None:
    for lines in groups:
        for line in lines:
            say(line)


def _ran_lines(ran: Ran, what: str) -> Iterator[str]:
    counts = ran.manifest.counts
    if ran.was_there:
        yield "nothing to do: all of it was played already (--force plays it again)"
    waiting = counts["episodes"] - counts["played"] - counts["failed"]
    left = [
        f"{number:,} {said}"
        for number, said in (
            (counts["failed"], "failed for want of a server's answer"),
            (waiting, "still to be played"),
        )
        if number
    ]
    yield "; ".join([f"played: {counts['played']:,} of {counts['episodes']:,} {what}", *left])


def _next_lines(
    ran: Ran, about: About, wish: Wish, then: Callable[[Ran, str], str]
) -> Iterator[str]:
    yield f"it lies in {ran.folder}"
    if ran.is_whole:
        # a run does not say where a folder outside of its workspace lies
        place = "" if about.release.place else f" --release {shlex.quote(wish.release.path)}"
        score = f"run-benchmark score {ran.folder.name}{place}{workspace_text(wish.workspace)}"
        yield f"next: {then(ran, score)}"
    else:
        yield "next: the same command again, which goes on and asks nothing twice"


@contextmanager
def _pictures_to_measure(workspace: Workspace) -> Iterator[Path]:
    """Yield where pictures lie, or a folder that goes: an estimate leaves nothing behind."""
    kept = workspace.runs / _PICTURES
    if kept.is_dir():
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="benchwright-") as folder:
        yield Path(folder)
