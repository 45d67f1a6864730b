"""Conversion of a run to an example that `check` accepts."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.types import INTEGER, PLAYER, Entity, ListOf, Optional, Type, present
from rulewright.ruleset.editions.edition import MANIFEST, RULES_FILES
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.json_schema import ID_PATTERN
from rulewright.ruleset.sections.examples import Example, read_examples
from rulewright.source.files.atomic_write import ChangedError, replace_texts
from rulewright.source.files.safe_read import normalize_text
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.testing.expected_values import write_value
from rulewright.testing.procedure_run import RunResult
from rulewright.testing.run_examples import WINNERS, run_example


class CannotRecordError(RulewrightError):
    """An error for an example that cannot be added to a file."""


def refuse_unread(path: Path) -> None:
    """Raise `CannotRecordError` for a file in which no edition would read examples."""
    place = Path(os.path.realpath(path))
    edition = next((folder for folder in place.parents if os.path.isfile(folder / MANIFEST)), None)
    if edition is None:
        raise CannotRecordError(
            f"{path} belongs to no edition: there is no `{MANIFEST}` in its folder or in one above. "
            "Name a file in your rules folder; `rulewright new` creates one"
        )
    inside = place.relative_to(edition)
    if place.name == MANIFEST or place.suffix not in RULES_FILES or any(part[0] == "." for part in inside.parts):
        raise CannotRecordError(
            f"{path} is not a rules file: in the edition of {edition}, name "
            "one that ends in `.yaml`, such as `examples.yaml`"
        )


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """The inputs of a run as the user wrote them."""

    given: Mapping[str, str] = field(default_factory=dict)
    until: str = ""
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedExample:
    """A new example, with its id, the new text of the whole file and the line of the example in it."""

    id: str
    text: str
    line: int


def record(path: Path, finished: RunResult, request: RecordRequest) -> str:
    """Add an example for a run to a file, and return the example's id. Runs the example to find what it can expect.

    Creates the file and its folder if they do not exist, and leaves its other text unchanged. Raises `OSError`. Raises
    `CannotRecordError` for a file that is not UTF-8 or whose format permits no addition, and `DiagnosticError` for
    invalid YAML, both before the file changes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        try:
            before = normalize_text(path.read_text(encoding="utf-8")) if path.exists() else None
        except ValueError:
            raise CannotRecordError(f"cannot add to {path}: it is not UTF-8 text") from None
        recorded = add_example(path, before or "", finished, request)
        with suppress(ChangedError):  # another process has added to the file, so add to the new text
            replace_texts({path: (before, recorded.text)})
            return recorded.id


def add_example(
    path: Path, before: str, finished: RunResult, request: RecordRequest, *, name: str = "", title: str = ""
) -> RecordedExample:
    """Return the text `before` of a file with a new example, named `name` or else with an unused id.

    `title` is its title, by default that of the procedure, and gives an example without a name its id.

    Nothing is written. Raises `CannotRecordError` for an invalid or used name, and for a file whose format permits no
    addition. Raises `DiagnosticError` for invalid YAML.
    """
    written = _examples(read_text(before, os.fspath(path))) if before.strip() else None
    name = name or _build_id(title)
    identity = _require_unused_id(name, finished, written) if name else _free_id(finished, written)
    lines = _lines(finished, request, identity, title)
    after = _add_example(path, before, written, identity, lines)
    place = read_text(after, os.fspath(path))
    examples = _examples(place)
    return RecordedExample(identity, after, examples.find_key_span(identity).line if examples is not None else 1)


def as_example(finished: RunResult, request: RecordRequest) -> str:
    """Return the example for a run as the text of a new file."""
    identity = _free_id(finished, None)
    lines = _lines(finished, request, identity)
    return "\n".join(["examples:", f"  {identity}:", *(f"    {line}" for line in lines)]) + "\n"


