"""The file with the examples and samples of an edition, which the page *Play* replays step by step.

It is a script that the page loads on demand, because a page opened from disk can read no other type of file.
"""

from __future__ import annotations

import json
from typing import Any

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.example_runs import (
    can_be_played,
    list_narrated_events,
    run_book_example,
)
from rulewright.book.parts.step_sentences import format_title
from rulewright.book.play_page.play_data import compress_text
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import PLAY
from rulewright.book.style.text_style import UndrawnStyle, escape
from rulewright.export.example_data import build_example_data, build_sample_data
from rulewright.testing.play_samples import SampleRun, play_sample

EXAMPLES = "examples.js"
"""Name of the file, which calls `rulewrightExamples`."""


class _Beside(UndrawnStyle):
    """Style for text next to the game. Links and step numbers lead to the built pages of the book."""

    def __init__(self, page: PageWriter) -> None:
        link, odds = page.places.make_linker(PLAY, ()), page.rolls.linker(PLAY)
        super().__init__(
            page.ruleset,
            lambda path: _find_address(link(path)),
            lambda roll: _find_address(odds(roll)),
            page.places.numbers,
        )
        self.homes = page.places.homes

    def cite(self, rule: str) -> str:
        number = self.numbers.get(f"steps.{rule}", "")
        home = _find_address(self.homes.get(f"steps.{rule}"))
        return f'<a class="rw-cite" href="{escape(home)}">{number}</a> ' if number and home else ""


def _find_address(home: str | None) -> str | None:
    """Return the address of a part of the book once the book is built, or None if `home` is None."""
    if home is None:
        return None
    file, mark, fragment = home.partition("#")
    return f"{file.removesuffix('.md')}.html{mark}{fragment}" if file else home


def build_examples_file(page: PageWriter) -> str:
    """Return the text of the file, or an empty string if no example or sample can be replayed.

    Runs all examples and plays all samples. Texts are HTML with links to built pages. Examples that cannot be replayed,
    and samples that fail or report errors, are left out.
    """
    ruleset, style = page.ruleset, _Beside(page)
    results: dict[str, dict[str, Any]] = {"examples": {}, "samples": {}, "rules": {}}
    rule_ids: set[str] = set()
    for example in ruleset.examples.values():
        if not can_be_played(example, ruleset):
            continue
        ran = run_book_example(example, ruleset)
        assert ran.finished is not None
        rule_ids |= {example.of, *(moment.event.rule.rpartition(".")[0] for moment in ran.steps)}
        results["examples"][example.id] = {
            **_words(page, style, example.title, example.text, f"examples.{example.id}"),
            "given": page.list_given(example, style),
            "results": page.list_results(example, style),
            "data": build_example_data(ran.finished, list_narrated_events(example, style)),
        }
    for sample in ruleset.samples.values():
        played = play_sample(ruleset, sample)
        if isinstance(played, SampleRun) and not played.problems.errors:
            rule_ids |= {moment.event.rule.rpartition(".")[0] for moment in played.moments}
            results["samples"][sample.id] = {
                **_words(page, style, sample.title, sample.text, f"samples.{sample.id}"),
                "data": build_sample_data(played),
            }
    if not rule_ids:
        return ""
    rules = (each for each in ruleset.procedures.values() if each.id in rule_ids and not each.is_dispatch)
    results["rules"] = {each.id: _rule(page, style, each.id) for each in rules}
    text = json.dumps(results, ensure_ascii=False, separators=(",", ":"))
    return f"rulewrightExamples({json.dumps(compress_text(text.encode()))})\n"


def _words(page: PageWriter, style: _Beside, title: str, text: str, path: str) -> dict[str, str]:
    home = _find_address(page.places.homes.get(path)) or ""
    return {"title": page.escaped(title), "text": fill(text, style), "home": home}


def _rule(page: PageWriter, style: _Beside, procedure: str) -> dict[str, str]:
    """Return the title and the steps of a procedure as the book shows them, with step numbers as links."""
    rule = page.ruleset.procedures[procedure]
    return {"title": page.escaped(format_title(rule)), "steps": page.describe_steps(rule, style)}
