"""What a translation lacks for the sentences of the steps that it promises."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.book.languages import find_planner
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.languages.original_words import track_translation
from rulewright.book.style.text_style import Style
from rulewright.ruleset.translation.translation import Translation
from rulewright.ruleset.translation.translation_diagnostics import UNTRANSLATED
from rulewright.ruleset.translation.translation_lint import open_checks
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.internal_failures import PART_FAILED

_SECTION = "procedures"


def check_sentences(translations: Iterable[Translation], traces: Traces | None = None) -> Diagnostics:
    """Return a diagnostic for each procedure below `complete:` whose steps a language has no sentences for.

    `traces` has the procedures that are known to have sentences.
    """
    diagnostics = Diagnostics()
    for translation in translations:
        checks = open_checks(translation, NoTraces() if traces is None else traces)
        tracked = track_translation(translation, checks.view, checks.digests)
        for promise in translation.complete:
            section, _, identity = promise.text.partition(".")
            if section != _SECTION:
                continue
            for procedure in [identity] if identity else translation.original.procedures:
                key = "sentences", translation.language.tag, procedure
                work = partial(find_lack, tracked, procedure)
                lack = checks.traces.fetch(key, checks.digests, work, keep=lambda lack: lack is None)
                if lack is None:
                    continue
                if lack.failure is not None:
                    diagnostics.add(PART_FAILED, str(lack.failure), promise.span)
                    continue
                reason = f"`{lack}` is missing" if lack.path else f"Rulewright has no words for {lack}"
                message = f"`{_SECTION}.{procedure}` has no sentences in {translation.language.english}: {reason}"
                diagnostics.add(UNTRANSLATED, message, promise.span)
    return diagnostics


def find_lack(translation: Translation, procedure: str) -> MissingWordsError | None:
    """Return why a procedure has no sentences in a language. None if it has them, or if the language has no planner.

    Steps of rows are not shown in other languages.
    """
    planner, ruleset = find_planner(translation), translation.ruleset
    known = ruleset.procedures.get(procedure)
    if planner is None or known is None or known.cell is not None:
        return None
    try:
        planner.describe_steps(translation, known, Style(ruleset))
        planner.list_outcomes(translation, known, Style(ruleset))
    except MissingWordsError as missing:
        return missing
    return None
