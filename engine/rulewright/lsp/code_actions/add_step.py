"""Code actions: add a step before or after an inherited one, in house rules that extend the edition."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lsp.code_actions.override_value import list_extending
from rulewright.lsp.features.available_actions import ActionRequest, CodeAction, load_texts
from rulewright.ruleset.layers.source_edits import build_new_item_edit
from rulewright.ruleset.layers.step_tree import list_ids
from rulewright.ruleset.layers.value_origins import find_steps_path
from rulewright.source.nodes import Sequence, follow_keys

PLACE = 51

_PLACEHOLDER = "steps: []"


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the actions for each open edition that can add a step after the one in the range, or before the first.

    The step does nothing yet, so it breaks no rule. There is none in files of the edition itself.
    """
    at = request.symbol
    if at is None or not at.in_step:
        return
    path, beside = find_steps_path(at.way), at.way[at.in_step - 1]
    for good, is_own in list_extending(request):
        node = follow_keys(good.ruleset.resolved.rules, *path)
        known = list_ids(node) if isinstance(node, Sequence) else []
        if is_own or beside not in known:
            continue
        top = good.ruleset.resolved.layers[-1]
        load_texts(request.workspace, top)
        ids = ("new_step", *(f"new_step_{number}" for number in range(2, len(known) + 3)))
        name = next(each for each in ids if each not in known)
        for where in ("after", "before") if beside == known[0] else ("after",):
            edit = build_new_item_edit(top, path, f"{{{where}: {beside}, id: {name}, title: New step, {_PLACEHOLDER}}}")
            if edit is not None:
                yield CodeAction(f"Add a step {where} `{beside}` in {top.ruleset}", (edit,), select=_PLACEHOLDER)
