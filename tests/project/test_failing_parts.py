"""One part that fails takes no other down: it is named with its input, the rest is done, and the exit code is 1."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, cast

import pytest

from rulewright.analysis.fairness import questions
from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.questions import advantage, length
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.run_simulation import iterate_steps
from rulewright.base import plugins
from rulewright.base.errors import RulewrightError
from rulewright.book.rulebook import NOT_MADE
from rulewright.cli import commands
from rulewright.cli.main import main
from rulewright.dice.dice_error import DiceError
from rulewright.lsp import code_actions, code_lenses
from rulewright.lsp.features.available_actions import CodeAction
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset import lints, section
from rulewright.ruleset.boards.board_layout import BoardLayout
from rulewright.ruleset.lints.unused import UNUSED_DECLARATION as UNUSED
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.span import Span
from rulewright.studio import panels
from rulewright.studio.panels.panel import Panel
from rulewright.testing import check_edition, example_verdict
from rulewright.testing.run_examples import run_example
from tests.studio.windows import window

PLANTED = "planted in a test\nover several lines"
RULES = """\
numbers: {goal: {is: 3, means: Points to win.}, idle: 4}
terms: {point: {name: Point, means: What is rolled.}}
procedures:
  game:
    steps:
      - id: each
        for_each: player
        in: players
        steps:
          - {id: way, choose: {who: player, from: {on: {label: on}, off: {label: off}}}}
          - {id: face, roll: 1d6}
          - {id: over, finish: players, when: face >= goal or way == on}
      - {id: last, finish: players}
