"""The diagnostics of expressions and steps."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.nodes import Node, Scalar

EXPRESSION_SYNTAX = Code(
    "expression-syntax",
    "An expression that cannot be read",
    "Expressions follow one small grammar everywhere in the rules.",
    "Correct the marked part; the reference lists the operators and functions.",
)
EXPRESSION_TOO_LARGE = Code(
    "expression-too-large",
    "An expression too long or too deep",
    "Expressions must be short enough to read, and to check quickly.",
    "Name a part of it under `formulas:` and use that name.",
)
TOO_MUCH_WORK = Code(
    "too-much-work",
    "Too many operations for one move",
    "Rules have limits, so that every check and every move ends.",
    "Go through fewer elements, or run fewer steps between two decisions of players.",
)
UNKNOWN_NAME = Code(
    "unknown-name",
    "An undeclared name",
    "A name must be a parameter, an earlier step, a number, a table, a formula, a field of the game, or the plural "
    "of a kind.",
    "Check the spelling, or declare it: a number under `numbers:`, a value that changes under `state:`.",
)
UNKNOWN_FIELD = Code(
    "unknown-field",
    "A field that the kind does not have",
    "Only declared fields exist; otherwise a misspelt name would silently create a new field.",
    "Check the spelling, or add the field to the kind.",
)
UNKNOWN_ROW = Code(
    "unknown-row",
    "A row that the table does not have",
    "A row is found by its id, so every id that may be looked up must exist.",
    "Check the spelling, or add the row to the table.",
)
UNKNOWN_FUNCTION = Code(
    "unknown-function",
    "A function that the language does not have",
    "The functions are a small closed set.",
    "Check the spelling, or define it under `formulas:`.",
)
WRONG_TYPE = Code(
    "wrong-type",
    "A value of the wrong type",
    "Every value in the rules has a declared type, so that mistakes are found before anyone plays.",
    "Write a value of the expected type.",
)
NOT_HIDDEN = Code(
    "not-hidden",
    "Nothing is hidden here",
    "Everybody can see this anyway, so a step that shows it does nothing.",
    "Hide it with `seen_by:`, or delete the step.",
)
MOST_REPEATED = 24
"""The maximum length of an expression that a hint repeats."""

MAY_BE_NONE = Code(
    "may-be-none",
    "A value that may be missing",
    "The value is optional, but it is required here.",
    "Say what happens without it: `when: x`, `x and …`, or `x or other`.",
)


def suggest_presence(node: Node | str) -> str:
    """Return a hint for an expression that may be none, which repeats it unless it is a list or too long."""
    written = node.text if isinstance(node, Scalar) else node
    if not isinstance(written, str) or len(written) > MOST_REPEATED:
        return "say what happens without it: `… or other`, or add a `when:` that tests whether there is a value"
    return f"say what happens without it: `when: {written}`, `{written} and …`, or `{written} or …`"


AMBIGUOUS_NAME = Code(
    "ambiguous-name",
    "A name that could mean two things",
    "The name is both a value that can be used here and an id that fits; guessing would hide a mistake.",
    "Write the row as `table.row`, or rename the step.",
)
NO_ROUNDING = Code(
    "no-rounding",
    "A division without a rounding rule",
    "How to round a fraction is a rule of the game, so the ruleset must say it.",
    "Add `rounding: truncate` (or `down`, `up`, `nearest`) to ruleset.yaml.",
)
DIVISION_BY_ZERO = Code(
    "division-by-zero",
    "A division that could be by zero",
    "Expressions are total: they have a value in every state of the game.",
    "Divide by a literal number, or by `max(1, …)`.",
)
DICE_NOTATION = Code(
    "dice-notation",
    "Dice notation that cannot be read",
    "Dice are written as `2d6`, `1dP`, `4d6kh3`; named dice are declared under `dice:`.",
    "Correct the marked part; the reference describes the notation.",
)
UNKNOWN_VERB = Code(
    "unknown-verb",
    "A step without a statement",
    "Every step has exactly one statement, such as `roll` or `choose`.",
    "Write one of the statements; the reference lists them.",
)
STEP_KEY = Code(
    "step-key",
    "A key that the step's statement does not take",
    "An unknown key would be ignored silently.",
    "Check the spelling, or move it to the step that takes it.",
)
STEP_SHAPE = Code(
    "step-shape",
    "A step with a missing or misplaced part",
    "Each statement has required keys, and limits on their values.",
    "Complete the step; the reference shows each statement with an example.",
)
STEPS_TOO_DEEP = Code(
    "steps-too-deep",
    "Steps nested too deeply",
    "People read rules, and deep nesting is hard to follow.",
    "Move the inner steps to a separate procedure, and run it with `do:`.",
)
DUPLICATE_STEP = Code(
    "duplicate-step",
    "Two steps with the same id",
    "Logs, links and house rules refer to a step by its id, which must be unique in its procedure.",
    "Rename one of them.",
)
SHADOWED_NAME = Code(
    "shadowed-name",
    "A step with a name that is already in use",
    "The same word would mean two things in the steps that follow.",
    "Rename the step.",
)
NOT_CHANGEABLE = Code(
    "not-changeable",
    "A value that no step can change",
    "Steps can change only fields of objects, values of the game, and names bound by `let`.",
    "Bind it with `let:` first, or change a field.",
)
UNREACHABLE_STEP = Code(
    "unreachable-step",
    "A step that is never reached",
    "The step before it always ends the procedure or the loop.",
    "Give that step a condition, or remove this one.",
)
ENDLESS_LOOP = Code(
    "endless-loop",
    "A loop that may never end",
    "Every game must end: a loop needs a bound, or a decision in every round.",
    "Add `at_most: N` or `ends_within: N` to the loop, or let every round ask a player.",
)
TRIGGER_SHAPE = Code(
    "whenever-shape",
    "A trigger that is not possible in this form",
    "A trigger watches one event, and its steps run before, instead of or after the event, if the event allows that.",
    "Name one event to watch, and put the steps under `just_before:`, `instead:` or `then:`.",
)
TRIGGER_WITHOUT_EFFECT = Code(
    "whenever-never",
    "A trigger on an event that never happens",
    "No step of the rules causes the event, so the trigger would never run.",
    "Watch an event that a step causes, or delete the trigger.",
)
TRIGGER_CIRCLE = Code(
    "whenever-circle",
    "Triggers that set each other off in a cycle",
    "They would run forever. Events caused by a trigger's own steps do not count.",
    "Let one trigger of the cycle watch another event, or change its steps so that they do not cause the next event.",
)
TRIGGER_ORDER = Code(
    "whenever-order",
    "Two triggers from different layers that replace the same event",
    "Only the first of them whose condition is true runs, and the layers do not determine their order.",
    "State the order in the upper layer: `before:` or `after:` with the id of the other trigger.",
)
RECURSION = Code(
    "recursion",
    "A procedure, formula or number that uses itself, directly or through others",
    "It could run forever.",
    "Use a loop with a bound.",
)
PAUSING_TRIAL = Code(
    "pausing-look-ahead",
    "A look-ahead at a procedure that pauses or ends the game",
    "`after` runs its procedure on a copy of the game, where no player can be asked and nothing can be rolled.",
    "Ask, roll and finish before or after, in another procedure.",
)
UNKNOWN_PROCEDURE = Code(
    "unknown-procedure",
    "A procedure that does not exist",
    "`do` and `after` run a procedure that is declared under `procedures:`, in these rules or in rules they extend.",
    "Check the spelling, or write the procedure.",
)
ARGUMENTS = Code(
    "arguments",
    "Missing or unknown values for a procedure or object",
    "Each parameter, and each field without a default, needs a value; other names are not allowed.",
    "Compare the names with the declaration of the procedure or kind.",
)
UNUSED_VALUE = Code(
    "unused-value",
    "A value that is never used",
    "Either it is not needed, or the step that should use it names another value.",
    "Use it, or remove the step.",
    severity="warning",
)
UNKNOWN_TYPE = Code(
    "unknown-type",
    "A type that does not exist",
    "A type is int, count, bool, text, dice, a kind, a table, a record, or built from these.",
    "Check the spelling, or declare the kind or table.",
)
