"""Verifying a release from nothing but itself."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from benchwright.progress import Progress, no_progress
from exports.verifying.answers import check_answers
from exports.verifying.answers_file import read_answers
from exports.verifying.files import check_files
from exports.verifying.finding import Finding
from exports.verifying.following import check_dialogues, check_episodes
from exports.verifying.released import Released, open_release
from exports.verifying.resolving import check_ids
from exports.verifying.rows import check_card, check_pictures, check_rows
from exports.verifying.schemas import check_schemas

Check = Callable[[Released], Finding]

_CHECKS: tuple[Check, ...] = (
    check_files,
    check_schemas,
    check_rows,
    check_pictures,
    check_card,
    check_ids,
    check_answers,
    check_episodes,
    check_dialogues,
)
_GROUNDS = (
    check_files,
    check_schemas,
    check_rows,
    check_ids,
    check_answers,
)  # of all that come after


def verify_release(
    folder: Path, *, answers: Path | None = None, progress: Progress = no_progress
) -> list[Finding]:
    """Return what each check of a release finds; ``answers`` is a file that shows those held back.

    Where the files are not those of the lock nothing else is looked at: what they hold is not what
    was released. Raises UsageError for a folder that holds no release and for a file that holds no
    answers, WorkspaceError for a lock that cannot be read.
    """
    release = open_release(folder)
    if answers is not None:
        release = replace(release, answers=read_answers(answers))
    return list(_found(release, progress("verifying", len(_CHECKS))(_CHECKS)))


def _found(release: Released, checks: Iterable[Check]) -> Iterator[Finding]:
    for check in checks:
        found = check(release)
        yield found
        if check in _GROUNDS and not found.holds:
            return
