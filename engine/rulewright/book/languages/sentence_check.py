"""What a translation lacks for the sentences of the steps that it promises."""

from __future__ import annotations

from rulewright.book.languages import find_planner
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.style.text_style import Style
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.translation import Translation, read_translations
from rulewright.ruleset.translation.translation_diagnostics import UNTRANSLATED
from rulewright.source.diagnostics.collector import Diagnostics

_SECTION = "procedures"


def check_sentences(ruleset: Ruleset) -> Diagnostics:
    """Return a diagnostic for each procedure below `complete:` whose steps a language has no words for."""
    diagnostics = Diagnostics()
    for translation in read_translations(ruleset, Diagnostics()):
        for promise in translation.complete:
            section, _, identity = promise.text.partition(".")
            for procedure in [identity] if identity else ruleset.procedures:
                reason = find_lack(translation, procedure) if section == _SECTION else ""
                if reason:
                    message = f"`{_SECTION}.{procedure}` has no sentences in {translation.language.english}: {reason}"
                    diagnostics.add(UNTRANSLATED, message, promise.span)
    return diagnostics


def find_lack(translation: Translation, procedure: str) -> str:
    """Return why the steps of a procedure have no sentences in a language. Empty if they have, or if it has no planner.

    Steps of rows are not shown in other languages.
    """
    planner, ruleset = find_planner(translation), translation.ruleset
    known = ruleset.procedures.get(procedure)
    if planner is None or known is None or known.cell is not None:
        return ""
    try:
        planner.describe_steps(translation, known, Style(ruleset))
    except MissingWordsError as missing:
        if missing.path:
            return f"`{'.'.join(missing.path)}` is missing"
        return f"its planner cannot say {missing.what}"
    return ""
