"""The lines of a score, and the page that says what they mean."""

import json
from collections.abc import Mapping
from pathlib import Path

from benchwright.decisions.on_responses import JudgedResponse
from evaluation.false_premise.metrics.amounts import amounts_of, derived_of
from evaluation.false_premise.metrics.corrections import CLASSES, Corrections, Missing
from evaluation.false_premise.metrics.studies import Studies, studied
from evaluation.false_premise.metrics.table import lines_of
from evaluation.scoring.figures import figures
from stand_ins.corrections import corrections, dialogue, turns

PAGE = (Path(__file__).parents[4] / "docs" / "false-premise-scores.md").read_text("utf-8")
LAST_CORRECTED = {"identity": 10, "attribute": 6, "location": 4}


def some(detectors: tuple[str, ...] = ("ear", "nose")) -> Corrections:
    """Twelve targets of each class, two of which have two variants; nose errs at turn 7."""
    asked = [dialogue(number, CLASSES[number % 3]) for number in range(36)]
    asked += [
        dialogue(100 + at, one.premise_class, variant=2, image_id=one.image_id)
        for at, one in enumerate(asked[:6])
    ]
    return corrections(
        asked,
        lambda one, turn, name: (
            "yes"
            if (4 <= turn <= LAST_CORRECTED[one.premise_class]) != (turn == 7 and name == "nose")
            else "no"
        ),
        detectors,
    )


def studies_of(
    found: Corrections,
    judged: Mapping[tuple[str, int], JudgedResponse] | None = None,
    own: tuple[str, ...] = (),
) -> Studies:
    return studied(found, own, judged or {}, seed=0)


def said(found: Corrections, studies: Studies | None = None, *missing: Missing) -> list[str]:
    pictures = [one.image_id for one in found.dialogues]
    shown = figures(amounts_of(found), pictures, 0, derived_of(found))
    return list(lines_of(found, missing, studies or studies_of(found), shown))


def begins(lines: list[str], start: str) -> str:
    """Return the line that begins so, and those that go on with it."""
    at = next(at for at, line in enumerate(lines) if line.startswith(start))
    rest = []
    for line in lines[at + 1 :]:
        if not line.startswith(" " * 20):
            break
        rest.append(line.strip())
    return " ".join([lines[at], *rest])


def test_what_matters_most_comes_first() -> None:
    """Of seven false turns 7, 3 and 1 by ear, 6, 4 and 2 by nose."""
    lines = said(some())
    assert lines[0].split() == [
        *("CorrTP@10", "mean", "95", "%", "interval"),
        *("detector", "1", "detector", "2", "responses"),
    ]
    assert begins(lines, "all").split() == [
        *("all", "54.8%", "44.8", "to", "64.9", "52.4%", "57.1%", "294")
    ]
    assert begins(lines, "  location").split() == ["location", "21.4%", "-", "14.3%", "28.6%", "98"]
    assert begins(lines, "TurnCorr").split() == [
        *("TurnCorr", "100.0%", "66.7%", "66.7%", "50.0%", "33.3%", "33.3%", "33.3%")
    ]
    assert begins(lines, "from turn") == "from turn 4 to 10   -66.7 pt (-82.9 to -50.0)"
    assert begins(lines, "true premises") == (
        "true premises       0.0% corrected all the same (-; 126 responses)"
    )
    assert begins(lines, "order") == (
        "order               tied at turns 4 to 7; identity > attribute > location at turns 8 to 10"
    )
    assert begins(lines, "fewer pictures") == (
        "fewer pictures      with replacement: the order held in 100.0% (10 a cell) of 1,000 draws"
    )
    assert begins(lines, "variants").startswith(
        "variants            6 targets with several; 1: tied; 2: tied; of 1,000 draws between them"
        " identity > attribute 0.0%"
    )
    assert begins(lines, "  all").split() == [
        *("all", "0.712", "0.686", "to", "0.716", "85.7%", "14", "28", "294")
    ]
    assert not any(line.startswith(("own judge", "missing", "kappa on")) for line in lines)
    assert max(map(len, lines)) <= 85


