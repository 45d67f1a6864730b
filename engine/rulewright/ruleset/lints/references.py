"""Report references to entries that do not exist. References in pages are checked with their texts."""

from __future__ import annotations

from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_diagnostics import UNKNOWN_REFERENCE, UNRELATED_SECTION
from rulewright.ruleset.section import find_rule, load_sections
from rulewright.ruleset.sections.faq import FaqQuestion
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report unknown references with suggestions, and questions without an example or with an unknown one."""
    rules = ruleset.resolved.rules
    known = {"": list_known_rules(ruleset)} | {
        key: [name for name, _ in iterate_entries(rules.get(key))] for key in load_sections()
    }
    for section in load_sections().values():
        for _, entry in iterate_entries(rules.get(section.key)):
            for key, there in section.names.items():
                named = list_items(entry.value.get(key)) if isinstance(entry.value, Mapping) else ()
                for each in (each for each in named if isinstance(each, Scalar) and each.text not in known[there]):
                    what = f"{load_sections()[there].one} " if there else ""
                    hint = suggest_name(each.text, known[there])
                    diagnostics.add(UNKNOWN_REFERENCE, f"there is no {what}`{each.text}`", each.span, suggestion=hint)
    for question in ruleset.faq.values():
        if not question.examples:
            message = f"no example proves the answer to `{question.id}`"
            diagnostics.add(UNKNOWN_REFERENCE, message, question.span, suggestion="name one: `example: …`")
        for example in question.examples:
            if example.text not in ruleset.examples:
                hint = suggest_name(example.text, ruleset.examples)
                message = f"there is no example `{example.text}` that could prove the answer to `{question.id}`"
                diagnostics.add(UNKNOWN_REFERENCE, message, example.span, suggestion=hint)
        if question.section is not None:
            _lint_section(question, question.section, ruleset, diagnostics)


def _lint_section(question: FaqQuestion, named: Scalar, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report a section that does not exist, or whose text does not explain what a question is about."""
    sections = {f"{page.id}.{section.id}": section for page in ruleset.pages.values() for section in page.sections}
    section = sections.get(named.text)
    if section is None and not ruleset.resolved.is_own(named.span):
        return  # an upper layer has removed the section, and the answer is shown without it
    if section is None:
        hint = suggest_name(named.text, sections)
        diagnostics.add(UNKNOWN_REFERENCE, f"there is no section `{named.text}`", named.span, suggestion=hint)
    elif find_rule(question.about.text) not in section.rules:
        message = f"`{named.text}` does not explain `{question.about.text}`, so it cannot answer `{question.id}`"
        fits = [name for name, each in sections.items() if find_rule(question.about.text) in each.rules]
        hint = f"name a section that explains it: {', '.join(f'`{name}`' for name in fits)}" if fits else None
        diagnostics.add(UNRELATED_SECTION, message, named.span, suggestion=hint)


def list_known_rules(ruleset: Ruleset) -> list[str]:
    """Return the paths of everything that a ruling or an answer may be about, such as `tables.guests`.

    These are the entries of citable sections, then all steps.
    """
    results = []
    for key, section in load_sections().items():
        if section.citable:
            results += [f"{key}.{name}" for name, _ in iterate_entries(ruleset.resolved.rules.get(key))]
    for step in ruleset.steps.values():
        results.append(f"procedures.{step.rule}")
    return results
