"""The plugin that the App loads; its operators are those of ``labeling.audits.app.operators``."""

from typing import Any

from fiftyone.core import odm
from fiftyone.operators import Operator, OperatorConfig

from labeling.audits.app.operators import OPERATORS, run


def _operator(name: str) -> type[Any]:
    """Return the class that the App wants for an operator."""

    class AuditOperator(Operator):  # type: ignore[misc]  # FiftyOne has no types
        @property
        def config(self) -> Any:
            return OperatorConfig(name=name, label=f"audit: {name}", unlisted=True)

        def execute(self, ctx: Any) -> Any:
            return dict(run(name, odm.get_db_conn(), ctx.dataset_name, ctx.params, _stages(ctx)))

    return AuditOperator


def _stages(ctx: Any) -> Any:
    """Return the stages of the view, and of the filters, that the App shows; none for all."""
    if ctx.request_params.get("view") or ctx.request_params.get("filters"):
        return ctx.view._pipeline()
    return ()


def register(plugin: Any) -> None:
    """Register all operators; FiftyOne calls this when it loads the plugin."""
    for name in OPERATORS:
        plugin.register(_operator(name))
