"""The architecture: who may import whom, how long a file and how full a folder may grow, and no word of any game."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from rulewright.language.statement import load_statements
from tests.language.test_verbs import LANGUAGE
from tests.unchanged import statements

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "engine"
PACKAGE = "rulewright"

with (ROOT / "pyproject.toml").open("rb") as file:
    LAYERS: tuple[frozenset[str], ...] = tuple(map(frozenset, tomllib.load(file)["tool"]["layers"]["packages"]))

LONGEST_FILE = 600
FULLEST_FOLDER = 20  # entries beside `__init__.py`: what one look takes in
PLUG_IN_FOLDERS = frozenset(
    {
        *("ai/bots", "analysis/fairness/questions", "analysis/odds/policies", "book/changes/sections"),
        *(
            "book/languages/de/statements",
            "book/pages/entries",
            "cli/commands",
            "engine/backends",
            "language/builtins",
            "language/statements",
        ),
        *(
            "lsp/code_actions",
            "lsp/code_lenses",
            "ruleset/boards/shapes",
            "ruleset/lints",
            "ruleset/sections",
            "source/diagnostics/formats",
        ),
        *("studio/panels",),
    }
)
"""Folders that hold one file for each plug-in of a kind, and so have no limit."""

LONGER_FILES: dict[str, int] = {}  # path under engine/ → lines allowed; each with its reason

GAME_WORDS = frozenset(
    {
        *("hero", "heroes", "settlement", "settlements", "monster", "monsters", "mercenary", "mercenaries"),
        *("guardian", "guardians", "amulet", "amulets", "daybreak", "armory", "rampart", "ramparts"),
        *("castle", "castles", "villa", "villas", "fuzzy", "mine", "mines", "coin", "coins", "knight", "knights"),
    }
)
REACHES = re.compile(r"(?<!\bself)\s*\.\s*_(?!_)")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")  # also the words inside snake_case and CamelCase


@cache
def modules() -> dict[str, Path]:
    """Return every module of the package by its dotted name; a package goes by the name of its folder."""
    by_text = {}
    for path in sorted((ENGINE / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ENGINE).with_suffix("").parts
        by_text[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return by_text


@cache
def imports(module: str) -> tuple[tuple[str, int], ...]:
    """Return the modules of this package that `module` names in an import, wherever it stands, with the line."""
    return tuple(_imports(module))


def _imports(module: str) -> Iterator[tuple[str, int]]:
    path = modules()[module]
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in statements(ast.parse(path.read_text(encoding="utf-8"), path)):
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names if name.name.split(".")[0] == PACKAGE)
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            if source.split(".")[0] == PACKAGE:
                for name in node.names:
                    inner = f"{source}.{name.name}"
                    yield (inner if inner in modules() else source), node.lineno


def package_of(module: str) -> str:
    """Return the package that `module` belongs to: the first name under the package."""
    return [*module.split("."), "__init__"][1]


def layer_of(module: str) -> int:
    """Return the floor of `module`, counted from the ground."""
    part = package_of(module)
    layers = [number for number, parts in enumerate(LAYERS) if part in parts]
    assert layers, f"{module} is in no layer: give `{part}` one in pyproject.toml, or move it"
    return layers[0]


def text_files(*folders: str) -> list[Path]:
    """Return every file of text under the folders of the checkout."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*")))
    return [path for path in paths if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".wasm"]


