"""Labels of options, made unique by distinguishing properties, and the costs of options."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.render_values import ORDINALS
from rulewright.engine.narration.rich_text import NumberPart, to_text
from rulewright.engine.state.game_state import State, View
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import list_offers
from rulewright.language.operations import Ask
from rulewright.language.types import Choice, Entity, ListOf, Optional, Type
from rulewright.ruleset.prose.book_language import ENGLISH, find_language


def label_options(
    values: Sequence[Any], kind: Type, names: Names, called: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Return the labels of the options of a player, in order. `called` are the words of the procedure for its names.

    If two labels are equal, objects get the properties that distinguish them. Labels of other values may stay equal.
    """
    inner = kind.inner if isinstance(kind, Optional) else kind
    lines = [_label(value, inner, names, called) for value in values]
    if len(set(lines)) < len(lines):
        own = _distinguish_entities(values, inner, names)
        if own:
            lines = [_label(value, inner, names, called, own) for value in values]
    return lines


def _label(value: Any, kind: Type, names: Names, called: Mapping[str, str], own: dict[int, str] | None = None) -> str:
    """Return the label of an option. Objects have the labels in `own` if there are any, by object number."""
    match kind, value:
        case _, None:
            return to_text(names.say.build("None of these"))
        case Choice(), str():
            return to_text(names.say.render_choice(value, called))
        case Entity(kind=name), int():
            return own[value] if own else names.name_entity(name, value)
        case ListOf(inner=inner), tuple():
            listed = ", ".join(_label(item, inner, names, called, own) for item in value)
            return listed or to_text(names.say.build("Nothing"))
    return names.format_value(value, kind)


def _distinguish_entities(values: Iterable[Any], kind: Type, names: Names) -> dict[int, str]:
    """Return a unique label for each object among the values, by object number. Empty if the values are not objects."""
    inner = kind.inner if isinstance(kind, ListOf) else kind
    if not isinstance(inner, Entity):
        return {}
    among = [value if isinstance(value, tuple) else (value,) for value in values]
    items = list(dict.fromkeys(item for listed in among for item in listed if item is not None))
    alike: dict[str, list[int]] = defaultdict(list)
    for item in items:
        alike[names.name_entity(inner.kind, item)].append(item)
    results = {}
    for label, group in alike.items():
        more = _differences(group, inner.kind, names) if len(group) > 1 else [""]
        results.update({item: f"{label} ({each})" if each else label for item, each in zip(group, more, strict=True)})
    return results


def _differences(group: list[int], kind: str, names: Names) -> list[str]:
    """Return texts that distinguish the objects of a group.

    They use as few fields as possible, and otherwise ordinal numbers.
    """
    columns: list[list[str]] = []
    for name in names.ruleset.declarations.kinds[kind].fields:
        column = [names.describe_field(kind, item, name) for item in group]
        if len(set(column)) > 1:
            columns.append(column)
    # First the field that distinguishes most of them, then fields that distinguish the rest.
    columns_used: list[list[str]] = []
    while columns and _classes(columns_used) < len(group):
        best = max(columns, key=lambda column: _classes([*columns_used, column]))
        if _classes([*columns_used, best]) == _classes(columns_used):
            break
        columns_used.append(best)
        columns.remove(best)
    text = (
        [", ".join(filter(None, parts)) for parts in zip(*columns_used, strict=True)]
        if columns_used
        else [""] * len(group)
    )
    counts, seen = Counter(text), Counter[str]()
    for place, each in enumerate(text):
        if counts[each] > 1:
            seen[each] += 1
            text[place] = ", ".join(filter(None, (each, _ordinal(seen[each], names))))
    return text


def _classes(columns: list[list[str]]) -> int:
    return len(set(zip(*columns, strict=True))) if columns else 1


def number_labels(texts: list[str], names: Names) -> list[str]:
    """Return the labels, with an ordinal number for each of several equal ones."""
    if len(set(texts)) == len(texts):
        return texts
    counts, seen = Counter[Hashable](texts), Counter[Hashable]()
    labels = []
    for label in texts:
        seen[label] += 1
        labels.append(f"{label} ({_ordinal(seen[label], names)})" if counts[label] > 1 else label)
    return labels


def _ordinal(place: int, names: Names) -> str:
    if place <= len(ORDINALS) and find_language(names.ruleset) is ENGLISH:
        return ORDINALS[place - 1]
    return to_text(names.say.build("number %(place)s", place=(NumberPart(place),)))


def describe_cost(state: State, ask: Ask[Typed], value: Any, names: Names) -> str:
    """Return the cost of an option, such as `5 Points`, or an empty text if it is free or the option to choose nothing.

    Costs that depend on hidden information are left out.
    """
    own = next((offer.costs for offer in list_offers(ask) if offer.id == value), ())
    secrets = find_secrets(state.machine.ruleset)
    costs = [
        (name, amount) for name, amount in own or ask.costs if not secrets.reads_secret(amount, ask.step.procedure)
    ]
    if not costs or value is None:
        return ""
    evaluate = Evaluate(state.machine.ruleset.declarations, View(state))
    results = [(name, evaluate.value(amount, state.frame, {"it": value})) for name, amount in costs]
    return ", ".join(names.format_amount(amount, name) for name, amount in results if amount)
