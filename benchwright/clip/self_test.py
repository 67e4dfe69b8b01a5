"""What a model must get right before a run believes it.

1. Preprocessing: what the network is given of plain pictures is (level - mean) / std by channel,
   as its config claims. A wrong order of channels, scale, mean or std is caught exactly.
2. Soundness: unlike pictures have unlike embeddings, and a picture has the same embedding alone
   and among others.
3. Where embeddings were recorded beside the checkpoint: they must come again (``recorded``).
   That catches everything, a wrong activation and a config that is wrong itself among it.
4. Else known answers: of 24 drawn pictures in eight colours at least half must be nearest to
   their colour's name (chance: one in eight), and swapping GELU for its quick form must not make
   it six pictures better.
"""

from dataclasses import dataclass

import numpy as np
from PIL import Image

from benchwright.clip.drawings import COLOURS, WORDINGS, cards, coloured
from benchwright.clip.embedder import Embedder, TestableEmbedder, unit_rows
from benchwright.clip.recorded import compare
from benchwright.errors import UsageError

LEAST_RIGHT = 0.5
MUCH_BETTER = 6  # pictures that the other activation gets right in addition
_SAME = 1e-4  # of a cosine
_ALIKE = 0.9999  # the cosine of two unlike pictures that no working model reaches
_NEAR = 1e-3  # of what the network is given, in standard deviations


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """What a model was found to do: of ``pictures`` known ones it got ``right``.

    ``least_cosine`` is that to the recorded embeddings; each is null where the other was tested.
    """

    right: int | None
    pictures: int | None
    least_cosine: float | None


def self_test(embedder: TestableEmbedder) -> Passed:
    """Test a model by what is known; raise UsageError, one line, when it fails."""
    _check_preprocessing(embedder)
    _check_soundness(embedder)
    if embedder.recorded is not None and embedder.recorded.is_file():
        least = compare(embedder, embedder.recorded)
        return Passed(right=None, pictures=None, least_cosine=least)
    right, pictures = colours_right(embedder)
    with embedder.other_activation() as is_swapped:
        other = colours_right(embedder)[0] if is_swapped else 0
    if other - right >= MUCH_BETTER:
        raise UsageError(
            f"{embedder.name}: knows {right} of {pictures} plain colours, and {other} with the"
            " other activation: it was trained with that; take the model whose name ends in"
            " -quickgelu, or the one without"
        )
    if right < LEAST_RIGHT * pictures:
        raise UsageError(
            f"{embedder.name}: knows only {right} of {pictures} plain colours"
            f" (wanted {LEAST_RIGHT:.0%}, chance is {1 / len(COLOURS):.0%}): wrong weights,"
            " preprocessing or tokenizer; one that never learnt colours needs its embeddings"
            " recorded beside it (docs/labels.md says how)"
        )
    return Passed(right=right, pictures=pictures, least_cosine=None)


def colours_right(embedder: Embedder) -> tuple[int, int]:
    """Return how many of the coloured pictures are nearest to their colour, and of how many."""
    names = list(COLOURS)
    worded = embedder.texts([wording.format(name) for name in names for wording in WORDINGS])
    centres = unit_rows(worded.reshape(len(names), len(WORDINGS), -1).mean(axis=1))
    drawn = list(coloured())
    vectors = embedder.pictures(one.picture for one in drawn)
    nearest = (vectors @ centres.T).argmax(axis=1)
    right = [names[at] == one.colour for at, one in zip(nearest, drawn, strict=True)]
    return sum(right), len(right)


def _check_preprocessing(embedder: TestableEmbedder) -> None:
    for levels in ((200, 90, 30), (10, 60, 250)):
        given = embedder.prepared(Image.new("RGB", (97, 61), levels))
        height, width = given.shape[1] // 2, given.shape[2] // 2  # the edge may be padded
        wanted = (np.array(levels) / 255 - embedder.mean) / embedder.std
        if not np.allclose(given[:, height, width], wanted, atol=_NEAR):
            shown = [round(float(value), 3) for value in given[:, height, width]]
            raise UsageError(
                f"{embedder.name}: its preprocessing makes {shown} of the colour {levels}, and by"
                f" the mean and std of its config it is {[round(float(v), 3) for v in wanted]}:"
                " channels, mean or std are wrong; bring back the config that belongs to it"
            )


def _check_soundness(embedder: Embedder) -> None:
    drawn = list(cards().values())
    together = embedder.pictures(drawn)
    alone = embedder.pictures(drawn[:1])
    same = float(together[0].astype(np.float64) @ alone[0])
    if abs(1 - same) > _SAME:
        raise UsageError(
            f"{embedder.name}: the embedding of a picture changes with what else is in its batch"
            f" (cosine {same:.4f}); the model is not set to evaluation, use another one"
        )
    alike = together @ together.T
    np.fill_diagonal(alike, -1)
    if alike.max() > _ALIKE:
        raise UsageError(
            f"{embedder.name}: gives unlike pictures the same embedding (cosine"
            f" {alike.max():.5f}): its weights are missing or broken; use another one"
        )
