"""What FiftyOne shows of a dataset that was declared by it: real, six seconds each."""

import json
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from benchwright import store
from benchwright.workspace import Workspace

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO DATASET WAS DECLARED")

from labeling.audits.app.database import opened, served
from labeling.audits.app.environment import fiftyone_environment
from labeling.audits.app.filling import AuditTasks, fill_audit
from labeling.audits.app.judging import judge

# the tasks of each saved view, as the App would show them
_VIEWS = """
import json
import fiftyone as fo

dataset = fo.load_dataset("attributes")
views = {each: dataset.load_saved_view(each) for each in dataset.list_saved_views()}
print(json.dumps({each: view.values("task_id") for each, view in views.items()}))
"""


def test_names_that_look_like_fields_are_names(
    audit_workspace: Workspace, shared_mongo: str, app_kit: SimpleNamespace
) -> None:
    """Types and auditors are called as other people please: ``$value`` is no field."""
    if find_spec("fiftyone") is None:
        pytest.skip("fiftyone IS NOT INSTALLED: NO DATASET WAS DECLARED")
    table = store.read_table(audit_workspace.catalog, "items-*.parquet", ["image_id"])
    image_id = table.column("image_id").to_pylist()[0]
    facets = ({"type": "$value", "value": "x"}, {"type": "same", "value": "same"})
    tasks = [
        app_kit.task(number, image_id=image_id, looks=2, facets=each)
        for number, each in enumerate(facets)
    ]
    wanted = AuditTasks(
        name="attributes", kind="attributes", blind=False, tasks=tasks, judged_by={}
    )
    with served(audit_workspace) as address, opened(address) as database:
        audit = fill_audit(audit_workspace, address, database, wanted, "$seen_by").audit
        samples = {each["task_id"]: str(each["_id"]) for each in audit.samples.find()}
        judge(audit, samples["task-0"], app_kit.slot("$seen_by"))
        judge(audit, samples["task-1"], app_kit.slot("bo"))
        done = subprocess.run(
            [sys.executable, "-c", _VIEWS],
            env=fiftyone_environment(address, audit_workspace, "bo", dataset="attributes"),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "undecided": ["task-0", "task-1"],
        "disagreements": [],
        "type: $value": ["task-0"],
        "type: same": ["task-1"],
        "by $seen_by": ["task-0"],
    }
