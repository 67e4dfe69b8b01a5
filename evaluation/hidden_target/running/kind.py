"""Hidden-target as a kind that ``run`` plays."""

from typing import TYPE_CHECKING

import click

from evaluation.hidden_target.running.options import GameOptions, game_options
from evaluation.running.kind import Kind, RunOptions, Wish

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from evaluation.hidden_target.running.cast import Cast
    from evaluation.hidden_target.running.material import Material
    from evaluation.hidden_target.running.running import HowPlayed
    from evaluation.scoring.protocol import Scoring

_PREFIX = "hidden-target-"


@click.command("hidden-target")
@game_options
def _play(wish: Wish, game: GameOptions) -> bool:
    from evaluation.hidden_target.running.report import (  # noqa: PLC0415
        difference_lines,
        material_lines,
        played_lines,
    )
    from evaluation.hidden_target.running.running import hidden_target_run  # noqa: PLC0415
    from evaluation.running.carrying_out import carry_out  # noqa: PLC0415

    options = wish.options
    cast, how = game.cast(wish.named), game.how(options.seed, options.sample)
    material = game.material(wish.release, wish.config, options.episodes, options.seed)
    name = options.name() or _name(material, cast, how, options)
    is_compared = wish.paying.estimate or not isinstance(cast.player, str)
    return carry_out(
        wish,
        lambda pictures: hidden_target_run(wish.workspace, name, material, cast, how, pictures),
        before=(
            *material_lines(material, cast),
            *(difference_lines(material) if is_compared else ()),
        ),
        after=lambda ran: played_lines(ran, material, cast, how),
        what="episodes",
    )


def _name(material: "Material", cast: "Cast", how: "HowPlayed", options: RunOptions) -> str:
    from evaluation.hidden_target.game import Rules  # noqa: PLC0415
    from evaluation.hidden_target.running.cast import name_of  # noqa: PLC0415
    from evaluation.running.naming import run_name  # noqa: PLC0415

    turns = material.rules.turns
    return run_name(
        name_of(cast.player),
        material.config,
        material.release.name,
        "" if material.is_all else f"{len(material.galleries)}-episodes",
        "" if turns == Rules().turns else f"{turns}-turns",
        *how.noise.marks(),
        *options.marks(),
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
