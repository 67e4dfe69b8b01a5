"""Which engine does the work of a stage; nothing that is written depends on it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Processes and threads of this machine, or a Ray cluster.

    ``address`` is the cluster's, HOST:PORT of its head; where it is null, Ray is started on this
    machine and ended with the command.
    """

    name: Literal["local", "ray"] = "local"
    address: str | None = None


LOCAL = Engine()
