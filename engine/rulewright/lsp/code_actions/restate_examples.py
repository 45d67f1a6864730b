"""Code actions: let failing examples show what the rules do now, your own and those that you inherit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.authoring.restate_example import Restatement, change_dice, restate_example
from rulewright.lsp.features.available_actions import FIX, ActionRequest, CodeAction, is_at, load_texts
from rulewright.lsp.features.edition_states import Good
from rulewright.ruleset.layers.effective_edits import build_effective_edits
from rulewright.ruleset.layers.source_edits import Tree
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.contradictions import build_exclusions, describe_losses, list_names
from rulewright.testing.inherited_examples import find_below
from rulewright.testing.run_examples import run_example

PLACE = 8

MOST_NAMED = 3
"""The maximum number of examples in a title."""


def offered(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for all examples that a change in the range makes fail, and then one for each of them.

    At an example, the change's other examples have none of their own. Skips editions that are released, or that have
    changed since they were checked.
    """
    for good in request.workspace.list_good(request.path):
        if not request.workspace.is_current(good) or good.edition.status == "released":
            continue
        errors = [
            (each, names) for each in request.workspace.list_errors(good) if (names := _list_examples(good, each))
        ]
        own = dict.fromkeys(
            name
            for _, names in errors
            for name in names
            if good.ruleset.resolved.is_own(good.ruleset.examples[name].span)
        )
        offered_for: set[tuple[str, ...]] = set()
        for each, names in errors:
            spans = [each.span, *(good.ruleset.examples[name].node.span for name in names)]
            if any(is_at(request, span) for span in spans):
                alone = [name for name in names if spans[0] != good.ruleset.examples[name].node.span]
                if not is_at(request, each.span):
                    alone = [name for name in alone if is_at(request, good.ruleset.examples[name].node.span)]
                together = tuple(own) if names[0] in own else ()
                for group in (names, together, *((name,) for name in alone)):
                    if group and group not in offered_for:
                        offered_for.add(group)
                        yield from _restate(request, good, group, each)


def _list_examples(good: Good, diagnostic: Diagnostic) -> tuple[str, ...]:
    return tuple(name for name in diagnostic.examples if name in good.ruleset.examples)


def _restate(request: ActionRequest, good: Good, names: Sequence[str], each: Diagnostic) -> Iterator[CodeAction]:
    """Yield the actions that let examples pass: first as they are, then by other rolls where these keep the results.

    The first restates the examples, unless it can restate none, and deletes the inherited ones it cannot. Other rolls
    may make the texts of an example untrue, so they come second.
    """
    ruleset = good.ruleset
    with request.workspace.turn:
        below, _ = find_below(ruleset, request.workspace.traces) or (None, ())
    restated = {
        name: restatement
        for name in names
        if (restatement := restate_example(ruleset, ruleset.examples[name], below)) is not None
    }
    rerolled = {
        name: restatement for name in names if (restatement := change_dice(ruleset, ruleset.examples[name])) is not None
    }
    top = ruleset.resolved.layers[-1]
    load_texts(request.workspace, top)
    preferred = len(names) == len(each.examples)
    for rerolls in [{}, rerolled] if rerolled else [{}]:
        changed = {**restated, **rerolls}
        rest = [name for name in names if name not in changed]
        if not changed or any(ruleset.resolved.is_own(ruleset.examples[name].span) for name in rest):
            continue
        tree: Tree = build_exclusions(ruleset, rest) if rest else {}
        deleted = _describe_deleted(ruleset, rest, tree) if rest else ""
        examples = tree.setdefault("examples", {})
        assert isinstance(examples, dict)
        examples |= {name: restatement.entries for name, restatement in changed.items()}
        edits = build_effective_edits(ruleset.resolved, tree, beside=each.span.file)
        if edits:
            resolves = each if each in request.diagnostics else None
            others = {name: restatement for name, restatement in changed.items() if name not in rerolls}
            yield CodeAction(_describe(rerolls, others, deleted), edits, resolves, preferred=preferred, kind=FIX)
            preferred = False


def _describe(rerolls: dict[str, Restatement], restated: dict[str, Restatement], deleted: str) -> str:
    """Return the title of an action, such as "Expect what holds now in `one` (`player.points` is 7)"."""
    parts = [f"change the dice, so that the results hold in {_list(rerolls)}"] if rerolls else []
    parts += [f"expect what holds now in {_list(restated)}"] if restated else []
    parts += [deleted] if deleted else []
    title = ", and ".join(parts)
    return f"{title[0].upper()}{title[1:]}"


def _describe_deleted(ruleset: Ruleset, names: Sequence[str], exclusions: Tree) -> str:
    """Return as a clause which examples an action deletes, why each fails, and what else the book loses."""
    parts = [f"`{name}`{_explain_failure(ruleset, name)}" for name in names[:MOST_NAMED]]
    listed = join_alternatives(parts, word="and") if len(names) <= MOST_NAMED else list_names(names, most=MOST_NAMED)
    return f"delete {listed}{describe_losses(exclusions)}"


def _explain_failure(ruleset: Ruleset, name: str) -> str:
    errors = run_example(ruleset, ruleset.examples[name]).problems.errors
    return f" (it fails: {errors[0].message})" if errors else ""


def _list(restated: dict[str, Restatement]) -> str:
    parts = [
        f"`{name}` ({restatement.words})" if restatement.words else f"`{name}`"
        for name, restatement in restated.items()
    ]
    return join_alternatives(parts, word="and") if len(parts) <= MOST_NAMED else f"{len(parts)} examples"
