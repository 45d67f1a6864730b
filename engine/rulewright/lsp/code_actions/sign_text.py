"""Code action: sign a text, which confirms that it agrees with the rules."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.sign_texts import map_texts
from rulewright.lsp.features.available_actions import FIX, REFACTOR, ActionRequest, CodeAction, is_at, load_texts
from rulewright.lsp.features.edition_states import Good
from rulewright.ruleset.prose.example_texts import ExampleText
from rulewright.ruleset.prose.stale_texts import build_signing_edits, is_newer, is_signed
from rulewright.ruleset.sections.pages import Section

PLACE = 30


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action that signs the text in the range, for the edition of the file.

    If the text was signed, there is one for each edition with other rules that extends the edition. There is none for
    rules that have changed since they were checked, and for released rules.
    """
    for good in request.workspace.list_good(request.path):
        if not request.workspace.is_current(good) or (good is not request.good and good.edition.status == "released"):
            continue
        for section in map_texts(good.ruleset).values():
            spans = [section.node.span, section.span, *([section.reviewed.span] if section.reviewed else [])]
            if any(is_at(request, span) for span in spans) and not is_signed(section, good.ruleset):
                signed = section.reviewed is not None and not is_newer(section, good.ruleset)
                outdated = signed or isinstance(section, ExampleText)
                if outdated or good is request.good:
                    yield from _sign(request, good, section, outdated=outdated)


def _sign(request: ActionRequest, good: Good, section: Section, *, outdated: bool) -> Iterator[CodeAction]:
    """Yield the action that signs a text in the top layer of an edition. It is a fix if there is a warning."""
    top = good.ruleset.resolved.layers[-1]
    load_texts(request.workspace, top)
    edits = build_signing_edits(section, good.ruleset)
    if edits:
        title = f"Mark the text of `{section.name}` as reviewed in {top.ruleset}, after comparing it with the rules"
        yield CodeAction(title, edits, kind=FIX if outdated or good.edition.status == "released" else REFACTOR)
