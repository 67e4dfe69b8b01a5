"""Pictures of a catalog as vectors of CLIP, kept in the workspace's store of embeddings."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PIL import Image

from benchwright.clip.embedder import Embedder, Vectors
from benchwright.clip.embedding import Look, embed_looks
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.self_test import self_test
from benchwright.clip.store import EmbeddingStore
from benchwright.pictures import load_file, read_pixels, stored_bytes
from benchwright.progress import Progress
from benchwright.workspace import Workspace

MODEL, WEIGHTS = "ViT-B-32", "laion2b_s34b_b79k"


def clip_embedder(model: str = MODEL, weights: str | None = WEIGHTS) -> Embedder:
    """Return a model of open_clip that has passed its self-test, on a GPU where there is one.

    Raises UsageError when the extra is not installed, the model cannot be loaded or fails.
    """
    found = load_open_clip(model, weights, device="auto", instead="use --method phash")
    self_test(found)
    return found


def embed_pictures(
    pictures: Mapping[str, Path], embedder: Embedder, workspace: Workspace, progress: Progress
) -> Mapping[str, Vectors]:
    """Return the embedding of each picture, given by the hash of its stored bytes.

    What the workspace has is not made again, whatever run made it. Raises WorkspaceError when a
    picture of the catalog is missing or broken.
    """
    looks = [
        Look(sha256=sha256, pixels=partial(_pixels, sha256, path))
        for sha256, path in sorted(pictures.items())
    ]
    with EmbeddingStore(workspace.embeddings, embedder.identity, embedder.name) as store:
        vectors = embed_looks(looks, embedder, store, progress("embeddings, by batches"))
    return dict(zip((look.sha256 for look in looks), vectors, strict=True))


def _pixels(sha256: str, path: Path) -> Image.Image:
    # a catalog's picture is named by its hash and must be those very bytes
    return read_pixels(stored_bytes(path) if path.stem == sha256 else load_file(path))[1]
