"""Says of a name that leads nowhere which layer took away what it led to."""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.language.codes import UNKNOWN_NAME, UNKNOWN_PROCEDURE, UNKNOWN_ROW, UNKNOWN_TYPE
from rulewright.ruleset.codes import BAD_DEFAULT, UNKNOWN_REFERENCE
from rulewright.ruleset.history import History, Origin
from rulewright.ruleset.words.codes import UNKNOWN_PLACEHOLDER, UNKNOWN_RULE
from rulewright.source.diagnostic import Diagnostic, Related
from rulewright.source.diagnostics import Diagnostics

_LEADS_NOWHERE = (
    UNKNOWN_NAME,
    UNKNOWN_PLACEHOLDER,
    UNKNOWN_PROCEDURE,
    UNKNOWN_REFERENCE,
    UNKNOWN_ROW,
    UNKNOWN_RULE,
    UNKNOWN_TYPE,
    BAD_DEFAULT,
)
_NAME = re.compile(r"`(?:\w+\.)*(\w+)`")


def point_at_removals(diagnostics: Diagnostics, history: History) -> None:
    """Add to each name that leads nowhere the place where a layer removed what is called so.

    The name stands in a lower layer, which its reader did not write; what has to be mended is the layer above.
    """
    gone = {path[-1]: origins[-1] for path, origins in history.origins.items() if origins[-1].operation == "removes"}
    if gone:
        diagnostics.replace([_pointed(each, gone) for each in diagnostics])


def _pointed(diagnostic: Diagnostic, gone: dict[str, Origin]) -> Diagnostic:
    if diagnostic.code not in _LEADS_NOWHERE:
        return diagnostic
    named = [name for name in dict.fromkeys(_NAME.findall(diagnostic.message)) if name in gone]
    notes = tuple(Related(gone[name].span, f"`{gone[name].layer}` removes `{name}` here") for name in named)
    if not notes:
        return diagnostic
    related = (*diagnostic.related, *notes)
    advice = "say in the layer that removes it what holds here instead, or keep it"
    return replace(diagnostic, related=related, suggestion=advice)