def _build_id(title: str) -> str:
    """Return the id of an example with a title in lowercase letters, or an empty text without any letter."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_").lstrip("0123456789_")


def _lines(finished: RunResult, request: RecordRequest, identity: str, title: str = "") -> list[str]:
    """Return the lines of an example for a run. Runs the example to find which results it can expect."""
    lines = [f"title: {json.dumps(title or _title(finished), ensure_ascii=False)}", f"of: {_procedure(finished)}"]
    if request.players is not None:
        lines.append(f"players: {request.players}")
    lines += _mapping("options", request.options)
    lines += _mapping("given", request.given)
    if finished.dice:
        lines.append(f"dice: {write_value(finished.dice)}")
    if finished.choices:
        lines.append(f"choose: {write_value(finished.choices)}")
    if request.until:
        lines.append(f"until: {request.until}")
    return lines + _expectations(finished, request, identity, lines)


def _require_unused_id(name: str, finished: RunResult, written: MappingNode | None) -> str:
    """Return the requested id if it is valid and unused. Raises `CannotRecordError`."""
    if not re.fullmatch(ID_PATTERN, name):
        raise CannotRecordError(f"`{name}` is not a valid name for an example: use lowercase letters, digits and `_`")
    if name in {*finished.ruleset.examples, *(written.entries if written else ())}:
        raise CannotRecordError(f"example `{name}` already exists: choose another name")
    return name


def _examples(file: Any) -> MappingNode | None:
    result = file.get("examples") if isinstance(file, MappingNode) else None
    return result if isinstance(result, MappingNode) else None


def _procedure(finished: RunResult) -> str:
    assert finished.procedure is not None
    return finished.procedure.id


def _free_id(finished: RunResult, written: MappingNode | None) -> str:
    base = f"{_procedure(finished)}_played"
    used_ids = {*finished.ruleset.examples, *(written.entries if written else ())}
    names = (base if number == 1 else f"{base}_{number}" for number in range(1, len(used_ids) + 2))
    return next(name for name in names if name not in used_ids)


def _title(finished: RunResult) -> str:
    return f"{finished.names.name_procedure(_procedure(finished))}, as it was played"


def _mapping(key: str, values: Mapping[str, str]) -> list[str]:
    return [f"{key}:", *(f"  {name}: {value}" for name, value in values.items())] if values else []


def _expectations(finished: RunResult, request: RecordRequest, identity: str, lines: list[str]) -> list[str]:
    """Return the lines of `expect:` with the results of a run that an example can express. Empty if there are none.

    Runs the example with each result, and keeps the results that pass. `lines` are the other lines of the example.
    """
    held = []
    for text, value in _results(finished, request):
        one = [f"{json.dumps(text) if ':' in text or '#' in text else text}: {write_value(value)}"]
        if _holds(finished.ruleset, identity, [*lines, "expect:", f"  {one[0]}"]):
            held += one
    return ["expect:", *(f"  {line}" for line in held)] if held else []


def _results(finished: RunResult, request: RecordRequest) -> list[tuple[str, Any]]:
    """Return expressions that the example might expect, each with its value.

    They are the results of the run, changed values of objects, and the number of winners. Parameters, empty values and
    single objects are left out. A list of objects is replaced by its length.
    """
    procedure = finished.procedure
    assert procedure is not None
    slots = {name: slot for slot, name in procedure.names.items()}
    results: list[tuple[str, Any]] = []
    for name, value in finished.values.items():
        kind: Type = procedure.gives[name].type if name in procedure.gives else procedure.types[slots[name]]
        if name in procedure.parameters or value is None:
            continue
        if isinstance(kind, ListOf) and _is_entity(kind.inner):
            results.append((f"count({name})", len(value)))
        elif not _is_entity(kind):
            results.append((name, value))
    results += _list_state(finished, set(_list_given_keys(request)))
    if finished.state.winners is not None:
        results.append((f"count({WINNERS})", len(finished.state.winners)))
    return results


def _list_state(finished: RunResult, given: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield the values of objects that the run has changed or that its start sets, and changed numbers of objects.

    `given` are the names of the values that the start sets. Fields with objects or lists are left out, and so are
    fields of players that are no numbers.
    """
    procedure, state, start = finished.procedure, finished.state, finished.start
    assert procedure is not None
    layout = state.machine.layout
    arguments = {
        name: value
        for (name, kind), value in zip(procedure.parameters.items(), finished.arguments, strict=False)
        if isinstance(kind, Entity) and kind != PLAYER and isinstance(value, int)
    }
    for kind, declared in finished.ruleset.declarations.kinds.items():
        for name, held in declared.fields.items():
            if not name.isidentifier() or isinstance(present(held.type), Entity | ListOf):
                continue  # values that only the engine uses, and objects, which no example can write
            place = layout.places[kind, name]
            if kind == PLAYER_KIND:
                now, then = _column(state, place), _column(start, place)
                if held.type == INTEGER and (now != then or name in given):
                    yield f"list(p.{name} for p in players)", now
            for path, entity in arguments.items() if kind != GAME_KIND else ():
                item, before = state.objects[entity], start.objects[entity]
                its_kind = item is not None and before is not None and layout.names[item[0]] == kind
                if its_kind and (item[place] != before[place] or name in given):
                    yield f"{path}.{name}", item[place]
        if kind not in (PLAYER_KIND, GAME_KIND):
            number, former = (len(each.live[layout.kinds[kind]]) for each in (state, start))
            if number != former:
                yield f"count({declared.plural})", number


