"""COCO files become a catalog."""
