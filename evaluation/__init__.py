"""Models are run on releases, and their runs are scored and compared.

Reads a release, from a folder or the Hub; writes ``runs/NAME/`` of a workspace (what was played,
scores) and pages that compare runs.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
