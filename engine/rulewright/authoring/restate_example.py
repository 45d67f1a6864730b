"""Rewrites of failing examples, so that they show what the rules do now."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.record import ChanceEntry
from rulewright.engine.game.script import Script, ScriptError, draw_outcome
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.faults import Allowance, RulesFault
from rulewright.engine.state.game_state import State
from rulewright.language.checked_steps import Step
from rulewright.ruleset.layers.effective_edits import INHERITED, build_effective_edits
from rulewright.ruleset.layers.source_edits import Tree, format_tree
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping
from rulewright.source.yaml.core_schema import parse_whole_number
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.testing.contradictions import OUTDATED_FAULTS, restate
from rulewright.testing.expected_values import write_value
from rulewright.testing.procedure_run import RunResult, run
from rulewright.testing.run_examples import DROPPED, ExampleRun, run_example

MOST_ADDED = 10
"""The maximum number of results and choices added to a script. A longer continuation is no longer the same example."""


_NEAR = (1, 2, 3, 4, 5, 10, 20, 50)
"""How far other results of a roll are from the old one, in the order in which they are tried."""

MOST_ROLLED = 150
"""The maximum number of runs in search of a roll with which an example passes as it is."""


@dataclass(frozen=True, slots=True)
class Restatement:
    """The entries with which an example passes again, and what they change as words, such as "3 choices, not 4".

    `is_scripted` is true if the example has another script.
    """

    entries: Tree
    words: str
    is_scripted: bool


class _RecordedScript(Script):
    """A script that records the rule that each of its choices was for, in `rules`."""

    def __init__(self, example: Example) -> None:
        super().__init__(example.dice, example.choose)
        self.rules: list[str] = []

    def _choice(self, ids: Sequence[str], state: State, step: Step, names: Names) -> int:
        self.rules.append(step.rule)
        return super()._choice(ids, state, step, names)


class _FittingScript(Script):
    """A script that keeps the entries that fit, and fills gaps. It ignores entries that do not fit or are left over.

    A choice only fits a decision of the rule that it was for, as far as the `rules` of the choices are known. A
    decision without a fitting entry gets the nearest number, or else the option that does least. A generator makes
    rolls without a fitting result.
    """

    def __init__(self, example: Example, rules: Sequence[str]) -> None:
        super().__init__(example.dice, tuple(map(str, example.choose)), generator=Generator(example.id, "fit"))
        self.rules = rules

    def _outcome(self, state: State, step: Step) -> ChanceEntry:
        """Return the next scripted outcome that fits, skipping those before it, or else a random one, skipping none."""
        before = self.rolled
        for place in range(before, len(self.dice)):
            self.rolled = place
            with suppress(ScriptError):
                return super()._outcome(state, step)
        # None of the rest fits here, but it may fit a later roll.
        self.rolled = before
        assert self.generator is not None
        return draw_outcome(state.roll, self.generator)

    def _choice(self, ids: Sequence[str], state: State, step: Step, names: Names) -> int:
        """Return the index of the scripted choice for this decision.

        If the next one is no option, it is replaced by a similar option. Otherwise, choices that do not fit are
        skipped. If none fits, the choice is to do nothing, or else the first option.
        """
        before = self.chosen
        left = [each for each in range(before, len(self.choices)) if not self.rules or self.rules[each] == step.rule]
        nearest = _find_nearest(self.choices[left[0]], ids) if left and self.choices[left[0]] not in ids else None
        if nearest is not None:
            self.chosen = left[0] + 1
            return nearest
        for place in left:
            self.chosen = place
            with suppress(ScriptError):
                return super()._choice(ids, state, step, names)
        self.chosen = before
        return next((ids.index(each) for each in _IDLE if each in ids), 0)

    def refuse_rest(self, span: Any, state: State | None = None) -> None:
        """Accept a script with entries left over."""


_IDLE = ("none", "nothing", "0")
"""The ids of options that do nothing, as `build_option_id` writes them for no object and for an empty list, and 0."""


def _find_nearest(entry: str, ids: Sequence[str]) -> int | None:
    """Return the option with the number nearest to an entry, or None if they are no numbers."""
    number, numbers = parse_whole_number(entry), [parse_whole_number(each) for each in ids]
    if number is None or None in numbers:
        return None
    return min(range(len(ids)), key=lambda place: abs((numbers[place] or 0) - number))


def restate_example(ruleset: Ruleset, example: Example, below: Ruleset | None = None) -> Restatement | None:
    """Return the entries with which a failing example passes, or None if it passes or there are none.

    Runs the example again. If its script no longer fits the rules, the entries have one that does. An inherited example
    also runs in the edition `below`, if that is known, to find which decision each choice was for.
    """
    allowance = Allowance()
    run = run_example(ruleset, example, allowance)
    if run.holds:
        return None
    own = ruleset.resolved.is_own(example.span)
    if below is not None and (dropped := _drop_own(ruleset, example, below, allowance)):
        return Restatement(dropped, "as inherited", is_scripted=False)
    if entries := _expect(run, own):
        return Restatement(entries, _describe_expected(run), is_scripted=False)
    if not example.of or any(each.code not in OUTDATED_FAULTS for each in run.problems.errors):
        return None
    scripted = _fit_script(ruleset, example, below, allowance)
    again = run_example(ruleset, scripted, allowance) if scripted is not None else None
    if scripted is None or again is None:
        return None
    entries, words = {}, []
    for key, one, old, new in (
        ("dice", "result", example.dice, scripted.dice),
        ("choose", "choice", example.choose, scripted.choose),
    ):
        if list(old) != list(new):
            entries[key] = write_value(new)
            count = f"{len(new)} {one if len(new) == 1 else f'{one}s'}, not {len(old)}" if new else f"no {one} is left"
            words.append(f"other {one}s" if len(old) == len(new) else count)
    if not again.holds:
        expected = _expect(again, own)
        if not expected:
            return None
        entries |= expected
    return Restatement(entries, " and ".join(words), is_scripted=True)


def change_dice(ruleset: Ruleset, example: Example) -> Restatement | None:
    """Return the rolls with which a failing example passes as it is, so that its texts stay true. None without any.

    One result differs from the old ones, and the nearest is found first.
    """
    allowance = Allowance()
    tried = ((place, by * sign) for by in _NEAR for place in range(len(example.dice)) for sign in (1, -1))
    for place, by in islice(tried, MOST_ROLLED):
        rolled = example.dice[place]
        if not isinstance(rolled, int) or rolled + by < 0:
            continue
        dice = (*example.dice[:place], rolled + by, *example.dice[place + 1 :])
        try:
            holds = run_example(ruleset, replace(example, dice=dice), allowance, with_log=False).holds
        except RulesFault:
            return None
        if holds:
            return Restatement({"dice": write_value(dice)}, ", ".join(map(str, dice)), is_scripted=True)
    return None


def add_dice_fix(ruleset: Ruleset, diagnostic: Diagnostic) -> Diagnostic:
    """Return an error in examples with the edits that give them other dice, and with these in its suggestion.

    Returns the diagnostic unchanged if it has edits, or if some of its examples have no dice with which they pass.
    """
    if diagnostic.severity != "error" or diagnostic.edits or not diagnostic.examples:
        return diagnostic
    tree: Tree = {}
    for name in diagnostic.examples:
        changed = change_dice(ruleset, ruleset.examples[name]) if name in ruleset.examples else None
        if changed is None:
            return diagnostic
        tree[name] = changed.entries
    whole: Tree = {"examples": tree}
    edits = build_effective_edits(ruleset.resolved, whole, beside=diagnostic.span.file)
    advice = ("change the dice, so that the results hold:", format_tree(whole), diagnostic.suggestion)
    suggestion = "\n".join(filter(None, advice))
    return replace(diagnostic, suggestion=suggestion, edits=edits) if edits else diagnostic


def _drop_own(ruleset: Ruleset, example: Example, below: Ruleset, allowance: Allowance) -> Tree:
    """Return the entries that drop the own script and results of an example, or {} if it does not pass without them."""
    inherited = below.examples.get(example.id)
    if inherited is None:
        return {}
    top = ruleset.resolved.layers[-1].name
    changed = {
        path[1:3]
        for path, origins in ruleset.resolved.history.list_section("examples").items()
        if origins[-1].layer == top
    }
    own = [key for key in ("dice", "choose", "expect", "reviewed") if (example.id, key) in changed]
    plain = replace(example, dice=inherited.dice, choose=inherited.choose, expect=inherited.expect)
    return dict.fromkeys(own, INHERITED) if own and run_example(ruleset, plain, allowance).holds else {}


def _fit_script(ruleset: Ruleset, example: Example, below: Ruleset | None, allowance: Allowance) -> Example | None:
    """Return the example with a script that fits, or None if it cannot run to its end with a few more entries."""
    rules: list[str] = []
    old = below.examples.get(example.id) if below is not None else None
    if below is not None and old is not None and old.choose == example.choose:
        recorded = _RecordedScript(old)
        passed = _run_script(below, old, allowance, recorded)
        rules = recorded.rules if passed is not None and len(recorded.rules) == len(example.choose) else []
    finished = _run_script(ruleset, example, allowance, _FittingScript(example, rules))
    if finished is None:
        return None
    added = len(finished.dice) + len(finished.choices) - len(example.dice) - len(example.choose)
    if added > MOST_ADDED:
        return None
    # Entries that were kept stay as they were written.
    written = {str(each): each for each in example.choose}
    choose = tuple(written.get(each, each) for each in finished.choices)
    return replace(example, dice=tuple(finished.dice), choose=choose)


def _run_script(ruleset: Ruleset, example: Example, allowance: Allowance, script: Script) -> RunResult | None:
    """Return the run of an example with a script, or None if it does not reach its end."""
    try:
        return run(
            ruleset,
            example.of,
            given=example.given,
            until=example.until,
            players=example.players,
            options=example.options,
            span=example.span,
            allowance=allowance,
            script=script,
        )
    except (DiagnosticError, RulesFault):
        return None


def _expect(run: ExampleRun, own: bool) -> Tree:
    """Return the entries that expect the actual results, as an own example or one of a lower layer needs them.

    The result is {} if no entries can express them.
    """
    entries = restate(run)
    if not own:
        return entries
    expected = entries.get("expect")
    if not isinstance(expected, dict):
        return entries
    if DROPPED in expected.values():
        return {}  # only rules that extend others can leave an expectation out
    return {"expect": {key: _grow(str(value)) for key, value in expected.items()}}


def _grow(text: str) -> Tree | str:
    """Return the parts of a record as a tree, because those that differ must not replace the others.

    Other values stay text.
    """
    file = read_text(f"value: {text}\n", "<restated>")
    node = file.entries["value"].value if isinstance(file, Mapping) else None
    if not isinstance(node, Mapping):
        return text
    return {key: write_value(entry.value.to_plain()) for key, entry in node.entries.items()}


def _describe_expected(run: ExampleRun) -> str:
    """Return the new value if only one is expected, with the expression that has it, else ""."""
    failed = [each for each in run.expectations if not each.holds]
    if len(failed) != 1 or not failed[0].restated:
        return ""
    (only,) = failed
    if only.restated == DROPPED:
        return f"without `{only.expression}`"
    return f"`{only.expression}` is {only.restated}" if run.finished is not None else only.restated
