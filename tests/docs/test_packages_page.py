"""The architecture pages are true: passes, paths, and a page of all packages that the code itself writes."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

from reference import packages

from rulewright.ruleset import pipeline
from tests.project import test_architecture as architecture

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "site" / "docs" / "contributing"
PACKAGE = ROOT / "engine" / "rulewright"
HOME = pipeline.__name__


def test_every_package_and_every_module_is_on_the_page() -> None:
    page = packages.page()
    for module, path in architecture.modules().items():
        folder = path.parent.relative_to(PACKAGE).as_posix()
        if folder == ".":
            continue
        _, title, section = page.partition(f"# {folder}\n")
        assert title, f"{folder} has no section"
        if path.name != "__init__.py":
            assert f"| `{path.name}` |" in section.partition("\n##")[0], module


def test_every_module_says_what_it_does() -> None:
    modules = architecture.modules().items()
    silent = [name for name, path in modules if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert silent == []


def test_packages_come_in_the_order_of_their_layers() -> None:
    titles = re.findall(r"^## (\S+)$", packages.page(), re.MULTILINE)
    assert titles == [name for layer in packages.layers() for name in layer if (PACKAGE / name).is_dir()]
    assert [frozenset(layer) for layer in packages.layers()] == list(architecture.LAYERS)


def test_the_passes_are_those_of_the_pipeline() -> None:
    own = [name for name, each in vars(pipeline).items() if inspect.isfunction(each) and each.__module__ == HOME]
    passes = [name for name in own if not name.startswith(("_", "build_ruleset"))]
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", index, re.MULTILINE)
    assert rows[: len(passes)] == passes
    picture = index.partition("<svg")[2].partition("</svg>")[0]
    assert re.findall(r'class="small">(\w+)<', picture) == rows


def test_the_paths_on_the_pages_exist() -> None:
    for file in (PAGES / "index.md", PAGES / "add" / "index.md", ROOT / "CONTRIBUTING.md"):
        for path in re.findall(r"`(?!build/)([a-z_]+/[a-z_/]*(?:\.py)?)`", file.read_text(encoding="utf-8")):
            assert (PACKAGE / path).exists() or (ROOT / path).exists(), f"{file.name} names {path}"


def test_contributors_are_led_to_the_pages() -> None:
    assert "site/docs/contributing/index.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(contributing/index.md)" in (ROOT / "site" / "docs" / "index.md").read_text(encoding="utf-8")


def test_the_links_of_the_guide_lead_somewhere() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", guide)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []
