"""The writer of one page of the book, with its sections and the rules that they show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rulewright.book.english.naming import humanize
from rulewright.book.pages.change_marks import Marks, is_marked
from rulewright.book.pages.entries import load_entry_views
from rulewright.book.parts.example_runs import list_example_results
from rulewright.book.parts.fixture_text import list_given
from rulewright.book.parts.formula_sentences import describe_formula
from rulewright.book.parts.odds_charts import Rolls, build_data_island
from rulewright.book.parts.odds_examples import Weigh
from rulewright.book.parts.step_sentences import StepWriter, list_outcomes
from rulewright.book.parts.template_loader import render
from rulewright.book.play_page.what_if_data import build_data_island as what_if_island
from rulewright.book.play_page.what_if_data import list_section_parameters
from rulewright.book.search.link_previews import Previews
from rulewright.book.search.search_index import list_names, list_synonyms
from rulewright.book.style.assets import build_sprite, draw_once_each, find_asset_path
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.prose_html import escape_for_markdown, format_front_matter, render_heading, render_prose
from rulewright.book.style.rule_locations import GENERATED, PLAY, RuleLocations, RulingEntry, build_anchor
from rulewright.book.style.text_style import ORIGINAL, HtmlStyle, Style, UndrawnStyle, escape
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import Term
from rulewright.ruleset.prose.book_language import ENGLISH, find_language
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.section import ID, RulesSection, load_sections
from rulewright.ruleset.sections.examples import EXAMPLES, Example
from rulewright.ruleset.sections.pages import Page, Section
from rulewright.source.nodes import Mapping as MappingNode

NOTES = {"reminder": "Reminder", "tip": "Tip", "special": "Special case"}
"""Labels of notes, by type."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleBlock:
    """A rule below a section, as HTML.

    `folded` is the heading below which it is folded away, or empty. `illustrates` says whether it is only an
    illustration, such as a story.
    """

    html: str
    folded: str = ""
    illustrates: bool = False

    @property
    def rank(self) -> int:
        """How well the rule illustrates a page: 2 for a story, 1 for an example with a picture, 0 for another one."""
        return 2 if self.illustrates else int("<figure" in self.html)


def _choose_open_example(below: Iterable[Sequence[RuleBlock]]) -> RuleBlock | None:
    """Return the example that a page shows open: the first one of the highest rank. None if the page has none."""
    examples = [rule for rules in below for rule in rules if rule.html and rule.folded == EXAMPLES.folded]
    return max(examples, key=lambda rule: rule.rank, default=None)


