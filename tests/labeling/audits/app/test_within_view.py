"""What comes before and after a task in the view of an auditor."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO VIEW WAS LOOKED AT IN THIS RUN")

from labeling.audits.app.judging import judge, undo
from labeling.audits.app.within_view import neighbours

Fill = Callable[..., Any]
IN_ORDER = [{"$sort": {"rank": 1}}]


def test_what_was_taken_back_comes_next(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(n) for n in range(4)]).audit
    ids = [str(each["_id"]) for each in audit.samples.find(sort=[("rank", 1)])]
    for sample_id in ids[1:3]:
        judge(audit, sample_id, app_kit.slot("ana"))
    assert neighbours(audit, "ana", ids[0], IN_ORDER) == (None, ids[3])
    undo(audit, "ana")
    assert neighbours(audit, "ana", ids[0], IN_ORDER) == (None, ids[2])
    assert neighbours(audit, "ana", ids[3], IN_ORDER) == (ids[2], ids[0])
    # what she judged is gone back to, and not offered
    assert neighbours(audit, "ana", ids[2], IN_ORDER) == (ids[1], ids[3])
    assert neighbours(audit, "ana", ids[0], [{"$match": {"rank": 3}}]) == (None, ids[3])
