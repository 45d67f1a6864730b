"""Labels of kinds: every case is a field, and every placeholder a field or a term."""

from __future__ import annotations

from rulewright.language.codes import UNKNOWN_FIELD
from rulewright.language.declarations import Kind
from rulewright.ruleset.elaborate.read import entries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.words.codes import UNKNOWN_PLACEHOLDER
from rulewright.ruleset.words.placeholders import Placeholder, parts
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.suggest import did_you_mean


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Check the labels of every kind."""
    for identity, entry in entries(ruleset.resolved.rules.get("kinds")):
        kind = ruleset.declarations.kinds[identity]
        label = entry.value.get("label") if isinstance(entry.value, Mapping) else None
        if isinstance(label, Scalar):
            _check(label, kind, ruleset, diagnostics)
        for case, words in entries(label):
            if case not in kind.fields:
                hint = did_you_mean(case, kind.fields)
                message = f"`{identity}` has no field `{case}`, so this label would never be used"
                diagnostics.add(UNKNOWN_FIELD, message, words.key.span, suggestion=hint)
            if isinstance(words.value, Scalar):
                _check(words.value, kind, ruleset, diagnostics)


def _check(label: Scalar, kind: Kind, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    known = [*(f"self.{field}" for field in kind.fields), *ruleset.declarations.terms]
    known += [f"{term}.plural" for term in ruleset.declarations.terms]
    for part in parts(label.text):
        if isinstance(part, Placeholder) and part.body not in known:
            span = label.position(part.start, len(part.body))
            hint = did_you_mean(part.body, known)
            diagnostics.add(UNKNOWN_PLACEHOLDER, f"a label cannot say `{part.body}`", span, suggestion=hint)
