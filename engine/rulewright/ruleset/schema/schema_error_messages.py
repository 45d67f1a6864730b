"""Turn JSON Schema validation errors into diagnostics for designers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from rulewright.language.language_diagnostics import UNKNOWN_VERB
from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.language.statement import COMMON_KEYS, find_statements, load_statements
from rulewright.ruleset.schema import json_schema, model
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.ruleset.schema.misplaced_entries import name_step, repair_mapping, repair_steps
from rulewright.ruleset.schema.schema_diagnostics import (
    BAD_ID,
    BAD_VALUE,
    BAD_VERSION,
    MISSING_KEY,
    NO_LAYER_BELOW,
    UNKNOWN_KEY,
    WRONG_SHAPE,
)
from rulewright.ruleset.schema.schema_path import (
    FACE,
    ShapedNode,
    describe_shape,
    find_member,
    find_older_names,
    join_alternatives,
    list_known_keys,
)
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Edit
from rulewright.source.diagnostics.suggestions import TRUTHS, Suggestion, replace_lookalikes, suggest_name
from rulewright.source.files.safe_read import DEFAULT_LIMITS
from rulewright.source.nodes import Mapping, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.yaml.flow_style import write_scalar

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_QUOTES = "\"'"
_OR_NOT = ", or leave the key out"
_FEW = 16  # the maximum number of keys listed in a suggestion; examples and triggers have about as many
_NAME_IT = "give it a name, such as `id: check`: logs, links and house rules use it"
_ORDER_WORDS = {word: word for word in POSITIONS} | {
    "behind": "after", "below": "after", "following": "after", "follows": "after",
    "above": "before", "preceding": "before", "precedes": "before",
    "override": "replace", "replaces": "replace", "instead": "replace",
    "drop": "delete", "omit": "delete", "erase": "delete", "deleted": "delete",
}  # fmt: skip


def explain_errors(error: ValidationError, place: ShapedNode) -> Iterator[Diagnostic]:
    """Yield the diagnostics for a validation `error` at `place`.

    An error may have several, for example one for each unknown key. Yields nothing if another error covers it.
    """
    # In a layer, the schema also allows `{delete: true}` here, so the validator would report the keys of the mapping.
    if isinstance(place.node, Mapping) and isinstance(place.shape, Leaf | ListOf | Steps):
        yield _wrong_shape(place)
        return
    match str(error.validator):
        case "type":
            yield _wrong_shape(place)
        case "additionalProperties":
            yield from _unknown_keys(error, place)
        case "required":
            yield from _missing_keys(error, place)
        case "anyOf":
            yield from _incomplete_step(place)
        case "enum":
            yield _not_among(error, place)
        case "not":  # a column must not be named like a placement key
            yield from _positions(place)
        case "pattern" if "propertyNames" in error.relative_schema_path:
            yield _bad_key(str(error.instance), place)
        case "pattern":
            yield _bad_text(place)


_IN_PLACE = re.compile(r"([a-z_][\w.]*)\s*([-+*/])=\s*(\S.*)")
"""An assignment of another language that changes a value, such as `score += 1`."""

_SIMPLE = re.compile(r"[\w.]+(?:\([^()]*\))?")
"""An operand that needs no parentheses: a name, a number, dice or a call."""

_KEY_AND_VALUE = re.compile(r"([a-z_][\w.]*) +(?:= *)?(\S.*)")
"""A key and its value with only spaces between them."""

_NO_BLANK = re.compile(r"([a-z_]\w*):(\S.*)")
"""A key and its value without a space after the colon, which YAML reads as one text."""


def _wrong_shape(place: ShapedNode) -> Diagnostic:
    """Return the diagnostic for a value of the wrong type, with the value that was probably meant if that is known."""
    node, what = place.node, describe_shape(place.shape)
    span = node.span if isinstance(node, Scalar) and node.text else place.head
    if (nameless := _without_a_name(place)) is not None:
        return nameless
    if isinstance(node, Scalar) and node.value is None:
        message = f"{place.name} must be {what}, but " + (
            "it has no value" if not node.text else f"`{node.text}` means no value"
        )
        required = place.is_required
        hint = (
            "write `none`" if _is(place, "expression", "value") and not required else "write the value after the colon"
        )
        short = place.shape.short if isinstance(place.shape, Record) else None
        if short is not None:
            hint = "write the value after the colon"
        elif isinstance(place.shape, MapOf | Record | Steps):
            hint = "write its content below, indented by two spaces"
        return _fault(WRONG_SHAPE, message, span, _show_example(place, hint if required else hint + _OR_NOT))
    if isinstance(node, Scalar):
        message = f"{place.name} must be {what}, but `{node.text}` is {node.kind}"
        help_ = _show_example(place, place.shape.doc) if place.shape.doc else None
        return _fault(WRONG_SHAPE, message, span, _rewritten(place, node) or help_)
    help_ = place.shape.doc or None
    edits: tuple[Edit, ...] = ()
    form = place.parent.shape if place.in_list and place.parent is not None else None
    own = node.get("id") if isinstance(node, Mapping) else None
    if isinstance(form, ByForm) and isinstance(form.mapping, MapOf) and isinstance(own, Scalar):
        assert place.parent is not None
        assert isinstance(node, Mapping)
        assert isinstance(place.parent.node, Sequence)
        keys = [f"{key}: …" for key in node.entries if key != "id"]
        name = place.key.text if place.key is not None else ""
        help_ = f"write a mapping whose keys are the ids, as in `{name}: {{{own.text}: {{{', '.join(keys)}}}}}`"
        _, edits = repair_mapping(place.parent.node, form.mapping)
    elif isinstance(place.shape, Steps) and isinstance(node, Mapping):
        help_, edits = repair_steps(node)
    elif isinstance(place.shape, MapOf | Record) and isinstance(node, Sequence):
        repaired, edits = repair_mapping(node, place.shape)
        help_ = repaired or _show_example(place, help_ or "Write keys with values.")
    elif help_ is not None:
        help_ = _show_example(place, help_)
    message = f"{place.name} must be {what}, but this is {node.kind}"
    return Diagnostic(WRONG_SHAPE, message, span, suggestion=help_, edits=edits)


def _show_example(place: ShapedNode, hint: str) -> str:
    """Return a hint with the example of the statement whose key leads to `place`, if there is one."""
    return hint if place.statement is None else f"{hint.removesuffix('.')}, as in `{place.statement.example}`"


def _without_a_name(place: ShapedNode) -> Diagnostic | None:
    """Return the diagnostic for a key of an entry in place of the entry's name, or None in any other case."""
    section = next((each for each in load_sections().values() if each.entry is place.shape), None)
    if section is None or place.key is None or section.entry.short is not None or place.key.text in POSITIONS:
        return None
    key, keys = place.key.text, section.entry.members
    if not (key in keys or "*" in keys) or isinstance(place.node, Mapping):
        return None
    message = f"`{key}` is directly below `{section.key}`, where the id of an entry belongs"
    hint = f"write it inside an entry with an id of your choice: `{section.key}: {{my_own: {{{key}: …}}}}`"
    return _fault(WRONG_SHAPE, message, place.key.span, hint)


