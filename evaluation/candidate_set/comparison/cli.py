"""The command run-benchmark grounding-set."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.commands import say
from benchwright.plain_text import counted

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from evaluation.candidate_set.comparison.expressions import Expression, Unused

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group("grounding-set")
def grounding_set_command() -> None:
    """Make RefCOCOg, gRefCOCO or Flickr30k Entities a folder that is played as candidate sets.

    The folder is loaded and played like a release, for a comparison with it: run-benchmark OUT.
    """


def _into_folder(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --images and --out."""
    command = click.option(
        "--out", type=_FOLDER, required=True, help="The folder to make; it must not be there."
    )(command)
    return click.option(
        "--images",
        type=_FOLDER,
        required=True,
        help="The folder with the pictures of the set, at any depth below it.",
    )(command)


def _split_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--split",
        default=default,
        show_default=True,
        help="The expressions to take, by the split that the file names.",
    )


@grounding_set_command.command("refcocog")
@click.argument("refs", type=_FILE)
@click.argument("instances", type=_FILE)
@_split_option("test")
@_into_folder
def _refcocog(refs: Path, instances: Path, split: str, images: Path, out: Path) -> None:
    """Read RefCOCOg: REFS is its refs(umd).p, or the same as JSON; INSTANCES its instances.json.

    The pickle is read as plain values; one that does more is refused. Every expression means one
    object.
    """
    from evaluation.candidate_set.comparison.coco_refs import refcocog  # noqa: PLC0415

    _write("refcocog", refcocog(refs, instances, split), images, out)


@grounding_set_command.command("grefcoco")
@click.argument("refs", type=_FILE)
@click.argument("instances", type=_FILE)
@_split_option("testA")
@_into_folder
def _grefcoco(refs: Path, instances: Path, split: str, images: Path, out: Path) -> None:
    """Read gRefCOCO: REFS is its grefs(unc).json, INSTANCES its instances.json.

    An expression means one object, several or none; all are scored as sets.
    """
    from evaluation.candidate_set.comparison.coco_refs import grefcoco  # noqa: PLC0415

    _write("grefcoco", grefcoco(refs, instances, split), images, out)


@grounding_set_command.command("flickr30k")
@click.argument("folder", type=_FOLDER)
@click.option(
    "--only", type=_FILE, help="A file with the ids of the pictures to take.  [default: test.txt]"
)
@_into_folder
def _flickr30k(folder: Path, only: Path | None, images: Path, out: Path) -> None:
    """Read Flickr30k Entities: FOLDER has Annotations, Sentences and the lists of its splits.

    Every phrase means one box; where it has several, the smallest one around them.
    """
    from evaluation.candidate_set.comparison.flickr30k import flickr30k  # noqa: PLC0415

    _write("flickr30k", flickr30k(folder, only or folder / "test.txt"), images, out)


def _write(name: str, rows: "Iterable[Expression | Unused]", images: Path, out: Path) -> None:
    from evaluation.candidate_set.comparison.picture_folder import PictureFolder  # noqa: PLC0415
    from evaluation.candidate_set.comparison.writing import (  # noqa: PLC0415  # takes a second
        UNUSED,
        write_grounding_set,
    )

    made = write_grounding_set(name, rows, PictureFolder.of(images), out)
    kinds = ", ".join(f"{count:,} of {kind}" for kind, count in sorted(made.kinds.items()))
    say(f"{name}: {counted(made.samples, 'sample')}, {kinds}; {counted(made.pictures, 'picture')}")
    if made.reasons:
        reasons = "; ".join(f"{reason}: {count:,}" for reason, count in made.reasons.items())
        say(f"left out: {sum(made.reasons.values()):,} ({reasons}); {out / UNUSED} names them")
    say(f"next: run-benchmark {out} --model NAME --base-url URL")
