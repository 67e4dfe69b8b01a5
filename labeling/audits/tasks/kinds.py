"""The kinds of audits by name, each imported when it is wanted."""

from importlib import import_module
from typing import cast

from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import AuditKind


def kind_of(name: AuditName) -> AuditKind:
    """Return a kind of audit; it is ``KIND`` of the module that is named after it."""
    module = import_module(f"labeling.audits.tasks.{name.replace('-', '_')}")
    return cast("AuditKind", module.KIND)
