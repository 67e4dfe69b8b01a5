"""False premises as a kind that ``run`` plays."""

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from benchwright.errors import UsageError
from evaluation.running.kind import Kind, RunOptions, Wish

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from evaluation.false_premise.playing.material import Material
    from evaluation.false_premise.playing.running import Cast
    from evaluation.scoring.protocol import Scoring

CONFIG = "false-premise"


@click.command(CONFIG)
@click.option(
    "--detectors",
    metavar="NAME,NAME",
    default="",
    help="The voters of the file that say whether an answer corrects its question; they see texts"
    " alone. Named later, they label the answers that are there.",
)
def _play(wish: Wish, detectors: str) -> bool:
    from evaluation.false_premise.lost_labels import lost_labels  # noqa: PLC0415
    from evaluation.false_premise.playing.material import material_of  # noqa: PLC0415
    from evaluation.false_premise.playing.report import (  # noqa: PLC0415
        material_lines,
        next_text,
        played_lines,
        responses_of,
    )
    from evaluation.false_premise.playing.running import (  # noqa: PLC0415
        adds_detectors,
        false_premise_run,
        plan_of,
    )
    from evaluation.running.carrying_out import carry_out  # noqa: PLC0415

    cast = _cast(wish, _names(detectors))
    material = material_of(wish.release, wish.config, wish.options.episodes, wish.options.seed)
    name = wish.options.name() or _name(material, cast, wish.options)
    plan = plan_of(name, material, cast, wish.options.seed)
    if not wish.is_forced and adds_detectors(wish.workspace, name, plan):
        wish = replace(wish, is_forced=True)  # nothing of it is lost
    is_played = carry_out(
        wish,
        lambda pictures: false_premise_run(wish.workspace, plan, name, material, cast, pictures),
        before=material_lines(material, cast),
        after=lambda ran: played_lines(ran, cast),
        what="dialogues",
        then=next_text,
    )
    if wish.paying.estimate or not is_played:
        return is_played
    return not any(lost_labels(responses_of(wish.workspace.runs / name)).values())


def _scoring() -> "Scoring":
    from evaluation.false_premise.metrics.tallying import SCORING  # noqa: PLC0415  # heavy

    return SCORING


FALSE_PREMISE = Kind(
    name=CONFIG, owns=lambda config: config == CONFIG, command=_play, scoring=_scoring
)


def _names(detectors: str) -> list[str]:
    names = [name for part in detectors.split(",") if (name := part.strip())]
    if len(set(names)) < len(names):
        raise UsageError(f"--detectors {detectors}: names one of them twice")
    return names


def _cast(wish: Wish, detectors: list[str]) -> "Cast":
    from evaluation.false_premise.playing.running import Cast  # noqa: PLC0415
    from evaluation.running.naming import check_voters  # noqa: PLC0415

    judges = tuple(wish.named.judge("--detectors", name) for name in sorted(detectors))
    cast = Cast(player=wish.player(detectors), detectors=judges, sample=wish.options.sample)
    check_voters(cast.voters())
    return cast


def _name(material: "Material", cast: "Cast", options: RunOptions) -> str:
    from evaluation.running.naming import run_name  # noqa: PLC0415

    return run_name(
        cast.player.name,
        material.config,
        material.release.name,
        "" if material.is_all else f"{len(material.dialogues)}-dialogues",
        *options.marks(),
    )
