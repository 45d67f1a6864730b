"""The diagnostics of expressions and steps."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

EXPRESSION_SYNTAX = Code(
    "expression-syntax",
    "An expression that cannot be read",
    "Expressions follow one small grammar everywhere in the rules.",
    "Look at the marked place; the reference lists the operators and functions.",
)
EXPRESSION_TOO_LARGE = Code(
    "expression-too-large",
    "An expression too long or too deep",
    "Expressions are kept small enough to be read, and to be checked in no time.",
    "Give a part of it a name under `formulas:` and use that name.",
)
TOO_MUCH_WORK = Code(
    "too-much-work",
    "More work than any move may take",
    "Rules have limits, so that every check and every move ends.",
    "Go through fewer elements, or carry out fewer steps between two questions to players.",
)
UNKNOWN_NAME = Code(
    "unknown-name",
    "A name that nothing declares",
    "A name is a parameter, an earlier step, a number, a table, a formula, a field of the game, or all of a kind.",
    "Check the spelling, or declare it.",
)
UNKNOWN_FIELD = Code(
    "unknown-field",
    "A field that the kind does not have",
    "Only declared fields exist; a misspelt one would silently be another.",
    "Check the spelling, or add the field to the kind.",
)
UNKNOWN_ROW = Code(
    "unknown-row",
    "A row that the table does not have",
    "A row is addressed by its id, and every id that may come up must be there.",
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
    "Every value in the rules has a declared type, so mistakes show before anyone plays.",
    "Write a value of the type that is asked for.",
)
NOT_HIDDEN = Code(
    "not-hidden",
    "Nothing is hidden here",
    "What everybody may see need not be shown to anybody, so a step that shows it does nothing.",
    "Hide it with `seen_by:`, or leave the step out.",
)
MAY_BE_NONE = Code(
    "may-be-none",
    "A value that may be missing",
    "The value is optional, and this place cannot do without it.",
    "Say what happens without it: `when: x`, `x and …`, or `x or other`.",
)
AMBIGUOUS_NAME = Code(
    "ambiguous-name",
    "A name that could mean two things",
    "The name is both a value in reach and an id that fits here; guessing would hide a mistake.",
    "Write the row as `table.row`, or rename the step.",
)
NO_ROUNDING = Code(
    "no-rounding",
    "A division without a rounding rule",
    "Whether halves are dropped or rounded is a rule of the game, so the ruleset must say it.",
    "Add `rounding: truncate` (or `down`, `up`, `nearest`) to ruleset.yaml.",
)
DIVISION_BY_ZERO = Code(
    "division-by-zero",
    "A division that could be by zero",
    "Expressions are total: they have a value in every state of the game.",
    "Divide by a number written out, or by `max(1, …)`.",
)
DICE_NOTATION = Code(
    "dice-notation",
    "Dice notation that cannot be read",
    "Dice are written as `2d6`, `1dP`, `4d6kh3`; named dice are declared under `dice:`.",
    "Look at the marked place.",
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
    "A key that means nothing would silently change nothing.",
    "Check the spelling, or move it to the step that takes it.",
)
STEP_SHAPE = Code(
    "step-shape",
    "A step with something missing or misplaced",
    "Each statement has required keys.",
    "Complete the step; the reference shows each statement with an example.",
)
STEPS_TOO_DEEP = Code(
    "steps-too-deep",
    "Steps too deep in one another",
    "People read rules, and deep nesting is hard to follow.",
    "Make the inner steps a procedure of their own, and carry it out with `do:`.",
)
DUPLICATE_STEP = Code(
    "duplicate-step",
    "Two steps with one id",
    "Logs, links and house rules name a step by its id, so it must be the only one in its procedure.",
    "Rename one of them.",
)
SHADOWED_NAME = Code(
    "shadowed-name",
    "A step named like something else in reach",
    "The same word would mean two things in the steps that follow.",
    "Rename the step.",
)
NOT_CHANGEABLE = Code(
    "not-changeable",
    "A place that no step may change",
    "Steps change fields of objects, values of the game, and what `let` bound; nothing else.",
    "Bind it with `let:` first, or name a field.",
)
UNREACHABLE_STEP = Code(
    "unreachable-step",
    "A step that is never reached",
    "The step before it always ends the procedure.",
    "Give that step a condition, or remove this one.",
)
ENDLESS_LOOP = Code(
    "endless-loop",
    "A loop that may never end",
    "Every game must end: a loop needs a bound, or a decision in every round.",
    "Add `at_most: N` to the loop.",
)
TRIGGER_SHAPE = Code(
    "whenever-shape",
    "A rule for whenever something happens that cannot be carried out so",
    "It watches one thing, and its steps are done first, instead or then, as far as what it watches allows.",
    "Name one thing to watch, and give the steps under `first:`, `instead:` or `then:`.",
)
TRIGGER_WITHOUT_EFFECT = Code(
    "whenever-never",
    "A rule that watches what never happens",
    "No step of the rules does what it watches, so it would never be carried out.",
    "Watch something that a step does, or take the rule out.",
)
TRIGGER_CIRCLE = Code(
    "whenever-circle",
    "A rule for whenever something happens that calls itself up again",
    "Each time it is carried out it would be carried out once more, without end. What its own steps do never counts.",
    "Let one rule of the chain watch something else, or do otherwise what the next one watches.",
)
TRIGGER_ORDER = Code(
    "whenever-order",
    "Two rules from different layers that take the place of one thing",
    "Only the first of them whose condition is true runs, and no layer decides the order.",
    "Say it in the upper one: `before:` or `after:` with the id of the other.",
)
RECURSION = Code(
    "recursion",
    "A procedure that leads back to itself",
    "It could go on without end.",
    "Use a loop with a bound.",
)
UNKNOWN_PROCEDURE = Code(
    "unknown-procedure",
    "A procedure that does not exist",
    "`do` runs a procedure, declared under `procedures:` in these rules or in rules that they extend.",
    "Check the spelling, or write the procedure.",
)
ARGUMENTS = Code(
    "arguments",
    "A procedure or object not given what it needs",
    "Each parameter and each field without a default needs a value, and nothing else can be given.",
    "Compare with what the procedure or kind declares.",
)
UNUSED_VALUE = Code(
    "unused-value",
    "A value that is never used",
    "It is worked out for nothing, or the step that should use it names another.",
    "Use it, or remove the step.",
    severity="warning",
)
UNKNOWN_TYPE = Code(
    "unknown-type",
    "A type that does not exist",
    "A type is int, count, bool, text, dice, a kind, a table, a record, or built from these.",
    "Check the spelling, or declare the kind or table.",
)
