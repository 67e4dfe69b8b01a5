"""What leaves a workspace: releases with their proof, COCO files, tasks for other harnesses.

Reads all stages of a workspace, and other releases; writes ``releases/NAME/VERSION/``, the Hub,
and files for tools of others.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
