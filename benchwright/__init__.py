"""What the stages share: records, stores, pictures, model servers, statistics, errors.

Records stand in ``benchwright.records``, figures with their intervals in
``benchwright.statistics``; a ``Workspace`` names where each stage reads and writes.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)

__version__ = "0.1.0"