def _list_given_keys(request: RecordRequest) -> Iterator[str]:
    """Yield the names of the values that a starting position sets for objects."""
    for text in request.given.values():
        file = read_text(f"value: {text}\n", "given")
        node = file.get("value") if isinstance(file, MappingNode) else None
        for item in node.items if isinstance(node, SequenceNode) else [node]:
            if isinstance(item, MappingNode):
                yield from item.entries


def _column(state: Any, place: int) -> list[Any]:
    names = state.machine.layout.names
    return [item[place] for item in state.objects if item is not None and names[item[0]] == PLAYER_KIND]


def _is_entity(kind: Type) -> bool:
    return isinstance(kind, Entity) or (isinstance(kind, Optional) and _is_entity(kind.inner))


def _holds(ruleset: Ruleset, identity: str, lines: list[str]) -> bool:
    try:
        return run_example(ruleset, _read(identity, lines)).holds
    except RulewrightError:
        return False


def _read(identity: str, lines: list[str]) -> Example:
    """Return the example that some lines of YAML below its id describe."""
    file = read_text(
        "\n".join(["examples:", f"  {identity}:", *(f"    {line}" for line in lines)]) + "\n", "what was played"
    )
    assert isinstance(file, MappingNode)
    return read_examples(file)[identity]


def _add_example(path: Path, before: str, written: MappingNode | None, identity: str, lines: list[str]) -> str:
    """Return the text of the file with the example added and nothing else changed.

    Raises `CannotRecordError` if the layout of the file does not allow that.
    """
    rows = before.splitlines()
    if written is None or not written.entries:
        if before.strip() and "examples:" in before.split("\n"):
            raise CannotRecordError(f"{path} has an empty `examples:`; remove it, or write to another file")
        gap = [""] if before.strip() else []
        indent, at, head = 2, len(rows), [*gap, "examples:"]
    else:
        first = next(iter(written.entries.values())).key.span
        last = max(entry.value.span.end_line for entry in written.entries.values())
        indent, at, head = first.column - 1, last, []
        while at < len(rows) and rows[at].startswith(" " * (indent + 1)):
            at += 1
    block = [f"{' ' * indent}{identity}:", *(f"{' ' * (indent + 2)}{line}" for line in lines)]
    after = "\n".join([*rows[:at], *head, *block, *rows[at:]]) + "\n"
    _refuse_other(path, before, after, identity)
    return after


def _refuse_other(path: Path, before: str, after: str, identity: str) -> None:
    """Raise `CannotRecordError` unless the example is the only difference between `before` and `after`."""
    try:
        new: Any = read_text(after, os.fspath(path)).to_plain()
        old: Any = read_text(before, os.fspath(path)).to_plain() if before.strip() else {}
        examples = new.get("examples", {})
        same = identity in examples and {**new, "examples": {k: v for k, v in examples.items() if k != identity}} == {
            "examples": {},
            **old,
        }
    except RulewrightError:
        same = False
    if not same:
        raise CannotRecordError(f"cannot add to the examples of {path}: put each of them on separate lines first")