def _rewritten(place: ShapedNode, node: Scalar) -> str | None:
    """Return a hint with the value as it was probably meant, or None if that is not known.

    It is a `Suggestion`, from which an editor can make a fix, if the replacement is certain.
    """
    if isinstance(place.shape, Record) and {"type", "default"} <= place.shape.members.keys():
        kind = "bool" if isinstance(node.value, bool) else "int" if isinstance(node.value, int) else ""
        if kind:
            written = f"{{type: {kind}, default: {node.text}}}"
            return Suggestion(f"give it a type, and the value as its default: `{written}`", node.text, [written])
    if _is(place, "flag") and (boolean := TRUTHS.get(node.text.casefold())) is not None:
        return Suggestion(f"write `{boolean}`", node.text, [boolean])
    if isinstance(place.shape, MapOf | Record) and node.style == "plain":
        if (change := _IN_PLACE.fullmatch(node.text)) is not None:
            key, sign, amount = change.groups()
            whole = f"{key} {sign} {amount if _SIMPLE.fullmatch(amount) else f'({amount})'}"
            return _as_pair("write the whole value", node, key, whole, in_braces=True)
        # After a key on its line, a pair needs braces.
        in_braces = place.key is not None and not place.in_list and place.key.span.line == node.span.line
        if (pair := _KEY_AND_VALUE.fullmatch(node.text)) is not None:
            return _as_pair("put a colon after the key", node, *pair.groups(), in_braces=in_braces)
        if (pair := _NO_BLANK.fullmatch(node.text)) is not None:
            return _as_pair("put a space after the colon", node, *pair.groups(), in_braces=in_braces)
    if _is(place, "version") and isinstance(node.value, int | float):
        parts = [*node.text.split("."), "0", "0"][:3]
        whole = ".".join(parts)
        return Suggestion(f"write all three numbers: `{whole}`", node.text, [whole])
    if _is(place, "words", "name", "label") and node.style == "plain":
        return Suggestion(f'put quotes around it: `"{node.text}"`', node.text, [f'"{node.text}"'])
    if _is(place, "integer", "expression") and _is_whole(node.value):
        return Suggestion(f"write `{node.value:.0f}`", node.text, [f"{node.value:.0f}"])
    if _is(place, "expression") and isinstance(node.value, float):
        return "expressions have only whole numbers: write a fraction as a division, such as `x / 2`"
    if _is(place, "integer") and isinstance(node.value, str) and node.style != "plain" and node.text.isdigit():
        return Suggestion(f"leave out the quotes: `{node.text}`", node.raw, [node.text])
    return None


