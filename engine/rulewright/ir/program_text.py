"""The text form of programs for people: one operation per line, with nested operations indented.

Values are written as calls of operations, except for common infix operators. Slots have the names of the rules if
they have one (`%player`), and temporaries have numbers (`$3`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.dice.format_notation import format_roll as dice_text
from rulewright.ir.program import LoweredFormula, Program, Routine
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.declarations import GAME
from rulewright.language.expressions.evaluator import LARGEST
from rulewright.language.expressions.expression_cost import LONGEST_LIST, MOST_OBJECTS
from rulewright.language.operations import Operation, Region
from rulewright.language.types import (
    Boolean,
    Choice,
    Dice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Nothing,
    Optional,
    Ratio,
    RecordOf,
    Row,
    Text,
    Type,
)

_BETWEEN = {
    "int.add": "+",
    "int.sub": "-",
    "int.mul": "*",
    "int.mul.checked": "*?",
    "same": "=",
    "differ": "≠",
    "less": "<",
    "at-most": "≤",
    "more": ">",
    "at-least": "≥",
    "and": "and",
    "or": "or",
    "list.has": "in",
    "list.lacks": "not in",
    "else": "or else",
    "dice.add": "+",
    "dice.sub": "-",
    "list.join": "++",
    "list.minus": "−−",
}


_WIDTH = 88
"""The width of an operation in columns, before the id of its step."""


def format_routine(program: Program, identity: str) -> str:
    """Return a procedure, with the formulas that it uses, and theirs."""
    routine = program.routines[identity]
    parts = [_Writer(routine.names).routine(routine)]
    parts += [format_formula(program.get_formula(name)) for name in _formulas(program, routine)]
    return "\n".join(parts)


def format_formula(formula: LoweredFormula) -> str:
    """Return a formula as text, with its memoized values above its body."""
    writer = _Writer({})
    given = ", ".join(f"{name}: {type_text(kind)}" for name, kind in formula.parameters)
    lines = [f"formula {formula.id}({given}) → {type_text(formula.value.type)}"]
    lines += [f"  {name} := {writer.value(value)}" for name, value in formula.memoized_values]
    return "\n".join([*lines, f"  {writer.value(formula.value)}", ""])


def format_layout(program: Program) -> str:
    """Return the layout of every game of the program: the objects of each kind, their fields, and the width of each."""
    lines = []
    layout = program.layout
    for kind in layout.names:
        most = {0: "1", 1: "one a seat"}.get(layout.kinds[kind], f"at most {MOST_OBJECTS:,} ever")
        lines.append(f"kind {layout.kinds[kind]} {kind}, {most}")
        for name in layout.fields[kind]:
            field_type = program.find_field_type(kind, name)
            lines.append(
                f"  {layout.places[kind, name]} {name}: {type_text(field_type)}, {format_width(program, field_type)}"
            )
    return "\n".join([*lines, ""])


def type_text(kind: Type) -> str:
    """Return a type, in a word or two."""
    match kind:
        case Integer():
            return "int"
        case Boolean():
            return "bool"
        case Dice():
            return "dice"
        case Ratio():
            return "ratio"
        case Text():
            return "text"
        case Nothing():
            return "none"
        case Choice(ids=ids):
            return "{" + " ".join(ids) + "}"
        case Row(table=table):
            return f"row {table}"
        case Entity(kind=name):
            return f"ref {name}"
        case Optional(inner=inner):
            return f"{type_text(inner)}?"
        case ListOf(inner=inner):
            return f"[{type_text(inner)}]"
        case MapOf(table=table, inner=inner):
            return f"{type_text(inner)} for {table}"
        case RecordOf(name=name):
            return name
    return "place"


def format_width(program: Program, kind: Type) -> str:
    """Return how large a value of a type may become: in whole numbers, choices, or elements."""
    match kind:
        case Integer():
            return f"±10^{len(str(LARGEST)) - 1}"
        case Boolean():
            return "2 values"
        case Choice(ids=ids):
            return f"{len(ids)} values"
        case Row(table=table):
            return f"{program.count_rows(table)} values"
        case Entity():
            return f"number below {MOST_OBJECTS:,}"
        case Optional(inner=inner):
            return f"{format_width(program, inner)}, or none"
        case ListOf(inner=inner):
            return f"up to {LONGEST_LIST:,} × {format_width(program, inner)}"
        case MapOf(table=table, inner=inner):
            return f"{program.count_rows(table)} × {format_width(program, inner)}"
        case RecordOf(parts=parts):
            return "; ".join(f"{name}: {format_width(program, part)}" for name, part in parts)
    return "as the rules write it"


def _formulas(program: Program, routine: Routine) -> list[str]:
    """Return the ids of the formulas that a procedure uses, and of those that these use, in order of first use."""
    results: dict[str, None] = {}
    waiting = [value for each in routine.walk() for value in each.values] + [value for _, value in routine.gives]
    while waiting:
        for part in waiting.pop(0).walk():
            if part.op == "formula" and part.data[0] not in results:
                results[part.data[0]] = None
                formula = program.get_formula(part.data[0])
                waiting += [value for _, value in formula.memoized_values] + [formula.value]
    return list(results)


class _Writer:
    """Writes operations and values of one procedure, whose slots have names."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names

    def routine(self, routine: Routine) -> str:
        """Return a procedure as text: its parameters, its slots, its operations and its results."""
        given = ", ".join(f"%{name}: {type_text(kind)}" for name, kind in routine.parameters)
        lines = [f"procedure {routine.id}({given})"]
        places = ", ".join(
            f"{self.slot(slot)}: {type_text(kind)}"
            for slot, kind in sorted(routine.types.items())
            if slot > len(routine.parameters)
        )
        if places:
            lines.append(f"  slots {places}")
        lines += self.region(routine.body, 1)
        if routine.gives:
            lines.append("  give " + ", ".join(f"{name} = {self.value(value)}" for name, value in routine.gives))
        else:
            lines.append("  give")
        return "\n".join([*lines, ""])

    def slot(self, slot: int) -> str:
        """Return a slot by its name, without spaces."""
        return "%" + self.names.get(slot, str(slot)).replace(" ", "")

    def region(self, region: Region[Value], depth: int) -> Iterator[str]:
        """Yield the lines of a region, each with the step it comes from."""
        for each in region:
            head = "  " * depth + self.operation(each)
            yield f"{head:<{_WIDTH}}  ; {each.step.id}"
            match each:
                case op.Branch(then=then, otherwise=otherwise):
                    yield from self.region(then, depth + 1)
                    if otherwise:
                        yield "  " * depth + "otherwise"
                        yield from self.region(otherwise, depth + 1)
                case op.Loop(body=body) | op.Each(body=body):
                    yield from self.region(body, depth + 1)

    def operation(self, each: Operation[Value]) -> str:
        """Return one operation as text, without its nested operations. Raises `TypeError` for an unknown one."""
        match each:
            case op.Keep(into=into, value=value):
                return f"${into} := {self.value(value)}"
            case op.Bind(slot=slot, value=value, row=row):
                return f"bind {self.slot(slot)}{self.at(row)} := {self.value(value)}" + (
                    " within bounds" if each.bounded else ""
                )
            case op.Write(entity=entity, field=field, value=value, minimum=minimum, row=row):
                least = f" at least {minimum}" if minimum is not None else ""
                bounds = " within bounds" if each.bounded else ""
                return f"write {self.place(entity, field)}{self.at(row)} := {self.value(value)}{least}{bounds}"
            case op.Create(into=into, kind=kind, given=given, least=least):
                lowest = dict(least)
                values = ", ".join(
                    f"{name} = {self.value(value)}" + (f" at least {lowest[name]}" if name in lowest else "")
                    for name, value in given
                )
                return f"${into} := create {kind}" + (f" with {values}" if values else "")
            case op.Remove(entity=entity, several=several):
                return f"remove {'each of ' if several else ''}{self.value(entity)}"
            case op.Ask(into=into, who=who, options=options):
                ask = "always ask" if each.always else "ask"
                return (
                    f"${into} := {ask} {self.value(who)} from {self.value(options)}{self.format_viewer(each.viewers)}"
                )
            case op.Chance(into=into, dice=dice, table=table):
                return (
                    f"${into} := chance {self.value(dice)}"
                    + (f" on {table}" if table else "")
                    + self.format_viewer(each.viewers)
                )
            case op.Draw(into=into, among=among, deck=deck, owner=owner):
                return (
                    f"${into} := draw {self.value(among)}"
                    + (f" out of {deck}" if deck else "")
                    + (f" of {self.value(owner)}" if owner is not None else "")
                    + self.format_viewer(each.viewers)
                )
            case op.Reveal(who=who, answers=answers):
                return f"reveal {self.value(answers)} of {self.value(who)}"
            case op.Announce(text=text, given=given):
                list_text = f" with {', '.join(map(self.value, given))}" if given else ""
                return f"announce “{text}”{list_text}"
            case op.Call(procedure=procedure, arguments=arguments):
                result = ", ".join(map(self.slot, each.fills))
                call = f"call {procedure}({', '.join(map(self.value, arguments))})"
                return f"{result} := {call}" if result else call
            case op.Give():
                return "give"
            case op.Leave(loop=loop):
                return f"leave {loop}"
            case op.Finish(winners=winners):
                return f"finish {self.value(winners)}"
            case op.Fault(message=message):
                return f"fault “{message}”"
            case op.Branch(condition=condition):
                return f"if {self.value(condition)}"
            case op.Loop():
                return f"loop {self.slot(each.counter)}{self.bounds(each)}"
            case op.Each(source=source, item=item, rest=rest, of_entities=is_entity):
                skipping = " that is there" if is_entity else ""
                return f"each {self.slot(item)}{skipping} of {self.value(source)}, rest in {self.slot(rest)}"
        raise TypeError(f"there is no text for {type(each).__name__}")

    def format_viewer(self, viewers: Value | None) -> str:
        """Return the viewers of a result, or nothing if all players see it."""
        return "" if viewers is None else f", told to {self.value(viewers)}"

    def bounds(self, loop: op.Loop[Value]) -> str:
        """Return when a loop ends."""
        bounds = [("at most", loop.most), ("while", loop.going), ("surely within", loop.within)]
        return "".join(f" {word} {self.value(value)}" for word, value in bounds if value is not None)

    def at(self, row: Value | None) -> str:
        """Return the row of a map that changes, in brackets, or nothing."""
        return "" if row is None else f"[{self.value(row)}]"

    def place(self, value: Value, field: str) -> str:
        """Return a field of an object."""
        return f"game.{field}" if value.op == "ref" and value.data[0] == GAME else f"{self.value(value)}.{field}"

    def value(self, value: Value) -> str:
        """Return a value as text."""
        args = value.args
        match value.op:
            case "int" | "ref":
                return f"{'#' if value.op == 'ref' else ''}{value.data[0]}"
            case "bool":
                return "yes" if value.data[0] else "no"
            case "text":
                return f"“{value.data[0]}”"
            case "symbol" | "row":
                return f"'{value.data[0]}"
            case "none":
                return "none"
            case "dice":
                return f"({dice_text(value.data[0])})"
            case "slot":
                return self.slot(value.data[0])
            case "temp":
                return f"${value.data[0]}"
            case "var" | "figure":
                return str(value.data[0])
            case "objects":
                return f"all {value.data[0]}"
            case "field":
                return self.place(args[0], value.data[1])
            case "cell":
                return f"{value.data[0]}[{self.value(args[0])}].{value.data[1]}"
            case "record.part":
                return f"{self.value(args[0])}.{value.data[1]}"
            case "record":
                parts = zip(value.data[1:], args, strict=True)
                return f"{value.data[0]}({', '.join(f'{name} = {self.value(arg)}' for name, arg in parts)})"
            case "map.at":
                return f"{self.value(args[0])}{self.at(args[1])}"
            case "list":
                return f"[{', '.join(map(self.value, args))}]"
            case "not":
                return f"not {self.value(args[0])}"
            case "some":
                return f"{self.value(args[0])} is there"
            case "if":
                condition, then, otherwise = map(self.value, args)
                return f"({then} if {condition} else {otherwise})"
            case "gather":
                return self.gather(value)
            case "walk.reach" | "walk.ray" | "walk.groups" | "walk.distance" | "walk.path":
                return self.walk(value)
            case "options":
                return self.options(value)
            case "after":
                return f"after {value.data[0]}({', '.join(map(self.value, args[:-1]))}): {self.value(args[-1])}"
            case "formula":
                return f"{value.data[0]}({', '.join(map(self.value, args))})"
        if value.op in _BETWEEN:
            return f"({f' {_BETWEEN[value.op]} '.join(map(self.value, args))})"
        fixed = "".join(f" {part}" for part in value.data if isinstance(part, str))
        return f"{value.op}{fixed}({', '.join(map(self.value, args))})"

    def gather(self, value: Value) -> str:
        """Return a list comprehension as text."""
        name, has_where, has_order, *_ = value.data
        source, element, *rest = map(self.value, value.args)
        where = f" if {rest[0]}" if has_where else ""
        order = f" by {rest[-1]}" if has_order else ""
        return f"{{{element} for {name} in {source}{where}{order}}}"

    def walk(self, value: Value) -> str:
        """Return a traversal of places."""
        name, *has, _ = value.data
        source, onward, *rest = map(self.value, value.args)
        words = [word for word, there in zip(("if", "by", "within", "to", "until"), has, strict=True) if there]
        more = "".join(f" {word} {part}" for word, part in zip(words, rest, strict=True))
        return f"{value.op}({onward} for {name} in {source}{more})"

    def options(self, value: Value) -> str:
        """Return the options of a choice, with the conditions of conditional ones."""
        args = iter(value.args)
        lines = []
        for conditional in value.data:
            option = self.value(next(args))
            lines.append(f"{option} if {self.value(next(args))}" if conditional else option)
        return f"[{', '.join(lines)}]"
