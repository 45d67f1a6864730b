"""What was told is not read again: who tells of games and rules looks for no words in text, but for those named here.

The test sees patterns (`re`), and words, blanks and ends of sentences that are written where they are looked for; what
stands in a variable it does not see. Cutting ids, paths and addresses at their marks is no reading of sentences.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "engine" / "rulewright"
TELL = ("engine", "ai", "testing", "analysis", "training", "export", "book", "integrations", "cli")
"""The packages that make text for people."""

LOOKS = frozenset(
    {"removeprefix", "removesuffix", "partition", "rpartition", "startswith", "endswith", "index", "find"}
)
CUTS = frozenset({"split", "rsplit"})

ENDS = frozenset({".", "!", "?"})

READERS = {
    "engine/game/save_format.py": "saves, as they were written to a file",
    "engine/python_backend/compiler.py": "the code that was generated: which constants a function uses",
    "engine/python_backend/effect_source.py": "the code that it is writing",
    "analysis/simulation/sweep.py": "what was typed: numbers to be tried",
    "engine/narration/events.py": "the sentence of a change: whether it has the number that was rolled before",
    "cli/shared_options.py": "what was typed: a roll or the name of a procedure",
    "cli/terminal_session.py": "what was typed: the name of an option",
    "testing/record_example.py": "a designer's file, to which an example is added",
    "book/english/links.py": "a designer's words for a call: where its verb is",
    "book/english/questions.py": "a designer's prompts, labels and clauses: whether a sentence can go on with them",
    "book/english/clauses.py": "a designer's words: whether they say something of what is given first",
    "book/languages/de/nominals.py": "a translator's clause: which of its words is the verb, the last one",
    "book/parts/example_maps.py": "a translator's words: a noun with its article",
    "book/languages/de/vocabulary.py": "a translator's words: a noun with its article and the mark of its gender",
    "book/languages/de/value_nouns.py": "a translator's words: the preposition before what fills a placeholder",
    "engine/narration/ruleset_words.py": "the messages of a language: where names are filled in",
    "export/js_files.py": "its own scripts: the texts in their code, which languages translate",
    "book/style/fill_placeholders.py": "a designer's words: where their first sentence ends",
    "book/parts/only_steps.py": "a designer's names: whether a full stop is part of one",
    "book/parts/formula_sentences.py": "a designer's words: whether a description is one sentence, and where it ends",
    "book/style/prose_html.py": "a designer's words: their Markdown",
    "book/pages/comparison_pages.py": "two versions of a text, word by word",
    "book/style/html_elements.py": "finished pages: where their tags are",
    "book/style/sanitizer.py": "HTML of whatever origin, as the last look before it is published",
    "book/style/minify.py": "finished pages, of which it leaves out what says nothing",
    "book/style/content_security.py": "the scripts of the theme, which get their leave by name",
    "book/style/assets.py": "files of others: the end of a script; drawings of designers",
    "book/print/pdf.py": "files of the theme: what a stylesheet names; a file that Chromium has made",
    "book/site/mkdocs_plugin.py": "pages as MkDocs has made them",
    "book/site/markdown_export.py": "finished pages, which are Markdown and HTML",
    "book/site/raster_images.py": "drawings of designers and our own; signs that our letters lack",
    "book/site/publish.py": "pages as MkDocs has made them",
    "book/dev_server/live_server.py": "requests of browsers",
    "book/dev_server/single_page.py": "a finished page: where its links lead, and what has an id",
}
"""Who looks for words or patterns in text that others wrote, and what that text is."""

LEFT = {
    "engine/narration/rich_text.py": "whether words behind a number begin with a blank, as those of a unit do",
    "engine/narration/narrate_events.py": "whether the name of a value says its field already",
    "engine/narration/render_values.py": "whether the rules' own words end as a sentence does",
    "book/english/expression_english.py": "how long the name of an owner sounds, which decides between `’s` and `of`",
    "book/english/naming.py": "whether a noun begins with a word that is not counted",
    "book/english/conditions.py": "whether a name ends with the verb that would follow it",
    "book/english/grammar.py": "first letters, how a noun sounds, what it counts, and whether two are one",
    "book/languages/de/condition_clauses.py": "whether a clause begins with `es`, which an adverb follows",
    "book/languages/de/declension.py": "how a noun ends, whether a genitive is next, and how an article is contracted",
    "book/languages/de/pronouns.py": "where a clause has the mark of its member, and its verb, which comes last",
    "book/languages/de/german_steps.py": "commas that close a clause where the sentence ends anyway",
    "book/parts/step_sentences.py": "whether a step takes one sentence, which then explains its letters",
    "book/search/link_previews.py": "where a preview that is too long can end",
    "book/search/search_index.py": "the text of pages, which is cut into what searches find",
}
"""Who looks at text that may be our own, and for what: how it sounds or how long it is, never for what it means."""


def _texts(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def looked_for(source: str) -> Iterator[tuple[int, str]]:
    """Yield where a module looks for words or patterns in text, and for which."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names) if any(name.name in ("re", "regex") for name in names):
                yield node.lineno, "patterns"
            case ast.ImportFrom(module="re" | "regex"):
                yield node.lineno, "patterns"
            case ast.Call(func=ast.Attribute(attr=method), args=[first, *_]) if method in LOOKS:
                # `.` is a mark within ids, and the end of a sentence only where it stands at the end alone.
                ends = method in ("endswith", "removesuffix") and not isinstance(first, ast.JoinedStr)
                yield from ((node.lineno, each) for each in _texts(first) if " " in each or (ends and each in ENDS))
            case ast.Call(func=ast.Attribute(attr=method), args=[first, *_]) if method in CUTS:
                yield from ((node.lineno, each) for each in _texts(first) if " " in each.strip())
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
                # A blank alone tells words from a word, which says nothing of which they are.
                yield from ((node.lineno, each) for each in _texts(left) if " " in each and each != " ")


