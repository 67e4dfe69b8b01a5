"""A small CLIP that learns eight colours here: from the checkpoint to calibrated votes.

Skipped where torch is not installed.
"""

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchwright.clip.drawings import COLOURS, WORDINGS, coloured
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.self_test import self_test
from benchwright.records import AttributeType, AttributeValue
from benchwright.workspace import Workspace
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.clip_thresholds import Margins, calibrate_clip, save_thresholds
from labeling.attributes.voting.clip_voter import clip_voting, thresholds_basis, thresholds_path
from labeling.attributes.voting.ensemble import ClipVoter, Ensemble, ViewSettings
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.views import shown
from labeling.attributes.voting.voter import ShownQuestion

_REASON = "IS NOT INSTALLED: NO REAL CLIP VOTED IN THIS RUN"
torch: Any = pytest.importorskip("torch", reason=f"torch {_REASON}")
open_clip: Any = pytest.importorskip("open_clip", reason=f"open_clip {_REASON}")

_MODEL = {
    "embed_dim": 32,
    "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "head_width": 32, "patch_size": 8},
    "text_cfg": {
        "context_length": 24,
        "vocab_size": 49408,
        "width": 32,
        "heads": 2,
        "layers": 2,
    },
}
_VIEWS = {"low": ViewSettings(long_side=48), "parts": ViewSettings(tiles=2)}
_CHANCE = ("checked", "flared")  # what it was never taught
VOCABULARY = Vocabulary(
    types=tuple(
        AttributeType(type=name, aliases=(), exclusive=True, complete=False, askable=True)
        for name in ("colour", "print")
    ),
    values=(
        *(AttributeValue(type="colour", value=c, aliases=(), templates=()) for c in COLOURS),
        *(AttributeValue(type="print", value=v, aliases=(), templates=()) for v in _CHANCE),
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A local-dir of open_clip with a model that was taught the eight colours."""
    place = tmp_path_factory.mktemp("taught")
    config = {"model_cfg": _MODEL, "preprocess_cfg": {}}
    (place / "open_clip_config.json").write_text(json.dumps(config), "utf-8")
    torch.manual_seed(0)
    network = open_clip.CLIP(**_MODEL)
    cfg = open_clip.transform.PreprocessCfg(size=32)
    prepare = open_clip.transform.image_transform_v2(cfg, is_train=False)
    drawn = list(coloured())
    pictures = torch.stack([prepare(one.picture) for one in drawn])
    names = list(COLOURS)
    wanted = torch.tensor([names.index(one.colour) for one in drawn])
    wordings = [*WORDINGS, "a {} dress", "a photo of a {} dress", "a dress in {}"]
    tokenizer = open_clip.get_tokenizer(f"local-dir:{place}")
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3)
    for step in range(80):
        texts = [wordings[(step + at) % len(wordings)].format(c) for at, c in enumerate(names)]
        seen, said, scale = network(pictures, tokenizer(texts))
        loss = torch.nn.functional.cross_entropy(scale * seen @ said.T, wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    torch.save(network.state_dict(), place / "model.pth")
    return place


def test_one_that_was_taught_passes_the_self_test(folder: Path) -> None:
    passed = self_test(load_open_clip(f"local-dir:{folder}"))
    assert passed.right is not None
    assert passed.right >= 20


def subjects(folder: Path, count: int) -> list[tuple[Subject, str]]:
    made = []
    rng = np.random.default_rng(1)
    for number in range(count):
        colour = list(COLOURS)[number % len(COLOURS)]
        pixels = np.full((64, 64, 3), 128.0)
        pixels[8:56, 8:56] = COLOURS[colour]
        pixels += rng.normal(scale=12, size=pixels.shape)
        path = folder / f"{number}.png"
        Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(path)
        subject = Subject(
            image_id=f"{number:016x}",
            object_id=None,
            path=path,
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            width=64,
            height=64,
            bbox=None,
            noun="dress",
        )
        made.append((subject, colour))
    return made


def question(
    subject: Subject, value: AttributeValue, template: int, view: str
) -> tuple[ShownQuestion, ...]:
    one = ShownQuestion(
        subject=subject,
        type=value.type,
        value=value.value,
        template=str(template),
        text="",
        view=view,
        pictures=shown(subject, _VIEWS[view], 0.2),
    )
    return (one,)


def test_from_a_checkpoint_to_calibrated_votes(folder: Path, tmp_path: Path) -> None:
    settings = ClipVoter(kind="clip", name="taught", model=f"local-dir:{folder}", batch=16)
    ensemble = Ensemble(voters=(settings,), views=_VIEWS, templates=2)
    workspace = Workspace(tmp_path)
    workspace.labels.mkdir()
    own = subjects(tmp_path, 96)
    truth = np.array(
        [
            1 if (value.value == colour if value.type == "colour" else number % 2) else -1
            for value in VOCABULARY.values
            for number, (_, colour) in enumerate(own)
        ]
    )
    asked = [(template, view) for template in (1, 2) for view in _VIEWS]
    questions = [
        [
            question(subject, value, template, view)
            for value in VOCABULARY.values
            for subject, _ in own
        ]
        for template, view in asked
    ]

    async def margins(voter: Any) -> np.ndarray:
        rows = [await asyncio.gather(*(voter.margins(one) for one in row)) for row in questions]
        return np.array(rows)[:, :, 0]

    with clip_voting(settings, ensemble, VOCABULARY, workspace) as voter:
        measured = asyncio.run(margins(voter))
    some = Margins(
        values=tuple((value.type, value.value) for value in VOCABULARY.values),
        columns=np.repeat(np.arange(len(VOCABULARY.values)), len(own)).astype(np.int32),
        questions=tuple((str(template), view) for template, view in asked),
        margins=measured,
    )
    known = Known(
        truth=truth.astype(np.int8),
        counts=np.ones(len(truth), bool),
        weights=np.ones(len(truth)),
    )
    found = calibrate_clip(some, known)
    embedder = load_open_clip(settings.model)
    save_thresholds(
        thresholds_path(workspace, "taught"), found, thresholds_basis(embedder, ensemble)
    )
    with clip_voting(settings, ensemble, VOCABULARY, workspace) as voter:
        ballots = asyncio.run(votes(voter, questions[0]))
    answers = np.array([ballot.answer for ballot in ballots]).reshape(-1, len(own))
    truth = truth.reshape(answers.shape)
    colours = len(COLOURS)
    right = truth == np.where(answers == "yes", 1, -1)
    balanced = [
        (own[side == 1].mean() + own[side == -1].mean()) / 2
        for own, side in zip(right[:colours], truth, strict=False)
    ]
    assert np.mean(balanced) > 0.85
    assert (answers[colours:] == "unsure").all()  # what it was never taught


async def votes(voter: Any, questions: list[tuple[ShownQuestion, ...]]) -> list[Any]:
    given = await asyncio.gather(*(voter.vote(one) for one in questions))
    return [ballot for (ballot,) in given]
