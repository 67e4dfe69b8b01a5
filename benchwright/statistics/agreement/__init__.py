"""How far several raters agree: people with each other, with a judge, with the machine's labels."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
