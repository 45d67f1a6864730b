"""Code actions: give up inherited examples that fail, where they are or where a change makes them fail.

The house rules delete them, and remove them from the pages that show them and the answers that they prove.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulewright.lsp.features.available_actions import DISABLE, ActionRequest, CodeAction, is_at, load_texts
from rulewright.lsp.features.edition_states import Good
from rulewright.ruleset.layers.source_edits import build_tree_edits
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.contradictions import build_exclusions, describe_losses

PLACE = 15


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield actions for the inherited examples that fail in the range or because of it.

    At a change that contradicts several examples, the first one deletes them all. Skips editions that are released, or
    that have changed since they were checked.
    """
    for good in request.workspace.list_good(request.path):
        if not request.workspace.is_current(good) or good.edition.status == "released":
            continue
        offered_for: set[str] = set()
        for each in request.workspace.list_errors(good):
            inherited = [name for name in each.examples if _is_inherited(good, name)]
            at_change = is_at(request, each.span)
            here = [name for name in inherited if at_change or is_at(request, good.ruleset.examples[name].node.span)]
            if not here and any(is_at(request, other.span) for other in each.related):
                here = inherited
            if here == inherited and len(here) > 1:
                yield from _delete(request, good, here, each)
            for name in here:
                if name not in offered_for:
                    offered_for.add(name)
                    yield from _delete(request, good, [name], each)


def _delete(request: ActionRequest, good: Good, names: Collection[str], each: Diagnostic) -> Iterator[CodeAction]:
    """Yield the action that deletes inherited examples, if it can be written."""
    top = good.ruleset.resolved.layers[-1]
    load_texts(request.workspace, top)
    exclusions = build_exclusions(good.ruleset, names)
    edits = build_tree_edits(top, exclusions)
    if edits:
        what = f"`{next(iter(names))}`" if len(names) == 1 else f"all {len(names)} examples"
        title = f"Delete {what} of the base edition in {top.ruleset}{describe_losses(exclusions)}"
        yield CodeAction(title, edits, each if each in request.diagnostics else None, kind=DISABLE)


def _is_inherited(good: Good, name: str) -> bool:
    example = good.ruleset.examples.get(name)
    return example is not None and not good.ruleset.resolved.is_own(example.span)
