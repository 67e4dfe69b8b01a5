"""The page of duplicates: what its histogram counts."""

import pytest

from builders.duplicates.hashes import Fingerprint
from builders.duplicates.pairs import PHASH_MARGIN, phash_pairs
from builders.duplicates.report import _bars
from builders.duplicates.settings import DedupSettings


@pytest.mark.parametrize("threshold", [0, 29, 30, 31, 100])
def test_every_pair_that_is_looked_for_has_a_bar(threshold: int) -> None:
    farthest = threshold + PHASH_MARGIN
    hashes = [0, (1 << farthest) - 1, (1 << farthest - 2) - 1 << farthest]
    prints = [
        Fingerprint(sha256="", pixels="", phash=f"{one:064x}", mirrored=None, chroma="80" * 32)
        for one in hashes
    ]
    near = phash_pairs(prints, None, threshold)
    assert sorted(near.all_distances.tolist())[:2] == [farthest - 2, farthest]
    bars = _bars(near, DedupSettings(threshold=threshold))
    assert sum(bar.count for bar in bars) == len(near.all_distances)
    assert all(bar.is_beyond for bar in bars if bar.count)
