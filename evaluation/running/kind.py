"""A kind of items that can be played, as the command ``run`` meets it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from benchwright.asking.options import Paying
from benchwright.errors import UsageError
from benchwright.workspace import Workspace

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from benchwright.asking.pieces import How
    from benchwright.asking.voters import Voter
    from evaluation.releases.release import Release
    from evaluation.running.naming import Named
    from evaluation.scoring.protocol import Scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What of a run the user named: how much is played, how often, and what it is called."""

    episodes: int | None
    sample: int
    run: str | None
    seed: int

    def name(self) -> str | None:
        """Return the name of the run, null where one is to be made up."""
        from evaluation.running.naming import checked_name  # noqa: PLC0415

        return None if self.run is None else checked_name(self.run)

    def marks(self) -> tuple[str, ...]:
        """Return what a name that is made up says of sample and seed."""
        found = {"sample": self.sample, "seed": self.seed}
        return tuple(f"{name}-{value}" for name, value in found.items() if value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the user wants of a run, whatever the kind: of which release, by whom, for how much."""

    release: "Release"
    config: str
    named: "Named"
    options: RunOptions
    paying: Paying
    is_probing: bool
    is_forced: bool
    workspace: Workspace

    def player(self, judges: Sequence[str] = ()) -> "Voter":
        """Return the model that is played; ``judges`` name voters of the file that are not.

        Raises UsageError where nobody is named, or more than one.
        """
        named = self.named
        if (named.model, named.base_url, named.path, named.only, named.person) == (None,) * 5:
            raise UsageError(
                "nobody is named to answer: --model NAME --base-url URL, or --voters FILE --only"
                " NAME"
            )
        found = named.player(None, judges)
        assert not isinstance(found, str), found  # noqa: S101  # which is what no model is called
        return found

    @property
    def is_for_person(self) -> bool:
        """Whether a person answers, whom nobody pays by the token."""
        return self.named.person is not None

    def how(self) -> "How":
        """Return in which way models are asked."""
        from benchwright.asking.pieces import How  # noqa: PLC0415

        return How(batch=self.paying.batch, probe=self.is_probing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What can be played: ``owns`` tells of a config's name whether it holds items of the kind.

    The parameters of ``command`` are the options that the kind adds to ``run``. It is called with
    a ``wish`` and the values of those, and returns whether all was played. ``scoring`` gives how
    its runs are scored, of which ``evaluation/scoring/protocol.py`` tells.
    """

    name: str
    owns: Callable[[str], bool]
    command: click.Command
    scoring: Callable[[], "Scoring"]
