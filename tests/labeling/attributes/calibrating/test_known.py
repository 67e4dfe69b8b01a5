"""Known labels: what of a file or a catalog counts, and which rows are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.errors import SourceError
from benchwright.knowledge import Value
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.calibrating.known import known_by_file, read_known
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import SAID_YES
from labeling.attributes.deciding.weights import Question
from labeling.attributes.vocabulary.vocabulary import Vocabulary

HEAD = "image_id,type,value,answer"
VOCABULARY = Vocabulary(
    types=tuple(
        AttributeType(type=name, aliases=aliases, exclusive=False, complete=False, askable=True)
        for name, aliases in (("cloth", ("fabric",)), ("trim", ()))
    ),
    values=(
        AttributeValue(type="cloth", value="navy", aliases=("marine", "trim: sea"), templates=()),
        AttributeValue(type="cloth", value="teal", aliases=(), templates=()),
        AttributeValue(type="trim", value="a bow", aliases=(), templates=()),
    ),
)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a CSV of these lines."""

    def written(*lines: str, name: str = "known.csv") -> Path:
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return written


def test_a_csv(write: Callable[..., Path]) -> None:
    path = write(
        f"\ufeff{HEAD},object_id,probability,note",
        "a,cloth,navy,yes,,,sure",
        "a,cloth,navy,No,7,0.25,",
        "b, cloth ,navy, UNSURE ,,1,",
        "",
        "b,trim,a bow,no,,,",
    )
    assert read_known(path, VOCABULARY).labels == {
        ("a", None, "cloth", "navy"): (1, 1.0),
        ("a", "7", "cloth", "navy"): (-1, 4.0),
        ("b", None, "cloth", "navy"): (0, 1.0),
        ("b", None, "trim", "a bow"): (-1, 1.0),
    }


@pytest.mark.parametrize(
    ("data", "image_id"),
    [
        (f"{HEAD}\nä,cloth,navy,yes\n".replace(",", ";").encode("cp1252"), "ä"),  # of Excel
        (f"sep=;\n{HEAD}\nä,cloth,navy,yes\n".replace(",", ";").encode("utf-8-sig"), "ä"),
        (f"{HEAD}\nä,cloth,navy,yes\n".replace(",", "\t").encode("utf-16"), "ä"),  # Unicode text
    ],
)
def test_tables_are_read_as_those_of_catalogs(tmp_path: Path, data: bytes, image_id: str) -> None:
    path = tmp_path / "known.csv"
    path.write_bytes(data)
    assert read_known(path, VOCABULARY).labels == {(image_id, None, "cloth", "navy"): (1, 1.0)}


def test_a_line_is_that_of_the_file(write: Callable[..., Path]) -> None:
    path = write(f"{HEAD},note", 'a,cloth,navy,yes,"two\nlines"', "", "a,cloth,teal,maybe,")
    with pytest.raises(SourceError, match="line 5: answer wants yes or no"):
        read_known(path, VOCABULARY)


@pytest.mark.parametrize("name", ["known.parquet", "known.PARQUET"])
def test_a_parquet_file(tmp_path: Path, name: str) -> None:
    table = pa.table(
        {
            "image_id": ["a", "a"],
            "object_id": pa.array([None, 7], pa.int64()),
            "type": ["cloth", "cloth"],
            "value": ["navy", "navy"],
            "answer": ["yes", "no"],
            "probability": pa.array([None, 0.5]),
        }
    )
    pq.write_table(table, tmp_path / name)
    assert read_known(tmp_path / name, VOCABULARY).labels == {
        ("a", None, "cloth", "navy"): (1, 1.0),
        ("a", "7", "cloth", "navy"): (-1, 2.0),
    }


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((HEAD, "a,cloth,navy,yes", "a,cloth,teal,"), "line 3 has no answer"),
        ((HEAD, "a,cloth,,"), "line 2 has no value, answer"),
        ((HEAD, " ,cloth,navy,yes"), "line 2 has no image_id"),
        (("image,answer", "a,yes"), "there is no image_id, type, value (the first line has image,"),
        ((), "the file is blank"),
        (("a,cloth,navy,yes",), "the first line has a, cloth, navy, yes"),
        ((HEAD,), "has no row"),
        ((HEAD, "", ""), "has no row"),
        ((f"{HEAD},answer", "a,cloth,navy,yes,no"), "both called 'answer'; rename one"),
        ((f"object_id,{HEAD},object_id", "1,a,cloth,navy,yes,2"), "both called 'object_id'"),
        # a comma in a cell without quotes moves all that follows
        ((HEAD, "a,cloth,navy,yes", "a,cloth,navy, or so,yes"), "line 3: 5 cells where the"),
        ((HEAD, "a,cloth,navy,yes", "a,cloth"), "line 3: 2 cells where the header has 4; quote"),
        # two spellings of one label
        ((HEAD, "a,cloth,navy,yes", "a,Fabric,MARINE,no"), "line 3 says otherwise than line 2"),
        ((HEAD, "a,cloth,navy,maybe"), "line 2: answer wants yes or no, got 'maybe'"),
        *(
            ((f"{HEAD},probability", f"a,cloth,navy,yes,{share}"), "line 2: probability wants")
            for share in ("0", "-1", "1.5", "half", "nan", "inf", "1e-320")
        ),
        # said twice, otherwise
        ((HEAD, "a,cloth,navy,yes", "a,cloth,navy,no"), "line 3 says otherwise than line 2"),
        (
            (f"{HEAD},probability", "a,cloth,navy,yes,1", "a,cloth,navy,yes,0.5"),
            "line 3 says otherwise than line 2",
        ),
    ],
)
def test_rows_that_are_refused(
    write: Callable[..., Path], lines: tuple[str, ...], said: str
) -> None:
    path = write(*lines)
    with pytest.raises(SourceError) as caught:
        read_known(path, VOCABULARY)
    assert str(caught.value).startswith(f"{path}")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_columns_of_a_parquet_file(tmp_path: Path) -> None:
    path = tmp_path / "known.parquet"
    pq.write_table(pa.table({"image_id": ["a"], "answer": ["yes"]}), path)
    with pytest.raises(SourceError, match="there is no type, value"):
        read_known(path, VOCABULARY)
    empty = pa.table({name: pa.array([], pa.string()) for name in HEAD.split(",")})
    pq.write_table(empty, path)
    with pytest.raises(SourceError, match="has no row"):
        read_known(path, VOCABULARY)


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("Cloth", "NAVY", ("cloth", "navy")),
        ("fabric", "navy", ("cloth", "navy")),  # an alias of the type
        ("cloth", "Marine", ("cloth", "navy")),  # and of the value
        ("trim", "sea", ("cloth", "navy")),  # from the wrong column
        ("trim", "A-Bow", ("trim", "a bow")),
        ("cloth", "Mauve", ("cloth", "Mauve")),  # stands as it is
    ],
)
def test_spellings_are_those_of_the_vocabulary(
    write: Callable[..., Path], kind: str, value: str, read: tuple[str, str]
) -> None:
    held = read_known(write(HEAD, f"a,{kind},{value},yes"), VOCABULARY)
    assert held.labels == {("a", None, *read): (1, 1.0)}


