"""ensemble.yaml: what is read, what is refused and how, and what else reads the file."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.voters import ENSEMBLE_KEYS, Voter, read_voters
from benchwright.errors import UsageError
from labeling.attributes.voting.ensemble import (
    VIEWS,
    ClipVoter,
    Ensemble,
    ReplayVoter,
    ScriptedVoter,
    read_ensemble,
)

QWEN = {"name": "qwen", "model": "Qwen/VL", "base_url": "http://localhost:8000/v1"}
CLIP = {"name": "clip", "kind": "clip", "model": "ViT-B-32"}
OLD = {"name": "old", "kind": "replay", "votes": "earlier/votes.parquet"}
SURE = {"name": "sure", "kind": "scripted", "labels": "/elsewhere/labels.parquet"}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write an ensemble of these voters; the first is a model server where none is given."""

    def written(*voters: Any, **more: Any) -> Path:
        path = tmp_path / "folder" / "e.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump({"voters": list(voters) or [QWEN], **more}), "utf-8")
        return path

    return written


def test_all_that_can_be_said_is_read(write: Callable[..., Path], tmp_path: Path) -> None:
    path = write(
        *(QWEN, CLIP, OLD, SURE),
        views={"low": {"long_side": 336}, "parts": {"tiles": 2, "overlap": 0.1}},
        templates=5,
        context=0.5,
        method="unweighted",
        margin=0.1,
        quorum=0.25,
        full=0.2,
        values_per_call=4,
    )
    ensemble = read_ensemble(path)
    kinds = [type(voter) for voter in ensemble.voters]
    assert kinds == [Voter, ClipVoter, ReplayVoter, ScriptedVoter]
    # names of files are taken from where the ensemble lies
    assert isinstance(ensemble.voters[2], ReplayVoter)
    assert ensemble.voters[2].votes == tmp_path / "folder" / "earlier" / "votes.parquet"
    assert isinstance(ensemble.voters[3], ScriptedVoter)
    assert ensemble.voters[3].labels == Path("/elsewhere/labels.parquet")
    # decimals are those that were written, not what a float makes of them
    decimals = (ensemble.margin, ensemble.quorum, ensemble.full)
    assert decimals == (Decimal("0.1"), Decimal("0.25"), Decimal("0.2"))
    assert ensemble.weights() == {voter.name: voter.weight for voter in ensemble.voters}


