"""From a catalog to labels in one go: what is made, what is taken as it is, what goes on."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.workspace import Workspace
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from stand_ins.models import ErrorRate, Fault, KnownPictures, Model, Script, references_of
from stand_ins.models import values_of as named_by

Serve = Callable[..., Any]


def go(shop: Any, ensemble: Path, *options: str, code: int = 0) -> Any:
    given = ("--ensemble", ensemble, "--noun", "garment", "--no-probe", *options)
    return shop.do("run", *given, code=code)


def test_a_catalog_becomes_labels(shop: Any, kit: Any, serve: Serve, verify: Any) -> None:
    shop.workspace.vocabulary.unlink()
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server))
    ran = go(shop, path)
    assert f"Made {shop.workspace.vocabulary} from the catalog; look it over." in ran.out
    assert "7 values, 21 templates" in ran.out
    assert "112 values decided by majority" in ran.out
    assert "next: build-catalog dedup" in ran.out
    verify(shop.root)
    vocabulary = load_vocabulary(shop.workspace.vocabulary)
    assert [(value.type, value.value) for value in vocabulary.values] == list(kit.values)
    assert all(len(value.templates) == 3 for value in vocabulary.values)
    assert shop.wrong() == []
    # all is there: nothing is asked, made or changed
    called, labels, votes = server.counts.chats, shop.labels(), shop.vote_bytes()
    text = shop.workspace.vocabulary.read_text("utf-8")
    again = go(shop, path)
    assert "(done before)" in again.out
    assert (server.counts.chats, shop.labels(), shop.vote_bytes()) == (called, labels, votes)
    assert shop.workspace.vocabulary.read_text("utf-8") == text


def test_a_vocabulary_that_is_there_is_used(shop: Any, kit: Any, serve: Serve) -> None:
    said = yaml.safe_load(shop.workspace.vocabulary.read_text("utf-8"))
    del said["types"]["trim"]
    shop.workspace.vocabulary.write_text(yaml.safe_dump(said), "utf-8")
    ran = go(shop, shop.ensemble(kit.model(serve(kit.script()))), "--catalog", "ignore")
    assert "Made" not in ran.out
    assert "4 values, 12 templates" in ran.out
    texts = load_vocabulary(shop.workspace.vocabulary).values[0].templates
    assert texts == tuple(text.replace("VALUE", "crimson") for text in kit.templates)
    assert {cell[2] for cell in shop.labels()} == {"cloth"}


def test_an_estimate_asks_nothing_and_makes_what_it_needs(
    shop: Any, kit: Any, serve: Serve
) -> None:
    shop.workspace.vocabulary.unlink()
    server = serve(kit.script())
    ran = go(shop, shop.ensemble(kit.model(server)), "--estimate")
    assert "16 pictures, 7 values each" in ran.out
    assert server.counts.chats == 0
    assert shop.workspace.vocabulary.is_file()
    assert not (shop.workspace.votes / "manifest.json").exists()


def test_a_run_that_is_stopped_or_fails_goes_on(
    shop: Any, kit: Any, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchwright.asking.client._TRIES", 1)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    server = serve(kit.script(faults=(Fault(kind="broken_json", ordinals=(60, 61, 90)),)))
    path = shop.ensemble(kit.model(server), full=1, templates=1)
    stopped = go(shop, path, "--max-calls", "40", code=1)
    assert "--max-calls 40 is reached" in stopped.err
    failed = go(shop, path, code=1)
    assert "3 failed" in failed.out
    assert "values decided by majority" in failed.out  # by the votes that are there
    go(shop, path)
    assert server.counts.chats == 16 * 7 + 3
    assert shop.wrong() == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        # skills are found from votes: they cannot be planned for
        ({"method": "log-odds"}, "method"),
        ({"method": "dawid-skene", "quorum": 0.5}, "a quorum is of weights"),
    ],
)
def test_what_cannot_be_decided_is_refused_before_anything_is_bought(
    shop: Any, kit: Any, serve: Serve, more: dict[str, Any], said: str
) -> None:
    server = serve(kit.script())
    ran = go(shop, shop.ensemble(kit.model(server), templates=1, **more), code=1)
    assert said in ran.err
    assert server.counts.chats == 0


def test_methods_without_weights_ask_so_that_their_labels_are_settled(
    shop: Any, kit: Any, serve: Serve
) -> None:
    """The early stop goes by the method: by equal weights, or not at all."""
    errs = (ErrorRate(on_yes=0.3, on_no=0.3),)
    server = serve(kit.script(*(Model(name=name, errors=errs) for name in "abc")))
    weights = {"a": 3, "b": 1, "c": 1}
    voters = [kit.model(server, name, weight=weights[name]) for name in "abc"]
    for method in ("unweighted", "dawid-skene"):
        ran = go(shop, shop.ensemble(*voters, method=method))
        assert "not settled" not in ran.out


def test_calibrated_weights_win_over_those_of_the_ensemble(
    shop: Any, kit: Any, serve: Serve, tmp_path: Path
) -> None:
    errs = (ErrorRate(on_yes=0.4, on_no=0.4),)
    server = serve(kit.script(Model(name="good"), Model(name="bad", errors=errs)))
    voters = [kit.model(server, "good"), kit.model(server, "bad", weight=3)]
    go(shop, shop.ensemble(*voters, full=1))
    assert shop.wrong()
    shop.do("calibrate", "--known", "catalog")
    weights = shop.workspace.labels / "weights.json"
    said = json.loads(weights.read_text("utf-8"))
    said["values"][0]["voters"]["bad"]["weight"] = 0
    weights.write_text(json.dumps(said), "utf-8")
    ran = shop.do(
        "run",
        "--ensemble",
        shop.ensemble(*voters),
        "--noun",
        "garment",
        "--no-probe",
        *("--weights", weights),
    )
    assert "not settled" not in ran.out
    assert len(shop.wrong()) <= 2
    # 16 pictures, 7 values, 2 voters, 3 templates; what weighs nothing is not planned
    skills = [skill for value in said["values"] for skill in value["voters"].values()]
    idle = sum(skill["weight"] == 0 for skill in skills)
    assert shop.manifest()["counts"]["planned"] == 16 * 3 * (7 * 2 - idle)


@pytest.mark.parametrize("method", ["unweighted", "dawid-skene"])
def test_the_method_of_the_ensemble_is_taken(
    shop: Any, kit: Any, serve: Serve, method: str
) -> None:
    models = [Model(name=name, errors=(ErrorRate(on_yes=0.1, on_no=0.1),)) for name in "abc"]
    server = serve(kit.script(*models))
    voters = [kit.model(server, each.name) for each in models]
    path = shop.ensemble(*voters, method=method, full=1)
    assert f"decided by {method}" in go(shop, path).out
    assert len(shop.wrong()) < 0.05 * len(shop.right())


def test_a_catalog_that_states_nothing(scenes: Any, kit: Any, serve: Serve) -> None:
    scenes.workspace.vocabulary.unlink()
    path = scenes.ensemble(kit.model(serve(kit.script())))
    ran = scenes.do("run", "--ensemble", path, "--no-probe", code=1)
    assert "the catalog states no attribute" in ran.err
    scenes.workspace.vocabulary.write_text(kit.vocabulary(), "utf-8")
    scenes.do("run", "--ensemble", path, "--no-probe", "--subjects", "objects")
    assert scenes.wrong() == []


def test_the_drawn_sample(run: Any, serve: Serve, tmp_path: Path) -> None:
    """The server knows the sample's pictures by sight, whatever size they come in."""
    root = tmp_path / "w"
    made = run("build-catalog", "sample", "--n", "12", "--workers", "1", "--workspace", root)
    assert made.code == 0, made.err
    references = references_of(Workspace(root))
    model = Model(name="m", errors=(ErrorRate(on_yes=0.03, on_no=0.01),))
    script = Script(
        models=(model,), values=named_by(references), eyes=KnownPictures(references=references)
    )
    server = serve(script)
    said = {
        "voters": [{"name": "m", "model": "m", "base_url": server.base_url}],
        "views": {"low": {"long_side": 128}, "medium": {"long_side": 256}},
        "full": 0,
    }
    path = root / "e.yaml"
    path.write_text(yaml.safe_dump(said), "utf-8")
    ran = run(
        *("label-attributes", "run", "--ensemble", path, "--noun", "dress", "--no-probe"),
        *("--workspace", root),
    )
    assert ran.code == 0, ran.err
    values = len(named_by(references))
    assert f"{12 * values:,} values decided by majority" in ran.out
    yes = int((re.search(r"([\d,]+) yes", ran.out) or ["", "0"])[1].replace(",", ""))
    stated = sum(len(reference.values) for reference in references.values())
    assert abs(yes - stated) <= 0.1 * stated
