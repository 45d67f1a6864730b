"""The Read panel, which shows the book page about the rule under the cursor and links its parts back to the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.book.parts.table_views import build_places_view, build_table_view
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import GENERATED, PLAY, REFERENCE, build_anchor, name_file
from rulewright.book.style.text_style import Style
from rulewright.language.expressions.typed_ast import Typed
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.ruleset.queries.name_uses import list_procedure_expressions, list_rule_names
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import load_sections
from rulewright.studio.panels.book_views import build_address, get_book, get_page, serve_page
from rulewright.studio.panels.cursor_context import At, find_part_span, find_written_span, look, place, read_word
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Return the page's address, the anchor of the rule, and the source location of each id on the page.

    The answer also lists the pages of the book. With `page`, show that page instead. With `cell`, return only the
    location of a cell of a table. Raises `RulewrightError` if the book has no such page or cell, or no pages at all.
    """
    at = look(desk, request)
    if "cell" in request.more:
        return {**at.head(()), "place": _find_cell(at, request.more["cell"])}
    word = read_word(request.more, "page")
    path, home = _choose_page(at, word) if word else _find_home(at) or (at.inside, _choose_first(at))
    file, _, fragment = home.partition("#")
    page = get_page(at.ruleset, file)
    scheme = "slate" if request.more.get("dark") else "default"
    return {
        **at.head(path),
        "page": build_address(at.edition, at.ruleset, f"{file.removesuffix('.md')}.html", scheme=scheme),
        "anchor": fragment if fragment in page.ids else "",
        "title": page.title,
        "name": file.removesuffix(".md"),
        "note": "" if fragment or word else _describe_lack(at),
        "places": _places(at, file, page.ids),
        "pages": [{"page": each.removesuffix(".md"), "title": _title(at, each)} for each in _readable(at)],
    }


def _choose_page(at: At, expected: str) -> tuple[RulePath, str]:
    """Return an empty rule path, and the page's file with its anchor, as in `battle.md#fight`.

    `expected` is the name of a page, or a link from another page, such as `battle.html#fight`.
    """
    name, mark, fragment = expected.partition("#")
    name = name.partition("?")[0].rpartition("/")[2]
    file = f"{name.removesuffix('.html').removesuffix('.md')}.md"
    return (), f"{file}{mark}{fragment}"


def _readable(at: At) -> list[str]:
    """Return the files of the book except the playable page, which belongs to another panel.

    Raises `RulewrightError` if there are none.
    """
    files = [file for file in get_book(at.ruleset).list_files() if file != PLAY]
    if not files:
        raise RulewrightError(f"the book of {at.ruleset.reference} has no pages yet: add `pages:`")
    return files


def _choose_first(at: At) -> str:
    """Return the page to show first: one that the rules write, else that of all procedures, else any."""
    files = _readable(at)
    own = [file for file in files if file not in GENERATED]
    return [*own, *(file for file in files if file == REFERENCE), *files][0]


def _describe_lack(at: At) -> str:
    """Return a note that no page shows the rule at the cursor, and how to show it, or "" if there is no rule."""
    if len(at.inside) < 2 or _find_home(at) is not None:
        return ""
    name = ".".join(at.inside[:2])
    lack = f"No page of the book shows `{name}`, so this is another page."
    section = load_sections().get(at.inside[0])
    if section is None or not section.on_pages:
        return lack
    return f"{lack} To show it, list `{name}` under `show:` in a section of a page."


def _title(at: At, file: str) -> str:
    result = next((page for page in get_book(at.ruleset).pages if name_file(page) == file), None)
    return GENERATED[file].title if result is None else fill(result.title, Style(at.ruleset))


# -- from the rules to the page ----------------------------------------------------------


def _find_home(at: At) -> tuple[RulePath, str] | None:
    """Return the rule at the cursor that the book covers, and its page with its anchor, as in `battle.md#fight`.

    If the book does not cover the rule, return the page of a procedure that reads it, or None if there is none.
    """
    homes = get_book(at.ruleset).places.homes
    for path in (at.named, at.inside):
        for name in _names(path):
            if (home := homes.get(name)) is not None:
                return path, home
    for path in (at.inside, at.named):
        if len(path) > 1:
            for name in _readers(at.ruleset, ".".join(path[:2])):
                if (home := homes.get(name)) is not None:
                    return path, home
    return None


