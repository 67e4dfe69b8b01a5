"""The kinds of audits by name, each imported when it is wanted."""

from importlib import import_module
from typing import cast, get_args

from labeling.audits.tasks.task import AuditKind, AuditName

AUDITS: tuple[AuditName, ...] = get_args(AuditName)


def kind_of(name: AuditName) -> AuditKind:
    """Return a kind of audit; it is ``KIND`` of the module that is named after it."""
    module = import_module(f"labeling.audits.tasks.{name.replace('-', '_')}")
    return cast("AuditKind", module.KIND)
