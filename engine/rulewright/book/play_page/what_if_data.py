"""The What-if drawer: the parameters that sections of a page use, and the data file for changing them.

The data file has only the data that the file of the rules (`data`), which is loaded first, lacks. The caller of the
book build creates the module with changeable parameters and the odds.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.book.english.naming import humanize
from rulewright.book.parts.odds_examples import describe_question
from rulewright.book.play_page.play_data import compress_text
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import RuleLocations
from rulewright.book.style.text_style import Style
from rulewright.ruleset.overlay import FIRST, find_node
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.queries.name_uses import list_procedure_expressions, list_rule_names
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.pages import Section
from rulewright.source.nodes import Mapping as MappingNode

WHAT_IF = "what-if.js"
"""The name of the data file, a script that calls `rulewrightWhatIf`."""

_TRIED = ("figures", "fixed", "odds")
"""The members of the data that only the What-if drawer needs."""


@dataclass(frozen=True, slots=True)
class WhatIfModule:
    """A module with changeable parameters: its code, its data, and the parameters that each example reads, by path."""

    code: bytes
    data: Mapping[str, Any]
    examples: Mapping[str, Sequence[str]]

    @property
    def played(self) -> tuple[bytes, str]:
        """The module and its data as JSON, for a game with the published parameters."""
        return self.code, _json({name: each for name, each in self.data.items() if name not in _TRIED})

    @property
    def figures(self) -> tuple[str, ...]:
        """The paths of the changeable parameters."""
        return tuple(each["path"] for each in self.data["figures"])

    @property
    def adjustable(self) -> Mapping[str, bool]:
        """The paths of the numbers and tables with parameters, each with whether one of them is changeable."""
        return dict.fromkeys(_tops(self.data["fixed"]), False) | dict.fromkeys(_tops(self.figures), True)

    def to_data(self) -> list[Any]:
        """Return the module as JSON data."""
        return [b64encode(self.code).decode("ascii"), _json(self.data), dict(self.examples)]

    @staticmethod
    def from_data(data: Sequence[Any]) -> WhatIfModule:
        """Return the module that has this data."""
        code, plain, examples = data
        return WhatIfModule(b64decode(code), json.loads(plain), examples)


Vary = Callable[[Ruleset], WhatIfModule | None]
"""A function that creates the module of a ruleset with changeable parameters, or returns None if it has none."""


def list_section_parameters(section: Section, ruleset: Ruleset, adjustable: Mapping[str, bool]) -> list[str]:
    """Return the paths of the numbers and tables that a section shows, or that its procedures and formulas read.

    Of procedures and of steps of rows, only the numbers that they read count. Internal numbers are left out. The list
    includes those with fixed parameters only, but is empty if none may be varied. `adjustable` is that of the module.
    """
    results: dict[str, None] = {}
    for path in dict.fromkeys((*(each.text for each in section.show), *section.rules)):
        key, _, rest = path.partition(".")
        identity = rest.partition(".")[0]
        results[f"{key}.{identity}"] = None
        for procedure in ruleset.procedures.values():
            # A table shows the steps of its rows.
            if procedure.path[:2] == (key, identity):
                read = list_rule_names(list_procedure_expressions(procedure), ruleset)
                results |= dict.fromkeys(each for each in read if each.startswith("numbers."))
        if key == "formulas" and identity in ruleset.declarations.formulas:
            results |= dict.fromkeys(list_rule_names([ruleset.declarations.formulas[identity].body], ruleset))
    internal = list_internal_rules(ruleset)
    known = [path for path in results if path in adjustable and path not in internal]
    return known if any(adjustable[path] for path in known) else []


def _tops(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(".".join(path.split(".")[:2]) for path in paths)


def build_data_island(sections: Mapping[str, Sequence[str]]) -> str:
    """Return the data for the What-if buttons of a page, or an empty text if no section uses a changeable parameter."""
    if not sections:
        return ""
    return f'<script type="application/json" id="rw-what-if">{_json(sections).replace("<", chr(92) + "u003c")}</script>'


def build_what_if_file(ruleset: Ruleset, varying: WhatIfModule, places: RuleLocations) -> str:
    """Return the text of the script with the parameters of the "What if" drawers. It is the same for the same rules."""
    tried = _json({name: varying.data[name] for name in _TRIED})
    words = _json(describe_parameters(ruleset, varying, places))
    return (
        f"rulewrightWhatIf({_json({'tried': compress_text(tried.encode()), 'words': compress_text(words.encode())})})\n"
    )


def _json(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def describe_parameters(ruleset: Ruleset, varying: WhatIfModule, places: RuleLocations) -> dict[str, Any]:
    """Return the words for the drawer, and what it needs to know of examples and samples.

    `figures` and `fixed` have the names of parameters that may or may not be changed, by path. `odds` has the title,
    the link and the questions of each example with odds, `measures` the titles of measures, and `examples` the
    parameters that each example reads, all by id. The parts of `_select_displayed` follow.
    """
    style = Style(ruleset)
    parameters = {path: _build_parameter(path, ruleset, style) for path in varying.figures}
    return {
        "figures": parameters,
        "fixed": {path: _name_parameter(path, ruleset, style) for path in varying.data["fixed"]},
        "odds": {each["id"]: _odds(each, ruleset, style, places) for each in varying.data["odds"]},
        "measures": {each.id: fill(each.title, style) or humanize(each.id) for each in ruleset.measures.values()},
        "examples": {example: list(read) for example, read in varying.examples.items()},
        **_select_displayed(ruleset.resolved.rules.to_plain()),
    }


def _select_displayed(rules: Any) -> dict[str, Any]:
    """Return the parts of the rules that use examples and samples, from which house rules remove outdated ones.

    `samples` are the ids of those with a last step that no text explains: others are played again, but these might
    never reach it. `stories` and `answers` map the id of a story or question to its example, and `sections` are triples
    of a page, a section and all that it shows.
    """
    lines = [each for page in rules.get("pages", {}).values() for each in page.get("sections", {}).values()]
    named_rules = [path.split(".") for each in lines for path in each.get("explains", ())]
    explained = {identity for section, identity, *_ in named_rules if section == "samples"}
    samples = [name for name, each in rules.get("samples", {}).items() if "until" in each and name not in explained]
    pages = rules.get("pages", {})
    sections = [
        [page, section, lines["show"]]
        for page, each in pages.items()
        for section, lines in each.get("sections", {}).items()
        if any(path.startswith(("examples.", "samples.", "stories.")) for path in lines.get("show", ()))
    ]
    answers = {question: each["example"] for question, each in rules.get("faq", {}).items() if "example" in each}
    stories = {story: each["example"] for story, each in rules.get("stories", {}).items()}
    return {"samples": samples, "stories": stories, "answers": answers, "sections": sections}


def _build_parameter(path: str, ruleset: Ruleset, style: Style) -> dict[str, Any]:
    """Return the words for a number or a cell of a table. `full` says whether the rules write it as a mapping."""
    node = find_node(ruleset, path)
    results: dict[str, Any] = {
        "full": isinstance(node, MappingNode) and FIRST in node.entries,
        "means": "",
        "group": "",
    }
    key, identity, *rest = path.split(".")
    if key == "numbers":
        number = ruleset.declarations.numbers[identity]
        return results | {"title": humanize(identity).capitalize(), "means": fill(number.means, style)}
    table = ruleset.declarations.tables[identity]
    _, row, column = rest
    title = f"{fill(table.rows[row].title, style) or humanize(row)}: {humanize(column)}"
    return results | {"title": title, "group": fill(table.title, style) or humanize(identity).capitalize()}


def _name_parameter(path: str, ruleset: Ruleset, style: Style) -> str:
    """Return the name of a number, a table or a cell of a table, with a full stop."""
    key, identity, *rest = path.split(".")
    if key == "numbers":
        return f"{humanize(identity).capitalize()}."
    table = ruleset.declarations.tables[identity]
    called = fill(table.title, style) or humanize(identity).capitalize()
    return f"{called}, {_build_parameter(path, ruleset, style)['title']}." if rest else f"{called}."


def _odds(odds: Mapping[str, Any], ruleset: Ruleset, style: Style, places: RuleLocations) -> dict[str, Any]:
    """Return the title, the link and the questions of an example with odds."""
    example = ruleset.examples[odds["id"]]
    page, _, fragment = places.homes[f"procedures.{example.of}"].partition("#")
    return {
        "title": fill(example.title, style),
        "link": f"{page.removesuffix('.md')}.html#{fragment}",
        "asked": [
            {
                "title": describe_question(each["asked"], example, style)[0],
                "names": _names(each["type"], ruleset, style),
            }
            for each in odds["questions"]
        ],
    }


def _names(kind: Any, ruleset: Ruleset, style: Style) -> dict[str, str]:
    table = kind.get("row") if isinstance(kind, dict) else None
    rows: Iterable[Any] = ruleset.declarations.tables[table].rows.values() if table else ()
    return {row.id: fill(row.title, style) or humanize(row.id) for row in rows}
