"""The plugin as the real App loads it, and its operators through FiftyOne itself."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from labeling.audits.app.database import Address, workspace_digest
from labeling.audits.app.environment import fiftyone_environment

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO SCREEN WAS ANSWERED")

from labeling.audits.app.operators import OPERATORS

PLUGIN = "@benchwright/audits"
# runs the calls of its input one by one, as the App would, and prints what each returned
CONVERSATION = """
import json, sys
import fiftyone as fo
import fiftyone.operators as foo

dataset = fo.load_dataset("attributes")
for operator, params, view in json.load(sys.stdin):
    shown = dataset.load_saved_view(view) if view else dataset.view()
    context = {"dataset": dataset, "view": shown, "params": params}
    result = foo.execute_operator(f"@benchwright/audits/{operator}", context)
    print("RESULT", json.dumps(result.to_json()))
"""


def _asked(url: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
    base = url.split("/datasets/", maxsplit=1)[0]
    data = None if body is None else json.dumps(body).encode()
    wanted = urllib.request.Request(base + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(wanted, timeout=60) as answer:
        return json.load(answer)


def test_the_app_loads_the_plugin_without_an_error(opened_attributes: SimpleNamespace) -> None:
    url = opened_attributes.opened.url
    plugins = {each["name"]: each for each in _asked(url, "/plugins")["plugins"]}
    assert plugins[PLUGIN]["js_bundle_exists"]
    found = _asked(url, "/operators", {"dataset_name": "attributes"})
    assert found["errors"] == []
    ours = [each["config"] for each in found["operators"] if each["plugin_name"] == PLUGIN]
    assert sorted(each["name"] for each in ours) == sorted(OPERATORS)
    assert all(each["unlisted"] for each in ours)


def test_every_operator_is_listed(request: pytest.FixtureRequest) -> None:
    plugin = request.config.rootpath / "labeling" / "audits" / "app" / "plugin"
    said = yaml.safe_load((plugin / "fiftyone.yml").read_text("utf-8"))
    assert (said["name"], said["operators"]) == (PLUGIN, list(OPERATORS))
    assert (plugin / said["js_bundle"]).is_file()


@pytest.mark.heavy
def test_operators_through_fiftyone(opened_attributes: SimpleNamespace, mongo_uri: str) -> None:
    workspace = opened_attributes.workspace
    name = f"benchwright-{workspace_digest(workspace)[:12]}"
    address = Address(uri=mongo_uri, name=name)
    environment = fiftyone_environment(address, workspace, "bo", dataset="attributes")
    sample = opened_attributes.opened.url.split("?id=")[1].split("&")[0]
    named = {"sample_id": sample}
    calls = [
        ("load", named, None),
        ("judge", {**named, "verdict": "confirmed", "value": "yes", "seconds": 2.0}, "undecided"),
        ("load", named, "disagreements"),
        ("undo", {}, None),
        ("judge", {**named, "verdict": "perhaps"}, None),
    ]
    ran = subprocess.run(
        [sys.executable, "-c", CONVERSATION],
        input=json.dumps(calls),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    lines = [line for line in ran.stdout.splitlines() if line.startswith("RESULT ")]
    results = [json.loads(line.removeprefix("RESULT ")) for line in lines]
    assert len(results) == len(calls), ran.stderr
    assert [each["error"] for each in results] == [None] * len(calls)
    loaded, judged, again, undone, refused = (each["result"] for each in results)
    assert (loaded["sample_id"], loaded["auditor"], loaded["mine"]) == (sample, "bo", None)
    assert judged["next"] not in (None, sample)
    assert again["mine"]["value"] == "yes"
    assert (again["next"], again["previous"]) == (None, None)  # nothing is disputed
    assert undone == {"sample_id": sample}
    assert "verdict" in refused["error"]
