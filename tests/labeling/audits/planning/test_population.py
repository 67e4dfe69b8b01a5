from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchwright.decisions.standing import standing
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.planning.population import read_population


def test_only_voted_labels_of_yes_and_no_are_audited(kit: SimpleNamespace, labelled: Any) -> None:
    population = read_population(
        labelled(
            [
                kit.label(1),
                kit.label(2, answer="no", margin=0.2899999),
                kit.label(3, answer="unsure", margin=0.0),
                kit.label(4, margin=None, origin="catalog"),
            ]
        ),
        {},
    )
    assert population.labels.column("image_id").to_pylist() == [f"{at:016x}" for at in (1, 2)]
    assert population.margins.tolist() == [50, 28]
    assert population.left_out == {"unsure": 1, "catalog": 1}


def test_a_margin_is_not_rounded_below_itself(kit: SimpleNamespace, labelled: Any) -> None:
    made = [kit.label(at, margin=at / 100) for at in range(51)]
    assert read_population(labelled(made), {}).margins.tolist() == list(np.arange(51))


def test_a_label_that_was_audited_counts_as_the_votes_had_it(
    kit: SimpleNamespace, labelled: Any
) -> None:
    voted = [kit.label(at) for at in range(5)]
    before = read_population(labelled(voted), {})
    decided = standing([kit.decision(1, "no")])
    audited = kit.label(1, answer="no", origin="audited", auditor="ana")
    after = read_population(labelled([voted[0], audited, *voted[2:]]), decided)
    assert after.labels.equals(before.labels)
    assert after.digest == before.digest  # so that what was decided makes no plan stale
    unknown = read_population(labelled([voted[0], audited, *voted[2:]]), {})
    assert len(unknown) == 4
    assert unknown.left_out == {"audited without a decision": 1}


@pytest.mark.parametrize(
    "change", [{"answer": "no"}, {"margin": 0.4}, {"value": "blue"}, {"answer": "unsure"}]
)
def test_labels_decided_otherwise_have_another_digest(
    kit: SimpleNamespace, labelled: Any, change: dict[str, Any]
) -> None:
    before = read_population(labelled([kit.label(1), kit.label(2)]), {})
    after = read_population(labelled([kit.label(1), kit.label(2, **change)]), {})
    assert after.digest != before.digest


def test_without_voted_labels_there_is_nothing_to_audit(
    kit: SimpleNamespace, labelled: Any, tmp_path: Any
) -> None:
    with pytest.raises(WorkspaceError, match="label-attributes run"):
        read_population(Workspace(tmp_path / "empty"), {})
    with pytest.raises(WorkspaceError, match="no label here was voted"):
        read_population(labelled([kit.label(1, margin=None, origin="catalog")]), {})
    with pytest.raises(WorkspaceError, match="unsure"):
        read_population(labelled([kit.label(1, answer="unsure")]), {})
