"""Embeddings by CLIP, where the ``clip`` extra is installed; nothing else here needs torch."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from benchwright.errors import UsageError

MODEL, WEIGHTS = "ViT-B-32", "laion2b_s34b_b79k"
BATCH = 32

Embed = Callable[[Sequence[Path]], np.ndarray]
"""From pictures to float32 of shape (n, d), rows of any length but 0."""


def clip_embedder(model: str = MODEL, weights: str | None = WEIGHTS) -> Embed:
    """Return the function that embeds pictures with a model of open_clip.

    Raises UsageError when the extra is not installed, or when the model cannot be loaded.
    """
    try:
        import open_clip  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
        import torch  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            "--method clip needs open_clip and torch, which are not installed; run "
            "pip install 'benchwright[clip]', or use --method phash"
        ) from error
    try:
        network, _, prepare = open_clip.create_model_and_transforms(model, pretrained=weights)
    except (RuntimeError, ValueError, OSError) as error:
        raise UsageError(
            f"the CLIP model {model} with {weights} cannot be loaded: {error}"
        ) from error
    network.eval()

    def embed(paths: Sequence[Path]) -> np.ndarray:
        pictures = []
        for path in paths:
            with Image.open(path) as image:
                pictures.append(prepare(image.convert("RGB")))
        with torch.inference_mode():
            found = network.encode_image(torch.stack(pictures))
        return np.asarray(found.float().numpy(), np.float32)

    return embed


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Return float32 rows of length 1.

    Raises UsageError for a row that is 0 or not finite: the model is broken then.
    """
    wide = np.asarray(vectors, np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise UsageError("the model gave an embedding that is zero or no number; use another one")
    return np.asarray(wide / lengths, np.float32)
