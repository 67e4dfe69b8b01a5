"""The YAML of a card: what the Hub takes, and what ``datasets`` loads by it."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest
from huggingface_hub import DatasetCard, DatasetCardData

from benchwright.workspace import Workspace
from exports.card.facts import Facts
from exports.card.head import head_of
from exports.card.labels_found import LabelsFound
from exports.card.licence import licence_head, licence_text
from stand_ins.dialogues import spoken_about

OTHER = {"license": "other", "license_name": "see-attribution", "license_link": "LICENSE.md"}
# of https://huggingface.co/tasks
TASKS = {"image-text-to-text", "visual-question-answering", "zero-shot-image-classification"}


@pytest.mark.parametrize(
    ("licences", "head"),
    [
        # one that the Hub has a word for, however it is spelled
        (["CC0-1.0", "CC0-1.0"], {"license": "cc0-1.0"}),
        (["CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"], {"license": "cc-by-4.0"}),
        (["MIT"], {"license": "mit"}),
        (["ODbL-1.0"], {"license": "odbl"}),
        # one that it has no word for: no BY-SA 2.0, no port, none of an unknown spelling
        (["CC BY-SA 2.0"], OTHER),
        (["CC BY 3.0 DE"], OTHER),
        (["ask me"], OTHER),
        # an own licence that calls itself by a word of the Hub's that says nothing of rights
        (["unknown"], OTHER),
        (["other"], OTHER),
        (["gemma"], OTHER),
        # several
        (["CC0-1.0", "CC BY 4.0"], OTHER),
        # none stated by any, and by one of two
        ([None, None], {"license": "unknown"}),
        ([None, "CC0-1.0"], OTHER),
    ],
)
def test_the_licence(licences: list[str | None], head: dict[str, str]) -> None:
    items = [spoken_about(f"d{at}", licence=one) for at, one in enumerate(licences)]
    assert licence_head(items) == head


def test_the_text_of_several_licences_counts_them() -> None:
    stated = ("CC0-1.0", "CC BY 4.0", "CC BY 4.0", None)
    lines = licence_text(
        [spoken_about(f"d{at}", licence=one) for at, one in enumerate(stated)]
    ).splitlines()
    assert lines[0] == "# Licences"
    # whom to name is known of none, and wanted for two
    assert "the author is known for 0, the title for 0, the link for" in "".join(lines)
    assert "**Not known: the author of 2 pictures under a licence" in "".join(lines)
    at = lines.index("| licence | pictures |")
    assert lines[at + 2 : at + 5] == [
        "| [CC-BY-4.0](https://creativecommons.org/licenses/by/4.0/) | 2 |",
        "| [CC0-1.0](https://creativecommons.org/publicdomain/zero/1.0/) | 1 |",
        "| none stated | 1 |",
    ]


@pytest.mark.parametrize(
    ("made", "kinds", "creators", "licence"),
    [
        ("drawn", ["hidden-target"], ["machine-generated"], "cc0-1.0"),
        (
            "spoken",
            ["candidate-set", "false-premise", "question-chain"],
            ["found", "machine-generated"],  # boxes are the source's, descriptions a model's
            "other",
        ),
    ],
)
def test_the_hub_reads_it(
    made: str,
    kinds: list[str],
    creators: list[str],
    licence: str,
    build: Any,
    request: pytest.FixtureRequest,
) -> None:
    card = build(request.getfixturevalue(made), title="The things: & more", authors=("Ana",))
    data = DatasetCard(card.text).data
    assert isinstance(data, DatasetCardData)
    held: dict[str, Any] = data.to_dict()  # type: ignore[no-untyped-call]
    assert held == card.head
    assert data.pretty_name == "The things: & more"
    assert data.license == licence
    assert (card.folder / "LICENSE.md").is_file() == (licence == "other")
    assert data.annotations_creators == creators
    assert held["tags"] == ["benchmark", "benchwright", *kinds]
    assert data.size_categories == ["n<1K"]
    assert TASKS.issuperset(data.task_categories or ())
    assert data.language == ["en"]


@pytest.mark.parametrize(
    ("counts", "pictures", "said"),
    [
        # no labels: nobody is named; few and many pictures
        ({}, 999, {"size_categories": ["n<1K"], "annotations_creators": None}),
        ({}, 1_000, {"size_categories": ["1K<n<10K"]}),
        ({("catalog", "yes"): 1}, 1, {"annotations_creators": ["found"]}),
        # the Hub has no word for auditors, and none for what follows
        ({("audited", "yes"): 1, (None, "no"): 1}, 1, {"annotations_creators": None}),
        (
            {("catalog", "yes"): 1, ("voted", "no"): 1},
            1,
            {"annotations_creators": ["found", "machine-generated"]},
        ),
        # labels alone
        ({}, 1, {"task_categories": ["zero-shot-image-classification"], "pretty_name": None}),
    ],
)
def test_what_hangs_on_labels_and_pictures(
    counts: dict[tuple[str | None, str], int],
    pictures: int,
    said: dict[str, Any],
    facts: Callable[..., Facts],
) -> None:
    held = facts(
        configs=(),
        items=[spoken_about("d1")] * pictures,
        labels=LabelsFound(counts=counts, margins=(0,) * 5),
    )
    head = head_of(held)
    assert {key: head.get(key) for key in said} == said


@pytest.mark.parametrize("made", ["drawn", "spoken"])
def test_its_features_are_those_that_load(
    made: str, build: Any, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    card = build(request.getfixturevalue(made))
    infos = {info["config_name"]: info for info in card.head["dataset_info"]}
    assert list(infos) == datasets.get_dataset_config_names(str(card.folder))
    for config, info in infos.items():
        held = datasets.load_dataset(
            str(card.folder), config, split="test", cache_dir=str(tmp_path / "cache")
        )
        shards = sorted((card.folder / "data" / config).glob("*.parquet"))
        bare = datasets.Dataset.from_parquet(
            [str(shard) for shard in shards], cache_dir=str(tmp_path / "bare")
        )
        assert datasets.Features._from_yaml_list(info["features"]) == held.features
        assert held.features == bare.features
        assert len(held) == info["splits"][0]["num_examples"] > 0
        assert info["download_size"] == sum(shard.stat().st_size for shard in shards)


@pytest.mark.parametrize("made", ["drawn", "spoken"])
def test_its_code_runs(
    made: str, build: Any, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    workspace: Workspace = request.getfixturevalue(made)
    card = build(workspace)
    blocks = re.findall(r"```python\n(.*?)```", card.body, re.DOTALL)
    assert len(blocks) == (2 if made == "drawn" else 1)
    for code in blocks:
        local = code.replace("USER/NAME", str(card.folder)).replace(".show()", ".load()")
        ran = subprocess.run(
            [sys.executable, "-c", local],
            env={"HF_HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd()), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
