"""What is wrong with the rules, as a page."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.book.parts.templates import render
from rulewright.book.style.policy import SERVED
from rulewright.book.style.style import escape
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import text


def fault_page(faults: Sequence[Diagnostic | str]) -> str:
    """A page of its own, without links to anything that may not be there."""
    found = []
    for fault in faults:
        if isinstance(fault, Diagnostic):
            found.append((str(fault.span), fault.code.title, text.render([fault]).rstrip()))
        else:
            found.append(("", "The site could not be built", fault))
    return render(
        "fault.html.j2",
        policy=SERVED,
        faults=[(escape(place), escape(title), escape(said)) for place, title, said in found],
    )
