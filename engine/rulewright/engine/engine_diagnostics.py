"""Diagnostics of play: starting positions, scripted dice and choices, examples, samples."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

BAD_GIVEN = Code(
    "bad-given",
    "A starting position that cannot be set up",
    "What is given must be a parameter of the procedure, a value of the game, or all of a kind, with values that fit.",
    "Compare with `rulewright show`, which lists parameters and fields.",
)
DICE_SCRIPT = Code(
    "dice-script",
    "Scripted dice that do not fit the rolls",
    "A script holds one result for each roll, in the order rolled, and each must be one the dice can show.",
    "Give the sum of the dice before any bonus (or the final result if the roll is not a sum), or the list of faces.",
)
ILLEGAL_CHOICE = Code(
    "illegal-choice",
    "A choice that is not among the options",
    "Only what the rules offer can be chosen.",
    "Choose one of the options listed.",
)
CHOICES_MISSING = Code(
    "choices-missing",
    "A player has a decision and the script makes no choice",
    "A procedure that is run alone needs every choice made.",
    "Add the choice, or give a seed, by which the rest is chosen at random.",
)
NO_SUCH_STEP = Code(
    "no-such-step",
    "A step to stop after that does not exist",
    "The run would go on to the end, and not stop where it was meant to.",
    "Check the spelling.",
)
NEVER_REACHED = Code(
    "never-reached",
    "A step to stop after that was not reached",
    "The run ended before it reached the step.",
    "Check the dice and choices, or leave `until` out.",
)
EXAMPLE_FAILED = Code(
    "example-failed",
    "An example that does not hold",
    "The rulebook shows what the engine does; this example expects something else.",
    "Correct the rule, or the example.",
)
BAD_EXAMPLE = Code(
    "bad-example",
    "An example that cannot be run",
    "An example carries out a procedure, works out a value, or makes a roll.",
    "Complete it.",
)
RUNS_ON = Code(
    "runs-on",
    "A run that was stopped because it does not end",
    "It passed the limit of stops, or of operations, for one run.",
    "Give the loop a smaller bound, or let a choice end it.",
)
BAD_SAMPLE = Code(
    "bad-sample",
    "A sample of play that cannot be played",
    "A sample plays a game from the start, with an allowed number of players and existing settings and bots.",
    "Correct it, or leave the line out: every line but the title has a usual value.",
)
NOTHING_TO_SEE = Code(
    "nothing-to-see",
    "A picture with nothing to see",
    "A story illustrates an example that runs a procedure; a setup shows boards with objects on them.",
    "Name an example that there is something to see of, or the step with which everything is set up.",
)
BAD_EXPECTATION = Code(
    "bad-expectation",
    "An expectation of play that cannot be judged",
    "A balance target is tested by games between bots, with an allowed "
    "number of players and existing bots, settings and metrics.",
    "Correct it, or leave the line out: every line but the metrics has a default.",
)
UNPROVED_ANSWER = Code(
    "unproved-answer",
    "An answer whose example does not touch its rule",
    "The book says that the example proves the answer, but the rule never applies in it.",
    "Name an example in which the rule is carried out or read, or the rule that the example does show.",
    severity="warning",
)
LONG_EXAMPLES = Code(
    "long-examples",
    "Examples that take too long together",
    "Every check runs every example; these would keep everybody waiting, and some for ever.",
    "Let examples begin nearer to what they show (`given`), stop there (`until`), or take fewer rounds.",
)
