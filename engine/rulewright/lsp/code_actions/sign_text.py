"""Signing a text: whoever read it says that it says what the rules say."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import Action, Asked, meets
from rulewright.ruleset.prose.stale_texts import is_signed, signed
from rulewright.source.files.unsaved_texts import key_of_file

PLACE = 30


def offered(asked: Asked) -> Iterator[Action]:
    """Signing the text at the place, for the edition that the file is of; nothing where its rules changed since."""
    good = asked.good
    for page in good.ruleset.pages.values() if good is not None else ():
        for section in page.sections:
            spans = [section.node.span, section.span, *([section.reviewed.span] if section.reviewed else [])]
            own = key_of_file(asked.path)
            held = any(key_of_file(span.file) == own and meets(span, asked.place) for span in spans)
            if good is not None and held and section.explains and not is_signed(section, good.ruleset):
                edits = tuple(signed(section, good.ruleset))
                if edits:
                    yield Action(f"Sign this text: `{section.page}.{section.id}` says what the rules say", edits)
