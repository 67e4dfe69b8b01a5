"""Calibration from the command line: what it finds, what it writes, what follows from it."""

import csv
import json
import re
import shlex
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright import store
from labeling.attributes.labels.decide import DecideSettings, decide
from stand_ins.models import ErrorRate, Model

Serve = Callable[..., Any]
ERRING = (
    Model(name="good", errors=(ErrorRate(on_yes=0.02, on_no=0.02),)),
    # says yes too often, and sees no cloth at all
    Model(
        name="eager",
        errors=(ErrorRate(on_no=0.3), ErrorRate(type="cloth", on_yes=0.5, on_no=0.5)),
        hedge=0.1,
    ),
)


@pytest.fixture
def voted(shop: Any, kit: Any, serve: Serve) -> Callable[..., Any]:
    """Ask both models all they can be asked; return the workspace."""

    def ask(*, voter: dict[str, Any] | None = None, **more: Any) -> Any:
        server = serve(kit.script(*ERRING))
        voters = [kit.model(server, each.name, **(voter or {})) for each in ERRING]
        views = {"whole": {}, "low": {"long_side": 130}}
        shop.ask(shop.ensemble(*voters, **{"views": views, "full": 1, "templates": 2, **more}))
        return shop

    return ask


def known_of(shop: Any, images: Collection[str] | None = None) -> Path:
    """Write what is true of some pictures, or of all."""
    path: Path = shop.root / "known.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["image_id", "type", "value", "answer"])
        for (image_id, _, kind, value), answer in shop.right().items():
            if images is None or image_id in images:
                rows.writerow([image_id, kind, value, answer])
    return path


