"""Which detectors are the model that is measured (FPCO-Dialog, appendix D)."""

from collections.abc import Iterable

from benchwright.records import Build


def own_detectors(builds: Iterable[Build]) -> frozenset[str]:
    """Return the detectors that are the model itself, by all that answered in a run.

    They are the same voter, or servers give them the same name; a server need not give any.
    """
    served = {(build.part, build.voter, build.model) for build in builds}
    voters = {voter for part, voter, _ in served if part == "player"}
    models = {model for part, _, model in served if part == "player" and model}
    return frozenset(
        voter
        for part, voter, model in served
        if part == "detector" and (voter in voters or model in models)
    )
