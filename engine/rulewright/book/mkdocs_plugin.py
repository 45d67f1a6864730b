"""The door from MkDocs: a plugin that adds the book of one edition as generated files, and writes none itself.

plugins:
  - rulewright:
      ruleset: pig/classic@1.0
      rules: [rules]
"""

from __future__ import annotations

import logging
import re
from html import unescape
from pathlib import Path

from mkdocs.config import base, config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from rulewright.book.clean import clean, cleaned
from rulewright.book.policy import PolicyError, guarded
from rulewright.errors import RulewrightError

_log = logging.getLogger("mkdocs.plugins.rulewright")
_HREF = re.compile(r'(<a\b[^>]*?\bhref=")([^"#:]*\.md)?(#[^"]*)?(")')
_ANY_DAY = "1980-01-01"
"""MkDocs dates each page by the day of its build; without that, the same rules make the same site on every day."""

_ID = re.compile(r'\bid="([^"]+)"')


class RulewrightConfig(base.Config):  # type: ignore[no-untyped-call]
    """What the plugin is told in `mkdocs.yml`: the edition, and the folders in which to look for it."""

    ruleset = config_options.Type(str, default="")
    rules = config_options.ListOfItems(config_options.Type(str), default=[])


class RulewrightPlugin(BasePlugin[RulewrightConfig]):  # type: ignore[no-untyped-call]
    """Adds the pages. Whoever builds in the same process may set `pages` before, so that nothing is loaded twice."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, str] | None = None
        self._ids: dict[str, set[str]] = {}
        self._links: list[tuple[str, str, str]] = []

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        if self.pages is None:
            self.pages = self._render(config)
        pages = [path for path in self.pages if path.endswith(".md")]
        config.nav = [{"Overview": pages[0]}, *pages[1:]]
        self._ids, self._links = {}, []
        return config

    def _render(self, config: MkDocsConfig) -> dict[str, str]:
        from rulewright.book.sound import sound_site
        from rulewright.ruleset.load import load_ruleset

        root = Path(config.config_file_path).parent if config.config_file_path else Path()
        try:
            return sound_site(load_ruleset(self.config.ruleset, rules=[root / folder for folder in self.config.rules]))
        except RulewrightError as error:
            raise PluginError(f"the rules of {self.config.ruleset} cannot be shown:\n{error}") from error

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        for path, text in (self.pages or {}).items():
            content = cleaned(text) if path.endswith(".html") else text
            files.append(File.generated(config, path, content=content))
        return files

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Pages hold what the book uses and nothing else; links inside HTML lead from page to page."""
        html = clean(html)
        page.update_date = _ANY_DAY
        if page.canonical_url:
            # The theme keeps to the page when the edition changes only if the sitemap has a front page without a name.
            page.canonical_url = page.canonical_url.removesuffix("index.html")
        here = page.file.src_uri
        self._ids[here] = {unescape(found) for found in _ID.findall(html)}

        def resolve(found: re.Match[str]) -> str:
            before, path, fragment, after = found.groups()
            if not path and not fragment:
                return found[0]
            file = files.get_file_from_path(path) if path else page.file
            if file is None:
                _log.warning(f"{here} links to {path}, which is not a page")
                return found[0]
            if fragment:
                self._links.append((here, file.src_uri, unescape(fragment[1:])))
            target = file.url_relative_to(page.file) if path else ""
            return f"{before}{target}{fragment or ''}{after}"

        return _HREF.sub(resolve, html)

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        return self._guarded(output, config)

    def on_post_template(self, output_content: str, *, template_name: str, config: MkDocsConfig) -> str:
        return self._guarded(output_content, config) if template_name.endswith(".html") else output_content

    def _guarded(self, output: str, config: MkDocsConfig) -> str:
        try:
            return guarded(output, config.theme.dirs)
        except PolicyError as error:
            raise PluginError(str(error)) from error

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        for here, there, fragment in self._links:
            if there in self._ids and fragment not in self._ids[there]:
                _log.warning(f"{here} links to #{fragment} on {there}, which is not there")
