"""Code action: write an inherited text of an example again, beside the values that the top layer has changed."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, is_at, load_texts, overlaps
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.prose.example_numbers import list_texts
from rulewright.ruleset.prose_diagnostics import EXAMPLE_NUMBER
from rulewright.source.nodes import Scalar
from rulewright.source.yaml.flow_style import write_text

PLACE = 9


def offered(asked: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each text with a number that its example no longer has. It starts with the same text."""
    good = asked.good
    for each in asked.diagnostics if good is not None else ():
        if each.code is not EXAMPLE_NUMBER or not each.examples or not is_at(asked, each.span):
            continue
        assert good is not None
        (name,) = each.examples
        example, top = good.ruleset.examples[name].node, good.ruleset.resolved.layers[-1]
        load_texts(asked.workspace, top)
        for key in list_texts():
            words = example.get(key)
            there = each.related[0].span
            if isinstance(words, Scalar) and words.span.file == there.file and overlaps(words.span, there):
                text = write_text(" ".join(words.text.split()))
                edit = build_value_edit(top, ("examples", name, key), text)
                if edit is not None:
                    title = f"Rewrite the {key} of `{name}` in {top.ruleset}…"
                    yield CodeAction(title, (edit,), each, preferred=True, value=text, kind=FIX)
