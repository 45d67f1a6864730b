"""Validate files against their JSON Schema, with diagnostics for designers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, cast

from rulewright.base.lazy import compute_once
from rulewright.language.schema_shapes import Record
from rulewright.ruleset.schema import json_schema, model
from rulewright.ruleset.schema.misplaced_entries import explain_followers, explain_outdented
from rulewright.ruleset.schema.model import SOURCES
from rulewright.ruleset.schema.schema_diagnostics import WRONG_SHAPE
from rulewright.ruleset.schema.schema_error_messages import explain_errors, find_old_words, has_old_word
from rulewright.ruleset.schema.schema_path import ShapedNode, describe_shape, follow
from rulewright.ruleset.schema.translation_schema import build_words_shape
from rulewright.source.diagnostics.collector import TOO_MANY_ERRORS, Diagnostic, Diagnostics
from rulewright.source.files.safe_read import DEFAULT_LIMITS
from rulewright.source.nodes import Mapping, Node

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Kind = Literal["manifest", "rules", "sources", "words"]


def get_shape(kind: Kind) -> Record:
    """Return the schema of a kind of file. Only those of rules and words need all sections and statements."""
    if kind == "manifest":
        return model.MANIFEST
    if kind == "sources":
        return SOURCES
    return model.build_rules_shape() if kind == "rules" else build_words_shape()


def validate(node: Node, kind: Kind, diagnostics: Diagnostics, *, overlay: bool) -> bool:
    """Return whether `node` is a valid file of that kind. Add errors to `diagnostics` in the order of the file.

    `overlay` means that the rules extend another edition. They may then be incomplete, and may place, replace and
    delete entries. Validate merged rules with `overlay` false. Stops after `DEFAULT_LIMITS.errors` errors. Never
    raises for invalid files.
    """
    shape = get_shape(kind)
    if not isinstance(node, Mapping):
        message = f"this file must contain {describe_shape(shape)}, but it contains {node.kind}"
        diagnostics.add(WRONG_SHAPE, message, node.span, suggestion=shape.doc)
        return False
    plain = node.to_plain()
    is_old = overlay and kind == "rules" and has_old_word(plain)
    if old := list(find_old_words(ShapedNode(node, shape))) if is_old else []:
        # All other errors follow from these.
        diagnostics.extend(old)
        return False
    if build_acceptance(kind, overlay=overlay)(plain):
        return True
    each = _faults(node, plain, shape, build_validator(kind, overlay=overlay))
    if kind == "rules":
        each = iter(explain_followers(ShapedNode(node, shape), explain_outdented(node, each)))
    faults = sorted(each, key=lambda fault: fault.span)
    reported: set[tuple[str, object]] = set()
    for fault in faults:
        # One mistake may violate several keywords of the schema, so it is reported only once.
        if (fault.code.id, fault.span) in reported:
            continue
        reported.add((fault.code.id, fault.span))
        if len(reported) > DEFAULT_LIMITS.errors:
            message = f"checking stopped here after {DEFAULT_LIMITS.errors} errors"
            diagnostics.add(TOO_MANY_ERRORS, message, fault.span)
            break
        diagnostics.extend([fault])
    return not faults


def _faults(node: Mapping, plain: Any, shape: Record, judge: Validator) -> Iterator[Diagnostic]:
    """Yield the diagnostics of the errors in a file, as the validator finds them. Their number is limited."""
    root = ShapedNode(node, shape)
    # The number of nodes is limited elsewhere; this also bounds the number of errors per node.
    errors: Iterator[ValidationError] = islice(judge.iter_errors(plain), 100 * DEFAULT_LIMITS.errors)
    for error in errors:
        yield from explain_errors(error, follow(root, error.absolute_path))


def _schema(kind: Kind, overlay: bool) -> json_schema.Schema:
    """Return the JSON Schema of a kind of file. `overlay` makes a difference only for rules."""
    if kind == "manifest":
        return json_schema.build_manifest_schema()
    if kind == "sources":
        return json_schema.build_sources_schema()
    if kind == "words":
        return json_schema.build_words_schema()
    return json_schema.build_fragment_schema() if overlay else json_schema.build_resolved_schema()


@lru_cache(maxsize=6)
def build_acceptance(kind: Kind, *, overlay: bool) -> Callable[[Any], bool]:
    """Return a function that checks whether a file is valid, about a hundred times faster than the validator.

    It takes plain data, and is cached. If it returns False, the file may still be valid. The validator decides, and
    explains any errors.
    """
    import jsonschema_rs

    judge = jsonschema_rs.validator_for(_schema(kind, overlay))

    def accepts(document: Any) -> bool:
        try:
            return not _has_whole_float(document) and judge.is_valid(document)
        except UnicodeError:  # the text has half of a surrogate pair
            return False

    return accepts


def _has_whole_float(document: Any) -> bool:
    """Return whether plain data has a number such as `2.0` at any depth.

    JSON Schema takes it for an integer, and the rules do not.
    """
    if isinstance(document, dict):
        return any(map(_has_whole_float, document.values()))
    if isinstance(document, list):
        return any(map(_has_whole_float, document))
    return isinstance(document, float) and document.is_integer()


@lru_cache(maxsize=6)
def build_validator(kind: Kind, *, overlay: bool) -> Validator:
    """Return the validator for a kind of file, which finds all errors."""
    return _strict()(_schema(kind, overlay))


@compute_once
def _strict() -> type[Validator]:
    """Return the class of the validator, stricter than JSON Schema about integers and patterns. Computed once."""
    from jsonschema import Draft202012Validator, validators

    # JSON Schema accepts 2.0 as an integer, and in Python `$` also matches before a final line break.
    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    extend: Any = validators.extend
    return cast("type[Validator]", extend(Draft202012Validator, {"pattern": _pattern}, type_checker=checker))


def _is_integer(_: Any, instance: Any) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


def _pattern(_: Validator, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not re.fullmatch(pattern, instance):
        yield ValidationError("does not match")