def test_the_same_said_twice_counts_once(write: Callable[..., Path]) -> None:
    path = write(HEAD, "a,cloth,navy,yes", "a,cloth,navy,yes")
    assert read_known(path, VOCABULARY).labels == {("a", None, "cloth", "navy"): (1, 1.0)}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("none.csv", None, "No such file"),
        ("cut.parquet", b"PAR1 and no more", "a broken Parquet file"),
        ("packed.csv", b"\x1f\x8b and no more", "this is a gzip archive, not a table"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, data: bytes | None, said: str) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SourceError, match=said) as caught:
        read_known(path, VOCABULARY)
    assert str(caught.value).startswith(f"{path}: ")


def test_what_a_file_knows_of_ballots(write: Callable[..., Path]) -> None:
    ballots = Ballots(
        image_ids=pa.array(["a", "a", "b"], pa.string()),
        object_ids=pa.array([None, "7", None], pa.string()),
        values=(Value(type="cloth", value="navy"), Value(type="cloth", value="teal")),
        questions=(Question(voter="v", template="1", view="whole"),),
        subjects=np.array([0, 0, 1, 2], np.int32),
        columns=np.array([0, 1, 0, 1], np.int32),
        answers=np.full((1, 4), SAID_YES, np.uint8),
    )
    path = write(
        f"{HEAD},object_id,probability",
        "a,cloth,teal,no,,0.5",
        "a,Cloth,Navy,yes,7,0.1",
        "b,cloth,teal,unsure,,",
        "z,cloth,teal,yes,,",  # of no picture that was voted on
        "a,cloth,mauve,yes,7,",  # of no value
        "a,cloth,mauve,yes,7,",
    )
    held = read_known(path, VOCABULARY)
    known, unmatched = known_by_file(ballots, held, np.ones(4, bool))
    assert known.truth.tolist() == [0, -1, 1, 0]
    assert known.usable.tolist() == [False, True, True, False]
    assert known.weights[known.usable].tolist() == [2.0, pytest.approx(10.0)]
    assert unmatched is not None
    assert (unmatched.count, unmatched.of) == (3, 6)
    assert str(unmatched).endswith("such as line 5: z cloth: teal")
    assert held.unmatched([*held.labels]) is None
    some, _ = known_by_file(ballots, held, np.array([True, True, False, False]))
    assert some.usable.tolist() == [False, True, False, False]
    assert some.left_out == 1


Serve = Callable[..., Any]


@pytest.mark.parametrize(
    ("flags", "of_trim"),
    [
        ({}, "yes alone"),  # what the catalog does not list is not known
        ({"complete": True}, "all"),
    ],
)
def test_what_a_catalog_knows(
    shop: Any, kit: Any, serve: Serve, flags: dict[str, Any], of_trim: str
) -> None:
    shop.workspace.vocabulary.write_text(kit.vocabulary(**flags), "utf-8")
    shop.ask(shop.ensemble(kit.model(serve(kit.script())), full=0.4, templates=3))
    ran = shop.do("calibrate", "--known", "catalog")
    full = {
        vote.image_id
        for vote in shop.votes()
        if sum(each.image_id == vote.image_id for each in shop.votes()) == 7 * 3
    }
    assert 0 < len(full) < 16
    cells = [(cell, answer) for cell, answer in shop.right().items() if cell[0] in full]
    known = [cell for cell, said in cells if "yes" in (said, of_trim) or cell[2] == "cloth"]
    if of_trim == "all":
        known = [cell for cell, _ in cells]
    assert f"{len(known)} known values count" in ran.out