def _as_pair(hint: str, node: Scalar, key: str, value: str, *, in_braces: bool) -> Suggestion:
    """Return a suggestion to write a scalar as a key with a value."""
    if in_braces:
        written = f"{{{key}: {value if value[0] in _QUOTES else write_scalar(value)}}}"
    else:
        written = f"{key}: {value}"
    return Suggestion(f"{hint}: `{written}`", node.text, [written])


def _is_whole(value: object) -> bool:
    """Return whether `value` is a float without a fraction that is small enough to be exact."""
    return isinstance(value, float) and value.is_integer() and abs(value) <= 2**53


def _is(place: ShapedNode, *formats: str) -> bool:
    """Return whether a place takes a scalar of one of these formats, also in a short form or beside a list of them."""
    shape = place.shape
    if isinstance(shape, Record) and shape.short is not None:
        shape = shape.members[shape.short].shape
    if isinstance(shape, ByForm) and shape.scalar is not None and shape.scalar is _item(shape.sequence):
        shape = shape.scalar
    return isinstance(shape, Leaf) and shape.format in formats


def _item(shape: Shape | None) -> Shape | None:
    """Return the schema of items if a list may stand for a scalar, or any other schema unchanged."""
    return shape.inner.scalar if isinstance(shape, ListOf) and isinstance(shape.inner, ByForm) else shape


def _unknown_keys(error: ValidationError, place: ShapedNode) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unknown key, but for no more than can be reported."""
    assert isinstance(place.node, Mapping)
    allowed: dict[str, Any] = _schema(error).get("properties", {})
    unknown = [key for key in place.node.entries if key not in allowed]
    # Computing suggestions is slow, so only as many as can be reported are computed.
    for key in unknown[: DEFAULT_LIMITS.errors + 1]:
        span = place.node.find_key_span(key)
        if key in POSITIONS and place.key is not None:
            yield from _positions(place)
            continue
        where = "in this file" if place.key is None else f"in {_name_node(place)}"
        yield _fault(UNKNOWN_KEY, f"there is no key `{key}` {where}", span, _suggest(key, place, list(allowed)))


def _positions(place: ShapedNode) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each placement key of a mapping that overrides nothing."""
    assert isinstance(place.node, Mapping)
    for key, entry in place.node.entries.items():
        if key in POSITIONS and key not in list_known_keys(place.shape):
            message = f"`{key}` refers to an inherited entry, but this edition inherits none"
            yield _fault(NO_LAYER_BELOW, message, entry.key.span)


def _name_node(place: ShapedNode) -> str:
    if isinstance(place.shape, model.StepShape) and isinstance(place.node, Mapping):
        return f"the step {_quote(place.node.get('id'))}"
    return place.name


