"""The door from MkDocs: a plugin that adds the book of one edition as generated files, and writes none itself.

plugins:
  - rulewright:
      ruleset: pig/classic@1.0
      rules: [rules]
"""

from __future__ import annotations

import logging
import re
from dataclasses import asdict
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from mkdocs.config import base, config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents
from mkdocs.utils.templates import url_filter

from rulewright.base.errors import RulewrightError
from rulewright.base.incremental.known_values import find_value, get_value, store_value
from rulewright.book.search.search_index import INDEX, PageIndex, read_page, search_index
from rulewright.book.site.menu import build_menu, list_links
from rulewright.book.site.template_cache import COMPILED
from rulewright.book.style.assets import FOLDER as ASSETS
from rulewright.book.style.assets import SCRIPT, STYLE, load_programs
from rulewright.book.style.content_security import PAGES, TABLE, PolicyError, add_policy
from rulewright.book.style.minify import minify_page
from rulewright.book.style.rule_locations import INDEX as INDEX_PAGE
from rulewright.book.style.rule_locations import NEWS
from rulewright.book.style.sanitizer import clean, sanitize
from rulewright.book.style.term_links import link_terms_once
from rulewright.ruleset.prose.book_language import ENGLISH

_log = logging.getLogger("mkdocs.plugins.rulewright")
_HREF = re.compile(r'(<a\b[^>]*?\bhref=")([^"#:]*\.md)?(#[^"]*)?(")')
_BY_TITLE = re.compile(rf"{re.escape(INDEX_PAGE)}|{re.escape(NEWS)}|compare/.*")
"""The pages that repeat other pages or describe other editions, so that the search finds them only by title."""

_ANY_DAY = "1980-01-01"
"""A fixed date instead of the build date of MkDocs, so that the same rules always make the same site."""

_FINISHED = "finished.html"
"""The template of pages that are known from an earlier build."""

_ID = re.compile(r'\bid="([^"]+)"')
_IDLE = re.compile(
    r' tabindex=""|<meta name="generator"[^<>]*>'
    r'|<div data-md-component="announce">\s*</div>|<div [^<>]*data-md-component="outdated" hidden>\s*</div>'
)
"""What the theme writes without need: an attribute in the menu, its name, and empty boxes for announcements."""


class RulewrightConfig(base.Config):  # type: ignore[no-untyped-call]
    """The plugin's options in `mkdocs.yml`: the edition, and the folders to search for it."""

    ruleset = config_options.Type(str, default="")
    rules = config_options.ListOfItems(config_options.Type(str), default=[])