def _names(path: RulePath) -> Iterator[str]:
    """Yield the names by which the book may know a rule, the most specific first."""
    if len(path) < 2:
        return
    section, entry, *rest = path
    if section in ("procedures", "whenever") and rest:
        yield f"steps.{entry}.{rest[-1]}"
    if section == "pages" and rest:
        yield f"pages.{entry}.{rest[-1]}"
    yield f"{section}.{entry}"
    yield f"sections.{section}.{entry}"


def _readers(ruleset: Ruleset, path: str) -> Iterator[str]:
    """Yield `procedures.ID` for each procedure that uses the rule at `path` (`section.ID`).

    Direct users come first, and then those that use it through formulas. A procedure may be yielded several times.
    """
    paths = {path}
    formulas = ruleset.declarations.formulas
    for _ in range(len(formulas) + 1):
        for procedure in ruleset.procedures.values():
            if paths & set(_read(list_procedure_expressions(procedure), ruleset)):
                yield f"procedures.{procedure.id}"
        more = {
            f"formulas.{name}" for name, formula in formulas.items() if paths & set(_read([formula.body], ruleset))
        } - paths
        if not more:
            return
        paths |= more


def _read(result: Iterable[Typed], ruleset: Ruleset) -> Iterable[str]:
    return list_rule_names(list(result), ruleset)


# -- from the page to the rules ----------------------------------------------------------


def _places(at: At, file: str, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the source location of the text under each id of a page. Ids without a known location are left out."""
    paths = dict(_list_pages(at, file))
    results = {}
    for identity in ids:
        path = paths.get(identity)
        span = find_written_span(at.good, path) if path is not None else None
        known = place(at.desk, at.ruleset, span) if span is not None else None
        if known is not None and path is not None:
            results[identity] = {**known, "path": known["path"], "thing": ".".join(path)}
    return results


def _list_pages(at: At, file: str) -> Iterator[tuple[str, RulePath]]:
    """Yield each possible id of a page with the path of its rule."""
    book = get_book(at.ruleset)
    for name, home in book.places.homes.items():
        there, _, fragment = home.partition("#")
        section, _, rest = name.partition(".")
        if not fragment or section == "sections" or (there != file and fragment != build_anchor(name)):
            continue
        if section == "steps":
            procedure, _, step = rest.rpartition(".")
            if procedure in at.ruleset.procedures:  # a section may refer to an unfinished entry
                yield fragment, (*at.ruleset.procedures[procedure].path, step)
        elif section != "pages" and fragment == build_anchor(name):
            yield fragment, (section, rest)
    for page in book.pages:
        for each in page.sections:
            home = book.places.homes.get(f"pages.{page.id}.{each.id}", "")
            if home == f"{file}#{each.id}":
                yield each.id, ("pages", page.id, "sections", each.id)
    # Like tables, examples, rulings and answers may be on any page, and have no page of their own.
    for section in ("examples", "rulings", "faq", "samples", "stories", "setups", "overviews", "terms"):
        for identity in at.ruleset.sections.get(section, {}):
            yield build_anchor(f"{section}.{identity}"), (section, identity)


def _find_cell(at: At, cell: object) -> dict[str, Any] | None:
    """Return the source location of a cell, `[table, row]` or `[table, row, column]`, by the places on the page.

    Raises `RulewrightError` if there is no such cell.
    """
    table, *numbers = cell if isinstance(cell, list) else ("",)
    known = at.ruleset.declarations.tables.get(table) if isinstance(table, str) else None
    if known is None or len(numbers) not in (1, 2) or not all(type(each) is int and each >= 0 for each in numbers):
        raise RulewrightError("`cell` must name a table, the number of a row, and perhaps that of a column")
    build = build_places_view if known.is_board else build_table_view
    view = build(known, Style(at.ruleset))
    row, *column = numbers
    if view is None or row >= len(view.rows):
        raise RulewrightError(f"the table {table} has no row {row}")
    path = (
        "tables",
        table,
        "rows",
        view.rows[row].id,
        *(view.names[each] for each in column if each < len(view.names)),
    )
    span = find_part_span(at.good, path)
    return place(at.desk, at.ruleset, span) if span is not None else None


PANEL = Panel("Read", 10, answer, serve_page, guide="tutorials/rulebook.md", command="book serve")
