"""One build of MkDocs, in this process, with the project's own settings."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import get_ident
from typing import Any

from jinja2 import Environment, FileSystemLoader
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.theme import Theme

from rulewright.base.errors import RulewrightError
from rulewright.base.resources import find_resource
from rulewright.book.style.assets import DECIMAL, list_script_messages
from rulewright.book.style.text_style import escape
from rulewright.ruleset.prose.book_language import ENGLISH, Language


class BookError(RulewrightError):
    """An error in building the site that is not caused by the rules."""


class _Warnings(logging.Handler):
    """A log handler for the building thread only, because the development server may log in others."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self._thread = get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self.messages.append(record.getMessage())


_NOT_FOUND = "404.html"


class _VisibleLoader(FileSystemLoader):
    """Lists no file whose name begins with a dot, and none in such a folder: MkDocs would pass over all of them.

    The theme has more than ten thousand, its icons, and each build would look at every one.
    """

    def list_templates(self) -> list[str]:
        """Return the names of all templates, without hidden files and those in hidden folders."""
        results: set[str] = set()
        for above in self.searchpath:
            for inside, folders, names in os.walk(above, followlinks=self.followlinks):
                folders[:] = [name for name in folders if not name.startswith(".")]
                visible = (Path(inside, name) for name in names if not name.startswith("."))
                results.update(path.relative_to(above).as_posix() for path in visible)
        return sorted(results)


def _environment(theme: Theme) -> Environment:
    """Return MkDocs' environment for a theme, with a faster loader."""
    environment = Theme.get_env(theme)
    environment.loader = _VisibleLoader(theme.dirs)
    return environment


def find_settings() -> Path:
    """Return the settings file of every build. The folder of hand-written pages and assets is next to it."""
    return find_resource("site").parent / "mkdocs.yml"


def _translate_theme(config: MkDocsConfig, language: Language) -> None:
    """Translate the texts of the settings file that the theme shows."""
    for palette in config.theme["palette"]:
        palette["toggle"]["name"] = language.find_message(palette["toggle"]["name"])
    toc = config.mdx_configs["toc"]
    toc["permalink_title"] = language.find_message(toc["permalink_title"])


_WORDS = "words.js"
"""The script with the messages of all scripts in the language of a book."""


def _build_words(language: Language) -> str:
    """Return a script with the translated messages of all scripts, and the decimal separator."""
    texts = {message: language.find_message(message) for message in list_script_messages()}
    data = json.dumps({**texts, DECIMAL: language.decimal}, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.rulewrightWords={data}\n"


def _find_front_matter(text: str) -> str:
    return text.partition("\n---\n")[0] if text.startswith("---\n") else ""


def build_pages(
    pages: Mapping[str, str],
    output: Path,
    *,
    name: str,
    footer: str = "",
    extra: Mapping[str, Any] | None = None,
    url: str = "",
    up: str | None = None,
    language: Language = ENGLISH,
    not_found: bool = True,
) -> None:
    """Build the site of `pages` into `output` with MkDocs. All visible files of this folder are deleted first.

    Raises `BookError` for an error or a warning of MkDocs, as `mkdocs build --strict` does. After a warning, the site
    is nevertheless written. Only messages logged by this thread count.

    Args:
        pages: The files of the site by path.
        output: The folder of the built site.
        name: The title of the site.
        footer: HTML at the end of each page.
        extra: More values for the templates of the theme.
        url: The address that the site will have, or empty.
        up: The path from `output` to the assets shared by all books of a site (see `write_assets`), or None if nothing
            is shared.
        language: The language of the frame around the pages.
        not_found: Whether the site has a page for addresses that do not exist.
    """
    heard = _Warnings()
    log = logging.getLogger("mkdocs")
    level, propagates = log.level, log.propagate
    log.addHandler(heard)
    log.setLevel(logging.WARNING)
    log.propagate = False
    try:
        # MkDocs resolves a relative folder against its settings file, not against the current folder.
        config: MkDocsConfig = load_config(
            str(find_settings()), site_dir=str(output.resolve()), site_name=escape(name), copyright=footer, site_url=url
        )
        config.extra.update(extra or {})
        if language is not ENGLISH:
            config.theme["language"] = language.tag
            _translate_theme(config, language)
            config.extra["words"] = _WORDS
            pages = {**pages, _WORDS: _build_words(language)}
        if not not_found:
            config.theme.static_templates.discard(_NOT_FOUND)
        config.theme.get_env = partial(_environment, config.theme)  # type: ignore[method-assign]
        plugin = config.plugins["rulewright"]
        plugin.pages = dict(pages)  # type: ignore[attr-defined]
        plugin.up = up  # type: ignore[attr-defined]
        plugin.language = language  # type: ignore[attr-defined]
        fronts = [(path, _find_front_matter(text)) for path, text in pages.items()]
        frame = json.dumps([name, footer, extra, url, up, language.tag, fronts], sort_keys=True)
        plugin.frame = hashlib.sha256(frame.encode("utf-8", "surrogatepass")).hexdigest()  # type: ignore[attr-defined]
        config.plugins.on_startup(command="build", dirty=False)
        try:
            mkdocs_build(config)
        finally:
            config.plugins.on_shutdown()
    except MkDocsException as error:
        raise BookError(f"MkDocs could not build {name}: {error}") from error
    finally:
        log.removeHandler(heard)
        log.setLevel(level)
        log.propagate = propagates
    if heard.messages:
        raise BookError(f"MkDocs warns about {name}:\n" + "\n".join(f"  {message}" for message in heard.messages))
