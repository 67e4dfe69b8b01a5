from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

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
        )
    )
    assert population.labels.column("image_id").to_pylist() == [f"{at:016x}" for at in (1, 2)]
    assert population.margins.tolist() == [50, 28]
    assert population.left_out == {"unsure": 1, "catalog": 1}


def test_a_margin_is_not_rounded_below_itself(kit: SimpleNamespace, labelled: Any) -> None:
    made = [kit.label(at, margin=at / 100) for at in range(51)]
    assert read_population(labelled(made)).margins.tolist() == list(np.arange(51))


def test_a_label_that_was_audited_counts_as_the_votes_had_it(
    kit: SimpleNamespace, labelled: Any
) -> None:
    # red by the votes, blue by a person: with it the red that nobody judged became no
    voted = [kit.label(at, type="colour", value="red") for at in range(5)]
    workspace = labelled(voted)
    before = read_population(workspace)
    blue = kit.label(1, value="blue", origin="audited", auditor="ana", margin=None)
    red = kit.label(1, answer="no", origin="audited", auditor="ana")
    labelled([voted[0], red, blue, *voted[2:]], unaudited=[voted[1]])
    after = read_population(workspace)
    assert after.labels.equals(before.labels)
    assert after.digest == before.digest  # so that what was decided makes no plan stale


@pytest.mark.parametrize(
    "change", [{"answer": "no"}, {"margin": 0.4}, {"value": "blue"}, {"answer": "unsure"}]
)
def test_labels_decided_otherwise_have_another_digest(
    kit: SimpleNamespace, labelled: Any, change: dict[str, Any]
) -> None:
    before = read_population(labelled([kit.label(1), kit.label(2)]))
    after = read_population(labelled([kit.label(1), kit.label(2, **change)]))
    assert after.digest != before.digest


def test_without_voted_labels_there_is_nothing_to_audit(
    kit: SimpleNamespace, labelled: Any, tmp_path: Any
) -> None:
    with pytest.raises(WorkspaceError, match="label-attributes run"):
        read_population(Workspace(tmp_path / "empty"))
    with pytest.raises(WorkspaceError, match="no label here was voted"):
        read_population(labelled([kit.label(1, margin=None, origin="catalog")]))
    with pytest.raises(WorkspaceError, match="unsure"):
        read_population(labelled([kit.label(1, answer="unsure")]))