def test_files_of_a_clip_voter_are_taken_from_where_the_ensemble_lies(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    own = CLIP | {"model": "local-dir:tiny", "thresholds": "known/labels/clip-clip.json"}
    (clip,) = read_ensemble(write(own)).voters
    assert isinstance(clip, ClipVoter)
    assert clip.model == f"local-dir:{tmp_path / 'folder' / 'tiny'}"
    assert clip.thresholds == tmp_path / "folder" / "known" / "labels" / "clip-clip.json"
    (clip,) = read_ensemble(write(CLIP | {"model": "embedded"})).voters
    assert isinstance(clip, ClipVoter)
    assert (clip.model, clip.thresholds) == ("embedded", None)  # a name, wherever it is written


def test_what_is_not_said(write: Callable[..., Path]) -> None:
    ensemble = read_ensemble(write())
    assert ensemble.views == VIEWS
    assert [view.long_side for view in VIEWS.values()] == [336, 768, 1344]
    assert (ensemble.templates, ensemble.method, ensemble.values_per_call) == (3, "majority", 1)
    decimals = (ensemble.margin, ensemble.quorum, ensemble.full)
    assert decimals == (Decimal(0), Decimal(0), Decimal("0.05"))


@pytest.mark.parametrize(
    ("voters", "more", "said"),
    [
        # a key that is none, wherever it stands, with the one that was meant
        ([], {"template": 3}, "at template: unknown key; did you mean 'templates'?"),
        ([QWEN | {"modle": "x"}], {}, "modle: unknown key; did you mean 'model'?"),
        ([CLIP | {"base_url": "http://x"}], {}, "base_url: unknown key"),
        ([OLD | {"accuracy": 1}], {}, "accuracy: unknown key"),
        ([SURE | {"votes": "x"}], {}, "votes: unknown key"),
        ([], {"views": {"low": {"longside": 3}}}, "views > low > longside: unknown key"),
        ([QWEN | {"kind": "llm"}], {}, "kind wants model, clip, replay or scripted"),
        ([QWEN | {"kind": ["clip"]}], {}, "kind wants model, clip, replay or scripted"),
        (["qwen"], {}, "voters > 0"),
        # names and answers
        ([CLIP, OLD | {"name": "clip"}], {}, "two voters are named 'clip'"),
        ([QWEN, QWEN], {}, "two voters are named 'qwen'"),
        ([QWEN, QWEN | {"name": "other"}], {}, "in the same way"),
        ([QWEN | {"name": "a b"}], {}, "voters > 0 > name"),
        # numbers out of their range
        ([], {"margin": 0.5}, "at margin: "),
        ([], {"margin": -0.1}, "at margin: "),
        ([], {"margin": float("nan")}, "at margin: "),
        ([], {"margin": 0.1234567891}, "at margin: "),
        ([], {"quorum": 1.1}, "at quorum: "),
        ([], {"quorum": "a half"}, "at quorum: "),
        ([], {"full": 2}, "at full: "),
        ([], {"full": "0.00000000001"}, "at full: "),
        ([], {"templates": 0}, "at templates: "),
        ([], {"values_per_call": 0}, "at values_per_call: "),
        ([], {"context": -1}, "at context: "),
        ([QWEN | {"weight": 0}], {}, "weight: "),
        ([SURE | {"accuracy": 1.5}], {}, "accuracy: "),
        ([], {"method": "vote"}, "at method: "),
        # views
        ([], {"views": {}}, "at views: "),
        ([], {"views": {"a view": {}}}, "at views"),
        ([], {"views": {"v": {"tiles": 1}}}, "views > v > tiles: "),
        ([], {"views": {"v": {"tiles": 2, "overlap": 0.6}}}, "views > v > overlap: "),
        ([], {"views": {"v": {"long_side": 0}}}, "views > v > long_side: "),
        # four tiles in a question are more than the voter takes
        (
            [QWEN | {"pictures": {"at_once": 3}}],
            {"views": {"whole": {}, "parts": {"tiles": 2}}},
            "voter 'qwen' takes at most 3 pictures at once, view 'parts' shows 4",
        ),
    ],
)
def test_what_is_refused(
    write: Callable[..., Path], voters: list[Any], more: dict[str, Any], said: str
) -> None:
    path = write(*voters, **more)
    with pytest.raises(UsageError) as caught:
        read_ensemble(path)
    message = str(caught.value)
    assert said in message
    assert message.startswith(f"{path}: ")
    assert "\n" not in message


def test_as_many_pictures_as_a_voter_takes(write: Callable[..., Path]) -> None:
    path = write(QWEN | {"pictures": {"at_once": 4}}, views={"parts": {"tiles": 2}})
    assert read_ensemble(path).views["parts"].tiles == 2


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3)
    ),
    max_leaves=5,
)


@given(
    key=st.sampled_from(sorted(Ensemble.model_fields)),
    value=ANY,
    inner=st.sampled_from(["kind", "name", "weight", "votes", "labels", "pictures", None]),
)
def test_any_other_value_is_read_or_refused(key: str, value: Any, inner: str | None) -> None:
    said: dict[str, Any] = {"voters": [QWEN], key: value}
    if inner is not None:
        said["voters"] = [{**SURE, inner: value}]
    try:
        ensemble = Ensemble.model_validate(said)
    except ValueError:  # pydantic's own; as_settings makes one line of it
        return
    assert 0 <= ensemble.margin < Decimal("0.5")


def test_keys_that_benchwright_leaves_aside_are_those_of_the_ensemble() -> None:
    assert set(Ensemble.model_fields) - {"voters"} == ENSEMBLE_KEYS


def test_benchwright_reads_the_models_of_the_same_file(write: Callable[..., Path]) -> None:
    path = write(CLIP, QWEN, OLD, views={"whole": {}}, templates=1, full=1)
    (voter,) = read_voters(path)
    assert voter == read_ensemble(path).voters[1]


def test_benchwright_asks_the_models_of_the_same_file(
    shop: Any, kit: Any, serve: Callable[..., Any], run: Callable[..., Any], coded_table: Path
) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server), SURE, templates=2, margin=0.1)
    asked = ("ask", coded_table.with_name("p0.png"), "--question", "Is it crimson?", "--no-probe")
    ran = run("benchwright", *asked, "--voters", path, "--workspace", shop.root)
    assert ran.code == 0, ran.err
    assert server.counts.chats == 1
    assert " yes " in ran.out
