"""calibrate --clip: which known labels it goes by, and what becomes of the cuts that were there."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import UsageError
from labeling.attributes.voting.clip_voter import ClipVoting
from stand_ins.embedding import ColourEmbedder

CLIP = {"name": "clip", "kind": "clip", "model": "none"}
_LOAD = "labeling.attributes.voting.clip_voter.load_open_clip"


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> ColourEmbedder:
    """A stand-in for every CLIP model; its own test is not at stake here."""
    made = ColourEmbedder()
    monkeypatch.setattr(_LOAD, lambda *_, **__: made)
    monkeypatch.setattr("labeling.attributes.voting.clip_voter.self_test", lambda _: None)
    return made


def known_of(shop: Any, *more: str) -> Path:
    """Write what is true of all subjects, then rows of one's own."""
    path: Path = shop.root / "known.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["image_id", "object_id", "type", "value", "answer"])
        for (image_id, object_id, kind, value), answer in shop.right().items():
            rows.writerow([image_id, object_id, kind, value, answer])
        stream.write("".join(f"{line}\n" for line in more))
    return path


def cut(shop: Any, known: Path | str, *arguments: str, code: int = 0) -> Any:
    ensemble = shop.ensemble(CLIP)
    return shop.do(
        *("calibrate", "--clip", ensemble, "--known", known, "--noun", "garment", *arguments),
        code=code,
    )


def cuts_of(shop: Any) -> Path:
    path: Path = shop.workspace.labels / "clip-clip.json"
    return path


def test_objects_are_calibrated_when_they_are_asked_for(scenes: Any) -> None:
    known = known_of(scenes)
    ran = cut(scenes, known, "--subjects", "objects")
    assert "on 16 known subjects" in ran.out
    assert "match no picture" not in ran.out
    assert len(json.loads(cuts_of(scenes).read_text("utf-8"))["cuts"]) == 7 * 3
    ran = cut(scenes, known, code=1)
    assert "knows nothing of the pictures of this catalog: 112 of 112 rows match no" in ran.err
    ran = cut(scenes, "catalog", "--subjects", "objects", code=1)
    assert "catalog: knows nothing of the objects of this catalog" in ran.err


def test_decisions_are_no_known_labels_for_cuts(shop: Any) -> None:
    ran = cut(shop, "decisions", code=1)
    assert ran.err.startswith("error: --known decisions is of votes, and --clip sets cuts before")
    assert "name a CSV or Parquet file of known labels, or catalog" in ran.err
    assert ran.err.count("\n") == 1


def test_rows_that_match_nothing_are_counted(shop: Any) -> None:
    known = known_of(shop, "zz,,cloth,teal,yes", "zz,,cut,boxy,no")
    text = known.read_text("utf-8").replace("cloth,navy", "CLOTH,Navy")
    known.write_text(text, "utf-8")
    ran = cut(shop, known)
    assert "2 of 114 rows match no picture, object or value that is voted on" in ran.out
    assert "such as line 114: zz cloth: teal" in ran.out
    assert "on 16 known subjects" in ran.out
    said = json.loads(cuts_of(shop).read_text("utf-8"))["cuts"]
    assert ("cloth", "navy") in {(row["type"], row["value"]) for row in said}


