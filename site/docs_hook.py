"""What MkDocs does not do by itself for the documentation: the reference, shared assets, notebooks, and figures."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from rulewright.analysis.fairness.skill_scale import load_scale
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.book.search.search_index import INDEX, PageIndex, read_page, search_index
from rulewright.language.statement import load_statements
from rulewright.ruleset.editions.edition import MANIFEST
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.source.yaml.yaml_reader import read_file

SITE = Path(__file__).parent
sys.path.insert(0, str(SITE))  # MkDocs runs this file by itself

from reference import pages  # noqa: E402

ROOT = SITE.parent

_INDEXED: dict[str, PageIndex] = {}

MARKS = re.compile(r"^(?P<fence>\s*```(?:sh|python|text|yaml))(?: (?:run|fails|output))+", re.MULTILINE)
"""What only the tests read: which blocks are run (tests/snippets.py)."""

AS_MARKDOWN = re.compile(r"^> As plain Markdown, .*\n(?:> .*\n)*\n?", re.MULTILINE)
"""What only those read who see the source of a page: where that is built, there is nothing to say."""

FACTS = re.compile(r"<!-- facts (\S+) -->")
"""Where a page has the facts of a shipped edition."""

TABLE = re.compile(r"<!-- (recipes|recipes by step|repetition|ratios|rungs|scale|power) -->")
"""Where a page has a table that `_render_table` makes."""

REFERENCE = "reference"
"""The folder of the generated pages."""

COOKBOOK = "cookbook"
"""The folder of the recipes, and of the page that lists them."""

GROUPS = {
    "numbers": "Numbers, words and dice",
    "rules": "Steps and rules",
    "objects": "Resources, tokens and cards",
    "boards": "Boards",
    "players": "Players, bids and trades",
    "editions": "House rules and editions",
}
"""The groups of recipes in the menu and in the table, by `group:` in the front matter of a recipe."""


class Recipe(NamedTuple):
    """A recipe of the cookbook, with the steps and the edition that it uses."""

    path: str
    title: str
    group: str
    order: int
    steps: tuple[str, ...]
    extends: str


def list_recipes() -> list[Recipe]:
    """Return all recipes, in the order of the cookbook."""
    return sorted(map(_read_recipe, (SITE / "docs" / COOKBOOK).glob("*/index.md")), key=lambda each: each.order)


def _read_recipe(page: Path) -> Recipe:
    """Read a recipe from its page and its rules. Raises `ValueError` with what the page lacks."""
    before, matter, body = f"{page.read_text(encoding='utf-8')}\n---\n---\n".split("---\n", 2)
    front = None if before else yaml.safe_load(matter)
    title = re.search(r"^# (.+)$", body, re.MULTILINE)
    if not isinstance(front, dict) or front.get("group") not in GROUPS or not isinstance(front.get("order"), int):
        lines = f"`group:` (one of {', '.join(GROUPS)}) and `order:` (a number)"
        raise ValueError(f"{page} must begin with `---`, {lines}, and `---`")
    if title is None:
        raise ValueError(f"{page} has no title, a line that begins with `# `")
    files: dict[str, Any] = {path.name: read_file(path).to_plain() for path in page.parent.glob("*.yaml")}
    manifest = files.pop(MANIFEST)
    used = set(_find_steps(files))
    return Recipe(
        path=f"{page.parent.name}/index.md",
        title=title[1],
        group=front["group"],
        order=front["order"],
        steps=tuple(name for name in load_statements() if name in used),
        extends=manifest.get("extends", ""),
    )


def _find_steps(value: Any) -> Iterator[str]:
    """Yield the names of the steps in the data of rules files."""
    if isinstance(value, dict):
        if "id" in value:
            # A loop has `steps`, too. Only a group of steps has nothing else.
            names = value.keys() & load_statements().keys()
            yield from names - {"steps"} or names
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _find_steps(each)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the recipes, in groups, and the pages of commands and diagnostics into the menu."""
    recipes = list_recipes()
    for menu in _list_menus(config.nav):
        if f"{COOKBOOK}/index.md" in menu:
            menu += [
                {title: [f"{COOKBOOK}/{each.path}" for each in recipes if each.group == group]}
                for group, title in GROUPS.items()
            ]
        for index in ("commands", "diagnostics"):
            if f"{REFERENCE}/{index}.md" in menu:
                menu += [f"{REFERENCE}/{name}" for name in make_reference() if name.startswith(f"{index}/")]
    return config


