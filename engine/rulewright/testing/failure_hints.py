"""Causes and suggested fixes for failing examples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from rulewright.engine.state.faults import RULES_FAULT, Allowance
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND
from rulewright.language.statement import load_statements
from rulewright.ruleset.recovery.override_blame import Overrides
from rulewright.ruleset.recovery.span_index import SpanIndex
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.pages import Section
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span
from rulewright.testing.inherited_examples import find_failing_below
from rulewright.testing.rule_dependencies import find_expectation_reads, find_reads
from rulewright.testing.run_examples import ExampleRun


def report_failures(ruleset: Ruleset, runs: Iterable[ExampleRun]) -> Iterator[Diagnostic]:
    """Yield the problems of examples, with causes and suggestions. Runs failing examples again to find the causes.

    For a failing example in a lower layer, the problem lists the overrides that its run read. A step of the top layer
    that cannot run appears once, with all inherited examples that it stops. Problems that also exist in the edition
    below appear as that edition reports them, because the top layer cannot fix them.
    """
    results = [run for run in runs if list(run.problems)]
    below = find_failing_below(ruleset, [run for run in results if not run.holds and _is_inherited(ruleset, run)])
    if below is not None:
        lower, alike = below
        yield from report_failures(lower, alike.values())
        results = [run for run in results if run.example.id not in alike]
    failing = [run.example.id for run in results if not run.holds and _is_inherited(ruleset, run)]
    stopped: dict[Span, list[ExampleRun]] = {}
    for run in results:
        for problem in run.problems:
            if problem.code is RULES_FAULT and _is_own(ruleset, problem.span) and _is_inherited(ruleset, run):
                stopped.setdefault(problem.span, []).append(run)
    overrides = Overrides(ruleset.resolved) if results and len(ruleset.resolved.layers) > 1 else None
    allowance = Allowance()
    for run in results:
        reading = None if overrides is None or run.holds else find_reads(ruleset, run.example, allowance)
        for problem in _for(ruleset, run, failing):
            there = stopped.get(problem.span, ()) if problem.code is RULES_FAULT else ()
            if there:
                if there[0] is run:
                    yield replace(problem, suggestion=_suggest_guard(ruleset, problem.span, there))
            elif overrides is None or reading is None:
                yield problem
            else:
                read = find_expectation_reads(ruleset, run.example, reading, problem.span)
                yield overrides.add_run_overrides(
                    _report_not_given(ruleset, run, overrides.list_words(read), problem), read
                )


def build_exclusions(ruleset: Ruleset, example: str) -> dict[tuple[str, ...], str]:
    """Return the entries with which the top layer excludes an inherited example, as YAML by path.

    They delete the example, and its mentions on pages and in answers.
    """
    exclusions: dict[tuple[str, ...], str] = {("examples", example): "{delete: true}"}
    path = f"examples.{example}"
    for page in ruleset.pages.values():
        for section in page.sections:
            if any(each.text == path for each in section.show):
                items = _suggest_rest(section, ruleset, path)
                exclusions["pages", page.id, "sections", section.id, "show"] = f"[{', '.join(items)}]"
    for question in ruleset.faq.values():
        proving = [each.text for each in question.examples]
        if example in proving:
            rest = [each for each in proving if each != example]
            if rest:
                exclusions["faq", question.id, "example"] = f"[{', '.join(rest)}]"
            else:
                exclusions["faq", question.id] = "{delete: true}"
    return exclusions


def _suggest_rest(section: Section, ruleset: Ruleset, path: str) -> list[str]:
    """Return the YAML items for a section's `show:` without an example, as the top layer would write them."""
    written = section.node.get("show")
    if isinstance(written, SequenceNode) and not _is_own(ruleset, written.span):
        return [*_changed_already(section, ruleset), f"{{delete: {path}}}"]
    return [each.text for each in section.show if each.text != path]  # the top layer already replaces the whole list


def _report_not_given(ruleset: Ruleset, run: ExampleRun, words: Collection[str], problem: Diagnostic) -> Diagnostic:
    """Return a problem with notes on game values that a changed rule reads but the example does not give.

    `words` are the names in the changed rules. Without such values, the problem is unchanged.
    """
    given = run.example.given.entries if run.example.given is not None else {}
    fields = ruleset.declarations.kinds[GAME_KIND].fields
    missing = [name for name in fields if name in words and name not in given and "." not in name]
    notes = [
        f"`{name}` is {fields[name].default} here, because the example does not set it: `given: {{{name}: …}}`"
        for name in missing
        if isinstance(fields[name].default, int | str)
    ]
    if not notes:
        return problem
    return replace(problem, suggestion="\n".join((*notes, *filter(None, [problem.suggestion]))))


def _suggest_guard(ruleset: Ruleset, place: Span, stopped: Sequence[ExampleRun]) -> str:
    """Return a suggestion for a step that stops inherited examples because it cannot run."""
    first, *others = (run.example.id for run in stopped)
    step = next((each for each in ruleset.steps.values() if each.span == place), None)
    guard = _guard(ruleset, step) if step is not None else ""
    advice = f"guard the step: `when: {guard}`" if guard else "guard the step with `when:`"
    if others:
        advice += f". The same step also stops {_list(others)}"
    deleted = ", ".join(f"{name}: {{delete: true}}" for name in (first, *others))
    return f"{advice}.\nIf the step is right, write the new results, or delete the examples: `examples: {{{deleted}}}`"


