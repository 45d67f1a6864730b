"""Code action: write an inherited text of an example again, beside the values that the top layer has changed."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, is_at, load_texts, overlaps
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.prose.example_texts import list_example_texts, list_inherited
from rulewright.ruleset.prose_diagnostics import EXAMPLE_NUMBER, TEXT_OUTDATED
from rulewright.source.yaml.flow_style import write_text

PLACE = 9


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each inherited text that may no longer be true. It starts with the same text."""
    good = request.good
    if good is None:
        return
    changed = {text.id: text.span for text in list_example_texts(good.ruleset)}
    for each, name in ((diagnostic, name) for diagnostic in request.diagnostics for name in diagnostic.examples):
        place = changed.get(name, each.span) if len(each.examples) > 1 else each.span
        if each.code not in (EXAMPLE_NUMBER, TEXT_OUTDATED) or not is_at(request, place):
            continue
        top = good.ruleset.resolved.layers[-1]
        load_texts(request.workspace, top)
        for key, words in list_inherited(good.ruleset.examples[name].node, good.ruleset).items():
            if any(words.span.file == note.span.file and overlaps(words.span, note.span) for note in each.related):
                text = write_text(" ".join(words.text.split()))
                edit = build_value_edit(top, ("examples", name, key), text)
                if edit is not None:
                    title = f"Rewrite the {key} of `{name}` in {top.ruleset}…"
                    yield CodeAction(title, (edit,), each, preferred=True, value=text, kind=FIX)