def test_three_detectors_stay_on_a_line() -> None:
    lines = said(some(("ear", "nose", "eye")))
    assert lines[0].endswith(" det. 1 det. 2 det. 3 responses")
    assert begins(lines, "all").split()[-4:] == ["52.4%", "57.1%", "52.4%", "294"]
    assert sum(line.startswith("detectors ") for line in lines) == 3  # each two of them
    assert max(map(len, lines)) <= 80


def test_one_detector_has_no_column_beside_the_share() -> None:
    lines = said(some(("ear",)))
    assert lines[0].split() == ["CorrTP@10", "share", "95", "%", "interval", "responses"]
    assert begins(lines, "all").split() == ["all", "52.4%", "40.3", "to", "64.7", "294"]


def test_a_model_among_its_judges() -> None:
    lines = said(some(), studies_of(some(), own=("nose",)))
    assert begins(lines, "own judge") == (
        "own judge           nose is the model itself; by the others CorrTP@10 is 52.4%"
    )
    alone = said(some(("nose",)), studies_of(some(("nose",)), own=("nose",)))
    assert begins(alone, "own judge").endswith("by the others CorrTP@10 is -")
    assert not any(line.startswith("detectors") for line in alone)


def test_people_beside_detectors() -> None:
    found = some()
    judged = {
        (one.dialogue_id, turn): JudgedResponse(
            by_person={"ana": says, "bo": says}, answer=says, is_drawn=True
        )
        for one in found.dialogues[:18]
        for turn in (5, 7)
        for says in ("yes" if turn <= LAST_CORRECTED[one.premise_class] else "no",)
    }
    lines = said(found, studies_of(found, judged))
    assert begins(lines, "kappa on").split()[-4:] == ["identity", "attribute", "location", "n"]
    assert begins(lines, "  person 1, detector 1").split() == [
        *("person", "1,", "detector", "1", "1.000", "-", "-", "1.000", "-", "36")
    ]
    # nose errs in half of what was judged
    assert begins(lines, "  person 2, detector 2").split()[4] == "0.000"
    corrected = [line for line in lines if line.startswith("CorrTP@10")][1]
    assert corrected.split()[1:3] == ["detectors", "corrected"]
    assert "not the mean of the classes" in lines[-1]
    json.dumps(studies_of(found, judged).facts(), allow_nan=False)


def test_what_lacks_is_said() -> None:
    missing = [
        Missing(dialogue_id="fp-a", turns=(9, 10), labels={}),
        Missing(dialogue_id="fp-b", turns=(), labels={"nose": (4,), "ear": (4, 5)}),
    ]
    lines = said(some(), None, *missing)
    assert lines[:3] == [
        "missing             2 responses",
        "missing             2 labels of ear",
        "missing             1 label of nose",
    ]


def test_runs_of_which_little_can_be_said() -> None:
    # only true premises: no CorrTP, no orders
    true = corrections([dialogue(turns=turns(3, 4))], lambda *_: "no")
    assert [line.split()[0] for line in said(true)] == ["true"]
    # only false ones, at one turn, of one class
    false = corrections([dialogue(turns=turns(1, 1))], lambda *_: "yes")
    lines = said(false)
    assert begins(lines, "all").split() == ["all", "100.0%", "-", "100.0%", "100.0%", "1"]
    assert not any(line.startswith(("from turn", "true", "order", "fewer")) for line in lines)
    # nothing at all
    assert said(corrections([], lambda *_: "no")) == []


def test_every_figure_and_division_is_explained() -> None:
    found = some()
    keys = [*amounts_of(found)[0], *(each.key for each in derived_of(found))]
    for metric in {key.metric.partition("@")[0] for key in keys}:
        assert f"`{metric}" in PAGE, metric
    for division in {key.by for key in keys}:
        if division != "all" and not division.endswith(", detector"):
            assert f"`{division}`" in PAGE, division
    for baseline in {key.of for key in keys if key.by == "baseline"}:
        assert f"`{baseline}`" in PAGE, baseline
    for study in ("order", "fewer pictures", "variants", "own judge"):
        assert f"`{study}`" in PAGE, study
