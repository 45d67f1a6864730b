"""A self-contained HTML page of the answers, without references to other files or hosts."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rulewright.base.resources import find_resource


def render_page(data: dict[str, Any]) -> str:
    """Render the page from the data of `rulewright.analysis.fairness.ask_questions.to_data`."""
    environment = Environment(
        loader=FileSystemLoader(find_resource("docs_templates")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("fairness.html.j2").render(data=data)
