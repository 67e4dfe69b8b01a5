"""Candidate sets as a kind that ``run`` plays."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from benchwright.plain_text import counted
from evaluation.candidate_set import CONFIG
from evaluation.running.kind import Kind, RunOptions, Wish

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from evaluation.candidate_set.playing.asking import HowAsked
    from evaluation.candidate_set.playing.running import Material
    from evaluation.running.run import Ran
    from evaluation.scoring.protocol import Scoring


@click.command(CONFIG)
@click.option(
    "--box-format",
    type=click.Choice(("pixels", "thousandths", "fractions", "tagged")),
    default="thousandths",
    show_default=True,
    help="How the model is to write boxes: in pixels of the picture as it is sent, in thousandths"
    " or fractions of its sides, or between <box> tags, in thousandths. Take what it was trained"
    " on.",
)
@click.option(
    "--given-candidates",
    is_flag=True,
    help="List all boxes of the picture, in an order drawn by the seed, and let the model select.",
)
@click.option(
    "--instruction",
    type=click.Choice(("base", "aware", "stepwise")),
    default="base",
    show_default=True,
    help="What is said of the task: nothing more, to keep what nothing has ruled out, or that step"
    " by step.",
)
def _play(wish: Wish, box_format: Any, given_candidates: bool, instruction: Any) -> bool:
    from evaluation.candidate_set.playing.asking import HowAsked  # noqa: PLC0415
    from evaluation.candidate_set.playing.running import (  # noqa: PLC0415  # takes a second
        candidate_set_run,
        material_of,
    )
    from evaluation.running.carrying_out import carry_out  # noqa: PLC0415

    options = wish.options
    how = HowAsked(
        box_format=box_format,
        instruction=instruction,
        is_given=given_candidates,
        seed=options.seed,
        sample=options.sample,
    )
    name, player = options.name(), wish.player()
    material = material_of(wish.release, wish.config, options.episodes, options.seed)
    called = name or _called(player.name, material, how, options)
    return carry_out(
        wish,
        lambda pictures: candidate_set_run(wish.workspace, called, material, player, how, pictures),
        before=_lines_before(player.name, material, how),
        after=_lines_after,
        what="samples",
    )


def _scoring() -> "Scoring":
    from evaluation.candidate_set.metrics.tallying import SCORING  # noqa: PLC0415  # heavy

    return SCORING


CANDIDATE_SET = Kind(
    name=CONFIG, owns=lambda config: config == CONFIG, command=_play, scoring=_scoring
)


def _called(player: str, material: "Material", how: "HowAsked", options: RunOptions) -> str:
    """Return the name of a run whose user did not say."""
    from evaluation.running.naming import run_name  # noqa: PLC0415

    return run_name(
        player,
        material.config,
        material.release.name,
        "" if material.is_all else f"{material.dialogues}-dialogues",
        "" if how.box_format == "thousandths" else how.box_format,
        "given" if how.is_given else "",
        "" if how.instruction == "base" else how.instruction,
        *options.marks(),
    )


def _lines_before(player: str, material: "Material", how: "HowAsked") -> Iterator[str]:
    kinds = Counter(
        "a single object" if one.kind == "single" else "a set" if one.candidate_ids else "nothing"
        for one in material.samples
    )
    yield (
        f"{material.release.name}, {material.config}: {counted(material.dialogues, 'dialogue')},"
        f" {counted(len(material.samples), 'sample')}: "
        + ", ".join(f"{count:,} of {kind}" for kind, count in sorted(kinds.items()))
    )
    way = "selects of the boxes given" if how.is_given else f"gives boxes ({how.box_format})"
    yield f"{player} {way}; instruction: {how.instruction}"


def _lines_after(ran: "Ran") -> Iterator[str]:
    """Yield how the answers were read, the ways that are no answer among them."""
    from benchwright import store  # noqa: PLC0415
    from evaluation.candidate_set.playing.running import TABLE  # noqa: PLC0415

    rows = store.read_table(ran.folder, f"{TABLE}-*.parquet")
    routes = Counter(rows.column("read_by").to_pylist())
    if routes:
        said = ", ".join(f"{route} {count:,}" for route, count in sorted(routes.items()))
        yield f"read as: {said}"
    cut = rows.column("status").to_pylist().count("truncated")
    if cut:
        yield f"cut off at the cap: {cut:,} (max_tokens of the voter's file raises it)"
