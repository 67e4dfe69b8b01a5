"""A run: items played and kept in runs/NAME as a stage, which goes on where it was stopped."""

import asyncio
import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from benchwright import store
from benchwright.asking.estimates import Estimate
from benchwright.asking.pieces import How
from benchwright.asking.running import run
from benchwright.asking.session import Spending, make_folder, session
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, CorruptShard, UsageError, WorkspaceError
from benchwright.next_step import MISSING_LABELS
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from evaluation.running.about import ABOUT, About
from evaluation.running.book import Book
from evaluation.running.estimating import estimate_matches
from evaluation.running.playing import play_each
from evaluation.running.protocol import Matches

logger = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")
_OWNS = (f"*-{'[0-9]' * 5}.parquet", ABOUT, "scores.json", "scores.parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[T, R]):
    """What is to be run: a plan that holds all that changes an answer, and the matches.

    ``voters`` are all that are asked.
    """

    about: About
    plan: store.Plan
    voters: Sequence[Voter]
    matches: Matches[T, R]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What became of a run.

    ``manifest`` counts the ``episodes``, and of them those that were ``played`` to the end and
    those that ``failed`` for want of a server's answer; the others wait. ``fault`` is the error
    that ended it early.
    """

    folder: Path
    manifest: store.Manifest
    was_there: bool = False
    fault: BenchwrightError | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every item was played to its end."""
        return is_played(self.manifest)


def standing_run(workspace: Workspace, name: str, plan: store.Plan) -> store.Manifest | None:
    """Return the manifest of what was played by just this plan, null without one.

    Raises CorruptShard where there is one that cannot be read.
    """
    return store.finished(workspace.runs / name, plan)


def is_played(manifest: store.Manifest) -> bool:
    """Tell whether every item of a run was played to its end."""
    return manifest.counts["played"] == manifest.counts["episodes"]


def play_run(
    workspace: Workspace,
    one: Run[T, R],
    spending: Spending,
    how: How,
    *,
    force: bool = False,
    progress: Progress = no_progress,
) -> Ran:
    """Play what has not been played, and write it; a whole run is left as it is.

    Answers are stored as they come, so a run that is stopped asks nothing twice. What ends it
    early (the budget is spent, a server is gone) is the ``fault`` of what is returned, where
    something new was played until then; else it is raised. Ctrl-C is raised once that is written.

    Raises UsageError where runs/NAME holds another run and there is no ``force``; what ``session``
    raises.
    """
    name, plan = one.about.run, one.plan
    folder = workspace.runs / name
    standing = standing_run(workspace, name, plan)
    if standing is not None and is_played(standing) and not force and not spending.again:
        return Ran(folder=folder, manifest=standing, was_there=True)
    before = _before(workspace, folder, plan, force=force)
    make_folder(workspace.root)
    with _gone_if_new(folder):
        fault = run(_played(workspace, one, before, spending, how, progress))
    manifest = store.require(folder, "run-benchmark")
    return Ran(folder=folder, manifest=manifest, fault=fault)


@contextmanager
def _gone_if_new(folder: Path) -> Iterator[None]:
    """Leave no folder behind where nothing stood before, and nothing was written."""
    was_there = folder.exists()
    try:
        yield
    except WorkspaceError:  # of another process, which makes it
        raise
    except BaseException:
        if not was_there and store.load_manifest(folder) is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def estimate_run(
    workspace: Workspace, one: Run[T, R], spending: Spending, how: How
) -> list[Estimate]:
    """Return for each voter what ``play_run`` would take, without asking."""

    async def look() -> list[Estimate]:
        async with session(workspace, one.voters, spending, is_asking=False) as opened:
            return await estimate_matches(opened, one.matches, how)

    return run(look())


async def _played(
    workspace: Workspace,
    one: Run[T, R],
    before: store.Manifest | None,
    spending: Spending,
    how: How,
    progress: Progress,
) -> BenchwrightError | None:
    """Play and write; return what ended it early, or raise it where nothing new was played.

    So does one that is cancelled, which then is raised all the same.
    """
    folder, matches = workspace.runs / one.about.run, one.matches
    fault: BenchwrightError | None = None
    stopped: asyncio.CancelledError | None = None
    configs = {matches.table: f"{matches.table}-*.parquet"}
    with store.writing(folder, one.plan, configs=configs, owns=_OWNS) as writer:
        book = Book(writer, matches)
        is_asking = bool(one.voters)  # else no file of answers is made
        try:
            async with session(workspace, one.voters, spending, is_asking=is_asking) as opened:
                fault = await play_each(opened, matches, how, book.keep, progress)
        except asyncio.CancelledError as error:
            stopped = error
        ended = fault or stopped
        # what stands there tells more, or nothing was played at all
        if ended is not None and len(book) <= (before.counts["played"] if before else 0):
            raise ended
        book.write()
        writer.json(ABOUT, one.about.with_builds(book.builds()).as_json())
        writer.counts = {
            "episodes": len(matches.items),
            "played": book.played,
            "failed": book.failed,
            **({MISSING_LABELS: book.unlabelled} if book.unlabelled else {}),
        }
    if stopped is not None:
        logger.warning(
            "stopped: %s of %s were played and are written",
            f"{book.played:,}",
            f"{len(matches.items):,}",
        )
        raise stopped
    return fault


def _before(
    workspace: Workspace, folder: Path, plan: store.Plan, *, force: bool
) -> store.Manifest | None:
    """Return the manifest of the same run; raise UsageError for that of another."""
    try:
        manifest = store.load_manifest(folder)
    except CorruptShard:
        if force:
            return None
        raise
    if manifest is None:
        return None
    if store.finished(folder, plan) is not None:
        return manifest
    others = _differing(manifest.plan, plan)
    if force or not others:  # the same, but files of it are gone
        return None
    raise UsageError(
        f"{workspace.relative(folder)}: holds a run with other {', '.join(others)}; give this one a"
        " name by --run NAME, or replace that one with --force"
    )


def _differing(one: store.Plan, other: store.Plan) -> list[str]:
    """Return the names of inputs and settings in which two plans differ."""
    pairs = [
        ({"kind": one.stage}, {"kind": other.stage}),
        (dict(one.inputs), dict(other.inputs)),
        (dict(one.settings), dict(other.settings)),
        ({"seed": one.seed}, {"seed": other.seed}),
    ]
    return [
        name
        for first, second in pairs
        for name in sorted(first.keys() | second.keys())
        if store.digest_of(first.get(name)) != store.digest_of(second.get(name))
    ]
