"""The book of a ruleset whose words are sound."""

from __future__ import annotations

from rulewright.book.book import render_site
from rulewright.book.pages.marks import Marks
from rulewright.book.parts.chances import Weigh
from rulewright.ruleset.lints.icons import lint as lint_icons
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.words.lint import lint_words
from rulewright.source.diagnostics.collected import Diagnostics


def sound_site(ruleset: Ruleset, marks: Marks | None = None, *, weigh: Weigh | None = None) -> dict[str, str]:
    """`render_site`, once every placeholder and every rule a page shows is known to be there.

    Raises `DiagnosticError` where one is not.
    """
    found = Diagnostics()
    lint_words(ruleset, found)
    lint_icons(ruleset, found)
    found.raise_if_errors()
    return render_site(ruleset, marks, weigh=weigh)
