"""The answers as one HTML page that needs no other file and no other host."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rulewright.base.resources import find_resource


def render_page(data: dict[str, Any]) -> str:
    """Return the page of answers, as `rulewright.analysis.fairness.ask_questions.to_data` gives them."""
    environment = Environment(
        loader=FileSystemLoader(find_resource("docs_templates")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("fairness.html.j2").render(data=data)
