"""The reference leaves nothing out: every key, verb, operator, function, form of dice, code and command is in it."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import get_args

import pytest
from reference import pages, steps
from reference.diagnostics import GUIDES
from reference.dice import FORMS, REFUSED
from reference.expressions import OPERATORS

from rulewright import load_ruleset
from rulewright.analysis.fairness.questions import load_questions
from rulewright.base.resources import find_resource
from rulewright.cli import commands
from rulewright.cli.main import main
from rulewright.engine.game.game_error import GameErrorCode
from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.statement import load_statements
from rulewright.ruleset.boards.board_shape import list_shape_keys
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.schema.model import build_rules_shape


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    with pytest.MonkeyPatch.context() as environment:
        # As on a terminal, where Python 3.14 colours usage: the pages have none of that.
        environment.delenv("PYTHON_COLORS", raising=False)
        environment.setenv("FORCE_COLOR", "1")
        return pages()


def test_no_page_holds_the_colours_of_a_terminal(reference: dict[str, str]) -> None:
    assert [name for name, page in reference.items() if "\x1b" in page] == []


def forms(grammar: str) -> set[str]:
    """Return the names a grammar gives its forms."""
    text = (find_resource("grammar") / grammar).read_text(encoding="utf-8")
    return set(re.findall(r"-> (\w+)", text))


def test_every_section_and_verb_has_a_heading(reference: dict[str, str]) -> None:
    for section in build_rules_shape().members:
        assert f"\n## `{section}:`\n" in reference["files.md"]
    for verb in load_statements():
        assert f"\n## `{verb}:`\n" in reference["steps.md"]


def test_every_verb_is_shown_as_the_rulebook_says_it(reference: dict[str, str]) -> None:
    for section in reference["steps.md"].split("\n## ")[2:]:
        verb = section.partition("\n")[0]
        assert "```yaml\n- " in section, section
        assert "\n> " in section, f"no recipe in site/docs/cookbook has a step of at most 8 lines with {verb}"


def test_a_verb_that_only_recipes_use_says_where_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "_shipped", lambda: ())
    monkeypatch.setattr(steps, "_recipes", lambda verb: (load_ruleset("pig/classic"),))
    page = steps.page()
    assert "until all have chosen. The game pauses here for a player's decision." in page
    assert "in the order in which they were rolled. The game pauses here for a chance event." in page


def test_adapters_are_told_without_the_libraries_they_need(reference: dict[str, str]) -> None:
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['gymnasium', 'pettingzoo', 'pyspiel', 'numpy']));"
        "from reference.python import page; print(page())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=find_resource("rules").parent / "site",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.rstrip() == reference["python.md"].rstrip()
    for heading in (
        "pettingzoo.env",
        "gymnasium.make_vec",
        "vector_games.make",
        "openspiel.load_game",
        "GameSetting.for_ruleset",
        "build_example_data",
        "MissingExtraError",
    ):
        assert f"## `{heading}`" in done.stdout


def test_every_form_of_dice_is_there() -> None:
    assert {name for name, *_ in FORMS} | {name for name, _ in REFUSED} == forms("dice.lark")


def test_no_mean_of_dice_is_a_long_fraction(reference: dict[str, str]) -> None:
    assert "| about 12.2446 |" in reference["dice.md"]
    assert re.findall(r"\| \d+/\d{4,} \|", reference["dice.md"]) == []


def test_every_form_of_an_expression_is_there(reference: dict[str, str]) -> None:
    said = {
        "conditional": "a if c else b",
        "disjunction": "a or b",
        "conjunction": "a and b",
        "negation": "not a",
        "comparison": "a < b, <=, >, >=",
        "membership": "a in list",
        "exclusion": "a in list",
        "plus": "a + b",
        "minus": "a - b",
        "times": "a * b",
        "divided": "a / b",
        "remainder": "a % b",
        "minus_sign": "-a",
    }
    values = {
        "field",
        "index",
        "name",
        "integer",
        "dice",
        "listing",
        "call",
        "row_call",
        "aggregate",
    }  # told in sentences
    types = {"named_type", "optional_type", "list_type", "map_type", "choice_type"}
    assert set(said) | values | types == forms("expression.lark")
    assert set(said.values()) <= {name for name, *_ in OPERATORS}
    for function in (*list_functions_of_values().values(), *list_functions().values(), *list_walks().values()):
        assert f"| `{function.signature}` |" in reference["expressions.md"]


@pytest.mark.parametrize(
    "row",
    [
        "| `a + b` | number, number → number<br>number, dice → dice",
        "| `a < b, <=, >, >=` | number, number → yes or no<br>row, row → yes or no |",
        "| `sum(list)` | list of number → number<br>list of dice → dice |",
        "| `first(list)` | list of anything → optional one of them |",
        "| `-a` | number → number<br>dice → dice |",
    ],
)
def test_types_are_those_the_checker_accepts(reference: dict[str, str], row: str) -> None:
    assert row in reference["expressions.md"]


def test_a_function_that_takes_values_of_any_type_lists_no_types(reference: dict[str, str]) -> None:
    assert "| `after(procedure(…), condition)` |  | True if" in reference["expressions.md"]


def test_every_code_is_there(reference: dict[str, str]) -> None:
    declared = {
        code
        for path in (find_resource("grammar").parent / "engine").rglob("*.py")
        for code in re.findall(r"= Code\(\s*\"([a-z0-9-]+)\"", path.read_text(encoding="utf-8"))
    }
    assert declared
    groups = {name: page for name, page in reference.items() if name.startswith("diagnostics/")}
    explained = {code: name for name, page in groups.items() for code in re.findall(r"^## `([a-z0-9-]+)`$", page, re.M)}
    assert declared == set(explained)
    # Editors link to the code in the index, which links to its page.
    for code, name in explained.items():
        assert f'<span id="{code}"></span>[`{code}`]({name}#{code}) |' in reference["diagnostics.md"]
    assert len(groups) >= 6
    for page in groups.values():
        codes = re.findall(r"^## `([a-z0-9-]+)`$", page, re.MULTILINE)
        assert 1 < len(codes) < 40
        assert codes == sorted(codes)
    assert explained["tab"] == "diagnostics/files-and-yaml.md"
    assert explained["text-outdated"] == "diagnostics/texts-and-pictures-of-the-book.md"


@pytest.mark.parametrize("code", GUIDES)
def test_a_code_links_to_the_section_that_shows_its_solution(code: str, reference: dict[str, str]) -> None:
    title, address = GUIDES[code]
    page, _, anchor = address.partition("#")
    docs = find_resource("grammar").parent / "site" / "docs"
    assert f"\n## {title}\n" in (docs / page).read_text(encoding="utf-8")
    assert anchor == title.lower().replace(" ", "-")
    entries = "".join(text for name, text in reference.items() if name.startswith("diagnostics/"))
    assert f"[{title}](../../{address})" in entries.partition(f"## `{code}`")[2].partition("\n## ")[0]


def test_every_code_of_a_game_error_is_in_the_table() -> None:
    page = (find_resource("rules").parent / "site/docs/integrate/errors.md").read_text(encoding="utf-8")
    table = page.partition("## Codes of GameError")[2].partition("\n\n```")[0]
    assert re.findall(r"(?m)^\| `([a-z-]+)` \|", table) == ["code", *get_args(GameErrorCode)]


def test_every_command_has_a_page_and_tasks(reference: dict[str, str]) -> None:
    for command, module in commands.FOLDER.iterate_working():
        page = reference[f"commands/{command}.md"]
        assert page.startswith(f"# `rulewright {command}`\n")
        assert f"usage: rulewright {command} " in page
        assert f"\n**Tasks.** {module.TASKS}\n" in page
        assert f"| {module.TASKS} | [" in reference["commands.md"]
        assert f"[`{command}`](commands/{command}.md)" in reference["commands.md"]


def test_a_command_shows_a_line_that_was_run_and_its_options_as_a_table(
    reference: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    run = {}
    for name in commands.FOLDER.list_names():
        page = reference[f"commands/{name}.md"]
        assert "```sh\nrulewright " in page, name
        assert "| option | what it does |" in page, name
        assert "options:" not in page, name
        run |= dict(re.findall(r"```sh\n(rulewright [^\n]*)\n```\n\n```text\n(?!usage)(.*?)\n```", page, re.DOTALL))
    assert len(run) >= 7
    for line, printed in run.items():
        main(shlex.split(line)[1:])
        streams = capsys.readouterr()
        first = printed.splitlines()[0]
        assert first in streams.out + streams.err, line
    assert "| `--seed N` | random seed (same seed, same dice) |" in reference["commands/roll.md"]


def test_every_shipped_game_has_a_page() -> None:
    games = find_resource("rules").parent / "site" / "docs" / "games"
    text = "".join(page.read_text(encoding="utf-8") for page in games.glob("*.md"))
    shipped = {edition.ruleset for edition in Catalogue([find_resource("rules")]).list_editions()}
    assert len(shipped) > 10
    assert {ruleset for ruleset in shipped if f"{ruleset}@" not in text and f"`{ruleset}`" not in text} == set()
    listed = re.findall(r"\]\((\w[\w-]*\.md)\) \|", (games / "index.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(page.name for page in games.glob("*.md") if page.name != "index.md")


def test_the_page_on_fairness_measures_has_every_question() -> None:
    page = (find_resource("site") / "docs" / "reference" / "fairness.md").read_text(encoding="utf-8")
    assert [each.title for each in load_questions() if f"\n## {each.title}" not in page] == []


def test_the_page_on_boards_shows_every_shape() -> None:
    page = (find_resource("site") / "docs" / "design" / "boards.md").read_text(encoding="utf-8")
    assert [name for name in list_shape_keys() if f"{name}: {{" not in page] == []
