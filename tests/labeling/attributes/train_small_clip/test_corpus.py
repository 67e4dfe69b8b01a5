"""Drawings to learn from: their truth, and that the sample has none of them."""

import numpy as np

from benchwright.progress import no_progress
from builders.sample.garments import TYPES, even_garments, sample_garments
from labeling.attributes.train_small_clip.corpus import VALUES, draw_corpus


def test_pictures_and_truth_belong_together() -> None:
    corpus = draw_corpus(6, 48, 5, no_progress)
    assert corpus.pictures.shape == (6, 48, 48, 3)
    for row, garment in zip(corpus.truth, even_garments(6, 5), strict=True):
        shown = [VALUES[at] for at in np.flatnonzero(row)]
        assert shown == list(garment.values)
    again = draw_corpus(6, 48, 5, no_progress)
    assert (again.pictures == corpus.pictures).all()
    assert (draw_corpus(6, 48, 6, no_progress).pictures != corpus.pictures).any()


def test_values_are_drawn_evenly() -> None:
    garments = even_garments(3_000, 0)
    for kind, values in TYPES.items():
        for value in values:
            share = sum(garment.value(kind) == value for garment in garments) / len(garments)
            # "sleeveless" is drawn by two types and by the halter neck, so it is commoner
            most = 2.2 if value == "sleeveless" else 1.4
            assert 0.6 < share * len(values) < most, (kind, value)


def test_the_sample_has_none_of_them() -> None:
    trained = {garment.values for garment in even_garments(16_000, 0)}
    sample = [garment.values for garment in sample_garments(600, 0)]
    assert not trained & set(sample)