class PageWriter:
    """Writer of one file of the book. A rule that appears twice on a page has an anchor only the first time."""

    def __init__(
        self,
        ruleset: Ruleset,
        file: str,
        places: RuleLocations,
        pictures: Mapping[str, str],
        rulings: Mapping[str, RulingEntry],
        marks: Marks | None = None,
        rolls: Rolls | None = None,
        weigh: Weigh | None = None,
        adjustable: Mapping[str, bool] = MappingProxyType({}),
    ) -> None:
        self.ruleset = ruleset
        self.file = file
        self.places = places
        self.pictures = pictures
        self.rulings = rulings
        self.marks = marks
        self.weigh = weigh
        self.adjustable = adjustable
        self.rolls = rolls if rolls is not None else Rolls()
        self.body = ""
        self.play = PLAY
        """The address of the Play page."""

        self.previews = Previews(ruleset, places)
        self.link = self.previews.wrap_linker(places.make_linker(file, pictures))
        odds = self.rolls.linker(file)
        self.language = find_language(ruleset)
        self.html = HtmlStyle(ruleset, self.link, odds, places.numbers)
        self.close = UndrawnStyle(ruleset, self.link, odds, places.numbers)
        self.plain = Style(ruleset)
        self._shown: set[str] = set()
        self._explained: set[str] = set()

    # -- pages and sections --------------------------------------------------------------
    def page(self, page: Page) -> str:
        """Return the text of the file for a page of the rules, completed by `finished`."""
        below = [self.below(section) for section in page.sections]
        open_example = _choose_open_example(below)
        body = render(
            "page.md.j2",
            title=self.escaped(page.title),
            icon=self.icon(page.icon.text if page.icon is not None else ""),
            about=fill(page.about, self.html),
            sections=[self.section(*each, open_example) for each in zip(page.sections, below, strict=True)],
        )
        term = self.ruleset.declarations.terms.get(page.icon.text) if page.icon is not None else None
        tags = (term.title, *self.searched(term)) if term is not None else ()
        title, about = fill(page.title, self.plain), fill(page.about, self.plain)
        results = {
            section.id: list_section_parameters(section, self.ruleset, self.adjustable) for section in page.sections
        }
        varying = {section: parameters for section, parameters in results.items() if parameters}
        return self.finished(title, about, body, tags=tags, letter=page.letter, varying=varying)

    def translate(self, message: str, **values: object) -> str:
        """Return a message of the book itself in the language of this page, with `values` filled in."""
        return self.language.translate(message, **values)

    def searched(self, term: Term) -> tuple[str, ...]:
        """Return additional search words for a term. Those of the rules and of icons are included only in English."""
        if self.language is ENGLISH:
            return list_synonyms(term, self.others)
        return list_names(replace(term, search=()), self.others)

    @property
    def assets(self) -> str:
        """The relative path to the styles and scripts of the pages."""
        deeper = ORIGINAL if self.language is not ENGLISH else ""
        return deeper + find_asset_path(shared=self.marks is not None or bool(deeper))

    @property
    def others(self) -> tuple[Ruleset, ...]:
        """The rulesets of the game's other editions. It is empty for a book without marks."""
        return self.marks.list_other_rulesets() if self.marks is not None else ()

    def finished(
        self,
        title: str,
        about: str,
        body: str,
        *,
        wide: bool = False,
        tags: Iterable[str] = (),
        letter: str = "",
        table: bool = False,
        varying: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> str:
        """Return a complete file, with front matter, body, drawings, and the data of rolls, previews and parameters.

        The page then counts as one that shows its rolls.

        Args:
            title: The title of the page.
            about: A description of the page.
            body: The body of the page, which the writer also keeps.
            wide: Whether to hide the table of contents.
            tags: Search words that rank this page first.
            letter: The letter with which rules of this page are cited.
            table: Whether the page has a game to play. It then hides the menu and loads the program.
            varying: The parameters that readers may vary, by section.
        """
        front = build_front_matter(title, about, wide=wide, tags=tags, letter=letter, table=table, varies=bool(varying))
        body = self.body = draw_once_each(body)
        self.rolls.note(self.file, title)
        carried = filter(
            None,
            (
                *(
                    build_sprite(body, self.pictures),
                    build_data_island(self.rolls.on(self.file), self.language),
                    self.previews.build_island(body),
                ),
                what_if_island(varying),
            ),
        )
        return f"{front}\n{body.strip()}\n" + "".join(f"\n{part}\n" for part in carried)

    def generated(self, template: str, *, table: bool = False, **values: object) -> str:
        """Return a complete file for a generated page, rendered from a template below the page's own title."""
        page = GENERATED[self.file]
        title, about = self.translate(page.title), self.translate(page.about) if page.about else ""
        body = render(template, self.language, title=title, about=about, **values)
        return self.finished(title, about, body, table=table)

    def section(self, section: Section, below: Sequence[RuleBlock], open_example: RuleBlock | None) -> str:
        """Return a section with its text and notes, and with the rules `below` it, folded away if they may be.

        `open_example` is not folded away.
        """
        below = [rule for rule in below if rule.html]
        folded = [rule for rule in below if rule.folded and rule is not open_example]
        return render(
            "section.md.j2",
            self.language,
            id=section.id,
            number=section.number,
            title=self.heading(section.title),
            text=render_prose(section.text, self.html),
            searched=self.escaped(", ".join(section.search)) if self.language is ENGLISH else "",
            notes=[
                render(
                    "note.j2",
                    id=note.id,
                    section=section.id,
                    kind=note.kind,
                    label=self.translate(NOTES[note.kind]) if note.kind in NOTES else "",
                    text=render_prose(note.text, self.html),
                )
                for note in section.notes
            ],
            shown=[*self._list_explained(section), *(rule.html for rule in below if rule not in folded)],
            folded=[rule.html for rule in folded],
            headings=[self.translate(heading) for heading in dict.fromkeys(rule.folded for rule in folded)],
        )

    def _list_explained(self, section: Section) -> list[str]:
        """Return the marks of changed rules that only the text of this section explains.

        Empty if the book marks no changes.
        """
        here = f"{self.file}#{section.id}"
        paths = [rule for rule in section.rules if self.places.homes.get(rule) == here]
        if self.marks is None:
            return []
        changed = [path for path in paths if self.marks.has_changed(path)]
        return [render("beside.j2", mark=self.marks.mark(path, self.title(path)), places=()) for path in changed]

    # -- sentences -----------------------------------------------------------------------
    def describe_steps(self, procedure: Procedure, style: Style) -> str:
        """Return the steps of a procedure as a list, in the language of this page."""
        return StepWriter(procedure, style).all()

    def list_outcomes(self, procedure: Procedure, style: Style) -> list[tuple[str, str]]:
        """Return the results of a procedure, each as a name and a sentence."""
        return list_outcomes(procedure, style)

    def describe_formula(self, formula: str, style: Style) -> tuple[str, str, str] | None:
        """Return the name, the description and the definition of a formula, or None if the language cannot say it."""
        return describe_formula(formula, style)

    def list_given(self, example: Example, style: Style) -> list[str]:
        """Return what an example starts with, a clause for each setting and each object."""
        return list_given(example, style)

    def list_results(self, example: Example, style: Style) -> list[str]:
        """Return sentences that are true at the end of an example."""
        return list_example_results(example, style)

    # -- rules ---------------------------------------------------------------------------
    def below(self, section: Section) -> list[RuleBlock]:
        """Return the rules that a section shows below its text, in order."""
        return [self.show_below(path.text) for path in section.show]

    def show_below(self, path: str) -> RuleBlock:
        """Return a rule in the view of its section, with the heading below which it is folded away."""
        declared = load_sections().get(path.partition(".")[0])
        if declared is None:
            return RuleBlock(self.render_rule(path))
        return RuleBlock(self.render_rule(path), declared.folded, declared.illustrates)

    def render_rule(self, path: str) -> str:
        """Return a rule in the view of its section, with its mark and sources.

        Return an empty string if there is no such rule, or if the book does not show its section.
        """
        key, _, identity = path.partition(".")
        section = load_sections().get(key)
        if section is None or not section.on_pages or find_rule_entry(path, self.ruleset) is None:
            return ""
        return "\n\n".join(part for part in (self.render_entry(key, identity), self._beside(path)) if part)

    def _beside(self, path: str) -> str:
        """Return the mark and history of a rule and its source lines, or an empty string for a book without a site."""
        if self.marks is None or not is_marked(path):
            return ""
        return render("beside.j2", mark=self.marks.mark(path), places=self.marks.list_places(path))

    def render_entry(self, section: str, identity: str) -> str:
        """Return an entry in the view of its section, without additions from the site."""
        show = load_entry_views().get(section)
        return show(self, identity) if show is not None else self.entry(load_sections()[section], identity)

    def entry(self, section: RulesSection, identity: str) -> str:
        """Return an entry in the default view, with its title and its labelled texts."""
        path = f"{section.key}.{identity}"
        rule_entry = find_rule_entry(path, self.ruleset)
        node = rule_entry.value if rule_entry is not None and isinstance(rule_entry.value, MappingNode) else None
        lines = []
        for key, label in section.labels.items():
            written = getattr(node.get(key), "text", "").strip() if node is not None and key != section.heading else ""
            if written:
                marked_up = key in section.marked_up
                lines.append((label, render_prose(written, self.html) if marked_up else fill(written, self.html)))
        return render("entry.j2", id=self.fragment(path), title=self.title(path), said=lines)

    def fragment(self, path: str) -> str:
        """Return the anchor of a rule, which the page then has, or an empty string if the page has it already."""
        if path in self._shown:
            return ""
        self._shown.add(path)
        return build_anchor(path)

    def mark_explained(self, formula: str) -> bool:
        """Record that the page explains a formula here, and return whether it is the first time."""
        first = formula not in self._explained
        self._explained.add(formula)
        return first

    def escaped(self, words: str) -> str:
        """Return a text without links, for a heading or a label."""
        return self.html.escape(fill(words, self.plain))

    def heading(self, words: str) -> str:
        """Return a text without links, escaped for a Markdown heading."""
        return escape_for_markdown(self.html.escape(render_heading(words, self.plain)))

    def icon(self, term: str) -> str:
        """Return the picture of a term, or an empty string if there is no such term."""
        declared = self.ruleset.declarations.terms.get(term)
        return self.html.picture(declared) if declared is not None else ""

    def about(self, path: str, key: str = "means") -> str:
        """Return a text of a rule, by default its description (`means`). Return an empty string if it has none."""
        entry = find_rule_entry(path, self.ruleset)
        node = entry.value.get(key) if entry is not None and isinstance(entry.value, MappingNode) else None
        return fill(getattr(node, "text", "").strip(), self.html)

    def cited(self, rule: str) -> str:
        """Return the number of a step, or else that of its procedure, or an empty string if neither has one."""
        procedure = f"procedures.{rule.partition('.')[0]}"
        return self.places.numbers.get(f"steps.{rule}", self.places.numbers.get(procedure, ""))

    def rule_link(self, path: str) -> str:
        """Return a link to a rule by its number and title. Empty if it has no address, or is a plain value."""
        entry = find_rule_entry(path, self.ruleset)
        href = self.link(path)
        if entry is None or href is None or not isinstance(entry.value, MappingNode):
            return ""
        words = self.title(path)
        number = self.places.numbers.get(path, "")
        return f'<a href="{href}">{number + " " if number else ""}{words}</a>'

    def title(self, path: str) -> str:
        """Return the escaped title of a rule, without links, or else its id, in words for most sections."""
        key, _, identity = path.partition(".")
        section, entry = load_sections().get(key), find_rule_entry(path, self.ruleset)
        heading = section.heading if section is not None else ""
        title = entry.value.get(heading) if entry is not None and isinstance(entry.value, MappingNode) else None
        if title is not None and hasattr(title, "text"):
            return self.escaped(title.text)
        return self.html.escape(identity if heading == ID else humanize(identity).capitalize())

    def value(self, path: str, title: str, value: str, means: str) -> str:
        """Return a rule that consists of a single value, with its description."""
        return render("value.j2", id=self.fragment(path), title=title, value=value, means=means)


def build_front_matter(
    title: str,
    about: str,
    *,
    wide: bool,
    tags: Iterable[str],
    letter: str,
    table: bool = False,
    varies: bool = False,
) -> str:
    """Return the front matter of a page as YAML.

    Values are written as JSON, which is valid YAML. Texts are escaped as HTML, and empty values are left out. `table`
    hides the menu and the table of contents, and `wide` only the latter.
    """
    saved = {"tags": [escape(tag) for tag in tags], "letter": escape(letter), "table": table, "varies": varies}
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in saved.items() if value)
    hidden = "hide: [navigation, toc]\n" if table else "hide: [toc]\n" if wide else ""
    return f"---\n{format_front_matter(title, about)}{lines}{hidden}---\n"