"""
MANIFEST = """\
ruleset: test/parts
version: 1.0.0
title: Parts
about: A game.
players: 2
start: game
"""


HERE = Span("rules.yaml", 1, 1, 1, 3)
BEYOND = Span("rules.yaml", 999, 1, 999, 3)


def fail(*_: object, **__: object) -> NoReturn:
    raise KeyError(PLANTED)


@pytest.fixture(autouse=True)
def details(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where details are written, by a process that has written none before, and knows no results of earlier checks."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    folder = tmp_path / "details"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(plugins, "_written", {})
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "rules" / "parts"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    return folder.parent


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, *(["--rules", str(home)] if "--help" not in words else [])])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def told_once(text: str, part: str, details: Path) -> None:
    """Check that a failure is one sentence that names the part, and a file with its traceback."""
    lines = [line for line in text.splitlines() if f"{part} failed" in line and "test/other" not in line]
    assert len(lines) == 1
    assert "KeyError" in lines[0]
    assert len(lines[0]) < 600
    assert "Traceback" not in text
    [file] = details.glob("rulewright-failure-*.txt")
    assert str(file) in lines[0]
    assert "in fail" in file.read_text(encoding="utf-8")


def test_a_lint(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path) -> None:
    code, _, sound = run("check", "test/parts")
    assert (code, sound.count("warning[")) == (0, 1)
    monkeypatch.setattr("rulewright.ruleset.lints.labels.lint", fail)
    code, _, err = run("check", "test/parts")
    assert code == 1
    told_once(err, "the lint `labels` (rulewright/ruleset/lints/labels.py)", details)
    assert "test/parts@1.0.0" in err
    assert sound.strip() in err  # the lints before and after it


def test_a_lint_that_ends_the_program(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path) -> None:
    *_, sound = run("check", "test/parts")
    monkeypatch.setattr("rulewright.ruleset.lints.labels.lint", lambda *_: sys.exit(0))
    code, _, err = run("check", "test/parts")
    assert code == 1
    assert "the lint `labels` (rulewright/ruleset/lints/labels.py) failed on test/parts@1.0.0 (SystemExit: 0)" in err
    assert sound.strip() in err


def test_an_error_of_the_engine_in_a_lint(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def roll(*_: object) -> NoReturn:
        raise DiceError("dice-limit", "more than allowed")

    *_, sound = run("check", "test/parts")
    monkeypatch.setattr("rulewright.ruleset.lints.labels.lint", roll)
    code, _, err = run("check", "test/parts")
    assert code == 1
    assert (
        "error[part-failed]: the lint `labels` (rulewright/ruleset/lints/labels.py) failed on test/parts@1.0.0" in err
    )
    assert "(DiceError: more than allowed)" in err
    assert sound.strip() in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((UNUSED, "said", None), "TypeError: `span` of a diagnostic must be of the type Span, not None"),
        ((UNUSED, None, HERE), "TypeError: `message` of a diagnostic must be of the type str, not None"),
        (("unused", "said", HERE), "TypeError: `code` of a diagnostic must be of the type Code, not 'unused'"),
        (
            (UNUSED, "said", HERE, ["x"]),
            "TypeError: `edits` of a diagnostic must be of the type Edit, not 'x'",
        ),
        ((UNUSED, "said", HERE, [Edit(HERE, "x"), Edit(HERE, "y")]), "ValueError: two edits overlap"),
        ((UNUSED, "said", HERE, [Edit(BEYOND, "x")]), "ValueError: an edit is outside the text"),
        (
            (UNUSED, "said", HERE, [Edit(Span("nix.yaml", 1, 1, 1, 1), "x")]),
            "ValueError: an edit is in nix.yaml, which does not exist",
        ),
    ],
)
def test_a_diagnostic_of_a_lint_that_makes_no_sense(
    run: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[Any, ...], message: str
) -> None:
    def lint(ruleset: Any, diagnostics: Any) -> None:
        file = ruleset.declarations.numbers["goal"].span.file
        code, said, span, *edits = arguments
        moved = [
            replace(each, span=replace(each.span, file=file))
            if isinstance(each, Edit) and each.span.file == HERE.file
            else each
            for each in (edits[0] if edits else ())
        ]
        diagnostics.add(code, said, span and replace(span, file=file), edits=moved)

    *_, sound = run("check", "test/parts")
    monkeypatch.setattr("rulewright.ruleset.lints.labels.lint", lint)
    code, _, err = run("check", "test/parts", "--fix", "--yes")
    assert code == 1
    assert f"the lint `labels` (rulewright/ruleset/lints/labels.py) failed on test/parts@1.0.0 ({message}" in err
    assert sound.strip() in err
    workspace = Workspace([home])
    workspace.texts.put(home / "parts" / "rules.yaml", RULES)
    results = [each for one in workspace.settle().diagnostics.values() for each in one]
    assert {each.code.id for each in results} == {"part-failed", "unused-declaration"}


def place(identity: str, column: float, **cells: object) -> tuple[str, tuple[str, dict[str, Any]]]:
    """Return a space of a board, as a board shape lays it out."""
    return identity, ("", {"column": column, "row": 1, "neighbours": (), "ahead": None, **cells})


def lay_out(*places: tuple[str, tuple[str, dict[str, Any]]], **more: Any) -> Callable[..., Any]:
    """Return the method of a board shape that returns these spaces."""
    return lambda *_: BoardLayout("track", ways={"ahead": ""}, places=dict(places), **more)


def refuse(*_: object) -> NoReturn:
    raise RulewrightError("no such track")


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (refuse, "RulewrightError: no such track"),
        (lambda *_: None, "TypeError: `lay_out` must return a BoardLayout, not NoneType"),
        (lay_out(place("a", 1), place("b", 1)), "ValueError: `a` and `b` have the same column and row, (1, 1)"),
        (lay_out(place("a", 1.5)), "TypeError: the column and the row of `a` must be integers, not (1.5, 1)"),
        (lay_out(place("a", 1, ahead="b")), "ValueError: `ahead` of `a` must be the id of a space or None, not 'b'"),
        (
            lay_out(place("a", 1, neighbours=("a", "b"))),
            "ValueError: `neighbours` of `a` must be a tuple of ids of spaces, not ('a', 'b')",
        ),
        (
            lay_out(place("a", 1, down="a"), several=("down",)),
            "ValueError: `down` of `a` must be a tuple of ids of spaces, not 'a'",
        ),
        (lay_out(place("a", 1), several=("down",)), "ValueError: the space `a` has no cell `down`"),
    ],
)
def test_a_board_shape(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, home: Path, work: Callable[..., Any], message: str
) -> None:
    (home / "parts" / "rules.yaml").write_text(RULES + "tables: {way: {track: {places: 3}}}\ncolour: 3\n")
    monkeypatch.setattr("rulewright.ruleset.boards.shapes.track.TrackShape.lay_out", work)
    code, _, err = run("check", "test/parts")
    assert code == 1
    part = "the board shape `track` (rulewright/ruleset/boards/shapes/track.py) failed on `way`"
    assert f"error[part-failed]: {part} ({message})" in err
    assert err.count("error[part-failed]") == 1
    assert "error[unknown-key]" in err  # the rest is checked


def test_a_signal_ends_the_program_within_any_part(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.ruleset.lints.labels.lint", lambda *_: signal.raise_signal(signal.SIGTERM))
    with pytest.raises(SystemExit) as ended:
        run("check", "test/parts")
    assert ended.value.code == 128 + signal.SIGTERM


def test_each_further_part_of_a_check(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    *_, sound = run("check", "test/parts")
    for name in (
        "testing.check_edition.check_answers",
        "testing.play_samples.check_samples",
        "testing.board_setups.check_setups",
        "ruleset.prose.prose_lint.lint_words",
        "ruleset.translation.translation_lint.lint_translations",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"rulewright.{name}", fail)
            code, _, err = run("check", "test/parts")
        assert code == 1
        assert err.count("error[part-failed]") == 1
        assert sound.strip() in err


def test_an_example(run: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = "{title: This, value: goal, expect: {value: 3}}"
    two = "{title: That, value: goal, expect: {value: 4}}"
    examples = f"examples: {{one: {one}, two: {two}}}\n"
    (home / "parts" / "rules.yaml").write_text(RULES + examples, encoding="utf-8")

    def one_fails(ruleset: Any, example: Any, allowance: Any) -> Any:
        return fail() if example.id == "one" else run_example(ruleset, example, allowance)

    monkeypatch.setattr(example_verdict, "run_example", one_fails)
    code, _, err = run("check", "test/parts")
    assert code == 1
    assert "the example `one` failed on test/parts@1.0.0" in err
    assert "error[example-failed]" in err  # the other one is judged


def test_a_section(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path, home: Path) -> None:
    other = home / "other"
    other.mkdir()
    (other / "ruleset.yaml").write_text(MANIFEST.replace("test/parts", "test/other"), encoding="utf-8")
    (other / "rules.yaml").write_text("number: {a: 1}\n", encoding="utf-8")
    numbers = section.load_sections()["numbers"]
    for hook in ("declare", "fill", "read"):
        with monkeypatch.context() as patch:
            patch.setattr(plugins, "_written", {})
            before = getattr(numbers, hook)
            object.__setattr__(numbers, hook, fail)  # a section is frozen
            try:
                code, _, err = run("check", "test/parts", "test/other")
            finally:
                object.__setattr__(numbers, hook, before)
        assert code == 1
        told_once(err, "the section `numbers`", details)
        assert "parts/rules.yaml:1:1" in err
        assert "error[unknown-key]" in err  # the other edition is checked
        next(details.iterdir()).unlink()


def test_reading_an_edition(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path) -> None:
    monkeypatch.setattr(check_edition, "build_ruleset", fail)
    code, _, err = run("check", "test/parts")
    assert code == 1
    told_once(err, "reading the rules", details)


def test_a_question_of_fairness(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path, home: Path
) -> None:
    code, sound, _ = run("fair", "test/parts", "--games", "5", "--json")
    assert code == 0
    data = [each["question"] for each in json.loads(sound)["answers"]]
    monkeypatch.setattr(length, "answer", fail)
    code, out, err = run("fair", "test/parts", "--games", "5", "--json", "--keep")
    assert code == 1
    told_once(err, "the question `length` (rulewright/analysis/fairness/questions/length.py)", details)
    assert "test/parts@1.0.0" in err
    assert [each["question"] for each in json.loads(out)["answers"]] == [each for each in data if each != "length"]
    assert not (home / "parts" / "fair.json").exists()


@pytest.mark.parametrize(
    ("returns", "message"),
    [
        (lambda: "ok", "rulewright/analysis/fairness/questions/length.py must return an Answer or None, not str"),
        (lambda: Answer(cast("tuple[str, ...]", "ok")), "must be a tuple of at least one text, not 'ok'"),
        (lambda: Answer(()), "must be a tuple of at least one text, not ()"),
        (lambda: Answer(cast("Any", ("Yes.", None))), "the sentences of an Answer must be a tuple of str, not"),
        (lambda: Answer(("Yes.",), cast("Any", ("x",))), "the metrics of an Answer must be a tuple of Metric, not"),
        (lambda: Answer(("Yes.",), commands=cast("Any", "x")), "the commands of an Answer must be a tuple of str, not"),
        (
            lambda: Answer(("Yes.",), missing=cast("Any", "x")),
            "`missing` of an Answer must be of the type int, not 'x'",
        ),
        (
            lambda: Metric("a", "b", 5, cast("Any", None), share=False),
            "a Metric needs a number and an interval of two, not 5",
        ),
        (
            lambda: Metric("a", cast("Any", None), 5, (1, 2), share=False),
            "the title of a Metric must be a text, not None",
        ),
        (lambda: sys.exit(4), "SystemExit: 4"),
    ],
)
def test_a_question_that_returns_no_answer(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, returns: Callable[[], Any], message: str
) -> None:
    monkeypatch.setattr(length, "answer", lambda _: returns())
    code, out, err = run("fair", "test/parts", "--games", "5", "--json")
    assert code == 1
    [line] = err.splitlines()
    assert (
        "the question `length` (rulewright/analysis/fairness/questions/length.py) failed on test/parts@1.0.0 (" in line
    )
    assert message in line
    data = [each["question"] for each in json.loads(out)["answers"]]
    assert "length" not in data
    assert "skill" in data


def test_a_question_about_a_bot_that_does_not_exist(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advantage, "answer", lambda table: table.play(("nobot", "random")))
    code, out, err = run("fair", "test/parts", "--games", "5", "--json")
    assert code == 1
    file = "rulewright/analysis/fairness/questions/advantage.py"
    assert f"the question `advantage` ({file}): there is no bot `nobot`" in err
    data = json.loads(out)
    assert [each["question"] for each in data["unanswered"]] == ["advantage"]
    assert "length" in [each["question"] for each in data["answers"]]
    code, out, err = run("fair", "test/parts", "--games", "5", "--players", "nobot")
    assert (code, err.count("no bot `nobot`")) == (1, 1)
    for question in questions.load_questions():
        monkeypatch.setattr(import_module(f"{questions.__name__}.{question.id}"), "answer", refuse)
    assert run("fair", "test/parts", "--games", "5")[::2] == (1, "error: no such track\n")


def test_a_report_of_what_games_did(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path) -> None:
    monkeypatch.setattr("rulewright.analysis.simulation.simulation_report.label_option", fail)
    code, out, err = run("simulate", "test/parts", "--games", "5", "--coverage")
    assert code == 1
    told_once(err, "the simulation report", details)
    assert "5 games" in out


def test_games_that_were_played_are_told_where_a_later_one_goes_wrong(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def goes_wrong(*given: Any, **more: Any) -> Iterator[Any]:
        yield from iterate_steps(*given, **more)
        raise RulewrightError("a step cannot be carried out")

    monkeypatch.setattr("rulewright.analysis.simulation.run_simulation.iterate_steps", goes_wrong)
    code, out, err = run("simulate", "test/parts", "--games", "5")
    assert code == 1
    assert "a game went wrong: these are the results of 5 games" in out
    assert err == "error: a step cannot be carried out\n"


@pytest.mark.parametrize("words", [("book", "build", "test/parts"), ("book", "export")])
def test_a_page_of_the_book(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("rulewright.book.rulebook.render_glossary_page", fail)
    to = tmp_path / "site"
    output = [str(to), "test/parts"] if words[-1] == "export" else ["--output", str(to)]
    code, _, err = run(*words, *output)
    assert code == 1
    told_once(err, "the page `glossary.md`", details)
    assert "test/parts@1.0.0" in err
    [glossary] = [path for path in to.rglob("glossary.*") if path.suffix in (".md", ".html")]
    assert NOT_MADE in glossary.read_text(encoding="utf-8")
    rest = [path for path in glossary.parent.glob(f"*{glossary.suffix}") if path.stem not in ("glossary", "whole")]
    assert len(rest) > 3
    assert not any(NOT_MADE in path.read_text(encoding="utf-8") for path in rest)


@contextmanager
def without_module(name: str) -> Iterator[None]:
    """Have the module imported anew, by which it raises."""
    before = sys.modules.pop(name, None)
    package, _, short = name.rpartition(".")
    sys.modules[name] = None  # type: ignore[assignment]  # Python raises ImportError for it
    try:
        yield
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before
            setattr(sys.modules[package], short, before)


def test_a_command_that_cannot_be_loaded(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    broken = f"{commands.__name__}.roll"
    with without_module(broken):
        code, _, err = run("roll", "1d6", "--seed", "1")
        assert code == 1
        file = "rulewright/cli/commands/roll.py"
        assert err.startswith(f"error: the command `roll` ({file}) failed (ModuleNotFoundError")
        assert err.count("\n") == 1
        assert run("check", "test/parts")[0] == 0
    for name, wrong in (("TASKS", None), ("EXAMPLE", ("a tuple",)), ("configure", fail), ("run", None)):
        with monkeypatch.context() as patch:
            patch.setattr(f"{broken}.{name}", wrong)
            code, _, err = run("roll", "1d6", "--no-such-option")
            assert code == 1
            assert err.startswith("error: the command `roll`")
            with pytest.raises(SystemExit) as left:
                run("--help")
            assert left.value.code == 0
            assert run("check", "test/parts")[0] == 0


def test_an_exception_that_nobody_expects(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, details: Path
) -> None:
    monkeypatch.setattr("rulewright.cli.commands.list.run", fail)
    code, out, err = run("list")
    assert (code, out) == (1, "")
    told_once(err, "error: the command `list` (rulewright/cli/commands/list.py)", details)
    assert err.count("\n") == 1
    for wrong in ("text", None):
        monkeypatch.setattr("rulewright.cli.commands.list.run", lambda _, wrong=wrong: wrong)
        code, out, err = run("list")
        assert (code, out) == (1, "")
        assert f"(PluginError: `run` must return the exit code, not {wrong!r})" in err


@pytest.mark.parametrize(
    ("package", "member", "found"),
    [
        (lints, "labels", lambda: [name for name, module in loaded(lints).items() if isinstance(module, ModuleType)]),
        (questions, "length", lambda: [each.id for each in questions.load_questions()]),
        (panels, "odds", lambda: [name for name, each in unwrap(panels.load_panels)().items() if each.place < 1_000]),
        (code_lenses, "run", lambda: [*unwrap(code_lenses.load_kinds)()]),
        (code_actions, "extract_constant", lambda: [name for name, _ in unwrap(code_actions.load_kinds)()]),
    ],
)
def test_a_member_that_cannot_be_loaded_is_broken_alone(
    package: ModuleType, member: str, found: Callable[[], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = found()
    assert member in whole
    with without_module(f"{package.__name__}.{member}"):
        left = found()
        assert loaded(package)[member].name == member  # a `Broken`
    assert set(whole) - set(left) <= {member}
    assert len(left) >= len(whole) - 1


def loaded(package: ModuleType) -> dict[str, Any]:
    folder: plugins.PluginFolder = package.FOLDER
    return folder.load_all()


def test_an_action_of_an_editor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], details: Path
) -> None:
    change = CodeAction("Do it")
    monkeypatch.setattr(
        code_actions, "load_kinds", lambda: (("extract_constant", fail), ("other", lambda asked: iter([change])))
    )
    monkeypatch.setattr(code_actions, "find_symbol", lambda *_: None)
    place = Span.for_file("rules.yaml")
    assert code_actions.list_actions(cast(Workspace, None), Path("rules.yaml"), place, ()) == [change]
    told_once(capsys.readouterr().err, "error: the action `extract_constant`", details)


def test_a_panel(
    home: Path, monkeypatch: pytest.MonkeyPatch, details: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    panels_ = {**panels.load_panels(), "read": Panel("Read", 1, fail, fail)}
    monkeypatch.setattr("rulewright.studio.http.http_app.load_panels", lambda: panels_)
    place = {"path": "parts/rules.yaml", "line": 1, "column": 1}
    with window(home) as asking:
        response = asking.post("/api/panel/read", **place)
        assert response["status"] == 500
        told_once(response["error"]["message"], "the panel `read`", details)
        assert "parts/rules.yaml, line 1" in response["error"]["message"]
        assert asking.post("/api/panel/odds", **place)["ref"] == "test/parts@1.0.0"
        assert asking.client.get("/book/nothing").status_code == 404  # though a panel fails that is asked for it
    assert "Traceback" not in capsys.readouterr().err


def test_details_are_written_once_and_not_without_end(details: Path) -> None:
    def raised(depth: int) -> Exception:
        try:
            exec(compile("\n" * depth + "fail()", "planted", "exec"), {"fail": fail})
        except KeyError as error:
            return error
        raise AssertionError

    for _ in range(3):
        assert plugins.write_details(raised(1), "a part") is not None
    assert len(list(details.iterdir())) == 1
    for depth in range(2, plugins.MOST_FILES + 5):
        plugins.write_details(raised(depth), "a part")
    assert len(list(details.iterdir())) == plugins.MOST_FILES
    assert all(path.stat().st_mode & 0o077 == 0 for path in details.iterdir())


def test_what_no_file_can_hold_is_said_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.mkstemp", lambda **_: (_ for _ in ()).throw(OSError("full")))
    assert str(plugins.Failure("the lint `a`", "b", KeyError("c"))) == (
        "the lint `a` failed on b (KeyError: 'c'); its details cannot be written"
    )
