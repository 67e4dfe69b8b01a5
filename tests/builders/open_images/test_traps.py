"""Faults that people met in Open Images files, each built here, with what is right."""

import gzip
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.errors import SourceError, UsageError

BOX = "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax"
FLAGS = f"{BOX},IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside"
LABEL = "ImageID,Source,LabelName,Confidence"
LISTS = "ImageID,Subset,OriginalURL,License,Author,Title,OriginalMD5,Rotation"
MASK = "MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks"
RELATION = (
    "ImageID,LabelName1,LabelName2,XMin1,XMax1,YMin1,YMax1,XMin2,XMax2,YMin2,YMax2,"
    "RelationshipLabel"
)
_GZIP_HEADER = gzip.compress(b"")[:10]
HAND, FOOT = "x,xclick,/m/0k65p,1,0.1,0.5,0.2,0.4", "x,xclick,/m/031n1,1,0.5,0.75,0,1"


def csv_of(*lines: str, end: str = "\n", encoding: str = "utf-8") -> bytes:
    return "".join(f"{line}{end}" for line in lines).encode(encoding)


def mask_png(size: tuple[int, int] = (100, 50), *, filled: bool = True) -> bytes:
    image = Image.new("1", size)
    if filled:
        image.paste(1, (0, 0, size[0] // 2, size[1]))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


@dataclass
class Case:
    """Files beside x.jpg of 100 x 50 pixels, and what the only item and its account are."""

    files: Mapping[str, bytes]
    boxes: list[tuple[float, ...]] = field(default_factory=list)
    first: Mapping[str, Any] = field(default_factory=dict)  # of the first object
    item: Mapping[str, Any] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    reasons: Mapping[str, int] = field(default_factory=dict)
    altered: Mapping[str, int] = field(default_factory=dict)
    printed: str = ""


B1, B2 = (10, 10, 40, 10), (50, 0, 25, 50)
CASES = {
    # formats 26; traps: columns in the order XMin,XMax,YMin,YMax, normalised
    "order of columns": Case({"b.csv": csv_of(BOX, HAND)}, [B1]),
    "another order of columns": Case(
        {"b.csv": csv_of("YMax,YMin,XMax,XMin,LabelName,ImageID", "0.4,0.2,0.5,0.1,/m/0k65p,x")},
        [B1],
    ),
    # formats 24: any name, any folder, any case of the ending
    "names mean nothing": Case({"deep/er/classes[1].CSV": csv_of(BOX, HAND)}, [B1]),
    # formats 23; traps: flags of -1 are unknown, IsGroupOf is a crowd only when it is 1
    "flags unknown": Case(
        {"b.csv": csv_of(FLAGS, f"{HAND},-1,-1,-1,-1,-1")},
        [B1],
        {"is_crowd": False, "is_occluded": None, "is_truncated": None, "attributes": ()},
    ),
    "flags of a group": Case(
        {"b.csv": csv_of(FLAGS, f"{HAND},1,0,1,0,0")},
        [B1],
        {"is_crowd": True, "is_occluded": True, "is_truncated": False, "attributes": ()},
    ),
    "flags as floats": Case(
        {"b.csv": csv_of(FLAGS, f"{HAND},1.0,0.0,-1.0,,nan")},
        [B1],
        {"is_crowd": False, "is_occluded": True, "is_truncated": False, "attributes": ()},
    ),
    "flags that are none": Case(
        {"b.csv": csv_of(FLAGS, f"{HAND},yes,2,0,0,0")},
        [B1],
        {"is_occluded": None, "is_truncated": None},
        altered={"bad_flag": 2},
    ),
    # traps: ids stay text
    "names of classes with commas, quotes, letters": Case(
        {
            "b.csv": csv_of(BOX, HAND),
            "c.csv": csv_of('/m/0k65p,"Fiat 500 ""topolino"", smörgås"'),
        },
        [B1],
        {"category": 'Fiat 500 "topolino", smörgås'},
    ),
    "class list with a header": Case(
        {"b.csv": csv_of(BOX, HAND), "c.csv": csv_of("LabelName,DisplayName", "/m/0k65p,NA")},
        [B1],
        {"category": "NA"},  # text stays text
    ),
    "no class list": Case(
        {"b.csv": csv_of(BOX, HAND)}, [B1], {"category": "/m/0k65p"}, printed="no class list"
    ),
    # traps: BOM, delimiters, line ends, encodings
    "a byte order mark": Case({"b.csv": b"\xef\xbb\xbf" + csv_of(BOX, HAND)}, [B1]),
    "semicolons": Case(
        {"b.csv": csv_of(BOX.replace(",", ";"), HAND.replace(",", ";"))},
        [B1],
        printed="divided by ';'",
    ),
    "semicolons and decimal commas": Case(
        {"b.csv": csv_of(BOX.replace(",", ";"), HAND.replace(",", ";").replace(".", ","))}, [B1]
    ),
    "tabs": Case(
        {"b.csv": csv_of(BOX.replace(",", "\t"), HAND.replace(",", "\t"))},
        [B1],
        printed=r"divided by '\t'",
    ),
    "CR only": Case({"b.csv": csv_of(BOX, HAND, end="\r")}, [B1]),
    "CRLF": Case({"b.csv": csv_of(BOX, HAND, end="\r\n")}, [B1]),
    "Windows-1252": Case(
        {
            "b.csv": csv_of(BOX, HAND),
            "c.csv": csv_of("/m/0k65p,Smörgås", "/m/1,é", encoding="cp1252"),
        },
        [B1],
        {"category": "Smörgås"},
        printed="cp1252",
    ),
    "UTF-16": Case({"b.csv": csv_of(BOX, HAND, encoding="utf-16")}, [B1], printed="utf-16"),
    "gzip": Case({"b.csv.gz": gzip.compress(csv_of(BOX, HAND))}, [B1]),
    "a title with a line end": Case(
        {"i.csv": csv_of(LISTS, 'x,train,,L,A,"two\nlines",,0')}, item={"title": "two\nlines"}
    ),
    "a title of 200,000 characters": Case(
        {"i.csv": csv_of(LISTS, f"x,train,,L,A,{'t' * 200_000},,0")}, item={"title": "t" * 200_000}
    ),
    "blank lines": Case({"b.csv": csv_of(BOX, "", HAND, "")}, [B1]),
    # records that cannot be used: one reject each, the rest is read
    "short and long rows": Case(
        {"b.csv": csv_of(BOX, "x,xclick,/m/1", f"{HAND},7", FOOT)}, [B2], reasons={"ragged": 2}
    ),
    "text after a quote": Case(
        {"b.csv": csv_of(BOX, 'x,"a"b,/m/1,1,0,1,0,1', FOOT)}, [B2], reasons={"bad_quotes": 1}
    ),
    "no number": Case(
        {
            "b.csv": csv_of(
                BOX,
                *(f"x,s,/m/1,1,{x},1,0,1" for x in ("", "NaN", "inf", "1e999", "0_1", "٠", "0x1")),
                FOOT,
            )
        },
        [B2],
        reasons={"bad_box": 7},
    ),
    "pixels where parts were wanted": Case(
        {"b.csv": csv_of(BOX, "x,s,/m/1,1,10,50,10,20", FOOT)}, [B2], reasons={"bad_box": 1}
    ),
    "sides in the wrong order, or none": Case(
        {"b.csv": csv_of(BOX, "x,s,/m/1,1,0.5,0.1,0,1", "x,s,/m/1,1,0.5,0.5,0,1", FOOT)},
        [B2],
        reasons={"bad_box": 2},
    ),
    "a little out of the picture": Case(
        {"b.csv": csv_of(BOX, "x,s,/m/1,1,-0.001,0.5,0,1.0000001", "x,s,/m/2,1,-1e-9,1,0,1")},
        [(0, 0, 50, 50), (0, 0, 100, 50)],
        altered={"box_clipped": 1},  # less than half a millionth is rounding
    ),
    "no id, no class": Case(
        {"b.csv": csv_of(BOX, ",s,/m/1,1,0,1,0,1", "x,s,,1,0,1,0,1", FOOT)},
        [B2],
        reasons={"no_id": 1, "no_label": 1},
    ),
    "one box twice, and in two versions of a file": Case(
        {
            "v3.csv": csv_of(BOX, HAND, HAND),
            "v5.csv": csv_of(FLAGS, f"{HAND},1,0,0,0,0"),
            "pandas.csv": csv_of(BOX, HAND.replace("0.1,", "0.10000000000000003,")),
        },
        [B1],
        {"is_occluded": True},  # the row that says most
        reasons={"duplicate_box": 3},
    ),
    "one file twice": Case(
        {"a/b.csv": csv_of(BOX, HAND), "b/b.csv": csv_of(BOX, HAND)}, [B1], printed="the same bytes"
    ),
    # labels
    "absent, confirmed, proposed, contradicted": Case(
        {
            "l.csv": csv_of(
                LABEL,
                "x,verification,/m/1,0",
                "x,verification,/m/2,1",
                "x,machine,/m/3,0.7",
                "x,machine,/m/1,0.9",  # a person said no
                "x,machine,/m/2,0.9",  # a person said yes
                "x,verification,/m/4,1",
                "x,crowdsource-verification,/m/4,0",
            )
        },
        labels=["label /m/2", "machine label /m/3"],
        altered={"verified_absent": 1, "label_conflict": 1, "machine_label_settled": 1},
    ),
    "confidence that is none": Case(
        {"l.csv": csv_of(LABEL, *(f"x,verification,/m/1,{c}" for c in ("", "yes", "2", "-1")))},
        reasons={"bad_confidence": 4},
    ),
    # relationships
    "made of": Case(
        {
            "b.csv": csv_of(BOX, HAND, FOOT),
            "r.csv": csv_of(RELATION, "x,/m/031n1,/m/04lbp,0.5,0.75,0,1,0.5,0.75,0,1,is"),
            "c.csv": csv_of("id,name", "/m/04lbp,(made of)Leather"),
        },
        [B2, B1],
        {"attributes": (("made of", "Leather", "/m/04lbp"),)},
    ),
    "a plain attribute, stated twice": Case(
        {
            "b.csv": csv_of(BOX, FOOT),
            "r.csv": csv_of(RELATION, *["x,/m/031n1,/m/9,0.5,0.75,0,1,0.5,0.75,0,1,is"] * 2),
        },
        [B2],
        {"attributes": (("attribute", "/m/9", "/m/9"),)},
    ),
    "two objects": Case(
        {
            "b.csv": csv_of(BOX, HAND, FOOT),
            "r.csv": csv_of(RELATION, "x,/m/031n1,/m/0k65p,0.5,0.75,0,1,0.1,0.5,0.2,0.4,inside_of"),
            "n.csv": csv_of("at,at", "inside_of,inside of"),
        },
        [B2, B1],
        {"attributes": (("inside of", "/m/0k65p", "x_m0k65p_"),)},
    ),
    "a box a hair off": Case(
        {
            "b.csv": csv_of(BOX, FOOT),
            "r.csv": csv_of(RELATION, "x,/m/031n1,/m/9,0.5004,0.75,0,1,0.5,0.75,0,1,is"),
        },
        [B2],
        {"attributes": (("attribute", "/m/9", "/m/9"),)},
    ),
    "an object that no box has": Case(
        {"r.csv": csv_of(RELATION, "x,/m/031n1,/m/9,0.5,0.75,0,1,0.5,0.75,0,1,is")},
        [B2],
        {"is_occluded": None},
        altered={"implied_object": 1},
    ),
    # masks
    "a mask, at half the size": Case(
        {
            "b.csv": csv_of(BOX, HAND),
            "m.csv": csv_of(MASK, "m.png,x,/m/0k65p,1,0.1,0.5,0.2,0.4,0.9,0.1 0.2 1"),
            "masks/0/m.png": mask_png((50, 25)),
        },
        [B1],
        {"area": 2500.0},
        altered={"mask_scaled": 1},
    ),
    "two masks of one box": Case(
        {
            "m.csv": csv_of(MASK, *(f"{n}.png,x,/m/1,1,0,1,0,1,0.{n}," for n in (3, 7))),
            "3.png": mask_png(filled=False),
            "7.png": mask_png(),
        },
        [(0, 0, 100, 50)],
        {"area": 2500.0},  # the one predicted to fit best
        reasons={"duplicate_mask": 1},
        altered={"implied_object": 1},
    ),
    "masks that are missing, broken, empty, elsewhere": Case(
        {
            "b.csv": csv_of(BOX, *(f"x,s,/m/{n},1,0,1,0,1" for n in range(5))),
            "m.csv": csv_of(
                MASK,
                "no.png,x,/m/0,1,0,1,0,1,0.5,",
                "broken.png,x,/m/1,1,0,1,0,1,0.5,",
                "empty.png,x,/m/2,1,0,1,0,1,0.5,",
                "../../broken.png,x,/m/3,1,0,1,0,1,0.5,",
                "/etc/passwd,x,/m/4,1,0,1,0,1,0.5,",
                ",x,/m/5,1,0,1,0,1,0.5,",
            ),
            "broken.png": b"\x89PNG\r\n\x1a\nnope",
            "empty.png": mask_png(filled=False),
        },
        [(0, 0, 100, 50)] * 5,
        {"mask": None},
        reasons={"no_mask_path": 1},
        altered={"no_mask": 3, "broken_mask": 1, "empty_mask": 1},
    ),
    # image lists
    "lists that agree, complete and contradict each other": Case(
        {
            "v3.csv": csv_of("ImageID,Subset,OriginalURL,Title", "x,train,http://a,one"),
            "v6.csv": csv_of(LISTS, "x,train,http://a,L,A,two,,180.0"),
        },
        item={"title": "two", "licence": "L", "split": "train"},
        altered={"conflicting_lists": 1, "turned": 1},
        printed="1 row = 1 repeated",
    ),
    "records of pictures that no list has": Case(
        {
            "i.csv": csv_of(LISTS, "x,train,,,,,,"),
            "b.csv": csv_of(BOX, HAND, "y,s,/m/1,1,0,1,0,1", "y,s,/m/2,1,0,1,0,1"),
            "l.csv": csv_of(LABEL, "z,verification,/m/1,1"),
        },
        [B1],
        reasons={"unlisted_picture": 2},
        printed="3 rows = 1 kept + 2 of pictures left out",
    ),
    # formats 22: the photo is gone
    "listed and without a file": Case(
        {"i.csv": csv_of(LISTS, "x,train,,,,,,", "y,train,,,,,,")}, reasons={"missing_file": 1}
    ),
    # what is no file of Open Images
    "other files": Case(
        {
            "b.csv": csv_of(BOX, HAND),
            "notes.csv": csv_of("a,b,c", "1,2,3"),
            "empty.csv": b"",
            "binary.csv": b"\x00\x01\x02" * 50,
            "zip.csv": b"PK\x03\x04",
            "quotes.csv": b'a,b\n"never closed,1\n',
            "other.json": b"{}",
        },
        [B1],
        printed="ignored notes.csv: no file of Open Images has this header: a,b,c",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_traps(
    tmp_path: Path,
    build: Callable[..., Any],
    jpeg: Callable[..., bytes],
    write: Callable[..., Path],
    name: str,
) -> None:
    case = CASES[name]
    seen = {"seen.csv": csv_of(LABEL, "x,verification,/m/seen,1")}  # so that x is named
    files = {**case.files} if "i.csv" in case.files or "v3.csv" in case.files else seen | case.files
    folder = write(tmp_path / "in", {**files, "x.jpg": jpeg(100, 50)})
    result = build(folder, tmp_path)
    (item,) = result.items.values()
    assert item.source_id == "x"
    assert [one.bbox for one in item.objects] == [pytest.approx(box) for box in case.boxes]
    for key, value in case.first.items():
        found = getattr(item.objects[0], key)
        if key == "attributes":
            assert [(a.type, a.value) for a in found] == [one[:2] for one in value]
            assert all(a.raw.startswith(one[2]) for a, one in zip(found, value, strict=True))
        else:
            assert found == value
    for key, value in case.item.items():
        assert getattr(item, key) == value
    labels = [f"{one.type} {one.value}" for one in item.attributes if one.raw != "/m/seen"]
    assert labels == case.labels
    assert result.reasons == case.reasons
    assert result.altered == case.altered
    assert case.printed in "\n".join(result.lines)


@pytest.mark.parametrize(
    "image_id",
    ["00012345678e90", "0000000000000001", "NA", "null", "None", "1e5", "a[1]", "-", "é"],
)
def test_ids_stay_text(
    tmp_path: Path,
    build: Callable[..., Any],
    jpeg: Callable[..., bytes],
    write: Callable[..., Path],
    image_id: str,
) -> None:
    folder = write(
        tmp_path / "in",
        {
            "i.csv": f"ImageID,Subset\n{image_id},train\n",
            "b.csv": f"ImageID,LabelName,XMin,XMax,YMin,YMax\n{image_id},/m/1,0,1,0,1\n",
            f"train/{image_id}.jpeg": jpeg(10, 10),
        },
    )
    result = build(folder, tmp_path)
    assert list(result.items) == [image_id]
    assert len(result.items[image_id].objects) == 1


@pytest.mark.parametrize(
    ("files", "error", "says"),
    [
        ({}, UsageError, "no CSV file in it names a picture"),
        ({"c.csv": b"/m/1,One\n"}, UsageError, "no CSV file in it names a picture"),
        ({"b.csv": csv_of(BOX)}, UsageError, "would be empty"),
        ({"b.csv": csv_of(BOX, "y,s,/m/1,1,0,1,0,1")}, UsageError, "none of 1 has a file"),
        # the line where the record starts
        (
            {"b.csv": csv_of(BOX, HAND, 'x,"open,/m/1,1,0,1,0,1', HAND)},
            SourceError,
            "starts on line 3 opens a quote",
        ),
        # a slip in the middle of a known file is no reason to leave the file aside
        (
            {"b.csv": csv_of(BOX, *["x,ü,/m/1,1,0,1,0,1"] * 30) + b"x,\x81,/m/1,1,0,1,0,1\n"},
            SourceError,
            "0x81",
        ),
        ({"b.csv.gz": gzip.compress(csv_of(BOX, HAND) * 99)[:-30]}, SourceError, "get the file"),
        # bytes in the middle that no longer unpack: block type 3 does not exist
        (
            {"b.csv.gz": gzip.compress(csv_of(BOX, *[HAND] * 9000)) + _GZIP_HEADER + b"\x07"},
            SourceError,
            "get the file",
        ),
        (
            {"b.csv.gz": gzip.compress(csv_of(BOX, *[f"{'0' * 9999},s,/m/1,1,0,1,0,1"] * 9000))},
            SourceError,
            "unpacks to more than",
        ),
        (
            {"h.json": b'{"LabelName": "a", "Subcategory": 1}', "b.csv": csv_of(BOX, HAND)},
            SourceError,
            "h.json: Subcategory of a",
        ),
    ],
)
def test_errors_name_the_place(
    tmp_path: Path,
    build: Callable[..., Any],
    jpeg: Callable[..., bytes],
    write: Callable[..., Path],
    files: dict[str, bytes],
    error: type[Exception],
    says: str,
) -> None:
    folder = write(tmp_path / "in", {**files, "x.jpg": jpeg(100, 50)})
    with pytest.raises(error, match=says) as raised:
        build(folder, tmp_path)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "catalog" / "manifest.json").exists()
