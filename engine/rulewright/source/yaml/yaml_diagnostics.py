"""The diagnostic codes for YAML features that this dialect leaves out, and for common mistakes in YAML."""

from __future__ import annotations

from rulewright.source.diagnostics.diagnostic import Code

ANCHOR = Code(
    "anchor",
    "A YAML anchor",
    "Anchors let a value come from elsewhere in the file, which would hide the rule that it belongs to.",
    "Delete the anchor; to reuse something, give it an id and refer to it. If it is text, put quotes around it.",
)
ALIAS = Code(
    "alias",
    "A YAML alias",
    "Aliases let a value come from elsewhere in the file, which would hide the rule that it belongs to.",
    "Write the value itself, or refer to an id. If it is text that begins with *, put quotes around it.",
)
MERGE_KEY = Code(
    "merge-key",
    "A YAML merge key",
    "Layers are merged by one rule for every file; a second way to merge would hide where a value comes from.",
    "Write the keys out, or make one edition extend the other.",
)
TAG = Code(
    "tag",
    "A YAML tag",
    "The position of a value decides its type; a tag could only contradict it.",
    "Delete the tag. If it is text that begins with !, put quotes around it.",
)
DUPLICATE_KEY = Code(
    "duplicate-key",
    "A key that appears twice in one mapping",
    "Most YAML readers keep the last one and silently drop the others.",
    "Delete one of them, or give it a name of its own.",
)
KEY_NOT_TEXT = Code(
    "key-not-text",
    "A key that is a list or a mapping",
    "A key is a name, and a name is text.",
    "Write the key as text; if it begins with [ or {, put quotes around it.",
)
EMPTY_KEY = Code(
    "empty-key",
    "A value without a key",
    "A value without a name cannot be found, overridden or shown.",
    "Write the key before the colon.",
)
KEY_WITHOUT_VALUE = Code(
    "key-without-value",
    "A key between braces without a value",
    "YAML reads `{word}`, and what follows a comma between braces, as a key that has no value.",
    "Put quotes around a text with placeholders or commas; in a mapping write {key: value}.",
)
SECOND_DOCUMENT = Code(
    "second-document",
    "Several documents in one file",
    "One file holds one document, so that a file and a line are enough to find a rule.",
    "Delete the line `---`, or move what follows it into a file of its own.",
)
EMPTY_FILE = Code(
    "empty-file",
    "An empty file",
    "An empty file is more likely to be the result of a failed save than intended.",
    "Write its content, or delete the file.",
)
TOO_DEEP = Code(
    "nested-too-deep",
    "Too many levels",
    "Nobody can follow a rule that is nested so deeply, and some programs crash on it.",
    "Split it into several entries that refer to each other by id.",
)
TOO_MANY_NODES = Code(
    "too-many-nodes",
    "A file with too many values",
    "A file with this many values is probably a mistake, and would take too much time and memory to read.",
    "Split it by subject into several files.",
)


SYNTAX = Code(
    "yaml-syntax",
    "Text that is not YAML",
    "The rest of the file cannot be read reliably after this error.",
    "Fix this error first; the rest is checked once the file can be read.",
)
UNQUOTED_COLON = Code(
    "unquoted-colon",
    "A colon that looks like the end of a key",
    "Outside quotes, a colon before a space ends a key.",
    "Put quotes around a text that contains a colon and a space, and put each key on its own line.",
)
MISSING_COLON = Code(
    "missing-colon",
    "A key without its colon",
    "Among keys, a line without a colon is neither a key nor the rest of a text.",
    "Write a colon after the key, or indent the line if it continues the text above.",
)
MISSING_COMMA = Code(
    "missing-comma",
    "A missing comma inside brackets",
    "Inside brackets or braces, only a comma separates one item from the next.",
    "Write the comma, or put quotes around a text that contains brackets, commas or colons.",
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
    "A line with an unexpected indentation",
    "In YAML, only the indentation shows which lines belong together.",
    "Indent the line exactly like its neighbours, with spaces.",
)
RESERVED_CHARACTER = Code(
    "reserved-character",
    "A text that begins with a reserved character",
    "YAML reserves some characters at the beginning of a text: @ ` % & * ! | > and brackets.",
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
    "Text after the end of a value",
    "A value in quotes or brackets ends at the closing one, and only a comment can follow.",
    "Put the whole text in quotes.",
)
UNKNOWN_ESCAPE = Code(
    "unknown-escape",
    "An escape that does not exist",
    "In double quotes, a backslash begins an escape such as \\n or \\u2694.",
    "Write the backslash twice, or use single quotes, in which a backslash is an ordinary character.",
)
