"""Question chains as a kind that ``run`` plays."""

from typing import TYPE_CHECKING

import click

from evaluation.running.kind import Kind, RunOptions, Wish

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from evaluation.question_chain.playing.material import Material
    from evaluation.question_chain.settings import Past
    from evaluation.scoring.protocol import Scoring

CONFIG = "question-chain"


@click.command(CONFIG)
@click.option(
    "--modes",
    metavar="MODE,MODE",
    help="What is asked: the next question (planning), the answer to the true one (following), the"
    " last question after the chain (final) or without it (alone).  [default: all]",
)
@click.option(
    "--history",
    type=click.Choice(("true", "own")),
    default="true",
    show_default=True,
    help="Whose answers go before a question of following: the true ones, or the model's own.",
)
@click.option(
    "--circular",
    is_flag=True,
    help="Ask each question once for each rotation of its options; it counts when all are right.",
)
@click.option(
    "--options",
    "size",
    type=click.IntRange(2, 26),
    help="Give so many options to choose from, as far as there are distractors: of other steps and"
    " of other chains of the category.  [default: those of the release]",
)
@click.option(
    "--blindfold", is_flag=True, help="Leave the pictures out: what texts alone give away."
)
def _play(
    wish: Wish,
    modes: str | None,
    history: "Past",
    circular: bool,
    size: int | None,
    blindfold: bool,
) -> bool:
    from evaluation.question_chain.playing.material import material_of  # noqa: PLC0415
    from evaluation.question_chain.playing.report import (  # noqa: PLC0415
        material_lines,
        played_lines,
    )
    from evaluation.question_chain.playing.running import question_chain_run  # noqa: PLC0415
    from evaluation.question_chain.settings import ChainSettings, named_modes  # noqa: PLC0415
    from evaluation.running.carrying_out import carry_out  # noqa: PLC0415

    settings = ChainSettings(
        modes=named_modes(modes),
        history=history,
        is_circular=circular,
        options=size,
        is_blindfold=blindfold,
        seed=wish.options.seed,
    ).checked()
    player = wish.player()
    material = material_of(wish.release, wish.config, settings, wish.options.episodes)
    name = wish.options.name() or _name(material, player.name, wish.options)
    return carry_out(
        wish,
        lambda pictures: question_chain_run(
            wish.workspace,
            name,
            material,
            player,
            wish.options.sample,
            pictures,
            in_turn=wish.is_for_person,
        ),
        before=material_lines(material, player.name),
        after=played_lines,
        what="chains",
    )


def _scoring() -> "Scoring":
    from evaluation.question_chain.metrics.tallying import SCORING  # noqa: PLC0415  # heavy

    return SCORING


QUESTION_CHAIN = Kind(
    name=CONFIG, owns=lambda config: config == CONFIG, command=_play, scoring=_scoring
)


def _name(material: "Material", player: str, options: RunOptions) -> str:
    from evaluation.running.naming import run_name  # noqa: PLC0415

    return run_name(
        player,
        material.config,
        material.release.name,
        "" if material.is_all else f"{len(material.chains)}-chains",
        *material.settings.conditions(),
        *options.marks(),
    )
