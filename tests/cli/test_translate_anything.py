"""Translations of any content: out and in again changes nothing, and what a translator writes is what readers get."""

from __future__ import annotations

import io
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from hypothesis import assume, given
from hypothesis import strategies as st

from rulewright.authoring.translations.prose_lines import join_prose, wrap_prose
from rulewright.authoring.translations.read_po import parse_po
from rulewright.authoring.translations.translator_texts import list_translator_texts
from rulewright.authoring.translations.update_translation import TranslationUpdate, plan_translation
from rulewright.authoring.translations.write_po import format_po
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.markup import parse_blocks
from rulewright.ruleset.translation.translation import Translation, read_translation
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.span import Span
from tests.hostile_names import NAMES, written

RULES = """\
terms:
  pot: {name: pot, means: What is at stake., also: [jar, kettle]}
  coin: {name: coin, plural: coins, means: "What is in the {pot}."}
numbers: {goal: {is: 10, means: The goal.}}
dice: {loot: {is: 1d6, means: What a thief gets.}}
options: {length: {title: Length, choices: {short: Short, long: Long}, default: short, means: How long it takes.}}
pages:
  aims:
    letter: A
    title: Aims
    about: What to do.
    sections:
      winning: {title: Winning, text: "Be the first with {numbers.goal} {coin.plural}.", aid: [Be first., Be rich.]}
"""
HOSTILE = [
    *map(written, NAMES),
    *(
        '"',
        "'",
        "\\",
        "\\n",
        '\\"',
        "#",
        "# no comment",
        "- a",
        "a: b",
        "a #b",
        "a:",
        "null",
        "12",
        "true",
        "[a]",
        "{{}}",
    ),
    *("a\nb", "a\n\nb", "a\n  b", "a\tb", "\x07", "\x0b", "\x1c", "\x85", "\u2028", "\u00a0", "e\u0301", "\u202bא"),
    *("Wort " * 300, "x" * 4000, "Satz eins.\n\n" * 90, "„Zitat“, sagt er: so!", "...", "%s %d 100 %"),
]
LETTERS = st.characters(exclude_categories=("Cs",), exclude_characters="{}\0\4")
"""Without two that a PO file cannot hold: gettext ends strings with the one, and contexts with the other."""
TEXTS = (st.sampled_from(HOSTILE) | st.text(LETTERS, max_size=9)).filter(str.strip)
LINES = TEXTS.filter(lambda each: "\n" not in each.strip())
PATHS: dict[str, st.SearchStrategy[Any]] = {
    "edition.title": TEXTS,
    "terms.pot.name": TEXTS,
    "terms.pot.plural": TEXTS,
    "terms.pot.forms.genitive": TEXTS,
    "terms.coin.name": TEXTS,
    "numbers.goal.means": TEXTS,
    "dice.loot.means": TEXTS,
    "options.length.choices.short": TEXTS,
    "options.length.means": TEXTS,
    "pages.aims.about": TEXTS,
    "pages.aims.sections.winning.text": TEXTS,
    "pages.aims.sections.winning.aid": st.lists(LINES, min_size=1, max_size=3),
}
WORDS = st.fixed_dictionaries({}, optional=PATHS)
COMMENT = re.compile(r"# of \S+$", re.MULTILINE)


def quote(text: str) -> str:
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in plain)


def write_value(value: Any, indent: str, style: str) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(quote, value)) + "]"
    lines = value.split("\n")
    if style == "literal" and all(line.isprintable() and line[:1].strip() for line in lines):
        return "|\n" + "\n".join(f"{indent}  {line}" for line in lines)
    if style == "single" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return quote(value)


def write_words(words: dict[str, Any], data: Any) -> str:
    """Return a translation file, as a person might write it."""
    tree: dict[str, Any] = {}
    for path, value in words.items():
        *keys, last = path.split(".")
        node = tree
        for key in keys:
            node = node.setdefault(key, {})
        node[last] = value

    def write_node(node: Any, indent: str, address: str) -> str:
        if not isinstance(node, dict):
            text = write_value(node, indent[2:], data.draw(st.sampled_from(["double", "literal", "single"])))
            return f" {text}" + ("" if text[0] == "|" else f"  # of {address}")
        if address.count(".") == 1 and data.draw(st.booleans()):
            return f" {write_flow(node)}  # of {address}"
        return "".join(
            f"\n{indent}{key}:{write_node(each, indent + '  ', f'{address}.{key}')}" for key, each in node.items()
        )

    def write_flow(node: Any) -> str:
        if not isinstance(node, dict):
            return write_value(node, "", "double")
        return "{" + ", ".join(f"{key}: {write_flow(each)}" for key, each in node.items()) + "}"

    return "# top" + "".join(f"\n{key}:{write_node(each, '  ', key)}" for key, each in tree.items()) + "\n"


