"""Changes of the top layer that contradict inherited examples, each reported once at the changed line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.engine.engine_diagnostics import (
    CHOICES_MISSING,
    DICE_SCRIPT,
    EXAMPLE_FAILED,
    ILLEGAL_CHOICE,
    LONG_EXAMPLES,
)
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.faults import Allowance, RulesFault
from rulewright.language.declarations import GAME_KIND
from rulewright.ruleset.elaborate.node_readers import list_items
from rulewright.ruleset.layers.effective_edits import build_effective_edits
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.resolve_layers import resolve
from rulewright.ruleset.layers.source_edits import Tree, format_tree, grow_tree
from rulewright.ruleset.layers.value_origins import Origin, Path
from rulewright.ruleset.recovery.override_blame import Override, Overrides, describe_override, name_override
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_builder import build
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.ruleset.schema.validator import validate
from rulewright.ruleset.sections.pages import Section
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, RelatedSpan
from rulewright.source.nodes import Mapping, Node
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span
from rulewright.testing.rule_dependencies import find_expectation_reads, find_reads
from rulewright.testing.run_examples import DROPPED, ExampleRun, run_example

OUTDATED_FAULTS = (EXAMPLE_FAILED, DICE_SCRIPT, CHOICES_MISSING, ILLEGAL_CHOICE)
"""The codes of faults that an example has if the rules have changed since it was written."""

MOST_NAMED = 5
"""The maximum number of examples in a message. The diagnostic itself has them all."""

MOST_NOTES = 3
"""The maximum number of related positions in examples, and in further changes."""

MOST_TRIED = 4
"""The maximum number of changes that are left out, one at a time, for each example."""


@dataclass(slots=True)
class Contradiction:
    """A change of the top layer, with the failing runs of inherited examples that it explains.

    For examples that the top layer has restated without need, `change` is the first of these. `others` are
    changes that the runs have read, too. `words` are the names in all these changes.
    """

    change: Override
    runs: list[ExampleRun] = field(default_factory=list)
    others: list[Override] = field(default_factory=list)
    words: frozenset[str] = frozenset()


def find_contradictions(ruleset: Ruleset, runs: Iterable[ExampleRun]) -> Iterator[Contradiction]:
    """Yield the changes of the top layer that explain failing runs of inherited examples.

    Runs the examples again to find what they have read. A run belongs to the change without which it passes, or else to
    the one that most likely explains its first problem. A run that has read no change belongs to none, unless the top
    layer has restated what it expects: all such runs belong together, because the change that they followed from is
    gone.
    """
    overrides, single, allowance = Overrides(ruleset.resolved), SingleChanges(ruleset), Allowance()
    by_place: dict[Span | None, Contradiction] = {}
    for run in runs:
        first = run.problems.errors[0]
        if first.code is LONG_EXAMPLES or (ruleset.resolved.is_own(first.span) and not _may_be_outdated(run)):
            continue
        reads = find_reads(ruleset, run.example, allowance)
        reads = find_expectation_reads(ruleset, run.example, reads, first.span)
        causes = single.put_culprit_first(run.example.id, overrides.find_causes(reads, run.example.node))
        place = causes[0][1].span if causes else None
        if not causes and ruleset.resolved.is_own(first.span) and restate(run):
            causes = [(("examples", run.example.id), Origin(overrides.top, "changes", first.span, run.example.node))]
        if causes:
            contradiction = by_place.setdefault(place, Contradiction(causes[0]))
            contradiction.runs.append(run)
            known = [contradiction.change, *contradiction.others]
            contradiction.others += [each for each in causes[1:] if each not in known]
    for contradiction in by_place.values():
        if contradiction.change[0][0] != "examples":
            contradiction.words = overrides.list_words([contradiction.change, *contradiction.others])
        yield contradiction


def _may_be_outdated(run: ExampleRun) -> bool:
    """Return whether an example may fail because the rules have changed since its script or results were written.

    A result that the dice cannot have is a mistake in the script.
    """
    first = run.problems.errors[0]
    is_impossible = first.code is DICE_SCRIPT and first.span in {
        each.span for each in list_items(run.example.node.get("dice"))
    }
    return first.code in OUTDATED_FAULTS and (not is_impossible or not first.related)


def report_contradiction(ruleset: Ruleset, contradiction: Contradiction) -> Diagnostic:
    """Return the diagnostic of a change that contradicts inherited examples.

    Its edits restate the examples in the top layer: they expect what the rules lead to now. An example whose script no
    longer fits the rules has no edit, because only its author knows what it should show.
    """
    path, origin = contradiction.change
    runs, is_restated = contradiction.runs, path[0] == "examples"
    name = name_override(path, origin)
    firsts = [run.problems.errors[0] for run in runs]
    layers = [ruleset.resolved.find_layer(run.example.span) for run in runs]
    texts = [f"{_describe_failure(run)} (an example of {layer})" for run, layer in zip(runs, layers, strict=True)]
    if len(runs) == 1:
        message = texts[0] if is_restated else f"{name} contradicts {_introduce(ruleset, runs[0])}: {firsts[0].message}"
        is_own = ruleset.resolved.is_own(firsts[0].span)
        note = "it is restated here" if is_own else f"this is an example of {layers[0]}"
        notes = [*([] if is_restated else [RelatedSpan(firsts[0].span, note)]), *firsts[0].related]
    else:
        names = _list_titles(ruleset, runs)
        what = "examples are restated, but the rules lead to other results"
        message = (
            f"{len(runs)} {what}: {names}"
            if is_restated
            else f"{name} contradicts {len(runs)} inherited examples: {names}"
        )
        notes = [RelatedSpan(first.span, text) for first, text in zip(firsts, texts, strict=True)][:MOST_NOTES]
    there = {origin.span, *(note.span for note in notes)}
    others = [RelatedSpan(each.span, describe_override(way, each)) for way, each in contradiction.others]
    notes += [note for note in others if note.span not in there][:MOST_NOTES]
    codes = {first.code for first in firsts}
    advice, edits = advise(ruleset, runs, beside=origin.span.file, words=contradiction.words)
    return Diagnostic(
        codes.pop() if len(codes) == 1 else EXAMPLE_FAILED,
        message,
        origin.span,
        tuple(notes),
        advice,
        edits,
        tuple(run.example.id for run in runs),
    )


def _describe_failure(run: ExampleRun) -> str:
    """Return the first problem of a run, with the name of its example."""
    first = run.problems.errors[0]
    return first.message if first.examples else f"`{run.example.id}`: {first.message}"


def _introduce(ruleset: Ruleset, run: ExampleRun) -> str:
    """Return an inherited example with its title, which says what it shows, and its id, under which it can be found."""
    return f"the inherited example “{Names(ruleset).format_words(run.example.title)}” (`{run.example.id}`)"


def restate(run: ExampleRun) -> Tree:
    """Return the entries with which the top layer expects the actual results of an example, or {} if it cannot.

    It cannot if no expectation has failed, if there is another problem, such as a run that did not end, or if a value
    cannot be written, such as most objects.
    """
    failed = [each for each in run.expectations if not each.holds]
    if not failed or len(failed) != len(run.problems.errors) or not all(each.restated for each in failed):
        return {}
    if run.finished is not None:
        return {"expect": {each.expression: each.restated for each in failed}}
    return {"expect": failed[0].restated}


def advise(
    ruleset: Ruleset, runs: Sequence[ExampleRun], *, beside: str = "", words: Collection[str] = ()
) -> tuple[str, tuple[Edit, ...]]:
    """Return what the top layer should write about failing inherited examples, and the edits that restate them.

    New sections go to the file `beside`. `words` are the names in the changed rules, for notes on values that no
    example gives. The edits are empty if no example can be restated.
    """
    top = ruleset.resolved.layers[-1]
    restated: Tree = {run.example.id: written for run in runs if (written := restate(run))}
    rest = [run.example.id for run in runs if run.example.id not in restated]
    delete = f"or delete {'it' if len(rest or runs) == 1 else 'them'}:"
    lines: list[str] = []
    edits: tuple[Edit, ...] | None = None
    if restated:
        tree: Tree = {"examples": restated}
        edits = build_effective_edits(ruleset.resolved, tree, beside=beside)
        where = _list_restated([run for run in runs if run.example.id in restated])
        lines += [f"expect what holds now{where}:", format_tree(tree)]
    if rest:
        names = list_names(rest, most=MOST_NAMED)
        lines += [f"change {names} in {top.ruleset}, {delete}", format_tree(build_exclusions(ruleset, rest))]
    if len(runs) == 1 and restated:
        lines += [delete, format_tree(build_exclusions(ruleset, list(restated)))]
    lines += _list_not_given(ruleset, runs, words)
    if len(runs) == 1:
        lines.append(next(iter(runs[0].problems)).suggestion or "")
    return "\n".join(filter(None, lines)), edits or ()


def _list_restated(runs: Sequence[ExampleRun]) -> str:
    """Return which values restated examples expect, or in how many examples if there are many, after `` in ``."""
    values = {run.example.id: [each.restated for each in run.expectations if not each.holds] for run in runs}
    if len(values) <= MOST_NOTES and all(len(each) == 1 for each in values.values()):
        return " in " + join_alternatives([f"`{name}` ({value})" for name, (value,) in values.items()], word="and")
    return f" in {len(values)} examples" if len(values) > 1 else f" in `{next(iter(values))}`"


def _list_not_given(ruleset: Ruleset, runs: Sequence[ExampleRun], words: Collection[str]) -> Iterator[str]:
    """Yield notes on game values that a changed rule reads but no example gives.

    `words` are the names in the changed rules. Values whose default is no number, truth value or text are left out.
    """
    given = {name for run in runs if run.example.given is not None for name in run.example.given.entries}
    who = "the example does" if len(runs) == 1 else "the examples do"
    fields = ruleset.declarations.kinds[GAME_KIND].fields
    for name in fields:
        default = fields[name].default
        if name in words and name not in given and "." not in name and isinstance(default, int | str):
            yield f"`{name}` is {default} here, because {who} not set it: `given: {{{name}: …}}`"


def build_exclusions(ruleset: Ruleset, examples: Collection[str]) -> Tree:
    """Return the entries with which the top layer excludes inherited examples.

    They delete the examples, the stories that show them and the answers that only they prove, and their mentions on
    pages and in other answers.
    """
    deleted = [("examples", example) for example in examples]
    deleted += [("stories", story.id) for story in ruleset.stories.values() if story.example in examples]
    exclusions: dict[Path, str] = dict.fromkeys(deleted, "{delete: true}")
    removed = {".".join(path) for path in deleted}
    for page in ruleset.pages.values():
        for section in page.sections:
            if any(each.text in removed for each in section.show):
                items = _list_rest(section, ruleset, removed)
                exclusions["pages", page.id, "sections", section.id, "show"] = f"[{', '.join(items)}]"
    for question in ruleset.faq.values():
        proving = [each.text for each in question.examples]
        rest = [each for each in proving if each not in examples]
        if rest != proving and rest:
            exclusions["faq", question.id, "example"] = f"[{', '.join(rest)}]"
        elif rest != proving:
            exclusions["faq", question.id] = "{delete: true}"
    return grow_tree(exclusions)


def describe_losses(exclusions: Tree) -> str:
    """Return what else the book loses without some examples, after ", with ", or "" if it is nothing."""
    losses = {
        "FAQ answer": [name for name, entry in _list_entries(exclusions, "faq") if entry == DROPPED],
        "example of the FAQ answer": [name for name, entry in _list_entries(exclusions, "faq") if entry != DROPPED],
        "story": [name for name, _ in _list_entries(exclusions, "stories")],
        "mention on the page": [
            f"{page}.{section}"
            for page, entry in _list_entries(exclusions, "pages")
            if isinstance(entry, dict)
            for section, _ in _list_entries(entry, "sections")
        ],
    }
    parts = [f"the {what} {list_names(names)}" for what, names in losses.items() if names]
    return f", with {join_alternatives(parts, word='and')}" if parts else ""


def _list_entries(tree: Tree, section: str) -> list[tuple[str, Tree | str]]:
    entries = tree.get(section, {})
    return list(entries.items()) if isinstance(entries, dict) else []


def _list_rest(section: Section, ruleset: Ruleset, removed: Collection[str]) -> list[str]:
    """Return the YAML items for a section's `show:` without some rules, as the top layer would write them."""
    written = section.node.get("show")
    if isinstance(written, SequenceNode) and not ruleset.resolved.is_own(written.span):
        removed_paths = [each.text for each in section.show if each.text in removed]
        return [*_list_changes(section, ruleset), *(f"{{delete: {each}}}" for each in removed_paths)]
    return [
        each.text for each in section.show if each.text not in removed
    ]  # the top layer already replaces the whole list


