"""COCO files for tools that read that format: objects of a catalog, boxes of candidate sets."""