def _suggest(key: str, place: ShapedNode, allowed: list[str]) -> str | None:
    """Return a hint for an unknown key: where it belongs, its new name, a similar key, or those that fit here.

    In a step, the hint may name statements. None if too many keys fit.
    """
    if place.shape is model.build_rules_shape() and key in model.MANIFEST.members:
        return "it belongs in ruleset.yaml"
    if place.shape is model.MANIFEST and key in load_sections():
        return f"write `{key}:` in a separate file next to ruleset.yaml, such as {key}.yaml"
    step = place.node if isinstance(place.shape, model.StepShape) and isinstance(place.node, Mapping) else None
    if step is not None and key in ("as", "to"):
        named, own = step.get(key), step.get("id")
        name = named.text if isinstance(named, Scalar) else "…"
        if "." in name:
            result = own.text if isinstance(own, Scalar) else "…"
            return f"a field needs a separate step to change it: write `set: {{{name}: {result}}}` in the next step"
        return f"the result of a step is named by its id: write `id: {name}` instead of `{key}`"
    if place.shape is load_sections()["kinds"].entry and key in ("icon", "name"):
        return f"give the kind a `term:`, and write `{key}:` in the entry of that term below `terms:`"
    if (newer := find_older_names(place.shape).get(key)) in allowed:
        return Suggestion(f"this key is now `{newer}`", key, [newer])
    statements = [] if step is None else find_statements(step.entries)
    if step is not None and not statements:
        # The key can only be a misspelt statement, a common key, or a key of a statement that is missing.
        allowed = [*load_statements(), *(name for name in allowed if name in COMMON_KEYS or name in POSITIONS)]
        fitting = [name for name, verb in load_statements().items() if key in verb.also]
        if fitting:
            return Suggestion(f"did you mean `{fitting[0]}`?", key, fitting)
    near = suggest_name(key, allowed) or _order_word(key, allowed)
    if isinstance(near, Suggestion) and isinstance(place.node, Mapping) and near.names[0] in place.node.entries:
        near = f"{near} That key is already here, so this would be a duplicate"
    near = near or _find_missing_key(place)
    if near is not None:
        return near
    if step is not None and not statements:
        return _list_statements("a step needs one of these statements:", step)
    if len(statements) == 1:
        return f"write it as in `{statements[0].example}`"
    listed = list_known_keys(place.shape)
    if place.shape is model.build_rules_shape() or 0 < len(listed) <= _FEW:
        return "the keys here are " + ", ".join(f"`{known}`" for known in listed)
    return None


def _find_missing_key(place: ShapedNode) -> str | None:
    """Return a hint for the only required key that a mapping lacks, which an unknown key may stand for, or None."""
    if not isinstance(place.shape, Record) or not isinstance(place.node, Mapping):
        return None
    needed = [key for key, member in place.shape.members.items() if member.required and key not in place.node.entries]
    return f"did you mean `{needed[0]}`, which is missing here?" if len(needed) == 1 else None


def _order_word(key: str, allowed: list[str]) -> str | None:
    """Return a suggestion for a placement key if `key` is a common other word for it."""
    parts = key.casefold().replace("-", "_").split("_")
    words = [word for word in POSITIONS if word in allowed and any(_ORDER_WORDS.get(part) == word for part in parts)]
    return Suggestion(f"did you mean `{words[0]}`?", key, words) if len(words) == 1 else None


def _missing_keys(error: ValidationError, place: ShapedNode) -> Iterator[Diagnostic]:
    """Yield one diagnostic for all missing keys of a mapping, or that of an incomplete step."""
    assert isinstance(place.node, Mapping)
    if isinstance(place.shape, model.StepShape):
        yield from _incomplete_step(place)
        return
    # The validator reports each key separately, but one diagnostic for all of them is clearer.
    lacking = [key for key in _schema(error)["required"] if key not in place.node]
    named = join_alternatives((f"`{key}`" for key in lacking), word="and no")
    message = f"{place.name} has no {named}, but needs {'it' if len(lacking) == 1 else 'them'}"
    hints = [f"add `{key}`: {_small(find_member(place.shape, key).doc)}" for key in lacking]
    yield _fault(MISSING_KEY, message, place.head, "\n".join(hints))


def _small(doc: str) -> str:
    return doc[:1].lower() + doc[1:]


