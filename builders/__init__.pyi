from .catalog import Built, iterate_items, load_items
from .coco.build import CocoOptions, build_coco
from .complexity import GridRules, count_grid
from .duplicates.dedup import dedup
from .duplicates.leaks import find_leaks
from .duplicates.settings import DedupSettings
from .invig.build import InvigOptions, build_invig
from .open_images.build import OpenImagesOptions, build_open_images
from .sample.build import build_sample
from .table.build import build_table
from .table.mapping import MappingOptions, load_mapping

__all__ = [
    "Built",
    "CocoOptions",
    "DedupSettings",
    "GridRules",
    "InvigOptions",
    "MappingOptions",
    "OpenImagesOptions",
    "build_coco",
    "build_invig",
    "build_open_images",
    "build_sample",
    "build_table",
    "count_grid",
    "dedup",
    "find_leaks",
    "iterate_items",
    "load_items",
    "load_mapping",
]
