"""Hidden-target as a kind that ``run`` plays."""

from typing import TYPE_CHECKING

import click

from benchwright.commands import progress_bar, say
from evaluation.hidden_target.running.options import GameOptions, game_options
from evaluation.running.kind import Kind, Wish

if TYPE_CHECKING:
    from evaluation.scoring.protocol import Scoring

_PREFIX = "hidden-target-"


@click.command("hidden-target")
@game_options
def _play(wish: Wish, game: GameOptions) -> bool:
    from evaluation.hidden_target.running.command import (  # noqa: PLC0415  # takes a second
        Wanted,
        run_episodes,
        say_estimates,
    )

    options, name = wish.options, wish.options.name()
    cast, how = game.cast(wish.named), game.how(options.seed, options.sample)
    material = game.material(wish.release, wish.config, options.episodes, options.seed)
    wanted = Wanted(material=material, cast=cast, how=how, name=name)
    spending = wish.paying.spending()
    if wish.paying.estimate:
        say_estimates(wish.workspace, wanted, spending, wish.how(), say=say)
        return True
    return run_episodes(
        wish.workspace,
        wanted,
        spending,
        wish.how(),
        force=wish.is_forced,
        say=say,
        progress=progress_bar,
    )


def _scoring() -> "Scoring":
    from evaluation.hidden_target.scoring.tallying import (  # noqa: PLC0415  # takes a second
        SCORING,
    )

    return SCORING


HIDDEN_TARGET = Kind(
    name="hidden-target",
    owns=lambda config: config.startswith(_PREFIX),
    command=_play,
    scoring=_scoring,
)
