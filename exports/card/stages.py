"""The stages that a release was made of, with those that came before them."""

from collections.abc import Mapping

from benchwright import store
from exports.building.making import Making
from exports.contents.private_answers import without_traces

Stages = Mapping[str, store.Manifest]


def stages_of(making: Making) -> Stages:
    """Return the manifests by the folder of the stage, in the order of the work.

    Where answers are private those of drafts and votes have no seed, as in the lock.
    """
    given = making.gathered.inputs
    found: dict[str, store.Manifest] = {}
    for name in sorted(given, key=_place):
        before = "labels/votes" if name == "labels" else f"{name}/drafts"
        manifest = store.load_manifest(making.workspace.root / before)
        if manifest is not None:
            is_private = making.settings.private_answers
            found[before] = without_traces(manifest) if is_private else manifest
        found[name] = given[name]
    return found


def _place(name: str) -> tuple[int, str]:
    order = ("catalog", "labels", "galleries", "dialogues", "runs")
    return order.index(name.partition("/")[0]), name
