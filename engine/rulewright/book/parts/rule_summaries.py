"""The present content of a rule in plain English, for texts that describe an older version of it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent

from rulewright.book.english.expression_english import English
from rulewright.book.english.naming import NameWords
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.parts.table_views import build_table_view
from rulewright.book.style.fill_placeholders import fill, format_value
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import CellSteps
from rulewright.ruleset.prose.stale_texts import Describe
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import find_part, find_rule
from rulewright.ruleset.sections.samples import Sample

_ENDS = "\N{INFORMATION SEPARATOR TWO}"
"""Placeholder for the end of a list of steps until the text after it is known. No sentence contains this character."""


class PlainLineStyle(Style):
    """Plain text with each step on a line of its own, and nested steps indented below it."""

    def steps(self, items: Sequence[tuple[str, str]]) -> str:
        lines = [f"({place}) {_broken(text)}" for place, (_, text) in enumerate(items, start=1)]
        return "".join("\n  " + line.replace("\n", "\n  ") for line in lines) + _ENDS


def _broken(text: str) -> str:
    """Return a text in which a sentence after a list starts on a new line."""
    return text.replace(f"{_ENDS} ", "\n").replace(_ENDS, "")


def build_describer(ruleset: Ruleset) -> Describe:
    """Return a function that describes the rule, or the part of one, at a path of `ruleset` as lines of text.

    Reviewers compare these lines with a text before they sign it. There are none for a rule whose section has no
    description. In other sections, the rule must exist.
    """
    style = PlainLineStyle(ruleset)

    def describe(path: str) -> list[str]:
        section, _, identity = find_rule(path).partition(".")
        part = find_part(path)
        text = _describe_part(section, identity, part, style) if part else _describe(section, identity, style)
        return dedent(_broken(text).strip("\n")).strip().splitlines()

    return describe


def _describe_part(section: str, identity: str, part: tuple[str, ...], style: Style) -> str:
    """Return the description of a part of a rule, such as a step or a derived field.

    For a step that no longer exists, it says so, and for a field that is not derived, it is empty. For a cell of a
    table, it is the description of the whole table, or of the steps in the cell.
    """
    declared = style.ruleset.declarations
    if section == "procedures":
        return StepWriter(style.ruleset.procedures[identity], style).step(part[0]) or "This step is gone."
    cell = style.ruleset.procedures.get(CellSteps(identity, *part[:2]).id) if len(part) > 1 else None
    if cell is not None:
        writer = StepWriter(cell, style)
        return writer.step(part[2]) or "This step is gone." if len(part) > 2 else writer.all()
    if section == "kinds":
        formula = declared.kinds[identity].derived.get(part[0])
        return f"{English(style).value(declared.formulas[formula].body)}." if formula is not None else ""
    return _describe(section, identity, style)


def _sample(sample: Sample, style: Style) -> str:
    """Return a sentence with the players, the settings and the last step, if given, of a sample game."""
    options = style.ruleset.declarations.options
    settings = [
        f"{fill(options[name].title, style)}: {fill(options[name].choices[to], style)}"
        for name, to in sample.options.items()
    ]
    players = f"{sample.players} players" if sample.players is not None else "as few players as may play"
    until = [f"up to `{sample.until}`"] if sample.until else []
    return f"{'; '.join([players, *settings, *until])}."


def _describe(section: str, identity: str, style: Style) -> str:
    """Return the description of a rule, or an empty string if its section has none."""
    declared = style.ruleset.declarations
    match section:
        case "procedures":
            return StepWriter(style.ruleset.procedures[identity], style).all()
        case "tables":
            view = build_table_view(declared.tables[identity], style)
            rows = [
                " ".join(part for part in (row.faces, row.title, *(cell.words for cell in row.cells)) if part)
                for row in view.rows
            ]
            return "; ".join(rows) + "."
        case "numbers":
            number = declared.numbers[identity]
            return f"{format_value(number.value, number.type, style)}."
        case "formulas":
            formula = declared.formulas[identity]
            return f"{English(style, NameWords.in_formula(formula)).value(formula.body)}."
        case "options":
            option = declared.options[identity]
            choices = [fill(words, style) for words in option.choices.values()]
            return f"{'; '.join(choices)}. Unless agreed otherwise: {fill(option.choices[option.default], style)}."
        case "kinds":
            kind, english = declared.kinds[identity], English(style)
            value = [english.naming.field(identity, name) for name in kind.named_fields]
            worked_out = [
                f"{english.naming.field(identity, name)}: {english.value(declared.formulas[formula].body)}"
                for name, formula in kind.derived.items()
            ]
            return f"holds {', '.join(value) or 'nothing'}. {'; '.join(worked_out)}"
        case "samples":
            return _sample(style.ruleset.samples[identity], style)
        case "decks":
            return f"{English(style).naming.cards(identity)}."
        case "dice":
            die = declared.describe_die(identity)
            return f"faces {die}." if identity in declared.dice else f"{die}."
    return ""