def _guard(ruleset: Ruleset, step: Step) -> str:
    """Return the condition under which a step can run, combined with its existing `when:`, or "" if unknown."""
    result = SpanIndex(ruleset.resolved.rules).find(step.span)
    node = result[1] if result is not None else None
    if not isinstance(node, Mapping):
        return ""
    guard = load_statements()[step.verb.name].guard(step, node)
    known = node.get("when")
    return f"({known.text}) and {guard}" if guard and isinstance(known, Scalar) else guard


def _list(names: Sequence[str]) -> str:
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def _is_own(ruleset: Ruleset, place: Span) -> bool:
    """Return whether a span is in the top layer."""
    return ruleset.resolved.find_layer(place) == ruleset.resolved.layers[-1].name


def _is_inherited(ruleset: Ruleset, run: ExampleRun) -> bool:
    return not _is_own(ruleset, run.example.span)


def _for(ruleset: Ruleset, run: ExampleRun, failing: Collection[str]) -> Iterator[Diagnostic]:
    """Yield the problems of an example, with suggestions if it is inherited.

    `failing` has the ids of all failing inherited examples.
    """
    inherited, whose = _is_inherited(ruleset, run), ruleset.resolved.find_layer(run.example.span)
    for place, result in enumerate(run.problems):
        identity = run.example.id
        named = result.about == identity
        problem = result if named else replace(result, message=f"`{identity}`: {result.message}", about=identity)
        if not inherited:
            yield problem
            continue
        problem = replace(problem, message=f"{problem.message} (an example of {whose})")
        if place:
            yield replace(problem, suggestion=problem.suggestion or f"fix it like `{run.example.id}` above")
        else:
            remedy = _remedy(ruleset, run, failing)
            yield replace(problem, suggestion="\n".join(part for part in (remedy, problem.suggestion) if part))


def _remedy(ruleset: Ruleset, run: ExampleRun, failing: Collection[str]) -> str:
    """Return how to remove an inherited example, with the pages and answers that use it.

    The suggestion keeps the other `failing` examples, and its comments say how to remove them too.
    """
    layer, own = ruleset.resolved.find_layer(run.example.span), ruleset.resolved.layers[-1].name
    remedy = (
        f"{layer} has this example, but it fails in {own}. Write the new result, or delete the example:\n"
        f"examples:\n  {run.example.id}: {{delete: true}}"
    )
    pages, faq = list(_suggest_hiding(ruleset, run, failing)), list(_list_lost_proofs(ruleset, run, failing))
    remedy += "".join(f"\n{key}:\n  " + "\n  ".join(lines) for key, lines in (("pages", pages), ("faq", faq)) if lines)
    return remedy


def _suggest_hiding(ruleset: Ruleset, run: ExampleRun, failing: Collection[str]) -> Iterator[str]:
    """Yield, for each page that shows an example, the YAML that hides it."""
    path = f"examples.{run.example.id}"
    for page in ruleset.pages.values():
        lines: list[str] = []
        beside: list[str] = []
        for section in page.sections:
            shown = [each.text for each in section.show]
            if path not in shown:
                continue
            items = _suggest_rest(section, ruleset, path)
            written = section.node.get("show")
            if isinstance(written, SequenceNode) and not _is_own(ruleset, written.span):
                others = [each for each in shown if each != path and each.partition(".")[2] in failing]
                beside += [f"`{{delete: {each}}}`" for each in others]
            lines.append(f"{section.id}: {{show: [{', '.join(items)}]}}")
        if lines:
            too = f"  # and {', '.join(beside)}, if you delete those as well" if beside else ""
            yield f"{page.id}: {{sections: {{{', '.join(lines)}}}}}{too}"


def _list_lost_proofs(ruleset: Ruleset, run: ExampleRun, failing: Collection[str]) -> Iterator[str]:
    """Yield, for each answer that an example proves, the YAML without the example."""
    for question in ruleset.faq.values():
        proving = [example.text for example in question.examples]
        if run.example.id not in proving:
            continue
        rest = [name for name in proving if name != run.example.id]
        saved = [name for name in rest if name not in failing]
        too = ""
        if saved != rest:
            gone = ", ".join(f"`{name}`" for name in rest if name in failing)
            too = f"  # `{_proved_by(saved)}` if you delete {gone} as well"
        yield f"{question.id}: {_proved_by(rest)}{too}"


def _proved_by(examples: Sequence[str]) -> str:
    return f"{{example: [{', '.join(examples)}]}}" if examples else "{delete: true}"


def _changed_already(section: Section, ruleset: Ruleset) -> Iterator[str]:
    """Yield the top layer's existing changes to a section's `show:`, to be repeated in a new list."""
    for file in ruleset.resolved.layers[-1].files:
        node: Node | None = file
        for key in ("pages", section.page, "sections", section.id, "show"):
            node = node.get(key) if isinstance(node, Mapping) else None
        for item in node.items if isinstance(node, SequenceNode) else ():
            if isinstance(item, Mapping):
                yield f"{{{', '.join(f'{key}: {each.value.to_plain()}' for key, each in item.entries.items())}}}"
