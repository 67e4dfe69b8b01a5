"""Commands of pages that are not run, or say something else than their page shows, and why."""

from collections.abc import Mapping

from stand_ins.reader.page import Command

_CLUSTER = "it is for several machines; make test-ray does the same on a cluster of its own"
_ELSEWHERE = "it is a program of others"
_HARNESS = "a harness has an environment of its own; make test-harnesses runs them"
# commands that are read and never run, by how they begin, with the reason
NOT_RUN: Mapping[str, str] = {
    "make": "it installs or tests the project itself; that the target is there is checked",
    "pip install": "it would change the environment of the tests",
    "jupyter lab": "it waits for a browser",
    "python notebooks/write.py": "tests/notebooks executes every notebook, and compares",
    "ray start": _CLUSTER,
    "build-catalog table products.csv --workspace /shared/things": _CLUSTER,
    "build-catalog dedup --workspace /shared/things": _CLUSTER,
    "build-galleries --tau 0.6 --episodes 0 --workspace /shared/things": _CLUSTER,
    "label-attributes run --ensemble ensemble.yaml --noun dress --workspace /shared/things": (
        _CLUSTER
    ),
    "ssh": _ELSEWHERE,
    "vllm serve": _ELSEWHERE,
    "inspect eval": _HARNESS,
    "python -m lmms_eval": _HARNESS,
    "python crashes-vlmevalkit/task.py": _HARNESS,
    "from pathlib import Path\nfrom exports.fiftyone_dataset": (
        "it needs FiftyOne; tests/exports/test_fiftyone_dataset.py calls it"
    ),
    "from pathlib import Path\nfrom benchwright.clip.open_clip_model": (
        "FOLDER holds a model of the reader's; tests/docs/test_labels_page.py executes it with one"
    ),
}
# targets of which a page shows what their only command says
RUN_AS: Mapping[str, str] = {"make demo": "build-galleries --tau 0.6"}
# commands whose numbers are others than their page shows, by how they begin, with the reason
OTHER_NUMBERS: Mapping[str, str] = {
    "benchwright ask dress.png": "seconds; and how sure a model is hangs on the picture",
    "push-release task inspect": "the commit is that of the Hub of the page",
    "label-attributes decide --weights": "of few pictures, and of voters that never err",
    "push-release push dresses --version 1.0.1": "the sample is a fifth of the page's",
}
# commands that say other lines than their page shows, of which the first and the last are compared
OTHER_LINES: Mapping[str, str] = {
    "build-dialogues false-premise run --voters voters.yaml --per-cell 3": (
        "the scripted author proposes nothing that is true of the picture"
    ),
    "run-benchmark trajectories theirs.jsonl": "of few episodes, of which none is contradicted",
    "benchwright trace 36aa8f16baaa1566": "another player, and votes that no model gave",
}


def reason(command: Command, table: Mapping[str, str]) -> str | None:
    """Return why a command stands in a table, null where it does not."""
    return next((why for begins, why in table.items() if _begins(command.text, begins)), None)


def _begins(text: str, begins: str) -> bool:
    return text == begins or (text.startswith(begins) and text[len(begins)].isspace())
