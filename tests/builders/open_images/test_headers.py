"""Files are told by their headers."""

import pytest

from builders.open_images.headers import recognise

BOX = ["ImageID", "Source", "LabelName", "Confidence", "XMin", "XMax", "YMin", "YMax"]
FLAGS = ["IsOccluded", "IsTruncated", "IsGroupOf", "IsDepiction", "IsInside"]
CLICKS = [f"XClick{n}{axis}" for axis in "XY" for n in range(1, 5)]
RELATION = ["ImageID", "LabelName1", "LabelName2", "XMin1", "XMax1", "YMin1", "YMax1"]
RELATION += ["XMin2", "XMax2", "YMin2", "YMax2"]
IMAGES = ["ImageID", "Subset", "OriginalURL", "OriginalLandingURL", "License", "AuthorProfileURL"]
IMAGES += ["Author", "Title", "OriginalSize", "OriginalMD5", "Thumbnail300KURL"]


@pytest.mark.parametrize(
    ("records", "kind"),
    [
        ([BOX], "boxes"),  # V3
        ([BOX + FLAGS], "boxes"),  # V4, V5
        ([BOX + FLAGS + CLICKS], "boxes"),  # V6, V7
        ([["\ufeffimageid", *(name.lower() for name in BOX[1:])]], None),  # a BOM is no letter
        ([[f" {name.upper()} " for name in BOX]], "boxes"),  # blanks and capitals
        ([list(reversed(BOX))], "boxes"),  # in any order
        ([["ImageID", "LabelName", "XMin", "XMax", "YMin", "YMax", "IsGroupOf"]], "boxes"),
        ([IMAGES], "images"),  # V3: no Rotation
        ([[*IMAGES, "Rotation"]], "images"),
        ([["ImageID", "Rotation"]], "images"),
        ([["ImageID", "Source", "LabelName", "Confidence"]], "labels"),
        ([[*RELATION, "RelationshipLabel"]], "relations"),
        ([[*RELATION, "RelationLabel"]], "relations"),  # as older pages call it
        (
            [["MaskPath", "ImageID", "LabelName", "BoxID"] + [f"Box{n}" for n in BOX[4:]]],
            "masks",
        ),
        ([["LabelName", "DisplayName"], ["/m/0", "Generic"]], "classes"),
        ([["id", "name"], ["/m/011k07", "Tortoise"]], "classes"),
        ([["label", "name"], ["/m/011k07", "Tortoise"]], "classes"),
        ([["/m/011k07", "Tortoise"], ["/g/11k2", "x"]], "classes"),  # no header
        ([["id", "name"], ["7", "Tortoise"]], None),  # somebody else's table
        ([["at", "at"], ["holds", "holds"]], "relation names"),
        ([["image_id", "image_w", "image_h"]], "unused"),  # sizes
        ([["LabelName1", "LabelName2", "RelationshipLabel"]], "unused"),  # triplets
        ([["ImageId", "X", "Y", "Label", "EstimatedYesNo", "Source"]], "unused"),  # V7 points
        ([["ImageID", "PredictionString"]], None),
        ([["ImageID"]], None),
        ([["a", "b"]], None),
        ([[]], None),
        ([], None),
    ],
)
def test_kinds(records: list[list[str]], kind: str | None) -> None:
    layout = recognise(records)
    assert (None if layout is None else layout.kind) == kind


def test_a_broken_line_hides_no_class_list() -> None:
    records = [[f"/m/0{n}", "x"] for n in range(19)] + [["oops", "x"]]
    layout = recognise(records)
    assert layout is not None
    assert (layout.kind, layout.has_header) == ("classes", False)
