"""The stratified bootstrap over cells."""

from itertools import product

from benchwright.records import FalsePremise
from evaluation.false_premise.metrics.cells import cell_study
from evaluation.false_premise.metrics.corrections import CLASSES, Corrections
from stand_ins.corrections import corrections, dialogue

COMPLEXITIES = ("clean", "separated")
CATEGORIES = ("animal", "food")


def cells(each: int) -> list[FalsePremise]:
    """So many pictures in each of twelve cells."""
    kinds = [*product(COMPLEXITIES, CATEGORIES, CLASSES)] * each
    return [
        dialogue(number, name, complexity=complexity, category=category)
        for number, (complexity, category, name) in enumerate(kinds)
    ]


def first_turns(counts: dict[str, int], each: int) -> Corrections:
    """In each cell so many pictures of a class are corrected, at all turns."""
    return corrections(
        cells(each),
        lambda one, *_: "yes" if int(one.image_id, 16) // 12 < counts[one.premise_class] else "no",
    )


def test_an_order_that_always_holds() -> None:
    # by all, by some and by none of each cell: no draw can tell otherwise
    found = cell_study(first_turns({"identity": 20, "attribute": 15, "location": 0}, 20), 0, 100)
    assert found is not None
    assert (found.order, found.cells, found.smallest, found.draws) == (CLASSES, 12, 20, 100)
    # 25 and 30 pictures of a cell there are not
    sizes = [(one.size, one.is_put_back) for one in found.found]
    assert sizes == [(s, put) for s in (10, 15, 20) for put in (True, False)]
    for one in found.found:
        if not one.is_put_back and one.size > 10:
            assert one.held == 1
        assert one.held > 0.9


def test_an_order_that_hangs_on_the_pictures() -> None:
    found = cell_study(first_turns({"identity": 6, "attribute": 5, "location": 1}, 12), 3, 400)
    assert found is not None
    held = {one.is_put_back: one.held for one in found.found}
    assert 0.5 < held[True] < 0.95
    assert held[True] != held[False]
    # the same seed, the same draws
    assert found == cell_study(
        first_turns({"identity": 6, "attribute": 5, "location": 1}, 12), 3, 400
    )


def test_all_of_each_cell_is_the_sample_itself() -> None:
    found = cell_study(first_turns({"identity": 6, "attribute": 5, "location": 1}, 10), 0, 50)
    assert found is not None
    assert {one.held for one in found.found if not one.is_put_back} == {1.0}


LAST_CORRECTED = {"identity": 10, "attribute": 5, "location": 0}


def falling(asked: list[FalsePremise]) -> Corrections:
    """Identity is corrected at all turns, attribute at two, location never."""
    return corrections(
        asked, lambda one, turn, _: "yes" if turn <= LAST_CORRECTED[one.premise_class] else "no"
    )


def test_dialogues_of_a_picture_are_one_unit() -> None:
    asked = cells(10)
    twins = [
        dialogue(
            5_000 + at,
            one.premise_class,
            image_id=one.image_id,
            complexity=one.complexity,
            category=one.category,
        )
        for at, one in enumerate(asked)
    ]
    found = cell_study(falling([*asked, *twins]), 0, 10)
    assert found is not None
    assert found.smallest == 10  # pictures, not dialogues
    assert {one.size for one in found.found} == {10}


def test_cells_that_are_too_small_are_not_drawn() -> None:
    found = cell_study(falling(cells(9)), 0, 10)
    assert found is not None
    assert (found.smallest, found.found) == (9, ())


def test_without_an_order_nothing_is_drawn() -> None:
    assert cell_study(corrections(cells(10), lambda *_: "no"), 0) is None
    assert cell_study(corrections([], lambda *_: "no"), 0) is None