@cache
def list_sentences() -> dict[str, list[tuple[int, str]]]:
    paths = (path for part in TELL for path in sorted((PACKAGE / part).rglob("*.py")))
    places = {path.relative_to(PACKAGE).as_posix(): [*looked_for(path.read_text("utf-8"))] for path in paths}
    return {name: lines for name, lines in places.items() if lines}


def test_nobody_else_looks_for_words_in_text() -> None:
    faults = [
        f"{name}:{line}: looks for {what!r} in text: ask the parts it was made of, or say what it reads in READERS"
        for name, lines in list_sentences().items()
        if name not in READERS and name not in LEFT
        for line, what in lines
    ]
    assert not faults, "\n".join(faults)


def test_the_lists_are_no_longer_than_needed() -> None:
    assert not READERS.keys() & LEFT.keys()
    assert sorted({*READERS, *LEFT} - list_sentences().keys()) == []


SAID = frozenset({"message", "suggestion"})
"""What diagnostics and errors say, wherever they are made."""

PATTERNS = frozenset({"findall", "finditer", "fullmatch", "match", "search"})

PUT_BACK = {"ruleset/queries/resolve_roll.py"}
"""Who puts the names as they were typed back into a roll that is suggested, which is no sentence."""


def read_again(source: str) -> Iterator[int]:
    """Yield the lines of a module that look for something in what a diagnostic or an error says."""

    def is_said(node: ast.expr) -> bool:
        return any(isinstance(part, ast.Attribute) and part.attr in SAID for part in ast.walk(node))

    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute() as within]) if is_said(within):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr=method), args=args) if method in PATTERNS and any(map(is_said, args)):
                yield node.lineno
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as said)) if said.attr in SAID:
                yield node.lineno


def test_nobody_reads_what_a_diagnostic_says() -> None:
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    by_name = {name: [*read_again(path.read_text("utf-8"))] for name, path in paths.items()}
    assert {name for name, lines in by_name.items() if lines} == PUT_BACK, by_name


@pytest.mark.parametrize(
    "line",
    [
        '"`hat`" in found.message',
        "_NAME.findall(each.message)",
        're.search("a", error.suggestion)',
        'error.message.partition(":")',
    ],
)
def test_reading_a_message_is_seen(line: str) -> None:
    assert [*read_again(line)]


@pytest.mark.parametrize("line", ["known = (each.code, each.message) in told", "replace(each, message=each.message)"])
def test_telling_a_message_is_left_alone(line: str) -> None:
    assert not [*read_again(line)]


@pytest.mark.parametrize(
    "line",
    [
        "import re",
        "from re import sub",
        'said.removeprefix("the ")',
        'said.startswith(("it is ", "it has "))',
        'text.partition(f" {GOES_TO} ")[0]',
        'words.split(" goes to ")',
        'one = ". " not in said',
        'said.endswith(".")',
    ],
)
def test_reading_is_seen(line: str) -> None:
    assert [*looked_for(line)]


@pytest.mark.parametrize("line", ['path.partition(".")', 'name.endswith(f".{step}")', 'typed.split(",")', '"a" in b'])
def test_cutting_addresses_is_left_alone(line: str) -> None:
    assert not [*looked_for(line)]