def show_path(path: Path) -> str:
    """Return the path as a person in the checkout would write it."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("module", modules())
def test_imports_come_from_lower_layers(module: str) -> None:
    faults = [
        f"{show_path(modules()[module])}:{line} imports {target}, which is not in a lower layer"
        for target, line in imports(module)
        if package_of(target) != package_of(module) and layer_of(target) >= layer_of(module)
    ]
    assert not faults, "\n".join(faults)


def test_no_circle_of_imports() -> None:
    graph = {module: {target for target, _ in imports(module)} for module in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a circle of imports: " + " → ".join(reversed(error.args[1])), pytrace=False)


C_FUNCTION = re.compile(r"^(?P<static>static )?[\w* ]+?\*?(?:EXPORT\()?(?P<name>\w+)\)?\([^;{]*\) \{", re.MULTILINE)


def test_no_circle_of_files_in_the_runtime() -> None:
    sources = {path.stem: path.read_text(encoding="utf-8") for path in (ENGINE / "runtime").glob("*.c")}
    sources = {stem: re.sub(r"/\*.*?\*/|^extern .*?;", "", text, flags=re.S | re.M) for stem, text in sources.items()}
    functions = {stem: list(C_FUNCTION.finditer(text)) for stem, text in sources.items()}
    homes = {each["name"]: stem for stem, found in functions.items() for each in found if not each["static"]}
    graph = {
        stem: {homes[name] for name in re.findall(r"\b(\w+)\(", text) if name in homes and name not in own} - {stem}
        for stem, text in sources.items()
        for own in [{each["name"] for each in functions[stem]}]
    }
    assert graph["mcts"] >= {"lookahead", "memory"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a circle of files: " + " → ".join(reversed(error.args[1])), pytrace=False)


def test_no_circle_of_neighbours() -> None:
    """Two folders of one package do not import each other: one of them is the lower one."""
    edges: dict[str, set[str]] = {}
    for module, path in modules().items():
        room = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for target, _ in imports(module):
            other = target if modules()[target].name == "__init__.py" else target.rpartition(".")[0]
            if not f"{room}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{room}."):
                edges.setdefault(room, set()).add(other)
    circles = sorted({tuple(sorted((a, b))) for a, others in edges.items() for b in others if a in edges.get(b, ())})
    assert not circles, circles


def test_no_folder_is_crowded() -> None:
    folders = {path.parent for path in modules().values()}
    crowded = {
        show_path(folder): len(entries)
        for folder in folders
        if folder.relative_to(ENGINE / PACKAGE).as_posix() not in PLUG_IN_FOLDERS
        and len(entries := [each for each in folder.iterdir() if each.name not in {"__init__.py", "__pycache__"}])
        > FULLEST_FOLDER
    }
    assert not crowded, crowded
    assert all((ENGINE / PACKAGE / folder).is_dir() for folder in PLUG_IN_FOLDERS)


def test_no_word_of_a_game_in_the_engine() -> None:
    faults = [
        f"{show_path(path)}:{number}: {word!r} belongs in rules/"
        for path in text_files("engine", "grammar")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for word in WORD.findall(line)
        if word.lower() in GAME_WORDS
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", ["hero", "mine_owner", "HeroCard", "visitMINE", "a coin.", "settlements[0]"])
def test_a_word_of_a_game_is_seen_wherever_it_hides(name: str) -> None:
    assert GAME_WORDS & {word.lower() for word in WORD.findall(name)}


@pytest.mark.parametrize("name", ["determine", "heroic", "coincidence", "undermined"])
def test_other_words_are_left_alone(name: str) -> None:
    assert not GAME_WORDS & {word.lower() for word in WORD.findall(name)}


SAME_WORDS = frozenset(("choose", "if", "roll", "set", "show", "steps"))
"""Verbs whose name is also that of an operation of the program, of a key beside steps, or of a word of expressions."""

OTHER_USES = {
    "language/expressions/calls.py": "what designers call a function of lists that is none",
    "language/expressions/name_resolution.py": "what designers write to leave an entry out",
    "engine/python_backend/compiler.py": "a part of a compiled ruleset, which generated code names",
    "book/parts/template_loader.py": "a filter of templates, which ends a sentence",
    "engine/wasm_backend/codegen/effect_code.py": "a routine of the runtime",
    "ruleset/schema/schema_error_messages.py": "what designers wrote once to leave an entry out",
}
"""Where such a word stands that is the name of a verb by chance."""

_NAMED_ELSEWHERE = """\
A statement must be named only in its own file. If a file below uses the word for
something else, rename the statement, or add the file to OTHER_USES with the reason:
"""


def names_of_verbs(source: str) -> list[str]:
    """Return the texts in a module that name a verb.

    A verb that is not yet in `LANGUAGE` may have the name of something else: then a list or table counts only if most
    of its texts are verbs.
    """
    verbs = load_statements().keys() - SAME_WORDS
    nodes = [*ast.walk(ast.parse(source))]
    other = set[ast.AST]()
    for node in nodes:
        if isinstance(node, ast.Dict | ast.List | ast.Set | ast.Tuple):
            items = node.keys if isinstance(node, ast.Dict) else node.elts
            texts = [item for item in items if isinstance(item, ast.Constant)]
            if 2 * sum(text.value in verbs for text in texts) <= len(texts):
                other.update(text for text in texts if text.value not in LANGUAGE)
    return [n.value for n in nodes if isinstance(n, ast.Constant) and n.value in verbs and n not in other]


def test_nothing_outside_names_a_verb() -> None:
    home = ENGINE / PACKAGE / "language" / "statements"
    outside = {show_path(path): path for path in modules().values() if home not in path.parents}
    by_name = {name: names_of_verbs(path.read_text(encoding="utf-8")) for name, path in outside.items()}
    known = {f"engine/{PACKAGE}/{name}" for name in OTHER_USES}
    faults = [f"{name} names {', '.join(verbs)}" for name, verbs in by_name.items() if verbs and name not in known]
    assert not faults, _NAMED_ELSEWHERE + "\n".join(faults)
    assert all(by_name[name] for name in known)


def test_a_verb_that_is_named_is_seen() -> None:
    assert names_of_verbs('named = step.get("create")') == ["create"]
    assert names_of_verbs("match verb.name:\n    case 'do': ...") == ["do"]
    assert names_of_verbs("handlers = {'create': a, 'do': b}") == ["create", "do"]
    assert names_of_verbs("('without', 'remove', 'discard')") == ["remove"]
    assert names_of_verbs('"created", "do_it", "roll"') == []


def test_files_stay_short_enough_to_be_read() -> None:
    lengths = {show_path(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules().values()}
    faults = [
        f"{name} has {length} lines, more than {allowed}: it holds more than one idea, so split it"
        for name, length in lengths.items()
        if length > (allowed := LONGER_FILES.get(name.removeprefix("engine/"), LONGEST_FILE))
    ]
    assert not faults, "\n".join(faults)


def test_the_list_of_longer_files_is_no_longer_than_needed() -> None:
    for name in LONGER_FILES:
        path = ENGINE / name
        assert path.is_file(), f"{name} is gone: take it off LONGER_FILES"
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines > LONGEST_FILE, f"{name} is short again: take it off LONGER_FILES"


def private_uses(path: Path) -> list[str]:
    """Return the names beginning with `_` that a file imports from the package, or reaches for in what it imports."""
    text = path.read_text(encoding="utf-8")
    tree, imports, known = ast.parse(text, path), [], set()
    for node in statements(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in (PACKAGE, "tests"):
            known |= {name.asname or name.name for name in node.names}
            imports += [name.name for name in node.names if name.name.startswith("_")]
    for node in ast.walk(tree) if REACHES.search(text) else ():  # few do at all, and every node is many
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            imports += [f"{node.value.id}.{node.attr}"] * bool(re.match(r"_(?!_)", node.attr))
    return imports


def test_no_test_reaches_for_what_is_private() -> None:
    files = (path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)
    assert {path.relative_to(ROOT).as_posix(): names for path in files if (names := private_uses(path))} == {}


def test_reaching_for_what_is_private_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "test_a.py"
    file.write_text("from rulewright.a import _b, c\nc._d()\nc.__doc__\nself._e\n", encoding="utf-8")
    assert private_uses(file) == ["_b", "c._d"]
