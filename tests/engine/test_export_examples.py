"""An example that a host without Python goes through is the one that Python played, stop for stop."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.engine.game.decision import build_decision, describe_source
from rulewright.engine.game.record import ChanceEntry, ChoiceEntry, Entry
from rulewright.engine.game.script import list_option_ids
from rulewright.engine.narration.events import find_repeats, format_repeat
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.state_json import to_json
from rulewright.export.example_data import build_example_data, build_sample_data
from rulewright.export.write_export import write_export
from rulewright.testing.play_samples import SampleRun, play_sample
from rulewright.testing.procedure_run import RunResult
from rulewright.testing.run_examples import ExampleRun, run_examples
from tests.breadth import some
from tests.engine.test_export_view import view
from tests.language.inline import sound
from tests.published import RULES, editions

HOST = Path(__file__).parent / "hosts" / "examples.mjs"
DRAFTS = ("fuzzy-knights/normal@0.1.1", "fuzzy-knights/normal@0.2.1")
"""Most of their examples are those of the edition that they led to."""

NAMES = some(sorted(editions()), sorted({*editions()} - {*DRAFTS}))


def runs(name: str) -> dict[str, ExampleRun]:
    """Return the examples of an edition that carry out a procedure."""
    runs = run_examples(load_ruleset(name, rules=[RULES]))
    return {run.example.id: run for run in runs if run.finished is not None and run.holds}


def list_visible(finished: RunResult) -> list[int]:
    """Return the events that have words and are no headings."""
    return [
        number
        for number, moment in enumerate(finished.moments)
        if moment.event.text and moment.event.kind not in ("called", "ended")
    ]


@pytest.fixture(scope="module")
def examples() -> dict[str, dict[str, RunResult]]:
    return {name: {id_: run.finished for id_, run in runs(name).items() if run.finished} for name in NAMES}


@pytest.fixture(scope="module")
def samples() -> dict[str, dict[str, SampleRun]]:
    sample_run: dict[str, dict[str, SampleRun]] = {}
    for name in NAMES:
        ruleset = load_ruleset(name, rules=[RULES])
        played = {each.id: play_sample(ruleset, each) for each in ruleset.samples.values()}
        sample_run[name] = {id_: each for id_, each in played.items() if isinstance(each, SampleRun)}
    return sample_run


@pytest.fixture(scope="module")
def gone_through(
    examples: dict[str, dict[str, RunResult]],
    samples: dict[str, dict[str, SampleRun]],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, dict[str, Any]]:
    """Return what Node says of all of them."""
    whole = tmp_path_factory.mktemp("examples")
    jobs = []
    for name in NAMES:
        folder = whole / name.replace("/", "-")
        write_export(load_ruleset(name, rules=[RULES]), folder)
        data: dict[str, Any] = {
            id_: build_example_data(each, list_visible(each)) for id_, each in examples[name].items()
        }
        data |= {f"sample {id_}": build_sample_data(each) for id_, each in samples[name].items()}
        jobs.append({"folder": str(folder), "examples": data})
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    done = subprocess.run([program, HOST], input=json.dumps(jobs), capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    return dict(zip(NAMES, json.loads(done.stdout), strict=True))


def apply(state: State, entry: Entry) -> None:
    step = state.machine.step(state)
    assert step is not None
    match entry:
        case ChoiceEntry(option=option):
            state.apply(list_option_ids(state, step).index(option))
        case ChanceEntry(value=value):
            state.apply_outcome(value)


def stops(state: State, record: tuple[Entry, ...]) -> Iterator[dict[str, Any]]:
    """Yield what stands at each stop that the record goes on from."""
    for entry in record:
        step = state.machine.step(state)
        assert step is not None
        yield {
            "events": len(state.events or ()),
            "entry": entry.to_data(),
            "decision": build_decision(state).to_json() if state.mode == DECISION else None,
            "chance": {"rule": step.rule, "roll": describe_source(state.roll)} if state.mode == CHANCE else None,
            "view": view(state, "everything"),
        }
        apply(state, entry)


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def as_python(stop: dict[str, Any]) -> dict[str, Any]:
    """Return an option of a host says its place as well."""
    decision = stop["decision"]
    if decision is None:
        return stop
    options = [{"id": each["id"], "label": each["label"]} for each in decision["options"]]
    return stop | {"decision": decision | {"options": options}}


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_those_of_python_stop_for_stop(
    gone_through: dict[str, dict[str, Any]], examples: dict[str, dict[str, RunResult]], name: str
) -> None:
    for id_, finished in examples[name].items():
        result = gone_through[name][id_]
        assert finished.procedure is not None
        state = finished.start.clone()
        state.events = []
        state.machine.begin(state, finished.procedure.id, finished.arguments)
        assert list(map(as_python, result["stops"])) == plain(list(stops(state, finished.record))), id_
        assert to_json(state) == to_json(finished.state), id_
        assert result["end"] == plain(view(finished.state, "everything")), id_
        assert result["record"] == plain([line.to_data() for line in finished.record]), id_
        events = [moment.event for moment in finished.moments]
        expected = [[number + 1, events[number].text, events[number].rule] for number in list_visible(finished)]
        assert [step for step in result["steps"] if not step[1].endswith(" has chosen.")] == plain(expected), id_
        if finished.state.mode == OVER:
            assert result["there"] == {"state": plain(to_json(finished.state)), "record": result["record"]}, id_


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_those_of_python_stop_for_stop(
    gone_through: dict[str, dict[str, Any]], samples: dict[str, dict[str, SampleRun]], name: str
) -> None:
    for id_, played in samples[name].items():
        result = gone_through[name][f"sample {id_}"]
        ruleset = load_ruleset(name, rules=[RULES])
        game = Game(
            ruleset,
            players=played.sample.players,
            seed=played.sample.seed,
            options=played.sample.options,
            stop_at_chance=True,
        )
        expected = list(stops(game.state, played.record))
        decisions = [stop for stop in expected if stop["decision"] is not None]
        there = list(map(as_python, result["stops"]))
        assert [stop for stop in there if stop["decision"] is not None] == plain(decisions), id_
        # Of the dice that lay the table, a story says nothing.
        first = decisions[0]["events"]
        assert [stop for stop in there if stop["events"] > first] == plain(
            [stop for stop in expected if stop["events"] > first]
        ), id_
        assert result["end"] == plain(view(played.state, "everything")), id_
        story = [moment.event for moment in played.moments if not moment.event.set_up]
        say = ValueRenderer(ruleset)
        lines = [format_repeat(story[place], count, say) for place, count in find_repeats(story)]
        assert [text for _, text, _ in result["steps"]][-len(lines) :] == lines, id_
        # Whoever leaves it has the dice that the game itself makes fall.
        again = Game(ruleset, players=played.sample.players, seed=played.sample.seed, options=played.sample.options)
        for line in played.record:
            if isinstance(line, ChoiceEntry):
                again.choose(line.option)
        assert result["there"] == plain({"state": again.to_json(), "record": [e.to_data() for e in again.record]}), id_


def test_there_is_something_to_go_through(
    examples: dict[str, dict[str, RunResult]], samples: dict[str, dict[str, SampleRun]]
) -> None:
    assert sum(map(len, examples.values())) > 200
    assert sum(len(each.record) for found in samples.values() for each in found.values()) > 150
    assert any(each.paused for found in examples.values() for each in found.values())


OPENING = """\
const { load, openExample, GameError } = await import(`file://${process.argv[1]}/rules.js`);
const rules = await load(), said = [];
for (const dice of ["2d6", "2d7", "{2d6 as y: y}"]) {
  const data = JSON.parse(process.argv[2].replace("1d6", dice));
  try { said.push(openExample(rules, data).steps.length); }
  catch (error) { said.push(`${error instanceof GameError}: ${error.message}`); }
}
console.log(JSON.stringify(said));
"""


def test_dice_that_the_rules_never_name_are_refused_by_name(tmp_path: Path) -> None:
    rules = sound(
        "procedures:\n"
        "  game: {title: A, steps: [{id: on, do: throw, with: {dice: 2d6}}, {id: over, finish: {winners: players}}]}\n"
        "  throw: {title: A throw, given: {dice: dice}, steps: [{id: thrown, roll: dice}]}\n"
        "examples:\n"
        "  once: {title: Once, of: throw, given: {dice: 1d6}, dice: [4], expect: {thrown: 4}}\n"
    )
    (run,) = run_examples(rules)
    assert run.finished is not None
    write_export(rules, tmp_path)
    data = json.dumps(build_example_data(run.finished, list_visible(run.finished)))
    program = shutil.which("node")
    assert program is not None
    asked = [program, "--input-type=module", "-e", OPENING, str(tmp_path), data]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    assert json.loads(done.stdout) == [
        1,
        "true: these rules do not know `d7`",
        "true: these rules do not know `y`",
    ]


FAILING = """
kinds: {player: {fields: {points: count, hand: list of int}}}
procedures:
  game:
    steps:
      - {id: way, choose: {who: first(players), from: [go, stay]}}
      - {id: point, gain: {who: first(players), points: 1}}
      - {id: play, do: later}
  later:
    steps:
      - {id: more, gain: {who: first(players), points: 2}}
      - {id: card, choose: {who: first(players), one_of: first(players).hand}}
