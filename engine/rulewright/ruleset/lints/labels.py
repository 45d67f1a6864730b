"""Check labels of kinds and records, and log sentences: their cases and placeholders must be fields or terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND, Kind
from rulewright.language.language_diagnostics import UNKNOWN_FIELD
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Announce, Create, Remove
from rulewright.language.types import Entity, ListOf, present
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.lints.phrases import check_phrase
from rulewright.ruleset.prose.own_values import map_parts
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.prose_diagnostics import UNKNOWN_PLACEHOLDER
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report unknown placeholders and fields in the labels of every kind and record, and in all log sentences."""
    declared = ruleset.declarations
    for identity, entry in iterate_entries(ruleset.resolved.rules.get("kinds")):
        kind = declared.kinds[identity]
        node = entry.value if isinstance(entry.value, Mapping) else None
        label = node.get("label") if node else None
        if isinstance(label, Scalar):
            _check(label, kind, ruleset, diagnostics)
        for case, words in iterate_entries(label):
            if case not in kind.fields:
                hint = suggest_name(case, kind.fields)
                message = f"`{identity}` has no field `{case}`, so this label would never be used"
                diagnostics.add(UNKNOWN_FIELD, message, words.key.span, suggestion=hint)
            if isinstance(words.value, Scalar):
                _check(words.value, kind, ruleset, diagnostics)
        if node:
            _check_log_words(node.get("log"), kind, ruleset, diagnostics)
            _check_fields(node.get("fields"), kind, ruleset, diagnostics)
    for identity, entry in iterate_entries(ruleset.resolved.rules.get("records")):
        label = entry.value.get("label") if isinstance(entry.value, Mapping) else None
        if isinstance(label, Scalar):
            _check_words(label, (name for name, _ in declared.records[identity].type.parts), ruleset, diagnostics)
    _check_fields(ruleset.resolved.rules.get("state"), declared.kinds[GAME_KIND], ruleset, diagnostics)
    written = {step.span: step for step in ruleset.steps.values() if not step.woven}
    for node in _mappings(ruleset.resolved.rules):
        _check_announcement(node, written.get(node.span), ruleset, diagnostics)
        for name in _list_log_words(written[node.span]) if node.span in written else ():
            if name in declared.kinds:
                _check_log_words(node.get("log"), declared.kinds[name], ruleset, diagnostics)


def _check_fields(fields: Node | None, kind: Kind, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    for _, entry in iterate_entries(fields):
        if isinstance(entry.value, Mapping):
            _check_log_words(entry.value.get("log"), kind, ruleset, diagnostics)


def _check_log_words(log_words: Node | None, kind: Kind, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    for words in [log_words, *(entry.value for _, entry in iterate_entries(log_words))]:
        if isinstance(words, Scalar):
            _check(words, kind, ruleset, diagnostics, "self")


def _check_announcement(node: Mapping, step: Step | None, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Check the sentence that a step adds to the log, if it adds one."""
    texts = [entry.value for entry in node.entries.values() if isinstance(entry.value, Scalar)]
    for each in list_operations(step) if step is not None else ():
        for text in texts:
            if isinstance(each, Announce) and text.text == each.text:
                check_phrase(text, list(each.names), "`with` has no value", ruleset, diagnostics)


def _mappings(node: Node) -> Iterator[Mapping]:
    """Yield all mappings in a node, including the node itself."""
    match node:
        case Mapping():
            yield node
            for entry in node.entries.values():
                yield from _mappings(entry.value)
        case Sequence():
            for item in node.items:
                yield from _mappings(item)


def _list_log_words(step: Step) -> Iterator[str]:
    """Yield the kinds of objects that a step creates or removes, which its log sentences are about.

    A kind may occur more than once.
    """
    for operation in list_operations(step):
        match operation:
            case Create(kind=kind):
                yield kind
            case Remove(entity=entity):
                inner = present(entity.type.inner if isinstance(entity.type, ListOf) else entity.type)
                if isinstance(inner, Entity):
                    yield inner.kind


def _check(label: Scalar, kind: Kind, ruleset: Ruleset, diagnostics: Diagnostics, *more: str) -> None:
    paths = list[str]()
    for part in parse_parts(label.text):
        if isinstance(part, Placeholder) and part.body.count(".") > 1 and part.body.split(".")[1] in kind.fields:
            paths.append(part.body)
            _check_path(part, label, kind, ruleset, diagnostics)
    _check_words(label, kind.fields, ruleset, diagnostics, *more, *paths)


def _check_path(
    placeholder: Placeholder, label: Scalar, kind: Kind, ruleset: Ruleset, diagnostics: Diagnostics
) -> None:
    """Report a part of a value that a label cannot show: only rows and records have parts."""
    _, field, *path = placeholder.body.split(".")
    type_, before = kind.fields[field].type, f"self.{field}"
    for part in path:
        parts = map_parts(type_, ruleset.declarations)
        if part not in parts:
            span = label.position(placeholder.start + len(before) + 1, len(part))
            message = f"`{before}` is {type_}, and has no value `{part}` that a label can show"
            hint = suggest_name(part, parts) or _PARTS
            diagnostics.add(UNKNOWN_PLACEHOLDER, message, span, suggestion=hint)
            return
        type_, before = parts[part], f"{before}.{part}"


_PARTS = (
    "only a column of a row or a part of a record can follow a field; to report a value of another object, add a step"
    " `say` with the value under `with`"
)


def _check_words(label: Scalar, fields: Iterable[str], ruleset: Ruleset, diagnostics: Diagnostics, *more: str) -> None:
    """Report placeholders in a label that are neither `self.` and one of `fields`, nor terms, nor in `more`."""
    known = [*(f"self.{field}" for field in fields), *ruleset.declarations.terms, *more]
    known += [f"{term}.plural" for term in ruleset.declarations.terms]
    for part in parse_parts(label.text):
        if isinstance(part, Placeholder) and part.body not in known:
            span = label.position(part.start, len(part.body))
            hint = suggest_name(part.body, known)
            diagnostics.add(
                UNKNOWN_PLACEHOLDER, f"a label cannot contain the placeholder `{part.body}`", span, suggestion=hint
            )