class RulewrightPlugin(BasePlugin[RulewrightConfig]):  # type: ignore[no-untyped-call]
    """The MkDocs plugin that adds the pages.

    A caller in the same process may set `pages` first to avoid loading twice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, str] | None = None
        self.up: str | None = None
        """The path from a page's root to the assets that all books share, or None if they are not shared."""

        self.language = ENGLISH
        """The language of the pages."""

        self.frame = ""
        """A digest of everything that a finished page depends on besides its own text. Without it, none is reused."""

        self._indexed: dict[str, PageIndex] = {}
        self._finished: dict[str, dict[str, Any]] = {}
        self._ids: dict[str, set[str]] = {}
        self._links: list[tuple[str, str, str]] = []

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Set the menu and the assets, and forget earlier builds. Renders the pages first if none were given.

        Raises `PluginError` if the rules to render have errors.
        """
        if self.pages is None:
            self.pages = self._render(config)
        config.nav = build_menu(self.pages, self.language)
        if self.up is not None:
            config.extra_css = [STYLE]
            config.extra_javascript = [SCRIPT]
        self._ids, self._links, self._indexed, self._finished = {}, [], {}, {}
        return config

    def _render(self, config: MkDocsConfig) -> dict[str, str]:
        """Return the pages of the ruleset in the settings. Raises `PluginError` for errors in its rules."""
        from rulewright.book.rulebook import render_sound_site
        from rulewright.ruleset.load_ruleset import load_ruleset

        root = Path(config.config_file_path).parent if config.config_file_path else Path()
        try:
            return render_sound_site(
                load_ruleset(self.config.ruleset, rules=[root / folder for folder in self.config.rules])
            )
        except RulewrightError as error:
            raise PluginError(f"the rules of {self.config.ruleset} have errors:\n{error}") from error

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the pages and the assets. If other books share the assets, all files but the pages are removed."""
        if self.up is not None:
            # The shared assets are at the root of the site, and the folder of hand-written pages contains only assets.
            for file in list(files):
                files.remove(file)
        else:
            for name, text in load_programs().items():
                files.append(File.generated(config, f"{ASSETS}/{name}", content=text))
        for path, text in (self.pages or {}).items():
            content = get_value(["file", text], partial(_finish, text)) if path.endswith(".html") else text
            files.append(File.generated(config, path, content=content))
        return files

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Add the pages that are not Markdown to the groups of the menu, and return it."""
        for item in nav.items:
            if isinstance(item, Section):
                item.children += [
                    Link(title, path) for title, path in list_links(item.title, self.pages or {}, self.language)
                ]
        return nav

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Return the environment with cached templates, translated texts, and links to the assets that books share."""
        env.bytecode_cache = COMPILED
        env.loader = ChoiceLoader([DictLoader({_FINISHED: "-"}), *filter(None, [env.loader])])
        if self.language is not ENGLISH:
            translate = self.language.find_message
            env.install_gettext_callables(translate, lambda one, many, count: translate(many), newstyle=True)  # type: ignore[attr-defined]
        up = self.up
        if up:

            @pass_context
            def url(context: Context, value: str) -> str:
                result: str = url_filter(context, value)  # type: ignore[arg-type]
                if not str(value).startswith(f"{ASSETS}/"):
                    return result
                return result.removesuffix(str(value)) + up + str(value)

            @pass_context
            def script_tag(context: Context, value: object) -> Markup:
                return Markup('<script src="{}"></script>').format(url(context, str(value)))

            env.filters["url"], env.filters["script_tag"] = url, script_tag
        return env

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Return the text of a page. If the finished page is known from an earlier build, nothing renders it again."""
        here = page.file.src_uri
        known = find_value(self._name(here)) if self.frame and here in (self.pages or {}) else None
        if known is not None:
            self._finished[here] = known
            page.meta["template"] = _FINISHED
            page.content, page.toc = "", TableOfContents([])
            page.render = lambda config, files: None  # type: ignore[method-assign]
        return markdown

    def _name(self, here: str) -> list[str]:
        return ["page", self.frame, here, (self.pages or {})[here]]

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Return the minified page with its content security policy, and store it for later builds.

        A page that is known from an earlier build is returned as it was. Raises `PluginError` if the policy does not
        fit.
        """
        here = page.file.src_uri
        known = self._finished.get(here)
        if known is not None:
            return str(known["html"])
        policy = TABLE if page.meta.get("table") or page.meta.get("varies") else PAGES
        html = minify_page(_add_policy(output, policy))
        if self.frame and here in (self.pages or {}):
            links = [link[1:] for link in self._links if link[0] == here]
            index = asdict(self._indexed[here])
            store_value(
                self._name(here), {"html": html, "ids": sorted(self._ids[here]), "links": links, "index": index}
            )
        return html

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Return the sanitized page, with its internal links resolved.

        Logs a warning for a link to a missing page. Also records the page for the search index, and its anchors and
        links for the check after the build.
        """
        page.update_date = _ANY_DAY
        if page.canonical_url:
            # When readers switch editions, the theme only stays on the page if the sitemap lists the front page
            # as a folder.
            page.canonical_url = page.canonical_url.removesuffix("index.html")
        if letter := page.meta.get("letter"):
            # The menu shows the letter with which the numbers of the page's rules begin.
            name = f'<span class="rw-letter">{escape(letter)}</span> {page.title}'
            page.typeset = {"title": name}  # type: ignore[attr-defined]
        here = page.file.src_uri
        known = self._finished.get(here)
        if known is not None:
            self._ids[here] = set(known["ids"])
            self._links += [(here, there, fragment) for there, fragment in known["links"]]
            self._indexed[here] = PageIndex.from_data(known["index"])
            return html
        html = link_terms_once(clean(html))
        self._ids[here] = {unescape(element_id) for element_id in _ID.findall(html)}

        def resolve(result: re.Match[str]) -> str:
            before, path, fragment, after = result.groups()
            if not path and not fragment:
                return result[0]
            file = files.get_file_from_path(path) if path else page.file
            if file is None:
                _log.warning(f"{here} links to {path}, which is not a page")
                return result[0]
            # A fragment such as `name=value` is a parameter for the page's script, not an anchor.
            if fragment and "=" not in fragment:
                self._links.append((here, file.src_uri, unescape(fragment[1:])))
            target = file.url_relative_to(page.file) if path else ""
            return f"{before}{target}{fragment or ''}{after}"

        result = _HREF.sub(resolve, html)
        title = "" if _BY_TITLE.fullmatch(here) else result
        self._indexed[here] = read_page(
            page.file.url, unescape(str(page.title)), title, map(unescape, page.meta.get("tags", ()))
        )
        return result

    def on_post_template(self, output_content: str, *, template_name: str, config: MkDocsConfig) -> str:
        return _add_policy(output_content) if template_name.endswith(".html") else output_content

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the search index, delete the second copy of the sitemap, and check the anchors of links.

        Logs a warning for each link to an anchor that does not exist.
        """
        (Path(config.site_dir) / "sitemap.xml.gz").unlink(missing_ok=True)
        index = Path(config.site_dir) / INDEX
        index.parent.mkdir(parents=True, exist_ok=True)
        index.write_text(search_index(config.site_name, self._indexed.values(), config.extra.get("books", ())), "utf-8")
        for here, there, fragment in self._links:
            if there in self._ids and fragment not in self._ids[there]:
                _log.warning(f"{here} links to #{fragment} on {there}, which does not exist")


def _finish(text: str) -> str:
    """Return a page that MkDocs only copies, sanitized and minified."""
    return minify_page(sanitize(text))


def _add_policy(output: str, policy: str = PAGES) -> str:
    """Return a page with its content security policy and without some needless attributes of the theme.

    Raises `PluginError` if the policy does not fit the page.
    """
    output = _IDLE.sub("", output)
    output = output.replace('<svg xmlns="http://www.w3.org/2000/svg"', "<svg")  # HTML implies the namespace
    try:
        return add_policy(output, policy)
    except PolicyError as error:
        raise PluginError(str(error)) from error
