"""Diagnostics of play: starting positions, scripted dice and choices, examples, samples."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

BAD_GIVEN = Code(
    "bad-given",
    "A starting position that cannot be set up",
    "`given` sets parameters of the procedure, values of the game, decks, or all objects of a kind. Types must fit.",
    "Compare with `rulewright show`, which lists parameters and fields.",
)
DICE_SCRIPT = Code(
    "dice-script",
    "Scripted dice that do not fit the rolls",
    "A script has one result for each roll, in order, and each must be possible for its dice.",
    "Give the sum of the dice before any bonus (or the final result if the roll is not a sum), or the list of faces.",
)
ILLEGAL_CHOICE = Code(
    "illegal-choice",
    "A choice that is not among the options",
    "A script can only choose what the rules offer. A decision with a single option is skipped, so the script has no "
    "choice for it.",
    "Choose one of the listed options.",
)
CHOICES_MISSING = Code(
    "choices-missing",
    "A decision without a choice in the script",
    "A procedure that runs alone needs a choice for every decision.",
    "Add the choice, or give a seed to choose the rest at random.",
)
NO_SUCH_STEP = Code(
    "no-such-step",
    "`until` names an unknown step",
    "The run would continue to its end instead of stopping where it should.",
    "Check the spelling.",
)
NEVER_REACHED = Code(
    "never-reached",
    "A run that never reaches its `until` step",
    "The run ended before the step, so it stopped in the wrong place.",
    "Check the dice and choices, or remove `until`.",
)
EXAMPLE_FAILED = Code(
    "example-failed",
    "An example that fails",
    "The rulebook shows what the engine does, but this example expects something else.",
    "Correct the rule or the example.",
)
BAD_EXAMPLE = Code(
    "bad-example",
    "An example that cannot be run",
    "An example must run a procedure, compute a value, or make a roll.",
    "Complete it.",
)
RUNS_ON = Code(
    "runs-on",
    "A run that was stopped because it does not end",
    "It exceeded the limit of decisions and chance events, or of operations, for one run.",
    "Give the loop a smaller bound, or let a choice end it.",
)
BAD_SAMPLE = Code(
    "bad-sample",
    "A sample of play that cannot be played",
    "A sample plays a game from the start, with an allowed number of players and existing settings and bots.",
    "Correct the line, or remove it: every line but the title has a default.",
)
NOTHING_TO_SEE = Code(
    "nothing-to-see",
    "A picture with nothing to see",
    "A story illustrates an example that runs a procedure, and a setup shows boards with objects.",
    "Name an example that changes something visible, or the step that completes the setup.",
)
BAD_EXPECTATION = Code(
    "bad-expectation",
    "A balance target that cannot be tested",
    "A balance target is tested by games between bots, with an allowed "
    "number of players and existing bots, settings and metrics.",
    "Correct the line, or remove it: every line but the metrics has a default.",
)
UNPROVED_ANSWER = Code(
    "unproved-answer",
    "An answer whose example does not touch its rule",
    "The book presents the example as proof of the answer, but the rule never applies in the example.",
    "Name an example that uses the rule, or a rule that the example uses.",
    severity="warning",
)
LONG_EXAMPLES = Code(
    "long-examples",
    "Examples that take too long together",
    "Every check runs every example, so examples that are too long would delay every check.",
    "Start examples closer to what they show (`given`), stop them there (`until`), or use fewer rounds.",
)