def _incomplete_step(place: ShapedNode) -> Iterator[Diagnostic]:
    """Yield the diagnostic for a step without an id, or else for one without a statement.

    Yields nothing if the step has an unknown key, which is reported separately.
    """
    assert isinstance(place.node, Mapping)
    step, keys = place.node, set(place.node.list_keys())
    if "id" not in step:
        position = next((word for word in POSITIONS if word in step), None)
        if position is not None and len(keys & {"replace", "delete"}) == 0:
            message = f"a step placed {position} another needs an `id` of its own"
            yield _fault(MISSING_KEY, message, step.find_key_span(position), _NAME_IT)
        elif position is not None:
            message = f"`{position}` refers to an inherited step, but this edition inherits none"
            yield _fault(NO_LAYER_BELOW, message, step.find_key_span(position))
        else:
            message = "this step has no `id`, but needs one"
            yield Diagnostic(MISSING_KEY, message, place.head, suggestion=_NAME_IT, edits=tuple(name_step(place)))
    elif keys <= set(list_known_keys(place.shape)):  # otherwise reported as an unknown key
        message = f"the step {_quote(step.get('id'))} does nothing: it has no statement"
        yield _fault(
            UNKNOWN_VERB,
            message,
            place.head,
            _list_statements("the statements are", step),
        )


def _list_statements(whole: str, step: Mapping) -> str:
    """Return a hint with the statements that take every key of a step, or all of them after `whole`."""
    own = [key for key in step.entries if key not in COMMON_KEYS]
    fitting = [f"`{name}`" for name, verb in load_statements().items() if all(key in verb.keys for key in own)]
    if own and fitting:
        taking = f"add a statement that takes {join_alternatives((f'`{key}`' for key in own), word='and')}: "
        # A key of one statement may be another word for the name of another.
        statements = [name for name, verb in load_statements().items() if any(key in verb.also for key in own)]
        return (f"did you mean `{statements[0]}`? Otherwise, " if statements else "") + taking + ", ".join(fitting)
    return f"{whole} " + ", ".join(f"`{name}`" for name in load_statements())


def _quote(node: object) -> str:
    return f"`{node.text}`" if isinstance(node, Scalar) else "here"


def _not_among(error: ValidationError, place: ShapedNode) -> Diagnostic:
    """Return the diagnostic for a value that is not one of those allowed, with the nearest or all of them.

    For a value that is none or not a scalar, it is that of a wrong shape.
    """
    node = place.node
    values = [_yaml(value) for value in _schema(error)["enum"] if not isinstance(value, dict)]
    if not isinstance(node, Scalar) or node.value is None:
        return _wrong_shape(place)
    message = f"{place.name} cannot be `{node.text}`"
    listed = "it is " + join_alternatives(f"`{value}`" for value in values)
    if len(values) == 1 or TRUTHS.get(node.text.casefold()) in values:
        correction = values[0] if len(values) == 1 else TRUTHS[node.text.casefold()]
        return _fault(BAD_VALUE, message, node.span, Suggestion(f"write `{correction}`", node.text, [correction]))
    return _fault(BAD_VALUE, message, node.span, suggest_name(node.text, values) or listed)


def _yaml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bad_key(key: str, place: ShapedNode) -> Diagnostic:
    """Return the diagnostic for an id that is not valid, with a similar valid one if there is one.

    For a row whose id and faces are swapped, it has the edits that swap them.
    """
    assert isinstance(place.node, Mapping)
    entry = place.node.entries[key]
    span = entry.key.span
    is_row = isinstance(entry.value, Scalar) and re.fullmatch(json_schema.ID_PATTERN, entry.value.text)
    if isinstance(entry.value, Scalar) and FACE.fullmatch(key) and is_row:
        row = entry.value
        hint = f"write the row's id first and then its faces: `{row.text}: {key}`"
        rows = [name for each in place.node.entries.values() for name in (each.key.text, each.value.to_plain())]
        is_certain = row.style == entry.key.style == "plain" and rows.count(row.text) == 1
        swapped = (Edit(span, row.text), Edit(row.span, key)) if is_certain else ()
        return Diagnostic(BAD_ID, f"`{key}` is not a valid id", span, suggestion=hint, edits=swapped)
    if "dice" in (place.key.text if place.key else ""):
        hint = "a die is named `d` with letters or digits, such as `dP`; a named roll is in lower case"
        return _fault(BAD_ID, f"`{key}` is not a valid name for a die or a roll", span, hint)
    braced = re.fullmatch(r"([a-z_]\w*) *\{ *\w+", key)
    if braced:
        return _fault(BAD_ID, f"`{key}` is not a valid id", span, f"put a colon after it: `{braced[1]}: {{…}}`")
    return _fault(BAD_ID, f"`{key}` is not a valid id", span, _as_id(key))


