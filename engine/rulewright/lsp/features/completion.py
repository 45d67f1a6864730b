"""Completion: keys, statements, ids, names and terms, each with its description and origin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rulewright.engine.narration.plain_names import Names
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.type_checker import PLAIN
from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Record, Shape
from rulewright.language.statement import by_role, find_statements, load_statements
from rulewright.language.types import Entity, Integer, present
from rulewright.language.types import MapOf as MapType
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.hover import describe_entry
from rulewright.lsp.features.scope_names import list_names_at
from rulewright.lsp.features.symbol_at import find_shape, follow_shape
from rulewright.lsp.features.typing_context import ITEM, Context, find_context
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.editions.edition import WORDS
from rulewright.ruleset.layers.step_tree import list_ids
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.model import StepShape, find_step_shape, list_step_keys
from rulewright.ruleset.schema.schema_path import describe_key, find_member
from rulewright.ruleset.schema.translation_schema import build_words_shape
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.translation.source_texts import list_source_texts
from rulewright.source.nodes import Mapping, Node, Sequence
from rulewright.source.span import Span

Sort = Literal["key", "verb", "id", "value", "name", "field", "function", "term", "edition", "type"]

_SAID = frozenset({"name", "field", "function", "term", "type"})
"""The sorts of completions whose descriptions come from the rules and may have placeholders."""

_NAME = re.compile(r"[^\W\d]\w*$|$")
_PATH = re.compile(r"[\w./@^~-]*$")


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """A completion: the `text` that replaces `span`, a short description, and more details.

    Likelier completions have a lower `rank`. `words` are what players call it, under which it can be found, too.
    """

    label: str
    text: str
    sort: Sort
    detail: str = ""
    more: str = ""
    rank: int = 5
    span: Span | None = None
    words: str = ""


_POSITIONS = {
    "before": "Places this entry before the entry with this name.",
    "after": "Places this entry after the entry with this name.",
    "replace": "Replaces the entry of a lower layer with this name.",
    "delete": "Deletes the entry of a lower layer with this name.",
}


def complete(workspace: Workspace, path: Path, line: int, column: int) -> list[CompletionItem]:
    """Return the completions at a position, counted from 1, of a file, which need not be valid YAML.

    Empty inside a comment.
    """
    text = workspace.texts.get_text(path) or ""
    context = find_context(text, line, column)
    if context is None:
        return []
    good = next(iter(workspace.list_good(path)), None)
    translates = path.parent.name == WORDS
    shape = _find_shape(build_words_shape() if translates else find_shape(path), context, good)
    written = context.typed.lstrip("\"'")
    completion_items: Iterable[CompletionItem]
    if context.is_key and not _is_plain(shape):
        typed = _NAME.search(written)
        completion_items = [
            *(_sayable(context, good) if translates else ()),
            *_keys(shape, context, None if translates else good),
        ]
        size = len(typed.group()) if typed else 0
    else:
        leaf = _leaf(shape)
        if leaf is None:
            return []
        word = (_PATH if leaf.format in ("reference", "edition") else _NAME).search(written)
        size = len(word.group()) if word else 0
        completion_items = _values(leaf, context, good, workspace, path, line)
    here = Span(str(path), line, column - size, line, column)
    called = good.ruleset.get_or_make(_map_words) if good is not None else {}
    return [
        replace(
            each,
            words=called.get(each.label, "") if each.sort in ("field", "name") else "",
            span=each.span or here,
            more=good.as_read(each.more) if good is not None and each.sort in _SAID else each.more,
        )
        for each in _each_once(completion_items)
    ]


def _map_words(ruleset: Ruleset) -> dict[str, str]:
    """Return what players call each field, by its name, for fields with other words than their names."""
    names, results = Names(ruleset), dict[str, str]()
    for kind in ruleset.declarations.kinds.values():
        for name in filter(str.isidentifier, kind.fields):
            words = names.name_field(kind.id, name)
            if words.casefold() not in (name.replace("_", " "), results.get(name, "").casefold()):
                results[name] = f"{results[name]}, {words}" if name in results else words
    return results


def _each_once(completion_items: Iterable[CompletionItem]) -> Iterator[CompletionItem]:
    """Yield the first item with each label."""
    names: set[str] = set()
    for offer in completion_items:
        if offer.label not in names:
            names.add(offer.label)
            yield offer


def _find_shape(root: Shape, context: Context, good: Good | None) -> Shape:
    """Return the shape at the cursor. What the key of a step means depends on the statement of the step."""
    way = context.way
    if way and way[-1] != ITEM and isinstance(follow_shape(root, way[:-1]), StepShape):
        return find_member(find_step_shape(context.above if context.is_key else context.beside), way[-1])
    shape = follow_shape(root, way, is_key=context.is_key)
    return find_step_shape(_list_written(context, good)) if isinstance(shape, StepShape) else shape


def _list_written(context: Context, good: Good | None) -> set[str]:
    """Return the keys of the step at the cursor, with the statement that it inherits from a lower layer."""
    keys = {*context.beside}
    if good is not None and not find_statements(keys) and (step := _find_step(context, good)) is not None:
        keys.add(step.verb.name)
    return keys


def _is_plain(shape: Shape) -> bool:
    """Return whether the items of a list are plain values instead of mappings."""
    return isinstance(shape, Leaf) or (isinstance(shape, ByForm) and shape.mapping is None)


def _leaf(shape: Shape) -> Leaf | None:
    """Return the shape of a scalar that is valid for this shape, or None."""
    match shape:
        case Leaf():
            return shape
        case Record(short=str(short), members=members):
            return _leaf(members[short].shape)
        case ByForm(scalar=Shape() as scalar):
            return _leaf(scalar)
        case ListOf(inner=inner):
            return _leaf(inner)
    return None


# -- keys --------------------------------------------------------------------------------


def _keys(shape: Shape, context: Context, good: Good | None) -> Iterator[CompletionItem]:
    """Yield the keys that a mapping of this shape can have and does not have yet.

    They include ids of the rules, and in a layer above others the keys that change these.
    """
    if isinstance(shape, ByForm):
        shape = shape.mapping or Shape()
    steps = bool(context.way) and context.way[-1] == ITEM and isinstance(shape, StepShape)
    match shape:
        case Record(members=members):
            placeless = {"into"} if steps and good is not None and not _has_one_result(context, good) else set()
            valid = list_step_keys(_list_written(context, good)) if steps else members
            known = [key for key in valid if key != "*" and key not in {*context.beside, *placeless}]
            for key in known:
                required = members[key].required
                sort: Sort = "verb" if steps and key in load_statements() else "key"
                text = "required" if required else ""
                yield CompletionItem(
                    key, f"{key}: ", sort, text, describe_key(shape, key, context.beside), 2 if required else 4
                )
            if "*" in members:
                yield from _others(context, good)
        case MapOf():
            yield from _ids(context, good)
            yield from _complete_arguments(context, good)
            yield from _of_a_run(context, good)
    inside = len(context.way) > 1 and isinstance(shape, Record)
    if (steps or inside) and good is not None and len(good.ruleset.resolved.layers) > 1:
        for word in POSITIONS:
            if word not in context.beside:
                yield CompletionItem(word, f"{word}: ", "key", "changes a lower layer", _POSITIONS[word], 6)


def _has_one_result(context: Context, good: Good) -> bool:
    """Return whether a step may have exactly one result. Of one that was not checked yet, nothing is known."""
    step = _find_step(context, good)
    return step is None or len(step.slots) == 1


def _find_step(context: Context, good: Good) -> Step | None:
    """Return the checked step at the cursor, or None if it was not checked yet."""
    identity = context.beside.get("id")
    procedure = good.ruleset.procedures.get(context.way[1]) if len(context.way) > 1 else None
    return next((each for each in procedure.iterate_steps() if each.id == identity), None) if procedure else None


def _sayable(context: Context, good: Good | None) -> Iterator[CompletionItem]:
    """Yield the keys for texts, or groups of texts, that the file of another language does not have yet.

    A text has its original as description. Empty without a usable state of the edition.
    """
    depth = len(context.way)
    for place, text in list_source_texts(good.ruleset).items() if good is not None else ():
        if len(place) > depth and place[:depth] == context.way and place[depth] not in context.beside:
            name, is_text = place[depth], len(place) == depth + 1
            short = " ".join(text.split())[:60] if is_text else ""
            yield CompletionItem(name, f"{name}: ", "key" if is_text else "id", short, text if is_text else "", 2)


def _ids(context: Context, good: Good | None) -> Iterator[CompletionItem]:
    """Yield the ids that exist at this path in lower layers or in other files."""
    if good is None:
        return
    node = _resolve(good, context.way)
    if not isinstance(node, Mapping):
        return
    for name, entry in node.entries.items():
        if name in context.beside:
            continue
        layer = good.ruleset.resolved.find_layer(entry.value.span)
        path = (*context.way, name)
        more = "\n".join(describe_entry(good, path)) if len(path) == 2 else ""
        yield CompletionItem(name, f"{name}: ", "id", f"from {layer}", more, 3)


def _others(context: Context, good: Good | None) -> Iterator[CompletionItem]:
    """Yield the columns that a row may fill."""
    if good is None or len(context.way) < 3:
        return
    table = good.ruleset.declarations.tables.get(context.way[1])
    if table is not None and context.way[0] == "tables":
        for column, kind in table.columns.items():
            if column not in context.beside:
                yield CompletionItem(column, f"{column}: ", "field", str(kind), "", 2)
        for column in table.steps:
            if column not in context.beside:
                yield CompletionItem(column, f"{column}: ", "field", "steps", "", 2)


def _complete_arguments(context: Context, good: Good | None) -> Iterator[CompletionItem]:
    """Yield the keys of a mapping in a step: parameters of the called procedure, and fields of all kinds."""
    if good is None or ITEM not in context.way:
        return
    declared = good.ruleset.declarations
    columns = [column for table in declared.tables.values() for column in table.steps.values()]
    for written in context.above.values():
        given = declared.procedures[written].parameters if written in declared.procedures else {}
        for column in columns:
            given = column.parameters if not given and written.endswith(f".{column.id}") else given
        for name, kind in given.items():
            if name not in context.beside:
                yield CompletionItem(name, f"{name}: ", "field", str(kind), f"given to `{written}`", 1)
        of = declared.kinds.get(written)
        for field in of.named_fields.values() if of is not None else ():
            if field.name not in context.beside:
                yield CompletionItem(field.name, f"{field.name}: ", "field", str(field.type), field.means, 1)
    verb = load_statements().get(context.way[-1])
    is_transfer = verb is not None and verb.changes_numbers
    receiver = _find_receiver(context, good) if is_transfer else None
    for kind_ in declared.kinds.values():
        for field in kind_.fields.values():
            is_number = isinstance(present(field.type), Integer | MapType)
            if is_transfer and (not is_number or receiver not in (None, kind_.id)):
                continue
            if field.name.isidentifier() and field.name not in context.beside:
                yield CompletionItem(
                    field.name, f"{field.name}: ", "field", f"{field.type}, of {kind_.id}", field.means, 6
                )


def _find_receiver(context: Context, good: Good) -> str | None:
    """Return the kind of the object that gains or pays, or None if the step does not say it by a plain name."""
    procedure = good.ruleset.procedures.get(context.way[1])
    name = context.beside.get("who", "")
    game = good.ruleset.declarations.kinds[GAME_KIND].fields
    kind = procedure.parameters.get(name) if procedure is not None else None
    kind = kind or (game[name].type if name in game else None)
    return kind.kind if isinstance(kind, Entity) else None


def _of_a_run(context: Context, good: Good | None) -> Iterator[CompletionItem]:
    """Yield the values that an example of a procedure may set or expect."""
    section = load_sections().get(context.way[0]) if len(context.way) == 3 else None
    if good is None or section is None or section.gameplay:
        return
    key = context.way[-1]
    declared, procedures = good.ruleset.declarations, good.ruleset.procedures
    carried_out = next((each for each in context.above.values() if each in procedures), None)
    if carried_out is None:
        return
    names: dict[str, tuple[str, str, int]] = {}
    if key == "given":
        for plural, of in declared.map_plurals().items():
            names[plural] = (f"list of {of}", f"The existing ones. {declared.kinds[of].means}", 4)
        for deck in declared.decks.values():
            if not deck.is_owned:
                names[deck.id] = (f"list of {deck.table}", "The cards in the deck.", 5)
    elif key == "expect":
        procedure = procedures[carried_out]
        for slot, name in procedure.names.items():
            if name.isidentifier() and slot in procedure.types:
                names[name] = (str(procedure.types[slot]), f"of `{carried_out}`", 1)
    else:
        return
    for field in declared.kinds[GAME_KIND].fields.values():
        if field.name.isidentifier():
            names[field.name] = (str(field.type), field.means, 5)
    for name, kind in declared.procedures[carried_out].parameters.items():
        names[name] = (str(kind), f"given to `{carried_out}`", 1)
    for name, (detail, means, rank) in names.items():
        if name not in context.beside:
            yield CompletionItem(name, f"{name}: ", "field", detail, means, rank)


def _resolve(good: Good, way: tuple[str, ...]) -> Node | None:
    node: Node | None = good.ruleset.resolved.rules
    for key in way:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


# -- values ------------------------------------------------------------------------------


def _values(
    leaf: Leaf, context: Context, good: Good | None, workspace: Workspace, path: Path, line: int
) -> Iterator[CompletionItem]:
    """Yield the values that a scalar of this shape can have.

    Without a usable state of the edition, these are only fixed values and editions.
    """
    for value in leaf.values:
        yield CompletionItem(value, value, "value", "", leaf.doc, 1)
    key = next((each for each in reversed(context.way) if each != ITEM), "")
    if leaf.format == "edition":
        yield from _editions(workspace)
    if good is None:
        return
    match leaf.format:
        case "reference" | "name":
            yield from _references(key, context, good)
        case "type":
            yield from _types(good)
        case "words" | "label":
            yield from _placeholders(context.typed, good)
        case "expression" | "dice" | "value":
            for name in list_names_at(workspace, good, path, line, context):
                yield CompletionItem(name.name, name.text, name.sort, name.type, name.means, name.rank)
        case "flag" | "loop":
            yield CompletionItem("true", "true", "value", "", leaf.doc, 1)
    if leaf.format == "loop" and context.way[1] in good.ruleset.procedures:
        for step in good.ruleset.procedures[context.way[1]].iterate_steps():
            if step.verb.loops:
                yield CompletionItem(step.id, step.id, "id", f"loop of {context.way[1]}", "", 1)


def _editions(workspace: Workspace) -> Iterator[CompletionItem]:
    """Yield two references for each edition: its exact version, and its major version, which stands for the newest."""
    for edition in workspace.get_catalogue().list_editions():
        major = edition.version.major
        yield CompletionItem(
            f"{edition.ruleset}@{edition.version}",
            f"{edition.ruleset}@{edition.version}",
            "edition",
            edition.title,
            f"{edition.status}; in {edition.folder}",
            2,
        )
        yield CompletionItem(
            f"{edition.ruleset}@{major}",
            f"{edition.ruleset}@{major}",
            "edition",
            edition.title,
            "the newest of these versions",
            3,
        )


def _references(key: str, context: Context, good: Good) -> Iterator[CompletionItem]:
    """Yield the entries that a key may refer to.

    These are in the sections that the same key refers to elsewhere, the most frequent first. If there is none, they are
    in the section named by the plural of the key, or else in all sections, with the section in the name.
    """
    if key in POSITIONS or key == "id":
        yield from _positions(context, good)
        return
    base = context.typed.lstrip("\"'").rpartition(".")[0]
    if key == by_role("call").name and base:
        for table in good.ruleset.declarations.tables.values():
            for column in table.steps:
                yield CompletionItem(f"{base}.{column}", f"{base}.{column}", "id", f"steps of {table.id}", "", 1)
    leads: Counter[tuple[str, bool]] = Counter()
    for mentions in good.mentions.by_path.values():
        for mention in mentions:
            if mention.form == "reference" and mention.under.removeprefix(".") == key:
                leads[mention.path[0], mention.under.startswith(".")] += 1
    if not leads:
        plural = f"{key}s"
        leads = Counter({(plural, False): 1}) if plural in load_sections() else Counter()
    sections = leads or Counter({(section, True): 1 for section in load_sections()})
    for (section, whole), _ in sections.most_common():
        for path in good.mentions.by_path:
            if path[0] == section and len(path) == 2:
                deck = good.ruleset.declarations.decks.get(path[1]) if section == "decks" else None
                name = f"{deck.kind}.{deck.id}" if deck is not None and deck.is_owned else path[1]
                label = ".".join(path) if whole else name
                yield CompletionItem(
                    label,
                    label,
                    "id",
                    load_sections()[section].one if section in load_sections() else "",
                    "\n".join(describe_entry(good, path)),
                    2,
                )
            elif path[0] == section and len(path) > 2 and whole:
                label = f"{section}.{path[1]}.{path[-1]}"
                yield CompletionItem(label, label, "id", f"of {path[1]}", "", 4)


def _positions(context: Context, good: Good) -> Iterator[CompletionItem]:
    """Yield the steps or entries to place something before or after."""
    if len(context.way) < 2:
        return
    owner = _resolve(good, context.way[:2])
    steps = owner.get("steps") if isinstance(owner, Mapping) else None
    if ITEM in context.way and isinstance(steps, Sequence):
        for name in list_ids(steps):
            yield CompletionItem(name, name, "id", f"step of {context.way[1]}", "", 2)
        return
    around = _resolve(good, context.way[:-2])
    for name in around.entries if isinstance(around, Mapping) else ():
        yield CompletionItem(name, name, "id", "", "", 2)


def _types(good: Good) -> Iterator[CompletionItem]:
    declared = good.ruleset.declarations
    for name, kind in PLAIN.items():
        yield CompletionItem(name, name, "type", str(kind), "", 3)
    for name, of_kind in declared.kinds.items():
        yield CompletionItem(name, name, "type", "an object of this kind", of_kind.means, 2)
    for name, table in declared.tables.items():
        yield CompletionItem(name, name, "type", "a row of this table", table.title, 4)
    for name, record in declared.records.items():
        yield CompletionItem(name, name, "type", "a record", record.means, 2)
    for words, means in (
        ("optional ", "A value, or `none`."),
        ("list of ", "Several values, in order."),
        ("map of ", "One value for each row of a table."),
    ):
        yield CompletionItem(words.strip(), words, "type", "", means, 3)


def _placeholders(typed: str, good: Good) -> Iterator[CompletionItem]:
    """Yield the completions inside the braces of a placeholder, and nothing outside of them."""
    opened = typed.rfind("{")
    if opened < 0 or "}" in typed[opened:] or typed[:opened].endswith("{"):
        return
    body = typed[opened + 1 :]
    head, dot, _ = body.rpartition(".")
    declared = good.ruleset.declarations
    if not dot:
        for term in declared.terms.values():
            yield CompletionItem(term.id, term.id, "term", term.name, term.means, 1)
        for key, section in load_sections().items():
            if section.linked or section.filled_in:
                yield CompletionItem(f"{key}.", f"{key}.", "key", "refers to one of them", section.doc, 3)
        for table in declared.tables.values():
            yield CompletionItem(f"{table.id}.", f"{table.id}.", "key", "a row of this table", table.title, 6)
    elif head in declared.terms:
        yield CompletionItem("plural", "plural", "value", declared.terms[head].plural, "", 1)
        yield CompletionItem("icon", "icon", "value", declared.terms[head].icon, "", 1)
        for form, text in declared.terms[head].forms.items():
            yield CompletionItem(form, form, "value", text, "", 1)
    elif head in declared.tables:
        for row in declared.tables[head].rows.values():
            yield CompletionItem(row.id, row.id, "id", row.title, "", 1)
    elif head in load_sections():
        for path in good.mentions.by_path:
            if path[0] == head and len(path) == 2:
                yield CompletionItem(
                    path[1], path[1], "id", load_sections()[head].one, "\n".join(describe_entry(good, path)), 1
                )
    elif (of := declared.tables.get(head.split(".")[0])) is not None and head.partition(".")[2] in of.rows:
        for column, kind in of.columns.items():
            yield CompletionItem(column, column, "field", str(kind), "", 1)
