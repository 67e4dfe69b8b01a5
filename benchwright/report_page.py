"""Report pages: one HTML file each, that needs nothing else and looks like the others."""

from importlib import resources
from typing import Any

import jinja2


def render_page(package: str, template: str, /, **facts: Any) -> bytes:
    """Return a page of a template that lies in a package; texts among the facts are escaped.

    The template puts ``style``, what all pages share, at the top of its style sheet as it is.
    """
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    source = resources.files(package).joinpath(template).read_text("utf-8")
    style = resources.files("benchwright").joinpath("report_page.css").read_text("utf-8")
    return environment.from_string(source).render(style=style, **facts).encode()
