"""``python -m labeling.attributes.train_small_clip``: the small CLIP from nothing, in one go."""

from pathlib import Path

import click

from benchwright.commands import entry_point, progress_bar, say, seed_option


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("small-clip"),
    show_default=True,
    help="Folder of the checkpoint; its figures are written beside it.",
)
@seed_option
def train_small_clip(out: Path, seed: int) -> None:
    """Train the small CLIP on drawn garments, and measure it on others in other words."""
    from labeling.attributes.train_small_clip.evaluating import evaluate  # noqa: PLC0415
    from labeling.attributes.train_small_clip.make import make_small_clip  # noqa: PLC0415
    from labeling.attributes.train_small_clip.recipe import Recipe  # noqa: PLC0415

    recipe = Recipe(seed=seed)
    make_small_clip(out, recipe, say=say, progress=progress_bar)
    evaluate(out, recipe, say)


if __name__ == "__main__":
    entry_point(train_small_clip)()
