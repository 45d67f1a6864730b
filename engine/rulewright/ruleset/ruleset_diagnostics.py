"""Codes of diagnostics about layers, declarations, tables and boards."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

DECLARED_TWICE = Code(
    "declared-twice",
    "The same key in two files of an edition",
    "The files of an edition are merged key by key; if two set the same value, one would silently replace the other.",
    "Keep one of them.",
)
STILL_NEEDED = Code(
    "still-needed",
    "A deleted entry that is still needed",
    "Rules and texts of lower layers refer to it, and these references would lead nowhere.",
    "Replace it in these places, or keep it.",
)
OVERRIDE_WITHOUT_EFFECT = Code(
    "override-without-effect",
    "An override that changes nothing",
    "It sets the inherited value again, so a reader would look for a difference that does not exist.",
    "Remove it, or give it another value.",
    severity="warning",
)
OVERRIDE_OF_NOTHING = Code(
    "override-of-nothing",
    "An override of an entry that does not exist",
    "Replacing, removing or placing something that the lower layer lacks does nothing.",
    "Check the spelling; `why` and `show` list what the lower layer has.",
)
ALREADY_THERE = Code(
    "already-there",
    "An addition that already exists",
    "Two steps or rows with the same id could not be told apart.",
    "Rename it. To change the existing one, leave out `before:` and `after:`. To move it, give only its position.",
)
OVERLAYS_MEET = Code(
    "overlays-meet",
    "Two overlays that change the same entry",
    "Neither was written for the other, so no one has decided which one wins.",
    "Name the lower one in the upper one's manifest (`over:`), or set the value in rules that extend both.",
)
CONTRADICTORY_ORDER = Code(
    "contradictory-order",
    "Positions that contradict each other",
    "No order satisfies all of them.",
    "Remove one of the positions.",
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
    "Rows list faces as `10`, `10-70`, or a list of these; a die has `1..6` or `10..100 step 10`.",
    "Write the faces in one of these forms.",
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
    "No rule could read the value.",
    "Check the spelling, or declare the column.",
)
NAME_CLASH = Code(
    "name-clash",
    "The same name for two things",
    "Expressions use numbers, tables, formulas, values of the game and plurals of kinds by their bare names.",
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
    "A field without an initial value",
    "The game and its players exist from the start, so each of their fields needs a value from the start.",
    "Give it a default.",
)
EMPTY_DECK = Code(
    "empty-deck",
    "A deck with no cards, or too many",
    "Cards are drawn from the deck, which is refilled when it is empty, so it needs a reasonable number of cards.",
    "Give the rows of its table a sensible number of copies.",
)
UNRELATED_SECTION = Code(
    "unrelated-section",
    "An answer that cites a section about something else",
    "The book sends readers of the answer to this section, but its text explains another rule.",
    "Name a section that explains the rule, or add the rule to the section's `explains:` if its text describes it.",
    severity="warning",
)
UNKNOWN_REFERENCE = Code(
    "unknown-reference",
    "A reference to a name that does not exist",
    "References are resolved after all layers are merged; this one leads nowhere.",
    "Check the spelling.",
)
BAD_PLAYERS = Code(
    "bad-players",
    "A number of players that cannot be read",
    "The number of players is a range or a single number.",
    "Write `2..4` or `2`.",
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
    "An overview that cannot be shown",
    "An overview computes values for the rows of one table, or for each pair of rows of two tables.",
    "Under `rows:`, name the rows and their table, and write what to compute for each.",
)
BAD_LAYOUT = Code(
    "bad-layout",
    "A layout that cannot be drawn",
    "The layout of a table refers to its rows, and the layout of a kind to its fields; they must exist.",
    "Use the keys for this kind of layout; the reference lists them.",
)
BAD_COMBINATION = Code(
    "bad-combination",
    "Rows that cannot be combined",
    "`every` makes a row for each combination of its parts, and `placements` one for each way to place a piece.",
    "Give each part a table, or whole numbers `{from: 1, to: 6}`. Give placements a table of pieces and a board.",
)
NO_ROWS = Code(
    "no-rows",
    "A table without rows",
    "Nothing could be looked up in the table.",
    "Give it `rows`, or, for a board, the keys of its shape.",
)
RANGE_AS_FIGURE = Code(
    "range-as-figure",
    "A number that looks like a range but is a subtraction",
    "A number is a single value; `-` means subtraction.",
    "Write a single number, or dice for a random one. To subtract, put spaces around the `-`.",
    severity="warning",
)
