"""Code action: sign a text, which confirms that it agrees with the rules."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import ActionRequest, CodeAction, overlaps
from rulewright.ruleset.prose.stale_texts import build_signing_edits, is_signed
from rulewright.source.files.unsaved_texts import build_file_key

PLACE = 30


def offered(asked: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action that signs the text in the range, for the edition of the file.

    There is none if the rules of the edition have changed since they were checked.
    """
    good = asked.good
    for page in good.ruleset.pages.values() if good is not None else ():
        for section in page.sections:
            spans = [section.node.span, section.span, *([section.reviewed.span] if section.reviewed else [])]
            own = build_file_key(asked.path)
            value = any(build_file_key(span.file) == own and overlaps(span, asked.place) for span in spans)
            if good is not None and value and section.explains and not is_signed(section, good.ruleset):
                edits = tuple(build_signing_edits(section, good.ruleset))
                if edits:
                    yield CodeAction(f"Sign this text: `{section.page}.{section.id}` agrees with the rules", edits)
