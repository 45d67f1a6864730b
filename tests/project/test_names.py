"""Names are the field's: functions begin with verbs, classes are nouns, one name means one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.project.test_architecture import PLUG_IN_FOLDERS, modules

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "engine" / "rulewright"
VERBS = frozenset((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split())
PREDICATES = frozenset(
    {"is", "has", "can", "may", "needs", "always", "never", "surely", "to", "from", "as", "with", "by"}
)
"""What a function may begin with besides a verb: a test of something, or a conversion."""

SPOKEN = frozenset({"be", "carry", "do", "have", "let", "say", "see", "tell"})
"""Verbs that begin a docstring, and no name."""

PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
ENDS_LIKE_A_PARTICIPLE = re.compile(r"(ed|ing|own|een|aid|ept|old|eant|ost|ught)$")

FUNCTIONS = {
    "ai/bots": "`inside` is what a bot's module may offer",
    "book/changes/sections": "`lines` and `whole` are what the teller of a section offers",
    "book/english": "cases of the fold over expressions, one for each node: `constant`, `cell`, `lookup` …",
    "dice/exact/counts.py": "terms of mathematics: `power`, `field_width`",
    "integrations": "`env`, `action_space` and `observation_space` are names of those libraries",
    "language/schema_shapes.py": "constructors of schemas, which read as a declaration: `required(words(…))`",
    "lsp/code_actions": "`offered` is what a code action's module offers",
    "lsp/code_lenses": "`title` is what a code lens's module offers",
    "cli/main.py": "`main` is an entry point",
    "lsp/server/stdio.py": "`main` is an entry point",
}
"""Where functions have other names, and why."""

SHARED_CLASSES = {
    "Action": "what a statement keeps of a step: each has its own, and no other module sees it",
    **dict.fromkeys(
        [
            *("Aggregate", "Call", "Chance", "Comparison", "Constant", "Create", "Draw", "Entry", "Field", "Finish"),
            *("Group", "If", "Items", "Keep", "Kind", "ListOf", "Literal", "Machine", "MapOf", "Member", "Name"),
            *("Node", "Nothing", "Operation", "Record", "Remove", "Result", "Roll", "Variable"),
        ],
        "nodes of different trees, which each package calls by the field's word",
    ),
}
"""Names of several classes, each of which is plain from its package."""

NOUNS = frozenset(
    {
        *("Binding", "EditionStanding", "GameSetting", "Host", "LazyMapping", "Listing", "Lowering", "Mapping"),
        *(
            "Meaning",
            "NameBinding",
            "Naming",
            "Nothing",
            "Rating",
            "Ruling",
            "ScalarReading",
            "ProcedureSetting",
            "RulesetWarning",
            "ShortSetting",
        ),
    }
)
"""Nouns that end as participles do."""

PARTICIPLES = {
    **dict.fromkeys(("Multiplied", "Named", "Matching"), "nodes of rolls, by the form of the notation"),
    **dict.fromkeys(("Typed", "Stored"), "nodes of typed expressions, which dispatch goes by"),
    **dict.fromkeys(("Offered", "NotOffered"), "options that are offered by a condition, and one that is not"),
    "Unknown": "the type of an expression that has an error",
}
"""Classes whose names are no nouns, and why."""

NOT_FOR_VALUES = frozenset(
    {
        *("anew", "asked", "blame", "came", "found", "gone", "judged", "kept", "laid", "lies", "made", "meant", "met"),
        *("nobody", "noted", "rung", "rungs", "said", "shown", "stands", "taken", "tells", "thing", "things", "told"),
        *("turned", "wanted", "whim", "wish", "wishes", "worth", "worths"),
    }
)
"""Words that don't say what a variable, a parameter, a field or a method is."""

VALUES = {
    "engine/rulewright/ai/bots": {"judged": "a parameter that a bot's module may offer"},
    "engine/rulewright/dice/parser/semantics.py": {"taken": "a rule of the grammar"},
    "engine/rulewright/dice/sampling/pools.py": {"kept": "dice that are kept, as in `kh`"},
    "engine/rulewright/ruleset/sections/weights.py": {"worth": "a key of the rules"},
}
"""Where such words are names all the same, and why."""

SHARED_MODULES = {
    **dict.fromkeys(
        ("game", "ruleset", "translation", "export", "dice", "book", "studio", "changes"), "with its package"
    ),
    "triggers": "the sentences of a change of triggers, and triggers",
}