def write_edition(folder: Path, words: str | None) -> Path:
    home = folder / "pots"
    home.mkdir()
    (home / "ruleset.yaml").write_text("ruleset: t/pots\nversion: 0.1.0\nlanguage: 1\ntitle: Pots\nplayers: 2\n")
    (home / "rules.yaml").write_text(RULES)
    (home / "words").mkdir()
    path = home / "words" / "de.yaml"
    if words is not None:
        path.write_text(words, encoding="utf-8", newline="\n")
    return path


def open_german(folder: Path) -> Translation:
    diagnostics = Diagnostics()
    translation = read_translation(load_ruleset("t/pots", rules=[folder]), "de", diagnostics, Span.for_file(""))
    diagnostics.raise_if_errors()
    assert translation is not None
    return translation


def read_back(translation: Translation, text: str) -> TranslationUpdate:
    return plan_translation(translation, parse_po(text, "de.po"))


def check_with_gettext(text: str) -> None:
    done = subprocess.run(
        ["msgfmt", "--check", "--output-file=/dev/null", "-"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def list_wanted(words: dict[str, Any]) -> dict[str, str]:
    """Return the texts as translators see them: paragraphs on a line, and the items of a list as lines."""
    return {
        path: "\n".join(map(str.strip, value)) if isinstance(value, list) else join_prose(value.strip())
        for path, value in words.items()
    }


def show_blocks(text: str) -> str:
    """Return the paragraphs, lists and tables of a text, without their positions."""
    return re.sub(r"start=\d+|\s+", " ", repr(parse_blocks(text)).replace("\\n", " "))


BEGINNINGS = (
    "",
    "  ",
    "- ",
    "  - ",
    "* a",
    "1. b",
    "2) c",
    "   3. d",
    "a|b",
    "--|--",
    "---",
    "word",
    "  in",
    "**x",
    "\\",
)
PROSE = st.lists(
    st.sampled_from(BEGINNINGS).flatmap(lambda begin: TEXTS.map(lambda end: begin + end) | st.just(begin)),
    max_size=8,
).map("\n".join)


@given(PROSE | TEXTS, st.integers(8, 60))
def test_joined_and_broken_lines_are_the_same_text(text: str, width: int) -> None:
    joined = join_prose(text)
    assert show_blocks(joined) == show_blocks(text)
    assert join_prose(joined) == joined
    assert join_prose(wrap_prose(joined, width)) == joined


@given(WORDS, st.data())
def test_a_translation_out_and_in_again_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, words: Any, data: Any
) -> None:
    folder = tmp_path_factory.mktemp("po")
    write_edition(folder, write_words(words, data) if words else None)
    translation = open_german(folder)
    text = format_po(translation)
    check_with_gettext(text)
    update = read_back(translation, text)
    assert update.diagnostics == ()
    assert update.text is None
    assert update.counts["unchanged"] == len(words)
    own = {entry.context.text: entry.translated.text for entry in parse_po(text, "de.po").entries if entry.context}
    assert own == {message.context: message.string for message in read_po(io.StringIO(text)) if message.id}
    assert {path: each for path, each in own.items() if each} == list_wanted(words)


@given(WORDS, WORDS, st.data())
def test_a_translation_in_and_out_again_is_the_translation(
    tmp_path_factory: pytest.TempPathFactory, words: Any, others: Any, data: Any
) -> None:
    folder = tmp_path_factory.mktemp("po")
    path = write_edition(folder, write_words(words, data) if words else None)
    before = path.read_text(encoding="utf-8") if words else ""
    translation = open_german(folder)
    # Another program reads the file, and writes it with the translator's texts.
    catalog = read_po(io.StringIO(format_po(translation)))
    for address, text in list_wanted(others).items():
        known = next((each for each in catalog if each.context == address), None)
        if known is None:
            catalog.add("pot", text, context=address)
        else:
            known.string = text
    update = read_back(translation, write_back(catalog))
    assume(not update.has_errors)
    expected = list_wanted(words) | list_wanted(others)
    if update.text is not None:
        path.write_text(update.text[1], encoding="utf-8", newline="\n")
    after = open_german(folder)
    assert {each: text.translated for each, text in list_translator_texts(after).items() if text.translated} == expected
    assert set(COMMENT.findall(before)) <= set(COMMENT.findall(path.read_text(encoding="utf-8")) if expected else ())
    assert read_back(after, format_po(after)).text is None


def write_back(catalog: Catalog) -> str:
    file = io.BytesIO()
    write_po(file, catalog)
    return file.getvalue().decode()
