"""The real open_clip, with small models of random weights; skipped where torch is not installed."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchwright.clip.drawings import cards, coloured
from benchwright.clip.open_clip_model import OpenClip, load_open_clip
from benchwright.clip.recorded import compare, write_recorded
from benchwright.clip.self_test import self_test
from benchwright.errors import UsageError

torch: Any = pytest.importorskip(
    "torch", reason="torch IS NOT INSTALLED: NO REAL CLIP WAS TRIED IN THIS RUN"
)
open_clip: Any = pytest.importorskip(
    "open_clip", reason="open_clip IS NOT INSTALLED: NO REAL CLIP WAS TRIED IN THIS RUN"
)
safetensors: Any = pytest.importorskip("safetensors.torch")

_MODEL = {
    "embed_dim": 32,
    "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "head_width": 32, "patch_size": 8},
    "text_cfg": {
        "context_length": 32,
        "vocab_size": 49408,
        "width": 32,
        "heads": 2,
        "layers": 2,
    },
}
_PREPROCESS = {"mean": [0.5, 0.4, 0.3], "std": [0.2, 0.25, 0.3]}


def write_config(folder: Path, *, preprocess: Any = _PREPROCESS, **model: Any) -> None:
    config = {"model_cfg": _MODEL | model, "preprocess_cfg": preprocess}
    (folder / "open_clip_config.json").write_text(json.dumps(config), "utf-8")


@pytest.fixture(scope="session")
def weights() -> dict[str, Any]:
    torch.manual_seed(0)
    network = open_clip.CLIP(**_MODEL)
    return {name: each.clone().contiguous() for name, each in network.state_dict().items()}


@pytest.fixture
def folder(tmp_path: Path, weights: dict[str, Any]) -> Path:
    write_config(tmp_path)
    safetensors.save_file(weights, tmp_path / "open_clip_model.safetensors")
    return tmp_path


def loaded(folder: Path, **options: Any) -> OpenClip:
    return load_open_clip(f"local-dir:{folder}", **options)


def test_embeddings_are_those_of_open_clip(folder: Path) -> None:
    embedder = loaded(folder, batch=3)
    network, _, prepare = open_clip.create_model_and_transforms(f"local-dir:{folder}")
    network.eval()
    drawn = list(cards().values())
    with torch.inference_mode():
        wanted = network.encode_image(torch.stack([prepare(one) for one in drawn]), normalize=True)
        tokens = open_clip.get_tokenizer(f"local-dir:{folder}")(["a red dress", "blue"])
        worded = network.encode_text(tokens, normalize=True)
    vectors = embedder.pictures(drawn)
    assert (vectors.dtype, vectors.shape) == (np.float32, (4, 32))
    assert np.allclose(vectors, wanted.numpy(), atol=1e-6)
    assert np.allclose(embedder.texts(["a red dress", "blue"]), worded.numpy(), atol=1e-6)
    assert (embedder.pictures(drawn) == vectors).all()
    assert (loaded(folder, batch=3).pictures(iter(drawn)) == vectors).all()
    assert len(embedder.pictures([])) == len(embedder.texts([])) == 0


def test_embeddings_do_not_hang_on_what_else_is_in_a_batch() -> None:
    """Mostly to the last bit; after other models in one process the last bit was seen to differ."""
    embedder = load_open_clip("embedded", batch=24)
    some = list(coloured())[:13]
    drawn = [one.picture for one in some]
    said = [f"a {one.colour} dress, the one of number {at}" for at, one in enumerate(some)]
    kinds: list[tuple[Any, Any]] = [(embedder.pictures, drawn), (embedder.texts, said)]
    for make, each in kinds:
        whole = make(each)
        for part in (slice(5, 6), slice(3, 6), slice(6, 13)):  # odd numbers, none of which is whole
            assert np.allclose(make(each[part]), whole[part], rtol=0, atol=1e-6)


def test_the_identity_is_that_of_weights_architecture_and_preprocessing(
    folder: Path, weights: dict[str, Any]
) -> None:
    first = loaded(folder).identity
    # the same weights in another kind of file, under another name
    (folder / "open_clip_model.safetensors").unlink()
    torch.save({"state_dict": weights}, folder / "another.pth")
    assert loaded(folder).identity == first
    identities = {first}
    write_config(folder, quick_gelu=True)
    identities.add(loaded(folder).identity)
    write_config(folder, preprocess=_PREPROCESS | {"mean": [0.5, 0.5, 0.5]})
    identities.add(loaded(folder).identity)
    heads = _MODEL["vision_cfg"] | {"head_width": 16}  # type: ignore[operator]
    write_config(folder, vision_cfg=heads)  # the same weights fit
    identities.add(loaded(folder).identity)
    write_config(folder)
    changed = {name: each + 1e-3 for name, each in weights.items() if each.is_floating_point()}
    torch.save(weights | changed, folder / "another.pth")
    identities.add(loaded(folder).identity)
    assert len(identities) == 5


def test_activations_are_swapped_and_brought_back(folder: Path) -> None:
    embedder = loaded(folder)
    drawn = list(cards().values())
    before = embedder.pictures(drawn)
    with embedder.other_activation() as is_swapped:
        assert is_swapped
        quick = embedder.pictures(drawn)
    assert not (quick == before).all()
    assert (embedder.pictures(drawn) == before).all()
    write_config(folder, quick_gelu=True)
    assert (loaded(folder).pictures(drawn) == quick).all()


def test_random_weights_know_no_colour(folder: Path) -> None:
    with pytest.raises(UsageError, match="of 24 plain colours"):
        self_test(loaded(folder))


@pytest.mark.parametrize(
    "change",
    [
        {"quick_gelu": True},
        {"preprocess": _PREPROCESS | {"mean": [0.48, 0.46, 0.41]}},
        {"preprocess": _PREPROCESS | {"std": [0.3, 0.25, 0.2]}},
        {"preprocess": _PREPROCESS | {"interpolation": "bilinear"}},
        {"preprocess": _PREPROCESS | {"resize_mode": "squash"}},
    ],
)
def test_recorded_embeddings_catch_a_wrong_config(folder: Path, change: dict[str, Any]) -> None:
    made = loaded(folder)
    assert made.recorded is not None
    write_recorded(made.recorded, made, ["a red dress", "a dress with a v-neck"])
    assert self_test(loaded(folder)).least_cosine == pytest.approx(1, abs=1e-7)
    write_config(folder, **change)
    with pytest.raises(UsageError, match="activation, preprocessing or tokenizer"):
        self_test(loaded(folder))


def test_recorded_embeddings_hold_for_weights_kept_in_half(
    folder: Path, weights: dict[str, Any]
) -> None:
    made = loaded(folder)
    write_recorded(folder / "known_embeddings.json", made, ["red"])
    (folder / "open_clip_model.safetensors").unlink()
    torch.save({name: each.half() for name, each in weights.items()}, folder / "half.pth")
    assert compare(loaded(folder), folder / "known_embeddings.json") > 0.99999


def test_what_is_pickled_in_a_checkpoint_never_runs(folder: Path, tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"

    class Trap:
        def __reduce__(self) -> Any:
            return (sprung.touch, ())

    (folder / "open_clip_model.safetensors").unlink()
    for name in ("bad.pth", "bad.bin"):
        torch.save({"state_dict": {"visual.proj": Trap()}}, folder / name)
        with pytest.raises(UsageError, match="cannot be loaded"):
            loaded(folder)
        (folder / name).write_bytes(pickle.dumps(Trap()))
        with pytest.raises(UsageError, match="cannot be loaded"):
            loaded(folder)
        (folder / name).unlink()
    assert not sprung.exists()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "open_clip_model.safetensors").unlink(),  # no weights
        lambda folder: (folder / "open_clip_model.safetensors").write_bytes(b"x" * 99),
        lambda folder: (folder / "open_clip_config.json").write_text("[]", "utf-8"),
        lambda folder: (folder / "open_clip_config.json").write_text("{", "utf-8"),
        lambda folder: (folder / "open_clip_config.json").write_text('{"model_cfg": {}}', "utf-8"),
        lambda folder: write_config(folder, embed_dim=33),  # another shape
        lambda folder: write_config(folder, preprocess={"mean": "grey"}),
        lambda folder: write_config(folder, what=1),
        lambda folder: (folder / "bpe_x.txt.gz").write_bytes(b"no gzip"),
    ],
)
def test_a_model_that_is_broken_is_one_line(folder: Path, spoil: Any) -> None:
    spoil(folder)
    with pytest.raises(UsageError, match="cannot be loaded") as caught:
        loaded(folder)
    assert "\n" not in str(caught.value)


def test_a_device_that_is_none(folder: Path) -> None:
    for device in ("gpu", "cuda:99", ""):
        with pytest.raises(UsageError, match="torch cannot use it here"):
            loaded(folder, device=device)
    assert loaded(folder, device="auto").pictures([Image.new("RGB", (5, 9))]).shape == (1, 32)


def test_names_of_open_clip_itself() -> None:
    with pytest.raises(UsageError, match="near it are ViT-B-32"):
        load_open_clip("ViT-B-33", "openai")
    with pytest.raises(UsageError, match="without weights"):
        load_open_clip("ViT-B-32")
    with pytest.raises(UsageError, match="near it are laion2b_s34b_b79k"):
        load_open_clip("ViT-B-32", "laion2b_s34b_b79")
