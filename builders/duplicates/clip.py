"""Which CLIP looks for near-duplicates."""

from benchwright.clip.embedder import Embedder
from benchwright.clip.picture_files import tested_model

MODEL, WEIGHTS = "ViT-B-32", "laion2b_s34b_b79k"


def clip_embedder(model: str = MODEL, weights: str | None = WEIGHTS) -> Embedder:
    """Return a model of open_clip; raises as ``tested_model`` does."""
    return tested_model(model, weights, instead="use --method phash")
