"""Rows of the files of RefCOCOg, gRefCOCO and COCO, for tests."""

from typing import Any

FIRST, SECOND = "COCO_train2014_000000000110.jpg", "COCO_train2014_000000000111.jpg"


def sentence(sent_id: int, text: str) -> dict[str, Any]:
    """Return a sentence of a reference."""
    return {"raw": text.title(), "sent": text, "sent_id": sent_id, "tokens": text.split()}


def reference(ref_id: int, **more: Any) -> dict[str, Any]:
    """Return a reference as refs(umd).p has it; its file name ends in the annotation's number."""
    return {
        "ref_id": ref_id,
        "ann_id": 1,
        "image_id": 110,
        "category_id": 47,
        "split": "test",
        "file_name": "COCO_train2014_000000000110_1.jpg",
        "sent_ids": [10 * ref_id],
        "sentences": [sentence(10 * ref_id, "the left cup")],
        **more,
    }


def annotation(number: int, box: Any, **more: Any) -> dict[str, Any]:
    """Return an annotation of instances.json, of the picture FIRST."""
    return {
        "id": number,
        "image_id": 110,
        "category_id": 47,
        "bbox": box,
        "area": 1.0,
        "iscrowd": 0,
        "segmentation": [],
        **more,
    }
