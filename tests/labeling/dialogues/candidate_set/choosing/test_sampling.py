from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Item
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import choosing_folder, read_choices
from labeling.dialogues.candidate_set.choosing.filtering import filter_dialogues
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings
from labeling.dialogues.candidate_set.choosing.sampling import (
    in_order_of_drawing,
    sample_dialogues,
)
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.candidate_set.funnel import count_funnel
from labeling.dialogues.candidate_set.report import after_filter, next_line
from stand_ins.dialogues import catalog_of, spoken_about, with_objects_laid_over

COUNTS = st.dictionaries(st.text(max_size=4), st.integers(2, 6), max_size=40)
SEEDS = st.integers(0, 3)


@given(COUNTS, st.integers(0, 45), SEEDS)
def test_a_sample_is_as_even_as_it_can_be(counts: dict[str, int], total: int, seed: int) -> None:
    drawn = Counter(counts[name] for name in in_order_of_drawing(counts, seed)[:total])
    there = Counter(counts.values())
    assert drawn.total() == min(total, len(counts))
    most = max(drawn.values(), default=0)
    for count, size in there.items():
        assert drawn[count] >= min(size, most - 1)


@given(COUNTS, SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_the_dialogues_does_not_matter(
    counts: dict[str, int], seed: int, chance: "object"
) -> None:
    names = list(counts)
    chance.shuffle(names)  # type: ignore[attr-defined]
    order = in_order_of_drawing(counts, seed)
    assert in_order_of_drawing({name: counts[name] for name in names}, seed) == order
    assert sorted(order) == sorted(counts)


def test_another_seed_draws_others_and_other_counts_first() -> None:
    counts = {f"{count}-{number}": count for count in (2, 3, 4) for number in range(30)}
    orders = [in_order_of_drawing(counts, seed) for seed in range(20)]
    assert len({tuple(order[:30]) for order in orders}) == 20
    # no count is always the one that gets what is left over
    assert {counts[order[0]] for order in orders} == {2, 3, 4}


def many() -> list[Item]:
    items = [spoken_about(f"d{number:03d}", width=400, height=400) for number in range(200)]
    return with_objects_laid_over(items, most=12)


def kept(workspace: Workspace) -> set[str]:
    return {one.dialogue_id for one in read_choices(workspace, "sampled") if one.reason is None}


def test_a_larger_sample_holds_the_smaller_one(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, *many())
    filtered = filter_dialogues(workspace).manifest.counts["kept"]
    samples = []
    for dialogues in (10, 60, filtered, filtered + 1):
        found = sample_dialogues(workspace, dialogues)
        assert found.is_new
        left = filtered - min(dialogues, filtered)
        assert found.manifest.counts == {
            "dialogues": filtered, "kept": min(dialogues, filtered)
        }  # fmt: skip
        assert found.manifest.reasons == ({"not_sampled": left} if left else {})
        samples.append(kept(workspace))
    assert samples[0] < samples[1] < samples[2] == samples[3]
    assert list(map(len, samples)) == [10, 60, filtered, filtered]
    sample_dialogues(workspace, 60, seed=1)
    assert kept(workspace) != samples[1]


def test_a_sample_that_stands_is_left_alone(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, *many())
    filter_dialogues(workspace)
    first = sample_dialogues(workspace, 20)
    again = sample_dialogues(workspace, 20)
    assert (again.manifest, again.choices, again.is_new) == (first.manifest, first.choices, False)
    forced = sample_dialogues(workspace, 20, force=True)
    assert forced.is_new
    assert forced.manifest.files == first.manifest.files


@pytest.mark.parametrize(
    ("item", "helps"),
    [
        (spoken_about(candidates=[]), "build the catalog of rows that list all boxes"),
        (spoken_about(image=None), "build the catalog with pictures: build-catalog invig"),
        (spoken_about(lines=[]), "dialogues that have lines"),
        (spoken_about(target=None), "dialogues that have a target's box"),
        (spoken_about(candidates=[(10.0, 10.0, 20.0, 40.0)]), "with other thresholds"),
    ],
)
def test_where_the_filter_kept_nothing_it_says_what_helps(
    tmp_path: Path, item: Item, helps: str
) -> None:
    workspace = catalog_of(tmp_path, item)
    found = filter_dialogues(workspace)
    assert helps in after_filter(found, workspace)
    assert helps in next_line(count_funnel(workspace), workspace)
    with pytest.raises(UsageError, match=f"kept no dialogue to sample; .*{helps}"):
        sample_dialogues(workspace)
    with pytest.raises(UsageError, match=f"no dialogue is left .*{helps}"):
        draft_candidate_sets(workspace)


def test_what_a_sample_needs(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run build-catalog first"):
        sample_dialogues(Workspace(tmp_path / "empty"))
    workspace = catalog_of(tmp_path / "w", spoken_about("d1"))
    with pytest.raises(WorkspaceError, match="run build-dialogues candidate-set filter first"):
        sample_dialogues(workspace)
    filter_dialogues(workspace, FilterSettings(fewest_of_category=4))
    with pytest.raises(UsageError, match="the filter kept no dialogue to sample"):
        sample_dialogues(workspace)
    assert not choosing_folder(workspace, "sampled").exists()
    catalog_of(tmp_path / "w", spoken_about("d1"), spoken_about("d2"))
    with pytest.raises(WorkspaceError, match=r"filtered: is of another catalog; run .* filter"):
        sample_dialogues(workspace)