def _list_changes(section: Section, ruleset: Ruleset) -> Iterator[str]:
    """Yield the top layer's existing changes to a section's `show:`, to be repeated in a new list."""
    for file in ruleset.resolved.layers[-1].files:
        node: Node | None = file
        for key in ("pages", section.page, "sections", section.id, "show"):
            node = node.get(key) if isinstance(node, Mapping) else None
        for item in node.items if isinstance(node, SequenceNode) else ():
            if isinstance(item, Mapping):
                yield f"{{{', '.join(f'{key}: {each.value.to_plain()}' for key, each in item.entries.items())}}}"


def _list_titles(ruleset: Ruleset, runs: Sequence[ExampleRun]) -> str:
    """Return the titles of examples in quotation marks. Beyond `MOST_NAMED`, only their number is given."""
    words = Names(ruleset)
    titles = [f"“{words.format_words(run.example.title)}”" for run in runs[:MOST_NAMED]]
    more = len(runs) - len(titles)
    return join_alternatives([*titles, *([f"{more} more"] if more else [])], word="and")


def list_names(names: Sequence[str], *, most: int | None = None) -> str:
    """Return names in backticks, joined by commas and "and". Beyond `most`, only their number is given."""
    quoted = [f"`{name}`" for name in names[:most]]
    more = len(names) - len(quoted)
    return join_alternatives([*quoted, *([f"{more} more"] if more else [])], word="and")