@cache
def banned() -> frozenset[str]:
    """Return the words that the glossary does not allow as names."""
    glossary = ROOT / "site" / "docs" / "contributing" / "glossary.md"
    table = glossary.read_text(encoding="utf-8").partition("## Words that names must not contain")[2]
    words = frozenset(
        re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `")))
    )
    assert len(words) > 40
    return words


@cache
def trees() -> dict[str, ast.Module]:
    """Return the tree of every module by its path below the package."""
    paths = modules().values()
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def classes() -> list[tuple[str, str]]:
    """Return the public classes with the paths of their modules."""
    nodes = ((path, node) for path, tree in trees().items() for node in tree.body if isinstance(node, ast.ClassDef))
    return [(path, node.name) for path, node in nodes if not node.name.startswith("_")]


def functions() -> list[tuple[str, str]]:
    """Return the public functions of modules with the paths of these."""
    nodes = ((path, node) for path, tree in trees().items() for node in tree.body if isinstance(node, ast.FunctionDef))
    return [(path, node.name) for path, node in nodes if not node.name.startswith("_")]


def parts(name: str) -> set[str]:
    """Return the words in a name.

    >>> sorted(parts("toldTwice_Asked"))
    ['asked', 'told', 'twice']
    """
    return {part.lower() for part in PARTS.findall(name)}


def is_verb(name: str) -> bool:
    """Return whether a function's name begins with a verb, or asks something."""
    first = name.split("_")[0]
    return (
        first in VERBS or first in PREDICATES or any(first == f"{verb}{end}" for verb in VERBS for end in ("s", "es"))
    )


def list_values(tree: ast.AST) -> Iterator[tuple[int, str]]:
    r"""Yield the line and name of every variable, parameter, field and method of a module.

    >>> [name for _, name in list_values(ast.parse("class A:\n  told: int\ndef f(said): kept = said; return kept"))]
    ['f', 'told', 'said', 'kept']
    """
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                yield node.lineno, name


def in_exception(path: str, exceptions: Collection[str]) -> bool:
    """Return whether a module is one of those, or lies in a folder that is."""
    return any(path == each or path.startswith(f"{each}/") for each in exceptions)


def test_functions_begin_with_verbs() -> None:
    wrong = [f"{path}: {name}" for path, name in functions() if not is_verb(name) and not in_exception(path, FUNCTIONS)]
    assert wrong == []


def test_no_exception_is_needless() -> None:
    odd = {path for path, name in functions() if not is_verb(name)}
    assert [each for each in FUNCTIONS if not any(in_exception(path, {each: ""}) for path in odd)] == []


def test_classes_are_nouns() -> None:
    wrong = [
        f"{path}: {name}"
        for path, name in classes()
        if name not in NOUNS | PARTICIPLES.keys()
        and ENDS_LIKE_A_PARTICIPLE.search(PARTS.findall(name)[-1])
        and not is_named_like_plugin(path, name)
    ]
    assert wrong == []


def is_named_like_plugin(path: str, name: str) -> bool:
    """Return whether a class has the name of its plug-in, which rules or people use: `breed`, `showdown`."""
    return in_exception(path, PLUG_IN_FOLDERS) and Path(path).stem.replace("_", "") == name.casefold()


def test_a_plugin_may_be_called_by_a_word_of_the_rules() -> None:
    assert is_named_like_plugin("language/statements/breed.py", "Breed")
    assert not is_named_like_plugin("language/statements/breed.py", "Bred")
    assert not is_named_like_plugin("language/breed.py", "Breed")


def test_no_name_has_a_word_that_is_not_allowed() -> None:
    named = [*classes(), *functions(), *((path, Path(path).stem) for path in trees())]
    wrong = [f"{path}: {name}" for path, name in named if parts(name) & banned() and name not in PARTICIPLES]
    assert wrong == []


def test_values_are_called_by_what_they_are() -> None:
    """In the engine and the benchmarks. A participle such as `told` doesn't say whether it is a log or a viewer."""
    paths = [*modules().values(), *(ROOT / "benchmarks").glob("*.py")]
    named = {
        (path.relative_to(ROOT).as_posix(), line, name)
        for path in paths
        for line, name in list_values(ast.parse(path.read_text(encoding="utf-8")))
        if name in NOT_FOR_VALUES
    }
    allowed = {
        (path, line, name)
        for path, line, name in named
        for each, names in VALUES.items()
        if in_exception(path, [each]) and name in names
    }
    assert sorted(named - allowed) == []
    assert {(each, name) for each, names in VALUES.items() for name in names} == {
        (each, name) for path, _, name in allowed for each in VALUES if in_exception(path, [each])
    }


def test_a_class_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for path, name in classes():
        homes[name].append(path)
    again = {name: paths for name, paths in homes.items() if len(paths) > 1}
    assert {name: paths for name, paths in again.items() if name not in SHARED_CLASSES} == {}
    assert SHARED_CLASSES.keys() - again.keys() == set()


def test_a_module_name_means_one_thing() -> None:
    """Outside of the folders of plug-ins, whose files are called as designers and users call them."""
    stems = [Path(path).stem for path in trees() if Path(path).parent.as_posix() not in PLUG_IN_FOLDERS]
    again = {name for name, count in Counter(stems).items() if count > 1 and not name.startswith("__")}
    assert again - SHARED_MODULES.keys() == set()


@pytest.mark.parametrize("name", ["told_before", "allFound", "figures", "is_kept"])
def test_a_word_that_is_not_allowed_is_seen(name: str) -> None:
    assert parts(name) & banned()


def test_what_is_no_verb_is_seen() -> None:
    assert [is_verb(name) for name in ("told", "board_of", "read_board", "is_board", "holds_words", "drawn")] == [
        *(False, False, True, True, True, False)
    ]


def test_docstrings_begin_with_verbs() -> None:
    """Of functions that have one: ruff's D401 passes over what it does not know."""
    wrong = [
        f"{path}:{node.lineno}: {docstring.splitlines()[0]}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not any("property" in ast.unparse(d) for d in node.decorator_list)
        if (docstring := ast.get_docstring(node)) and docstring.split()[0].rstrip(":,.").lower() not in VERBS | SPOKEN
    ]
    assert wrong == []
