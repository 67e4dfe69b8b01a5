"""The options that say what an ensemble is asked about, and how."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.asking.options import Paying
from benchwright.commands import seed_option

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from labeling.attributes.voting.asking import AskSettings

subjects_option = click.option(
    "--subjects",
    type=click.Choice(("pictures", "objects")),
    default="pictures",
    show_default=True,
    help="Label pictures, or the objects in them.",
)
noun_option = click.option(
    "--noun", help="What the pictures show, in place of their category: dress, train."
)
weights_option = click.option(
    "--weights",
    type=click.Path(path_type=Path, dir_okay=False),
    help="weights.json of label-attributes calibrate; wins over the ensemble's weights.",
)
catalog_option = click.option(
    "--catalog",
    type=click.Choice(("keep", "ignore")),
    help="Whether values that were not voted on keep what the catalog states.  [default: as the"
    " labels there were decided, else keep]",
)
_no_probe_option = click.option(
    "--no-probe", is_flag=True, help="Do not look first whether the models see pictures."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """What the user said of subjects, noun, weights, looks and seed."""

    subjects: str
    noun: str | None
    weights: Path | None
    no_probe: bool
    seed: int

    def settings(self, paying: Paying) -> "AskSettings":
        """Return what an ensemble is asked with."""
        from labeling.attributes.voting.asking import AskSettings  # noqa: PLC0415

        return AskSettings.of(
            self.subjects,
            self.noun,
            self.seed,
            weights=self.weights,
            batch=paying.batch,
            probe=not self.no_probe,
        )


def how_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --subjects, --noun, --weights, --no-probe and --seed, given as ``how``."""

    @functools.wraps(command)
    def with_how(
        *,
        subjects: str,
        noun: str | None,
        weights: Path | None,
        no_probe: bool,
        seed: int,
        **others: Any,
    ) -> Any:
        how = How(subjects=subjects, noun=noun, weights=weights, no_probe=no_probe, seed=seed)
        return command(how=how, **others)

    for option in (seed_option, _no_probe_option, weights_option, noun_option, subjects_option):
        with_how = option(with_how)
    return with_how
