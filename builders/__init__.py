"""Sources become a catalog: tables, COCO, InViG, Open Images, and a drawn sample.

Reads files of others and their pictures; writes ``catalog/`` (items, rejects, changes, pictures)
of a workspace, and what ``dedup`` and ``leaks`` find in it.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
