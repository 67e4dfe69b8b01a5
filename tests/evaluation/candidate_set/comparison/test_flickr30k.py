"""Phrases of Flickr30k Entities become expressions, or say why not."""

from pathlib import Path

import pytest

from benchwright.errors import SourceError, UsageError
from evaluation.candidate_set.comparison.expressions import Expression, Marked, Unused
from evaluation.candidate_set.comparison.flickr30k import flickr30k

NAME = "1000092795"
CAPTIONS = (
    "[/EN#1/people Two young guys] with [/EN#2/bodyparts/other shaggy hair] look at"
    " [/EN#0/notvisual each other] in [/EN#8/scene the yard] .\n"
    "[/EN#1/people Two men] near [/EN#9/other a bush] .\n"
    "Nobody [/EN#3/other  ] .\n"
)
OBJECTS = """
<object><name>1</name><bndbox><xmin>11</xmin><ymin>21</ymin><xmax>31</xmax><ymax>41</ymax></bndbox>
</object>
<object><name>1</name><name>2</name>
<bndbox><xmin>2</xmin><ymin>1</ymin><xmax>6</xmax><ymax>51</ymax></bndbox></object>
<object><name>8</name><scene>1</scene><nobndbox>0</nobndbox></object>
<object><name>9</name><scene>0</scene><nobndbox>1</nobndbox></object>
"""


def xml(objects: str = OBJECTS, head: str = "") -> str:
    return (
        f"{head}<annotation><filename>{NAME}.jpg</filename><size><width>500</width>"
        f"<height>333</height><depth>3</depth></size>{objects}</annotation>"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "flickr30k"
    for name in ("Annotations", "Sentences"):
        (root / name).mkdir(parents=True)
    (root / "Annotations" / f"{NAME}.xml").write_text(xml(), "utf-8")
    (root / "Sentences" / f"{NAME}.txt").write_text(CAPTIONS, "utf-8")
    (root / "test.txt").write_text(f"{NAME}\n", "utf-8")
    return root


def test_phrases_mean_their_boxes(folder: Path) -> None:
    found = [one for one in flickr30k(folder, folder / "test.txt") if isinstance(one, Expression)]
    people, hair, again = found
    boxes = (
        Marked(box_id="1", category="people", box=(10, 20, 20, 20)),
        Marked(box_id="2", category="people", box=(1, 0, 4, 50)),
    )
    assert hair == Expression(
        name=f"{NAME}-1-2",
        picture=NAME,
        files=(f"{NAME}.jpg",),
        size=(500, 333),
        context="Two young guys with shaggy hair look at each other in the yard .",
        words="shaggy hair",
        boxes=boxes,
        true=("2",),
        kind="single",
    )
    # the smallest box around both
    around = Marked(box_id="chain-1", category="people", box=(1, 0, 29, 50))
    assert (people.boxes, people.true) == ((*boxes, around), ("chain-1",))
    assert (again.words, again.true) == ("Two men", ("chain-1",))


def test_other_phrases_say_why_not(folder: Path) -> None:
    found = [one for one in flickr30k(folder, folder / "test.txt") if isinstance(one, Unused)]
    assert found == [
        Unused(name=f"{NAME}-1-3", reason="it names nothing that can be seen"),
        Unused(name=f"{NAME}-1-4", reason="it is the whole scene"),
        Unused(name=f"{NAME}-2-2", reason="it has no box"),
        Unused(name=f"{NAME}-3-1", reason="it says nothing"),
    ]


def test_captions_that_the_set_calls_unrelated_are_left_out(folder: Path) -> None:
    (folder / "UNRELATED_CAPTIONS").write_text(f"# format\n{NAME} 2\n", "utf-8")
    reasons = {
        one.name: one.reason
        for one in flickr30k(folder, folder / "test.txt")
        if isinstance(one, Unused)
    }
    assert reasons[f"{NAME}-2-1"] == "its caption is of another picture"
    assert f"{NAME}-1-1" not in reasons


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<annotation>",
        "<annotation></annotation>",
        # entities that would grow without an end
        xml(head='<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]>'),
        xml("<object><name>1</name><bndbox><xmin>a</xmin></bndbox></object>"),
        xml("<object><name>1</name><bndbox><xmin>9999999999</xmin></bndbox></object>"),
    ],
)
def test_a_broken_picture_is_a_row(text: str, folder: Path) -> None:
    (folder / "Annotations" / f"{NAME}.xml").write_text(text, "utf-8")
    (found,) = flickr30k(folder, folder / "test.txt")
    assert found == Unused(name=NAME, reason="its annotations cannot be read")


def test_a_picture_without_files_is_a_row(folder: Path) -> None:
    (folder / "val.txt").write_text("77\n../../etc/passwd\n", "utf-8")
    (found,) = flickr30k(folder, folder / "val.txt")
    assert found == Unused(name="77", reason="Annotations or Sentences lacks its picture")


def test_what_is_not_there_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Annotations: wanted it of Flickr30k Entities"):
        list(flickr30k(tmp_path, folder / "test.txt"))
    with pytest.raises(SourceError, match="name a list of pictures by --only"):
        list(flickr30k(folder, folder / "none.txt"))
    (folder / "empty.txt").write_text("\n", "utf-8")
    with pytest.raises(UsageError, match="wanted the ids of pictures"):
        list(flickr30k(folder, folder / "empty.txt"))
