"""The option of all steps in which models make what has rules to keep."""

import click

retries_option = click.option(
    "--max-retries",
    type=click.IntRange(0, 20),
    default=2,
    show_default=True,
    help="Attempts after the first, for answers that break a rule or are refused.",
)
