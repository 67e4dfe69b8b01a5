"""Which fault a chat request meets."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formatdate

from stand_ins.models.chance import share
from stand_ins.models.responses import Refused
from stand_ins.models.script import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """What strikes one request: seconds of delay, and the fault, null for none."""

    seconds: float = 0.0
    fault: Fault | None = None


class Schedule:
    """Decides which fault strikes; counts, for each fault, the requests to its models."""

    def __init__(self, faults: Sequence[Fault], seed: int) -> None:
        self._faults = tuple(faults)
        self._seed = seed
        self._came = [0] * len(self._faults)

    def strike(self, model: str, digest: str, asked_before: int) -> Struck:
        """Return what strikes the next request, which is the n-th asking of ``digest``."""
        seconds, struck = 0.0, None
        for number, fault in enumerate(self._faults):
            if fault.models is not None and model not in fault.models:
                continue
            ordinal = self._came[number]
            self._came[number] += 1
            drawn = share(self._seed, "fault", str(number), digest, str(asked_before))
            if ordinal not in fault.ordinals and drawn >= fault.rate:
                continue
            if fault.kind == "slow":
                seconds += fault.seconds
            elif struck is None:
                struck = fault
        return Struck(seconds=seconds, fault=struck)


def refusal_of(fault: Fault) -> Refused | None:
    """Return the HTTP error that a fault is, None where it is none."""
    if fault.kind == "rate_limit":
        return Refused(429, "too many requests; wait", headers=_retry_after(fault))
    if fault.kind == "quota":
        return Refused(429, "the quota of this key is used up", code="insufficient_quota")
    if fault.kind == "server_error":
        return Refused(500, "the server failed")
    if fault.kind == "unavailable":
        return Refused(503, "the server is loading", headers=_retry_after(fault))
    return None


def _retry_after(fault: Fault) -> tuple[tuple[str, str], ...]:
    if fault.retry_after is None:
        return ()
    if fault.retry_after_as == "seconds":
        return (("retry-after", f"{fault.retry_after:g}"),)
    until = math.ceil(time.time() + fault.retry_after)
    return (("retry-after", formatdate(until, usegmt=True)),)
