"""Examples and sample games in another language, with the log of the engine in it."""

from __future__ import annotations

from rulewright.book.languages import Planner, find_planner
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.parts.example_runs import ExampleView, build_happening, is_notable, run_book_example
from rulewright.book.parts.sample_scenes import SampleView, sample_view
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import HtmlStyle
from rulewright.ruleset.schema.translation_schema import list_log_keys
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.examples import Example
from rulewright.ruleset.translation.required_texts import is_translated
from rulewright.ruleset.translation.translation import Translation

_LOGGED = frozenset({*list_log_keys(), "label", "options"})
"""Keys of the texts that the log of a game consists of."""


def _is_told(translation: Translation, section: str, identity: str) -> bool:
    """Return whether an example or a sample game is translated, and everything that its log may show."""
    return translation.get_or_make(can_log) and is_translated(translation, (section, identity))


def can_log(translation: Translation) -> bool:
    """Return whether everything that the log of a game may show is translated."""
    gameplay = {section.key for section in load_sections().values() if section.gameplay}
    needed = (
        path
        for path in translation.list_paths()
        if (path[0] in gameplay and not _LOGGED.isdisjoint(path[1:]))
        or (path[0] == "tables" and path[2] == "rows")
        or (path[0] == "terms" and path[-1] in ("name", "plural"))
    )
    return all(path in translation.texts for path in needed)


def build_translated_sample(translation: Translation, identity: str, style: HtmlStyle) -> SampleView | None:
    """Return the view of a sample game, or None if it cannot be shown in the language.

    Pictures of boards have their descriptions in English, so a sample game with some is not shown.
    """
    if not _is_told(translation, "samples", identity):
        return None
    view = sample_view(translation.ruleset.samples[identity], style)
    return view if view is not None and not any(scene.maps for scene in view.scenes) else None


def build_translated_example(translation: Translation, identity: str, style: HtmlStyle) -> ExampleView | None:
    """Return the view of an example, or None if it cannot be shown in the language.

    An example with boards, odds, or nothing to run is not shown, nor is one for which the planner lacks words.
    """
    example, planner = translation.ruleset.examples[identity], find_planner(translation)
    if planner is None or not _is_told(translation, "examples", identity):
        return None
    has_boards = any(table.is_board for table in translation.ruleset.declarations.tables.values())
    if has_boards or example.claims or example.of not in translation.ruleset.procedures:
        return None
    try:
        return _build(translation, planner, example, style)
    except MissingWordsError:
        return None


def _build(translation: Translation, planner: Planner, example: Example, style: HtmlStyle) -> ExampleView:
    """Run an example and return its view. Raises `MissingWordsError` if the planner lacks words for it."""
    ran = run_book_example(example, translation.ruleset)
    return ExampleView(
        example.id,
        fill(example.title, style),
        fill(example.text, style),
        tuple(planner.list_given(translation, example, style)),
        tuple(build_happening(moment, style) for moment in ran.steps if is_notable(moment, example.of, style)),
        tuple(planner.list_results(translation, ran, style)),
        None,
    )
