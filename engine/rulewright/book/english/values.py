"""Values as noun phrases."""

from __future__ import annotations

from rulewright.book.english import phrases
from rulewright.book.english.grammar import bracketed, listed
from rulewright.book.english.naming import pretty
from rulewright.book.english.say import Say
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expression import typed as t
from rulewright.language.types import INTEGER, Dice, Integer, ListOf, Row, Thing, present

ROUNDING = {
    "truncate": ", without the fraction",
    "down": ", rounded down",
    "up": ", rounded up",
    "nearest": ", rounded to the nearest",
}


def constant(say: Say, node: t.Constant) -> str:
    """A value written in the rules."""
    return say.constant(node.value, node.type)


def local(say: Say, node: t.Local) -> str:
    """A name bound in the procedure."""
    base, _, part = node.name.partition(".")
    if part:
        return f"{say.style.name(pretty(part))} of the {say.style.name(pretty(base))}"
    term = say.naming.countable(node.name)
    if isinstance(present(node.type), Integer) and term is not None:
        if node.name == term.id:
            return f"the {say.style.term(term)}"
        return f"the number of {say.style.term(term, plural=True)}"
    return say.naming.bound(node.name, node.type)


def variable(say: Say, node: t.Variable) -> str:
    """A name bound inside the expression."""
    if node.name == say.it:
        return "it"
    kind = present(node.type)
    if node.name in ("self", "it") and isinstance(kind, Thing):
        return f"this {say.naming.kind(kind.kind)}"
    if isinstance(kind, Thing) and len(node.name) == 1:
        return f"that {say.naming.kind(kind.kind)}"
    return say.naming.bound(node.name, node.type)


def objects(say: Say, node: t.Objects) -> str:
    """All of a kind."""
    return f"all {say.naming.kind(node.kind, several=True)}"


def stored(say: Say, node: t.Stored) -> str:
    """A field."""
    if node.kind == GAME_KIND:
        section, _, name = node.field.partition(".")
        if section == "options" and name:
            return f"the setting {say.naming.option(name)}"
        if section == "deck" and name:
            return f"the cards left in {say.naming.deck(name)}"
        return say.naming.bound(node.field, node.type)
    return say.owned(node.base, say.naming.field(node.kind, node.field))


def cell(say: Say, node: t.Cell) -> str:
    """A cell of a table."""
    if node.column == "rank":
        return f"the place of {say.value(node.base)} in {say.naming.table(node.table)}"
    columns = say.style.ruleset.declarations.tables[node.table].columns
    term = say.naming.word(node.column)
    column = say.style.term(term) if term is not None else say.style.escape(pretty(node.column))
    match node.base:
        case t.Lookup(key=key) if len(columns) == 1:
            return f"what {say.naming.table(node.table)} says for {say.value(key)}"
        case t.Lookup(key=key):
            return f"the {column} that {say.naming.table(node.table)} gives for {say.value(key)}"
        case t.Constant() if len(columns) == 1:
            return f"what {say.naming.table(node.table)} says for {say.value(node.base)}"
        case t.Constant():
            return f"the {column} of {say.value(node.base)}"
    return say.owned(node.base, column)


def lookup(say: Say, node: t.Lookup) -> str:
    """A row found by its id."""
    return f"the row for {say.value(node.key)} in {say.naming.table(node.table)}"


def arithmetic(say: Say, node: t.Arithmetic) -> str:
    """Reckoning."""
    # A sum of sums is read from left to right; it needs no brackets.
    goes_on = node.operator in ("+", "-") and isinstance(node.left, t.Arithmetic) and node.left.operator in ("+", "-")
    left = say.value(node.left) if goes_on else say.inside(node.left)
    right = say.inside(node.right)
    match node.operator:
        case "+" if isinstance(node.type, ListOf):
            return f"{left} together with {right}"
        case "+":
            return f"{left} plus {right}"
        case "-" if node.left == t.Constant(INTEGER, 0):
            return f"minus {right}"
        case "-":
            return f"{left} minus {right}"
        case "*" if isinstance(node.type, Dice):
            roll, factor = (left, right) if isinstance(node.left.type, Dice) else (right, left)
            return f"one roll of {roll}, multiplied by {factor}"
        case "*" if t.Constant(INTEGER, 1) in (node.left, node.right):
            return right if node.left == t.Constant(INTEGER, 1) else left
        case "*":
            return f"{left} times {right}"
        case "/":
            return f"{left} divided by {right}{ROUNDING.get(node.rounding or '', '')}"
    return f"what is left over when {left} is divided by {right}"


def coalesce(say: Say, node: t.Coalesce) -> str:
    """A value, or another where there is none."""
    rest: list[str] = []
    first: t.Typed = node
    while isinstance(first, t.Coalesce):
        rest.insert(0, say.value(first.otherwise))
        first = first.first
    return f"{say.value(first)} (where there is none, {', or else '.join(rest)})"


def choice(say: Say, node: t.If) -> str:
    """One value or another."""
    parts = []
    rest: t.Typed = node
    while isinstance(rest, t.If):
        parts.append(f"{say.inside(rest.then)} if {say.condition(rest.condition)}")
        rest = rest.otherwise
    return f"{'; '.join(parts)}; otherwise {say.inside(rest)}"


def items(say: Say, node: t.Items) -> str:
    """A list written out."""
    if node.items:
        return listed([say.value(item) for item in node.items])
    inner = node.type.inner if isinstance(node.type, ListOf) else None
    return "nobody" if inner == Thing("player") else "an empty list"


def apply(say: Say, node: t.Apply) -> str:
    """A function of plain arguments."""
    said = [say.inside(argument) for argument in node.arguments]
    ranked = isinstance(present(node.type), Row)
    match node.function:
        case "each":
            return f"{said[1]} for each of {said[0]}, added up"
        case "mean":
            return f"the average of {said[0]}"
        case "max":
            return f"the {'highest' if ranked else 'largest'} of {listed(said)}"
        case "min":
            return f"the {'lowest' if ranked else 'smallest'} of {listed(said)}"
        case "next" if len(said) == 2:
            return f"whoever comes after {said[0]} among {said[1]}, going round"
        case "next":
            table = getattr(present(node.arguments[0].type), "table", "")
            return f"what comes after {said[0]} in {say.naming.table(table)}"
    return f"{say.style.name(pretty(node.function))} of {listed(said)}"


def invoke(say: Say, node: t.Invoke) -> str:
    """A formula or a derived field, by its name: what it is stands beside the steps that use it."""
    kind, _, name = node.formula.rpartition(".")
    if kind:
        return say.owned(node.arguments[0], say.naming.field(kind, name))
    return phrases.noun(say, node)


def as_part(say: Say, node: t.Typed) -> str:
    """A value inside a larger phrase."""
    said = say.value(node)
    match node:
        case t.Arithmetic() | t.If():
            return bracketed(said)
        case t.Constant(type=Dice()) if " " in said and "<" not in said:
            return bracketed(said)
    return said
