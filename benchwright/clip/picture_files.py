"""Pictures in files as vectors of CLIP, kept in the workspace's store of embeddings."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PIL import Image

from benchwright.clip.embedder import Embedder, Vectors
from benchwright.clip.embedding import ViewOfPicture, embed_views
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.self_test import self_test
from benchwright.clip.spreading import Spread
from benchwright.clip.store import EmbeddingStore
from benchwright.pictures import load_file, read_pixels, stored_bytes
from benchwright.progress import Progress
from benchwright.workspace import Workspace


def tested_model(model: str, weights: str | None, *, instead: str) -> Embedder:
    """Return a model of open_clip that has passed its self-test, on a GPU where there is one.

    ``instead`` says what can be done without the extra clip. Raises UsageError when that is not
    installed, the model cannot be loaded or fails.
    """
    found = load_open_clip(model, weights, device="auto", instead=instead)
    self_test(found)
    return found


def embed_pictures(
    pictures: Mapping[str, Path],
    embedder: Embedder,
    workspace: Workspace,
    progress: Progress,
    spread: Spread | None = None,
) -> Mapping[str, Vectors]:
    """Return the embedding of each picture, given by the hash of its stored bytes.

    What the workspace has is not made again, whatever run made it. Raises WorkspaceError when a
    picture of the catalog is missing or broken.
    """
    views = [
        ViewOfPicture(sha256=sha256, pixels=partial(_pixels, sha256, path))
        for sha256, path in sorted(pictures.items())
    ]
    with EmbeddingStore(workspace.embeddings, embedder.identity, embedder.name) as store:
        vectors = embed_views(views, embedder, store, progress("embeddings, by batches"), spread)
    return dict(zip((view.sha256 for view in views), vectors, strict=True))


def _pixels(sha256: str, path: Path) -> Image.Image:
    # a catalog's picture is named by its hash and must be those very bytes
    return read_pixels(stored_bytes(path) if path.stem == sha256 else load_file(path))[1]