def test_the_seed_chooses_where_too_many_are_known(
    shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labeling.attributes.voting.clip_calibration._MOST", 12)
    known = known_of(shop)
    made = set()
    for seed in ("0", "1", "1"):
        assert "on 12 known subjects" in cut(shop, known, "--seed", seed).out
        made.add(cuts_of(shop).read_bytes())
    assert len(made) == 2


def test_old_cuts_stay_until_there_are_new_ones(
    shop: Any, embedder: ColourEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(shop)
    cut(shop, known)
    before = cuts_of(shop).read_bytes()

    def no_model(*_: Any, **__: Any) -> ColourEmbedder:
        raise UsageError("there is no such model")

    with monkeypatch.context() as patch:
        patch.setattr(_LOAD, no_model)
        assert "no such model" in cut(shop, known, code=1).err
    assert cuts_of(shop).read_bytes() == before

    @contextmanager
    def no_margins() -> Iterator[None]:
        async def broken(*_: Any) -> Any:
            raise UsageError("the graphics card is gone")

        with monkeypatch.context() as patch:
            patch.setattr(ClipVoting, "margins", broken)
            yield

    with no_margins():
        assert "card is gone" in cut(shop, known, code=1).err
    assert cuts_of(shop).read_bytes() == before
    # cuts of another model are no hindrance, and are replaced
    embedder.identity = "d1" * 32
    cut(shop, known)
    assert cuts_of(shop).read_bytes() != before


def test_cuts_of_another_workspace_are_used_where_there_are_none_of_its_own(
    shop: Any, shop_at: Any, tmp_path: Path, embedder: ColourEmbedder
) -> None:
    cut(shop, known_of(shop))
    other = shop_at(tmp_path / "other")
    ensemble = other.ensemble(CLIP | {"thresholds": str(cuts_of(shop))})
    other.ask(ensemble)
    # the stand-in can tell nothing here from chance; without cuts it would say yes and no
    assert {vote.answer for vote in other.votes()} == {"unsure"}
    first = other.manifest()
    again = other.ask(ensemble)
    assert again.out.startswith("16 pictures")
    assert other.manifest() == first  # nothing was asked again
    # its own cuts win, and the votes are others then
    said = json.loads(cuts_of(shop).read_text("utf-8"))
    said["cuts"] = [row | {"is_chance": False, "cut": -2.0} for row in said["cuts"]]
    cuts_of(other).write_text(json.dumps(said), "utf-8")
    other.ask(ensemble)
    assert {vote.answer for vote in other.votes()} == {"yes"}
    cuts_of(other).unlink()
    # those that hold for another model are refused, wherever they lie
    embedder.identity = "d0" * 32
    ran = other.ask(ensemble, code=1)
    assert "was calibrated for another model, other captions or other views" in ran.err
    # calibrating does not look at cuts
    other.do("calibrate", "--clip", ensemble, "--known", known_of(other), "--noun", "garment")
    other.ask(ensemble)


def test_a_catalog_without_a_vocabulary_gets_one(shop: Any) -> None:
    shop.workspace.vocabulary.unlink()
    ran = cut(shop, "catalog")
    assert "vocabulary.yaml from the catalog; look it over." in ran.out
    assert "on 16 known subjects" in ran.out


def test_an_ensemble_without_a_clip_voter_is_named(shop: Any, tmp_path: Path) -> None:
    ensemble = shop.ensemble({"name": "old", "kind": "replay", "votes": "votes.parquet"})
    ran = shop.do("calibrate", "--clip", ensemble, "--known", "catalog", code=1)
    assert f"{ensemble}: has no voter of the kind clip, so nothing to set cuts for" in ran.err
    assert "(there are old); add one, or calibrate without --clip" in ran.err


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--subjects", "objects"), "--subjects"),
        (("--subjects", "pictures"), "--subjects"),  # also where it is what would be taken
        (("--noun", "dress"), "--noun"),
        (("--seed", "0"), "--seed"),
        (("--engine", "ray"), "--engine"),
        (("--clip", "ENSEMBLE", "--widest", "0.1"), "--widest"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    shop: Any, arguments: tuple[str, ...], option: str
) -> None:
    ensemble = shop.ensemble(CLIP)
    given = [str(ensemble) if word == "ENSEMBLE" else word for word in arguments]
    ran = shop.do("calibrate", "--known", "catalog", *given, code=1)
    assert ran.err.startswith(f"error: {option} ")
    assert ran.err.count("\n") == 1
    assert not cuts_of(shop).exists()
