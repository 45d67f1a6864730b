"""How often a loop runs, and the step that ends it: `Repeat these steps until nobody digs, up to three times`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul, sub

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import format_times
from rulewright.book.english.list_members import all_rows
from rulewright.language.checked_steps import Step, find_placement
from rulewright.language.control_flow import ends_before
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    Comparison,
    Constant,
    If,
    Not,
    Present,
    Typed,
)
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Branch, Finish, Give, Leave, Loop


def find_exit(loop: Step, steps: Sequence[tuple[Step, list[Step]]]) -> Step | None:
    """Return the step that ends a loop if the sentence of the loop can say when, or None.

    `steps` are those of the loop, each with its special cases. Nothing may happen after the exit in the same round:
    it is the last step, or each step after it needs the opposite of its condition.
    """
    if not any(isinstance(each, Loop) for each in list_operations(loop)):
        return None
    for place, (step, special) in enumerate(steps):
        plain = not (special or step.touched or step.words.get("text") or find_placement(step))
        if plain and step.when is not None and step.exceptions == () and _leaves_only(step, loop):
            after = (each.when for each, _ in steps[place + 1 :])
            if all(when is not None and _is_opposite(step.when, when) for when in after):
                return step
    return None


def ends_with_game(loop: Step) -> bool:
    """Return whether only the end of the game ends a loop."""
    operations = [each for block in loop.blocks for step in block.walk() for each in list_operations(step)]
    leaves = any(isinstance(each, Give | Leave) for each in operations)
    return any(isinstance(each, Finish) for each in operations) and not leaves


def _leaves_only(step: Step, loop: Step) -> bool:
    """Return whether a step does nothing but leave a loop that is the next around it."""
    operations = [each for each in list_operations(step) if not isinstance(each, Branch)]
    return not step.blocks and all(isinstance(each, Leave) and each.loop == loop.id for each in operations)


def _is_opposite(first: Typed, second: Typed) -> bool:
    """Return whether two conditions are plainly each other's opposites."""
    (one, holds), (other, other_holds) = _strip_negations(first), _strip_negations(second)
    return one == other and holds is not other_holds


def _strip_negations(condition: Typed) -> tuple[Typed, bool]:
    """Return a condition without negations, and whether the rest holds where the condition does."""
    match condition:
        case Not(operand=operand):
            inner, holds = _strip_negations(operand)
            return inner, not holds
        case Comparison(operator="==" | "!=" as operator, left=left, right=Constant(value=None)):
            return Present(condition.type, left), operator == "!="
        case Comparison(operator="!="):
            return Comparison(condition.type, "==", condition.left, condition.right, condition.table), False
    return condition, True


def describe_rounds(say: English, step: Step) -> str:
    """Return how often a loop with a limit runs: `three times`, `up to twice`, or either on a condition."""
    action = step.action
    limited = action.going is not None or ends_before(step)

    def count(number: Typed) -> str:
        known = None if isinstance(number, Constant) else _count_rounds(say, number)
        times = format_times(say.within(number if known is None else Constant(number.type, known)))
        return times if not limited else "at most once" if times == "once" else f"up to {times}"

    match action.at_most:
        case If(condition=condition, then=Constant() as then, otherwise=Constant() as otherwise) if (
            action.going is None
        ):
            clause = say.clause(condition)
            if not clause.items:
                return f"{count(then)} if {say.at_end(clause)}, otherwise {count(otherwise)}"
    return count(action.at_most)


def _count_rounds(say: English, number: Typed) -> int | None:
    """Return a number that the rules compute from their numbers and the rows of their tables, or None for others."""
    match number:
        case Constant(value=int(value)):
            return value
        case Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
            first, second = _count_rounds(say, left), _count_rounds(say, right)
            if first is None or second is None:
                return None
            result: int = {"+": add, "-": sub, "*": mul}[operator](first, second)
            return result
        case Aggregate(function="count", condition=None, source=source) if table := all_rows(say, source):
            return len(say.style.ruleset.declarations.tables[table].rows)
    return None
