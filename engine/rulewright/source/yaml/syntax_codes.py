"""The ways in which a text fails to be YAML that people fall into most. `yaml_syntax` tells them apart."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

SYNTAX = Code(
    "yaml-syntax",
    "Text that is not YAML",
    "The rest of the file cannot be read with certainty past this place.",
    "Mend this place first; what follows is checked once the file can be read.",
)
UNQUOTED_COLON = Code(
    "unquoted-colon",
    "A colon that looks like the end of a key",
    "A colon before a blank ends a key, wherever it stands outside quotes.",
    "Put quotes around a text that holds a colon and a blank, and each key on a line of its own.",
)
MISSING_COLON = Code(
    "missing-colon",
    "A key without its colon",
    "Among keys, a line without a colon is neither a key nor the rest of a text.",
    "Write a colon after the key, or indent the line if it continues the text above.",
)
MISSING_COMMA = Code(
    "missing-comma",
    "Brackets without a comma between two things",
    "Inside brackets or braces only a comma says where one thing ends and the next begins.",
    "Write the comma, or put quotes around a text that holds brackets, commas or colons.",
)
UNCLOSED_BRACKET = Code(
    "unclosed-bracket",
    "A bracket that is not closed",
    "Everything after an open bracket is read as a part of it.",
    "Close it where its content ends, or put quotes around a text that begins with a bracket.",
)
UNCLOSED_QUOTE = Code(
    "unclosed-quote",
    "A quote that is not closed",
    "Everything after an open quote is read as a part of the text.",
    "Close the quote where the text ends; put a text that begins with an apostrophe into double quotes.",
)
INDENTATION = Code(
    "indentation",
    "A line that is indented like nothing above",
    "In YAML the indentation alone says what belongs to what.",
    "Indent the line exactly as its neighbours, by spaces.",
)
RESERVED_CHARACTER = Code(
    "reserved-character",
    "A text that begins with a reserved character",
    "YAML keeps some characters for itself at the beginning of a text: @ ` % & * ! | > and brackets.",
    "Put quotes around the text.",
)
UNQUOTED_PLACEHOLDER = Code(
    "unquoted-placeholder",
    "A text that begins with a placeholder",
    "An opening brace begins a mapping, so a text cannot begin with one outside quotes.",
    "Put quotes around the whole text.",
)
TEXT_AFTER_VALUE = Code(
    "text-after-value",
    "Something after the end of a value",
    "A value in quotes or brackets ends with them, and nothing but a comment can follow.",
    "Put the whole text into quotes.",
)
UNKNOWN_ESCAPE = Code(
    "unknown-escape",
    "An escape that does not exist",
    "In double quotes a backslash begins an escape such as \\n or \\u2694.",
    "Write the backslash twice, or use single quotes, in which it is a backslash.",
)
