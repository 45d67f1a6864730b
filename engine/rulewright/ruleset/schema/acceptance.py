"""Whether a document fits a schema, yes or no: what is asked of every file, and nearly always answered with yes.

The JSON Schema validator says what is wrong and where, which takes it a third of the time of a check where nothing is.
Here the same schema becomes plain functions that say no more than whether it is kept. A document that they refuse goes
to the validator, whose word counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

Accept = Callable[[Any], bool]
"""Whether a value (as YAML gives them: dict, list, str, int, float, bool or None) is accepted."""

_CLASSES: Mapping[str, frozenset[type]] = {
    "object": frozenset({dict}),
    "array": frozenset({list}),
    "string": frozenset({str}),
    "boolean": frozenset({bool}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "null": frozenset({type(None)}),
}
"""The classes of values of each type. To the language, 2.0 is no whole number."""

_SAY_NOTHING = {"$schema", "$defs", "title", "description", "examples"}


class Acceptance:
    """What accepts the documents of one schema. Raises `ValueError` for a keyword it does not know."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._defined: Mapping[str, Any] = schema.get("$defs", {})
        self._references: dict[str, Accept] = {}
        self._accept = self._of(schema)

    def __call__(self, document: Any) -> bool:
        return self._accept(document)

    def _of(self, schema: Any) -> Accept:
        if isinstance(schema, bool):
            return _everything if schema else _nothing
        anyhow: list[Accept] = []
        texts: list[Accept] = []
        lists: list[Accept] = []
        mappings: list[Accept] = []
        classes: frozenset[type] | None = None
        for keyword, value in schema.items():
            match keyword:
                case "type":
                    names = [value] if isinstance(value, str) else value
                    classes = frozenset().union(*(_CLASSES[name] for name in names))
                case "enum":
                    anyhow.append(partial(_is_one_of, tuple(value)))
                case "$ref":
                    anyhow.append(self._reference(value))
                case "anyOf":
                    anyhow.append(partial(_is_any, [self._of(each) for each in value]))
                case "not":
                    anyhow.append(partial(_is_not, self._of(value)))
                case "pattern":
                    texts.append(partial(_fits, re.compile(value).fullmatch))
                case "items":
                    lists.append(partial(_has_items, self._of(value)))
                case "required":
                    mappings.append(partial(_has_keys, frozenset(value)))
                case "propertyNames":
                    mappings.append(partial(_has_items, self._of(value)))
                case "properties":
                    inner = {key: self._of(each) for key, each in value.items()}
                    rest = self._of(schema.get("additionalProperties", True))
                    mappings.append(partial(_has_entries, inner, rest))
                case "additionalProperties":
                    if "properties" not in schema:
                        mappings.append(partial(_has_entries, {}, self._of(value)))
                case _ if keyword not in _SAY_NOTHING:
                    raise ValueError(f"nothing is known here of the keyword {keyword}")
        return _together(classes, anyhow, {str: texts, list: lists, dict: mappings})

    def _reference(self, reference: str) -> Accept:
        """What a reference stands for, worked out when it is first met: definitions lie in circles."""
        name = reference.removeprefix("#/$defs/")

        def accept(value: Any) -> bool:
            known = self._references.get(name)
            if known is None:
                known = self._references[name] = self._of(self._defined[name])
            return known(value)

        return accept


def _together(
    classes: frozenset[type] | None, anyhow: Sequence[Accept], of_class: Mapping[type, Sequence[Accept]]
) -> Accept:
    """One function out of what each keyword asks for: some of every value, some of values of one class only."""
    by_class = {kind: (*anyhow, *asked) for kind, asked in of_class.items()}
    otherwise = tuple(anyhow)

    def accept(value: Any) -> bool:
        kind = type(value)
        if classes is not None and kind not in classes:
            return False
        # A plain loop: `all` would make a generator for every value of every file.
        for asked in by_class.get(kind, otherwise):  # noqa: SIM110
            if not asked(value):
                return False
        return True

    return accept


def _everything(_: Any) -> bool:
    return True


def _nothing(_: Any) -> bool:
    return False


def _fits(fullmatch: Callable[[str], Any], text: str) -> bool:
    return fullmatch(text) is not None


def _is_any(accepts: Sequence[Accept], value: Any) -> bool:
    return any(accept(value) for accept in accepts)


def _is_not(accept: Accept, value: Any) -> bool:
    return not accept(value)


def _has_items(accept: Accept, values: Any) -> bool:
    return all(map(accept, values))


def _has_keys(keys: frozenset[str], mapping: dict[str, Any]) -> bool:
    return keys <= mapping.keys()


def _has_entries(inner: Mapping[str, Accept], rest: Accept, mapping: dict[str, Any]) -> bool:
    for key, value in mapping.items():  # noqa: SIM110 (see above)
        if not inner.get(key, rest)(value):
            return False
    return True


def _is_one_of(allowed: Sequence[Any], value: Any) -> bool:
    return any(_same(each, value) for each in allowed)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same to JSON, in which `true` is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