def _list_menus(value: Any) -> Iterator[list[Any]]:
    """Yield each list of pages in the menu, and those inside it."""
    if isinstance(value, list):
        yield value
    for each in list(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()):
        yield from _list_menus(each)


@cache
def make_reference() -> dict[str, str]:
    """Return the generated pages of the reference, by path."""
    return pages()


def _render_facts(reference: str) -> str:
    """Return a table with the players, the folders and the steps of a shipped edition."""
    edition = load_ruleset(reference)
    steps = [step for each in edition.procedures.values() for step in each.iterate_steps()]
    files = {Path(step.span.file).resolve() for step in steps}
    folders = {next(each for each in file.parents if (each / MANIFEST).exists()) for file in files}
    used = {step.verb.name for step in steps}
    rows = [
        ("name", f"`{edition.reference}`"),
        ("for", edition.format_players()),
        ("folders", ", ".join(f"`{path.relative_to(ROOT).as_posix()}`" for path in sorted(folders))),
        ("steps", ", ".join(f"[`{name}`](../reference/steps.md#{name})" for name in load_statements() if name in used)),
    ]
    return "\n".join(["| fact | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def _render_recipes() -> str:
    """Return the table of recipes of each group, with the edition that each extends and the steps that it uses."""
    lines: list[str] = []
    for group, title in GROUPS.items():
        lines += [f"## {title}", "", "| recipe | extends | steps |", "| --- | --- | --- |"]
        for each in list_recipes():
            if each.group == group:
                steps = ", ".join(f"`{step}`" for step in each.steps)
                lines.append(
                    f"| [{each.title}]({each.path}) | {each.extends or 'nothing (a complete game)'} | {steps} |"
                )
        lines.append("")
    return "\n".join(lines)


def _render_recipes_by_step() -> str:
    """Return a table of all steps with the recipes that use each."""
    recipes = list_recipes()
    rows = ["| step | recipes |", "| --- | --- |"]
    for step in load_statements():
        used = ", ".join(f"[{each.title}]({each.path})" for each in recipes if step in each.steps)
        if used:
            rows.append(f"| [`{step}`](../reference/steps.md#{step}) | {used} |")
    return "\n".join(rows)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the theme's assets, which lie beside the folder of the pages, and the generated reference."""
    for path in sorted(path for path in (SITE / "assets").rglob("*") if path.is_file()):
        name = path.relative_to(SITE).as_posix()
        files.append(File(name, str(SITE), config.site_dir, config.use_directory_urls))
    reference = {f"{REFERENCE}/{name}": text for name, text in make_reference().items()}
    for name, text in {**reference, **_project()}.items():
        files.append(File.generated(config, name, content=text))
    return files


def _project() -> dict[str, str]:
    """Return the changelog and the licence of the repository as pages."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    # What lies outside of the documentation has no page to link to.
    changes = re.sub(r"\[([^\]]*)\]\((?!site/docs/)[^)]*\)", r"\1", changes).replace("(site/docs/", "(../")
    changes = re.sub(r"^## \[(.+?)\]", r"## \1", changes, flags=re.MULTILINE)
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    return {"project/changelog.md": changes, "project/licence.md": f"# Licence\n\n{licence}"}


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Index the page for the search, with the search words in its front matter."""
    _INDEXED[page.file.src_uri] = read_page(page.file.url, str(page.title), html, page.meta.get("search", ()))
    return html


def on_post_build(*, config: MkDocsConfig) -> None:
    """Write what the pages are searched by."""
    index = Path(config.site_dir) / INDEX
    index.parent.mkdir(parents=True, exist_ok=True)
    index.write_text(search_index(config.site_name, _INDEXED.values()), encoding="utf-8")


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Remove the marks for tests, and insert generated tables."""
    markdown = FACTS.sub(lambda mark: _render_facts(mark[1]), markdown)
    markdown = TABLE.sub(lambda mark: _render_table(mark[1]), markdown)
    if "<!-- notebook -->" in markdown:
        notebook = Path(config.docs_dir, page.file.src_path).with_suffix(".ipynb")
        markdown = markdown.replace("<!-- notebook -->", _notebook(notebook))
    return MARKS.sub(r"\g<fence>", AS_MARKDOWN.sub("", markdown))


def _render_table(name: str) -> str:
    """Return the table for one of the names in `TABLE`."""
    match name:
        case "recipes":
            return _render_recipes()
        case "recipes by step":
            return _render_recipes_by_step()
        case "repetition":
            return _render_repetition()
        case "scale":
            return "\n".join(_list_scale())
        case "power":
            return "\n".join(_list_power())
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    rows = _list_rungs(results["rungs"]) if name == "rungs" else _list_ratios(results)
    return "\n".join(['<div class="ratios" markdown>', "", *rows, "", "</div>"])


def _render_repetition() -> str:
    """Return a table of how much each edition repeats another, as the tests count it."""
    sys.path.insert(0, str(ROOT))
    try:
        from tests.rules.repetition import EDITIONS, repetition
    finally:
        sys.path.remove(str(ROOT))
    rows = ["| edition | states | repeats another | share |", "| --- | ---: | ---: | ---: |"]
    for edition in EDITIONS[1:]:
        own, repeated = repetition(ROOT / "rules" / "fuzzy-knights", edition)
        rows.append(f"| {edition} | {len(own)} | {len(repeated)} | {len(repeated) / len(own):.1%} |")
    return "\n".join(rows)


def _list_ratios(results: dict[str, Any]) -> Iterator[str]:
    """Yield the rows of a table of benchmark results, by script, as of the last run."""
    yield from ("| measurement | ratio | target |", "| --- | ---: | --- |")
    for script, ran in results.items():
        yield f"| **`{script}`**, {ran['date']}, load {ran['load']:g} | | |"
        for ratio in ran["ratios"]:
            if ratio["at_least"] is not None:
                wanted, met = f"at least {ratio['at_least']:g}", ratio["value"] >= ratio["at_least"]
            elif ratio["at_most"] is not None:
                wanted, met = f"at most {ratio['at_most']:g}", ratio["value"] <= ratio["at_most"]
            else:
                wanted, met = "–", True
            wanted += "" if met else ": **missed**"
            yield f"| {ratio['what']} | {ratio['value']:g}\N{NO-BREAK SPACE}× | {wanted} |"


def _list_rungs(ran: dict[str, Any]) -> Iterator[str]:
    """Yield the rows of a table of games between bots by the largest rules, as `benchmarks/rungs.py` counted them."""
    yield from ("| games | share | target |", "| --- | ---: | --- |")
    for ratio in ran["ratios"]:
        wanted = "–" if ratio["at_least"] is None else f"at least {ratio['at_least']:.0%}"
        met = ratio["at_least"] is None or ratio["value"] >= ratio["at_least"]
        yield f"| {ratio['what']} | {ratio['value']:.1%} | {wanted}{'' if met else ': **missed**'} |"


def _list_scale() -> Iterator[str]:
    """Yield a table of the known games on the scale of luck and skill, from `benchmarks/skill_scale.py`."""
    scale = load_scale()
    yield "| game | rating points per doubling | spread of ratings | one seat wins both |"
    yield "| --- | ---: | ---: | ---: |"
    for game in sorted(scale.games, key=lambda game: game.metrics["scale.doubling"].value):
        cells = []
        for name in ("scale.doubling", "scale.spread", "scale.seat"):
            each = game.metrics[name]
            shown = [f"{value:.0%}" if each.share else f"{value:.0f}" for value in (each.value, *each.interval)]
            cells.append("{} ({} to {})".format(*shown).replace("-", "\N{MINUS SIGN}"))
        yield f"| {game.title} | {' | '.join(cells)} |"
    yield ""
    yield f"Commit {scale.commit}, seed {scale.seed}, {scale.pairs} pairs of games between each two neighbouring bots."


def _list_power() -> Iterator[str]:
    """Yield a table of how often `fair` finds advantages that games have on purpose, from `tests/analysis/power.py`."""
    kept = json.loads((ROOT / "tests" / "analysis" / "power.json").read_text(encoding="utf-8"))
    yield "| advantage | runs | found, and nothing else | found, with something else | only something else |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, each in kept["cases"].items():
        low, high = compute_wilson_interval(each["alone"], each["runs"])
        found = "–" if name == "nothing" else f"{each['alone']} ({low:.0%} to {high:.0%})"
        yield f"| {name} | {each['runs']} | {found} | {each['with_others']} | {each['others']} |"
    yield ""
    yield f"Commit {kept['commit']}, {kept['games']:,} games in each run."


def _notebook(path: Path) -> str:
    """Return a notebook as Markdown: text, code and output, without its title, which the page has."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(re.sub(r"\A# .*\n+", "", source))
            continue
        parts.append(f"```python\n{source}\n```")
        printed = "".join(line for output in cell["outputs"] for line in output["text"])
        if printed:
            parts.append(f"```text\n{printed}```")
    return "\n\n".join(parts)
