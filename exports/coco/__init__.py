"""COCO files for tools that read that format: objects of a catalog, boxes of candidate sets."""

from exports.coco.objects import WrittenCoco, captions_of, instances_of, write_coco

__all__ = ["WrittenCoco", "captions_of", "instances_of", "write_coco"]
