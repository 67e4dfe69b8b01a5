"""Agreement of detectors: over all responses to false premises, and by class."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from evaluation.false_premise.metrics.raters import agreement_of_detectors, facts_of
from stand_ins.corrections import corrections, dialogue

ASKED = [dialogue(1), dialogue(2), dialogue(3, "location")]


def test_one_sided_counts_by_class() -> None:
    """Ear alone at turn 4 of all, nose alone at turn 5 of the place, both at 6; 1 to 3 are true."""
    told = {"ear": {1, 4, 6}, "nose": {2, 6}}
    found = agreement_of_detectors(
        corrections(
            ASKED,
            lambda one, turn, name: (
                "yes"
                if turn in told[name]
                or (name == "nose" and turn == 5 and one.premise_class == "location")
                else "no"
            ),
        ),
        seed=0,
    )
    assert [each.scope for each in found] == ["all", "identity", "location"]
    counts = [
        (c.both_yes, c.first_only, c.second_only, c.both_no)
        for c in (each.counts for each in found)
    ]
    assert counts == [(3, 3, 1, 14), (2, 2, 0, 10), (1, 1, 1, 4)]
    assert [each.judged for each in found] == [21, 14, 7]
    assert found[0].shares == (6 / 21, 4 / 21)
    assert found[0].exact.value == 17 / 21
    facts = next(facts_of(found))
    assert (facts["first_only"], facts["raters"]) == (3, ["ear", "nose"])


def test_three_detectors_make_three_pairs_and_one_makes_none() -> None:
    names = ("a", "b", "c")
    found = agreement_of_detectors(corrections(ASKED, lambda *_: "no", names), 0)
    pairs = [(each.first, each.second) for each in found if each.scope == "all"]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert {each.kappa.value for each in found} == {None}  # nobody reads any correction
    assert {each.exact.value for each in found} == {1}
    assert agreement_of_detectors(corrections(ASKED, lambda *_: "no", ("a",)), 0) == []


@given(st.lists(st.tuples(*[st.sampled_from(["yes", "no"])] * 2), min_size=21, max_size=21))
@settings(max_examples=25, deadline=None)
def test_kappa_is_that_of_scikit_learn(labels: list[tuple[str, str]]) -> None:
    at = {one.dialogue_id: 7 * number - 4 for number, one in enumerate(ASKED)}

    def said(one: str, turn: int, name: str) -> str:
        return "no" if turn < 4 else labels[at[one] + turn][name == "nose"]

    found = agreement_of_detectors(
        corrections(ASKED, lambda one, turn, name: said(one.dialogue_id, turn, name)), 0
    )[0]
    first, second = zip(*labels, strict=True)
    if len(set(first) | set(second)) < 2:
        assert found.kappa.value is None
    else:
        assert abs(found.kappa.value - cohen_kappa_score(first, second)) < 1e-12
