"""Report references to entries that do not exist. References in pages are checked with their texts."""

from __future__ import annotations

from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_diagnostics import UNKNOWN_REFERENCE
from rulewright.ruleset.section import load_sections
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
