"""What a dataset declares."""

from types import SimpleNamespace
from typing import Any

import pytest

from labeling.audits.app.declaration import Declaration, facet_types, types_with_views


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", None], "text"),
        ([1, 2], "whole"),
        ([1, 2.5], "real"),  # a whole number is a real one, too
        ([2.5, 1], "real"),
        ([True, False], "flag"),
        ([None], "text"),
    ],
)
def test_types_of_facets(app_kit: SimpleNamespace, values: list[Any], kind: str) -> None:
    tasks = [app_kit.task(n, facets={"found": value}) for n, value in enumerate(values)]
    assert facet_types(tasks) == {"found": kind}


@pytest.mark.parametrize("values", [["a", 1], [True, 1], [1.5, "a"]])
def test_facets_of_two_types(app_kit: SimpleNamespace, values: list[Any]) -> None:
    tasks = [app_kit.task(n, facets={"found": value}) for n, value in enumerate(values)]
    with pytest.raises(ValueError, match="the facet 'found' is"):
        facet_types(tasks)


@pytest.mark.parametrize("name", ["task", "slot_1", "filepath", "a.b", "$a", "_id", "A", ""])
def test_names_that_no_facet_can_have(app_kit: SimpleNamespace, name: str) -> None:
    with pytest.raises(ValueError, match="no facet can be called"):
        facet_types([app_kit.task(1, facets={name: 1})])


def test_the_most_frequent_types_have_views(app_kit: SimpleNamespace) -> None:
    tasks = [
        app_kit.task(n, facets={"type": f"type {kind:02d}"})
        for n, kind in enumerate(kind for kind in range(40) for _ in range(1 + (kind >= 10)))
    ]
    assert types_with_views(tasks) == tuple(f"type {kind:02d}" for kind in range(10, 40))
    assert types_with_views([app_kit.task(1, facets={"type": None})]) == ()


def test_where_the_pictures_are_declares_nothing_new() -> None:
    said: dict[str, Any] = {
        "name": "attributes",
        "kind": "attributes",
        "blind": False,
        "workspace": "0",
        "facets": {},
        "types": (),
    }
    one = Declaration(**said, images="/a", auditors=("ana",))
    assert one.digest() == Declaration(**said, images="/b", auditors=("ana",)).digest()
    assert one.digest() != Declaration(**said, images="/a", auditors=("ana", "bo")).digest()