examples:
  after_a_choice: {title: After a choice, of: game, choose: [go], until: point, expect: {"players[1].points": 1}}
  at_once: {title: At once, of: later, until: more, expect: {"players[1].points": 2}}
"""
SHOW = """
import { readFileSync } from "node:fs";
const { folder, examples } = JSON.parse(readFileSync(0, "utf8"));
const { load, openExample } = await import(`file://${folder}/rules.js`);
const rules = await load(), found = {};
for (const [id, data] of Object.entries(examples)) {
  const example = openExample(rules, data), last = example.steps.length;
  const texts = example.steps.map(({ text }) => text);
  found[id] = { texts, last: example.at(last), view: example.view(last, "everything") };
}
console.log(JSON.stringify(found));
"""


def test_an_example_may_end_before_a_step_at_which_its_rules_fail(tmp_path: Path) -> None:
    ruleset = sound(FAILING)
    write_export(ruleset, tmp_path)
    finished = {run.example.id: run.finished for run in run_examples(ruleset) if run.finished is not None and run.holds}
    data = {id_: build_example_data(each, list_visible(each)) for id_, each in finished.items()}
    program = shutil.which("node")
    assert program is not None
    payload = json.dumps({"folder": str(tmp_path), "examples": data})
    done = subprocess.run(
        [program, "--input-type=module", "-e", SHOW], input=payload, capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr[:2000]
    report = json.loads(done.stdout)
    assert set(report) == {"after_a_choice", "at_once"}
    for id_, each in finished.items():
        assert report[id_]["texts"] == [each.moments[number].event.text for number in list_visible(each)]
        assert report[id_]["last"]["decision"] is None
        assert report[id_]["view"] == plain(view(each.state, "everything"))