def weights_of(shop: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((shop.workspace.labels / "weights.json").read_text("utf-8"))
    return said


def test_rates_are_those_that_can_be_counted(voted: Callable[..., Any]) -> None:
    shop = voted(views={"whole": {}}, templates=1)
    ran = shop.do("calibrate", "--known", known_of(shop))
    assert "112 known values count" in ran.out
    right = shop.right()
    for entry in weights_of(shop)["values"]:
        for name, skill in entry["voters"].items():
            said = [
                (vote.answer, right[vote.image_id, None, vote.type, vote.value])
                for vote in shop.votes()
                if (vote.voter, vote.type, vote.value) == (name, entry["type"], entry["value"])
                and vote.answer in ("yes", "no")
            ]
            for rate, truth in (("sensitivity", "yes"), ("specificity", "no")):
                answers = [answer for answer, held in said if held == truth]
                assert skill[rate]["size"] == len(answers)
                share = sum(answer == truth for answer in answers) / len(answers)
                assert skill[rate]["share"] == pytest.approx(share, abs=1e-6)
                assert skill[rate]["low"] <= share <= skill[rate]["high"]
            bias = [(answer == "yes") - (held == "yes") for answer, held in said]
            assert skill["yes_bias"] == pytest.approx(sum(bias) / len(bias), abs=1e-6)
            assert skill["enough"] is False  # 16 pictures are too few for an interval of 0.2


def test_who_is_better_is_told(voted: Callable[..., Any]) -> None:
    shop = voted()
    ran = shop.do("calibrate", "--known", known_of(shop))
    lines = ran.out.splitlines()
    voters = lines.index("voters, by how often yes and no were right:")
    assert [line.split()[0] for line in lines[voters + 1 : voters + 3]] == ["good", "eager"]
    assert "templates, by how often yes and no were right:" in lines
    assert "views, by how often yes and no were right:" in lines
    few = "Too little known to judge 14 of 14 pairs of voter and value: their intervals are wider"
    assert [line for line in lines if line.startswith("Too little")] == [
        f"{few} than 0.2 (--widest); the weights file names them by enough: false"
    ]
    wide = shop.do("calibrate", "--known", known_of(shop), "--widest", "1").out
    assert "Too little" not in wide
    for entry in weights_of(shop)["values"]:
        skills = entry["voters"]
        assert skills["good"]["weight"] == 100
        assert skills["eager"]["weight"] < (40 if entry["type"] == "cloth" else 100)
        if entry["type"] == "trim":
            assert skills["eager"]["yes_bias"] > skills["good"]["yes_bias"]


@pytest.mark.parametrize("logprobs", [0, 4])
def test_the_same_again_gives_the_same_bytes(voted: Callable[..., Any], logprobs: int) -> None:
    shop = voted(voter={"logprobs": logprobs}, templates=1)
    assert any(vote.p_yes is not None for vote in shop.votes()) == bool(logprobs)
    known = known_of(shop)
    shop.do("calibrate", "--known", known)
    paths = [shop.workspace.labels / name for name in ("weights.json", "reliability.png")]
    first = [path.read_bytes() for path in paths]
    shop.do("calibrate", "--known", known)
    assert [path.read_bytes() for path in paths] == first
    with Image.open(paths[1]) as plot:
        plot.load()
        # beside the margins, what voters gave as P(yes)
        assert (plot.width > 1.5 * plot.height) == bool(logprobs)
    assert b"/root" not in first[1]
    assert b"Date" not in first[1]


def test_labels_by_what_was_found(voted: Callable[..., Any]) -> None:
    shop = voted()
    shop.do("decide", "--method", "unweighted")
    by_equal = len(shop.wrong())
    images = sorted({vote.image_id for vote in shop.votes()})[::2]
    shop.do("calibrate", "--known", known_of(shop, images))
    weights = shop.workspace.labels / "weights.json"
    for method in ("majority", "log-odds"):
        ran = shop.do("decide", "--method", method, "--weights", weights)
        assert f"decided by {method}" in ran.out
        assert len(shop.wrong()) < by_equal / 2
        inputs = shop.manifest("labels")["plan"]["inputs"]
        assert set(inputs) == {"catalog", "vocabulary", "votes", "weighed", "weights"}
    # other weights, other labels: they are decided again
    settings = DecideSettings(method="log-odds", weights=weights)
    assert decide(shop.workspace, settings)[1]
    shop.do("calibrate", "--known", known_of(shop, images[:4]))
    assert not decide(shop.workspace, settings)[1]


def test_labels_by_weights_that_were_found_anew_are_stale(voted: Callable[..., Any]) -> None:
    shop = voted()
    images = sorted({vote.image_id for vote in shop.votes()})[::2]
    shop.do("calibrate", "--known", known_of(shop, images))
    shop.do("decide", "--weights", shop.workspace.weights)
    said = shop.run("benchwright", "status", "--workspace", shop.root)
    assert "stale" not in said.out
    shop.do("calibrate", "--known", known_of(shop, images[:4]))
    said = shop.run("benchwright", "status", "--workspace", shop.root)
    assert "stale: weights changed since" in said.out
    following = said.out.strip().splitlines()[-1].removeprefix("next: ")
    assert shop.run(*shlex.split(following)).code == 0  # it runs as it stands
    assert "stale" not in shop.run("benchwright", "status", "--workspace", shop.root).out


def test_of_weights_elsewhere_nobody_knows_the_place(
    voted: Callable[..., Any], tmp_path: Path
) -> None:
    shop = voted()
    shop.do("calibrate", "--known", known_of(shop))
    elsewhere = tmp_path / "mine.json"
    elsewhere.write_bytes(shop.workspace.weights.read_bytes())
    shop.do("decide", "--weights", elsewhere)
    (shop.workspace.labels / "labels.parquet").unlink()
    said = shop.run("benchwright", "status", "--workspace", shop.root).out.strip().splitlines()[-1]
    assert "run again the label-attributes decide command" in said
    assert "FILE" not in said


def test_weights_of_other_voters_are_refused(
    voted: Callable[..., Any], kit: Any, serve: Serve
) -> None:
    shop = voted(templates=1)
    shop.do("calibrate", "--known", known_of(shop))
    weights = shop.workspace.labels / "weights.json"
    shop.ask(shop.ensemble(kit.model(serve(kit.script(Model(name="new"))), "new")))
    for method, said in (("majority", "say nothing of voter new"), ("log-odds", "new")):
        ran = shop.do("decide", "--method", method, "--weights", weights, code=1)
        assert said in ran.err


def test_the_catalog_is_known_of_pictures_that_were_asked_in_full(
    voted: Callable[..., Any],
) -> None:
    shop = voted(full=0.5)
    assert "known values count" in shop.do("calibrate", "--known", "catalog").out
    best = max(weights_of(shop)["values"][0]["voters"].items(), key=lambda each: each[1]["weight"])
    assert best[0] == "good"
    shop = voted(full=0)
    ran = shop.do("calibrate", "--known", "catalog", code=1)
    assert "are of pictures whose questions were stopped early" in ran.err
    assert "full in the ensemble" in ran.err


def test_audits_of_pictures_that_were_stopped_early_are_left_out_and_counted(
    voted: Callable[..., Any],
) -> None:
    shop = voted(full=0.5)
    ran = shop.do("calibrate", "--known", known_of(shop))
    (used,) = re.findall(r"^(\d+) known values count", ran.out, re.MULTILINE)
    (left_out,) = re.findall(r"^(\d+) known values left out: ", ran.out, re.MULTILINE)
    assert int(used) + int(left_out) == 112
    assert int(left_out) > 20
    shop = voted(full=1)
    assert "left out" not in shop.do("calibrate", "--known", known_of(shop)).out
    shop = voted(full=0)
    ran = shop.do("calibrate", "--known", known_of(shop), code=1)
    assert "all 112 values that it knows are of pictures whose questions were stopped" in ran.err


def test_rows_that_match_nothing_are_counted_with_one_of_them(voted: Callable[..., Any]) -> None:
    shop = voted(templates=1, views={"whole": {}})
    path = known_of(shop)
    text = path.read_text("utf-8").replace("cloth,navy", "Cloth,NAVY")
    path.write_text(text + "zz,cloth,teal,yes\nzz,cut,boxy,no\n", "utf-8")
    ran = shop.do("calibrate", "--known", path)
    assert "2 of 114 rows match no picture, object or value that is voted on" in ran.out
    assert "such as line 114: zz cloth: teal" in ran.out
    assert "112 known values count" in ran.out


def test_weights_say_which_votes_they_are_of(voted: Callable[..., Any]) -> None:
    shop = voted(templates=1, views={"whole": {}})
    shop.do("calibrate", "--known", known_of(shop))
    assert weights_of(shop)["votes"] == store.require(shop.workspace.votes, "ask").digest()


def test_labels_that_are_all_open_leave_nothing_to_plot_but_weights(
    shop: Any, kit: Any, serve: Serve
) -> None:
    # two models that always say the opposite: no label by majority is yes or no
    models = (
        Model(name="right"),
        Model(name="wrong", errors=(ErrorRate(on_yes=1.0, on_no=1.0),)),
    )
    server = serve(kit.script(*models))
    shop.ask(shop.ensemble(*(kit.model(server, each.name) for each in models), full=1))
    shop.do("calibrate", "--known", known_of(shop))
    entry = weights_of(shop)["values"][0]["voters"]
    assert (entry["right"]["weight"], entry["wrong"]["weight"]) == (100, 0)
    with Image.open(shop.workspace.labels / "reliability.png") as plot:
        plot.load()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ("image_id,type,value,answer", "x,cloth,navy,yes"),
            "that were voted on: 1 of 1 rows match no picture, object or value that is voted on,"
            " such as line 2: x cloth: navy",
        ),
        (("image_id,type,value,answer",), "has no row"),
        (("image_id,type,value,answer", "x,cloth,navy,perhaps"), "line 2: answer wants yes or no"),
        ((), "the file is empty"),
        (("image_id,type", "x,cloth"), "wanted the columns image_id, type, value, answer"),
    ],
)
def test_known_labels_that_are_of_no_use(
    voted: Callable[..., Any], lines: tuple[str, ...], said: str
) -> None:
    shop = voted(templates=1, views={"whole": {}})
    path = shop.root / "k.csv"
    path.write_text("\n".join(lines), "utf-8")
    err = shop.do("calibrate", "--known", path, code=1).err
    assert said in err
    assert "catalog" not in err
    assert not (shop.workspace.labels / "weights.json").exists()


def test_without_votes(shop: Any) -> None:
    ran = shop.do("calibrate", "--known", "catalog", code=1)
    assert "label-attributes ask --ensemble FILE" in ran.err
