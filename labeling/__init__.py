"""Models and people attach labels, make dialogues, and say how right they are.

Reads ``catalog/`` of a workspace; writes ``labels/`` (vocabulary, votes, labels), ``dialogues/``
and ``audits/``.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