def _bad_text(place: ShapedNode) -> Diagnostic:
    """Return the diagnostic for a text that does not have the form of a version, a reference or an id."""
    assert isinstance(place.node, Scalar)
    text, span = place.node.text, place.node.span
    if _is(place, "version"):
        return _fault(BAD_VERSION, f"`{text}` is not a version", span)
    if _is(place, "edition"):
        return _bad_reference(place, place.node)
    return _fault(BAD_ID, f"`{text}` is not a valid id", span, _as_id(text))


def _bad_reference(place: ShapedNode, node: Scalar) -> Diagnostic:
    """Return the diagnostic for a text that is not a reference, or is one with a version where none is allowed."""
    try:
        reference = parse_reference(node)
    except DiagnosticError as error:
        return error.diagnostics[0]
    # A reference may have a version, but here the version belongs in `version:`.
    span = node.position(node.text.index("@"), len(node.text))
    return _fault(BAD_VALUE, f"{place.name} must not contain a version", span, f"write `{reference.ruleset}`")


def _schema(error: ValidationError) -> dict[str, Any]:
    return cast(dict[str, Any], error.schema)


def _fault(code: Code, message: str, span: Span, suggestion: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, span, suggestion=suggestion)


_LETTERS = str.maketrans(
    dict(zip("äöüßæœøåłđðþı", ("ae", "oe", "ue", "ss", "ae", "oe", "oe", "aa", "l", "d", "d", "th", "i"), strict=True))
)


def _as_id(text: str) -> str | None:
    """Return a suggestion of a valid id similar to the text, or None if there is none or the text is that id already.

    Text with letters of another script has none.
    """
    # Drop invisible characters and transliterate letters with diacritics.
    seen = "".join(char for char in text if unicodedata.category(char) != "Cf")
    small = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", replace_lookalikes(seen)).lower().translate(_LETTERS)
    plain = "".join(char for char in unicodedata.normalize("NFKD", small) if not unicodedata.combining(char))
    if any(char.isalpha() and not char.isascii() for char in plain):
        return None  # text in another script cannot be transliterated
    result = re.sub(r"[^a-z0-9]+", "_", plain).strip("_").lstrip("0123456789_")
    return Suggestion(f"write `{result}`", text, [result]) if result and result != text else None


OLD_REMOVE = Code(
    "remove-for-delete",
    "`remove` where `delete` is meant",
    "`remove` is the statement that takes an object out of the game, including in the steps of house rules, so "
    "inherited entries are deleted with `delete` instead.",
    "Write `delete` in place of `remove`.",
)


def has_old_word(document: Any) -> bool:
    """Return whether plain data has a key for which `find_old_words` may yield a diagnostic."""
    if isinstance(document, dict):
        return "remove" in document or any(map(has_old_word, document.values()))
    return isinstance(document, list) and any(map(has_old_word, document))


def find_old_words(place: ShapedNode) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every `remove` at or below `place` that should be `delete`, as in older versions.

    Each has the edit that replaces it. A `remove` that is a statement is not one.
    """
    node = place.node
    if isinstance(node, Mapping):
        written = node.entries.get("remove")
        if written is not None and isinstance(written.value, Scalar) and _deletes(place, written.value):
            message = f"`remove` takes an object out of the game, but here {_what(place, written.value)} is meant"
            advice = f"write `delete: {written.value.text}`"
            edit = Edit(written.key.span, "delete")
            yield Diagnostic(OLD_REMOVE, message, written.key.span, suggestion=advice, edits=(edit,))
        for key in node.entries:
            yield from find_old_words(place.descend(key))
    elif isinstance(node, Sequence):
        for number in range(len(node.items)):
            yield from find_old_words(place.descend(number))


def _deletes(place: ShapedNode, value: Scalar) -> bool:
    """Return whether a `remove` at `place` is the older spelling of `delete`, and not a statement."""
    assert isinstance(place.node, Mapping)
    if isinstance(place.shape, model.StepShape):
        # A step that removes an object has an id, or replaces a step with an id.
        return "id" not in place.node and not any(word in place.node for word in POSITIONS)
    return value.value is True


def _what(place: ShapedNode, value: Scalar) -> str:
    inherited = f"the step `{value.text}`" if isinstance(place.shape, model.StepShape) else place.name
    return f"the deletion of {inherited}"
