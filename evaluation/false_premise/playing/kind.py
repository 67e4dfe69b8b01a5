"""False premises as a kind that ``run`` plays."""

import click

from evaluation.running.kind import Kind, Wish

CONFIG = "false-premise"


@click.command(CONFIG)
@click.option(
    "--detectors",
    metavar="NAME,NAME",
    default="",
    help="The voters of the file that say whether an answer corrects its premise; they see texts"
    " alone. Name them later and the answers that are there are labelled.",
)
def _play(wish: Wish, detectors: str) -> bool:
    raise NotImplementedError


FALSE_PREMISE = Kind(name=CONFIG, owns=lambda config: config == CONFIG, command=_play)
