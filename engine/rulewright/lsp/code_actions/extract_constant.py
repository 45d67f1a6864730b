"""Code actions: name a number of a rule or of a text, so that it can be explained, varied and overridden."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.expressions.untyped_ast import Literal
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, is_at, overlaps
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.hover import find_reading
from rulewright.lsp.features.mentions.mention import Mention
from rulewright.lsp.features.mentions.mention import Path as RulePath
from rulewright.lsp.features.symbol_at import SymbolAt, find_symbol
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.prose.book_language import find_language
from rulewright.ruleset.prose.literal_numbers import find_numbers
from rulewright.ruleset.prose.placeholders import build_placeholder_edits
from rulewright.ruleset.prose.prose_lint import map_known_numbers
from rulewright.ruleset.prose_diagnostics import LITERAL_FIGURE, LITERAL_WORD
from rulewright.ruleset.section import find_rule, load_sections
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.nodes import Mapping, Scalar, follow_keys
from rulewright.source.span import Span

PLACE = 40

MOST_KNOWN = 3
"""The maximum number of placeholders for a number that are offered."""

_NAMED = re.compile(r"\d+|\d*d\d+")
"""The numbers that can be a value of the rules."""

_FORMS = frozenset(
    {"steps", "rows", "fields", "is", "given", "means", "default", "with", "when", "then", "else", "sections"}
)
"""The keys for a syntactic form, which are not useful in a name."""


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield actions for the number in the range: one that names it, and in a text also each placeholder for it.

    In a text, the number can also stay as it is, even if the rules have other errors.
    """
    at, good = request.symbol, request.good
    layer = request.find_own_layer(good) if good is not None else None
    if at is None:
        return
    for each in request.diagnostics:
        if each.code in (LITERAL_FIGURE, LITERAL_WORD) and is_at(request, each.span):
            replaced: list[tuple[CodeAction, bool]] = []
            if good is not None and layer is not None:
                replaced = list(_replace_in_text(request.workspace, each, at, good, layer))
            yield from (action for action, _ in replaced)
            # A new constant that no rule uses would only lead to the next warning.
            is_likely = all(is_new and not action.preferred for action, is_new in replaced)
            yield from _keep_in_text(request, each, at, preferred=is_likely)
    if good is None or layer is None:
        return
    literal = _literal(request) if at.way[0] != "numbers" and _plays(at.way[0]) else None
    if literal is None:
        return
    span, value = literal
    name = _free(at.way, good)
    declared = build_value_edit(layer, ("numbers", name), str(value))
    if declared is not None:
        yield CodeAction(f"Name this number: `{name}`, to be renamed and explained", (Edit(span, name), declared))


def _replace_in_text(
    workspace: Workspace, each: Diagnostic, at: SymbolAt, good: Good, layer: Layer
) -> Iterator[tuple[CodeAction, bool]]:
    """Yield the actions that put a placeholder in place of a literal number of a text, and whether the constant is new.

    The first ones use constants with this value: those that the rules of the text use, then the layer's own, then the
    others. The last one declares a new constant, also for the number of these rules in the layer if there is just one.
    """
    numbers = find_numbers(at.scalar, find_language(good.ruleset))
    number = next((number for number in numbers if number.span == each.span), None)
    if number is None or not _NAMED.fullmatch(number.value):
        return
    form = f":{'Words' if number.written[0].isupper() else 'words'}" if number.is_spelled else ""
    rules = _list_rules(at, good)
    used = {mention.path for mention in _list_mentions(rules, good)}
    own = {
        key for file in layer.files if isinstance(section := file.get("numbers"), Mapping) for key in section.entries
    }
    known = map_known_numbers(good.ruleset).get(number.value, [])
    paths = {path: tuple(path.split(".")) for path in known}
    known = sorted(known, key=lambda path: (paths[path] not in used, paths[path][-1] not in own))
    spans = list(_find_in_rules(rules, good, layer, number.value))
    for path in known[:MOST_KNOWN]:
        edits = build_placeholder_edits(at.scalar, number.start, number.written, f"{{{path}{form}}}")
        is_used = paths[path] in used
        why = "which the rules of this text use" if is_used else "which has the same value"
        title = f"Write `{{{path}{form}}}`, {why}"
        yield CodeAction(title, edits, each, preferred=is_used and path == known[0], kind=FIX), False
    is_bound = len(spans) == 1
    there = find_symbol(workspace, Path(spans[0].file), spans[0].line, spans[0].column) if is_bound else None
    name = _free(at.way[:-1] if there is None else there.way, good)
    declared = build_value_edit(layer, ("numbers", name), number.value)
    if declared is not None:
        placeholder = f"{{numbers.{name}{form}}}"
        # The rule that the text describes gets the name, too, if it has the number once.
        named = [Edit(span, name) for span in spans] if is_bound else []
        edits = (*build_placeholder_edits(at.scalar, number.start, number.written, placeholder), declared, *named)
        where = f", and `{name}` in `{'.'.join(there.way[:2])}`" if there is not None else ""
        first = is_bound and (not known or paths[known[0]] not in used)
        title = f"Name this number, and write `{placeholder}`{where}"
        yield CodeAction(title, edits, each, preferred=first, kind=FIX), True


