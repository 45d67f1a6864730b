"""Review texts next to the rules that they explain, and sign them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.base.errors import RulewrightError
from rulewright.book.changes.sections.examples import describe_example
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.ruleset.elaborate.node_readers import read_text
from rulewright.ruleset.layers.source_edits import build_tree_edits, build_value_edit
from rulewright.ruleset.prose.example_texts import ExampleText, describe_results, list_example_texts
from rulewright.ruleset.prose.layer_changes import find_layer_changes
from rulewright.ruleset.prose.row_texts import list_row_texts
from rulewright.ruleset.prose.stale_texts import Describe, build_signing_edits, is_signed
from rulewright.ruleset.prose.text_signature import collect_facts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.pages import Section
from rulewright.source.diagnostics.diagnostic import Edit, apply_edits
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.yaml.flow_style import write_text


@dataclass(frozen=True, slots=True)
class RuleSummary:
    """The current lines of a rule, and `how` it changed since the text was signed, or empty if it did not."""

    path: str
    how: str
    lines: tuple[str, ...]
    is_removed: bool = False

    def __str__(self) -> str:
        """Return the summary as text that begins with the path."""
        head = f"{self.path} ({self.how})" if self.how else self.path
        if self.is_removed:
            return head
        below = "".join(f"\n    {line}" for line in self.lines) if len(self.lines) > 1 else f" {''.join(self.lines)}"
        return f"{head}:{below.rstrip()}"


@dataclass(frozen=True, slots=True)
class UnsignedText:
    """A text without a signature for its current form, with the rules that changed and the rules that it explains.

    `text` has its placeholders filled in, and `source` is as written. For an example, `results` has its changed choices
    and results, as in `player.points: 6 → 8`.
    """

    name: str
    title: str
    text: str
    source: str
    changed: tuple[RuleSummary, ...]
    explained: tuple[RuleSummary, ...]
    results: tuple[str, ...] = ()


def map_texts(ruleset: Ruleset) -> dict[str, Section]:
    """Return all texts that can be signed by name: `page.section`, or `tables.table.row` for what a row does.

    Inherited texts of an example with other results have the name `examples.example`.
    """
    sections = [section for page in ruleset.pages.values() for section in page.sections]
    return {section.name: section for section in (*sections, *list_row_texts(ruleset), *list_example_texts(ruleset))}


def list_waiting(ruleset: Ruleset, names: Sequence[str] = (), *, released: bool | None = None) -> list[str]:
    """Return the names of texts that need to be signed: of `names`, or of all that were signed before.

    If the edition is `released` (default: its status), all texts that explain rules need to be signed. Raises
    `RulewrightError` for a name that no text has.
    """
    sections = map_texts(ruleset)
    for name in names:
        if name not in sections:
            hint = suggest_name(name, sections)
            raise RulewrightError(f"{ruleset.reference} has no text `{name}`" + (f": {hint}" if hint else ""))
    every = ruleset.status == "released" if released is None else released
    outdated = [
        name
        for name, section in sections.items()
        if every or isinstance(section, ExampleText) or section.reviewed is not None
    ]
    return [name for name in (names or outdated) if not is_signed(sections[name], ruleset)]


def build_waiting(name: str, ruleset: Ruleset, describe: Describe) -> UnsignedText:
    """Return a text with the current rules. `describe` returns the lines of a rule by its path."""
    section = map_texts(ruleset)[name]
    style = Style(ruleset)
    if isinstance(section, ExampleText):
        data = tuple(f"{label}: {words}" for label, words in describe_example(ruleset, section.id))
        texts = fill(section.title, style), fill(section.text, style), section.text
        results = tuple(describe_results(section, ruleset))
        return UnsignedText(name, *texts, (), (RuleSummary(name, "", data),), results)
    changes = {each.path: each for each in find_layer_changes(section, ruleset)}
    explained = dict.fromkeys((*(path.text for path in section.explains), *collect_facts(section, ruleset).lists))
    return UnsignedText(
        name,
        fill(section.title, style),
        fill(section.text, style),
        section.text,
        tuple(
            RuleSummary(each.path, each.how, () if each.is_removed else tuple(describe(each.path)), each.is_removed)
            for path, each in changes.items()
            if path not in explained
        ),
        tuple(
            RuleSummary(path, changes[path].how if path in changes else "", tuple(describe(path))) for path in explained
        ),
    )


def rewrite_text(name: str, text: str, ruleset: Ruleset, file_text: Callable[[str], str]) -> tuple[str, str] | None:
    """Return the rules file that has, or gets, a text of the ruleset's own edition, and the file's new content.

    A text of several lines is written as a block where it can be. The first paragraph of an example is its title.
    `file_text` returns the content of a file. None if the edition has no file to write it to.
    """
    section = map_texts(ruleset)[name]
    if isinstance(section, ExampleText):
        words = {key: write_text(each) for key, each in section.split(text).items()}
        edits = build_tree_edits(ruleset.resolved.layers[-1], {"examples": {section.id: dict(words)}})
        file = edits[0].span.file if edits else ""
        return (file, apply_edits(file_text(file), edits)) if edits else None
    key = next(each for each, entry in section.node.entries.items() if read_text(entry.value) == section.text.strip())
    quoted, block = json.dumps(text, ensure_ascii=False), f"|-\n{text}" if "\n" in text else ""
    edit = build_value_edit(ruleset.resolved.layers[-1], (*section.path, key), quoted, block=block)
    return (edit.span.file, apply_edits(file_text(edit.span.file), [edit])) if edit is not None else None


def build_signature(name: str, ruleset: Ruleset) -> Edit | None:
    """Return the edit that signs a text, or None if there is no rules file to write it to."""
    return next(iter(build_signing_edits(map_texts(ruleset)[name], ruleset)), None)
