"""What dialogues add to each figure: worked by hand, and by brute force from definition 17."""

from collections.abc import Sequence
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.records import FalsePremise, PlayedResponse
from evaluation.false_premise.metrics.amounts import amounts_of, derived_of, key_of, last
from evaluation.false_premise.metrics.corrections import CLASSES, Corrections, read_corrections
from evaluation.scoring.figures import Figure, Key, by_key, figures
from stand_ins.corrections import DETECTORS, answered, corrections, dialogue, turns


def scored(found: Corrections) -> dict[Key, Figure]:
    pictures = [one.image_id for one in found.dialogues]
    return dict(by_key(figures(amounts_of(found), pictures, 0, derived_of(found))))


def value(found: dict[Key, Figure], *key: str, detector: str | None = None) -> float | None:
    return found[key_of(*key, detector=detector)].value


def two_dialogues() -> Corrections:
    """An identity that ear corrects at turns 4 and 5 and nose at 4; a place, at 10, by ear alone.

    Nose takes the true turn 2 of the place for a correction, too.
    """
    told = {("fp-0001", "ear"): {4, 5}, ("fp-0001", "nose"): {4}}
    told |= {("fp-0002", "ear"): {10}, ("fp-0002", "nose"): {2}}
    asked = [dialogue(1), dialogue(2, "location", complexity="multi-target separated")]
    return corrections(
        asked, lambda one, turn, name: "yes" if turn in told[one.dialogue_id, name] else "no"
    )


@pytest.mark.parametrize(
    ("key", "detector", "above", "n"),
    [
        (("CorrTP@4",), "ear", 1, 2),
        (("CorrTP@4",), "nose", 1, 2),
        (("CorrTP@5",), "ear", 2, 4),
        (("CorrTP@10",), "ear", 3, 14),
        (("CorrTP@10",), "nose", 1, 14),
        (("CorrTP@10",), None, 2, 14),  # the mean of both
        (("CorrTP@10", "premise_class", "identity"), "ear", 2, 7),
        (("CorrTP@10", "premise_class", "identity"), None, 1.5, 7),
        (("CorrTP@10", "premise_class", "location"), "nose", 0, 7),
        (("CorrTP@10", "complexity", "multi-target separated"), "ear", 1, 7),
        (("CorrTP@10", "category", "animal"), "ear", 3, 14),
        (
            ("CorrTP@10", "premise_class and complexity", "location, multi-target separated"),
            *("ear", 1, 7),
        ),
        (("TurnCorr@5",), "ear", 1, 2),
        (("TurnCorr@10",), None, 0.5, 2),
        (("TurnCorr@6",), None, 0, 2),
        (("CorrFP@1",), "nose", 0, 2),
        (("CorrFP@2",), "nose", 1, 4),
        (("CorrFP@3",), "nose", 1, 6),
        (("CorrFP@3",), "ear", 0, 6),
        (("CorrFP@3", "premise_class", "location"), None, 0.5, 3),
        (("CorrTP@10", "baseline", "always_correcting"), None, 14, 14),
        (("CorrTP@10", "baseline", "never_correcting"), None, 0, 14),
        (("CorrFP@3", "baseline", "always_correcting"), None, 6, 6),
        (("CorrFP@3", "baseline", "never_correcting"), None, 0, 6),
    ],
)
def test_two_dialogues(key: tuple[str, ...], detector: str | None, above: float, n: int) -> None:
    figure = scored(two_dialogues())[key_of(*key, detector=detector)]
    assert figure.value == pytest.approx(above / n)
    assert figure.n == n


def test_the_change_from_the_first_turn_to_the_last() -> None:
    found = scored(two_dialogues())
    assert value(found, "TurnCorr change", detector="ear") == 0  # one of two, then the other
    assert value(found, "TurnCorr change", detector="nose") == -0.5
    assert value(found, "TurnCorr change") == -0.25
    assert value(found, "TurnCorr change", "premise_class", "location") == 0.5


def test_variants_stand_apart_where_there_are_some() -> None:
    asked = [dialogue(1), dialogue(2, variant=2, image_id=dialogue(1).image_id)]
    found = scored(corrections(asked, lambda one, turn, name: "yes" if one.variant == 2 else "no"))
    assert value(found, "CorrTP@10", "variant", "1") == 0
    assert value(found, "CorrTP@10", "variant", "2") == 1
    assert value(found, "CorrTP@10") == 0.5
    assert not any(key.by == "variant" for key in scored(two_dialogues()))


def test_one_detector_is_its_own_mean() -> None:
    found = scored(corrections([dialogue()], lambda *_: "yes", ("ear",)))
    assert value(found, "CorrTP@10") == value(found, "CorrTP@10", detector="ear") == 1


def test_only_true_premises_have_no_corrections_of_false_ones() -> None:
    some = corrections([dialogue(turns=turns(3, 4))], lambda *_: "no")
    found = scored(some)
    assert last(some) is None
    assert {key.metric for key in found} == {"CorrFP@1", "CorrFP@2", "CorrFP@3"}
    assert derived_of(read_corrections([], []).corrections) == []


@st.composite
def _run(draw: st.DrawFn) -> tuple[list[FalsePremise], list[PlayedResponse]]:
    asked, rows = [], []
    for number in range(draw(st.integers(1, 5))):
        count = draw(st.integers(1, 6))
        asked.append(
            dialogue(
                number,
                draw(st.sampled_from(CLASSES)),
                turns=turns(count, draw(st.integers(1, count + 1))),
                category=draw(st.sampled_from(["animal", "food"])),
                image_id=draw(st.sampled_from(["a", "b", "c"])),
            )
        )
        labels = draw(st.lists(st.sampled_from(["yes", "no"]), min_size=12, max_size=12))
        told = {
            (turn, name): labels[2 * (turn - 1) + at]
            for turn in range(1, count + 1)
            for at, name in enumerate(DETECTORS)
        }
        rows += answered(asked[-1], lambda turn, name, told=told: told[turn, name])  # type: ignore[misc]
    return asked, rows


def _brute(rows: Sequence[PlayedResponse], detector: str, metric: str, k: int) -> tuple[int, int]:
    """Definition 17, response by response."""
    chosen = [
        row
        for row in rows
        if row.has_false_premise == (metric != "CorrFP")
        and (row.turn == k if metric == "TurnCorr" else row.turn <= k)
    ]
    labels = [each.label for row in chosen for each in row.detectors if each.name == detector]
    return labels.count("yes"), len(labels)


@given(_run())
@settings(max_examples=40, deadline=None)
def test_all_figures_by_brute_force(run: tuple[list[FalsePremise], list[PlayedResponse]]) -> None:
    asked, rows = run
    category = {one.dialogue_id: one.category for one in asked}
    found = scored(read_corrections(rows, asked).corrections)
    parts = {"premise_class": lambda row: row.premise_class}
    parts["category"] = lambda row: category[row.dialogue_id]
    checked = 0
    for key, figure in found.items():
        metric, _, k = key.metric.partition("@")
        if not k or (key.by not in ("all", "detector") and key.by not in parts):
            continue
        chosen = [row for row in rows if key.by not in parts or parts[key.by](row) == key.of]
        names = [key.of] if key.by == "detector" else DETECTORS
        counts = [_brute(chosen, name, metric, int(k)) for name in names]
        wanted = mean(yes / n for yes, n in counts) if counts[0][1] else None
        assert figure.value == (wanted if wanted is None else pytest.approx(wanted))
        assert figure.n == counts[0][1]
        checked += 1
    assert checked
