"""Each way in which an edition, or one thing of it, is not found gives its golden message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.base.errors import RulesetWarning
from rulewright.ruleset.editions import edition, search_path, zip_archives
from rulewright.ruleset.editions import edition_diagnostics as catalogue_codes
from rulewright.ruleset.editions.catalogue import Catalogue, report_shadowed
from rulewright.ruleset.load_ruleset import load_edition, load_ruleset
from rulewright.ruleset.queries import lookup
from rulewright.ruleset.schema import edition_reference
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "catalogue"


def write(folder: str, ruleset: str, *, extends: str = "", status: str = "", name: str = "ruleset.yaml") -> None:
    Path(folder).mkdir(parents=True)
    text = f"ruleset: {ruleset}\nversion: 1.0.0\ntitle: A game\n" + (f"extends: {extends}\n" if extends else "")
    text += f"status: {status}\n" if status else ""
    Path(folder, name).write_text(text)


def find(expected: str) -> None:
    catalogue = Catalogue([Path("rules")])
    catalogue.chain(catalogue.find(parse_reference(expected)))


def raise_broken() -> None:
    raise DiagnosticError(d for broken in Catalogue([Path("rules")]).list_broken() for d in broken.diagnostics)


def walk_a_file() -> None:
    Path("rules").write_text("no folder\n")
    diagnostics = Diagnostics()
    assert list(edition.walk(Path("rules"), diagnostics)) == []
    diagnostics.raise_if_errors()


def the_same_twice() -> None:
    write("rules/a", "pig/classic")
    write("rules/b", "pig/classic")
    raise_broken()


def a_file_that_was_just_begun() -> None:
    write("rules/a", "pig/classic")
    Path("rules/a/rules.yaml").write_text("")
    (begun,) = Catalogue([Path("rules")]).list_editions()
    raise DiagnosticError(edition.read_parts(begun).diagnostics)


def more_than_anybody_writes() -> None:
    """Two layers, of which neither is too large alone."""
    write("rules/below", "pig/below")
    write("rules/above", "pig/above", extends="pig/below@1")
    for folder, files in (("below", 2), ("above", 1)):
        for number in range(files):
            Path(f"rules/{folder}/{number}.yaml").write_text("numbers: {}\n" + "#" * 900_000, encoding="utf-8")
    catalogue = Catalogue([Path("rules")])
    load_edition(catalogue, catalogue.find(parse_reference("pig/below")))[1].raise_if_errors()
    _, diagnostics = load_edition(catalogue, catalogue.find(parse_reference("pig/above")))
    diagnostics.raise_if_errors()


def rules_in_capitals() -> None:
    write("rules/a", "pig/classic")
    Path("rules/a/steps.YAML").write_text("numbers: {goal: 100}\n")
    diagnostics = Diagnostics()
    edition.list_rules_files(Path("rules/a"), diagnostics)
    diagnostics.raise_if_errors()


def words_of_no_language() -> None:
    write("rules/a", "pig/classic")
    Path("rules/a/words").mkdir()
    Path("rules/a/words/German.yaml").write_text("edition: {title: Das Schwein}\n")
    diagnostics = Diagnostics()
    edition.list_words_files(Path("rules/a"), diagnostics)
    diagnostics.raise_if_errors()


def a_circle() -> None:
    write("rules/a", "pig/a", extends="pig/b")
    write("rules/b", "pig/b", extends="pig/a@1")
    find("pig/a")


def an_unknown_ruleset() -> None:
    write("rules/a", "pig/classic")
    find("pig/clasic@1.0")


def an_unknown_version() -> None:
    write("rules/a", "pig/classic")
    find("pig/classic@^2")


def an_abstract_edition() -> None:
    write("rules/core", "pig/core", status="abstract")
    write("rules/a", "pig/classic", extends="pig/core")
    load_ruleset("pig/core", rules=["rules"])


def a_folder_without_rules() -> None:
    write("rules/a", "pig/classic")
    Path("house/notes").mkdir(parents=True)
    Catalogue([Path("house"), Path("rules")]).refuse_bare([Path("rules"), Path("house")])


def rules_without_a_manifest() -> None:
    Path("house/notes").mkdir(parents=True)
    Path("house/rules.yaml").write_text("numbers: {goal: 100}\n")
    load_ruleset("./house")


def rules_without_a_manifest_on_the_path() -> None:
    write("rules/a", "pig/classic")
    Path("house").mkdir()
    Path("house/rules.yaml").write_text("numbers: {goal: 100}\n")
    load_ruleset("house/pig", rules="house")


def a_folder_for_a_reference() -> None:
    write("house/a", "pig/classic")
    write("house/b", "pig/long", status="released")
    load_ruleset("house")


def a_misnamed_manifest() -> None:
    write("rules/a", "pig/classic", name="ruleset.yml")
    raise_broken()


def other_gameplay() -> None:
    write("rules/a", "pig/classic")
    with Path("rules/a/ruleset.yaml").open("a") as file:
        file.write("rounding: truncate\nplayers: 1..2\n")
    load_ruleset("pig/classic", rules="rules", digest="0123456789abcdef")


def a_shadow() -> None:
    write("house/a", "pig/classic")
    write("rules/a", "pig/classic", status="released")
    catalogue = Catalogue([Path("house"), Path("rules")])
    raise DiagnosticError(report_shadowed(catalogue, catalogue.find(parse_reference("pig/classic"))))


def a_name_of_two_things() -> None:
    write("rules/a", "pig/classic")
    Path("rules/a/rules.yaml").write_text(
        "numbers: {goal: 100}\nterms: {goal: {name: Goal, means: What is aimed at.}}\n"
    )
    with pytest.warns(RulesetWarning, match="shadowed-edition"):  # it hides the one that is shipped
        ruleset = load_ruleset("pig/classic", rules="rules")
    lookup.find_node(ruleset, "goal")


def a_zip_that_is_none() -> None:
    Path("house.zip").write_text("no zip\n")
    load_ruleset("pig/classic", rules="house.zip")


WAYS: dict[str, Callable[[], object]] = {
    "bad_reference": lambda: parse_reference("pig/classic@newest"),
    "folder_missing": lambda: search_path.search_path([Path("house")]),
    "folder_unreadable": walk_a_file,
    "same_edition_twice": the_same_twice,
    "extends_itself": a_circle,
    "unknown_ruleset": an_unknown_ruleset,
    "unknown_version": an_unknown_version,
    "abstract_edition": an_abstract_edition,
    "no_rules_here": a_folder_without_rules,
    "no_manifest_here": rules_without_a_manifest,
    "no_manifest_on_the_path": rules_without_a_manifest_on_the_path,
    "folder_for_a_reference": a_folder_for_a_reference,
    "other_gameplay": other_gameplay,
    "shadowed_edition": a_shadow,
    "several_of_a_name": a_name_of_two_things,
    "zip_unreadable": a_zip_that_is_none,
    "package_without_rules": lambda: search_path.find_module_folder("own", "own_games.rules", package="own-games"),
    "manifest_name": a_misnamed_manifest,
    "rules_file_name": rules_in_capitals,
    "words_file_name": words_of_no_language,
    "edition_too_large": more_than_anybody_writes,
    "empty_rules_file": a_file_that_was_just_begun,
}


@pytest.mark.parametrize("name", WAYS)
def test_it_is_explained(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DiagnosticError) as caught:
        WAYS[name]()
    assert_golden(f"{name}.txt", f"{caught.value}\n", folder=FOLDER)


def test_every_code_has_a_golden_message() -> None:
    modules = (catalogue_codes, edition, edition_reference, search_path, zip_archives)
    own = {value.id for module in modules for value in vars(module).values() if isinstance(value, Code)}
    folders_of_goldens = (FOLDER, FOLDER.parent / "stacks")
    goldens = "".join(
        path.read_text(encoding="utf-8") for folder in folders_of_goldens for path in folder.glob("*.txt")
    )
    assert [code for code in sorted(own) if f"[{code}]" not in goldens] == []
