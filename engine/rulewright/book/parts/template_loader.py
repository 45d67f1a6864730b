"""The templates of the rulebook in `docs_templates/`, loaded once for each language."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from traceback import extract_tb
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError

from rulewright.base.resources import find_resource
from rulewright.book.english.grammar import (
    capitalize,
    choose_article,
    end_sentence,
    join_list,
    lower_first,
    strip_list_marks,
)
from rulewright.book.style.prose_html import escape_attribute
from rulewright.ruleset.prose.book_language import ENGLISH, Language


class MissingName(StrictUndefined):
    """A name or member that does not exist, which is an error where a template asks for it.

    Otherwise a function that the template passes it to would fail, without its name. So templates cannot ask
    `is defined`.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._fail_with_undefined_error()


@lru_cache(maxsize=4)
def get_environment(language: Language) -> Environment:
    """Return the Jinja environment of all templates for a language. The result is cached.

    Missing names and members raise `UndefinedError`. Values are not escaped here: the `Style` that renders a text of
    the rules returns HTML. The filter `attribute` escapes a value for an HTML attribute. Messages in `_(…)` are
    translated.
    """
    environment = Environment(
        loader=FileSystemLoader(find_resource("docs_templates")),
        undefined=MissingName,
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
        ended=end_sentence,
        listed=join_list,
        small=lower_first,
    )
    return environment


def _either(language: Language) -> Callable[[str, str, int], str]:
    return lambda one, many, number: language.find_message(one if number == 1 else many)


def render(template: str, language: Language = ENGLISH, /, **values: Any) -> str:
    """Return the text of a template, rendered with `values`."""
    return get_environment(language).get_template(template).render({"tag": language.tag, **values})


def find_failed_line(template: str, error: BaseException) -> int | None:
    """Return the line of a template that raised an exception, counted from 1, or None if it is not in the template."""
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename.endswith(template)]
    return lines[-1] if lines else None
