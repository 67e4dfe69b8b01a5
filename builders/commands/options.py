"""Options that several commands of ``build-catalog`` share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path

import click

workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    help="Worker processes; by default one for each processor.",
)
_link_option = click.option(
    "--link",
    is_flag=True,
    help="Leave picture files where they are, as links, where they need no change.",
)
_placeholder_option = click.option(
    "--placeholder",
    "placeholders",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Refuse these bytes from links: a picture that says 'not available', or a text with a "
    "sha256 a line.",
)
_dead_option = click.option(
    "--max-dead-links",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Fail when more of the links give no picture, such as 0.5.  [default: no limit]",
)


def picture_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options on pictures, and hand them to the command as ``rules``."""

    @_link_option
    @_placeholder_option
    @_dead_option
    @wraps(command)
    def with_rules(
        *,
        link: bool,
        placeholders: tuple[Path, ...],
        max_dead_links: float | None,
        **others: object,
    ) -> None:
        from builders.rules import PictureRules, placeholders_in  # noqa: PLC0415

        rules = PictureRules(
            link=link, placeholders=placeholders_in(placeholders), most_dead=max_dead_links
        )
        command(rules=rules, **others)

    return with_rules