def _keep_in_text(request: ActionRequest, each: Diagnostic, at: SymbolAt, *, preferred: bool) -> Iterator[CodeAction]:
    """Yield the action that marks a literal number of a text as one that the rules do not have."""
    lines = (request.workspace.texts.get_text(str(request.path)) or "").split("\n")
    written = lines[each.span.line - 1][each.span.column - 1 : each.span.end_column - 1] if lines else ""
    places = [match.start() for match in re.finditer(re.escape(written), at.scalar.text)] if written else []
    start = next((place for place in places if at.scalar.position(place, len(written)) == each.span), None)
    if start is not None:
        placeholder = f"{{'{written}'}}"
        edits = build_placeholder_edits(at.scalar, start, written, placeholder)
        title = f"Write `{placeholder}`: it is not a number of the rules"
        yield CodeAction(title, edits, each, preferred=preferred, kind=FIX)


def _list_rules(at: SymbolAt, good: Good) -> list[RulePath]:
    """Return the entries that a text is about: what its section explains, or what its entry names as `about`.

    Otherwise the entry that contains the text.
    """
    page = good.ruleset.pages.get(at.way[1]) if at.way[0] == "pages" else None
    section = next((each for each in page.sections if each.id in at.way[3:4]), None) if page is not None else None
    if section is not None:
        return [tuple(rule.split(".")) for rule in section.rules]
    written = good.ruleset.resolved.rules.get(at.way[0])
    entry = written.get(at.way[1]) if isinstance(written, Mapping) and len(at.way) > 1 else None
    about = entry.get("about") if isinstance(entry, Mapping) else None
    return [tuple(find_rule(about.text).split("."))] if isinstance(about, Scalar) else [at.way[:2]]


def _list_spans(rules: Iterable[RulePath], layers: Iterable[Layer]) -> Iterator[Span]:
    """Yield the positions of entries in the files of some layers."""
    for file in (file for layer in layers for file in layer.files):
        for rule in rules:
            entry = follow_keys(file, *rule)
            if entry is not None:
                yield entry.span


def _list_mentions(rules: Iterable[RulePath], good: Good) -> Iterator[Mention]:
    """Yield the names that entries use in any layer."""
    for span in _list_spans(rules, good.ruleset.resolved.layers):
        yield from (each for each in good.mentions.by_file.get(span.file, ()) if overlaps(each.span, span))


def _find_in_rules(rules: Iterable[RulePath], good: Good, layer: Layer, value: str) -> set[Span]:
    """Return the positions of a whole number in the expressions of entries of a layer."""
    return {
        reading.scalar.position(node.start, max(1, node.end - node.start))
        for span in _list_spans(rules, [layer])
        for reading in good.mentions.readings.get(span.file, ())
        if overlaps(span, reading.scalar.span)
        for node, _ in reading.parts
        if isinstance(node, Literal) and str(node.value) == value
    }


def _plays(section: str) -> bool:
    known = load_sections().get(section)
    return known is not None and known.gameplay


def _literal(request: ActionRequest) -> tuple[Span, int] | None:
    """Return the position and the value of the whole number at the start of the range, or None.

    None also if the lines have moved since the last check.
    """
    result = find_reading(request.workspace, request.path, request.place.line, request.place.column)
    if result is None or result[1]:  # the rules have changed since the last check
        return None
    place = (request.place.line, request.place.column)
    for node, _ in result[0].parts:
        if isinstance(node, Literal) and type(node.value) is int:
            span = result[0].scalar.position(node.start, max(1, node.end - node.start))
            if (span.line, span.column) <= place <= (span.end_line, span.end_column):
                return span, node.value
    return None


def _free(way: Sequence[str], good: Good) -> str:
    """Return an unused name, derived from the entry that contains the number."""
    about = [part for part in way[1:] if part not in _FORMS and part.isidentifier()][-2:]
    base = "_".join(about) or "figure"
    used_names = {path[-1] for path in good.mentions.by_path} | {
        *list_functions_of_values(),
        *list_functions(),
        *list_walks(),
    }
    names = [base, f"{base}_number", *(f"{base}_{number}" for number in range(2, len(used_names) + 3))]
    return next(name for name in names if name not in used_names)
