"""The one tree of errors that a user can meet.

    BenchwrightError
    ├── UsageError        what was asked for cannot be done as asked
    │   └── SourceError   a source file cannot be read as it stands
    ├── WorkspaceError    the workspace lacks something, or holds something broken
    │   ├── CorruptShard  a data file is not what its manifest says
    │   └── LostPicture   a picture is not what the catalog says
    ├── ServerError       a model server cannot be asked, as it is set up or at all
    ├── BudgetSpent       the calls or the money that the user allowed are spent
    └── PictureError      one picture is refused (becomes a row of the rejects)

Each message says what was wanted, what came, where, and what to do. The commands print it as
one line; anything else that is raised is a bug and keeps its traceback.
"""

from pathlib import Path
from typing import Any


class BenchwrightError(Exception):
    """Base of every error whose message is meant for the user."""

    def __reduce__(self) -> tuple[Any, ...]:
        # by default an error is made again from its message alone, which fails for those that
        # take more; without this such an error does not survive the way out of a worker process
        return _remake, (type(self), self.args, self.__dict__)


def _remake(
    kind: type[BenchwrightError], args: tuple[Any, ...], state: dict[str, Any]
) -> BenchwrightError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(BenchwrightError):
    """What was asked for cannot be done as asked."""


class SourceError(UsageError):
    """A source file cannot be read as it stands."""


class WorkspaceError(BenchwrightError):
    """The workspace lacks something, or holds something broken."""


class CorruptShard(WorkspaceError):
    """A data file of a stage is not what the stage's manifest says."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            f"{path}: {what}; make the stage again with --force, or bring the file back"
        )


class LostPicture(WorkspaceError):
    """A picture of the catalog is gone, or its bytes are no longer those that were recorded."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            f"{path}: {what}; bring it back, or run the build-catalog command again with --force"
        )


class ServerError(BenchwrightError):
    """A model server cannot be asked: nobody answers, the key or the model is unknown to it."""


class BudgetSpent(BenchwrightError):
    """The calls or the money that the user allowed are spent; what was bought is stored."""


class PictureError(BenchwrightError):
    """One picture is refused.

    ``reason`` is a short code that the rejects carry and the manifest counts.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
