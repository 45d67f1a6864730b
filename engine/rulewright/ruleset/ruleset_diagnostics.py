"""Codes of diagnostics about layers, declarations, tables and boards."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

DECLARED_TWICE = Code(
    "declared-twice",
    "The same key in two files of an edition",
    "The files of an edition are one, and merge key by key; of two that say one thing, the last would win unseen.",
    "Keep one of them.",
)
STILL_NEEDED = Code(
    "still-needed",
    "Something deleted that is still needed",
    "Rules and texts below speak of it, and would lead nowhere.",
    "Say what holds in these places instead, or keep it.",
)
OVERRIDE_WITHOUT_EFFECT = Code(
    "override-without-effect",
    "An override that changes nothing",
    "It sets the value that is inherited anyway, so a reader would look for a difference that is not there.",
    "Remove it, or give it another value.",
)
OVERRIDE_OF_NOTHING = Code(
    "override-of-nothing",
    "An override of something that is not there",
    "Replacing, removing or placing something that the lower layer lacks does nothing.",
    "Check the spelling; `why` and `show` list what the lower layer has.",
)
ALREADY_THERE = Code(
    "already-there",
    "An addition that already exists",
    "Two steps or rows with one name could not be told apart.",
    "Rename it; or change the one that is there, without `before:` or `after:`; or move it, with nothing but these.",
)
OVERLAYS_MEET = Code(
    "overlays-meet",
    "Two overlays that change the same thing",
    "Neither was written for the other, so no one has decided which one wins.",
    "Name the lower one in the upper one's manifest, or settle it in rules that extend both.",
)
CONTRADICTORY_ORDER = Code(
    "contradictory-order",
    "Places that contradict each other",
    "No order puts each entry where it wants to be.",
    "Remove one of the wishes.",
)
FACES_GAP = Code(
    "faces-gap",
    "A roll table that does not cover every face",
    "The dice could give a result that the table does not cover.",
    "Give each face to one row.",
)
FACES_OVERLAP = Code(
    "faces-overlap",
    "A face that belongs to two rows",
    "A roll would have two results.",
    "Give each face to one row.",
)
FACES_IMPOSSIBLE = Code(
    "faces-impossible",
    "A face that the roll cannot show",
    "The row, or part of it, would never come up.",
    "Use faces of the table's roll.",
)
FACES_SYNTAX = Code(
    "faces-syntax",
    "Faces that cannot be read",
    "Faces are written as `10`, `10-70`, or a list of these; a die's own as `1..6` or `10..100 step 10`.",
    "Write them so.",
)
MISSING_CELL = Code(
    "missing-cell",
    "A row without a value for a column",
    "Every row needs a value for every column that is not optional.",
    "Add the value, or make the column `optional`.",
)
UNKNOWN_COLUMN = Code(
    "unknown-column",
    "A value for a column that the table does not have",
    "Nothing would read it.",
    "Check the spelling, or declare the column.",
)
NAME_CLASH = Code(
    "name-clash",
    "One name for two things",
    "Expressions use numbers, tables, formulas, values of the game and all of a kind by bare name.",
    "Rename one of them.",
)
BAD_DEFAULT = Code(
    "bad-default",
    "A default that is not among the choices",
    "The game could not start with it.",
    "Use one of the choices.",
)
MISSING_DEFAULT = Code(
    "missing-default",
    "A value that a game starts without",
    "The game and its players are there from the start, and so must be all they hold.",
    "Give it a default.",
)
EMPTY_DECK = Code(
    "empty-deck",
    "A deck with no cards, or too many",
    "A card is drawn from the rest of the deck, which is refilled when it is empty.",
    "Give the rows of its table a sensible number of copies.",
)
UNKNOWN_REFERENCE = Code(
    "unknown-reference",
    "A reference to something that is not there",
    "References resolve after all layers have merged; this one leads nowhere.",
    "Check the spelling.",
)
BAD_PLAYERS = Code(
    "bad-players",
    "A number of players that cannot be read",
    "Write the number of players: `2..4`, or `2`.",
    "Write it so.",
)
NOT_CONSTANT = Code(
    "not-constant",
    "A number that depends on the state of a game",
    "Numbers, cells and defaults are fixed when the rules are read.",
    "Make it a formula.",
)
BAD_GRID = Code(
    "bad-grid",
    "A board that cannot be built",
    "A board shape needs valid spaces and connections, within the size limits.",
    "Write the keys of one shape; the reference lists them.",
)
BAD_OVERVIEW = Code(
    "bad-overview",
    "An overview that shows nothing",
    "An overview computes values for the rows of one table, or for each pair of rows of two tables.",
    "Under `rows:`, name the rows and their table, and write what to compute for each.",
)
BAD_LAYOUT = Code(
    "bad-layout",
    "A layout that cannot be drawn",
    "Tables have rows and kinds have fields; a layout uses the ones that exist.",
    "Give it the keys that fit; the reference lists them.",
)
NO_ROWS = Code(
    "no-rows",
    "A table without rows",
    "Nothing could be looked up in it.",
    "Give it `rows`, or, for a board, the keys of its shape.",
)
RANGE_AS_FIGURE = Code(
    "range-as-figure",
    "A number that looks like a range but is a subtraction",
    "A number is a single value; `-` means subtraction.",
    "Write the one number that holds, or dice where chance decides. A subtraction is written with blanks around `-`.",
    severity="warning",
)
