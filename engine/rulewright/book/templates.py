"""The templates of the rulebook: `docs_templates/`, read once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rulewright.book.english.grammar import article, capital, listed, small, times
from rulewright.resources import resource


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The environment of all templates. A name that nobody gives is an error, never an empty hole.

    Nothing is escaped here: what comes out of a ruleset has been through a `Style` before it reaches a template.
    """
    made = Environment(
        loader=FileSystemLoader(resource("docs_templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    made.filters.update(article=article, capital=capital, listed=listed, small=small, times=times)
    return made


def render(template: str, **values: Any) -> str:
    """The text of one template."""
    return environment().get_template(template).render(values)
