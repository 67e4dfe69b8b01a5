"""open_clip as a voter: a picture is compared with a caption that has the value and one without.

The margin is the cosine with the first less that with the second, which is the log-odds of a
softmax over the two, but for the model's scale. It is not a softmax over the values of an
exclusive type: a vote would then change when a value is added or merged, and a picture that shows
none of them would still get one. That one value excludes the others is settled once, for all
voters, when labels are decided.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from benchwright.asking.requests import PicturePart
from benchwright.clip.embedder import Embedder
from benchwright.clip.embedding import ViewOfPicture
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.self_test import self_test
from benchwright.clip.shown_pixels import ShownPixels
from benchwright.clip.spreading import Spread
from benchwright.clip.store import EmbeddingStore
from benchwright.errors import UsageError
from benchwright.store import digest_of
from benchwright.workspace import Workspace
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.captions import CaptionPair, caption_pair, captions_digest
from labeling.attributes.voting.clip_thresholds import Thresholds, load_thresholds
from labeling.attributes.voting.embedding_queue import EmbeddingQueue
from labeling.attributes.voting.ensemble import ClipVoter, Ensemble
from labeling.attributes.voting.site import HERE, Site
from labeling.attributes.voting.voter import Ballot, ShownQuestion

_PER_PICTURE = 64  # questions about one picture that may be under way together


class ClipVoting:
    """Compares what is shown with the k-th pair of captions, k being the template's number."""

    def __init__(
        self,
        settings: ClipVoter,
        vocabulary: Vocabulary,
        embedder: Embedder,
        store: EmbeddingStore,
        thresholds: Thresholds | None = None,
        spread: Spread | None = None,
    ) -> None:
        self.name = settings.name
        self.embedder = embedder
        self.at_once = _PER_PICTURE * settings.batch
        self._cut = settings.cut
        self._thresholds = thresholds or {}
        self._types = {entry.type: entry for entry in vocabulary.types}
        self._values = {(value.type, value.value): value for value in vocabulary.values}
        self._gathered = EmbeddingQueue(embedder, store, spread)
        self._pixels = ShownPixels()

    async def vote(self, questions: tuple[ShownQuestion, ...]) -> tuple[Ballot, ...]:
        """Return one ballot for each question; see ``Voting``.

        Yes from the value's cut on, or from that of the settings where none was calibrated;
        unsure where calibration cannot tell the voter from chance.
        """
        margins = await self.margins(questions)
        return tuple(map(self._ballot, questions, margins))

    async def margins(self, questions: Sequence[ShownQuestion]) -> tuple[float, ...]:
        """Return the margin of each question, to six digits, -2 to 2; all are about one view.

        Of a view in parts it is the greatest of the parts' margins, since the value shows where
        it is; for a value that claims that something is missing it is the least.
        """
        if not questions:
            return ()
        pairs = [self._pair(question) for question in questions]
        looks = [self._view(part) for part in questions[0].pictures]
        texts = [text for pair in pairs for text in (pair.with_value, pair.without)]
        pictured, worded = await self._gathered.embed(looks, texts)
        shown = np.stack(pictured).astype(np.float64)
        return tuple(
            _margin(shown, worded[2 * at], worded[2 * at + 1], pair)
            for at, pair in enumerate(pairs)
        )

    def close(self) -> None:
        """End the thread that embeds."""
        self._gathered.close()

    def _ballot(self, question: ShownQuestion, margin: float) -> Ballot:
        place = (question.type, question.value, question.template, question.view)
        known = self._thresholds.get(place)
        if known is None:
            return Ballot(answer="yes" if margin >= self._cut else "no", status="ok")
        if known.is_chance or known.cut is None:
            return Ballot(answer="unsure", status="ok")
        p_yes = known.p_yes(margin)
        return Ballot(answer="yes" if margin >= known.cut else "no", status="ok", p_yes=p_yes)

    def _pair(self, question: ShownQuestion) -> CaptionPair:
        value = self._values.get((question.type, question.value))
        if value is None:
            raise UsageError(
                f"{question.type}: {question.value}: stands in no vocabulary that voter"
                f" {self.name} was given; ask for values of vocabulary.yaml"
            )
        number = int(question.template)
        return caption_pair(self._types[value.type], value, question.subject.noun, number)

    def _view(self, part: PicturePart) -> ViewOfPicture:
        return ViewOfPicture(
            sha256=part.sha256, view=part.view, pixels=partial(self._pixels.picture, part)
        )


def _margin(
    shown: np.ndarray, with_value: np.ndarray, without: np.ndarray, pair: CaptionPair
) -> float:
    margins = shown @ (with_value.astype(np.float64) - without.astype(np.float64))
    return round(float(margins.min() if pair.of_all_parts else margins.max()), 6)


def thresholds_path(workspace: Workspace, voter: str) -> Path:
    """Return where the thresholds of a clip voter are kept."""
    return workspace.labels / f"clip-{voter}.json"


def thresholds_in_use(workspace: Workspace, settings: ClipVoter) -> Path | None:
    """Return the file of thresholds that counts: the workspace's own, else what is named."""
    own = thresholds_path(workspace, settings.name)
    return own if own.is_file() else settings.thresholds


def thresholds_basis(embedder: Embedder, ensemble: Ensemble) -> str:
    """Return the digest of what thresholds hang on: model, captions, views and context."""
    views = {name: view.model_dump(mode="json") for name, view in ensemble.views.items()}
    return digest_of([embedder.identity, captions_digest(), views, ensemble.context])


@contextmanager
def clip_voting(
    settings: ClipVoter,
    ensemble: Ensemble,
    vocabulary: Vocabulary,
    workspace: Workspace,
    site: Site = HERE,
    *,
    calibrated: bool = True,
) -> Iterator[ClipVoting]:
    """Load a model, test it by what is known, and give the voter with its calibrated thresholds.

    Pictures are embedded where the site has them embedded, texts here.
    Unless it is to be ``calibrated`` thresholds are not looked at, wherever they lie.

    Raises UsageError when the extra clip is missing, when the model cannot be loaded or fails its
    test, and when the thresholds cannot be read or are of something else.
    """
    load = partial(
        load_open_clip,
        settings.model,
        settings.pretrained,
        device=settings.device,
        batch=settings.batch,
    )
    embedder = load()
    self_test(embedder)
    path = thresholds_in_use(workspace, settings) if calibrated else None
    thresholds = None
    if path is not None:
        thresholds = load_thresholds(path, thresholds_basis(embedder, ensemble))
    with EmbeddingStore(workspace.embeddings, embedder.identity, embedder.name) as store:
        voter = ClipVoting(
            settings, vocabulary, embedder, store, thresholds, site.spread(load, embedder.identity)
        )
        try:
            yield voter
        finally:
            voter.close()