class SingleChanges:
    """The rules of a ruleset without each change of its top layer. Each is built once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._without: dict[Span, Ruleset | None] = {}

    def put_culprit_first(self, example: str, causes: Sequence[Override]) -> list[Override]:
        """Return the possible causes of the failure of an example, with the one that it fails because of first.

        That is the first of them without which the example passes. If there is none, the order does not change.
        """
        for cause in causes[:MOST_TRIED] if len(causes) > 1 else ():
            if self._passes_without(cause[1].span, example):
                return [cause, *(each for each in causes if each is not cause)]
        return list(causes)

    def _passes_without(self, change: Span, example: str) -> bool:
        """Return whether an example passes without a change of the top layer.

        It does not if the rules are then invalid or lack the example. The rules without the change are remembered.
        """
        if change not in self._without:
            self._without[change] = self._leave_out(change)
        ruleset = self._without[change]
        if ruleset is None or example not in ruleset.examples:
            return False
        try:
            return run_example(ruleset, ruleset.examples[example]).holds
        except RulesFault:
            return False

    def _leave_out(self, change: Span) -> Ruleset | None:
        """Return the ruleset without a change, or None if its rules are then invalid."""
        *lower, top = self.ruleset.resolved.layers
        diagnostics = Diagnostics()
        resolved = resolve([*lower, _remove(top, change)], diagnostics)
        if diagnostics.errors or not validate(resolved.rules, "rules", diagnostics, overlay=False):
            return None
        ruleset = build(resolved, diagnostics)
        return None if diagnostics.errors else ruleset


def _remove(layer: Layer, change: Span) -> Layer:
    """Return the layer without the entry or the list item whose position is `change`."""
    files = []
    for file in layer.files:
        node = _prune(file, change)
        assert isinstance(node, Mapping)
        files.append(node)
    return replace(layer, files=tuple(files))


def _prune(node: Node, change: Span) -> Node:
    """Return a copy of a node without what is at `change`, and without mappings and lists that are empty then."""
    match node:
        case Mapping():
            entries = {
                key: replace(entry, value=_prune(entry.value, change))
                for key, entry in node.entries.items()
                if change not in (entry.key.span, entry.value.span)
            }
            left = {
                key: entry for key, entry in entries.items() if not _is_emptied(node.entries[key].value, entry.value)
            }
            return replace(node, entries=left)
        case SequenceNode():
            items = [(item, _prune(item, change)) for item in node.items if item.span != change]
            return replace(node, items=tuple(pruned for item, pruned in items if not _is_emptied(item, pruned)))
    return node


def _is_emptied(before: Node, after: Node) -> bool:
    """Return whether a mapping or list that had entries has none left. False for other nodes."""
    match before, after:
        case Mapping(), Mapping():
            return bool(before.entries) and not after.entries
        case SequenceNode(), SequenceNode():
            return bool(before.items) and not after.items
    return False
