"""The templates of the rulebook in `docs_templates/`, loaded once for each language."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rulewright.base.resources import find_resource
from rulewright.book.english.grammar import (
    capitalize,
    choose_article,
    format_times,
    join_list,
    lower_first,
    strip_list_marks,
)
from rulewright.book.style.prose_html import escape_attribute
from rulewright.ruleset.prose.book_language import ENGLISH, Language


@lru_cache(maxsize=4)
def get_environment(language: Language = ENGLISH) -> Environment:
    """Return the Jinja environment of all templates for a language. The result is cached.

    Undefined names raise `UndefinedError`. Values are not escaped here: the `Style` that renders a text of the rules
    returns HTML. The filter `attribute` escapes a value for an HTML attribute. Messages in `_(…)` are translated.
    """
    environment = Environment(
        loader=FileSystemLoader(find_resource("docs_templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_callables(language.find_message, _either(language), newstyle=True)  # type: ignore[attr-defined]
    environment.filters["stop"] = lambda phrase: strip_list_marks(f"{phrase}.")
    environment.filters.update(
        attribute=escape_attribute,
        article=choose_article,
        capital=capitalize,
        listed=join_list,
        small=lower_first,
        times=format_times,
    )
    return environment


def _either(language: Language) -> Callable[[str, str, int], str]:
    return lambda one, many, number: language.find_message(one if number == 1 else many)


def render(template: str, language: Language = ENGLISH, /, **values: Any) -> str:
    """Return the text of a template, rendered with `values`."""
    return get_environment(language).get_template(template).render({"tag": language.tag, **values})
